"""Content of the waves panel, as one frozen value for all its layers."""

from msgspec import Struct

from posenc_core import Encoding
from posenc_gui.look import Style, unit_over
from posenc_gui.model import Cursor, PositionAxis
from posenc_gui.plotting import Number, Range

AMPLITUDE = 0.4
"""Half the height of a wave in rows: neighbours never touch."""

LABELLED_ROW_PX = 13.0
"""The least height of a row that has its zero line and its label."""


def curve_range(encoding: Encoding, window: Range, first: float, last: float) -> Range:
    """The part of a window in which curves over the positions ``first`` to ``last`` are drawn.

    Stairs extend to the outer edges of their last steps. A curve of one position fills the whole window.
    """
    half = 0.0 if encoding.continuous else 0.5
    start, stop = max(window[0], first - half), min(window[1], last + half)
    return (start, stop) if start < stop else window


class RowScale(Struct, frozen=True):
    """Map from values to heights in a row, the same for all columns so that their waves can be compared.

    ``low`` is at the bottom of a row and ``high`` at its top; equal values are in the middle.
    """

    low: float
    high: float

    def height(self, values: Number) -> Number:
        """The height above the middle of the row, in rows: from -AMPLITUDE to AMPLITUDE."""
        if self.low == self.high:
            return (values - self.low) * 0.0
        unit = unit_over(self.low, self.high)
        low, high = self.low / unit, self.high / unit
        middle, half = (low + high) / 2, (high - low) / 2
        if unit != 1:
            values = values / unit
        return (values - middle) * (AMPLITUDE / half)

    @property
    def has_zero(self) -> bool:
        """Whether zero is within the row."""
        return self.low <= 0 <= self.high


class WaveView(Struct, frozen=True):
    """Content of the waves panel: the columns of the rows in view, from the bottom up, and their options.

    The first column is the row ``first_row`` of the plot area. ``positions`` is the range in which curves are drawn,
    ``row_px`` the height of a row in logical pixels. Curves of few points are ``bold``.
    """

    encoding: Encoding
    columns: tuple[int, ...]
    first_row: int
    positions: Range
    rows: RowScale
    row_px: float
    axis: PositionAxis
    cursor: Cursor | None
    style: Style
    bold: bool = True

    @property
    def row_numbers(self) -> range:
        """The rows in view."""
        return range(self.first_row, self.first_row + len(self.columns))

    def row_of(self, column: int) -> int | None:
        """The row of a column; None if it is not in view."""
        return self.first_row + self.columns.index(column) if column in self.columns else None
