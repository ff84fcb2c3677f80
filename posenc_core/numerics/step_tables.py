"""Pictures of tables that exist at whole positions only: exact means, steps and envelopes, from bounded blocks.

A family describes its rows as *runs*, neighbouring positions with equal rows, by the first position of each run.
A run costs as much as one position, so that a bias that is constant beyond a distance costs nothing there.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core.numerics.harmonics import FloatArray, IntArray
from posenc_core.numerics.tiles import Spans, distinct
from posenc_core.numerics.traces import Bands, Lines, Traces

Number = TypeVar("Number", np.float32, np.float64)

Read = Callable[[IntArray, IntArray], FloatArray]
"""The entries at (positions, columns), float64 ``(n_positions, n_columns)``."""

Runs = Callable[[int, int], Iterable[IntArray]]
"""Yields blocks of the ascending first positions of the runs in first..stop-1, ``first`` included."""

Ends = Callable[[IntArray, IntArray], tuple[FloatArray, FloatArray]]
"""The smallest and the largest entry of columns from each edge to the next, both included, ``(m, n_edges - 1)``."""

_ENTRIES_AT_A_TIME = 1 << 16
"""Entries read together, 512 kB: they stay in the processor's cache."""

_LARGE_GROUP = 1 << 9
"""A group of at least this many entries is reduced by a separate call."""

STEP_PIXELS = 2
"""Narrower steps cannot be distinguished: their envelope is drawn."""


def every_position(first: int, stop: int) -> Iterator[IntArray]:
    """The runs of a table in which every row may differ from the row before: all positions first..stop-1."""
    for start in range(first, stop, 1 << 14):
        yield np.arange(start, min(start + (1 << 14), stop), dtype=np.int64)


def blocks(count: int, width: int, most: int) -> list[slice]:
    """Slices of ``count`` rows of ``width`` numbers, each with at most ``most`` numbers, or a single row."""
    tall = max(1, most // max(1, width))
    return [slice(first, min(first + tall, count)) for first in range(0, count, tall)]


def in_blocks(read: Read, positions: IntArray, columns: IntArray, dtype: type[Number]) -> npt.NDArray[Number]:
    """The entries ``(n_positions, n_columns)`` in this type, read by blocks that stay in the processor's cache."""
    entries = np.empty((len(positions), len(columns)), dtype)
    for some in blocks(len(positions), len(columns), _ENTRIES_AT_A_TIME):
        entries[some] = read(positions[some], columns)
    return entries


def mean_tile(read: Read, runs: Runs, rows: Spans, columns: Spans, dtype: type[Number]) -> npt.NDArray[Number]:
    """The mean over each pixel's positions and columns in this type, ``(len(rows), len(columns))``."""
    (down, row_of), (across, column_of) = distinct(rows), distinct(columns)
    sums, reached = np.zeros((len(down.start), len(across.start))), across.reached()
    tall = max(1, _ENTRIES_AT_A_TIME // len(reached))
    for block, pieces, lengths in _cut(runs, down.start, down.stop):
        run_of = np.searchsorted(block, pieces, side="right") - 1
        for top in range(0, len(block), tall):  # a run of many pixels is read once
            of_runs = np.add.reduceat(read(block[top : top + tall], reached), across.start - reached[0], axis=1)
            some = slice(*np.searchsorted(run_of, (top, top + tall)))
            row, groups = _groups(pieces[some], down.start)
            sums[row] += np.add.reduceat(of_runs[run_of[some] - top] * lengths[some, None], groups, axis=0)
    means = sums / np.multiply.outer(down.count.astype(np.float64), across.count)
    return np.asarray(means[np.ix_(row_of, column_of)], dtype)


class Steps(Struct, frozen=True):
    """The steps in a window: its part that has steps, their positions start..stop-1, and the part's width in pixels."""

    first: float
    last: float
    start: int
    stop: int
    pixels: int

    @classmethod
    def over(cls, window: tuple[float, float], domain: tuple[float, float], pixels: int) -> "Steps | None":
        """The steps in a window ``pixels`` wide, within the ends of ``domain``; None if it has none."""
        first, last = max(window[0], domain[0] - 0.5), min(window[1], domain[1] + 0.5)
        if first >= last:
            return None
        start = int(np.floor(first + 0.5))
        stop = max(start, int(np.ceil(last - 0.5))) + 1
        return cls(first, last, start, stop, max(1, round(pixels * (last - first) / (window[1] - window[0]))))

    @property
    def most(self) -> int:
        """Largest number of steps that can be distinguished."""
        return max(STEP_PIXELS, self.pixels // STEP_PIXELS)

    def few(self, runs: Runs) -> IntArray | None:
        """The first positions of the runs, if all of them can be distinguished; None if there are too many."""
        return _at_most(runs(self.start, self.stop), self.most)

    def run_edges(self, few: IntArray) -> FloatArray:
        """The edges of these few runs, float64 ``(n_runs + 1,)``."""
        return np.concatenate([[self.first], few[1:] - 0.5, [self.last]])

    def edges(self) -> FloatArray:
        """The edges of the pixels, float64 ``(pixels + 1,)``."""
        return np.linspace(self.first, self.last, self.pixels + 1)

    def whole_edges(self) -> IntArray:
        """The positions of the steps at these edges, int64 ``(pixels + 1,)``."""
        return np.clip(np.floor(self.edges() + 0.5).astype(np.int64), self.start, self.stop - 1)


def step_traces(read: Read, runs: Runs, ends: Ends, columns: IntArray, steps: Steps | None) -> Traces:
    """The columns as stairs: each position's value from half a position before it to half a position after it.

    If stairs are too narrow for the pixels: the smallest and the largest value of each pixel.
    """
    if steps is None or not len(columns):
        return Traces((), ())
    few = steps.few(runs)
    if few is not None:
        edges = steps.run_edges(few)
        stairs = np.repeat(read(few, columns).T, 2, axis=1)
        x = np.broadcast_to(np.repeat(edges, 2)[1:-1], stairs.shape)
        return Traces((Lines(columns, x, stairs),), ())
    low, high = ends(columns, steps.whole_edges())
    return Traces((), (Bands(columns, steps.edges(), low, high),))


def ramp_traces(read: Read, columns: IntArray, window: tuple[float, float], domain: tuple[float, float]) -> Traces:
    """Columns that are linear in the position: exact straight lines within ``domain``."""
    first, last = max(window[0], domain[0]), min(window[1], domain[1])
    if first >= last or not len(columns):
        return Traces((), ())
    ends = np.array([np.floor(first), np.ceil(last)], np.int64)
    at_ends = read(ends, columns).T
    share = (np.array([first, last]) - ends[0]) / (ends[1] - ends[0])
    y = at_ends[:, :1] + share * (at_ends[:, 1:] - at_ends[:, :1])
    return Traces((Lines(columns, np.broadcast_to([first, last], y.shape), y),), ())


def _at_most(blocks: Iterable[IntArray], limit: int) -> IntArray | None:
    """All starts in one array; None if there are more than ``limit``."""
    found: list[IntArray] = []
    count = 0
    for block in blocks:
        found.append(block)
        count += len(block)
        if count > limit:
            return None
    return np.concatenate(found)


def envelope(read: Read, runs: Runs, columns: IntArray, edges: IntArray) -> tuple[FloatArray, FloatArray]:
    """Smallest and largest value from each edge to the next, both included, ``(m, n_edges - 1)`` each."""
    starts = np.unique(edges)
    low, high, at_starts = np.empty((3, len(columns), len(starts)))
    low.fill(np.inf)
    high.fill(-np.inf)
    tall = max(1, _ENTRIES_AT_A_TIME // len(columns))
    for block, pieces, _ in _cut(runs, starts, int(starts[-1]) + 1):
        run_of = np.searchsorted(block, pieces, side="right") - 1
        for top in range(0, len(block), tall):
            some = slice(*np.searchsorted(run_of, (top, top + tall)))
            values = read(block[top : top + tall], columns)[run_of[some] - top]
            pixel, groups = _groups(pieces[some], starts)
            low[:, pixel] = np.minimum(low[:, pixel], reduced(np.minimum, values, groups).T)
            high[:, pixel] = np.maximum(high[:, pixel], reduced(np.maximum, values, groups).T)
            begun = pieces[some][groups] == starts[pixel]
            at_starts[:, pixel[begun]] = values[groups[begun]].T
    here, there = np.searchsorted(starts, edges[:-1]), np.searchsorted(starts, edges[1:])
    return np.minimum(low[:, here], at_starts[:, there]), np.maximum(high[:, here], at_starts[:, there])


def reduced(combine: np.ufunc, values: npt.NDArray[np.floating], begins: IntArray) -> FloatArray:
    """Groups of rows combined in float64, as by ``reduceat``; large groups one by one, which is much faster."""
    dtype = np.float64 if combine is np.add else values.dtype
    if values.size < _LARGE_GROUP * len(begins):
        return np.asarray(combine.reduceat(values, begins, axis=0, dtype=dtype), np.float64)
    combined = np.empty((len(begins), values.shape[1]), dtype)
    stops = [*begins[1:].tolist(), len(values)]
    for group, (start, stop) in enumerate(zip(begins.tolist(), stops, strict=True)):
        combine.reduce(values[start:stop], axis=0, dtype=dtype, out=combined[group])
    return np.asarray(combined, np.float64)


def _cut(runs: Runs, starts: IntArray, stop: int) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """Blocks of runs, their pieces within one pixel each, and the pieces' lengths; pixels begin at ``starts``."""
    blocks = iter(runs(int(starts[0]), stop))
    block = next(blocks)
    while True:
        following = next(blocks, None)
        until = stop if following is None else int(following[0])
        inside = starts[(starts > block[0]) & (starts < until)]
        missing = inside[block[np.searchsorted(block, inside, "right") - 1] != inside]
        pieces = np.sort(np.concatenate([block, missing])) if len(missing) else block
        yield block, pieces, np.diff(np.r_[pieces, until])
        if following is None:
            return
        block = following


def _groups(members: IntArray, starts: IntArray) -> tuple[IntArray, IntArray]:
    """The pixels that contain the ascending members, and the index of the first member of each."""
    pixel = np.searchsorted(starts, members, side="right") - 1
    begins = np.flatnonzero(np.r_[True, np.diff(pixel) > 0])
    return pixel[begins], begins
