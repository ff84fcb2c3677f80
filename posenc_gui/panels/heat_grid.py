"""Which part of the table a heatmap needs, and at which resolution."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from posenc_core import Encoding, tile
from posenc_gui.plotting.plot_area import Range


@dataclass(frozen=True)
class Span:
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


@dataclass(frozen=True)
class Grid:
    """A window of the table at the resolution of the pixels."""

    down: Span
    across: Span
    transpose: bool

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

    def values(self, encoding: Encoding) -> npt.NDArray[np.float32]:
        """The exact means, ``(down, across)`` as drawn, of a grid whose positions have values."""
        positions, columns = (self.across, self.down) if self.transpose else (self.down, self.across)
        limit = float(encoding.n_columns)
        computed = tile(
            encoding,
            (positions.first, positions.stop),
            (max(columns.first, 0.0), min(columns.stop, limit)),
            (positions.parts, columns.parts),
        )
        return np.ascontiguousarray(computed.T) if self.transpose else computed
