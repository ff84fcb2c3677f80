"""Pictures of slow tables, computed beside the window, which shows the parts that are known."""

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QObject, QTimer, Signal

from posenc_core import Document
from posenc_core.numerics import FloatArray
from posenc_core.progressive import Arrays, Flags, PartialWork
from posenc_core.tables import LONG_WORK, Cancelled, ProgressCallback, UnreadableError, never_cancelled

_REST_MS = 30
"""How long a picture must stay the same before it is begun: while the user drags, each is replaced at once."""

_POLL_MS = 100
"""Time between two looks at a picture's progress: painting it must leave time to compute it."""

_KEPT = 4
"""Number of pictures kept for a user who zooms in and out again."""

WIDEST_WORDS = "the table has -inf in row 99999999, column 99999"
"""The longest progress note. The figure's size must not depend on the progress: another size is another picture."""


class RenderRequest(Protocol):
    """A picture of an encoding. Requests are hashable, and equal ones have equal pictures."""

    @property
    def work(self) -> int:
        """The number of entries that the picture reads one by one; 0 where a formula gives it."""

    def compute(self) -> Any:
        """The picture; UnreadableError for entries that are no numbers."""

    def begin(self) -> PartialWork:
        """The same picture, to be computed part by part; only for requests with work."""

    def assemble(self, arrays: Arrays, known: Flags) -> Any:
        """The picture as far as the parts are known."""


class Rendered(Struct, frozen=True, eq=False):
    """A picture; ``known`` and ``refused`` flag its parts along the positions, None for a whole picture."""

    picture: Any
    known: Flags | None = None
    refused: Flags | None = None

    def shows(self, partial: PartialWork) -> bool:
        """Whether it shows all that is known by now."""
        if self.known is None or self.refused is None:
            return True
        return np.array_equal(self.known, partial.known) and np.array_equal(self.refused, partial.refused)


class SlowNumbers:
    """A figure whose own numbers can take long."""

    @classmethod
    def watched_numbers(cls, document: Document, progress: ProgressCallback) -> Mapping[str, FloatArray]:
        """The figure's ``numbers``, computed in a thread if they take long; Cancelled once ``progress`` returns False.

        ``progress`` is called with the fraction done.
        """
        raise NotImplementedError


class BackgroundRenderer(QObject):
    """Computes one picture of a slow table at a time, the newest that was requested, and stops any other.

    ``arrived`` is emitted when more parts are known, ``changed`` when ``standing`` or the buttons may have changed.
    """

    arrived = Signal()
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._request: RenderRequest | None = None
        self._stopped: RenderRequest | None = None
        self._kept: dict[RenderRequest, PartialWork] = {}
        self._job: RenderJob | None = None
        self._ending: list[RenderJob] = []
        self._percent_shown = 0
        self._rest, self._poll = QTimer(self), QTimer(self)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.changed)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._begin)
        self._poll.setInterval(_POLL_MS)
        self._poll.timeout.connect(self._look_at_job)

    def render(self, request: RenderRequest, before: Rendered | None) -> Rendered:
        """The picture, now if it takes no long; else its known parts, ``before`` itself if there are no more."""
        if request.work > LONG_WORK or request == self._request:
            partial = self._partial(request)
        else:
            self.forget()
            try:
                return Rendered(request.compute())
            except UnreadableError:  # show the rows that can be read
                partial = self._partial(request)
                self._rest.stop()
                partial.grow(never_cancelled)
        if before is not None and before.shows(partial):
            return before
        known, refused = partial.known.copy(), partial.refused.copy()  # flags first: known parts stay as they are
        picture = request.assemble(partial.arrays, known)
        return Rendered(picture) if known.all() else Rendered(picture, known, refused)

    def _partial(self, request: RenderRequest) -> PartialWork:
        """The picture so far; its missing parts are computed from now on, and no other picture."""
        if request == self._request:
            return self._kept[request]
        partial = self._kept.pop(request, None) or self._begun(request)
        self.forget()
        self._kept[request] = partial
        for old in list(self._kept)[:-_KEPT]:
            del self._kept[old]
        self._request = request
        if not partial.is_finished and request != self._stopped:
            self._rest.start()
        self._soon.start()  # after the paint event that made the request
        return partial

    def _begun(self, request: RenderRequest) -> PartialWork:
        """A new picture with the parts that it shares with the kept ones."""
        partial = request.begin()
        for other in reversed(self._kept.values()):
            partial.adopt(other)
        return partial

    def forget(self) -> None:
        """Stop computing: the picture is no longer shown."""
        if self._request is not None:
            self._end_job()
            if not self._kept[self._request].known.any():
                del self._kept[self._request]
            self._request = None
            self.changed.emit()

    def clear(self) -> None:
        """Stop computing and drop the kept pictures, which are of another encoding."""
        self.forget()
        self._kept.clear()
        self._stopped = None

    def finish(self) -> None:
        """Stop computing and wait until no thread is left."""
        self.forget()
        for job in self._ending:
            job.join()
        self._ending.clear()

    def stop(self) -> None:
        """Stop computing and keep the known parts on the screen."""
        if self.is_busy:
            self._rest.stop()
            self._stopped = self._request
            if self._job is not None:  # the parts that it has begun arrive a moment later
                self._job.is_wanted = False
            self._tell()

    def go_on(self) -> None:
        """Compute the rest of a picture that was stopped."""
        if self.is_stopped:
            self._end_job()
            self._stopped = None
            self._begin()

    def _tell(self) -> None:
        self.arrived.emit()
        self.changed.emit()

    @property
    def is_busy(self) -> bool:
        """Whether a picture is being computed or about to be."""
        return self._is_unfinished and self._request != self._stopped

    @property
    def is_stopped(self) -> bool:
        """Whether the user stopped the picture on the screen."""
        return self._is_unfinished and self._request == self._stopped

    @property
    def _is_unfinished(self) -> bool:
        return self._request is not None and not self._kept[self._request].is_finished

    @property
    def standing(self) -> str:
        """The progress of the picture on the screen, or why a part is missing; empty for a complete one."""
        partial = None if self._request is None else self._kept[self._request]
        if partial is None or partial.known.all():
            return ""
        if partial.is_finished:
            return partial.problem.split(";")[0]
        return f"stopped at {partial.percent}\u00a0%" if self.is_stopped else f"{partial.percent}\u00a0% done"

    def _begin(self) -> None:
        if self._request is not None:
            self._job, self._percent_shown = RenderJob(self._kept[self._request]), 0
            self._poll.start()
            self.changed.emit()

    def _end_job(self) -> None:
        self._rest.stop()
        self._poll.stop()
        if self._job is not None:
            self._job.is_wanted = False
            self._ending = [*(job for job in self._ending if job.is_alive), self._job]
            self._job = None

    def _look_at_job(self) -> None:
        """Show the parts that have arrived; raise an error of the thread, which has no sentence for the user."""
        job = self._job
        if job is None:
            return
        is_alive, percent = job.is_alive, job.partial.percent
        if not is_alive:
            self._end_job()
            if job.error is not None:
                self._stopped = self._request
        if not is_alive or percent != self._percent_shown:
            self._percent_shown = percent
            self._tell()
        if not is_alive and job.error is not None and not isinstance(job.error, Cancelled):
            raise job.error


class RenderJob:
    """A thread that computes the missing parts of a picture."""

    def __init__(self, partial: PartialWork) -> None:
        from concurrent.futures import ThreadPoolExecutor  # imported here, since the window starts without it

        self.partial, self.is_wanted = partial, True
        self._thread = ThreadPoolExecutor(1, "exact picture")
        self._future = self._thread.submit(partial.grow, lambda done: self.is_wanted)
        self._thread.shutdown(wait=False)  # the thread ends with this task

    @property
    def is_alive(self) -> bool:
        """Whether the thread is at work."""
        return not self._future.done()

    @property
    def error(self) -> BaseException | None:
        """The exception that ended the thread; None if it succeeded."""
        return self._future.exception()

    def join(self, seconds: float | None = None) -> None:
        """Wait for the thread's end, or for at most ``seconds``."""
        from concurrent.futures import wait

        wait([self._future], seconds)
        if seconds is None:
            self._thread.shutdown()


def computed(request: RenderRequest, progress: ProgressCallback) -> Any:
    """The picture, computed in a thread while the caller waits; Cancelled once ``progress`` returns False.

    One that takes no long is computed at once.
    """
    if request.work <= LONG_WORK:
        return request.compute()
    partial = request.begin()
    job = RenderJob(partial)
    while job.is_alive:
        job.is_wanted = job.is_wanted and progress(partial.percent / 100)
        job.join(_POLL_MS / 2000 if job.is_wanted else None)
    if job.error is not None:
        raise job.error
    if partial.problem:
        raise UnreadableError(partial.problem)
    return request.assemble(partial.arrays, partial.known)
