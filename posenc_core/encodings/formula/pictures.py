"""Pictures of formulas: curves between whole positions, and evaluation part by part where that takes long."""

import math
from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np

from posenc_core.encodings.abilities.rows import Rows
from posenc_core.encodings.abilities.sampler import Sampler
from posenc_core.fields import check_picture
from posenc_core.numerics import FloatArray, IntArray, Lines, Spans, Traces

_PIXELS_PER_POINT = 2
"""Pixels between the points of a curve where whole positions are farther apart than that."""

_OPERATIONS_PER_ENTRY = 32
"""Operations that take as long as one entry of a file's table."""


At = Callable[[FloatArray, IntArray], FloatArray]
"""The entries at real positions and columns, float64 ``(n_points, n_columns)``."""


class FormulaSampler(Sampler):
    """Curves through the dots where whole positions are at least a pixel apart; else as for every table."""

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


class Evaluation:
    """The evaluation of a formula of ``n_operations`` entry by entry: its cost, and a way to stop."""

    def __init__(self, encoding: Any, n_operations: int) -> None:
        self._encoding, self._n_operations = encoding, n_operations

    def costs(self, parts: Spans, n_columns: int) -> IntArray:
        """The cost of each part's entries, in entries of a file's table, int64."""
        return np.asarray(parts.count * n_columns * (4 + self._n_operations) // _OPERATIONS_PER_ENTRY, np.int64)

    def cancellable(self, goes_on: Callable[[], bool]) -> Any:
        """An equal encoding whose evaluation raises Cancelled once ``goes_on`` returns False."""
        other = copy(self._encoding)
        other.__dict__["goes_on"] = goes_on
        return other
