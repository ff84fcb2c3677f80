"""A learned vector for each distance up to a limit, added to the keys (Shaw et al. 2018)."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Annotated, ClassVar

import numpy as np
from msgspec.structs import replace

from posenc_core.encodings.abilities.sampler import Sampler
from posenc_core.encodings.abilities.scores import distance_step
from posenc_core.encodings.learned import TableEncoding
from posenc_core.explain import Derivation, Dialect, Snippet, Step, bracketed, significant
from posenc_core.fields import D_MODEL, TABLE_SEED, IntegerField
from posenc_core.numerics import IntArray
from posenc_core.tables import SimulatedTable

WIDTH = replace(
    D_MODEL,
    name="d",
    label="&d",
    help="Number of columns: the width of the vector that is added to each key, the head's.",
    synonyms="d_z, d_head, head_dim",
)

CLIP = IntegerField(
    name="clip",
    help="Distance k beyond which all keys share one vector: the table has 2k + 1 rows.",
    default=16,
    minimum=0,
    maximum=100_000,
    unit="positions",
    spoken="clip distance k",
    synonyms="k, max_relative_position, clip_k",
)


@dataclass(frozen=True)
class ShawRelative(TableEncoding):
    """Row ``clip(key - query, k) + k`` of a table of ``2k + 1`` vectors, ``a^K_ij`` of the paper.

    A model learns the table. This one is simulated: normal numbers of variance 1/d, drawn from ``table_seed``. The
    rows that distances share are exact.

    Source: Shaw, Uszkoreit, Vaswani 2018, sections 3.1 and 3.2.
    """

    d: Annotated[int, WIDTH]
    clip: Annotated[int, CLIP]
    table_seed: Annotated[int, TABLE_SEED] = 0

    family: ClassVar[str] = "shaw"
    title: ClassVar[str] = "Shaw relative"
    year: ClassVar[int] = 2018
    summary: ClassVar[str] = "A learned vector for each distance between query and key, one for all far ones."
    brief: ClassVar[str] = "vector by distance"
    citation: ClassVar[str] = (
        "Shaw, Uszkoreit, Vaswani 2018, Self-Attention with Relative Position Representations, arXiv 1803.02155, 3.1"
    )
    relative: ClassVar[bool] = True
    WIDTH_NAME: ClassVar[str] = "d"

    @cached_property
    def table(self) -> SimulatedTable:
        """The simulated vectors, ``(2k + 1, d)``."""
        return SimulatedTable(self.table_seed, "Shaw", 2 * self.clip + 1, self.d, 1 / math.sqrt(self.d))

    @property
    def warnings(self) -> tuple[str, ...]:
        """A note that the vectors are simulated."""
        return (f"the vectors are {self.label}: a model learns its own; which distances share one is exact",)

    def rows_of(self, positions: IntArray) -> IntArray:
        """The row of each distance key - query, 0 to 2k, int64 ``(n_positions,)``."""
        return np.asarray(np.clip(positions, -self.clip, self.clip) + self.clip)

    @property
    def sampler(self) -> "ClippedSampler":
        """Pictures that read the row beyond the limit once."""
        return ClippedSampler(self)

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """The row of each distance, then the table's rows."""
        rows = f"rows = positions.clip(-{self.clip}, {self.clip}) + {self.clip}  # of {2 * self.clip + 1}"
        return Snippet((rows,)) + self.table.script(self.rows_of(positions), "rows", code)

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of the entry: the clipped distance, the row, and its number in the column."""
        (row,) = self.rows_of(np.array([position])).tolist()
        (value,) = self.values(np.array([position]), np.array([column])).ravel().tolist()
        symbol, clip, clipped = f"a({-position}, {column})", self.clip, row - self.clip
        clamped, summed = f"max(-{clip}, min({clip}, {position}))", f"{bracketed(str(clipped))} + {clip} = {row}"
        return Derivation(
            symbol=symbol,
            formula=f"{symbol} = w[clip({position}, {clip}) + {clip}, {column}]",
            formula_latex=rf"a_{{{-position}, {column}}} = w_{{\mathrm{{clip}}({position}, {clip}), {column}}}",
            python=(
                f"row = {clamped} + {clip}\n"
                f"print({{{row}: {value!r}}}[row])  # column {column} of that row, {self.label}\n"
            ),
            steps=(
                distance_step(position, f", so key - query = {position}"),
                Step(
                    f"clipped: {clamped} = {clipped}",
                    rf"\max(-{clip}, \min({clip}, {position})) = {clipped}",
                    float(clipped),
                ),
                Step(f"row {summed} of {2 * clip + 1}", summed, float(row)),
                significant(Decimal(value), 10).step(
                    f"column {column} of that row", f"w_{{{clipped}, {column}}}", value, f", {self.label}"
                ),
            ),
        )


class ClippedSampler(Sampler[ShawRelative]):
    """Every distance up to the limit has a separate row; farther distances share one."""

    has_runs: ClassVar[bool] = True

    def equal_rows(self, first: int, stop: int) -> Iterable[IntArray]:
        """The distances up to the limit, and the first one."""
        clip = self.table.clip
        within = np.arange(max(first + 1, 1 - clip), min(stop, clip + 1), dtype=np.int64)
        return [np.r_[first, within]]
