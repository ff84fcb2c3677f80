"""TOKEN PAIRS: what each query gets from each key by their positions, the sentence's words on both axes."""

import math
from functools import partial

from PySide6.QtCore import QRectF, Qt
from typing_extensions import override

from posenc_core import Document, Encoding
from posenc_core.analysis import is_reach_sampled, pair_reach
from posenc_core.scripts import pairs_script
from posenc_core.session import token_vectors
from posenc_gui.figures import AxisLabel, CellFigure
from posenc_gui.layers import CellRanges, column_info
from posenc_gui.look import Style
from posenc_gui.model import (
    Cursor,
    PositionAxis,
    column_facts_words,
    column_words,
    no_value_sentence,
    pair_numbers,
    sides_words,
    token_pair,
    value_title,
)
from posenc_gui.panels.pairs.cells import MaskedKeys, PairCells, PairKey, PairView, sample_of
from posenc_gui.plotting import ColorScale, TokenWords, WordsView, moved_to_hold, seen_in, shades_of, table_colors

_NARROW = 320.0  # in a narrower figure the colour bar is below, and the words stand above the keys only


class PairsFigure(CellFigure):
    """A cell for each query, downwards, and each key, across."""

    name = "pairs"
    title = "Token pairs"
    hint = "query down, key across"
    explanation = (
        "Each row is a token as query, each column a token as key. Where positions are distances, a cell is the number "
        "at the distance key − query in the cursor's column: all cells on a diagonal are equal. In the other families "
        "it is the dot product of the rows of the two positions, or of RoPE's rotated query and key. Grey cells with a "
        "dash are keys after the query, which the models mask."
    )
    handling = "The wheel zooms, dragging pans, a double click shows all tokens."
    more = (
        "The embedding's dock gives RoPE its query and key. Keys after the query are masked by the models that have "
        "this encoding, if they are causal."
    )
    least_size = (230, 180)
    export_size = (640, 560)

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._reach_of: tuple[Document | None, float] = (None, 1.0)
        self._above = TokenWords(self.area, partial(self._words_view, False), upright=False, turn=True)
        self._beside = TokenWords(self.area, partial(self._words_view, True), upright=True)
        self._names = tuple(AxisLabel(self.area, style, text == "query", text, size=18) for text in ("query", "key"))
        self._key = PairKey(self._key_view, style)
        self._key_below = PairKey(self._key_view, style, across=True)
        self.addItem(self._above, 0, 1)
        self.addItem(self._names[0], 1, 0)
        self.addItem(self.area, 1, 1)
        self.addItem(self._beside, 1, 2)
        self.addItem(self._key, 1, 3)
        self.addItem(self._names[1], 2, 1)
        self.addItem(self._key_below, 3, 0, 1, 4)
        PairCells(self.area, self._view)
        MaskedKeys(self.area, self._view)
        self.area.sigResized.connect(self._fit_words)
        self.geometryChanged.connect(self._fit_words)
        self._document_shown(self.document)

    @classmethod
    def suits(cls, encoding: Encoding) -> bool:
        """Whether the encoding is about pairs of tokens."""
        return encoding.relative

    @property
    def column(self) -> int:
        """The column whose numbers are shown; 0 where they are dot products of whole rows."""
        encoding = self.document.encoding
        if self.seen_from is None or not encoding.relative:
            return 0
        return min(self.seen_from.column, encoding.n_columns - 1)

    def _colors(self) -> ColorScale:
        """The table's colours where cells are its entries; those of products up to the sentence's largest one."""
        encoding, count = self.document.encoding, max(1, self.axis.n_tokens)
        if encoding.relative and not encoding.depends_on_query:
            return table_colors(self.document, self.style).of_column(self.column)
        reach = self._reach()
        least, most = encoding.range_over(1 - count if encoding.relative else 0, count)
        has_both = not encoding.relative and token_vectors(self.document) is not None
        low = -reach if least < 0 or has_both else 0.0
        high = reach if most > 0 or has_both or not encoding.relative else 0.0
        return ColorScale.suited(self.document.view.color_map, low, high, self.style.is_dark)

    def _reach(self) -> float:
        """The largest number of the sentence, or of a sample of it."""
        encoding, content = self.document.encoding, token_vectors(self.document)
        if content is None:
            return pair_reach(encoding, self.column, max(1, self.axis.n_tokens))
        if self._reach_of[0] is not self.document:
            self._reach_of = self.document, pair_reach(encoding, self.column, self.axis.n_tokens, content)
        return self._reach_of[1]

    def _key_view(self) -> tuple[ColorScale, str, Style]:
        encoding = self.document.encoding
        title = "dot product (no unit)" if token_vectors(self.document) is None else "score q · k (no unit)"
        return self._colors(), value_title(encoding) if encoding.relative else title, self.style

    def _sample(self) -> CellRanges:
        return sample_of(self.area, self.document, self.axis.n_tokens)

    def _view(self) -> PairView:
        encoding, n_tokens = self.document.encoding, self.axis.n_tokens
        return PairView(encoding, self.column, n_tokens, self._sample(), self._colors(), self.style, self.document)

    def _words_view(self, queries: bool) -> WordsView:
        """The words along an axis, counted from 0, the marked query or key semibold."""
        count = self.axis.n_tokens
        marked = self.marked()[0 if queries else 1]
        return WordsView(self.document, self.style, PositionAxis(range(count), count, None), marked, self.size())

    def marked(self) -> tuple[int | None, int | None]:
        """The cursor's query and key; None for a missing one."""
        if self.cursor is None:
            return None, None
        pair = token_pair(self.document, self.cursor)
        return self.axis.query if pair is None else pair[0], self.axis.token_at(self.cursor.position)

    @override
    def _frame(self) -> QRectF | None:
        query, key = self.marked()
        if key is None:
            return None
        upright = self.area.upright if query is None else (query - 0.5, query + 0.5)
        return self.area.to_rect((key - 0.5, key + 0.5), upright)

    @override
    def note(self, scale: float = 1.0) -> str:
        encoding, step = self.document.encoding, self._sample().step
        parts = [
            self._number_words(),
            encoding.label,
            f"one token in {step:,}" if step > 1 else "",
            "grey: causal mask" if encoding.causal else "",
            "colour scale from a sample" if self._is_sampled() else "",
            "" if encoding.relative else no_value_sentence(encoding, range(self.axis.n_tokens)),
        ]
        return " · ".join(filter(None, parts))

    def _is_sampled(self) -> bool:
        """Whether the ends of the colours come from some of the products."""
        encoding, content = self.document.encoding, token_vectors(self.document)
        if encoding.relative and not encoding.depends_on_query:
            return False  # the colours are those of the table
        return is_reach_sampled(encoding, self.axis.n_tokens, content)

    def _number_words(self) -> str:
        encoding, column = self.document.encoding, self.column
        if not encoding.relative and token_vectors(self.document) is not None:
            return f"rotated q · k, {sides_words(self.document)}"
        if not encoding.relative:
            factor = encoding.combination.factor
            is_beyond = math.isinf(factor * factor * encoding.n_columns / 2)
            ones = ", q = k = 1 in each pair" if encoding.combination.kind == "rotation" else ""
            return f"dot product of the two positions’ rows{ones}{', hatched beyond float64' if is_beyond else ''}"
        facts = column_facts_words(column_info(encoding, column), column)
        return " ".join(filter(None, [column_words(encoding, column), facts, "at key − query"]))

    @override
    def script(self) -> str:
        tokens, style = self.document.token_list, self.style
        marks = [(index, tokens[index].shown, style.token(index).name()) for index in range(self.axis.n_tokens)]
        queries, keys = (seen_in(window, range(len(marks))) for window in (self.area.upright, self.area.across))
        return pairs_script(self.document, self.column, queries, keys, marks, shades_of(self._colors()))

    @override
    def show_cell(self, cursor: Cursor) -> None:
        axis = PositionAxis.of(self.document, cursor)
        key = axis.token_at(cursor.position)
        if key is not None:
            pair = token_pair(self.document, cursor)
            query = (key if axis.query is None else axis.query) if pair is None else pair[0]
            self.area.show_window(moved_to_hold(self.area.across, key), moved_to_hold(self.area.upright, query))

    @override
    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        cursor, count = self.cursor or Cursor(0, 0), self.axis.n_tokens
        across = {Qt.Key.Key_Left: -times, Qt.Key.Key_Right: times}.get(key, 0)
        down = {Qt.Key.Key_Up: -times, Qt.Key.Key_Down: times}.get(key, 0)
        if not (across or down) or not count:
            return None
        query, at = self.axis.query, self.axis.token_at(cursor.position)
        at = min(max((0 if at is None else at) + across, 0), count - 1)
        if query is None:
            asked = at if cursor.query is None else cursor.query
            return Cursor(at, cursor.column, True, min(max(asked + down, 0), count - 1))
        query = min(max(query + down, 0), count - 1)
        return Cursor(at - query, cursor.column, True, query)

    @override
    def number(self) -> float | None:
        query, key = self.marked()
        if key is None:
            return None
        query = key if query is None else query
        value = float(pair_numbers(self.document, self.column, range(query, query + 1), range(key, key + 1))[0, 0])
        return None if math.isnan(value) else value

    @property
    def positions(self) -> range:
        """The positions of all tokens, seen from any of them."""
        count = self.axis.n_tokens
        return range(count) if self.axis.query is None else range(1 - count, count)

    @override
    def _document_shown(self, before: Document) -> None:
        tokens = (-0.5, max(1, self.axis.n_tokens) - 0.5)
        self.area.set_extent(tokens, tokens)
        self._fit_words()

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        self.update_all()
        if before is None or self.cursor is None or before.column != self.cursor.column:
            self._fit_key()
            self.noteChanged.emit()

    @override
    def _style_shown(self) -> None:
        for name in self._names:
            name.show_style(self.style)
        self._fit_key()

    def _fit_words(self) -> None:
        """Give longer words more room in a larger figure."""
        self._above.fit(True)
        self._beside.fit(self.size().width() >= _NARROW)
        self._fit_key()

    def _fit_key(self) -> None:
        """Show the colour bar, below a narrow picture."""
        narrow = self.size().width() < _NARROW
        self._key.fit(not narrow)
        self._key_below.fit(narrow)

    @override
    def _point(self, across: int, upright: int, pinned: bool) -> None:
        key, query, tokens = across, upright, range(self.axis.n_tokens)
        if key not in tokens or query not in tokens:
            return
        column = min(0 if self.cursor is None else self.cursor.column, self.document.encoding.n_columns - 1)
        position = key if self.axis.query is None else key - query
        cursor = Cursor(position, column, pinned, query)
        self.cursorMoved.emit(cursor)
