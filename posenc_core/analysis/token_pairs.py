"""The number of each query and key: the entry at their distance, or the dot product of the rows of their positions.

If a number depends on the distance alone, each distance is computed once.
"""

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from posenc_core.analysis.pair_waves import dot_products
from posenc_core.encodings import Encoding, Rotary, n_whole_pairs
from posenc_core.numerics import FloatArray, IntArray

_COLUMNS_AT_A_TIME = 4096
_LARGEST_COST = 1 << 28
"""Products of a picture."""

_MOST_ENTRIES = 1 << 20
"""Entries that a picture reads of the queries, and as many of the keys: some hundredths of a second."""

_FEWEST, _MOST_ROWS = 16, 1024
_DISTANCES = 4096


def pair_values(encoding: Encoding, column: int, queries: range, keys: range) -> FloatArray:
    """The number of each query and key, float64 ``(n_queries, n_keys)``, read-only.

    It is nan for a position without a value, and for a dot product beyond float64.

    In relative families it is the entry in ``column`` at the distance key - query, else the dot product of the two
    rows for any ``column``. ValueError unless queries and keys ascend in equal steps.
    """
    if queries.step != keys.step or keys.step < 1:
        raise ValueError(f"queries and keys must ascend in the same steps, got {queries.step} and {keys.step}")
    if not queries or not keys:
        return np.empty((len(queries), len(keys)))
    if not encoding.relative and not is_shift_invariant(encoding):
        return _products(encoding, np.array(queries), np.array(keys))
    distances = keys[0] - queries[-1] + keys.step * np.arange(len(queries) + len(keys) - 1)
    values = _at_distances(encoding, column, distances) if encoding.relative else _cosines(encoding, distances)
    return np.lib.stride_tricks.sliding_window_view(values, len(keys))[::-1]


def rotated_scores(rotary: Rotary, sides: tuple[FloatArray, FloatArray], queries: range, keys: range) -> FloatArray:
    """The score of each query and key, float64 ``(n_queries, n_keys)``; nan for one beyond float64.

    ``sides`` are the queries and the keys before their rotation, ``(n, head_dim)`` each. Source: Su et al. 2021,
    eq. 16.
    """
    turned = (rotary.rotate(side, tokens) for side, tokens in zip(sides, (queries, keys), strict=True))
    with np.errstate(over="ignore", invalid="ignore"):
        scores = next(turned) @ next(turned).T
    return np.where(np.isfinite(scores), scores, np.nan)


@lru_cache(maxsize=64)
def pair_reach(encoding: Encoding, column: int, count: int) -> float:
    """The largest absolute number of any query and key among ``count`` tokens, > 0.

    Of many distances or rows it is computed from a sample that contains the nearest and the farthest.
    """
    if encoding.relative:
        near = np.arange(min(count, _DISTANCES))
        far = np.unique(np.linspace(0, count - 1, _DISTANCES).astype(np.int64))
        distances = np.unique(np.concatenate([near, far]))
        values = _at_distances(encoding, column, np.concatenate([-distances[::-1], distances]))
        reach = float(np.nanmax(np.abs(values), initial=0.0))
    elif is_shift_invariant(encoding):
        reach = float(dot_products(encoding, [0])[0])
    else:
        rows = np.unique(np.linspace(0, count - 1, min(count, _most_rows(encoding))).astype(np.int64))
        reach = _largest_square(encoding, rows[_has_value(encoding, rows)])
    return reach if 0 < reach < math.inf else 1.0


def is_reach_sampled(encoding: Encoding, count: int) -> bool:
    """Whether ``pair_reach`` is computed from a sample."""
    if encoding.relative:
        return count > _DISTANCES
    return not is_shift_invariant(encoding) and count > _most_rows(encoding)


def _most_rows(encoding: Encoding) -> int:
    return max(2, min(_MOST_ROWS, _MOST_ENTRIES // 2 // encoding.n_columns))


def affordable_rows(encoding: Encoding, *, has_sides: bool = False) -> int:
    """Largest number of queries and keys computed in a moment; ``has_sides`` if each token has its own vectors."""
    if encoding.relative or (is_shift_invariant(encoding) and not has_sides):
        return 1 << 20
    products = math.isqrt(_LARGEST_COST // encoding.n_columns)
    return max(_FEWEST, min(products, _MOST_ENTRIES // encoding.n_columns))


@lru_cache(maxsize=64)
def is_shift_invariant(encoding: Encoding) -> bool:
    """Whether all columns form whole pairs of sine and cosine: then dot products depend on the distance alone."""
    return encoding.n_columns == 2 * n_whole_pairs(encoding)


def _at_distances(encoding: Encoding, column: int, distances: IntArray) -> FloatArray:
    """The column's entries, nan at distances without a value."""
    values = np.full(len(distances), np.nan)
    inside = _has_value(encoding, distances)
    if inside.any():
        values[inside] = encoding.values(distances[inside], np.array([column]))[:, 0]
    return values


def _cosines(encoding: Encoding, distances: IntArray) -> FloatArray:
    """The dot products of rows at these distances; each absolute distance is computed once."""
    found, places = np.unique(np.abs(distances), return_inverse=True)
    products = dot_products(encoding, found)
    return np.where(np.isfinite(products), products, np.nan)[places]


def _products(encoding: Encoding, queries: IntArray, keys: IntArray) -> FloatArray:
    """The dot products of rows, by blocks of columns."""
    across, down = _has_value(encoding, keys), _has_value(encoding, queries)
    products = np.full((len(queries), len(keys)), np.nan)
    same = np.array_equal(queries, keys)
    total = np.zeros((int(down.sum()), int(across.sum())))
    if total.size:
        for columns in _column_blocks(encoding):
            left = encoding.values(queries[down], columns)
            right = left if same else encoding.values(keys[across], columns)
            total += left @ right.T
        products[np.ix_(down, across)] = total
    return products


def _column_blocks(encoding: Encoding) -> list[IntArray]:
    columns = np.arange(encoding.n_columns)
    return [columns[first : first + _COLUMNS_AT_A_TIME] for first in range(0, len(columns), _COLUMNS_AT_A_TIME)]


def _largest_square(encoding: Encoding, rows: IntArray) -> float:
    """The largest squared length of the rows, an upper bound of their dot products."""
    total = np.zeros(len(rows))
    for columns in _column_blocks(encoding):
        total += np.square(encoding.values(rows, columns)).sum(axis=1)
    return float(total.max(initial=0.0))


def _has_value(encoding: Encoding, positions: IntArray) -> npt.NDArray[np.bool_]:
    return np.array([encoding.has_value(position) for position in positions.tolist()], bool)
