"""How much the window's thread does in one turn of its event loop."""

from collections.abc import Callable

from PySide6.QtWidgets import QApplication
from work import work_of

_AFTER = 6
"""Turns that follow an action: timers that it starts, and pictures that arrive."""


class Turns:
    """Counts the work of turns. ``most`` has that of the heaviest turn of each action, in calls."""

    def __init__(self) -> None:
        self.count = 0
        self.most: dict[str, float] = {}

    def take(self, name: str, act: Callable[[], object]) -> None:
        """Act as the user does, and count the work of this turn and of those that it sets off."""
        most = max(work_of(lambda each=each: _turn(each)) for each in [act, *[_nothing] * _AFTER])
        self.count += 1 + _AFTER
        self.most[name] = max(most, self.most.get(name, 0.0))


def _turn(act: Callable[[], object]) -> None:
    act()
    QApplication.processEvents()


def _nothing() -> None:
    """The user waits."""
