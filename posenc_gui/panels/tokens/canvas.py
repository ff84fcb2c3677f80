"""The strips of the tokens panel in view, and the ruler above them."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from typing_extensions import override

from posenc_gui.panels.tokens.painter import StripPainter
from posenc_gui.panels.tokens.profile import RULER_LINE, draw_ruler
from posenc_gui.panels.tokens.view import TokensView
from posenc_gui.plotting import Strip, wheel_steps


class Ruler(Strip):
    """The columns' numbers above the strips, which stay while the strips scroll."""

    def __init__(self, view: Callable[[], TokensView]) -> None:
        super().__init__()
        self._view = view
        self.fit()

    def fit(self) -> None:
        """Reserve the height of a line of text."""
        self.setFixedHeight(RULER_LINE * self.unit)

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._view()
        layout = view.layout
        if layout.n_tokens:
            draw_ruler(painter, layout.columns, layout.gutter, layout.width, view.style)


class Canvas(Strip):
    """Draws the strips in view, and scrolls.

    ``pointed`` carries a place in unscrolled coordinates, and whether it was clicked; ``resetAsked`` follows a double
    click.
    """

    pointed = Signal(object, bool)
    resetAsked = Signal()
    scrolled = Signal()

    def __init__(self, view: Callable[[], TokensView]) -> None:
        super().__init__()
        self._view = view
        self.offset = 0.0
        self.setFlag(self.GraphicsItemFlag.ItemClipsToShape)

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._view()
        layout = view.layout
        if layout.n_tokens == 0:
            self._draw_empty(painter)
            return
        strips = [layout.strip(token) for token in view.tokens]
        painter.save()
        try:
            painter.translate(0, -self.offset)
            StripPainter(view).draw(painter, strips)
        finally:
            painter.restore()
        self._draw_thumb(painter, layout.height)

    def _draw_empty(self, painter: QPainter) -> None:
        style = self._view().style
        painter.setFont(style.font(14))
        painter.setPen(style.pen(style.muted))
        painter.drawText(self.room, Qt.AlignmentFlag.AlignCenter, "Type a sentence above")

    def _draw_thumb(self, painter: QPainter, height: float) -> None:
        room, style = self.room.height(), self._view().style
        if height <= room + 1:
            return
        length = max(24.0, room * room / height)
        top = (room - length) * self.offset / (height - room)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(style.pen(style.border).color())
        painter.drawRoundedRect(QRectF(self.room.width() - 5, top, 4, length), 2, 2)

    def scroll_to(self, offset: float) -> None:
        """Scroll to ``offset`` units below the top, within the height of all strips."""
        height = self._view().layout.height
        self.offset = max(0.0, min(offset, height - self.room.height()))
        self.update()
        self.scrolled.emit()

    @override
    def resizeEvent(self, event: Any) -> None:
        self.scroll_to(self.offset)

    @override
    def wheelEvent(self, event: Any) -> None:
        event.accept()
        self.scroll_to(self.offset - wheel_steps(event) * min(90.0, self.room.height() / 3))

    @override
    def mouseDragEvent(self, event: Any) -> None:
        event.accept()
        self.scroll_to(self.offset - (event.pos().y() - event.lastPos().y()) / self.unit)

    @override
    def hoverEvent(self, event: Any) -> None:
        if self.isEnabled() and not event.isExit():  # as in plot areas
            self.pointed.emit(self._place(event), False)

    @override
    def mouseClickEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            if event.double():
                self.resetAsked.emit()
            else:
                self.pointed.emit(self._place(event), True)

    def _place(self, event: Any) -> QPointF:
        place = event.pos()
        return QPointF(place.x() / self.unit, place.y() / self.unit + self.offset)
