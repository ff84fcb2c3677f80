"""The naive first idea: every column is the position itself."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from posenc_core.encodings.base import ColumnInfo
from posenc_core.encodings.ramp import Ramp
from posenc_core.explain import Derivation, Dialect, Snippet, Step
from posenc_core.fields import D_MODEL, OFFSET, Field
from posenc_core.numerics import FloatArray, IntArray


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
    def value_range(self) -> tuple[float, float]:
        """Unbounded."""
        return (-math.inf, math.inf)

    @property
    def shift(self) -> int:
        """The offset."""
        return self.offset

    def slopes(self, columns: IntArray) -> FloatArray:
        """One a position."""
        return np.ones(len(columns))

    def column_info(self, column: int) -> ColumnInfo:
        """Every column is the index."""
        self.check_column(column)
        return ColumnInfo(None, "index", None)

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """One line."""
        index = code.real(f"(positions + {self.offset})" if self.offset else "positions")
        return Snippet((f"table = {index}[:, None].repeat({code.repeats(self.d_model)})",))

    def explain(self, position: int, column: int) -> Derivation:
        """How PE(position, column) comes about: position plus offset."""
        total, cell = position + self.offset, f"({position}, {column})"
        written = f"{position} {'+' if self.offset > 0 else '-'} {abs(self.offset)}" if self.offset else str(position)
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
