"""A picture that takes long: what it is, and the thread that computes it."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from posenc_core import Encoding
from posenc_core.progressive import PartialPicture
from posenc_core.tables import Cancelled

_LOOK_SECONDS = 0.05
"""Between two looks at how far it is."""


@dataclass(frozen=True)
class RenderRequest:
    """A picture of an encoding, the same for the same ``part``: how to compute it, at once or later, and its work.

    ``shown`` turns what has grown so far into what ``compute`` gives.
    """

    encoding: Encoding
    part: Hashable
    compute: Callable[[], Any] = field(compare=False)
    grow: Callable[[], PartialPicture] = field(compare=False)
    work: int = field(compare=False)
    shown: Callable[[Any], Any] = field(compare=False, default=lambda picture: picture)


def percent_of(growing: PartialPicture) -> int:
    """How much of a picture is there, below 100."""
    return min(99, 100 * (growing.work - growing.work_left) // max(1, growing.work))


def computed(wanted: RenderRequest, watch: Callable[[float], bool]) -> Any:
    """The picture, for which one waits: ``watch`` is told of the share that is done; Cancelled once it gives False."""
    growing = wanted.grow()
    job = RenderJob(growing)
    while job.is_at_work:
        if not watch(job.percent / 100):
            job.stop()
            job.wait()
            raise Cancelled
        job.wait(_LOOK_SECONDS)
    if job.error is not None:
        raise job.error
    return wanted.shown(growing.picture())


class RenderJob:
    """A thread that computes what is missing of a picture."""

    def __init__(self, growing: PartialPicture) -> None:
        self._growing, self._before = growing, growing.work_left
        self._is_wanted = True
        self._began, self.seconds = perf_counter(), 0.0  # that it took, once it has ended
        from concurrent.futures import ThreadPoolExecutor  # which no window needs at its start

        self._thread = ThreadPoolExecutor(1, "exact picture")
        self._future = self._thread.submit(self._grow)
        self._thread.shutdown(wait=False)  # it ends with this

    @property
    def is_at_work(self) -> bool:
        """Whether it has neither ended nor failed yet."""
        return not self._future.done()

    @property
    def error(self) -> BaseException | None:
        """What went wrong, once it is not at work any more."""
        return self._future.exception()

    @property
    def percent(self) -> int:
        """How much of the picture is done, below 100."""
        return percent_of(self._growing)

    @property
    def work_done(self) -> int:
        """The work that it has done."""
        return self._before - self._growing.work_left

    def stop(self) -> None:
        """Tell the thread to end, which takes as long as the few entries at which it is."""
        self._is_wanted = False

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the thread's end, or for so long."""
        from concurrent.futures import wait

        wait([self._future], seconds)
        if seconds is None:
            self._thread.shutdown()

    def _grow(self) -> None:
        try:
            self._growing.grow(lambda work: self._is_wanted)
        finally:
            self.seconds = perf_counter() - self._began
