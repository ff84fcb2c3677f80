"""Guides for the height of a wave: a hairline at zero, and a scale of amplitudes at the right."""

import math
from collections.abc import Callable

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter
from typing_extensions import override

from posenc_gui.layers.wave_view import LABELLED_ROW_PX, WaveView
from posenc_gui.look import LAYER_GUIDES, significant
from posenc_gui.plotting import Lettering, Margin, PlotArea, ViewLayer, spread, width_of

_FONT_PX = 9
_LINE_PX = 10.0
_BRACKET, _TICK, _GAP = 4.0, 4.0, 3.0
_OVERHANG_PX = 12  # at the right of the plot area, for the last number of the axis below


class RowLines(ViewLayer[WaveView]):
    """A hairline at zero of every row that is tall enough, and a stripe at the distance 0."""

    Z = LAYER_GUIDES

    @override
    def draw(self, painter: QPainter) -> None:
        view, size = self._view(), self.area.rect().size()
        if view.encoding.relative:
            centre, half = self.area.to_x(0), max(1.5, abs(self.area.to_x(1) - self.area.to_x(0)) / 2)
            painter.fillRect(QRectF(centre - half, 0, 2 * half, size.height()), QColor(view.style.grid))
        if view.row_px >= LABELLED_ROW_PX and view.rows.has_zero:
            painter.setPen(view.style.pen(view.style.grid))
            for row in view.row_numbers:
                y = self.area.to_y(row + view.rows.height(0.0))
                painter.drawLine(QPointF(0, y), QPointF(size.width(), y))


class AmplitudeScale(Margin):
    """Beside each row that is tall enough a bracket from its least to its greatest value; numbers at the lowest."""

    def __init__(self, area: PlotArea, view: Callable[[], WaveView]) -> None:
        super().__init__(area)
        self._view = view

    def fit(self, shown: bool) -> None:
        """Adopt the width of the numbers, or of a number's overhang if they are not shown."""
        view = self._view()
        widest = max(width_of(text, view.style, _FONT_PX) for _, text in _marks(view)) if shown else 0.0
        width = max(_OVERHANG_PX, math.ceil(_BRACKET + _TICK + _GAP + widest) if shown else 0)
        self.setVisible(shown)
        self.setFixedWidth(width)

    @override
    def draw(self, painter: QPainter) -> None:
        view, height = self._view(), self.rect().height()
        if view.row_px < LABELLED_ROW_PX:
            return
        values = [value for value, _ in _marks(view)]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(view.style.pen(view.style.border))
        lowest: list[float] | None = None
        for row in view.row_numbers:
            places = [self.area.to_y(row + view.rows.height(value)) for value in values]
            if max(places) > height or min(places) < 0:
                continue
            lowest = lowest or places
            painter.drawLines([QLineF(_BRACKET, place, _BRACKET + _TICK, place) for place in places])
            painter.drawLine(QLineF(_BRACKET, max(places), _BRACKET, min(places)))
        if lowest is not None:
            self._write(painter, view, lowest, height)

    def _write(self, painter: QPainter, view: WaveView, places: list[float], height: float) -> None:
        """Write the numbers beside a bracket, zero only if it fits."""
        scale = max(1.0, view.style.text_scale)
        line = _LINE_PX * scale
        marks = [(place, text) for place, (_, text) in zip(places, _marks(view), strict=True)]
        if len(marks) == 3 and min(abs(marks[1][0] - marks[end][0]) for end in (0, 2)) < line:
            del marks[1]
        marks.sort()
        letters = Lettering(painter, view.style, _FONT_PX)
        painter.setPen(view.style.pen(view.style.muted))
        centres = spread([place for place, _ in marks], [line] * len(marks), -line / 2, height + line / 2)
        for centre, (_, text) in zip(centres, marks, strict=True):
            letters.write(_BRACKET + _TICK + _GAP, centre + 0.36 * _FONT_PX * scale, text)


def _marks(view: WaveView) -> list[tuple[float, str]]:
    """The values that the scale names, with their texts: the ends of the rows, and zero between them."""
    low, high = view.rows.low, view.rows.high
    values = [low] if low == high else [low, 0.0, high] if low < 0 < high else [low, high]
    return [(value, significant(value, 3)) for value in values]
