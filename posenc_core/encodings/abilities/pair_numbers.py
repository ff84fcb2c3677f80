"""Numbers of queries and keys: entries at their distances, each computed once, or dot products of their rows."""

from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_core.encodings.abilities.pairs import Pairs
from posenc_core.encodings.abilities.rows import Rows, has_values, known_values
from posenc_core.numerics import FloatArray, IntArray

_COLUMNS_AT_A_TIME = 4096


def check_steps(queries: range, keys: range) -> None:
    """ValueError unless queries and keys ascend in equal steps."""
    if queries.step != keys.step or keys.step < 1:
        raise ValueError(f"queries and keys must ascend in the same steps, got {queries.step} and {keys.step}")


def entries_by_distance(table: Rows, column: int, queries: range, keys: range) -> FloatArray:
    """The column's entry at each distance key - query, float64 ``(n_queries, n_keys)``, read-only; nan without one."""
    distances = _distances(queries, keys)
    return _spread(known_values(table, distances, np.array([column]))[:, 0], keys)


def products_by_distance(pairs: Pairs, queries: range, keys: range) -> FloatArray:
    """The dot products of rows of whole pairs, float64 ``(n_queries, n_keys)``, read-only; nan beyond float64."""
    found, places = np.unique(np.abs(_distances(queries, keys)), return_inverse=True)
    products = pairs.dot_products(found)
    return _spread(np.where(np.isfinite(products), products, np.nan)[places], keys)


def row_products(table: Rows, queries: range, keys: range) -> FloatArray:
    """The dot products of rows by blocks of columns, float64 ``(n_queries, n_keys)``; nan without a row."""
    rows, columns_of = np.array(queries), np.array(keys)
    inside = has_values(table, rows), has_values(table, columns_of)
    down, across = rows[inside[0]], columns_of[inside[1]]
    products = np.full((len(queries), len(keys)), np.nan)
    total = np.zeros((len(down), len(across)))
    if total.size:
        for columns in column_blocks(table.n_columns):
            left = table.values(down, columns)
            right = left if queries == keys else table.values(across, columns)
            total += left @ right.T
        products[np.ix_(*inside)] = total
    return products


def vector_products(queries: npt.NDArray[Any], keys: npt.NDArray[Any]) -> FloatArray:
    """The dot products of vectors, float64 ``(n_queries, n_keys)``; nan beyond float64."""
    with np.errstate(over="ignore", invalid="ignore"):
        products = queries @ keys.T
    return np.where(np.isfinite(products), products, np.nan)


def column_blocks(n_columns: int) -> list[IntArray]:
    """All columns, at most 4,096 together."""
    columns = np.arange(n_columns)
    return [columns[first : first + _COLUMNS_AT_A_TIME] for first in range(0, n_columns, _COLUMNS_AT_A_TIME)]


def _distances(queries: range, keys: range) -> IntArray:
    """Every distance key - query, in ascending steps."""
    return keys[0] - queries[-1] + keys.step * np.arange(len(queries) + len(keys) - 1)


def _spread(by_distance: FloatArray, keys: range) -> FloatArray:
    """A row per query of numbers by distance: a view of them, shifted by one from row to row."""
    return np.lib.stride_tricks.sliding_window_view(by_distance, len(keys))[::-1]
