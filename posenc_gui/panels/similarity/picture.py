"""Curves by distance above; below, a cell for each two positions, with the cursor's row marked."""

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from msgspec import structs
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsLayoutItem
from typing_extensions import override

from posenc_core import Document
from posenc_core.analysis import is_toeplitz
from posenc_core.numerics import FloatArray
from posenc_gui.figures import AxisLabel, PictureRenderer, Rendered
from posenc_gui.figures.lines import Line, LineView, MatrixFigure, MatrixViewport, Plot, line_pen
from posenc_gui.layers import CellsLayer, words_view
from posenc_gui.look import Style, counted
from posenc_gui.model import Cursor
from posenc_gui.panels.similarity.beside import DistanceLines, RowRequest
from posenc_gui.panels.similarity.derive import RowLikeness
from posenc_gui.panels.similarity.legend import LegendStrip
from posenc_gui.panels.similarity.matrix import Likeness
from posenc_gui.panels.similarity.numbers import MEASURE_WORDS, plots, plots_of
from posenc_gui.panels.similarity.pointing import SimilarityPointing, SimilarityView
from posenc_gui.panels.similarity.spec import SPEC
from posenc_gui.plotting import Axis, ColorKey, PlotArea, RightAxes, TokenWords, draw_missing, moved_to_hold

_TOP_PX = 10.0
_LOW = 470.0
"""A lower figure has the lines of the chosen measure alone, as one with its lines beside its matrix."""

_WIDE = {True: 1.25, False: 1.45}
"""The least width in heights of a low figure, and of another one, that has its lines beside its matrix."""

_SLIM = 330.0
"""A narrower figure, in pixels at the usual size of text, has no words and no colours at the right of its matrix.

Their room would make the matrix narrower than it can be high, as in a figure without lines above.
"""

_LOWEST = 200.0
"""A lower figure, in pixels at the usual size of text, has no words above its matrix."""

_LEAST_SIDE, _UP_TO_RIGHT = 24.0, 6
_ANY_WIDTH = 16777215.0
_FITS = 4
"""The words above a narrower matrix are turned, which makes it lower again."""

_NOTE_PX = 40.0
"""A note without its words on lines is at most this much lower: without the words, the lines still have no room."""

_HINTS = Qt.SizeHint.MinimumSize, Qt.SizeHint.PreferredSize, Qt.SizeHint.MaximumSize


class SimilarityViewport(MatrixViewport):
    """The viewport of the matrix, which has positions on both axes."""

    @override
    def drawn(self) -> Collection[int]:
        return super().drawn() if self._figure.areas[0].isVisible() else (self._figure.document.current,)

    @override
    def show_cell(self, cursor: Cursor) -> None:
        subject, area = cursor.subject, self._area
        other = subject.other if isinstance(subject, RowLikeness) else cursor.position
        area.show_window(moved_to_hold(area.across, other), moved_to_hold(area.upright, cursor.position))


class MatrixCells(CellsLayer[SimilarityView]):
    """The similarity of positions; a hatch without a row, dots for unknown numbers."""

    def __init__(
        self, area: PlotArea, view: Callable[[], SimilarityView], render: Callable[[Likeness], Rendered]
    ) -> None:
        super().__init__(area, view)
        self._render = render
        self._rendered: Rendered | None = None

    @override
    def _values_of(self, view: SimilarityView) -> FloatArray:
        self._rendered = self._render(view.likeness)
        values: Any = self._rendered.picture
        return values

    @override
    def _draw_ground(self, painter: QPainter, target: QRectF, view: SimilarityView, values: FloatArray) -> None:
        if self._rendered is not None and self._rendered.known is not None:
            draw_missing(painter, target, view.style)
        else:
            super()._draw_ground(painter, target, view, values)


class SimilarityFigure(MatrixFigure):
    """Measures by distance above the square matrix of one measure, or in a low figure one measure beside it."""

    spec, plots, pointing_class = SPEC, plots, SimilarityPointing
    _likeness: Rendered | None = None
    _fitted: tuple[object, ...] = ()
    least_height = 440.0  # with words above, a square in a lower figure would be smaller than its lines
    legends, viewport_class = (), SimilarityViewport

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        words = partial(words_view, self)
        self._above = TokenWords(self.matrix, words, upright=False, turn=True)
        self._beside = TokenWords(self.matrix, words, upright=True)
        self._keys = ColorKey(style), ColorKey(style, across=True)
        self._labels = (AxisLabel(self.matrix, style, True, size=18), AxisLabel(self.matrix, style, False, size=18))
        self._legend = LegendStrip(partial(self.line_view, 0), self)
        self._right = RightAxes(self.area, style)
        self._means = PictureRenderer(lambda scale, vector: DistanceLines.of(self.document))
        self._row = PictureRenderer(lambda scale, vector: None)
        self.pictures.share(self._means, self._row)
        self._counts = Axis(self.matrix, style, True, 24), Axis(self.matrix, style, False, 16)
        self.addItem(self._right, 0, 3, 1, 2)
        self.addItem(self._above, 3, 2)
        self.addItem(self._labels[0], 4, 0)
        self.addItem(self._counts[0], 4, 1)
        self.layout.setAlignment(self._counts[0], Qt.AlignmentFlag.AlignRight)  # the axis of the lines may be wider
        self.addItem(self._beside, 4, 3)
        self.addItem(self._keys[0], 4, 4)
        self.addItem(self._keys[1], 7, 0, 1, 8)
        self.addItem(self._counts[1], 5, 2)
        self.addItem(self._labels[1], 6, 2)
        MatrixCells(self.matrix, self.view, self.pictures.render)
        self.matrix.sigResized.connect(self._fit_words)
        self._document_shown(self.document)

    @override
    def view(self, scale: float = 1.0) -> SimilarityView:
        least = (self.least_height - _NOTE_PX) * max(1.0, self.style.text_scale)
        return SimilarityView(
            *self.shown(), self._plots, self.matrix, not self.is_above or self.size().height() >= least
        )

    @override
    def line_view(self, index: int) -> LineView:
        view, seen = super().line_view(index), self.seen_from
        if view.plot is not None and self._has_one_measure:
            own = tuple(line for line in view.plot.lines if line.scale is None)
            view = structs.replace(view, plot=structs.replace(view.plot, lines=own))
        at = None if seen is None or seen.position not in self.axis.shown else seen.position
        if view.plot is None or at is None or is_toeplitz(self.document.encoding):
            return view
        row = self._row.render(RowRequest.of(self.document, at, self.axis.shown)).picture
        line = Line(f"row of {counted(at)}", row[0], look=-1)
        return structs.replace(view, plot=structs.replace(view.plot, lines=(*view.plot.lines, line)))

    @override
    def request(self, scale: float, vector: bool) -> Likeness | None:
        likeness = self.view().likeness
        return likeness if likeness.cells.rows and likeness.cells.columns else None

    @override
    def update_all(self) -> None:
        """Repaint everything in the next frame, with the lines that have arrived since the last one."""
        if self._likeness is not None and self._likeness.known is not None:
            fresh = self._means.render(DistanceLines.of(self.document))
            if fresh is not self._likeness:
                self._document_shown(self.document)
        super().update_all()

    @override
    def _plots_of(self, document: Document) -> tuple[Plot, ...]:
        return plots(document) if self._likeness is None else plots_of(document, self._likeness.picture)

    @override
    def _document_shown(self, before: Document) -> None:
        if self.spec.missing(self.document) is None:
            self._likeness = self._means.render(DistanceLines.of(self.document))
        shown, placed = self.axis.shown, _places(self._above, self.matrix)
        ends = (shown.start - 0.5, shown.stop - 0.5)
        self.matrix.set_extent(ends, ends)
        for label in self._labels:
            label.name(self.document.encoding)
        self._counts[0].fit(shown.start, shown.stop - 1)
        super()._document_shown(before)
        if _places(self._above, self.matrix) != placed:  # the words were fitted to the room before
            self._fit_words()
            self._fit_square()

    @override
    def _style_shown(self) -> None:
        self._show_right_axes()
        self._fit_words()

    @property
    def _has_one_measure(self) -> bool:
        return not self.is_above or self.size().height() < _LOW

    @override
    def _fit_lines(self) -> None:
        size = self.size()
        self._place_lines(size.width() >= _WIDE[size.height() < _LOW] * size.height())
        super()._fit_lines()
        self._fit_words()
        has_room = not self.is_above or self.areas[0].isVisible()
        plot = self.line_view(0).plot
        has_legend = has_room and plot is not None and len(plot.lines) > 1
        tall = self._legend.height_for(size.width()) if has_legend else 0.0
        if not self.is_above:
            self._axes[0].fit_values()
        self._legend.setVisible(has_legend)
        self._legend.setGeometry(QRectF(0, 0, size.width(), tall))
        self.layout.setContentsMargins(0, max(tall, _TOP_PX), _TOP_PX, 0)
        self._show_right_axes()
        self._fit_square()

    def _place_lines(self, beside: bool) -> None:
        """Put the lines beside the matrix, or above it."""
        if beside != self.is_above:
            return
        self.is_above = not beside
        row, column = (4, 5) if beside else (0, 0)
        for item, down, across in zip(self.line_items, (0, 0, 0, 1, 2), (2, 1, 0, 2, 2), strict=True):
            self.layout.removeItem(item)
            self.layout.addItem(item, row + down, column + across)
        self.layout.removeItem(self._above)
        self.layout.addItem(self._above, 3, 2, 1, _UP_TO_RIGHT if beside else 1)
        self._above.beyond = beside
        self.layout.setColumnStretchFactor(7, int(beside))
        for each in (5, 6):
            self.layout.setRowSpacing(each, 0.0 if beside else self.layout.verticalSpacing())
        self._fit_words()

    def _room(self) -> tuple[object, ...]:
        """Sizes of the parts around the matrix; the layout follows from them and is repeated only for others."""
        items: tuple[Any, ...] = (
            *self.line_items,
            self._right,
            self._above,
            self._beside,
            *self._labels,
            *self._counts,
            *self._keys,
        )
        hints = (each.effectiveSizeHint(which).toTuple() for each in items for which in _HINTS)
        rows = ((self.layout.rowMaximumHeight(row), self.layout.rowSpacing(row)) for row in range(4))
        shown = (each.isVisible() for each in items)
        return self.size().toTuple(), self.is_above, self.layout.getContentsMargins(), *rows, *shown, *hints

    def _fit_square(self) -> None:
        """Make the matrix as wide as it is high, or as high as it is wide, unless it is fitted to this room already."""
        room = self._room()
        if room == self._fitted:
            return
        self._fitted = room
        self.layout.setRowMaximumHeight(4, _ANY_WIDTH)
        self.layout.setColumnMaximumWidth(2, _ANY_WIDTH)
        for _ in range(_FITS):
            self.layout.activate()
            wide, high = self.matrix.size().width(), self.matrix.size().height()
            if wide > high:
                self.layout.setColumnMaximumWidth(2, max(_LEAST_SIDE, high))
            elif wide < high:
                self.layout.setRowMaximumHeight(4, max(_LEAST_SIDE, wide))

    def _show_right_axes(self) -> None:
        if self._plots:
            plot, style = self._plots[0], self.style
            own = tuple(
                (line.scale, line_pen(style, line.look).color()) for line in plot.lines if line.scale is not None
            )
            self._right.show_scales(plot.y_scale, () if self._has_one_measure else own, style)
            self._right.setVisible(self.areas[0].isVisible() and not self._has_one_measure)

    def _fit_words(self) -> None:
        """Hide the words and the colours beside the matrix without room for them: both are then above or below."""
        is_slim = not self.is_above or not self.areas[0].isVisible()
        is_slim = is_slim or self.size().width() < _SLIM * max(1.0, self.style.text_scale)
        self._above.fit(self.size().height() >= _LOWEST * max(1.0, self.style.text_scale))
        self._beside.fit(not is_slim)
        view, unused = self.view(), self._keys[not is_slim]
        unused.hide_scale()
        self._keys[is_slim].show_scale(view.colors, f"{MEASURE_WORDS[view.measure]} (no unit)", self.style)


def _places(*items: QGraphicsLayoutItem) -> list[QRectF]:
    """The places of items in their figure, in pixels."""
    return [QRectF(item.geometry()) for item in items]


FIGURE = SimilarityFigure
