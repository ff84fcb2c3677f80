"""Learned tables: a trained vector for each position (BERT, GPT-2), and the access to rows that positions share."""

from abc import abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np

from posenc_core.encodings.abilities.sampler import Sampler
from posenc_core.encodings.abilities.stored_rows import StoredRows
from posenc_core.encodings.base import Encoding
from posenc_core.explain import Derivation, Dialect, Snippet, Step, shifted, significant
from posenc_core.fields import OFFSET, one_line
from posenc_core.numerics import Float32Array, FloatArray, IntArray, Spans, in_blocks
from posenc_core.tables import (
    N_ROWS,
    WEIGHTS,
    ArrayTable,
    Table,
    ends_of_table,
    mean_of_table,
    open_table,
    untrained_table,
)

_RESIZED_ENTRIES = 1 << 26


class TableEncoding(Encoding):
    """A family whose entries are read from a ``table``: each position, or distance, has one of its rows."""

    PART: ClassVar[str] = "learned"

    @cached_property
    @abstractmethod
    def table(self) -> Table:
        """The table, ``(n_rows, n_columns)``."""

    @abstractmethod
    def rows_of(self, positions: IntArray) -> IntArray:
        """The row of each position, int64 ``(n_positions,)``."""

    def run_of(self, positions: IntArray) -> IntArray:
        """The number of each position's run of equal rows, int64 ``(n_positions,)``; runs are numbered in order.

        By default the row.
        """
        return self.rows_of(positions)

    @property
    def stored(self) -> StoredRows[Encoding]:
        """The table's rows."""
        return StoredRows(self, self.table, self.run_of)

    @property
    def n_columns(self) -> int:
        """The width of the table."""
        return self.table.shape[1]

    @property
    def label(self) -> str:
        """The source of the numbers."""
        return self.table.label

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """From minus to plus the largest absolute value, as far as the table is examined for it."""
        return (-self.table.largest, self.table.largest)

    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """The entries in float64 ``(n_positions, n_columns)``; no other rows are read."""
        self.check_domain(positions)
        return self.table.read(self.rows_of(positions), columns)

    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array:
        """The entries in float32 ``(n_positions, n_columns)``; a row that many positions share is read once."""
        rows = self.rows_of(positions)
        lowest = int(rows.min(initial=self.table.shape[0]))
        shared = np.arange(lowest, rows.max(initial=lowest) + 1)
        if len(shared) > len(rows):
            return super().encode(positions, columns)
        # no row is outside; mode="clip" is only faster
        return in_blocks(self.table.read, shared, columns, np.float32).take(rows - lowest, axis=0, mode="clip")


@dataclass(frozen=True)
class LearnedTable(TableEncoding):
    """Row ``position + offset`` of a table; a position without a row has no value.

    ``weights`` is a table, an array, the path of a ``.npy`` or ``.safetensors`` file, ``trained`` for the table shipped
    with the program, or ``untrained`` for a model's initial numbers, normal with deviation 0.02.

    Sources: Gehring et al. 2017; ``max_position_embeddings`` rows in BERT, ``n_positions`` in GPT-2, with offset 2
    in BART and OPT. ValueError with one sentence for weights that cannot be used.
    """

    weights: Annotated[Any, WEIGHTS] = WEIGHTS.default
    offset: Annotated[int, OFFSET] = OFFSET.default

    family: ClassVar[str] = "learned"
    title: ClassVar[str] = "Learned table"
    year: ClassVar[int] = 2017
    summary: ClassVar[str] = "A vector for each position, found in training, and none beyond the last."
    brief: ClassVar[str] = "a trained row each"
    citation: ClassVar[str] = "Gehring et al. 2017, Convolutional Sequence to Sequence Learning, section 3.1"

    def __post_init__(self) -> None:
        """Open the table and check its examined entries; ValueError for an offset that leaves no row."""
        super().__post_init__()
        if self.offset >= self.table.shape[0]:
            raise ValueError(f"offset {self.offset} leaves no row of a learned table of {self.table.shape[0]} rows")
        self.table.largest  # noqa: B018  # refuses nan and inf now and not while a picture is drawn

    @classmethod
    def from_array(cls, array: Any, source: str = "", offset: int = 0) -> "LearnedTable":
        """The table of a copy of an array ``(n_rows, n_columns)``; ``source`` labels the numbers."""
        return cls(ArrayTable.of(array, source), offset)

    @classmethod
    def from_file(cls, path: str | Path, tensor: str | None = None, offset: int = 0) -> "LearnedTable":
        """The table in a ``.npy`` file, or a tensor of a ``.safetensors`` file, which is mapped into memory."""
        return cls(open_table(path, tensor), offset)

    @classmethod
    def untrained(cls, n_rows: int, d_model: int, seed: int = 0, offset: int = 0) -> "LearnedTable":
        """A table before training: normal numbers of deviation 0.02, without structure."""
        return cls(untrained_table(n_rows, d_model, seed), offset)

    @cached_property
    def table(self) -> Table:
        """The table."""
        assert isinstance(self.weights, Table)
        return self.weights

    def rows_of(self, positions: IntArray) -> IntArray:
        """The row of each position, ``position + offset``."""
        return positions + self.offset

    @property
    def sampler(self) -> "LearnedSampler":
        """Means and envelopes of rows that all processors read."""
        return LearnedSampler(self)

    @property
    def domain(self) -> tuple[float, float]:
        """The positions from 0 on that have a row."""
        return (max(0, -self.offset), self.table.shape[0] - 1 - self.offset)

    def has_value(self, position: int) -> bool:
        """Whether the position has a row whose entries are all valid."""
        return super().has_value(position) and not self.table.refusal(position + self.offset)

    def no_value(self, position: int) -> str:
        """The sentence for a position without a row, or with an invalid entry in its row."""
        first, last = self.domain
        if first <= position <= last:
            return self.table.refusal(position + self.offset)
        return (
            f"position {position} is out of range for a learned table of {self.table.shape[0]} rows "
            f"(positions {first}..{last}); it cannot be extrapolated - shorten the sequence or resize the table"
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on an untrained table, and on a table too large to be examined as a whole."""
        sentences = []
        if self.stored.is_simulated:
            sentences.append("this table is untrained: random numbers, without any structure of distance")
        if self.table.n_examined < self.table.shape[0]:
            n_examined, n_rows = self.table.n_examined, self.table.shape[0]
            sentences.append(f"the colours are scaled by {n_examined:,} of the {n_rows:,} rows: others may exceed them")
        return tuple(sentences)

    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array:
        """The entries in float32 ``(n_positions, n_columns)``, as most files store them."""
        self.check_domain(positions)
        return self.table.rounded(self.rows_of(positions), columns)

    def resized(self, n_rows: int, align_corners: bool) -> "LearnedTable":
        """The table interpolated to ``n_rows`` rows, linearly along the positions, as in ViT and DeiT.

        Row i is at ``i (N - 1)/(n_rows - 1)`` with ``align_corners``, else at ``(i + 1/2) N/n_rows - 1/2``,
        clamped to the table. ValueError for more than 2^26 entries.
        """
        height, width = self.table.shape
        if N_ROWS.check(n_rows) * width > _RESIZED_ENTRIES:
            raise ValueError(f"a table of {n_rows} x {width} numbers is too large to be resized in memory")
        target = np.arange(n_rows)
        at = target * ((height - 1) / max(1, n_rows - 1)) if align_corners else (target + 0.5) * height / n_rows - 0.5
        at = np.clip(at, 0, height - 1)
        before = np.floor(at).astype(np.int64)
        columns, share = np.arange(width), (at - before)[:, None]
        low, high = self.table.read(before, columns), self.table.read(np.minimum(before + 1, height - 1), columns)
        how = f"{self.label}, resized to {n_rows} rows (linear, align_corners={align_corners})"
        return LearnedTable.from_array(low + share * (high - low), how, self.offset)

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """The table's rows."""
        index = f"positions + {self.offset}" if self.offset else "positions"
        return self.table.script(self.rows_of(positions), index, code)

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of the entry: the row, and its number in the column."""
        (value,) = self.values(np.array([position]), np.array([column])).ravel().tolist()
        row, shown, (height, width) = position + self.offset, significant(Decimal(value), 10), self.table.shape
        entry, entry_latex = f"W[{row}, {column}]", f"W_{{{row}, {column}}}"
        summed = f"{shifted(position, self.offset)} = {row}"
        where = f"column {column} of {width} in that row, read from the table, {one_line(self.label)}"
        steps = (
            Step(f"row {summed} of {height:,} rows", f"p + o = {summed}", float(row)),
            shown.step(f"{where}: {entry}", entry_latex, value),
        )
        script = f"print({value!r})  # row {row}, column {column} of {self.label!r}\n"
        return Derivation.of_entry("PE", (position, column), entry, entry_latex, script, steps)


class LearnedSampler(Sampler[LearnedTable]):
    """Means and envelopes of rows, read by all processors."""

    def means(self, rows: Spans, columns: Spans) -> Float32Array:
        """The exact means of rows."""
        shifted = Spans(rows.start + self.table.offset, rows.count)
        return mean_of_table(self.table.table, shifted, columns)

    def ends(self, columns: IntArray, edges: IntArray) -> tuple[FloatArray, FloatArray]:
        """The envelopes of rows."""
        if np.ptp(columns) >= 2 * len(columns):  # most of the columns between them are not needed
            return super().ends(columns, edges)
        return ends_of_table(self.table.table, columns, edges + self.table.offset)
