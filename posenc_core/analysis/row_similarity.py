"""Likeness of two rows of any table: by distance, and as cells that hold the mean over many pairs of positions.

Tables of whole pairs need one vector of cosines, since their likeness depends on the distance alone. Other tables are
read by blocks of rows.
"""

import math
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_core.analysis.pair_waves import (
    cosine_similarity,
    dot_products,
    paired,
    squared_distances,
    weighted_cosine_sums,
)
from posenc_core.encodings import Encoding, Rotary
from posenc_core.fields import check_length, check_positions, shortened
from posenc_core.numerics import FloatArray, IntArray, dirichlet

MEASURES = ("dot", "cosine", "euclidean")
"""Dot product, cosine of the angle, Euclidean distance."""

N_POSITIONS = 2048
"""Positions over which the mean is taken of a table without whole pairs, unless others are asked for."""

_BLOCK = 512
_ENTRIES_AT_A_TIME = 1 << 20
_MOST_ENTRIES = 1 << 22
"""Entries that the cells of a picture read of either axis: a larger table is sampled."""

_MOST_MEANS = 1 << 24
_EXAMINED = 64


def similarity(
    encoding: Encoding, distances: Any, measure: str = "cosine", n_positions: int | None = None
) -> FloatArray:
    """How alike two rows are at each distance, float64 ``(n_distances,)``, by ``"dot"``, ``"cosine"``, ``"euclidean"``.

    For tables of whole pairs these are exact, at every position the same: ``a**2 sum_i cos(w_i distance)``, a the
    attention factor, the same over the squared norm, and ``2 a sqrt(sum_i sin(w_i distance/2)**2)``. For other tables
    they are means over all pairs of rows at that distance (of either sign) among the first ``n_positions``, by default
    2048 or as many as the table has; nan where no two rows are so far apart, and for the cosine where a row is zero.
    Source: Vaswani et al. 2017, section 3.5.
    """
    rows = check_positions(distances)
    _check_measure(measure)
    if is_toeplitz(encoding):
        if measure == "euclidean":
            return np.sqrt(squared_distances(encoding, rows))
        return dot_products(encoding, rows) if measure == "dot" else cosine_similarity(encoding, rows)
    count = N_POSITIONS if n_positions is None else check_length(n_positions, "n_positions")
    found, places = np.unique(np.abs(rows), return_inverse=True)
    return _means_by_distance(encoding, found, count, measure)[places]


def similarity_cells(encoding: Encoding, rows: range, columns: range, measure: str = "cosine") -> FloatArray:
    """The likeness of positions as a picture's cells, float64 ``(len(rows), len(columns))``, read-only.

    The cell of p and p' is the exact mean over the ``step`` positions from p on and those from p' on, both ranges in
    the same steps; for ``"euclidean"`` the root of the mean square. Positions at a range's ``stop`` or beyond, and
    without a row, do not count; nan where none does. A table of whole pairs, whose formula goes on for ever, needs one
    vector of ``len(rows) + len(columns) - 1`` numbers. ValueError for ranges of different steps, and for more cells of
    a wide table than fit into memory.
    """
    _check_measure(measure)
    if rows.step != columns.step or rows.step < 1:
        raise ValueError(f"rows and columns must ascend in the same steps, got {rows.step} and {columns.step}")
    if not rows or not columns:
        return np.empty((len(rows), len(columns)))
    if not is_toeplitz(encoding):
        cells = _mean_cells(encoding, rows, columns, measure)
        cells.flags.writeable = False
        return cells
    differences = columns[0] - rows[-1] + rows.step * np.arange(len(rows) + len(columns) - 1)
    vector = _cell_vector(encoding, differences, rows.step, measure)
    return np.lib.stride_tricks.sliding_window_view(vector, len(columns))[::-1]


def similarity_row(encoding: Encoding, position: int, others: Any, measure: str = "cosine") -> FloatArray:
    """How alike the row of a position is to those of ``others``, float64 ``(n_others,)``; nan where there is no row."""
    _check_measure(measure)
    one, places = check_positions([position]), check_positions(others)
    tall = max(1, _ENTRIES_AT_A_TIME // encoding.n_columns)
    parts = (places[start : start + tall] for start in range(0, len(places), tall))
    return np.concatenate([np.empty(0), *(_likeness(encoding, one, some, measure)[0] for some in parts)])


def similarity_reach(encoding: Encoding, positions: range, measure: str = "cosine") -> float:
    """The largest likeness by absolute value of up to 64 of the positions, spread evenly; 1 for the cosine.

    The dot products of whole pairs are largest at distance 0: for them it is exact. 0 where no two have a finite one.
    """
    _check_measure(measure)
    if measure == "cosine" or not positions:
        return float(measure == "cosine")
    some = np.unique(np.linspace(positions[0], positions[-1], _EXAMINED).round().astype(np.int64))
    with np.errstate(over="ignore", invalid="ignore"):
        found = np.abs(_likeness(encoding, some, some, measure))
    return float(found[np.isfinite(found)].max(initial=0.0))


def is_similarity_sampled(encoding: Encoding, positions: range) -> bool:
    """Whether cells over these positions are means over some of their positions, because the table is too large."""
    return not is_toeplitz(encoding) and _per_cell(encoding, positions) < positions.step


@lru_cache(maxsize=64)
def is_toeplitz(encoding: Encoding) -> bool:
    """Whether the likeness of two rows depends on their distance alone: all columns are pairs of sine and cosine."""
    try:
        paired(encoding)
    except ValueError:
        return False
    return True


def rows_with_value(encoding: Encoding, positions: IntArray) -> npt.NDArray[np.bool_]:
    """Whether each position has a value, bool ``(n_positions,)``."""
    if np.isinf(encoding.domain).all():
        return np.ones(len(positions), bool)
    return np.array([encoding.has_value(position) for position in positions.tolist()], bool)


def _cell_vector(encoding: Encoding, differences: IntArray, step: int, measure: str) -> FloatArray:
    """The cell's number for each difference of its two first positions, float64 ``(n_differences,)``."""
    if step == 1:
        found, places = np.unique(np.abs(differences), return_inverse=True)
        return similarity(encoding, found, measure)[places]
    weights = np.square(dirichlet(encoding.wrapped_frequencies(), step))
    cosines = weighted_cosine_sums(encoding, differences, weights)
    if measure == "cosine":
        return cosines / len(weights)
    factor = encoding.attention_factor if isinstance(encoding, Rotary) else 1.0
    with np.errstate(over="ignore", invalid="ignore"):
        if measure == "dot":
            return np.asarray(factor * factor * cosines)
        return np.asarray(factor * np.sqrt(np.maximum(2 * (len(weights) - cosines), 0)))


def _means_by_distance(encoding: Encoding, distances: IntArray, count: int, measure: str) -> FloatArray:
    """The mean over all pairs of the first ``count`` positions with a row, at distances >= 0 in ascending order."""
    first, last = encoding.domain
    start = int(first) if math.isfinite(first) else 0
    stop = start + count if math.isinf(last) else min(start + count, int(last) + 1)
    sums, counts = np.zeros(count + 1), np.zeros(count + 1, np.int64)
    wanted = distances[distances < stop - start]
    tall = max(1, min(_BLOCK, _ENTRIES_AT_A_TIME // encoding.n_columns))
    for near in range(start, stop, tall):
        one = np.arange(near, min(near + tall, stop))
        for far in range(near, stop, tall):
            lowest, highest = far - near - tall + 1, far - near + tall - 1
            if not ((wanted >= lowest) & (wanted <= highest)).any():
                continue
            other = np.arange(far, min(far + tall, stop))
            apart = other[None, :] - one[:, None]
            numbers = _likeness(encoding, one, other, measure)
            numbers[apart < 0] = np.nan
            known = ~np.isnan(numbers)
            sums += np.bincount(apart[known], weights=numbers[known], minlength=count + 1)
            counts += np.bincount(apart[known], minlength=count + 1)
    means = np.full(len(distances), np.nan)
    inside = distances < len(counts)
    inside[inside] = counts[distances[inside]] > 0
    means[inside] = sums[distances[inside]] / counts[distances[inside]]
    return means


def _likeness(encoding: Encoding, one: IntArray, other: IntArray, measure: str) -> FloatArray:
    """The likeness of rows at some positions and at others, float64 ``(n, m)``; nan where a position has no row."""
    left, right = _rows(encoding, one), _rows(encoding, other)
    products = left @ right.T
    if measure == "dot":
        return products
    squares, others = np.square(left).sum(axis=1)[:, None], np.square(right).sum(axis=1)
    if measure == "cosine":
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(products / np.sqrt(squares * others))
    distances = np.sqrt(np.maximum(squares + others - 2 * products, 0))
    distances[one[:, None] == other] *= 0  # the difference of equal squares is rounding; nan stays nan
    return np.asarray(distances)


def _rows(encoding: Encoding, positions: IntArray) -> FloatArray:
    """The rows at the positions, nan where there is none."""
    known = rows_with_value(encoding, positions)
    rows = np.full((len(positions), encoding.n_columns), np.nan)
    if known.any():
        rows[known] = encoding.values(positions[known], np.arange(encoding.n_columns))
    return rows


def _mean_cells(encoding: Encoding, rows: range, columns: range, measure: str) -> FloatArray:
    """The cells from the mean rows of either axis: the mean of products is the product of means."""
    left, squares = _cell_rows(encoding, rows, measure)
    right, others = (left, squares) if rows == columns else _cell_rows(encoding, columns, measure)
    products = left @ right.T
    if measure != "euclidean":
        return products
    cells = np.sqrt(np.maximum(squares[:, None] + others - 2 * products, 0))
    if rows.step == 1:
        cells[np.array(rows)[:, None] == np.array(columns)] *= 0
    return np.asarray(cells)


def _cell_rows(encoding: Encoding, cells: range, measure: str) -> tuple[FloatArray, FloatArray]:
    """The mean row of each cell ``(n_cells, n_columns)`` (of unit rows for the cosine), and its mean square."""
    width = encoding.n_columns
    if len(cells) * width > _MOST_MEANS:
        raise ValueError(f"{len(cells):,} rows of {width:,} columns are too many to compare: ask for larger steps")
    count = _per_cell(encoding, cells)
    within = np.arange(count) * cells.step // count
    means, squares = np.full((len(cells), width), np.nan), np.full(len(cells), np.nan)
    for place, first in enumerate(cells):
        positions = first + within
        total, square, n_known = np.zeros(width), 0.0, 0
        tall = max(1, _ENTRIES_AT_A_TIME // width)
        for start in range(0, count, tall):
            some = positions[start : start + tall]
            some = some[some < cells.stop]
            found = _rows(encoding, some[rows_with_value(encoding, some)])
            lengths = np.square(found).sum(axis=1)
            if measure == "cosine":
                found, lengths = found[lengths > 0], lengths[lengths > 0]
                found /= np.sqrt(lengths)[:, None]
            total += found.sum(axis=0)
            square, n_known = square + float(lengths.sum()), n_known + len(found)
        if n_known:
            means[place], squares[place] = total / n_known, square / n_known
    return means, squares


def _per_cell(encoding: Encoding, cells: range) -> int:
    """The number of positions of a cell that are read."""
    most = _MOST_ENTRIES // max(1, len(cells) * encoding.n_columns)
    return max(1, min(cells.step, most))


def _check_measure(measure: str) -> None:
    if measure not in MEASURES:
        raise ValueError(f"measure must be one of {', '.join(MEASURES)}, got {shortened(measure)}")
