"""Figures of lines: plots over one axis with a legend that reads the values at the cursor."""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

from PySide6.QtCore import QRectF
from typing_extensions import override

from posenc_core import Document
from posenc_core.numerics import FloatArray
from posenc_core.scripts import lines_script
from posenc_gui.figures.axis_label import AxisLabel
from posenc_gui.figures.cell_figure import WindowedFigure
from posenc_gui.figures.lines.line_layers import LinesLayer, RuleArea
from posenc_gui.figures.lines.line_plot import Plot, Rule, drawn_plots, numbers_of, value_text
from posenc_gui.figures.lines.line_words import ROW_PX, LegendLayer, LegendRow, LineView
from posenc_gui.look import Style
from posenc_gui.model import Cursor
from posenc_gui.plotting import Axis, PlotArea

_AXIS_WIDTH, _AXIS_HEIGHT = 46, 22
_GAP = 10.0

_PREFERRED = 25.0
"""Pixels for each share: less than rows have, since those that lack room would not be divided by their shares."""

_LOW = 230.0  # pixels: the legend would cover much of the plots of a lower figure


class LineFigure(WindowedFigure):
    """A figure of plots of lines. Subclasses fill in ``plots``, ``cursor_x`` and ``_point_x``.

    ``n_plots`` is their number. Pictures and numbers are functions of the document. ``plots`` may raise ValueError with
    one sentence for the user: it is kept as ``problem``, and the last picture stays.
    """

    has_numbers = True
    n_plots = 1
    has_legend_inside: ClassVar[bool] = True
    has_legend_row: ClassVar[bool] = True
    """Whether a low figure has its legend above its plots, where that has room for it."""

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._plots: tuple[Plot, ...] = ()
        self.areas: list[RuleArea] = []
        self._axes: list[Axis] = []
        self._names: list[AxisLabel] = []
        self.layout.setContentsMargins(0, _GAP, _GAP, 0)
        self.layout.setVerticalSpacing(_GAP)
        for index in range(self.n_plots):
            self._add_plot(index, style)
        area = self.areas[-1]
        self._bottom = Axis(area, style, upright=False, size=_AXIS_HEIGHT)
        self._bottom_name = AxisLabel(area, style, upright=False)
        self.addItem(self._bottom, self.n_plots, 2)
        self.addItem(self._bottom_name, self.n_plots + 1, 2)
        self.area = self.areas[0]
        self.layout.setRowSpacing(self.n_plots - 1, 0)
        self.layout.setRowSpacing(self.n_plots, 0)
        self._legend_row = LegendRow(self._view)
        self._legend_row.setParentItem(self)
        self._legends = [LegendLayer(self.areas[0], partial(self._view, 0))] if self.has_legend_inside else []
        self.geometryChanged.connect(self._fit_legend)
        self._fit_legend()

    def _add_plot(self, index: int, style: Style) -> None:
        area = RuleArea(partial(self._view, index))
        axis, name = Axis(area, style, upright=True, size=_AXIS_WIDTH), AxisLabel(area, style, upright=True)
        for column, item in enumerate((name, axis, area)):
            self.addItem(item, index, column)
        LinesLayer(area, partial(self._view, index))
        area.ruleDragged.connect(self._drag_rule)
        area.ruleDropped.connect(self._dragged)
        area.hovered.connect(self._hovered)
        area.clicked.connect(self._clicked)
        area.resetAsked.connect(self.reset_window)
        area.sigXRangeChanged.connect(self._follow)
        self.areas.append(area)
        self._axes.append(axis)
        self._names.append(name)

    def _fit_legend(self) -> None:
        """Show the legend in a row above the plots of a low figure, else inside."""
        is_low = self.has_legend_row and self.size().height() < _LOW * math.sqrt(self.n_plots)
        row = QRectF(_GAP, 0, self.size().width() - 2 * _GAP, ROW_PX)
        has_row = self._legend_row.fit(self._plots if is_low else (), self.style, row)
        self.layout.setContentsMargins(0, ROW_PX if has_row else _GAP, _GAP, 0)
        for legend in self._legends:
            legend.setVisible(not has_row)

    @property
    @override
    def has_picture(self) -> bool:
        return bool(self._plots)

    @classmethod
    def plots(cls, document: Document) -> tuple[Plot, ...]:
        """What is drawn for a document that lacks nothing; empty if there is nothing to draw."""
        raise NotImplementedError

    @classmethod
    @override
    def numbers(cls, document: Document) -> Mapping[str, FloatArray]:
        return numbers_of(cls.plots(document))

    @property
    def shown_plots(self) -> tuple[Plot, ...]:
        """The plots that are on the screen; none before the first picture."""
        return self._plots

    def cursor_x(self) -> float | None:
        """The value of x at the cursor; None without a cursor."""
        return None

    def _point_x(self, x: float, pinned: bool) -> None:
        """Move the cursor to the value of x."""

    def rule_value(self, rule: Rule, value: float) -> Any:
        """The field's value for a straight line that is dragged to ``value``; by default the nearest whole number."""
        return max(1, round(value))

    def _view(self, index: int) -> LineView:
        plot = self._plots[index] if index < len(self._plots) else None
        return LineView(plot, self.cursor_x(), self.style)

    def _drag_rule(self, rule: Rule, value: float, gesture: object) -> None:
        self.fieldEdited.emit(rule.field, self.rule_value(rule, value), gesture)

    @property
    def _is_dragging(self) -> bool:
        return any(area.is_dragging for area in self.areas)

    def _dragged(self) -> None:
        """Show the whole of what a straight line was dragged to."""
        self._document_shown(self.document)

    @override
    def spoken(self) -> str:
        view, note = self._view(0), self.note()
        if view.plot is None or view.x is None or self.problem:
            return note
        index, across = view.plot.nearest(view.x), view.plot.x_scale.title.partition(",")[0]
        values = [f"{line.name} {value_text(float(line.y[index]))}" for line in view.plot.lines]
        return " · ".join(filter(None, (", ".join([f"{across} {value_text(view.x)}", *values]), note)))

    @override
    def script(self) -> str:
        if not self._plots:
            return super().script()
        windows = [(area.across, area.upright) for area in self.areas]
        return lines_script(self.document.encoding, self.title, drawn_plots(self._plots, windows, self.style))

    @override
    def reset_window(self) -> None:
        for area in self.areas:
            area.show_all()

    @override
    def _document_shown(self, before: Document) -> None:
        self._plots, self.problem = self._new_plots()
        if not self._plots:
            return
        for plot, area, axis, name in zip(self._plots, self.areas, self._axes, self._names, strict=True):
            x, y = plot.x_scale.extent, plot.y_scale.extent
            if not self._is_dragging:  # the straight line stays under the mouse
                area.set_extent(x, y, least=(min(2.0, x[1] - x[0]), (y[1] - y[0]) / 1000))
            axis.show_scale(plot.y_scale)
            name.show_text(plot.y_scale.title)
        for index, plot in enumerate(self._plots):
            self.layout.setRowPreferredHeight(index, _PREFERRED * plot.stretch)
            self.layout.setRowStretchFactor(index, plot.stretch)
        self._bottom.show_scale(self._plots[-1].x_scale)
        self._bottom_name.show_text(self._plots[-1].x_scale.title)
        self._fit_legend()

    def _new_plots(self) -> tuple[tuple[Plot, ...], str]:
        """The document's plots; the last ones, and why, if it has none."""
        if self.missing(self.document) is not None:
            return (), ""
        try:
            return self.plots(self.document), ""
        except ValueError as error:
            return self._plots, str(error)

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        self.update_all()
        self.noteChanged.emit()

    @override
    def _style_shown(self) -> None:
        for item in (*self._axes, *self._names, self._bottom, self._bottom_name):
            item.show_style(self.style)

    def _follow(self, area: PlotArea) -> None:
        """Show the same part of the common axis in all plots."""
        for other in self.areas:
            if other.across != area.across:
                other.show_window(area.across, other.upright)
        self.noteChanged.emit()

    def _hovered(self, x: float, y: float) -> None:
        self._point_place(x, False)

    def _clicked(self, x: float, y: float) -> None:
        self._point_place(x, True)

    def _point_place(self, place: float, pinned: bool) -> None:
        if self._plots:
            plot = self._plots[0]
            self._point_x(float(plot.x[plot.nearest(plot.x_scale.value(place))]), pinned)
