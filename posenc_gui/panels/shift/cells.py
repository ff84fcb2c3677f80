"""The cells of a map, with a frame around the block of each pair."""

from collections.abc import Callable, Iterator

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from typing_extensions import override

from posenc_core.numerics import FloatArray
from posenc_gui.figures import VECTOR_CELLS, draw_cell_image, draw_cell_numbers, draw_cell_shapes
from posenc_gui.look import LAYER_DATA
from posenc_gui.panels.shift.maps import Shift
from posenc_gui.panels.shift.pointing import ShiftView
from posenc_gui.plotting import ColorScale, Layer, PlotArea, is_vector

_NUMBER_CELL = (34.0, 16.0)  # the least width and height of a cell that shows its number
_FRAMED_PX = 5.0
_LONGEST_NUMBER = 100.0


class MapCells(Layer):
    """The matrix as colours, with numbers where cells are large enough."""

    def __init__(self, area: PlotArea, view: Callable[[], ShiftView]) -> None:
        super().__init__(area, LAYER_DATA)
        self._new_view = view
        self._shown: tuple[Shift, ColorScale] | None = None
        self._image = QImage()

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._new_view()
        if view.shift is None:
            return
        matrix, shown = view.shift.matrix, (view.shift, view.colors)
        if self._shown is None or self._shown[0] is not shown[0] or self._shown[1] != shown[1]:
            self._image, self._shown = view.colors.image(matrix), shown
        size = len(matrix)
        target = self.area.to_rect((-0.5, size - 0.5), (-0.5, size - 0.5))
        if is_vector(painter) and matrix.size <= VECTOR_CELLS:
            draw_cell_shapes(painter, self._cells(matrix, view.colors), target)
        else:
            draw_cell_image(painter, self._image, target, QRectF(self.area.rect()))
        cell = self._rect(0, 0)
        is_short = bool(np.abs(matrix).max(initial=0.0) < _LONGEST_NUMBER)
        if is_short and cell.width() >= _NUMBER_CELL[0] and cell.height() >= _NUMBER_CELL[1]:
            draw_cell_numbers(painter, self._cells(matrix, view.colors), view.style.font(11), 2)
        if min(cell.width(), cell.height()) >= _FRAMED_PX:
            self._frame_blocks(painter, view)

    def _frame_blocks(self, painter: QPainter, view: ShiftView) -> None:
        """Frame the blocks of neighbouring columns, and the four cells of the cursor's pair."""
        assert view.shift is not None
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(view.style.pen(view.style.ink))
        for one, other in view.shift.pairs.tolist():
            first, last = min(one, other), max(one, other)
            if last == first + 1:
                painter.drawRect(self._rect(first, first).united(self._rect(last, last)))
        if view.pair is None or view.pair >= len(view.shift.pairs):
            return
        painter.setPen(view.style.pen(view.style.accent, 2.0))
        members = view.shift.pairs[view.pair].tolist()
        if abs(members[0] - members[1]) == 1:
            painter.drawRect(self._rect(members[0], members[0]).united(self._rect(members[1], members[1])))
        else:
            for row in members:
                for column in members:
                    painter.drawRect(self._rect(row, column))

    def _cells(self, matrix: FloatArray, colors: ColorScale) -> Iterator[tuple[QRectF, float, int]]:
        """The cells in view with their values and colours."""
        visible, colours = QRectF(self.area.rect()), colors.colours(matrix)
        for (row, column), value in np.ndenumerate(matrix):
            rect = self._rect(row, column)
            if rect.intersects(visible):
                yield rect, float(value), int(colours[row, column])

    def _rect(self, row: int, column: int) -> QRectF:
        return self.area.to_rect((column - 0.5, column + 0.5), (row - 0.5, row + 0.5))
