"""The table of a picture's patches along one axis, the other axes fixed."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from typing_extensions import override

from posenc_core.encodings import (
    ROW_NOUNS,
    Cells,
    ColumnInfo,
    Combination,
    Encoding,
    Grid,
    GridSampler,
    Lattice,
    Sampler,
)
from posenc_core.explain import Derivation, Dialect, Snippet
from posenc_core.fields import Field
from posenc_core.numerics import FloatArray, IntArray


@dataclass(frozen=True)
class AxisRows(Encoding):
    """A row for each index along an ``axis`` of the picture of ``whole``: the row of that patch in the whole table.

    The index along every other axis is that of the patch at the position ``through``. ValueError for an encoding
    without a picture, for an axis that its picture does not have, and for a position without a patch.
    """

    whole: Encoding
    axis: str
    through: int

    family: ClassVar[str] = "axis_rows"
    summary: ClassVar[str] = "Rows of a picture's patches along one axis."
    FIELDS: ClassVar[tuple[Field, ...]] = ()

    def __post_init__(self) -> None:
        """Check that the picture has such a line of patches, and adopt the names of the whole table."""
        super().__post_init__()
        object.__setattr__(self, "title", self.whole.title)
        object.__setattr__(self, "citation", self.whole.citation)
        object.__setattr__(self, "effect", self.whole.effect)
        if self.axis not in self.grid.names:
            raise ValueError(f"the grid {self.grid} has no axis {self.axis}")
        if self.grid.indices(self.through) is None:
            raise ValueError(f"position {self.through} is no patch of the grid {self.grid}")
        object.__setattr__(self, "row_noun", ROW_NOUNS[self.axis])

    @property
    def grid(self) -> Grid:
        """The grid of the whole picture."""
        return self.cells.grid

    @property
    @override
    def cells(self) -> Cells:
        if self.whole.cells is None:
            raise ValueError(f"{self.whole.title} has no picture of patches")
        return self.whole.cells

    @property
    def fixed(self) -> dict[str, int]:
        """The index along each other axis of the picture."""
        indices = self.grid.indices(self.through) or {}
        return {name: index for name, index in indices.items() if name != self.axis}

    @property
    def fixed_words(self) -> str:
        """The place on the other axes, such as ``frame 2, patch row 5``."""
        return ", ".join(f"{ROW_NOUNS[name]} {index:,}" for name, index in self.fixed.items())

    def __len__(self) -> int:
        return self.grid.size(self.axis)

    def position_of(self, row: int) -> int:
        """The position in the grid of the patch of a row."""
        return self.grid.position({**self.fixed, self.axis: row})

    def row_of(self, position: int) -> int | None:
        """The row of the patch at a position; None for a patch elsewhere and for a token of the text."""
        indices = self.grid.indices(position)
        is_here = indices is not None and all(indices[name] == index for name, index in self.fixed.items())
        return indices[self.axis] if is_here and indices is not None else None

    @property
    @override
    def n_columns(self) -> int:
        return self.whole.n_columns

    @property
    @override
    def domain(self) -> tuple[float, float]:
        return (0, len(self) - 1)

    @property
    @override
    def warnings(self) -> tuple[str, ...]:
        return self.whole.warnings

    @property
    @override
    def sampler(self) -> Sampler[Any]:
        sampler = self.whole.sampler
        return sampler.along(self, self._lattice) if isinstance(sampler, GridSampler) else super().sampler

    @property
    @override
    def combination(self) -> Combination:
        return self.whole.combination

    @override
    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        return self.whole.range_over(first, stop)

    @override
    def in_halves(self) -> "AxisRows":
        return replace(self, whole=self.whole.in_halves())

    @override
    def column_blocks(self) -> tuple[tuple[int, int], ...]:
        return self.whole.column_blocks()

    @override
    def column_info(self, column: int) -> ColumnInfo:
        """The column's pair and part, and its wavelength in rows: infinite for pairs that other axes turn."""
        info = self.whole.column_info(column)
        turn = 0.0 if info.pair is None else float(self.frequencies()[info.pair])
        return ColumnInfo(info.pair, info.part, 2 * np.pi / turn if turn else np.inf)

    @override
    def frequencies(self) -> FloatArray:
        """The turn of each pair from row to row, float64 ``(n_pairs,)`` in rad."""
        return np.asarray(np.abs(self._lattice.steps[0]))

    @override
    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        first, stride = self._line
        return self.whole.values(first + stride * positions, columns)

    @override
    def explain(self, position: int, column: int) -> Derivation:
        self.check_domain(np.array([position]))
        return self.whole.explain(self.position_of(position), column)

    @override
    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        first, stride = self._line
        line = f"positions = {first} + {stride} * positions  # of each {self.row_noun} in the grid {self.grid}"
        return Snippet((line,)) + self.whole.source(first + stride * positions, code)

    @cached_property
    def _lattice(self) -> Lattice:
        return self.cells.along(self.axis, self.position_of(0))

    @property
    def _line(self) -> tuple[int, int]:
        """The position of the first patch, and the positions from each patch to the next."""
        return self.position_of(0), self.cells.lattices[-1].strides[self.grid.names.index(self.axis)]
