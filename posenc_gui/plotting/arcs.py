"""Arcs over or under a row of columns, from one column of a pair to the other."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from posenc_gui.look.style import Style

_LEAST_HEIGHT = 8.0
_DASH = (2.0, 3.0)


class Arc(Struct, frozen=True):
    """The ends of an arc in pixels; dashed if its pair stands still, in the accent's colour if it is marked."""

    left: float
    right: float
    is_marked: bool = False
    is_still: bool = False


def draw_arcs(painter: QPainter, style: Style, arcs: Sequence[Arc], room: QRectF, down: bool = False) -> None:
    """Draw the arcs from the lower edge of the room, or ``down`` from the upper one; wider ones are higher."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    foot, way = (room.top(), 1) if down else (room.bottom(), -1)
    least = min(_LEAST_HEIGHT, room.height())
    widest = max([room.width() / 4, *(arc.right - arc.left for arc in arcs)])
    for arc in arcs:
        height = least + (room.height() - least - 2) * (arc.right - arc.left) / widest
        peak = foot + way * height * 4 / 3  # a cubic reaches three quarters of its control points' height
        path = QPainterPath(QPointF(arc.left, foot))
        path.cubicTo(QPointF(arc.left, peak), QPointF(arc.right, peak), QPointF(arc.right, foot))
        pen = QPen(style.pen(style.accent, 2.4) if arc.is_marked else style.pen(style.muted, 1.1))
        if arc.is_still:
            pen.setDashPattern(list(_DASH))
        painter.setPen(pen)
        painter.drawPath(path)
