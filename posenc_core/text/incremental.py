"""Starts and stops of the tokens of a text, for a whole text and after a change in one place."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from posenc_core.text.graphemes import cluster_stops, code_points, first_safe_place, last_safe_place

Indices: TypeAlias = npt.NDArray[np.int32]


class TextChange(NamedTuple):
    """A change of a text in one place: the index where it starts, and the text there before and after it."""

    start: int
    before: str
    after: str

    @classmethod
    def between(cls, before: str, after: str) -> "TextChange":
        """The smallest change that turns one text into the other; found by bisection from both ends."""
        if before == after:
            return NO_CHANGE
        start = _shared_start(before, after)
        end = _shared_start(before[start:][::-1], after[start:][::-1])
        return cls(start, before[start : len(before) - end], after[start : len(after) - end])

    @property
    def inverse(self) -> "TextChange":
        """The reverse of this change."""
        return TextChange(self.start, self.after, self.before)

    def applied_to(self, text: str) -> str:
        """The text after the change; ``text`` is the one before it."""
        return text[: self.start] + self.after + text[self.start + len(self.before) :]

    def followed_by(self, later: "TextChange", text: str) -> "TextChange":
        """One change with the effect of this one and then a later one; ``text`` is the text after both."""
        between = later.inverse.applied_to(text)
        start = min(self.start, later.start)
        stop = max(self.start + len(self.after), later.start + len(later.before))
        before = self.inverse.applied_to(between)[start : stop - len(self.after) + len(self.before)]
        return TextChange(start, before, text[start : stop - len(later.before) + len(later.after)])


NO_CHANGE = TextChange(0, "", "")


def _shared_start(one: str, other: str) -> int:
    """Length of the common prefix, by bisection: ``os.path.commonprefix`` is too slow for each key in a long text."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


class Spans(NamedTuple):
    """Where each token starts and stops, in reading order: int32 ``(n_tokens,)`` each."""

    starts: Indices
    stops: Indices


_WHITE = np.zeros(0x3002, bool)
_WHITE[[ord(sign) for sign in "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"]] = True
_WHITE[0x2000:0x200B] = True
"""Whether a code point is white space in Unicode; from U+3001 on none is."""


def _words(text: str) -> Spans:
    white = np.concatenate([[True], _WHITE.take(code_points(text), mode="clip"), [True]])
    edges = np.flatnonzero(white[1:] != white[:-1]).astype(np.int32)
    return Spans(edges[0::2], edges[1::2])


def _characters(text: str) -> Spans:
    edges = np.append(0, cluster_stops(text)).astype(np.int32)
    return Spans(edges[:-1], edges[1:])


def _bytes(text: str) -> Spans:
    # The bytes of a character after its first begin with the bits 10: as signed numbers they are below -64.
    firsts = np.frombuffer(text.encode("utf-8"), np.int8) >= -64
    starts = np.cumsum(firsts, dtype=np.int32) - np.int32(1)
    return Spans(starts, starts + np.int32(1))


TOKENIZERS: dict[str, Callable[[str], Spans]] = {"words": _words, "characters": _characters, "bytes": _bytes}
"""The functions that find the tokens of a text, by name."""

_REACH = 2000
"""Characters on each side of a change that are searched for a safe place. In a text of flags alone no place is safe."""


def characters_after(change: TextChange, known: Spans, text: str) -> Spans:
    """The clusters of a text after a change; ``known`` are those of the text before the change.

    Only the text between the nearest safe places on both sides of the change is searched: the whole of 200,000
    characters would need some hundredths of a second at each key. Words and bytes need less than 5 ms.
    """
    stop = change.start + len(change.after)
    first = last_safe_place(text, max(0, change.start - _REACH), change.start) or 0
    last = first_safe_place(text, stop, stop + _REACH) or len(text)
    shift = len(change.after) - len(change.before)
    n_head = np.searchsorted(known.stops, first, "right")
    n_before_tail = np.searchsorted(known.starts, last - shift)
    parts = zip(known, _characters(text[first:last]), strict=True)
    return Spans(*(np.concatenate([old[:n_head], new + first, old[n_before_tail:] + shift]) for old, new in parts))
