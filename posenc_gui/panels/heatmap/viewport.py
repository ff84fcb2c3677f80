"""Viewport of the heatmap: positions of the sentence or all of them, and columns."""

from collections.abc import Callable

from typing_extensions import override

from posenc_gui.figures import AreaViewport, Switch, position_switch
from posenc_gui.model import Cursor
from posenc_gui.panels.heatmap.view import HeatmapView
from posenc_gui.plotting import ALL, PlotArea, PositionFit, Range, moved_to_hold


class HeatmapViewport(AreaViewport[HeatmapView]):
    """Keeps the sentence's or all positions in view. Some columns alone ``keep_order``: that of the table."""

    def __init__(self, view: Callable[[float], HeatmapView], export_size: tuple[int, int], area: PlotArea) -> None:
        super().__init__(view, export_size, area)
        self._fit, self.keeps_order = PositionFit(), False

    @override
    def switches(self) -> tuple[Switch, ...]:
        view = self.view
        return (position_switch(self._fit.chosen(view.axis, view.positions_in_view)),)

    @override
    def choose(self, switch: str, value: str | int) -> None:
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
        if place is not None and cursor.position in view.axis.shown:
            x, y = view.place(cursor.position, place)
            area.show_window(moved_to_hold(area.across, x), moved_to_hold(area.upright, y))

    def fit(self, was_transposed: bool) -> None:
        """Bound the area to a new document, and keep the sentence or all positions in view."""
        view, area = self.view, self._area
        follows = self._fit.follows(area.across if was_transposed else area.upright)
        area.set_extent(*view.ranges(self._positions(), (-0.5, view.count - 0.5)))
        if view.transpose != was_transposed:
            area.show_all()
        if follows:
            self._show_positions(self._fit.window(view.axis))

    def _show_positions(self, window: Range) -> None:
        """Show these positions of the columns in view."""
        view = self.view
        self._area.show_window(*view.ranges(window, view.columns_in_view))

    def _positions(self) -> Range:
        shown = self.view.axis.shown
        return (shown.start - 0.5, shown.stop - 0.5)
