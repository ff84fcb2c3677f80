"""Which cell all panels point at: hovering shows one, clicking holds it, playing walks through the tokens."""

from PySide6.QtCore import QObject, QTimer, Signal

from posenc_core import Document
from posenc_gui.cursor import Cursor

_STEP_MS = 700


class CursorControl(QObject):
    """The one cursor. ``cursorChanged`` carries the Cursor, ``playingChanged`` whether it walks by itself."""

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
        """Keep the cursor inside the new table."""
        self._document = document
        last = max(document.seq_len, len(document.token_list)) - 1
        column = min(self.cursor.column, document.encoding.n_columns - 1)
        self._set(Cursor(min(self.cursor.position, last), column, self.cursor.pinned))

    def point(self, cursor: Cursor) -> None:
        """Follow the mouse unless a cell is held; hold the clicked cell, and let it go when clicked again."""
        if cursor.pinned:
            self.stop()
            self._set(Cursor(cursor.position, cursor.column) if cursor == self.cursor else cursor)
        elif not self.cursor.pinned and not self.playing:
            self._set(cursor)

    def hold(self, cursor: Cursor) -> None:
        """Hold this cell."""
        self.stop()
        self._set(Cursor(cursor.position, cursor.column, pinned=True))

    def release(self) -> None:
        """Let go of the held cell and stop walking."""
        self.stop()
        self._set(Cursor(self.cursor.position, self.cursor.column))

    def next_token(self) -> None:
        """One token on, from the last to the first."""
        self._step(1)

    def previous_token(self) -> None:
        """One token back, from the first to the last."""
        self._step(-1)

    @property
    def playing(self) -> bool:
        """Whether the cursor walks by itself."""
        return self._timer.isActive()

    def play(self) -> None:
        """Walk through the tokens, or stop."""
        if self.playing:
            self.stop()
        elif self._document.token_list:
            self._timer.start()
            self.playingChanged.emit(True)
            self.next_token()

    def stop(self) -> None:
        """Stop walking."""
        if self.playing:
            self._timer.stop()
            self.playingChanged.emit(False)

    def _step(self, by: int) -> None:
        count = len(self._document.token_list)
        if not count:
            self.stop()
            return
        at = self.cursor.position
        position = (at + by) % count if at < count else 0
        self._set(Cursor(position, self.cursor.column, pinned=True))

    def _set(self, cursor: Cursor) -> None:
        if cursor != self.cursor:
            self.cursor = cursor
            self.cursorChanged.emit(cursor)
