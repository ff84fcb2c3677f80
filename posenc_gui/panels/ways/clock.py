"""Query and key as two hands of one clock, and the angle between them, which a shift of both keeps."""

import math

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from posenc_gui.look import Style, counted, significant
from posenc_gui.panels.ways.numbers import Hands
from posenc_gui.plotting import Lettering, point_on

_LINE, _INSET, _TIP_PX = 14.0, 2.0, 2.6
_ARC = 0.55
"""Radius of the arc between the hands, in parts of the clock's."""


def draw_clock(painter: QPainter, hands: Hands | None, place: QRectF, style: Style) -> None:
    """Draw the hands in a square place and their angles at its right; nothing in an empty place."""
    if hands is None or place.isEmpty():
        return
    circle = place.adjusted(_INSET, _INSET, -_INSET, -_INSET)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(style.pen(style.muted))
    painter.drawEllipse(circle)
    _draw_between(painter, hands, circle, style)
    for angle, colour in ((hands.key, style.cosine), (hands.query, style.sine)):
        tip = point_on(circle, angle)
        painter.setPen(style.pen(colour, 2.0))
        painter.drawLine(circle.center(), tip)
        painter.setBrush(QColor(colour))
        painter.drawEllipse(tip, _TIP_PX, _TIP_PX)
    _write_angles(painter, hands, place, style)


def _draw_between(painter: QPainter, hands: Hands, circle: QRectF, style: Style) -> None:
    """The angle from the key to the query as an arc."""
    inset = (1 - _ARC) * circle.width() / 2
    painter.setPen(style.pen(style.ink, 1.4))
    first, along = (round(16 * math.degrees(each)) for each in (hands.key % (2 * math.pi), hands.between))
    painter.drawArc(circle.adjusted(inset, inset, -inset, -inset), first, max(-5760, min(5760, along)))


def _write_angles(painter: QPainter, hands: Hands, place: QRectF, style: Style) -> None:
    """The pair, both angles, and the one between them, in turns."""
    letters = Lettering(painter, style, 11)
    query, key, between = (significant(each / (2 * math.pi), 3) for each in (hands.query, hands.key, hands.between))
    lines = (
        (f"pair {counted(hands.pair)}, in turns", style.muted),
        (f"q at {counted(hands.positions[0])}: {query}", style.sine),
        (f"k at {counted(hands.positions[1])}: {key}", style.cosine),
        (f"between: {between}", style.ink),
    )
    top = place.center().y() - len(lines) * _LINE / 2
    for index, (text, colour) in enumerate(lines):
        line = QRectF(place.right() + 8, top + index * _LINE, 124, _LINE)
        letters.write_in(line, text, Qt.AlignmentFlag.AlignLeft, colour)
