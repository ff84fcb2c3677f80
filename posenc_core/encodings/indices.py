"""The two naive ideas: the position itself in every column, and the position as a share of the sequence."""

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

import numpy as np
from msgspec.structs import replace

from posenc_core.encodings.ramp import Ramp
from posenc_core.explain import Derivation, Dialect, Snippet, Step, shifted, significant
from posenc_core.fields import D_MODEL, OFFSET, SEQ_LEN, Field
from posenc_core.numerics import FloatArray, IntArray

LENGTH = replace(
    SEQ_LEN, help="Length T of the sequence: position T - 1 has the value 1, so each length has a step of its own."
)


@dataclass(frozen=True)
class IntegerIndex(Ramp):
    """Every column is ``position + offset``: it grows without bound, and all rows have the same direction.

    Over T positions from 0 the mean is ``(T - 1)/2`` and the standard deviation ``sqrt((T^2 - 1)/12)``, while the size
    of token embeddings is constant. Source: none.
    """

    d_model: int
    offset: int = 0

    family: ClassVar[str] = "integer"
    title: ClassVar[str] = "Integer index"
    summary: ClassVar[str] = "The position itself, in every column: simple, and without bound."
    citation: ClassVar[str] = "No paper: the naive first idea"
    PART: ClassVar[str] = "index"
    FIELDS: ClassVar[tuple[Field, ...]] = (D_MODEL, OFFSET)

    @property
    def n_columns(self) -> int:
        """``d_model``."""
        return self.d_model

    @property
    def shift(self) -> int:
        """The offset."""
        return self.offset

    def slopes(self, columns: IntArray) -> FloatArray:
        """1 per position."""
        return np.ones(len(columns))

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
            Step(f"every column holds the same number, column {column} too: {reason}", latex, float(total)),
            Step(f"PE{cell} = {total}", f"PE_{{{cell}}} = {total}", float(total)),
        )
        return Derivation.of_entry("PE", (position, column), written, written, f"print({written})\n", steps)


@dataclass(frozen=True)
class NormalizedIndex(Ramp):
    """Every column is ``position / (seq_len - 1)``, from 0 to 1; 0 in a sequence of a single token.

    The step is ``1/(seq_len - 1)``: one more token changes the code of every token. Source: none.
    """

    seq_len: int
    d_model: int

    family: ClassVar[str] = "normalized"
    title: ClassVar[str] = "Normalised index"
    summary: ClassVar[str] = "The position as a share of the sequence: bounded, but its step depends on the length."
    citation: ClassVar[str] = "No paper: the second naive idea"
    PART: ClassVar[str] = "share"
    FIELDS: ClassVar[tuple[Field, ...]] = (LENGTH, D_MODEL)

    @property
    def n_columns(self) -> int:
        """``d_model``."""
        return self.d_model

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """From 0 to 1 for any positions, so that two lengths are comparable."""
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

    def slopes(self, columns: IntArray) -> FloatArray:
        """1 per position, before the division."""
        return np.ones(len(columns))

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
