"""Keeps the unsaved document aside, soon after each change and away from the interface's thread."""

import logging
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from posenc_core import Document
from posenc_gui.files.errors import FileError
from posenc_gui.files.recovery import Recovery
from posenc_gui.model.document_store import DocumentStore

INTERVAL_MS = 1000
"""Half of what may be lost: the other half is for a slow disk."""

_log = logging.getLogger(__name__)


class Autosave(QObject):
    """Writes the store's document to the recovery folder while it is unsaved.

    ``failed`` carries a sentence, once for each row of failures; the program goes on without.
    """

    failed = Signal(str)
    _answered = Signal(str)

    def __init__(
        self, store: DocumentStore, recovery: Recovery, parent: QObject | None = None, interval_ms: int = INTERVAL_MS
    ) -> None:
        super().__init__(parent)
        self._store, self._recovery = store, recovery
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="autosave")
        self._kept: Document | None = None
        self._has_failed = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(interval_ms)
        self._timer.timeout.connect(self.keep)
        self._answered.connect(self._hear, Qt.ConnectionType.QueuedConnection)
        store.documentChanged.connect(self._wait)
        store.history.cleanChanged.connect(self._clean_changed)

    def keep(self) -> None:
        """Write what is unsaved now, in the writer's thread; one document after the other, in order."""
        self._timer.stop()
        document, path = self._store.document, self._store.path
        if not self._store.history.isClean() and document is not self._kept:
            self._kept = document
            self._submit(lambda: self._recovery.write(document, path))

    def finish(self) -> None:
        """Wait until everything asked for is written."""
        self._writer.submit(int).result()

    def end(self) -> None:
        """Wait for the writer and leave nothing behind: the window was closed, and its work saved or given up."""
        self._timer.stop()
        self._store.documentChanged.disconnect(self._wait)
        self._store.history.cleanChanged.disconnect(self._clean_changed)
        self._writer.shutdown(wait=True)
        self._recovery.end()

    def _wait(self) -> None:
        """Not from the start for every key: whoever types without a pause is kept up with as well."""
        if not self._timer.isActive():
            self._timer.start()

    def _clean_changed(self, clean: bool) -> None:
        if clean:
            self._kept = None
            self._submit(self._recovery.clear)
        else:
            self._wait()

    def _submit(self, work: Callable[[], None]) -> None:
        self._writer.submit(self._run, work).add_done_callback(_tell_of_the_unexpected)

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
        except FileError as error:
            self._answered.emit(str(error))
        else:
            self._answered.emit("")

    def _hear(self, problem: str) -> None:
        if problem:
            self._kept = None  # the same document is tried again at the next change
        if problem and not self._has_failed:
            _log.warning("%s", problem)
            self.failed.emit(f"Unsaved work is not kept for a crash: {problem}")
        self._has_failed = bool(problem)


def _tell_of_the_unexpected(done: "Future[None]") -> None:
    """Hand an error that nobody foresaw to whoever takes them: a thread's end alone would hide it."""
    error = done.exception()
    if error is not None:
        sys.excepthook(type(error), error, error.__traceback__)
