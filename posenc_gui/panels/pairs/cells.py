"""The coloured cells of the token pairs, the hatch over masked ones, and the key of the colours."""

from collections.abc import Callable, Iterator

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QImage, QPainter
from typing_extensions import override

from posenc_core import Encoding
from posenc_core.analysis import affordable_rows, pair_values
from posenc_core.numerics import FloatArray
from posenc_gui.figures.cell_figure import VECTOR_CELLS, draw_cell_image, draw_cell_numbers, draw_cell_shapes
from posenc_gui.look.number_format import decimals_for
from posenc_gui.look.style import LAYER_DATA, LAYER_TOKENS, Style
from posenc_gui.plotting.color_scale import ColorScale, with_holes
from posenc_gui.plotting.hatch import draw_hatch
from posenc_gui.plotting.layer import Layer, is_vector
from posenc_gui.plotting.plot_area import PlotArea, Range

_NUMBER_CELL = (40.0, 16.0)  # the least width and height of a cell that shows its number
_THREE_DECIMALS_PX = 52  # the least width of a cell with three decimals
_HATCH_PX = 7.0


class Sample(Struct, frozen=True):
    """The queries and keys that are computed: all in view, or one in ``step`` where there are more than pixels."""

    queries: range
    keys: range

    @classmethod
    def of(cls, area: PlotArea, encoding: Encoding, n_tokens: int) -> "Sample":
        """The sample for the visible part of an area."""
        queries, keys = _seen(area.upright, n_tokens), _seen(area.across, n_tokens)
        size, afford = area.rect(), affordable_rows(encoding)
        step = max(
            -(-len(queries) // max(1, min(int(size.height()), afford))),
            -(-len(keys) // max(1, min(int(size.width()), afford))),
            1,
        )
        # Multiples of the step, so that the picture does not flicker while it is panned.
        return cls(
            range(queries.start // step * step, queries.stop, step), range(keys.start // step * step, keys.stop, step)
        )

    @property
    def step(self) -> int:
        """The number of tokens from one that is computed to the next."""
        return self.keys.step

    @property
    def bounds(self) -> tuple[Range, Range]:
        """The ranges of keys and queries that its cells cover."""
        keys, queries = ((tokens[0] - 0.5, tokens[-1] + tokens.step - 0.5) for tokens in (self.keys, self.queries))
        return keys, queries


def _seen(window: Range, count: int) -> range:
    """The tokens in a visible range."""
    return range(max(0, int(np.floor(window[0] + 0.5 + 1e-6))), min(count, int(np.ceil(window[1] + 0.5 - 1e-6))))


class PairView(Struct, frozen=True):
    """What the token pairs show: the numbers of ``column`` for the tokens in view, their colours, and the style."""

    encoding: Encoding
    column: int
    n_tokens: int
    sample: Sample
    colors: ColorScale
    style: Style


class PairCells(Layer):
    """The colours, and the numbers where cells are large enough; a hatch where a position has no value."""

    def __init__(self, area: PlotArea, view: Callable[[], PairView]) -> None:
        super().__init__(area, LAYER_DATA)
        self._new_view = view
        self._view: PairView | None = None
        self._values: FloatArray = np.zeros((0, 0))
        self._image = QImage()

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._new_view()
        if view != self._view:
            self._values = pair_values(view.encoding, view.column, view.sample.queries, view.sample.keys)
            if self._values.size:
                missing = np.isnan(self._values)
                image = view.colors.image(np.where(missing, 0.0, self._values))
                self._image = with_holes(image, missing) if missing.any() else image
            self._view = view
        if not self._values.size:
            return
        target = self.area.to_rect(*view.sample.bounds)
        if np.isnan(self._values).any():
            draw_hatch(painter, target.intersected(QRectF(self.area.rect())), view.style)
        if is_vector(painter) and self._values.size <= VECTOR_CELLS:
            draw_cell_shapes(painter, self._cells(view.sample), target, view.colors)
        else:
            draw_cell_image(painter, self._image, target, QRectF(self.area.rect()))
        rect = self._cell(view.sample, 0, 0)
        if view.sample.step == 1 and rect.width() >= _NUMBER_CELL[0] and rect.height() >= _NUMBER_CELL[1]:
            visible = QRectF(self.area.rect())
            shown = (cell for cell in self._cells(view.sample) if cell[0].intersects(visible))
            most = 3 if rect.width() >= _THREE_DECIMALS_PX else 2
            decimals = min(decimals_for(np.nan_to_num(self._values)), most)
            draw_cell_numbers(painter, shown, view.colors, view.style.font(11), decimals)

    def _cells(self, sample: Sample) -> Iterator[tuple[QRectF, float]]:
        """The cells that have a value."""
        for (row, column), value in np.ndenumerate(self._values):
            if not np.isnan(value):
                yield self._cell(sample, row, column), float(value)

    def _cell(self, sample: Sample, row: int, column: int) -> QRectF:
        query, key, step = sample.queries[row], sample.keys[column], sample.step
        return self.area.to_rect((key - 0.5, key + step - 0.5), (query - 0.5, query + step - 0.5))


class MaskedKeys(Layer):
    """Quiet lines across the keys after each query, which a causal model masks."""

    def __init__(self, area: PlotArea, view: Callable[[], PairView]) -> None:
        super().__init__(area, LAYER_TOKENS)
        self._view = view

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._view()
        if not view.encoding.causal or view.n_tokens < 2:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = view.style.pen(view.style.muted).color()
        colour.setAlphaF(0.6)
        painter.setPen(view.style.pen(colour))
        (left, right), (low, high) = self.area.across, self.area.upright
        last = view.n_tokens - 0.5
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
        """A line parallel to the diagonal, ``ahead`` keys after it, between two queries."""
        if start < stop:
            area = self.area
            painter.drawLine(
                QLineF(area.to_x(start + ahead), area.to_y(start), area.to_x(stop + ahead), area.to_y(stop))
            )
