"""Figures that draw on separate canvases, in pixels or in larger units for larger text."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from typing_extensions import override

from posenc_gui.figures.figure import UnitFigure
from posenc_gui.look import Style
from posenc_gui.model import Cursor
from posenc_gui.plotting import Strip


class Canvas(Strip):
    """Draws a picture. A handle found by ``handle_at`` at a place can be dragged.

    ``hovered`` carries a place, None after the mouse has left, ``clicked`` a place and whether Shift is held.
    ``dragged`` carries a handle, a place and the gesture, ``dropped`` follows the end of a gesture.
    """

    hovered = Signal(object)
    clicked = Signal(object, bool)
    dragged = Signal(object, object, object)
    dropped = Signal()

    def __init__(self, draw: Callable[[QPainter], None], handle_at: Callable[[QPointF], object | None]) -> None:
        super().__init__()
        self._draw, self._handle_at = draw, handle_at
        self._held: object | None = None
        self._gesture = object()
        self.setFlag(self.GraphicsItemFlag.ItemClipsToShape)

    @property
    def is_dragging(self) -> bool:
        """Whether a handle is being dragged."""
        return self._held is not None

    @override
    def draw(self, painter: QPainter) -> None:
        self._draw(painter)

    @override
    def hoverEvent(self, event: Any) -> None:
        place = None if event.isExit() else self._in_units(event.pos())
        if place is not None and self._handle_at(place) is not None:
            self.setCursor(Qt.CursorShape.SplitHCursor)
        elif self.cursor().shape() == Qt.CursorShape.SplitHCursor:
            self.unsetCursor()
        self.hovered.emit(place)

    @override
    def mouseClickEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            self.clicked.emit(self._in_units(event.pos()), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))

    @override
    def mouseDragEvent(self, event: Any) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if event.isStart():
            self._held, self._gesture = self._handle_at(self._in_units(event.buttonDownPos())), object()
        if self._held is not None:
            event.accept()
            self.dragged.emit(self._held, self._in_units(event.pos()), self._gesture)
            if event.isFinish():
                self._held = None
                self.dropped.emit()

    def _in_units(self, place: QPointF) -> QPointF:
        return QPointF(place.x() / self.unit, place.y() / self.unit)


class CanvasFigure(UnitFigure):
    """A figure of one canvas, whose places ``pointing`` turns into cursors. Subclasses fill in ``draw``."""

    marked: Any = None

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self.canvas = Canvas(self.draw, self.handle_at)
        self.canvas.unit = style.text_scale
        self.addItem(self.canvas, 0, 0)
        self.canvas.hovered.connect(self._hovered)
        self.canvas.clicked.connect(self._clicked)
        self.canvas.dragged.connect(self._dragged)

    @property
    def room(self) -> QRectF:
        """The canvas in its units."""
        return self.canvas.room

    def draw(self, painter: QPainter) -> None:
        """Draw everything, in the canvas' units."""
        raise NotImplementedError

    def handle_at(self, place: QPointF) -> object | None:
        """The handle at a place; None for none."""
        return None

    def _hovered(self, place: QPointF | None) -> None:
        if place is not None:
            self.point(place.x(), place.y())

    def _clicked(self, place: QPointF, is_shifted: bool) -> None:
        self.point(place.x(), place.y(), True)

    def _dragged(self, handle: object, place: QPointF, gesture: object) -> None:
        """Edit the value of a handle."""

    def mark(self, part: Any) -> None:
        """Mark a part of a figure whose parts are ``marked``, such as the index of a card or the place of a cell."""
        if part != self.marked:
            before, self.marked = self.marked, part
            self._mark_shown(before)
            self.noteChanged.emit()
            self.marksChanged.emit(self.pointing.spoken())

    def _mark_shown(self, before: Any) -> None:
        """Repaint the marked part and the part marked before."""

    def _cursor_shown(self, before: Cursor | None) -> None:
        self.canvas.update()
        self.noteChanged.emit()
