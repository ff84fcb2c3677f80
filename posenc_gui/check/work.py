"""Reading and identifying in a thread, whose result the window polls."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from time import monotonic
from typing import Any

from msgspec import Struct
from PySide6.QtCore import QObject, QTimer, Signal

from posenc_core.identify import Finding, identify, is_export
from posenc_core.tables import TEXT_SUFFIXES, Cancelled, ProgressCallback, arrays_in
from posenc_gui.look import PATIENCE_MS

_LOOK_MS = 20
_AT_ONCE_SECONDS = 0.05
"""Most checks end within this time and need no progress."""


class Several(Struct, frozen=True):
    """The arrays of a file that has more than two, of which one is to be chosen."""

    arrays: Mapping[str, Any]


Source = str | Path | Several
"""A text, the path of a file, or one array by its name."""


def examined(source: Source, against: Any, positions: Any, progress: ProgressCallback) -> Finding | Several:
    """The finding, or the arrays to choose from; errors as ``identify``."""
    if isinstance(source, Path) and source.suffix.lower() not in TEXT_SUFFIXES:
        arrays = arrays_in(source)
        if len(arrays) > 2 and not is_export(arrays):
            return Several(arrays)
        source = Several(arrays)
    given = source.arrays if isinstance(source, Several) else source
    return identify(given, against=against, positions=positions, progress=progress)


class _Job:
    """A check in a thread, which ends at the next report after a cancel."""

    def __init__(self, work: Callable[[ProgressCallback], Finding | Several]) -> None:
        self.share, self.is_wanted, self.begun = 0.0, True, monotonic()
        thread = ThreadPoolExecutor(1, "check of numbers")
        self.future = thread.submit(work, self._report)
        thread.shutdown(wait=False)  # the thread ends with this check

    def _report(self, share: float) -> bool:
        self.share = share
        return self.is_wanted


class _Present:
    """The check at work, which ends with the window too."""

    job: _Job | None = None

    def drop(self) -> bool:
        """Stop the check; returns whether there was one."""
        job, self.job = self.job, None
        if job is not None:
            job.is_wanted = False
        return job is not None


class Checking(QObject):
    """The present check. A new check replaces a running one.

    ``ended`` carries a ``Finding`` or the arrays to choose from, ``refused`` one sentence, ``progressed`` the share
    done of a slow check, ``stopped`` follows a cancel.
    """

    ended = Signal(object)
    refused = Signal(str)
    progressed = Signal(float)
    stopped = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._present = _Present()
        self.destroyed.connect(self._present.drop)
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self._look)

    @property
    def is_at_work(self) -> bool:
        """Whether a check has not ended."""
        return self._present.job is not None

    def begin(self, source: Source, against: Any, positions: Any = None) -> None:
        """Check these numbers, with the ``positions`` of the rows; a signal reports the end."""
        self._present.drop()
        job = self._present.job = _Job(lambda progress: examined(source, against, positions, progress))
        wait([job.future], _AT_ONCE_SECONDS)
        self._timer.start()
        self._look()

    def cancel(self) -> bool:
        """Stop the present check; returns whether there was one."""
        is_at_work = self._present.drop()
        if is_at_work:
            self._timer.stop()
            self.stopped.emit()
        return is_at_work

    def _look(self) -> None:
        job = self._present.job
        if job is None:
            return
        if not job.future.done():
            if 1000 * (monotonic() - job.begun) > PATIENCE_MS:
                self.progressed.emit(job.share)
            return
        self._present.drop()
        self._timer.stop()
        try:
            found = job.future.result()
        except Cancelled:
            self.stopped.emit()
        except (TypeError, ValueError) as error:
            self.refused.emit(str(error))
        else:
            self.ended.emit(found)
