"""Opening files of every kind: sessions and pictures, tables, and models."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from posenc_core import Document, encodings, session, tables
from posenc_core.fields import one_line
from posenc_gui import files, look
from posenc_gui.files import FileError, Settings
from posenc_gui.model import DocumentStore
from posenc_gui.window.sessions.session_commands import SessionCommands

if TYPE_CHECKING:
    from posenc_core.model_config import ModelConfig
    from posenc_gui.docks.card import ModelDock

_ALL = (
    "All supported files (*.posenc *.json *.png *.apng *.html *.npy *.safetensors *.gguf *.npz *.csv *.tsv *.txt);;"
    "Sessions, exported pictures and pages (*.posenc *.json *.png *.apng *.html);;All files (*)"
)
_TABLES = "Tables (*.npy *.safetensors);;All files (*)"
_MODELS = "Models (*.json *.gguf);;All files (*)"

_CHECK, _OPEN = "&Check against formulas", "&Open as a learned table"
_BOTH = "A check names their encoding and their first mistake. A learned table replaces the encoding."
_IS_CODE = "it is Python code, which only File > Open encoding (Python) and --plugin FILE run"

_TOKENIZERS = "Tokenizers (tokenizer.json *.json);;All files (*)"


class FileOpener(QObject):
    """Opens the file that the user chooses, drops or names. A file that cannot be opened is reported in one sentence.

    A table or a model replaces the encoding, as one step of undo; a session replaces the document. ``numbersFound``
    carries the path of a file of numbers to check. ``views`` are the sessions that were opened together,
    the slides of a presentation. ``left`` carries a sentence on files that were not opened beside the first.
    """

    numbersFound = Signal(object)
    left = Signal(str)

    def __init__(self, store: DocumentStore, sessions: SessionCommands, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self._store, self._sessions, self._settings, self._parent = store, sessions, settings, parent
        self._last_model: tuple[session.Model, Path] | None = None
        self.views: tuple[Path, ...] = ()

    def open(self, path: Path) -> bool:
        """Open the file by its content; returns whether it was opened."""
        self.views = ()
        found = files.recognized(path)
        match found.kind:
            case files.FileKind.TABLE:
                return self.open_table(path)
            case files.FileKind.NUMBERS:
                self.numbersFound.emit(path)
                return True
            case files.FileKind.TOKENIZER:
                return self.open_tokenizer(path)
            case files.FileKind.MODEL:
                return self.open_model(path, found.config)
            case files.FileKind.CODE:
                return self._refused(path, f"cannot open {one_line(path.name)}: {_IS_CODE}")
        return self._sessions.open(path)

    def take_all(self, paths: Sequence[Path], as_b: bool = False) -> None:
        """Open the first of several files as ``take`` does; if all are sessions, they become the views."""
        self.views = ()
        kinds = {files.recognized(path).kind for path in paths}
        if not self.take(paths[0], as_b) or len(paths) == 1:
            return
        if kinds == {files.FileKind.SESSION}:
            self.views = tuple(paths)
        else:
            name = one_line(paths[0].name)
            self.left.emit(f"Only {name} was opened: several files open together if all are sessions")

    def take(self, path: Path, as_b: bool = False) -> bool:
        """Open a dropped file, or check its numbers: for a table's file the user chooses.

        With ``as_b`` a model is opened beside the present one.
        """
        found = files.recognized(path)
        if as_b and found.kind is files.FileKind.MODEL:
            return self.open_model(path, found.config, as_b)
        if found.kind is not files.FileKind.TABLE:
            return self.open(path)
        question = f"What should be done with the numbers in {one_line(path.name)}?"
        answer = look.ask_choice(self._parent, "A file of numbers", question, _BOTH, (_CHECK, _OPEN), default=_CHECK)
        if answer == _CHECK:
            self.numbersFound.emit(path)
        return answer == _CHECK or (answer == _OPEN and self.open_table(path))

    def ask_open(self) -> None:
        """Let the user choose a file of any kind and open it, or several sessions, which are then the views."""
        names, _ = QFileDialog.getOpenFileNames(self._parent, "Open", str(self._settings.folder("sessions")), _ALL)
        if len(names) == 1:
            self.open(Path(names[0]))
        elif names:
            self.take_all([Path(name) for name in names])

    def ask_open_table(self) -> None:
        """Let the user choose a file with a table and open it."""
        path = self._ask("Open table", "tables", _TABLES)
        if path is not None:
            self.open_table(path)

    def ask_open_model(self) -> None:
        """Let the user choose a model's config.json or GGUF file and open it."""
        path = self._ask("Open model", "models", _MODELS)
        if path is not None:
            self.open_model(path)

    def ask_open_model_b(self) -> None:
        """Let the user choose a model to compare the open one with."""
        path = self._ask("Open model as B", "models", _MODELS)
        if path is not None:
            self.open_model(path, as_b=True)

    def close_model_b(self) -> None:
        """End the comparison of models; the encodings stay."""
        self._store.replace(self._store.document.with_model_b(None), "close model B")

    def open_table(self, path: Path) -> bool:
        """Show the file's table, or the one that the user chooses of several; returns whether it is shown."""
        try:
            found = tables.tables_in(path)
            rows = [(each.name, " × ".join(map(str, each.shape)), each.dtype) for each in found]
            number = self._chosen("Open table", f"Which table of {path.name}?", ("tensor", "shape", "type"), rows)
            if number is None and found:
                return False
            encoding = encodings.LearnedTable(tables.open_table(path, None if number is None else found[number].name))
        except ValueError as error:
            return self._refused(path, str(error))
        self._sessions.add_table(encoding.table)
        return self._shown(path, self._store.document.with_encoding(encoding), f"table {encoding.label}", "tables")

    def serve(self, dock: "ModelDock") -> None:
        """Open the file that the card of a model requests."""
        dock.layerChosen.connect(self.show_layer)
        dock.openAsked.connect(self.ask_open_model)
        dock.tokenizerAsked.connect(self.open_tokenizer_of_model)
        dock.secondAsked.connect(self.ask_open_model_b)
        dock.secondClosed.connect(self.close_model_b)

    def open_model(self, path: Path, config: "ModelConfig | None" = None, as_b: bool = False) -> bool:
        """Show the positions of a model's first layer, and its card; returns whether they are shown.

        The file is read unless its content, ``config``, is given. With ``as_b`` the model is compared with the open
        one, and its encoding becomes B.
        """
        try:
            model = files.read_model(path, config)
        except FileError as error:
            return self._refused(path, str(error))
        if as_b:
            document = self._store.document.with_model_b(model)
            return self._shown(path, document, f"model {model.name} as B", "models")
        document = self._store.document.with_model(model)
        if document.model is not None and model.tokenizer is not None:
            self._last_model = document.model, model.tokenizer
        return self._shown(path, document, f"model {model.name}", "models")

    def open_tokenizer(self, path: Path) -> bool:
        """Show the tokens of a model's tokenizer; the embedding in its folder can be chosen then."""
        from posenc_gui.window.sessions.tokenizer_loading import load_tokenizer  # not for the window's start

        try:
            loaded = load_tokenizer(path, self._parent)
        except ValueError as error:
            return self._refused(path, str(error))
        if loaded is None:
            return False
        self._sessions.add_tokenizer(loaded.tokenizer)
        if loaded.rows is not None:
            self._sessions.add_table(loaded.rows)
        document = self._store.document.with_tokenizer(loaded.tokenizer, loaded.rows)
        self._shown(path, document, f"tokenizer {path.name}", "models")
        if loaded.problem:
            look.warn(self._parent, "Cannot open", loaded.problem)
        return True

    def open_tokenizer_of_model(self) -> None:
        """Show the tokens of the open model's tokenizer; the user chooses a file if its folder is unknown."""
        model = self._store.document.model
        if model is not None and self._last_model is not None and self._last_model[0] == model:
            self.open_tokenizer(self._last_model[1])
            return
        path = self._ask("Open tokenizer", "models", _TOKENIZERS)
        if path is not None:
            self.open_tokenizer(path)

    def show_layer(self, layer: int) -> None:
        """Show the encoding of the open model's layer, or part, of this index."""
        document = self._store.document
        if document.model is not None:
            name, _ = document.model.at(layer)
            self._store.replace(document.with_model(document.model, layer), f"{name} of {document.model.name}")

    def _ask(self, title: str, purpose: str, kinds: str) -> Path | None:
        return look.ask_file(self._parent, title, self._settings.folder(purpose), kinds)

    def _chosen(self, title: str, question: str, columns: Sequence[str], rows: Sequence[tuple[str, ...]]) -> int | None:
        """The number of the row that the user chooses, None if they cancel; a single row is chosen without asking."""
        if len(rows) <= 1:
            return 0 if rows else None
        return look.ask_row(self._parent, title, question, columns, rows)

    def _shown(self, path: Path, document: Document, text: str, purpose: str) -> bool:
        self._store.replace(document, text)
        self._sessions.remember(path, purpose)
        return True

    def _refused(self, path: Path, sentence: str) -> bool:
        self._sessions.forget(path)
        look.warn(self._parent, "Cannot open", sentence)
        return False
