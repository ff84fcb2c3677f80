"""A slim scroller beside the labels: which of all columns are in view, on a scale of their wavelengths."""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from typing_extensions import override

from posenc_core import Encoding
from posenc_core.encodings import n_whole_pairs
from posenc_core.numerics import FloatArray
from posenc_gui.layers import WaveView, column_info, row_of, row_order
from posenc_gui.look import NO_NUMBER, counted, plain_tip, wavelength_text, with_exponent
from posenc_gui.plotting import Lettering, Margin, PlotArea, spread

_FONT_PX = 10
_LINE_PX = 12.0
_BAR, _TICK, _GAP = 7.0, 3.0, 4.0
_SCALE_PX = 42.0
_LEAST_THUMB, _LEAST_MARK = 10.0, 2.0
_LONG = 999_500.0  # wavelengths from here on are written with an exponent
_WITH_SCALE = 420.0  # a narrower figure has only the bar


def _larger(view: WaveView) -> float:
    """Height of lines of text as a factor of the usual one."""
    return max(1.0, view.style.text_scale)


class ColumnScroller(Margin):
    """A bar as tall as the rows for all columns, filled at the visible ones, with numbers beside it.

    ``scrolled`` carries the row at which a click or a drag points, counted among all rows; ``wheeled`` is the event.
    """

    scrolled = Signal(float)
    wheeled = Signal(object)

    def __init__(self, area: PlotArea, view: Callable[[], WaveView]) -> None:
        super().__init__(area)
        self._view = view
        self.setToolTip(plain_tip("All columns, filled where visible; numbers are wavelengths. Drag to scroll."))

    def fit(self, is_needed: bool, figure_px: float) -> None:
        """Reserve the width of bar and scale; none if all columns are in view."""
        wide = _SCALE_PX * _larger(self._view()) + _GAP if not figure_px or figure_px >= _WITH_SCALE else 0.0
        self.setFixedWidth(_BAR + _TICK + wide if is_needed else 0.0)
        self.setVisible(is_needed)

    @override
    def draw(self, painter: QPainter) -> None:
        view, height = self._view(), self.rect().height()
        if not view.columns:
            return
        n_rows, left = view.encoding.n_columns, self.rect().width() - _BAR
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(view.style.grid))
        painter.drawRoundedRect(QRectF(left, 0, _BAR, height), _BAR / 2, _BAR / 2)
        painter.setBrush(QColor(view.style.muted))
        runs = _runs(view)
        for first, stop in runs:
            top, bottom = (height * (1 - row / n_rows) for row in (stop, first))
            half = max(_LEAST_THUMB if len(runs) == 1 else _LEAST_MARK, bottom - top) / 2
            middle, corner = min(max((top + bottom) / 2, half), height - half), min(half, _BAR / 2)
            painter.drawRoundedRect(QRectF(left, middle - half, _BAR, 2 * half), corner, corner)
        cursor = view.cursor
        if cursor is not None and cursor.column < n_rows:
            painter.setBrush(QColor(view.style.accent))
            y = height * (1 - (row_of(view.encoding, cursor.column) + 0.5) / n_rows)
            painter.drawRect(QRectF(left, min(max(y - 1, 0), height - 2), _BAR, 2))
        if self.rect().width() > _SCALE_PX:
            self._write_scale(painter, view, left - _TICK, height)

    def _write_scale(self, painter: QPainter, view: WaveView, right: float, height: float) -> None:
        """Write labels at the ends of the table, at the edges of the view, and at powers of ten between them."""
        letters, style = Lettering(painter, view.style, _FONT_PX), view.style
        taken: list[float] = []
        line = _LINE_PX * _larger(view)
        for place, text, colour in self._texts(view, height):
            y = min(max(place, line / 2), height - line / 2)
            if all(abs(y - other) >= line - 0.5 for other in taken):
                taken.append(y)
                painter.setPen(style.pen(colour))
                letters.write(right - letters.width(text), y + 0.36 * _FONT_PX * _larger(view), text)

    def _texts(self, view: WaveView, height: float) -> list[tuple[float, str, str]]:
        """The texts with their middles and colours, the most important first."""
        encoding, ink, muted = view.encoding, view.style.ink, view.style.muted
        n_rows, order, line = encoding.n_columns, row_order(encoding), _LINE_PX * _larger(view)
        rows = [row_of(encoding, column) for column in (view.columns[0], view.columns[-1])]
        texts = []
        ends = speeds(encoding)
        if ends is not None:
            texts += [(height - line / 2, ends[0], muted), (line / 2, ends[1], muted)]
        low, high = (line, height - line) if ends is not None else (0.0, height)
        middles = [height * (1 - (row + 0.5) / n_rows) for row in rows[::-1]]
        for row, middle in zip(rows[::-1], spread(middles, [line, line], low, high), strict=True):
            texts.append((middle, edge_text(encoding, int(order[row])), ink))
        texts += [(height * (1 - place), text, muted) for place, text in decades(encoding)]
        return texts

    @override
    def mouseClickEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            self._scroll_to(event.pos().y())

    @override
    def mouseDragEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            self._scroll_to(event.pos().y())

    @override
    def wheelEvent(self, event: Any) -> None:
        event.accept()
        self.wheeled.emit(event)

    def _scroll_to(self, y: float) -> None:
        self.scrolled.emit((1 - y / self.rect().height()) * self._view().encoding.n_columns)


def _runs(view: WaveView) -> list[tuple[int, int]]:
    """The ranges (first, stop) of all rows that are in view."""
    order = row_order(view.encoding)
    rows, runs = sorted(int(row) for row in order.argsort()[list(view.columns)]), list[tuple[int, int]]()
    for row in rows:
        if runs and runs[-1][1] == row:
            runs[-1] = (runs[-1][0], row + 1)
        else:
            runs.append((row, row + 1))
    return runs


def speeds(encoding: Encoding) -> tuple[str, str] | None:
    """``fast`` and ``slow`` in the order of the table's first and last pair; None if it has no wavelengths."""
    wavelengths = _wavelengths(encoding)
    if len(wavelengths) < 2 or wavelengths[0] == wavelengths[-1]:
        return None
    return ("fast", "slow") if wavelengths[0] < wavelengths[-1] else ("slow", "fast")


def edge_text(encoding: Encoding, column: int) -> str:
    """Label at an edge of the view: the column's wavelength, or its number if it has none."""
    wavelength = column_info(encoding, column).wavelength
    return counted(column) if wavelength is None else f"λ {short_wavelength(wavelength)}"


@lru_cache(maxsize=2)
def decades(encoding: Encoding) -> list[tuple[float, str]]:
    """Places of the powers of ten among the wavelengths, from 0 at the bottom to 1 at the top, and their texts."""
    with np.errstate(divide="ignore", invalid="ignore"):
        powers = np.log10(_wavelengths(encoding))
        crossed = np.flatnonzero(np.diff(np.floor(powers)) != 0)
    found = []
    for row in crossed.tolist():
        one, other = powers[row : row + 2].tolist()
        if not math.isfinite(one) or not math.isfinite(other):
            continue
        low, high = sorted((one, other))
        for power in range(math.floor(low) + 1, math.floor(high) + 1):
            part = (power - one) / (other - one)
            found.append(((2 * (row + part) + 1) / encoding.n_columns, short_wavelength(10.0**power)))
    return found


@lru_cache(maxsize=2)
def _wavelengths(encoding: Encoding) -> FloatArray:
    """The wavelength of each whole pair in the order of the rows, in positions; empty without any."""
    with np.errstate(divide="ignore", over="ignore"):  # no wavelength is longer than inf
        return 2 * np.pi / encoding.frequencies()[: n_whole_pairs(encoding)]


def short_wavelength(wavelength: float) -> str:
    """A wavelength in positions in a few letters: ``6.28``, ``62.8k``, ``5.06e6`` as beside the rows."""
    if wavelength >= _LONG or not wavelength:
        return wavelength_text(wavelength) if wavelength else NO_NUMBER
    if wavelength < 1e-3:
        return with_exponent(wavelength)
    number, letter = (wavelength / 1e3, "k") if wavelength >= 999.5 else (wavelength, "")
    return f"{number:.3g}{letter}"
