"""The content of the VECTOR dock: the vector of one position as numbers."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from posenc_core import Document
from posenc_gui.docks.headline import Headline
from posenc_gui.docks.vector_model import VectorModel, VectorSource
from posenc_gui.docks.vector_table import VectorTable
from posenc_gui.look import GAP, OUTER_MARGIN, Note, column_of
from posenc_gui.model import Cursor, PositionAxis, position_words, seen_by


class VectorDock(QWidget):
    """The vector of the cursor's position, a row for each column; without a cursor, of the last position.

    Behind another dock it keeps the newest document and cursor, and shows them once it is in front.
    ``cursorMoved`` carries the Cursor of a row that was clicked or reached with the keys, ``copied`` a sentence about
    the copied text.
    """

    cursorMoved = Signal(object)
    copied = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = self._given = Document.initial()
        self._cursor: Cursor | None = None
        self._position = 0
        self._query: int | None = None
        self._is_in_front, self._is_due = True, True
        self._headline = Headline()
        self._note = Note("muted")
        self._model = VectorModel(self)
        self._table = VectorTable(self._model)
        self._table.rowChosen.connect(self._point_at)
        self._table.copied.connect(self._tell_copied)
        self._rest = QWidget()  # fills the room of the hidden table
        column = column_of(self, self._headline, self._note, self._table, self._rest)
        column.setStretchFactor(self._rest, 1)
        column.setContentsMargins(0, GAP, 0, 0)
        for widget in (self._headline, self._note):
            widget.setContentsMargins(OUTER_MARGIN, 0, OUTER_MARGIN, 0)
        self._catch_up()

    def show_document(self, document: Document) -> None:
        """Show the position's vector in another document."""
        self._given, self._is_due = document, True
        self._catch_up()

    def show_cursor(self, cursor: Cursor | None) -> None:
        """Show the vector of the cursor's position, and mark its column."""
        self._cursor = cursor
        if cursor is not None and (cursor.position, cursor.query) != (self._position, self._query):
            self._position, self._query, self._is_due = cursor.position, cursor.query, True
        self._catch_up()

    def show_in_front(self, is_in_front: bool) -> None:
        """Show the newest document and cursor if the dock is in front of its tabbed docks, else only keep them."""
        self._is_in_front = is_in_front
        self._catch_up()

    def _catch_up(self) -> None:
        if self._is_in_front:
            if self._is_due:
                self._refresh()
            self._mark()

    def _refresh(self) -> None:
        self._is_due = False
        cursor = Cursor(self._position, 0, query=self._query)
        self._document = seen_by(self._given, cursor)
        axis = PositionAxis.of(self._document, cursor)
        self._headline.show_place(self._document, axis, self._position)
        self._model.show_vector(VectorSource.of(self._document, axis, self._position))
        self._note.show_sentence(self._sentence())
        self._table.setVisible(self._model.rowCount() > 0)
        self._rest.setVisible(self._model.rowCount() == 0)
        self._table.fit_columns()

    def _sentence(self) -> str:
        """The reason for a missing value or token, and the origin of numbers without a formula."""
        source, encoding = self._model.source, self._document.encoding
        if not self._model.rowCount():
            return encoding.no_value(self._position)
        sentences = []
        if source.word is None:
            sentences.append("No token at this distance" if encoding.relative else "This position has no token")
        elif source.embedded:
            sentences.append(f"{source.vector_head} is {source.embedding.label_at(encoding.combination.width)}")
        if source.refused:
            sentences.append(source.refused)
        if encoding.label:
            sentences.append(f"{source.entry_head}: {encoding.label}")
        return " · ".join(sentences)

    def _tell_copied(self) -> None:
        axis = PositionAxis.of(self._document, Cursor(self._position, 0, query=self._query))
        self.copied.emit(f"Copied the vector of {position_words(axis, self._position)}")

    def _mark(self) -> None:
        row = -1 if self._cursor is None else self._model.source.row_of(self._cursor.column)
        self._table.mark_row(row if 0 <= row < self._model.rowCount() else -1)

    def _point_at(self, row: int) -> None:
        query = self._query if self._document.encoding.relative else None
        cursor = Cursor(self._position, self._model.source.table_column(row), pinned=True, query=query)
        if cursor != self._cursor:
            self._cursor = cursor
            self.cursorMoved.emit(cursor)
