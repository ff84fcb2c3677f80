"""TOKEN PAIRS: what each query gets from each key by their positions, the sentence's words on both axes."""

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt

from posenc_core import Document, Encoding
from posenc_core.analysis import is_reach_sampled, pair_reach
from posenc_gui.figures.figure import Figure, Window, column_info
from posenc_gui.look.style import Style
from posenc_gui.model.cursor import Cursor, PositionAxis, no_value_sentence
from posenc_gui.model.wording import column_facts_words, column_words
from posenc_gui.panels.pairs.cells import MaskedKeys, PairCells, PairFrame, Sample
from posenc_gui.panels.pairs.margins import AxisName, PairAxis, PairKey
from posenc_gui.plotting.color_scale import ColorScale
from posenc_gui.plotting.plot_area import PlotArea, Range, wheel_steps
from posenc_gui.plotting.token_words import TokenWords

_ZOOM_A_NOTCH = 0.8


class PairsFigure(Figure):
    """A cell for each query, downwards, and each key, across."""

    name = "pairs"
    title = "Token pairs"
    hint = "query down, key across"
    explanation = (
        "Each row is a token as query, each column a token as key. Where positions are distances, a cell is the number "
        "at the distance key − query in the cursor's column: all cells on a diagonal are equal. In the other families "
        "it is the dot product of the rows of the two positions. Lines mark keys after the query, where models that "
        "have this encoding mask them. The wheel zooms, dragging pans, a double click shows all tokens."
    )
    least_size = (230, 180)
    export_size = (640, 560)

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self.area = PlotArea(down=True)
        self._above = TokenWords(self.area, PairAxis(self, queries=False), upright=False, turn=True)
        self._beside = TokenWords(self.area, PairAxis(self, queries=True), upright=True)
        self.color_key = PairKey(self)
        self.addItem(self._above, 0, 1)
        self.addItem(AxisName(self, "query", upright=True), 1, 0)
        self.addItem(self.area, 1, 1)
        self.addItem(self._beside, 1, 2)
        self.addItem(self.color_key, 1, 3)
        self.addItem(AxisName(self, "key", upright=False), 2, 1)
        PairCells(self.area, self)
        MaskedKeys(self.area, self)
        PairFrame(self.area, self)
        self.area.hovered.connect(self._hovered)
        self.area.clicked.connect(self._clicked)
        self.area.wheeled.connect(self._wheeled)
        self.area.resetAsked.connect(self.reset_window)
        self.area.sigRangeChanged.connect(self._window_changed)
        self.area.sigResized.connect(self._window_changed)
        self.area.sigResized.connect(self._fit_words)
        self.geometryChanged.connect(self._fit_words)
        self._document_shown(self.document)

    @classmethod
    def suits(cls, encoding: Encoding) -> bool:
        """Where the encoding is about pairs of tokens."""
        return encoding.relative

    @property
    def column(self) -> int:
        """The column whose numbers are shown; the first where they are dot products of whole rows."""
        encoding = self.document.encoding
        if self.cursor is None or not encoding.relative:
            return 0
        return min(self.cursor.column, encoding.n_columns - 1)

    def pair_scale(self) -> ColorScale:
        """The colours, around zero, up to the largest number of the sentence."""
        reach = pair_reach(self.document.encoding, self.column, max(1, self.places.n_tokens))
        return ColorScale(self.document.view.color_map, -reach, reach)

    def marked(self) -> tuple[int | None, int | None]:
        """The cursor's query and key, None where there is none."""
        if self.cursor is None:
            return None, None
        return self.places.query, self.places.token_at(self.cursor.position)

    def subtitle(self) -> str:
        """Whose numbers they are, and which way queries and keys run."""
        return f"{self.document.encoding.title}: {self.hint}"

    def note(self, scale: float = 1.0) -> str:
        """What the numbers are, where they come from, what is masked, and which are left out."""
        encoding, step = self.document.encoding, Sample.of(self).step
        parts = [
            self._number_words(),
            encoding.label,
            f"one token in {step:,}" if step > 1 else "",
            "lines: causal mask" if encoding.causal else "",
            "colour scale from a sample" if is_reach_sampled(encoding, self.places.n_tokens) else "",
            "" if encoding.relative else no_value_sentence(encoding, range(self.places.n_tokens)),
        ]
        return " · ".join(filter(None, parts))

    def _number_words(self) -> str:
        encoding, column = self.document.encoding, self.column
        if not encoding.relative:
            return "dot product of the two positions’ rows"
        facts = column_facts_words(column_info(encoding, column), column)
        return " ".join(filter(None, [column_words(encoding, column), facts, "at key − query"]))

    def window(self) -> Window:
        """The visible keys and queries, cells at whole numbers."""
        return Window(self.area.across, self.area.upright)

    def show_window(self, window: Window | None) -> None:
        """Show that part."""
        if window is not None:
            self.area.show_window(window.x, window.y)

    def reset_window(self) -> None:
        """Show all tokens."""
        self.area.show_all()

    def show_cell(self, cursor: Cursor) -> None:
        """Move the window until it holds the cell."""
        places = PositionAxis.of(self.document, cursor)
        key = places.token_at(cursor.position)
        if key is not None:
            query = key if places.query is None else places.query
            self.area.show_window(_holding(self.area.across, key), _holding(self.area.upright, query))

    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        """Left and right lead to another key; up and down to another query, where the cursor has one."""
        cursor, count = self.cursor or Cursor(0, 0), self.places.n_tokens
        across = {Qt.Key.Key_Left: -times, Qt.Key.Key_Right: times}.get(key, 0)
        down = {Qt.Key.Key_Up: -times, Qt.Key.Key_Down: times}.get(key, 0)
        if not (across or down) or not count:
            return None
        query, at = self.places.query, self.places.token_at(cursor.position)
        at = min(max((0 if at is None else at) + across, 0), count - 1)
        if query is None:
            return Cursor(at, cursor.column, True, cursor.query)
        query = min(max(query + down, 0), count - 1)
        return Cursor(at - query, cursor.column, True, query)

    @property
    def positions(self) -> range:
        """The positions of any token, seen from any other."""
        count = self.places.n_tokens
        return range(count) if self.places.query is None else range(1 - count, count)

    def _document_shown(self, before: Document) -> None:
        tokens = (-0.5, max(1, self.places.n_tokens) - 0.5)
        self.area.set_extent(tokens, tokens)
        self._fit_words()

    def _cursor_shown(self, before: Cursor | None) -> None:
        self.update_all()
        if before is None or self.cursor is None or before.column != self.cursor.column:
            self.color_key.fit()
            self.noteChanged.emit()

    def _style_shown(self) -> None:
        self.color_key.fit()

    def _places_shown(self) -> None:
        self.update_all()

    def _fit_words(self) -> None:
        """Words may be longer where there is more room."""
        self._above.fit(True)
        self._beside.fit(True)
        self.color_key.fit()

    def _window_changed(self) -> None:
        self.noteChanged.emit()

    def _hovered(self, x: float, y: float) -> None:
        self._point(x, y, False)

    def _clicked(self, x: float, y: float) -> None:
        self._point(x, y, True)

    def _point(self, x: float, y: float, pinned: bool) -> None:
        """Tell which query and key the mouse is at, if they are tokens; the column stays the cursor's."""
        key, query = int(np.floor(x + 0.5)), int(np.floor(y + 0.5))
        tokens = range(self.places.n_tokens)
        if key not in tokens or query not in tokens:
            return
        column, asked = (0, None) if self.cursor is None else (self.cursor.column, self.cursor.query)
        column = min(column, self.document.encoding.n_columns - 1)
        relative = self.places.query is not None
        cursor = Cursor(key - query, column, pinned, query) if relative else Cursor(key, column, pinned, asked)
        self.cursorMoved.emit(cursor)

    def _wheeled(self, event: Any) -> None:
        factor = _ZOOM_A_NOTCH ** wheel_steps(event)
        self.area.zoom((factor, factor), QPointF(event.pos()))


def _holding(window: Range, index: int) -> Range:
    low, high = window
    by = min(0.0, index - 0.5 - low) or max(0.0, index + 0.5 - high)
    return (low + by, high + by)
