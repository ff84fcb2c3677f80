"""The check of numbers in the window: its dock, its file dialogs, and findings in the panels."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from PySide6.QtCore import SignalInstance

from posenc_core import Document
from posenc_core.fields import SEQ_LEN
from posenc_core.identify import Finding
from posenc_core.session import NamedEncoding
from posenc_core.story import Start
from posenc_core.tables import Table
from posenc_gui.check.check_dock import CheckDock
from posenc_gui.check.work import Several
from posenc_gui.look import ask_file, ask_row
from posenc_gui.story import Stage
from posenc_gui.workspaces import SharedParts

_NUMBERS = "Numbers (*.npy *.npz *.safetensors *.csv *.tsv *.txt *.json);;All files (*)"
_MODELS = "Models (*.json *.gguf);;All files (*)"
_FOLDER = "numbers"


class Checks:
    """Checks numbers in a dock, and shows a finding in place of the document."""

    def __init__(self, parts: SharedParts, keep: Callable[[Table], object], begun: SignalInstance) -> None:
        """``keep`` stores the table of a finding for sessions that refer to it; ``begun`` follows a new session."""
        self._parts, self._keep, self._begun = parts, keep, begun
        self._shown: Document | None = None
        self._stage = Stage(parts)

    @cached_property
    def dock(self) -> CheckDock:
        """The dock's content, made when it is first needed."""
        dock = CheckDock()
        dock.shown.connect(self._show)
        dock.homeAsked.connect(self._parts.store.end_visit)
        dock.severalFound.connect(self._choose)
        dock.fileAsked.connect(self._ask_file)
        dock.configAsked.connect(self._ask_config)
        dock.copied.connect(self._tell)
        self._parts.store.documentChanged.connect(self._follow)
        self._begun.connect(dock.form.clear)
        dock.show_document(self._own)
        return dock

    def show(self) -> None:
        """Bring the dock to the front, with the keyboard in its field."""
        self._reveal()
        self.dock.form.focus()

    def check_example(self, text: str) -> None:
        """Check printed numbers, unless the user's own are in the form."""
        if self.dock.form.given is None:
            self.dock.form.give_example(text)

    def check_file(self, path: Path) -> None:
        """Check the numbers in a file."""
        self._reveal()
        self.dock.give(path)

    def _reveal(self) -> None:
        dock = self._parts.docks["check"]
        dock.show()
        dock.raise_()

    @property
    def _own(self) -> Document:
        """The user's document, also while a finding is shown in its place."""
        guest = self._parts.store.guest
        return self._parts.store.document if guest is None else guest.own

    def _follow(self, document: Document) -> None:
        self.dock.show_home(self._parts.store.guest is not None and document == self._shown)
        self.dock.show_document(self._own)

    def _tell(self, sentence: str) -> None:
        self._parts.show_message(sentence)

    def _ask_file(self) -> None:
        path = self._asked("Check numbers", _NUMBERS, _FOLDER)
        if path is not None:
            self._parts.settings.set_folder(_FOLDER, path.parent)
            self.dock.give(path)

    def _ask_config(self) -> None:
        path = self._asked("Check against", _MODELS, "models")
        if path is not None:
            self.dock.form.ask_for(path)

    def _asked(self, title: str, kinds: str, purpose: str) -> Path | None:
        return ask_file(self._parts.window, title, self._parts.settings.folder(purpose), kinds)

    def _choose(self, several: Several) -> None:
        """Let the user choose one of the arrays, and check that."""
        rows = [(name, " × ".join(map(str, each.shape)), str(each.dtype)) for name, each in several.arrays.items()]
        chosen = ask_row(self._parts.window, "Check numbers", "Which array?", ("array", "shape", "type"), rows)
        if chosen is not None:
            name = rows[chosen][0]
            self.dock.check_source(Several({name: several.arrays[name]}))

    def _show(self, finding: Finding) -> None:
        """Show the right encoding beside the numbers, in place of the document, as one step of undo."""
        start = start_of(finding, self._parts.store.document)
        for table in start.document.tables:
            self._keep(table)
        self._shown = start.document
        self._stage.begin(start, "check of numbers")
        self._stage.leave()


def start_of(finding: Finding, before: Document) -> Start:
    """The intended encoding as A and the numbers as B, in the workspace Compare at the first wrong number.

    Numbers that are not a table are left out. A requested encoding is A, beside the encoding of the numbers.
    Without either, the numbers are alone in the workspace Vectors.
    """
    meant = finding.encoding if finding.against is None else finding.against
    other = finding.table if finding.table is not None else finding.encoding
    listed = [NamedEncoding(each, name) for each, name in ((meant, "meant"), (other, "given")) if each is not None]
    listed = listed[:1] if len(listed) == 2 and meant == other else listed
    document = before.with_encodings(listed, 0)
    first = finding.first if finding.table is not None and finding.kind != "frequencies" else None
    if finding.table is not None and finding.kind != "frequencies" and finding.positions:
        document = document.edited(SEQ_LEN.name, min(max(1, finding.positions[-1] + 1), SEQ_LEN.maximum))
    cursor = None if first is None else (first.position, first.entry)
    return Start(document, *(("vectors", "heatmap") if len(listed) < 2 else ("compare", "difference")), cursor)
