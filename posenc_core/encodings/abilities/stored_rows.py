"""Entries that are read one by one, possibly slowly, instead of being evaluated by a formula."""

from collections.abc import Callable
from copy import copy
from typing import Generic, Protocol, TypeVar

import numpy as np

from posenc_core.encodings.abilities.rows import Rows
from posenc_core.numerics import IntArray, Spans
from posenc_core.tables import CancellableTable, SimulatedTable, Table

Held = TypeVar("Held", bound=Rows)
Read = TypeVar("Read", bound=Rows, covariant=True)


class Reading(Protocol[Read]):
    """The cost of a picture that is read, and a way to stop its reading."""

    def costs(self, parts: Spans, n_columns: int) -> IntArray:
        """The cost of reading ``n_columns`` columns of each part's positions, in entries of a file's table, int64."""

    def cancellable(self, goes_on: Callable[[], bool]) -> Read:
        """An equal encoding whose reading raises Cancelled once ``goes_on``, called from any thread, returns False."""


class StoredRows(Generic[Held]):
    """The rows of an encoding's ``table``, one for each position or distance.

    ``run_of`` maps positions to numbers of their runs of equal rows; the next run has the next number.
    """

    def __init__(self, encoding: Held, table: Table, run_of: Callable[[IntArray], IntArray]) -> None:
        self.table = table
        self._encoding, self.run_of = encoding, run_of

    @property
    def is_simulated(self) -> bool:
        """Whether the numbers are drawn from a seed, in place of trained ones."""
        return isinstance(self.table, SimulatedTable)

    def n_runs(self, spans: Spans) -> IntArray:
        """Number of rows to read per span: runs that earlier spans do not share, int64 ``(n_spans,)``."""
        first = self.run_of(spans.start[:1]) - 1
        return np.diff(self.run_of(spans.start + spans.count - 1), prepend=first)

    def n_runs_between(self, first: int, stop: int) -> int:
        """The number of runs of equal rows at the positions first..stop-1."""
        return int(self.n_runs(Spans(np.array([first]), np.array([stop - first])))[0])

    def costs(self, parts: Spans, n_columns: int) -> IntArray:
        """The cost of the rows that each part has and the part before does not."""
        return self.n_runs(parts) * self.table.row_cost(n_columns)

    def cancellable(self, goes_on: Callable[[], bool]) -> Held:
        """The encoding with a table that can be cancelled."""
        other = copy(self._encoding)
        other.__dict__["table"] = CancellableTable(self.table, goes_on)  # in place of the cached one
        return other
