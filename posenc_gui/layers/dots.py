"""Dots of the waves panel, drawn as images on a screen, and the small dots that mark whole positions."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap
from typing_extensions import override

from posenc_core import Encoding, encode
from posenc_core.numerics import FloatArray, IntArray
from posenc_gui.layers.wave_rows import column_info_of
from posenc_gui.layers.wave_view import WaveView
from posenc_gui.look import LAYER_TOKENS, LIGHT
from posenc_gui.model import valued
from posenc_gui.plotting import Layer, PlotArea, PositionArea, seen_in

_PHASES = 4  # a stamp is drawn at as many places within a pixel, across and down
_CLOSEST_PX = 8.0  # between two whole positions that are marked
_RADIUS, _LEAST_RADIUS = 1.9, 0.8


class PositionDots(Layer):
    """A small dot on every curve at each whole position, if neighbours are at least 8 pixels apart.

    A table has values only there; the curve between them is a guide to the eye. Tokens have separate dots.
    """

    def __init__(self, area: PositionArea, view: Callable[[], WaveView]) -> None:
        super().__init__(area, LAYER_TOKENS)
        self.area: PositionArea = area
        self._view = view
        self._stamps = lru_cache(maxsize=16)(Stamps)

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._view()
        radius = min(_RADIUS, 0.08 * view.row_px)
        positions = self._positions(view) if radius >= _LEAST_RADIUS else []
        if not positions or not view.columns:
            return
        columns = np.array(view.columns, np.int64)
        values = entries(view.encoding, positions, columns).astype(np.float64)
        across = self.area.to_x(np.array(positions, np.float64))
        down = self.area.to_y(np.array(view.row_numbers) + view.rows.height(values))
        info = column_info_of(view.encoding)
        parts = np.array([info(column).part for column in view.columns])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for part in dict.fromkeys(parts.tolist()):
            rows = parts == part
            x = np.broadcast_to(across[:, None], down.shape)[:, rows].ravel()
            self._draw_dots(painter, view.style.part(part).name(), radius, x, down[:, rows].ravel())

    def _draw_dots(self, painter: QPainter, colour: str, radius: float, x: FloatArray, y: FloatArray) -> None:
        if self.is_on_screen:
            device = painter.deviceTransform()
            stamps = self._stamps(colour, "", round(16 * radius) / 16, device.m11())
            with device_pixels(painter):
                stamps.draw(painter, device.m11() * x + device.dx(), device.m22() * y + device.dy())
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        for place in zip(x.tolist(), y.tolist(), strict=True):
            painter.drawEllipse(QPointF(*place), radius, radius)

    def _positions(self, view: WaveView) -> list[int]:
        """The whole positions in view and in an exposed rectangle that have a value and no token."""
        seen, tokens, encoding = seen_in(self.area.across, view.axis.shown), view.axis.tokens, view.encoding
        if self.area.logarithmic:
            reach = int(self.area.pixels_at(0) / _CLOSEST_PX)
            seen = range(max(seen.start, -reach), min(seen.stop, reach + 1))
        elif self.area.pixels_at(0) < _CLOSEST_PX:
            return []
        return [
            position
            for position in valued(encoding, seen)
            if position not in tokens and encoding.has_value(position) and self._is_exposed(position)
        ]

    def _is_exposed(self, position: int) -> bool:
        x = self.area.to_x(position)
        return any(rect.left() - 3 <= x <= rect.right() + 3 for rect in self.exposed)


class Stamps:
    """Images of a dot at several places within a device pixel, to place copies exactly."""

    def __init__(self, colour: str, outline: str, radius: float, scale: float) -> None:
        self._size = 2 * math.ceil((radius + 1) * scale) + 1
        self._image = QPixmap(_PHASES * self._size, _PHASES * self._size)
        self._image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(self._image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(colour))
        painter.setPen(outline_pen(outline))
        painter.scale(scale, scale)
        for across, down in product(range(_PHASES), repeat=2):
            x, y = (phase * self._size + self._size // 2 + (phase + 0.5) / _PHASES for phase in (across, down))
            painter.drawEllipse(QPointF(x / scale, y / scale), radius, radius)
        painter.end()

    def draw(self, painter: QPainter, x: FloatArray, y: FloatArray) -> None:
        """Draw a dot at each place, in device pixels."""
        fragments = pg.Qt.internals.PrimitiveArray(QPainter.PixmapFragment, 10)
        fragments.resize(len(x))
        memory = fragments.ndarray()
        for axis, places in enumerate((x, y)):
            whole = np.floor(places)
            memory[:, axis] = whole - self._size // 2 + self._size / 2  # the middle of the copy
            memory[:, 2 + axis] = np.floor((places - whole) * _PHASES) * self._size  # its corner in the image
        memory[:, 4:6] = self._size
        memory[:, 6:] = (1.0, 1.0, 0.0, 1.0)  # scales, rotation, opacity
        first, count = fragments.drawargs()
        painter.drawPixmapFragments(first, count, self._image)


@contextmanager
def device_pixels(painter: QPainter) -> Iterator[None]:
    """Let the painter paint in device pixels."""
    painter.save()
    painter.setWorldTransform(painter.deviceTransform().inverted()[0] * painter.worldTransform())
    try:
        yield
    finally:
        painter.restore()


def outline_pen(colour: str) -> QPen:
    """The pen around a dot; none for an empty colour."""
    return LIGHT.pen(colour) if colour else QPen(Qt.PenStyle.NoPen)


def entries(encoding: Encoding, positions: Sequence[int], columns: IntArray) -> npt.NDArray[np.floating]:
    """The dots' numbers, ``(n_positions, n_columns)``."""
    if encoding.sampler.fits_float32:
        return encode(encoding, positions, columns)
    return encoding.values(np.array(positions, np.int64), columns)


def place_of(area: PlotArea, view: WaveView, position: int, row: int, value: float) -> QPointF:
    """Place of a value of a row's column, in the area's pixels."""
    return QPointF(area.to_x(position), area.to_y(row + view.rows.height(value)))
