"""Exact means of a large table's windows: read in slabs of neighbouring rows, by all processors."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from msgspec import Struct

from posenc_core.angles import Float32Array, FloatArray, IntArray
from posenc_core.processors import on_all_processors
from posenc_core.tables import Table
from posenc_core.tiles import Spans
from posenc_core.windows import reduced

_SLAB = 1 << 17
"""Entries that are read together, 1 MB as float64: they stay in the processor's cache."""


def mean_of_table(table: Table, rows: Spans, columns: Spans) -> Float32Array:
    """The mean over each pixel's rows and columns of the table, float32 ``(len(rows), len(columns))``."""
    row_starts, row_first, row_of = np.unique(rows.start, return_index=True, return_inverse=True)
    column_starts, column_first, column_of = np.unique(columns.start, return_index=True, return_inverse=True)
    row_counts, column_counts = rows.count[row_first], columns.count[column_first]
    window = _Window(
        table,
        np.r_[row_starts, row_starts[-1] + row_counts[-1]],
        (int(column_starts[0]), int(column_starts[-1] + column_counts[-1])),
        column_starts - column_starts[0],
    )
    means = window.sums() / np.multiply.outer(row_counts.astype(np.float64), column_counts)
    return np.asarray(means[np.ix_(row_of, column_of)], np.float32)


class _Window(Struct, frozen=True):
    """The pixels of a window: the rows where one begins and the last ends, the columns, and where they are parted."""

    table: Table
    edges: IntArray
    columns: tuple[int, int]
    parts: IntArray

    @property
    def tall(self) -> int:
        """Rows of a slab."""
        return max(1, _SLAB // self.table.row_work(self.columns[1] - self.columns[0]))

    def sums(self) -> FloatArray:
        """The sum over each pixel's entries."""
        sums: dict[int, FloatArray] = {}
        on_all_processors(lambda group: sums.update({group[0]: self._sums_of(group)}), self._groups())
        return np.concatenate([sums[first] for first in sorted(sums)])

    def _groups(self) -> Iterator[tuple[int, int]]:
        """Neighbouring pixels (first, stop) along the rows that fill a slab, or one that is larger."""
        wanted = np.arange(self.edges[0], self.edges[-1], self.tall)
        ends = np.unique(np.r_[np.searchsorted(self.edges, wanted), len(self.edges) - 1])
        return pairwise(ends.tolist())

    def _sums_of(self, group: tuple[int, int]) -> FloatArray:
        """The sums over the pixels of a group."""
        edges = self.edges[group[0] : group[1] + 1]
        sums = np.zeros((len(edges) - 1, self.columns[1] - self.columns[0]))
        for top in range(int(edges[0]), int(edges[-1]), self.tall):
            stop = min(top + self.tall, int(edges[-1]))
            block = self.table.slab(top, stop, *self.columns)
            one, other = np.searchsorted(edges, top, "right") - 1, np.searchsorted(edges, stop, "left")
            begins = np.maximum(edges[one:other], top) - top
            sums[one:other] += reduced(np.add, block, begins)
        return sums if len(self.parts) == sums.shape[1] else np.add.reduceat(sums, self.parts, axis=1)
