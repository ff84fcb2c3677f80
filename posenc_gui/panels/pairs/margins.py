"""What stands beside the token pairs: the axes' names, and the key of the colours."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from typing_extensions import override

from posenc_gui.look.style import Style
from posenc_gui.plotting.color_key import ColorKey
from posenc_gui.plotting.color_scale import ColorScale
from posenc_gui.plotting.layer import Margin
from posenc_gui.plotting.plot_area import PlotArea

_NAME_PX = 18


class AxisName(Margin):
    """The name of an axis at its middle, turned to read upwards beside an upright axis."""

    def __init__(self, area: PlotArea, style: Style, text: str, upright: bool) -> None:
        super().__init__(area)
        self._style, self._text, self._upright = style, text, upright
        (self.setFixedWidth if upright else self.setFixedHeight)(_NAME_PX)

    def show_style(self, style: Style) -> None:
        """Draw in this style."""
        self._style = style

    @override
    def draw(self, painter: QPainter) -> None:
        length = self.turned(painter, self._upright)
        painter.setFont(self._style.font(11))
        painter.setPen(self._style.pen(self._style.muted))
        painter.drawText(QRectF(0, 0, length, _NAME_PX), Qt.AlignmentFlag.AlignCenter, self._text)


class PairKey(ColorKey):
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
