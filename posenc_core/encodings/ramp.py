"""Families whose columns are straight lines, ``(position + shift) * slope / divisor``, and the two naive families.

The naive families have the position itself in every column, or the position as a fraction of the sequence.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, ClassVar

import numpy as np
from msgspec.structs import replace

from posenc_core.encodings.abilities.sampler import Sampler
from posenc_core.encodings.base import Encoding
from posenc_core.explain import Derivation, Dialect, Snippet, Step, shifted, significant
from posenc_core.fields import D_MODEL, OFFSET, SEQ_LEN, check_picture
from posenc_core.numerics import Float32Array, FloatArray, IntArray, Spans, Traces, ramp_traces

LENGTH = replace(
    SEQ_LEN, help="Length T of the sequence: position T - 1 has the value 1, so that the step depends on T."
)

_CACHED_ENTRIES = 1 << 15
"""Numbers computed in float64 at a time, 256 kB, before they are rounded."""

_STEP_PIXELS = 4
"""Positions narrower than this are drawn as a line, wider ones as steps."""


class Ramp(Encoding):
    """A family that is linear in the position: a mean over positions is the value at their centre."""

    @property
    def shift(self) -> int:
        """Added to every position."""
        return 0

    @property
    def divisor(self) -> int:
        """The divisor of a column, applied last, so that whole numbers stay exact until then."""
        return 1

    @property
    def step(self) -> float:
        """The smallest step of values that grow without bound; 0 for values within fixed bounds."""
        return 0.0

    @property
    def sampler(self) -> "RampSampler":
        """Pictures in closed form."""
        return RampSampler(self)

    def slopes(self, columns: IntArray) -> FloatArray:
        """Growth of each column per position, times the divisor, float64 ``(m,)``; by default 1."""
        return np.ones(len(columns))

    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """The entries in float64 ``(n_positions, n_columns)``."""
        self.check_domain(positions)
        return self.heights((positions + self.shift).astype(np.float64), self.slopes(columns))

    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array:
        """The entries in float32 ``(n_positions, n_columns)``; columns of one slope are computed once."""
        slopes = self.slopes(columns)
        lowest, highest = slopes.min(initial=np.inf), slopes.max(initial=-np.inf)
        if len(columns) > 1 and lowest == highest:
            return np.repeat(super().encode(positions, columns[:1]), len(columns), axis=1)
        if self.divisor != 1:
            return super().encode(positions, columns)
        self.check_domain(positions)
        entries = np.empty((len(positions), len(columns)), np.float32)
        shifted = (positions + self.shift).astype(np.float64)
        tall = max(1, _CACHED_ENTRIES // max(1, len(columns)))
        exact = np.empty((min(tall, len(positions)), len(columns)))
        for top in range(0, len(positions), tall):
            some = shifted[top : top + tall, None]
            # for rows of a few columns multiply needs twice the time of dot
            entries[top : top + tall] = np.dot(some, slopes[None], out=exact[: len(some)])
        if lowest <= 0:
            entries += np.float32(0)  # -0.0 is written as -0; a whole number times a slope above 0 never is
        return entries

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """The smallest and the largest value at the positions first..stop-1."""
        ends = self.heights(np.array([first, stop - 1.0]) + self.shift, self.slopes(np.arange(self.n_columns)))
        return float(ends.min()), float(ends.max())

    def heights(self, shifted: FloatArray, slopes: FloatArray) -> FloatArray:
        """The values at shifted positions ``(n,)`` of columns with these slopes ``(m,)``, float64 ``(n, m)``."""
        return np.asarray(np.multiply.outer(shifted, slopes) / self.divisor + 0.0)  # -0.0 is written as -0


class RampSampler(Sampler[Ramp]):
    """Means, ranges and curves of straight lines."""

    @property
    def value_step(self) -> float:
        """The ramp's smallest step."""
        return self.table.step

    def column_ranges(self, first: int, stop: int, columns: IntArray) -> tuple[FloatArray, FloatArray]:
        """Each column's smallest and largest entry, at the first or the last position, float64 ``(m,)`` each."""
        ends = self.table.heights(np.array([first, stop - 1.0]) + self.table.shift, self.table.slopes(columns))
        return ends.min(axis=0), ends.max(axis=0)

    def means(self, rows: Spans, columns: Spans) -> Float32Array:
        """The exact means, in closed form."""
        ends = np.cumsum(np.r_[0, self.table.slopes(columns.reached())])
        begin = columns.start - columns.start[0]
        means = (ends[begin + columns.count] - ends[begin]) / columns.count
        return self.table.heights(rows.start + self.table.shift + (rows.count - 1) / 2, means).astype(np.float32)

    def traces(self, columns: IntArray, positions: tuple[float, float], pixels: int) -> Traces:
        """Steps if the positions are wide, else straight lines, which look the same."""
        first, last = check_picture(self.table.n_columns, columns, positions, pixels)
        if (last - first) * _STEP_PIXELS <= pixels:
            return super().traces(columns, positions, pixels)
        return ramp_traces(self.table.values, columns, (first, last), self.table.domain)


@dataclass(frozen=True)
class IntegerIndex(Ramp):
    """Every column is ``position + offset``: it grows without bound, and all rows have the same direction.

    Over T positions from 0 the mean is ``(T - 1)/2`` and the standard deviation ``sqrt((T^2 - 1)/12)``, while the size
    of token embeddings is constant. Source: none.
    """

    d_model: Annotated[int, D_MODEL]
    offset: Annotated[int, OFFSET] = 0

    family: ClassVar[str] = "integer"
    title: ClassVar[str] = "Integer index"
    summary: ClassVar[str] = "The position itself, in every column: simple, and without bound."
    brief: ClassVar[str] = "counts without bound"
    citation: ClassVar[str] = "No paper: the naive first idea"
    PART: ClassVar[str] = "index"

    @property
    def shift(self) -> int:
        """The offset."""
        return self.offset

    @property
    def step(self) -> float:
        """1, from one position to the next."""
        return 1.0

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """One line: the index in every column."""
        index = code.real(f"(positions + {self.offset})" if self.offset else "positions")
        return Snippet((f"table = {index}[:, None].repeat({code.repeats(self.d_model)})",))

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of the entry: position plus offset."""
        total = position + self.offset
        written = shifted(position, self.offset) if self.offset else str(position)
        reason = f"position plus offset, {written} = {total}" if self.offset else f"the position, {total}"
        latex = rf"p + o = {written} = {total}" if self.offset else rf"p = {total}"
        cell = f"({position}, {column})"
        steps = (
            Step(f"every column has the same number, so column {column}: {reason}", latex, float(total)),
            Step(f"PE{cell} = {total}", f"PE_{{{cell}}} = {total}", float(total)),
        )
        return Derivation.of_entry("PE", (position, column), written, written, f"print({written})\n", steps)


@dataclass(frozen=True)
class NormalizedIndex(Ramp):
    """Every column is ``position / (seq_len - 1)``, from 0 to 1; 0 in a sequence of a single token.

    The step is ``1/(seq_len - 1)``: one more token changes the code of every token. Source: none.
    """

    seq_len: Annotated[int, LENGTH]
    d_model: Annotated[int, D_MODEL]

    family: ClassVar[str] = "normalized"
    title: ClassVar[str] = "Normalised index"
    summary: ClassVar[str] = "The position as a share of the sequence: bounded, but its step depends on the length."
    brief: ClassVar[str] = "share of the length"
    citation: ClassVar[str] = "No paper: the second naive idea"
    PART: ClassVar[str] = "share"

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """From 0 to 1 at any positions, so that two lengths are comparable."""
        return (0.0, 1.0)

    @property
    def domain(self) -> tuple[float, float]:
        """The positions of the sequence."""
        return (0, self.seq_len - 1)

    def no_value(self, position: int) -> str:
        """The sentence for a position outside the sequence."""
        return (
            f"position {position} is outside 0..T-1 = 0..{self.seq_len - 1}; "
            "a normalised index is defined only inside the sequence"
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence on a single token, whose share is 0/0."""
        return ("seq_len = 1: the share 0/0 of a single token is taken as 0",) if self.seq_len == 1 else ()

    @property
    def divisor(self) -> int:
        """The last position; 1 for a single token, whose value is then 0."""
        return max(1, self.seq_len - 1)

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """The share, then its copies in all columns."""
        divisor = "(seq_len - 1)" if self.seq_len > 1 else "1  # of a single token: 0/0 is taken as 0"
        return Snippet((
            f"seq_len, d_model = {self.seq_len}, {self.d_model}",
            f"share = {code.real('positions')} / {divisor}",
            f"table = share[:, None].repeat({code.repeats('d_model')})",
        ))  # fmt: skip

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of the entry: the last position, then the position divided by it."""
        self.check_domain(np.array([position]))
        last, shown = self.seq_len - 1, significant(Decimal(position) / self.divisor, 10)
        last_step = Step(f"last position T - 1 = {self.seq_len} - 1 = {last}", rf"T - 1 = {last}", float(last))
        if last:
            formula, latex = f"{position} / {last}", rf"\frac{{{position}}}{{{last}}}"
            share_step = shown.step(f"share {formula}", latex, position / last, ", the same in every column")
        else:
            formula, latex = "0", "0"
            share_step = Step("share 0/0 of a single token: taken as 0", r"\frac{0}{0} := 0", 0.0)
        steps = (last_step, share_step)
        return Derivation.of_entry("PE", (position, column), formula, latex, f"print({formula})\n", steps)
