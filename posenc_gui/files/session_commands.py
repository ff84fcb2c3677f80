"""Opening and saving: dialogs, recent files, and the name in the title."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from posenc_core import Document
from posenc_core.fields import one_line
from posenc_core.tables import ArrayTable, MissingTableError, Table
from posenc_gui.files.atomic import FileError
from posenc_gui.files.session import open_session, save_session
from posenc_gui.files.settings import Settings
from posenc_gui.look.message_boxes import ask_to_save, warn
from posenc_gui.model.document_store import DocumentStore

SUFFIX = ".posenc"
_SESSIONS = "Sessions (*.posenc *.json)"
_OPENED = (
    "All that can be opened (*.posenc *.json *.png *.npy *.safetensors);;"
    "Sessions and exported pictures (*.posenc *.json *.png);;All files (*)"
)

_TABLES_KEPT = 16
"""Tables of this run that a session may name. They are mapped into memory: an unused one takes no room."""


class SessionCommands(QObject):
    """The file that the document belongs to. ``changed`` says that its name or the recent files changed."""

    changed = Signal()

    def __init__(self, store: DocumentStore, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self._store, self._settings, self._parent = store, settings, parent
        self._tables: list[ArrayTable] = []
        store.pathChanged.connect(self.changed)

    @property
    def path(self) -> Path | None:
        """The file that the document belongs to; undo leads back to the file before as well."""
        return self._store.path

    def new(self) -> None:
        """Begin again with the first sentence, unless there is unsaved work that the person wants to keep."""
        if self.may_leave():
            self._store.begin(Document(), "new session")

    def ask_path(self) -> Path | None:
        """The file that the person chooses to open, None for none."""
        folder = str(self._settings.folder("sessions"))
        name, _ = QFileDialog.getOpenFileName(self._parent, "Open", folder, _OPENED)
        return Path(name) if name else None

    def open(self, path: Path) -> bool:
        """Whether the file was opened; one that cannot be read is named with the reason, and nothing changes."""
        if self._read(path) is None or not self.may_leave():
            return False
        document = self._read(path)  # again: what was asked to be saved just now may be this very file
        if document is None:
            return False
        self._store.begin(document, f"open {path.name}", None if path.suffix.lower() == ".png" else path)
        self._remember(path)
        return True

    def save(self) -> bool:
        """Whether the document was saved, under its own name if it has one."""
        return self.ask_save() if self.path is None else self._write(self.path)

    def ask_save(self) -> bool:
        """Whether the document was saved under a name that the person chose."""
        start = self.path or self._settings.folder("sessions") / f"session{SUFFIX}"
        name, _ = QFileDialog.getSaveFileName(self._parent, "Save as", str(start), _SESSIONS)
        if not name:
            return False
        path = Path(name)
        return self._write(path if path.suffix else path.with_suffix(SUFFIX))

    def may_leave(self) -> bool:
        """Whether the document may be left: it is saved, or the person saves it now or does not want it."""
        if self._store.history.isClean() or not self._store.history.count():
            return True
        button = QMessageBox.StandardButton
        name = self.path.name if self.path else "this session"
        answer = ask_to_save(self._parent, "Unsaved changes", f"Save the changes to {name}?")
        return answer == button.Discard or (answer == button.Save and self.save())

    @property
    def title(self) -> str:
        """The window's title, with Qt's mark for unsaved changes."""
        name = one_line(self.path.name).replace("[*]", "[*][*]") if self.path else "Untitled"
        return f"{name}[*] — PosEnc"

    def add_table(self, table: Table) -> None:
        """Take down that this table was opened, for sessions that name it."""
        if isinstance(table, ArrayTable):
            others = [each for each in self._tables if each.digest != table.digest]
            self._tables = [table, *others][:_TABLES_KEPT]

    def offer_again(self, path: Path) -> None:
        """Put a file that was opened among the recent ones."""
        self._settings.add_recent_file(path)
        self.changed.emit()

    def forget(self, path: Path) -> None:
        """Take a file that cannot be opened from the recent ones."""
        self._settings.remove_recent_file(str(path.absolute()))
        self.changed.emit()

    def _read(self, path: Path) -> Document | None:
        """The document in the file; None after its sentence if it cannot be read."""
        try:
            return open_session(path, (*self._tables, *self._store.document.tables))
        except FileError as error:
            if not isinstance(error.__cause__, MissingTableError):  # once the table is open, the session is as well
                self.forget(path)
            self._complain("Cannot open", str(error))
            return None

    def _write(self, path: Path) -> bool:
        try:
            save_session(self._store.document, path)
        except FileError as error:
            self._complain("Cannot save", str(error))
            return False
        self._store.set_saved(path)
        self._remember(path)
        return True

    def _remember(self, path: Path) -> None:
        """Offer the folder and, unless it is a picture, the file the next time."""
        self._settings.set_folder("sessions", path.absolute().parent)
        if path.suffix.lower() != ".png":
            self._settings.add_recent_file(path)
        self.changed.emit()

    def _complain(self, title: str, sentence: str) -> None:
        warn(self._parent, title, sentence)
