"""Tables as rows by position, and the pairs that their columns form."""

import math
from abc import ABC, abstractmethod
from functools import lru_cache
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core.explain import Derivation
from posenc_core.fields import check_column
from posenc_core.numerics import Float32Array, FloatArray, IntArray, in_blocks

_SAMPLED_ROWS, _SAMPLED_COLUMNS = 64, 256


class ColumnInfo(Struct, frozen=True):
    """A column's pair, part (``sin``, ``cos``, ``zero``, ``head 3``) and wavelength in positions."""

    pair: int | None
    part: str
    wavelength: float | None


class Rows(ABC):
    """Numbers at whole positions, a row for each: a family states its columns, its values and their derivations."""

    title: ClassVar[str]
    relative: ClassVar[bool] = False
    """Whether its positions are distances, key minus query, of both signs."""

    row_noun: ClassVar[str] = "position"
    """Noun of what a row is for; in relative families it is ``distance``."""

    continuous: ClassVar[bool] = False
    """Whether columns are curves between whole positions; else a value extends half a position to either side."""

    PART: ClassVar[str] = ""
    """Name of a column without pair and wavelength; ``{}`` is replaced by the column's number."""

    @property
    @abstractmethod
    def n_columns(self) -> int:
        """Number of columns of the table."""

    @abstractmethod
    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """The entries in float64 ``(n_positions, n_columns)``, each evaluated by itself."""

    @abstractmethod
    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of an entry."""

    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array:
        """The entries in float32 ``(n_positions, n_columns)``; ValueError for one beyond float32."""
        return in_blocks(self.values, positions, columns, np.float32)

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """The smallest and the largest value that can occur at the positions first..stop-1, for any query.

        By default those of up to 64 positions by 256 columns, spread evenly.
        """
        return _sampled_range(self, first, stop)

    @property
    def domain(self) -> tuple[float, float]:
        """The first and the last position that has a value; infinite if there is no bound."""
        return (-math.inf, math.inf)

    def has_value(self, position: int) -> bool:
        """Whether the position has a value."""
        first, last = self.domain
        return first <= position <= last

    def no_value(self, position: int) -> str:
        """The sentence for a position without a value."""
        first, last = self.domain
        return f"position {position} has no value; the positions are {first:g}..{last:g}"

    def check_domain(self, positions: IntArray) -> None:
        """ValueError with the family's sentence for the first position that has no value."""
        first, last = self.domain
        outside = (positions < first) | (positions > last)
        if outside.any():
            raise ValueError(self.no_value(int(positions[np.argmax(outside)])))

    def column_info(self, column: int) -> ColumnInfo:
        """The column's pair, part and wavelength; IndexError with a sentence for a column outside the table."""
        check_column(column, self.n_columns)
        return ColumnInfo(None, self.PART.format(column), None)

    def column_blocks(self) -> tuple[tuple[int, int], ...]:
        """Ranges (first, stop) of columns within which the wavelength is monotonic."""
        return ((0, self.n_columns),)


@lru_cache(maxsize=64)
def _sampled_range(table: Rows, first: int, stop: int) -> tuple[float, float]:
    """The smallest and the largest of some entries; 1 around the value where all are equal."""
    start, end = max(first, table.domain[0]), min(stop - 1, table.domain[1])
    ends = ((start, max(start, end), _SAMPLED_ROWS), (0, table.n_columns - 1, _SAMPLED_COLUMNS))
    rows, columns = (np.unique(np.linspace(*each).round().astype(np.int64)) for each in ends)
    entries = known_values(table, rows, columns)
    known = entries[np.isfinite(entries)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    return (low, high) if low < high else (low - 1, high + 1)


def has_values(table: Rows, positions: IntArray) -> npt.NDArray[np.bool_]:
    """Mask of the positions that have a value, bool ``(n_positions,)``.

    The domain decides on all positions at once, unless the family has a ``has_value`` of its own.
    """
    if type(table).has_value is Rows.has_value:
        first, last = table.domain
        return np.asarray((positions >= first) & (positions <= last))
    return np.array([table.has_value(position) for position in positions.tolist()], bool)


def known_values(table: Rows, positions: IntArray, columns: IntArray) -> FloatArray:
    """The entries in float64 ``(n_positions, n_columns)``, nan at positions without a value."""
    inside = has_values(table, positions)
    if inside.all():
        return table.values(positions, columns)
    values = np.full((len(positions), len(columns)), np.nan)
    if inside.any():
        values[inside] = table.values(positions[inside], columns)
    return values


def n_whole_pairs(table: Rows) -> int:
    """Number of pairs with both a sine and a cosine; 0 if the columns are not pairs."""
    blocks = table.column_blocks()
    if table.n_columns < 2 or table.column_info(0).pair is None:
        return 0
    if len(blocks) > 1:
        return blocks[1][1] - blocks[1][0]
    return blocks[0][1] // 2 if table.column_info(1).pair == 0 else 0


def pair_members(table: Rows, pairs: IntArray) -> tuple[IntArray, IntArray]:
    """The columns of the sines and of the cosines of whole pairs, int64 ``(n_pairs,)`` each."""
    blocks = table.column_blocks()
    first, second = (pairs, pairs + blocks[1][0]) if len(blocks) > 1 else (2 * pairs, 2 * pairs + 1)
    return (first, second) if table.column_info(0).part == "sin" else (second, first)


def pair_of(table: Rows, column: int) -> int | None:
    """The whole pair of a column; None for a sine without a cosine and for padding."""
    pair = table.column_info(column).pair
    return pair if pair is not None and pair < n_whole_pairs(table) else None


def pair_angles(table: Rows, positions: IntArray, pairs: IntArray) -> FloatArray:
    """The angle of each whole pair at each position, float64 ``(n_positions, n_pairs)`` in rad, in (-pi, pi].

    It is the angle of the table's own sine and cosine, which includes an offset, a sign and a scaling.
    """
    sines, cosines = pair_members(table, pairs)
    return np.arctan2(table.values(positions, sines), table.values(positions, cosines))
