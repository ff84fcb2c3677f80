"""Work in numpy shared out among the processors: numpy lets go of Python's lock while it computes."""

import os
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

Item = TypeVar("Item")
Made = TypeVar("Made")


def on_all_processors(function: Callable[[Item], Made], items: Iterable[Item]) -> Iterator[Made]:
    """What the function makes of each item, in their order, several at a time.

    Functions that are called so must not share out work themselves: they would wait for each other.
    """
    return _threads().map(function, items)


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
