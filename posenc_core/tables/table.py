"""The interface of tables that are read by windows, and tables whose reading can be cancelled."""

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from posenc_core.explain import Dialect, Snippet, written_out
from posenc_core.numerics import Float32Array, FloatArray, IntArray, reduced

LONG_WORK = 1 << 20
"""A picture of more entries is slow: reading this many from a file needs a few hundredths of a second."""

ProgressCallback = Callable[[float], bool]
"""Call with the fraction done; returns False once the user cancels."""

_ROW_COST = 16
"""Cost of locating a row, in entries."""

_COST_AT_A_TIME = 1 << 18
"""Cost between two progress reports, in entries: 2 MB as float64."""

Combines = tuple[np.ufunc, ...]
"""Reductions of groups of rows: ``np.add``, ``np.minimum``, ``np.maximum``."""


class UnreadableError(ValueError):
    """A table has an invalid entry, or its file was truncated; the sentence names the place."""


class Table(ABC):
    """Numbers in rows and columns, and their source."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""

    @property
    @abstractmethod
    def label(self) -> str:
        """The source of the numbers."""

    @abstractmethod
    def read(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """The entries, float64 ``(n_rows, n_columns)``; reads nothing else."""

    def rounded(self, rows: IntArray, columns: IntArray) -> Float32Array:
        """The same entries in float32."""
        return self.read(rows, columns).astype(np.float32)

    def slab(self, top: int, stop: int, left: int, end: int) -> FloatArray:
        """The entries of the rows top..stop-1 and the columns left..end-1."""
        return self.read(np.arange(top, stop), np.arange(left, end))

    def refusal(self, row: int) -> str:
        """The sentence why a row cannot be read; empty if it can."""
        return ""

    def row_cost(self, n_columns: int) -> int:
        """Cost of reading ``n_columns`` columns of a row, in entries of a file's table."""
        return n_columns + _ROW_COST

    def combined(self, combines: Combines, edges: IntArray, left: int, end: int) -> list[FloatArray]:
        """Each reduction of the columns left..end-1 over the rows from each edge to the next.

        The result is a list of float64 ``(n_edges - 1, end - left)``; ``edges`` ascend strictly.
        """
        combined = [np.empty((len(edges) - 1, end - left)) for _ in combines]
        tall = max(1, _COST_AT_A_TIME // self.row_cost(end - left))
        for top in range(int(edges[0]), int(edges[-1]), tall):
            stop = min(top + tall, int(edges[-1]))
            first, last = np.searchsorted(edges, top, "right") - 1, np.searchsorted(edges, stop, "left")
            begins = np.maximum(edges[first:last], top)
            parts = self.stretch(combines, np.r_[begins, stop], left, end)
            for combine, whole, part in zip(combines, combined, parts, strict=True):
                if edges[first] < top:  # its earlier rows are in ``whole``
                    combine(whole[first], part[0], out=part[0])
                whole[first:last] = part
        return combined

    def stretch(self, combines: Combines, edges: IntArray, left: int, end: int) -> list[FloatArray]:
        """``combined`` for few rows, which are read together."""
        block = self.slab(int(edges[0]), int(edges[-1]), left, end)
        return [reduced(combine, block, edges[:-1] - edges[0]) for combine in combines]

    @property
    def spared(self) -> int:
        """Number of processors left to other work while rows are combined."""
        return 0

    @property
    @abstractmethod
    def largest(self) -> float:
        """The largest absolute value of the rows examined."""

    @property
    def n_examined(self) -> int:
        """Number of rows that ``largest`` covers."""
        return self.shape[0]

    def script(self, rows: IntArray, index: str, code: Dialect) -> Snippet:
        """Lines of a script that define ``table`` as these rows; in the script they are the expression ``index``."""
        return written_out(self.read(rows, np.arange(self.shape[1])), code, f"the numbers themselves: {self.label}")


def never_cancelled(done: float) -> bool:
    """A progress callback for work that cannot be cancelled."""
    return True


class Cancelled(Exception):  # noqa: N818 - a wish, not an error
    """Raised when the progress callback cancels."""


class CancellableTable(Table):
    """Another table with the same entries; reading raises Cancelled once ``goes_on``, from any thread, is False."""

    def __init__(self, table: Table, goes_on: Callable[[], bool]) -> None:
        self.table, self.goes_on = table, goes_on

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return self.table.shape

    @property
    def label(self) -> str:
        """Source of the numbers."""
        return self.table.label

    @property
    def largest(self) -> float:
        """The largest absolute value in the rows that are looked at."""
        return self.table.largest

    def refusal(self, row: int) -> str:
        """The reason why a row cannot be read; empty for a readable row."""
        return self.table.refusal(row)

    @property
    def spared(self) -> int:
        """One processor, left to the window."""
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
