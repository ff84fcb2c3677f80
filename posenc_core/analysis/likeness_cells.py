"""Likeness of positions as the cells of a picture, each the mean over many pairs of positions.

Tables of whole pairs need one vector of cosines, since their similarity depends on the distance alone. Of other tables
the mean row of each cell is computed.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from msgspec import Struct

from posenc_core.analysis.pair_waves import whole_pairs
from posenc_core.analysis.row_similarity import check_measure, is_toeplitz, known_rows, row_distances, similarity
from posenc_core.encodings import Computed, Encoding, Reading
from posenc_core.numerics import FloatArray, IntArray, Spans, dirichlet
from posenc_core.progressive import Arrays, Flags, PartialPicture

_ENTRIES_AT_A_TIME = 1 << 20
_MOST_ENTRIES = 1 << 22
"""Entries that the cells of a picture read of either axis: a larger table is sampled."""

_MOST_MEANS = 1 << 24


def similarity_cells(encoding: Encoding, rows: range, columns: range, measure: str = "cosine") -> FloatArray:
    """The similarity of positions as a picture's cells, float64 ``(len(rows), len(columns))``, read-only.

    The cell of p and p' is the exact mean over the ``step`` positions from p on and from p' on; both ranges have the
    same step. For ``"euclidean"`` it is the root of the mean square. Positions at a range's ``stop`` or beyond, and
    without a row, do not count; nan if none counts. A table of whole pairs, whose formula has no end, needs one vector
    of ``len(rows) + len(columns) - 1`` numbers. ValueError for ranges with different steps, and for more cells of a
    wide table than fit into memory.
    """
    parts = _parts_of(encoding, rows, columns, measure)
    if not rows or not columns:
        return np.empty((len(rows), len(columns)))
    if not is_toeplitz(encoding):
        arrays = _cell_rows(encoding, parts.start, parts.count, rows.step, measure, parts.n_read)
        cells = known_cells(encoding, rows, columns, measure, arrays, np.ones(len(parts.start), bool))
        cells.flags.writeable = False
        return cells
    differences = columns[0] - rows[-1] + rows.step * np.arange(len(rows) + len(columns) - 1)
    vector = _cell_vector(encoding, differences, rows.step, measure)
    return np.lib.stride_tricks.sliding_window_view(vector, len(columns))[::-1]


def partial_cells(encoding: Encoding, rows: range, columns: range, measure: str = "cosine") -> PartialPicture:
    """The same cells of a table that is read part by part; ``known_cells`` returns the cells known so far.

    A part is one cell along the positions. It has two arrays: the mean row of each ``(n_parts, n_columns)``, and the
    mean square of its rows' distances from that ``(n_parts,)``. Errors as for ``similarity_cells``.
    """
    parts, step = _parts_of(encoding, rows, columns, measure), rows.step

    count = len(parts.start)
    arrays = (np.full((count, encoding.n_columns), np.nan), np.full(count, np.nan))
    key = ("likeness", encoding, measure == "cosine", step, parts.n_read)
    spans, reading = Spans(parts.start, parts.count), _reading(encoding)

    def compute(first: int, stop: int, goes_on: Callable[[], bool]) -> Arrays:
        starts, counts = parts.start[first:stop], parts.count[first:stop]
        return _cell_rows(reading.cancellable(goes_on), starts, counts, step, measure, parts.n_read)

    return PartialPicture(key, spans, reading.costs(spans, encoding.n_columns), arrays, compute)


def known_cells(
    encoding: Encoding,
    rows: range,
    columns: range,
    measure: str,
    arrays: Arrays,
    known: Flags,
    before: tuple[Flags, FloatArray] | None = None,
) -> FloatArray:
    """The cells whose parts of ``partial_cells`` are ``known``, float64 ``(len(rows), len(columns))``; else nan.

    ``before`` are the flags and the cells of an earlier call, whose known parts remain known: these cells stay.
    """
    parts = _parts_of(encoding, rows, columns, measure)
    cells = np.full((len(rows), len(columns)), np.nan) if before is None else before[1].copy()
    earlier = np.zeros(len(known), bool) if before is None else before[0]
    for of_rows, of_columns in ((known & ~earlier, known), (earlier, known & ~earlier)):
        down, across = np.flatnonzero(of_rows[parts.rows]), np.flatnonzero(of_columns[parts.columns])
        if len(down) and len(across):
            cells[np.ix_(down, across)] = _compared(arrays, parts.rows[down], parts.columns[across], measure)
    return cells


def _compared(arrays: Arrays, down: IntArray, across: IntArray, measure: str) -> FloatArray:
    """The cells of some parts and others, float64 ``(n_down, n_across)``."""
    left, right = (arrays[0][each] for each in (down, across))
    if measure != "euclidean":
        return np.asarray(left @ right.T)
    squares, others = (arrays[1][each] for each in (down, across))
    return np.asarray(np.sqrt(np.square(row_distances(left, right)) + squares[:, None] + others))


def cells_work(encoding: Encoding, rows: range, columns: range) -> int:
    """The cost of the cells, in entries of a file's table; 0 for whole pairs, which have a formula."""
    if is_toeplitz(encoding) or not rows or not columns:
        return 0
    parts = _parts_of(encoding, rows, columns, "dot")
    one = Spans(parts.start[:1], np.ones(1, np.int64))
    return len(parts.start) * parts.n_read * int(_reading(encoding).costs(one, encoding.n_columns)[0])


def _reading(encoding: Encoding) -> Reading[Encoding]:
    """The reading of rows: also of a table whose other pictures are closed forms, each entry is evaluated."""
    return encoding.reading or Computed(encoding)


def is_similarity_sampled(encoding: Encoding, positions: range) -> bool:
    """Whether cells over these positions are means over some of their positions, because the table is too large."""
    return not is_toeplitz(encoding) and _n_read(encoding, positions) < positions.step


class _Parts(Struct, frozen=True, eq=False):
    """The cells along the positions, of rows and columns together, in ascending order.

    Each has ``count`` positions from ``start`` on, of which at most ``n_read`` are read; ``rows`` and ``columns`` are
    the places of either axis among them.
    """

    start: IntArray
    count: IntArray
    rows: IntArray
    columns: IntArray
    n_read: int


@lru_cache(maxsize=8)
def _parts_of(encoding: Encoding, rows: range, columns: range, measure: str) -> _Parts:
    check_measure(measure)
    if rows.step != columns.step or rows.step < 1:
        raise ValueError(f"rows and columns must ascend in the same steps, got {rows.step} and {columns.step}")
    width = encoding.n_columns
    longest = max(rows, columns, key=len)
    if not is_toeplitz(encoding) and len(longest) * width > _MOST_MEANS:
        raise ValueError(f"{len(longest):,} rows of {width:,} columns are too many to compare: ask for larger steps")
    starts = np.concatenate([np.array(each, np.int64) for each in (rows, columns)])
    stops = np.repeat([rows.stop, columns.stop], [len(rows), len(columns)])
    (start, count), places = np.unique(
        np.stack([starts, np.minimum(rows.step, stops - starts)]), axis=1, return_inverse=True
    )
    places = places.reshape(-1)
    return _Parts(start, count, places[: len(rows)], places[len(rows) :], _n_read(encoding, longest))


def _cell_vector(encoding: Encoding, differences: IntArray, step: int, measure: str) -> FloatArray:
    """The cell's number for each difference of its two first positions, float64 ``(n_differences,)``."""
    if step == 1:
        found, places = np.unique(np.abs(differences), return_inverse=True)
        return similarity(encoding, found, measure)[places]
    pairs = whole_pairs(encoding)
    weights = np.square(dirichlet(pairs.wrapped, step))
    cosines = pairs.cosine_sums(differences, weights)
    if measure == "cosine":
        return cosines / len(weights)
    factor = pairs.amplitude
    with np.errstate(over="ignore", invalid="ignore"):
        if measure == "dot":
            return np.asarray(factor * factor * cosines)
        return np.asarray(factor * np.sqrt(np.maximum(2 * (len(weights) - cosines), 0)))


def _cell_rows(
    encoding: Encoding, starts: IntArray, counts: IntArray, step: int, measure: str, n_read: int
) -> tuple[FloatArray, FloatArray]:
    """The mean row of each cell ``(n_cells, n_columns)`` (of unit rows for the cosine), and the rows' mean square.

    The squares are those of the distances from the mean row, computed from the cell's first row, which is near.
    """
    width, within = encoding.n_columns, np.arange(n_read) * step // n_read
    means, squares = np.full((len(starts), width), np.nan), np.full(len(starts), np.nan)
    tall = max(1, _ENTRIES_AT_A_TIME // width)
    together = max(1, tall // n_read)
    for first in range(0, len(starts), together):
        cells = slice(first, first + together)
        n_cells = len(starts[cells])
        total, square, n_known = np.zeros((n_cells, width)), np.zeros(n_cells), np.zeros(n_cells)
        origin = np.zeros((n_cells, width))
        for begin in range(0, n_read, tall):
            some = within[begin : begin + tall]
            inside = some < counts[cells, None]
            rows, cell = (
                _rows_that_count(encoding, (starts[cells, None] + some)[inside], measure),
                np.nonzero(inside)[0],
            )
            if begin == 0:
                origin = np.nan_to_num(rows[np.searchsorted(cell, np.arange(n_cells))])
            rows -= origin[cell]
            squares_of = np.square(rows).sum(axis=1)
            known = ~np.isnan(squares_of)
            np.add.at(square, cell[known], squares_of[known])
            n_known += np.bincount(cell[known], minlength=n_cells)
            _add_rows(total, cell[known], rows[known])
        has_rows = n_known > 0
        beyond = total[has_rows] / n_known[has_rows, None]
        means[cells][has_rows] = origin[has_rows] + beyond
        mean_squares = square[has_rows] / n_known[has_rows] - np.square(beyond).sum(axis=1)
        squares[cells][has_rows] = np.maximum(mean_squares, 0)
    return means, squares


def _rows_that_count(encoding: Encoding, positions: IntArray, measure: str) -> FloatArray:
    """The rows, for the cosine of length 1; nan for a row that does not count."""
    rows = known_rows(encoding, positions)
    if measure == "cosine":
        lengths = np.square(rows).sum(axis=1)
        lengths[lengths == 0] = np.nan
        rows /= np.sqrt(lengths)[:, None]
    return rows


def _add_rows(total: FloatArray, cell: IntArray, rows: FloatArray) -> None:
    """Add each row to that of its cell; the cells ascend."""
    if len(cell):
        begins = np.flatnonzero(np.diff(cell, prepend=-1))
        total[cell[begins]] += np.add.reduceat(rows, begins, axis=0)


def _n_read(encoding: Encoding, cells: range) -> int:
    """The number of positions of a cell that are read."""
    most = _MOST_ENTRIES // max(1, len(cells) * encoding.n_columns)
    return max(1, min(cells.step, most))
