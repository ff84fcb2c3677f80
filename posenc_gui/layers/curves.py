"""Columns of the waves panel: curves and bands."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import pyqtgraph as pg
from msgspec import Struct
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF
from typing_extensions import override

from posenc_core import Encoding
from posenc_core.numerics import Bands, FloatArray, IntArray, Steps, Traces
from posenc_core.progressive import (
    Arrays,
    Flags,
    PartialPicture,
    known_traces,
    part_edges,
    partial_traces,
    runs_of,
    slow_work,
)
from posenc_gui.figures import Rendered
from posenc_gui.layers.wave_rows import column_info, column_info_of
from posenc_gui.layers.wave_view import AMPLITUDE, RowScale, WaveView
from posenc_gui.look import LAYER_DATA
from posenc_gui.plotting import (
    Layer,
    Polygons,
    PositionArea,
    Range,
    draw_curve,
    draw_left_out,
    draw_missing,
    pixel_scale,
    place_of_position,
    position_at,
)

_BOLD_ROW_PX = 20.0
_BOLD_POINTS = 3000
"""With more points, lines are one pixel wide: Qt is ten times slower with wider ones."""

_PIECE_PX = 20
"""A logarithmic axis is as good as linear over so few pixels."""

_BAND_OPACITY = 0.45
_LEAST_BAND_OPACITY = 0.1
"""Opacity of a band of waves much narrower than a pixel, which shows only their presence."""

_THINNEST_PX = 1.0
"""The least height of a band, to keep a band of equal numbers visible."""


class WaveRequest(Struct, frozen=True):
    """The curves of some ascending columns over ``pixels`` logical pixels, at ``scale`` device pixels each."""

    encoding: Encoding
    columns: tuple[int, ...]
    positions: Range
    pixels: int
    scale: float
    logarithmic: bool = False

    @property
    def work(self) -> int:
        """The number of entries to read one by one; 0 for a formula."""
        steps = None if self.logarithmic else self._steps()  # slow tables are drawn on a linear axis
        return 0 if steps is None else slow_work(self.encoding, steps.start, steps.stop, len(self.columns))

    def compute(self) -> Traces:
        """The curves; bands for waves too narrow for the logical pixels, at any scale."""
        if not self.logarithmic:
            return self._traced(self.positions, self.pixels)
        n_pieces = max(1, self.pixels // _PIECE_PX)
        first, last = (place_of_position(end) for end in self.positions)
        edges = [position_at(place) for place in np.linspace(first, last, n_pieces + 1).tolist()]
        pieces = [self._traced(ends, _PIECE_PX) for ends in pairwise(edges)]
        return Traces(
            tuple(line for piece in pieces for line in piece.lines),
            tuple(band for piece in pieces for band in piece.bands),
        )

    def _traced(self, positions: Range, pixels: int) -> Traces:
        columns = self._columns
        traces = self.encoding.sampler.traces(columns, positions, pixels)
        if self.scale <= 1:
            return traces
        curves = np.concatenate([line.columns for line in traces.lines] or [columns[:0]])
        finer = self.encoding.sampler.traces(np.sort(curves), positions, round(pixels * self.scale))
        return Traces(finer.lines, traces.bands)

    def begin(self) -> PartialPicture:
        """The curves of a slow table, to be computed part by part."""
        return partial_traces(self.encoding, self._columns, self._some_steps())

    def assemble(self, arrays: Arrays, known: Flags) -> Traces:
        """The curves at the positions of the known parts."""
        edges = part_edges(self.encoding, self._some_steps())
        return known_traces(self._columns, edges, arrays, known)

    def ranges(self, parts: Flags) -> list[Range]:
        """The ranges of positions of some parts."""
        edges = part_edges(self.encoding, self._some_steps())
        return [(float(edges[first]), float(edges[stop])) for first, stop in runs_of(parts)]

    @property
    def has_narrow_steps(self) -> bool:
        """Whether a table's steps are too narrow for the pixels and drawn as bands."""
        steps = self._steps()
        return steps is not None and steps.few(self.encoding.sampler.equal_rows) is None

    @property
    def _columns(self) -> IntArray:
        return np.array(self.columns, np.int64)

    def _some_steps(self) -> Steps:
        steps = self._steps()
        assert steps is not None  # a request without steps has no work
        return steps

    def _steps(self) -> Steps | None:
        """The steps in view; None outside the encoding's domain."""
        return Steps.over(self.positions, self.encoding.domain, self.pixels)


class Curves(Layer):
    """The curves and bands, sines in one hue and cosines in the other; those of few points are bold."""

    def __init__(
        self, area: PositionArea, view: Callable[[], WaveView], render: Callable[[WaveRequest], Rendered]
    ) -> None:
        super().__init__(area, LAYER_DATA)
        self.area: PositionArea = area
        self._view, self._render = view, render
        self._made_for: tuple[Rendered, QRectF, tuple[Range, Range], RowScale, tuple[int, ...]] | None = None
        self._scale = 1.0
        self._curves: list[tuple[int, QPolygonF]] = []
        self._column_parts: list[str] = []  # sine, cosine, ... of each curve
        self._points = 0
        self._polygons = Polygons()
        self._bands: list[tuple[int, QPolygonF]] = []
        self._band_opacities: list[float] = []
        self._missing: list[Range] = []
        self._left_out: list[Range] = []

    def banded(self) -> set[int]:
        """The columns that are drawn as bands."""
        self._make(self._view(), self._scale)
        return {column for column, _ in self._bands}

    def request(self, view: WaveView, scale: float) -> WaveRequest:
        """The curves in view at ``scale`` device pixels per logical pixel."""
        pixels = max(1, round(self.area.rect().width()))
        columns = tuple(sorted(view.columns))
        return WaveRequest(view.encoding, columns, view.positions, pixels, scale, self.area.logarithmic)

    @override
    def draw(self, painter: QPainter) -> None:
        view, self._scale = self._view(), pixel_scale(painter)
        self._make(view, self._scale)
        style = view.style
        few = view.bold and self._points <= _BOLD_POINTS * self._scale
        width = 1.5 if view.row_px >= _BOLD_ROW_PX and few else 1.0
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for draw, ranges in ((draw_missing, self._missing), (draw_left_out, self._left_out)):
            for first, last in ranges:
                draw(painter, self.area.to_rect((first, last), self.area.upright), style)
        painter.setPen(Qt.PenStyle.NoPen)
        for (column, polygon), opacity in zip(self._bands, self._band_opacities, strict=True):
            paler = style.part(column_info(view.encoding, column).part)
            paler.setAlphaF(opacity)
            painter.setBrush(paler)
            painter.drawPolygon(polygon)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pens = {part: style.pen(style.part(part), width) for part in set(self._column_parts)}
        whole = any(rect.width() > 0.5 * self.area.rect().width() for rect in self.exposed)
        reach = AMPLITUDE * view.row_px + 2
        rows, pen = dict(zip(view.columns, view.row_numbers, strict=True)), None
        for (column, polygon), part in zip(self._curves, self._column_parts, strict=True):
            if pens[part] is not pen:
                pen = pens[part]
                painter.setPen(pen)
            for piece in (polygon,) if whole else self._pieces(rows[column], polygon, reach):
                draw_curve(painter, piece)

    def _pieces(self, row: int, polygon: QPolygonF, reach: float) -> Iterator[QPolygonF]:
        """The pieces of a curve in the exposed rectangles, which are narrow when only the cursor moved."""
        middle = self.area.to_y(row)
        for rect in self.exposed:
            if rect.top() <= middle + reach and rect.bottom() >= middle - reach:
                points = pg.functions.ndarray_from_qpolygonf(polygon)
                first, last = np.searchsorted(points[:, 0], (rect.left() - 3, rect.right() + 3))
                part = slice(max(0, first - 1), last + 1)
                yield from Polygons().filled(points[part, 0], points[part, 1][None, :])

    def _make(self, view: WaveView, scale: float) -> None:
        """Make the polygons of the range in view, unless they exist."""
        request = self.request(view, scale)
        rendered = self._render(request)
        made_for = (rendered, QRectF(self.area.rect()), (self.area.across, self.area.upright), view.rows, view.columns)
        if made_for == self._made_for:
            return
        self._polygons.begin()
        self._missing, self._left_out = [], []
        if rendered.known is not None and rendered.refused is not None:
            self._missing = request.ranges(~(rendered.known | rendered.refused))
            self._left_out = request.ranges(rendered.refused)
        self._curves, self._bands = self._shapes(rendered.picture, view)
        bands, encoding = rendered.picture.bands, view.encoding
        self._band_opacities = [band_opacity(encoding, n, band) for band in bands for n in band.columns.tolist()]
        info = column_info_of(view.encoding)
        self._column_parts = [info(column).part for column, _ in self._curves]
        self._points = sum(polygon.size() for _, polygon in self._curves)
        self._made_for = made_for

    def _shapes(
        self, traces: Traces, view: WaveView
    ) -> tuple[list[tuple[int, QPolygonF]], list[tuple[int, QPolygonF]]]:
        rows = np.zeros(max(view.columns, default=0) + 1)
        rows[list(view.columns)] = view.row_numbers
        curves: list[tuple[int, QPolygonF]] = []
        rightwards = -1 if self.area.turned[0] else 1
        for line in traces.lines:
            x, y = self._x(line.x), self._y(rows[line.columns][:, None] + view.rows.height(line.y))
            polygons = self._polygons.filled(x[..., ::rightwards], y[:, ::rightwards])
            curves += zip(line.columns.tolist(), polygons, strict=True)
        return curves, [polygon for band in traces.bands for polygon in self._band_polygons(band, rows, view.rows)]

    def _band_polygons(self, band: Bands, rows: FloatArray, scale: RowScale) -> list[tuple[int, QPolygonF]]:
        edges = self._x(band.x)
        outline = np.concatenate([edges, edges[::-1]])
        middles = rows[band.columns][:, None]
        low, high = (self._y(middles + scale.height(ends)) for ends in _at_edges(band))
        low, high = np.maximum(low, (low + high + _THINNEST_PX) / 2), np.minimum(high, (low + high - _THINNEST_PX) / 2)
        around = np.concatenate([high, low[:, ::-1]], axis=1)
        is_full = ((low == low[:, :1]) & (high == high[:, :1])).all(axis=1)
        corners = [0, len(edges) - 1, len(edges), 2 * len(edges) - 1]
        return [
            (column, polygon)
            for column, upright, few in zip(band.columns.tolist(), around, is_full.tolist(), strict=True)
            for points in [corners if few else slice(None)]  # Qt needs 40 times as long with all of them
            for polygon in self._polygons.filled(outline[points], upright[None, points])
        ]

    def _x(self, positions: FloatArray) -> FloatArray:
        return self.area.to_x(positions)

    def _y(self, rows: FloatArray) -> FloatArray:
        low, high = self.area.upright
        return (high - rows) * float(self.area.rect().height() / (high - low))


def band_opacity(encoding: Encoding, column: int, band: Bands) -> float:
    """The opacity of a column's band: paler from one pixel per wavelength on, where any wave fills it.

    A band without a wavelength is the range of a table's numbers, and keeps its full opacity.
    """
    wavelength = column_info(encoding, column).wavelength
    if wavelength is None or len(band.x) < 2:
        return _BAND_OPACITY
    pixels_a_wave = wavelength * (len(band.x) - 1) / float(band.x[-1] - band.x[0])
    return _BAND_OPACITY * max(_LEAST_BAND_OPACITY / _BAND_OPACITY, min(1.0, pixels_a_wave))


def _at_edges(band: Bands) -> tuple[FloatArray, FloatArray]:
    """The least and the largest value of the two pixels at each edge, to cover both by lines from edge to edge."""
    low, high = (np.pad(values, ((0, 0), (1, 1)), "edge") for values in (band.low, band.high))
    return np.minimum(low[:, :-1], low[:, 1:]), np.maximum(high[:, :-1], high[:, 1:])
