"""The content of the TOKEN dock: the vector of one position as numbers."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from posenc_core import Document
from posenc_gui.cursor import Cursor
from posenc_gui.docks.headline import Headline
from posenc_gui.docks.look import GAP, OUTER_MARGIN, Note, column_of
from posenc_gui.docks.vector_model import VectorModel
from posenc_gui.docks.vector_table import VectorTable
from posenc_gui.style import LIGHT, Style


class TokenDock(QWidget):
    """The vector of the cursor's position, a row per column; without a cursor, of the position that had it last.

    ``cursorMoved`` carries the Cursor of a row that was clicked or reached with the keys.
    """

    cursorMoved = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = Document()
        self._cursor: Cursor | None = None
        self._position = 0
        self._headline = Headline()
        self._note = Note("muted")
        self._model = VectorModel(self)
        self._table = VectorTable(self._model)
        self._table.rowChosen.connect(self._point_at)
        column = column_of(self, self._headline, self._note, self._table)
        column.setContentsMargins(0, GAP, 0, 0)
        for widget in (self._headline, self._note):
            widget.setContentsMargins(OUTER_MARGIN, 0, OUTER_MARGIN, 0)
        self.show_style(LIGHT)
        self._refresh()

    def show_document(self, document: Document) -> None:
        """Shows the position's vector in another document."""
        self._document = document
        self._refresh()

    def show_cursor(self, cursor: Cursor | None) -> None:
        """Shows the vector of the cursor's position, and marks its column."""
        moved = cursor is not None and cursor.position != self._position
        self._cursor = cursor
        if cursor is not None and moved:
            self._position = cursor.position
            self._refresh()
        else:
            self._mark()

    def show_style(self, style: Style) -> None:
        """Takes on the style's fonts and colours."""
        self.setPalette(style.palette())
        self._headline.show_style(style)
        self._note.show_style(style)
        self._table.show_style(style)

    def _refresh(self) -> None:
        self._headline.show_place(self._document, self._position)
        self._model.show_vector(self._document, self._position)
        label = self._document.embedding.label
        if self._position >= len(self._document.token_list):
            self._note.show_sentence("This position has no token")
        else:
            self._note.show_sentence(f"W_e is {label}" if label else "")
        self._table.fit_columns()
        self._mark()

    def _mark(self) -> None:
        row = -1 if self._cursor is None else self._cursor.column
        self._table.mark_row(row if 0 <= row < self._model.rowCount() else -1)

    def _point_at(self, row: int) -> None:
        cursor = Cursor(self._position, row, pinned=True)
        if cursor != self._cursor:
            self._cursor = cursor
            self.cursorMoved.emit(cursor)
