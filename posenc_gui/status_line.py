"""The status line: what the cursor points at, how large the table is, how long the last picture took."""

import numpy as np
from PySide6.QtWidgets import QLabel, QStatusBar, QWidget

from posenc_core import Document
from posenc_core.derivation import number_text
from posenc_gui.cursor import Cursor

_SEPARATOR = "  |  "


class StatusLine(QStatusBar):
    """Words for the cursor on the left, size and time on the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = Document()
        self._cursor: Cursor | None = None
        self._cell = QLabel()
        self._size = QLabel()
        self._time = QLabel()
        self._time.setToolTip("From the last change to painted panels")
        self.setSizeGripEnabled(False)
        self.addWidget(self._cell, 1)
        self.addPermanentWidget(self._size)
        self.addPermanentWidget(self._time)
        self.setContentsMargins(8, 0, 8, 0)

    def show_document(self, document: Document) -> None:
        """Take the table's size and the token's word from this document."""
        self._document = document
        self._size.setText(f"{document.seq_len:,} × {document.encoding.n_columns:,}")
        self._show()

    def show_cursor(self, cursor: Cursor | None) -> None:
        """Describe this cell."""
        self._cursor = cursor
        self._show()

    def show_time(self, milliseconds: float) -> None:
        """How long the last change took until it was painted."""
        self._time.setText(f"{milliseconds:.1f} ms")

    def _show(self) -> None:
        cursor = self._cursor
        self._cell.setText("" if cursor is None else _SEPARATOR.join(cell_words(self._document, cursor)))


def cell_words(document: Document, cursor: Cursor) -> list[str]:
    """The cursor in words: position and token, column and pair, value, wavelength."""
    encoding, tokens = document.encoding, document.token_list
    if not 0 <= cursor.column < encoding.n_columns:
        return []
    word = f" “{_short(tokens[cursor.position].shown)}”" if cursor.position < len(tokens) else ""
    facts = encoding.facts(cursor.column)
    what = f" (pair {facts.pair}, {facts.part})" if facts.pair is not None else f" ({facts.part})"
    value = float(encoding.values(np.array([cursor.position]), np.array([cursor.column]))[0, 0])
    words = [f"position {cursor.position:,}{word}", f"column {cursor.column:,}{what}", number_text(value, 7)]
    if facts.wavelength is not None:
        words.append(f"wavelength {number_text(facts.wavelength, 4 if facts.wavelength < 1e4 else 6)} tokens")
    if cursor.pinned:
        words.append("held (Esc lets go)")
    return words


def _short(word: str) -> str:
    return word if len(word) <= 24 else f"{word[:23]}…"
