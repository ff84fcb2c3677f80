"""Unit circles with a hand at each pair's angle and the trail of the positions before."""

import math

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from posenc_gui.panels.lens.layout import LensLayout
from posenc_gui.panels.lens.view import LensView
from posenc_gui.plotting import Lettering, point_on

_DOT_PX, _TIP_PX = 2.4, 7.0
_LINE_PX = 16.0
_LEAST_INSIDE = 52.0
_FAINTEST = 0.18
_ARROW = 5.0
_CAPTIONS = ("pair {} · columns {}, {}", "pair {}: {}, {}", "{1}, {2}", "{}")
_WAY = 20.0
"""Degrees from the arrow's tail to the right of the circle, and its length."""


def draw_clocks(painter: QPainter, view: LensView, layout: LensLayout) -> None:
    """Draw a circle for each pair of the view, with its angle inside or below it and its columns below."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for index in range(len(view.pairs)):
        circle = layout.circle(index)
        _draw_circle(painter, view, index, circle)
        _draw_trail(painter, view, index, circle)
        _draw_hand(painter, view, index, circle)
        _write_angle(painter, view, index, circle)
    _write_captions(painter, view, layout)


def _draw_circle(painter: QPainter, view: LensView, index: int, circle: QRectF) -> None:
    style, is_marked = view.style, view.pairs[index] == view.marked
    painter.setPen(style.pen(style.grid))
    centre = circle.center()
    painter.drawLine(QLineF(circle.left(), centre.y(), circle.right(), centre.y()))
    painter.drawLine(QLineF(centre.x(), circle.top(), centre.x(), circle.bottom()))
    dash = (2.0, 3.0) if view.frequencies[index] == 0 else ()
    painter.setPen(style.pen(style.accent, 2.0, dash) if is_marked else style.pen(style.muted, dash=dash))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(circle)
    if view.frequencies[index] != 0:
        _draw_way(painter, view, circle)


def _draw_way(painter: QPainter, view: LensView, circle: QRectF) -> None:
    """An arrow along the circle at its right, in the direction in which the pair turns."""
    way = -1 if view.turns_back else 1
    around = circle.adjusted(-4, -4, 4, 4)
    painter.setPen(view.style.pen(view.style.muted))
    painter.drawArc(around, round(16 * way * _WAY / 2), round(16 * way * _WAY))
    tip, along = point_on(around, math.radians(1.5 * way * _WAY)), math.radians(1.5 * way * _WAY + 90 * way)
    for side in (150, 210):
        toward = along + math.radians(side)
        painter.drawLine(QLineF(tip, tip + QPointF(_ARROW * math.cos(toward), -_ARROW * math.sin(toward))))


def _draw_trail(painter: QPainter, view: LensView, index: int, circle: QRectF) -> None:
    """A dot for each position before, in its token's colour and fainter with age; one dot per pixel."""
    angles = view.trail[:, index]
    if not len(angles):
        return
    radius, centre = circle.width() / 2, circle.center()
    x, y = centre.x() + radius * np.cos(angles), centre.y() - radius * np.sin(angles)
    pixels = np.round(np.stack([x, y])).astype(np.int64)
    _, from_last = np.unique(pixels[:, ::-1], axis=1, return_index=True)
    painter.setPen(Qt.PenStyle.NoPen)
    for at in np.sort(len(angles) - 1 - from_last).tolist():
        age = (at + 1) / len(angles)
        colour = QColor(view.style.token(view.position - len(angles) + at))
        colour.setAlphaF(_FAINTEST + (0.75 - _FAINTEST) * age)
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(float(x[at]), float(y[at])), _DOT_PX, _DOT_PX)


def _draw_hand(painter: QPainter, view: LensView, index: int, circle: QRectF) -> None:
    style = view.style
    colour = style.token(view.position) if view.token is not None else QColor(style.ink)
    tip = point_on(circle, float(view.angles[index]))
    painter.setPen(style.pen(colour, 2.0))
    painter.drawLine(QLineF(circle.center(), tip))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawEllipse(tip, _TIP_PX / 2, _TIP_PX / 2)


def _write_angle(painter: QPainter, view: LensView, index: int, circle: QRectF) -> None:
    """The angle, placed in the half of the circle without the hand."""
    if circle.width() < _LEAST_INSIDE:
        return
    style, letters = view.style, Lettering(painter, view.style, 12, semibold=True)
    for digits, px in ((3, 12), (3, 10), (2, 10), (1, 10)):
        number, unit = view.angle_words(index, digits)
        text = number + (unit if unit == "°" else "")
        letters.use(px, semibold=True)
        if letters.width(text) <= 0.9 * circle.width():
            break
    below = math.sin(view.angles[index]) >= 0
    middle = circle.center().y() + (0.2 if below else -0.2) * circle.height()
    wide = letters.width(text)
    line = _LINE_PX * style.text_scale
    box = QRectF(circle.center().x() - wide / 2 - 2, middle - line / 2, wide + 4, line)
    painter.fillRect(box, QColor(style.paper))  # over the trail and the axes
    letters.write_in(box, text, colour=style.ink)
    letters = Lettering(painter, style, 10)
    if unit != "°" and letters.width(unit) < circle.width() * 0.8 and circle.width() > 2 * _LEAST_INSIDE:
        letters.write_in(box.translated(0, 0.82 * line).adjusted(-30, 0, 30, 0), unit.strip(), colour=style.muted)


def _write_captions(painter: QPainter, view: LensView, layout: LensLayout) -> None:
    """Each pair and its two columns, in the longest words for which all clocks have room."""
    style = view.style
    letters = Lettering(painter, style, 11, semibold=True)
    numbers = list(zip(*(each.tolist() for each in (view.pairs, *view.columns)), strict=True))
    room = layout.caption(0).width() - 8
    axes = [f" {name}" if name else "" for name in view.axes]
    for words in _CAPTIONS:
        texts = [words.format(*each) + axis for each, axis in zip(numbers, axes, strict=True)]
        if max(map(letters.width, texts)) <= room:
            break
    for index, text in enumerate(texts):
        is_marked = view.pairs[index] == view.marked
        letters.use(11, semibold=is_marked)
        letters.write_in(layout.caption(index), text, colour=style.accent if is_marked else style.muted)
