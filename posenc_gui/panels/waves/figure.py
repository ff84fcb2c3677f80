"""WAVES: a curve a column, stacked from column 0 at the bottom; the tokens' lines read their vectors off it."""

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt

from posenc_core import Document
from posenc_gui.figures.axis_label import AxisLabel
from posenc_gui.figures.figure import Figure, Window
from posenc_gui.figures.growing_job import RenderRequest
from posenc_gui.look.number_format import counted, significant
from posenc_gui.look.style import Style
from posenc_gui.model.cursor import Cursor
from posenc_gui.model.wording import column_noun
from posenc_gui.panels.waves.curves import Curves, RowLines
from posenc_gui.panels.waves.labels import WaveLabels
from posenc_gui.panels.waves.scale import RowScale
from posenc_gui.panels.waves.token_lines import CursorDot, TokenLines
from posenc_gui.plotting.count_axis import CountAxis
from posenc_gui.plotting.plot_area import PlotArea, Range, wheel_steps
from posenc_gui.plotting.token_words import TokenWords

_ROW_PX = 22.0
_ZOOM_A_NOTCH = 0.8


class WavesFigure(Figure):
    """Curves over positions, tokens as vertical lines, dots where they meet."""

    name = "waves"
    title = "Waves"
    hint = "one curve a column; a token's dots, read upwards, are its vector"
    explanation = (
        "Each curve is one column of the table. A token stands at a position; where its vertical line meets a "
        "curve there is a dot, and the dots read from the bottom up are the numbers of its vector. The wheel "
        "scrolls through the columns, Ctrl+wheel zooms the positions, Shift+wheel shows more or fewer columns, "
        "a double click shows everything. A wave too fast for the pixels is drawn as a band from its smallest to "
        "its largest value; where these take long, they appear from the left."
    )
    least_size = (260, 180)
    export_size = (960, 440)

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self.area = PlotArea()
        self.row_scale = RowScale(-1.0, 1.0)  # of the shown positions, whatever part of them is in view
        self._rows: float | None = None  # None: as many as the height has room for
        self._words = TokenWords(self.area, self, upright=False)
        self._labels = WaveLabels(self.area, self)
        self._bottom = CountAxis("bottom", style, size=20)
        self._bottom_label = AxisLabel(self.area, self, upright=False)
        self.addItem(self._words, 0, 1)
        self.addItem(self._labels, 1, 0)
        self.addItem(self.area, 1, 1)
        self.addItem(self._bottom, 2, 1)
        self.addItem(self._bottom_label, 3, 1)
        self._bottom.linkToView(self.area)
        self.layout.setContentsMargins(0, 0, 12, 0)
        self.waves = Curves(self.area, self)
        RowLines(self.area, self)
        TokenLines(self.area, self)
        self._dot = CursorDot(self.area, self)
        self.area.hovered.connect(self._hovered)
        self.area.clicked.connect(self._clicked)
        self.area.wheeled.connect(self._wheeled)
        self.area.resetAsked.connect(self.reset_window)
        self.area.sigResized.connect(self._resized)
        self.area.sigRangeChanged.connect(self._window_changed)
        self.geometryChanged.connect(self._labels.fit)
        self._document_shown(self.document)

    def note(self, scale: float = 1.0) -> str:
        """Which columns are in view where not all are, the rows' scale where it is not -1 to 1, and gaps."""
        return self._note(self.standing(scale))

    def widest_note(self, scale: float = 1.0) -> str:
        """The note while bands are computed; empty where they are there at once."""
        widest = self.standing(scale, widest=True)
        return self._note(widest) if widest else ""

    def _note(self, standing: str) -> str:
        first, stop = self.visible_columns()
        n, rows, parts = self.document.encoding.n_columns, self.row_scale, []
        if stop - first < n:
            parts.append(f"{column_noun(self.document.encoding)}s {first}–{stop - 1} of {counted(n)}")
        if (rows.low, rows.high) != (-1, 1):
            parts.append(f"each row from {significant(rows.low)} to {significant(rows.high)}")
        return " · ".join(filter(None, (*parts, standing, self.no_value_note(*self.area.across))))

    def wanted(self, scale: float, vector: bool = False) -> RenderRequest | None:
        """The curves in view, which are shapes in SVG and PDF."""
        return self.waves.drawn(1.0 if vector else scale).wanted()

    def subtitle(self) -> str:
        """What a curve and a dot are."""
        if column_noun(self.document.encoding) == "head":
            return "one curve a head; a key's dots, read upwards, are its biases"
        return self.hint

    def visible_columns(self) -> tuple[int, int]:
        """The first column in view and the one after the last."""
        low, high = self.area.upright
        n = self.document.encoding.n_columns
        return max(0, int(np.floor(low + 0.5 + 1e-6))), min(n, int(np.ceil(high + 0.5 - 1e-6)))

    def window(self) -> Window:
        """The visible positions and columns."""
        return Window(self.area.across, self.area.upright)

    def show_window(self, window: Window | None) -> None:
        """Show that part, with its number of rows whatever the height."""
        if window is not None:
            self._rows = window.y[1] - window.y[0]
            self.area.show_window(window.x, window.y)

    def show_columns(self, first: int, stop: int) -> None:
        """Show these columns."""
        self.show_window(Window(self.area.across, (first - 0.5, stop - 0.5)))

    def reset_window(self) -> None:
        """Show all positions and, from column 0 on, as many columns as the height has room for."""
        self._rows = None
        self.area.show_window(self._positions(), (-0.5, -0.5 + self._row_count()))

    def show_cell(self, cursor: Cursor) -> None:
        """Move the window until it holds the cell."""
        (x0, x1), (y0, y1) = self.area.across, self.area.upright
        dx = min(0.0, cursor.position - 0.5 - x0) or max(0.0, cursor.position + 0.5 - x1)
        dy = min(0.0, cursor.column - 0.5 - y0) or max(0.0, cursor.column + 0.5 - y1)
        if dx or dy:
            self.area.show_window((x0 + dx, x1 + dx), (y0 + dy, y1 + dy))

    def step(self, key: Qt.Key) -> tuple[int, int] | None:
        """Left and right along the positions; up is the next column."""
        moves = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Up: (0, 1),
            Qt.Key.Key_Down: (0, -1),
        }
        return moves.get(key)

    @property
    def row_px(self) -> float:
        """Height of a row in pixels."""
        low, high = self.area.upright
        return float(self.area.rect().height() / (high - low))

    def place(self, position: float, column: int, value: float) -> QPointF:
        """Where a value of a column is, in the plot area's pixels."""
        return QPointF(self.area.to_x(position), self.area.to_y(column + self.row_scale.height(value)))

    def drawn_positions(self) -> Range:
        """Where curves are drawn: the visible range of the positions, stairs to the outer edges of their last steps."""
        low, high = self.area.across
        half = 0.0 if self.document.encoding.continuous else 0.5
        first, last = self.positions[0] - half, self.positions[-1] + half
        return (max(low, first), min(high, last)) if first < last else (low, high)

    def _positions(self) -> Range:
        return (self.positions.start - 0.5, self.positions.stop - 0.5)

    def _row_count(self) -> float:
        n = float(self.document.encoding.n_columns)
        room = max(1.0, np.floor(self.area.rect().height() / _ROW_PX))
        return min(n, self._rows if self._rows is not None else room)

    def _document_shown(self, before: Document) -> None:
        shown = self.places.shown
        self.row_scale = RowScale(*self.document.encoding.range_over(shown.start, shown.stop))
        columns = (-0.5, self.document.encoding.n_columns - 0.5)
        self.area.set_extent(self._positions(), columns, least=(1.0, 1.0))
        self._words.fit(True)
        self._labels.fit()
        self._keep_rows()

    def _keep_rows(self) -> None:
        low = max(-0.5, min(self.area.upright[0], self.document.encoding.n_columns - 0.5 - self._row_count()))
        self.area.show_window(self.area.across, (low, low + self._row_count()))

    def _resized(self) -> None:
        self._keep_rows()

    def _window_changed(self) -> None:
        self.noteChanged.emit()

    def _cursor_shown(self, before: Cursor | None) -> None:
        for cursor in (before, self.cursor):
            if cursor is not None:
                self._dot.update_at(cursor)
                self._labels.update_at(cursor)
        if before is None or self.cursor is None or before.position != self.cursor.position:
            self._words.update()

    def _style_shown(self) -> None:
        self._bottom.show_style(self.style)

    def _hovered(self, x: float, y: float) -> None:
        self.point_at(int(np.floor(x + 0.5)), int(np.floor(y + 0.5)), False)

    def _clicked(self, x: float, y: float) -> None:
        self.point_at(int(np.floor(x + 0.5)), int(np.floor(y + 0.5)), True)

    def _wheeled(self, event: Any) -> None:
        steps, modifiers = wheel_steps(event), event.modifiers()
        low, high = self.area.upright
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            self.area.zoom((_ZOOM_A_NOTCH**steps, 1.0), QPointF(event.pos()))
        elif modifiers & Qt.KeyboardModifier.ShiftModifier:
            self._rows = min(
                max(1.0, round((high - low) * _ZOOM_A_NOTCH**steps + np.sign(-steps) * 0.5)), self._limit()
            )
            self._keep_rows()
        else:
            self._scroll(steps * max(1.0, round((high - low) / 8)))

    def _limit(self) -> float:
        """So many rows at most: a pixel each."""
        return float(min(self.document.encoding.n_columns, max(1, int(self.area.rect().height()))))

    def _scroll(self, rows: float) -> None:
        low, high = self.area.upright
        limit = self.document.encoding.n_columns - 0.5
        moved = min(max(low + rows, -0.5), limit - (high - low))
        self.area.show_window(self.area.across, (moved, moved + high - low))
