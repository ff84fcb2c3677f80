"""Drawing of a line over the waves: a sheet for the mouse, and a pen for the keyboard."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import QGraphicsObject, QGraphicsSceneMouseEvent, QPushButton, QStyleOptionGraphicsItem, QWidget
from typing_extensions import override

from posenc_core.numerics import FloatArray
from posenc_gui.figures import Rows
from posenc_gui.look import HIT_PX, LAYER_CURSOR, plain_tip, significant
from posenc_gui.plotting import PlotArea
from posenc_gui.story.ghost import Frame, Line


class DrawingSheet(QGraphicsObject):
    """Draws with the left button over the waves while it is open, in place of panning and clicks.

    ``drawn`` carries a column and the line over its wave, points (position, value) from left to right, while the
    button is held; the column is that of the row in which the line begins.
    """

    drawn = Signal(int, object)

    def __init__(self, area: PlotArea, rows: Rows) -> None:
        super().__init__(area)
        self._area, self._rows = area, rows
        self._points: dict[float, float] = {}
        self._column = 0
        self._frame: Frame | None = None
        self.setZValue(LAYER_CURSOR + 1)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.close_sheet()
        area.sigResized.connect(self.prepareGeometryChange)

    def open_sheet(self, frame: Frame) -> None:
        """Accept drawings in the coordinates of the frame."""
        self._frame = frame
        self.show()

    def close_sheet(self) -> None:
        """Leave the mouse to the waves."""
        self._frame = None
        self.hide()

    @override
    def boundingRect(self) -> QRectF:
        return QRectF(self._area.rect())

    @override
    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw nothing: the ghost shows the line."""

    @override
    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        column = self._rows.column_at(self._area.to_data(event.pos())[1])
        if event.button() != Qt.MouseButton.LeftButton or column is None or self._frame is None:
            event.ignore()
            return
        self._column, self._points = column, {}
        self._add(event.pos())

    @override
    def mouseMoveEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        self._add(event.pos())

    def _add(self, place: QPointF) -> None:
        row = self._rows.row_of(self._column)
        if self._frame is None or row is None:
            return
        across = place.x() / self._area.rect().width()
        x, y = self._frame.position_at(across), self._area.to_data(place)[1]
        self._points[x] = self._frame.value_at(y - row)
        self.drawn.emit(self._column, tuple(sorted(self._points.items())))


PEN_KEYS = "Arrow keys draw: left and right along the positions, up and down the value; with Shift in steps of ten."
_FAR = 10
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}


class Pen(QPushButton):
    """Draws with the arrow keys while it has the focus, set by a click.

    ``moved`` carries steps to the right and up, ``focused`` follows a change of the focus.
    """

    moved = Signal(int, int)
    focused = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setToolTip(plain_tip(PEN_KEYS))
        self.setAccessibleDescription(PEN_KEYS)
        self.setMinimumHeight(HIT_PX)
        self.setAutoDefault(False)
        self.clicked.connect(self.setFocus)

    def show_place(self, position: int, value: float) -> None:
        """Report the pen's place."""
        self.setText(f"Pen: position {position}, value {significant(value, 3)}")
        self.setAccessibleName(f"pen at position {position}, value {significant(value, 3)}")

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        right, up = _ARROWS.get(Qt.Key(event.key()), (0, 0))
        is_far = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if right or up:
            self.moved.emit(right * (_FAR if is_far else 1), up * (_FAR if is_far else 1))
        else:
            event.ignore()  # the page's keys

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focused.emit()


def values_of(line: Line, positions: Sequence[int]) -> FloatArray:
    """The line's values at the positions, float64; NaN outside of it."""
    x, y = np.array(line, np.float64).reshape(-1, 2).T
    return np.interp(positions, x, y, left=np.nan, right=np.nan) if len(x) else np.full(len(positions), np.nan)
