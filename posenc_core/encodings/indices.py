"""The two naive ideas: the position itself in every column, and the position as a share of the sequence."""

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

import numpy as np
from msgspec.structs import replace

from posenc_core.encodings.base import ColumnInfo, check_column
from posenc_core.encodings.ramp import Ramp
from posenc_core.explain import Derivation, Dialect, Snippet, Step, shifted, significant
from posenc_core.fields import D_MODEL, OFFSET, SEQ_LEN, Field
from posenc_core.numerics import FloatArray, IntArray

LENGTH = replace(
    SEQ_LEN, help="Length T of the sequence: position T - 1 has the value 1, so each length has a step of its own."
)


@dataclass(frozen=True)
class IntegerIndex(Ramp):
    """Every column is ``position + offset``: it grows without bound, and all rows point the same way.

    Over T positions from 0 the mean is ``(T - 1)/2`` and the standard deviation ``sqrt((T^2 - 1)/12)``, while token
    embeddings stay of one size. Source: none, it is where the story begins.
    """

    d_model: int
    offset: int = 0

    family: ClassVar[str] = "integer"
    title: ClassVar[str] = "Integer index"
    summary: ClassVar[str] = "The position itself, in every column: simple, and without bound."
    citation: ClassVar[str] = "No paper: the naive first idea"
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
        """One a position."""
        return np.ones(len(columns))

    def column_info(self, column: int) -> ColumnInfo:
        """Every column is the index."""
        check_column(column, self.n_columns)
        return ColumnInfo(None, "index", None)

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """One line."""
        index = code.real(f"(positions + {self.offset})" if self.offset else "positions")
        return Snippet((f"table = {index}[:, None].repeat({code.repeats(self.d_model)})",))

    def explain(self, position: int, column: int) -> Derivation:
        """How PE(position, column) comes about: position plus offset."""
        total, cell = position + self.offset, f"({position}, {column})"
        written = shifted(position, self.offset) if self.offset else str(position)
        reason = f"position plus offset, {written} = {total}" if self.offset else f"the position, {total}"
        latex = rf"p + o = {written} = {total}" if self.offset else rf"p = {total}"
        return Derivation(
            symbol=f"PE{cell}",
            formula=f"PE{cell} = {written}",
            formula_latex=rf"PE_{{{cell}}} = {written}",
            python=f"print({written})\n",
            steps=(
                Step(f"every column holds the same number, column {column} too: {reason}", latex, float(total)),
                Step(f"PE{cell} = {total}", rf"PE_{{{cell}}} = {total}", float(total)),
            ),
        )


@dataclass(frozen=True)
class NormalizedIndex(Ramp):
    """Every column is ``position / (seq_len - 1)``, from 0 to 1; 0 in a sequence of a single token.

    The step is ``1/(seq_len - 1)``: one token more changes the code of every token before it.
    Source: none, it is the second naive idea.
    """

    seq_len: int
    d_model: int

    family: ClassVar[str] = "normalized"
    title: ClassVar[str] = "Normalised index"
    summary: ClassVar[str] = "The position as a share of the sequence: bounded, but its step depends on the length."
    citation: ClassVar[str] = "No paper: the second naive idea"
    FIELDS: ClassVar[tuple[Field, ...]] = (LENGTH, D_MODEL)

    @property
    def n_columns(self) -> int:
        """``d_model``."""
        return self.d_model

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """From 0 to 1 for any positions, so that two lengths can be compared."""
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
        """The last position; 1 for a single token, which gives it the value 0."""
        return max(1, self.seq_len - 1)

    def slopes(self, columns: IntArray) -> FloatArray:
        """One a position, before the division."""
        return np.ones(len(columns))

    def column_info(self, column: int) -> ColumnInfo:
        """Every column is the share."""
        check_column(column, self.n_columns)
        return ColumnInfo(None, "share", None)

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """The share, then a column after the other."""
        divisor = "(seq_len - 1)" if self.seq_len > 1 else "1  # of a single token: 0/0 is taken as 0"
        return Snippet((
            f"seq_len, d_model = {self.seq_len}, {self.d_model}",
            f"share = {code.real('positions')} / {divisor}",
            f"table = share[:, None].repeat({code.repeats('d_model')})",
        ))  # fmt: skip

    def explain(self, position: int, column: int) -> Derivation:
        """How PE(position, column) comes about: the last position, then the position divided by it."""
        self.check_domain(np.array([position]))
        cell, last = f"({position}, {column})", self.seq_len - 1
        share = position / self.divisor
        shown = significant(Decimal(position) / self.divisor, 10)
        last_step = Step(f"last position T - 1 = {self.seq_len} - 1 = {last}", rf"T - 1 = {last}", float(last))
        if last:
            formula, latex = f"{position} / {last}", rf"\frac{{{position}}}{{{last}}}"
            share_step = shown.step(f"share {formula}", latex, share, ", the same in every column")
        else:
            formula, latex = "0", "0"
            share_step = Step("share 0/0 of a single token: taken as 0", r"\frac{0}{0} := 0", 0.0)
        return Derivation(
            symbol=f"PE{cell}",
            formula=f"PE{cell} = {formula}",
            formula_latex=rf"PE_{{{cell}}} = {latex}",
            python=f"print({formula})\n",
            steps=(last_step, share_step),
        )
