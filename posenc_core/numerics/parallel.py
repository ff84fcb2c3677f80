"""Work in numpy shared out among the processors: numpy lets go of Python's lock while it computes."""

import os
from collections import deque
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

Item = TypeVar("Item")


def on_all_processors(function: Callable[[Item], object], items: Iterable[Item], spared: int = 0) -> None:
    """Call the function with each item, several at a time, beginning in this thread: it need not be woken first.

    Of the processors some may be ``spared``, though not this thread's.

    An error is raised once those that have begun are done; no other begins.
    """
    waiting = deque(items)

    def work() -> None:
        while waiting:
            try:
                item = waiting.popleft()
            except IndexError:  # another thread has taken the last
                return
            try:
                function(item)
            except BaseException:
                waiting.clear()
                raise

    others = [_threads().submit(work) for _ in range(min(n_processors() - spared, len(waiting)) - 1)]
    try:
        work()
    finally:
        for other in others:
            if not other.cancel():  # one that has not begun would find nothing to do
                other.result()


def n_processors() -> int:
    """Number of processors that the process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@lru_cache(maxsize=1)
def _threads() -> "ThreadPoolExecutor":
    """A thread a processor, started when first asked for and kept: to start one takes as long as much of the work."""
    from concurrent.futures import ThreadPoolExecutor  # which no window needs at its start

    return ThreadPoolExecutor(n_processors(), thread_name_prefix="posenc-core")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.cache_clear)  # threads are not taken along into a forked process
