"""The text editor of the sentence bar: plain text of any length, in one line unless it has several."""

from PySide6.QtCore import QEvent, QMimeData, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import (
    QClipboard,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QResizeEvent,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget
from shiboken6 import isValid

from posenc_core.document import SENTENCE
from posenc_gui.docks.long_lines import LongLines, utf16_length
from posenc_gui.docks.text_builder import TextBuilder, is_long, new_document
from posenc_gui.history import TextChange
from posenc_gui.keys import asked_key, is_redo, is_undo

MOST_LINES = 3

MARGIN = 2
"""Pixels around the text: without any, the caret behind a long line is cut off."""

_SLACK = 1
"""One more in height: without it Qt takes the last line for cut, and scrolls a text that could be seen whole."""

_LINE_BREAKS = ("\r\n", "\r", "\u2029", "\ufdd0", "\ufdd1")
"""What Qt takes for the end of a paragraph, beside the newline itself."""


class SentenceEdit(QPlainTextEdit):
    """An editor that looks like one line and grows to three.

    QLineEdit would cut the text at 32,767 characters and make newlines spaces. Undo is the window's: it undoes the
    sentence together with everything else.

    ``pasteRefused`` carries the length that the text would have had. A long text comes by and by, while nothing can
    be typed: ``progressed`` carries per cent, and ``settled`` says that the text is there, or that somebody stopped.
    """

    pasteRefused = Signal(int)
    progressed = Signal(int)
    settled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(MARGIN)
        self._copied = QMimeData()
        self._lines = LongLines(self.document())
        self._builder: TextBuilder | None = None
        self.textChanged.connect(self._fit)

    def text(self) -> str:
        """The text as typed: white space of every kind is kept, and ends of paragraphs are newlines."""
        return self._lines.text()

    def half_characters(self) -> int:
        """How many lone surrogates the text holds. Python is not told of them: ``text`` leaves them out."""
        return self._lines.half_characters()

    def show_text(self, text: str) -> None:
        """Shows the text without a signal: only what differs is replaced, and the caret stands behind that."""
        before, after = self.text(), _as_qt_keeps_it(text)
        if self._builder is not None and (self._builder.text == after or (self.is_pasting and before == after)):
            return
        self._drop()
        if before == after and not self.half_characters():
            return
        change = TextChange.between(before, after)
        if is_long(change.before, change.after):
            self._build(after, utf16_length(before[: change.start] + change.after), is_edit=False)
            return
        cursor = self.textCursor()
        with QSignalBlocker(self):
            if self.half_characters():
                cursor.select(QTextCursor.SelectionType.Document)
            else:
                after = change.after
                units = utf16_length(before[: change.start])
                cursor.setPosition(self._lines.position_of(units))
                end = units + utf16_length(change.before)
                cursor.setPosition(self._lines.position_of(end), QTextCursor.MoveMode.KeepAnchor)
            self._lines.insert(cursor, after)
            self.setTextCursor(cursor)
        self._fit()

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
            self._drop()

    def _drop(self) -> None:
        if self._builder is not None:
            self._builder.stop()
            self._end_building()

    def _paste_long(self, pasted: str, n_selected: int) -> None:
        """Paste by and by in place of what is selected; until that is there, the text stays as it is."""
        text, cursor = self.text(), self.textCursor()
        start = self._lines.place_of(cursor.selectionStart())
        before, behind = text[:start], text[start + n_selected :]
        self._build(before + pasted + behind, utf16_length(before + pasted), is_edit=True)

    def _build(self, text: str, caret: int, is_edit: bool) -> None:
        """Make a document of the text by and by, and show it then."""
        self._drop()
        document = new_document(self.document().defaultFont(), MARGIN, self)
        self._builder = TextBuilder(text, caret, is_edit, document)
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
            self._lines = builder.lines
            cursor = self.textCursor()
            cursor.setPosition(self._lines.position_of(builder.caret))
            self.setTextCursor(cursor)
        if isValid(old):  # Qt has deleted the one that it made itself
            old.deleteLater()
        self._fit()
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

    def _fit(self) -> None:
        """Breaks lines that are too long for Qt, which is no change of the text, and makes room."""
        with QSignalBlocker(self):
            self._lines.fit()
        self.fit_height()

    def fit_height(self) -> None:
        """Makes room for the lines of the text, at most three; taller scripts have taller lines."""
        heights: list[float] = []
        block = self.document().firstBlock()
        while block.isValid() and len(heights) < MOST_LINES:
            self.document().documentLayout().blockBoundingRect(block)  # lays the block out, which is done lazily
            layout = block.layout()
            heights += [layout.lineAt(i).height() for i in range(layout.lineCount())]
            block = block.next()
        fits = len(heights) <= MOST_LINES and not block.isValid()
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fits else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(policy)
        self.setFixedHeight(max(round(sum(heights[:MOST_LINES])), self.fontMetrics().height()) + 2 * MARGIN + _SLACK)
        if fits:
            self.verticalScrollBar().setValue(0)  # the caret's line came into view before there was room for all

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Shift+Enter begins a line; Enter alone does nothing, as in a field of one line."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._step_over_break(event.key())
            super().keyPressEvent(event)
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.textCursor().insertText("\n")
            self.ensureCursorVisible()

    def _step_over_break(self, key: int) -> None:
        """Where the lines are broken there is nothing to delete: what is behind or before it is meant."""
        cursor = self.textCursor()
        at, step = cursor.position(), {Qt.Key.Key_Backspace: -1, Qt.Key.Key_Delete: 1}.get(Qt.Key(key), 0)
        if step and not cursor.hasSelection() and self._lines.is_break(min(at, at + step)):
            cursor.setPosition(at + step)
            self.setTextCursor(cursor)

    def event(self, event: QEvent) -> bool:
        """Leaves undo and redo to the window: the editor claims them though it has none."""
        key = asked_key(event)
        if key and (is_undo(key) or is_redo(key)):
            event.ignore()
            return False
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keeps the caret in view."""
        super().resizeEvent(event)
        self.ensureCursorVisible()

    def changeEvent(self, event: QEvent) -> None:
        """Another font needs another height."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.fit_height()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Pastes text, and of formatted text the characters alone; a text that could never be used is not begun."""
        pasted = _as_qt_keeps_it(source.text())
        selected = self._selected_text()
        length = len(self.text()) - len(selected) + len(pasted)
        if length > SENTENCE.maximum:
            # Laying it out, and then every key, would take Qt seconds.
            self.pasteRefused.emit(length)
            return
        if is_long(pasted, selected) and not self.half_characters():
            self._paste_long(pasted, len(selected))
            return
        self._lines.insert(self.textCursor(), pasted)
        self.ensureCursorVisible()

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied, or dragged away: the characters that were typed."""
        typed = self._selected_text()
        if len(typed) == len(self.textCursor().selectedText()):
            return super().createMimeDataFromSelection()
        self._copied = QMimeData()
        self._copied.setText(typed)
        QTimer.singleShot(0, self._hand_over)
        return self._copied

    def _hand_over(self) -> None:
        """Gives the clipboard data of Qt's own: what Python made must not outlive it, or the program's end crashes."""
        clipboard = QGuiApplication.clipboard()
        for mode in (QClipboard.Mode.Clipboard, QClipboard.Mode.Selection):
            if clipboard.mimeData(mode) is self._copied:
                clipboard.setText(self._copied.text(), mode)

    def _selected_text(self) -> str:
        cursor = self.textCursor()
        if not self.half_characters():  # Qt takes longer than the whole text does
            place_of = self._lines.place_of
            return self.text()[place_of(cursor.selectionStart()) : place_of(cursor.selectionEnd())]
        selected = self._lines.without_breaks(cursor.selectedText(), cursor.selectionStart())
        return selected.replace("\u2029", "\n")

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Leaves files to the window, which opens them; here only their names would arrive."""
        if event.mimeData().hasUrls():
            event.ignore()
        else:
            super().dragEnterEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Leaves files to the window."""
        if event.mimeData().hasUrls():
            event.ignore()
        else:
            super().dragMoveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Leaves files to the window."""
        if event.mimeData().hasUrls():
            event.ignore()
        else:
            super().dropEvent(event)


def _as_qt_keeps_it(text: str) -> str:
    for line_break in _LINE_BREAKS:
        text = text.replace(line_break, "\n")
    return text
