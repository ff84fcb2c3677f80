"""Viewport of the waves: all columns that fit, spread ones, or neighbours to scroll through, and positions."""

from typing import Any, Protocol

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QPointF, Qt
from typing_extensions import override

from posenc_gui.figures import AreaHost, AreaViewport, Switch, position_switch
from posenc_gui.layers import row_of
from posenc_gui.model import Cursor
from posenc_gui.panels.waves.view import SPREAD, WantedRows, WavesView
from posenc_gui.plotting import (
    ALL,
    PositionArea,
    PositionFit,
    Range,
    Window,
    fitting,
    moved_to_hold,
    wheel_steps,
    wheel_zoom,
)


class _Host(AreaHost, Protocol):
    @property
    def area(self) -> PositionArea: ...

    def show_rows(self) -> None: ...


class WavesViewport(AreaViewport[WavesView]):
    """The ``wanted`` rows and the positions in view."""

    _figure: _Host

    def __init__(self, figure: AreaHost) -> None:
        super().__init__(figure)
        self.wanted, self._fit = WantedRows(), PositionFit()

    @override
    def window(self) -> Window:
        return Window(self._area.across, self._area.upright, self.view.choice.spreads)

    @override
    def show_window(self, window: Window | None) -> None:
        if window is not None:  # the number of rows stays at any height
            self.wanted = replace(self.wanted, count=window.y[1] - window.y[0], spread=window.spread)
            self.fit_rows()
            self._area.show_window(window.x, self._area.upright if window.spread else window.y)

    @override
    def show_columns(self, first: int, stop: int) -> None:
        self.wanted = replace(self.wanted, count=None, only=(first, stop))
        self.fit_rows()
        count = float(len(self.view.choice.order))
        self.wanted = replace(self.wanted, count=count)
        self._area.show_window(self._area.across, (-0.5, count - 0.5))

    @override
    def reset(self) -> None:
        self.wanted, self._fit.wanted = WantedRows(), ALL
        self.fit_rows()
        self._area.show_window(self._fit.window(self.view.axis), (-0.5, -0.5 + self.view.choice.count))

    @override
    def show_cell(self, cursor: Cursor) -> None:
        view, upright = self.view, self._area.upright
        if cursor.column < view.framed.encoding.n_columns and not view.choice.spreads:
            upright = moved_to_hold(upright, row_of(view.framed.encoding, cursor.column))
        self._area.show_window(self._figure.area.held_across(cursor.position), upright)

    @override
    def positions(self) -> Range:
        return self._area.across

    @override
    def switches(self) -> tuple[Switch, ...]:
        view = self.view
        positions = position_switch(self._fit, view.axis, self._area.across)
        return tuple(filter(None, (positions, view.choice.switch(view.columns))))

    @override
    def choose(self, switch: str, value: str | int) -> None:
        if switch == "positions":
            self._fit.wanted = str(value)
            self._area.show_window(self._fit.window(self.view.axis), self._area.upright)
        elif value == SPREAD:
            self._want(replace(self.wanted, spread=True))
        else:
            view = self.view
            column = value if isinstance(value, int) else view.columns[0] if view.columns else 0
            self._show_from(row_of(view.framed.encoding, column))

    @property
    def scaled_positions(self) -> Range:
        """The positions whose numbers set the scale of the rows: the fitted ones, or all after a zoom."""
        axis = self.view.axis
        return fitting(axis, self._fit.chosen(axis, self._area.across) or ALL)

    def fit(self) -> None:
        """Bound the plot area to a new document, and keep the sentence or all positions in view."""
        follows = self._fit.follows(self._area.across)
        self.fit_rows()
        if follows:
            self._area.show_window(self._fit.window(self.view.axis), self._area.upright)

    def fit_rows(self) -> None:
        """Bound the plot area to the existing rows, and show as many as fit at the present place.

        The last row and a held cell stay visible when fewer rows fit.
        """
        view = self.view
        n_rows, count = len(view.choice.order), view.choice.count
        before, held = self._area.upright, self._held_row()
        at_end = before[0] > -0.5 and n_rows - 0.5 <= before[1]
        low = n_rows - 0.5 - count if at_end else max(-0.5, min(before[0], n_rows - 0.5 - count))
        rows = (low, low + count)
        if held is not None and before[0] < held < before[1]:
            rows = moved_to_hold(rows, held)
        self._area.set_extent(view.extent, (-0.5, n_rows - 0.5), upright=rows)

    def _held_row(self) -> int | None:
        """The row of the held cell, None without one, or if columns are spread over the table."""
        view = self.view
        cursor, encoding = view.cursor, view.framed.encoding
        if cursor is None or not cursor.pinned or view.choice.spreads or cursor.column >= encoding.n_columns:
            return None
        return row_of(encoding, cursor.column)

    def hold(self, cursor: Cursor | None) -> None:
        """Make a held cell visible; among spread columns its pair replaces the nearest one."""
        if self.view.choice.spreads:
            self._want(self.wanted)
        if cursor is not None and cursor.pinned:
            self.show_cell(cursor)

    def scroll_to(self, row: float) -> None:
        """Show neighbouring columns around this row of the whole table."""
        self._show_from(round(row - self.view.choice.count / 2))

    @override
    def wheeled(self, event: Any) -> None:
        """Scroll through the columns; with Ctrl zoom the positions, with Shift show more or fewer columns."""
        steps, modifiers, (low, high) = wheel_steps(event), event.modifiers(), self._area.upright
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            self._area.zoom((wheel_zoom(event), 1.0), QPointF(event.pos()))
        elif modifiers & Qt.KeyboardModifier.ShiftModifier:
            rows = max(1.0, round((high - low) * wheel_zoom(event) + np.sign(-steps) * 0.5))
            a_pixel_each = max(1, int(self._area.rect().height()))
            most = float(min(self.view.framed.encoding.n_columns, a_pixel_each))
            self._want(replace(self.wanted, count=min(rows, most)))
        else:
            self._scroll(steps * max(1.0, round((high - low) / 8)), event)

    def _scroll(self, rows: float, event: Any) -> None:
        """Scroll through the columns; spread columns are replaced by the neighbours of the one under the mouse."""
        low, view = self._area.upright[0], self.view
        if view.choice.spreads:
            _, y = self._area.to_data(event.pos())
            order = view.choice.order
            row = min(max(round(y), 0), len(order) - 1)
            low = row_of(view.framed.encoding, int(order[row])) - row - 0.5
        self._show_from(low + rows + 0.5)

    def _show_from(self, row: float) -> None:
        """Show neighbouring columns, from this row of the whole table on."""
        if self.view.choice.all_fit:
            return
        self.wanted = replace(self.wanted, spread=False)
        self.fit_rows()
        choice = self.view.choice
        low = min(max(row - 0.5, -0.5), len(choice.order) - 0.5 - choice.count)
        self._area.show_window(self._area.across, (low, low + choice.count))
        self._figure.show_rows()

    def _want(self, wanted: WantedRows) -> None:
        self.wanted = wanted
        self.fit_rows()
        self._figure.show_rows()
