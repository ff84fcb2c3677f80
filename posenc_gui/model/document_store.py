"""The current document and its history. Every change of the document is made here."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from weakref import WeakSet

from PySide6.QtCore import QObject, Signal

from posenc_core import Document
from posenc_core.fields import Field
from posenc_core.session import SENTENCE, NamedEncoding
from posenc_core.text import NO_CHANGE, TextChange
from posenc_gui.look import as_written
from posenc_gui.model.history import BRIEF, MAXIMUM_BYTES, OWN_TEXT, History, Step, brief
from posenc_gui.model.origin import Guest, Origin


class DocumentStore(QObject):
    """The current document, the only way to change it, and undo.

    ``documentChanged`` carries the new Document; it is emitted once for each change, undo and redo included.
    ``editRefused`` carries a field's name, the refused value, and the reason in one sentence.
    ``pathChanged`` is emitted when the document belongs to another file, ``historyChanged`` when other steps can be
    undone or redone, ``savedChanged`` when the document becomes saved or unsaved.
    """

    documentChanged = Signal(object)
    editRefused = Signal(str, object, str)
    pathChanged = Signal()
    historyChanged = Signal()
    savedChanged = Signal()

    def __init__(self, document: Document, parent: QObject | None = None, maximum_bytes: int = MAXIMUM_BYTES) -> None:
        super().__init__(parent)
        origin = Origin(None, document)
        self._origins = WeakSet([origin])
        self.history = History(document, origin, maximum_bytes)
        self._was_saved = True

    @property
    def document(self) -> Document:
        """The current document."""
        return self.history.document

    @property
    def _origin(self) -> Origin:
        return self.history.present.origin

    @property
    def path(self) -> Path | None:
        """The session file of the document, None if it has none."""
        return self._origin.path

    @property
    def digest(self) -> str:
        """The digest of the session file as it was last read or written, empty if unknown."""
        return self._origin.digest

    @property
    def is_saved(self) -> bool:
        """Whether the document needs no saving."""
        return self._origin.holds(self.document)

    def undo(self) -> None:
        """Show the document before the last step, if there is one."""
        if self.history.can_undo:
            self._move(-1)

    def redo(self) -> None:
        """Make the step that was undone last again, if there is one."""
        if self.history.can_redo:
            self._move(1)

    def try_edit(self, name: str, value: Any, gesture: object = None) -> None:
        """Change one field as ``edit`` does; emit ``editRefused`` for a bad value and leave the document unchanged."""
        try:
            changed = self.document.edited(name, value)
        except (TypeError, ValueError) as error:
            self.editRefused.emit(name, value, str(error))
        else:
            self._edit(changed, name, gesture)

    def edit(self, name: str, value: Any, gesture: object = None) -> None:
        """Change one field; edits of the same field in the same ``gesture`` (a slider drag) are one step of undo.

        TypeError or ValueError with one sentence for a bad value; the document is then unchanged.
        """
        self._edit(self.document.edited(name, value), name, gesture)

    def _edit(self, changed: Document, name: str, gesture: object) -> None:
        if changed == self.document:
            return
        change = _change(self.document, changed)
        field = next(each for each in self.document.fields if each.name == name)
        if field is SENTENCE:
            text, gesture = "typing", gesture or _word_being_typed(change, changed.sentence)
        else:
            before, after = (_brief_value(field, each.value(name)) for each in (self.document, changed))
            text = f"{field.name} {before} → {after}"
        self._push(changed, change, text, (name, gesture) if gesture is not None else None)

    def replace(self, document: Document, text: str) -> None:
        """Show another document, as one step of undo that is called ``text``."""
        if document != self.document:
            self._push(document, _change(self.document, document), text)

    def compare(self, encodings: Sequence[NamedEncoding], current: int, text: str) -> None:
        """Compare these encodings, of which the one at ``current`` is chosen, as one step that is called ``text``."""
        self.replace(self.document.with_encodings(encodings, current), text)

    def begin(
        self, document: Document, text: str, path: Path | None = None, saved: bool = True, digest: str = ""
    ) -> None:
        """Show the document of another session, as one step; undo returns to the previous session and its file.

        ``saved`` is False if the document differs from the file's; it is then marked as unsaved.
        """
        origin = Origin(path and path.absolute(), document if saved else None, digest)
        if saved:
            _record_saved(self._origins, origin.path, document)
        self._origins.add(origin)
        self._push(document, _change(self.document, document), text, origin=origin)

    @property
    def guest(self) -> Guest | None:
        """The guest in place of the user's own document; None if that is shown, or another file since."""
        return self._origin.guest

    def visit(self, document: Document, text: str, gesture: object) -> None:
        """Show the document of a lesson or a question in place of the user's own, as one step with its gesture."""
        guest = self.guest
        own = (self.document, self._origin) if guest is None else (guest.own, guest.origin)
        origin = Origin(None, None, guest=Guest(*own, document))
        self._origins.add(origin)
        self._push(document, _change(self.document, document), text, gesture, origin)

    def fold_visit(self) -> None:
        """Put the user's own document one undo away, and fold the later steps into one.

        The user's later edits stay below it, edit by edit. A guest that was saved in a file, with its
        edits, remains a separate step.
        """
        guest = self.guest
        if guest is not None:
            self.history.fold(_is_visit, guest.own, guest.origin)
            self.historyChanged.emit()

    def end_visit(self) -> None:
        """Return to the user's own document, as one step; redo shows the last guest."""
        guest = self.guest
        if guest is None:
            return
        self.fold_visit()
        earlier = self.history.earlier
        if earlier is not None and earlier.origin is guest.origin:
            self.undo()
        else:  # a guest was saved in a file, or the history dropped that step because it needs too much memory
            self._push(guest.own, _change(self.document, guest.own), OWN_TEXT, origin=guest.origin)

    def keep_guest(self) -> None:
        """Treat the document of a lesson or a question as the user's own from now on."""
        self._origin.guest = None

    def set_saved(self, path: Path, digest: str = "") -> None:
        """Record that the document was saved in this file, which is the document's file from now on."""
        self._origin.path = path.absolute()
        for origin in _record_saved(self._origins, self.path, self.document):
            origin.digest = digest
        self.mark_saved()
        self.pathChanged.emit()

    def mark_saved(self) -> None:
        """Mark the document as saved; the next edit is a separate step."""
        self._origin.saved = self.document
        self.history.end_gesture()
        self._tell_saved()

    def _push(
        self, after: Document, change: TextChange, text: str, gesture: object = None, origin: Origin | None = None
    ) -> None:
        before = self.document.tokens, self.path
        self.history.push(after, change, text, gesture, origin)
        self._tell(change, *before)

    def _move(self, by: int) -> None:
        before = self.document.tokens, self.path
        self._tell(self.history.move(by), *before)

    def _tell(self, change: TextChange, tokens: str, path: Path | None) -> None:
        """Emit the signals; ``tokens`` and ``path`` belong to the previous document."""
        if change != NO_CHANGE or self.document.tokens != tokens:
            self.document.tokens_after(change)
        self.documentChanged.emit(self.document)
        self.historyChanged.emit()
        self._tell_saved()
        if self.path != path:
            self.pathChanged.emit()

    def _tell_saved(self) -> None:
        if self.is_saved != self._was_saved:
            self._was_saved = self.is_saved
            self.savedChanged.emit()


def _record_saved(origins: Iterable[Origin], path: Path | None, document: Document) -> list[Origin]:
    """The origins of the file, if it is one, marked as the file of the document."""
    found = [origin for origin in origins if path is not None and origin.path == path]
    for origin in found:
        origin.saved = document
    return found


def _change(before: Document, after: Document) -> TextChange:
    """The change of the sentence, which the history and the tokenizer share."""
    same = after.sentence == before.sentence
    return NO_CHANGE if same else TextChange.between(before.sentence, after.sentence)


def _is_visit(step: Step) -> bool:
    return step.origin.guest is not None and step.origin.path is None


def _brief_value(field: Field, value: Any) -> str:
    """The beginning of a value's text; only as many numbers of a long list are formatted as can be seen."""
    return brief(as_written(field.format(value[:BRIEF] if isinstance(value, tuple) else value)))


def _word_being_typed(change: TextChange, text: str) -> object:
    """The gesture of adding letters to one word, or of removing them from it; None for other changes."""
    shorter, longer = sorted((change.before, change.after), key=len)
    if len(longer) - len(shorter) != 1 or longer[0].isspace():
        return None
    start = max(text.rfind(sign, 0, change.start) for sign in " \n") + 1
    return ("word", start, len(change.after) > len(change.before))
