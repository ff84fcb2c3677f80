"""The interface of every family of encodings, and the pairs of their columns."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core.explain import Derivation, Dialect, Snippet, written_out
from posenc_core.fields import Spec, check_column, check_picture, check_tile
from posenc_core.numerics import (
    Complex64Array,
    Float32Array,
    FloatArray,
    IntArray,
    Spans,
    Steps,
    Traces,
    complex_of,
    envelope,
    every_position,
    in_blocks,
    mean_tile,
    spans,
    step_traces,
)


class ColumnInfo(Struct, frozen=True):
    """A column's pair, part (``sin``, ``cos``, ``zero``, ``head 3``) and wavelength in positions."""

    pair: int | None
    part: str
    wavelength: float | None


class Combination(Struct, frozen=True):
    """How a table acts on the tokens' vectors.

    ``kind`` is ``sum`` (the row is added), ``rotation`` or ``none``; a rotation multiplies lengths by ``factor``.
    ``combined`` maps vectors ``(n_positions, width)`` and their positions to float64 of the same shape; ``explain``
    derives a component from the vector, its position and the column, and is None for a plain sum. ``first`` is the
    vectors' column that the table's first column acts on.
    """

    kind: str
    width: int
    combined: Callable[[FloatArray, IntArray], FloatArray]
    explain: Callable[[FloatArray, int, int], Derivation] | None = None
    factor: float = 1.0
    first: int = 0

    def vector_column(self, column: int) -> int:
        """The vectors' column that a column of the table acts on.

        The columns from the table's last one to ``width - 1`` stand for those that it does not act on, in their order.
        """
        return (column + self.first) % self.width if self.first else column

    def table_column(self, vector_column: int) -> int:
        """The inverse of ``vector_column``."""
        return (vector_column - self.first) % self.width if self.first else vector_column


@dataclass(frozen=True)
class Encoding(Spec, ABC):
    """A family with its parameters: a frozen, comparable value that computes its table by windows.

    A family is a frozen dataclass whose fields are its ``FIELDS``, in that order. The methods here suit any table that
    has values at whole positions; a family with a closed form overrides them.
    """

    family: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    citation: ClassVar[str]
    relative: ClassVar[bool] = False
    """Whether its positions are distances, key minus query, of both signs."""

    continuous: ClassVar[bool] = False
    """Whether columns are curves between whole positions; else a value extends half a position to either side."""

    PART: ClassVar[str] = ""
    """The part of a column without pair and wavelength; ``{}`` stands for its number."""

    @property
    @abstractmethod
    def n_columns(self) -> int:
        """Number of columns of the table."""

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """The smallest and the largest value that can occur at the positions first..stop-1."""
        return (-1.0, 1.0)

    @property
    def value_step(self) -> float:
        """The smallest step of values that grow with the position without bound; 0 for values within fixed bounds."""
        return 0.0

    def column_ranges(self, first: int, stop: int, columns: IntArray) -> tuple[FloatArray, FloatArray]:
        """Each column's smallest and largest entry at the positions first..stop-1, float64 ``(m,)`` each.

        ValueError for a position without a value.
        """
        low, high = self.ends(columns, np.array([first, max(first + 1, stop - 1)]))
        return low[:, 0], high[:, 0]

    def in_halves(self) -> "Encoding":
        """The same table with the first parts of all pairs before the second parts.

        Itself where the columns are no whole pairs, or are in this order already.
        """
        return self

    @property
    def domain(self) -> tuple[float, float]:
        """The first and the last position that has a value; infinite if there is no bound."""
        return (-math.inf, math.inf)

    @property
    def fits_float32(self) -> bool:
        """Whether float32 holds every entry, to its full precision."""
        return True

    @property
    def combination(self) -> Combination:
        """How the table acts on the tokens' vectors."""
        return Combination(
            "none" if self.relative else "sum",
            self.n_columns,
            lambda vectors, positions: vectors + self.values(positions, np.arange(self.n_columns)),
        )

    @property
    def causal(self) -> bool:
        """Whether models with this encoding mask later keys, those at distances above 0."""
        return False

    @property
    def label(self) -> str:
        """The source of numbers without a formula: a file, or ``simulated (seed 0)``; empty for a formula."""
        return ""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Plain sentences about parameters that are allowed but surprising."""
        return ()

    def column_blocks(self) -> tuple[tuple[int, int], ...]:
        """Ranges (first, stop) of columns within which the wavelength is monotonic."""
        return ((0, self.n_columns),)

    @abstractmethod
    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """The entries in float64 ``(n_positions, n_columns)``, each evaluated by itself."""

    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array:
        """The entries in float32 ``(n_positions, n_columns)``; ValueError for one beyond float32."""
        return in_blocks(self.values, positions, columns, np.float32)

    def tile(
        self, positions: tuple[float, float], columns: tuple[float, float], shape: tuple[int, int]
    ) -> npt.NDArray[np.floating[Any]]:
        """The exact means of ``shape`` (rows, columns) equal parts of a window of the table, of that shape."""
        return self.means(*self.pixels(positions, columns, shape))

    def means(self, rows: Spans, columns: Spans) -> npt.NDArray[np.floating[Any]]:
        """The exact mean over each pixel's positions and columns, ``(len(rows), len(columns))``.

        In float32, or in float64 for a table that does not fit.
        """
        return mean_tile(self.values, self.equal_rows, rows, columns)

    def mean_phasors(self, rows: Spans, pairs: Spans) -> Complex64Array:
        """The mean of ``exp(i angle)`` over each pixel's positions and whole pairs, complex64 ``(rows, pairs)``."""

        def mean_of(part: Callable[[FloatArray], FloatArray]) -> Float32Array:
            return mean_tile(lambda *place: part(pair_angles(self, *place)), self.equal_rows, rows, pairs)

        return complex_of(mean_of(np.cos), mean_of(np.sin))

    def pixels(
        self, positions: tuple[float, float], columns: tuple[float, float], shape: tuple[int, int]
    ) -> tuple[Spans, Spans]:
        """The positions and the columns of each pixel of a tile; ValueError for a position without a value."""
        rows = spans(*positions, shape[0])
        self.check_domain(np.array([rows.start[0], rows.stop - 1]))
        return rows, spans(*columns, shape[1])

    def equal_rows(self, first: int, stop: int) -> Iterable[IntArray]:
        """In ascending blocks, the positions of first..stop-1 whose row may differ from the row before."""
        return every_position(first, stop)

    def check_domain(self, positions: IntArray) -> None:
        """ValueError with the family's sentence for the first position that has no value."""
        first, last = self.domain
        outside = (positions < first) | (positions > last)
        if outside.any():
            raise ValueError(self.no_value(int(positions[np.argmax(outside)])))

    def has_value(self, position: int) -> bool:
        """Whether the position has a value."""
        first, last = self.domain
        return first <= position <= last

    def no_value(self, position: int) -> str:
        """The sentence for a position without a value."""
        first, last = self.domain
        return f"position {position} has no value; the positions are {first:g}..{last:g}"

    def frequencies(self) -> FloatArray:
        """Angular frequency of each pair in rad per token, float64 ``(n_pairs,)``; empty for a table without waves."""
        return np.empty(0)

    def wrapped_frequencies(self) -> FloatArray:
        """The frequencies less whole turns where these matter, float64 ``(n_pairs,)``: equal at whole positions."""
        return self.frequencies()

    def traces(self, columns: IntArray, positions: tuple[float, float], pixels: int) -> Traces:
        """The columns as curves over a window of positions, with as many points as ``pixels`` can show.

        IndexError for a column outside the table, ValueError for an empty window or no pixels.
        """
        window = check_picture(self.n_columns, columns, positions, pixels)
        steps = Steps.over(window, self.domain, pixels)
        return step_traces(self.values, self.equal_rows, self.ends, columns, steps)

    def ends(self, columns: IntArray, edges: IntArray) -> tuple[FloatArray, FloatArray]:
        """Each column's smallest and largest entry from each position to the next, float64 ``(m, n_edges - 1)``."""
        return envelope(self.values, self.equal_rows, columns, edges)

    def column_info(self, column: int) -> ColumnInfo:
        """The column's pair, part and wavelength; IndexError with a sentence for a column outside the table."""
        check_column(column, self.n_columns)
        return ColumnInfo(None, self.PART.format(column), None)

    @abstractmethod
    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of an entry."""

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """Lines of a script that define ``table`` for its ``positions``; here the numbers themselves.

        ValueError with a sentence for more numbers than can be written out.
        """
        return written_out(self.values(positions, np.arange(self.n_columns)), code, "the numbers themselves")


def n_whole_pairs(encoding: Encoding) -> int:
    """Number of pairs that have both a sine and a cosine; 0 if the columns are no pairs."""
    blocks = encoding.column_blocks()
    if encoding.n_columns < 2 or encoding.column_info(0).pair is None:
        return 0
    if len(blocks) > 1:
        return blocks[1][1] - blocks[1][0]
    return blocks[0][1] // 2 if encoding.column_info(1).pair == 0 else 0


def pair_members(encoding: Encoding, pairs: IntArray) -> tuple[IntArray, IntArray]:
    """The columns of the sines and of the cosines of whole pairs, int64 ``(n_pairs,)`` each."""
    blocks = encoding.column_blocks()
    first, second = (pairs, pairs + blocks[1][0]) if len(blocks) > 1 else (2 * pairs, 2 * pairs + 1)
    return (first, second) if encoding.column_info(0).part == "sin" else (second, first)


def pair_of(encoding: Encoding, column: int) -> int | None:
    """The whole pair of a column; None for a sine without a cosine and for padding."""
    pair = encoding.column_info(column).pair
    return pair if pair is not None and pair < n_whole_pairs(encoding) else None


def pair_angles(encoding: Encoding, positions: IntArray, pairs: IntArray) -> FloatArray:
    """The angle of each whole pair at each position, float64 ``(n_positions, n_pairs)`` in rad, in (-pi, pi].

    It is the angle of the table's own sine and cosine, which includes an offset, a sign and a scaling.
    """
    sines, cosines = pair_members(encoding, pairs)
    return np.arctan2(encoding.values(positions, sines), encoding.values(positions, cosines))


def mean_phasors(
    encoding: Encoding, positions: tuple[float, float], pairs: tuple[float, float], shape: tuple[int, int]
) -> Complex64Array:
    """The mean of ``exp(i angle)`` over the positions and whole pairs of each part of a window, complex64 of ``shape``.

    Its direction is the circular mean of the angles, its length (1 for equal angles, 0 for evenly spread ones) measures
    how much they agree. The parts are those of ``tile``; ValueError and IndexError as there.
    """
    window = check_tile(positions, pairs, shape, n_whole_pairs(encoding), "pairs")
    return encoding.mean_phasors(*encoding.pixels(*window))
