"""Shifts by k positions as linear maps of rows: the exact matrix of whole pairs, or the best one of other tables."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct

from posenc_core.analysis.pair_waves import whole_pairs
from posenc_core.analysis.row_similarity import is_toeplitz
from posenc_core.encodings import Encoding, n_whole_pairs, pair_members
from posenc_core.fields import check_length, check_position, shortened
from posenc_core.numerics import FloatArray, IntArray

MOST_COLUMNS = 2048
"""Largest width of a matrix: 32 MiB of float64."""

_ROWS = 50


class _Fit(Struct, frozen=True, eq=False):
    """The least-squares map of least norm from rows to others, as the product of two thin matrices.

    It equals numpy's ``lstsq``, whose time grows with the cube of the columns, also for a few rows.
    """

    basis: FloatArray
    images: FloatArray

    @classmethod
    def of(cls, before: FloatArray, after: FloatArray) -> "_Fit":
        """The map of rows ``(n, n_columns)`` to rows of the same shape."""
        left, sizes, right = np.linalg.svd(before, full_matrices=False)
        kept = sizes > np.finfo(np.float64).eps * max(before.shape) * sizes.max(initial=0.0)
        return cls(right[kept].T, (left[:, kept].T @ after) / sizes[kept, None])

    def mapped(self, rows: FloatArray) -> FloatArray:
        """The images of rows ``(n, n_columns)``."""
        return np.asarray((rows @ self.basis) @ self.images)


@dataclass(frozen=True, eq=False)
class LinearMap:
    """The least-squares linear map from row p to row p + k.

    ``positions`` are those of its rows p; ``residuals`` the largest error of each mapped row, ``(n_positions,)`` in the
    entries' unit. ``held_out`` is the largest error at every second position, for a map fitted to the other positions.
    ``is_trivial``: there are no more rows than columns, so that any rows have a map without an error. ``columns`` are
    the mapped columns of the table, ``(n_columns,)``.
    """

    fit: _Fit
    positions: IntArray
    residuals: FloatArray
    held_out: float
    is_trivial: bool
    columns: IntArray

    @cached_property
    def matrix(self) -> FloatArray:
        """The matrix ``(n_columns, n_columns)`` that maps a row, as a column vector; computed on first use."""
        return np.asarray((self.fit.basis @ self.fit.images).T, np.float64)


def has_shift_matrix(encoding: Encoding) -> bool:
    """Whether one matrix shifts every row: all columns are pairs that turn with the position, or along axes."""
    return encoding.cells is not None or is_toeplitz(encoding)


def shift_blocks(encoding: Encoding, k: int) -> FloatArray:
    """The blocks of the shift matrix, float64 ``(n_pairs, 2, 2)``, which map (sine, cosine) at p to those at p + k.

    ``[[cos w_i k, sin w_i k], [-sin w_i k, cos w_i k]]``, k in tokens of either sign. Errors as ``shift_matrix``.
    """
    cosines, sines = _turned(encoding, k)
    return np.stack([np.stack([cosines, sines], -1), np.stack([0.0 - sines, cosines], -1)], -2)


def shift_matrix(encoding: Encoding, k: int, without: str = "") -> FloatArray:
    """M_k with ``row(p + k) = M_k row(p)`` for every p, float64 ``(n_columns, n_columns)`` in the order of the columns.

    ``k`` is in tokens, of either sign. The matrix rotates each pair by ``w_i k``: orthogonal, ``M_k M_l = M_(k + l)``.
    In a picture k cells in row-major order are steps along its axes, as few as possible along all but the first: a
    pair turns by the sum of its frequencies times the steps, and p are the cells from which these stay in the picture.
    ``without="cos"`` drops the columns of cosines: then no such matrix exists, and the result is the best map
    ``(n_pairs, n_pairs)`` of the sines in 50 rows by least squares. ValueError for a table without such a matrix, whose
    columns are not pairs of sine and cosine, and for more than 2048 columns, whose blocks ``shift_blocks`` returns.
    Source: Vaswani et al. 2017, section 3.5.
    """
    if _is_without(without):
        return best_linear_map(encoding, k, without=without).matrix
    sines, cosines = _members(encoding)
    check_width(encoding.n_columns)
    cosine, sine = _turned(encoding, k)
    matrix = np.zeros((encoding.n_columns, encoding.n_columns))
    matrix[sines, sines] = matrix[cosines, cosines] = cosine
    matrix[sines, cosines] = sine
    matrix[cosines, sines] = 0.0 - sine  # no -0.0
    return matrix


def shift_residual(encoding: Encoding, k: int, n_positions: int = _ROWS, without: str = "") -> float:
    """Largest error of the best linear map from row p to row p + k, in the entries' unit; rows as ``shift_residuals``.

    The map is the shift matrix, whose error is rounding, or for a table without one the least-squares map, whose error
    grows with the number of rows. For ``Sinusoidal(3)`` and k = 1 it is 2.1e-3 in 50 rows; the sum of squares
    that numpy's ``lstsq`` calls the residual is 5.9e-5 (5.8e-5 in 49).
    """
    return float(shift_residuals(encoding, k, n_positions, without)[1].max())


def shift_residuals(
    encoding: Encoding, k: int, n_positions: int = _ROWS, without: str = ""
) -> tuple[IntArray, FloatArray]:
    """Positions p ``(n,)``, and the largest error of the mapped row at each p, float64 ``(n,)`` in the entries' unit.

    The map is the shift matrix; for a table that has none, and ``without="cos"``, the least-squares map of these rows.
    p = 0..n_positions-1; for a table with an end, the first positions at which p and p + k have a row, at most
    ``n_positions``; for a picture, the first cells from which the steps stay in it. ValueError if no p has both rows.
    """
    if not _is_without(without) and has_shift_matrix(encoding):
        return _exact_residuals(encoding, k, n_positions)
    positions, before, after = _rows_before_and_after(encoding, k, n_positions, without)
    return positions, np.abs(_Fit.of(before, after).mapped(before) - after).max(axis=1)


def best_linear_map(encoding: Encoding, k: int, n_positions: int = _ROWS, without: str = "") -> LinearMap:
    """The map of least squares from row p to row p + k; positions and errors as ``shift_residuals``.

    ValueError for more than 2048 columns.
    """
    columns = _mapped_columns(encoding, without)
    check_width(len(columns))
    positions, before, after = _rows_before_and_after(encoding, k, n_positions, without)
    fit, held_out = _Fit.of(before, after), 0.0
    if len(positions) > 1:
        of_half = _Fit.of(before[::2], after[::2])
        held_out = float(np.abs(of_half.mapped(before[1::2]) - after[1::2]).max())
    residuals = np.abs(fit.mapped(before) - after).max(axis=1)
    return LinearMap(fit, positions, residuals, held_out, len(before) <= before.shape[1], columns)


def _exact_residuals(encoding: Encoding, k: int, n_positions: int) -> tuple[IntArray, FloatArray]:
    """The residuals of the shift matrix, by its blocks."""
    sines, cosines = _members(encoding)
    positions, before, after = _rows_before_and_after(encoding, k, n_positions, "")
    cosine, sine = _turned(encoding, k)
    off = [
        cosine * before[:, sines] + sine * before[:, cosines] - after[:, sines],
        cosine * before[:, cosines] - sine * before[:, sines] - after[:, cosines],
    ]
    return positions, np.abs(off).max(axis=(0, 2))


def shift_angles(encoding: Encoding, k: int) -> FloatArray:
    """The angle by which a shift by k positions turns each pair, float64 ``(n_pairs,)`` in rad."""
    by, cells = check_position(k, "k"), encoding.cells
    return np.asarray(whole_pairs(encoding).signed * by) if cells is None else cells.turns(by)


def _members(encoding: Encoding) -> tuple[IntArray, IntArray]:
    """The columns of the sines and of the cosines of a table of whole pairs; ValueError for another table."""
    return pair_members(encoding, np.arange(len(shift_angles(encoding, 0))))


def _turned(encoding: Encoding, k: int) -> tuple[FloatArray, FloatArray]:
    """Cosine and sine of each pair's turn over k positions."""
    angles = shift_angles(encoding, k)
    return np.cos(angles), np.sin(angles)


def _rows_before_and_after(
    encoding: Encoding, k: int, n_positions: int, without: str
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Positions p, and the rows at p and at p + k ``(n, n_columns)``."""
    count, by = check_length(n_positions, "n_positions"), check_position(k, "k")
    columns, (first, last) = _mapped_columns(encoding, without), encoding.domain
    positions = _shifted_positions(encoding, by, count)
    if not len(positions):
        raise ValueError(f"k = {shortened(by)} leaves no two rows of this table: its positions are {first:g}..{last:g}")
    return positions, encoding.values(positions, columns), encoding.values(positions + by, columns)


def _shifted_positions(encoding: Encoding, by: int, count: int) -> IntArray:
    """The first positions p, at most ``count``, at which p and p + by have a row, in a picture as many steps on."""
    if encoding.cells is not None:
        return encoding.cells.lattices[-1].starts(by, count)
    first, last = encoding.domain
    if np.isfinite(first):
        start = int(max(first, first - by))
    else:
        start = 0 if np.isinf(last) else int(min(last, last - by)) - count + 1
    stop = start + count if np.isinf(last) else min(start + count, int(min(last, last - by)) + 1)
    positions = np.arange(start, max(start, stop))
    has_both = [encoding.has_value(p) and encoding.has_value(p + by) for p in positions.tolist()]
    return np.asarray(positions[np.array(has_both, bool)])


def _mapped_columns(encoding: Encoding, without: str) -> IntArray:
    """The columns that a map maps."""
    return _without_cosines(encoding) if _is_without(without) else np.arange(encoding.n_columns)


def _without_cosines(encoding: Encoding) -> IntArray:
    """The columns without those of cosines; ValueError for a table that has none."""
    cosines = pair_members(encoding, np.arange(n_whole_pairs(encoding)))[1]
    if not len(cosines):
        raise ValueError(f"{encoding.title} has no cosines to leave out: shifts without them need sinusoids or RoPE")
    return np.setdiff1d(np.arange(encoding.n_columns), cosines)


def _is_without(without: Any) -> bool:
    if without not in ("", "cos"):
        raise ValueError(f"without must be 'cos' or '' for nothing, got {shortened(without)}")
    return bool(without)


def check_width(n_columns: int) -> None:
    """ValueError with one sentence for more columns than a matrix of them is computed for."""
    if n_columns > MOST_COLUMNS:
        raise ValueError(f"a matrix of {n_columns:,} columns is too large: at most {MOST_COLUMNS:,} are computed")
