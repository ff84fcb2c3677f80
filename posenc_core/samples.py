"""Pictures of a few rows and columns of each pixel, for the time until the exact one is there."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from posenc_core.angles import Float32Array, FloatArray, IntArray
from posenc_core.tiles import Spans, spans
from posenc_core.waves import Bands, Traces
from posenc_core.windows import Read

_SAMPLED_WORK = 1 << 20
"""Work for a sample, in entries that are read from a file's table: some hundredths of a second."""

RowWork = Callable[[int], int]
"""What so many columns of a row cost to read, in entries of a file's table."""

_SAMPLED_ROWS = 2048
"""So many rows at most: each can be on another page of a file."""


@dataclass(frozen=True)
class Picked:
    """Of each pixel's positions or columns a few, in ascending order, evenly spread over it.

    ``begins`` says where among the ``members`` those of a pixel begin; pixels that stand for the same share them:
    ``of`` says of each pixel which it has.
    """

    members: IntArray
    begins: IntArray
    of: IntArray

    @classmethod
    def from_spans(cls, wanted: Spans, most: int) -> "Picked":
        """About ``most`` members in all, at least one of each pixel and all where there are no more."""
        starts, first, of = np.unique(wanted.start, return_index=True, return_inverse=True)
        counts = wanted.count[first]
        picked = np.minimum(counts, max(1, most // len(starts)))
        begins = np.cumsum(picked) - picked
        place = np.arange(picked.sum()) - np.repeat(begins, picked)
        spread = (2 * place + 1) * np.repeat(counts, picked) // (2 * np.repeat(picked, picked))
        return cls(np.repeat(starts, picked) + spread, begins, of)

    @property
    def a_pixel(self) -> int:
        """So many of a pixel at most."""
        return int(np.diff(self.begins, append=len(self.members)).max(initial=0))


@dataclass(frozen=True)
class TileSample:
    """The means of a few cells of each part of a window; the parts are ``coarse``, not pixels, where rows are dear."""

    read: Read
    rows: Picked
    columns: Picked
    coarse: bool

    @property
    def cells(self) -> int:
        """So many cells at most a mean is of."""
        return self.rows.a_pixel * self.columns.a_pixel

    def values(self) -> Float32Array:
        """The means, float32 (rows, columns)."""
        rows, columns = self.rows, self.columns
        read = self.read(rows.members, columns.members)
        sums = np.add.reduceat(np.add.reduceat(read, rows.begins, axis=0), columns.begins, axis=1)
        counts = (np.diff(each.begins, append=len(each.members)) for each in (rows, columns))
        means = sums / np.multiply.outer(*counts)
        return np.asarray(means[np.ix_(rows.of, columns.of)], np.float32)


def sampled_tile(
    read: Read, positions: tuple[float, float], columns: Spans, n_rows: int, row_work: RowWork, together: int
) -> TileSample:
    """A sample of a tile of ``n_rows``, or of fewer where one row of each is too much work.

    ``row_work`` is what so many columns of a row cost, of which ``together`` are made whichever is read.
    """
    across = Picked.from_spans(columns, max(1, _SAMPLED_WORK // n_rows))
    most = min(_SAMPLED_ROWS, max(1, _SAMPLED_WORK // max(1, together * row_work(len(across.members)))))
    return TileSample(read, Picked.from_spans(spans(*positions, min(n_rows, most)), most), across, most < n_rows)


@dataclass(frozen=True)
class TracesSample:
    """The least and the largest of a few positions of each pixel, or of ``coarse`` parts where rows are dear."""

    read: Read
    columns: IntArray
    edges: FloatArray
    positions: Picked
    coarse: bool

    @property
    def a_pixel(self) -> int:
        """Positions of a pixel at most that are looked at."""
        return self.positions.a_pixel

    def traces(self) -> Traces:
        """The columns as bands, none where no position in view has a value."""
        if not len(self.positions.members):
            return Traces((), ())
        values, begins = self.read(self.positions.members, self.columns), self.positions.begins
        low, high = (ends.reduceat(values, begins, axis=0)[self.positions.of].T for ends in (np.minimum, np.maximum))
        return Traces((), (Bands(self.columns, self.edges, low, high),))


def sampled_traces(
    read: Read, columns: IntArray, shown: tuple[float, float], pixels: int, row_work: RowWork, together: int
) -> TracesSample:
    """A sample of the columns' bands over positions that have values, for so many pixels or fewer."""
    if shown[0] >= shown[1]:
        none = np.empty(0, np.int64)
        return TracesSample(read, columns, np.empty(0), Picked(none, none, none), coarse=False)
    most = min(_SAMPLED_ROWS, max(1, _SAMPLED_WORK // max(1, together * row_work(len(columns)))))
    parts = min(pixels, most)
    picked = Picked.from_spans(spans(shown[0] + 0.5, shown[1] + 0.5, parts), most)
    return TracesSample(read, columns, np.linspace(*shown, parts + 1), picked, parts < pixels)
