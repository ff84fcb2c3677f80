"""How much a thread computes, counted: no machine is too slow or too busy for it.

Counted are calls of functions, Python's own and those written in C, and the numbers in the arrays that functions of
Python return. A loop over the cells of a table shows in the calls, a table that is computed whole in the numbers.
"""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

_NUMBERS_PER_CALL = 50
"""Numbers that NumPy computes in the time of one call."""


def work_of(act: Callable[[], object]) -> float:
    """Work of this thread in ``act``, in calls; a tenth of a second is some 300,000 calls."""
    work = 0.0

    def happened(_frame: FrameType, event: str, value: Any) -> None:
        nonlocal work
        if event == "return":
            if type(value) is np.ndarray:
                work += value.size / _NUMBERS_PER_CALL
        else:
            work += event in ("call", "c_call")

    sys.setprofile(happened)
    try:
        act()
    finally:
        sys.setprofile(None)
    return work
