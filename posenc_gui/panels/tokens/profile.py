"""A row of many columns: sines and cosines as two lines, other numbers as bars, and the ruler above the strips."""

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from posenc_core import Document, Encoding
from posenc_core.encodings import n_whole_pairs, pair_members
from posenc_core.numerics import FloatArray, IntArray
from posenc_gui.figures import draw_as_dots
from posenc_gui.look import Style, unit_over
from posenc_gui.model import PositionAxis
from posenc_gui.panels.tokens.rows import shows_table
from posenc_gui.plotting import Lettering, Polygons, TableColors, is_vector

RULER_LINE = 18.0
_RULER_PX = 10
_STEPS = tuple(factor * 10**exponent for exponent in range(6) for factor in (1, 2, 5))
_LEAST_GAP = 30.0
_LEAST_SHAPE_PX, _VECTOR_DOTS = 4.0, 3
"""Narrower bars are dots in SVG and PDF files; this is their number along each side of a pixel: 288 per inch."""


def draw_ruler(painter: QPainter, columns: tuple[int, int], left: float, width: float, style: Style) -> None:
    """Number the columns above the strips, as many as fit."""
    first, stop = columns
    letters = Lettering(painter, style, _RULER_PX)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(style.pen(style.muted))
    column_width = width / (stop - first)
    least = max(_LEAST_GAP, letters.width(f"{stop - 1:,}") + 8)
    every = next(step for step in _STEPS if step * column_width >= least)
    for column in range(-(-first // every) * every, stop, every):
        centre = left + (column - first + 0.5) * column_width
        letters.write_in(QRectF(max(centre - 20, left - 17), 0, 40, RULER_LINE - 4), f"{column:,}")
        painter.drawLine(QPointF(centre, RULER_LINE - 4), QPointF(centre, RULER_LINE - 1))


def profile_range(document: Document, axis: PositionAxis, colors: TableColors) -> tuple[float, float]:
    """The values at the bottom and the top of a row, with zero between them.

    Numbers that grow with the position have the range of the tokens: the range of all positions would flatten them.
    """
    low, high = colors.scale.low, colors.scale.high
    if shows_table(document) and document.encoding.sampler.value_step and not colors.per_row and axis.tokens:
        stop = 1 if document.encoding.relative and document.encoding.causal else axis.tokens.stop
        low, high = document.encoding.range_over(axis.tokens.start, max(stop, axis.tokens.start + 1))
    return min(0.0, low), max(0.0, high)


class Profile:
    """Draws rows of the columns first..stop-1, all on one scale."""

    def __init__(
        self, document: Document, axis: PositionAxis, style: Style, columns: tuple[int, int], colors: TableColors
    ) -> None:
        self._document, self._style, self._columns, self._colors = document, style, columns, colors
        self._ends = profile_range(document, axis, colors)
        self._polygons = Polygons()

    def draw(self, painter: QPainter, rect: QRectF, values: FloatArray, token: int, is_table: bool) -> None:
        """Draw the numbers of a row; with ``is_table`` they are the encoding's entries."""
        lowest, highest = self._ends
        shares = self._colors.shares(values[None, :], *self._columns)[0]
        divisor = unit_over(lowest, highest)
        if divisor != 1:
            shares, lowest, highest = shares / divisor, lowest / divisor, highest / divisor
        unit = rect.height() / (highest - lowest) if highest > lowest else 0.0
        zero = rect.top() + highest * unit
        painter.setPen(self._style.pen(self._style.border))
        painter.drawLine(QPointF(rect.left(), zero), QPointF(rect.right(), zero))
        lines = list(self._lines(rect, shares)) if is_table else []
        for part, x, y in lines:
            painter.setPen(self._style.pen(self._style.part(part), 1.0))
            (line,) = self._polygons.filled(x, (zero - y * unit)[None, :])
            painter.drawPolyline(line)
        if not lines:
            self._draw_bars(painter, rect, shares, (zero, unit), self._style.token(token))

    def _lines(self, rect: QRectF, values: FloatArray) -> Iterator[tuple[str, FloatArray, FloatArray]]:
        """The sines and the cosines: their horizontal places, and their values."""
        first, stop = self._columns
        width = rect.width() / (stop - first)
        for part, columns in _parts(self._document.encoding):
            inside = columns[(columns >= first) & (columns < stop)] - first
            if len(inside):
                across = np.asarray(rect.left() + (inside + 0.5) * width, np.float64)
                yield part, *_thinned(across, values[inside], rect.width())

    def _draw_bars(
        self, painter: QPainter, rect: QRectF, values: FloatArray, scale: tuple[float, float], colour: QColor
    ) -> None:
        """Bars from the zero line; columns that share a pixel are a bar from the least to the largest."""
        zero, unit = scale
        parts = min(len(values), max(1, round(rect.width())))
        edges = np.arange(parts) * len(values) // parts
        high = np.maximum(np.maximum.reduceat(values, edges), 0)
        low = np.minimum(np.minimum.reduceat(values, edges), 0)
        bars = pg.Qt.internals.PrimitiveArray(QRectF, 4)
        bars.resize(parts)
        width = rect.width() / parts
        memory = bars.ndarray()
        memory[:, 0] = rect.left() + np.arange(parts) * width
        memory[:, 1] = zero - high * unit
        memory[:, 2] = width
        memory[:, 3] = (high - low) * unit
        if is_vector(painter) and width < _LEAST_SHAPE_PX:  # a shape for each would need megabytes
            place, draw = QRectF(rect.toAlignedRect()), partial(_draw_rects, bars=bars, colour=colour)
            draw_as_dots(painter, place, _VECTOR_DOTS, draw)
        else:
            _draw_rects(painter, bars, colour)


def _draw_rects(painter: QPainter, bars: Any, colour: QColor) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRects(*bars.drawargs())
    painter.restore()


@lru_cache(maxsize=4)
def _parts(encoding: Encoding) -> tuple[tuple[str, IntArray], ...]:
    """The columns of the sines and of the cosines, a sine without a cosine included; empty without pairs."""
    pairs = n_whole_pairs(encoding)
    if not pairs:
        return ()
    sines, cosines = pair_members(encoding, np.arange(pairs))
    is_rest = np.ones(encoding.n_columns, bool)
    is_rest[np.concatenate([sines, cosines])] = False
    rest = np.flatnonzero(is_rest)
    lone = [column for column in rest.tolist() if encoding.column_info(column).part == "sin"]
    return ("cos", cosines), ("sin", np.sort(np.concatenate([sines, np.array(lone, np.int64)])))


def _thinned(x: FloatArray, y: FloatArray, pixels: float) -> tuple[FloatArray, FloatArray]:
    """A line of at most two points a pixel: the least and the largest value of those that share one."""
    parts = max(1, round(pixels))
    if len(x) <= 2 * parts:
        return x, y
    edges: npt.NDArray[np.intp] = np.arange(parts) * len(x) // parts
    ends = np.stack([np.minimum.reduceat(y, edges), np.maximum.reduceat(y, edges)], axis=1)
    return np.repeat(x[edges], 2), ends.ravel()
