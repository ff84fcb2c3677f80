"""Shapes that panels share: curves, patterns for parts without values or not known yet, and arcs between columns."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise, repeat

import numpy as np
import pyqtgraph as pg
from msgspec import Struct
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPolygonF

from posenc_core.numerics import FloatArray
from posenc_gui.look import Style
from posenc_gui.plotting.layer import is_vector

_SPACING = 9.0
_DASH = 4.0
_LEAST_ARC = 8.0
_STILL_DASH = (2.0, 3.0)
_STROKED_POINTS = 32
"""Points of a wide line that Qt strokes together: its time grows with their square if the line is steep."""


class Polygons:
    """A pool of Qt's polygons, which are filled through their memory instead of point by point.

    A polygon keeps its memory when it is resized within its room, so that curves of other lengths need no new ones.
    """

    def __init__(self) -> None:
        self._free: list[tuple[QPolygonF, FloatArray]] = []
        self._taken: list[tuple[QPolygonF, FloatArray]] = []

    def begin(self) -> None:
        """Reclaim the polygons that were handed out since the last call; drop those that were not needed."""
        self._free, self._taken = self._taken, []

    def filled(self, x: FloatArray, y: FloatArray) -> Iterator[QPolygonF]:
        """A polygon for each row of ``y`` (m, n), with ``x`` (n,) or (m, n)."""
        size = y.shape[1]
        for across, up in zip(x if x.ndim == 2 else repeat(x), y, strict=False):
            made = self._free.pop() if self._free else None
            polygon, memory = made = _new_polygon(size) if made is None or len(made[1]) < size else made
            polygon.resize(size)
            memory[:size, 0], memory[:size, 1] = across, up
            self._taken.append(made)
            yield polygon


def _new_polygon(size: int) -> tuple[QPolygonF, FloatArray]:
    """A polygon with room for ``size`` points or some more, and its memory as an array."""
    polygon: QPolygonF = pg.functions.create_qpolygonf(1 << (size - 1).bit_length())
    return polygon, pg.functions.ndarray_from_qpolygonf(polygon)


def draw_curve(painter: QPainter, curve: QPolygonF) -> None:
    """Draw a line through points from left to right, with the pixels of ``drawPolyline``.

    A line wider than a pixel, with the bevelled joins of Qt's pens, is drawn in vertical strips, each with its own
    points: up to seven times as fast.
    """
    pen, device = painter.pen(), painter.deviceTransform()
    scale = device.m11()
    if pen.widthF() * scale <= 1 or curve.size() <= _STROKED_POINTS or pen.dashPattern() or is_vector(painter):
        painter.drawPolyline(curve)
        return
    points, around = pg.functions.ndarray_from_qpolygonf(curve), pen.widthF() / 2 + 1 / scale
    x, pieces = points[:, 0], Polygons()
    between_pixels = np.ceil(x[_STROKED_POINTS::_STROKED_POINTS] * scale + device.dx())
    edges = np.concatenate([x[:1] - around, (between_pixels - device.dx()) / scale, x[-1:] + around])
    begins = np.maximum(np.searchsorted(x, edges[:-1] - around) - 1, 0)
    stops = np.searchsorted(x, edges[1:] + around) + 1
    top, bottom = points[:, 1].min() - around, points[:, 1].max() + around
    for (left, right), begin, stop in zip(pairwise(edges.tolist()), begins.tolist(), stops.tolist(), strict=True):
        painter.save()
        painter.setClipRect(QRectF(left, top, right - left, bottom - top), Qt.ClipOperation.IntersectClip)
        for piece in pieces.filled(points[begin:stop, 0], points[None, begin:stop, 1]):
            painter.drawPolyline(piece)
        painter.restore()


def draw_missing(painter: QPainter, rect: QRectF, style: Style) -> None:
    """Fill the rectangle with faint dots, for unknown values: no colour of a table looks like this."""
    painter.fillRect(rect, QColor(style.ground))
    painter.fillRect(rect, QBrush(QColor(style.border), Qt.BrushStyle.Dense7Pattern))


def draw_left_out(painter: QPainter, rect: QRectF, style: Style) -> None:
    """Hatch the rectangle, for missing values; a narrow one has dashes, visible on any colour."""
    if min(rect.width(), rect.height()) >= _SPACING:
        draw_hatch(painter, rect, style)
        return
    painter.fillRect(rect, Qt.GlobalColor.black)
    upright = rect.height() > rect.width()
    for along in np.arange(0, rect.height() if upright else rect.width(), 2 * _DASH):
        corner = rect.topLeft() + (QPointF(0, along) if upright else QPointF(along, 0))
        size = QSizeF(rect.width(), _DASH) if upright else QSizeF(_DASH, rect.height())
        painter.fillRect(QRectF(corner, size).intersected(rect), Qt.GlobalColor.white)


def draw_hatch(painter: QPainter, rect: QRectF, style: Style) -> None:
    """Fill the rectangle with the paper colour and faint lines that rise to the right.

    The lines are clipped here: viewers of vector files disagree on patterned brushes and clip paths.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(rect, style.paper)
    painter.setPen(style.pen(style.border))
    left, top, right, bottom = rect.left(), rect.top(), rect.right(), rect.bottom()
    first = np.ceil((left + top) / _SPACING) * _SPACING
    for both in np.arange(first, right + bottom, _SPACING):  # x + y is constant along a line
        x0, x1 = max(left, both - bottom), min(right, both - top)
        painter.drawLine(QLineF(x0, both - x0, x1, both - x1))
    painter.restore()


def point_on(circle: QRectF, angle: float) -> QPointF:
    """The point of a circle at an angle, counted from the right against the clock."""
    radius, centre = circle.width() / 2, circle.center()
    return QPointF(centre.x() + radius * math.cos(angle), centre.y() - radius * math.sin(angle))


class Arc(Struct, frozen=True):
    """The ends of an arc in pixels; dashed if its pair does not turn, in the accent colour if it is marked."""

    left: float
    right: float
    is_marked: bool = False
    is_still: bool = False


def draw_arcs(painter: QPainter, style: Style, arcs: Sequence[Arc], room: QRectF, down: bool = False) -> None:
    """Draw the arcs from the lower edge of the room, or ``down`` from the upper one; wider ones are higher."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    foot, way = (room.top(), 1) if down else (room.bottom(), -1)
    least = min(_LEAST_ARC, room.height())
    widest = max([room.width() / 4, *(arc.right - arc.left for arc in arcs)])
    for arc in arcs:
        height = least + (room.height() - least - 2) * (arc.right - arc.left) / widest
        peak = foot + way * height * 4 / 3  # a cubic reaches three quarters of its control points' height
        path = QPainterPath(QPointF(arc.left, foot))
        path.cubicTo(QPointF(arc.left, peak), QPointF(arc.right, peak), QPointF(arc.right, foot))
        colour, width = (style.accent, 2.4) if arc.is_marked else (style.muted, 1.1)
        painter.setPen(style.pen(colour, width, _STILL_DASH if arc.is_still else ()))
        painter.drawPath(path)
