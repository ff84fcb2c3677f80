"""An editor of plain text in which long texts come by and by, while the window answers."""

from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from shiboken6 import isValid

from posenc_gui.docks.sentence.long_lines import LongLines
from posenc_gui.docks.sentence.text_builder import Ahead, TextBuilder, new_document, nothing_ahead

MARGIN = 2
"""Pixels around the text: without any, the caret behind a long line is cut off."""


class PatientEdit(QPlainTextEdit):
    """Lines are as long as they are typed, and undo is somebody else's.

    A long text comes by and by, while nothing can be typed: ``progressed`` carries per cent, and ``settled`` says that
    the text is there, or that somebody stopped. ``replaced`` says that another document is shown.
    """

    progressed = Signal(int)
    settled = Signal()
    replaced = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setUndoRedoEnabled(False)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.document().setDocumentMargin(MARGIN)
        self.lines = LongLines(self.document())
        self.ahead: Ahead = nothing_ahead
        """What is done of a long text before it is shown, beside the document."""
        self._builder: TextBuilder | None = None
        self._pasted_into = ""

    def text(self) -> str:
        """The text as typed: white space of every kind is kept, and ends of paragraphs are newlines."""
        return self.lines.text()

    def half_characters(self) -> int:
        """How many lone surrogates the text holds. Python is not told of them: ``text`` leaves them out."""
        return self.lines.half_characters()

    @property
    def is_building(self) -> bool:
        """Whether a long text is to come."""
        return self._builder is not None

    @property
    def is_pasting(self) -> bool:
        """Whether a long text is being pasted, which can be stopped."""
        return self._builder is not None and self._builder.is_edit

    def stop(self) -> None:
        """Leave the text as it is shown, and forget the one that is to come."""
        if self._builder is not None and not self._builder.is_shown:
            self.drop()

    def is_coming(self, text: str) -> bool:
        """Whether the text is that which is to come, or that which it is pasted into and which stays until then."""
        return self._builder is not None and (
            self._builder.text == text or (self.is_pasting and self._pasted_into == text)
        )

    def drop(self) -> None:
        """Forget the text that is to come; where it is shown already it stays, untold."""
        if self._builder is not None:
            self._builder.stop()
            self._end_building()

    def build(self, text: str, caret: int, is_edit: bool) -> None:
        """Make a document of the text by and by, and show it then."""
        self.drop()
        self._pasted_into = self.text()
        document = new_document(self.document().defaultFont(), MARGIN, self)
        self._builder = TextBuilder(text, caret, is_edit, document, self.ahead)
        self._builder.progressed.connect(self.progressed)
        self._builder.finished.connect(self._show_built)
        self.setReadOnly(True)
        self.progressed.emit(0)

    def _show_built(self) -> None:
        builder, old = self._builder, self.document()
        assert builder is not None  # whose signal this is
        if builder.document.defaultFont() != old.defaultFont():
            builder.document.setDefaultFont(old.defaultFont())
        with QSignalBlocker(self):
            self.setDocument(builder.document)
            self.lines = builder.lines
            cursor = self.textCursor()
            cursor.setPosition(self.lines.position_of(builder.caret))
            self.setTextCursor(cursor)
        if isValid(old):  # Qt has deleted the one that it made itself
            old.deleteLater()
        self.replaced.emit()
        builder.is_shown = True
        QTimer.singleShot(0, builder, self._tell_built)  # once it is painted: what follows takes a while too

    def _tell_built(self) -> None:
        builder = self._builder
        if builder is not None and builder.is_shown:
            self._end_building()
            if builder.is_edit:
                self.textChanged.emit()

    def _end_building(self) -> None:
        self._builder = None
        self.setReadOnly(False)
        self.settled.emit()
