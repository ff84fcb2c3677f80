"""Text to tokens: words, characters as people see them, or UTF-8 bytes."""

import unicodedata
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import NamedTuple

import regex  # type: ignore[import-untyped]  # it ships no types

from posenc_core.fields import ChoiceField, TextField

SENTENCE = TextField(
    name="sentence",
    label="sentence",
    help="The text whose tokens are encoded.",
    default="Dan loves icecream",
    maximum=2_000_000,
)

TOKENS = ChoiceField(
    name="tokens",
    label="&tokens",
    help="How the sentence is cut: at white space, between characters as people see them (an emoji or an "
    "accented letter is one), or into UTF-8 bytes. No model's vocabulary is used.",
    default="words",
    choices=(
        ("words", "runs without white space"),
        ("characters", "grapheme clusters"),
        ("bytes", "UTF-8 bytes"),
    ),
)


class Token(NamedTuple):
    """One token: its text (for a byte two hexadecimal digits) and where it stands in the sentence."""

    text: str
    start: int
    stop: int

    @property
    def shown(self) -> str:
        """The token as it can be drawn in one line: white space and control characters by visible signs."""
        shown = "".join(_visible(character) for character in self.text)
        invisible = all(unicodedata.category(character) == "Cf" for character in shown)
        return " ".join(f"U+{ord(character):04X}" for character in shown) if invisible else shown


def tokenize(sentence: str, tokens: str = "words") -> tuple[Token, ...]:
    """The tokens of the sentence, in reading order; empty where there are none.

    ``tokens`` is ``words``, ``characters`` or ``bytes``; ValueError for another, and for a text with a NUL or half
    a character in it. Characters are the extended grapheme clusters of Unicode Annex 29.
    """
    return tuple(_CUTTERS[TOKENS.check(tokens)](SENTENCE.check(sentence)))


def _words(sentence: str) -> Iterator[Token]:
    return (Token(found.group(), found.start(), found.end()) for found in regex.finditer(r"\S+", sentence))


def _characters(sentence: str) -> Iterator[Token]:
    clusters = regex.findall(r"\X", sentence)
    stops = list(accumulate(map(len, clusters)))
    return map(Token, clusters, [0, *stops], stops)


def _bytes(sentence: str) -> Iterator[Token]:
    utf8 = sentence.encode("utf-8")
    firsts = (byte & 0xC0 != 0x80 for byte in utf8)  # all other bytes of a character begin with the bits 10
    _, *stops = accumulate(firsts, initial=0)
    return map(Token, map(_HEXADECIMAL.__getitem__, utf8), (stop - 1 for stop in stops), stops)


_HEXADECIMAL = [f"{byte:02X}" for byte in range(256)]

_CUTTERS: dict[str, Callable[[str], Iterator[Token]]] = {
    "words": _words,
    "characters": _characters,
    "bytes": _bytes,
}

_SIGNS = {" ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍", "\x7f": "␡"}

_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the direction of what is written around them."""


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
