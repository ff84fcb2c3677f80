"""WAVES: a curve a column, stacked from column 0 at the bottom; the tokens' lines read their vectors off it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPolygonF

from posenc_core import Document, Encoding, encode
from posenc_core.waves import PIXELS_PER_WAVE, Bands, Traces
from posenc_gui.cursor import Cursor
from posenc_gui.figure import Figure, Window, column_facts
from posenc_gui.plotting.axis_label import AxisLabel
from posenc_gui.plotting.count_axis import CountAxis
from posenc_gui.plotting.layer import Layer, Margin, pixel_scale
from posenc_gui.plotting.plot_area import PlotArea, Range, wheel_steps
from posenc_gui.plotting.token_words import TokenWords
from posenc_gui.style import LAYER_CURSOR, LAYER_DATA, LAYER_GUIDES, LAYER_TOKENS, Style

AMPLITUDE = 0.4
"""Half the height of a wave, in rows: neighbours never touch."""

_ROW_PX = 22.0
_LABELLED_ROW_PX = 13.0
_BOLD_ROW_PX = 20.0
_ZOOM_A_NOTCH = 0.8
_WIDEST_PX = 1500.0


class WavesFigure(Figure):
    """Curves over positions, tokens as vertical lines, dots where they meet."""

    name = "waves"
    title = "Waves"
    hint = "one curve a column, column 0 at the bottom · the dots on a token's line, read upwards, are its vector"
    explanation = (
        "Each curve is one column of the table. A token stands at a position; where its vertical line meets a "
        "curve there is a dot, and the dots read from the bottom up are the numbers of its vector. The wheel "
        "scrolls through the columns, Ctrl+wheel zooms the positions, Shift+wheel shows more or fewer columns, "
        "a double click shows everything. A wave too fast for the pixels is drawn as a band from its smallest to "
        "its largest value."
    )
    least_size = (380, 180)
    export_size = (960, 440)

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self.area = PlotArea()
        self._rows: float | None = None  # None: as many as the height has room for
        self._words = TokenWords(self.area, self, upright=False)
        self._labels = _WaveLabels(self.area, self)
        self._bottom = CountAxis("bottom", style, size=20)
        self._bottom_label = AxisLabel(self.area, self, upright=False)
        self.addItem(self._words, 0, 1)
        self.addItem(self._labels, 1, 0)
        self.addItem(self.area, 1, 1)
        self.addItem(self._bottom, 2, 1)
        self.addItem(self._bottom_label, 3, 1)
        self._bottom.linkToView(self.area)
        self.layout.setContentsMargins(0, 0, 12, 0)
        self.waves = _Waves(self.area, self)
        _RowLines(self.area, self)
        _TokenLines(self.area, self)
        _Dot(self.area, self)
        self.area.hovered.connect(self._hovered)
        self.area.clicked.connect(self._clicked)
        self.area.wheeled.connect(self._wheeled)
        self.area.resetAsked.connect(self.reset_window)
        self.area.sigResized.connect(self._resized)
        self.area.sigRangeChanged.connect(self._window_changed)
        self._document_shown(self.document)

    def note(self) -> str:
        """Which columns are in view where not all are."""
        first, stop = self.visible_columns()
        n = self.document.encoding.n_columns
        return f"columns {first}–{stop - 1} of {n:,}" if stop - first < n else ""

    def visible_columns(self) -> tuple[int, int]:
        """The first column in view and the one after the last."""
        low, high = self.area.upright
        n = self.document.encoding.n_columns
        return max(0, int(np.floor(low + 0.5 + 1e-6))), min(n, int(np.ceil(high + 0.5 - 1e-6)))

    def window(self) -> Window:
        """The visible positions and columns."""
        return Window(self.area.across, self.area.upright)

    def show_window(self, window: Window | None) -> None:
        """Show that part, with its number of rows whatever the height."""
        if window is not None:
            self._rows = window.y[1] - window.y[0]
            self.area.show_window(window.x, window.y)

    def show_columns(self, first: int, stop: int) -> None:
        """Show these columns."""
        self.show_window(Window(self.area.across, (first - 0.5, stop - 0.5)))

    def reset_window(self) -> None:
        """Show all positions and, from column 0 on, as many columns as the height has room for."""
        self._rows = None
        self.area.show_window(self._positions(), (-0.5, -0.5 + self._row_count()))

    def show_cell(self, cursor: Cursor) -> None:
        """Move the window until it holds the cell."""
        (x0, x1), (y0, y1) = self.area.across, self.area.upright
        dx = min(0.0, cursor.position - 0.5 - x0) or max(0.0, cursor.position + 0.5 - x1)
        dy = min(0.0, cursor.column - 0.5 - y0) or max(0.0, cursor.column + 0.5 - y1)
        if dx or dy:
            self.area.show_window((x0 + dx, x1 + dx), (y0 + dy, y1 + dy))

    def step(self, key: Qt.Key) -> tuple[int, int] | None:
        """Left and right along the positions; up is the next column."""
        moves = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Up: (0, 1),
            Qt.Key.Key_Down: (0, -1),
        }
        return moves.get(key)

    @property
    def row_px(self) -> float:
        """Height of a row in pixels."""
        low, high = self.area.upright
        return float(self.area.rect().height() / (high - low))

    def place(self, position: float, column: int, value: float) -> QPointF:
        """Where a value of a column is, in the plot area's pixels."""
        return QPointF(self.area.to_x(position), self.area.to_y(column + AMPLITUDE * value))

    def drawn_positions(self) -> Range:
        """Where curves are drawn: the visible range between the first and the last position."""
        low, high = self.area.across
        last = self.n_positions - 1.0
        return (max(low, 0.0), min(high, last)) if last > 0 else (low, high)

    def _positions(self) -> Range:
        return (-0.5, self.n_positions - 0.5)

    def _row_count(self) -> float:
        n = float(self.document.encoding.n_columns)
        room = max(1.0, np.floor(self.area.rect().height() / _ROW_PX))
        return min(n, self._rows if self._rows is not None else room)

    def _document_shown(self, before: Document) -> None:
        columns = (-0.5, self.document.encoding.n_columns - 0.5)
        self.area.set_extent(self._positions(), columns, least=(1.0, 1.0))
        self._words.fit(True)
        self._labels.fit()
        self._keep_rows()

    def _keep_rows(self) -> None:
        low = max(-0.5, min(self.area.upright[0], self.document.encoding.n_columns - 0.5 - self._row_count()))
        self.area.show_window(self.area.across, (low, low + self._row_count()))

    def _resized(self) -> None:
        self._keep_rows()

    def _window_changed(self) -> None:
        self.noteChanged.emit()

    def _cursor_shown(self) -> None:
        self.update_all()

    def _style_shown(self) -> None:
        self._bottom.show_style(self.style)

    def _hovered(self, x: float, y: float) -> None:
        self.point_at(int(np.floor(x + 0.5)), int(np.floor(y + 0.5)), False)

    def _clicked(self, x: float, y: float) -> None:
        self.point_at(int(np.floor(x + 0.5)), int(np.floor(y + 0.5)), True)

    def _wheeled(self, event: Any) -> None:
        steps, modifiers = wheel_steps(event), event.modifiers()
        low, high = self.area.upright
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            self.area.zoom((_ZOOM_A_NOTCH**steps, 1.0), QPointF(event.pos()))
        elif modifiers & Qt.KeyboardModifier.ShiftModifier:
            self._rows = min(
                max(1.0, round((high - low) * _ZOOM_A_NOTCH**steps + np.sign(-steps) * 0.5)), self._limit()
            )
            self._keep_rows()
        else:
            self._scroll(steps * max(1.0, round((high - low) / 8)))

    def _limit(self) -> float:
        """So many rows at most: a pixel each."""
        return float(min(self.document.encoding.n_columns, max(1, int(self.area.rect().height()))))

    def _scroll(self, rows: float) -> None:
        low, high = self.area.upright
        limit = self.document.encoding.n_columns - 0.5
        moved = min(max(low + rows, -0.5), limit - (high - low))
        self.area.show_window(self.area.across, (moved, moved + high - low))


@dataclass(frozen=True)
class _Drawn:
    """What the curves were computed for: the same again needs no computing."""

    encoding: Encoding
    columns: tuple[int, int]
    positions: Range
    pixels: int
    scale: float


def _traces(drawn: _Drawn) -> Traces:
    """Bands where a wave is too narrow for the logical pixels, whatever the scale; finer curves at a larger one."""
    columns = np.arange(*drawn.columns)
    traces = drawn.encoding.traces(columns, drawn.positions, drawn.pixels)
    if drawn.scale <= 1:
        return traces
    curves = np.concatenate([line.columns for line in traces.lines] or [columns[:0]])
    finer = drawn.encoding.traces(np.sort(curves), drawn.positions, round(drawn.pixels * drawn.scale))
    return Traces(finer.lines, traces.bands)


class _Waves(Layer):
    """The curves and bands, sines in one hue and cosines in the other."""

    def __init__(self, area: PlotArea, figure: WavesFigure) -> None:
        super().__init__(area, LAYER_DATA)
        self._figure = figure
        self._made_for: tuple[_Drawn, QRectF, Range] | None = None
        self._scale = 1.0
        self._curves: list[tuple[int, QPolygonF]] = []
        self._bands: list[tuple[int, QPolygonF]] = []

    def banded(self) -> set[int]:
        """Columns that are drawn as bands."""
        self._make(self._scale)
        return {column for column, _ in self._bands}

    def draw(self, painter: QPainter) -> None:
        """Bands below curves; one pixel wide where there are many, since Qt draws those fast."""
        self._scale = pixel_scale(painter)
        self._make(self._scale)
        figure = self._figure
        width = 1.5 if figure.row_px >= _BOLD_ROW_PX else 1.0
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = {column: self._colour(column) for column, _ in (*self._curves, *self._bands)}
        painter.setPen(Qt.PenStyle.NoPen)
        for column, polygon in self._bands:
            painter.setBrush(colours[column])
            painter.drawPolygon(polygon)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for column, polygon in self._curves:
            painter.setPen(figure.style.pen(colours[column], width))
            painter.drawPolyline(polygon)

    def _colour(self, column: int) -> QColor:
        return self._figure.style.part(column_facts(self._figure.document.encoding, column).part)

    def _make(self, scale: float) -> None:
        figure = self._figure
        pixels = max(1, round(self.area.rect().width()))
        drawn = _Drawn(figure.document.encoding, figure.visible_columns(), figure.drawn_positions(), pixels, scale)
        made_for = (drawn, QRectF(self.area.rect()), self.area.upright)
        if made_for != self._made_for:
            self._curves, self._bands = self._polygons(_traces(drawn))
            self._made_for = made_for

    def _polygons(self, traces: Traces) -> tuple[list[tuple[int, QPolygonF]], list[tuple[int, QPolygonF]]]:
        curves = []
        for line in traces.lines:
            x, y = self._x(line.x), self._y(line.columns[:, None] + AMPLITUDE * line.y)
            curves += [(int(column), _polygon(x[k], y[k])) for k, column in enumerate(line.columns)]
        return curves, [polygon for band in traces.bands for polygon in self._band_polygons(band)]

    def _band_polygons(self, band: Bands) -> list[tuple[int, QPolygonF]]:
        middles = self._x((band.x[:-1] + band.x[1:]) / 2)
        outline = np.concatenate([middles, middles[::-1]])
        low, high = (self._y(band.columns[:, None] + AMPLITUDE * edge) for edge in (band.low, band.high))
        around = np.concatenate([high, low[:, ::-1]], axis=1)
        return [(int(column), _polygon(outline, around[k])) for k, column in enumerate(band.columns)]

    def _x(self, positions: np.ndarray) -> np.ndarray:
        low, high = self.area.across
        return (positions - low) * (self.area.rect().width() / (high - low))

    def _y(self, rows: np.ndarray) -> np.ndarray:
        low, high = self.area.upright
        return (high - rows) * (self.area.rect().height() / (high - low))


def _polygon(x: np.ndarray, y: np.ndarray) -> QPolygonF:
    """The points as Qt's polygon, filled through its memory instead of point by point."""
    polygon = pg.functions.create_qpolygonf(len(x))
    memory = pg.functions.ndarray_from_qpolygonf(polygon)
    memory[:, 0], memory[:, 1] = x, y
    return polygon


class _RowLines(Layer):
    """A hairline at zero of every row that is tall enough to need one."""

    def __init__(self, area: PlotArea, figure: WavesFigure) -> None:
        super().__init__(area, LAYER_GUIDES)
        self._figure = figure

    def draw(self, painter: QPainter) -> None:
        """The lines."""
        figure = self._figure
        width = self.area.rect().width()
        painter.setPen(figure.style.pen(figure.style.grid))
        if figure.row_px >= _LABELLED_ROW_PX:
            for column in range(*figure.visible_columns()):
                y = self.area.to_y(column)
                painter.drawLine(QPointF(0, y), QPointF(width, y))


class _TokenLines(Layer):
    """A vertical line a token, a dot on every curve."""

    def __init__(self, area: PlotArea, figure: WavesFigure) -> None:
        super().__init__(area, LAYER_TOKENS)
        self._figure = figure

    def draw(self, painter: QPainter) -> None:
        """Lines always; dots where neither rows nor tokens are too close for them."""
        figure = self._figure
        low, high = self.area.across
        first, stop = max(0, int(np.ceil(low))), int(np.floor(high)) + 1
        stop = min(stop, len(figure.document.token_list), figure.n_positions)
        if first >= stop:
            return
        spacing = self.area.rect().width() / (high - low)
        every = max(1, round(3 / spacing))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for position in range(first, stop, every):
            x = self.area.to_x(position)
            colour = figure.style.token(position)
            colour.setAlphaF(min(1.0, 0.35 + spacing / 30))
            painter.setPen(figure.style.pen(colour, 1.2))
            painter.drawLine(QPointF(x, 0), QPointF(x, self.area.rect().height()))
        radius = min(3.4, figure.row_px * 0.16, spacing * 0.4)
        if radius >= 1.2:
            self._draw_dots(painter, range(first, stop, every), radius)

    def _draw_dots(self, painter: QPainter, positions: range, radius: float) -> None:
        figure = self._figure
        columns = np.arange(*figure.visible_columns())
        values = encode(figure.document.encoding, positions, columns)
        painter.setPen(figure.style.pen(figure.style.paper, 1.0 if radius > 2 else 0.0))
        if radius <= 2:
            painter.setPen(Qt.PenStyle.NoPen)
        for row, position in enumerate(positions):
            painter.setBrush(figure.style.token(position))
            for column, value in zip(columns, values[row], strict=True):
                painter.drawEllipse(figure.place(position, int(column), float(value)), radius, radius)


class _Dot(Layer):
    """The cursor: a larger dot on its wave, and its position's line."""

    def __init__(self, area: PlotArea, figure: WavesFigure) -> None:
        super().__init__(area, LAYER_CURSOR)
        self._figure = figure

    def draw(self, painter: QPainter) -> None:
        """In the token's colour, or in the accent's where there is no token."""
        figure, cursor = self._figure, self._figure.cursor
        if cursor is None or not 0 <= cursor.column < figure.document.encoding.n_columns:
            return
        value = float(encode(figure.document.encoding, [cursor.position], [cursor.column])[0, 0])
        has_token = cursor.position < len(figure.document.token_list)
        colour = figure.style.token(cursor.position) if has_token else QColor(figure.style.accent)
        centre = figure.place(cursor.position, cursor.column, value)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(figure.style.pen(colour, 1.6))
        painter.drawLine(QPointF(centre.x(), 0), QPointF(centre.x(), self.area.rect().height()))
        painter.setPen(figure.style.pen(figure.style.paper, 1.5))
        painter.setBrush(colour)
        painter.drawEllipse(centre, 5.5, 5.5)


class _WaveLabels(Margin):
    """Beside each row what it is: column, pair, sine or cosine, wavelength."""

    _FONT_PX = 11

    def __init__(self, area: PlotArea, figure: WavesFigure) -> None:
        super().__init__(area)
        self._figure = figure

    def fit(self) -> None:
        """Take the width of the longest label."""
        encoding = self._figure.document.encoding
        samples = {0, encoding.n_columns - 1, encoding.n_columns // 2}
        fastest = min(column_facts(encoding, column).wavelength or np.inf for column in samples)
        band = fastest * _WIDEST_PX < PIXELS_PER_WAVE * self._figure.n_positions
        metrics = QFontMetricsF(self._figure.style.font(self._FONT_PX, semibold=True))
        texts = ["".join(wave_label(encoding, column, band)) for column in samples]
        self.setFixedWidth(max(metrics.horizontalAdvance(text) for text in texts) + 16)

    def draw(self, painter: QPainter) -> None:
        """As many labels as the rows leave room for, the cursor's row in ink."""
        figure = self._figure
        every = max(1, int(np.ceil(_LABELLED_ROW_PX / figure.row_px)))
        cursor = figure.cursor
        banded = figure.waves.banded()
        first, stop = figure.visible_columns()
        for column in range(-(-first // every) * every, stop, every):
            y = self.area.to_y(column)
            current = cursor is not None and cursor.column == column
            self._draw_label(painter, column, QRectF(0, y - 8, self.rect().width() - 10, 16), current, column in banded)

    def _draw_label(self, painter: QPainter, column: int, rect: QRectF, current: bool, band: bool) -> None:
        style = self._figure.style
        encoding = self._figure.document.encoding
        font = style.font(self._FONT_PX, semibold=current)
        painter.setFont(font)
        before, part, after = wave_label(encoding, column, band)
        metrics = QFontMetricsF(font)
        x = rect.right()
        ink = style.ink if current else style.muted
        for text, colour in ((after, ink), (part, style.part(column_facts(encoding, column).part)), (before, ink)):
            x -= metrics.horizontalAdvance(text)
            painter.setPen(QColor(colour))
            painter.drawText(QPointF(x, rect.center().y() + 4), text)


def wave_label(encoding: Encoding, column: int, band: bool) -> tuple[str, str, str]:
    """The label in three pieces, so that sine and cosine can have their colour: ``col 4 · pair 2 · sin · λ 628``."""
    facts = column_facts(encoding, column)
    if facts.pair is None or facts.wavelength is None:
        return f"col {column} · ", facts.part, ""
    tail = " · band" if band else ""
    return (
        f"col {column} · pair {facts.pair} · ",
        facts.part,
        f" · λ {wavelength_text(facts.wavelength)}{tail}",
    )


def wavelength_text(wavelength: float) -> str:
    """A wavelength in positions, to a tenth, thousands separated."""
    return f"{wavelength:,.1f}" if wavelength < 1e9 else f"{wavelength:.3g}"
