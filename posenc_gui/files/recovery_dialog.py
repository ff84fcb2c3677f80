"""Asks at the start what to do with the work that a crash left."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox, QWidget

from posenc_core.fields import one_line
from posenc_gui.files.autosave import Autosave
from posenc_gui.files.errors import FileError
from posenc_gui.files.recovery import Left
from posenc_gui.files.session import open_session
from posenc_gui.look.message_boxes import show_plainly
from posenc_gui.model.document_store import DocumentStore


class RecoveryOffer(QObject):
    """Offers what was left, the newest first: to restore it, to discard it, or to leave it to the next start."""

    def __init__(self, left: list[Left], store: DocumentStore, autosave: Autosave, window: QWidget) -> None:
        super().__init__(window)
        self._waiting = [each for each in left if not _was_saved(each)]
        self._store, self._autosave, self._window = store, autosave, window

    def ask(self) -> None:
        """Ask for the first one that waits; without waiting for the answer."""
        if not self._waiting:
            return
        left, others = self._waiting[0], len(self._waiting) - 1
        name = f"the session {left.file.name}" if left.file else "a session without a name"
        box = QMessageBox(self._window)
        box.setWindowTitle("Restore unsaved work")
        box.setIcon(QMessageBox.Icon.Question)
        box.setText(f"PosEnc ended before {name} was saved. Restore it?")
        later = " Its file was saved after that." if _is_newer(left) else ""
        more = f" {others} more {'waits' if others == 1 else 'wait'} after this one." if others else ""
        box.setInformativeText(
            f"It was last changed on {left.time:%d %B %Y at %H:%M}: {_beginning(left)}.{later}{more}"
        )
        button = QMessageBox.ButtonRole
        restore = box.addButton("&Restore", button.AcceptRole)
        discard = box.addButton("&Discard", button.DestructiveRole)
        box.setEscapeButton(box.addButton("&Later", button.RejectRole))
        box.setDefaultButton(restore)
        box.buttonClicked.connect(
            lambda pressed: self._restore() if pressed is restore else self._discard() if pressed is discard else None
        )
        box.finished.connect(lambda: self._go_on(box.clickedButton() is discard))
        box.finished.connect(box.deleteLater)
        show_plainly(box).open()

    def _restore(self) -> None:
        left = self._waiting.pop(0)
        self._store.begin(left.document, "restore unsaved work", left.file, saved=False)
        self._autosave.keep()
        self._autosave.finish()  # before the one that was left is removed
        left.discard()

    def _discard(self) -> None:
        self._waiting.pop(0).discard()

    def _go_on(self, wants_more: bool) -> None:
        if wants_more and self._waiting:
            self.ask()
            return
        self.give_up()

    def give_up(self) -> None:
        """Leave what still waits to the next start."""
        for left in self._waiting:
            left.release()
        self._waiting.clear()


def _was_saved(left: Left) -> bool:
    """Whether the file holds the very document; what was left is then removed without a question."""
    if left.file is None:
        return False
    try:
        same = open_session(left.file) == left.document
    except FileError:
        return False
    if same:
        left.discard()
    return same


def _is_newer(left: Left) -> bool:
    """Whether the file was saved later than what was left, by another window perhaps."""
    try:
        return left.file is not None and left.file.stat().st_mtime > left.time.timestamp()
    except OSError:
        return False


def _beginning(left: Left) -> str:
    text = one_line(left.document.sentence)
    return f"“{text[:40]}{'…' if len(text) > 40 else ''}”" if text else "an empty sentence"
