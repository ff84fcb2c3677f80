"""Pictures of a table at any zoom: means over pixels, curves between positions, and ranges of columns."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, ClassVar, Generic

import numpy as np
import numpy.typing as npt
from typing_extensions import TypeVar

from posenc_core.encodings.abilities.rows import Rows, n_whole_pairs, pair_angles
from posenc_core.fields import check_picture, check_tile
from posenc_core.numerics import (
    Complex64Array,
    Float32Array,
    FloatArray,
    IntArray,
    Spans,
    Steps,
    Traces,
    complex_of,
    envelope,
    every_position,
    mean_tile,
    spans,
    step_traces,
)

Sampled = TypeVar("Sampled", bound=Rows, default=Rows)


class Sampler(Generic[Sampled]):
    """The pictures of a table. The methods here suit any table; a closed form overrides them to be faster or finer."""

    has_runs: ClassVar[bool] = False
    """Whether neighbouring positions share rows, in runs that ``equal_rows`` finds."""

    def __init__(self, table: Sampled) -> None:
        self.table = table

    @property
    def value_step(self) -> float:
        """The smallest step of values that grow with the position without bound; 0 for values within fixed bounds."""
        return 0.0

    @property
    def has_bounds(self) -> bool:
        """Whether bands of columns may be wider than the values that they contain."""
        return False

    @property
    def fits_float32(self) -> bool:
        """Whether float32 represents every entry to its full precision."""
        return True

    def equal_rows(self, first: int, stop: int) -> Iterable[IntArray]:
        """In ascending blocks, the positions of first..stop-1 whose row may differ from the row before."""
        return every_position(first, stop)

    def column_ranges(self, first: int, stop: int, columns: IntArray) -> tuple[FloatArray, FloatArray]:
        """Each column's smallest and largest entry at the positions first..stop-1, float64 ``(m,)`` each.

        ValueError for a position without a value.
        """
        low, high = self.ends(columns, np.array([first, max(first + 1, stop - 1)]))
        return low[:, 0], high[:, 0]

    def tile(
        self, positions: tuple[float, float], columns: tuple[float, float], shape: tuple[int, int]
    ) -> npt.NDArray[np.floating[Any]]:
        """The exact means of ``shape`` (rows, columns) equal parts of a window of the table, of that shape."""
        return self.means(*self.pixels(positions, columns, shape))

    def pixels(
        self, positions: tuple[float, float], columns: tuple[float, float], shape: tuple[int, int]
    ) -> tuple[Spans, Spans]:
        """The positions and the columns of each pixel of a tile; ValueError for a position without a value."""
        rows = spans(*positions, shape[0])
        self.table.check_domain(np.array([rows.start[0], rows.stop - 1]))
        return rows, spans(*columns, shape[1])

    def means(self, rows: Spans, columns: Spans) -> npt.NDArray[np.floating[Any]]:
        """The exact mean over each pixel's positions and columns, ``(len(rows), len(columns))``.

        In float32, or in float64 for a table near the ends of float32.
        """
        kind: type[np.floating[Any]] = np.float32 if self.fits_float32 else np.float64
        return mean_tile(self.table.values, self.equal_rows, rows, columns, kind)

    def mean_phasors(self, rows: Spans, pairs: Spans) -> Complex64Array:
        """The mean of ``exp(i angle)`` over each pixel's positions and whole pairs, complex64 ``(rows, pairs)``."""

        def mean_of(part: Callable[[FloatArray], FloatArray]) -> Float32Array:
            angles = partial(pair_angles, self.table)
            return mean_tile(lambda *place: part(angles(*place)), self.equal_rows, rows, pairs, np.float32)

        return complex_of(mean_of(np.cos), mean_of(np.sin))

    def phasor_tile(
        self, positions: tuple[float, float], pairs: tuple[float, float], shape: tuple[int, int]
    ) -> Complex64Array:
        """The mean of ``exp(i angle)`` over the positions and whole pairs of each part of a window, of ``shape``.

        Its direction is the circular mean of the angles, its length (1 for equal angles, 0 for evenly spread ones)
        measures how much they agree. The parts are those of ``tile``; ValueError and IndexError as there.
        """
        window = check_tile(positions, pairs, shape, n_whole_pairs(self.table), "pairs")
        return self.mean_phasors(*self.pixels(*window))

    def traces(self, columns: IntArray, positions: tuple[float, float], pixels: int) -> Traces:
        """The columns as curves over a window of positions, with as many points as ``pixels`` resolve.

        IndexError for a column outside the table, ValueError for an empty window or no pixels.
        """
        window = check_picture(self.table.n_columns, columns, positions, pixels)
        steps = Steps.over(window, self.table.domain, pixels)
        return step_traces(self.table.values, self.equal_rows, self.ends, columns, steps)

    def ends(self, columns: IntArray, edges: IntArray) -> tuple[FloatArray, FloatArray]:
        """Each column's smallest and largest entry from each position to the next, float64 ``(m, n_edges - 1)``."""
        return envelope(self.table.values, self.equal_rows, columns, edges)
