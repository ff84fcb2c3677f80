"""The text editor of the sentence bar: plain text that is shown in one line unless it has several or is long."""

from PySide6.QtCore import QEvent, QMimeData, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import (
    QClipboard,
    QDragEnterEvent,
    QGuiApplication,
    QKeyEvent,
    QResizeEvent,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget
from typing_extensions import override

from posenc_core.session import SENTENCE
from posenc_core.text import TextChange
from posenc_gui.docks.editors import leaves_to_window
from posenc_gui.docks.sentence.long_lines import LongLines, utf16_length
from posenc_gui.look import FitsText, lay_out_now

MARGIN = 2
"""Pixels around the text: without any, the caret after a long line is cut off."""

MOST_LINES = 3

_SLACK = 1
"""One more pixel of height: without it Qt treats the last line as cut off, and scrolls a text that fits."""

_LINE_BREAKS = ("\r\n", "\r", "\u2029", "\ufdd0", "\ufdd1")
"""Qt's ends of a paragraph, besides the newline."""


class SentenceEdit(FitsText, QPlainTextEdit):
    """A text editor that looks like a line edit and grows to three lines.

    QLineEdit would cut the text at 32,767 characters and turn newlines into spaces. The editor itself has no undo:
    the window undoes the sentence together with all other edits. ``pasteRefused`` carries the text that would result
    from a paste if it exceeds the length of a sentence; nothing is inserted then.
    """

    pasteRefused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setUndoRedoEnabled(False)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(MARGIN)
        self.lines = LongLines(self.document())
        self._copied = QMimeData()
        self.textChanged.connect(self._fit)

    def text(self) -> str:
        """The text as typed; ends of paragraphs are newlines, and all other white space is kept."""
        return self.lines.text()

    def half_characters(self) -> int:
        """Number of lone surrogates in the text. Python strings cannot hold them: ``text`` omits them."""
        return self.lines.half_characters()

    def show_text(self, text: str) -> None:
        """Show the text without a signal; only the difference is replaced, and the caret is placed after it."""
        before, after = self.text(), _as_qt_keeps_it(text)
        if before == after and not self.half_characters():
            return
        cursor = self.textCursor()
        with QSignalBlocker(self):
            if self.half_characters():
                cursor.select(QTextCursor.SelectionType.Document)
            else:
                change = TextChange.between(before, after)
                after = change.after
                units = utf16_length(before[: change.start])
                cursor.setPosition(self.lines.position_of(units))
                end = units + utf16_length(change.before)
                cursor.setPosition(self.lines.position_of(end), QTextCursor.MoveMode.KeepAnchor)
            self.lines.insert(cursor, after)
            self.setTextCursor(cursor)
        self._fit()

    def _fit(self) -> None:
        """Break lines that are too long for Qt, which does not change the text, and adapt the height."""
        with QSignalBlocker(self):
            self.lines.fit()
        wraps = QPlainTextEdit.LineWrapMode.WidgetWidth if self.lines.are_broken else QPlainTextEdit.LineWrapMode.NoWrap
        if wraps != self.lineWrapMode():
            self.setLineWrapMode(wraps)  # a broken line may be wider than the editor
        self.fit_text()

    @override
    def fit_text(self) -> None:
        """Set the height to the text's lines, at most three; taller scripts have taller lines."""
        heights: list[float] = []
        block = self.document().firstBlock()
        while block.isValid() and len(heights) < MOST_LINES:
            self.document().documentLayout().blockBoundingRect(block)  # lays out the block, which Qt does lazily
            layout = block.layout()
            heights += [layout.lineAt(i).height() for i in range(layout.lineCount())]
            block = block.next()
        fits = len(heights) <= MOST_LINES and not block.isValid()
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fits else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(policy)
        height = max(round(sum(heights[:MOST_LINES])), self.fontMetrics().height()) + 2 * MARGIN + _SLACK
        if height != self.height():
            self.setFixedHeight(height)
            lay_out_now(self)
        if fits:
            self.verticalScrollBar().setValue(0)  # Qt scrolled to the caret while the height was too small

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._step_over_break(event.key())
            super().keyPressEvent(event)
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.textCursor().insertText("\n")
            self.ensureCursorVisible()

    def _step_over_break(self, key: int) -> None:
        """Move the caret over an added break that Backspace or Delete would remove: the next character is meant."""
        cursor = self.textCursor()
        at, step = cursor.position(), {Qt.Key.Key_Backspace: -1, Qt.Key.Key_Delete: 1}.get(Qt.Key(key), 0)
        if step and not cursor.hasSelection() and self.lines.is_break(min(at, at + step)):
            cursor.setPosition(at + step)
            self.setTextCursor(cursor)

    @override
    def event(self, event: QEvent) -> bool:
        return not leaves_to_window(event, self.document()) and super().event(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.ensureCursorVisible()

    @override
    def insertFromMimeData(self, source: QMimeData) -> None:
        pasted, selected, text = _as_qt_keeps_it(source.text()), self._selected_text(), self.text()
        if len(text) - len(selected) + len(pasted) > SENTENCE.maximum:  # Qt would take seconds to insert it
            start = self.lines.place_of(self.textCursor().selectionStart())
            self.pasteRefused.emit(text[:start] + pasted + text[start + len(selected) :])
            return
        self.lines.insert(self.textCursor(), pasted)
        self.ensureCursorVisible()

    @override
    def createMimeDataFromSelection(self) -> QMimeData:
        typed = self._selected_text()
        if len(typed) == len(self.textCursor().selectedText()):
            return super().createMimeDataFromSelection()
        self._copied = QMimeData()
        self._copied.setText(typed)
        QTimer.singleShot(0, self._hand_over)
        return self._copied

    def _hand_over(self) -> None:
        """Replace the clipboard's data by Qt's own: data that Python made crashes the program if it outlives Python."""
        clipboard = QGuiApplication.clipboard()
        for mode in (QClipboard.Mode.Clipboard, QClipboard.Mode.Selection):
            if clipboard.mimeData(mode) is self._copied:
                clipboard.setText(self._copied.text(), mode)

    def _selected_text(self) -> str:
        cursor = self.textCursor()
        if not self.half_characters():  # Qt's own selectedText is slower than the whole text
            place_of = self.lines.place_of
            return self.text()[place_of(cursor.selectionStart()) : place_of(cursor.selectionEnd())]
        selected = self.lines.without_breaks(cursor.selectedText(), cursor.selectionStart())
        return selected.replace("\u2029", "\n")

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.ignore()  # Qt then offers it to the window, which also receives the moves and the drop
        else:
            super().dragEnterEvent(event)


def _as_qt_keeps_it(text: str) -> str:
    for line_break in _LINE_BREAKS:
        text = text.replace(line_break, "\n")
    return text
