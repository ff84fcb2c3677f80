"""Coloured cells of rows by columns: one for each two positions or tokens, or for as many as share a pixel."""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from typing_extensions import override

from posenc_core.numerics import FloatArray
from posenc_gui.figures import VECTOR_CELLS, draw_cell_image, draw_cell_numbers, draw_cell_shapes
from posenc_gui.look import LAYER_DATA, Style, decimals_for
from posenc_gui.plotting import ColorScale, Layer, PlotArea, Range, cells_in, draw_hatch, is_vector, with_holes

_NUMBER_CELL = (40.0, 16.0)  # the least width and height of a cell that shows its number, with text of size 1
_THREE_DECIMALS_PX = 52  # the least width of a cell with three decimals


class CellRanges(Struct, frozen=True):
    """The first positions of the cells in view, rows and columns in equal steps."""

    rows: range
    columns: range

    @classmethod
    def of(cls, area: PlotArea, positions: range, most: int, across: range | None = None) -> "CellRanges":
        """The cells in view: one position each, or as many as share a pixel; at most ``most`` on either axis.

        ``positions`` are those of both axes, or of the rows only if ``across`` has those of the columns.
        """
        across = positions if across is None else across
        rows, columns = cells_in(area.upright, positions), cells_in(area.across, across)
        size = area.rect()
        step = max(
            -(-len(rows) // max(1, min(int(size.height()), most))),
            -(-len(columns) // max(1, min(int(size.width()), most))),
            1,
        )
        return cls(_in_steps(rows, positions, step), _in_steps(columns, across, step))

    @property
    def step(self) -> int:
        """The number of positions from one cell to the next."""
        return self.columns.step

    @property
    def bounds(self) -> tuple[Range, Range]:
        """The ranges across and down that the cells cover."""
        columns, rows = ((each[0] - 0.5, each[-1] + each.step - 0.5) for each in (self.columns, self.rows))
        return columns, rows

    def rect(self, area: PlotArea, row: int, column: int) -> QRectF:
        """The cell in this row and column of the picture, in the area's pixels."""
        down, across, step = self.rows[row], self.columns[column], self.step
        return area.to_rect((across - 0.5, across + step - 0.5), (down - 0.5, down + step - 0.5))


def _in_steps(seen: range, positions: range, step: int) -> range:
    """The steps that contain the visible positions: multiples, to avoid flicker during panning."""
    origin = positions.start
    first, last = ((seen.start - origin) // step, -(-(seen.stop - origin) // step))
    return range(origin + first * step, min(origin + last * step, positions.stop), step)


class CellsView(Protocol):
    """Content of a layer of cells: the cells in view, their colours, and the style."""

    @property
    def cells(self) -> CellRanges:
        """The cells in view."""

    @property
    def colors(self) -> ColorScale:
        """The colours of the numbers."""

    @property
    def style(self) -> Style:
        """The style."""


View = TypeVar("View", bound=CellsView)


class CellsLayer(Layer, Generic[View]):
    """The colours, and the numbers where cells are large enough. Subclasses fill in ``_values_of``."""

    def __init__(self, area: PlotArea, view: Callable[[], View]) -> None:
        super().__init__(area, LAYER_DATA)
        self._view = view
        self._made_for: tuple[FloatArray, ColorScale] | None = None
        self._image = QImage()

    @abstractmethod
    def _values_of(self, view: View) -> FloatArray:
        """The numbers of the cells, nan where one is missing; the same array until they change."""

    def _draw_ground(self, painter: QPainter, target: QRectF, view: View, values: FloatArray) -> None:
        """Draw the look of cells without a number."""
        if not np.isfinite(values).all():
            draw_hatch(painter, target, view.style)

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._view()
        values = self._values_of(view)
        if not values.size:
            return
        target, visible = self.area.to_rect(*view.cells.bounds), QRectF(self.area.rect())
        self._draw_ground(painter, target.intersected(visible), view, values)
        if is_vector(painter) and values.size <= VECTOR_CELLS:
            draw_cell_shapes(painter, self._shapes(view, values), target)
        else:
            self._color(values, view.colors)
            draw_cell_image(painter, self._image, target, visible)
        rect, larger = view.cells.rect(self.area, 0, 0), max(1.0, view.style.text_scale)
        wide, high = rect.width() / larger, rect.height() / larger
        if view.cells.step == 1 and wide >= _NUMBER_CELL[0] and high >= _NUMBER_CELL[1]:
            shown = (cell for cell in self._shapes(view, values) if cell[0].intersects(visible))
            most = 3 if wide >= _THREE_DECIMALS_PX else 2
            decimals = min(decimals_for(np.where(np.isfinite(values), values, 0.0)), most)
            draw_cell_numbers(painter, shown, view.style.font(11), decimals)

    def _color(self, values: FloatArray, colors: ColorScale) -> None:
        """Make the image, unless it already shows the same numbers."""
        if self._made_for is not None and self._made_for[0] is values and self._made_for[1] == colors:
            return
        missing = ~np.isfinite(values)
        image = colors.image(np.where(missing, 0.0, values))
        self._image = with_holes(image, missing) if missing.any() else image
        self._made_for = (values, colors)

    def _shapes(self, view: View, values: FloatArray) -> Iterator[tuple[QRectF, float, int]]:
        """The cells that have a number."""
        colours = view.colors.colours(np.where(np.isfinite(values), values, 0.0))
        for (row, column), value in np.ndenumerate(values):
            if np.isfinite(value):
                yield view.cells.rect(self.area, row, column), float(value), int(colours[row, column])
