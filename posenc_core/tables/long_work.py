"""Pictures that take long because entries are read one by one: what they cost, and whoever watches them computed."""

from collections.abc import Callable
from dataclasses import dataclass

from posenc_core.numerics import FloatArray, IntArray
from posenc_core.tables.table import Combines, Table

LONG_WORK = 1 << 20
"""Up to this work, in entries read from a file's table, a picture takes some hundredths of a second at most."""

ProgressCallback = Callable[[int], bool]
"""Told of work that is about to be done, in entries and from any thread; False asks to stop."""


class Cancelled(Exception):  # noqa: N818 - a wish, not an error
    """Whoever watches the work wants no more of it."""


@dataclass(frozen=True)
class ProgressTable(Table):
    """Another table with the same entries, which tells of those that are read, and stops when that is asked for."""

    table: Table
    watch: ProgressCallback

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
        """The largest absolute value, as far as the table is looked at for it."""
        return self.table.largest

    def refusal(self, row: int) -> str:
        """Why a row cannot be read, in a sentence; empty where it can."""
        return self.table.refusal(row)

    @property
    def spared(self) -> int:
        """One: whoever watches has other things to do."""
        return 1

    def row_cost(self, n_columns: int) -> int:
        """What reading a row costs."""
        return self.table.row_cost(n_columns)

    def read(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """The entries; Cancelled once they are not wanted any more."""
        self._tell(len(rows) * self.row_cost(len(columns)))
        return self.table.read(rows, columns)

    def stretch(self, combines: Combines, edges: IntArray, left: int, end: int) -> list[FloatArray]:
        """Neighbouring rows combined; Cancelled once they are not wanted any more."""
        self._tell(int(edges[-1] - edges[0]) * self.row_cost(end - left))
        return self.table.stretch(combines, edges, left, end)

    def _tell(self, work: int) -> None:
        if not self.watch(work):
            raise Cancelled
