"""Work in numpy on all processors: numpy releases Python's lock while it computes."""

import os
from collections import deque
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

Item = TypeVar("Item")
Made = TypeVar("Made")

_LOOK_SECONDS = 0.03


def on_all_processors(function: Callable[[Item], object], items: Iterable[Item], spared: int = 0) -> None:
    """Call the function with each item, several at a time, in this thread and others.

    ``spared`` processors are left to other work, but this thread always works. After an error no further call begins;
    the error is raised after the running calls.
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
            if not other.cancel():  # a thread that has not begun would find nothing to do
                other.result()


def beside(work: Callable[[], Made], look: Callable[[float], object], name: str) -> Made:
    """The result of the work, done in a thread of that name; the work's own error is raised here.

    Until the work ends, ``look`` is called regularly with the seconds since its start. An error of ``look`` leaves
    the work running, since Python cannot stop a thread.
    """
    from concurrent.futures import Future, wait  # not needed at the window's start
    from threading import Thread
    from time import monotonic

    answer: Future[Made] = Future()

    def run() -> None:
        try:
            answer.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for; sys.exit too
            answer.set_exception(error)

    begun = monotonic()
    Thread(target=run, daemon=True, name=name).start()
    while not wait([answer], _LOOK_SECONDS).done:
        look(monotonic() - begun)
    return answer.result()


def n_processors() -> int:
    """Number of processors available to the process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@lru_cache(maxsize=1)
def _threads() -> "ThreadPoolExecutor":
    """One thread per processor, started at first use and kept, because starting a thread is slow."""
    from concurrent.futures import ThreadPoolExecutor  # not needed at the window's start

    return ThreadPoolExecutor(n_processors(), thread_name_prefix="posenc-core")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.cache_clear)  # a forked process has no threads
