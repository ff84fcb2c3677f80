"""From numbers to colours: fixed ends, 256 steps, the same in pictures, boxes and keys."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtGui import QColor, QImage

_MAPS = {"diverging": "CET-D1A", "viridis": "viridis", "cividis": "cividis", "cyclic": "CET-C1"}


@dataclass(frozen=True)
class ColorScale:
    """A colour map between two fixed values; what lies outside has the colour of the nearer end."""

    name: str
    low: float
    high: float

    def levels(self, values: npt.NDArray[np.floating]) -> npt.NDArray[np.uint8]:
        """The step 0..255 of each value, of the same shape."""
        scaled = np.asarray((values - self.low) * (255 / (self.high - self.low)) + 0.5, np.float32)
        return np.clip(scaled, 0, 255).astype(np.uint8)

    def image(self, values: npt.NDArray[np.floating]) -> QImage:
        """The values as a picture, a pixel each; it owns its memory."""
        pixels = _table(self.name)[self.levels(values)]
        height, width = pixels.shape
        return QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32).copy()

    def color(self, value: float) -> QColor:
        """The colour of one value."""
        return QColor.fromRgb(int(_table(self.name)[self.levels(np.array([value]))[0]]))

    def key(self, steps: int = 256) -> QImage:
        """The colours from high (top) to low, one pixel wide."""
        return self.image(np.linspace(self.high, self.low, steps)[:, None])


@lru_cache(maxsize=8)
def _table(name: str) -> npt.NDArray[np.uint32]:
    rgb = pg.colormap.get(_MAPS[name]).getLookupTable(nPts=256, alpha=False).astype(np.uint32)
    table: npt.NDArray[np.uint32] = 0xFF000000 | rgb[:, 0] << 16 | rgb[:, 1] << 8 | rgb[:, 2]
    return table


def readable_on(color: QColor) -> QColor:
    """Black or white, whichever reads better on the colour."""
    luminance = sum(
        weight * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
        for weight, part in ((0.2126, color.redF()), (0.7152, color.greenF()), (0.0722, color.blueF()))
    )
    return QColor("#000000" if luminance > 0.179 else "#ffffff")
