"""The question at the start about the unsaved work of a crash."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from posenc_core import Document
from posenc_core.fields import one_line
from posenc_gui.files import FileError, Left, open_session, shown
from posenc_gui.look import MessageBox
from posenc_gui.model import DocumentStore
from posenc_gui.window.sessions.autosave import Autosave

_QUIT = "Ctrl+Q"


class RecoveryOffer(QObject):
    """Offers to restore or discard each stored document, the newest first, or to keep all for the next start."""

    def __init__(self, left: list[Left], store: DocumentStore, autosave: Autosave, window: QWidget) -> None:
        super().__init__(window)
        self._waiting = [each for each in left if not _was_saved(each)]
        self._store, self._autosave, self._window = store, autosave, window

    def ask(self) -> None:
        """Open the question about the first document that waits; returns before it is answered."""
        if not self._waiting:
            return
        name, details = _described(self._waiting[0], len(self._waiting) - 1)
        question = f"PosEnc ended before {name} was saved. Restore it?"
        box = self._box = MessageBox(MessageBox.Icon.Question, "Restore unsaved work", question, self._window)
        box.setInformativeText(details)
        role = MessageBox.ButtonRole
        box.setDefaultButton(box.addButton("&Restore", role.AcceptRole))
        box.addButton("&Discard", role.DestructiveRole)
        self._later = box.addButton("&Later", role.RejectRole)
        box.setEscapeButton(self._later)
        leave = QAction(box)
        leave.setShortcut(_QUIT)
        leave.triggered.connect(self._quit)
        box.addAction(leave)
        box.finished.connect(self._answered)
        box.open()

    def give_up(self) -> None:
        """Keep the documents that still wait for the next start."""
        for left in self._waiting:
            left.release()
        self._waiting.clear()

    def _quit(self) -> None:
        """Keep the documents for the next start and close the window, whose menu the question covers."""
        self._later.click()
        self._window.close()

    def _answered(self) -> None:
        answer = self._box.buttonRole(self._box.clickedButton())
        self._box.deleteLater()
        if answer == MessageBox.ButtonRole.AcceptRole:
            self._restore(self._waiting.pop(0))
        elif answer == MessageBox.ButtonRole.DestructiveRole:
            self._waiting.pop(0).discard()
            if self._waiting:
                self.ask()
                return
        self.give_up()

    def _restore(self, left: Left) -> None:
        if left.lesson is not None:
            self._store.begin(left.lesson, "restore the lesson", saved=False)
        self._store.begin(left.document, "restore unsaved work", left.file, saved=False, digest=left.digest)
        self._autosave.keep()
        if self._autosave.finish():  # the restored document is on disk before the old file is removed
            left.discard()
        else:
            left.release()


def _described(left: Left, others: int) -> tuple[str, str]:
    """The name of a recovered document, and sentences that distinguish it."""
    unnamed = "your changes in a lesson" if left.guest else "a session without a name"
    name = f"the session {shown(left.file.name)}" if left.file else unnamed
    later = " Its file was saved after that." if _is_older_than_its_file(left) else ""
    more = f" {others} more {'waits' if others == 1 else 'wait'} after this one." if others else ""
    told = "" if left.lesson is None else f" Undo then shows the document of the lesson, {_beginning(left.lesson)}."
    when = f"{left.time:%d %B %Y at %H:%M}"
    return name, f"It was last changed on {when}: {_beginning(left.document)}.{later}{told}{more}"


def _beginning(document: Document) -> str:
    """The beginning of the document's sentence in quotation marks."""
    text = one_line(document.sentence)
    return f"“{text[:40]}{'…' if len(text) > 40 else ''}”" if text else "an empty sentence"


def _was_saved(left: Left) -> bool:
    """Whether the file contains the same document; then the stored one is removed."""
    if left.file is None or left.lesson is not None:
        return False
    try:
        tokenizers = filter(None, [left.document.tokenizer])
        same = open_session(left.file, left.document.tables, tokenizers) == left.document
    except FileError:
        return False
    if same:
        left.discard()
    return same


def _is_older_than_its_file(left: Left) -> bool:
    """Whether the file was saved later, for example by another window."""
    try:
        return left.file is not None and left.file.stat().st_mtime > left.time.timestamp()
    except (OSError, ValueError):  # a name that no file can have
        return False
