"""The items of a plot of lines: the area with lines to drag, and its drawings."""

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem
from typing_extensions import override

from posenc_core.numerics import FloatArray
from posenc_gui.figures.lines.line_boxes import n_covered, pixel_of, places, words_of_rules
from posenc_gui.figures.lines.line_looks import line_pen, thinned
from posenc_gui.figures.lines.line_plot import Band, Line, Plot, Rule
from posenc_gui.figures.lines.line_words import WORDS_PX, LineView, ground
from posenc_gui.look import LAYER_CURSOR, LAYER_DATA, Style
from posenc_gui.plotting import Layer, Lettering, PlotArea, Polygons, draw_curve

_NEAR_PX = 6.0
_TINT = 0.16
_DOT_PX = 3.2
_POINT_PX = 0.8
"""The radius of a line of a single point, around which its pen draws."""

_DOT_REACH = _DOT_PX + 2.0
"""Slightly more than the distance from a dot's middle to the outer edge of its line, in pixels."""

_ON_EDGE = 0.5
"""Pixels beyond the area at which a dot counts as on its edge, as places are rounded."""

_POINTS_A_PIXEL = 2
_CROWDED = 16.0
"""A line that rises or falls by more pixels per horizontal pixel is drawn in pieces: Qt searches for all places where a
wide line crosses itself, for seconds if the line fills the plot."""

_RULE_DASH = (2.0, 3.0)


class RuleArea(PlotArea):
    """A plot area whose straight lines can be dragged.

    ``ruleDragged`` carries a line, a value, and the gesture; ``ruleDropped`` follows the end of a gesture.
    """

    ruleDragged = Signal(object, float, object)
    ruleDropped = Signal()

    def __init__(self, view: Callable[[], LineView]) -> None:
        super().__init__()
        self._view = view
        self._held: Rule | None = None
        self._gesture = object()

    def rule_at(self, pixel: QPointF) -> Rule | None:
        """The straight line at a pixel that can be dragged; None if there is no such line."""
        plot = self._view().plot
        if plot is None:
            return None
        for rule in plot.rules:
            away = (pixel.x() if rule.upright else pixel.y()) - pixel_of(rule, self, plot)
            if rule.field and abs(away) <= _NEAR_PX:
                return rule
        return None

    @override
    def hoverEvent(self, event: Any) -> None:
        super().hoverEvent(event)
        rule = None if event.isExit() else self.rule_at(event.pos())
        if rule is None:
            self.unsetCursor()
        else:
            self.setCursor(Qt.CursorShape.SplitHCursor if rule.upright else Qt.CursorShape.SplitVCursor)

    @override
    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:
        if event.button() == Qt.MouseButton.LeftButton and event.isStart():
            self._held, self._gesture = self.rule_at(event.buttonDownPos()), object()
        rule, plot = self._held, self._view().plot
        if rule is None or plot is None:
            super().mouseDragEvent(event, axis)
            return
        event.accept()
        x, y = self.to_data(event.pos())
        self.ruleDragged.emit(rule, plot.x_scale.value(x) if rule.upright else plot.y_scale.value(y), self._gesture)
        if event.isFinish():
            self._held = None
            self.ruleDropped.emit()

    @property
    def is_dragging(self) -> bool:
        """Whether a straight line is being dragged."""
        return self._held is not None

    @override
    def wheelEvent(self, event: Any, axis: int | None = None) -> None:
        event.accept()
        self.zoom_by_wheel(event)


class LinesLayer(Layer):
    """The grid, bands, lines, straight lines, and the cursor with a dot on each line."""

    def __init__(self, area: PlotArea, view: Callable[[], LineView]) -> None:
        super().__init__(area, LAYER_DATA)
        self._new_view = view
        self._polygons = Polygons()

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._new_view()
        if view.plot is None:
            return
        self._tint_bands(painter, view.plot, view.style)
        self._draw_grid(painter, view.plot, view.style)
        self._name_bands(painter, view.plot, view.x, view.style)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_lines(painter, view.plot, view.style)
        self._draw_rules(painter, view.plot, view.x, view.style)
        if view.x is not None:
            self._draw_cursor(painter, view.plot, view.x, view.style)

    def _name_bands(self, painter: QPainter, plot: Plot, x: float | None, style: Style) -> None:
        """Write the names in the middle of their bands, or beside the cursor's line in it, where they hide no line."""
        letters = Lettering(painter, style, WORDS_PX)
        held = -np.inf if x is None else float(self.area.to_x(plot.x_scale.place(x)))
        for band in plot.bands:
            left, right = (self.area.to_x(plot.x_scale.place(each)) for each in (band.first, band.last))
            whole = QRectF(left, 1, right - left, 16).intersected(QRectF(self.area.rect()))
            needed, place = letters.width(band.text) + 8, QRectF(whole)
            if abs(held - whole.center().x()) < needed / 2:
                before, after = QRectF(whole), QRectF(whole)
                before.setRight(held)
                after.setLeft(held)
                place = max(before, after, key=QRectF.width)
            wide = (place.width() - needed) / 2
            box = _free_box(self.area, plot, place.adjusted(wide, 0, -wide, 0))
            if wide >= -2 and box is not None:
                painter.fillRect(box, QColor(style.paper))
                painter.fillRect(box & whole, _tint_of(band, style))
                letters.write_in(box, band.text, colour=style.muted)

    def _tint_bands(self, painter: QPainter, plot: Plot, style: Style) -> None:
        for band in plot.bands:
            left, right = (self.area.to_x(plot.x_scale.place(each)) for each in (band.first, band.last))
            painter.fillRect(QRectF(left, 0, right - left, self.area.rect().height()), _tint_of(band, style))

    def _draw_grid(self, painter: QPainter, plot: Plot, style: Style) -> None:
        area, rect = self.area, self.area.rect()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(style.pen(style.grid))
        for place, text in plot.x_scale.ticks(area.across, rect.width(), False):
            if text:
                painter.drawLine(QLineF(area.to_x(place), 0, area.to_x(place), rect.height()))
        for place, text in plot.y_scale.ticks(area.upright, rect.height(), True):
            if text:
                painter.drawLine(QLineF(0, area.to_y(place), rect.width(), area.to_y(place)))

    def _draw_lines(self, painter: QPainter, plot: Plot, style: Style) -> None:
        self._polygons.begin()
        for line, across, up, is_crowded in self._in_order(plot, style):
            if line.spread is not None:
                self._fill_spread(painter, plot, line, style)
            painter.setPen(line_pen(style, line.look))
            if len(across) == 1:  # no line leads to another point
                painter.drawEllipse(QPointF(float(across[0]), float(up[0])), _POINT_PX, _POINT_PX)
            elif is_crowded:
                ends = across.tolist(), up.tolist()  # Python's own numbers: Qt converts numpy's one by one
                painter.drawLines(list(map(QLineF, ends[0], ends[1], ends[0][1:], ends[1][1:])))
            else:
                for polygon in self._polygons.filled(across, up[np.newaxis]):
                    draw_curve(painter, polygon)

    def _in_order(self, plot: Plot, style: Style) -> list[tuple[Line, FloatArray, FloatArray, bool]]:
        """The lines with the pixels of their points, and whether they are crowded, in the order to draw them.

        A thin line is above a thick one, which would hide it where both are equal, but a crowded one, which would hide
        the others, is below them.
        """
        found, rect = [], self.area.rect()
        most = _POINTS_A_PIXEL * max(64, round(rect.width()))
        for line in plot.lines:
            x, y = thinned(*self._visible(plot, plot.heights(line)), most)
            keep, width = np.isfinite(y), line_pen(style, line.look).widthF()
            if keep.any():
                across, up = self.area.to_x(x[keep]), self.area.to_y(y[keep])
                is_crowded = bool(np.abs(np.diff(up)).sum() > _CROWDED * rect.width())
                found.append(((not is_crowded, width if is_crowded else -width), (line, across, up, is_crowded)))
        return [drawn for _, drawn in sorted(found, key=itemgetter(0))]

    def _fill_spread(self, painter: QPainter, plot: Plot, line: Line, style: Style) -> None:
        """Tint the band within the spread of a line."""
        assert line.spread is not None
        tint = QColor(line_pen(style, line.look).color())
        tint.setAlphaF(_TINT)
        x, upper = self._visible(plot, line.y + line.spread)
        lower = self._visible(plot, line.y - line.spread)[1]
        keep = np.isfinite(upper) & np.isfinite(lower)
        around = np.concatenate([x[keep], x[keep][::-1]]), np.concatenate([upper[keep], lower[keep][::-1]])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tint)
        for polygon in self._polygons.filled(self.area.to_x(around[0]), self.area.to_y(around[1])[np.newaxis]):
            painter.drawPolygon(polygon)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _visible(self, plot: Plot, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The places of a line's points in view, and of one on either side."""
        x = places(plot.x, plot.x_scale.logarithmic)
        first, stop = np.searchsorted(x, self.area.across)
        part = slice(max(0, int(first) - 1), int(stop) + 1)
        return x[part], places(y[part], plot.y_scale.logarithmic)

    def _draw_rules(self, painter: QPainter, plot: Plot, x: float | None, style: Style) -> None:
        area, rect, letters = self.area, self.area.rect(), Lettering(painter, style, WORDS_PX)
        painter.setPen(style.pen(style.ink, 1.2, _RULE_DASH))
        for rule in plot.rules:
            at = pixel_of(rule, area, plot)
            painter.drawLine(QLineF(at, 0, at, rect.height()) if rule.upright else QLineF(0, at, rect.width(), at))
        for rule, box in zip(plot.rules, words_of_rules(area, plot, letters, x), strict=True):
            if box.isEmpty():
                continue
            painter.fillRect(box.adjusted(-2, 0, -4, 0), ground(style))
            letters.write_in(box, rule.text, Qt.AlignmentFlag.AlignLeft)

    def _draw_cursor(self, painter: QPainter, plot: Plot, x: float, style: Style) -> None:
        place = self.area.to_x(plot.x_scale.place(x))
        painter.setPen(style.pen(style.accent))
        painter.drawLine(QLineF(place, 0, place, self.area.rect().height()))
        for pen, dot in _dots(self.area, plot, x, style):
            _draw_dot(painter, style, pen, dot)


class EdgeDots(Layer):
    """The cursor's dots on the edge of a plot area, which clips its own layers: whole, as one at the first position.

    The item is beside the area in ``figure``, and in the area's pixels.
    """

    def __init__(self, area: PlotArea, view: Callable[[], LineView], figure: QGraphicsItem) -> None:
        super().__init__(area, LAYER_CURSOR)
        self._new_view = view
        self.setParentItem(figure)
        area.geometryChanged.connect(self._follow)

    @override
    def boundingRect(self) -> QRectF:
        return super().boundingRect().adjusted(-_DOT_REACH, -_DOT_REACH, _DOT_REACH, _DOT_REACH)

    @override
    def draw(self, painter: QPainter) -> None:
        view, rect = self._new_view(), QRectF(self.area.rect())
        if view.plot is None or view.x is None or not self.area.isVisible():
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inner = rect.adjusted(_DOT_REACH, _DOT_REACH, -_DOT_REACH, -_DOT_REACH)
        outer = rect.adjusted(-_ON_EDGE, -_ON_EDGE, _ON_EDGE, _ON_EDGE)
        for pen, dot in _dots(self.area, view.plot, view.x, view.style):
            if outer.contains(dot) and not inner.contains(dot):
                _draw_dot(painter, view.style, pen, dot)

    def _follow(self) -> None:
        self.setPos(self.area.pos())


def _dots(area: PlotArea, plot: Plot, x: float, style: Style) -> Iterator[tuple[QPen, QPointF]]:
    """The pen and the place of the cursor's dot on each line that has a value there."""
    index, place = plot.nearest(x), area.to_x(plot.x_scale.place(x))
    for line in plot.lines:
        at = plot.y_scale.place(float(plot.heights(line)[index]))
        if np.isfinite(at):
            pen = line_pen(style, line.look)
            pen.setStyle(Qt.PenStyle.SolidLine)
            yield pen, QPointF(place, area.to_y(at))


def _draw_dot(painter: QPainter, style: Style, pen: QPen, dot: QPointF) -> None:
    painter.setPen(pen)
    painter.setBrush(QColor(style.paper))
    painter.drawEllipse(dot, _DOT_PX, _DOT_PX)


def _tint_of(band: Band, style: Style) -> QColor:
    tint = QColor(style.accent)
    tint.setAlphaF(_TINT * band.tint)
    return tint


def _free_box(area: PlotArea, plot: Plot, box: QRectF) -> QRectF | None:
    """The box, or else the one below it at the lower end of the area, that hides no line; None if both do."""
    lower = box.translated(0, area.rect().height() - 1 - box.bottom())
    return next((each for each in (box, lower) if not n_covered(area, plot, each)), None)
