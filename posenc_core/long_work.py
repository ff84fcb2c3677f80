"""Pictures that take long because entries are read one by one: what they cost, and whoever watches them computed."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from posenc_core.angles import FloatArray, IntArray
from posenc_core.tables import Table

LONG_WORK = 1 << 20
"""Up to this work, in entries read from a file's table, a picture takes some hundredths of a second at most."""

_WORK_AT_A_TIME = 1 << 18
"""Work between two looks at whether anybody still wants it."""

Watch = Callable[[int], bool]
"""Told of work that is about to be done, in entries and from any thread; False asks to stop."""


class Stopped(Exception):  # noqa: N818 - a wish, not an error
    """Whoever watches the work wants no more of it."""


@dataclass(frozen=True)
class WatchedTable(Table):
    """Another table with the same entries, which tells of those that are read, and stops when that is asked for."""

    table: Table
    watch: Watch

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

    @property
    def rows_together(self) -> int:
        """Number of rows that are made together, whichever of them is read."""
        return self.table.rows_together

    def row_work(self, n_columns: int) -> int:
        """What reading a row costs."""
        return self.table.row_work(n_columns)

    def read(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """The entries, read a few at a time; Stopped once they are not wanted any more."""
        tall = max(1, _WORK_AT_A_TIME // self.row_work(len(columns)))
        parts = [self._told(rows[top : top + tall], columns) for top in range(0, len(rows), tall)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def slab(self, top: int, stop: int, left: int, end: int) -> FloatArray:
        """The entries of neighbouring rows and columns; Stopped once they are not wanted any more."""
        self._tell((stop - top) * self.row_work(end - left))
        return self.table.slab(top, stop, left, end)

    def _told(self, rows: IntArray, columns: IntArray) -> FloatArray:
        self._tell(len(rows) * self.row_work(len(columns)))
        return self.table.read(rows, columns)

    def _tell(self, work: int) -> None:
        if not self.watch(work):
            raise Stopped
