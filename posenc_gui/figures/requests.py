"""Requests for pictures that may take long, and the threads that compute them. No Qt is imported here."""

from typing import Any, Protocol

import numpy as np
from msgspec import Struct

from posenc_core.progressive import Arrays, Flags, PartialWork
from posenc_core.tables import LONG_WORK, ProgressCallback, UnreadableError

_STEP_SECONDS = 0.05
"""Time between two calls of a progress callback."""


class RenderRequest(Protocol):
    """A picture of an encoding. Requests are hashable, and equal ones have equal pictures."""

    def __hash__(self) -> int: ...

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
        job.join(_STEP_SECONDS if job.is_wanted else None)
    if job.error is not None:
        raise job.error
    if partial.problem:
        raise UnreadableError(partial.problem)
    return request.assemble(partial.arrays, partial.known)
