"""Entries that are evaluated position by position, since their means and bounds have no closed form."""

from collections.abc import Callable
from copy import copy
from typing import Generic, TypeVar

import numpy as np

from posenc_core.encodings.abilities.rows import Rows
from posenc_core.numerics import FloatArray, IntArray, Spans
from posenc_core.tables import Cancelled

Held = TypeVar("Held", bound=Rows)


class Computed(Generic[Held]):
    """The evaluation of an encoding's ``values``: its cost, and a way to stop.

    ``per_position`` and ``per_entry`` are costs in entries of a file's table, each about 30 ns.
    """

    def __init__(self, encoding: Held, per_entry: float = 1, per_position: float = 0) -> None:
        self._encoding, self._per_entry, self._per_position = encoding, per_entry, per_position

    def costs(self, parts: Spans, n_columns: int) -> IntArray:
        """The cost of ``n_columns`` columns of each part's positions, int64."""
        per_position = self._per_position + n_columns * self._per_entry
        return np.asarray(np.ceil(parts.count * per_position), np.int64)

    def cancellable(self, goes_on: Callable[[], bool]) -> Held:
        """An equal encoding whose ``values`` raise Cancelled once ``goes_on`` returns False."""
        encoding = self._encoding

        def values(positions: IntArray, columns: IntArray) -> FloatArray:
            if not goes_on():
                raise Cancelled
            return encoding.values(positions, columns)

        other = copy(encoding)
        other.__dict__["values"] = values
        return other
