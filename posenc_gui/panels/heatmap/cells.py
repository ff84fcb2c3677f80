"""What the heatmap draws over its plot area: coloured cells with their numbers, and the cursor's frame."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QImage, QPainter

from posenc_core.progressive import runs_of
from posenc_gui.figures.growing_job import RenderRequest
from posenc_gui.look.number_format import decimals_for, with_decimals
from posenc_gui.look.style import LAYER_CURSOR, LAYER_DATA
from posenc_gui.panels.heatmap.grid import Grid
from posenc_gui.plotting.color_scale import ColorScale, readable_on
from posenc_gui.plotting.hatch import draw_hatch, draw_left_out, draw_missing
from posenc_gui.plotting.layer import Layer, is_vector, picture_scale
from posenc_gui.plotting.plot_area import PlotArea

if TYPE_CHECKING:
    from posenc_gui.panels.heatmap.figure import HeatmapFigure

_NUMBER_CELL = (46.0, 17.0)  # so large a cell shows its number
_VECTOR_CELLS = 40_000  # so many cells at most are drawn as shapes in SVG and PDF


class Cells(Layer):
    """The colours, and the numbers where cells are large enough."""

    def __init__(self, area: PlotArea, figure: "HeatmapFigure") -> None:
        super().__init__(area, LAYER_DATA)
        self._figure = figure
        self._made_for: tuple[RenderRequest, ColorScale, bytes, bytes] | None = None
        self._values: npt.NDArray[np.floating] = np.zeros((1, 1), np.float32)
        self._image = QImage()
        self._known, self._left_out = np.ones((2, 1), bool)  # along the positions, while they are computed

    def draw(self, painter: QPainter) -> None:
        """The picture of the visible part; a hatch where there are no values."""
        vector = is_vector(painter)
        whole = self._figure.grid(picture_scale(painter))
        grid = whole.valued(self._figure.document.encoding)
        if grid != whole:
            visible = QRectF(self.area.rect())
            draw_hatch(painter, self._place(whole).intersected(visible), self._figure.style)
        if grid is None:
            return
        self._make(grid)
        target = self._place(grid)
        if vector and grid.whole_cells and self._values.size <= _VECTOR_CELLS:
            self._draw_shapes(painter, target)
        else:
            self._draw_image(painter, grid, target)
        if grid.whole_cells and self._cell_size(target) >= _NUMBER_CELL:
            self._draw_numbers(painter, grid, target)

    def _draw_image(self, painter: QPainter, grid: Grid, target: QRectF) -> None:
        """The colours that are known, over the dots of those still to come."""
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        if self._known.all():
            painter.drawImage(target, self._image)
            return
        draw_missing(painter, target, self._figure.style)
        whole = QRectF(self._image.rect())
        for run in runs_of(self._known):
            painter.drawImage(self._part(grid, target, *run), self._image, self._part(grid, whole, *run))
        for run in runs_of(self._left_out):
            draw_left_out(painter, self._part(grid, target, *run), self._figure.style)

    def _place(self, grid: Grid) -> QRectF:
        """Where the grid is drawn, at least a pixel: a few values among a million positions without one are seen."""
        rect = self.area.to_rect(grid.across.shown, grid.down.shown)
        rect.setSize(rect.size().expandedTo(QSizeF(1, 1)))
        return rect

    def _make(self, grid: Grid) -> None:
        figure = self._figure
        wanted = grid.wanted(figure.document.encoding)
        growing = figure.growing(wanted)
        known, left_out = np.ones(1, bool), np.zeros(1, bool)
        if growing is not None:  # flags before values: a part is filled in before it is known
            known, left_out = growing.known.copy(), growing.refused.copy()
        made_for = (wanted, figure.color_scale, known.tobytes(), left_out.tobytes())
        if made_for != self._made_for:
            self._values = figure.computed(wanted) if growing is None else wanted.shown(growing.picture())
            self._known, self._left_out = known, left_out
            self._image = made_for[1].image(self._values)
            self._made_for = made_for

    def _part(self, grid: Grid, target: QRectF, first: int, stop: int) -> QRectF:
        """Where some of the parts along the positions are drawn."""
        if grid.transpose:
            one = target.width() / grid.positions.parts
            return QRectF(target.left() + first * one, target.top(), (stop - first) * one, target.height())
        one = target.height() / grid.positions.parts
        return QRectF(target.left(), target.top() + first * one, target.width(), (stop - first) * one)

    def _cell_size(self, target: QRectF) -> "_Size":
        rows, columns = self._values.shape
        return _Size(target.width() / columns, target.height() / rows)

    def _cells(self, target: QRectF) -> Iterator[tuple[QRectF, float]]:
        size = self._cell_size(target)
        for (row, column), value in np.ndenumerate(self._values):
            place = QPointF(target.left() + column * size.width, target.top() + row * size.height)
            yield QRectF(place.x(), place.y(), size.width, size.height), float(value)

    def _draw_shapes(self, painter: QPainter, target: QRectF) -> None:
        """A rectangle a cell, each running a little under its later neighbours so that no seam shows."""
        painter.setPen(Qt.PenStyle.NoPen)
        scale = self._figure.color_scale
        for rect, value in self._cells(target):
            painter.fillRect(rect.adjusted(0, 0, 0.6, 0.6).intersected(target), scale.color(value))

    def _draw_numbers(self, painter: QPainter, grid: Grid, target: QRectF) -> None:
        scale = self._figure.color_scale
        painter.setFont(self._figure.style.font(11))
        visible = QRectF(self.area.rect())
        is_known = np.broadcast_to(self._known if grid.transpose else self._known[:, None], self._values.shape)
        decimals = decimals_for(self._values[is_known])
        for (rect, value), known in zip(self._cells(target), is_known.flat, strict=True):
            if known and rect.intersects(visible):
                painter.setPen(readable_on(scale.color(value)))
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, with_decimals(value, decimals))


class _Size(Struct, frozen=True):
    width: float
    height: float

    def __ge__(self, least: tuple[float, float]) -> bool:
        return self.width >= least[0] and self.height >= least[1]


class CellFrame(Layer):
    """A frame around the cursor's cell."""

    def __init__(self, area: PlotArea, figure: "HeatmapFigure") -> None:
        super().__init__(area, LAYER_CURSOR)
        self._figure = figure

    def draw(self, painter: QPainter) -> None:
        """Two lines, one in ink and one in paper, so that it shows on every colour."""
        cursor = self._figure.cursor
        rect = None if cursor is None else self._figure.cell_rect(cursor.position, cursor.column)
        if rect is None:
            return
        centre = rect.center()
        rect.setSize(rect.size().expandedTo(QRectF(0, 0, 5, 5).size()))
        rect.moveCenter(centre)
        style = self._figure.style
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(style.pen("#ffffff", 3.5))
        painter.drawRect(rect)
        painter.setPen(style.pen("#000000", 1.5))
        painter.drawRect(rect)
