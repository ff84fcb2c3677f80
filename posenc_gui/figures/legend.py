"""The legend of a plot of lines: in its emptiest corner, or in a row above a low plot."""

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter
from typing_extensions import override

from posenc_gui.figures.line_layers import LineView, ground_of, places, words_boxes
from posenc_gui.figures.line_plot import Plot, line_pen, shorter_names, value_text
from posenc_gui.look.style import LAYER_TOKENS, Style
from posenc_gui.plotting.layer import Layer, Strip
from posenc_gui.plotting.lettering import Lettering, width_of
from posenc_gui.plotting.plot_area import PlotArea

ROW_PX = 17.0
_FONT_PX = 11
_SAMPLE_PX, _PAD_PX = 30.0, 7.0
_VALUES_PX = 44.0
"""The width of the values in the legend, which wider ones exceed: it stays where it is while the cursor moves."""
_MOST_SHARE = 0.3  # of the plot's area, for the legend
_SHORT_SAMPLE_PX, _SHORT_GAP_PX, _ENTRY_GAP_PX = 18.0, 4.0, 12.0


class LegendLayer(Layer):
    """The names of the lines with a piece of each, and its value at the cursor, in the corner with fewest points."""

    def __init__(self, area: PlotArea, view: Callable[[], LineView]) -> None:
        super().__init__(area, LAYER_TOKENS)
        self._view = view

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._view()
        if view.plot is None or not view.plot.lines:
            return
        plot, style, letters = view.plot, view.style, Lettering(painter, view.style, _FONT_PX)
        texts = ["" if view.x is None else value_text(float(line.y[plot.nearest(view.x)])) for line in plot.lines]
        names = max(letters.width(line.name) for line in plot.lines)
        values = 0.0 if view.x is None else max(_VALUES_PX, *map(letters.width, texts)) + _PAD_PX
        size = (_SAMPLE_PX + names + values + 4 * _PAD_PX, ROW_PX * len(plot.lines) + 2 * _PAD_PX)
        room = self.area.rect().size()
        # A part of the names would be worse than none, and a covered curve too.
        if size[1] > room.height() or size[0] * size[1] > _MOST_SHARE * room.width() * room.height():
            return
        box = self._corner(plot, *size)
        painter.fillRect(box, ground_of(style))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for row, (line, text) in enumerate(zip(plot.lines, texts, strict=True)):
            place = QRectF(box.left() + _PAD_PX, box.top() + _PAD_PX + row * ROW_PX, size[0] - 2 * _PAD_PX, ROW_PX)
            middle = place.center().y()
            painter.setPen(line_pen(style, line.look))
            painter.drawLine(QLineF(place.left(), middle, place.left() + _SAMPLE_PX, middle))
            painter.setPen(style.pen(style.ink))
            letters.write_in(place.adjusted(_SAMPLE_PX + _PAD_PX, 0, 0, 0), line.name, Qt.AlignmentFlag.AlignLeft)
            letters.write_in(place, text, Qt.AlignmentFlag.AlignRight)

    def _corner(self, plot: Plot, width: float, height: float) -> QRectF:
        """The box in the corner where the fewest points of lines are."""
        rect = QRectF(self.area.rect())
        lefts, tops = (rect.right() - width - 4, rect.left() + 4), (rect.bottom() - height - 4, rect.top() + 4)
        boxes = [QRectF(left, top, width, height) for top in tops for left in lefts]
        x = self.area.to_x(places(plot.x, plot.x_scale.logarithmic))
        covered = [0] * len(boxes)
        for line in plot.lines:
            y = self.area.to_y(places(plot.heights(line), plot.y_scale.logarithmic))
            for index, box in enumerate(boxes):
                inside = (x >= box.left()) & (x <= box.right()) & (y >= box.top()) & (y <= box.bottom())
                covered[index] += int(inside.sum())
        for words in words_boxes(self.area, plot, self._view().style):
            covered = [count + len(x) * box.intersects(words) for count, box in zip(covered, boxes, strict=True)]
        return boxes[int(np.argmin(covered))]


class LegendRow(Strip):
    """The names of the lines with a piece of each, in one row."""

    def __init__(self, view: Callable[[], LineView]) -> None:
        super().__init__()
        self._view = view

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._view()
        if view.plot is None:
            return
        plot, left, style, height = view.plot, 0.0, view.style, self.rect().height()
        letters = Lettering(painter, style, _FONT_PX)
        names, values_px = names_in_row(plot, style, self.rect().width())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for line, name in zip(plot.lines, names, strict=False):
            painter.setPen(line_pen(style, line.look))
            painter.drawLine(QLineF(left, height / 2, left + _SHORT_SAMPLE_PX, height / 2))
            left += _SHORT_SAMPLE_PX + _SHORT_GAP_PX
            wide = letters.width(name) + 2
            painter.setPen(style.pen(style.ink))
            letters.write_in(QRectF(left, 0, wide, height), name, Qt.AlignmentFlag.AlignLeft)
            left += wide
            if values_px and view.x is not None:
                painter.setPen(style.pen(style.muted))
                value = value_text(float(line.y[plot.nearest(view.x)]))
                letters.write_in(QRectF(left, 0, values_px, height), value, Qt.AlignmentFlag.AlignRight)
            left += values_px + _ENTRY_GAP_PX


def names_in_row(plot: Plot, style: Style, width: float) -> tuple[list[str], float]:
    """The names of the lines as a row of this width in pixels has room for, and the room for each line's value.

    The names are whole or shorter, and [] for no room; the room is 0.0 where not all values have any.
    """
    kinds = list(zip(*(shorter_names(line.name) for line in plot.lines), strict=True))
    entry = _SHORT_SAMPLE_PX + _SHORT_GAP_PX + 2 + _ENTRY_GAP_PX
    for values_px in (_VALUES_PX, 0.0):
        for names in kinds:
            if sum(width_of(name, style, _FONT_PX) + entry + values_px for name in names) <= width:
                return list(names), values_px
    return [], 0.0
