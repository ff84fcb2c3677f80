"""Viewport of the heatmap: positions of the sentence or all of them, and columns."""

from typing import Protocol

from typing_extensions import override

from posenc_gui.figures import AreaHost, AreaViewport, Choice, Switch, position_switch
from posenc_gui.model import Cursor
from posenc_gui.panels.heatmap.spec import has_all_cells
from posenc_gui.panels.heatmap.view import HeatmapView
from posenc_gui.plotting import ALL, PositionFit, Range, Window, moved_to_hold

_ORDER, _TABLE, _HALVES = "order", "table", "halves"

_ORDERS = (
    Choice(
        _HALVES,
        "sin | cos",
        "Draw sines and cosines apart: in the table's order they would share pixels or make stripes",
    ),
    Choice(_TABLE, "Interleaved", "Draw the columns in the order of the table; pixels mix sines and cosines"),
)


class _Host(AreaHost, Protocol):
    def show_order(self) -> None: ...


class HeatmapViewport(AreaViewport[HeatmapView]):
    """Keeps the sentence's or all positions in view.

    A selection of columns ``keeps_order`` of the table. ``halved``: sines and cosines are separated, None until
    chosen.
    """

    _figure: _Host

    def __init__(self, figure: AreaHost) -> None:
        super().__init__(figure)
        self._fit, self.keeps_order = PositionFit(), False
        self.halved: bool | None = None

    @override
    def window(self) -> Window:
        return Window(self._area.across, self._area.upright, halves=self.view.separates)

    @override
    def show_window(self, window: Window | None) -> None:
        if window is not None:
            self._separate(window.halves)
            super().show_window(window)

    @override
    def positions(self) -> Range | None:
        return self.view.positions_in_view if self.view.rows is None else None

    @override
    def switches(self) -> tuple[Switch, ...]:
        view = self.view
        order = Switch(_ORDER, _ORDERS, _HALVES if view.separates else _TABLE)
        switches = (order,) if view.is_dense else ()
        if not has_all_cells(view.document):
            return switches
        return (*switches, position_switch(self._fit, view.axis, view.positions_in_view))

    @override
    def choose(self, switch: str, value: str | int) -> None:
        if switch == _ORDER:
            self._separate(None if value == _HALVES else False)  # only if pixels are shared
            return
        self._fit.wanted = str(value)
        self._show_positions(self._fit.window(self.view.axis))

    @override
    def reset(self) -> None:
        self._fit.wanted = ALL
        self._fit.window(self.view.axis)
        super().reset()

    @override
    def show_columns(self, first: int, stop: int) -> None:
        self.keeps_order = (first, stop) != (0, self.view.encoding.n_columns)
        view = self.view
        first, stop = view.columns.window_of(first, stop)
        self._area.show_window(*view.ranges(self._positions(), (first - 0.5, stop - 0.5)))

    @override
    def show_cell(self, cursor: Cursor) -> None:
        view, area = self.view, self._area
        place = view.columns.place_of(cursor.column)
        row = view.row_of(cursor.position)
        if place is not None and row is not None and row in view.axis.shown:
            x, y = view.place(row, place)
            area.show_window(moved_to_hold(area.across, x), moved_to_hold(area.upright, y))

    def fit(self, was_transposed: bool) -> None:
        """Bound the area to a new document, and keep the sentence or all positions in view."""
        view, area = self.view, self._area
        follows = self._fit.follows(area.across if was_transposed else area.upright)
        area.set_extent(*view.ranges(self._positions(), (-0.5, view.count - 0.5)))
        if view.transpose != was_transposed:
            area.show_all()
        if follows:
            self._show_positions(self._positions() if view.rows is not None else self._fit.window(view.axis))

    def _separate(self, halved: bool | None) -> None:
        """Show sines and cosines apart, or the order of the table; None separates those that would share a pixel."""
        before, self.halved = self.view.separates, halved
        if self.view.separates != before:
            self._figure.show_order()

    def _show_positions(self, window: Range) -> None:
        """Show these positions of the columns in view."""
        view = self.view
        self._area.show_window(*view.ranges(window, view.columns_in_view))

    def _positions(self) -> Range:
        shown = self.view.axis.shown
        return (shown.start - 0.5, shown.stop - 0.5)
