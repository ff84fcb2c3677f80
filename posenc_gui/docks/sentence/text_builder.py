"""A document of a long text, made by and by: Qt takes a second for a book in short lines."""

from collections.abc import Callable, Iterator
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QFont, QTextDocument, QTextOption
from PySide6.QtWidgets import QPlainTextDocumentLayout

from posenc_gui.docks.sentence.long_lines import LongLines, parts

_SHORT = 500_000
"""ASCII characters that Qt takes in within a few hundredths of a second."""

_A_LINE, _OTHER = 40, 3
"""A line takes as long as so many of them, another character as so many."""

_PART = 4000
_STEP_SECONDS = 0.012
FILLED = 90
"""Per cent of the work that is done when the document holds the text; what else is done ahead is fast."""

Ahead = Callable[[str], Iterator[float]]
"""Does what else has to be done of a text, and gives the share that is done."""


def nothing_ahead(text: str) -> Iterator[float]:
    """No share of anything."""
    return iter(())


def is_long(*texts: str) -> bool:
    """Whether to put in or take out these texts takes so long that it is better done by and by."""
    return sum(map(_work, texts)) > _SHORT


def _work(text: str) -> int:
    return len(text) * (1 if text.isascii() else _OTHER) + _A_LINE * text.count("\n")


def new_document(font: QFont, margin: float, parent: QObject) -> QTextDocument:
    """An empty document for an editor of plain text, without undo of its own and without wrapping."""
    document = QTextDocument(parent)
    document.setUndoRedoEnabled(False)
    document.setDocumentLayout(QPlainTextDocumentLayout(document))
    document.setDefaultFont(font)
    document.setDocumentMargin(margin)
    option = document.defaultTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    document.setDefaultTextOption(option)
    return document


class TextBuilder(QObject):
    """Fills a document with a text, a little at every turn of the event loop.

    ``progressed`` carries per cent, ``finished`` comes once all is there. ``caret`` is where the caret is to stand,
    in UTF-16 units, ``is_edit`` says whether somebody edits the text and is not only shown another, and ``is_shown``
    whether the document is in its place already. ``ahead`` is done when the document is full.
    """

    progressed = Signal(int)
    finished = Signal()

    def __init__(self, text: str, caret: int, is_edit: bool, document: QTextDocument, ahead: Ahead) -> None:
        super().__init__(document)
        self.text, self.caret, self.is_edit, self.document = text, caret, is_edit, document
        self.is_shown = False
        self.lines = LongLines(document)
        self._work = self._done_by_and_by(ahead)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._step)
        self._timer.start()

    def stop(self) -> None:
        """Do no more, and keep nothing that is not shown."""
        self._timer.stop()
        if not self.is_shown:
            self.document.deleteLater()

    def _done_by_and_by(self, ahead: Ahead) -> Iterator[int]:
        """Per cent of all that is to be done."""
        done = 0
        for part in parts(self.text, _PART):
            self.lines.append(part)
            done += len(part.text)
            yield FILLED * done // len(self.text)
        self.lines.set_fitted()
        for share in ahead(self.text):
            yield FILLED + int((100 - FILLED) * share)

    def _step(self) -> None:
        began = perf_counter()
        for percent in self._work:
            if percent >= FILLED or perf_counter() - began > _STEP_SECONDS:  # one slice ahead at every turn
                self.progressed.emit(percent)
                return
        self._timer.stop()
        self.finished.emit()
