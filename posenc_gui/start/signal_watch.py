"""The signals that ask the program to end, brought into Qt's event loop."""

import signal
import socket
from contextlib import suppress
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier, Signal

from posenc_gui.start import signals


class SignalWatch(QObject):
    """Emits ``caught`` with the number of a termination signal, from the creation until ``end``.

    Python runs a handler only between two of its own steps, and an idle event loop makes none. Therefore the
    system writes the number to a socket, which the loop watches; Windows has pairs of sockets too.
    """

    caught = Signal(int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._reader, self._writer = socket.socketpair()
        for end in (self._reader, self._writer):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)
        signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._before: dict[int, Any] = signals.answer(_leave_to_the_loop)

    def end(self) -> None:
        """Leave the signals to the handlers that they had before."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(-1)
        self._notifier.setEnabled(False)
        self._reader.close()
        self._writer.close()

    def _read(self) -> None:
        with suppress(BlockingIOError):
            asked = [number for number in self._reader.recv(64) if number in self._before]  # others are written too
            if asked:
                self.caught.emit(asked[0])


def _leave_to_the_loop(_number: int, _frame: object) -> None:
    """Do nothing: a signal is written to the socket only if it has a handler in Python."""
