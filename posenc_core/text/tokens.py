"""Text to tokens: words, characters as people see them, or UTF-8 bytes."""

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import starmap
from typing import NamedTuple, Protocol, overload

from typing_extensions import override

from posenc_core.fields import ChoiceField, FlagField, TextField
from posenc_core.text.incremental import TOKENIZERS, Spans, TextChange, characters_after

MODEL_TOKENS = "model"
"""The value of TOKENS for the tokens of a model's tokenizer."""

SENTENCE = TextField(
    name="sentence",
    label="sentence",
    help="The text whose tokens are encoded.",
    default="Dan loves icecream",
    maximum=200_000,
)

TOKENS = ChoiceField(
    name="tokens",
    label="Spli&t into",
    help="Tokenization of the sentence: at white space, between characters as people see them (an emoji or an "
    "accented letter is one), into UTF-8 bytes, or by the vocabulary of a model whose tokenizer.json is open.",
    default="words",
    choices=(
        ("words", "words, split at spaces"),
        ("characters", "grapheme clusters"),
        ("bytes", "UTF-8 bytes"),
        (MODEL_TOKENS, "the model's own, from its tokenizer.json"),
    ),
    titles=("words", "characters", "bytes", "model's tokens"),
)

SPECIAL_TOKENS = FlagField(
    name="special_tokens",
    label="special",
    help="Add the special tokens that the model's tokenizer puts around a sentence, such as <s> at position 0: without "
    "them every position is off by one.",
    default=True,
)


class Token(NamedTuple):
    """One token: its text (for a byte two hexadecimal digits) and its place in the sentence.

    A model's token has its ``id``, the UTF-8 bytes in ``data`` if known (a special token has none), and
    in ``whole`` the characters of which it is only a part. Such a part is in brackets in its text. A patch of a picture
    has its place in words in ``cell``, and a short label of the place as its text.
    """

    text: str
    start: int
    stop: int
    id: int | None = None
    data: bytes | None = None
    whole: str = ""
    cell: str = ""

    @property
    def shown(self) -> str:
        """The token in one line, at most 500 characters: white space and control characters as visible signs."""
        if self.cell:
            return self.text
        text = self.text if len(self.text) <= _LONGEST_SHOWN else f"{self.text[:_LONGEST_SHOWN]}…"
        shown = "".join(map(_visible, text))
        invisible = all(unicodedata.category(character) == "Cf" for character in shown)
        return " ".join(f"U+{ord(character):04X}" for character in shown) if invisible else shown


class Places(Protocol):
    """Names of the cells of a grid by position, from 0; ``n_text`` cells of text are before the patches."""

    @property
    def n_text(self) -> int:
        """Number of cells of text."""

    def words(self, position: int) -> str:
        """The place in words, such as ``row 0, column 2``; empty outside the grid."""

    def short_words(self, position: int) -> str:
        """The place as a label, such as ``h0 w2``; empty outside the grid."""


class TokenList(Sequence[Token]):
    """Tokens in reading order; equal to any sequence of equal tokens.

    Only the indices where tokens start and stop are kept. Each Token is made when it is read.
    """

    def __init__(self, source: str | bytes, spans: Spans, remark: str = "") -> None:
        """``source`` is the sentence, or its UTF-8 bytes if they are the tokens.

        ``remark`` is a sentence about surprising properties of these tokens, or empty.
        """
        self.spans, self.remark = spans, remark
        self._source = source
        self._starts, self._stops = spans

    def __len__(self) -> int:
        """Number of tokens."""
        return len(self._stops)

    @overload
    def __getitem__(self, index: int) -> Token: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Token, ...]: ...

    def __getitem__(self, index: int | slice) -> Token | tuple[Token, ...]:
        """One token, or those of a slice."""
        if isinstance(index, slice):
            return tuple(map(self.__getitem__, range(*index.indices(len(self)))))
        place = range(len(self))[index]
        return self._token(place, int(self._starts[place]), int(self._stops[place]))

    def __iter__(self) -> Iterator[Token]:
        """All tokens in reading order."""
        for first in range(0, len(self), 4096):
            some = slice(first, first + 4096)
            places = zip(range(first, len(self)), self._starts[some].tolist(), self._stops[some].tolist(), strict=False)
            yield from starmap(self._token, places)

    def __eq__(self, other: object) -> bool:
        """Whether the other has the same tokens in the same order."""
        if not isinstance(other, TokenList | tuple | list):
            return NotImplemented
        return len(self) == len(other) and all(starmap(Token.__eq__, zip(self, other, strict=True)))

    def __hash__(self) -> int:
        """The hash of the tokens in a tuple, to which the list is equal."""
        return hash(tuple(self))

    def __repr__(self) -> str:
        """The first tokens."""
        more = ", ..." if len(self) > 5 else ""
        return f"TokenList({', '.join(map(repr, self[:5]))}{more})"

    @property
    def longest(self) -> int:
        """Number of characters of the longest token's text, 0 without tokens."""
        if not isinstance(self._source, str):
            return 2 if self else 0
        return int((self._stops - self._starts).max(initial=0))

    def placed(self, places: Places | None) -> "TokenList":
        """These tokens as cells of a grid with patches, whose tokens have the names of their places; None for a text.

        As many as there are tokens; those beyond the grid are named ``no cell``.
        """
        return self if places is None else _CellTokens(self, places)

    def _token(self, index: int, start: int, stop: int) -> Token:
        source = self._source
        return Token(source[start:stop] if isinstance(source, str) else f"{source[index]:02X}", start, stop)


class _CellTokens(TokenList):
    """A sentence's tokens as cells of a grid: a cell of a patch has the name of its place instead of a word.

    As many as the sentence has tokens; those beyond the grid have no cell. Patches have no place in the sentence: they
    start and stop at 0. In a model's embedding they have the row of the token in their place.
    """

    def __init__(self, tokens: TokenList, places: Places) -> None:
        self._tokens, self._places = tokens, places
        super().__init__("", tokens.spans, tokens.remark)

    @property
    @override
    def longest(self) -> int:
        return max((len(token.text) for token in self), default=0)

    @override
    def _token(self, index: int, start: int, stop: int) -> Token:
        if index < self._places.n_text:
            return self._tokens[index]
        places = self._places
        label, words = places.short_words(index) or _OUTSIDE, places.words(index) or _OUTSIDE
        return Token(label, 0, 0, id=self._tokens[index].id, cell=words)


def tokenize(sentence: str, tokens: str = "words") -> TokenList:
    """The tokens of the sentence in reading order.

    ``tokens`` is ``words``, ``characters`` or ``bytes``. ValueError for another value, and for a text that contains a
    NUL or half of a character. Characters are the extended grapheme clusters of Unicode Standard Annex 29. A model's
    tokens are those of its ``ModelTokenizer``.
    """
    if TOKENS.check(tokens) == MODEL_TOKENS:
        raise ValueError("the tokens of a model need its tokenizer: use open_tokenizer(path).token_list(sentence)")
    find_spans = TOKENIZERS[tokens]
    return _token_list(SENTENCE.check(sentence), tokens, find_spans(sentence))


def exchanged(sentence: str, tokens: Sequence[Token], one: int, other: int) -> str:
    """The sentence with the tokens at two indices exchanged; text between tokens stays."""
    first, second = sorted((one, other))
    (_, start, stop, *_), (_, begin, end, *_) = tokens[first], tokens[second]
    if first == second:
        return sentence
    return sentence[:start] + sentence[begin:end] + sentence[stop:begin] + sentence[start:stop] + sentence[end:]


def _token_list(sentence: str, tokens: str, spans: Spans) -> TokenList:
    return TokenList(sentence.encode("utf-8") if tokens == "bytes" else sentence, spans)


class OwnTokens(Protocol):
    """A tokenization other than the named ones; equal ones have equal tokens."""

    def token_list(self, sentence: str) -> TokenList:
        """The tokens of the sentence."""


class _Known(NamedTuple):
    sentence: str
    tokens: str | OwnTokens
    token_list: TokenList


class KnownTokens:
    """A cache of the token lists of the last two sentences.

    Documents do not store their tokens, which a long undo history would keep in memory.
    """

    def __init__(self) -> None:
        self._known: tuple[_Known, ...] = ()
        """The newest first. It is only replaced as a whole, because several threads read it."""

    def of(self, sentence: str, tokens: str | OwnTokens, change: TextChange | None = None) -> TokenList:
        """The tokens of the sentence, by a named tokenization or by a model's tokenizer.

        ``change`` is the change from the last sentence to this one, if known to the caller.
        """
        known = self._known
        found = next((each for each in known if each.tokens == tokens and each.sentence == sentence), None)
        if found is None:
            found = _Known(sentence, tokens, self._new(sentence, tokens, change))
        if not known or found is not known[0]:
            self._known = (found, *(each for each in known if each is not found))[:_MOST_KNOWN]
        return found.token_list

    def _new(self, sentence: str, tokens: str | OwnTokens, change: TextChange | None) -> TokenList:
        if not isinstance(tokens, str):
            return tokens.token_list(sentence)
        return _token_list(sentence, tokens, self._spans(sentence, tokens, change))

    def _spans(self, sentence: str, tokens: str, change: TextChange | None) -> Spans:
        like = next((each for each in self._known if each.tokens == tokens == "characters"), None)
        if like is None:
            return TOKENIZERS[tokens](sentence)
        if change is None or change.applied_to(like.sentence) != sentence:
            change = TextChange.between(like.sentence, sentence)
        return characters_after(change, like.token_list.spans, sentence)


_MOST_KNOWN = 2

_OUTSIDE = "no cell"

_LONGEST_SHOWN = 500

_SIGNS = {" ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍", "\x7f": "␡"}

_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of the text around them."""


def _visible(character: str) -> str:
    if character in _SIGNS:
        return _SIGNS[character]
    if character < " ":
        return chr(0x2400 + ord(character))  # Unicode's pictures of the control characters
    if character in _TURNING:
        return f"[U+{ord(character):04X}]"
    if unicodedata.category(character) in ("Zs", "Zl", "Zp", "Cc"):
        return "␣"
    return character
