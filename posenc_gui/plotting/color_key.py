"""The bar that says which colour is which number."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from posenc_gui.plotting.color_scale import ColorScale
from posenc_gui.plotting.layer import Margin
from posenc_gui.plotting.plot_area import PlotArea
from posenc_gui.style import Style

_WIDTH = 12
_LEFT = 10
_TICKS = (0.0, 0.5, 1.0)


class ColorKey(Margin):
    """Colours from low to high with three numbers beside them, as high as the plot area."""

    def __init__(self, area: PlotArea, style: Style) -> None:
        super().__init__(area)
        self._style = style
        self._scale: ColorScale | None = None
        self.setFixedWidth(46)

    def show_scale(self, scale: ColorScale, style: Style) -> None:
        """Draw this scale from now on."""
        self._scale, self._style = scale, style
        self.update()

    def draw(self, painter: QPainter) -> None:
        """The bar, a hairline around it, ticks and numbers."""
        if self._scale is None:
            return
        style, scale = self._style, self._scale
        bar = QRectF(_LEFT, 0, _WIDTH, self.rect().height())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(bar, scale.key())
        painter.setPen(style.pen(style.border))
        painter.drawRect(bar)
        painter.setFont(style.font(11))
        for part in _TICKS:
            value = scale.low + part * (scale.high - scale.low)
            y = bar.bottom() - part * bar.height()
            painter.setPen(style.pen(style.border))
            painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 4, y))
            painter.setPen(style.pen(style.muted))
            top = min(max(y - 8, 0), bar.height() - 16)
            text = QRectF(bar.right() + 7, top, 30, 16)
            painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, f"{value:g}".replace("-", "−"))
