"""Termination signals, and the immediate end of the program without unsaved work.

Little is imported here, so that a signal is answered from the first milliseconds on. Older versions of Python can parse
this file, like the others that are read before the machine is checked.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False  # as in typing, whose import costs as much as all else here
if TYPE_CHECKING:
    from collections.abc import Callable

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
"""Ctrl+C, a request to end, a closed terminal, and Windows' name for the last two."""


def asked_to_end() -> list[int]:
    """The termination signals of this system, without those that the parent process chose to ignore."""
    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    return [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]  # nohup ignores SIGHUP


def answer(handler: Callable[[int, object], object]) -> dict[int, object]:
    """Call the handler with the number of each of these signals from now on, in the main thread.

    Returns the previous handlers.
    """
    return {number: signal.signal(number, handler) for number in asked_to_end()}


def end_at_once(what: str, clean_up: Callable[[], object] | None = None) -> None:
    """Let each of these signals end the program with the sentence ``what``, after ``clean_up``.

    No exception is raised: it could arrive in the middle of an import or of Qt's painting, where it would be
    printed and ignored.
    """

    def end(number: int, _frame: object) -> None:
        if clean_up is not None:
            clean_up()
        leave(number, what)

    answer(end)


def leave(number: int, what: str) -> None:
    """End the process with the exit status of shells for this signal, 128 + number, after one sentence."""
    try:
        if sys.stderr is not None:  # else the descriptor may belong to another file
            # Not through sys.stderr, which the signal may have interrupted.
            os.write(2, f"Ended by {signal.Signals(number).name}: {what}.\n".encode())
    finally:  # the terminal may be closed
        os._exit(128 + number)
