"""Release of caches between tests: a closed table of gigabytes stays alive as a key of a cache."""

import ctypes
import functools
import gc
import linecache
import sys

from PySide6.QtCore import QCoreApplication, QEvent

_FORMULAS = "posenc_gui.look.typeset"
"""Keeps some hundred small drawings, of which every window shows the same few."""

_ARENA_MAX = -8
"""glibc's ``M_ARENA_MAX``."""

_libc = ctypes.CDLL(None) if sys.platform.startswith("linux") else None
_trim = getattr(_libc, "malloc_trim", None)
_adjust = getattr(_libc, "mallopt", None)


def keep_one_heap() -> None:
    """Let all threads share one heap: each picture computed in a thread would leave a heap of its own in pieces.

    After four files of panels a worker had 267 MB resident with several heaps, and 226 with one.
    """
    if _adjust is not None:
        _adjust(_ARENA_MAX, 1)


def spare_what_stays() -> None:
    """Leave the modules and tests, which live to the end, out of later collections: a hundred times as many objects.

    The lines of all their files, which were read for the places of the tests, are not needed any more: 30 MB.
    """
    linecache.clearcache()
    gc.collect()
    gc.freeze()


def delete_what_waits() -> None:
    """Delete what was let go of: no event loop turns between tests, and the program collects garbage rarely."""
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect(1)


def forget() -> None:
    """Empty the bounded caches, which hold numbers and encodings; formulas, fonts and colours stay."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("posenc_core", "posenc_gui", "hostile_numbers")):
            for value in vars(module).values():
                if isinstance(value, functools._lru_cache_wrapper) and _is_emptied(value):
                    value.cache_clear()
    gc.collect()
    gc.freeze()  # what a file's tests leave alive are modules and what the whole session keeps
    if _trim is not None:
        _trim(0)


def _is_emptied(cache: "functools._lru_cache_wrapper[object]") -> bool:
    return (cache.cache_info().maxsize or 0) > 1 and cache.__module__ != _FORMULAS
