"""What every family of encodings offers, and the sentences that all of them share."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from msgspec import Struct

from posenc_core.encodings.mean_phasors import block_phasors
from posenc_core.explain import Derivation, Dialect, Snippet, written_out
from posenc_core.fields import Field, check_picture, shortened
from posenc_core.numerics import (
    Complex64Array,
    Float32Array,
    FloatArray,
    IntArray,
    Spans,
    Steps,
    Traces,
    envelope,
    every_position,
    mean_tile,
    spans,
    step_traces,
)

_ENTRIES_AT_A_TIME = 1 << 16


class ColumnInfo(Struct, frozen=True):
    """What a column is: its pair and part (``sin``, ``cos``, ``zero``, ``head 3``), its wavelength in positions."""

    pair: int | None
    part: str
    wavelength: float | None


@dataclass(frozen=True)
class Encoding(ABC):
    """One family with its parameters chosen: a frozen, comparable value that can compute its table by windows.

    A family is a frozen dataclass whose fields are the ``FIELDS`` it names, in that order. Its defaults here suit
    any table that has values at whole positions; a family with a closed form has better ones.
    """

    family: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    citation: ClassVar[str]
    relative: ClassVar[bool] = False
    """Whether its positions are distances, key minus query, of both signs."""

    continuous: ClassVar[bool] = False
    """Whether its columns are curves between whole positions too; else each value lasts half a position either way."""

    FIELDS: ClassVar[tuple[Field, ...]]

    def __post_init__(self) -> None:
        """Every parameter checked and made canonical."""
        for field in self.FIELDS:
            object.__setattr__(self, field.name, field.check(getattr(self, field.name)))

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> Self:
        """The encoding with these parameters by name, the defaults for those left out; others are not looked at."""
        return cls(**{field.name: field.from_parameters(parameters) for field in cls.FIELDS})

    @classmethod
    def fields_for(cls, parameters: Mapping[str, Any]) -> tuple[Field, ...]:
        """Every field that can be edited when the parameters have these values; a part shows its own fields."""
        return tuple(shown for field in cls.FIELDS for shown in field.visible_fields(parameters))

    @property
    def fields(self) -> tuple[Field, ...]:
        """Every field that can be edited now."""
        return self.fields_for(self.parameters())

    def parameters(self) -> dict[str, Any]:
        """The parameters by name, as the session file and the captions give them."""
        flat: dict[str, Any] = {}
        for field in self.FIELDS:
            flat |= field.flat(getattr(self, field.name))
        return flat

    def edited(self, name: str, value: Any) -> Self:
        """The encoding with one parameter changed; errors as the field's, KeyError for an unknown name."""
        for field in self.FIELDS:
            current = field.flat(getattr(self, field.name))
            if name in current:
                return replace(self, **{field.name: field.edited_in(current, name, value)})
        raise KeyError(name)

    @property
    @abstractmethod
    def n_columns(self) -> int:
        """Number of columns of the table."""

    @property
    def value_range(self) -> tuple[float, float]:
        """The smallest and largest value that can occur, infinite where the code grows without bound."""
        return (-1.0, 1.0)

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """The finite ends of a colour bar for the positions first..stop-1."""
        return self.value_range

    @property
    def domain(self) -> tuple[float, float]:
        """The first and the last position that has a value, infinite where there is none such."""
        return (-math.inf, math.inf)

    @property
    def combines(self) -> str:
        """What becomes of a token's vector: ``sum``, the row is added; ``rotation``, it is turned; ``none``."""
        return "none" if self.relative else "sum"

    @property
    def attention_factor(self) -> float:
        """What a rotation multiplies the lengths of the vectors by that it turns."""
        return 1.0

    @property
    def causal(self) -> bool:
        """Whether models that have it mask later keys, those at distances above 0."""
        return False

    @property
    def vector_width(self) -> int:
        """Number of columns of the vectors that the encoding is combined with."""
        return self.n_columns

    def combined(self, vectors: FloatArray, positions: IntArray) -> FloatArray:
        """What becomes of vectors ``(n_positions, vector_width)`` at these positions, float64 of the same shape."""
        return vectors + self.values(positions, np.arange(self.n_columns))

    def explain_combined(self, vector: FloatArray, position: int, column: int) -> Derivation | None:
        """How a component of a combined vector comes about; None where it is a plain sum, or nothing."""
        return None

    @property
    def label(self) -> str:
        """Where numbers come from that no formula gives: a file, or ``simulated (seed 0)``; empty for a formula."""
        return ""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Plain sentences about parameters that are allowed but surprising."""
        return ()

    def column_blocks(self) -> tuple[tuple[int, int], ...]:
        """Ranges (first, stop) of columns within which the wavelength goes one way."""
        return ((0, self.n_columns),)

    @abstractmethod
    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """The entries in float64 ``(n_positions, n_columns)``, each evaluated by itself."""

    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array:
        """The entries in float32 ``(n_positions, n_columns)``, by blocks that stay in the processor's cache."""
        entries = np.empty((len(positions), len(columns)), np.float32)
        tall = max(1, _ENTRIES_AT_A_TIME // max(1, len(columns)))
        for top in range(0, len(positions), tall):
            entries[top : top + tall] = self.values(positions[top : top + tall], columns)
        return entries

    def tile(
        self, positions: tuple[float, float], columns: tuple[float, float], shape: tuple[int, int]
    ) -> Float32Array:
        """The exact mean of each of ``shape`` (rows, columns) equal parts of a window of the table."""
        return self.means(*self.pixels(positions, columns, shape))

    def means(self, rows: Spans, columns: Spans) -> Float32Array:
        """The exact mean over each pixel's positions and columns, float32 ``(len(rows), len(columns))``."""
        return mean_tile(self.values, self.equal_rows, rows, columns)

    def mean_phasors(self, rows: Spans, pairs: Spans) -> Complex64Array:
        """The mean of ``exp(i angle)`` over each pixel's positions and whole pairs, where columns pair up."""
        return block_phasors(self, rows, pairs)

    def pixels(
        self, positions: tuple[float, float], columns: tuple[float, float], shape: tuple[int, int]
    ) -> tuple[Spans, Spans]:
        """The positions and the columns that each pixel of a tile stands for, all of which have values."""
        rows = spans(*positions, shape[0])
        self.check_domain(np.array([rows.start[0], rows.start[-1] + rows.count[-1] - 1]))
        return rows, spans(*columns, shape[1])

    def equal_rows(self, first: int, stop: int) -> Iterable[IntArray]:
        """In ascending blocks, the positions of first..stop-1 whose row may differ from the one before."""
        return every_position(first, stop)

    def check_domain(self, positions: IntArray) -> None:
        """ValueError, with the family's sentence, for the first of the positions that has no value."""
        first, last = self.domain
        if (first, last) == (-math.inf, math.inf):
            return
        outside = (positions < first) | (positions > last)
        if outside.any():
            raise ValueError(self.no_value(int(positions[np.argmax(outside)])))

    def has_value(self, position: int) -> bool:
        """Whether there are numbers for the position."""
        first, last = self.domain
        return first <= position <= last

    def no_value(self, position: int) -> str:
        """The sentence for a position that has none."""
        first, last = self.domain
        return f"position {position} has no value; the positions are {first:g}..{last:g}"

    def check_column(self, column: int) -> None:
        """IndexError with a sentence for a column outside the table."""
        if not 0 <= column < self.n_columns:
            raise IndexError(f"column {shortened(int(column))} is outside 0..{self.n_columns - 1}")

    def frequencies(self) -> FloatArray:
        """Angular frequency of each pair in rad per token, float64 ``(n_pairs,)``; empty where nothing turns."""
        return np.empty(0)

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

    @abstractmethod
    def column_info(self, column: int) -> ColumnInfo:
        """What the column is; IndexError with a sentence for one outside the table."""

    @abstractmethod
    def explain(self, position: int, column: int) -> Derivation:
        """How the entry comes about."""

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """Lines of a script that define ``table`` for its ``positions``; a family with a formula has better ones.

        ValueError with a sentence where there are more numbers than can be written out.
        """
        return written_out(self.values(positions, np.arange(self.n_columns)), code, "the numbers themselves")
