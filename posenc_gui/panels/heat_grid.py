"""Which part of the table a heatmap needs, and at which resolution."""

import math
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from posenc_core import Encoding, tile
from posenc_core.mean_turns import mean_turns
from posenc_core.pair_angles import n_whole_pairs, pair_angles
from posenc_core.samples import TileSample
from posenc_gui.exact_later import Wanted
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

    def values(self, encoding: Encoding) -> npt.NDArray[Any]:
        """The exact means, ``(down, across)`` as drawn, of a grid whose positions have values.

        Angles of whole cells are themselves; where a pixel covers more, it has the mean of their unit vectors.
        """
        positions, columns = (self.across, self.down) if self.transpose else (self.down, self.across)
        computed = (_angles if self.angles else _means)(encoding, positions, columns)
        return self._as_drawn(computed)

    def wanted(self, encoding: Encoding) -> Wanted:
        """The same values, to be computed at once or later, with what they cost."""
        positions, columns = (self.across, self.down) if self.transpose else (self.down, self.across)
        n_rows, n_columns = (math.ceil(span.stop - span.first) for span in (positions, columns))
        work = 0 if self.angles else n_rows * encoding.row_work(n_columns)
        return Wanted(encoding, self, self.values, work)

    def sample(self, encoding: Encoding) -> TileSample:
        """What to draw until the exact means are there, which may have fewer parts along the positions."""
        return _sample(encoding, *((self.across, self.down) if self.transpose else (self.down, self.across)))

    def sampled(self, encoding: Encoding) -> npt.NDArray[np.floating]:
        """The sample's means, as drawn."""
        return self._as_drawn(self.sample(encoding).values())

    def _as_drawn(self, computed: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.ascontiguousarray(computed.T) if self.transpose else computed


def _means(encoding: Encoding, positions: Span, columns: Span) -> npt.NDArray[np.floating]:
    within = _within(columns, encoding)
    return tile(encoding, (positions.first, positions.stop), within, (positions.parts, columns.parts))


@lru_cache(maxsize=1)
def _sample(encoding: Encoding, positions: Span, columns: Span) -> TileSample:
    """The sample, remembered: the note asks for it at each step of progress."""
    shape = (positions.parts, columns.parts)
    return encoding.sampled_tile((positions.first, positions.stop), _within(columns, encoding), shape)


def _within(columns: Span, encoding: Encoding) -> Range:
    return (max(columns.first, 0.0), min(columns.stop, float(encoding.n_columns)))


def _angles(encoding: Encoding, positions: Span, pairs: Span) -> npt.NDArray[Any]:
    first, stop = max(pairs.first, 0.0), min(pairs.stop, float(n_whole_pairs(encoding)))
    if positions.cells_a_part == pairs.cells_a_part == 1:
        rows, across = (np.arange(*map(round, ends)) for ends in ((positions.first, positions.stop), (first, stop)))
        return pair_angles(encoding, rows, across)
    return mean_turns(encoding, (positions.first, positions.stop), (first, stop), (positions.parts, pairs.parts))
