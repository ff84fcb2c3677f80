"""WAVES: a curve per column, stacked from column 0 at the bottom, and the tokens' lines across them."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt
from typing_extensions import override

from posenc_core import Document
from posenc_core.session import Curve, waves_script
from posenc_gui.figures.axis_label import AxisLabel
from posenc_gui.figures.cell_figure import AreaFigure
from posenc_gui.figures.figure import PictureRenderer, Window, column_info_of, words_view
from posenc_gui.figures.plot_parts import token_marks
from posenc_gui.look.number_format import counted, significant
from posenc_gui.look.style import Style
from posenc_gui.model.cursor import Cursor, no_value_sentence
from posenc_gui.model.wording import column_noun
from posenc_gui.panels.waves.curves import Curves, RowLines, RowScale, WaveRequest, WaveView
from posenc_gui.panels.waves.labels import WaveLabels, wave_label
from posenc_gui.panels.waves.token_lines import CursorDot, TokenLines
from posenc_gui.plotting.count_axis import CountAxis
from posenc_gui.plotting.plot_area import Range, moved_to_hold, seen_in, wheel_steps, wheel_zoom
from posenc_gui.plotting.token_words import TokenWords

_ROW_PX = 22.0


class WavesFigure(AreaFigure):
    """Curves over positions, tokens as vertical lines, dots where they meet."""

    name = "waves"
    title = "Waves"
    hint = "one curve per column; a token's dots, read upwards, are its vector"
    explanation = (
        "Each curve is one column of the table. A token stands at a position; where its vertical line meets a "
        "curve there is a dot, and the dots read from the bottom up are the numbers of its vector. The wheel "
        "scrolls through the columns, Ctrl+wheel zooms the positions, Shift+wheel shows more or fewer columns, "
        "a double click shows everything. A wave too fast for the pixels is drawn as a band from its smallest to "
        "its largest value; where bands take long, they appear from the left."
    )
    least_size = (260, 180)
    export_size = (960, 440)
    pictures: PictureRenderer
    steps: Mapping[Qt.Key, tuple[int, int]] = {
        Qt.Key.Key_Left: (-1, 0),
        Qt.Key.Key_Right: (1, 0),
        Qt.Key.Key_Up: (0, 1),
        Qt.Key.Key_Down: (0, -1),
    }

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self.row_scale = RowScale(-1.0, 1.0)  # of all positions shown, not only of those in view
        self._rows: float | None = None  # None: as many as the height has room for
        self.pictures = PictureRenderer(self._request)
        self.waves = Curves(self.area, self._view, self.pictures.render)
        self._words = TokenWords(self.area, partial(words_view, self), upright=False)
        self._labels = WaveLabels(self.area, self._view, self.waves.banded)
        self._bottom = CountAxis("bottom", style, size=20)
        self._bottom_label = AxisLabel(self.area, style, upright=False)
        self.addItem(self._words, 0, 1)
        self.addItem(self._labels, 1, 0)
        self.addItem(self.area, 1, 1)
        self.addItem(self._bottom, 2, 1)
        self.addItem(self._bottom_label, 3, 1)
        self._bottom.linkToView(self.area)
        self.layout.setContentsMargins(0, 0, 12, 0)
        RowLines(self.area, self._view)
        TokenLines(self.area, self._view)
        self._dot = CursorDot(self.area, self._view)
        self.area.sigResized.connect(self._keep_rows)
        self.geometryChanged.connect(self._fit_labels)
        self._document_shown(self.document)

    @override
    def note(self, scale: float = 1.0) -> str:
        first, stop = self.visible_columns()
        encoding, rows, parts = self.document.encoding, self.row_scale, []
        if stop - first < encoding.n_columns:
            parts.append(f"{column_noun(encoding)}s {first}–{stop - 1} of {counted(encoding.n_columns)}")
        if (rows.low, rows.high) != (-1, 1):
            parts.append(f"each row from {significant(rows.low)} to {significant(rows.high)}")
        no_value = no_value_sentence(encoding, seen_in(self.area.across, self.axis.shown))
        return " · ".join(filter(None, (*parts, self.pictures.standing(scale), no_value)))

    def _view(self) -> WaveView:
        return WaveView(
            self.document.encoding, self.visible_columns(), self.drawn_positions(), self.row_scale, self._row_px(),
            self.axis, self.cursor, self.style,
        )  # fmt: skip

    def _request(self, scale: float, vector: bool) -> WaveRequest:
        """The curves in view, which are shapes in SVG and PDF."""
        return self.waves.request(self._view(), 1.0 if vector else scale)

    @override
    def subtitle(self) -> str:
        if column_noun(self.document.encoding) == "head":
            return "one curve per head; a key's dots, read upwards, are its biases"
        return self.hint

    def visible_columns(self) -> tuple[int, int]:
        """The first column in view and the one after the last."""
        low, high = self.area.upright
        n = self.document.encoding.n_columns
        return max(0, int(np.floor(low + 0.5 + 1e-6))), min(n, int(np.ceil(high + 0.5 - 1e-6)))

    @override
    def script(self) -> str:
        encoding, info, style = self.document.encoding, column_info_of(self.document.encoding), self.style
        curves = [
            Curve(column, "".join(wave_label(encoding, column, False)), style.part(info(column).part).name())
            for column in range(*self.visible_columns())
        ]
        positions, ends = seen_in(self.area.across, self.axis.shown), (self.row_scale.low, self.row_scale.high)
        return waves_script(self.document, positions, curves, ends, token_marks(self))

    @override
    def show_window(self, window: Window | None) -> None:
        if window is not None:
            self._rows = window.y[1] - window.y[0]  # kept whatever the height
            self.area.show_window(window.x, window.y)

    @override
    def show_columns(self, first: int, stop: int) -> None:
        self.show_window(Window(self.area.across, (first - 0.5, stop - 0.5)))

    @override
    def reset_window(self) -> None:
        self._rows = None
        self.area.show_window(self._positions(), (-0.5, -0.5 + self._row_count()))

    @override
    def show_cell(self, cursor: Cursor) -> None:
        across, upright = self.area.across, self.area.upright
        self.area.show_window(moved_to_hold(across, cursor.position), moved_to_hold(upright, cursor.column))

    def _row_px(self) -> float:
        """The height of a row in pixels."""
        low, high = self.area.upright
        return float(self.area.rect().height() / (high - low))

    def drawn_positions(self) -> Range:
        """The visible range in which curves are drawn; stairs reach to the outer edges of their last steps."""
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

    @override
    def _document_shown(self, before: Document) -> None:
        shown = self.axis.shown
        self.row_scale = RowScale(*self.document.encoding.range_over(shown.start, shown.stop))
        columns = (-0.5, self.document.encoding.n_columns - 0.5)
        self.area.set_extent(self._positions(), columns, least=(1.0, 1.0))
        self._words.fit(True)
        self._fit_labels()
        self._keep_rows()
        self._bottom_label.name(self.document.encoding)  # last: an update before a new width would paint twice

    def _keep_rows(self) -> None:
        low = max(-0.5, min(self.area.upright[0], self.document.encoding.n_columns - 0.5 - self._row_count()))
        self.area.show_window(self.area.across, (low, low + self._row_count()))

    def _fit_labels(self) -> None:
        self._labels.fit(float(self.size().width()))

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        for cursor in (before, self.cursor):
            if cursor is not None:
                self._dot.update_at(cursor)
                self._labels.update_at(cursor)
        if before is None or self.cursor is None or before.position != self.cursor.position:
            self._words.update()

    @override
    def _style_shown(self) -> None:
        self._bottom.show_style(self.style)
        self._bottom_label.show_style(self.style)

    @override
    def _point(self, across: int, upright: int, pinned: bool) -> None:
        self.point_at(across, upright, pinned)

    @override
    def _wheeled(self, event: Any) -> None:
        steps, modifiers = wheel_steps(event), event.modifiers()
        low, high = self.area.upright
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            self.area.zoom((wheel_zoom(event), 1.0), QPointF(event.pos()))
        elif modifiers & Qt.KeyboardModifier.ShiftModifier:
            rows = max(1.0, round((high - low) * wheel_zoom(event) + np.sign(-steps) * 0.5))
            a_pixel_each = max(1, int(self.area.rect().height()))
            self._rows = min(rows, float(min(self.document.encoding.n_columns, a_pixel_each)))
            self._keep_rows()
        else:
            self._scroll(steps * max(1.0, round((high - low) / 8)))

    def _scroll(self, rows: float) -> None:
        low, high = self.area.upright
        limit = self.document.encoding.n_columns - 0.5
        moved = min(max(low + rows, -0.5), limit - (high - low))
        self.area.show_window(self.area.across, (moved, moved + high - low))
