"""Tables of random numbers in place of learned ones."""

from dataclasses import dataclass

import numpy as np

from posenc_core.explain import Dialect, Snippet, template_lines
from posenc_core.numerics import FloatArray, IntArray, normal_entries
from posenc_core.tables.table import Table

_CLIP = 4.0
"""Simulated numbers are clipped at this many deviations, which one in 16,000 would exceed."""

_DRAWING_COST = 3
"""Cost of a simulated number, in entries of a file's table."""


@dataclass(frozen=True)
class SimulatedTable(Table):
    """Independent normal numbers of mean 0, clipped at four deviations, equal for equal seed and name.

    Each number is computed separately. A table of more rows, or of more columns and the same deviation, begins with the
    same numbers. ``label`` names the ``kind`` and the seed.
    """

    seed: int
    name: str
    n_rows: int
    n_columns: int
    deviation: float
    kind: str = "simulated"

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return self.n_rows, self.n_columns

    @property
    def label(self) -> str:
        """A note that the numbers are simulated."""
        return f"{self.kind} (seed {self.seed})"

    @property
    def largest(self) -> float:
        """The bound at which numbers are clipped."""
        return _CLIP * self.deviation

    def row_cost(self, n_columns: int) -> int:
        """Cost of computing ``n_columns`` columns of a row, in entries of a file's table."""
        return _DRAWING_COST * super().row_cost(n_columns)

    def read(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """The entries, float64 ``(n_rows, n_columns)``."""
        entries = normal_entries(self.seed, self.name, rows, columns)
        np.clip(entries, -_CLIP, _CLIP, out=entries)
        entries *= self.deviation
        return entries

    def script(self, rows: IntArray, index: str, code: Dialect) -> Snippet:
        """Lines that compute the numbers again."""
        scaled = "" if self.deviation == 1 else f" * {self.deviation!r}"
        lines = template_lines(
            __file__,
            "simulated",
            index=index,
            name=self.name,
            seed=self.seed,
            stop=self.n_columns + 1,
            table=code.taken_over(f"normal.clip(-{_CLIP:g}, {_CLIP:g})"),
            scaled=scaled,
        )
        return Snippet(lines, ("from hashlib import blake2b", *code.numpy))
