"""HEATMAP: position by column, exact at every zoom."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from posenc_core import Document, Encoding, tile
from posenc_core.derivation import number_text
from posenc_gui.cursor import Cursor
from posenc_gui.figure import Figure, Window
from posenc_gui.plotting.axis_label import AxisLabel
from posenc_gui.plotting.color_key import ColorKey
from posenc_gui.plotting.color_scale import ColorScale, readable_on
from posenc_gui.plotting.count_axis import CountAxis
from posenc_gui.plotting.layer import Layer, is_vector, pixel_scale
from posenc_gui.plotting.plot_area import PlotArea, Range, wheel_steps
from posenc_gui.plotting.token_words import TokenWords
from posenc_gui.style import LAYER_CURSOR, LAYER_DATA, Style

ZOOM_A_NOTCH = 0.8
_TOP = 8.0  # room for the upper half of the first number beside the axis
_NUMBER_CELL = (46.0, 17.0)
_VECTOR_CELLS = 40_000
_VECTOR_PIXELS = 4.0


class HeatmapFigure(Figure):
    """The table as colours: positions down and columns across, or the other way round."""

    name = "heatmap"
    title = "Heatmap"
    hint = "position × column"
    explanation = (
        "Each row is a position, each column a number of its vector. Columns at the fast end change from one "
        "position to the next, columns at the slow end hardly at all. The wheel zooms at the pointer, dragging "
        "pans, a double click shows everything. Where a pixel covers many cells, its colour is their exact mean."
    )
    least_size = (240, 180)
    export_size = (640, 520)

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self.area = PlotArea(down=True)
        self.layout.setContentsMargins(0, _TOP, 0, 0)
        self._left = CountAxis("left", style, size=24)
        self._bottom = CountAxis("bottom", style, size=20)
        self._left_label = AxisLabel(self.area, self, upright=True)
        self._bottom_label = AxisLabel(self.area, self, upright=False)
        self._words = TokenWords(self.area, self, upright=True)
        self._words_above = TokenWords(self.area, self, upright=False)
        self._key = ColorKey(self.area, style)
        self.addItem(self._words_above, 0, 2)
        self.addItem(self._left_label, 1, 0)
        self.addItem(self._left, 1, 1)
        self.addItem(self.area, 1, 2)
        self.addItem(self._words, 1, 3)
        self.addItem(self._key, 1, 4)
        self.addItem(self._bottom, 2, 2)
        self.addItem(self._bottom_label, 3, 2)
        self._left.linkToView(self.area)
        self._bottom.linkToView(self.area)
        _Cells(self.area, self)
        _Frame(self.area, self)
        self.area.hovered.connect(self._hovered)
        self.area.clicked.connect(self._clicked)
        self.area.wheeled.connect(self._wheeled)
        self.area.resetAsked.connect(self.reset_window)
        self.area.sigRangeChanged.connect(self._window_changed)
        self.area.sigResized.connect(self._window_changed)
        self.geometryChanged.connect(self._fit_words)
        self._document_shown(self.document)

    def note(self) -> str:
        """How many cells a pixel stands for, where it is more than one."""
        rows, columns = self._grid(self.area.rect().width(), self.area.rect().height(), 1.0).cells_a_pixel
        if rows <= 1 and columns <= 1:
            return ""
        parts = [
            f"{_amount(rows)} positions" if rows > 1 else "",
            f"{_amount(columns)} columns" if columns > 1 else "",
        ]
        return f"1 pixel = {' × '.join(part for part in parts if part)}, mean"

    def window(self) -> Window:
        """The visible columns and positions, cells at whole numbers."""
        return Window(self.area.across, self.area.upright)

    def show_window(self, window: Window | None) -> None:
        """Show that part."""
        if window is not None:
            self.area.show_window(window.x, window.y)

    def show_columns(self, first: int, stop: int) -> None:
        """Show these columns at all positions."""
        columns, positions = (first - 0.5, stop - 0.5), (-0.5, self.n_positions - 0.5)
        self.area.show_window(*(positions, columns) if self.document.view.transpose else (columns, positions))

    def reset_window(self) -> None:
        """Show the whole table."""
        self.area.show_all()

    def show_cell(self, cursor: Cursor) -> None:
        """Move the window until it holds the cell."""
        x, y = self._place(cursor.position, cursor.column)
        self.area.show_window(_holding(self.area.across, x), _holding(self.area.upright, y))

    def step(self, key: Qt.Key) -> tuple[int, int] | None:
        """Arrows move as they point."""
        moves = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Up: (0, -1),
            Qt.Key.Key_Down: (0, 1),
        }
        if key not in moves:
            return None
        x, y = moves[key]
        return (x, y) if self.document.view.transpose else (y, x)

    def cell_rect(self, position: int, column: int) -> QRectF:
        """Where the cell is, in the plot area's pixels."""
        x, y = self._place(position, column)
        return self.area.to_rect((x - 0.5, x + 0.5), (y - 0.5, y + 0.5))

    def grid(self, scale: float) -> "_Grid":
        """The part of the table to compute for so many device pixels a logical one."""
        return self._grid(self.area.rect().width(), self.area.rect().height(), scale)

    def _grid(self, width: float, height: float, scale: float) -> "_Grid":
        across = _Span.over(self.area.across, max(1, round(width * scale)))
        down = _Span.over(self.area.upright, max(1, round(height * scale)))
        return _Grid(down, across, self.document.view.transpose)

    def _place(self, position: int, column: int) -> tuple[int, int]:
        return (position, column) if self.document.view.transpose else (column, position)

    def _document_shown(self, before: Document) -> None:
        transpose = self.document.view.transpose
        positions = (-0.5, self.n_positions - 0.5)
        columns = (-0.5, self.document.encoding.n_columns - 0.5)
        self.area.set_extent(*(positions, columns) if transpose else (columns, positions))
        if transpose != before.view.transpose:
            self.area.show_all()
        self._left_label.name(columns=transpose)
        self._bottom_label.name(columns=not transpose)
        self._words.setVisible(not transpose)
        self._words_above.setVisible(transpose)
        last = (self.document.encoding.n_columns if transpose else self.n_positions) - 1
        self._left.fit(last)
        self._fit_words()
        self._key.show_scale(self.color_scale, self.style)

    def _cursor_shown(self) -> None:
        self.update_all()

    def _style_shown(self) -> None:
        for axis in (self._left, self._bottom):
            axis.show_style(self.style)
        self._key.show_scale(self.color_scale, self.style)

    def _fit_words(self) -> None:
        """Words may be longer where there is more room."""
        self._words.fit(not self.document.view.transpose)
        self._words_above.fit(self.document.view.transpose)

    def _window_changed(self) -> None:
        self.noteChanged.emit()

    def _hovered(self, x: float, y: float) -> None:
        self._point(x, y, False)

    def _clicked(self, x: float, y: float) -> None:
        self._point(x, y, True)

    def _point(self, x: float, y: float, pinned: bool) -> None:
        column, position = int(np.floor(x + 0.5)), int(np.floor(y + 0.5))
        self.point_at(*(column, position) if self.document.view.transpose else (position, column), pinned)

    def _wheeled(self, event: Any) -> None:
        factor = ZOOM_A_NOTCH ** wheel_steps(event)
        self.area.zoom((factor, factor), QPointF(event.pos()))


@dataclass(frozen=True)
class _Span:
    """What to compute along one axis: from ``first`` to ``stop`` in table coordinates, in so many parts."""

    first: float
    stop: float
    parts: int

    @classmethod
    def over(cls, window: Range, pixels: int) -> "_Span":
        """Whole cells where they are wider than a pixel, else a part for each pixel."""
        low, high = window[0] + 0.5, window[1] + 0.5
        if high - low <= pixels:
            first, stop = np.floor(low + 1e-9), np.ceil(high - 1e-9)
            return cls(float(first), float(stop), max(1, int(stop - first)))
        return cls(low, high, pixels)

    @property
    def shown(self) -> Range:
        """Where it lies on the axis, whose cells are centred on whole numbers."""
        return (self.first - 0.5, self.stop - 0.5)

    @property
    def cells_a_part(self) -> float:
        """Cells that a part stands for."""
        return (self.stop - self.first) / self.parts


@dataclass(frozen=True)
class _Grid:
    """A window of the table at the resolution of the pixels."""

    down: _Span
    across: _Span
    transpose: bool

    @property
    def cells_a_pixel(self) -> tuple[float, float]:
        """Positions and columns that a pixel stands for."""
        positions, columns = (self.across, self.down) if self.transpose else (self.down, self.across)
        return positions.cells_a_part, columns.cells_a_part

    @property
    def whole_cells(self) -> bool:
        """Whether every part is one cell."""
        return self.down.cells_a_part == self.across.cells_a_part == 1

    def values(self, encoding: Encoding) -> npt.NDArray[np.float32]:
        """The exact means, ``(down, across)`` as drawn."""
        positions, columns = (self.across, self.down) if self.transpose else (self.down, self.across)
        limit = float(encoding.n_columns)
        computed = tile(
            encoding,
            (positions.first, positions.stop),
            (max(columns.first, 0.0), min(columns.stop, limit)),
            (positions.parts, columns.parts),
        )
        return np.ascontiguousarray(computed.T) if self.transpose else computed


class _Cells(Layer):
    """The colours, and the numbers where cells are large enough."""

    def __init__(self, area: PlotArea, figure: HeatmapFigure) -> None:
        super().__init__(area, LAYER_DATA)
        self._figure = figure
        self._made_for: tuple[Encoding, _Grid, ColorScale] | None = None
        self._values: npt.NDArray[np.float32] = np.zeros((1, 1), np.float32)
        self._image = QImage()

    def draw(self, painter: QPainter) -> None:
        """The picture of the visible part."""
        vector = is_vector(painter)
        grid = self._figure.grid(_VECTOR_PIXELS if vector else pixel_scale(painter))
        self._make(grid)
        target = self.area.to_rect(grid.across.shown, grid.down.shown)
        if vector and grid.whole_cells and self._values.size <= _VECTOR_CELLS:
            self._draw_shapes(painter, target)
        else:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
            painter.drawImage(target, self._image)
        if grid.whole_cells and self._cell_size(target) >= _NUMBER_CELL:
            self._draw_numbers(painter, target)

    def _make(self, grid: _Grid) -> None:
        made_for = (self._figure.document.encoding, grid, self._figure.color_scale)
        if made_for != self._made_for:
            self._values = grid.values(made_for[0])
            self._image = made_for[2].image(self._values)
            self._made_for = made_for

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

    def _draw_numbers(self, painter: QPainter, target: QRectF) -> None:
        scale = self._figure.color_scale
        painter.setFont(self._figure.style.font(11))
        visible = QRectF(self.area.rect())
        for rect, value in self._cells(target):
            if rect.intersects(visible):
                painter.setPen(readable_on(scale.color(value)))
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, cell_text(value))


@dataclass(frozen=True)
class _Size:
    width: float
    height: float

    def __ge__(self, least: tuple[float, float]) -> bool:
        return self.width >= least[0] and self.height >= least[1]


class _Frame(Layer):
    """A frame around the cursor's cell."""

    def __init__(self, area: PlotArea, figure: HeatmapFigure) -> None:
        super().__init__(area, LAYER_CURSOR)
        self._figure = figure

    def draw(self, painter: QPainter) -> None:
        """Two lines, one in ink and one in paper, so that it shows on every colour."""
        cursor = self._figure.cursor
        if cursor is None:
            return
        rect = self._figure.cell_rect(cursor.position, cursor.column)
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


def cell_text(value: float) -> str:
    """A value in a box: two or three decimals, a true minus sign."""
    text = f"{value:.3f}"
    return text.replace("-", "−") if float(text) else "0.000"


def _amount(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else number_text(number, 2)


def _holding(window: Range, index: int) -> Range:
    size = window[1] - window[0]
    low = min(window[0], index - 0.5)
    return (low, low + size) if low < window[0] else (max(window[1], index + 0.5) - size, max(window[1], index + 0.5))
