"""Which part of the table a heatmap needs, and at which resolution."""

from dataclasses import dataclass

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

    def values(self, encoding: Encoding) -> npt.NDArray[np.float32]:
        """The exact means, ``(down, across)`` as drawn."""
        positions, columns = (self.across, self.down) if self.transpose else (self.down, self.across)
        limit = float(encoding.n_columns)
        computed = tile(
            encoding,
            (positions.first, positions.stop),
            (max(columns.first, 0.0), min(columns.stop, limit)),
            (positions.parts, columns.parts),
        )
        return np.ascontiguousarray(computed.T) if self.transpose else computed
