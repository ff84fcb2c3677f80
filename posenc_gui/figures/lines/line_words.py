"""Places of the words in a plot of lines: beside its straight lines, and in the legend."""

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QLineF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter
from typing_extensions import override

from posenc_core.session import ContextLengths
from posenc_gui.figures.lines.line_boxes import PROBES, in_pixels, n_covered, n_inside, words_of_rules
from posenc_gui.figures.lines.line_looks import line_pen
from posenc_gui.figures.lines.line_plot import Line, Plot, Rule, shorter_names, value_text, value_texts
from posenc_gui.figures.lines.line_shades import draw_scale_row, scale_row_width
from posenc_gui.look import LAYER_TOKENS, Style, counted
from posenc_gui.plotting import Lettering, Strip, ViewLayer, width_of

WORDS_PX = 11
ROW_PX = 17.0
"""The height of a row of the legend."""
_SAMPLE_PX, _PAD_PX = 30.0, 7.0
_SHORT_SAMPLE_PX, _SHORT_GAP_PX, _ENTRY_GAP_PX = 18.0, 4.0, 12.0
_VALUES_PX = 58.0
"""The width of a value in the legend, which wider ones exceed: the legend keeps its place while the cursor moves."""
_MOST_SHARE = 0.3  # of the plot's area, for the legend


def reach_words(lengths: ContextLengths) -> str:
    """The longest distance that attention sees, "" if that is every distance in the text."""
    return f"attention sees distances up to {counted(lengths.seen.target - 1)}" if lengths.is_bounded else ""


class LineView(Struct, frozen=True, eq=False):
    """Content of a plot: its values, the place of the cursor on the axis across or None, and the style."""

    plot: Plot | None
    x: float | None
    style: Style


class LegendLayer(ViewLayer[LineView]):
    """The names of the lines with a piece of each, and its value at the cursor, in the corner with fewest points."""

    Z = LAYER_TOKENS

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._view()
        if view.plot is None or not view.plot.lines:
            return
        plot, style, letters = view.plot, view.style, Lettering(painter, view.style, WORDS_PX)
        texts = ["" if view.x is None else value_text(float(line.y[plot.nearest(view.x)])) for line in plot.lines]
        names = max(letters.width(line.name) for line in plot.lines)
        values = 0.0 if view.x is None else max(_VALUES_PX, *map(letters.width, texts)) + _PAD_PX
        size = (_SAMPLE_PX + names + values + 4 * _PAD_PX, ROW_PX * len(plot.lines) + 2 * _PAD_PX)
        # An incomplete list of names would be worse than none, and so would a covered curve.
        if not _has_room(size, QSizeF(self.area.rect().size())):
            return
        box = self._corner(plot, letters, view.x, *size)
        painter.fillRect(box, ground(style))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for row, (line, text) in enumerate(zip(plot.lines, texts, strict=True)):
            place = QRectF(box.left() + _PAD_PX, box.top() + _PAD_PX + row * ROW_PX, size[0] - 2 * _PAD_PX, ROW_PX)
            draw_entry(painter, letters, style, line, place, (_SAMPLE_PX, _PAD_PX))
            letters.write_in(place, text, Qt.AlignmentFlag.AlignRight)

    def _corner(self, plot: Plot, letters: Lettering, x: float | None, width: float, height: float) -> QRectF:
        """The box in the corner with the fewest points of lines."""
        boxes = _corners(QRectF(self.area.rect()), width, height)
        words = words_of_rules(self.area, plot, letters, x)
        hidden = [PROBES * len(plot.lines) * any(box.intersects(each) for each in words) for box in boxes]
        covered = [count + n_covered(self.area, plot, box) for count, box in zip(hidden, boxes, strict=True)]
        return boxes[int(np.argmin(covered))]


class LegendBelow(Strip):
    """The names of the lines with a piece of each, in as many rows as they need; ``view`` is the plot's."""

    def __init__(self, view: Callable[[], LineView]) -> None:
        super().__init__()
        self._view = view

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._view()
        if view.plot is None:
            return
        style, letters = view.style, Lettering(painter, view.style, WORDS_PX)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for line, place in zip(view.plot.lines, places_below(view.plot, style, self.rect().width()), strict=True):
            draw_entry(painter, letters, style, line, place, (_SHORT_SAMPLE_PX, _SHORT_GAP_PX))


def draw_entry(
    painter: QPainter, letters: Lettering, style: Style, line: Line, place: QRectF, widths: tuple[float, float]
) -> None:
    """Draw a piece of a line at the left of a place, and its name; ``widths`` are the piece's and the gap's."""
    middle, (sample, gap) = place.center().y(), widths
    painter.setPen(line_pen(style, line.look))
    painter.drawLine(QLineF(place.left(), middle, place.left() + sample, middle))
    letters.write_in(place.adjusted(sample + gap, 0, 0, 0), line.name, Qt.AlignmentFlag.AlignLeft, colour=style.ink)


def places_below(plot: Plot, style: Style, width: float) -> list[QRectF]:
    """The places of the lines' names in rows of a width in pixels."""
    found, left, top = list[QRectF](), 0.0, 0.0
    for line in plot.lines:
        wide = _SHORT_SAMPLE_PX + _SHORT_GAP_PX + width_of(line.name, style, WORDS_PX) + 2
        if left and left + wide > width:
            left, top = 0.0, top + ROW_PX
        found.append(QRectF(left, top, wide, ROW_PX))
        left += wide + _ENTRY_GAP_PX
    return found


def _corners(rect: QRectF, width: float, height: float) -> list[QRectF]:
    """A box of this size in each corner of a rectangle."""
    lefts, tops = (rect.right() - width - 4, rect.left() + 4), (rect.bottom() - height - 4, rect.top() + 4)
    return [QRectF(left, top, width, height) for top in tops for left in lefts]


def _usual_size(plot: Plot, style: Style, has_values: bool = True) -> tuple[float, float]:
    """The size of a plot's legend in pixels, with values of the usual width or none."""
    names = max(width_of(line.name, style, WORDS_PX) for line in plot.lines)
    values = _VALUES_PX + _PAD_PX if has_values else 0.0
    return _SAMPLE_PX + names + values + 4 * _PAD_PX, ROW_PX * len(plot.lines) + 2 * _PAD_PX


def lacks_room(plot: Plot, style: Style, room: QSizeF, has_values: bool) -> bool:
    """Whether the legend of a plot of this size in pixels has no room, or would hide lines or words in each corner."""
    size = _usual_size(plot, style, has_values)
    if not _has_room(size, room):
        return True
    left, right = plot.x_scale.extent
    x, heights = in_pixels(plot, plot.x_scale.extent, plot.y_scale.extent, room.toTuple())
    words = [
        _beside_top(rule, (plot.x_scale.place(rule.value) - left) / (right - left) * room.width(), style, room.width())
        for rule in plot.rules
        if rule.upright
    ]
    boxes = _corners(QRectF(0, 0, room.width(), room.height()), *size)
    return all(n_inside(box, x, heights) or any(map(box.intersects, words)) for box in boxes)


def _beside_top(rule: Rule, at: float, style: Style, width: float) -> QRectF:
    """The usual place of the words of an upright line at this pixel: at its upper end."""
    wide = width_of(rule.text, style, WORDS_PX) + 8
    return QRectF(at + 4 if at + 4 + wide <= width else at - wide - 4, 2, wide, 16)


def fits_inside(plot: Plot, style: Style, room: QSizeF) -> bool:
    """Whether a plot of this size in pixels has room for its legend."""
    return _has_room(_usual_size(plot, style), room)


def _has_room(size: tuple[float, float], room: QSizeF) -> bool:
    wide, high = size
    return wide <= room.width() and high <= room.height() and wide * high <= _MOST_SHARE * room.width() * room.height()


class LegendRow(Strip):
    """The names of the lines of one plot with a piece of each, in one row; ``view`` is that of the plot at an index."""

    def __init__(self, view: Callable[[int], LineView]) -> None:
        super().__init__()
        self._view, self._index = view, 0

    def fit(self, plots: Sequence[Plot], style: Style, place: QRectF) -> bool:
        """Name the lines of the plot with the most lines, if there is room; returns whether there is."""
        counts = [len(plot.lines) for plot in plots]
        self._index = counts.index(max(counts)) if counts else 0
        has_room = bool(plots) and (
            bool(names_in_row(plots[self._index], style, place.width())[0])
            or scale_row_width(plots[self._index], style, WORDS_PX) <= place.width()
        )
        self.setVisible(has_room)
        self.setGeometry(place)
        self.update()
        return has_room

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._view(self._index)
        if view.plot is None:
            return
        plot, left, style, height = view.plot, 0.0, view.style, self.rect().height()
        letters = Lettering(painter, style, WORDS_PX)
        names, values_px, gap = names_in_row(plot, style, self.rect().width())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not names:
            draw_scale_row(painter, letters, plot, style, height)
        for line, name in zip(plot.lines, names, strict=False):
            painter.setPen(line_pen(style, line.look))
            painter.drawLine(QLineF(left, height / 2, left + _SHORT_SAMPLE_PX, height / 2))
            left += _SHORT_SAMPLE_PX + _SHORT_GAP_PX
            wide = letters.width(name) + 2
            letters.write_in(QRectF(left, 0, wide, height), name, Qt.AlignmentFlag.AlignLeft, colour=style.ink)
            left += wide
            if values_px and view.x is not None:
                values = value_texts(float(line.y[plot.nearest(view.x)]))
                value, place = letters.fitting(values, values_px - _SHORT_GAP_PX), QRectF(left, 0, values_px, height)
                letters.write_in(place, value, Qt.AlignmentFlag.AlignRight, style.muted)
            left += values_px + gap


def names_in_row(plot: Plot, style: Style, width: float) -> tuple[list[str], float, float]:
    """The names of the lines for a row of this width in pixels, the room for each line's value, and the gap after it.

    The names are whole or shortened, [] without room for them; the room is 0.0 unless all values fit.
    """
    kinds = kinds_of_names(plot.lines)
    entry, values_px = _SHORT_SAMPLE_PX + _SHORT_GAP_PX + 2, _VALUES_PX * max(1.0, style.text_scale)
    rooms = (values_px, _ENTRY_GAP_PX), (0.0, _ENTRY_GAP_PX), (0.0, _ENTRY_GAP_PX / 2)
    for some in (kinds[:-1], kinds[-1:]):  # letters alone if no names fit
        for (room, gap), names in product(rooms, some):
            if sum(width_of(name, style, WORDS_PX) + entry + room + gap for name in names) <= width:
                return list(names), room, gap
    return [], 0.0, _ENTRY_GAP_PX


def kinds_of_names(lines: Sequence[Line]) -> list[tuple[str, ...]]:
    """The names of lines, then shorter ones that differ from each other."""
    whole, *shorter = zip(*(shorter_names(line.name) for line in lines), strict=True)
    return [whole, *(names for names in shorter if len(set(names)) == len(names))]


def ground(style: Style) -> QColor:
    """Ground of words over lines, which it hides for the most part."""
    paper = QColor(style.paper)
    paper.setAlphaF(0.88)
    return paper
