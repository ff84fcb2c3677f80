"""Tables of learned numbers, read by windows: a model's, from an array or a file, or simulated ones from a seed."""

import hashlib
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_core.angles import FloatArray, IntArray
from posenc_core.embedding import normal_numbers
from posenc_core.fields import shortened

LARGEST_WIDTH = 65536
"""As many columns as a table may have at most."""

_LOOKED_AT = 1 << 18
"""Entries of a large table that are looked at for the largest one, in a few places: a disk is slow."""

_PLACES = 16

_DRAWN_TOGETHER = 1 << 14

_CUT = 4.0
"""Simulated numbers are cut at so many deviations, which one in 16,000 would exceed."""


class Table(ABC):
    """Numbers in rows and columns, and where they come from."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""

    @property
    @abstractmethod
    def label(self) -> str:
        """Where the numbers come from."""

    @abstractmethod
    def read(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """The entries, float64 ``(n_rows, n_columns)``; nothing else is read."""

    @property
    @abstractmethod
    def largest(self) -> float:
        """The largest absolute value, as far as the table is looked at for it."""

    @property
    def looked_at(self) -> int:
        """Number of rows that ``largest`` is about."""
        return self.shape[0]


@dataclass(frozen=True)
class SimulatedTable(Table):
    """Independent normal numbers of mean 0, cut at four deviations, the same for the same seed, name and width.

    A table of more rows begins with the same ones.
    """

    seed: int
    name: str
    n_rows: int
    n_columns: int
    deviation: float

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return self.n_rows, self.n_columns

    @property
    def label(self) -> str:
        """That they are no model's numbers."""
        return f"simulated (seed {self.seed})"

    @property
    def largest(self) -> float:
        """Where the numbers are cut."""
        return _CUT * self.deviation

    def read(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """The entries, float64 ``(n_rows, n_columns)``, drawn in blocks of rows when first asked for."""
        tall = max(1, _DRAWN_TOGETHER // self.n_columns)
        blocks, within = np.divmod(rows, tall)
        entries = np.empty((len(rows), len(columns)))
        for block in np.unique(blocks):
            drawn = _drawn(self.seed, self.name, int(block), tall, self.n_columns)
            entries[blocks == block] = drawn[np.ix_(within[blocks == block], columns)]
        return entries * self.deviation


@lru_cache(maxsize=256)  # 32 MB, or 128 MB of the widest rows
def _drawn(seed: int, name: str, block: int, tall: int, n_columns: int) -> FloatArray:
    """Standard normal numbers of a block of rows, ``(tall, n_columns)``."""
    drawn = normal_numbers(seed, f"{name} {block}", tall * n_columns)
    return np.clip(drawn, -_CUT, _CUT).reshape(tall, n_columns)


@dataclass(frozen=True)
class ArrayTable(Table):
    """The entries of an array, which may be mapped from a file. Tables of equal ``source`` and ``mark`` are equal."""

    source: str
    mark: tuple[Any, ...]
    entries: npt.NDArray[Any] = field(compare=False, repr=False)

    @classmethod
    def of(cls, array: Any, source: str = "") -> "ArrayTable":
        """A copy of the array; ValueError with one sentence unless it holds real numbers in rows and columns."""
        try:
            entries = np.array(array)
        except ValueError:
            raise ValueError(f"a table must have rows of one length, got {shortened(array)}") from None
        check_entries(entries.shape, entries.dtype)
        entries = np.ascontiguousarray(entries)
        entries.flags.writeable = False
        digest = hashlib.blake2b(entries.data, digest_size=16).hexdigest()
        height, width = entries.shape
        return cls(source or f"an array of {height} x {width} numbers", (digest, str(entries.dtype)), entries)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        height, width = self.entries.shape
        return height, width

    @property
    def label(self) -> str:
        """The source."""
        return self.source

    @property
    def looked_at(self) -> int:
        """All rows of a small table, some of a large one."""
        height, width = self.shape
        return height if height * width <= _LOOKED_AT else _PLACES * max(1, _LOOKED_AT // (_PLACES * width))

    @cached_property
    def largest(self) -> float:
        """The largest absolute value of the rows that are looked at, which stand together in a few places."""
        height, width = self.shape
        tall = -(-self.looked_at // _PLACES)
        tops = np.unique(np.linspace(0, max(0, height - tall), _PLACES).astype(np.int64))
        columns = np.arange(width)
        return max(float(np.abs(self.read(np.arange(top, min(top + tall, height)), columns)).max()) for top in tops)

    def read(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """The entries, float64 ``(n_rows, n_columns)``; ValueError for one that is no number float32 can hold."""
        entries = np.asarray(self.entries[_index(rows, columns)], np.float64)
        if not entries.size or max(-entries.min(), entries.max()) <= np.finfo(np.float32).max:  # false for nan as well
            return entries
        row, column = np.argwhere(~(np.abs(entries) <= np.finfo(np.float32).max))[0]
        raise ValueError(
            f"the table has {entries[row, column]} in row {rows[row]}, column {columns[column]}; "
            "every entry must be a finite number that float32 can hold"
        )


def _index(rows: IntArray, columns: IntArray) -> Any:
    """What picks these rows and columns; slices where they stand together, which are much faster."""
    one, other = _slice(rows), _slice(columns)
    if one is None and other is None:
        return np.ix_(rows, columns)
    return rows if one is None else one, columns if other is None else other


def _slice(members: IntArray) -> slice | None:
    """The members as a slice, None where they do not follow each other."""
    if len(members) and np.array_equal(members, np.arange(members[0], members[0] + len(members))):
        return slice(int(members[0]), int(members[0]) + len(members))
    return None


def check_entries(shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    """ValueError with one sentence for what is no table of real numbers."""
    if dtype.kind == "O":
        raise ValueError("a table must hold plain numbers, not Python objects")
    if dtype.kind == "V":
        raise ValueError(f"a table of raw values ({dtype}, perhaps bfloat16) cannot be read; save it as float32")
    if dtype.kind not in "fiu":
        raise ValueError(f"a table must hold real numbers, got {dtype}")
    if len(shape) != 2:
        raise ValueError(f"a table must have two axes, rows and columns, got the shape {shape}")
    if 0 in shape or shape[1] > LARGEST_WIDTH:
        raise ValueError(f"a table must have at least one row and 1 to {LARGEST_WIDTH} columns, got the shape {shape}")
