"""What the waves panel draws above its curves: the tokens' lines and dots, and the cursor."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen, QPixmap
from typing_extensions import override

from posenc_core import Encoding, encode
from posenc_core.numerics import FloatArray, IntArray
from posenc_gui.look.style import LAYER_CURSOR, LAYER_TOKENS, Style
from posenc_gui.model.cursor import Cursor, valued
from posenc_gui.panels.waves.curves import WaveView
from posenc_gui.plotting.layer import Layer
from posenc_gui.plotting.plot_area import PlotArea, seen_in
from posenc_gui.plotting.token_words import shown_tokens

_LINE_PX = 1.2
_CLOSEST_PX = 3.0  # the least distance between two lines: of closer tokens some have none
_LEAST_RADIUS, _LARGEST_RADIUS = 1.2, 3.4
_OUTLINED_RADIUS = 2.0  # larger dots have an outline in the colour of the paper
_PHASES = 4  # a stamp is drawn at as many places within a pixel, across and down


class TokenLines(Layer):
    """A vertical line per token, and a dot on every curve that has a value there.

    Files hold lines and ellipses. A screen shows images of the same: Qt takes 0.1 ms for a translucent line, however
    it is drawn, and 0.2 ms for an image of all of them.
    """

    def __init__(self, area: PlotArea, view: Callable[[], WaveView]) -> None:
        super().__init__(area, LAYER_TOKENS)
        self._view = view
        self._stamps = lru_cache(maxsize=16)(_Stamps)

    @override
    def draw(self, painter: QPainter) -> None:
        view, (low, high) = self._view(), self.area.across
        tokens = seen_in(self.area.across, shown_tokens(view.axis))
        if not tokens:
            return
        spacing = self.area.rect().width() / (high - low)
        every = max(1, round(_CLOSEST_PX / spacing))
        positions = self._exposed(np.array(tokens[::every]))
        opacity = min(1.0, 0.35 + spacing / 30)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        (self._paint_lines if self.is_on_screen else self._draw_lines)(painter, view, positions, opacity)
        radius = min(_LARGEST_RADIUS, view.row_px * 0.16, spacing * 0.4)
        if radius >= _LEAST_RADIUS:
            inside = valued(view.encoding, tokens)
            has_value = view.encoding.has_value
            shown = [position for position in positions if position in inside and has_value(position)]
            (self._stamp_dots if self.is_on_screen else self._draw_dots)(painter, view, shown, radius)

    def _exposed(self, positions: IntArray) -> list[int]:
        """The positions whose lines and dots reach into an exposed rectangle."""
        x = self.area.to_x(positions.astype(np.float64))
        shown = [(rect.left() - 5 <= x) & (x <= rect.right() + 5) for rect in self.exposed]
        return positions[np.logical_or.reduce(shown)].tolist() if shown else []

    def _draw_lines(self, painter: QPainter, view: WaveView, positions: list[int], opacity: float) -> None:
        for position in positions:
            x = self.area.to_x(position)
            colour = _colour(view, position)
            colour.setAlphaF(opacity)
            painter.setPen(view.style.pen(colour, _LINE_PX))
            painter.drawLine(QPointF(x, 0), QPointF(x, self.area.rect().height()))

    def _paint_lines(self, painter: QPainter, view: WaveView, positions: list[int], opacity: float) -> None:
        """The lines, of whole device pixels and as dark as lines of their exact width, as one row that is repeated."""
        if not positions:
            return
        device = painter.deviceTransform()
        width = max(1, round(_LINE_PX * device.m11()))
        opacity = min(1.0, opacity * _LINE_PX * device.m11() / width)
        x = device.m11() * self.area.to_x(np.array(positions, np.float64)) + device.dx()
        lefts = np.floor(x - width / 2 + 0.5).astype(np.int64)
        top, bottom = (round(device.m22() * y + device.dy()) for y in (0, self.area.rect().height()))
        pixels = np.zeros(lefts[-1] + width - lefts[0], np.uint32)
        cycle = np.array([_premultiplied(QColor(colour), opacity) for colour in view.style.token_cycle], np.uint32)
        indices = np.array(positions) - view.axis.tokens.start
        for offset in range(width):
            pixels[lefts - lefts[0] + offset] = cycle[indices % len(cycle)]
        row = QImage(pixels.data, len(pixels), 1, QImage.Format.Format_ARGB32_Premultiplied)
        with device_pixels(painter):
            painter.setBrushOrigin(int(lefts[0]), top)
            painter.fillRect(int(lefts[0]), top, len(pixels), bottom - top, QBrush(row))

    def _draw_dots(self, painter: QPainter, view: WaveView, positions: list[int], radius: float) -> None:
        columns = np.arange(*view.columns)
        values = _entries(view.encoding, positions, columns)
        painter.setPen(_outline(view.style, radius))
        for row, position in enumerate(positions):
            painter.setBrush(_colour(view, position))
            for column, value in zip(columns, values[row], strict=True):
                painter.drawEllipse(_place(self.area, view, position, int(column), float(value)), radius, radius)

    def _stamp_dots(self, painter: QPainter, view: WaveView, positions: list[int], radius: float) -> None:
        """The dots as copies of one image per colour, all dots of a colour at once."""
        columns = np.arange(*view.columns)
        if not positions or not len(columns):
            return
        values = _entries(view.encoding, positions, columns).astype(np.float64)
        down = self.area.to_y(columns + view.rows.height(values))
        across = self.area.to_x(np.array(positions, np.float64))
        colours = (np.array(positions) - view.axis.tokens.start) % len(view.style.token_cycle)
        device = painter.deviceTransform()
        x = np.broadcast_to((device.m11() * across + device.dx())[:, None], down.shape)
        y = device.m22() * down + device.dy()
        with device_pixels(painter):
            for index in sorted(set(colours.tolist())):
                chosen = colours == index
                stamps = self._stamps(view.style, index, round(16 * radius) / 16, device.m11())
                stamps.draw(painter, x[chosen].ravel(), y[chosen].ravel())


class _Stamps:
    """Images of a token's dot at several places within a device pixel, so that copies stand where dots should."""

    def __init__(self, style: Style, index: int, radius: float, scale: float) -> None:
        self._size = 2 * math.ceil((radius + 1) * scale) + 1
        self._image = QPixmap(_PHASES * self._size, _PHASES * self._size)
        self._image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(self._image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(style.token(index))
        painter.setPen(_outline(style, radius))
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


def _outline(style: Style, radius: float) -> QPen:
    """The pen around a dot."""
    return style.pen(style.paper) if radius > _OUTLINED_RADIUS else QPen(Qt.PenStyle.NoPen)


def _premultiplied(colour: QColor, opacity: float) -> int:
    """The pixel of a translucent colour in the format ARGB32_Premultiplied."""
    red, green, blue = (round(part * opacity) for part in (colour.red(), colour.green(), colour.blue()))
    return round(255 * opacity) << 24 | red << 16 | green << 8 | blue


class CursorDot(Layer):
    """The cursor: a larger dot on its wave, and a line at its position."""

    def __init__(self, area: PlotArea, view: Callable[[], WaveView]) -> None:
        super().__init__(area, LAYER_CURSOR)
        self._view = view

    def update_at(self, cursor: Cursor) -> None:
        """Repaint the line at the cursor's position."""
        x = self.area.to_x(cursor.position)
        self.update(QRectF(x - 10, 0, 20, self.area.rect().height()))

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._view()
        cursor, style, encoding = view.cursor, view.style, view.encoding
        if cursor is None or not 0 <= cursor.column < encoding.n_columns:
            return
        is_token = view.axis.token_at(cursor.position) is not None
        colour = _colour(view, cursor.position) if is_token else QColor(style.accent)
        x = self.area.to_x(cursor.position)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(style.pen(colour, 1.6))
        painter.drawLine(QPointF(x, 0), QPointF(x, self.area.rect().height()))
        if encoding.has_value(cursor.position):
            value = float(_entries(encoding, [cursor.position], np.array([cursor.column]))[0, 0])
            painter.setPen(style.pen(style.paper, 1.5))
            painter.setBrush(colour)
            place = _place(self.area, view, cursor.position, cursor.column, value)
            painter.drawEllipse(place, 5.5, 5.5)
            if cursor.pinned:
                painter.setPen(style.pen(colour, 1.4))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(place, 8.0, 8.0)


def _entries(encoding: Encoding, positions: Sequence[int], columns: IntArray) -> npt.NDArray[np.floating]:
    """The dots' numbers, ``(n_positions, n_columns)``."""
    if encoding.fits_float32:
        return encode(encoding, positions, columns)
    return encoding.values(np.array(positions, np.int64), columns)


def _colour(view: WaveView, position: int) -> QColor:
    """The colour of the token at a position: that of its index, wherever distances are counted from."""
    return view.style.token(position - view.axis.tokens.start)


def _place(area: PlotArea, view: WaveView, position: int, column: int, value: float) -> QPointF:
    """Where a value of a column is, in the area's pixels."""
    return QPointF(area.to_x(position), area.to_y(column + view.rows.height(value)))
