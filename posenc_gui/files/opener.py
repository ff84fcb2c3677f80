"""Opening files of every kind: sessions and pictures, tables, and models' config.json."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from posenc_core import Document, LearnedTable
from posenc_core.model_config import ModelConfig
from posenc_core.tables import open_table, tables_in
from posenc_gui.files.atomic import FileError
from posenc_gui.files.file_kinds import FileKind, recognized
from posenc_gui.files.session import read_config, with_config
from posenc_gui.files.session_commands import SessionCommands
from posenc_gui.files.settings import Settings
from posenc_gui.look.choice_dialog import ChoiceDialog
from posenc_gui.look.message_boxes import warn
from posenc_gui.look.style import Style
from posenc_gui.model.document_store import DocumentStore

_TABLES = "Tables (*.npy *.safetensors);;All files (*)"
_CONFIGS = "Models' configurations (*.json);;All files (*)"
_ONE_LAYER_TYPE = 1


class FileOpener(QObject):
    """Opens what a person chooses, drops or names; what cannot be opened is one sentence, and nothing changes.

    A table and a configuration change the encoding alone, as one step of undo; a session takes the document's place.
    """

    def __init__(
        self,
        store: DocumentStore,
        sessions: SessionCommands,
        settings: Settings,
        style: Callable[[], Style],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._store, self._sessions, self._settings, self._parent = store, sessions, settings, parent
        self._style = style

    def open(self, path: Path) -> bool:
        """Whether the file was opened, as what it holds."""
        found = recognized(path)
        match found.kind:
            case FileKind.TABLE:
                return self.open_table(path)
            case FileKind.CONFIG:
                return self.open_config(path, found.config)
        return self._sessions.open(path)

    def ask_open(self) -> None:
        """Open a file of any kind that the person chooses."""
        path = self._sessions.ask_path()
        if path is not None:
            self.open(path)

    def ask_open_table(self) -> None:
        """Open a table that the person chooses."""
        path = self._ask("Open table", "tables", _TABLES)
        if path is not None:
            self.open_table(path)

    def ask_open_config(self) -> None:
        """Open a model's config.json that the person chooses."""
        path = self._ask("Open model config", "configs", _CONFIGS)
        if path is not None:
            self.open_config(path)

    def open_table(self, path: Path) -> bool:
        """Whether the file's table, the one that the person chose if it has several, is shown now."""
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

    def open_config(self, path: Path, config: ModelConfig | None = None) -> bool:
        """Whether the positions of the model of this config.json are shown now; it is read unless it is given."""
        try:
            config = read_config(path) if config is None else config
            types = config.layer_types
            rows = [(name,) for name in types]
            number = self._chosen("Open model config", "Which of the model's layers?", ("layers",), rows)
            if number is None and len(types) > _ONE_LAYER_TYPE:
                return False
            layer_type = None if number is None else types[number]
            document = with_config(self._store.document, config, path, layer_type)
        except FileError as error:
            return self._refused(path, str(error))
        named = path.parent.name if path.name == "config.json" and path.parent.name else path.name
        return self._shown(path, document, f"model config {named}", "configs")

    def _ask(self, title: str, purpose: str, kinds: str) -> Path | None:
        name, _ = QFileDialog.getOpenFileName(self._parent, title, str(self._settings.folder(purpose)), kinds)
        return Path(name) if name else None

    def _chosen(self, title: str, question: str, columns: Sequence[str], rows: Sequence[tuple[str, ...]]) -> int | None:
        """The row that the person chose, the only one without a question; None for none."""
        if len(rows) <= 1:
            return 0 if rows else None
        dialog = ChoiceDialog(title, question, columns, rows, self._style(), self._parent)
        number = dialog.chosen if dialog.exec() else None
        dialog.deleteLater()
        return number

    def _shown(self, path: Path, document: Document, text: str, purpose: str) -> bool:
        self._store.replace(document, text)
        self._settings.set_folder(purpose, path.absolute().parent)
        self._sessions.offer_again(path)
        return True

    def _refused(self, path: Path, sentence: str) -> bool:
        self._sessions.forget(path)
        warn(self._parent, "Cannot open", sentence)
        return False
