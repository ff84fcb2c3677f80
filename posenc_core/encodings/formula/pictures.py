"""Pictures of formulas: curves between whole positions, and the ends of values in tables too large to be read."""

import math
from collections.abc import Callable

import numpy as np

from posenc_core.encodings.abilities.rows import Rows
from posenc_core.encodings.abilities.sampler import Sampler
from posenc_core.fields import check_picture
from posenc_core.numerics import FloatArray, IntArray, Lines, Traces

_PIXELS_PER_POINT = 2
"""Pixels between the points of a curve, for whole positions that are farther apart."""

_READ_WHOLE = 1 << 15
"""Entries up to which all are read; of more, some rows and columns are."""

_ROWS, _COLUMNS, _AT_THE_START = 192, 64, 64
"""Evenly spread rows and columns that are read, and as many at the start of each, where narrow peaks are found."""

Values = Callable[[IntArray, IntArray], FloatArray]
"""The entries at some positions and columns, float64 ``(n_positions, n_columns)``."""

_Span = tuple[int, int]
"""The first, and the last plus one."""

At = Callable[[FloatArray, IntArray], FloatArray]
"""The entries at real positions and columns, float64 ``(n_points, n_columns)``."""


class FormulaSampler(Sampler):
    """Curves through the dots if whole positions are at least a pixel apart; else as for every table."""

    def __init__(self, table: Rows, at: At) -> None:
        super().__init__(table)
        self._at = at

    def traces(self, columns: IntArray, positions: tuple[float, float], pixels: int) -> Traces:
        """The columns as curves through their values between whole positions, and as bands of whole positions."""
        first, last = check_picture(self.table.n_columns, columns, positions, pixels)
        if last - first > pixels or not len(columns):
            return super().traces(columns, positions, pixels)
        per_position = math.ceil(pixels / _PIXELS_PER_POINT / (last - first))
        inside = np.arange(math.ceil(first * per_position), math.floor(last * per_position) + 1) / per_position
        x = np.concatenate([[first], inside[(inside > first) & (inside < last)], [last]])
        bounds = self.table.range_over(math.floor(first), math.ceil(last) + 1)  # a pole between them is cut off
        y = np.clip(self._at(x, columns).T, *bounds)
        return Traces((Lines(columns, np.broadcast_to(x, y.shape), y),), ())


def sampled(rows: _Span, columns: _Span) -> tuple[IntArray, IntArray]:
    """All positions and columns of two spans, or some of each if there are many entries."""
    (first, stop), (left, right) = rows, columns
    if (stop - first) * (right - left) <= _READ_WHOLE:
        return np.arange(first, stop), np.arange(left, right)
    return _some(rows, _ROWS), _some(columns, _COLUMNS)


def _some(span: _Span, count: int) -> IntArray:
    first, stop = span
    spread = np.linspace(first, stop - 1, min(count, stop - first)).astype(np.int64)
    return np.unique(np.concatenate([spread, np.arange(first, min(stop, first + _AT_THE_START))]))


def extremes(values: Values, rows: _Span, columns: _Span) -> tuple[float, float]:
    """The smallest and the largest entry in two spans of positions and columns.

    In a large table, the search goes on between the neighbours of the smallest and of the largest entry of a sample.
    """
    found = values(*sampled(rows, columns))
    if found.size == (rows[1] - rows[0]) * (columns[1] - columns[0]):
        return float(found.min()), float(found.max())
    return _smallest(values, rows, columns), -_smallest(lambda *places: -values(*places), rows, columns)


def _smallest(values: Values, rows: _Span, columns: _Span) -> float:
    """The smallest entry, by samples of ever smaller spans."""
    smallest = np.inf
    while True:
        places, across = sampled(rows, columns)
        found = values(places, across)
        smallest = min(smallest, float(found.min()))
        if found.size == (rows[1] - rows[0]) * (columns[1] - columns[0]):
            return smallest
        row, column = np.unravel_index(int(found.argmin()), found.shape)
        rows, columns = _between(places, int(row)), _between(across, int(column))


def _between(places: IntArray, index: int) -> _Span:
    """The span between the neighbours of a place."""
    return int(places[max(index - 1, 0)]), int(places[min(index + 1, len(places) - 1)]) + 1
