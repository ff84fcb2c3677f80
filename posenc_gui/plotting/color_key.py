"""The colour bar beside a picture, with its numbers."""

import math
from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter
from typing_extensions import override

from posenc_gui.look.number_format import significant, unit_over
from posenc_gui.look.style import Style
from posenc_gui.plotting.color_scale import ColorScale
from posenc_gui.plotting.layer import Margin
from posenc_gui.plotting.lettering import Lettering, width_of
from posenc_gui.plotting.plot_area import PlotArea

_WIDTH = 12
_LEFT = 8
_TEXT_LEFT = _LEFT + _WIDTH + 6
_LINE = 16
_FONT_PX = 11
_LEAST_WIDTH = 46


class ColorKey(Margin):
    """Colours from low to high with their numbers beside them, as high as the plot area."""

    def __init__(self, area: PlotArea, style: Style) -> None:
        super().__init__(area)
        self._style = style
        self._scale: ColorScale | None = None
        self.setFixedWidth(_TEXT_LEFT)

    def show_scale(self, scale: ColorScale, style: Style) -> None:
        """Draw this scale, in this style."""
        self._scale, self._style = scale, style
        longest = max(width_of(_written(value), style, _FONT_PX) for value in key_values(scale))
        self.setFixedWidth(max(_LEAST_WIDTH, _TEXT_LEFT + math.ceil(longest) + 2))
        self.update()

    @override
    def draw(self, painter: QPainter) -> None:
        if self._scale is None:
            return
        style, scale = self._style, self._scale
        bar = QRectF(_LEFT, 0, _WIDTH, self.rect().height())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(bar, scale.key())
        painter.setPen(style.pen(style.border))
        painter.drawRect(bar)
        letters = Lettering(painter, style, _FONT_PX)
        unit = unit_over(scale.low, scale.high)
        low, high = scale.low / unit, scale.high / unit
        for value in key_values(scale):
            part = (value / unit - low) / (high - low) if low < high else 0.5
            y = bar.bottom() - part * bar.height()
            if scale.low < value < scale.high and min(y - bar.top(), bar.bottom() - y) < 1.5 * _LINE:
                continue  # it would overlap the number at an end
            painter.setPen(style.pen(style.border))
            painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 4, y))
            painter.setPen(style.pen(style.muted))
            top = min(max(y - _LINE / 2, 0), bar.height() - _LINE)
            text = QRectF(_TEXT_LEFT, top, self.rect().width() - _TEXT_LEFT, _LINE)
            letters.write_in(text, _written(value), Qt.AlignmentFlag.AlignLeft)


class LazyColorKey(ColorKey):
    """The key of the colours, whose ends are computed only while the key is visible."""

    def __init__(self, area: PlotArea, view: Callable[[], tuple[ColorScale, Style]], style: Style) -> None:
        super().__init__(area, style)
        self._view = view

    def fit(self) -> None:
        """Show the present colours, unless the key is hidden."""
        if self.scene() is not None and any(view.isVisible() for view in self.scene().views()):
            self.show_scale(*self._view())

    @override
    def draw(self, painter: QPainter) -> None:
        if (self._scale, self._style) != self._view():  # it was hidden when they changed
            self.fit()
        super().draw(painter)


def _written(value: float) -> str:
    """The number in digits; π for half a turn."""
    return {math.pi: "π", -math.pi: "−π"}.get(value) or significant(value)


def key_values(scale: ColorScale) -> list[float]:
    """The values that a key names: its ends, and zero if it lies between them, else the middle."""
    middle = 0.0 if scale.low < 0 < scale.high else (scale.low + scale.high) / 2
    return sorted({scale.low, middle, scale.high})
