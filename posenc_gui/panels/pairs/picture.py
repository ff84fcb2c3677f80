"""A cell for each query, downwards, and each key, across."""

from functools import partial

from typing_extensions import override

from posenc_core import Document
from posenc_core.analysis import pair_reach
from posenc_core.session import token_vectors
from posenc_core.tables import UnreadableError
from posenc_gui.figures import AreaViewport, AxisLabel, CellFigure
from posenc_gui.look import Style
from posenc_gui.model import Cursor, PositionAxis, token_pair, value_title
from posenc_gui.panels.pairs.cells import MaskedKeys, NoTokens, PairCells, PairKey, PairView, sample_of
from posenc_gui.panels.pairs.pointing import PairsPointing
from posenc_gui.panels.pairs.spec import SPEC
from posenc_gui.plotting import ColorScale, TokenWords, WordsView, moved_to_hold, table_colors, widened

_NARROW = 320.0  # a narrower figure has the colour bar below, and words above the keys only


class PairsViewport(AreaViewport[PairView]):
    """The viewport of queries and keys."""

    @override
    def show_cell(self, cursor: Cursor) -> None:
        document = self.view.document
        axis = PositionAxis.of(document, cursor)
        key = axis.token_at(cursor.position)
        if key is not None:
            pair = token_pair(document, cursor)
            query = (key if axis.query is None else axis.query) if pair is None else pair[0]
            self._area.show_window(moved_to_hold(self._area.across, key), moved_to_hold(self._area.upright, query))


class PairsFigure(CellFigure):
    """The cells with the sentence's words on both axes."""

    spec, pointing_class, viewport_class = SPEC, PairsPointing, PairsViewport

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._reach_of: tuple[Document | None, float] = (None, 1.0)
        self._above = TokenWords(self.area, partial(self._words_view, False), upright=False, turn=True)
        self._beside = TokenWords(self.area, partial(self._words_view, True), upright=True)
        self._key = PairKey(self._key_view, style)
        self._key_below = PairKey(self._key_view, style, across=True)
        self.addItem(self._above, 0, 1)
        self.addItem(AxisLabel(self.area, style, True, "query", size=18), 1, 0)
        self.addItem(self.area, 1, 1)
        self.addItem(self._beside, 1, 2)
        self.addItem(self._key, 1, 3)
        self.addItem(AxisLabel(self.area, style, False, "key", size=18), 2, 1)
        self.addItem(self._key_below, 3, 0, 1, 4)
        PairCells(self.area, self.view)
        MaskedKeys(self.area, self.view)
        NoTokens(self.area, self.view)
        self.area.sigResized.connect(self._fit_words)
        self.geometryChanged.connect(self._fit_words)
        self._document_shown(self.document)

    @override
    def view(self, scale: float = 1.0) -> PairView:
        encoding, seen = self.document.encoding, self.seen_from
        column = 0 if seen is None or not encoding.relative else min(seen.column, encoding.n_columns - 1)
        cells = sample_of(self.area, self.document, self.axis.n_tokens)
        return PairView(*self.shown(), self.area, cells, column, self._colors(column))

    def _colors(self, column: int) -> ColorScale:
        """The table's colours if cells are its entries; for products, up to the sentence's largest one."""
        encoding, count = self.document.encoding, max(1, self.axis.n_tokens)
        if encoding.relative and not encoding.depends_on_query:
            return table_colors(self.document, self.style, least=self.least.get("colors")).of_column(column)
        reach = self._reach(column)
        least, most = encoding.range_over(1 - count if encoding.relative else 0, count)
        has_both = not encoding.relative and token_vectors(self.document) is not None
        low = -reach if least < 0 or has_both else 0.0
        high = reach if most > 0 or has_both or not encoding.relative else 0.0
        ends = widened((low, high), self.least.get("colors"))
        return ColorScale.suited(self.document.view.color_map, *ends, self.style.is_dark)

    def _reach(self, column: int) -> float:
        """The largest number of the sentence, or of a sample of it."""
        encoding, content = self.document.encoding, token_vectors(self.document)
        if content is None:
            try:
                return pair_reach(encoding, column, max(1, self.axis.n_tokens))
            except UnreadableError:  # the cells say why
                return 1.0
        if self._reach_of[0] is not self.document:
            self._reach_of = self.document, pair_reach(encoding, column, self.axis.n_tokens, content)
        return self._reach_of[1]

    def _key_view(self) -> tuple[ColorScale, str, Style]:
        encoding = self.document.encoding
        title = "dot product (no unit)" if token_vectors(self.document) is None else "score q · k (no unit)"
        return self.view().colors, value_title(encoding) if encoding.relative else title, self.style

    def _words_view(self, queries: bool) -> WordsView:
        """The words along an axis, counted from 0, the marked query or key semibold."""
        count = self.axis.n_tokens
        marked = self.view().marked[0 if queries else 1]
        return WordsView(self.document, self.style, PositionAxis(range(count), count, None), marked, self.size())

    @override
    def _document_shown(self, before: Document) -> None:
        tokens = (-0.5, max(1, self.axis.n_tokens) - 0.5)
        self.area.set_extent(tokens, tokens)
        self._fit_words()

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        self.update_all()
        if before is None or self.cursor is None or before.column != self.cursor.column:
            self._style_shown()
            self.noteChanged.emit()

    def _fit_words(self) -> None:
        """Give longer words more room in a larger figure."""
        self._above.fit(True)
        self._beside.fit(self.size().width() >= _NARROW)
        self._style_shown()

    @override
    def _style_shown(self) -> None:
        """Show the colour bar, below a narrow picture, unless there are no cells."""
        narrow = self.size().width() < _NARROW * max(1.0, self.style.text_scale)
        has_cells = self.axis.n_tokens > 0
        self._key.fit(has_cells and not narrow)
        self._key_below.fit(has_cells and narrow)


FIGURE = PairsFigure
