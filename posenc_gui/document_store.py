"""Holds the document and its history: every change passes through here."""

from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from posenc_core import Document
from posenc_core.document import SENTENCE

UNDO_LIMIT = 10_000


class DocumentStore(QObject):
    """The current document, the only way to change it, and undo.

    ``documentChanged`` carries the new Document; it is sent once for each change, undo and redo included.
    """

    documentChanged = Signal(object)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.history = QUndoStack(self)
        self.history.setUndoLimit(UNDO_LIMIT)

    @property
    def document(self) -> Document:
        """The current document."""
        return self._document

    def edit(self, name: str, value: Any, gesture: object = None) -> None:
        """Change one field; edits of the same field in the same ``gesture`` (a slider drag) are one step of undo.

        TypeError or ValueError with one sentence for a bad value; the document is then unchanged.
        """
        changed = self._document.edited(name, value)
        if changed == self._document:
            return
        field = next(each for each in self._document.fields if each.name == name)
        if field is SENTENCE:
            text, gesture = "typing", gesture or _word_being_typed(self._document.sentence, changed.sentence)
        else:
            before = field.format(self._document.value(name))
            text = f"{field.name} {before} → {field.format(changed.value(name))}"
        self._push(changed, text, (name, gesture) if gesture is not None else None)

    def replace(self, document: Document, text: str) -> None:
        """Put another document in place, as one step of undo that is called ``text``."""
        if document != self._document:
            self._push(document, text, None)

    def begin(self, document: Document) -> None:
        """Begin with another document: a session of its own, with no way back into the one before."""
        self.history.clear()
        self.show(document)

    def show(self, document: Document) -> None:
        """Make the document the current one and tell everybody; for the steps of undo."""
        self._document = document
        self.documentChanged.emit(document)

    def _push(self, after: Document, text: str, gesture: tuple[str, object] | None) -> None:
        self.history.push(_Step(self, self._document, after, text, gesture))


class _Step(QUndoCommand):
    """One step of undo: the document before and after."""

    def __init__(
        self,
        store: DocumentStore,
        before: Document,
        after: Document,
        text: str,
        gesture: tuple[str, object] | None,
    ) -> None:
        super().__init__(text)
        self._store, self._before, self.after, self.gesture = store, before, after, gesture

    def id(self) -> int:
        return 1 if self.gesture is not None else -1

    def mergeWith(self, later: QUndoCommand) -> bool:
        """Take a later step of the same gesture in; both vanish where it leads back to the beginning."""
        if not isinstance(later, _Step) or later.gesture != self.gesture:
            return False
        self.after = later.after
        self.setObsolete(self.after == self._before)
        self.setText(_merged_text(self.text(), later.text()))
        return True

    def redo(self) -> None:
        self._store.show(self.after)

    def undo(self) -> None:
        self._store.show(self._before)


def _merged_text(first: str, last: str) -> str:
    """``base 10 → 20`` and ``base 20 → 30`` make ``base 10 → 30``."""
    start, arrow, _ = first.partition(" → ")
    return start + arrow + last.rpartition(" → ")[2] if arrow else first


def _word_being_typed(before: str, after: str) -> object:
    """A gesture that lasts while one letter after the other is added to or taken from the same word."""
    if abs(len(after) - len(before)) != 1:
        return None
    shorter, longer = sorted((before, after), key=len)
    place = next((i for i, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter))
    if longer[place].isspace():
        return None
    start = max(shorter.rfind(" ", 0, place), shorter.rfind("\n", 0, place)) + 1
    return ("word", start, len(after) > len(before))
