"""Figures of lines: plots over one axis with a legend that reads the values at the cursor."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtWidgets import QGraphicsGridLayout, QGraphicsItem
from typing_extensions import override

from posenc_core import Document
from posenc_gui.figures.axis_label import AxisLabel
from posenc_gui.figures.figure import PointedFigure
from posenc_gui.figures.lines.line_layers import EdgeDots, LinesLayer, RuleArea
from posenc_gui.figures.lines.line_plot import Plot, Rule
from posenc_gui.figures.lines.line_pointing import LinePointing, LinesView
from posenc_gui.figures.lines.line_script import in_windows, lines_script
from posenc_gui.figures.lines.line_shades import has_shades
from posenc_gui.figures.lines.line_words import (
    ROW_PX,
    LegendBelow,
    LegendLayer,
    LegendRow,
    LineView,
    fits_inside,
    lacks_room,
    places_below,
)
from posenc_gui.figures.viewport import AreaViewport
from posenc_gui.look import Style
from posenc_gui.plotting import Axis, PlotArea

_AXIS_WIDTH, _AXIS_HEIGHT = 46, 22
_GAP = 10.0

_HALF_TICK = 5.0
"""Room in pixels above plots for the upper half of the highest tick's number."""

_BESIDE, _BENEATH = 70.0, 70.0
"""About the pixels of the axes and their names beside and below plots."""

_PREFERRED = 25.0
"""Pixels for each share: less than rows have, since those that lack room would not be divided by their shares."""

_LOW = 230.0  # pixels: the legend would cover much of the plots of a lower figure


_ANY_SIZE = 16777215.0
"""Qt's largest size of an item."""


class LineViewport(AreaViewport[Any]):
    """The viewport of plots over one horizontal axis, that of the first plot.

    ``least_above`` is the least height in pixels of plots above a legend.
    """

    _figure: "LineFigure"
    least_above: ClassVar[float] = 180.0

    @override
    def export_height(self, width: float) -> int:
        own = super().export_height(width)
        return own + round(self.legend_height(QSizeF(width, own)))

    def legend_height(self, size: QSizeF) -> float:
        """The height in pixels of a legend below the plots of a figure of this size, 0 if there is none."""
        plots = self.view.plots if self._figure.has_legend_below else ()
        if not plots:
            return 0.0
        style = self.view.style
        width, share = size.width() - 2 * _GAP, plots[0].stretch / sum(plot.stretch for plot in plots)
        if fits_inside(plots[0], style, QSizeF(width - _BESIDE, (size.height() - _BENEATH) * share)):
            return 0.0
        taken = places_below(plots[0], style, width)[-1].bottom() + _HALF_TICK
        return taken if size.height() - taken >= self.least_above else 0.0

    @override
    def choose(self, switch: str, value: str | int) -> None:
        """Edit the option of the panel that has the switch's name."""
        self._figure.fieldEdited.emit(switch, value, object())

    def reset(self) -> None:
        """Show the whole extents."""
        for area in self._figure.areas:
            area.show_all()

    def follow(self, area: PlotArea) -> None:
        """Show the same part of the common axis in all plots."""
        for other in self._figure.areas:
            if other.across != area.across:
                other.show_window(area.across, other.upright)


class LineFigure(PointedFigure):
    """A figure of plots of lines, which ``plots`` computes from the document.

    ``n_plots`` is their largest number, ``legends`` the indices of plots with a legend inside. A low figure has its
    legend above its plots, with ``has_legend_row`` and enough room. ``plots`` may raise ValueError with one sentence
    for the user, which becomes ``problem``, while the last picture stays. With ``has_legend_below`` a narrow figure has
    its legend below.
    """

    pointing_class = LinePointing
    pointing: LinePointing[Any]
    viewport_class = LineViewport
    viewport: LineViewport
    plots: ClassVar[Callable[[Document], tuple[Plot, ...]]]
    written: ClassVar[Callable[[Document, str, Sequence[Plot], Style], str]] = lines_script
    """The script of plots in view, below the panel's title."""
    n_plots: ClassVar[int] = 1
    legends: ClassVar[tuple[int, ...]] = (0,)
    has_legend_row: ClassVar[bool] = True
    has_legend_below: ClassVar[bool] = False
    divides_rows: ClassVar[bool] = True
    """Whether the plots share the whole height."""
    is_above = True
    """Whether the plots are in the first rows."""
    _has_lines = True

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._plots: tuple[Plot, ...] = ()
        self.areas: list[RuleArea] = []
        self._axes: list[Axis] = []
        self._names: list[AxisLabel] = []
        self.layout.setContentsMargins(0, _GAP, _GAP, 0)
        self.layout.setVerticalSpacing(_GAP)
        self.setMaximumSize(_ANY_SIZE, _ANY_SIZE)  # else the figure would keep the maximum size of its present parts
        for index in range(self.n_plots):
            self._add_plot(index, style)
        self.area, last = self.areas[0], self.areas[-1]
        self.pointing.area = self.area
        self._bottom = Axis(last, style, upright=False, size=_AXIS_HEIGHT)
        self._bottom_name = AxisLabel(last, style, upright=False)
        self.addItem(self._bottom, self.n_plots, 2)
        self.addItem(self._bottom_name, self.n_plots + 1, 2)
        self.layout.setRowSpacing(self.n_plots - 1, 0)
        self.layout.setRowSpacing(self.n_plots, 0)
        self.area.sigXRangeChanged.connect(self.noteChanged)
        self._legend_row = LegendRow(self.line_view)
        self._legend_row.setParentItem(self)
        self._legend_below = LegendBelow(partial(self.line_view, 0))
        self._legend_below.setParentItem(self)
        self._legends = [LegendLayer(self.areas[index], partial(self.line_view, index)) for index in self.legends]
        self.geometryChanged.connect(self._fit_legend)
        self._fit_legend()

    def _add_plot(self, index: int, style: Style) -> None:
        area = RuleArea(partial(self.line_view, index))
        axis, name = Axis(area, style, upright=True, size=_AXIS_WIDTH), AxisLabel(area, style, upright=True)
        for column, item in enumerate((name, axis, area)):
            self.addItem(item, index, column)
        LinesLayer(area, partial(self.line_view, index))
        EdgeDots(area, partial(self.line_view, index), self)
        area.ruleDragged.connect(self._drag_rule)
        area.ruleDropped.connect(self._refresh)
        area.sigXRangeChanged.connect(self.viewport.follow)
        area.hovered.connect(self._point_line)
        area.clicked.connect(self._hold_line)
        area.resetAsked.connect(self.viewport.reset)
        self.areas.append(area)
        self._axes.append(axis)
        self._names.append(name)

    @property
    def line_items(self) -> tuple[QGraphicsItem, ...]:
        """The plots, their axes and their names."""
        return (*self.areas, *self._axes, *self._names, self._bottom, self._bottom_name)

    def show_lines(self, has_room: bool) -> None:
        """Show the plots, or leave their room to the items below them."""
        for item in self.line_items:
            item.setVisible(has_room)
        had_room, self._has_lines = self._has_lines, has_room
        if has_room:
            self._fit_legend()
        elif had_room:
            self._legend_row.hide()
            self._legend_below.hide()
            self.layout.setContentsMargins(0, _GAP, _GAP, 0)  # without the room of a legend
        for strip in (*self._axes, *self._names, self._bottom, self._bottom_name):
            strip.take_room(has_room)
        for row in range(self.n_plots + 2):
            self.layout.setRowMaximumHeight(row, _ANY_SIZE if has_room and self.is_above else 0.0)

    def _fit_legend(self) -> None:
        """Show the legend in a row above the plots of a low figure, else inside; as before while no point is known."""
        if not self._has_lines:
            return
        is_low = self.size().height() < _LOW * math.sqrt(self.n_plots) * max(1.0, self.style.text_scale)
        wants_row = self.has_legend_row and (is_low or self._legend_row.isVisible())
        if self.has_legend_row and not is_low:
            waits = wants_row and not _has_points(self._plots)
            wants_row = waits or _lacks_room(self._plots, self.style, self.size(), self.pointing.x is not None)
        row = QRectF(_GAP, 0, self.size().width() - 2 * _GAP, ROW_PX)
        has_row = self._legend_row.fit(self._plots if wants_row else (), self.style, row)
        width, height = self.size().width(), self.size().height()
        below = 0.0 if has_row else self.viewport.legend_height(self.size())
        self._legend_below.setGeometry(QRectF(_GAP, height - below, width - 2 * _GAP, below))
        self._legend_below.setVisible(below > 0)
        self.layout.setContentsMargins(0, ROW_PX + _HALF_TICK if has_row else _GAP, _GAP, below)
        for legend in self._legends:
            legend.setVisible(not has_row and not below)

    @property
    @override
    def has_picture(self) -> bool:
        return bool(self._plots)

    @override
    def view(self, scale: float = 1.0) -> LinesView:
        return LinesView(*self.shown(), self._plots)

    def line_view(self, index: int) -> LineView:
        """Content of the plot at an index."""
        plot = self._plots[index] if index < len(self._plots) else None
        return LineView(plot, self.pointing.x, self.style)

    @override
    def script(self) -> str:
        if not self._plots:
            return super().script()
        windows = [(area.across, area.upright) for area in self.areas[: len(self._plots)]]
        return type(self).written(self.document, self.spec.title, in_windows(self._plots, windows), self.style)

    @override
    def _document_shown(self, before: Document) -> None:
        plots = self._computed(self._plots_of, (), self._plots)
        self._plots = tuple(plot.widened(self.least, index) for index, plot in enumerate(plots))
        if not self._plots:
            return
        is_dragging = any(area.is_dragging for area in self.areas)
        for index, (area, axis, name) in enumerate(zip(self.areas, self._axes, self._names, strict=True)):
            plot = self._plots[min(index, len(self._plots) - 1)]
            x, y = plot.x_scale.extent, plot.y_scale.extent
            if not is_dragging:  # the straight line stays under the mouse
                area.set_extent(x, y, least=(min(2.0, x[1] - x[0]), (y[1] - y[0]) / 1000))
            axis.show_scale(plot.y_scale)
            name.show_text(plot.y_scale.title)
            if self.divides_rows:
                _fit_row(self.layout, index, plot.stretch if index < len(self._plots) else 0)
            if self.n_plots > 1:
                for item in (area, axis, name):
                    item.setVisible(index < len(self._plots))
        self._bottom.show_scale(self._plots[-1].x_scale)
        self._bottom_name.show_text(self._plots[-1].x_scale.title)
        self._fit_legend()

    def _plots_of(self, document: Document) -> tuple[Plot, ...]:
        return type(self).plots(document)

    @override
    def _cursor_shown(self, before: Any) -> None:
        self.update_all()
        self.noteChanged.emit()

    def _drag_rule(self, rule: Rule, value: float, gesture: object) -> None:
        self.fieldEdited.emit(rule.field, max(1, round(value)), gesture)

    def _refresh(self) -> None:
        """Show the whole range after a straight line was dragged."""
        self._document_shown(self.document)

    def _point_line(self, x: float, y: float, pinned: bool = False) -> None:
        if self._plots:
            plot = self._plots[0]
            value = float(plot.x[plot.nearest(plot.x_scale.value(x))])
            cursor = self.pointing.pointed_x(value, pinned)
            if cursor is not None:
                self.cursorMoved.emit(cursor)

    def _hold_line(self, x: float, y: float) -> None:
        self._point_line(x, y, pinned=True)


def _fit_row(layout: QGraphicsGridLayout, index: int, stretch: int) -> None:
    """Set the share of the height of the plot at an index; 0 hides it."""
    layout.setRowPreferredHeight(index, _PREFERRED * stretch)
    layout.setRowStretchFactor(index, stretch)
    layout.setRowMaximumHeight(index, _ANY_SIZE if stretch else 0.0)
    if index:
        layout.setRowSpacing(index - 1, _GAP if stretch else 0.0)


def _has_points(plots: tuple[Plot, ...]) -> bool:
    """Whether a point of a line is known."""
    return any(np.isfinite(line.y).any() for plot in plots for line in plot.lines)


def _lacks_room(plots: tuple[Plot, ...], style: Style, size: QSizeF, has_values: bool) -> bool:
    """Whether a legend inside a figure of this size has no room, or hides lines of a single plot."""
    room = QSizeF(size.width() - 2 * _GAP - _BESIDE, size.height() - _BENEATH)
    if any(has_shades(plot) and not fits_inside(plot, style, room) for plot in plots):
        return True
    return len(plots) == 1 and lacks_room(plots[0], style, room, has_values)
