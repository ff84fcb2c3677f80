"""Content of the waves panel, as one frozen value: the columns of its rows, its positions and the scale of a row."""

import math

import numpy as np
from msgspec import Struct
from typing_extensions import override

from posenc_core import Encoding
from posenc_core.encodings import n_whole_pairs, pair_of
from posenc_core.numerics import IntArray
from posenc_gui.figures import Choice, Shown, Switch
from posenc_gui.layers import RowScale, WaveView, curve_range, row_order, spread_columns
from posenc_gui.look import counted
from posenc_gui.model import column_noun
from posenc_gui.plotting import Extents, PositionArea, Range

SPREAD, FROM = "spread", "from"

_CHOICES = (
    Choice(SPREAD, "Spread", "Show columns at even distances over the whole table, those of a pair together"),
    Choice(FROM, "From column", "Show neighbouring columns from this one on"),
)

_ROW_PX = 22.0
_LEAST_ROW_PX = 15.0  # if that is enough for all columns
_FEWEST_ROWS = 4.0  # the first and the last pair


class WantedRows(Struct, frozen=True):
    """The rows chosen by the user: their number, None for as many as fit the height.

    If not all columns fit, they are spread over the table with ``spread``. ``only`` limits a file to the columns
    (first, stop).
    """

    count: float | None = None
    spread: bool = True
    only: tuple[int, int] | None = None


class RowChoice(Struct, frozen=True):
    """The rows of a plot area with ``room`` for some of an encoding's columns.

    If not all columns fit, they are spread over the table with ``is_spread``, else all can be scrolled through.
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
        """Columns in view, if not all are: ``columns 0–17 of 128``, ``12 of 256 pairs, evenly spread``."""
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


class WavesView(Shown, frozen=True):
    """Rows of columns in an area; ``rows`` is how values become heights in a row."""

    area: PositionArea
    wanted: WantedRows
    rows: RowScale

    @property
    @override
    def scales(self) -> Extents:
        return {"row": (self.rows.low, self.rows.high)}

    @property
    def choice(self) -> RowChoice:
        """Columns of the rows."""
        encoding, room = self.framed.encoding, self.wanted.count
        if room is None:
            height = self.area.rect().height() / max(1.0, self.style.text_scale)
            all_fit = height >= encoding.n_columns * _LEAST_ROW_PX
            room = float(encoding.n_columns) if all_fit else max(_FEWEST_ROWS, np.floor(height / _ROW_PX))
        held = self.at.column if self.is_held and self.at.column < encoding.n_columns else None
        return RowChoice(encoding, room, self.wanted.spread, held, self.wanted.only)

    @property
    def rows_in_view(self) -> range:
        """The rows in view."""
        return self._rows_of(self.choice.order)

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns of the rows in view, from the bottom one up."""
        order = self.choice.order
        seen = self._rows_of(order)
        return tuple(order[seen.start : seen.stop].tolist())

    @property
    def extent(self) -> Range:
        """The range of all positions."""
        return (self.axis.shown.start - 0.5, self.axis.shown.stop - 0.5)

    @property
    def named(self) -> WaveView:
        """Columns named by the labels of the rows, the frame's."""
        return self._waves_of(self.framed.encoding)

    @property
    def waves(self) -> WaveView:
        """Content of the layers of waves."""
        return self._waves_of(self.encoding)

    def _waves_of(self, encoding: Encoding) -> WaveView:
        """Content of the layers of waves with the facts of ``encoding``; layers ask for it dozens of times per edit."""
        low, high = self.area.upright
        order = self.choice.order
        seen = self._rows_of(order)
        shown, row_px = self.axis.shown, float(self.area.rect().height() / (high - low))
        drawn = curve_range(self.encoding, self.area.across, shown[0], shown[-1])
        return WaveView(
            encoding, tuple(order[seen.start : seen.stop].tolist()), seen.start, drawn, self.rows, row_px, self.axis,
            self.cursor, self.style, self.frame is None,
        )  # fmt: skip

    def _rows_of(self, order: IntArray) -> range:
        """The rows in view of those whose columns are ``order``."""
        low, high = self.area.upright
        last = min(len(order), math.ceil(high + 0.5 - 1e-6))
        return range(max(0, math.floor(low + 0.5 + 1e-6)), last)
