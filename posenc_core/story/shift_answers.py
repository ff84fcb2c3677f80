"""The answers that lessons ask for, about the matrices that lead from each row to the row k positions on."""

import numpy as np

from posenc_core.analysis import shift_blocks, shift_matrix, shift_residual
from posenc_core.numerics import FloatArray
from posenc_core.session import Document

_ROUNDING = 1e-9
"""Largest error of a map that is exact but for rounding."""


def depends_on_position(document: Document, k: int) -> bool:
    """Whether no single matrix leads from every row to the row k positions on."""
    return shift_error(document, k) > _ROUNDING


def shift_error(document: Document, k: int) -> float:
    """The largest error of the best matrix from each row to the row k positions later, over 50 rows.

    The document's view determines whether cosines are included.
    """
    without = "cos" if document.value("shift_without_cosines") else ""
    return shift_residual(document.encoding, k, without=without)


def shift_degrees(document: Document, pair: int, k: int) -> float:
    """The degrees by which a shift by k positions turns a pair, from -180 to 180."""
    block = shift_blocks(document.encoding, k)[pair]
    return float(np.degrees(np.arctan2(block[0, 1], block[0, 0])))


def matrix_entry(document: Document, k: int, row: int, column: int) -> float:
    """An entry of the matrix M_k."""
    return float(shift_matrix(document.encoding, k)[row, column])


def matrix_is_power(document: Document, k: int) -> bool:
    """Whether M_k is M_1 applied k times."""
    powered = np.linalg.matrix_power(shift_matrix(document.encoding, 1), k)
    return _same(shift_matrix(document.encoding, k), powered)


def matrix_undoes(document: Document, k: int) -> bool:
    """Whether M_-k is the inverse of M_k."""
    product = shift_matrix(document.encoding, -k) @ shift_matrix(document.encoding, k)
    return _same(product, np.eye(len(product)))


def matrix_name(document: Document, k: int) -> str:
    """Name of M_k: the identity, all zeros, all ones, or another matrix."""
    matrix = shift_matrix(document.encoding, k)
    shape = matrix.shape
    named = {"the identity": np.eye(len(matrix)), "all zeros": np.zeros(shape), "all ones": np.ones(shape)}
    return next((name for name, each in named.items() if _same(matrix, each)), "another matrix")


def _same(one: FloatArray, other: FloatArray) -> bool:
    return bool(np.abs(one - other).max() < _ROUNDING)
