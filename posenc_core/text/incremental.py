"""Where the tokens of a text start and stop: of a whole text, and of one that differs in a single place."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import regex

from posenc_core.text.graphemes import SAFE_PAIR, cluster_stops, code_points

Indices: TypeAlias = npt.NDArray[np.int32]


class TextChange(NamedTuple):
    """The one place in which two texts differ: where it starts, and what stands there before and after."""

    start: int
    before: str
    after: str

    @classmethod
    def between(cls, before: str, after: str) -> "TextChange":
        """The smallest change that leads from one text to the other."""
        if before == after:
            return cls(0, "", "")
        start = _shared_start(before, after)
        end = _shared_end(before, after, start)
        return cls(start, before[start : len(before) - end], after[start : len(after) - end])

    @property
    def inverse(self) -> "TextChange":
        """The change that leads back."""
        return TextChange(self.start, self.after, self.before)

    def applied_to(self, text: str) -> str:
        """The text after the change, of the text before it."""
        return text[: self.start] + self.after + text[self.start + len(self.before) :]

    def followed_by(self, later: "TextChange", text: str) -> "TextChange":
        """A single change in place of two: first this one, then the later one, after which the text is ``text``."""
        between = later.inverse.applied_to(text)
        start = min(self.start, later.start)
        stop = max(self.start + len(self.after), later.start + len(later.before))
        before = self.inverse.applied_to(between)[start : stop - len(self.after) + len(self.before)]
        return TextChange(start, before, text[start : stop - len(later.before) + len(later.after)])


def _shared_start(one: str, other: str) -> int:
    """Number of characters with which both texts begin. Bisection: a loop over 200,000 characters takes too long."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _shared_end(one: str, other: str, start: int) -> int:
    """Number of characters with which both texts end, after the first ``start`` of each."""
    low, high = 0, min(len(one), len(other)) - start
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
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
"""Whether a character is white space in Unicode, by its number; none is from U+3001 on."""


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
"""By name the functions that find the tokens of a text."""

_NEXT_SAFE = regex.compile(SAFE_PAIR)
_LAST_SAFE = regex.compile(f"(?r){SAFE_PAIR}")

_REACH = 2000
"""Number of characters in which a safe place is looked for. Only a text of flags alone has longer stretches without."""


def characters_after(change: TextChange, known: Spans, text: str) -> Spans:
    """The characters of the text after a change; ``known`` are those of the text before it.

    Only the neighbourhood of the change is searched, up to the nearest safe places on both sides: a whole text takes
    too long at each key. Words and bytes are found faster.
    """
    stop = change.start + len(change.after)
    before = _LAST_SAFE.search(text, max(0, change.start - _REACH), change.start)
    after = _NEXT_SAFE.search(text, stop, stop + _REACH)
    first = before.start() + 1 if before else 0
    last = after.start() + 1 if after else len(text)
    shift = len(change.after) - len(change.before)
    n_head = np.searchsorted(known.stops, first, "right")
    n_before_tail = np.searchsorted(known.starts, last - shift)
    parts = zip(known, _characters(text[first:last]), strict=True)
    return Spans(*(np.concatenate([old[:n_head], new + first, old[n_before_tail:] + shift]) for old, new in parts))
