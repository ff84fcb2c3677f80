"""HEATMAP: position by column, exact at every zoom."""

import math
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QRectF, Qt
from typing_extensions import override

from posenc_core import Document, Encoding
from posenc_core.analysis import aliased_columns, aliased_pairs
from posenc_core.encodings import n_whole_pairs
from posenc_core.scripts import heatmap_script
from posenc_gui.figures import AxisLabel, CellFigure, PictureRenderer, Switch, position_switch
from posenc_gui.layers import Grid, HeatCells, HeatView, Span, words_view
from posenc_gui.look import Style, significant
from posenc_gui.model import Cursor, column_noun, no_value_sentence, position_noun, seen_by, value_title
from posenc_gui.panels.heatmap.columns import PictureColumns
from posenc_gui.plotting import (
    ALL,
    Axis,
    ColorKey,
    ColorScale,
    PositionFit,
    Range,
    Ranges,
    TableColors,
    TokenWords,
    moved_to_hold,
    seen_in,
    shades_of,
    table_colors,
    token_marks,
)

_TOP, _TOP_OF_KEY = 3.0, 8.0  # room for the upper half of the first number beside the axis, or of the colour bar's
_NARROW, _LOW = 320.0, 260.0  # narrower figures have no words at the side, and those that are low too no names
_ARROWS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}


class HeatmapFigure(CellFigure):
    """The table as colours: positions down and columns across, or the other way round."""

    name = "heatmap"
    title = "Heatmap"
    hint = "position × column"
    explanation = (
        "Each row is a position, each column a number of its vector. Columns at the fast end change from one position "
        "to the next, columns at the slow end hardly at all. Where a pixel covers many cells, its colour is their "
        "exact mean. A bar along the axis marks columns with waves shorter than two pixels: only their mean is "
        "visible."
    )
    handling = "The wheel zooms at the pointer, dragging pans, a double click shows everything."
    more = "The mean of angles has their mean direction, and is grey where they differ by half a turn or more."
    least_size = (240, 180)
    export_size = (640, 520)
    pictures: PictureRenderer

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._fit = PositionFit()
        self._left = Axis(self.area, style, upright=True, size=24)
        self._bottom = Axis(self.area, style, upright=False, size=16)
        self._left_label = AxisLabel(self.area, style, upright=True)
        self._bottom_label = AxisLabel(self.area, style, upright=False)
        words = partial(words_view, self)
        self._words = TokenWords(self.area, words, upright=True)
        self._words_above = TokenWords(self.area, words, upright=False)
        self._key, self._key_below = ColorKey(style), ColorKey(style, across=True)
        self._keeps_order = False  # some columns alone are shown in the order of the table
        self.addItem(self._words_above, 0, 2)
        self.addItem(self._left_label, 1, 0)
        self.addItem(self._left, 1, 1)
        self.addItem(self.area, 1, 2)
        self.addItem(self._words, 1, 3)
        self.addItem(self._key, 1, 4)
        self.addItem(self._bottom, 2, 2)
        self.addItem(self._bottom_label, 3, 2)
        self.addItem(self._key_below, 4, 0, 1, 5)
        self.pictures = PictureRenderer(self._request)
        HeatCells(self.area, self._view, self.pictures.render)
        self.geometryChanged.connect(self._fit_room)
        self._document_shown(self.document)

    @override
    def switches(self) -> tuple[Switch, ...]:
        return (position_switch(self._fit.chosen(self.axis, self._positions_in_view(self.document.view.transpose))),)

    @override
    def choose(self, switch: str, value: str | int) -> None:
        self._fit.wanted = str(value)
        self._show_positions(self._fit.window(self.axis))

    @override
    def reset_window(self) -> None:
        self._fit.wanted = ALL
        self._fit.window(self.axis)
        super().reset_window()

    def _positions_in_view(self, transpose: bool) -> Range:
        return self.area.across if transpose else self.area.upright

    def _show_positions(self, window: Range) -> None:
        """Show these positions of the columns in view."""
        across, upright = self.area.across, self.area.upright
        self.area.show_window(*(window, upright) if self.document.view.transpose else (across, window))

    @override
    def note(self, scale: float = 1.0) -> str:
        seen = seen_in(self.area.across if self.document.view.transpose else self.area.upright, self.axis.shown)
        averaged = self._averaging(self.grid(scale))
        angles = "angle of each pair, mod 2π" if self._pairs and not averaged else ""
        source = self.document.encoding.label if self.size().width() >= _NARROW else ""  # as the dock has it too
        parts = (angles, averaged, self.pictures.standing(scale), source)
        return " · ".join(filter(None, (*parts, no_value_sentence(self.document.encoding, seen))))

    def _averaging(self, grid: Grid) -> str:
        """``1 pixel = 1,638 positions × 8 columns, mean``; empty where a pixel is no more than a cell."""
        rows, columns = grid.cells_a_pixel
        if rows <= 1 and columns <= 1:
            return ""
        parts = [
            f"{_amount(rows)} {position_noun(self.document.encoding)}s" if rows > 1 else "",
            f"{_amount(columns)} {self._noun}s" if columns > 1 else "",
        ]
        how = "mean angle, grey where they differ" if grid.angles else "mean"
        return f"1 pixel = {' × '.join(part for part in parts if part)}, {how}"

    def _fast(self, scale: float) -> Ranges:
        """The ranges of columns, or pairs, with waves shorter than two pixels."""
        step = self.grid(scale).cells_a_pixel[0]
        if step <= 1:
            return ()
        return (aliased_pairs if self._pairs else aliased_columns)(self._shown, step)

    @override
    def subtitle(self) -> str:
        return f"{position_noun(self.document.encoding)} × {self._noun}"

    @property
    def _pairs(self) -> int:
        """The number of pairs whose angles are shown; 0 where values are shown."""
        return n_whole_pairs(self.document.encoding) if self.document.view.angles else 0

    @property
    def _noun(self) -> str:
        """What is counted along the columns' axis: columns, heads or pairs."""
        return "pair" if self._pairs else column_noun(self.document.encoding)

    @property
    def _colors(self) -> TableColors:
        """Colours of the table's values, or of a whole turn, whose ends are the same angle."""
        if self._pairs:
            return TableColors(ColorScale("cyclic", -math.pi, math.pi))
        return table_colors(self.document, self.style)

    @property
    def _title(self) -> str:
        """What the colours are, with their unit."""
        if self._pairs:
            return "angle (rad)"
        own = self._colors.per_row
        return "share of each head’s largest (no unit)" if own else value_title(self.document.encoding)

    @property
    def _shown(self) -> Encoding:
        """The encoding whose columns have the order of the picture's."""
        encoding, halves = self.document.encoding, self.document.view.halves and not self._keeps_order
        return encoding.in_halves() if halves else encoding

    @property
    def _columns(self) -> PictureColumns:
        """What stands side by side in the picture."""
        return PictureColumns(self.document.encoding, self._shown, self._pairs)

    def _view(self, scale: float) -> HeatView:
        return HeatView(self.grid(scale), self._colors, self.style)

    def _request(self, scale: float, vector: bool) -> Grid | None:
        grid = self.grid(scale).valued()
        return grid.in_dots() if grid is not None and vector else grid

    @override
    def script(self) -> str:
        ranges = (self.area.across, self.area.upright)
        positions, columns = ranges if self.document.view.transpose else ranges[::-1]
        shown = seen_in(positions, self.axis.shown), seen_in(columns, range(self._columns.count))
        drawn = seen_by(self.document.with_encoding(self._shown), self.seen_from)
        colors = self._colors if self._pairs else table_colors(self.document, self.style, shared=True)
        return heatmap_script(drawn, *shown, shades_of(colors.scale), token_marks(self.document, self.axis, self.style))

    @override
    def show_columns(self, first: int, stop: int) -> None:
        self._keeps_order = (first, stop) != (0, self.document.encoding.n_columns)
        first, stop = self._columns.window_of(first, stop)
        columns, positions = (first - 0.5, stop - 0.5), self._position_extent()
        self.area.show_window(*(positions, columns) if self.document.view.transpose else (columns, positions))

    @override
    def show_cell(self, cursor: Cursor) -> None:
        shown = self._columns.place_of(cursor.column)
        if shown is not None and cursor.position in self.positions:
            x, y = self._place(cursor.position, shown)
            self.area.show_window(moved_to_hold(self.area.across, x), moved_to_hold(self.area.upright, y))

    @override
    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        moved, step = super().moved(key, times), self.steps.get(key)
        if moved is None or step is None or not step[1]:
            return moved
        return replace(
            moved, column=self._columns.moved(0 if self.cursor is None else self.cursor.column, times * step[1])
        )

    def cell_rect(self, position: int, column: int) -> QRectF | None:
        """The rectangle of the cell, or of its pair, in the area's pixels; None for a column that is not shown."""
        shown = self._columns.place_of(column)
        if shown is None:
            return None
        x, y = self._place(position, shown)
        return self.area.to_rect((x - 0.5, x + 0.5), (y - 0.5, y + 0.5))

    @override
    def _frame(self) -> QRectF | None:
        return None if self.cursor is None else self.cell_rect(self.cursor.position, self.cursor.column)

    def grid(self, scale: float) -> Grid:
        """The part of the table in view, at ``scale`` device pixels per logical pixel."""
        rect = self.area.rect()
        across = Span.over(self.area.across, max(1, round(rect.width() * scale)))
        down = Span.over(self.area.upright, max(1, round(rect.height() * scale)))
        return Grid(self._shown, down, across, self.document.view.transpose, angles=bool(self._pairs))

    @override
    def number(self) -> float | None:
        value, cursor = super().number(), self.cursor
        angle = None if cursor is None or value is None else self._columns.angle(cursor.position, cursor.column)
        return value if angle is None else angle

    def _place(self, position: int, column: int) -> tuple[int, int]:
        return (position, column) if self.document.view.transpose else (column, position)

    def _position_extent(self) -> Range:
        return (self.positions.start - 0.5, self.positions.stop - 0.5)

    @override
    def _document_shown(self, before: Document) -> None:
        transpose, encoding = self.document.view.transpose, self.document.encoding
        self.steps = {key: (x, y) if transpose else (y, x) for key, (x, y) in _ARROWS.items()}
        positions, follows = self._position_extent(), self._fit.follows(self._positions_in_view(before.view.transpose))
        n_columns, columns = self._columns.count, (-0.5, self._columns.count - 0.5)
        self.area.set_extent(*(positions, columns) if transpose else (columns, positions))
        if transpose != before.view.transpose:
            self.area.show_all()
        if follows:
            self._show_positions(self._fit.window(self.axis))
        shown, parts = self._shown, self._shown != encoding
        self._left_label.name(shown, columns=transpose, pairs=self._pairs, parts=parts)
        self._bottom_label.name(shown, columns=not transpose, pairs=self._pairs, parts=parts)
        self._left.mark(self._fast if transpose else None)
        self._bottom.mark(None if transpose else self._fast)
        self._words.setVisible(not transpose)
        self._words_above.setVisible(transpose)
        counted = range(n_columns) if transpose else self.positions
        self._left.fit(counted[0], counted[-1])
        self._fit_room()

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        self.update_all()

    @override
    def _style_shown(self) -> None:
        for item in (self._left, self._bottom, self._left_label, self._bottom_label):
            item.show_style(self.style)
        self._fit_room()

    def _fit_room(self) -> None:
        """Give words and axes room in a large figure; in a narrow one, the picture, and the colour bar below it."""
        narrow = self.size().width() < _NARROW
        small = narrow and self.size().height() < _LOW
        self._words.fit(not self.document.view.transpose and not narrow)
        self._words_above.fit(self.document.view.transpose)
        self._left_label.take_room(not narrow)
        self._bottom_label.take_room(not small)
        self.layout.setContentsMargins(0, _TOP if narrow else _TOP_OF_KEY, 0, 0)
        shown, hidden = (self._key_below, self._key) if narrow else (self._key, self._key_below)
        shown.show_scale(self._colors.scale, self._title, self.style)
        hidden.hide_scale()

    @override
    def _point(self, across: int, upright: int, pinned: bool) -> None:
        column, position = (upright, across) if self.document.view.transpose else (across, upright)
        pointed = self._columns.column_at(column)
        if pointed is not None:
            self.point_at(position, pointed, pinned)


def _amount(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else significant(number, 2)
