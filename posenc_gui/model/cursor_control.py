"""The cell that all panels point at: hovering shows one, clicking holds it, playing steps through the tokens."""

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from posenc_core import Document
from posenc_gui.model.cursor import Cursor, PositionAxis, n_components

_STEP_MS = 700


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
        """Keep the cursor inside the document's table."""
        self._document = document
        reach = PositionAxis.of(document, self.cursor).reach
        position = min(max(self.cursor.position, reach[0]), reach[-1])
        column = min(self.cursor.column, n_components(document) - 1)
        query = self.cursor.query
        if query is not None and query >= len(document.token_list):
            query = None
        self._set(Cursor(position, column, self.cursor.pinned, query))

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
        self._set(replace(self.cursor, position=axis.tokens[token], pinned=True))

    def _set(self, cursor: Cursor) -> None:
        if cursor != self.cursor:
            self.cursor = cursor
            self.cursorChanged.emit(cursor)
