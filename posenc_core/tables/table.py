"""The interface of tables that are read by windows, simulated tables, and tables whose reading can be cancelled."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from posenc_core.explain import Dialect, Snippet, written_out
from posenc_core.numerics import Float32Array, FloatArray, IntArray, normal_numbers, reduced

LONG_WORK = 1 << 20
"""A picture of more entries than these takes long: reading as many from a file takes a few hundredths of a second."""

ProgressCallback = Callable[[float], bool]
"""Call with the fraction done; returns False once the user cancels."""

_DRAWN_TOGETHER = 1 << 14

_ROW_COST = 16
"""Cost of locating a row, in entries."""

_DRAWING_COST = 3
"""Cost of drawing a number, in entries read."""

_CLIP = 4.0
"""Simulated numbers are clipped at this many deviations, which one in 16,000 would exceed."""

_IMPORTS = ("from functools import cache", "from hashlib import blake2b")
_COST_AT_A_TIME = 1 << 18
"""Cost between two progress reports, in entries: 2 MB as float64."""

Combines = tuple[np.ufunc, ...]
"""Reductions of groups of rows: ``np.add``, ``np.minimum``, ``np.maximum``."""


class UnreadableError(ValueError):
    """A table holds an invalid entry where it is read, or its file was truncated; the sentence says where."""


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

        A list of float64 ``(n_edges - 1, end - left)``; ``edges`` ascend strictly.
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
        """Lines of a script that define ``table`` as these rows; in the script the expression ``index`` gives them."""
        return written_out(self.read(rows, np.arange(self.shape[1])), code, f"the numbers themselves: {self.label}")


@dataclass(frozen=True)
class SimulatedTable(Table):
    """Independent normal numbers of mean 0, clipped at four deviations, equal for equal seed, name and width.

    A table of more rows begins with the same rows. ``label`` names the ``kind`` and the seed.
    """

    seed: int
    name: str
    n_rows: int
    n_columns: int
    deviation: float
    kind: str = "simulated"

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return self.n_rows, self.n_columns

    @property
    def label(self) -> str:
        """That the numbers are no model's."""
        return f"{self.kind} (seed {self.seed})"

    @property
    def largest(self) -> float:
        """The bound at which numbers are clipped."""
        return _CLIP * self.deviation

    @property
    def rows_together(self) -> int:
        """Number of rows drawn at a time."""
        return max(1, _DRAWN_TOGETHER // self.n_columns)

    def row_cost(self, n_columns: int) -> int:
        """Cost of drawing a row, which is always drawn whole."""
        return _DRAWING_COST * self.n_columns

    def script(self, rows: IntArray, index: str, code: Dialect) -> Snippet:
        """Lines that draw the numbers again."""
        return _drawing_script(self, index, code)

    def read(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """The entries, float64 ``(n_rows, n_columns)``, drawn in blocks of rows and cached."""
        tall = self.rows_together
        blocks, within = np.divmod(rows, tall)
        entries = np.empty((len(rows), len(columns)))
        for block in sorted(set(blocks.tolist())):
            drawn = _drawn(self.seed, self.name, block, tall, self.n_columns)
            chosen = blocks == block
            entries[chosen] = drawn[np.ix_(within[chosen], columns)]
        return entries * self.deviation


@lru_cache(maxsize=256)  # 32 MB, or 128 MB of the widest rows
def _drawn(seed: int, name: str, block: int, tall: int, n_columns: int) -> FloatArray:
    """Standard normal numbers of a block of rows, ``(tall, n_columns)``."""
    drawn = normal_numbers(seed, f"{name} {block}", tall * n_columns)
    return np.clip(drawn, -_CLIP, _CLIP).reshape(tall, n_columns)


def _drawing_script(table: SimulatedTable, rows: str, code: Dialect) -> Snippet:
    """Lines that define ``table`` as the rows of the expression ``rows``, drawn again."""
    tall = table.rows_together
    one = table.n_rows <= tall
    name = f'"{table.name} 0".encode()' if one else f'f"{table.name} {{number}}".encode()'
    draw = (
        f'key = blake2b({name}, key=({table.seed}).to_bytes(4, "little"), digest_size=32).digest()',
        f'normal = np.random.RandomState(np.frombuffer(key, "<u4").copy()).standard_normal({tall * table.n_columns})',
    )
    shaped = f"normal.clip(-4, 4).reshape({tall}, {table.n_columns})"
    scaled = "" if table.deviation == 1 else f" * {table.deviation!r}"
    if one:
        entries = code.taken_over(f"{shaped}")
        return Snippet((*draw, f"drawn = {entries}", f"table = drawn[{rows}]{scaled}"), (_IMPORTS[1], *code.numpy))
    picked = f"np.array([drawn(row // {tall})[row % {tall}] for row in ({rows}).tolist()])"
    return Snippet((
        "",
        "",
        "@cache",
        f"def drawn(number):  # {tall} rows at a time",
        *(f"    {line}" for line in draw),
        f"    return {shaped}",
        "",
        "",
        f"table = {code.taken_over(picked)}{scaled}",
    ), (*_IMPORTS, *code.numpy))  # fmt: skip


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
