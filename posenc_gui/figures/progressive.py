"""Pictures that take long, computed beside the window, which shows those parts of them that are there."""

from time import perf_counter
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from posenc_core import Encoding
from posenc_core.progressive import PartialPicture
from posenc_core.tables import LONG_WORK, UnreadableError
from posenc_gui.figures.growing_job import RenderJob, RenderRequest, percent_of

_REST_MS = 30
"""So long a picture must stay the same before it is begun: while the hand moves there is no use."""

_LOOK_MS = 50
"""Between two looks at how far they are."""

_AT_ONCE_SECONDS = 0.06
"""What was measured to take no longer is computed when it is painted: the picture follows the hand."""

_MOST_AT_ONCE = 1 << 23
"""However quick it was: what is read next may be on a disk still."""

_KEPT = 4
"""So many pictures are kept, for those who zoom in and out again."""

_DECIDED = 16
"""Of so many pictures it is remembered whether they take long: each must stay what it is while it is shown."""

_PAINTING_SHARE = 4
"""Of the time of which a part is painting: pictures of many bands take longer to paint than to compute."""

WIDEST_WORDS = "the table has -inf in row 99999999, column 99999"
"""The longest that it comes to say of a picture: whose size must not depend on how far it is."""


class BackgroundRenderer(QObject):
    """Computes one picture at a time, the newest that was asked for; what is not wanted any more is stopped at once.

    ``arrived`` says that more of it is there, ``changed`` that it stands otherwise with it than before.
    """

    arrived = Signal()
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wanted: RenderRequest | None = None
        self._job: RenderJob | None = None
        self._ending: list[RenderJob] = []
        self._kept: dict[RenderRequest, PartialPicture] = {}
        self._stopped: RenderRequest | None = None
        self._error = ""
        self._refused: Encoding | None = None  # what something could not be read of
        self._speed: tuple[Encoding, float] | None = None  # the least work that was done in a second
        self._long: dict[RenderRequest, bool] = {}
        self._told = 0  # per cent
        self._looked, self._next = 0.0, 0.0  # when it was looked at the job, and when there is to be painted
        self._rest, self._look = QTimer(self), QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._begin)
        self._look.setInterval(_LOOK_MS)
        self._look.timeout.connect(self._look_at_job)

    def takes_long(self, wanted: RenderRequest) -> bool:
        """Whether it is computed beside the window: all that is much work, unless as much was measured to be quick."""
        long = self._long.pop(wanted, None)
        self._long[wanted] = long = self._would_take_long(wanted) if long is None else long
        for old in list(self._long)[:-_DECIDED]:
            del self._long[old]
        return long

    def _would_take_long(self, wanted: RenderRequest) -> bool:
        if wanted.encoding == self._refused:
            return wanted.work > 0  # so that all is shown that can be
        encoding, speed = self._speed or (None, 0.0)
        quick = min(_AT_ONCE_SECONDS * speed, _MOST_AT_ONCE) if encoding == wanted.encoding else 0
        return wanted.work > max(LONG_WORK, quick)

    def ask(self, wanted: RenderRequest) -> PartialPicture:
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
            if wanted != self._stopped:
                self._rest.start()
            QTimer.singleShot(0, self, self.changed.emit)  # once it is painted
        return growing

    def compute(self, wanted: RenderRequest) -> Any:
        """The picture, now; UnreadableError where a part cannot be, and it is computed by and by from now on."""
        began = perf_counter()
        try:
            picture = wanted.compute()
        except UnreadableError:
            self._refused = wanted.encoding
            self._long.clear()
            if wanted.work > 0:
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
            self._wanted, self._error = None, ""
            self.changed.emit()

    def clear(self) -> None:
        """Forget all there was: it was about another encoding."""
        self.forget()
        self._kept.clear()
        self._long.clear()
        self._stopped = self._refused = None

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
            self._stopped = self._wanted
            self._tell()
            QTimer.singleShot(_LOOK_MS, self, self._tell_of_the_last)

    def go_on(self) -> None:
        """Compute after all what was stopped."""
        if self.is_stopped:
            self._stopped = None
            self._begin()

    def _tell_of_the_last(self) -> None:
        """The parts at which the thread was when it was told to end come a moment later."""
        if any(job.is_at_work for job in self._ending):
            QTimer.singleShot(_LOOK_MS, self, self._tell_of_the_last)
        else:
            self._tell()

    def _tell(self) -> None:
        self.arrived.emit()
        self.changed.emit()

    @property
    def is_busy(self) -> bool:
        """Whether something is wanted, and on its way."""
        return self._wanted is not None and self._wanted != self._stopped and not self._error

    @property
    def is_stopped(self) -> bool:
        """Whether somebody stopped what is wanted still."""
        wanted = self._wanted
        return wanted is not None and wanted == self._stopped and not self._kept[wanted].is_whole

    @property
    def standing(self) -> str:
        """How far that is which is wanted; empty where it is there, or nothing is wanted."""
        wanted = self._wanted
        if wanted is None or self._kept[wanted].is_whole:
            return ""
        if self._error:
            return self._error.split(";")[0]
        percent = percent_of(self._kept[wanted])
        return f"stopped at {percent}\u00a0%" if self.is_stopped else f"{percent}\u00a0% done"

    def _begun(self, wanted: RenderRequest) -> PartialPicture:
        """A picture that takes over what the others have of it."""
        growing = wanted.grow()
        for other in reversed(self._kept.values()):
            growing.adopt(other)
        return growing

    def _begin(self) -> None:
        if self._wanted is not None:
            self._job, self._told = RenderJob(self._kept[self._wanted]), 0
            self._looked, self._next = perf_counter(), 0.0
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
        speed = work / max(seconds, 1e-6)
        known = self._speed is not None and self._speed[0] == encoding
        self._speed = (encoding, min(speed, self._speed[1]) if known and self._speed else speed)

    def _look_at_job(self) -> None:
        """Tell of what has come; an error that has no sentence for the reader is raised here."""
        job = self._job
        if job is None:
            return
        if not job.is_at_work:
            self._end(job)
        elif self._has_time() and job.percent != self._told:
            self._told = job.percent
            self._tell()

    def _has_time(self) -> bool:
        """Whether to paint again what has come: where that takes the window long, the less often."""
        now = perf_counter()
        late, self._looked = now - self._looked - _LOOK_MS / 1000, now
        if late > _LOOK_MS / 1000:
            self._next = now + _PAINTING_SHARE * late
        return now >= self._next

    def _end(self, job: RenderJob) -> None:
        wanted = self._wanted
        self._end_job()
        if wanted is not None and job.work_done > LONG_WORK:
            self._measure(wanted.encoding, job.work_done, job.seconds)
        if job.error is None:
            self._wanted = None
        elif wanted is not None:
            self._error = str(job.error) or type(job.error).__name__
            self._refused = wanted.encoding
        self._tell()
        if job.error is not None and not isinstance(job.error, UnreadableError):
            raise job.error
