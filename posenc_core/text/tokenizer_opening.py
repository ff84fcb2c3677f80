"""A model's ``tokenizer.json``, read by the library ``tokenizers``, which is imported when the first one is opened.

The library keeps Python's lock while it reads a file, and releases it while it divides texts.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from posenc_core.fields import one_line, read_regular, shortened
from posenc_core.text.model_tokens import NO_ID, ModelTokens, Pieces, spans_of_bytes, spans_of_places
from posenc_core.text.tokenizer_shape import Alphabet, check_shape
from posenc_core.text.tokens import TokenList, tokenize

MAXIMUM_BYTES = 64 * 2**20
"""Largest size of a file; the largest public vocabularies have 34 MB."""

LONGEST_SECONDS = 5.0
"""Limit for one sentence. A pattern in a hostile file can run for years; 200,000 characters need under a second."""

NOT_INSTALLED = (
    "the library tokenizers, which reads it, is not installed; install it with: "
    'python -m pip install "posenc[tokenizers]"'
)

_CHANGED = (
    "This tokenizer changes the text before dividing it, or lacks some of its characters: tokens are written as in its "
    "vocabulary, at the places that it reports."
)


@dataclass(frozen=True)
class ModelTokenizer:
    """An opened tokenizer; those of equal ``name`` and ``digest`` are equal.

    ``name`` is the file's name, ``digest`` the digest of its content, 32 hexadecimal digits. ``n_ids`` is one more than
    the largest id. ``path`` is the path of the opened file.
    """

    name: str
    digest: str
    n_ids: int = field(compare=False, repr=False)
    path: Path = field(compare=False, repr=False)
    _dividing: "_Dividing" = field(compare=False, repr=False)

    def token_list(self, sentence: str, special_tokens: bool = True) -> TokenList:
        """The tokens of the sentence, with or without the special tokens that the tokenizer adds.

        A sentence that the tokenizer cannot divide is divided into words, with a note in the list's ``remark``.
        """
        return self._dividing.token_list(sentence, special_tokens)


@dataclass(frozen=True)
class ModelWay:
    """The way of a tokenizer to divide a sentence, with special tokens or without them."""

    tokenizer: ModelTokenizer
    special_tokens: bool

    def token_list(self, sentence: str) -> TokenList:
        """The tokens of the sentence."""
        return self.tokenizer.token_list(sentence, self.special_tokens)


def open_tokenizer(path: str | Path) -> ModelTokenizer:
    """The tokenizer in a model's ``tokenizer.json``.

    ValueError with one plain sentence for a file that is missing, larger than ``MAXIMUM_BYTES``, damaged or of another
    kind, and without the library.
    """
    file = Path(path)
    try:
        data = read_regular(file, MAXIMUM_BYTES)
        alphabet = check_shape(data)
        library = _library(data)
        vocabulary: Mapping[str, int] = library.get_vocab(True)
        if not vocabulary:
            raise ValueError("its vocabulary is empty")
    except (OSError, ValueError) as error:
        raise ValueError(f"the tokenizer {shortened(file.name)} cannot be opened: {_why(error)}") from None
    n_ids = max(vocabulary.values()) + 1
    return ModelTokenizer(file.name, _digest(data), n_ids, file.absolute(), _Dividing(library, alphabet))


def _why(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)


def _digest(data: bytes) -> str:
    from hashlib import blake2b  # loads OpenSSL, which the window does not need at its start

    return blake2b(data, digest_size=16).hexdigest()


def _library(data: bytes) -> Any:
    """The library's tokenizer of this content; ValueError with the reason if it refuses it."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # read by the library: one sentence needs a single thread
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise ValueError(NOT_INSTALLED) from None
    found, refused = _attempt(lambda: Tokenizer.from_buffer(data))
    if found is None:
        raise ValueError(f"the library tokenizers refuses it ({refused})")
    found.no_truncation()
    found.no_padding()
    return found


def _attempt(work: Any) -> tuple[Any, str]:
    """The result of the work, or None and the reason of its failure.

    The library raises ``Exception`` for a refused file. An internal error is a panic of Rust, which
    derives from ``BaseException``.
    """
    try:
        return work(), ""
    except Exception as error:  # noqa: BLE001 - the library has no narrower one
        return None, _reason(error)
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        return None, _reason(error)


def _reason(error: BaseException) -> str:
    told = str(error).rpartition("from buffer: ")[2]
    return one_line(told if len(told) <= 120 else f"{told[:117]}...")


class _Dividing:
    """A tokenizer of the library, and its state: after a call that did not return, it is not called again."""

    def __init__(self, library: Any, alphabet: Alphabet) -> None:
        self._library, self._alphabet = library, alphabet
        self._added = {token.content for token in library.get_added_tokens_decoder().values()}
        self._is_stuck = False

    def token_list(self, sentence: str, special_tokens: bool) -> TokenList:
        """The tokens, or words with a remark why the tokenizer has none."""
        found, refused = self._encoded(sentence, special_tokens)
        if found is None:
            return _words(sentence, refused)
        words, special = found.tokens, found.special_tokens_mask
        parts, skipped = self._parts(sentence, words, special)
        if parts is not None and skipped is not None:
            pieces = Pieces(found.ids, words, special, (), parts)
            return ModelTokens(sentence, pieces, spans_of_bytes(sentence, parts, skipped))
        pieces = Pieces(found.ids, words, special, found.offsets, parts)
        spans = spans_of_places(pieces, len(sentence))
        is_literal = self._alphabet is None and _is_literal(sentence, pieces)
        return ModelTokens(sentence, pieces, spans, "" if is_literal else _CHANGED)

    def _encoded(self, sentence: str, special_tokens: bool) -> tuple[Any, str]:
        """The library's account of the sentence, or None and the reason; it runs in a thread, with a limit of time."""
        if self._is_stuck:
            return None, f"it did not end within {LONGEST_SECONDS:.0f} seconds"
        answer: SimpleQueue[tuple[Any, str]] = SimpleQueue()

        def work() -> None:
            encode = self._library.encode_batch
            answer.put(_attempt(lambda: encode([sentence], add_special_tokens=special_tokens)[0]))

        Thread(target=work, daemon=True, name="tokenizer").start()
        try:
            return answer.get(timeout=LONGEST_SECONDS)
        except Empty:
            self._is_stuck = True
            return self._encoded(sentence, special_tokens)

    def _parts(
        self, sentence: str, words: list[str], special: list[int]
    ) -> tuple[tuple[bytes, ...] | None, int | None]:
        """The bytes of each token, and the number of bytes before the sentence's; None if they do not contain it."""
        if self._alphabet is None:
            return None, None
        known = {word: word.encode() if word in self._added else self._alphabet(word) for word in set(words)}
        parts = [b"" if added else known[word] for word, added in zip(words, special, strict=True)]
        whole = tuple(part for part in parts if part is not None)
        joined, text = b"".join(whole), sentence.encode()
        if len(whole) < len(parts) or not _is_text(joined):
            return None, None
        skipped = next((n for n in (0, 1) if joined == b" " * n + text), None)
        return whole, skipped


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_literal(sentence: str, pieces: Pieces) -> bool:
    """Whether every token is the text at its place, perhaps after a sign, and only white space is omitted."""
    past = 0
    for word, (start, stop), added in zip(pieces.words, pieces.places, pieces.special, strict=True):
        if added:
            continue
        text = sentence[start:stop]
        if not text or not word.endswith(text) or sentence[past:start].strip():
            return False
        past = stop
    return not sentence[past:].strip()


def _words(sentence: str, refused: str) -> TokenList:
    words = tokenize(sentence)
    places = [(token.start, token.stop) for token in words]
    n = len(words)
    pieces = Pieces([NO_ID] * n, [token.text for token in words], [0] * n, places, None)
    remark = f"The tokenizer cannot divide this sentence ({refused}): words are shown instead of its tokens."
    return ModelTokens(sentence, pieces, words.spans, remark)
