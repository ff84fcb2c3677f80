"""Patterns for parts of a picture without values, and for parts whose values are not known yet."""

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter

from posenc_gui.look.style import Style

_SPACING = 9.0
_DASH = 4.0


def draw_missing(painter: QPainter, rect: QRectF, style: Style) -> None:
    """Fill the rectangle with quiet dots, for values still to come: no colour of a table looks like it."""
    painter.fillRect(rect, QColor(style.ground))
    painter.fillRect(rect, QBrush(QColor(style.border), Qt.BrushStyle.Dense7Pattern))


def draw_left_out(painter: QPainter, rect: QRectF, style: Style) -> None:
    """Hatch the rectangle, for values that never come; a narrow one has dashes, visible on any colour."""
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
    """Fill the rectangle with paper and quiet lines that rise to the right.

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
