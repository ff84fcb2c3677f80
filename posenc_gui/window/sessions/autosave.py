"""Writes the unsaved document to the recovery folder soon after each change, in a thread."""

import logging
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from time import monotonic

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from posenc_gui.files import FileError, Recovery, Unsaved
from posenc_gui.model import DocumentStore

INTERVAL_MS = 1000
"""Delay after a change, at most."""

MOST_LOST_MS = 2000
"""The age of a change that a crash may lose: delay, a timer that is late, the write before, and the write itself."""

_log = logging.getLogger(__name__)


class Autosave(QObject):
    """Writes the store's document to the recovery folder while it is unsaved, in a lesson the user's own too.

    ``failed`` carries a sentence after the first of several failures in a row.
    """

    failed = Signal(str)
    _finished = Signal(str)

    def __init__(
        self,
        store: DocumentStore,
        recovery: Recovery,
        parent: QObject | None = None,
        interval_ms: int = INTERVAL_MS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        super().__init__(parent)
        self._store, self._recovery = store, recovery
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="autosave")
        self._kept: Unsaved | None = None
        self._last: Future[None] | None = None
        self._has_failed = self._is_due = False
        self._interval_ms, self._clock = interval_ms, clock
        self._due_at = clock()
        self._late_ms = self._write_ms = 0.0
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._keep_in_time)
        self._finished.connect(self._report, Qt.ConnectionType.QueuedConnection)
        store.documentChanged.connect(self._wait)
        store.savedChanged.connect(self._saved_changed)

    def keep(self) -> None:
        """Write the document now if it is unsaved, in the writer's thread and in the order of the calls.

        The written file is removed if nothing is unsaved any more, for example after a lesson's document was saved.
        """
        self._timer.stop()
        if not self.is_needed and self._kept is not None:
            self._clear()
        elif self.is_needed and (work := self._work) != self._kept:
            self._kept = work
            self._submit(partial(self._recovery.write, work))

    @property
    def delay_ms(self) -> int:
        """Delay after the next change: shorter than the interval if the machine was slow the last time."""
        left = MOST_LOST_MS - self._late_ms - 2 * self._write_ms
        return max(0, min(self._interval_ms, int(left)))

    @property
    def is_needed(self) -> bool:
        """Whether there is unsaved work: the document, or the user's own behind a lesson's."""
        return not self._store.is_saved or self._hides_work

    @property
    def _hides_work(self) -> bool:
        guest = self._store.guest
        return guest is not None and not guest.is_own_saved

    @property
    def _work(self) -> Unsaved:
        """The unsaved document, and the document of a lesson in its place."""
        store, guest, document = self._store, self._store.guest, self._store.document
        if guest is None or guest.is_own_saved:
            is_guest = guest is not None and guest.is_present(document)
            return Unsaved(document, store.path, store.digest, guest=is_guest)
        return Unsaved(guest.own, guest.origin.path, guest.origin.digest, document)

    def finish(self) -> bool:
        """Wait until every document is written; returns whether the last one could be."""
        self._writer.submit(int).result()
        return self._last is None or self._last.exception() is None

    def end(self) -> None:
        """Wait for the writer and remove the files: the window is closed and its work is saved or discarded."""
        self._timer.stop()
        self._store.documentChanged.disconnect(self._wait)
        self._store.savedChanged.disconnect(self._saved_changed)
        self._writer.shutdown(wait=True)
        self._recovery.end()

    def leave(self) -> None:
        """Write an unsaved document for the next start when the program is ended from outside.

        FileError with one sentence if writing fails.
        """
        self._writer.shutdown(wait=True)
        if self.is_needed:
            self._recovery.leave(self._work)
        else:
            self._recovery.end()

    def _wait(self) -> None:
        """Start the delay unless it runs: while the user types without a pause, documents are written too.

        The first session loads modules of all panels, which takes seconds on a busy machine: during the delay.
        """
        if self._last is None:
            self._submit(self._store.document.to_dict)
        if not self._timer.isActive():
            self._due_at = self._clock() + self.delay_ms / 1000
            self._timer.start(self.delay_ms)

    def _keep_in_time(self) -> None:
        """Write the document, or once the write before has ended: on a slow disk a queue of writes would grow."""
        self._late_ms = max(0.0, 1000 * (self._clock() - self._due_at))
        self._is_due = self._last is not None and not self._last.done()
        if not self._is_due:
            self.keep()

    def _saved_changed(self) -> None:
        if self.is_needed:
            self._wait()
        else:
            self._clear()

    def _clear(self) -> None:
        self._kept = None
        self._submit(self._recovery.clear)

    def _submit(self, work: Callable[[], object]) -> None:
        self._last = self._writer.submit(self._timed, work)
        self._last.add_done_callback(self._finish)

    def _timed(self, work: Callable[[], object]) -> None:
        """Do the work in the writer's thread, and note how long that took."""
        began = self._clock()
        try:
            work()
        finally:
            self._write_ms = 1000 * (self._clock() - began)

    def _finish(self, done: "Future[None]") -> None:
        """Report the end of the work, in the writer's thread, which would hide an unexpected error."""
        error = done.exception()
        if error is None or isinstance(error, FileError):
            self._finished.emit("" if error is None else str(error))
        else:
            sys.excepthook(type(error), error, error.__traceback__)

    def _report(self, problem: str) -> None:
        if problem:
            self._kept = None  # write the same document again after the next change
        if problem and not self._has_failed:
            _log.warning("%s", problem)
            self.failed.emit(f"Unsaved work is not protected against a crash: {problem}")
        self._has_failed = bool(problem)
        if self._is_due:
            self._is_due = False
            self.keep()
