"""The heatmap's coloured cells with their numbers."""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QImage, QPainter
from typing_extensions import override

from posenc_core.progressive import runs_of
from posenc_gui.figures.cell_figure import VECTOR_CELLS, draw_cell_numbers, draw_cell_shapes
from posenc_gui.figures.progressive import Rendered
from posenc_gui.look.number_format import decimals_for
from posenc_gui.look.style import LAYER_DATA, Style
from posenc_gui.panels.heatmap.grid import Grid
from posenc_gui.plotting.color_scale import ColorScale
from posenc_gui.plotting.hatch import draw_hatch, draw_left_out, draw_missing
from posenc_gui.plotting.layer import Layer, is_vector, picture_scale
from posenc_gui.plotting.plot_area import PlotArea

_NUMBER_CELL = (46.0, 17.0)  # the least width and height of a cell that shows its number


class HeatView(Struct, frozen=True):
    """What the heatmap shows: the part of the table in view, its colours, and the style."""

    grid: Grid
    colors: ColorScale
    style: Style


class HeatCells(Layer):
    """The colours, and the numbers where cells are large enough.

    ``view`` gives what is shown for a number of pixels per logical pixel, ``render`` the values of a grid.
    """

    def __init__(self, area: PlotArea, view: Callable[[float], HeatView], render: Callable[[Grid], Rendered]) -> None:
        super().__init__(area, LAYER_DATA)
        self._view, self._render = view, render
        self._made_for: tuple[Rendered, ColorScale] | None = None
        self._image = QImage()

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._view(picture_scale(painter))
        grid = view.grid.valued()
        if grid != view.grid:
            visible = QRectF(self.area.rect())
            draw_hatch(painter, self._place(view.grid).intersected(visible), view.style)
        if grid is None:
            return
        rendered = self._render(grid)
        if self._made_for is None or self._made_for[0] is not rendered or self._made_for[1] != view.colors:
            self._image, self._made_for = view.colors.image(rendered.picture), (rendered, view.colors)
        values, target = rendered.picture, self._place(grid)
        if is_vector(painter) and grid.whole_cells and values.size <= VECTOR_CELLS:
            draw_cell_shapes(painter, _cells(values, target), target, view.colors)
        else:
            self._draw_image(painter, grid, target, rendered, view.style)
        if grid.whole_cells and _shows_numbers(values, target):
            self._draw_numbers(painter, grid, target, rendered, view)

    def _draw_image(self, painter: QPainter, grid: Grid, target: QRectF, rendered: Rendered, style: Style) -> None:
        """The known colours, over dots for those still to come."""
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        if rendered.known is None or rendered.refused is None:
            painter.drawImage(target, self._image)
            return
        draw_missing(painter, target, style)
        whole = QRectF(self._image.rect())
        for run in runs_of(rendered.known):
            painter.drawImage(_part(grid, target, *run), self._image, _part(grid, whole, *run))
        for run in runs_of(rendered.refused):
            draw_left_out(painter, _part(grid, target, *run), style)

    def _draw_numbers(self, painter: QPainter, grid: Grid, target: QRectF, rendered: Rendered, view: HeatView) -> None:
        values, visible = rendered.picture, QRectF(self.area.rect())
        known = np.ones(1, bool) if rendered.known is None else rendered.known
        is_known = np.broadcast_to(known if grid.transpose else known[:, None], values.shape)
        shown = (
            cell
            for cell, there in zip(_cells(values, target), is_known.flat, strict=True)
            if there and cell[0].intersects(visible)
        )
        draw_cell_numbers(painter, shown, view.colors, view.style.font(11), decimals_for(values[is_known]))

    def _place(self, grid: Grid) -> QRectF:
        """Where the grid is drawn, at least a pixel: a few values among a million positions without one are seen."""
        rect = self.area.to_rect(grid.across.shown, grid.down.shown)
        rect.setSize(rect.size().expandedTo(QSizeF(1, 1)))
        return rect


def _part(grid: Grid, target: QRectF, first: int, stop: int) -> QRectF:
    """Where the parts first..stop-1 along the positions are drawn."""
    if grid.transpose:
        one = target.width() / grid.positions.parts
        return QRectF(target.left() + first * one, target.top(), (stop - first) * one, target.height())
    one = target.height() / grid.positions.parts
    return QRectF(target.left(), target.top() + first * one, target.width(), (stop - first) * one)


def _shows_numbers(values: npt.NDArray[np.floating], target: QRectF) -> bool:
    rows, columns = values.shape
    return target.width() / columns >= _NUMBER_CELL[0] and target.height() / rows >= _NUMBER_CELL[1]


def _cells(values: npt.NDArray[np.floating], target: QRectF) -> Iterator[tuple[QRectF, float]]:
    rows, columns = values.shape
    width, height = target.width() / columns, target.height() / rows
    for (row, column), value in np.ndenumerate(values):
        yield QRectF(target.left() + column * width, target.top() + row * height, width, height), float(value)
