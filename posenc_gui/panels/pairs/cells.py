"""The coloured cells of the token pairs, the grey of masked ones, and the key of the colours."""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from typing_extensions import override

from posenc_core import Document, Encoding
from posenc_core.analysis import affordable_rows, pair_values
from posenc_core.numerics import FloatArray
from posenc_gui.figures.cell_figure import VECTOR_CELLS, draw_cell_image, draw_cell_numbers, draw_cell_shapes
from posenc_gui.look.number_format import decimals_for
from posenc_gui.look.style import LAYER_DATA, LAYER_TOKENS, Style
from posenc_gui.model.token_pair import has_sides, scores_of
from posenc_gui.plotting.color_key import ColorKey
from posenc_gui.plotting.color_scale import ColorScale, with_holes
from posenc_gui.plotting.hatch import draw_hatch
from posenc_gui.plotting.layer import Layer, is_vector
from posenc_gui.plotting.plot_area import PlotArea, Range

_NUMBER_CELL = (40.0, 16.0)  # the least width and height of a cell that shows its number
_THREE_DECIMALS_PX = 52  # the least width of a cell with three decimals
_DASHED_CELL = 12.0  # the least width and height of a masked cell that has a dash
_DASH, _DASH_WIDTH = 3.5, 1.2


class Sample(Struct, frozen=True):
    """The queries and keys that are computed: all in view, or one in ``step`` where there are more than pixels."""

    queries: range
    keys: range

    @classmethod
    def of(cls, area: PlotArea, encoding: Encoding, n_tokens: int, *, has_sides: bool = False) -> "Sample":
        """The sample for the visible part of an area; ``has_sides`` if each token has its own query and key."""
        queries, keys = _seen(area.upright, n_tokens), _seen(area.across, n_tokens)
        size, afford = area.rect(), affordable_rows(encoding, has_sides=has_sides)
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
    def tokens(self) -> tuple[range, range]:
        """The queries and the keys."""
        return self.queries, self.keys

    def masked(self, encoding: Encoding) -> npt.NDArray[np.bool_]:
        """Which keys come after their query in a causal family, ``(n_queries, n_keys)``."""
        if not encoding.causal:
            return np.zeros((len(self.queries), len(self.keys)), bool)
        return np.asarray(np.array(self.keys)[None, :] > np.array(self.queries)[:, None])

    @property
    def bounds(self) -> tuple[Range, Range]:
        """The ranges of keys and queries that its cells cover."""
        keys, queries = ((tokens[0] - 0.5, tokens[-1] + tokens.step - 0.5) for tokens in (self.keys, self.queries))
        return keys, queries


def _seen(window: Range, count: int) -> range:
    """The tokens in a visible range."""
    return range(max(0, int(np.floor(window[0] + 0.5 + 1e-6))), min(count, int(np.ceil(window[1] + 0.5 - 1e-6))))


class PairView(Struct, frozen=True):
    """What the token pairs show: the numbers of ``column`` for the tokens in view, their colours, and the style.

    ``document`` has the queries and keys that are rotated.
    """

    encoding: Encoding
    column: int
    n_tokens: int
    sample: Sample
    colors: ColorScale
    style: Style
    document: Document

    def values(self) -> FloatArray:
        """The number of each query and key of the sample, float64 ``(n_queries, n_keys)``, nan for none."""
        queries, keys = self.sample.queries, self.sample.keys
        if has_sides(self.document):
            return scores_of(self.document, self.column, queries, keys)
        return pair_values(self.encoding, self.column, queries, keys)


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
            self._values = _unmasked(view, view.values())
            if self._values.size:
                missing = np.isnan(self._values)
                image = view.colors.image(np.where(missing, 0.0, self._values))
                self._image = with_holes(image, missing) if missing.any() else image
            self._view = view
        if not self._values.size:
            return
        target = self.area.to_rect(*view.sample.bounds)
        if np.isnan(self._values[~view.sample.masked(view.encoding)]).any():
            draw_hatch(painter, target.intersected(QRectF(self.area.rect())), view.style)
        if is_vector(painter) and self._values.size <= VECTOR_CELLS:
            draw_cell_shapes(painter, self._cells(view), target)
        else:
            draw_cell_image(painter, self._image, target, QRectF(self.area.rect()))
        rect = self._cell(view.sample, 0, 0)
        if view.sample.step == 1 and rect.width() >= _NUMBER_CELL[0] and rect.height() >= _NUMBER_CELL[1]:
            visible = QRectF(self.area.rect())
            shown = (cell for cell in self._cells(view) if cell[0].intersects(visible))
            most = 3 if rect.width() >= _THREE_DECIMALS_PX else 2
            decimals = min(decimals_for(np.nan_to_num(self._values)), most)
            draw_cell_numbers(painter, shown, view.style.font(11), decimals)

    def _cells(self, view: PairView) -> Iterator[tuple[QRectF, float, int]]:
        """The cells that have a value."""
        colours = view.colors.colours(np.nan_to_num(self._values))
        for (row, column), value in np.ndenumerate(self._values):
            if not np.isnan(value):
                yield self._cell(view.sample, row, column), float(value), int(colours[row, column])

    def _cell(self, sample: Sample, row: int, column: int) -> QRectF:
        query, key, step = sample.queries[row], sample.keys[column], sample.step
        return self.area.to_rect((key - 0.5, key + step - 0.5), (query - 0.5, query + step - 0.5))


def _unmasked(view: PairView, values: FloatArray) -> FloatArray:
    """The values, nan where a causal model masks the key."""
    masked = view.sample.masked(view.encoding)
    return np.where(masked, np.nan, values) if masked.any() else values


class MaskedKeys(Layer):
    """Grey over the keys after each query, which a causal model masks, and a dash in each cell that is large enough."""

    def __init__(self, area: PlotArea, view: Callable[[], PairView]) -> None:
        super().__init__(area, LAYER_TOKENS)
        self._view = view

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._view()
        if not view.encoding.causal or not view.sample.keys:
            return
        queries, keys, step = view.sample.queries, view.sample.keys, view.sample.step
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        stop = keys[-1] + step
        for query in queries:
            first = max(keys[0], -(-(query + 1) // step) * step)
            if first < stop:
                rect = self.area.to_rect((first - 0.5, stop - 0.5), (query - 0.5, query + step - 0.5))
                painter.fillRect(rect, QColor(view.style.masked))
        cell = self.area.to_rect((-0.5, 0.5), (-0.5, 0.5))
        if step == 1 and min(cell.width(), cell.height()) >= _DASHED_CELL:
            painter.setPen(view.style.pen(view.style.muted, _DASH_WIDTH))
            centres = ((self.area.to_x(key), self.area.to_y(query)) for query in queries for key in keys if key > query)
            painter.drawLines([QLineF(x - _DASH, y, x + _DASH, y) for x, y in centres])


class PairKey(ColorKey):
    """The key of the colours, whose ends are computed only while the key is visible."""

    def __init__(self, view: Callable[[], tuple[ColorScale, str, Style]], style: Style, across: bool = False) -> None:
        super().__init__(style, across)
        self._view, self._wanted = view, True

    def fit(self, wanted: bool) -> None:
        """Show the present colours if they are ``wanted`` here, unless the key is hidden."""
        self._wanted = wanted
        if not wanted:
            self.hide_scale()
        elif self.scene() is not None and any(view.isVisible() for view in self.scene().views()):
            self.show_scale(*self._view())

    @override
    def draw(self, painter: QPainter) -> None:
        if self._wanted and (self._scale, self._title, self._style) != self._view():  # it was hidden when they changed
            self.fit(True)
        super().draw(painter)
