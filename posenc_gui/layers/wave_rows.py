"""The columns of waves: their facts, their order as rows with pairs together, and some spread over a table."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from posenc_core import Encoding
from posenc_core.encodings import ColumnInfo, n_whole_pairs, pair_members
from posenc_core.numerics import IntArray


@lru_cache(maxsize=16)
def column_info_of(encoding: Encoding) -> Callable[[int], ColumnInfo]:
    """A cached ``encoding.column_info``: labels and colours ask for it at every paint."""
    return lru_cache(maxsize=8192)(encoding.column_info)


def column_info(encoding: Encoding, column: int) -> ColumnInfo:
    """The cached information on a column; for many columns call ``column_info_of`` once."""
    return column_info_of(encoding)(column)


@lru_cache(maxsize=4)
def row_order(encoding: Encoding) -> IntArray:
    """The columns from the bottom row to the top one, int64 ``(n_columns,)``: the two of a pair are neighbours."""
    columns = np.arange(encoding.n_columns)
    n_pairs = n_whole_pairs(encoding)
    if not n_pairs or len(encoding.column_blocks()) == 1:
        return columns
    paired = np.sort(np.stack(pair_members(encoding, np.arange(n_pairs)), axis=1), axis=1).ravel()
    is_single = np.ones(len(columns), bool)
    is_single[paired] = False
    return np.concatenate([paired, columns[is_single]])


def row_of(encoding: Encoding, column: int) -> int:
    """The row of a column among all rows."""
    return int(np.flatnonzero(row_order(encoding) == column)[0])


@lru_cache(maxsize=8)
def spread_columns(encoding: Encoding, room: int, held: int | None = None) -> IntArray:
    """About ``room`` columns, whole pairs at even distances over the whole table, from the bottom row to the top one.

    The first and the last pair are always among them, and the pair of the ``held`` column, which replaces the
    nearest other pair. Columns without pairs are spread one by one. All columns are returned if they fit.
    """
    order = row_order(encoding)
    if len(order) <= room:
        return order
    n_pairs = n_whole_pairs(encoding)
    n_groups = len(order) - n_pairs
    wanted = min(n_groups, max(1, (room + 1) // 2 if n_pairs else room))
    groups = np.round(np.linspace(0, n_groups - 1, wanted)).astype(np.int64)
    if held is not None:
        row = row_of(encoding, held)
        group = row // 2 if row < 2 * n_pairs else row - n_pairs
        if group not in groups:
            ends = 1 if wanted > 2 else 0  # which stay
            groups[ends + np.argmin(np.abs(groups[ends : wanted - ends] - group))] = group
    firsts = np.where(groups < n_pairs, 2 * groups, groups + n_pairs)
    stops = np.where(groups < n_pairs, firsts + 2, firsts + 1)
    return np.concatenate([order[first:stop] for first, stop in zip(firsts, stops, strict=True)])
