"""Opening a Python file with an encoding: it is code, which runs only if the user chooses the file and agrees."""

from pathlib import Path

from PySide6.QtWidgets import QWidget

from posenc_core import ENCODINGS
from posenc_core.encodings import open_plugin
from posenc_core.fields import one_line
from posenc_core.tables import Cancelled
from posenc_gui import look
from posenc_gui.files import Settings
from posenc_gui.model import DocumentStore

_PYTHON = "Python files (*.py);;All files (*)"
_RUN = "&Run it"
_REMEMBERED = 50


class EncodingOpener:
    """Runs Python files, registers their encodings and shows the last one, as one step of undo."""

    def __init__(self, store: DocumentStore, settings: Settings, parent: QWidget) -> None:
        self._store, self._settings, self._parent = store, settings, parent

    def ask(self) -> None:
        """Let the user choose a file, warn of one that was never run, and open it."""
        folder = self._settings.folder("encodings")
        path = look.ask_file(self._parent, "Open encoding (Python)", folder, _PYTHON)
        if path is not None and self._may_run(path.absolute()):
            self._settings.set_folder("encodings", path.parent)
            self.open(path)

    def open(self, path: Path, shows: bool = True) -> bool:
        """Run the file, and show its encoding if ``shows``; returns whether it ran, and reports the reason if not.

        A slow file shows its progress and can be cancelled.
        """
        try:
            with look.ProgressDialog(f"Running {one_line(path.name)}", self._parent) as progress:
                kinds = open_plugin(ENCODINGS, path, progress=progress)
        except Cancelled:
            return False
        except ValueError as error:
            look.warn(self._parent, "Cannot open", str(error))
            return False
        if shows:
            shown = kinds[-1]
            self._store.replace(self._store.document.edited("family", shown.family), f"encoding {shown.title}")
        return True

    def _may_run(self, path: Path) -> bool:
        """Whether the file was run before, or the user agrees to run it now."""
        name = str(path)
        if name in self._settings.now.trusted_code:
            return True
        sentence = f"{one_line(path.name)} is code. Opening the file runs it, and it can do all that you can do."
        details = (
            f"{one_line(name)}\n\nRun only code that you wrote or read. PosEnc will not ask about this file again."
        )
        answer = look.ask_choice(self._parent, "Open encoding (Python)", sentence, details, [_RUN], default="")
        if answer == _RUN:
            self._settings.revise(lambda now: {"trusted_code": (name, *now.trusted_code)[:_REMEMBERED]})
        return answer == _RUN
