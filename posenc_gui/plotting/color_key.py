"""The colour bar beside a picture or below it, with its numbers, their title, and their unit."""

import math
from itertools import count, takewhile

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QTransform
from typing_extensions import override

from posenc_gui.look import Style, significant, unit_over
from posenc_gui.plotting.color_scale import ColorScale
from posenc_gui.plotting.layer import Strip
from posenc_gui.plotting.lettering import Lettering, width_of

_WIDTH = 12
_LEFT = 8
_TICK = 4
_TEXT_LEFT = _LEFT + _WIDTH + _TICK + 4
_LINE = 16
_TITLE = 15
_FONT_PX = 11
_LEAST_WIDTH = 46
_OVERHANG = _LINE / 2
"""How far the number of an end reaches past the end of the bar."""

_FLAT, _FLAT_TOP, _FLAT_TICK, _FLAT_HEIGHT = 7, 2, 3, 13
"""Below a picture: the height of the bar, the gap above it, its ticks, and the height of the line."""

_FLAT_GAP, _GAP, _LEAST_BAR = 4.0, 8.0, 32.0


_NOTHING = 1e-12
"""Share of a scale's reach below which a number is written as 0: ``exp(-75)`` beside 1 has the colour of 0."""


class ColorKey(Strip):
    """Colours from low to high with a tick and a number at both ends, and their title with its unit.

    It is beside a picture with the same height, or with ``across`` below the picture in one line.
    """

    def __init__(self, style: Style, across: bool = False) -> None:
        super().__init__()
        self._style, self._across = style, across
        self._scale: ColorScale | None = None
        self._title = ""
        (self.setFixedHeight if across else self.setFixedWidth)(0)

    def show_scale(self, scale: ColorScale, title: str, style: Style) -> None:
        """Draw this scale with its title, in this style."""
        self.unit = style.text_scale
        self._scale, self._title, self._style = scale, title, style.scaled(1.0)
        if self._across:
            self.setFixedHeight(_FLAT_HEIGHT * self.unit)
        else:
            longest = max(width_of(_written(value, scale), self._style, _FONT_PX) for value in key_values(scale))
            self.setFixedWidth((max(_LEAST_WIDTH, _TEXT_LEFT + math.ceil(longest) + 2) + _TITLE) * self.unit)
        self.update()

    def hide_scale(self) -> None:
        """Reserve no room."""
        self._scale = None
        (self.setFixedHeight if self._across else self.setFixedWidth)(0)

    @override
    def boundingRect(self) -> QRectF:
        beyond = 0 if self._across else _OVERHANG * self.unit
        return self.rect().adjusted(0, -beyond, 0, beyond)

    @override
    def draw(self, painter: QPainter) -> None:
        if self._scale is None:
            return
        letters = Lettering(painter, self._style, _FONT_PX)
        (self._draw_across if self._across else self._draw_upright)(painter, letters, self._scale)

    def _draw_upright(self, painter: QPainter, letters: Lettering, scale: ColorScale) -> None:
        rect = self.room
        bar = QRectF(_LEFT, 0, _WIDTH, rect.height())
        self._draw_bar(painter, bar, scale.key())
        painter.setPen(self._style.pen(self._style.muted))
        taken: list[float] = []
        for value in key_values(scale):
            y = bar.bottom() - scale.part(value) * bar.height()
            if any(abs(y - other) < _LINE for other in taken):
                continue
            taken.append(y)
            painter.drawLine(QLineF(bar.right(), y, bar.right() + _TICK, y))
            room = QRectF(_TEXT_LEFT, y - _LINE / 2, rect.width() - _TITLE - _TEXT_LEFT, _LINE)
            letters.write_in(room, _written(value, scale), Qt.AlignmentFlag.AlignLeft)
        painter.save()
        painter.translate(rect.width() - _TITLE, rect.height())
        painter.rotate(-90)
        letters.write_in(QRectF(0, 0, rect.height(), _TITLE), self._fitting(letters, rect.height()))
        painter.restore()

    def _draw_across(self, painter: QPainter, letters: Lettering, scale: ColorScale) -> None:
        """One line: the title, the number of the low end, the bar with its ticks, and the number of the high end."""
        muted, width = self._style.pen(self._style.muted), self.room.width()
        low, high = (letters.width(_written(value, scale)) for value in (scale.low, scale.high))
        numbers = low + high + 2 * _FLAT_GAP
        title = self._fitting(letters, width - numbers - _GAP - _LEAST_BAR)
        begin = letters.width(title) + _GAP if title else 0.0
        bar = QRectF(begin + low + _FLAT_GAP, _FLAT_TOP, max(1.0, width - begin - numbers), _FLAT)
        self._draw_bar(painter, bar, scale.key().transformed(QTransform().rotate(90)))
        painter.setPen(muted)
        for value in key_values(scale):
            x = bar.left() + scale.part(value) * bar.width()
            painter.drawLine(QLineF(x, bar.bottom(), x, bar.bottom() + _FLAT_TICK))
        baseline = (_FLAT_HEIGHT - letters.height) / 2 + letters.ascent
        letters.write(0, baseline, title)
        letters.write(begin, baseline, _written(scale.low, scale))
        letters.write(width - high, baseline, _written(scale.high, scale))

    def _draw_bar(self, painter: QPainter, bar: QRectF, colours: QImage) -> None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(bar, colours)
        painter.setPen(self._style.pen(self._style.border))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(bar)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)  # ticks are between pixels

    def _fitting(self, letters: Lettering, room: float) -> str:
        """The title if it fits, else with 1 for no unit, without its unit, or not at all."""
        shorter = (self._title, self._title.replace("no unit", "1"), self._title.partition(" (")[0])
        return letters.fitting(shorter, room)


def _written(value: float, scale: ColorScale) -> str:
    """The number in digits; π for half a turn, and 0 for a number with the colour of zero on a linear scale."""
    is_zero = not scale.step and abs(value) < _NOTHING * max(abs(scale.low), abs(scale.high))
    return {math.pi: "π", -math.pi: "−π"}.get(value) or significant(0.0 if is_zero else value)


def key_values(scale: ColorScale) -> list[float]:
    """The labelled values of a key, the most important first.

    They are the ends, and zero if it lies between them, else the middle; powers of ten on a logarithmic scale.
    """
    ends = [scale.high, scale.low] if scale.low < scale.high else [scale.low]
    if scale.step:
        powers = (10.0**exponent for exponent in count(math.floor(math.log10(scale.step))))
        reach = max(abs(end) for end in ends)
        steps = [power for power in takewhile(lambda power: power < reach, powers) if power >= scale.step]
        between = [0.0, *reversed([sign * power for power in steps for sign in (1, -1)])]
    else:
        unit = unit_over(scale.low, scale.high)
        between = [0.0 if scale.low < 0 < scale.high else (scale.low / unit + scale.high / unit) / 2 * unit]
    return list(dict.fromkeys([*ends, *(value for value in between if scale.low < value < scale.high)]))
