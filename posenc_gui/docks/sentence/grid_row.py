"""The grid as a strip of cells below the sentence, and a slider for the frames that a picture does not draw."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_core.encodings import Cells, Grid
from posenc_gui.docks.editors import IntegerSlider
from posenc_gui.look import OUTER_MARGIN, PlainLabel, blend, describe, plain_tip, present_style, row_of
from posenc_gui.model import Cursor

_HEIGHT, _SLIDER_PX = 18, 160
_LEAST_CELL = 4.0
"""Pixels of a cell with a visible edge."""

_LEAST_MARK = 3.0
_TEXT, _ROWS = 0.35, (0.1, 0.2)
"""Shares of the accent's colour in the ground's: of text, and of the rows of a picture in turns."""


class GridRow(QWidget):
    """The cells of the document's grid in the order of their positions.

    ``cursorMoved`` carries the Cursor at the cell under the mouse, held after a click or a choice by the slider.
    """

    cursorMoved = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cells: Cells | None = None
        self._cursor = Cursor(0, 0)
        self._strip, self._frame, self._words = _Strip(self), IntegerSlider((0, 0), self), PlainLabel()
        self._frame.setFixedWidth(_SLIDER_PX)
        describe(self._frame, "frame", "Choose the frame of the video")
        self._frame.numberMoved.connect(self._choose_frame)
        self._strip.pointed.connect(self._point)
        margins = (OUTER_MARGIN // 2, 0, OUTER_MARGIN // 2, 0)
        row_of(self._strip, self._words, self._frame, wide=self._strip, holder=self, margins=margins)

    def show_document(self, document: Document) -> None:
        """Show the grid of the document's encoding; hidden for a text and for an encoding that reads no grid."""
        cells = document.encoding.cells
        self._cells = cells if cells is not None and cells.grid.is_picture else None
        self.setVisible(self._cells is not None)
        if self._cells is not None:
            grid = self._cells.grid
            self._frame.setVisible(grid.size("t") > 1)
            self._frame.setRange(0, grid.size("t") - 1)
            self._strip.show_grid(grid)
            self._show()

    def show_cursor(self, cursor: Cursor) -> None:
        """Mark the cell of the cursor."""
        self._cursor = cursor
        if self._cells is not None:
            self._show()

    def _show(self) -> None:
        if self._cells is None:
            return
        grid, position = self._cells.grid, self._cursor.position
        indices = grid.indices(position)
        if indices is not None and "t" in indices:
            self._frame.setValue(indices["t"])
        self._words.setText(grid.words(position) or str(grid))
        self._strip.mark(position)

    def _point(self, position: int, pinned: bool) -> None:
        self.cursorMoved.emit(Cursor(position, self._cursor.column, pinned))

    def _choose_frame(self, frame: int, _gesture: object) -> None:
        """Hold the same patch of another frame."""
        if self._cells is not None:
            grid = self._cells.grid
            indices = grid.indices(self._cursor.position) or {}
            self._point(grid.position({**indices, "t": frame}), True)


class _Strip(QWidget):
    """A cell for each position, text first; ``pointed`` carries a position, and whether it was clicked."""

    pointed = Signal(int, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid, self._marked = Grid(), 0
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("cells of the grid")

    def show_grid(self, grid: Grid) -> None:
        """Show the cells of a grid with a picture."""
        self._grid = grid
        self.setAccessibleDescription(f"grid {grid}")
        self.setToolTip(plain_tip(f"The {grid.n_cells:,} cells of the grid {grid}, in the order of their positions"))
        self.update()

    def mark(self, position: int) -> None:
        """Mark the cell at a position."""
        self._marked = position
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(240, _HEIGHT)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._send(event, False)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._send(event, True)

    def _send(self, event: QMouseEvent, pinned: bool) -> None:
        count = self._grid.n_cells or 0
        position = int(event.position().x() * count / max(1, self.width()))
        if 0 <= position < count:
            self.pointed.emit(position, pinned)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        grid, style, tall = self._grid, present_style(), float(self.height())
        count = grid.n_cells
        if count is None:
            return
        painter = QPainter(self)
        one = self.width() / count
        painter.fillRect(QRectF(0, 0, grid.n_text * one, tall), blend(style.accent, style.ground, _TEXT))
        *_, wide = grid.sizes
        rows = grid.n_patches // wide
        together = max(1, round(rows / max(1.0, self.width() / 2)))  # rows that share a stripe, at least two pixels
        for index, row in enumerate(range(0, rows, together)):
            left, stop = grid.n_text + row * wide, grid.n_text + min(row + together, rows) * wide
            colour = blend(style.accent, style.ground, _ROWS[index % 2])
            painter.fillRect(QRectF(left * one, 0, (stop - left) * one, tall), colour)
        painter.setPen(style.pen(style.border))
        if one >= _LEAST_CELL:
            for cell in range(count + 1):
                painter.drawLine(round(cell * one), 0, round(cell * one), self.height())
        painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        if 0 <= self._marked < count:
            width = max(one, _LEAST_MARK)
            painter.fillRect(QRectF((self._marked + 0.5) * one - width / 2, 0, width, tall), QColor(style.accent))
        painter.end()
