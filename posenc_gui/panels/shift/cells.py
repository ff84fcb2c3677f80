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
from posenc_gui.plotting import ColorScale, Layer, PlotArea, cells_in, is_vector

_NUMBER_CELL = (34.0, 16.0)  # the least width and height of a cell that shows its number, with text of size 1
_FRAMED_PX = 5.0
_LONGEST_NUMBER = 100.0


def block_means(matrix: FloatArray, step: int) -> FloatArray:
    """The means of ``step`` rows and ``step`` columns each, of fewer at the end: every entry is in one of them."""
    firsts = np.arange(0, len(matrix), step)
    counts = np.diff(firsts, append=len(matrix))
    sums = np.add.reduceat(np.add.reduceat(matrix, firsts, axis=0), firsts, axis=1)
    return np.asarray(sums / np.outer(counts, counts))


class MapCells(Layer):
    """The matrix as colours, with numbers if cells are large enough."""

    def __init__(self, area: PlotArea, view: Callable[[], ShiftView]) -> None:
        super().__init__(area, LAYER_DATA)
        self._new_view = view
        self._shown: tuple[Shift, ColorScale, int] | None = None
        self._image = QImage()

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._new_view()
        if view.shift is None:
            return
        matrix, colors, step = view.shift.matrix, view.colors, view.step
        if self._shown is None or self._shown[0] is not view.shift or self._shown[1:] != (colors, step):
            self._image, self._shown = colors.image(block_means(matrix, step)), (view.shift, colors, step)
        end = step * self._image.width() - 0.5  # the last cells may be means of fewer entries
        target = self.area.to_rect((-0.5, end), (-0.5, end))
        if is_vector(painter) and matrix.size <= VECTOR_CELLS:
            draw_cell_shapes(painter, self._cells(view.shift, colors), target)
        else:
            draw_cell_image(painter, self._image, target, QRectF(self.area.rect()))
        cell, larger = self._rect(0, 0), max(1.0, view.style.text_scale)
        is_short = view.shift.peak < _LONGEST_NUMBER
        if is_short and cell.width() >= _NUMBER_CELL[0] * larger and cell.height() >= _NUMBER_CELL[1] * larger:
            draw_cell_numbers(painter, self._cells(view.shift, colors), view.style.font(11), 2)
        if min(cell.width(), cell.height()) >= _FRAMED_PX:
            self._frame_blocks(painter, view, view.shift)

    def _frame_blocks(self, painter: QPainter, view: ShiftView, shift: Shift) -> None:
        """Frame the blocks of neighbouring columns in view, and the four cells of the cursor's pair."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(view.style.pen(view.style.ink))
        rows, columns = self._seen(len(shift.matrix))
        first, last = shift.pairs.min(axis=1), shift.pairs.max(axis=1)
        is_seen = (last >= max(rows.start, columns.start)) & (first < min(rows.stop, columns.stop))
        for place in first[is_seen & (last == first + 1)].tolist():
            painter.drawRect(self._rect(place, place).united(self._rect(place + 1, place + 1)))
        if view.pair is None or view.pair >= len(shift.pairs):
            return
        painter.setPen(view.style.pen(view.style.accent, 2.0))
        members = shift.pairs[view.pair].tolist()
        if abs(members[0] - members[1]) == 1:
            painter.drawRect(self._rect(members[0], members[0]).united(self._rect(members[1], members[1])))
        else:
            for row in members:
                for column in members:
                    painter.drawRect(self._rect(row, column))

    def _cells(self, shift: Shift, colors: ColorScale) -> Iterator[tuple[QRectF, float, int]]:
        """The cells in view with their values and colours."""
        rows, columns = self._seen(len(shift.matrix))
        values = shift.matrix[rows.start : rows.stop, columns.start : columns.stop]
        colours = colors.colours(values)
        for (down, across), value in np.ndenumerate(values):
            rect = self._rect(rows[down], columns[across])
            yield rect, float(value), int(colours[down, across])

    def _seen(self, size: int) -> tuple[range, range]:
        """The rows and the columns in view of a matrix of this size."""
        positions = range(size)
        return cells_in(self.area.upright, positions), cells_in(self.area.across, positions)

    def _rect(self, row: int, column: int) -> QRectF:
        return self.area.to_rect((column - 0.5, column + 0.5), (row - 0.5, row + 0.5))
