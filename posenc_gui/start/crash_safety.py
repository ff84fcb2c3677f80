"""Protection of unsaved work: autosave, the offer to restore it, signals, the log and the error dialog."""

import logging
import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from typing_extensions import override

from posenc_core.fields import regular_descriptor
from posenc_gui.cli import complain
from posenc_gui.files import FileError, Recovery, discard_parts, make_private_folder, sentence
from posenc_gui.start import signals
from posenc_gui.start.error_dialog import ErrorReporter
from posenc_gui.start.signal_watch import SignalWatch
from posenc_gui.window import MainWindow
from posenc_gui.window.sessions import Autosave, RecoveryOffer

LOG_NAME = "posenc.log"
MAXIMUM_BYTES = 512 * 1024
KEPT = 3

_FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"
_SHOWN_MS = 20_000

_log = logging.getLogger(__name__)


class CrashSafety:
    """Protects the work in one window. All files are in the folder ``state``; the status line reports failures."""

    def __init__(self, window: MainWindow, state: Path) -> None:
        self._window, self._state = window, state
        self._log: logging.Handler | None = None
        self._recovery = Recovery(state / "recovery")
        self._autosave = Autosave(window.store, self._recovery, window)
        self._autosave.failed.connect(self._show_message)
        log = f"The log is {state / LOG_NAME}."
        self._reporter = ErrorReporter(window, window.files.ask_save, log)
        self._offer: RecoveryOffer | None = None
        self._problems: list[str] = []

    def begin(self, notice: str = "") -> None:
        """Start the protection, before the first dialog; ``notice`` is shown unless it is empty."""
        try:
            self._log = start_log(self._state)
        except FileError as error:
            self._problems.append(f"There is no log: {error}.")
        if notice:
            self._problems.insert(0, notice)
            _log.warning("%s", notice)
        self._reporter.install()
        self._watch = SignalWatch(self._window)
        self._watch.caught.connect(self._end_at_once)
        try:
            self._recovery.begin()
        except FileError as error:
            self._problems.append(f"Unsaved work is not protected against a crash: {error}.")

    def offer_unsaved(self) -> None:
        """Offer the unsaved work of a crash, and show the problems so far."""
        left = self._recovery.left()
        problems = [*self._problems, *_first_of(self._recovery.problems)]
        if problems:
            self._show_message(" ".join(problems))
        self._offer = RecoveryOffer(left, self._window.store, self._autosave, self._window)
        self._offer.ask()

    def end(self) -> None:
        """Remove everything but the log: the window is closed and its work is saved or discarded."""
        self._watch.end()
        if self._offer is not None:
            self._offer.give_up()
        self._autosave.end()
        self._reporter.uninstall()
        if self._log is not None:
            end_log(self._log)

    def _end_at_once(self, number: int) -> None:
        """Store unsaved work and end the process, in spite of open dialogs and running computations."""
        self._watch.end()
        signals.end_at_once("unsaved work may be lost")  # at a second signal, if the disk does not answer
        if self._offer is not None:
            self._offer.give_up()
        unsaved = self._autosave.is_needed
        what = "unsaved work is kept, and offered at the next start" if unsaved else "there was no unsaved work"
        try:
            self._autosave.leave()
        except FileError as error:
            if self._log is not None:  # else Python would print it beside the sentence
                _log.error("%s", error)
            what = f"unsaved work is lost: {error}"
        self._window.remember_layout()
        discard_parts()
        signals.leave(number, what)

    def _show_message(self, sentence: str) -> None:
        self._window.statusBar().showMessage(sentence, _SHOWN_MS)


def _first_of(problems: list[str]) -> list[str]:
    """The first problem as a sentence, and another that counts the others."""
    told = [f"{problem[:1].upper()}{problem[1:]}." for problem in problems[:1]]
    return [*told, f"The log names {len(problems) - 1} more."] if len(problems) > 1 else told


class _LogHandler(RotatingFileHandler):
    """Writes to regular files only: a pipe would block the program. A disk that refuses a line is reported once.

    Several windows write one log: each follows a log that another one has rotated, and one rotates it at a time.
    """

    _is_told = False

    @override
    def _open(self) -> TextIOWrapper:
        descriptor = regular_descriptor(self.baseFilename, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        return TextIOWrapper(os.fdopen(descriptor, "ab"), encoding=self.encoding, errors=self.errors)

    @override
    def shouldRollover(self, record: logging.LogRecord) -> bool:
        self._follow()
        return bool(super().shouldRollover(record))

    @override
    def doRollover(self) -> None:
        if self.stream is None:
            return
        own = os.dup(self.stream.fileno())
        try:
            if _is_locked(own) and not self._follow():
                super().doRollover()
        finally:
            os.close(own)

    def _follow(self) -> bool:
        """Open the log anew if another window has rotated the open one; returns whether it has."""
        if self.stream is None:
            return False
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(self.stream.fileno()), Path(self.baseFilename).stat()):
                return False
        stream, self.stream = self.stream, None
        stream.close()
        self.stream = self._open()
        return True

    @override
    def handleError(self, record: logging.LogRecord) -> None:
        error = sys.exc_info()[1]
        if isinstance(error, OSError | ValueError):
            self._tell(error)
        else:
            super().handleError(record)

    @override
    def close(self) -> None:
        try:
            super().close()
        except OSError as error:  # an error of earlier lines
            self._tell(error)

    def _tell(self, error: OSError | ValueError) -> None:
        if not self._is_told:
            complain(f"The log is incomplete: {sentence('write', Path(self.baseFilename), error)}.")
        self._is_told = True


def _is_locked(descriptor: int) -> bool:
    """Lock the log to rotate it, until it is closed; False while another window does."""
    from filelock import lock_descriptor  # with the first log that is full

    try:
        return lock_descriptor(descriptor, blocking=False)
    except OSError:  # a disk without locks
        return True


def start_log(folder: Path) -> RotatingFileHandler:
    """The handler that writes warnings and errors to the log in the folder; FileError if the log cannot be opened."""
    path = folder / LOG_NAME
    make_private_folder(folder)
    try:
        handler = _LogHandler(path, maxBytes=MAXIMUM_BYTES, backupCount=KEPT, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise FileError(sentence("write", path, error)) from error
    handler.setFormatter(logging.Formatter(_FORMAT))
    handler.setLevel(logging.WARNING)
    logging.getLogger("posenc_gui").addHandler(handler)
    return handler


def end_log(handler: logging.Handler) -> None:
    """Remove the handler and close its file."""
    logging.getLogger("posenc_gui").removeHandler(handler)
    handler.close()
