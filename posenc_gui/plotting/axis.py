"""The axes beside a plot area."""

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from typing_extensions import override

from posenc_gui.look import Style, true_minus
from posenc_gui.plotting.layer import Margin, picture_scale
from posenc_gui.plotting.lettering import Lettering
from posenc_gui.plotting.lettering import width_of as width_of_text
from posenc_gui.plotting.plot_area import PlotArea, Range
from posenc_gui.plotting.scale import PlaceNumbers, Scale, Ticks, count_ticks, position_ticks, width_of

_FONT_PX = 11
_TICK, _SHORT_TICK, _GAP = 4, 2, 3
_MARK_PX = 3.0
_COUNT_OVERHANG_PX, _OVERHANG_PX = 12, 14  # allowed overhang of a number beyond the end of its axis
_RIGHT_PX = 10  # the same at the right end of a horizontal axis, the edge of the figure
_RIGHT_AXIS_PX = 44.0
_LENGTHS = (40.0, 100.0, 200.0)

Ranges = Sequence[tuple[int, int]]
"""Ranges (first, stop) of counted positions or columns."""


class AxisMargin(Margin):
    """A strip along an axis of a plot area, ``size`` pixels wide or high with text of the usual size."""

    def __init__(self, area: PlotArea, style: Style, upright: bool, size: int) -> None:
        super().__init__(area)
        self._style, self._upright, self._size = style, upright, size
        self.take_room(True)

    def show_style(self, style: Style) -> None:
        """Draw in this style."""
        self._style = style
        self.take_room(self._has_room)
        self.update()

    def take_room(self, taken: bool) -> None:
        """Reserve the room of the text, which grows with its size, or none."""
        self._has_room = taken
        room = round(self._size * self._text_scale) if taken else 0
        (self.setFixedWidth if self._upright else self.setFixedHeight)(room)

    @property
    def _text_scale(self) -> float:
        return max(1.0, self._style.text_scale)


class Axis(AxisMargin):
    """Labels of a scale's values to the left of a plot area or below it; without a scale, of positions or columns.

    A reversed axis shows the negative numbers: ``query - key`` for positions ``key - query``. Some of
    its positions or columns can be marked with a bar.
    """

    def __init__(self, area: PlotArea, style: Style, upright: bool, size: int) -> None:
        super().__init__(area, style, upright, size)
        self._scale: Scale | None = None
        self._marked: Callable[[float], Ranges] | None = None
        self._numbers: Callable[[], PlaceNumbers | None] | None = None

    def show_scale(self, scale: Scale) -> None:
        """Label this scale; an upright axis is as wide as its whole numbers are long, but no narrower than at first."""
        self._scale = scale
        if self._upright and scale.whole:
            self.setFixedWidth(max(self._size, round(width_of(0, int(scale.last))) + _TICK + _GAP + 1))
        self.update()

    def mark(self, marked: Callable[[float], Ranges] | None) -> None:
        """Mark the ranges that ``marked`` returns for a number of pixels per logical pixel; None for no ranges."""
        self._marked = marked
        self.update()

    def number(self, numbers: Callable[[], PlaceNumbers | None] | None) -> None:
        """Write what ``numbers`` returns in the place of positions or columns; None for those."""
        self._numbers = numbers
        self.update()

    def fit(self, first: int, last: int) -> None:
        """Reserve the width that the numbers from ``first`` to ``last`` need on an upright axis."""
        width = round(width_of(first, last)) + _TICK + _GAP + 1
        if width != self._size:
            self._size = width
            self.take_room(self._has_room)

    def fit_values(self) -> None:
        """Reserve the width that the numbers of the whole scale need on an upright axis of any height."""
        if self._scale is not None:
            texts = {text for length in _LENGTHS for _, text in self._scale.ticks(self._scale.extent, length, True)}
            widest = max(width_of_text(text, self._style, _FONT_PX) for text in texts)
            self._size = math.ceil(widest / self._text_scale) + _TICK + _GAP + 1
            self.take_room(self._has_room)

    @override
    def boundingRect(self) -> QRectF:
        over = _COUNT_OVERHANG_PX if self._scale is None else _OVERHANG_PX
        return self.rect().adjusted(0, -over, 0, over) if self._upright else self.rect().adjusted(-over, 0, over, 0)

    @override
    def draw(self, painter: QPainter) -> None:
        style, letters = self._style, Lettering(painter, self._style, _FONT_PX)
        ticks = self._count_marks() if self._scale is None else self._value_marks(self._scale)
        if self._scale is None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(style.pen(style.border))
        painter.drawLines([*(self._tick(place, text) for place, text in ticks), self._line()])
        painter.setPen(style.pen(style.muted))
        for place, text in ticks:
            if text:
                (self._write_count if self._scale is None else self._write_value)(letters, place, text)
        if self._marked is not None:
            self._paint_marked(painter, self._marked(picture_scale(painter)))

    @property
    def _length(self) -> float:
        return self.rect().height() if self._upright else self.rect().width()

    def _count_marks(self) -> Ticks:
        """The places of whole numbers in pixels along the axis, and their texts."""
        begin, end = self._ends()
        if self.area.turned[self._upright]:
            begin, end = -begin, -end
        length = -self._length if self._upright else self._length
        if not length or begin == end:
            return []
        shown, room = (min(begin, end), max(begin, end)), (abs(length) + 2) / self._text_scale
        is_logarithmic = self.area.logarithmic and not self._upright
        numbers = None if self._numbers is None else self._numbers()
        if numbers is not None:
            ticks = numbers.ticks(shown, room, self._upright)
        else:
            ticks = position_ticks(shown, room) if is_logarithmic else count_ticks(shown, room, self._upright)
        scale = length / (end - begin)
        offset = begin * scale + min(length, 0)
        placed = ((place * scale - offset, text) for place, text in ticks)
        return [(place, text) for place, text in placed if 0 <= place <= abs(length)]

    def _ends(self) -> Range:
        """The area's coordinates at the left and right end of the axis, or at the lower and upper end."""
        low, high = self.area.viewRange()[1 if self._upright else 0]
        is_falling = self.area.down if self._upright else self.area.turned[0]
        return (high, low) if is_falling else (low, high)

    def _value_marks(self, scale: Scale) -> Ticks:
        """The places of values in pixels along the axis, and their texts."""
        area, upright = self.area, self._upright
        ticks = scale.ticks(area.upright if upright else area.across, self._length / self._text_scale, upright)
        return [(area.to_y(place) if upright else area.to_x(place), text) for place, text in ticks]

    def _tick(self, place: float, text: str) -> QLineF:
        reach, width = _TICK if text else _SHORT_TICK, self.rect().width()
        return QLineF(width, place, width - reach, place) if self._upright else QLineF(place, 0, place, reach)

    def _line(self) -> QLineF:
        width, length = self.rect().width(), self._length
        if self._scale is not None:
            return QLineF(width, 0, width, length) if self._upright else QLineF(0, 0, length, 0)
        # Beside cells, whose outer pixels it joins.
        return QLineF(width - 1, -1, width - 1, length + 1) if self._upright else QLineF(-1, 1, length + 1, 1)

    def _write_value(self, letters: Lettering, place: float, text: str) -> None:
        if self._upright:
            box = QRectF(0, place - 10, self.rect().width() - _TICK - _GAP, 20)
            letters.write_in(box, text, Qt.AlignmentFlag.AlignRight)
        else:
            middle = min(place, self._length + _RIGHT_PX - letters.width(text) / 2)
            letters.write_in(QRectF(middle - 60, _TICK, 120, self.rect().height() - _TICK), text)

    def _write_count(self, letters: Lettering, place: float, text: str) -> None:
        """Write a number, unless it reaches too far beyond the axis' end."""
        wide, tall, end = letters.width(text), 0.8 * letters.height, self.rect().width() - _TICK - _GAP
        half = (tall if self._upright else wide) / 2
        if place - half < -_COUNT_OVERHANG_PX or place + half > self._length + _COUNT_OVERHANG_PX:
            return
        baseline = 2 * letters.ascent - round(letters.ascent)  # rounded as in Qt's QPicture
        if letters.is_plain and self._upright:
            letters.write(end - wide, place - letters.height / 2 + baseline, text)
        elif letters.is_plain:
            letters.write(place - wide / 2, _TICK + _GAP + baseline, text)
        elif self._upright:  # anchored, so that it keeps its place in another font
            letters.write_in(QRectF(0, place - tall, end, 2 * tall), text, Qt.AlignmentFlag.AlignRight)
        else:
            letters.write_in(QRectF(place - wide, _TICK + _GAP, 2 * wide, letters.height), text)

    def _paint_marked(self, painter: QPainter, marked: Ranges) -> None:
        """Draw a bar along the axis at each marked range."""
        (begin, end), length, width = self._ends(), self._length, self.rect().width()
        for first, stop in marked:
            low, high = sorted((place - begin) / (end - begin) for place in (first - 0.5, stop - 0.5))
            low, high = max(0.0, low) * length, min(1.0, high) * length
            if low < high:
                across = QRectF(low, 0, high - low, _MARK_PX)
                bar = QRectF(width - _MARK_PX, length - high, _MARK_PX, high - low) if self._upright else across
                painter.fillRect(bar, QColor(self._style.muted))


class RightAxes(Margin):
    """Labels further scales to the right of a plot area, which is labelled itself by a linear scale on its left."""

    def __init__(self, area: PlotArea, style: Style) -> None:
        super().__init__(area)
        self._style = style
        self._whole: Scale | None = None
        self._scales: tuple[tuple[Scale, QColor], ...] = ()

    def show_scales(self, whole: Scale, scales: tuple[tuple[Scale, QColor], ...], style: Style) -> None:
        """Label these scales in their colours; each has its ends at those of the linear scale ``whole``."""
        self._whole, self._scales, self._style = whole, scales, style
        self.setFixedWidth(_RIGHT_AXIS_PX * len(scales))
        self.update()

    @override
    def boundingRect(self) -> QRectF:
        return self.rect().adjusted(0, -_OVERHANG_PX, 0, _OVERHANG_PX)

    @override
    def draw(self, painter: QPainter) -> None:
        whole, area, height = self._whole, self.area, self.rect().height()
        letters = Lettering(painter, self._style, _FONT_PX)
        for index, (scale, colour) in enumerate(self._scales if whole is not None else ()):
            assert whole is not None
            left, share = index * _RIGHT_AXIS_PX, scale.span / whole.span
            low, high = (scale.first + (end - whole.first) * share for end in area.upright)
            painter.setPen(self._style.pen(colour))
            painter.drawLine(QLineF(left + 1, 0, left + 1, height))
            for value, text in scale.ticks((low, high), height, True):
                y = area.to_y(whole.first + (value - scale.first) / share)
                painter.drawLine(QLineF(left + 1, y, left + 1 + (_TICK if text else _SHORT_TICK), y))
                box = QRectF(left + 1 + _TICK + _GAP, y - 10, _RIGHT_AXIS_PX - _TICK - _GAP - 1, 20)
                letters.write_in(box, _fitting(value, text, box.width(), letters), Qt.AlignmentFlag.AlignLeft)


def _fitting(value: float, text: str, room: float, letters: Lettering) -> str:
    """The text of a value, or two digits with a power of ten if it does not fit."""
    if letters.width(text) <= room:
        return text
    digits, _, power = f"{value:.1e}".partition("e")
    return true_minus(f"{digits.removesuffix('.0')}e{int(power)}")
