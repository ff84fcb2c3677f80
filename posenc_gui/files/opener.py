"""Opening files of every kind: sessions and pictures, tables, and a model's config.json."""

import json
import stat
from collections.abc import Sequence
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from posenc_core import Document, LearnedTable
from posenc_core.model_config import MAXIMUM_BYTES
from posenc_core.tables import is_table_file, open_table, tables_in
from posenc_gui.files.errors import FileError
from posenc_gui.files.session import layer_types_in, open_config
from posenc_gui.files.session_commands import SessionCommands
from posenc_gui.files.settings import Settings
from posenc_gui.look.choice_dialog import ChoiceDialog
from posenc_gui.look.message_boxes import warn
from posenc_gui.look.style import LIGHT, Style
from posenc_gui.model.document_store import DocumentStore

_ALL = (
    "All supported files (*.posenc *.json *.png *.npy *.safetensors);;"
    "Sessions and exported pictures (*.posenc *.json *.png);;All files (*)"
)
_TABLES = "Tables (*.npy *.safetensors);;All files (*)"
_CONFIGS = "Models' configurations (*.json);;All files (*)"
_ONE_LAYER_TYPE = 1


TABLE_SUFFIXES = (".npy", ".safetensors")

_START = 16
_CONFIG_NAME = "config.json"
_CONFIG_KEYS = {"model_type", "architectures", "transformers_version", "rope_theta", "rope_scaling", "rope_parameters"}
"""A model's configuration has at least one of these keys, a session none."""


class FileKind(Enum):
    """What a file is opened as."""

    SESSION = "session"
    """A session, a picture that carries one, or an unknown file: the error of a session describes that best."""
    TABLE = "table"
    CONFIG = "config"


class FileOpener(QObject):
    """Opens the file that the user chooses, drops or names. A file that cannot be opened is reported in one sentence.

    A table or a configuration replaces the encoding, as one step of undo; a session replaces the document.
    """

    def __init__(self, store: DocumentStore, sessions: SessionCommands, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self._store, self._sessions, self._settings, self._parent = store, sessions, settings, parent
        self._style = LIGHT

    def show_style(self, style: Style) -> None:
        """Use the style for the dialogs from now on."""
        self._style = style

    def open(self, path: Path) -> bool:
        """Open the file as what its content says; returns whether it was opened."""
        match kind_of(path):
            case FileKind.TABLE:
                return self.open_table(path)
            case FileKind.CONFIG:
                return self.open_config(path)
        return self._sessions.open(path)

    def ask_open(self) -> None:
        """Let the user choose a file of any kind and open it."""
        path = self._ask("Open", "sessions", _ALL)
        if path is not None:
            self.open(path)

    def ask_open_table(self) -> None:
        """Let the user choose a file with a table and open it."""
        path = self._ask("Open table", "tables", _TABLES)
        if path is not None:
            self.open_table(path)

    def ask_open_config(self) -> None:
        """Let the user choose a model's config.json and open it."""
        path = self._ask("Open model config", "configs", _CONFIGS)
        if path is not None:
            self.open_config(path)

    def open_table(self, path: Path) -> bool:
        """Show the file's table, or the one that the user chooses of several; returns whether it is shown."""
        try:
            found = tables_in(path)
            rows = [(each.name, " × ".join(map(str, each.shape)), each.dtype) for each in found]
            number = self._chosen("Open table", f"Which table of {path.name}?", ("tensor", "shape", "type"), rows)
            if number is None and found:
                return False
            encoding = LearnedTable(open_table(path, None if number is None else found[number].name))
        except ValueError as error:
            return self._refused(path, str(error))
        self._sessions.add_table(encoding.rows)
        return self._shown(path, self._store.document.with_encoding(encoding), f"table {encoding.label}", "tables")

    def open_config(self, path: Path) -> bool:
        """Show the positions of the model with this config.json; returns whether they are shown."""
        try:
            types = layer_types_in(path)
            rows = [(name,) for name in types]
            number = self._chosen("Open model config", "Which of the model's layers?", ("layers",), rows)
            if number is None and len(types) > _ONE_LAYER_TYPE:
                return False
            layer_type = None if number is None else types[number]
            document = open_config(path, self._store.document, layer_type)
        except FileError as error:
            return self._refused(path, str(error))
        named = path.parent.name if path.name == "config.json" and path.parent.name else path.name
        return self._shown(path, document, f"model config {named}", "configs")

    def _ask(self, title: str, purpose: str, kinds: str) -> Path | None:
        name, _ = QFileDialog.getOpenFileName(self._parent, title, str(self._settings.folder(purpose)), kinds)
        return Path(name) if name else None

    def _chosen(self, title: str, question: str, columns: Sequence[str], rows: Sequence[tuple[str, ...]]) -> int | None:
        """The number of the row that the user chooses, None for none; a single row is not asked for."""
        if len(rows) <= 1:
            return 0 if rows else None
        dialog = ChoiceDialog(title, question, columns, rows, self._style, self._parent)
        number = dialog.chosen if dialog.exec() else None
        dialog.deleteLater()
        return number

    def _shown(self, path: Path, document: Document, text: str, purpose: str) -> bool:
        self._store.replace(document, text)
        self._sessions.remember(path, purpose)
        return True

    def _refused(self, path: Path, sentence: str) -> bool:
        self._sessions.forget(path)
        warn(self._parent, "Cannot open", sentence)
        return False


def kind_of(path: Path) -> FileKind:
    """The kind of the file by its content, by its name if it cannot be read; opening it then reports the reason."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # reading a pipe could block
            return _by_name(path)
        with path.open("rb") as stream:
            start = stream.read(_START)
            if is_table_file(start):
                return FileKind.TABLE
            if not start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
                return _by_name(path)
            text = start + stream.read(MAXIMUM_BYTES + 1 - len(start))
    except (OSError, ValueError):
        return _by_name(path)
    return _of_object(text, path)


def _by_name(path: Path) -> FileKind:
    if path.suffix.lower() in TABLE_SUFFIXES:
        return FileKind.TABLE
    return FileKind.CONFIG if path.name.lower() == _CONFIG_NAME else FileKind.SESSION


def _of_object(text: bytes, path: Path) -> FileKind:
    """The kind of a JSON object: a session has the key ``format``."""
    try:
        held = json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError):  # truncated, too large, not UTF-8, or nested too deeply
        return _by_name(path)
    if not isinstance(held, dict) or "format" in held:
        return FileKind.SESSION
    return FileKind.CONFIG if held.keys() & _CONFIG_KEYS else _by_name(path)
