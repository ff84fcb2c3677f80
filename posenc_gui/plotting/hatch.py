"""Shapes that panels share: patterns for parts without values or not known yet, and arcs from column to column."""

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath

from posenc_gui.look import Style

_SPACING = 9.0
_DASH = 4.0
_LEAST_ARC = 8.0
_STILL_DASH = (2.0, 3.0)


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
