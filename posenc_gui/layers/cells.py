"""The heatmap's coloured cells with their numbers."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from PySide6.QtCore import QRectF, QSize, QSizeF
from PySide6.QtGui import QColor, QImage, QPainter
from typing_extensions import override

from posenc_core.progressive import runs_of
from posenc_gui.figures import VECTOR_CELLS, Rendered, draw_cell_image, draw_cell_numbers, draw_cell_shapes, draw_dots
from posenc_gui.layers.grid import Grid
from posenc_gui.look import LAYER_DATA, Style, decimals_for
from posenc_gui.plotting import (
    Layer,
    PlotArea,
    TableColors,
    draw_hatch,
    draw_left_out,
    draw_missing,
    is_vector,
    picture_scale,
)

_NUMBER_CELL = (46.0, 17.0)  # the least width and height of a cell that shows its number


class HeatView(Struct, frozen=True):
    """Content of the heatmap: the part of the table in view, its colours, and the style."""

    grid: Grid
    colors: TableColors
    style: Style


class HeatCells(Layer):
    """The colours, and the numbers where cells are large enough.

    ``view`` returns the content for a number of pixels per logical pixel, ``render`` the values of a grid.
    """

    def __init__(self, area: PlotArea, view: Callable[[float], HeatView], render: Callable[[Grid], Rendered]) -> None:
        super().__init__(area, LAYER_DATA)
        self._view, self._render = view, render
        self._made_for: tuple[Rendered, TableColors] | None = None
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
        if is_vector(painter):
            grid = grid.in_dots()
        rendered = self._render(grid)
        if self._made_for is None or self._made_for[0] is not rendered or self._made_for[1] != view.colors:
            self._image, self._made_for = self._colored(grid, rendered, view.colors), (rendered, view.colors)
        values, target = rendered.picture, self._place(grid)
        if is_vector(painter) and grid.whole_cells and values.size <= VECTOR_CELLS:
            draw_cell_shapes(painter, self._cells(grid, values, target, view.colors), target)
        elif is_vector(painter) and not grid.whole_cells:
            self._draw_means(painter, grid, target, view.style)
        else:
            self._draw_image(painter, grid, target, rendered, view.style)
        if grid.whole_cells and _shows_numbers(values, target):
            self._draw_numbers(painter, grid, target, rendered, view)

    def _draw_means(self, painter: QPainter, grid: Grid, target: QRectF, style: Style) -> None:
        """Means in an SVG or PDF file, whose colours change only between the pixels of a viewer at 100 %.

        The viewer mixes the colours within a pixel of its own: cells too end where a pixel ends.
        """
        target = QRectF(target)
        if grid.down.is_averaged:
            target.setRect(target.left(), round(target.top()), target.width(), grid.down.pixels)
        if grid.across.is_averaged:
            target.setRect(round(target.left()), target.top(), grid.across.pixels, target.height())
        seen = target.intersected(QRectF(self.area.rect()))
        left, top, right, bottom = (round(side) for side in (seen.left(), seen.top(), seen.right(), seen.bottom()))
        has_dots = self._image.size() == QSize(grid.across.parts, grid.down.parts)
        across, down = (grid.across.dots, grid.down.dots) if has_dots else (1, 1)
        sheet = QImage((right - left) * across, (bottom - top) * down, self._image.format())
        if sheet.isNull():  # less than half a pixel is in view
            return
        sheet.fill(QColor(style.paper))
        on_sheet = QPainter(sheet)
        on_sheet.scale(across, down)
        on_sheet.translate(-left, -top)
        on_sheet.drawImage(target, self._image)
        on_sheet.end()
        draw_dots(painter, QRectF(left, top, right - left, bottom - top), sheet)

    def _draw_image(self, painter: QPainter, grid: Grid, target: QRectF, rendered: Rendered, style: Style) -> None:
        """The known colours, over dots for unknown ones."""
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        if rendered.known is None or rendered.refused is None:
            draw_cell_image(painter, self._image, target, QRectF(self.area.rect()))
            return
        draw_missing(painter, target, style)
        whole = QRectF(self._image.rect())
        for run in runs_of(rendered.known):
            painter.drawImage(self._part(grid, target, *run), self._image, self._part(grid, whole, *run))
        for run in runs_of(rendered.refused):
            draw_left_out(painter, self._part(grid, target, *run), style)

    def _draw_numbers(self, painter: QPainter, grid: Grid, target: QRectF, rendered: Rendered, view: HeatView) -> None:
        values, visible = rendered.picture, QRectF(self.area.rect())
        known = np.ones(1, bool) if rendered.known is None else rendered.known
        is_known = np.broadcast_to(known if grid.transpose else known[:, None], values.shape)
        shown = (
            cell
            for cell, there in zip(
                self._cells(grid, values, target, view.colors), self._seen(is_known).flat, strict=True
            )
            if there and cell[0].intersects(visible)
        )
        draw_cell_numbers(painter, shown, view.style.font(11), decimals_for(values[is_known]))

    def _place(self, grid: Grid) -> QRectF:
        """Rectangle of the grid, at least a pixel, so that few values among a million positions are visible."""
        rect = self.area.to_rect(grid.across.shown, grid.down.shown)
        rect.setSize(rect.size().expandedTo(QSizeF(1, 1)))
        return rect

    def _seen(self, cells: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Cells in the table's order as seen on reversed axes."""
        across, upright = self.area.turned
        return cells[:: -1 if upright else 1, :: -1 if across else 1]

    def _shares(self, grid: Grid, values: npt.NDArray[Any], colors: TableColors) -> npt.NDArray[Any]:
        shares = colors.shares(values, grid.columns.first, grid.columns.stop, grid.transpose)
        return np.ascontiguousarray(self._seen(shares))

    def _colored(self, grid: Grid, rendered: Rendered, colors: TableColors) -> QImage:
        """The picture in colours, in dots if these look like their pixel."""
        shares = self._shares(grid, rendered.picture, colors)
        if grid.has_dots:
            return colors.scale.dotted_image(shares, self._shares(grid, grid.pixel_means(rendered.picture), colors))
        return colors.scale.image(shares)

    def _part(self, grid: Grid, target: QRectF, first: int, stop: int) -> QRectF:
        """Rectangle of the parts first..stop-1 along the positions."""
        if any(self.area.turned):
            first, stop = grid.positions.parts - stop, grid.positions.parts - first
        if grid.transpose:
            one = target.width() / grid.positions.parts
            return QRectF(target.left() + first * one, target.top(), (stop - first) * one, target.height())
        one = target.height() / grid.positions.parts
        return QRectF(target.left(), target.top() + first * one, target.width(), (stop - first) * one)

    def _cells(
        self, grid: Grid, values: npt.NDArray[np.floating], target: QRectF, colors: TableColors
    ) -> Iterator[tuple[QRectF, float, int]]:
        rows, columns = values.shape
        painted = colors.scale.colours(self._shares(grid, values, colors))
        width, height = target.width() / columns, target.height() / rows
        for (row, column), value in np.ndenumerate(self._seen(values)):
            rect = QRectF(target.left() + column * width, target.top() + row * height, width, height)
            yield rect, float(value), int(painted[row, column])


def _shows_numbers(values: npt.NDArray[np.floating], target: QRectF) -> bool:
    rows, columns = values.shape
    return target.width() / columns >= _NUMBER_CELL[0] and target.height() / rows >= _NUMBER_CELL[1]
