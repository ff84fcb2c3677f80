"""Families whose columns are straight lines: ``(position + shift) * slope / divisor``."""

from abc import abstractmethod

import numpy as np

from posenc_core.encodings.base import Encoding
from posenc_core.fields import check_picture
from posenc_core.numerics import Float32Array, FloatArray, IntArray, Spans, Traces, ramp_traces

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

    @abstractmethod
    def slopes(self, columns: IntArray) -> FloatArray:
        """Growth of each column per position, times the divisor, float64 ``(m,)``."""

    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """The entries in float64 ``(n_positions, n_columns)``."""
        self.check_domain(positions)
        return self._at((positions + self.shift).astype(np.float64), self.slopes(columns))

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
            # for rows of a few columns multiply takes twice as long as dot
            entries[top : top + tall] = np.dot(some, slopes[None], out=exact[: len(some)])
        if lowest <= 0:
            entries += np.float32(0)  # -0.0 is written as -0; a whole number times a slope above 0 never is
        return entries

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """The smallest and the largest value at the positions first..stop-1."""
        ends = self._at(np.array([first, stop - 1.0]) + self.shift, self.slopes(np.arange(self.n_columns)))
        return float(ends.min()), float(ends.max())

    def means(self, rows: Spans, columns: Spans) -> Float32Array:
        """The exact means, in closed form."""
        ends = np.cumsum(np.r_[0, self.slopes(columns.reached())])
        begin = columns.start - columns.start[0]
        means = (ends[begin + columns.count] - ends[begin]) / columns.count
        return self._at(rows.start + self.shift + (rows.count - 1) / 2, means).astype(np.float32)

    def traces(self, columns: IntArray, positions: tuple[float, float], pixels: int) -> Traces:
        """Steps if the positions are wide, else straight lines, which look the same."""
        first, last = check_picture(self.n_columns, columns, positions, pixels)
        if (last - first) * _STEP_PIXELS <= pixels:
            return super().traces(columns, positions, pixels)
        return ramp_traces(self.values, columns, (first, last), self.domain)

    def _at(self, shifted: FloatArray, slopes: FloatArray) -> FloatArray:
        return np.asarray(np.multiply.outer(shifted, slopes) / self.divisor + 0.0)  # -0.0 is written as -0
