"""The coloured cells of the token pairs, the grey of masked ones, and the key of the colours."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from typing_extensions import override

from posenc_core import Document, Encoding
from posenc_core.analysis import affordable_rows
from posenc_core.numerics import FloatArray
from posenc_core.session import token_vectors
from posenc_gui.figures import Shown
from posenc_gui.layers import CellRanges, CellsLayer
from posenc_gui.look import LAYER_TOKENS, Style
from posenc_gui.model import pair_numbers, token_pair
from posenc_gui.plotting import ColorKey, ColorScale, Extents, PlotArea, ViewLayer, draw_hatch

_DASHED_CELL = 12.0  # the least width and height of a masked cell with a dash
_DASH, _DASH_WIDTH = 3.5, 1.2


def sample_of(area: PlotArea, document: Document, n_tokens: int) -> CellRanges:
    """The computed queries and keys: all in view, or one in ``step`` if there are more than pixels."""
    return CellRanges.of(area, range(n_tokens), affordable_rows(document.encoding, token_vectors(document)))


def masked_keys(cells: CellRanges, encoding: Encoding) -> npt.NDArray[np.bool_]:
    """Mask of keys after their query in a causal family, ``(n_queries, n_keys)``."""
    if not encoding.causal:
        return np.zeros((len(cells.rows), len(cells.columns)), bool)
    return np.asarray(np.array(cells.columns)[None, :] > np.array(cells.rows)[:, None])


class PairView(Shown, frozen=True):
    """Content of the token pairs: the queries and keys in view, the column of their numbers, and the colours.

    The column is 0 for dot products of whole rows.
    """

    area: PlotArea
    cells: CellRanges
    column: int
    colors: ColorScale

    @property
    @override
    def scales(self) -> Extents:
        return {} if self.document.view.per_row else {"colors": (self.colors.low, self.colors.high)}

    @property
    def marked(self) -> tuple[int | None, int | None]:
        """The cursor's query and key; None for a missing one."""
        if self.cursor is None:
            return None, None
        pair = token_pair(self.document, self.cursor)
        return self.axis.query if pair is None else pair[0], self.axis.token_at(self.cursor.position)

    def values(self) -> FloatArray:
        """The number of each query and key, float64 ``(n_queries, n_keys)``, nan for a missing one."""
        return pair_numbers(self.document, self.column, self.cells.rows, self.cells.columns)


class PairCells(CellsLayer[PairView]):
    """The colours, and the numbers if cells are large enough; a hatch for a position without a value."""

    def __init__(self, area: PlotArea, view: Callable[[], PairView]) -> None:
        super().__init__(area, view)
        self._computed: tuple[tuple[Document, int, CellRanges], FloatArray] | None = None

    @override
    def _values_of(self, view: PairView) -> FloatArray:
        wanted = (view.document, view.column, view.cells)
        if self._computed is None or self._computed[0] != wanted:
            self._computed = wanted, np.where(masked_keys(view.cells, view.encoding), np.nan, view.values())
        return self._computed[1]

    @override
    def _draw_ground(self, painter: QPainter, target: QRectF, view: PairView, values: FloatArray) -> None:
        if not np.isfinite(values[~masked_keys(view.cells, view.encoding)]).all():
            draw_hatch(painter, target, view.style)


class MaskedKeys(ViewLayer[PairView]):
    """Grey over the keys after each query, which a causal model masks, and a dash in each cell that is large enough."""

    Z = LAYER_TOKENS

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._view()
        if not view.encoding.causal or not view.cells.columns:
            return
        queries, keys, step = view.cells.rows, view.cells.columns, view.cells.step
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


class NoTokens(ViewLayer[PairView]):
    """The next step in a picture of a sentence without tokens."""

    Z = LAYER_TOKENS

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._view()
        if not view.axis.n_tokens:
            painter.setFont(view.style.font(14))
            painter.setPen(view.style.pen(view.style.muted))
            painter.drawText(QRectF(self.area.rect()), Qt.AlignmentFlag.AlignCenter, "Type a sentence above")


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
        if self._wanted and (self._scale, self._title, self._style) != self._view():  # changed while the key was hidden
            self.fit(True)
        super().draw(painter)
