"""An axis that counts: whole numbers only, thousands separated, no SI prefixes."""

import math
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget
from typing_extensions import override

from posenc_gui.look.number_format import counted
from posenc_gui.look.style import Style
from posenc_gui.plotting.layer import picture_scale
from posenc_gui.plotting.lettering import Lettering
from posenc_gui.plotting.position_area import place_of_position, position_at

_FONT_PX = 11
_TICK, _GAP = 4, 3
_DIGIT_PX = 7.0
_GAP_PX = 22.0
_LINE_PX = 26.0
_MARK_PX = 3.0
_OVERHANG_PX = 12  # how far a number may reach past the end of its axis: the 0 of a long table is at the edge


Ranges = Sequence[tuple[int, int]]
"""Ranges (first, stop) of what is counted."""


class CountAxis(pg.AxisItem):
    """Numbers positions or columns beside a plot area, and marks some of them with a bar."""

    def __init__(self, orientation: str, style: Style, size: int) -> None:
        super().__init__(orientation, maxTickLength=_TICK)
        self.enableAutoSIPrefix(False)
        self.setStyle(
            autoExpandTextSpace=False,
            autoReduceTextSpace=False,
            tickTextOffset=_GAP,
            maxTextLevel=0,
            hideOverlappingLabels=_OVERHANG_PX,
        )
        self.logarithmic = False  # of the places of a PositionArea
        self._marked: Callable[[float], Ranges] | None = None
        (self.setWidth if orientation in ("left", "right") else self.setHeight)(size)
        self.show_style(style)

    def show_style(self, style: Style) -> None:
        """Draw in this style."""
        self._style = style
        self._line, self._text = style.pen(style.border), style.pen(style.muted)
        self.setPen(self._line)
        self.setTickPen(self._line)
        self.setTextPen(self._text)
        self.setTickFont(style.font(_FONT_PX))

    def mark(self, marked: Callable[[float], Ranges] | None) -> None:
        """Mark the ranges that ``marked`` returns for a number of pixels per logical pixel; None for no ranges."""
        self._marked = marked
        self.update()

    def fit(self, first: int, last: int) -> None:
        """Take the width that the numbers from ``first`` to ``last`` need on an upright axis."""
        width = round(_width_of(first, last)) + _TICK + _GAP + 1
        if width != self.fixedWidth:  # pyqtgraph lays out and draws even for the same width
            self.setWidth(width)

    @override
    def boundingRect(self) -> QRectF:
        if self.orientation == "left":
            return self.rect().adjusted(0, -_OVERHANG_PX, 0, _OVERHANG_PX)
        return self.rect().adjusted(-_OVERHANG_PX, 0, _OVERHANG_PX, 0)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        # The pixels that pyqtgraph paints, but without its QPicture, which takes three times as long.
        letters = Lettering(painter, self._style, _FONT_PX)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(self._line)
        width, height = self.rect().width(), self.rect().height()
        marks = self._marks(width, height)
        if self.orientation == "left":
            lines = [QLineF(width, place, width - _TICK, place) for place, _ in marks]
            lines.append(QLineF(width - 1, -1, width - 1, height + 1))
        else:
            lines = [QLineF(place, 0, place, _TICK) for place, _ in marks]
            lines.append(QLineF(-1, 1, width + 1, 1))
        painter.drawLines(lines)
        painter.setPen(self._text)
        for place, text in marks:
            self._write(letters, place, text, width, height)
        self._paint_marked(painter)

    def _paint_marked(self, painter: QPainter) -> None:
        """Draw a bar along the axis at each marked range."""
        if self._marked is None:
            return
        (begin, end), rect = self.range, self.rect()
        upright = self.orientation == "left"
        length = rect.height() if upright else rect.width()
        for first, stop in self._marked(picture_scale(painter)):
            low, high = sorted((place - begin) / (end - begin) for place in (first - 0.5, stop - 0.5))
            low, high = max(0.0, low) * length, min(1.0, high) * length
            if low >= high:
                continue
            if upright:
                bar = QRectF(rect.width() - _MARK_PX, length - high, _MARK_PX, high - low)
            else:
                bar = QRectF(low, 0, high - low, _MARK_PX)
            painter.fillRect(bar, QColor(self._style.muted))

    def _marks(self, width: float, height: float) -> list[tuple[float, str]]:
        """The places of the ticks, in pixels along the axis, and their numbers."""
        begin, end = self.range
        low, high = sorted((begin, end))
        length = -height if self.orientation == "left" else width
        if not length or low == high:
            return []
        scale = length / (end - begin)
        offset = begin * scale + min(length, 0)
        ((spacing, values),) = self.tickValues(low, high, abs(length) + 2)
        places = [value * scale - offset for value in values]
        return [
            (place, text)
            for place, text in zip(places, self.tickStrings(values, 1.0, spacing), strict=True)
            if 0 <= place <= abs(length)
        ]

    def _write(self, letters: Lettering, place: float, text: str, width: float, height: float) -> None:
        """Write a tick's number, unless it reaches too far beyond the axis' end."""
        wide, tall = letters.width(text), 0.8 * letters.height
        half, length = (tall / 2, height) if self.orientation == "left" else (wide / 2, width)
        if place - half < -_OVERHANG_PX or place + half > length + _OVERHANG_PX:
            return
        if not letters.is_plain:  # anchored, so that it stays in its place in another font
            end = width - _TICK - _GAP
            upright, below = (
                QRectF(0, place - tall, end, 2 * tall),
                QRectF(place - wide, _TICK + _GAP, 2 * wide, letters.height),
            )
            is_left = self.orientation == "left"
            side = Qt.AlignmentFlag.AlignRight if is_left else Qt.AlignmentFlag.AlignHCenter
            letters.write_in(upright if is_left else below, text, side)
            return
        baseline = 2 * letters.ascent - round(letters.ascent)  # rounded as Qt rounds it in a QPicture
        if self.orientation == "left":
            letters.write(width - _TICK - _GAP - wide, place - letters.height / 2 + baseline, text)
        else:
            letters.write(place - wide / 2, _TICK + _GAP + baseline, text)

    @override
    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        room = _width_of(round(low), round(high)) + _GAP_PX if self.orientation in ("top", "bottom") else _LINE_PX
        least = (high - low) * room / max(size, 1.0)
        steps = (factor * 10**exponent for exponent in count() for factor in (1, 2, 5))
        return [(next(step for step in steps if step >= least), 0.0)]

    @override
    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        if self.logarithmic:
            return [(1.0, _logarithmic_places(low, high, size))]
        ((spacing, _),) = self.tickSpacing(low, high, size)
        first = math.ceil(low / spacing)
        return [
            (spacing, [step * spacing for step in range(first, first + int((high - first * spacing) / spacing) + 1)])
        ]

    @override
    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if self.logarithmic:
            return [counted(round(position_at(value))) for value in values]
        return [counted(round(value)) for value in values]

    @override
    def wheelEvent(self, event: Any) -> None:
        pass  # the wheel belongs to the plot area

    @override
    def mouseDragEvent(self, event: Any) -> None:
        pass  # axes are not dragged


def _logarithmic_places(low: float, high: float, size: float) -> list[float]:
    """The places of 0 and of 1, 2 and 5 times the powers of ten that have room, or of evenly spaced numbers."""
    first, last = math.ceil(position_at(low) - 1e-6), math.floor(position_at(high) + 1e-6)
    per_pixel = (high - low) / max(size, 1.0)
    powers = [10**power for power in range(len(str(max(abs(first), abs(last), 1))))]
    found: list[tuple[float, float]] = []  # places and the widths of their numbers
    for number in (0, *powers, *(5 * power for power in powers), *(2 * power for power in powers)):
        for position in {number, -number}:
            place, width = place_of_position(position), _width_of(position, position) + _GAP_PX / 2
            if first <= position <= last and all(
                abs(place - other) >= per_pixel * (width + wide) / 2 for other, wide in found
            ):
                found.append((place, width))
    if len(found) < 3:  # so far from 0 that the axis is as good as linear
        room = per_pixel * (_width_of(first, last) + _GAP_PX)
        least = position_at(high) - position_at(high - room)
        steps = (factor * 10**exponent for exponent in count() for factor in (1, 2, 5))
        step = next(each for each in steps if each >= least)
        return [place_of_position(number) for number in range(-(-first // step) * step, last + 1, step)]
    return sorted(place for place, _ in found)


def _width_of(first: int, last: int) -> float:
    """The width of the longer of the two numbers in pixels, its sign included."""
    return _DIGIT_PX * max(len(counted(first)), len(counted(last)))
