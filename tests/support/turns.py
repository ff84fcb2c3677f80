"""How long the window is held by one turn of its event loop, against repainting it unchanged.

Times are those of the window's thread on the processor: what other processes do counts little. What two threads share
counts for what this one does of it.
"""

import gc
import statistics
from collections.abc import Callable
from time import thread_time

from PySide6.QtWidgets import QApplication

_AFTER = 6
"""Turns that follow an action: timers that it starts, and pictures that arrive."""


class Turns:
    """Measures turns in a window, all of whose panels are visible.

    ``longest`` has the longest turn of each action as a multiple of an idle repaint measured beside it.
    """

    def __init__(self, window) -> None:
        self._window = window
        self.count = 0
        self.longest: dict[str, float] = {}
        gc.collect()
        gc.freeze()  # as the program does before its first event
        for _ in range(3):
            self._repaint()

    def take(self, name: str, act: Callable[[], object]) -> None:
        """Act as the user does, and measure this turn and those that it sets off."""
        idle = [self._repaint(), self._repaint()]
        longest = max(self._turn(each) for each in [act, *[_nothing] * _AFTER])
        self.count += 1 + _AFTER
        multiple = longest / statistics.median([*idle, self._repaint(), self._repaint()])
        self.longest[name] = max(multiple, self.longest.get(name, 0.0))

    def _turn(self, act: Callable[[], object]) -> float:
        begun = thread_time()
        act()
        QApplication.processEvents()
        return thread_time() - begun

    def _repaint(self) -> float:
        return self._turn(self._update)

    def _update(self) -> None:
        for panel in self._window.panels.values():
            assert panel.isVisible()
            panel.view.viewport().update()


def _nothing() -> None:
    """The user waits."""
