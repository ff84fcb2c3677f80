"""Pictures of large tables: exact means and envelopes of neighbouring rows, read by all processors."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from posenc_core.numerics import Float32Array, FloatArray, IntArray, Spans, distinct, on_all_processors
from posenc_core.tables.table import Combines, Table

_GROUP_COST = 1 << 19
"""Cost of one work item of a processor, in entries: some hundredths of a second at most."""


def mean_of_table(table: Table, rows: Spans, columns: Spans) -> Float32Array:
    """The mean over each pixel's rows and columns of the table, float32 ``(len(rows), len(columns))``."""
    (down, row_of), (across, column_of) = distinct(rows), distinct(columns)
    edges, left, end = np.r_[down.start, down.stop], int(across.start[0]), across.stop
    means = np.empty((len(down.start), len(across.start)))

    def average(group: tuple[int, int]) -> None:
        (sums,) = table.combined((np.add,), edges[group[0] : group[1] + 1], left, end)
        whole = len(across.start) == sums.shape[1]
        means[slice(*group)] = sums if whole else np.add.reduceat(sums, across.start - left, axis=1)

    on_all_processors(average, _groups(table, edges, end - left), table.spared)
    means /= np.multiply.outer(down.count.astype(np.float64), across.count)
    return np.asarray(means[np.ix_(row_of, column_of)], np.float32)


_ENDS: Combines = (np.minimum, np.maximum)


def ends_of_table(table: Table, columns: IntArray, edges: IntArray) -> tuple[FloatArray, FloatArray]:
    """Smallest and largest entry of each column from each row to the next, both included, ``(m, n_edges - 1)``."""
    starts = np.unique(edges)
    left, end = int(columns.min()), int(columns.max()) + 1
    shape = (len(starts), len(columns))
    low, high, at_edges = np.empty(shape), np.empty(shape), table.read(starts, columns)
    low[-1] = high[-1] = at_edges[-1]

    def compare(group: tuple[int, int]) -> None:
        within = table.combined(_ENDS, starts[group[0] : group[1] + 1], left, end)
        for found, values in zip((low, high), within, strict=True):
            found[slice(*group)] = values[:, columns - left]

    on_all_processors(compare, _groups(table, starts, end - left), table.spared)
    here, there = np.searchsorted(starts, edges[:-1]), np.searchsorted(starts, edges[1:])
    least, largest = np.minimum(low[here], at_edges[there]), np.maximum(high[here], at_edges[there])
    return np.ascontiguousarray(least.T), np.ascontiguousarray(largest.T)


def _groups(table: Table, edges: IntArray, n_columns: int) -> Iterator[tuple[int, int]]:
    """Work items: ranges (first, stop) of neighbouring pixels along the rows, of about equal cost."""
    wanted = np.arange(edges[0], edges[-1], max(1, _GROUP_COST // table.row_cost(n_columns)))
    return pairwise(np.unique(np.r_[np.searchsorted(edges, wanted), len(edges) - 1]).tolist())
