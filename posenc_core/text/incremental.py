"""Where the tokens of a text are, found slice by slice: cut only where no rule looks across, a slice's are its own."""

from collections.abc import Callable, Generator
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from posenc_core.text.graphemes import BoolArray, cluster_stops, clusters_apart, code_points
from posenc_core.text.text_change import shared_end, shared_start

Result = TypeVar("Result")
PositionAxis: TypeAlias = npt.NDArray[np.int32]

SLICE = 1 << 16
"""Characters that are cut at a time, within some thousandths of a second."""

_REACH = 256
"""Characters that are looked at first for a place to cut at."""


class Cuts(NamedTuple):
    """Where each token starts and stops, in order."""

    starts: PositionAxis
    stops: PositionAxis

    def moved(self, by: int) -> "Cuts":
        """The same so many characters on."""
        return Cuts(self.starts + np.int32(by), self.stops + np.int32(by))


class Tokenizer(NamedTuple):
    """A way of cutting.

    ``spans`` finds the tokens of a whole text. ``apart`` says of each place between two of its characters whether the
    tokens on either side are those of either part by itself, whatever else is there; not all such places are found.
    """

    spans: Callable[[str], Cuts]
    apart: Callable[[str], BoolArray]


CutsInSlices: TypeAlias = Generator[float, None, Cuts]
"""Gives the share done after each slice, and returns all."""


def finished(slices: Generator[float, None, Result]) -> Result:
    """What the slices return in the end."""
    while True:
        try:
            next(slices)
        except StopIteration as end:
            result: Result = end.value
            return result


def spans_in_slices(text: str, way: Tokenizer, size: int = SLICE) -> CutsInSlices:
    """The tokens of the text, cut in slices of about that size; a slice with no place to cut at is longer."""
    return _between(text, way, 0, len(text), size)


def spans_after_change(before: str, spans: Cuts, text: str, way: Tokenizer, size: int = SLICE) -> CutsInSlices:
    """The tokens of a text like the one before, whose tokens are known: only what is around the change is cut."""
    start = shared_start(before, text)
    first = _last_cut(text, way, start - 1)
    last = _first_cut(text, way, len(text) - shared_end(before, text, start) + 1, len(text))
    middle = yield from _between(text, way, first, last, size)
    shift = len(text) - len(before)
    n_head, n_before_tail = np.searchsorted(spans.stops, first, "right"), np.searchsorted(spans.starts, last - shift)
    head = Cuts(spans.starts[:n_head], spans.stops[:n_head])
    tail = Cuts(spans.starts[n_before_tail:], spans.stops[n_before_tail:])
    return _joined([head, middle, tail.moved(shift)])


def _between(text: str, way: Tokenizer, first: int, last: int, size: int) -> CutsInSlices:
    parts, start = [Cuts(np.zeros(0, np.int32), np.zeros(0, np.int32))], first
    while start < last:
        stop = _first_cut(text, way, start + size, last)
        parts.append(way.spans(text[start:stop]))
        for places in parts[-1]:
            places += np.int32(start)
        start = stop
        yield (stop - first) / (last - first)
    return _joined(parts)


def _joined(parts: list[Cuts]) -> Cuts:
    return Cuts(np.concatenate([part.starts for part in parts]), np.concatenate([part.stops for part in parts]))


def _first_cut(text: str, way: Tokenizer, place: int, end: int) -> int:
    """The first place from this one on where the text can be cut; ``end`` where there is none before."""
    reach = _REACH
    while place < end:
        found = way.apart(text[place - 1 : min(place + reach, end)])
        if found.any():
            return place + int(found.argmax())
        place, reach = place + reach, 2 * reach
    return end


def _last_cut(text: str, way: Tokenizer, place: int) -> int:
    """The last place up to this one where the text can be cut; 0 where there is none behind the start."""
    reach = _REACH
    while place > 0:
        found = way.apart(text[max(0, place - reach) : place + 1])
        if found.any():
            return place - int(found[::-1].argmax())
        place, reach = place - reach, 2 * reach
    return 0


_WHITE = np.zeros(0x3002, bool)
_WHITE[[ord(sign) for sign in "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"]] = True
_WHITE[0x2000:0x200B] = True
"""Which code points are white space to Unicode; none from U+3001 on."""


def _white(text: str) -> BoolArray:
    return _WHITE.take(code_points(text), mode="clip")


def _words(text: str) -> Cuts:
    white = np.concatenate([[True], _white(text), [True]])
    edges = np.flatnonzero(white[1:] != white[:-1]).astype(np.int32)
    return Cuts(edges[0::2], edges[1::2])


def _beside_white(text: str) -> BoolArray:
    white = _white(text)
    return white[:-1] | white[1:]


def _characters(text: str) -> Cuts:
    stops = cluster_stops(text).astype(np.int32)
    return Cuts(np.append(np.int32(0), stops[:-1]), stops)


def _bytes(text: str) -> Cuts:
    if text.isascii():
        starts = np.arange(len(text), dtype=np.int32)
    else:
        # The other bytes of a character begin with the bits 10: these are the signed numbers below -64.
        firsts = np.frombuffer(text.encode("utf-8"), np.int8) >= -64
        starts = np.cumsum(firsts, dtype=np.int32)
        starts -= np.int32(1)
    return Cuts(starts, starts + np.int32(1))


def _anywhere(text: str) -> BoolArray:
    return np.ones(len(text) - 1, bool)


TOKENIZERS = {
    "words": Tokenizer(_words, _beside_white),
    "characters": Tokenizer(_characters, clusters_apart),
    "bytes": Tokenizer(_bytes, _anywhere),
}
"""The ways of cutting by name. The text that is cut is not empty."""
