"""Exact pictures that take long, computed beside the window, which shows a sample of them meanwhile."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from time import sleep
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from posenc_core import Encoding
from posenc_core.long_work import Stopped

_REST_MS = 50
"""So long a picture must stay the same before its exact values are begun: while the hand moves there is no use."""

_PAUSE_SECONDS = 0.0005
"""Before each piece of work: Python lets one thread run at a time, and the window's is to wait for no other."""

_LOOK_MS = 60
"""Between two looks at how far they are."""

_KEPT = 4
"""So many pictures are kept, for those who zoom in and out again."""


@dataclass(frozen=True)
class Wanted:
    """Values of an encoding, which are the same for the same ``part``: how to compute them, and what work that is."""

    encoding: Encoding
    part: Hashable
    compute: Callable[[Encoding], Any] = field(compare=False)
    work: int = field(compare=False)


class ExactLater(QObject):
    """Computes one thing at a time, the newest that was asked for; what is not wanted any more is stopped at once.

    ``arrived`` says that there are exact values, ``changed`` that it stands otherwise with them than before.
    """

    arrived = Signal()
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wanted: Wanted | None = None
        self._job: _Job | None = None
        self._ending: list[_Job] = []
        self._results: dict[Wanted, Any] = {}
        self._stopped = False
        self._error = ""
        self._refused: tuple[Encoding, str] | None = None  # the last of all errors, and what it is about
        self._told = 0  # per cent
        self._rest, self._look = QTimer(self), QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._begin)
        self._look.setInterval(_LOOK_MS)
        self._look.timeout.connect(self._look_at_job)

    def has(self, wanted: Wanted) -> bool:
        """Whether the exact values are there."""
        return wanted in self._results

    def result(self, wanted: Wanted) -> Any:
        """The exact values, which are there."""
        return self._results[wanted]

    def ask(self, wanted: Wanted) -> None:
        """Compute this from now on, and nothing else."""
        if wanted != self._wanted:
            self.forget()
            self._wanted = wanted
            self._rest.start()

    def forget(self) -> None:
        """Stop what is at work: nobody wants it any more."""
        if self._wanted is not None:
            self._end_job()
            self._wanted, self._stopped, self._error = None, False, ""
            self.changed.emit()

    def clear(self) -> None:
        """Forget all there was: it was about another encoding."""
        self.forget()
        self._results.clear()

    def finish(self) -> None:
        """Stop what is at work, and wait until no thread is left."""
        self.forget()
        for job in self._ending:
            job.wait()
        self._ending.clear()

    def stop(self) -> None:
        """Leave it at the sample."""
        if self.is_busy:
            self._end_job()
            self._stopped = True
            self.changed.emit()

    def go_on(self) -> None:
        """Compute after all what was stopped."""
        if self._stopped:
            self._stopped = False
            self._begin()

    @property
    def is_busy(self) -> bool:
        """Whether something is wanted, and on its way."""
        return self._wanted is not None and not self._stopped and not self._error

    @property
    def is_stopped(self) -> bool:
        """Whether somebody stopped what is wanted still."""
        return self._stopped

    def words(self, wanted: Wanted) -> str:
        """How it stands with what is shown as a sample so far."""
        if wanted == self._wanted and self._stopped:
            return "stopped before the exact one"
        if wanted == self._wanted and self._error:
            return _refusal(self._error)
        return f"exact follows, {self._percent if wanted == self._wanted else 0} %"

    @property
    def standing(self) -> str:
        """How it stands with what is wanted; empty where that is there, or nothing is wanted."""
        return "" if self._wanted is None else self.words(self._wanted)

    def widest_words(self, wanted: Wanted) -> str:
        """The longest of these words, whatever comes of it: a picture's size must not depend on how it stands."""
        if self._refused is not None and self._refused[0] == wanted.encoding:
            return _refusal(self._refused[1])
        return "stopped before the exact one"

    @property
    def _percent(self) -> int:
        return 0 if self._job is None else self._job.percent

    def _begin(self) -> None:
        if self._wanted is not None:
            self._job, self._told = _Job(self._wanted), 0
            self._look.start()
            self.changed.emit()

    def _end_job(self) -> None:
        self._rest.stop()
        self._look.stop()
        if self._job is not None:
            self._job.stop()
            self._ending = [*(job for job in self._ending if job.is_at_work), self._job]
            self._job = None

    def _look_at_job(self) -> None:
        """Take the result if there is one; an error that has no sentence for the reader is raised here."""
        job = self._job
        if job is None:
            return
        if job.is_at_work:
            if self._percent != self._told:
                self._told = self._percent
                self.changed.emit()
            return
        self._end_job()
        if job.error is None:
            self._results[job.wanted] = job.result
            for old in list(self._results)[:-_KEPT]:
                del self._results[old]
            self._wanted = None
            self.arrived.emit()
        else:
            self._error = str(job.error) or type(job.error).__name__
            self._refused = (job.wanted.encoding, self._error)
        self.changed.emit()
        if job.error is not None and not isinstance(job.error, ValueError):
            raise job.error


def _refusal(error: str) -> str:
    return f"none exact: {error}"


def computed(wanted: Wanted, watch: Callable[[float], bool]) -> Any:
    """The values, for which one waits: ``watch`` is told of the share that is done; Stopped once it gives False."""
    job = _Job(wanted)
    while job.is_at_work:
        if not watch(job.percent / 100):
            job.stop()
            job.wait()
            raise Stopped
        job.wait(_LOOK_MS / 2000)
    return job.result


class _Job:
    """A thread that computes."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self._work_done = 0
        self._is_wanted = True
        self._lock = Lock()
        from concurrent.futures import ThreadPoolExecutor  # which no window needs at its start

        self._thread = ThreadPoolExecutor(1, "exact picture")
        self._future = self._thread.submit(lambda: wanted.compute(wanted.encoding.watched(self._watch)))
        self._thread.shutdown(wait=False)  # it ends with this

    @property
    def is_at_work(self) -> bool:
        """Whether there is neither a result nor an error yet."""
        return not self._future.done()

    @property
    def error(self) -> BaseException | None:
        """What went wrong, once it is not at work any more."""
        return self._future.exception()

    @property
    def result(self) -> Any:
        """The values, where nothing went wrong."""
        return self._future.result()

    @property
    def percent(self) -> int:
        """How much is done, below 100."""
        return min(99, 100 * self._work_done // max(1, self.wanted.work))

    def stop(self) -> None:
        """Tell the thread to end, which takes as long as the few entries at which it is."""
        self._is_wanted = False

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the thread's end, or for so long."""
        from concurrent.futures import wait

        wait([self._future], seconds)
        if seconds is None:
            self._thread.shutdown()

    def _watch(self, work: int) -> bool:
        with self._lock:
            self._work_done += work
        sleep(_PAUSE_SECONDS)
        return self._is_wanted
