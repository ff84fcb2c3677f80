"""Which columns and positions the waves show, and how the wheel, the keys and a held cell change that."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QPointF, Qt
from typing_extensions import override

from posenc_gui.figures import AreaFigure, Switch, Window, position_switch
from posenc_gui.layers import SPREAD, RowChoice, row_of, row_order
from posenc_gui.look import Style
from posenc_gui.model import Cursor
from posenc_gui.plotting import ALL, PositionArea, PositionFit, Range, moved_to_hold, wheel_steps, wheel_zoom

_ROW_PX = 22.0
_LEAST_ROW_PX = 15.0  # if that is enough for all columns
_FEWEST_ROWS = 4.0  # the first and the last pair


class RowsFigure(AreaFigure):
    """A figure whose rows are columns of the table: all that fit, spread ones, or neighbours to scroll through."""

    area_class = PositionArea
    area: PositionArea
    steps: Mapping[Qt.Key, tuple[int, int]] = {
        Qt.Key.Key_Left: (-1, 0),
        Qt.Key.Key_Right: (1, 0),
        Qt.Key.Key_Up: (0, 1),
        Qt.Key.Key_Down: (0, -1),
    }

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._rows: float | None = None  # None: as many as the height has room for
        self._spread = True  # where not all columns fit
        self._only: tuple[int, int] | None = None  # the columns that a file is limited to
        self._fit = PositionFit()
        self.area.sigResized.connect(self._fit_rows)

    @property
    def _choice(self) -> RowChoice:
        """Which columns the rows show."""
        encoding, cursor = self.document.encoding, self.cursor
        is_held = cursor is not None and cursor.pinned and cursor.column < encoding.n_columns
        room = self._rows
        if room is None:
            height = self.area.rect().height()
            all_fit = height >= encoding.n_columns * _LEAST_ROW_PX
            room = float(encoding.n_columns) if all_fit else max(_FEWEST_ROWS, np.floor(height / _ROW_PX))
        held = cursor.column if cursor is not None and is_held else None
        return RowChoice(encoding, room, self._spread, held, self._only)

    def visible_rows(self) -> tuple[int, int]:
        """The first row in view and the one after the last."""
        low, high = self.area.upright
        n_rows = len(self._choice.order)
        return max(0, int(np.floor(low + 0.5 + 1e-6))), min(n_rows, int(np.ceil(high + 0.5 - 1e-6)))

    def columns_in_view(self) -> tuple[int, ...]:
        """The columns of the rows in view, from the bottom one up."""
        return tuple(self._choice.order[slice(*self.visible_rows())].tolist())

    @override
    def window(self) -> Window:
        return Window(self.area.across, self.area.upright, self._choice.spreads)

    @override
    def show_window(self, window: Window | None) -> None:
        if window is not None:
            self._rows, self._spread = window.y[1] - window.y[0], window.spread  # kept whatever the height
            self._fit_rows()
            self.area.show_window(window.x, self.area.upright if window.spread else window.y)

    @override
    def show_columns(self, first: int, stop: int) -> None:
        self._only, self._rows = (first, stop), None
        self._fit_rows()
        self._rows = float(len(self._choice.order))
        self.area.show_window(self.area.across, (-0.5, self._rows - 0.5))

    @override
    def reset_window(self) -> None:
        self._rows, self._spread, self._only, self._fit.wanted = None, True, None, ALL
        self._fit_rows()
        self.area.show_window(self._fit.window(self.axis), (-0.5, -0.5 + self._choice.count))

    @override
    def show_cell(self, cursor: Cursor) -> None:
        across, upright = self.area.held_across(cursor.position), self.area.upright
        if cursor.column < self.document.encoding.n_columns and not self._choice.spreads:
            upright = moved_to_hold(upright, row_of(self.document.encoding, cursor.column))
        self.area.show_window(across, upright)

    @override
    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        moved, step = super().moved(key, times), self.steps.get(key)
        if moved is None or step is None or not step[1]:
            return moved
        # From row to row, which are not in the order of the columns where those of a pair lie apart.
        encoding, last = self.document.encoding, self.n_pointed - 1
        column = min(0 if self.cursor is None else self.cursor.column, last)
        row = min(max(row_of(encoding, column) + times * step[1], 0), last)
        return replace(moved, column=int(row_order(encoding)[row]))

    @override
    def switches(self) -> tuple[Switch, ...]:
        columns = self._choice.switch(self.columns_in_view())
        return tuple(filter(None, (position_switch(self._fit.chosen(self.axis, self.area.across)), columns)))

    @override
    def choose(self, switch: str, value: str | int) -> None:
        if switch == "positions":
            self._fit.wanted = str(value)
            self.area.show_window(self._fit.window(self.axis), self.area.upright)
        elif value == SPREAD:
            self._spread = True
            self._fit_rows()
            self.update_all()
        else:
            columns = self.columns_in_view()
            column = value if isinstance(value, int) else columns[0] if columns else 0
            self._show_from(row_of(self.document.encoding, column))

    def _show_from(self, row: float) -> None:
        """Show neighbouring columns, from this row of the whole table on."""
        if self._choice.all_fit:
            return
        self._spread = False
        self._fit_rows()
        count = self._choice.count
        low = min(max(row - 0.5, -0.5), len(self._choice.order) - 0.5 - count)
        self.area.show_window(self.area.across, (low, low + count))
        self.update_all()

    def _scroll_to(self, row: float) -> None:
        """Show neighbouring columns around this row of the whole table."""
        self._show_from(round(row - self._choice.count / 2))

    def _positions(self) -> Range:
        return (self.positions.start - 0.5, self.positions.stop - 0.5)

    def _fit_window(self) -> None:
        """Bound the plot area to a new document, and keep the sentence or all positions in view."""
        follows = self._fit.follows(self.area.across)
        self._fit_rows()
        if follows:
            self.area.show_window(self._fit.window(self.axis), self.area.upright)

    def _fit_rows(self) -> None:
        """Bound the plot area to the rows there are, and show as many as before, where they were."""
        self.area.set_extent(self._positions(), (-0.5, len(self._choice.order) - 0.5), least=(1.0, 1.0))
        count = self._choice.count
        low = max(-0.5, min(self.area.upright[0], len(self._choice.order) - 0.5 - count))
        self.area.show_window(self.area.across, (low, low + count))

    def _hold(self) -> None:
        """Bring a held cell into sight; among spread columns it takes the place of the nearest pair."""
        if self._choice.spreads:
            self._fit_rows()
            self.update_all()
        if self.cursor is not None and self.cursor.pinned:
            self.show_cell(self.cursor)

    @override
    def _point(self, across: int, upright: int, pinned: bool) -> None:
        order = self._choice.order
        if 0 <= upright < len(order):
            self.point_at(across, int(order[upright]), pinned)

    @override
    def _wheeled(self, event: Any) -> None:
        steps, modifiers = wheel_steps(event), event.modifiers()
        low, high = self.area.upright
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            self.area.zoom((wheel_zoom(event), 1.0), QPointF(event.pos()))
        elif modifiers & Qt.KeyboardModifier.ShiftModifier:
            rows = max(1.0, round((high - low) * wheel_zoom(event) + np.sign(-steps) * 0.5))
            a_pixel_each = max(1, int(self.area.rect().height()))
            self._rows = min(rows, float(min(self.document.encoding.n_columns, a_pixel_each)))
            self._fit_rows()
            self.update_all()
        else:
            self._scroll(steps * max(1.0, round((high - low) / 8)), event)

    def _scroll(self, rows: float, event: Any) -> None:
        """Scroll through the columns; spread ones give way to the neighbours of the one under the mouse."""
        low, _ = self.area.upright
        if self._choice.spreads:
            _, y = self.area.to_data(event.pos())
            order = self._choice.order
            row = min(max(round(y), 0), len(order) - 1)
            low = row_of(self.document.encoding, int(order[row])) - row - 0.5
        self._show_from(low + rows + 0.5)
