"""Pictures of tables that are curves between whole positions."""

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from posenc_core.encodings.abilities.computed import Computed
from posenc_core.encodings.abilities.sampler import Sampler
from posenc_core.encodings.abilities.stored_rows import Reading
from posenc_core.encodings.base import Encoding
from posenc_core.fields import check_picture
from posenc_core.numerics import FloatArray, IntArray, Lines, Traces

_SAMPLES_PER_POSITION = 16
_MOST_SAMPLES = 1 << 22


class CurvedTable(Encoding):
    """A family whose columns are functions of any real position."""

    continuous: ClassVar[bool] = True

    @abstractmethod
    def curve(self, places: FloatArray, columns: IntArray) -> FloatArray:
        """The columns at any positions, float64 ``(n_places, n_columns)``."""

    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """The entries in float64 ``(n_positions, n_columns)``."""
        self.check_domain(positions)
        return self.curve(positions.astype(np.float64), columns)

    @property
    def reading(self) -> Reading[Encoding]:
        """The evaluation position by position, slow for many positions."""
        return Computed(self, 3)

    @property
    def sampler(self) -> "CurveSampler":
        """Curves at small windows, else means and ranges of the entries."""
        return CurveSampler(self)


class CurveSampler(Sampler[CurvedTable]):
    """Curves with 16 samples per position, whole positions included, if a picture has enough pixels."""

    def traces(self, columns: IntArray, positions: tuple[float, float], pixels: int) -> Traces:
        """The columns as curves if a position is at least 4 pixels wide, else as bands."""
        first, last = check_picture(self.table.n_columns, columns, positions, pixels)
        start, stop = max(first, self.table.domain[0]), min(last, self.table.domain[1])
        n_samples = int(stop - start) * _SAMPLES_PER_POSITION
        if 4 * (last - first) > pixels or stop <= start or n_samples * max(1, len(columns)) > _MOST_SAMPLES:
            return super().traces(columns, positions, pixels)
        grid = np.arange(np.ceil(start * _SAMPLES_PER_POSITION), np.floor(stop * _SAMPLES_PER_POSITION) + 1)
        places = np.unique(np.r_[start, grid / _SAMPLES_PER_POSITION, stop])
        heights = self.table.curve(places, columns).T
        return Traces((Lines(columns, np.broadcast_to(places, heights.shape), heights),), ())
