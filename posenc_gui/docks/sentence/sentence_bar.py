"""The sentence bar: the text that the window encodes, and how it is divided into tokens."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QToolButton, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_core.encodings import patches_of
from posenc_core.session import SENTENCE
from posenc_core.text import MODEL_TOKENS, SPECIAL_TOKENS, TOKENS
from posenc_gui.docks.editors import ChoiceEditor, FlagEditor, asked_key
from posenc_gui.docks.sentence.sentence_frame import SentenceFrame
from posenc_gui.look import GAP, HIT_PX, OUTER_MARGIN, Note, grid_of, row_of
from posenc_gui.model import Cursor

if TYPE_CHECKING:
    from posenc_gui.docks.sentence.grid_row import GridRow

_HALF_CHARACTER = "sentence contains half of a character (a lone surrogate); delete it, or type the character again"


class BarRow(QWidget):
    """A further row below the sentence, which shows the bar's document."""

    def show_document(self, document: Document) -> None:
        """Show the texts about this document."""


class SentenceBar(QWidget):
    """The sentence in large letters, the number of its tokens, the tokenizer, and the window's main buttons.

    ``fieldEdited`` carries ``sentence`` and the text at every change, or ``tokens`` and the way to tokenize; the
    gesture is None. With a model's tokens it also carries ``special_tokens``. ``tokenizerAsked`` is emitted if a
    model's tokens are chosen and no tokenizer is open. ``cursorMoved`` carries the Cursor at a cell of the grid's
    strip.
    """

    fieldEdited = Signal(str, object, object)
    tokenizerAsked = Signal()
    cursorMoved = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = Document.initial()
        self._frame = SentenceFrame()
        self._edit = self._frame.edit
        self._edit.textChanged.connect(self._on_text_changed)
        self._edit.pasteRefused.connect(self._send)
        self._tokens = ChoiceEditor(TOKENS)
        self._tokens.edited.connect(self._on_tokens_chosen)
        self._special = FlagEditor(SPECIAL_TOKENS)
        self._special.label.setParent(self)
        self._special.label.hide()  # the check box is its own label
        self._special.edited.connect(self.fieldEdited)
        self._message, self._remark = Note("error"), Note("warning")
        self._rows: list[BarRow] = []
        self._cells: GridRow | None = None
        self._cursor: Cursor | None = None
        self._row = row_of(self._tokens.label, self._tokens, self._special)
        self._grid = grid = grid_of(self, OUTER_MARGIN, GAP // 2)
        grid.setContentsMargins(OUTER_MARGIN, GAP, OUTER_MARGIN, GAP)
        grid.setColumnStretch(0, 1)
        grid.addWidget(self._frame, 0, 0)
        grid.addLayout(self._row, 0, 1, Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(self._message, 1, 0, 1, 2)
        grid.addWidget(self._tokens.message, 2, 0, 1, 2)
        grid.addWidget(self._special.message, 3, 0, 1, 2)
        grid.addWidget(self._remark, 4, 0, 1, 2)
        self.setFocusProxy(self._edit)

    def add_row(self, row: BarRow) -> None:
        """Put a row below the sentence."""
        self._rows.append(row)
        self._grid.addWidget(row, self._grid.rowCount(), 0, 1, 2)

    def add_action_button(self, action: QAction) -> QToolButton:
        """A new button for the action at the right end of the bar; an action with a menu opens the menu."""
        button = QToolButton(self, toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setDefaultAction(action)
        button.setMinimumHeight(HIT_PX)
        if action.menu() is not None:
            button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._row.addWidget(button)
        for row in self._rows:
            row.raise_()  # the last child: the Tab key reaches the rows below after the button
        return button

    def show_document(self, document: Document) -> None:
        """Show the document's sentence; a refused text stays while the document's sentence does not change."""
        changed = document.sentence != self._document.sentence
        self._document = document
        if changed or not self._message.sentence:
            self._edit.show_text(document.sentence)
            self._show_problem("")
        self._tokens.show_value(document.tokens)
        self._tokens.restore()
        self._special.show_value(document.special_tokens)
        self._special.setVisible(document.tokens == MODEL_TOKENS)
        self._remark.show_sentence(document.token_list.remark)
        self._show_count()
        self._show_cells()
        for row in self._rows:
            row.show_document(document)

    def show_cursor(self, cursor: Cursor) -> None:
        """Mark the cell of the grid."""
        self._cursor = cursor
        if self._cells is not None:
            self._cells.show_cursor(cursor)

    def _show_cells(self) -> None:
        """Show the strip of the grid's cells, which is made for the first picture."""
        cells = self._document.encoding.cells
        if self._cells is None and cells is not None and cells.grid.is_picture:
            from posenc_gui.docks.sentence.grid_row import GridRow  # most documents have no grid

            self._cells = GridRow(self)
            self._cells.cursorMoved.connect(self.cursorMoved)
            self._grid.addWidget(self._cells, self._grid.rowCount(), 0, 1, 2)
            if self._cursor is not None:
                self._cells.show_cursor(self._cursor)
        if self._cells is not None:
            self._cells.show_document(self._document)

    def show_refusal(self, name: str, _value: Any, sentence: str) -> None:
        """Show the reason why the document refuses a text or other tokens; a text stays. Ignore other fields."""
        if name == SENTENCE.name:
            self._show_problem(sentence)
        elif name == TOKENS.name:
            self._tokens.show_value(self._document.tokens)
            self._tokens.show_error(sentence)

    def _on_text_changed(self) -> None:
        text = self._edit.text()
        if self._edit.half_characters():
            self._show_problem(_HALF_CHARACTER)
        elif text != self._document.sentence:
            self._send(text)
        else:
            self._show_problem("")

    def _send(self, text: str) -> None:
        self.fieldEdited.emit(SENTENCE.name, text, None)

    def _on_tokens_chosen(self, name: str, value: Any, gesture: object) -> None:
        if value == MODEL_TOKENS and self._document.tokenizer is None:
            self._tokens.restore()
            self.tokenizerAsked.emit()
        else:
            self.fieldEdited.emit(name, value, gesture)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._message.sentence:
            self._edit.show_text(self._document.sentence)
            self._show_problem("")
        else:
            super().keyPressEvent(event)

    @override
    def event(self, event: QEvent) -> bool:
        key = asked_key(event)
        if key and key.key() == Qt.Key.Key_Escape and self._message.sentence:
            event.accept()
            return True
        return super().event(event)

    def _show_problem(self, sentence: str) -> None:
        self._message.show_sentence(sentence)
        self._frame.show_wrong(bool(sentence))
        self._edit.setAccessibleDescription(sentence or SENTENCE.tool_tip)

    def _show_count(self) -> None:
        """Show the number of tokens, or of a picture's patches, and a warning if not all words have positions."""
        count, shown = len(self._document.token_list), self._document.seq_len
        picture = patches_of(self._document.encoding)
        words = f"{count:,} token" if count == 1 else f"{count:,} tokens"
        if picture is not None and not picture.n_text:
            count, words = 0, f"{picture.n_patches:,} patches, no text"
        elif picture is not None and count > picture.n_text:
            shown, words = picture.n_text, f"{words}, {picture.n_text:,} before the patches"
        elif count > shown:
            words += f", {shown:,} position shown" if shown == 1 else f", {shown:,} positions shown"
        self._frame.show_count(words, "warning" if count > shown else "muted")
