"""Holds the document and its history: every change passes through here."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from weakref import WeakSet

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from posenc_core import Document
from posenc_core.session import SENTENCE
from posenc_core.text import shared_start
from posenc_gui.model.history import BoundedHistory, Origin, State, Step, TextChange, brief
from posenc_gui.model.tokenizing import IncrementalTokenizer


class DocumentStore(QObject):
    """The current document, the only way to change it, and undo.

    ``documentChanged`` carries the new Document; it is sent once for each change, undo and redo included.
    ``pathChanged`` says that the document belongs to another file.
    """

    documentChanged = Signal(object)
    pathChanged = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._state = State.of(document, Origin(None, document))
        self._origins = WeakSet([self._state.origin])
        self.history = QUndoStack(self)
        self._bounded = BoundedHistory(self.history)
        self._is_pushing = False
        self.cutting = IncrementalTokenizer(self)
        self._know_tokens()
        self.history.indexChanged.connect(self._recognise_what_is_saved)

    @property
    def document(self) -> Document:
        """The current document."""
        return self._document

    @property
    def path(self) -> Path | None:
        """The session file that the document belongs to."""
        return self._state.origin.path

    def edit(self, name: str, value: Any, gesture: object = None) -> None:
        """Change one field; edits of the same field in the same ``gesture`` (a slider drag) are one step of undo.

        TypeError or ValueError with one sentence for a bad value; the document is then unchanged. What makes a long
        text be cut anew is done once it is cut, and takes the place of an earlier one of the same field.
        """
        changed = self._document.edited(name, value)
        if self.cutting.takes_long(changed):
            self.cutting.begin(changed, lambda: self.edit(name, value, gesture), name)
            return
        if changed != self._document:
            self._edit(changed, name, gesture)
        self.cutting.stop(name)

    def _edit(self, changed: Document, name: str, gesture: object) -> None:
        field = next(each for each in self._document.fields if each.name == name)
        if field is SENTENCE:
            text, gesture = "typing", gesture or _word_being_typed(self._document.sentence, changed.sentence)
        else:
            before, after = (brief(field.format(each.value(name))) for each in (self._document, changed))
            text = f"{field.name} {before} → {after}"
        self._push(changed, text, (name, gesture) if gesture is not None else None)

    def replace(self, document: Document, text: str) -> None:
        """Put another document in place, as one step of undo that is called ``text``."""
        if document != self._document:
            self._push(document, text)

    def begin(self, document: Document, text: str, path: Path | None = None, saved: bool = True) -> None:
        """Put a session of its own in place, as one step; undo leads back into the one before and to its file.

        Without ``saved`` the document is not what the file holds, and is marked as unsaved.
        """
        self.cutting.stop()
        origin = Origin(path and path.absolute(), document if saved else None)
        self._origins.add(origin)
        self._push(document, text, origin=origin)
        if saved:
            self.history.setClean()

    def undo(self) -> None:
        """Undo one step, once its text is cut into tokens; instead of that forget what is still to come."""
        if self.cutting.is_busy:
            self.cutting.stop()
        elif self.history.canUndo():
            self._go(self.history.undo, self.history.index() - 1, False)

    def redo(self) -> None:
        """Do one step again, once its text is cut into tokens; nothing where something is still to come."""
        if not self.cutting.is_busy and self.history.canRedo():
            self._go(self.history.redo, self.history.index(), True)

    def _go(self, way: Callable[[], None], number: int, is_done: bool) -> None:
        step, before = self.history.command(number), self._document
        assert isinstance(step, Step)
        self.cutting.when_cut(step.document(is_done), lambda: way() if self._document is before else None)

    def set_saved(self, path: Path) -> None:
        """Take down that the document was saved in this file, to which it belongs from now on."""
        self._state.origin.path = path.absolute()
        for origin in self._origins:
            if origin.path == self.path:
                origin.saved = self._document
        self.history.setClean()
        self.pathChanged.emit()

    def _push(self, after: Document, text: str, gesture: object = None, origin: Origin | None = None) -> None:
        """Show the document, then put the step that led to it on the stack."""
        before, sentence = self._state, self._document.sentence
        state = State.of(after, origin or before.origin, before)
        step = Step(text, (before, state), TextChange.between(sentence, after.sentence), gesture)
        self._document, self._state, self._is_pushing = after, state, True
        try:
            self._bounded.push(step.bind(self._show, self._present_sentence))
        finally:
            self._is_pushing = False
        self._tell(before)

    def _present_sentence(self) -> str:
        return self._document.sentence

    def _show(self, state: State, sentence: str) -> None:
        before, self._state = self._state, state
        self._document = replace(state.rest, sentence=sentence)
        self._tell(before)

    def _tell(self, before: State) -> None:
        self._know_tokens()
        self.documentChanged.emit(self._document)
        if before.origin.path != self.path:
            self.pathChanged.emit()

    def _know_tokens(self) -> None:
        """Everybody needs the tokens now, and a change of the text is cut at once only where they are known."""
        assert self._document.token_list is not None

    def _recognise_what_is_saved(self) -> None:
        """After undo and redo: a document that is what its file holds counts as saved, by whichever way it came."""
        if not self._is_pushing and self._document == self._state.origin.saved:
            self.history.setClean()


def _word_being_typed(before: str, after: str) -> object:
    """A gesture that lasts while one letter after the other is added to or taken from the same word."""
    if abs(len(after) - len(before)) != 1:
        return None
    shorter, longer = sorted((before, after), key=len)
    place = shared_start(shorter, longer)
    if longer[place].isspace():
        return None
    start = max(shorter.rfind(" ", 0, place), shorter.rfind("\n", 0, place)) + 1
    return ("word", start, len(after) > len(before))
