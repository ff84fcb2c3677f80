"""TOKENS: each token's vector as boxes with numbers, or as lines where there are many columns."""

from collections.abc import Mapping

from msgspec.structs import replace
from PySide6.QtCore import QPointF, Qt
from typing_extensions import override

from posenc_core import Document
from posenc_core.scripts import TokenRow, tokens_script
from posenc_gui.figures import Figure, Window
from posenc_gui.look import Style, plain_tip, significant
from posenc_gui.model import Cursor, n_components, no_value_sentence, token_details, value_title
from posenc_gui.panels.tokens.canvas import Canvas, Ruler
from posenc_gui.panels.tokens.layout import StripLayout
from posenc_gui.panels.tokens.painter import TokensView
from posenc_gui.panels.tokens.profile import profile_range
from posenc_gui.panels.tokens.rows import (
    TURNED,
    cursor_column,
    passing_columns,
    row_names,
    shows_table,
    strip_colors,
    strip_column,
    strip_columns,
    token_rows,
)
from posenc_gui.plotting import ColorKey, TableColors, shades_of, table_colors

_TALLEST_EXPORT = 4000
_LONGEST_WORD = 24


class TokensFigure(Figure):
    """A strip per token with its word at the left; with an embedding three rows: W_e + PE = sum."""

    name = "tokens"
    title = "Tokens"
    hint = "one strip a token"
    explanation = (
        "Each strip is one token's vector, column 0 on the left: the dots on the token's line in the waves. With an "
        "embedding chosen, the strip shows what becomes of the token's own vector: W_e, the position's vector PE, and "
        "their sum, which is what a Transformer's first layer receives; or a query before and after its rotation. Grey "
        "boxes with a dash are keys that a causal model masks."
    )
    handling = "The wheel scrolls."
    more = (
        "A rotation keeps the length of a query. Where positions are distances, the strip of a key is seen from one "
        "query. All strips share one scale. With many columns, sines and cosines are two lines instead of boxes, and "
        "other numbers are bars."
    )
    least_size = (250, 180)
    export_size = (900, 320)
    steps: Mapping[Qt.Key, tuple[int, int]] = {
        Qt.Key.Key_Left: (0, -1),
        Qt.Key.Key_Right: (0, 1),
        Qt.Key.Key_Up: (-1, 0),
        Qt.Key.Key_Down: (1, 0),
    }

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._columns: tuple[int, int] | None = None
        self._canvas = Canvas(self.strip_layout, self.view)
        self._ruler, self._key = Ruler(self.strip_layout, self.view), ColorKey(style, across=True)
        for row, item in enumerate((self._ruler, self._canvas, self._key)):
            self.addItem(item, row, 0)
        self._canvas.pointed.connect(self._pointed)
        self._canvas.resetAsked.connect(self._double_clicked)
        self._canvas.scrolled.connect(self.noteChanged)
        self.geometryChanged.connect(self._fit_key)
        self._fit_key()

    @override
    def note(self, scale: float = 1.0) -> str:
        layout = self.strip_layout()
        first, stop = layout.visible(self._canvas.offset, self._canvas.rect().height())
        n = layout.n_tokens
        parts = [
            f"tokens {first}–{stop - 1} of {n:,}" if stop - first < n else "",
            self._seen_from(),
            *self._vectors_note(),
            self.document.encoding.label,
            no_value_sentence(self.document.encoding, self.axis.tokens),
        ]
        return " · ".join(filter(None, parts))

    def _seen_from(self) -> str:
        """The query from which the strips are seen."""
        query = self.axis.query
        if query is None or not self.axis.n_tokens:
            return ""
        word = self.document.token_list[query].shown
        return f"seen from “{word if len(word) <= _LONGEST_WORD else word[:_LONGEST_WORD] + '…'}” (token {query})"

    def _vectors_note(self) -> list[str]:
        """The vectors that are shown, the columns that no rotation changes, and the scale."""
        document, colors = self.document, strip_colors(self.document, self.table_colors())
        names, width = row_names(document), strip_columns(document)
        parts = [] if shows_table(document) else [f"{names[0]} {document.embedding.label_at(width)}"]
        if names == TURNED and width > document.encoding.n_columns:
            first, stop = passing_columns(document.encoding)
            parts.append(f"columns {first}–{stop - 1} pass through")
        if self.strip_layout().box is None:
            low, high = profile_range(document, self.axis, colors)
            ends = f"{significant(low)} to {significant(high)}"
            parts.append(f"height ±{significant(high)}" if low == -high else f"height {ends}")
        return parts

    def table_colors(self) -> TableColors:
        """The colours of the table's values, which are those of the heatmap."""
        return table_colors(self.document, self.style)

    def columns(self) -> tuple[int, int]:
        """The columns of the strips shown: all of them, or those that belong to the table's chosen for an export."""
        n, before = strip_columns(self.document), strip_column(self.document, 0)
        if self._columns is None or self._columns[1] + before > n:
            return (0, n)
        return (self._columns[0] + before, self._columns[1] + before)

    @property
    def n_pointed(self) -> int:
        """The number of columns of a strip, with those that no rotation changes."""
        return n_components(self.document)

    @override
    def show_columns(self, first: int, stop: int) -> None:
        self._columns = (first, stop)

    @override
    def window(self) -> Window:
        """The columns shown, and the range of the strips in pixels."""
        first, stop = self.columns()
        return Window((first, stop), (self._canvas.offset, self._canvas.offset + self._canvas.rect().height()))

    @override
    def show_window(self, window: Window | None) -> None:
        if window is not None:
            self._canvas.scroll_to(window.y[0])

    @override
    def script(self) -> str:
        layout = self.strip_layout()
        tokens = range(*layout.visible(self._canvas.offset, self._canvas.rect().height()))
        columns = self.columns()
        colors = strip_colors(self.document, table_colors(self.document, self.style, shared=True))
        return tokens_script(self.document, self._script_rows(tokens), range(*columns), shades_of(colors.scale))

    def _script_rows(self, tokens: range) -> list[TokenRow]:
        return token_rows(self.document, self.axis, tokens, self.columns(), self.style)

    @override
    def reset_window(self) -> None:
        self._canvas.scroll_to(0.0)

    @override
    def show_cell(self, cursor: Cursor) -> None:
        token = self.axis.token_at(cursor.position)
        if token is not None:
            rect = self.strip_layout().strip(token).rect
            room, offset = self._canvas.rect().height(), self._canvas.offset
            if rect.top() < offset:
                self._canvas.scroll_to(rect.top())
            elif rect.bottom() > offset + room:
                self._canvas.scroll_to(rect.bottom() - room)

    @override
    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        moved, step = super().moved(key, times), self.steps.get(key)
        if moved is None or step is None or self.cursor is None:
            return moved
        column = strip_column(self.document, self.cursor.column) + times * step[1]
        column = min(max(column, 0), self.n_pointed - 1)
        return replace(moved, column=cursor_column(self.document, column))

    @override
    def export_height(self, width: float) -> int:
        layout = StripLayout.of(self.document, self.columns(), width, 0.0)
        around = self.size().height() - self._canvas.rect().height()
        return int(min(layout.height + around, _TALLEST_EXPORT))

    @override
    def whole_height(self, height: float) -> float:
        line = self.strip_layout().line_height
        return max(1, height // line) * line if self.strip_layout().height > height else height

    def strip_layout(self) -> StripLayout:
        """The layout of the strips at the present size."""
        rect = self._canvas.rect()
        return StripLayout.of(self.document, self.columns(), rect.width(), rect.height())

    @property
    def positions(self) -> range:
        """The positions of the tokens."""
        return self.axis.tokens

    def view(self) -> TokensView:
        """What the strips show."""
        return TokensView(self.document, self.axis, self.cursor, self.table_colors(), self.style)

    @override
    def _document_shown(self, before: Document) -> None:
        self._fit_key()
        self._canvas.scroll_to(self._canvas.offset)

    @override
    def _style_shown(self) -> None:
        self._fit_key()

    def _fit_key(self) -> None:
        """Show the boxes' colours below them; lines have none."""
        document = self.document
        if self.strip_layout().box is None or not document.token_list:
            self._key.hide_scale()
            return
        colors = strip_colors(document, self.table_colors())
        title = "share of each head’s largest (no unit)" if colors.per_row else self._key_title()
        self._key.show_scale(colors.scale, title, self.style)

    def _key_title(self) -> str:
        return value_title(self.document.encoding) if shows_table(self.document) else "all rows (no unit)"

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        self._canvas.update()

    def _double_clicked(self) -> None:
        self.take_back_click()
        self.reset_window()

    def _pointed(self, place: QPointF, pinned: bool) -> None:
        if pinned:
            self.remember_click()
        found = self.strip_layout().cell_at(place)
        if found is not None:
            token, column = found
            self._canvas.setToolTip(plain_tip(token_details(self.document.token_list[token])))
            self.point_at(self.axis.tokens[token], cursor_column(self.document, column), pinned)
