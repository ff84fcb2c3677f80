"""The cell that all panels point at: hovering shows one, clicking holds it, keys step through the tokens."""

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from posenc_core import Document
from posenc_gui.model.cursor import Cursor, PositionAxis, n_components

PREVIOUS = -1
"""The distance from a query to the token before it."""


class CursorControl(QObject):
    """The cursor of the window. ``cursorChanged`` carries the Cursor."""

    cursorChanged = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.cursor = Cursor(1, 2)
        self._document = Document.initial()

    def show_document(self, document: Document) -> None:
        """Keep the cursor inside a changed table, and at a token if its own token was removed.

        A position becomes a distance, or a distance a position, after a change between such families: the first
        distance is that from the last token to the one before it.
        """
        before, self._document = self._document, document
        cursor = _recounted(self.cursor, before, document)
        axis = PositionAxis.of(document, cursor)
        places = axis.reach
        if cursor == self.cursor and PositionAxis.of(before, cursor).token_at(cursor.position) is not None:
            places = axis.tokens or places
        position = cursor.position
        if places != PositionAxis.of(before, cursor).reach:  # some panels point beyond the table
            position = min(max(position, places[0]), places[-1])
        column = min(cursor.column, n_components(document) - 1)
        query = cursor.query
        if query is not None and query >= len(document.token_list):
            query = None
        subject = cursor.subject if document.encoding.family == before.encoding.family else None
        self._set(Cursor(position, column, cursor.pinned, query, subject))

    def point(self, cursor: Cursor) -> None:
        """Follow the mouse unless a cell is held; hold the clicked cell, and release it on a second click."""
        if cursor.pinned:
            self._set(replace(cursor, pinned=False) if cursor == self.cursor else cursor)
        elif not self.cursor.pinned:
            self._set(cursor)

    def hold(self, cursor: Cursor) -> None:
        """Hold this cell."""
        self._set(replace(cursor, pinned=True))

    def pin(self, held: bool) -> None:
        """Hold the cell that is shown, or release it."""
        if held:
            self.hold(self.cursor)
        else:
            self.release()

    def release(self) -> None:
        """Release the held cell."""
        self._set(replace(self.cursor, pinned=False))

    def next_token(self) -> None:
        """Hold the next token's cell; after the last token the first."""
        self._step(1)

    def previous_token(self) -> None:
        """Hold the previous token's cell; before the first token the last."""
        self._step(-1)

    def _step(self, by: int) -> None:
        axis = PositionAxis.of(self._document, self.cursor)
        if not axis.n_tokens:
            return
        at = axis.token_at(self.cursor.position)
        token = 0 if at is None else (at + by) % axis.n_tokens
        self._set(replace(self.cursor, position=axis.tokens[token], pinned=True, subject=None))

    def _set(self, cursor: Cursor) -> None:
        if cursor != self.cursor:
            self.cursor = cursor
            self.cursorChanged.emit(cursor)


def _recounted(cursor: Cursor, before: Document, after: Document) -> Cursor:
    """The cursor of one document converted to another, whose family may count from another token."""
    if before.encoding.relative == after.encoding.relative:
        return cursor
    if after.encoding.relative:
        return replace(cursor, position=PREVIOUS if len(after.token_list) > 1 else 0, query=None)
    return replace(cursor, position=max(0, cursor.position + (PositionAxis.of(before, cursor).query or 0)), query=None)
