"""Pictures of slow tables, computed part by part: the known parts are exact, the others are still missing."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator
from itertools import starmap
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from posenc_core.encodings import Encoding
from posenc_core.numerics import Bands, FloatArray, IntArray, Lines, Spans, Steps, Traces, n_processors
from posenc_core.tables import ProgressCallback, UnreadableError

Flags = npt.NDArray[np.bool_]
Arrays = tuple[npt.NDArray[Any], ...]
ComputeParts = Callable[[int, int, Callable[[], bool]], Arrays]

_WORK_AT_A_TIME = 1 << 20
"""Entries read per step, a few hundredths of a second."""


def slow_work(encoding: Encoding, first: int, stop: int, n_columns: int) -> int:
    """The cost of a picture of ``n_columns`` columns at the positions first..stop-1, in entries of a file's table.

    0 for a picture of a formula.
    """
    if encoding.reading is None:
        return 0
    return int(encoding.reading.costs(Spans(np.array([first]), np.array([stop - first])), n_columns)[0])


class PartialWork(ABC):
    """Work in parts, of which the ``known`` ones are done.

    ``arrays`` are the results, their first axis along the parts. ``refused`` parts contain entries that are not numbers
    and stay unknown; ``problem`` is the sentence on the first of them. ``costs`` of the parts are int64.
    """

    def __init__(self, arrays: Arrays, costs: IntArray) -> None:
        self.arrays = arrays
        self.known: Flags = np.zeros(len(costs), bool)
        self.refused: Flags = np.zeros(len(costs), bool)
        self.problem = ""
        self.costs = costs

    @property
    def is_finished(self) -> bool:
        """Whether every part is known or refused."""
        return bool((self.known | self.refused).all())

    @property
    def work(self) -> int:
        """The cost of all parts, in entries to read."""
        return int(self.costs.sum())

    @property
    def work_left(self) -> int:
        """The cost of the parts that are neither known nor refused."""
        return int(self.costs[~(self.known | self.refused)].sum())

    @property
    def percent(self) -> int:
        """Share of the work that is done, in percent, 0..99."""
        return min(99, 100 * (self.work - self.work_left) // max(1, self.work))

    @abstractmethod
    def grow(self, progress: ProgressCallback) -> None:
        """Compute the missing parts, from the first on.

        ``progress`` is called before every step, from any thread. Cancelled once it returns False: the known parts
        stay, and the next call continues from there.
        """

    @abstractmethod
    def adopt(self, other: "PartialWork") -> None:
        """Copy the known parts of other work of the same kind."""


class PartialPicture(PartialWork):
    """A picture in parts along the positions.

    Parameters: ``parts`` are the positions of each part, ``costs`` the work for each, in entries of a file's table.
    ``compute(first, stop, goes_on)`` returns the parts first..stop-1 of each array, and raises Cancelled once
    ``goes_on`` returns False. Pictures with the same ``key`` have the same parts at the same positions.
    """

    def __init__(self, key: Hashable, parts: Spans, costs: IntArray, arrays: Arrays, compute: ComputeParts) -> None:
        super().__init__(arrays, costs)
        self._key, self._parts, self._compute = key, parts, compute

    @override
    def grow(self, progress: ProgressCallback) -> None:
        def goes_on() -> bool:
            return progress(self.percent / 100)

        self.refused[:], self.problem = False, ""
        for first, stop in self._missing():
            self._fill(first, stop, goes_on)

    @override
    def adopt(self, other: PartialWork) -> None:
        if not isinstance(other, PartialPicture) or self._key != other._key:  # the picture before it was scrolled
            return
        mine, theirs = self._parts, other._parts
        place = np.minimum(np.searchsorted(theirs.start, mine.start), len(theirs.start) - 1)
        shared = (theirs.start[place] == mine.start) & (theirs.count[place] == mine.count) & other.known[place]
        shared &= ~self.known
        for array, values in zip(self.arrays, other.arrays, strict=True):
            array[shared] = values[place[shared]]
        self.known |= shared

    def _fill(self, first: int, stop: int, goes_on: Callable[[], bool]) -> None:
        """Compute the parts first..stop-1 and mark them as known, or halve them to find the refused ones."""
        try:
            computed = self._compute(first, stop, goes_on)
        except UnreadableError as error:
            if stop - first == 1:
                self.refused[first] = True
                self.problem = self.problem or str(error)
                return
            middle = (first + stop) // 2
            self._fill(first, middle, goes_on)
            self._fill(middle, stop, goes_on)
        else:
            for array, values in zip(self.arrays, computed, strict=True):
                array[first:stop] = values
            self.known[first:stop] = True  # last: another thread reads the known parts

    def _missing(self) -> Iterator[tuple[int, int]]:
        """Ranges of neighbouring unknown parts, each some work and at least one part for each processor."""
        together = max(n_processors(), _WORK_AT_A_TIME * len(self.known) // max(1, self.work))
        for first, stop in runs_of(~self.known):
            yield from ((some, min(some + together, stop)) for some in range(first, stop, together))


def table_picture(
    encoding: Encoding,
    key: Hashable,
    parts: Spans,
    n_columns: int,
    arrays: Arrays,
    read: Callable[[Encoding, int, int], Arrays],
) -> PartialPicture:
    """A picture of a table that is read, ``n_columns`` entries per position; TypeError for other encodings."""
    reading = encoding.reading
    if reading is None:
        raise TypeError(f"pictures of {encoding.family} are computed at once, not in parts")

    def compute(first: int, stop: int, goes_on: Callable[[], bool]) -> Arrays:
        return read(reading.cancellable(goes_on), first, stop)

    return PartialPicture(key, parts, reading.costs(parts, n_columns), arrays, compute)


def runs_of(flags: Flags) -> list[tuple[int, int]]:
    """The ranges (first, stop) of true flags."""
    changes = np.flatnonzero(np.diff(flags, prepend=False, append=False)).tolist()
    return list(zip(changes[0::2], changes[1::2], strict=True))


def partial_tile(
    encoding: Encoding, positions: tuple[float, float], columns: tuple[float, float], shape: tuple[int, int]
) -> PartialPicture:
    """The exact means of a tile, row by row: one array, float32 ``shape``."""
    rows, across = encoding.sampler.pixels(positions, columns, shape)
    n_columns = int(across.start[-1] + across.count[-1] - across.start[0])

    def means(encoding: Encoding, first: int, stop: int) -> Arrays:
        return (encoding.sampler.means(rows[first:stop], across),)

    key = ("tile", encoding, across.start.tobytes(), across.count.tobytes())
    return table_picture(encoding, key, rows, n_columns, (np.zeros(shape, np.float32),), means)


def partial_traces(encoding: Encoding, columns: IntArray, steps: Steps) -> PartialPicture:
    """The exact curves of some columns, step by step; ``known_traces`` turns the arrays into curves.

    Few steps have one array, the values ``(n_steps, n_columns)``. Steps narrower than the pixels have two, the
    smallest and the largest value of each pixel ``(n_pixels, n_columns)``.
    """
    few = steps.few(encoding.sampler.equal_rows)
    if few is not None:

        def values(encoding: Encoding, first: int, stop: int) -> Arrays:
            return (encoding.values(few[first:stop], columns),)

        stairs, parts = np.zeros((len(few), len(columns))), Spans(few, np.diff(np.r_[few, steps.stop]))
        return table_picture(encoding, ("stairs", encoding, columns.tobytes()), parts, len(columns), (stairs,), values)
    whole = steps.whole_edges()

    def ends(encoding: Encoding, first: int, stop: int) -> Arrays:
        low, high = encoding.sampler.ends(columns, whole[first : stop + 1])
        return low.T, high.T

    low, high = np.zeros((2, len(columns), len(whole) - 1))
    parts, key = Spans(whole[:-1], np.diff(whole)), ("bands", encoding, columns.tobytes())
    return table_picture(encoding, key, parts, len(columns), (low.T, high.T), ends)


def part_edges(encoding: Encoding, steps: Steps) -> FloatArray:
    """The positions between which the parts of ``partial_traces`` lie, float64 ``(n_parts + 1,)``."""
    few = steps.few(encoding.sampler.equal_rows)
    return steps.edges() if few is None else steps.run_edges(few)


def known_traces(columns: IntArray, edges: FloatArray, arrays: Arrays, known: Flags) -> Traces:
    """The known parts of ``partial_traces``, which lie between the ``edges``, as curves: a piece for each range."""

    def lines(first: int, stop: int) -> Lines:
        stairs = np.repeat(arrays[0][first:stop].T, 2, axis=1)
        x = np.repeat(edges[first : stop + 1], 2)[1:-1]
        return Lines(columns, np.broadcast_to(x, stairs.shape), stairs)

    def bands(first: int, stop: int) -> Bands:
        low, high = (array[first:stop].T for array in arrays)
        return Bands(columns, edges[first : stop + 1], low, high)

    runs = runs_of(known)
    return Traces((), tuple(starmap(bands, runs))) if len(arrays) == 2 else Traces(tuple(starmap(lines, runs)), ())
