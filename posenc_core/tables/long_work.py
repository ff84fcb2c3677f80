"""Work that takes long because entries are read one by one: its progress, and tables whose reading can be cancelled."""

from collections.abc import Callable
from dataclasses import dataclass

from posenc_core.numerics import FloatArray, IntArray
from posenc_core.tables.table import Combines, Table

LONG_WORK = 1 << 20
"""A picture of more entries than these takes long: reading as many from a file takes a few hundredths of a second."""

ProgressCallback = Callable[[float], bool]
"""Call with the fraction done; returns False once the user cancels."""


def never_cancelled(done: float) -> bool:
    """A progress callback for work that cannot be cancelled."""
    return True


class Cancelled(Exception):  # noqa: N818 - a wish, not an error
    """Raised when the progress callback cancels."""


@dataclass(frozen=True)
class CancellableTable(Table):
    """Another table with the same entries; reading raises Cancelled once ``goes_on``, from any thread, is False."""

    table: Table
    goes_on: Callable[[], bool]

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return self.table.shape

    @property
    def label(self) -> str:
        """Where the numbers come from."""
        return self.table.label

    @property
    def largest(self) -> float:
        """The largest absolute value in the rows that are looked at."""
        return self.table.largest

    def refusal(self, row: int) -> str:
        """A sentence on why a row cannot be read; empty where it can."""
        return self.table.refusal(row)

    @property
    def spared(self) -> int:
        """One processor, which is left to the window."""
        return 1

    def row_cost(self, n_columns: int) -> int:
        """The cost of reading ``n_columns`` of a row, in entries."""
        return self.table.row_cost(n_columns)

    def read(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """The entries, float64 ``(n_rows, n_columns)``."""
        self._check()
        return self.table.read(rows, columns)

    def stretch(self, combines: Combines, edges: IntArray, left: int, end: int) -> list[FloatArray]:
        """Neighbouring rows combined, as in Table."""
        self._check()
        return self.table.stretch(combines, edges, left, end)

    def _check(self) -> None:
        if not self.goes_on():
            raise Cancelled
