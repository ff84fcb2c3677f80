"""How much the window's thread does in one turn of its event loop, counted: no machine is too slow or too busy for it.

Counted are calls of functions, Python's own and those written in C, and the numbers in the arrays that functions of
Python return. A loop over the cells of a table shows in the calls, a table that is computed whole in the numbers.
"""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
from PySide6.QtWidgets import QApplication

_AFTER = 6
"""Turns that follow an action: timers that it starts, and pictures that arrive."""

_NUMBERS_PER_CALL = 50
"""Numbers that NumPy computes in the time of a call: what it does for a call of any kind is as long."""


class Turns:
    """Counts the work of turns. ``most`` has that of the heaviest turn of each action, in calls."""

    def __init__(self) -> None:
        self._work = 0.0
        self.count = 0
        self.most: dict[str, float] = {}

    def take(self, name: str, act: Callable[[], object]) -> None:
        """Act as the user does, and count the work of this turn and of those that it sets off."""
        most = max(self._turn(each) for each in [act, *[_nothing] * _AFTER])
        self.count += 1 + _AFTER
        self.most[name] = max(most, self.most.get(name, 0.0))

    def _turn(self, act: Callable[[], object]) -> float:
        self._work = 0.0
        sys.setprofile(self._happened)
        try:
            act()
            QApplication.processEvents()
        finally:
            sys.setprofile(None)
        return self._work

    def _happened(self, _frame: FrameType, event: str, value: Any) -> None:
        if event == "return":
            if type(value) is np.ndarray:
                self._work += value.size / _NUMBERS_PER_CALL
        else:
            self._work += event in ("call", "c_call")


def _nothing() -> None:
    """The user waits."""
