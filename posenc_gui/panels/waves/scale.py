"""How values become heights: all columns in the same way, so that their waves can be compared."""

from typing import TypeVar

from msgspec import Struct

from posenc_core.numerics import FloatArray

AMPLITUDE = 0.4
"""Half the height of a wave, in rows: neighbours never touch."""

Number = TypeVar("Number", float, FloatArray)


class RowScale(Struct, frozen=True):
    """The smallest value is at the bottom of a row, the largest at its top; values that are all the same between."""

    low: float
    high: float

    def height(self, values: Number) -> Number:
        """How far above the middle of its row a value is, in rows: from -AMPLITUDE to AMPLITUDE."""
        if self.low == self.high:
            return (values - self.low) * 0.0
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        return (values - middle) * (AMPLITUDE / half)

    @property
    def has_zero(self) -> bool:
        """Whether zero is within the row."""
        return self.low <= 0 <= self.high
