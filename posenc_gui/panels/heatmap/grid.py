"""Which part of the table a heatmap needs, and at which resolution."""

import math
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from posenc_core import Encoding, tile
from posenc_core.encodings import mean_phasors, n_whole_pairs, pair_angles
from posenc_core.progressive import PartialTile
from posenc_gui.figures.growing_job import RenderRequest
from posenc_gui.plotting.plot_area import Range


class Span(Struct, frozen=True):
    """What to compute along one axis: from ``first`` to ``stop`` in table coordinates, in so many parts."""

    first: float
    stop: float
    parts: int

    @classmethod
    def over(cls, window: Range, pixels: int) -> "Span":
        """Whole cells where they are wider than a pixel, else a part for each pixel."""
        low, high = window[0] + 0.5, window[1] + 0.5
        if high - low <= pixels:
            first, stop = np.floor(low + 1e-9), np.ceil(high - 1e-9)
            return cls(float(first), float(stop), max(1, int(stop - first)))
        return cls(low, high, pixels)

    def within(self, first: float, stop: float) -> "Span | None":
        """The part of it between two places of the table, at the same resolution; None where there is none."""
        first, stop = max(self.first, first), min(self.stop, stop)
        if first >= stop:
            return None
        if (first, stop) == (self.first, self.stop):
            return self
        return Span(first, stop, max(1, round((stop - first) / self.cells_a_part)))

    @property
    def shown(self) -> Range:
        """Where it lies on the axis, whose cells are centred on whole numbers."""
        return (self.first - 0.5, self.stop - 0.5)

    @property
    def cells_a_part(self) -> float:
        """Cells that a part stands for."""
        return (self.stop - self.first) / self.parts


class Grid(Struct, frozen=True):
    """A window of the table at the resolution of the pixels; with ``angles`` of its pairs' angles instead."""

    down: Span
    across: Span
    transpose: bool
    angles: bool = False

    @property
    def cells_a_pixel(self) -> tuple[float, float]:
        """Positions and columns that a pixel stands for."""
        positions, columns = (self.across, self.down) if self.transpose else (self.down, self.across)
        return positions.cells_a_part, columns.cells_a_part

    @property
    def whole_cells(self) -> bool:
        """Whether every part is one cell."""
        return self.down.cells_a_part == self.across.cells_a_part == 1

    @property
    def positions(self) -> Span:
        """The span of positions."""
        return self.across if self.transpose else self.down

    def valued(self, encoding: Encoding) -> "Grid | None":
        """The part of it at positions that have values; None where there is none.

        A pixel that stands for positions on both sides of the domain's end shows the mean of those inside.
        """
        first, last = encoding.domain
        span = self.positions.within(first, last + 1)
        if span is None:
            return None
        return replace(self, across=span) if self.transpose else replace(self, down=span)

    @property
    def columns(self) -> Span:
        """The span of columns, or of pairs."""
        return self.down if self.transpose else self.across

    def values(self, encoding: Encoding) -> npt.NDArray[Any]:
        """The exact means, ``(down, across)`` as drawn, of a grid whose positions have values.

        Angles of whole cells are themselves; where a pixel covers more, it has the mean of their unit vectors.
        """
        if self.angles:
            return self.as_drawn(_angles(encoding, self.positions, self.columns))
        return self.as_drawn(tile(encoding, *self._window(encoding)))

    def wanted(self, encoding: Encoding) -> RenderRequest:
        """The same values, to be computed at once or by and by, with what they cost."""
        n_rows, n_columns = (math.ceil(span.stop - span.first) for span in (self.positions, self.columns))
        work = 0 if self.angles else n_rows * encoding.row_cost(n_columns)
        now, later = partial(self.values, encoding), partial(self._growing, encoding)
        return RenderRequest(encoding, self, now, later, work, self.as_drawn)

    def as_drawn(self, computed: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Means ``(positions, columns)`` in the order in which they are drawn."""
        return np.ascontiguousarray(computed.T) if self.transpose else computed

    def _growing(self, encoding: Encoding) -> PartialTile:
        return PartialTile(encoding, *self._window(encoding))

    def _window(self, encoding: Encoding) -> tuple[Range, Range, tuple[int, int]]:
        """The positions and the columns of the table, and the shape."""
        positions, columns = self.positions, self.columns
        within = (max(columns.first, 0.0), min(columns.stop, float(encoding.n_columns)))
        return (positions.first, positions.stop), within, (positions.parts, columns.parts)


def _angles(encoding: Encoding, positions: Span, pairs: Span) -> npt.NDArray[Any]:
    first, stop = max(pairs.first, 0.0), min(pairs.stop, float(n_whole_pairs(encoding)))
    if positions.cells_a_part == pairs.cells_a_part == 1:
        rows, across = (np.arange(*map(round, ends)) for ends in ((positions.first, positions.stop), (first, stop)))
        return pair_angles(encoding, rows, across)
    return mean_phasors(encoding, (positions.first, positions.stop), (first, stop), (positions.parts, pairs.parts))
