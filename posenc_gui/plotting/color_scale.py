"""Colours of numbers: fixed ends, 256 steps, the same in pictures, boxes and keys."""

import math
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from msgspec import Struct
from PySide6.QtGui import QColor, QImage

from posenc_core.numerics import FloatArray
from posenc_gui.look import unit_over

_DIVERGING, _DARK_DIVERGING = "diverging", "dark diverging"
_MAPS = {
    _DIVERGING: "CET-D1A",
    _DARK_DIVERGING: "CET-D4",
    "viridis": "viridis",
    "cividis": "cividis",
    "cyclic": "CET-C1",
}

_GREY = 0x84
"""Red, green and blue of the grey that is as light as the cyclic map on average."""

_GREY_BELOW = 2 / math.pi
"""The length of the mean of unit vectors over half a turn. With half a turn or more between neighbouring pixels, their
colours would show neither the speed nor the direction of the angle, but slow bands that do not exist (aliasing)."""

_ALIKE = 16
"""Largest difference, of 255, of a dot's red, green and blue from its pixel's."""

_AT_A_TIME = 1 << 15
"""Values whose numbers stay in the processor's cache: three times as quick as all at once."""

_FADES = 128
"""Steps from grey to a full colour: finer than 8 bits can show."""


class ColorScale(Struct, frozen=True):
    """A colour map for the values from ``low`` to ``high``; values outside have the colour of the nearer end.

    With a ``step`` above 0 the scale is symmetric logarithmic, ``sign(x) log(1 + |x|/step)``: values of a few steps
    differ in colour where others are thousands of steps from zero.
    """

    name: str
    low: float
    high: float
    step: float = 0.0

    @classmethod
    def suited(cls, chosen: str, low: float, high: float, is_dark: bool, step: float = 0.0) -> "ColorScale":
        """The scale in the chosen map; the diverging one has a dark middle in the dark theme.

        If no value is negative, or none is positive, a sequential map replaces the diverging one, half of whose
        colours would be unused.
        """
        name = chosen
        if chosen == _DIVERGING:
            name = "viridis" if low >= 0 or high <= 0 else _DARK_DIVERGING if is_dark else _DIVERGING
        return cls(name, low, high, step)

    @property
    def ends(self) -> tuple[float, float]:
        """The values of the map's first and last colour.

        The hue of a diverging map shows the sign of a number: its middle is at zero, even if the ends are not equally
        far from it. Equal values have the middle colour.
        """
        low, high = self.low, self.high
        if self.name in (_DIVERGING, _DARK_DIVERGING):
            high = max(abs(low), abs(high))
            low = -high
        if low < high:
            return low, high
        return low - 1.0, low + 1.0

    def levels(self, values: npt.NDArray[np.floating]) -> npt.NDArray[np.uint8]:
        """The step 0..255 of each value, of the same shape."""
        low, high = self.ends
        if self.step:
            values, (low, high) = (
                _logarithms(values, self.step),
                (float(_logarithms(end, self.step)) for end in (low, high)),
            )
        unit = unit_over(low, high)
        if unit != 1:
            values, low, high = np.asarray(values, np.float64) / unit, low / unit, high / unit
        found, tall = np.empty(values.shape, np.uint8), max(1, _AT_A_TIME * len(values) // max(1, values.size))
        for rows in (slice(first, first + tall) for first in range(0, len(values), tall)):
            scaled = np.asarray((values[rows] - low) * (255 / (high - low)) + 0.5, np.float32)
            found[rows] = np.clip(scaled, 0, 255)
        return found

    def part(self, value: float) -> float:
        """Place of a value on a bar from ``low`` (0) to ``high`` (1); 1/2 for equal ends."""
        low, high = self.low, self.high
        if self.step:
            value, low, high = (float(_logarithms(number, self.step)) for number in (value, low, high))
        unit = unit_over(low, high)
        return (value / unit - low / unit) / (high / unit - low / unit) if low < high else 0.5

    def image(self, values: npt.NDArray[Any]) -> QImage:
        """The values as an image of a pixel each, which owns its memory.

        Complex values are means of unit vectors: the colour of their angle fades to grey with their length.
        """
        return _image_of(self.colours(values))

    def dotted_image(self, dots: npt.NDArray[Any], pixels: npt.NDArray[Any]) -> QImage:
        """The values of ``dots``, several to each of the ``pixels``, as an image.

        A viewer that shows the image in pixels mixes the dots' colours, or uses one of them. If they differ much, that
        is not the colour of the pixel's value, and may not be in the map: such a pixel's dots have its own colour. If
        most pixels are such, the image has only pixels, since some viewers mix the colours of neighbours too.
        """
        (rows, columns), fine, coarse = pixels.shape, self.colours(dots), self.colours(pixels)
        blocks = fine.reshape(rows, len(fine) // rows, columns, fine.shape[1] // columns)
        whole = coarse[:, None, :, None]
        differs = np.zeros(blocks.shape, bool)
        for shift in (16, 8, 0):
            one, other = (colours >> shift & 0xFF for colours in (blocks, whole))
            differs |= np.maximum(one, other) - np.minimum(one, other) > _ALIKE
        uneven = differs.any(axis=(1, 3), keepdims=True)
        if uneven.mean() > 0.5:
            return _image_of(coarse)
        return _image_of(np.where(uneven, whole, blocks).reshape(fine.shape))

    def colours(self, values: npt.NDArray[Any]) -> npt.NDArray[np.uint32]:
        """The colour of each value, ``0xffRRGGBB``, of the same shape."""
        return self._faded(values) if np.iscomplexobj(values) else _table(self.name).take(self.levels(values))

    def _faded(self, turns: npt.NDArray[np.complexfloating]) -> npt.NDArray[np.uint32]:
        shares = np.clip((np.abs(turns) - _GREY_BELOW) / (1 - _GREY_BELOW), 0, 1)
        steps = (shares * (_FADES - 1) + 0.5).astype(np.uint16)
        return _faded_table(self.name).take(steps << 8 | self.levels(np.angle(turns)))

    def color(self, value: float) -> QColor:
        """The colour of one value."""
        return QColor.fromRgb(int(_table(self.name)[self.levels(np.array([value]))[0]]))

    def key(self, steps: int = 256) -> QImage:
        """The colours from high (top) to low, one pixel wide; kept, since keys are painted with every picture."""
        return _key(self, steps)

    def values(self, steps: int) -> FloatArray:
        """Values in equal steps of colour from high to low, float64 ``(steps,)``."""
        if self.step:
            low, high = (float(_logarithms(end, self.step)) for end in (self.low, self.high))
            at = np.linspace(high, low, steps)
            found: FloatArray = np.copysign(np.expm1(np.abs(at)) * self.step, at)
            found[[0, -1]] = self.high, self.low
            return found
        unit = unit_over(self.low, self.high)
        return np.asarray(np.linspace(self.high / unit, self.low / unit, steps) * unit)


def _logarithms(values: npt.ArrayLike, step: float) -> FloatArray:
    """``sign(x) log(1 + |x|/step)`` of each value, in float64."""
    numbers = np.asarray(values, np.float64)
    return np.copysign(np.log1p(np.abs(numbers) / step), numbers)


def _image_of(colours: npt.NDArray[np.uint32]) -> QImage:
    """An image of a pixel for each colour, which owns its memory."""
    pixels = np.ascontiguousarray(colours)  # QImage reads row by row
    height, width = pixels.shape
    return QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32).copy()


@lru_cache(maxsize=16)
def _key(scale: ColorScale, steps: int) -> QImage:
    return scale.image(scale.values(steps)[:, None])


@lru_cache(maxsize=8)
def _table(name: str) -> npt.NDArray[np.uint32]:
    rgb = pg.colormap.get(_MAPS[name]).getLookupTable(nPts=256, alpha=False).astype(np.uint32)
    table: npt.NDArray[np.uint32] = 0xFF000000 | rgb[:, 0] << 16 | rgb[:, 1] << 8 | rgb[:, 2]
    return table


@lru_cache(maxsize=2)
def _faded_table(name: str) -> npt.NDArray[np.uint32]:
    """The colours in steps from grey to full, ``(steps, 256)``."""
    share = np.linspace(0, 1, _FADES)[:, None]
    table = np.full((_FADES, 256), 0xFF000000, np.uint32)
    for shift in (16, 8, 0):
        whole = _table(name) >> shift & 0xFF
        table |= np.rint(_GREY + share * (whole - float(_GREY))).astype(np.uint32) << shift
    return table


def with_holes(image: QImage, missing: np.ndarray) -> QImage:
    """The image, transparent at the missing pixels."""
    image = image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    height, width = missing.shape
    pixels = np.frombuffer(image.bits(), np.uint32).reshape(height, image.bytesPerLine() // 4)
    pixels[:, :width][missing] = 0
    return image


def readable_on(color: QColor) -> QColor:
    """Black or white, whichever reads better on the colour."""
    luminance = sum(
        weight * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
        for weight, part in ((0.2126, color.redF()), (0.7152, color.greenF()), (0.0722, color.blueF()))
    )
    return QColor("#000000" if luminance > 0.179 else "#ffffff")
