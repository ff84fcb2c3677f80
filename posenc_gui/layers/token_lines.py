"""Marks above the curves of the waves panel: the tokens' lines and dots, and the cursor."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter
from typing_extensions import override

from posenc_core.numerics import IntArray
from posenc_gui.figures import Figure
from posenc_gui.layers.dots import Stamps, device_pixels, entries, outline_pen, place_of
from posenc_gui.layers.wave_view import WaveView
from posenc_gui.look import LAYER_CURSOR, LAYER_TOKENS, Style
from posenc_gui.model import Cursor, valued
from posenc_gui.plotting import Layer, PositionArea, ViewLayer, WordsView, seen_in

_LINE_PX = 1.2
_CLOSEST_PX = 3.0  # the least distance between two lines; some closer tokens have none
_LEAST_RADIUS, _LARGEST_RADIUS = 1.2, 3.4
_OUTLINED_RADIUS = 2.0  # larger dots have an outline in the colour of the paper


class TokenLines(Layer):
    """A vertical line per token, and a dot on every curve that has a value there.

    Files contain lines and ellipses. The screen shows images of them: Qt needs 0.1 ms for a translucent line, however
    it is drawn, and 0.2 ms for an image of all lines.
    """

    def __init__(self, area: PositionArea, view: Callable[[], WaveView]) -> None:
        super().__init__(area, LAYER_TOKENS)
        self.area: PositionArea = area
        self._view = view
        self._stamps = lru_cache(maxsize=16)(Stamps)

    @override
    def draw(self, painter: QPainter) -> None:
        view, (low, high) = self._view(), self.area.across
        tokens = seen_in(self.area.across, view.axis.shown_tokens)
        if not tokens:
            return
        if self.area.logarithmic:
            x = self.area.to_x(np.array(tokens, np.float64))
            apart = np.flatnonzero(np.diff(np.floor(x / _CLOSEST_PX), prepend=-np.inf))
            chosen, spacing = np.array(tokens)[apart], abs(float(x[-1] - x[0])) / max(1, len(apart) - 1) or _CLOSEST_PX
        else:
            spacing = self.area.rect().width() / (high - low)
            chosen = np.array(tokens[:: max(1, round(_CLOSEST_PX / spacing))])
        positions = self._exposed(chosen)
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
        start = int(lefts.min())
        top, bottom = (round(device.m22() * y + device.dy()) for y in (0, self.area.rect().height()))
        pixels = np.zeros(int(lefts.max()) + width - start, np.uint32)
        cycle = np.array([_premultiplied(QColor(colour), opacity) for colour in view.style.token_cycle], np.uint32)
        indices = np.array(positions) - view.axis.tokens.start
        for offset in range(width):
            pixels[lefts - start + offset] = cycle[indices % len(cycle)]
        row = QImage(pixels.data, len(pixels), 1, QImage.Format.Format_ARGB32_Premultiplied)
        with device_pixels(painter):
            painter.setBrushOrigin(start, top)
            painter.fillRect(start, top, len(pixels), bottom - top, QBrush(row))

    def _draw_dots(self, painter: QPainter, view: WaveView, positions: list[int], radius: float) -> None:
        columns = np.array(view.columns, np.int64)
        values = entries(view.encoding, positions, columns)
        painter.setPen(outline_pen(_outline(view.style, radius)))
        for index, position in enumerate(positions):
            painter.setBrush(_colour(view, position))
            for height, value in zip(view.row_numbers, values[index], strict=True):
                painter.drawEllipse(place_of(self.area, view, position, height, float(value)), radius, radius)

    def _stamp_dots(self, painter: QPainter, view: WaveView, positions: list[int], radius: float) -> None:
        """The dots as copies of one image per colour, all dots of a colour at once."""
        columns = np.array(view.columns, np.int64)
        if not positions or not len(columns):
            return
        values = entries(view.encoding, positions, columns).astype(np.float64)
        down = self.area.to_y(np.array(view.row_numbers) + view.rows.height(values))
        across = self.area.to_x(np.array(positions, np.float64))
        colours = (np.array(positions) - view.axis.tokens.start) % len(view.style.token_cycle)
        device = painter.deviceTransform()
        x = np.broadcast_to((device.m11() * across + device.dx())[:, None], down.shape)
        y = device.m22() * down + device.dy()
        with device_pixels(painter):
            for index in sorted(set(colours.tolist())):
                chosen = colours == index
                colour, outline = view.style.token(index).name(), _outline(view.style, radius)
                stamps = self._stamps(colour, outline, round(16 * radius) / 16, device.m11())
                stamps.draw(painter, x[chosen].ravel(), y[chosen].ravel())


def _outline(style: Style, radius: float) -> str:
    """The colour around a dot; empty for a small one."""
    return style.paper if radius > _OUTLINED_RADIUS else ""


def _premultiplied(colour: QColor, opacity: float) -> int:
    """The pixel of a translucent colour in the format ARGB32_Premultiplied."""
    red, green, blue = (round(part * opacity) for part in (colour.red(), colour.green(), colour.blue()))
    return round(255 * opacity) << 24 | red << 16 | green << 8 | blue


class CursorDot(ViewLayer[WaveView]):
    """The cursor: a larger dot on its wave, and a line at its position."""

    Z = LAYER_CURSOR

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
        row = view.row_of(cursor.column)
        if row is not None and encoding.has_value(cursor.position):
            value = float(entries(encoding, [cursor.position], np.array([cursor.column]))[0, 0])
            painter.setPen(style.pen(style.paper, 1.5))
            painter.setBrush(colour)
            place = place_of(self.area, view, cursor.position, row, value)
            painter.drawEllipse(place, 5.5, 5.5)
            if cursor.pinned:
                painter.setPen(style.pen(colour, 1.4))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(place, 8.0, 8.0)


def _colour(view: WaveView, position: int) -> QColor:
    """The colour of the token at a position: by its index, independently of the query."""
    return view.style.token(position - view.axis.tokens.start)


def words_view(figure: Figure) -> WordsView:
    """The tokens' words along a figure's positions, the cursor's marked."""
    cursor = figure.cursor
    marked, held = (None, False) if cursor is None else (cursor.position, cursor.pinned)
    return WordsView(figure.document, figure.style, figure.axis, marked, figure.size(), held)
