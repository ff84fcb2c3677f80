"""An axis of values beside a plot area, linear or logarithmic, and the places of its ticks."""

import math
from itertools import count

from msgspec import Struct
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from typing_extensions import override

from posenc_gui.look.number_format import true_minus, with_decimals
from posenc_gui.look.style import Style
from posenc_gui.plotting.layer import Margin
from posenc_gui.plotting.lettering import Lettering
from posenc_gui.plotting.plot_area import PlotArea, Range

_FONT_PX = 11
_TICK, _SHORT_TICK, _GAP = 4, 2, 3
_ROOM = {True: 30.0, False: 64.0}
"""Least distance of two labels in pixels: on an upright axis, and on one across."""
_LEAST_ROOM = {True: 18.0, False: 40.0}
_OVERHANG_PX = 14  # how far a number may reach past the end of its axis
_RIGHT_PX = 10  # the same at the right end of an axis across, where the figure ends
_RIGHT_AXIS_PX = 44.0
_PLAIN = 4
"""Powers of ten from here on are written as powers."""
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Scale(Struct, frozen=True):
    """An axis: its title, the values at its ends, and whether it is logarithmic or counts whole numbers.

    A plot area has a logarithmic axis in decimal logarithms.
    """

    title: str
    first: float
    last: float
    logarithmic: bool = False
    whole: bool = False

    @property
    def span(self) -> float:
        """The last value less the first."""
        return self.last - self.first

    @property
    def extent(self) -> Range:
        """The ends in the area's coordinates."""
        return (self.place(self.first), self.place(self.last))

    def place(self, value: float) -> float:
        """Where a value is in the area's coordinates; -inf for what a logarithmic axis has no place for."""
        if not self.logarithmic:
            return value
        return math.log10(value) if value > 0 else -math.inf

    def value(self, place: float) -> float:
        """The value at a place in the area's coordinates."""
        return float(10.0**place) if self.logarithmic else place

    def ticks(self, shown: Range, length: float, upright: bool) -> list[tuple[float, str]]:
        """Places of ticks in a range that is ``length`` pixels long, and their labels, empty for short ticks."""
        most = max(1.0, length / _ROOM[upright])
        if self.logarithmic:
            return _decades(shown, most)
        ticks = _steps(shown, most, self.whole)
        # One number is no axis: a short axis may have numbers that are closer to each other.
        return ticks if len(ticks) > 1 else _steps(shown, max(1.0, length / _LEAST_ROOM[upright]), self.whole)


def _steps(shown: Range, most: float, whole: bool) -> list[tuple[float, str]]:
    """Ticks at multiples of 1, 2 or 5 times a power of ten."""
    low, high = shown
    least = (high - low) / most
    if not 0 < least < math.inf:
        return []
    begin = 0 if whole and least <= 1 else math.floor(math.log10(least))
    steps = (factor * 10.0**exponent for exponent in count(begin) for factor in (1, 2, 5))
    step = next(each for each in steps if each >= least)
    decimals = max(0, -math.floor(math.log10(step)))
    places = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return [(place * step, _counted(place * step, decimals)) for place in places]


def _decades(shown: Range, most: float) -> list[tuple[float, str]]:
    """Ticks at powers of ten, between them at 2 and 5 times those where there is room, else short ones."""
    low, high = shown
    if not high - low < 700:
        return []
    each = max(1, math.ceil((high - low) / most))
    has_room = 3 * (high - low) <= most
    found = []
    for power in range(math.floor(low), math.ceil(high) + 1):
        for factor in range(1, 10):
            place = power + math.log10(factor)
            if not low - 1e-9 <= place <= high + 1e-9 or (factor > 1 and each > 1):
                continue
            is_named = power % each == 0 if factor == 1 else has_room and factor in (2, 5)
            found.append((place, power_text(factor, power) if is_named else ""))
    return found


def power_text(factor: int, power: int) -> str:
    """``factor`` times ten to the ``power``: 500, 0.02 or 2·10⁴."""
    if abs(power) < _PLAIN:
        return _counted(factor * 10.0**power, max(0, -power))
    ten = "10" + str(power).translate(_SUPERSCRIPTS)
    return ten if factor == 1 else f"{factor}·{ten}"


def _counted(value: float, decimals: int) -> str:
    return f"{round(value):,}".replace("-", "−") if not decimals else with_decimals(value, decimals)


class RightAxes(Margin):
    """Labels further scales to the right of a plot area, which is labelled itself by a linear scale on its left."""

    def __init__(self, area: PlotArea, style: Style) -> None:
        super().__init__(area)
        self._style = style
        self._whole: Scale | None = None
        self._scales: tuple[tuple[Scale, QColor], ...] = ()

    def show_scales(self, whole: Scale, scales: tuple[tuple[Scale, QColor], ...], style: Style) -> None:
        """Label these scales in their colours; each has its ends where the linear scale ``whole`` has them."""
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
    """The text of a value, or two digits with a power of ten where it has no room."""
    if letters.width(text) <= room:
        return text
    digits, _, power = f"{value:.1e}".partition("e")
    return true_minus(f"{digits.removesuffix('.0')}e{int(power)}")


class ValueAxis(Margin):
    """Labels the values of a scale beside a plot area."""

    def __init__(self, area: PlotArea, style: Style, upright: bool, size: int) -> None:
        super().__init__(area)
        self._style, self._upright, self._size = style, upright, size
        self._scale = Scale("", 0.0, 1.0)
        (self.setFixedWidth if upright else self.setFixedHeight)(size)

    def show_scale(self, scale: Scale) -> None:
        """Label this scale."""
        self._scale = scale
        self.update()

    def show_style(self, style: Style) -> None:
        """Draw in this style."""
        self._style = style
        self.update()

    @override
    def boundingRect(self) -> QRectF:
        over = _OVERHANG_PX
        return self.rect().adjusted(0, -over, 0, over) if self._upright else self.rect().adjusted(-over, 0, over, 0)

    @override
    def draw(self, painter: QPainter) -> None:
        rect, area, upright = self.rect(), self.area, self._upright
        length = rect.height() if upright else rect.width()
        ticks = self._scale.ticks(area.upright if upright else area.across, length, upright)
        painter.setPen(self._style.pen(self._style.border))
        painter.drawLine(QLineF(rect.width(), 0, rect.width(), length) if upright else QLineF(0, 0, length, 0))
        letters = Lettering(painter, self._style, _FONT_PX)
        for place, text in ticks:
            painter.setPen(self._style.pen(self._style.border))
            reach = _TICK if text else _SHORT_TICK
            if upright:
                y = area.to_y(place)
                painter.drawLine(QLineF(rect.width() - reach, y, rect.width(), y))
                box = QRectF(0, y - 10, rect.width() - _TICK - _GAP, 20)
            else:
                x = area.to_x(place)
                painter.drawLine(QLineF(x, 0, x, reach))
                middle = min(x, length + _RIGHT_PX - letters.width(text) / 2)
                box = QRectF(middle - 60, _TICK, 120, self._size - _TICK)
            if text:
                painter.setPen(self._style.pen(self._style.muted))
                side = Qt.AlignmentFlag.AlignRight if upright else Qt.AlignmentFlag.AlignHCenter
                letters.write_in(box, text, side)
