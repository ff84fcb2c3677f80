"""The largest number of any query and key, and how many of them are computed in a moment."""

import math
from functools import lru_cache

import numpy as np

from posenc_core.encodings import Encoding, column_blocks, has_values, known_values
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.text import TokenVectors

_LARGEST_COST = 1 << 28
"""Products of a picture."""

_MOST_ENTRIES = 1 << 20
"""Entries that a picture reads of the queries, and as many of the keys: some hundredths of a second."""

_FEWEST, _MOST_ROWS, _MOST_TOKENS = 16, 1024, 256
_DISTANCES = 4096


def pair_reach(encoding: Encoding, column: int, count: int, content: TokenVectors | None = None) -> float:
    """The largest absolute number of any query and key among ``count`` tokens, > 0; arguments as ``pair_values``.

    For many distances, rows or tokens it is computed from a sample that contains the nearest and the farthest.
    """
    return _reach(encoding, column, count) if content is None else _reach_of_tokens(encoding, column, count, content)


def is_reach_sampled(encoding: Encoding, count: int, content: TokenVectors | None = None) -> bool:
    """Whether ``pair_reach`` is computed from a sample."""
    if content is not None or encoding.depends_on_query:
        return count > _most_tokens(encoding, content)
    if encoding.relative:
        return count > _DISTANCES
    return not is_shift_invariant(encoding) and count > _most_rows(encoding)


def affordable_rows(encoding: Encoding, content: TokenVectors | None = None) -> int:
    """Largest number of queries and keys computed in a moment; arguments as ``pair_values``."""
    if encoding.depends_on_query:
        return _MOST_ROWS
    if content is None and (encoding.relative or is_shift_invariant(encoding)):
        return 1 << 20
    return comparable_rows(encoding)


def comparable_rows(encoding: Encoding) -> int:
    """Largest number of rows of a table that are compared with each other in a moment."""
    products = math.isqrt(_LARGEST_COST // encoding.n_columns)
    return max(_FEWEST, min(products, _MOST_ENTRIES // encoding.n_columns))


def is_shift_invariant(encoding: Encoding) -> bool:
    """Whether all columns form whole pairs of sine and cosine: then dot products depend on the distance alone."""
    return encoding.pairs is not None and encoding.pairs.is_whole


@lru_cache(maxsize=64)
def _reach(encoding: Encoding, column: int, count: int) -> float:
    if encoding.depends_on_query:
        return _reach_of_tokens(encoding, column, count, None)
    if encoding.relative:
        near = np.arange(min(count, _DISTANCES))
        far = np.unique(np.linspace(0, count - 1, _DISTANCES).astype(np.int64))
        distances = np.unique(np.concatenate([near, far]))
        both = np.concatenate([-distances[::-1], distances])
        return _checked(known_values(encoding, both, np.array([column])))
    if encoding.pairs is not None and encoding.pairs.is_whole:
        return _checked(encoding.pairs.dot_products(np.array([0])))
    rows = np.unique(np.linspace(0, count - 1, min(count, _most_rows(encoding))).astype(np.int64))
    return _checked(_squares(encoding, rows[has_values(encoding, rows)]))


def _reach_of_tokens(encoding: Encoding, column: int, count: int, content: TokenVectors | None) -> float:
    tokens = range(0, count, max(1, -(-count // _most_tokens(encoding, content))))
    values = encoding.pair_values(tokens, tokens, column, content)
    return _checked(np.tril(values) if encoding.causal else values)  # masked keys have no number


def _checked(values: FloatArray) -> float:
    """The largest absolute value; 1 for none, and for one beyond float64."""
    reach = float(np.nanmax(np.abs(values), initial=0.0))
    return reach if 0 < reach < math.inf else 1.0


def _most_rows(encoding: Encoding) -> int:
    return max(2, min(_MOST_ROWS, _MOST_ENTRIES // 2 // encoding.n_columns))


def _most_tokens(encoding: Encoding, content: TokenVectors | None) -> int:
    """Tokens of which all pairs are tried."""
    return min(_MOST_TOKENS, affordable_rows(encoding, content))


def _squares(encoding: Encoding, rows: IntArray) -> FloatArray:
    """The squared lengths of rows, upper bounds of their dot products."""
    total = np.zeros(len(rows))
    for columns in column_blocks(encoding.n_columns):
        total += np.square(encoding.values(rows, columns)).sum(axis=1)
    return total
