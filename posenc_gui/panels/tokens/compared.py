"""Each token's vector in two tables, and the first minus the second, as three rows with one scale and one cursor."""

from typing_extensions import override

from posenc_core import Document
from posenc_core.scripts import TokenRow, table_names
from posenc_gui.layers import Compared, angles_words
from posenc_gui.model import Cursor
from posenc_gui.panels.tokens.figure import TokensFigure
from posenc_gui.panels.tokens.rows import row_names


class ComparedTokens(TokensFigure):
    """A strip per token with a row of each table and one of their difference.

    ``document`` is the one that has the difference in place of its encodings.
    """

    compared: Compared | None = None
    _angles = ""

    @override
    def show_document(self, document: Document) -> None:
        self.compared, self._angles = Compared.of(document), angles_words(document)
        super().show_document(self.compared.shown_in(document))

    @override
    def show_cursor(self, cursor: Cursor | None, marked: bool = True) -> None:
        is_shown = cursor is not None and cursor.column < self.document.encoding.n_columns
        super().show_cursor(cursor, marked and is_shown)

    @override
    def note(self, scale: float = 1.0) -> str:
        if self.compared is None:
            return ""
        names = ", ".join(self.compared.names[:2])
        parts = (names, self._angles, super().note(scale), self.compared.widths_words, self.spoken())
        return " · ".join(filter(None, parts))

    @override
    def spoken(self) -> str:
        column = None if self.cursor is None else self.cursor.column
        return "" if self.compared is None else self.compared.words_at(self.axis, self.cursor, column)

    @override
    def _script_rows(self, tokens: range) -> list[TokenRow]:
        if self.compared is None:
            return super()._script_rows(tokens)
        difference, words, style = self.compared.difference, self.document.token_list, self.style
        named = list(zip(row_names(self.document), table_names(difference), strict=True))
        return [
            TokenRow(f"{words[token].shown} {name}", style.token(token).name(), self.axis.tokens[token], table=table)
            for token in tokens
            if difference.has_value(self.axis.tokens[token])
            for name, table in named
        ]

    @override
    def _key_title(self) -> str:
        return "value, and difference"

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        super()._cursor_shown(before)
        self.noteChanged.emit()
