"""Pictures that take long, computed beside the window, which shows those parts of them that are there."""

from time import perf_counter
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from posenc_core import Encoding
from posenc_core.growing import Growing
from posenc_core.long_work import LONG_WORK
from posenc_gui.growing_job import GrowingJob, Wanted, share_of

_REST_MS = 30
"""So long a picture must stay the same before it is begun: while the hand moves there is no use."""

_LOOK_MS = 50
"""Between two looks at how far they are."""

_AT_ONCE_SECONDS = 0.06
"""What was measured to take no longer is computed when it is painted: the picture follows the hand."""

_KEPT = 4
"""So many pictures are kept, for those who zoom in and out again."""


class ExactLater(QObject):
    """Computes one picture at a time, the newest that was asked for; what is not wanted any more is stopped at once.

    ``arrived`` says that more of it is there, ``changed`` that it stands otherwise with it than before.
    """

    arrived = Signal()
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wanted: Wanted | None = None
        self._job: GrowingJob | None = None
        self._ending: list[GrowingJob] = []
        self._kept: dict[Wanted, Growing] = {}
        self._stopped = False
        self._error = ""
        self._refused: tuple[Encoding, str] | None = None  # the last of all errors, and what it is about
        self._speed: tuple[Encoding, float] | None = None  # the work that a processor does in a second
        self._told = 0  # per cent
        self._rest, self._look = QTimer(self), QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._begin)
        self._look.setInterval(_LOOK_MS)
        self._look.timeout.connect(self._look_at_job)

    def takes_long(self, wanted: Wanted) -> bool:
        """Whether it is computed beside the window: all that is much work, unless as much was measured to be quick."""
        encoding, speed = self._speed or (None, 0.0)
        if self._refused is not None and self._refused[0] == wanted.encoding:
            return wanted.work > 0  # so that all is shown that can be
        return wanted.work > max(LONG_WORK, _AT_ONCE_SECONDS * speed if encoding == wanted.encoding else 0)

    def ask(self, wanted: Wanted) -> Growing:
        """What there is of it, which nobody else changes; the rest is computed from now on, and nothing else."""
        if wanted == self._wanted:
            return self._kept[wanted]
        growing = self._kept.pop(wanted, None) or self._begun(wanted)
        self.forget()
        self._kept[wanted] = growing
        for old in list(self._kept)[:-_KEPT]:
            del self._kept[old]
        if not growing.is_whole:
            self._wanted = wanted
            self._rest.start()
        return growing

    def compute(self, wanted: Wanted) -> Any:
        """The picture, now; ValueError with a sentence where it cannot be, which is then computed by and by."""
        began = perf_counter()
        try:
            picture = wanted.compute()
        except ValueError as error:
            self._refused = (wanted.encoding, str(error))
            QTimer.singleShot(0, self, self.arrived.emit)
            raise
        if wanted.work > LONG_WORK:
            self._measure(wanted.encoding, wanted.work, perf_counter() - began)
        return picture

    def forget(self) -> None:
        """Stop what is at work: nobody wants it any more."""
        if self._wanted is not None:
            self._end_job()
            if not self._kept[self._wanted].known.any():
                del self._kept[self._wanted]  # which would take the place of one that is worth keeping
            self._wanted, self._stopped, self._error = None, False, ""
            self.changed.emit()

    def clear(self) -> None:
        """Forget all there was: it was about another encoding."""
        self.forget()
        self._kept.clear()

    def finish(self) -> None:
        """Stop what is at work, and wait until no thread is left."""
        self.forget()
        for job in self._ending:
            job.wait()
        self._ending.clear()

    def stop(self) -> None:
        """Leave it at what is there."""
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
        """How far it is; empty once all of it is there."""
        growing = self._kept.get(wanted)
        if growing is not None and growing.is_whole:
            return ""
        if wanted != self._wanted:
            return _done(0)
        if self._stopped:
            return f"stopped at {self._percent} %"
        return _refusal(self._percent, self._error) if self._error else _done(self._percent)

    @property
    def standing(self) -> str:
        """How far that is which is wanted; empty where it is there, or nothing is wanted."""
        return "" if self._wanted is None else self.words(self._wanted)

    def widest_words(self, wanted: Wanted) -> str:
        """The longest of these words, whatever comes of it: a picture's size must not depend on how far it is."""
        if self._refused is not None and self._refused[0] == wanted.encoding:
            return _refusal(99, self._refused[1])
        return "stopped at 99 %"

    @property
    def _percent(self) -> int:
        growing = None if self._wanted is None else self._kept.get(self._wanted)
        if self._job is not None:
            return self._job.percent
        return 0 if growing is None else share_of(growing.work - growing.work_left, growing.work)

    def _begun(self, wanted: Wanted) -> Growing:
        """A picture that takes over what the others have of it."""
        growing = wanted.grow()
        for other in reversed(self._kept.values()):
            growing.adopt(other)
        return growing

    def _begin(self) -> None:
        if self._wanted is not None:
            self._job, self._told = GrowingJob(self._kept[self._wanted]), 0
            self._look.start()
            self.changed.emit()

    def _end_job(self) -> None:
        self._rest.stop()
        self._look.stop()
        if self._job is not None:
            self._job.stop()
            self._ending = [*(job for job in self._ending if job.is_at_work), self._job]
            self._job = None

    def _measure(self, encoding: Encoding, work: int, seconds: float) -> None:
        self._speed = (encoding, work / max(seconds, 1e-6))

    def _look_at_job(self) -> None:
        """Tell of what has come; an error that has no sentence for the reader is raised here."""
        job = self._job
        if job is None:
            return
        at_work = job.is_at_work
        if self._percent != self._told or not at_work:
            self._told = self._percent
            self.arrived.emit()
            if at_work:
                self.changed.emit()
        if not at_work:
            self._end(job)

    def _end(self, job: GrowingJob) -> None:
        wanted = self._wanted
        self._end_job()
        if wanted is not None and job.work_done > LONG_WORK:
            self._measure(wanted.encoding, job.work_done, job.seconds)
        if job.error is None:
            self._wanted = None
        elif wanted is not None:
            self._error = str(job.error) or type(job.error).__name__
            self._refused = (wanted.encoding, self._error)
        self.changed.emit()
        if job.error is not None and not isinstance(job.error, ValueError):
            raise job.error


def _done(percent: int) -> str:
    return f"{percent} % done"


def _refusal(percent: int, error: str) -> str:
    return f"{_done(percent)} · {error}"
