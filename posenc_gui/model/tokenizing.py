"""Long texts are cut into tokens before they are shown, a little at every turn of the event loop."""

from collections.abc import Callable, Iterator

from msgspec import Struct
from PySide6.QtCore import QObject, QTimer, Signal

from posenc_core import Document

LONG = 1 << 19
"""Characters that are cut at once: fewer take some hundredths of a second at most."""


class _Coming(Struct, frozen=True):
    """What is to happen once the tokens are known, and by what name it can be taken back."""

    shares: Iterator[float]
    then: Callable[[], None]
    name: str


class IncrementalTokenizer(QObject):
    """Cuts the text of a document that is to come; until it is cut, the one before stays, and others can be edited.

    ``progressed`` carries per cent, and ``settled`` says that nothing is to come any more, done or stopped.
    """

    progressed = Signal(int)
    settled = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._coming: _Coming | None = None
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._step)

    @property
    def is_busy(self) -> bool:
        """Whether something is to come."""
        return self._coming is not None

    def takes_long(self, document: Document) -> bool:
        """Whether the document's text is better cut by and by."""
        return document.n_pending > LONG

    def when_cut(self, document: Document, then: Callable[[], None]) -> None:
        """Call this once the document's tokens are known: now, or later if it takes long."""
        if self.takes_long(document):
            self.begin(document, then)
        else:
            then()

    def begin(self, document: Document, then: Callable[[], None], name: str = "") -> None:
        """Cut the document's text, and call this then; whatever else was to come is forgotten."""
        self._coming = _Coming(document.cut(), then, name)
        self._timer.start()
        self.progressed.emit(0)

    def stop(self, name: str | None = None) -> None:
        """Forget what is to come, if it has this name, or any."""
        if self._coming is not None and name in (None, self._coming.name):
            self._coming = None
            self._timer.stop()
            self.settled.emit()

    def _step(self) -> None:
        coming = self._coming
        if coming is None:
            return
        for share in coming.shares:
            self.progressed.emit(int(100 * share))
            return  # one slice at every turn
        self._coming = None
        self._timer.stop()
        try:
            coming.then()
        finally:
            if not self.is_busy:
                self.settled.emit()
