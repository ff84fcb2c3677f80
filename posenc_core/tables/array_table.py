"""Tables of an array, or of a file that is mapped into memory and read by windows."""

import math
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core.explain import Dialect, Snippet
from posenc_core.fields import shortened
from posenc_core.numerics import Float32Array, FloatArray, IntArray, reduced
from posenc_core.tables.table import Combines, Table, UnreadableError

LARGEST_WIDTH = 65536
"""Largest number of columns of a table."""

_EXAMINED = 1 << 18
"""Entries of a large table that are examined for the largest one, in a few places because disks are slow."""

_PLACES = 16

_HASHED_BYTES = 1 << 25
"""A table of at most this many bytes is hashed as a whole, a larger one at its examined places."""

_FRESH_S = 0.05
"""Seconds until a file is looked at again."""

_REFUSALS = 4096
"""Largest number of rows whose refusal is cached."""

_LARGEST = float(np.finfo(np.float32).max)


class TableOrigin(Struct, frozen=True):
    """The file of a table as it was when it was opened, and the tensor in it."""

    path: Path
    tensor: str
    modified: int
    size: int

    @property
    def label(self) -> str:
        """The names of the file and of the tensor."""
        return f"{self.path.name}: {self.tensor}" if self.tensor else self.path.name

    def check_unchanged(self) -> None:
        """UnreadableError with one sentence if the file is shorter now: reading on would crash the program."""
        try:
            size = self.path.stat().st_size
        except OSError:  # moved or deleted: the mapped memory remains
            return
        if size < self.size:
            raise UnreadableError(f"the file {shortened(self.path.name)} was cut off after its table was opened")


@dataclass(frozen=True)
class ArrayTable(Table):
    """Entries in rows and columns; tables of equal ``name``, ``digest`` and ``origin`` are equal.

    ``bfloat16`` entries are stored as their 16 bits. ``digest`` covers all numbers of a table of at most 32 MB, and
    the shape and some rows of a larger one.
    """

    name: str
    digest: str
    entries: npt.NDArray[Any] = field(compare=False, repr=False)
    bfloat16: bool = False
    origin: TableOrigin | None = None

    @classmethod
    def of(cls, array: Any, source: str = "") -> "ArrayTable":
        """A table of a copy of the array; ValueError with one sentence unless it has real numbers in two axes."""
        try:
            entries = np.array(array)
        except ValueError:
            raise ValueError(f"a table must have rows of one length, got {shortened(array)}") from None
        check_entries(entries.shape, entries.dtype)
        entries = np.ascontiguousarray(entries)
        entries.flags.writeable = False
        height, width = entries.shape
        return cls(source or f"an array of {height} x {width} numbers", digest_of(entries), entries)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        height, width = self.entries.shape
        return height, width

    @property
    def label(self) -> str:
        """The source of the numbers: ``name``."""
        return self.name

    @property
    def n_examined(self) -> int:
        """Number of rows examined: all of a small table, some of a large one."""
        return sum(len(rows) for rows in _examined(self.shape))

    @cached_property
    def largest(self) -> float:
        """The largest absolute value of the rows examined."""
        columns = np.arange(self.shape[1])
        return max(float(np.abs(self.read(rows, columns)).max()) for rows in _examined(self.shape))

    def refusal(self, row: int) -> str:
        """The sentence why a row cannot be read; large tables are not examined as a whole when they are opened."""
        if sentence := self._cut_off():
            return sentence
        if self.n_examined == self.shape[0]:
            return ""
        if row not in self._refusals:
            if len(self._refusals) >= _REFUSALS:
                self._refusals.clear()
            self._refusals[row] = self._refusal(row)
        return self._refusals[row]

    def _cut_off(self) -> str:
        """The sentence that the file was cut off, empty for a whole one; asked for each row of a picture."""
        if (now := monotonic()) - self._looks[-1][0] > _FRESH_S:
            self._looks[:] = [(now, "")]
            with suppress(UnreadableError):
                self._check_unchanged()
        return self._looks[-1][1]

    @cached_property
    def _looks(self) -> list[tuple[float, str]]:
        """The time at which the file was last looked at, and what ``_cut_off`` returned."""
        return [(-math.inf, "")]

    @cached_property
    def _refusals(self) -> dict[int, str]:
        """The refusals of the rows examined so far; empty for a row that can be read."""
        return {}

    def _refusal(self, row: int) -> str:
        try:
            self.read(np.array([row]), np.arange(self.shape[1]))
        except UnreadableError as error:
            return str(error)
        return ""

    def read(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """The entries, float64 ``(n_rows, n_columns)``; ValueError for an entry beyond float32."""
        return self._checked(_index(rows, columns), rows, columns, np.float64)

    def rounded(self, rows: IntArray, columns: IntArray) -> Float32Array:
        """The same entries in float32, read directly if the file has no more digits."""
        if self.entries.dtype not in (np.float32, np.float16) and not self.bfloat16:
            return super().rounded(rows, columns)
        return self._checked(_index(rows, columns), rows, columns, np.float32).copy(order="C")

    def slab(self, top: int, stop: int, left: int, end: int) -> FloatArray:
        """The entries of the rows top..stop-1 and the columns left..end-1; errors as for ``read``."""
        window = (slice(top, stop), slice(left, end))
        return self._checked(window, np.arange(top, stop), np.arange(left, end), np.float64)

    def stretch(self, combines: Combines, edges: IntArray, left: int, end: int) -> list[FloatArray]:
        """Rows combined; float32 without conversion, in half the time. An invalid entry makes the result invalid."""
        if self.entries.dtype != np.float32:
            return super().stretch(combines, edges, left, end)
        self._check_unchanged()
        block = self.entries[edges[0] : edges[-1], left:end].view(np.ndarray)
        with np.errstate(invalid="ignore"):  # from inf and -inf
            parts = [reduced(combine, block, edges[:-1] - edges[0]) for combine in combines]
        are_numbers = all(math.isfinite(part.sum()) for part in parts)
        return parts if are_numbers else super().stretch(combines, edges, left, end)

    def script(self, rows: IntArray, index: str, code: Dialect) -> Snippet:
        """Lines that read the file again; the numbers themselves for a table without a file."""
        if self.origin is None:
            return super().script(rows, index, code)
        return _reading_script(self, self.origin, index, code)

    def _check_unchanged(self) -> None:
        try:
            if self.origin is not None:
                self.origin.check_unchanged()
        except UnreadableError as error:
            self._looks[:] = [(monotonic(), str(error))]
            raise

    def _checked(self, index: Any, rows: IntArray, columns: IntArray, dtype: Any) -> npt.NDArray[Any]:
        """The entries at the index; UnreadableError that names the first entry beyond float32."""
        self._check_unchanged()
        with np.errstate(over="ignore"):  # of wider floats; what is inf is refused
            entries = np.asarray(self._widened(self.entries[index]), dtype)
        if not entries.size or max(-entries.min(), entries.max()) <= _LARGEST:  # false for nan
            return entries
        row, column = np.argwhere(~(np.abs(entries) <= _LARGEST))[0]
        raise UnreadableError(
            f"the table has {entries[row, column]} in row {rows[row]}, column {columns[column]}; "
            "every entry must be a finite number that float32 can represent"
        )

    def _widened(self, entries: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """bfloat16 bits as float32, whose upper halves they are."""
        return (entries.astype(np.uint32) << 16).view(np.float32) if self.bfloat16 else entries


def digest_of(entries: npt.NDArray[Any]) -> str:
    """A hash of the type, the shape and the examined numbers of a table, 32 hexadecimal digits."""
    from hashlib import blake2b  # loads OpenSSL, which the window does not need at its start

    found = blake2b(f"{entries.dtype.str} {entries.shape}".encode(), digest_size=16)
    height, width = entries.shape
    whole = entries.nbytes <= _HASHED_BYTES
    for rows in [np.arange(height)] if whole else _examined((height, width)):
        found.update(np.ascontiguousarray(entries[rows[0] : rows[-1] + 1]).data)
    return found.hexdigest()


def _examined(shape: tuple[int, int]) -> list[IntArray]:
    """The rows to examine: all of a small table, of a large one neighbouring rows in a few places."""
    height, width = shape
    if height * width <= _EXAMINED:
        return [np.arange(height)]
    tall = max(1, _EXAMINED // (_PLACES * width))
    tops = np.unique(np.linspace(0, max(0, height - tall), _PLACES).astype(np.int64))
    stops = np.minimum(np.r_[tops[1:], height], tops + tall)
    return [np.arange(top, stop) for top, stop in zip(tops.tolist(), stops.tolist(), strict=True)]


def _index(rows: IntArray, columns: IntArray) -> Any:
    """The index of these rows and columns, with slices for neighbours, which are much faster."""
    one, other = _slice(rows), _slice(columns)
    if one is None and other is None:
        return np.ix_(rows, columns)
    return rows if one is None else one, columns if other is None else other


def _slice(members: IntArray) -> slice | None:
    """The members as a slice; None if they are not consecutive."""
    if len(members) and np.array_equal(members, np.arange(members[0], members[0] + len(members))):
        return slice(int(members[0]), int(members[0]) + len(members))
    return None


def check_entries(shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    """ValueError with one sentence unless the shape and type are those of a table of real numbers."""
    if dtype.hasobject:
        raise ValueError("a table must contain plain numbers, not Python objects")
    if dtype.kind == "V":
        raise ValueError(
            f"a table of raw values ({shortened(str(dtype))}, perhaps bfloat16) cannot be read; save it as float32"
        )
    if dtype.kind not in "fiu":
        raise ValueError(f"a table must contain real numbers, got {shortened(str(dtype))}")
    if len(shape) != 2:
        raise ValueError(f"a table must have two axes, rows and columns, got the shape {shortened(shape)}")
    if min(shape) < 1 or shape[1] > LARGEST_WIDTH:
        raise ValueError(
            f"a table must have at least one row and 1 to {LARGEST_WIDTH} columns, got the shape {shortened(shape)}"
        )


def _reading_script(table: ArrayTable, origin: TableOrigin, index: str, code: Dialect) -> Snippet:
    """Lines that define ``table`` as the rows of the expression ``index``, read from the file again."""
    path, offset = str(origin.path.absolute()), getattr(table.entries, "offset", None)
    if origin.tensor and offset is not None:
        kind, shape = table.entries.dtype.str, table.entries.shape
        opened = f"np.memmap({path!a}, {kind!r}, 'r', offset={offset}, shape={shape})  # {origin.tensor!a}"
    else:
        opened = f"np.load({path!a}, mmap_mode='r', allow_pickle=False)"
    rows = f"entries[({index}).tolist()]"
    if table.bfloat16:
        rows = f"({rows}.astype(np.uint32) << 16).view(np.float32)"
    return Snippet((f"entries = {opened}", f"table = {code.taken_over(f'{rows}.astype(np.float64)')}"), code.numpy)
