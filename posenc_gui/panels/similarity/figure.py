"""SIMILARITY: how alike the rows of two positions are, as a matrix with words on both axes and by distance."""

import math
from collections.abc import Mapping
from functools import partial

import numpy as np
from msgspec import structs
from PySide6.QtCore import QRectF, Qt
from typing_extensions import override

from posenc_core import Document
from posenc_core.analysis import (
    MEASURES,
    is_similarity_sampled,
    is_toeplitz,
    similarity_row,
)
from posenc_core.numerics import FloatArray
from posenc_gui.figures import AxisLabel, PictureRenderer
from posenc_gui.figures.lines import LINES_SHARE, Line, LineView, MatrixFigure, Plot, line_pen
from posenc_gui.layers import words_view
from posenc_gui.look import Style, counted, significant
from posenc_gui.model import Cursor, RowLikeness, no_value_sentence, source_words
from posenc_gui.panels.similarity.cursor_row import RestingRow, RowRequest
from posenc_gui.panels.similarity.curves import (
    MEASURE_WORDS,
    columns_of,
    distances_of,
    drawn_lines,
    mean_words,
    reach_of,
    scale_of,
    step_of,
)
from posenc_gui.panels.similarity.legend import LegendStrip
from posenc_gui.panels.similarity.matrix import Likeness, MatrixCells, MatrixView
from posenc_gui.plotting import ColorKey, ColorScale, RightAxes, Scale, TokenWords, moved_to_hold

_TOP_PX = 10.0
_SHORT = {"dot": "dot", "cosine": "cosine", "euclidean": "distance"}


class SimilarityFigure(MatrixFigure):
    """Curves by distance above; below, a cell for each two positions, with the cursor's row marked."""

    name = "similarity"
    title = "Similarity"
    hint = "rows of two positions compared"
    explanation = (
        "How alike the rows of two positions are: by dot product, by the cosine of their angle, by Euclidean distance. "
        "Above, all three by distance: the chosen measure is thick, with its axis on the left. Below, each cell is a "
        "pair of positions. These are products of position vectors, not attention scores: W_q and W_k stand in "
        "between."
    )
    handling = "The wheel zooms, dragging pans, a double click shows all."
    more = "Other axes are at the right. Where not all columns are pairs, a line is a mean beside the cursor’s row."
    least_size = (260, 240)
    export_size = (640, 720)
    controls = ("similarity_measure",)
    has_legend_inside = False
    pictures: PictureRenderer

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self.pointed: tuple[int, int] | None = None
        words = partial(words_view, self)
        self._above = TokenWords(self.matrix, words, upright=False, turn=True)
        self._beside = TokenWords(self.matrix, words, upright=True)
        self._key = ColorKey(style)
        self._labels = (AxisLabel(self.matrix, style, True, size=18), AxisLabel(self.matrix, style, False, size=18))
        self._legend = LegendStrip(partial(self._view, 0), self)
        self._right = RightAxes(self.area, style)
        self.pictures = PictureRenderer(self._request)
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

    @classmethod
    @override
    def plots(cls, document: Document) -> tuple[Plot, ...]:
        measure, distances = document.view.similarity_measure, distances_of(document)
        lines = drawn_lines(document)
        x = distances.astype(np.float64)
        across = Scale("distance, p′ − p", min(float(x[0]), -1.0), max(float(x[-1]), 1.0), whole=True)
        upright = scale_of(document, measure, [line.y for line in lines if line.scale is None])
        return (Plot(x, lines, across, upright, stretch=LINES_SHARE),)

    @classmethod
    @override
    def numbers(cls, document: Document) -> Mapping[str, FloatArray]:
        return columns_of(document)

    @property
    def _position(self) -> int | None:
        """The position whose row is drawn; None if the cursor is outside the table."""
        return self.cursor.position if self.cursor is not None and self.cursor.position in self.axis.shown else None

    @override
    def _view(self, index: int) -> LineView:
        view, seen = super()._view(index), self.seen_from
        at = None if seen is None or seen.position not in self.axis.shown else seen.position
        if view.plot is None or at is None or is_toeplitz(self.document.encoding):
            return view
        y = self._row.line(RowRequest.of(self.document, at, self.axis.shown), self.pictures.background is not None)
        line = Line(f"row of {counted(at)}", y, look=-1)
        return structs.replace(view, plot=structs.replace(view.plot, lines=(*view.plot.lines, line)))

    def _matrix_view(self) -> MatrixView:
        return MatrixView(self._likeness(), self._colors(), self.style)

    def _likeness(self) -> Likeness:
        document = self.document
        return Likeness.of(self.matrix, document.encoding, self.axis.shown, document.view.similarity_measure)

    def _request(self, scale: float, vector: bool) -> Likeness | None:
        likeness = self._likeness()
        return likeness if likeness.cells.rows and likeness.cells.columns else None

    def _colors(self) -> ColorScale:
        measure = self.document.view.similarity_measure
        reach = reach_of(self.document.encoding, self.axis.shown, measure)
        low = 0.0 if measure == "euclidean" else -reach
        return ColorScale.suited(self.document.view.color_map, low, reach, self.style.is_dark)

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
        plots = self.shown_plots
        if plots:
            own = tuple(
                (line.scale, line_pen(self.style, line.look).color())
                for line in plots[0].lines
                if line.scale is not None
            )
            self._right.show_scales(plots[0].y_scale, own, self.style)
            self._right.setVisible(self.areas[0].isVisible())

    def _fit_key(self) -> None:
        words = MEASURE_WORDS[self.document.view.similarity_measure]
        self._key.show_scale(self._colors(), f"{words} (no unit)", self.style)

    @override
    def _frame(self) -> QRectF | None:
        """The cell that was pointed at, else the cursor's row."""
        at = self._position
        if at is None:
            return None
        if self.pointed is not None and self.pointed[0] == at:
            other = self.pointed[1]
            return self.matrix.to_rect((other - 0.5, other + 0.5), (at - 0.5, at + 0.5))
        return self.matrix.to_rect(self.matrix.across, (at - 0.5, at + 0.5))

    @override
    def note(self, scale: float = 1.0) -> str:
        if self.problem:
            return self.problem
        encoding, cells = self.document.encoding, self._likeness().cells
        step, between = cells.rows.step, step_of(self.document)
        parts = [
            *source_words(self.document, range(len(self.document.encodings))),
            "position vectors, not attention · W_q and W_k stand in between",
            *mean_words(self.document),
            f"cells: means over {step:,} × {step:,} positions" if step > 1 else "",
            "read in part" if is_similarity_sampled(encoding, cells.rows) else "",
            f"line: one distance in {between:,}" if between > 1 else "",
            self.pictures.standing(scale),
            no_value_sentence(encoding, self.axis.shown),
        ]
        return " · ".join(filter(None, parts))

    @override
    def subtitle(self) -> str:  # and not the note, whose lines would move the picture under the mouse
        if self.pointed is None or self._position != self.pointed[0]:
            return self.hint
        at, other = self.pointed
        found = {each: self._compared(at, other, each) for each in MEASURES}
        known = {_SHORT[each]: significant(value) for each, value in found.items() if value is not None}
        words = ", ".join(map(" ".join, known.items()))
        return f"{counted(at)} and {counted(other)}: {words}" if words else self.hint

    @override
    def spoken(self) -> str:
        return super().spoken() if self.number() is None else self.subtitle()

    def _compared(self, at: int, other: int, measure: str) -> float | None:
        with np.errstate(over="ignore", invalid="ignore"):
            value = float(similarity_row(self.document.encoding, at, [other], measure)[0])
        return value if math.isfinite(value) else None

    @override
    def number(self) -> float | None:
        if self.pointed is None or self._position != self.pointed[0]:
            return None
        return self._compared(*self.pointed, self.document.view.similarity_measure)

    @override
    def cursor_x(self) -> float | None:
        if self.pointed is None or self._position != self.pointed[0]:
            return None
        return self.pointed[1] - self.pointed[0]

    @override
    def _point_x(self, x: float, pinned: bool) -> None:
        at = self._position
        if at is not None and at + round(x) in self.axis.shown:
            self._point_cell(at, at + round(x), pinned)

    @override
    def _point_cell(self, row: int, column: int, pinned: bool) -> None:
        at, other = row, column  # the cursor takes the row
        if at not in self.axis.shown or other not in self.axis.shown:
            return
        is_held = self.cursor is not None and self.cursor.pinned and not pinned
        if not is_held:
            self.pointed = (at, other)
            self.update_all()
            self.noteChanged.emit()
        self.cursorMoved.emit(self._cursor_at(at, other, pinned))

    def _cursor_at(self, position: int, other: int, pinned: bool) -> Cursor:
        column, query = (0, None) if self.cursor is None else (self.cursor.column, self.cursor.query)
        column = min(column, self.document.encoding.n_columns - 1)
        return Cursor(position, column, pinned, query, RowLikeness(position, other))

    @override
    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        step = {Qt.Key.Key_Left: -times, Qt.Key.Key_Right: times, Qt.Key.Key_Up: -times, Qt.Key.Key_Down: times}.get(
            key
        )
        if step is None or not self.axis.shown:
            return None
        at = min(max((self.cursor or Cursor(0, 0)).position, self.axis.shown[0]), self.axis.shown[-1])
        other = self.pointed[1] if self.pointed is not None and self.pointed[0] == at else at
        is_across = key in (Qt.Key.Key_Left, Qt.Key.Key_Right)
        at, other = (at, other + step) if is_across else (at + step, other)
        at, other = (min(max(each, self.axis.shown[0]), self.axis.shown[-1]) for each in (at, other))
        self.pointed = (at, other)
        self.update_all()
        self.noteChanged.emit()
        return self._cursor_at(at, other, True)

    @override
    def show_cell(self, cursor: Cursor) -> None:
        other = self.pointed[1] if self.pointed is not None else cursor.position
        self.matrix.show_window(
            moved_to_hold(self.matrix.across, other), moved_to_hold(self.matrix.upright, cursor.position)
        )

    @override
    def _document_shown(self, before: Document) -> None:
        super()._document_shown(before)
        shown = self.axis.shown
        if self.pointed is not None and not all(each in shown for each in self.pointed):
            self.pointed = None
        ends = (shown.start - 0.5, shown.stop - 0.5)
        self.matrix.set_extent(ends, ends)
        for label in self._labels:
            label.name(self.document.encoding)
        self._fit_words()

    @override
    def _style_shown(self) -> None:
        super()._style_shown()
        for label in self._labels:
            label.show_style(self.style)
        self._show_right_axes()
        self._fit_key()

    def _fit_words(self) -> None:
        self._above.fit(True)
        self._beside.fit(True)
        self._fit_key()
