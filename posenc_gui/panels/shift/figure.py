"""SHIFT: the linear map from each row to the one k positions on, as cells, and what it misses."""

import numpy as np
from PySide6.QtCore import QRectF, Qt
from typing_extensions import override

from posenc_core import Document, Encoding
from posenc_core.analysis import explain_shift_block
from posenc_core.encodings import pair_of
from posenc_core.session import LETTERS, SHIFT_K
from posenc_gui.figures import AxisLabel
from posenc_gui.figures.lines import LINES_SHARE, Line, MatrixFigure, Plot, Rule, named_look
from posenc_gui.layers import cursor_pair
from posenc_gui.look import Style, counted, significant
from posenc_gui.model import Cursor, ShiftBlock, field_course, source_words
from posenc_gui.panels.shift.cells import MapCells, MapView
from posenc_gui.panels.shift.maps import Shift, shift_of, shifts_beside
from posenc_gui.plotting import ColorKey, ColorScale, Scale

_FLOOR = 1e-17
"""Errors below it, and those of exactly 0, are not on the axis: rounding alone makes more."""

_LARGEST = 1e100


def _shift_stops(document: Document, cursor: Cursor) -> range:
    first, last = SHIFT_K.slider or (SHIFT_K.minimum, SHIFT_K.maximum)
    return range(first, last + 1)


_SHIFTS = field_course(
    SHIFT_K.name, ("k", "shift k", "tokens"), 150, _shift_stops, lambda document: document.view.shift_k
)


class ShiftFigure(MatrixFigure):
    """The largest error of each mapped row above, on a logarithmic axis; the matrix below."""

    name = "shift"
    title = "Shift"
    hint = "from row p to row p + k"
    explanation = (
        "Is row p + k a linear function of row p, the same at every p? For pairs of sine and cosine it is: a matrix "
        "with a block of two columns and two rows for each pair, which turns the pair by its frequency times k. Above, "
        "the largest error of the mapped row at each position, on a logarithmic axis: for such pairs rounding alone."
    )
    more = (
        "Without the cosines, and for other tables, the best matrix is found by least squares over 50 rows. With no "
        "more rows than columns rows of any numbers have one, so the error at rows that it was not fitted to is shown "
        "too."
    )
    least_size = (260, 240)
    export_size = (600, 720)
    controls = ("shift_k", "shift_without_cosines")
    course = _SHIFTS

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._shift: Shift | None = None
        self._labels = (
            AxisLabel(self.matrix, style, True, "column of row p + k", size=18),
            AxisLabel(self.matrix, style, False, "column of row p", size=18),
        )
        self._key = ColorKey(style)
        self.addItem(self._labels[0], 4, 0)
        self.addItem(self._key, 4, 3)
        self.addItem(self._labels[1], 5, 2)
        MapCells(self.matrix, self._map_view)

    @classmethod
    @override
    def plots(cls, document: Document) -> tuple[Plot, ...]:
        chosen = shift_of(document, document.encoding)
        drawn = {document.current: chosen, **shifts_beside(document, chosen)[0]}
        lines = [_line(document, index, each) for index, each in drawn.items()]
        x = chosen.positions.astype(np.float64)
        across = Scale("position p", float(x[0]), max(float(x[-1]), float(x[0]) + 1), whole=True)
        rules = () if chosen.is_exact else (Rule(f"held out {significant(chosen.held_out, 3)}", chosen.held_out),)
        return (Plot(x, tuple(lines), across, _upright(lines, rules), rules, stretch=LINES_SHARE),)

    @override
    def _document_shown(self, before: Document) -> None:
        super()._document_shown(before)
        if self.problem:
            return
        self._shift = shift_of(self.document, self.document.encoding)
        ends = (-0.5, len(self._shift.matrix) - 0.5)
        self.matrix.set_extent(ends, ends)
        self._key.show_scale(self._colors(), "entry (no unit)", self.style)

    def _colors(self) -> ColorScale:
        largest = 1.0 if self._shift is None else max(1.0, float(np.abs(self._shift.matrix).max()))
        return ColorScale.suited("diverging", -largest, largest, self.style.is_dark)

    def _map_view(self) -> MapView:
        return MapView(self._shift, self._pair(), self._colors(), self.style)

    def _pair(self) -> int | None:
        """The cursor's pair; None if the map has no blocks, or the column no pair."""
        pair = cursor_pair(self.document.encoding, self.cursor)
        return pair if pair is not None and self._shift is not None and pair < len(self._shift.pairs) else None

    @override
    def _frame(self) -> QRectF | None:
        return None

    @override
    def note(self, scale: float = 1.0) -> str:
        if self.problem or self._shift is None:
            return self.problem
        shift, k = self._shift, self.document.view.shift_k
        error = significant(shift.largest, 2)
        if shift.is_exact:
            what = f"M for k = {counted(k)}: largest error {error}"
        else:
            cosines = "without cosines: " if self.document.view.shift_without_cosines else ""
            rows = len(shift.positions)
            what = f"{cosines}best map by least squares over {rows} rows, largest error {error}"
            what += f", {significant(shift.held_out, 2)} at rows held out"
            what += "; so few rows of any numbers have such a map" if shift.is_trivial else ""
        pair = self._pair()
        block = "" if pair is None else _block_words(self.document.encoding, k, pair)
        return " · ".join(filter(None, (what, block, *self._words_beside(shift))))

    def _words_beside(self, chosen: Shift) -> list[str]:
        """Where numbers come from, what the lines of the other encodings are, and which are left out."""
        drawn, refusals = shifts_beside(self.document, chosen)
        fitted = [f"{LETTERS[index]} best map by least squares" for index, each in drawn.items() if not each.is_exact]
        return [*source_words(self.document, [self.document.current, *drawn]), *fitted, *refusals]

    @override
    def number(self) -> float | None:
        x = self.cursor_x()
        if x is None or not self.shown_plots:
            return None
        plot = self.shown_plots[0]
        return float(plot.lines[0].y[plot.nearest(x)])

    @override
    def cursor_x(self) -> float | None:
        plots = self.shown_plots
        if self.cursor is None or not plots or not plots[0].x[0] <= self.cursor.position <= plots[0].x[-1]:
            return None
        return self.cursor.position

    @override
    def _point_x(self, x: float, pinned: bool) -> None:
        column, query = (0, None) if self.cursor is None else (self.cursor.column, self.cursor.query)
        self.cursorMoved.emit(Cursor(round(x), column, pinned, query))

    @override
    def _point_cell(self, row: int, column: int, pinned: bool) -> None:
        """The cursor takes the column, so that its pair is marked everywhere."""
        if self._shift is None or not self._shift.is_exact:
            return
        if not 0 <= column < min(len(self._shift.matrix), self.n_pointed):  # the last good picture may have more
            return
        position, query = (0, None) if self.cursor is None else (self.cursor.position, self.cursor.query)
        self.cursorMoved.emit(Cursor(position, column, pinned, query, self._block_of(column)))

    def _block_of(self, column: int) -> ShiftBlock | None:
        """The block of a column's pair; None for a map without blocks."""
        pair = pair_of(self.document.encoding, column)
        has_blocks = self._shift is not None and pair is not None and pair < len(self._shift.pairs)
        return ShiftBlock(pair) if has_blocks and pair is not None else None

    @override
    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        step = {Qt.Key.Key_Left: -times, Qt.Key.Key_Right: times}.get(key, 0)
        if not step:
            return None
        cursor = self.cursor or Cursor(0, 0)
        column = min(max(cursor.column + step, 0), self.document.encoding.n_columns - 1)
        return Cursor(cursor.position, column, True, cursor.query, self._block_of(column))

    @override
    def _style_shown(self) -> None:
        super()._style_shown()
        for label in self._labels:
            label.show_style(self.style)
        self._key.show_scale(self._colors(), "entry (no unit)", self.style)


def _line(document: Document, index: int, shift: Shift) -> Line:
    name, look = named_look(document, index)
    return Line(name, shift.residuals, look)


def _upright(lines: list[Line], rules: tuple[Rule, ...]) -> Scale:
    """A logarithmic axis that holds all errors but 0; ValueError for errors that no axis can show."""
    values = np.concatenate([*(line.y for line in lines), [rule.value for rule in rules]])
    if not np.isfinite(values).all() or values.max() > _LARGEST:
        raise ValueError(f"the rows are beyond {_LARGEST:g}, the largest number that the axis can show")
    values = values[values >= _FLOOR]
    low, high = (float(values.min()), float(values.max())) if values.size else (1e-16, 1e-15)
    return Scale("largest error", low / 3, high * 3, logarithmic=True)


def _block_words(encoding: Encoding, k: int, pair: int) -> str:
    """The steps of the derivation of a pair's block, in one line."""
    angle, sine, cosine = (significant(step.value, 4) for step in explain_shift_block(encoding, k, pair).steps)
    return f"pair {pair} turns by w · k = {angle} rad: cos {cosine}, sin {sine}"
