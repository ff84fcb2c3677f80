"""Pictures of formulas: curves between whole positions."""

import math
from collections.abc import Callable

import numpy as np

from posenc_core.encodings.abilities.rows import Rows
from posenc_core.encodings.abilities.sampler import Sampler
from posenc_core.fields import check_picture
from posenc_core.numerics import FloatArray, IntArray, Lines, Traces

_PIXELS_PER_POINT = 2
"""Pixels between the points of a curve, for whole positions that are farther apart."""

At = Callable[[FloatArray, IntArray], FloatArray]
"""The entries at real positions and columns, float64 ``(n_points, n_columns)``."""


class FormulaSampler(Sampler):
    """Curves through the dots if whole positions are at least a pixel apart; else as for every table."""

    def __init__(self, table: Rows, at: At) -> None:
        super().__init__(table)
        self._at = at

    def traces(self, columns: IntArray, positions: tuple[float, float], pixels: int) -> Traces:
        """The columns as curves through their values between whole positions, and as bands of whole positions."""
        first, last = check_picture(self.table.n_columns, columns, positions, pixels)
        if last - first > pixels or not len(columns):
            return super().traces(columns, positions, pixels)
        per_position = math.ceil(pixels / _PIXELS_PER_POINT / (last - first))
        inside = np.arange(math.ceil(first * per_position), math.floor(last * per_position) + 1) / per_position
        x = np.concatenate([[first], inside[(inside > first) & (inside < last)], [last]])
        bounds = self.table.range_over(math.floor(first), math.ceil(last) + 1)  # a pole between them is cut off
        y = np.clip(self._at(x, columns).T, *bounds)
        return Traces((Lines(columns, np.broadcast_to(x, y.shape), y),), ())
