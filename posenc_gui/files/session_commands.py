"""Opening and saving sessions: dialogs, recent files, and the window's title."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from posenc_core import Document
from posenc_core.fields import MissingFileError, one_line
from posenc_core.tables import ArrayTable, Table
from posenc_core.text import ModelTokenizer
from posenc_gui.files.atomic import remove_leftover
from posenc_gui.files.errors import FileError
from posenc_gui.files.session import open_session, save_session
from posenc_gui.files.settings import Settings
from posenc_gui.look.message_boxes import MessageBox, ask_to_save, warn
from posenc_gui.model.document_store import DocumentStore

SUFFIX = ".posenc"
_SESSIONS = "Sessions (*.posenc *.json)"

_TABLES_KEPT = 16
"""The number of opened tables that a session may refer to. They are memory-mapped, which is cheap."""

_TOKENIZERS_KEPT = 4
"""A large vocabulary takes some hundred megabytes."""


class SessionCommands(QObject):
    """Opens and saves the document's file. ``changed`` follows a change of its name or of the recent files."""

    changed = Signal()

    def __init__(self, store: DocumentStore, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self._store, self._settings, self._parent = store, settings, parent
        self._tables: list[ArrayTable] = []
        self._tokenizers: list[ModelTokenizer] = []
        store.pathChanged.connect(self.changed)

    @property
    def path(self) -> Path | None:
        """The file that the document belongs to; undo restores the earlier one too."""
        return self._store.path

    def new(self) -> None:
        """Start a new session, unless the user wants to keep unsaved work."""
        if self.may_leave():
            self._store.begin(Document(), "new session")

    def open(self, path: Path) -> bool:
        """Open the file; returns whether it can be opened. Otherwise the reason is shown and nothing changes."""
        if self._read(path) is None or not self.may_leave():
            return False
        document = self._read(path)  # again: the user may just have saved to this file
        if document is None:
            return False
        self._store.begin(document, f"open {path.name}", None if path.suffix.lower() == ".png" else path)
        remove_leftover(path)
        self.remember(path)
        return True

    def save(self) -> bool:
        """Save the document, under its own name if it has one; returns whether it was saved."""
        return self.ask_save() if self.path is None else self._write(self.path)

    def ask_save(self) -> bool:
        """Save the document under a name that the user chooses; returns whether it was saved."""
        start = self.path or self._settings.folder("sessions") / f"session{SUFFIX}"
        name, _ = QFileDialog.getSaveFileName(self._parent, "Save as", str(start), _SESSIONS)
        if not name:
            return False
        path = Path(name)
        return self._write(path if path.suffix else path.with_suffix(SUFFIX))

    def may_leave(self) -> bool:
        """Whether the document may be replaced: it is saved, or the user saves it now or discards it."""
        if self._store.history.isClean() or not self._store.history.count():
            return True
        button = MessageBox.StandardButton
        name = self.path.name if self.path else "this session"
        answer = ask_to_save(self._parent, "Unsaved changes", f"Save the changes to {name}?")
        return answer == button.Discard or (answer == button.Save and self.save())

    @property
    def title(self) -> str:
        """The window's title, with Qt's placeholder for the mark of unsaved changes."""
        model = self._store.document.model
        names = (self.path.name if self.path else "Untitled", *(() if model is None else (model.name,)))
        name, *about = (one_line(each).replace("[*]", "[*][*]") for each in names)
        return " — ".join((f"{name}[*]", *about, "PosEnc"))

    def add_table(self, table: Table) -> None:
        """Keep a table that was opened, for sessions that refer to it."""
        if isinstance(table, ArrayTable):
            others = [each for each in self._tables if each.digest != table.digest]
            self._tables = [table, *others][:_TABLES_KEPT]

    def add_tokenizer(self, tokenizer: ModelTokenizer) -> None:
        """Keep a tokenizer that was opened, for sessions that refer to it."""
        others = [each for each in self._tokenizers if each != tokenizer]
        self._tokenizers = [tokenizer, *others][:_TOKENIZERS_KEPT]

    def remember(self, path: Path, purpose: str = "sessions") -> None:
        """Remember the folder for this purpose and, unless it is a picture, the file as a recent one."""
        self._settings.set_folder(purpose, path.absolute().parent)
        if path.suffix.lower() != ".png":
            self._settings.add_recent_file(path)
        self.changed.emit()

    def forget(self, path: Path) -> None:
        """Remove a file that cannot be opened from the recent ones."""
        self._settings.remove_recent_file(str(path.absolute()))
        self.changed.emit()

    def _read(self, path: Path) -> Document | None:
        """The document in the file; None, after a message, if it cannot be read."""
        try:
            shown = self._store.document
            tokenizers = (*self._tokenizers, *filter(None, [shown.tokenizer]))
            return open_session(path, (*self._tables, *shown.tables), tokenizers)
        except FileError as error:
            if not isinstance(error.__cause__, MissingFileError):  # the session can be opened after its table
                self.forget(path)
            warn(self._parent, "Cannot open", str(error))
            return None

    def _write(self, path: Path) -> bool:
        try:
            save_session(self._store.document, path)
        except FileError as error:
            warn(self._parent, "Cannot save", str(error))
            return False
        self._store.set_saved(path)
        self.remember(path)
        return True
