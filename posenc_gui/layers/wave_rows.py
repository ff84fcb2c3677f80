"""Which column each row of the waves shows: all of them, those of a pair together, or pairs spread over the table."""

from functools import lru_cache

import numpy as np
from msgspec import Struct

from posenc_core import Encoding
from posenc_core.encodings import n_whole_pairs, pair_members, pair_of
from posenc_core.numerics import IntArray
from posenc_gui.figures import Choice, Switch
from posenc_gui.look import counted
from posenc_gui.model import column_noun

SPREAD, FROM = "spread", "from"

_CHOICES = (
    Choice(SPREAD, "Spread", "Show columns at even distances over the whole table, those of a pair together"),
    Choice(FROM, "From column", "Show neighbouring columns from this one on"),
)


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

    The first and the last pair are always among them, and that of the ``held`` column, which takes the place of the
    nearest other one. Columns without pairs are spread one by one. All columns where they fit.
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


class RowChoice(Struct, frozen=True):
    """The rows of a plot area that has ``room`` for some of an encoding's columns.

    Where not all columns fit, they are spread over the table if ``is_spread``, else all are there to scroll through.
    ``held`` is the column of a held cell. ``only`` limits the rows to the columns (first, stop).
    """

    encoding: Encoding
    room: float
    is_spread: bool = True
    held: int | None = None
    only: tuple[int, int] | None = None

    @property
    def all_fit(self) -> bool:
        """Whether there is room for all columns."""
        return self.only is not None or self.room >= self.encoding.n_columns

    @property
    def spreads(self) -> bool:
        """Whether the rows are columns from all over the table, because not all fit."""
        return self.is_spread and not self.all_fit

    @property
    def order(self) -> IntArray:
        """The columns of all rows, from the bottom one up."""
        if self.spreads:
            return spread_columns(self.encoding, round(self.room), self.held)
        order = row_order(self.encoding)
        return order if self.only is None else order[(order >= self.only[0]) & (order < self.only[1])]

    @property
    def count(self) -> float:
        """The number of rows in view."""
        n_rows = float(len(self.order))
        return n_rows if self.spreads else min(n_rows, self.room)

    def switch(self, columns: tuple[int, ...]) -> Switch | None:
        """The switch in the header while these columns are in view; None if all columns fit."""
        if self.all_fit or not columns:
            return None
        chosen = SPREAD if self.spreads else FROM
        return Switch("columns", _CHOICES, chosen, columns[0], self.encoding.n_columns - 1)

    def note(self, columns: tuple[int, ...]) -> str:
        """Which columns are in view, if not all are: ``columns 0–17 of 128``, ``12 of 256 pairs, evenly spread``."""
        encoding = self.encoding
        if len(columns) == encoding.n_columns or not columns:
            return ""
        noun, (low, high) = column_noun(encoding), (min(columns), max(columns))
        if not self.spreads and high - low + 1 == len(columns):
            return f"{noun}s {low}–{high} of {counted(encoding.n_columns)}"
        pairs = {pair for pair in (pair_of(encoding, column) for column in columns) if pair is not None}
        if self.spreads:
            count, total = (len(pairs), n_whole_pairs(encoding)) if pairs else (len(columns), encoding.n_columns)
            return f"{count} of {counted(total)} {'pair' if pairs else noun}s, evenly spread"
        return f"pairs {min(pairs)}–{max(pairs)} of {counted(n_whole_pairs(encoding))}"
