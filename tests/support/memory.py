"""What the program keeps for later, let go of between tests: a closed table of gigabytes is a key of its caches."""

import ctypes
import functools
import gc
import sys

from PySide6.QtCore import QCoreApplication, QEvent

_FORMULAS = "posenc_gui.look.typeset"
"""Keeps some hundred small drawings, of which every window shows the same few."""

_trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform.startswith("linux") else None


def spare_what_stays() -> None:
    """Leave the modules and tests, which live to the end, out of later collections: a hundred times as many objects."""
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
    if _trim is not None:
        _trim(0)


def _is_emptied(cache: "functools._lru_cache_wrapper[object]") -> bool:
    return (cache.cache_info().maxsize or 0) > 1 and cache.__module__ != _FORMULAS
