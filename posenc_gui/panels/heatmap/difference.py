"""DIFFERENCE: the table of A, of another encoding, and A minus the other, with one scale and one cursor."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from typing_extensions import override

from posenc_core import Document, Encoding
from posenc_core.encodings import TableEncoding
from posenc_core.numerics import FloatArray
from posenc_core.progressive import slow_work
from posenc_core.session import LETTERS
from posenc_gui.figures.axis_label import AxisLabel
from posenc_gui.figures.cell_figure import CellFrame, WindowedFigure
from posenc_gui.figures.figure import Need
from posenc_gui.layers.cells import HeatCells, HeatView
from posenc_gui.layers.grid import Grid, Span
from posenc_gui.look.number_format import counted, significant
from posenc_gui.look.style import Style
from posenc_gui.model.cursor import Cursor, PositionAxis, valued
from posenc_gui.model.wording import column_noun, position_noun, position_words
from posenc_gui.panels.heatmap.columns import PictureColumns
from posenc_gui.panels.heatmap.two_tables import Compared
from posenc_gui.plotting.color_key import ColorKey
from posenc_gui.plotting.count_axis import CountAxis
from posenc_gui.plotting.plot_area import PlotArea, moved_to_hold, wheel_zoom
from posenc_gui.plotting.table_colors import TableColors

_GAP = 8.0
_MOST_WORK = 1 << 22
"""Entries of a learned table that are read in a moment; reading one takes less than a tenth of a second."""

_STEPS = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}


class DifferenceFigure(WindowedFigure):
    """Three heatmaps side by side: two tables, and the first minus the second."""

    name = "difference"
    title = "Difference"
    hint = "A, another encoding, and A minus it"
    explanation = (
        "The table of A, that of the chosen encoding (of B where A is chosen), and A minus the other, with the same "
        "colours, the same window and the same cursor: each row is a position, each column a number of the vector. "
        "Columns are compared by their place in the table, over those that both have, biases by their heads. Where a "
        "pixel covers many cells, its colour is their exact mean."
    )
    more = (
        "With angles of pairs, the difference of two angles is at most half a turn either way, in cyclic colours; "
        "there a pixel of many cells has the difference of the mean directions."
    )
    least_size = (360, 180)
    export_size = (960, 420)
    has_numbers = True
    needs = Need("Difference compares A with another encoding, and there is no other one.", "Add B, a copy of A")

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self.steps = _STEPS
        self._is_fitting = False
        self.layout.setHorizontalSpacing(_GAP / 2)
        self.areas = [PlotArea(down=True) for _ in range(3)]
        self.area = self.areas[0]
        self._left = CountAxis("left", style, size=24)
        self._left_label = AxisLabel(self.area, style, upright=True)
        self._key = ColorKey(style)
        self._titles = [AxisLabel(area, style, upright=False) for area in self.areas]
        self._bottoms = [CountAxis("bottom", style, size=16) for _ in self.areas]
        self._names = [AxisLabel(area, style, upright=False) for area in self.areas]
        self.addItem(self._left_label, 1, 0)
        self.addItem(self._left, 1, 1)
        self._left.linkToView(self.area)
        for which, area in enumerate(self.areas):
            self._add_picture(which, area)
        self.addItem(self._key, 1, 5)

    def _add_picture(self, which: int, area: PlotArea) -> None:
        column = 2 + which
        for row, item in enumerate((self._titles[which], area, self._bottoms[which], self._names[which])):
            self.addItem(item, row, column)
        self.layout.setColumnStretchFactor(column, 1)
        self.layout.setColumnPreferredWidth(column, 200.0)
        self._bottoms[which].linkToView(area)
        HeatCells(area, partial(self._view, which), partial(self._render, which))
        CellFrame(area, partial(self._frame, area), self._is_held)
        area.hovered.connect(partial(self._point, pinned=False))
        area.clicked.connect(partial(self._point, pinned=True))
        area.wheeled.connect(partial(self._wheeled, area))
        area.resetAsked.connect(self.reset_window)
        area.sigRangeChanged.connect(partial(self._follow, area))

    @classmethod
    @override
    def missing(cls, document: Document) -> Need | None:
        if len(document.encodings) == 1:
            return cls.needs
        compared = Compared.of(document)
        one, other, second = compared.one, compared.other, compared.index
        for noun in (position_noun, column_noun):
            if noun(one) != noun(other):
                have = "row" if noun is position_noun else "number"
                told = f"A has a {have} for each {noun(one)}, {LETTERS[second]} for each {noun(other)}"
                return _need(f"Difference needs two tables alike: {told}.", one, second)
        shown = PositionAxis.of(document).shown
        for index, encoding, kept in ((0, one, other), (second, other, one)):
            if slow_work(encoding, shown.start, shown.stop, encoding.n_columns) > _MOST_WORK:
                formula = Document().encoding if isinstance(kept, TableEncoding) else kept
                have = f"those of {LETTERS[index]}, {encoding.title}, are more"
                told = f"Difference reads up to {counted(_MOST_WORK)} numbers of a learned table at once: {have}"
                return _need(f"{told}. Choose a smaller seq_len, or a formula.", formula, index)
        if valued(one, valued(other, shown)):
            return None
        return _need(f"Difference needs a position that both have: A and {LETTERS[second]} have none.", one, second)

    @classmethod
    @override
    def numbers(cls, document: Document) -> Mapping[str, FloatArray]:
        compared, count = Compared.of(document), len(document.token_list)
        places = np.arange(min(compared.widths))
        positions = np.arange(1 - count, 1) if compared.one.relative else np.arange(count)
        held = [each.has_value(int(position)) for position in positions for each in (compared.one, compared.other)]
        positions = positions[np.array(held, bool).reshape(-1, 2).all(axis=1)]
        noun = compared.noun
        columns = {position_noun(compared.one): positions.astype(np.float64)}
        for name, table in zip(compared.names, compared.numbers(positions, places), strict=True):
            columns |= {f"{name}: {noun} {place}": table[:, place] for place in places.tolist()}
        return columns

    @property
    def compared(self) -> Compared | None:
        """What is compared; None if the document lacks something."""
        return None if self.missing(self.document) is not None else Compared.of(self.document)

    def grid(self, scale: float) -> Grid:
        """The window of the first table at ``scale`` device pixels per logical pixel; all pictures have its parts."""
        rect = self.area.rect()
        across = Span.over(self.area.across, max(1, round(rect.width() * scale)))
        down = Span.over(self.area.upright, max(1, round(rect.height() * scale)))
        compared = Compared.of(self.document)
        return Grid(compared.one, down, across, False, angles=compared.angles)

    def _view(self, which: int, scale: float) -> HeatView:
        compared = Compared.of(self.document)
        colors = TableColors(compared.scale(self.document, self.style.is_dark))
        return HeatView(compared.grid(which, self.grid(scale)), colors, self.style)

    def _render(self, which: int, grid: Grid) -> Any:
        return Compared.of(self.document).render(which, grid)

    @override
    def note(self, scale: float = 1.0) -> str:
        compared = self.compared
        if compared is None:
            return ""
        noun = compared.noun
        rows, columns = self.grid(scale).cells_a_pixel
        mean = "difference of the mean directions" if compared.angles else "mean"
        amounts = [
            f"{significant(amount, 3)} {each}s"
            for amount, each in ((rows, position_noun(compared.one)), (columns, noun))
            if amount > 1
        ]
        one, other = compared.widths
        parts = [
            "angles in (−π, π]" if compared.angles else "",
            f"1 pixel = {' × '.join(amounts)}, {mean}" if amounts else "",
            f"A has {counted(one)} {noun}s, {LETTERS[compared.index]} {counted(other)}: the first {min(one, other)}"
            if one != other
            else "",
            self._words(compared),
        ]
        return " · ".join(filter(None, parts))

    def _words(self, compared: Compared) -> str:
        """The three numbers under the cursor."""
        cursor, place = self.cursor, self._place()
        numbers = self._numbers(compared)
        if cursor is None or numbers is None:
            return ""
        noun = compared.noun
        letter, unit = LETTERS[compared.index], " rad" if compared.angles else ""
        one, other, difference = (f"{significant(each, 4)}{unit}" for each in numbers)
        at = f"{position_words(self.axis, cursor.position)}, {noun} {place}"
        return f"{at}: A {one}, {letter} {other}, A − {letter} {difference}"

    def _numbers(self, compared: Compared) -> tuple[float, ...] | None:
        cursor, place = self.cursor, self._place()
        if cursor is None or place is None or place >= min(compared.widths):
            return None
        if not all(each.has_value(cursor.position) for each in (compared.one, compared.other)):
            return None
        found = compared.numbers(np.array([cursor.position]), np.array([place]))
        return tuple(float(each[0, 0]) for each in found)

    @override
    def number(self) -> float | None:
        """The difference under the cursor."""
        compared = self.compared
        numbers = None if compared is None else self._numbers(compared)
        return None if numbers is None else numbers[2]

    @property
    def _columns(self) -> PictureColumns:
        compared, encoding = Compared.of(self.document), self.document.encoding
        chosen = compared.one if self.document.current == 0 else compared.other
        return PictureColumns(encoding, encoding, compared.widths[chosen is compared.other] if compared.angles else 0)

    def _place(self) -> int | None:
        """The cursor's column, or its pair where angles are shown."""
        return None if self.cursor is None else self._columns.place_of(self.cursor.column)

    def _frame(self, area: PlotArea) -> QRectF | None:
        place = None if self.compared is None else self._place()
        if place is None or self.cursor is None:
            return None
        y = self.cursor.position
        return area.to_rect((place - 0.5, place + 0.5), (y - 0.5, y + 0.5))

    def _is_held(self) -> bool:
        return self.cursor is not None and self.cursor.pinned

    def _point(self, x: float, y: float, pinned: bool) -> None:
        column = None if self.compared is None else self._columns.column_at(int(np.floor(x + 0.5)))
        if column is not None:
            self.point_at(int(np.floor(y + 0.5)), column, pinned)

    def _wheeled(self, area: PlotArea, event: Any) -> None:
        factor = wheel_zoom(event)
        area.zoom((factor, factor), QPointF(event.pos()))

    def _follow(self, area: PlotArea, *_: object) -> None:
        """Show the same window in all pictures."""
        if self._is_fitting:
            return
        for other in self.areas:
            if (other.across, other.upright) != (area.across, area.upright):
                other.show_window(area.across, area.upright)
        self.noteChanged.emit()

    @override
    def show_cell(self, cursor: Cursor) -> None:
        place = None if self.compared is None else self._columns.place_of(cursor.column)
        if place is not None and cursor.position in self.positions:
            area = self.area
            area.show_window(moved_to_hold(area.across, place), moved_to_hold(area.upright, cursor.position))

    @override
    def _document_shown(self, before: Document) -> None:
        compared = self.compared
        if compared is None:
            return
        positions, columns = (self.positions.start - 0.5, self.positions.stop - 0.5), min(compared.widths)
        self._is_fitting = True
        for area in self.areas:  # each finds the new window from the same old one
            area.set_extent((-0.5, columns - 0.5), positions)
        self._is_fitting = False
        for title, name, label in zip(self._titles, compared.names, self._names, strict=True):
            title.show_text(name)
            label.show_text(compared.noun)
        self._left_label.name(compared.one)
        self._left.fit(self.positions[0], self.positions[-1])
        self._show_key(compared)

    def _show_key(self, compared: Compared) -> None:
        title = "angle (rad)" if compared.angles else "value, and difference"
        self._key.show_scale(compared.scale(self.document, self.style.is_dark), title, self.style)

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        self.update_all()
        self.noteChanged.emit()

    @override
    def _style_shown(self) -> None:
        labels: list[CountAxis | AxisLabel] = [self._left, self._left_label]
        for item in (*labels, *self._titles, *self._bottoms, *self._names):
            item.show_style(self.style)
        compared = self.compared
        if compared is not None:
            self._show_key(compared)


def _need(sentence: str, shown: Encoding, index: int) -> Need:
    """A need that the family of ``shown`` meets, as the encoding at ``index``."""
    return Need(sentence, f"Show {shown.title} as {LETTERS[index]}", shown.family, index)
