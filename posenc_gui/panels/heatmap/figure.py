"""HEATMAP: position by column, exact at every zoom."""

import math
from typing import Any

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, Qt

from posenc_core import Document
from posenc_core.analysis import aliased_columns, aliased_pairs
from posenc_core.encodings import n_whole_pairs, pair_members, pair_of
from posenc_gui.figures.axis_label import AxisLabel
from posenc_gui.figures.figure import Figure, Window
from posenc_gui.figures.growing_job import RenderRequest
from posenc_gui.look.style import Style
from posenc_gui.model.cursor import Cursor
from posenc_gui.model.wording import column_noun, position_noun
from posenc_gui.panels.heatmap.cells import CellFrame, Cells
from posenc_gui.panels.heatmap.grid import Grid, Span
from posenc_gui.panels.heatmap.note import note_of
from posenc_gui.plotting.color_key import ColorKey
from posenc_gui.plotting.color_scale import ColorScale
from posenc_gui.plotting.count_axis import CountAxis, Ranges
from posenc_gui.plotting.plot_area import PlotArea, Range, wheel_steps
from posenc_gui.plotting.token_words import TokenWords

ZOOM_A_NOTCH = 0.8
_TOP = 8.0  # room for the upper half of the first number beside the axis


class HeatmapFigure(Figure):
    """The table as colours: positions down and columns across, or the other way round."""

    name = "heatmap"
    title = "Heatmap"
    hint = "position × column"
    explanation = (
        "Each row is a position, each column a number of its vector. Columns at the fast end change from one "
        "position to the next, columns at the slow end hardly at all. The wheel zooms at the pointer, dragging "
        "pans, a double click shows everything. Where a pixel covers many cells, its colour is their exact mean; where "
        "that takes long, it appears row by row, and the note says how far it is. A bar along the axis marks "
        "columns whose waves are shorter than two pixels: of these only the mean can be seen. Angles have the colour "
        "of their mean direction, which fades to grey the more they differ: from half a turn on, a pixel is all grey."
    )
    least_size = (240, 180)
    export_size = (640, 520)

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self.area = PlotArea(down=True)
        self.layout.setContentsMargins(0, _TOP, 0, 0)
        self._left = CountAxis("left", style, size=24)
        self._bottom = CountAxis("bottom", style, size=20)
        self._left_label = AxisLabel(self.area, self, upright=True)
        self._bottom_label = AxisLabel(self.area, self, upright=False)
        self._words = TokenWords(self.area, self, upright=True)
        self._words_above = TokenWords(self.area, self, upright=False)
        self._key = ColorKey(self.area, style)
        self.addItem(self._words_above, 0, 2)
        self.addItem(self._left_label, 1, 0)
        self.addItem(self._left, 1, 1)
        self.addItem(self.area, 1, 2)
        self.addItem(self._words, 1, 3)
        self.addItem(self._key, 1, 4)
        self.addItem(self._bottom, 2, 2)
        self.addItem(self._bottom_label, 3, 2)
        self._left.linkToView(self.area)
        self._bottom.linkToView(self.area)
        Cells(self.area, self)
        CellFrame(self.area, self)
        self.area.hovered.connect(self._hovered)
        self.area.clicked.connect(self._clicked)
        self.area.wheeled.connect(self._wheeled)
        self.area.resetAsked.connect(self.reset_window)
        self.area.sigRangeChanged.connect(self._window_changed)
        self.area.sigResized.connect(self._window_changed)
        self.geometryChanged.connect(self._fit_words)
        self._document_shown(self.document)

    def note(self, scale: float = 1.0) -> str:
        """What is shown if not the values, how many cells a pixel stands for, and where there is no value."""
        return note_of(self, scale, self.standing(scale))

    def widest_note(self, scale: float = 1.0) -> str:
        """The note while the means are computed; empty where they are there at once."""
        widest = self.standing(scale, widest=True)
        return note_of(self, scale, widest) if widest else ""

    def fast(self, scale: float) -> Ranges:
        """The columns, or pairs, of which a wave has less than two pixels."""
        step = self.grid(scale).cells_a_pixel[0]
        if step <= 1:
            return ()
        return (aliased_pairs if self._pairs else aliased_columns)(self.document.encoding, step)

    def wanted(self, scale: float, vector: bool = False) -> RenderRequest | None:
        """The means of the pixels in view; None where there is no value."""
        encoding = self.document.encoding
        grid = self.grid(scale).valued(encoding)
        return None if grid is None else grid.wanted(encoding)

    def subtitle(self) -> str:
        """What runs down and what across."""
        return f"{position_noun(self.document.encoding)} × {self.noun}"

    @property
    def _pairs(self) -> int:
        """The number of pairs where their angles are shown, else 0."""
        return n_whole_pairs(self.document.encoding) if self.document.view.angles else 0

    @property
    def noun(self) -> str:
        """What is counted across: columns, heads or pairs."""
        return "pair" if self._pairs else column_noun(self.document.encoding)

    @property
    def color_scale(self) -> ColorScale:
        """Colours of the table's values, or of a whole turn, whose ends are the same angle."""
        return ColorScale("cyclic", -math.pi, math.pi) if self._pairs else super().color_scale

    def window(self) -> Window:
        """The visible columns and positions, cells at whole numbers."""
        return Window(self.area.across, self.area.upright)

    def show_window(self, window: Window | None) -> None:
        """Show that part."""
        if window is not None:
            self.area.show_window(window.x, window.y)

    def show_columns(self, first: int, stop: int) -> None:
        """Show these columns at all positions."""
        if self._pairs:
            members = [pair_of(self.document.encoding, column) for column in range(first, stop)]
            pairs = [pair for pair in members if pair is not None]
            first, stop = (min(pairs), max(pairs) + 1) if pairs else (0, self._pairs)
        columns, positions = (first - 0.5, stop - 0.5), self._position_extent()
        self.area.show_window(*(positions, columns) if self.document.view.transpose else (columns, positions))

    def reset_window(self) -> None:
        """Show the whole table."""
        self.area.show_all()

    def show_cell(self, cursor: Cursor) -> None:
        """Move the window until it holds the cell."""
        shown = self._shown_column(cursor.column)
        if shown is not None:
            x, y = self._place(cursor.position, shown)
            self.area.show_window(_holding(self.area.across, x), _holding(self.area.upright, y))

    def step(self, key: Qt.Key) -> tuple[int, int] | None:
        """Arrows move as they point."""
        moves = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Up: (0, -1),
            Qt.Key.Key_Down: (0, 1),
        }
        if key not in moves:
            return None
        x, y = moves[key]
        return (x, y) if self.document.view.transpose else (y, x)

    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        """As everywhere, but where pairs are shown from pair to pair, to the same part of each."""
        moved, step = super().moved(key, times), self.step(key)
        if not self._pairs or moved is None or step is None or not step[1]:
            return moved
        encoding, column = self.document.encoding, 0 if self.cursor is None else self.cursor.column
        pair = self._shown_column(column)
        pair = min(max((self._pairs if pair is None else pair) + times * step[1], 0), self._pairs - 1)
        sines, cosines = pair_members(encoding, np.array([pair]))
        is_sine = column < encoding.n_columns and encoding.column_info(column).part == "sin"
        return replace(moved, column=int((sines if is_sine else cosines)[0]))

    def cell_rect(self, position: int, column: int) -> QRectF | None:
        """Where the cell is, or its pair's, in the plot area's pixels; None for a column that is not shown."""
        shown = self._shown_column(column)
        if shown is None:
            return None
        x, y = self._place(position, shown)
        return self.area.to_rect((x - 0.5, x + 0.5), (y - 0.5, y + 0.5))

    def grid(self, scale: float) -> Grid:
        """The part of the table to compute for so many device pixels a logical one."""
        return self._grid(self.area.rect().width(), self.area.rect().height(), scale)

    def _grid(self, width: float, height: float, scale: float) -> Grid:
        across = Span.over(self.area.across, max(1, round(width * scale)))
        down = Span.over(self.area.upright, max(1, round(height * scale)))
        return Grid(down, across, self.document.view.transpose, angles=bool(self._pairs))

    def _shown_column(self, column: int) -> int | None:
        """Which column of the picture shows a column of the table: itself, or its pair."""
        if not 0 <= column < self.document.encoding.n_columns:
            return None
        return pair_of(self.document.encoding, column) if self._pairs else column

    def _place(self, position: int, column: int) -> tuple[int, int]:
        return (position, column) if self.document.view.transpose else (column, position)

    def _position_extent(self) -> Range:
        return (self.positions.start - 0.5, self.positions.stop - 0.5)

    def _document_shown(self, before: Document) -> None:
        transpose = self.document.view.transpose
        positions = self._position_extent()
        n_columns = self._pairs or self.document.encoding.n_columns
        columns = (-0.5, n_columns - 0.5)
        self.area.set_extent(*(positions, columns) if transpose else (columns, positions))
        if transpose != before.view.transpose:
            self.area.show_all()
        self._left_label.name(columns=transpose, pairs=self._pairs)
        self._bottom_label.name(columns=not transpose, pairs=self._pairs)
        self._left.mark(self.fast if transpose else None)
        self._bottom.mark(None if transpose else self.fast)
        self._words.setVisible(not transpose)
        self._words_above.setVisible(transpose)
        counted = range(n_columns) if transpose else self.positions
        self._left.fit(counted[0], counted[-1])
        self._fit_words()
        self._key.show_scale(self.color_scale, self.style)

    def _cursor_shown(self, before: Cursor | None) -> None:
        self.update_all()

    def _style_shown(self) -> None:
        for axis in (self._left, self._bottom):
            axis.show_style(self.style)
        self._key.show_scale(self.color_scale, self.style)

    def _fit_words(self) -> None:
        """Words may be longer where there is more room."""
        self._words.fit(not self.document.view.transpose)
        self._words_above.fit(self.document.view.transpose)

    def _window_changed(self) -> None:
        self.noteChanged.emit()

    def _hovered(self, x: float, y: float) -> None:
        self._point(x, y, False)

    def _clicked(self, x: float, y: float) -> None:
        self._point(x, y, True)

    def _point(self, x: float, y: float, pinned: bool) -> None:
        column, position = int(np.floor(x + 0.5)), int(np.floor(y + 0.5))
        if self.document.view.transpose:
            column, position = position, column
        if self._pairs:
            if not 0 <= column < self._pairs:
                return
            column = min(int(member[0]) for member in pair_members(self.document.encoding, np.array([column])))
        self.point_at(position, column, pinned)

    def _wheeled(self, event: Any) -> None:
        factor = ZOOM_A_NOTCH ** wheel_steps(event)
        self.area.zoom((factor, factor), QPointF(event.pos()))


def _holding(window: Range, index: int) -> Range:
    size = window[1] - window[0]
    low = min(window[0], index - 0.5)
    return (low, low + size) if low < window[0] else (max(window[1], index + 0.5) - size, max(window[1], index + 0.5))
