"""The tokens of a sentence by a model's own tokenizer: their ids, their bytes, and their places."""

import unicodedata
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from typing_extensions import override

from posenc_core.numerics import IntArray
from posenc_core.text.graphemes import cluster_stops
from posenc_core.text.incremental import Spans
from posenc_core.text.tokens import Token, TokenList

NO_ID = -1
"""Replaces an id if the tokenizer could not divide the sentence."""

_NO_CUT: list[int] = []

_WHOLE_BYTES = 128
"""A letter with a hundred thousand marks is one character, and each of its tokens would copy it."""


class Pieces(Struct, frozen=True):
    """The tokens of a sentence, one member per token in reading order.

    ``words`` are the entries of its vocabulary; ``places`` the index of the first character, and of the one after the
    last; ``special`` whether the tokenizer added it. ``parts`` are the bytes of each entry, empty for a
    special token; None if they are unknown or, joined, not UTF-8.
    """

    ids: Sequence[int]
    words: Sequence[str]
    special: Sequence[int]
    places: Sequence[tuple[int, int]]
    parts: Sequence[bytes] | None


class ModelTokens(TokenList):
    """Tokens with ids. Tokens with known bytes are written by their bytes, others as in the vocabulary.

    ``remark`` is a sentence about tokens whose letters differ from the sentence's, or empty.
    """

    def __init__(self, sentence: str, pieces: Pieces, spans: Spans, remark: str = "") -> None:
        super().__init__(sentence, spans, remark)
        self._pieces = pieces
        self._parts = None if pieces.parts is None else _Bytes.of(pieces.parts)

    @property
    def ids(self) -> Sequence[int]:
        """The row of each token in the model's embedding."""
        return self._pieces.ids

    @property
    @override
    def longest(self) -> int:
        return self._longest

    @cached_property
    def _longest(self) -> int:
        return max((len(token.text) for token in self), default=0)

    @override
    def _token(self, index: int, start: int, stop: int) -> Token:
        pieces, parts = self._pieces, self._parts
        number, word = pieces.ids[index], pieces.words[index]
        given = None if number == NO_ID else number
        if pieces.special[index]:
            return Token(word, start, stop, given, None, "")
        if parts is None:
            text = self.source[start:stop]
            return Token(word, start, stop, given, text.encode() if text and word.endswith(text) else None)
        return Token(parts.written(index), start, stop, given, parts.of_token(index), parts.whole(index))

    @property
    def source(self) -> str:
        """The sentence."""
        assert isinstance(self._source, str)
        return self._source


class _Bytes:
    """The bytes of all tokens one after the other, and the ends of the characters among them."""

    def __init__(self, data: bytes, stops: IntArray, characters: IntArray) -> None:
        self._data, self._stops, self._characters = data, stops, characters

    @classmethod
    def of(cls, parts: Sequence[bytes]) -> "_Bytes":
        """``parts``, joined, must be UTF-8."""
        data = b"".join(parts)
        stops = np.concatenate([[0], np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)))])
        firsts = np.append(np.flatnonzero(np.frombuffer(data, np.int8) >= -64), len(data))
        return cls(data, stops, np.append(0, firsts[cluster_stops(data.decode())]))

    def of_token(self, index: int) -> bytes:
        """The token's bytes."""
        return self._data[self._stops[index] : self._stops[index + 1]]

    def whole(self, index: int) -> str:
        """The characters of which the token is only a part, each cut to 128 bytes; empty if all are whole."""
        if index not in self._cuts:
            return ""
        found = (self._character(each) for each in self._cut(index))
        return "".join(
            self._data[first : min(stop, first + _WHOLE_BYTES)].decode("utf-8", "ignore") for first, stop in found
        )

    def written(self, index: int) -> str:
        """The token's characters; a part of one is in brackets."""
        first, stop = int(self._stops[index]), int(self._stops[index + 1])
        if index not in self._cuts:
            return self._data[first:stop].decode()
        texts, place = [], first
        for character in self._cut(index):
            low, high = self._character(character)
            low, high = max(low, first), min(high, stop)
            texts += [self._data[place:low].decode("utf-8", "replace"), f"[{_part_of(self._data[low:high])}]"]
            place = high
        texts.append(self._data[place:stop].decode("utf-8", "replace"))
        return "".join(texts)

    def _cut(self, index: int) -> list[int]:
        """The numbers of the characters that begin before the token or end after it: at most two."""
        return self._cuts.get(index, _NO_CUT)

    @cached_property
    def _cuts(self) -> dict[int, list[int]]:
        """For each token that has a part of a character, the numbers of such characters."""
        ends, firsts, stops = self._characters, self._stops[:-1], self._stops[1:]
        one = np.searchsorted(ends, firsts, "right") - 1
        other = np.searchsorted(ends, stops, "left") - 1
        last = len(ends) - 2
        begun = (firsts < stops) & ((ends[one] < firsts) | (ends[np.minimum(one, last) + 1] > stops))
        ended = (firsts < stops) & (ends[np.minimum(other, last) + 1] > stops) & (one != other)
        found: dict[int, list[int]] = {}
        for numbers, is_cut in ((one, begun), (other, ended)):
            for index in np.flatnonzero(is_cut).tolist():
                found.setdefault(index, []).append(int(numbers[index]))
        return found

    def _character(self, number: int) -> tuple[int, int]:
        return int(self._characters[number]), int(self._characters[number + 1])


def _part_of(data: bytes) -> str:
    """A part of a character: as text if it can be seen by itself, else its bytes in hexadecimal digits."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = ""
    visible = text and all(unicodedata.category(each)[0] in "LNPS" for each in text)
    return text if visible else data.hex(" ").upper().replace(" ", "·")


def spans_of_bytes(sentence: str, parts: Sequence[bytes], skipped: int) -> Spans:
    """Places of tokens whose bytes are those of the sentence, after ``skipped`` bytes that are not in it."""
    characters = np.cumsum(np.frombuffer(sentence.encode(), np.int8) >= -64) - 1  # the character of each byte
    stops = np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)))
    return Spans(*(_checked(each, len(sentence)) for each in _edges(characters, stops, skipped, len(sentence))))


def _edges(characters: IntArray, stops: IntArray, skipped: int, length: int) -> tuple[IntArray, IntArray]:
    starts = np.concatenate([[0], stops[:-1]])
    first, last = np.maximum(starts - skipped, 0), np.maximum(stops - skipped, 0) - 1
    begun = np.append(characters, length)[first]
    ended = np.where(last < first, begun, np.append(characters, length)[last] + 1)
    return begun, ended


def spans_of_places(pieces: Pieces, length: int) -> Spans:
    """Places of tokens according to the tokenizer, within a sentence of ``length`` characters.

    For a special token the tokenizer reports (0, 0); its place is after the previous token.
    """
    starts, stops = np.array(pieces.places, np.int64).reshape(-1, 2).T
    special = np.array(pieces.special, bool)
    before = np.maximum.accumulate(np.where(special, 0, stops))
    starts, stops = np.where(special, before, starts), np.where(special, before, stops)
    return Spans(_checked(starts, length), _checked(np.maximum(starts, stops), length))


def _checked(indices: npt.NDArray[np.int64], length: int) -> npt.NDArray[np.int32]:
    return np.clip(indices, 0, length).astype(np.int32)
