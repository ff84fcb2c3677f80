"""The coloured cells of the matrix of positions, each the mean over the positions that it stands for."""

from collections.abc import Callable, Iterator

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from typing_extensions import override

from posenc_core import Encoding
from posenc_core.analysis import affordable_rows, is_toeplitz, similarity_cells
from posenc_core.numerics import FloatArray
from posenc_gui.figures.cell_figure import VECTOR_CELLS, draw_cell_image, draw_cell_numbers, draw_cell_shapes
from posenc_gui.look.number_format import decimals_for
from posenc_gui.look.style import LAYER_DATA, Style
from posenc_gui.plotting.color_scale import ColorScale, with_holes
from posenc_gui.plotting.hatch import draw_hatch
from posenc_gui.plotting.layer import Layer, is_vector
from posenc_gui.plotting.plot_area import PlotArea, Range

_NUMBER_CELL = (40.0, 16.0)  # the least width and height of a cell that shows its number
_MOST_DECIMALS = 2


class Cells(Struct, frozen=True):
    """The first positions of the cells in view, rows and columns in equal steps."""

    rows: range
    columns: range

    @classmethod
    def of(cls, area: PlotArea, encoding: Encoding, positions: range) -> "Cells":
        """The cells in view: a position each, or as many as share a pixel, or as can be read at once."""
        rows, columns = _seen(area.upright, positions), _seen(area.across, positions)
        size = area.rect()
        most = 1 << 16 if is_toeplitz(encoding) else affordable_rows(encoding)
        step = max(
            -(-len(rows) // max(1, min(int(size.height()), most))),
            -(-len(columns) // max(1, min(int(size.width()), most))),
            1,
        )
        # Multiples of the step, so that the picture does not flicker while it is panned.
        return cls(_in_steps(rows, positions.start, step), _in_steps(columns, positions.start, step))

    @property
    def bounds(self) -> tuple[Range, Range]:
        """The ranges across and down that the cells cover."""
        columns, rows = ((each[0] - 0.5, each[-1] + each.step - 0.5) for each in (self.columns, self.rows))
        return columns, rows


def _in_steps(seen: range, origin: int, step: int) -> range:
    return range(origin + (seen.start - origin) // step * step, seen.stop, step)


def _seen(window: Range, positions: range) -> range:
    """The positions in a visible range."""
    first, stop = int(np.floor(window[0] + 0.5 + 1e-6)), int(np.ceil(window[1] + 0.5 - 1e-6))
    return range(max(positions.start, first), min(positions.stop, stop))


class MatrixView(Struct, frozen=True):
    """What the matrix shows: the cells of an encoding by a measure, their colours, and the style."""

    encoding: Encoding
    measure: str
    cells: Cells
    colors: ColorScale
    style: Style


class MatrixCells(Layer):
    """The colours, and the numbers where cells are large enough; a hatch where there is no row."""

    def __init__(self, area: PlotArea, view: Callable[[], MatrixView]) -> None:
        super().__init__(area, LAYER_DATA)
        self._new_view = view
        self._view: MatrixView | None = None
        self._values: FloatArray = np.zeros((0, 0))
        self._image = QImage()

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._new_view()
        if view != self._view:
            self._values = similarity_cells(view.encoding, view.cells.rows, view.cells.columns, view.measure)
            missing = ~np.isfinite(self._values)
            if self._values.size:
                image = view.colors.image(np.where(missing, 0.0, self._values))
                self._image = with_holes(image, missing) if missing.any() else image
            self._view = view
        if not self._values.size:
            return
        target = self.area.to_rect(*view.cells.bounds)
        if not np.isfinite(self._values).all():
            draw_hatch(painter, target.intersected(QRectF(self.area.rect())), view.style)
        if is_vector(painter) and self._values.size <= VECTOR_CELLS:
            draw_cell_shapes(painter, self._shapes(view), target)
        else:
            draw_cell_image(painter, self._image, target, QRectF(self.area.rect()))
        rect = self._cell(view.cells, 0, 0)
        if view.cells.rows.step == 1 and rect.width() >= _NUMBER_CELL[0] and rect.height() >= _NUMBER_CELL[1]:
            visible = QRectF(self.area.rect())
            shown = (cell for cell in self._shapes(view) if cell[0].intersects(visible))
            decimals = min(decimals_for(np.nan_to_num(self._values)), _MOST_DECIMALS)
            draw_cell_numbers(painter, shown, view.style.font(11), decimals)

    def _shapes(self, view: MatrixView) -> Iterator[tuple[QRectF, float, int]]:
        """The cells that have a value."""
        colours = view.colors.colours(np.where(np.isfinite(self._values), self._values, 0.0))
        for (row, column), value in np.ndenumerate(self._values):
            if np.isfinite(value):
                yield self._cell(view.cells, row, column), float(value), int(colours[row, column])

    def _cell(self, cells: Cells, row: int, column: int) -> QRectF:
        down, across, step = cells.rows[row], cells.columns[column], cells.rows.step
        return self.area.to_rect((across - 0.5, across + step - 0.5), (down - 0.5, down + step - 0.5))
