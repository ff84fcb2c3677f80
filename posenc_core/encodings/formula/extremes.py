"""Smallest and largest entries of a formula's table, searched for in tables with too many entries to read."""

from collections.abc import Callable

import numpy as np

from posenc_core.numerics import FloatArray, IntArray

_READ_WHOLE = 1 << 15
"""Entries up to which all are read; of more, some rows and columns are."""

_ROWS, _COLUMNS, _AT_THE_START = 192, 64, 64
"""Evenly spread rows and columns that are read, and as many at the start of each, where narrow peaks are found."""

Values = Callable[[IntArray, IntArray], FloatArray]
"""The entries at some positions and columns, float64 ``(n_positions, n_columns)``."""

_Span = tuple[int, int]
"""The first, and the last plus one."""


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
