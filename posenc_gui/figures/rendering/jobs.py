"""Threads that compute pictures. No Qt is imported here."""

from typing import Any

from posenc_core.progressive import PartialWork
from posenc_core.tables import LONG_WORK, ProgressCallback, UnreadableError
from posenc_gui.figures.rendering.requests import RenderRequest

_STEP_SECONDS = 0.05
"""Time between two calls of a progress callback."""


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

    A cheap picture is computed at once.
    """
    if request.work <= LONG_WORK:
        return request.compute()
    partial = request.begin()
    job = RenderJob(partial)
    while job.is_alive:
        job.is_wanted = job.is_wanted and progress(partial.percent / 100)
        job.join(_STEP_SECONDS if job.is_wanted else None)
    if job.error is not None:
        raise job.error
    if partial.problem:
        raise UnreadableError(partial.problem)
    return request.assemble(partial.arrays, partial.known)
