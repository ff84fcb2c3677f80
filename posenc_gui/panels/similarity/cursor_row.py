"""The line of the cursor's row: of a wide or a long table it is read once the cursor rests."""

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QObject, QTimer, Signal

from posenc_core import Document, Encoding
from posenc_core.numerics import FloatArray
from posenc_gui.panels.similarity.numbers import distances_of, row_line, step_of
from posenc_gui.panels.similarity.spec import SIMILARITY_MEASURE

_REST_MS = 60
"""How long the cursor must stay in a row: while it moves, each row would be replaced at once."""

_QUICK = 1 << 17
"""Entries of the rows that are compared within a few milliseconds."""


class RowRequest(Struct, frozen=True):
    """The line of a position's row: the likeness by ``measure`` at the distances -reach..reach in steps."""

    encoding: Encoding
    position: int
    shown: range
    reach: int
    step: int
    measure: str

    @classmethod
    def of(cls, document: Document, position: int, shown: range) -> "RowRequest":
        """The request for a position of a document."""
        reach, step = int(distances_of(document)[-1]), step_of(document)
        return cls(document.encoding, position, shown, reach, step, document.option(SIMILARITY_MEASURE))

    @property
    def count(self) -> int:
        """The number of distances."""
        return 2 * (self.reach // self.step) + 1

    @property
    def is_quick(self) -> bool:
        """Whether the row can be compared while the cursor moves."""
        return self.count * self.encoding.n_columns <= _QUICK

    def compute(self) -> FloatArray:
        """The numbers, float64 ``(count,)``; nan beyond the positions shown."""
        return row_line(self.encoding, self.position, self.shown, self.reach, self.step, self.measure)


class RestingRow(QObject):
    """Gives the line of the newest request: a slow one once no other has come for a moment, when ``due`` is emitted."""

    due = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._wanted: RowRequest | None = None
        self._due: RowRequest | None = None
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._rested)

    def line(self, request: RowRequest, may_wait: bool) -> FloatArray:
        """The numbers of the line, float64 ``(count,)``; nan as long as a slow one ``may_wait`` and is not due."""
        if request.is_quick or not may_wait or request == self._due:
            return request.compute()
        if request != self._wanted:
            self._wanted = request
            self._rest.start()
        return np.full(request.count, np.nan)

    def _rested(self) -> None:
        self._due, self._wanted = self._wanted, None
        self.due.emit()
