"""Pictures of a table over a grid of cells, at any zoom, in closed form."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_core.encodings.abilities.rows import Rows
from posenc_core.encodings.abilities.sampler import Sampler
from posenc_core.encodings.axes.lattice import Lattice
from posenc_core.numerics import Complex64Array, FloatArray, IntArray, Spans

_COLUMNS_AT_A_TIME = 2048

_MOST_INDICES = 1 << 14
"""Indices of an axis whose entries are held at once."""

Places = Callable[[IntArray], tuple[IntArray, IntArray]]


class GridSampler(Sampler[Rows]):
    """Means over cells from sums in closed form, whose cost does not depend on the number of cells.

    ``places`` maps columns to their pairs and parts, 0 for the cosine and 1 for the sine.
    """

    def __init__(self, table: Rows, lattices: tuple[Lattice, ...], places: Places, amplitude: float) -> None:
        super().__init__(table)
        self._lattices, self._places, self._amplitude = lattices, places, amplitude

    def along(self, table: Rows, lattice: Lattice) -> "GridSampler":
        """The pictures of a ``table`` with the same columns over the cells of one lattice."""
        return GridSampler(table, (lattice,), self._places, self._amplitude)

    def means(self, rows: Spans, columns: Spans) -> npt.NDArray[np.floating[Any]]:
        """The exact means over each pixel's positions and columns."""

        def entries(reached: IntArray) -> npt.NDArray[Any]:
            pairs, parts = self._places(reached)
            needed, where = np.unique(pairs, return_inverse=True)
            phasors = self._row_means(rows, needed)[:, where]
            return np.where(parts, phasors.imag, phasors.real)

        means = self._amplitude * _column_means(entries, columns)
        return means if self._amplitude > float(np.finfo(np.float32).max) else means.astype(np.float32)

    def mean_phasors(self, rows: Spans, pairs: Spans) -> Complex64Array:
        """The exact means of ``exp(i angle)``."""
        return _column_means(lambda reached: self._row_means(rows, reached), pairs).astype(np.complex64)

    @property
    def has_ends(self) -> bool:
        """Whether every column turns along one axis of the picture, whose indices are few enough to be read."""
        last = self._lattices[-1]
        return not ((last.steps != 0).sum(axis=0) > 1).any() and max(last.sizes) <= _MOST_INDICES

    def ends(self, columns: IntArray, edges: IntArray) -> tuple[FloatArray, FloatArray]:
        """Each column's smallest and largest entry from each position to the next, float64 ``(m, n_edges - 1)``.

        For columns that turn along one axis of a picture, they are found among the entries at the indices of that axis.
        """
        lattice, (pairs, _) = self._lattices[-1], self._places(columns)
        moving = lattice.steps[:, pairs] != 0
        if not lattice.is_bounded or edges[0] < lattice.first or (moving.sum(axis=0) > 1).any():
            return super().ends(columns, edges)
        low, high = np.empty((2, len(columns), len(edges) - 1))
        for axis, along in enumerate(moving):
            some = np.flatnonzero(along | (~moving.any(axis=0) if not axis else False))
            size, stride = lattice.sizes[axis], lattice.strides[axis]
            if size > _MOST_INDICES:
                return super().ends(columns, edges)
            if len(some):
                first = lattice.first + stride * np.arange(size)
                entries = self.table.values(first, columns[some])
                low[some], high[some] = _circular(entries, (edges - lattice.first) // stride)
        return low, high

    def _row_means(self, rows: Spans, pairs: IntArray) -> npt.NDArray[np.complex128]:
        """The mean of ``exp(i angle)`` over each span of positions, complex128 ``(n_spans, n_pairs)``."""
        starts, stops = rows.start, rows.start + rows.count
        total = np.zeros((len(starts), len(pairs)), np.complex128)
        edges = [*(each.first for each in self._lattices[1:])]
        for lattice, low, high in zip(self._lattices, [None, *edges], [*edges, None], strict=True):
            first, last = (np.clip(each, low, high) if low or high else each for each in (starts, stops))
            touched = first < last
            if touched.any():
                total[touched] += lattice.sums(last[touched], pairs) - lattice.sums(first[touched], pairs)
        return total / rows.count[:, np.newaxis]


def _circular(entries: FloatArray, edges: IntArray) -> tuple[FloatArray, FloatArray]:
    """The smallest and the largest entry from each edge to the next, both included, of rows that repeat for ever."""
    size = len(entries)
    starts, counts = edges[:-1] % size, np.minimum(np.diff(edges) + 1, size)
    twice = np.concatenate([entries, entries, entries[:1]])
    ranges = np.stack([starts, starts + counts], axis=1).ravel()
    return np.minimum.reduceat(twice, ranges)[::2].T, np.maximum.reduceat(twice, ranges)[::2].T


def _column_means(entries: Callable[[IntArray], npt.NDArray[Any]], columns: Spans) -> npt.NDArray[Any]:
    """The means over each pixel's columns of entries ``(n, n_columns)``, of which some columns are held at a time."""
    wide = max(1, _COLUMNS_AT_A_TIME // int(columns.count.max()))
    found = []
    for first in range(0, len(columns.start), wide):
        some = columns[first : first + wide]
        sums = np.add.reduceat(entries(some.reached()), some.start - some.start[0], axis=1)
        found.append(sums / some.count)
    return np.concatenate(found, axis=1)
