"""What the waves panel draws of its columns: zero lines, curves and bands."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from posenc_core.numerics import Bands, FloatArray, Traces
from posenc_core.progressive import PartialCurves
from posenc_gui.figures.figure import column_info, column_info_of
from posenc_gui.figures.growing_job import RenderRequest
from posenc_gui.look.style import LAYER_DATA, LAYER_GUIDES
from posenc_gui.panels.waves.drawn import Drawn
from posenc_gui.panels.waves.scale import AMPLITUDE, RowScale
from posenc_gui.plotting.hatch import draw_left_out, draw_missing
from posenc_gui.plotting.layer import Layer, pixel_scale
from posenc_gui.plotting.plot_area import PlotArea, Range
from posenc_gui.plotting.polygons import Polygons

if TYPE_CHECKING:
    from posenc_gui.panels.waves.figure import WavesFigure

LABELLED_ROW_PX = 13.0
"""From this height on a row has its zero line and its label."""

_BOLD_ROW_PX = 20.0
_BOLD_POINTS = 3000
"""With more points than these lines are one pixel wide: Qt takes ten times as long for wider ones."""

_BAND_OPACITY = 0.45

_THINNEST_PX = 1.0
"""A band of numbers that are all the same can be seen as well."""


class Curves(Layer):
    """The curves and bands, sines in one hue and cosines in the other."""

    def __init__(self, area: PlotArea, figure: "WavesFigure") -> None:
        super().__init__(area, LAYER_DATA)
        self._figure = figure
        self._made_for: tuple[RenderRequest, bytes, bytes, QRectF, Range, RowScale] | None = None
        self._scale = 1.0
        self._curves: list[tuple[int, QPolygonF]] = []
        self._column_parts: list[str] = []  # of each curve
        self._points = 0
        self._polygons = Polygons()
        self._bands: list[tuple[int, QPolygonF]] = []
        self._missing: list[Range] = []  # while they are computed
        self._left_out: list[Range] = []

    def banded(self) -> set[int]:
        """Columns that are drawn as bands."""
        self._make(self._scale)
        return {column for column, _ in self._bands}

    def drawn(self, scale: float) -> Drawn:
        """What is drawn at so many device pixels a logical one."""
        figure, pixels = self._figure, max(1, round(self.area.rect().width()))
        return Drawn(figure.document.encoding, figure.visible_columns(), figure.drawn_positions(), pixels, scale)

    def draw(self, painter: QPainter) -> None:
        """Bands below curves; one pixel wide where there are many, since Qt draws those fast."""
        self._scale = pixel_scale(painter)
        self._make(self._scale)
        figure = self._figure
        few = self._points <= _BOLD_POINTS * self._scale
        width = 1.5 if figure.row_px >= _BOLD_ROW_PX and few else 1.0
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for draw, ranges in ((draw_missing, self._missing), (draw_left_out, self._left_out)):
            for first, last in ranges:
                left, right = self.area.to_x(first), self.area.to_x(last)
                draw(painter, QRectF(left, 0, right - left, self.area.rect().height()), figure.style)
        painter.setPen(Qt.PenStyle.NoPen)
        for column, polygon in self._bands:
            paler = self._colour(column)
            paler.setAlphaF(_BAND_OPACITY)
            painter.setBrush(paler)
            painter.drawPolygon(polygon)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pens = {part: figure.style.pen(figure.style.part(part), width) for part in set(self._column_parts)}
        whole = any(rect.width() > 0.5 * self.area.rect().width() for rect in self.exposed)
        pen = None
        for (column, polygon), part in zip(self._curves, self._column_parts, strict=True):
            if pens[part] is not pen:
                pen = pens[part]
                painter.setPen(pen)
            for piece in (polygon,) if whole else self._pieces(column, polygon):
                painter.drawPolyline(piece)

    def _pieces(self, column: int, polygon: QPolygonF) -> Iterator[QPolygonF]:
        """The pieces of a curve in the exposed rectangles: most when the mouse moves are as narrow as its dot."""
        reach = AMPLITUDE * self._figure.row_px + 2
        middle = self.area.to_y(column)
        for rect in self.exposed:
            if rect.top() <= middle + reach and rect.bottom() >= middle - reach:
                points = pg.functions.ndarray_from_qpolygonf(polygon)
                first, last = np.searchsorted(points[:, 0], (rect.left() - 3, rect.right() + 3))
                part = slice(max(0, first - 1), last + 1)
                yield from Polygons().filled(points[part, 0], points[part, 1][None, :])

    def _colour(self, column: int) -> QColor:
        return self._figure.style.part(column_info(self._figure.document.encoding, column).part)

    def _make(self, scale: float) -> None:
        figure, drawn = self._figure, self.drawn(scale)
        wanted = drawn.wanted()
        growing = figure.growing(wanted)
        known, left_out = np.ones(1, bool), np.zeros(1, bool)
        if growing is not None:
            known, left_out = growing.known.copy(), growing.refused.copy()
        view = (QRectF(self.area.rect()), self.area.upright, figure.row_scale)
        made_for = (wanted, known.tobytes(), left_out.tobytes(), *view)
        if made_for != self._made_for:
            self._polygons.begin()
            if isinstance(growing, PartialCurves):
                self._missing, self._left_out = growing.between(~(known | left_out)), growing.between(left_out)
            else:
                self._missing, self._left_out = [], []
            traces = figure.computed(wanted) if growing is None else growing.picture()
            self._curves, self._bands = self._shapes(traces, figure.row_scale)
            facts = column_info_of(drawn.encoding)
            self._column_parts = [facts(column).part for column, _ in self._curves]
            self._points = sum(polygon.size() for _, polygon in self._curves)
            self._made_for = made_for

    def _shapes(
        self, traces: Traces, scale: RowScale
    ) -> tuple[list[tuple[int, QPolygonF]], list[tuple[int, QPolygonF]]]:
        curves: list[tuple[int, QPolygonF]] = []
        for line in traces.lines:
            x, y = self._x(line.x), self._y(line.columns[:, None] + scale.height(line.y))
            curves += zip(line.columns.tolist(), self._polygons.filled(x, y), strict=True)
        return curves, [polygon for band in traces.bands for polygon in self._band_polygons(band, scale)]

    def _band_polygons(self, band: Bands, scale: RowScale) -> list[tuple[int, QPolygonF]]:
        edges = self._x(band.x)
        outline = np.concatenate([edges, edges[::-1]])
        low, high = (self._y(band.columns[:, None] + scale.height(ends)) for ends in _at_edges(band))
        low, high = np.maximum(low, (low + high + _THINNEST_PX) / 2), np.minimum(high, (low + high - _THINNEST_PX) / 2)
        around = np.concatenate([high, low[:, ::-1]], axis=1)
        return list(zip(band.columns.tolist(), self._polygons.filled(outline, around), strict=True))

    def _x(self, positions: FloatArray) -> FloatArray:
        low, high = self.area.across
        return (positions - low) * float(self.area.rect().width() / (high - low))

    def _y(self, rows: FloatArray) -> FloatArray:
        low, high = self.area.upright
        return (high - rows) * float(self.area.rect().height() / (high - low))


def _at_edges(band: Bands) -> tuple[FloatArray, FloatArray]:
    """The least and the largest at each edge between two pixels, of both: lines from edge to edge hold all of both."""
    low, high = (np.pad(values, ((0, 0), (1, 1)), "edge") for values in (band.low, band.high))
    return np.minimum(low[:, :-1], low[:, 1:]), np.maximum(high[:, :-1], high[:, 1:])


class RowLines(Layer):
    """A hairline at zero of every row that is tall enough to need one, and a stripe at the distance zero."""

    def __init__(self, area: PlotArea, figure: "WavesFigure") -> None:
        super().__init__(area, LAYER_GUIDES)
        self._figure = figure

    def draw(self, painter: QPainter) -> None:
        """The stripe below the lines."""
        figure = self._figure
        size = self.area.rect().size()
        if figure.document.encoding.relative:
            centre, half = self.area.to_x(0), max(1.5, (self.area.to_x(1) - self.area.to_x(0)) / 2)
            painter.fillRect(QRectF(centre - half, 0, 2 * half, size.height()), QColor(figure.style.grid))
        scale = figure.row_scale
        if figure.row_px >= LABELLED_ROW_PX and scale.has_zero:
            painter.setPen(figure.style.pen(figure.style.grid))
            for column in range(*figure.visible_columns()):
                y = self.area.to_y(column + scale.height(0.0))
                painter.drawLine(QPointF(0, y), QPointF(size.width(), y))
