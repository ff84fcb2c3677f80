"""The cell that all panels point at: hovering shows one, clicking holds it, playing steps through the tokens."""

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from posenc_core import Document
from posenc_gui.model.cursor import Cursor, PositionAxis, n_components

_STEP_MS = 700

PREVIOUS = -1
"""The distance from a query to the token before it."""


class CursorControl(QObject):
    """The cursor of the window. ``cursorChanged`` carries the Cursor, ``playingChanged`` whether it is playing."""

    cursorChanged = Signal(object)
    playingChanged = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.cursor = Cursor(1, 2)
        self._document = Document()
        self._timer = QTimer(self)
        self._timer.setInterval(_STEP_MS)
        self._timer.timeout.connect(self.next_token)

    def show_document(self, document: Document) -> None:
        """Keep the cursor inside the document's table, and at a token if its token is gone.

        A position becomes a distance, or a distance a position, where families count differently: the first distance
        is that from the last token to the one before it.
        """
        before, self._document = self._document, document
        cursor = _recounted(self.cursor, before, document)
        axis = PositionAxis.of(document, cursor)
        places = axis.reach
        if cursor == self.cursor and PositionAxis.of(before, cursor).token_at(cursor.position) is not None:
            places = axis.tokens or places
        position = min(max(cursor.position, places[0]), places[-1])
        column = min(cursor.column, n_components(document) - 1)
        query = cursor.query
        if query is not None and query >= len(document.token_list):
            query = None
        subject = cursor.subject if document.encoding.family == before.encoding.family else None
        self._set(Cursor(position, column, cursor.pinned, query, subject))

    def point(self, cursor: Cursor) -> None:
        """Follow the mouse unless a cell is held; hold the clicked cell, and release it when it is clicked again."""
        if cursor.pinned:
            self.stop()
            self._set(replace(cursor, pinned=False) if cursor == self.cursor else cursor)
        elif not self.cursor.pinned and not self.playing:
            self._set(cursor)

    def hold(self, cursor: Cursor) -> None:
        """Hold this cell."""
        self.stop()
        self._set(replace(cursor, pinned=True))

    def pin(self, held: bool) -> None:
        """Hold the cell that is shown, or release it."""
        if held:
            self.hold(self.cursor)
        else:
            self.release()

    def release(self) -> None:
        """Release the held cell and stop playing."""
        self.stop()
        self._set(replace(self.cursor, pinned=False))

    def next_token(self) -> None:
        """Hold the next token's cell; after the last token the first."""
        self._step(1)

    def previous_token(self) -> None:
        """Hold the previous token's cell; before the first token the last."""
        self._step(-1)

    @property
    def playing(self) -> bool:
        """Whether the cursor steps from token to token by itself."""
        return self._timer.isActive()

    def play(self) -> None:
        """Start playing, or stop."""
        if self.playing:
            self.stop()
        elif self._document.token_list:
            self._timer.start()
            self.playingChanged.emit(True)
            self.next_token()

    def stop(self) -> None:
        """Stop playing."""
        if self.playing:
            self._timer.stop()
            self.playingChanged.emit(False)

    def _step(self, by: int) -> None:
        axis = PositionAxis.of(self._document, self.cursor)
        if not axis.n_tokens:
            self.stop()
            return
        at = axis.token_at(self.cursor.position)
        token = 0 if at is None else (at + by) % axis.n_tokens
        self._set(replace(self.cursor, position=axis.tokens[token], pinned=True, subject=None))

    def _set(self, cursor: Cursor) -> None:
        if cursor != self.cursor:
            self.cursor = cursor
            self.cursorChanged.emit(cursor)


def _recounted(cursor: Cursor, before: Document, after: Document) -> Cursor:
    """The cursor of one document as that of another, whose family may count from another token."""
    if before.encoding.relative == after.encoding.relative:
        return cursor
    if after.encoding.relative:
        return replace(cursor, position=PREVIOUS if len(after.token_list) > 1 else 0, query=None)
    return replace(cursor, position=max(0, cursor.position + (PositionAxis.of(before, cursor).query or 0)), query=None)
