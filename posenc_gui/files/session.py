"""Reading and writing of sessions, also in exported pictures and pages, and reading of a model's config.json.

PNG files are read chunk by chunk without Qt: only the session's text is unpacked, up to a bound, the pixels are
skipped, and the export command needs no Qt to start from a picture.
"""

import json
import os
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct, to_builtins

from posenc_core import Document, model_config
from posenc_core.fields import NoSessionError, decode_json, open_regular
from posenc_core.session import MAXIMUM_BYTES, Model
from posenc_core.tables import ArrayTable
from posenc_core.text import ModelTokenizer
from posenc_gui.files.atomic import writing
from posenc_gui.files.errors import FileError, sentence, shown
from posenc_gui.files.place import Place

SESSION_KEYWORD = "posenc-session"
"""The keyword of the PNG text chunk with the session's JSON."""

PAGE_SESSION = "posenc-session"
"""The id of the element with the session's JSON in a page."""

MAXIMUM_CHUNKS = 200_000
"""More chunks than any picture of this program has; a hostile file can have millions of empty ones."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PAGE_BEGINS = b"<!doctype html"
_HEAD_BYTES = 1 << 16
"""A page's session is that near to its beginning."""

_CARRIES_NONE = "carries no PosEnc session: another program made it or removed the session"

_WANTED = SESSION_KEYWORD.encode("ascii") + b"\0"


class _Placed(Struct, frozen=True):
    place: Place = Place()


class Stored(Struct, frozen=True):
    """Content of a session file; the ``digest`` is empty for a picture and a page."""

    document: Document
    digest: str = ""
    place: Place = Place()


class FileChangedError(FileError):
    """The file differs from the content last read or written."""


def save_session(document: Document, path: Path, known: str = "", place: Place | None = None) -> str:
    """Save the session, with the ``place`` if there is one; returns the file's digest.

    FileError with one sentence if saving fails; an older file then stays.

    The new file is read back and compared with the document before it replaces the older file.
    ``known`` is the digest of the file as last read or written, empty to replace any content:
    FileChangedError if the file has other content now. A deleted file is written anew.
    """
    placed = {} if place is None else to_builtins(_Placed(place))
    text = (json.dumps(document.to_dict() | placed, indent=2, allow_nan=False) + "\n").encode("ascii")
    tokenizers = [] if document.tokenizer is None else [document.tokenizer]

    def prove(written: Path) -> None:
        if written.read_bytes() != text or Document.from_json(text, document.tables, tokenizers) != document:
            raise ValueError("it contains another document")

    with writing(path, prove) as stream:
        stream.write(text)
        if known:
            _check_unchanged(path, known)  # here, where no other window of this program can write the file
    return _digest(text)


def open_session(path: Path, tables: Iterable[ArrayTable] = (), tokenizers: Iterable[ModelTokenizer] = ()) -> Document:
    """The document of a session file, or of a PNG picture or a page with a session; the content decides the kind.

    A table that the session shows is searched in ``tables``, a model's tokenizer in ``tokenizers``. FileError with one
    sentence if the file cannot be opened.
    """
    return read_session(path, tables, tokenizers).document


def read_session(path: Path, tables: Iterable[ArrayTable] = (), tokenizers: Iterable[ModelTokenizer] = ()) -> Stored:
    """The document as from ``open_session``, with the further content of its file."""
    with _reading(path) as stream:
        start = stream.read(len(_SIGNATURE))
        if not start:
            raise ValueError("the file is empty")
        if start == _SIGNATURE:
            return Stored(Document.from_json(_session_in_png(stream), tables, tokenizers))
        text = start + stream.read(MAXIMUM_BYTES + 1 - len(start))
        if text[: len(_PAGE_BEGINS)].lower() == _PAGE_BEGINS:
            return Stored(Document.from_json(_session_in_page(text + stream.read(_HEAD_BYTES)), tables, tokenizers))
        document = Document.from_json(text, tables, tokenizers)
        return Stored(document, _digest(text), _place_in(text))


def _place_in(session: bytes) -> Place:
    try:
        return msgspec.convert(decode_json(session, "this is no PosEnc session: it"), _Placed).place
    except msgspec.ValidationError:
        raise ValueError("this session is damaged: its place must name a workspace and panels") from None


def is_session(path: Path) -> bool:
    """Whether a file that may be a session or a model is a session: by its name, or by its JSON's key ``format``."""
    if path.suffix.lower() in (".posenc", ".png", ".apng", ".html"):
        return True
    with suppress(FileError):
        return "format" in read_config(path).values
    return False


def read_config(path: Path) -> "model_config.ModelConfig":
    """The model's ``config.json``, parsed; FileError as above."""
    with _reading(path) as stream:
        return model_config.ModelConfig.parse(stream.read(model_config.MAXIMUM_BYTES + 1))


def read_model(path: Path, config: "model_config.ModelConfig | None" = None, part: str | None = None) -> Model:
    """The model of a ``config.json`` (parsed if ``config`` is given), of a folder or of a GGUF file; errors as above.

    ``part`` names a part, as for ``open_model``.
    """
    with _naming(path):
        return model_config.open_model(path, part) if config is None else model_config.model_in(config, path)


def with_config(
    document: Document, config: "model_config.ModelConfig", path: Path, layer_type: str | None = None
) -> Document:
    """The document with the positions of the model whose ``config.json`` was read from the path; FileError as above."""
    with _naming(path):
        return config.shown_in(document, layer_type)


def _check_unchanged(path: Path, known: str) -> None:
    """FileChangedError if the file has another digest; its size and time can be the same, and prove nothing."""
    try:
        with open_regular(path) as stream:
            found = _digest(stream.read(MAXIMUM_BYTES + 1))
    except FileNotFoundError:
        return
    if found != known:
        raise FileChangedError(f"{shown(path)} was changed since it was last read or written")


def _digest(content: bytes) -> str:
    from hashlib import blake2b  # loads OpenSSL, which the window does not need at its start

    return blake2b(content, digest_size=16).hexdigest()


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Context manager. Every OSError and ValueError of the body becomes a FileError that names the file."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise FileError(sentence("open", path, error)) from error


@contextmanager
def _reading(path: Path) -> Iterator[BinaryIO]:
    """Context manager. Returns the file, opened for reading bytes; errors as for ``_naming``."""
    with _naming(path), open_regular(path) as stream:
        yield stream


def _session_in_png(stream: BinaryIO) -> bytes:
    """The text of the session's chunk; ValueError with one sentence if it is missing or damaged."""
    for _ in range(MAXIMUM_CHUNKS):
        head = stream.read(8)
        if len(head) < 8:
            raise ValueError("the picture is truncated, and the rest of it contains no session")
        length, kind = struct.unpack(">I4s", head)
        if kind == b"IEND":
            raise NoSessionError(f"this picture {_CARRIES_NONE}")
        start = stream.read(min(length, len(_WANTED))) if kind in _UNPACK else b""
        if start == _WANTED:
            return _UNPACK[kind](_rest_of_chunk(stream, kind, length))
        stream.seek(length - len(start) + 4, os.SEEK_CUR)  # with the checksum
    raise ValueError("this picture has too many chunks to search for a session")


def _session_in_page(page: bytes) -> bytes:
    """The text of the session in the beginning of a page; ValueError with one sentence if it is missing or damaged."""
    _, found, rest = page.partition(b'id="' + PAGE_SESSION.encode("ascii") + b'">')
    if not found:
        raise NoSessionError(f"this page {_CARRIES_NONE}")
    session, end, _ = rest.partition(b"</script>")
    if not end:
        raise ValueError("the page is truncated in the middle of its session")
    return session


def _rest_of_chunk(stream: BinaryIO, kind: bytes, length: int) -> bytes:
    if length > MAXIMUM_BYTES:
        raise ValueError(_TOO_LARGE)
    rest = stream.read(length - len(_WANTED))
    checksum = stream.read(4)
    if len(rest) < length - len(_WANTED) or len(checksum) < 4:
        raise ValueError("the picture is truncated in the middle of its session")
    if zlib.crc32(kind + _WANTED + rest) != int.from_bytes(checksum, "big"):
        raise ValueError(_DAMAGED)
    return rest


_TOO_LARGE = f"the session in this picture is larger than {MAXIMUM_BYTES // 2**20} MB"
_DAMAGED = "the session in this picture is damaged"


def _inflated(method_and_data: bytes) -> bytes:
    """The unpacked text, limited to the bound: a few kilobytes can expand to gigabytes."""
    unpacker = zlib.decompressobj()
    try:
        if method_and_data[:1] != b"\0":
            raise ValueError(_DAMAGED)
        text = unpacker.decompress(method_and_data[1:], MAXIMUM_BYTES + 1)
    except zlib.error:
        raise ValueError(_DAMAGED) from None
    if len(text) > MAXIMUM_BYTES:
        raise ValueError(_TOO_LARGE)
    if not unpacker.eof:
        raise ValueError(_DAMAGED)
    return text


def _international(rest: bytes) -> bytes:
    """The text of an iTXt chunk, after compression flag and method, language and translated keyword."""
    parts = rest[2:].split(b"\0", 2)
    if len(parts) < 3:
        raise ValueError(_DAMAGED)
    return _inflated(rest[1:2] + parts[2]) if rest[0] else parts[2]


_UNPACK: dict[bytes, Callable[[bytes], bytes]] = {b"tEXt": bytes, b"zTXt": _inflated, b"iTXt": _international}
