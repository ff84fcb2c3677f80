"""Curves by distance above; below, a cell for each two positions, with the cursor's row marked."""

from functools import partial

from msgspec import structs
from PySide6.QtCore import QRectF
from typing_extensions import override

from posenc_core import Document
from posenc_core.analysis import is_toeplitz
from posenc_gui.figures import AxisLabel
from posenc_gui.figures.lines import Line, LineView, MatrixFigure, MatrixViewport, line_pen
from posenc_gui.layers import words_view
from posenc_gui.look import Style, counted
from posenc_gui.model import Cursor
from posenc_gui.panels.similarity.cursor_row import RestingRow, RowRequest
from posenc_gui.panels.similarity.derive import RowLikeness
from posenc_gui.panels.similarity.legend import LegendStrip
from posenc_gui.panels.similarity.matrix import Likeness, MatrixCells, MatrixView
from posenc_gui.panels.similarity.numbers import MEASURE_WORDS, plots
from posenc_gui.panels.similarity.pointing import SimilarityPointing, SimilarityView
from posenc_gui.panels.similarity.spec import SPEC
from posenc_gui.plotting import ColorKey, RightAxes, TokenWords, moved_to_hold

_TOP_PX = 10.0


class SimilarityViewport(MatrixViewport):
    """The viewport of the matrix, which has positions on both axes."""

    @override
    def show_cell(self, cursor: Cursor) -> None:
        subject, area = cursor.subject, self._area
        other = subject.other if isinstance(subject, RowLikeness) else cursor.position
        area.show_window(moved_to_hold(area.across, other), moved_to_hold(area.upright, cursor.position))


class SimilarityFigure(MatrixFigure):
    """Measures by distance above the matrix of one measure."""

    spec, plots, pointing_class = SPEC, plots, SimilarityPointing
    legends, viewport_class = (), SimilarityViewport

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        words = partial(words_view, self)
        self._above = TokenWords(self.matrix, words, upright=False, turn=True)
        self._beside = TokenWords(self.matrix, words, upright=True)
        self._key = ColorKey(style)
        self._labels = (AxisLabel(self.matrix, style, True, size=18), AxisLabel(self.matrix, style, False, size=18))
        self._legend = LegendStrip(partial(self.line_view, 0), self)
        self._right = RightAxes(self.area, style)
        self._row = RestingRow(self)
        self._row.due.connect(self.update_all)
        self.addItem(self._right, 0, 3, 1, 2)
        self.addItem(self._above, 3, 2)
        self.addItem(self._labels[0], 4, 0)
        self.addItem(self._beside, 4, 3)
        self.addItem(self._key, 4, 4)
        self.addItem(self._labels[1], 5, 2)
        MatrixCells(self.matrix, self._matrix_view, self.pictures.render)
        self.matrix.sigResized.connect(self._fit_words)
        self._document_shown(self.document)

    @override
    def view(self, scale: float = 1.0) -> SimilarityView:
        return SimilarityView(*self.shown(), self._plots, self.matrix)

    @override
    def line_view(self, index: int) -> LineView:
        view, seen = super().line_view(index), self.seen_from
        at = None if seen is None or seen.position not in self.axis.shown else seen.position
        if view.plot is None or at is None or is_toeplitz(self.document.encoding):
            return view
        y = self._row.line(RowRequest.of(self.document, at, self.axis.shown), self.pictures.background is not None)
        line = Line(f"row of {counted(at)}", y, look=-1)
        return structs.replace(view, plot=structs.replace(view.plot, lines=(*view.plot.lines, line)))

    @override
    def request(self, scale: float, vector: bool) -> Likeness | None:
        likeness = self.view().likeness
        return likeness if likeness.cells.rows and likeness.cells.columns else None

    def _matrix_view(self) -> MatrixView:
        view = self.view()
        return MatrixView(view.likeness, view.colors, view.style)

    @override
    def _document_shown(self, before: Document) -> None:
        super()._document_shown(before)
        shown = self.axis.shown
        ends = (shown.start - 0.5, shown.stop - 0.5)
        self.matrix.set_extent(ends, ends)
        for label in self._labels:
            label.name(self.document.encoding)
        self._fit_words()

    @override
    def _style_shown(self) -> None:
        self._show_right_axes()
        self._fit_words()

    @override
    def _fit_lines(self) -> None:
        super()._fit_lines()
        has_room, width = self.areas[0].isVisible(), self.size().width()
        tall = self._legend.height_for(width) if has_room else 0.0
        self._legend.setVisible(has_room)
        self._legend.setGeometry(QRectF(0, 0, width, tall))
        self.layout.setContentsMargins(0, max(tall, _TOP_PX), _TOP_PX, 0)
        self._show_right_axes()

    def _show_right_axes(self) -> None:
        if self._plots:
            plot, style = self._plots[0], self.style
            own = tuple(
                (line.scale, line_pen(style, line.look).color()) for line in plot.lines if line.scale is not None
            )
            self._right.show_scales(plot.y_scale, own, style)
            self._right.setVisible(self.areas[0].isVisible())

    def _fit_words(self) -> None:
        self._above.fit(True)
        self._beside.fit(True)
        view = self.view()
        self._key.show_scale(view.colors, f"{MEASURE_WORDS[view.measure]} (no unit)", self.style)


FIGURE = SimilarityFigure
