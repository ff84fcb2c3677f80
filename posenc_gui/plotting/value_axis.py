"""Axes of values beside a plot area."""

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from typing_extensions import override

from posenc_gui.look.number_format import true_minus
from posenc_gui.look.style import Style
from posenc_gui.plotting.layer import Margin
from posenc_gui.plotting.lettering import Lettering
from posenc_gui.plotting.plot_area import PlotArea
from posenc_gui.plotting.scale import Scale

_FONT_PX = 11
_TICK, _SHORT_TICK, _GAP = 4, 2, 3
_OVERHANG_PX = 14  # how far a number may reach past the end of its axis
_RIGHT_PX = 10  # the same at the right end of an axis across, where the figure ends
_RIGHT_AXIS_PX = 44.0


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
