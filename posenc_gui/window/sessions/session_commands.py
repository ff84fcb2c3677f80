"""Opening and saving sessions: dialogs, recent files, and the window's title."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from posenc_core import Document, tables
from posenc_core.fields import MissingFileError, NoSessionError, one_line
from posenc_gui import files, look
from posenc_gui.files import FileError, Settings
from posenc_gui.model import DocumentStore

if TYPE_CHECKING:
    from posenc_core.text import ModelTokenizer

SUFFIX = ".posenc"
_SESSIONS = "Sessions (*.posenc *.json)"
_OPENED = (
    "Files that can be opened: sessions (.posenc, and .png, .apng and .html exported with one), tables and numbers "
    "(.npy, .safetensors, .npz, .csv, .tsv, .txt), models (config.json, .gguf, a model's folder) and tokenizer.json."
)
_RELOAD, _SAVE_AS, _REPLACE = "&Reload", "Save &as…", "Re&place"

_TABLES_KEPT = 16
"""The number of opened tables that a session may refer to. They are memory-mapped, which is cheap."""

_TOKENIZERS_KEPT = 4
"""A large vocabulary needs some hundred megabytes."""


class SessionCommands(QObject):
    """Opens and saves the document's file. ``changed`` follows a change of the name or of the recent files.

    ``begun`` follows the start of a new session.
    ``placeFound`` carries the place named in an opened session; ``place`` is the place to save.
    """

    changed = Signal()
    begun = Signal()
    placeFound = Signal(object)
    place: "Callable[[], files.Place] | None" = None

    def __init__(self, store: DocumentStore, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self._store, self._settings, self._parent = store, settings, parent
        self._tables: list[tables.ArrayTable] = []
        self._tokenizers: list[ModelTokenizer] = []
        store.pathChanged.connect(self.changed)

    @property
    def path(self) -> Path | None:
        """The file that the document belongs to; undo restores the earlier one too."""
        return self._store.path

    def new(self) -> None:
        """Start a new session, unless the user wants to keep unsaved work."""
        if self.may_leave():
            self._store.begin(Document.initial(), "new session")
            self.begun.emit()

    def open(self, path: Path) -> bool:
        """Open the file; returns whether it can be opened. Otherwise the reason is shown and nothing changes."""
        if self.read(path) is None or not self.may_leave():
            return False
        return self._begin(path, "open")  # reads it again: the user may just have saved to this file

    def save(self) -> bool:
        """Save the document, under its own name if it has one; returns whether it was saved.

        If the file was changed since it was last read or written, the user decides.
        """
        return self.ask_save() if self.path is None else self._write(self.path, self._store.digest)

    def ask_save(self) -> bool:
        """Save the document under a name that the user chooses; returns whether it was saved."""
        start = self.path or self._settings.folder("sessions") / f"session{SUFFIX}"
        path = look.ask_new_file(self._parent, "Save as", start, _SESSIONS, SUFFIX)
        return path is not None and self._write(path)

    def may_leave(self) -> bool:
        """Whether the document may be replaced: it is saved, or the user now saves or discards it.

        During a lesson, both its document and the user's own are checked, the user's own last.
        """
        guest = self._store.guest
        if guest is None:
            return self._may_lose("this session")
        is_edited = self._store.document != guest.shown
        if is_edited and not self._may_lose("the document of the lesson"):
            return False
        if guest.is_own_saved:
            return True
        self._store.end_visit()
        return self._may_lose("your own session")

    def _may_lose(self, unnamed: str) -> bool:
        """Whether the document that is shown is saved, or the user saves it now or discards it."""
        if self._store.is_saved:
            return True
        button = look.MessageBox.StandardButton
        name = self.path.name if self.path else unnamed
        answer = look.ask_to_save(self._parent, "Unsaved changes", f"Save the changes to {name}?")
        return answer == button.Discard or (answer == button.Save and self.save())

    @property
    def title(self) -> str:
        """The window's title, with Qt's placeholder for the mark of unsaved changes."""
        model = self._store.document.model
        names = (self.path.name if self.path else "Untitled", *(() if model is None else (model.name,)))
        name, *about = (one_line(each).replace("[*]", "[*][*]") for each in names)
        return " — ".join((f"{name}[*]", *about, "PosEnc"))

    def add_table(self, table: "tables.Table") -> None:
        """Keep a table that was opened, for sessions that refer to it."""
        if isinstance(table, tables.ArrayTable):
            others = [each for each in self._tables if each.digest != table.digest]
            self._tables = [table, *others][:_TABLES_KEPT]

    def add_tokenizer(self, tokenizer: "ModelTokenizer") -> None:
        """Keep a tokenizer that was opened, for sessions that refer to it."""
        others = [each for each in self._tokenizers if each != tokenizer]
        self._tokenizers = [tokenizer, *others][:_TOKENIZERS_KEPT]

    def remember(self, path: Path, purpose: str = "sessions") -> None:
        """Remember the folder for this purpose and, unless it is a picture or a page, the file as a recent one."""
        self._settings.set_folder(purpose, path.absolute().parent)
        if path.suffix.lower() not in (".png", ".apng", ".html"):
            self._settings.add_recent_file(path)
        self.changed.emit()

    def forget(self, path: Path) -> None:
        """Remove a file that cannot be opened from the recent ones."""
        with suppress(FileNotFoundError):  # a relative path, and the current folder was deleted
            self._settings.remove_recent_file(str(path.absolute()))
        self.changed.emit()

    def _begin(self, path: Path, verb: str) -> bool:
        """Show the file's document; returns whether it can be read. Otherwise the reason is shown."""
        found = self.read(path)
        if found is None:
            return False
        own = path if found.digest else None  # a session is not saved to the picture or page that contains it
        self._store.begin(found.document, f"{verb} {path.name}", own, digest=found.digest)
        self.placeFound.emit(found.place)
        files.remove_leftover(path)
        self.remember(path)
        return True

    def read(self, path: Path) -> "files.Stored | None":
        """The content of the file; None, after a message, if it cannot be read."""
        try:
            shown = self._store.document
            tokenizers = (*self._tokenizers, *filter(None, [shown.tokenizer]))
            return files.read_session(path, (*self._tables, *shown.tables), tokenizers)
        except FileError as error:
            if not isinstance(error.__cause__, MissingFileError):  # the session can be opened after its table
                self.forget(path)
            is_unknown = isinstance(error.__cause__, NoSessionError) and path.suffix.lower() != SUFFIX
            told = f"{error}. {_OPENED}" if is_unknown else str(error)
            look.warn(self._parent, "Cannot open", told)
            return None

    def _write(self, path: Path, known: str = "") -> bool:
        try:
            place = files.Place() if self.place is None else self.place()
            digest = files.save_session(self._store.document, path, known, place)
        except FileError as error:
            problem = error
        else:
            self._store.set_saved(path, digest)
            self.remember(path)
            return True
        if isinstance(problem, files.FileChangedError):
            return self._settle(path)
        look.warn(self._parent, "Cannot save", str(problem))
        return False

    def _settle(self, path: Path) -> bool:
        """Let the user decide between the document and its file, which was changed; returns whether it was saved."""
        text = f"{one_line(path.name)} was changed by another window or program since it was opened or saved here."
        details = "Reload shows the file as it is now; Undo restores your changes. Replace overwrites the file."
        choices = (_RELOAD, _SAVE_AS, _REPLACE)
        answer = look.ask_choice(self._parent, "The file was changed", text, details, choices, default=_SAVE_AS)
        if answer == _RELOAD:
            self._begin(path, "reload")
        if answer == _SAVE_AS:
            return self.ask_save()
        return answer == _REPLACE and self._write(path)
