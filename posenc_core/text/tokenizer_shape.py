"""Checks of a ``tokenizer.json`` before the library reads it: its shape and its alphabet.

The format: https://github.com/huggingface/tokenizers, ``Tokenizer.to_str``. A byte-level vocabulary writes each byte
as one character: those of 33 to 126, 161 to 172 and 174 to 255 as themselves, the 68 others as U+0100 to U+0143 in
their order (``bytes_to_unicode`` in https://github.com/openai/gpt-2, src/encoder.py). A vocabulary made by
SentencePiece writes a space as U+2581, and bytes without a piece as ``<0xF0>``.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, TypeAlias

import msgspec
from msgspec import Raw, Struct

from posenc_core.fields import decode_json, is_deeper

Alphabet: TypeAlias = Callable[[str], bytes | None] | None
"""The bytes of an entry of a vocabulary; None for a vocabulary whose entries are texts."""

_DEEPEST = 40
_LARGEST_PART = 4 * 2**20
"""Bytes of the JSON of a normaliser; public ones have up to half a million, for a table of characters."""

_LARGEST_GROWTH = 64
"""Times that a normaliser may lengthen a text: 200,000 characters stay below some megabytes."""


class _Model(Struct):
    vocab: Raw


class _Shape(Struct):
    model: _Model
    normalizer: Raw = Raw(b"null")
    pre_tokenizer: Raw = Raw(b"null")
    decoder: Raw = Raw(b"null")


def is_tokenizer(data: bytes) -> bool:
    """Whether a JSON text is a tokenizer's: it has a model with a vocabulary."""
    try:
        msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"), type=_Shape)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return False
    return True


def check_shape(data: bytes) -> Alphabet:
    """The alphabet of the vocabulary; ValueError with the reason if the file is not a tokenizer's.

    A normaliser that could expand a short text into a long one is refused.
    """
    if not is_tokenizer(data):
        decode_json(data, "it")  # for its sentence about damaged JSON
        raise ValueError("it contains no model with a vocabulary")
    shape = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"), type=_Shape)
    parts = {name: _part(name, getattr(shape, name)) for name in ("normalizer", "pre_tokenizer", "decoder")}
    if _growth(parts["normalizer"]) > _LARGEST_GROWTH:
        raise ValueError(f"its normalizer can make a text more than {_LARGEST_GROWTH} times as long")
    kinds = {each.get("type") for part in parts.values() for each in _every(part)}
    if "ByteLevel" in kinds:
        return _of_byte_level
    spaces = any(each.get("content") == "\u2581" for each in _every(parts["normalizer"]))
    return _of_sentencepiece if spaces or kinds & {"Metaspace", "ByteFallback"} else None


def _part(name: str, raw: Raw) -> Any:
    if len(bytes(raw)) > _LARGEST_PART:
        raise ValueError(f"its {name} is larger than {_LARGEST_PART // 2**20} MB")
    part = msgspec.json.decode(raw)
    if is_deeper(part, _DEEPEST):
        raise ValueError(f"its {name} is nested too deeply")
    return part


def _every(part: Any) -> Iterator[dict[str, Any]]:
    """The part and all parts within it, outermost first."""
    level = [part]
    while level:
        yield from (each for each in level if isinstance(each, dict))
        found = [each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list)]
        level = [inner for outer in found for inner in outer]


def _growth(normalizer: Any) -> float:
    """Largest growth of a text by the replacements of a normaliser, as a factor."""
    growth = 1.0
    for each in _every(normalizer):
        content, pattern = each.get("content"), each.get("pattern")
        if isinstance(content, str) and isinstance(pattern, dict):
            found = pattern.get("String")
            # a pattern may match between any two characters
            growth *= max(1.0, len(content) / len(found) if isinstance(found, str) and found else len(content) + 1)
        if isinstance(each.get("prepend"), str):
            growth *= max(1.0, float(len(each["prepend"])))
    return growth


@cache
def _byte_alphabet() -> dict[str, int]:
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [each for each in range(256) if each not in printable]
    return {chr(each): each for each in printable} | {chr(256 + n): each for n, each in enumerate(others)}


def _of_byte_level(word: str) -> bytes | None:
    alphabet = _byte_alphabet()
    return bytes(alphabet[sign] for sign in word) if all(sign in alphabet for sign in word) else None


_BYTE = re.compile("<0x([0-9A-Fa-f]{2})>")


def _of_sentencepiece(word: str) -> bytes | None:
    byte = _BYTE.fullmatch(word)
    return bytes([int(byte[1], 16)]) if byte else word.replace("\u2581", " ").encode()
