"""What the token pairs draw over their plot area: coloured cells, masked ones hatched, and the cursor's frame."""

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from posenc_core import Encoding
from posenc_core.analysis import affordable_rows, pair_values
from posenc_core.numerics import FloatArray
from posenc_gui.look.number_format import decimals_for, with_decimals
from posenc_gui.look.style import LAYER_CURSOR, LAYER_DATA, LAYER_TOKENS
from posenc_gui.plotting.color_scale import ColorScale, readable_on
from posenc_gui.plotting.hatch import draw_hatch
from posenc_gui.plotting.layer import Layer, is_vector
from posenc_gui.plotting.plot_area import PlotArea

if TYPE_CHECKING:
    from posenc_gui.panels.pairs.figure import PairsFigure

_NUMBER_CELL = (40.0, 16.0)  # so large a cell shows its number
_VECTOR_CELLS = 40_000  # so many cells at most are drawn as shapes in SVG and PDF
_HATCH_PX = 7.0


class Sample(Struct, frozen=True):
    """The queries and keys that are computed: all in view, or every so many where there are more than pixels."""

    queries: range
    keys: range

    @classmethod
    def of(cls, figure: "PairsFigure") -> "Sample":
        """What the figure needs for its visible part."""
        count, area = figure.places.n_tokens, figure.area
        queries, keys = _seen(area.upright, count), _seen(area.across, count)
        size, afford = area.rect(), affordable_rows(figure.document.encoding)
        step = max(
            -(-len(queries) // max(1, min(int(size.height()), afford))),
            -(-len(keys) // max(1, min(int(size.width()), afford))),
            1,
        )
        # In multiples of the step, so that the picture does not flicker while it is moved.
        return cls(
            range(queries.start // step * step, queries.stop, step), range(keys.start // step * step, keys.stop, step)
        )

    @property
    def step(self) -> int:
        """Tokens from one that is computed to the next."""
        return self.keys.step


def _seen(window: tuple[float, float], count: int) -> range:
    """The tokens in a visible range."""
    return range(max(0, int(np.floor(window[0] + 0.5 + 1e-6))), min(count, int(np.ceil(window[1] + 0.5 - 1e-6))))


class PairCells(Layer):
    """The colours, and the numbers where cells are large enough."""

    def __init__(self, area: PlotArea, figure: "PairsFigure") -> None:
        super().__init__(area, LAYER_DATA)
        self._figure = figure
        self._made_for: tuple[Encoding, int, Sample, ColorScale] | None = None
        self._values: FloatArray = np.zeros((0, 0))
        self._image = QImage()

    def draw(self, painter: QPainter) -> None:
        """The picture of the visible part; a hatch where a position has no value."""
        self._make()
        if not self._values.size:
            return
        target, missing = self._target(), np.isnan(self._values)
        if missing.any():
            draw_hatch(painter, target.intersected(QRectF(self.area.rect())), self._figure.style)
        if is_vector(painter) and self._values.size <= _VECTOR_CELLS:
            self._draw_shapes(painter)
        else:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
            painter.drawImage(target, self._image)
        rect = self._cell(0, 0)
        if self._sample.step == 1 and rect.width() >= _NUMBER_CELL[0] and rect.height() >= _NUMBER_CELL[1]:
            self._draw_numbers(painter, rect.width())

    @property
    def _sample(self) -> Sample:
        assert self._made_for is not None  # asked only once it is made
        return self._made_for[2]

    def _make(self) -> None:
        figure = self._figure
        made_for = (figure.document.encoding, figure.column, Sample.of(figure), figure.pair_scale())
        if made_for == self._made_for:
            return
        encoding, column, sample, scale = made_for
        self._values, self._made_for = pair_values(encoding, column, sample.queries, sample.keys), made_for
        if self._values.size:
            missing = np.isnan(self._values)
            image = scale.image(np.where(missing, 0.0, self._values))
            self._image = _with_holes(image, missing) if missing.any() else image

    def _target(self) -> QRectF:
        queries, keys = self._sample.queries, self._sample.keys
        across = (keys[0] - 0.5, keys[-1] + keys.step - 0.5)
        return self.area.to_rect(across, (queries[0] - 0.5, queries[-1] + queries.step - 0.5))

    def _cell(self, row: int, column: int) -> QRectF:
        query, key, step = self._sample.queries[row], self._sample.keys[column], self._sample.step
        return self.area.to_rect((key - 0.5, key + step - 0.5), (query - 0.5, query + step - 0.5))

    def _draw_shapes(self, painter: QPainter) -> None:
        """A rectangle a cell, each running a little under its later neighbours so that no seam shows."""
        painter.setPen(Qt.PenStyle.NoPen)
        scale, target = self._figure.pair_scale(), self._target()
        for (row, column), value in np.ndenumerate(self._values):
            if not np.isnan(value):
                rect = self._cell(row, column).adjusted(0, 0, 0.6, 0.6).intersected(target)
                painter.fillRect(rect, scale.color(float(value)))

    def _draw_numbers(self, painter: QPainter, width: float) -> None:
        scale, visible = self._figure.pair_scale(), QRectF(self.area.rect())
        painter.setFont(self._figure.style.font(11))
        decimals = min(decimals_for(np.nan_to_num(self._values)), 3 if width >= 52 else 2)
        for (row, column), value in np.ndenumerate(self._values):
            rect = self._cell(row, column)
            if not np.isnan(value) and rect.intersects(visible):
                painter.setPen(readable_on(scale.color(float(value))))
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, with_decimals(float(value), decimals))


def _with_holes(image: QImage, missing: np.ndarray) -> QImage:
    """The image, transparent at the missing pixels."""
    image = image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    height, width = missing.shape
    pixels = np.frombuffer(image.bits(), np.uint32).reshape(height, image.bytesPerLine() // 4)
    pixels[:, :width][missing] = 0
    return image


class MaskedKeys(Layer):
    """Quiet lines along the keys after each query, which a causal model does not see."""

    def __init__(self, area: PlotArea, figure: "PairsFigure") -> None:
        super().__init__(area, LAYER_TOKENS)
        self._figure = figure

    def draw(self, painter: QPainter) -> None:
        """Lines parallel to the diagonal, within the cells above it."""
        figure = self._figure
        if not figure.document.encoding.causal or figure.places.n_tokens < 2:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = figure.style.pen(figure.style.muted).color()
        colour.setAlphaF(0.6)
        painter.setPen(figure.style.pen(colour))
        (left, right), (low, high) = self.area.across, self.area.upright
        last = figure.places.n_tokens - 0.5
        right, high = min(right, last), min(high, last)
        width, height = self.area.rect().width(), self.area.rect().height()
        cell = min(width / (self.area.across[1] - left), height / (self.area.upright[1] - low))
        for ahead in np.arange(1, (right - low) * cell / _HATCH_PX + 1) * (_HATCH_PX / cell):
            if ahead >= 1:
                self._draw_line(painter, ahead, max(low, left - ahead), min(high, right - ahead))
            elif cell > 2 * _HATCH_PX:  # the corners of the cells next to the diagonal, which it does not cross
                for query in range(max(0, int(np.floor(low))), int(np.ceil(high))):
                    self._draw_line(painter, ahead, query + 0.5 - ahead, min(query + 0.5, right - ahead))

    def _draw_line(self, painter: QPainter, ahead: float, start: float, stop: float) -> None:
        """A line of places so far ahead of the diagonal, between two queries."""
        if start < stop:
            area = self.area
            painter.drawLine(
                QLineF(area.to_x(start + ahead), area.to_y(start), area.to_x(stop + ahead), area.to_y(stop))
            )


class PairFrame(Layer):
    """A frame around the cursor's query and key; around all of the key's column where no query is chosen."""

    def __init__(self, area: PlotArea, figure: "PairsFigure") -> None:
        super().__init__(area, LAYER_CURSOR)
        self._figure = figure

    def draw(self, painter: QPainter) -> None:
        """Two lines, a white and a black one, so that it shows on every colour."""
        query, key = self._figure.marked()
        if key is None:
            return
        upright = self.area.upright if query is None else (query - 0.5, query + 0.5)
        rect = self.area.to_rect((key - 0.5, key + 0.5), upright)
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
