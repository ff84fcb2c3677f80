"""Waiting for events in the window without a time limit that a slow machine could reach."""

from collections.abc import Callable
from typing import Any

from pytestqt.qtbot import QtBot

_HANGS_MS = 600_000
"""Longer than any event takes on a busy machine."""


class PatientBot(QtBot):
    """pytest-qt's own, which gives up after five seconds otherwise."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = _HANGS_MS) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = _HANGS_MS, **how: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **how)

    def waitSignals(self, signals: list[Any], *, timeout: int = _HANGS_MS, **how: Any) -> Any:
        return super().waitSignals(signals, timeout=timeout, **how)
