"""The handling of unexpected errors: an entry in the log and one dialog; the program continues."""

import logging
import platform
import sys
import threading
import traceback
from collections.abc import Callable
from functools import partial
from time import monotonic
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from posenc_core import __version__
from posenc_gui.look import MessageBox

QUIET_SECONDS = 10.0
"""The same error is only logged for this time after its dialog closes: a picture that fails is painted again."""

_log = logging.getLogger(__name__)

Place = tuple[str, str, int]


class ErrorReporter(QObject):
    """Logs unexpected errors of every thread and shows them in a dialog, one at a time."""

    _happened = Signal(object)

    def __init__(
        self, window: QWidget, save: Callable[[], object], log_name: str, clock: Callable[[], float] = monotonic
    ) -> None:
        super().__init__(window)
        self._window, self._save, self._log_name, self._clock = window, save, log_name, clock
        self._box: MessageBox | None = None
        self._place: Place | None = None
        self._others = 0
        self._shown: dict[Place, float] = {}
        self._happened.connect(self._show, Qt.ConnectionType.AutoConnection)

    def install(self) -> None:
        """Handle every uncaught error from now on."""
        sys.excepthook = self.handle
        threading.excepthook = lambda lost: self.handle(lost.exc_type, lost.exc_value, lost.exc_traceback)

    def uninstall(self) -> None:
        """Let Python handle uncaught errors again."""
        sys.excepthook, threading.excepthook = sys.__excepthook__, threading.__excepthook__

    def handle(
        self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None = None
    ) -> None:
        """Log and show the error, from any thread; anything but an Exception, such as Ctrl+C, is left to Python."""
        error = error or kind()
        sys.__excepthook__(kind, error, trace)
        if isinstance(error, Exception):
            _log.error("unexpected error", exc_info=(kind, error, trace))
            self._happened.emit(error)

    def _show(self, error: Exception) -> None:
        place = _place_of(error)
        if self._box is not None:
            if place != self._place:
                self._others += 1
                self._box.setInformativeText(self._advice())
            return
        if self._clock() - self._shown.get(place, -QUIET_SECONDS) < QUIET_SECONDS:
            return
        self._place, self._others = place, 0
        self._box = self._build(error)
        self._box.open()

    def _build(self, error: Exception) -> MessageBox:
        sentence = f"An unexpected error occurred: {_sentence(error)}"
        box = MessageBox(MessageBox.Icon.Warning, "Unexpected error", sentence, self._window)
        box.setInformativeText(self._advice())
        role = MessageBox.ButtonRole
        copy = box.addButton("Copy &details", role.ActionRole)
        save = box.addButton("&Save session…", role.ActionRole)
        proceed = box.addButton("&Continue", role.RejectRole)
        box.setDefaultButton(proceed)
        box.setEscapeButton(proceed)
        copy.clicked.disconnect()  # these two leave the dialog open
        save.clicked.disconnect()
        copy.clicked.connect(partial(QGuiApplication.clipboard().setText, details_of(error)))
        save.clicked.connect(self._save)
        box.finished.connect(self._closed)
        return box

    def _advice(self) -> str:
        more = f" {self._others} more {'errors' if self._others > 1 else 'error'} followed." if self._others else ""
        return f"Your work is not lost: you can continue and save it.{more} {self._log_name}".rstrip()

    def _closed(self) -> None:
        if self._box is not None and self._place is not None:
            self._shown[self._place] = self._clock()
            self._box.deleteLater()
            self._box = None


def details_of(error: Exception) -> str:
    """The versions of program, Python, Qt and system, and the error with its traceback."""
    versions = f"PosEnc {__version__}, Python {platform.python_version()}, Qt {qVersion()}, {platform.platform()}"
    return f"{versions}\n\n{''.join(traceback.format_exception(error))}"


def _sentence(error: Exception) -> str:
    name, text = type(error).__name__, " ".join(str(error).split())
    return f"{name}: {text[:300]}" if text else name


def _place_of(error: Exception) -> Place:
    """The kind of error, file and line by which an error is recognised."""
    name, frames = type(error).__name__, traceback.extract_tb(error.__traceback__)
    return (name, frames[-1].filename, frames[-1].lineno or 0) if frames else (name, "", 0)
