"""The maps of unseen angles: their places, and how they are drawn in three flat colours."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from posenc_core.long_context import NEVER
from posenc_gui.figures.lines import line_pen
from posenc_gui.look import Style, blend
from posenc_gui.panels.unseen.numbers import Rows, UnseenMap, UnseenMaps
from posenc_gui.plotting import Lettering, Scale

LINE_REACH = 6.0
"""Pixels around the line L in which it can be dragged."""

_LEGEND, _LINE, _GAP = 20.0, 16.0, 12.0
_LEFT, _RIGHT, _TICKS, _NAME = 58.0, 14.0, 20.0, 16.0
_LEAST_PLOT = 44.0
"""Lower maps have no words inside."""
_LEAST_FOR_TWO = 88.0
"""Lower maps have one line above them instead of two."""
_LEAST_WIDTH, _LEAST_HEIGHT = 72.0, 80.0
"""Least size of a map: without room for all maps, fewer are shown."""
_NARROW, _LEAST_NARROW = 130.0, 64.0
"""Narrower maps have no room for a title and a count in a line, and are large enough from this height on."""
_WIDE = 1.4
"""The maps are arranged so that their widths are about this many times their heights."""
_FONT_PX, _DOT_PX, _SWATCH, _ENTRY_GAP = 11, 3.2, 10.0, 17.0
_DASH = (2.0, 2.5)
_MOST_ROOM = 60.0
_LETTER = 17.0  # the height in pixels of the trained length's letter at the top of a map
_WORDS = (("never seen", "inside the trained arc", "full circle seen in training"), ("never seen", "arc", "circle"))
_PAIRS = Scale("pair", 0, 1, whole=True)
_AT_LEFT = Qt.AlignmentFlag.AlignLeft


class MapsLayout(Struct, frozen=True, eq=False):
    """The places of the maps, a legend above all, and ``n_lines`` of words above each.

    All maps share an axis of positions and an axis of ``n_pairs`` pairs, the most of any encoding.
    """

    plots: tuple[QRectF, ...]
    columns: int
    n_lines: int
    legend: QRectF
    across: Scale
    n_pairs: int

    @classmethod
    def of(cls, maps: UnseenMaps, rect: QRectF) -> "MapsLayout":
        """The places in a rectangle: as many columns as make the maps largest."""
        inner, count = _inner(rect), len(maps.maps)
        columns, width, height, n_lines = _largest(inner, count)
        head = _LINE * n_lines
        plots = tuple(
            QRectF(
                inner.left() + column * (width + _GAP),
                inner.top() + row * (height + head + _GAP) + head,
                max(1.0, width),
                max(1.0, height),
            )
            for row, column in (divmod(index, columns) for index in range(count))
        )
        legend = QRectF(_LEFT, rect.top(), max(0.0, rect.width() - _LEFT - _RIGHT), _LEGEND)
        return cls(plots, columns, n_lines, legend, maps.across, maps.most_pairs)

    @staticmethod
    def n_fitting(maps: UnseenMaps, rect: QRectF) -> int:
        """Number of maps with their least size in a rectangle; the chosen one is always among them."""
        least, inner = maps.chosen + 1, _inner(rect)
        counts = range(len(maps.maps), least - 1, -1)
        return next((count for count in counts if _is_large(_largest(inner, count))), least)

    def x(self, plot: QRectF, position: float) -> float:
        """The horizontal place of a position in a map, of the end for a position beyond it."""
        first, last = self.across.extent
        return (
            plot.left() + (min(max(self.across.place(position), first), last) - first) / (last - first) * plot.width()
        )

    def y(self, plot: QRectF, pair: float) -> float:
        """The upper edge of a pair's row."""
        return plot.top() + pair / self.n_pairs * plot.height()

    def pair_at(self, plot: QRectF, y: float) -> int:
        """The pair at a place within a map's height."""
        return min(int((y - plot.top()) / plot.height() * self.n_pairs), self.n_pairs - 1)

    def position_at(self, plot: QRectF, x: float) -> float:
        """The position at a horizontal place in a map, the end's beyond it."""
        first, last = self.across.extent
        share = min(max((x - plot.left()) / plot.width(), 0.0), 1.0)
        return self.across.value(first + share * (last - first))

    def plot_at(self, place: QPointF) -> int | None:
        """The index of the map at a place; None between the maps."""
        return next((index for index, plot in enumerate(self.plots) if plot.contains(place)), None)


def _inner(rect: QRectF) -> QRectF:
    """The rectangle without the legend and the axes."""
    return rect.adjusted(_LEFT, _LEGEND, -_RIGHT, -_TICKS - _NAME)


def _largest(inner: QRectF, count: int) -> tuple[int, float, float, int]:
    """The columns of the grid with the largest maps, their width and height, and the lines of words above them."""
    tried = [(columns, *_cell(inner, columns, -(-count // columns))) for columns in range(1, count + 1)]
    return max(tried, key=lambda each: (_is_large(each), min(each[1], _WIDE * each[2])))


def _is_large(cell: tuple[int, float, float, int]) -> bool:
    _, width, height, _ = cell
    return width >= _LEAST_WIDTH and height >= (_LEAST_NARROW if width < _NARROW else _LEAST_HEIGHT)


def _cell(inner: QRectF, columns: int, rows: int) -> tuple[float, float, int]:
    """The width and the height of a map in a grid, and the lines of words above it."""
    width = (inner.width() - (columns - 1) * _GAP) / columns
    height = (inner.height() - (rows - 1) * _GAP) / rows - 2 * _LINE
    has_two = height >= _LEAST_FOR_TWO or (width < _NARROW and height >= _LEAST_PLOT)
    return (width, height, 2) if has_two else (width, height + _LINE, 1)


def unseen_colours(style: Style) -> tuple[QColor, QColor, QColor]:
    """The colours of a full circle, of the trained arc, and of angles outside it; distinct in a grey print."""
    return blend(style.accent, style.paper, 0.1), blend(style.accent, style.paper, 0.42), QColor(style.cosine)


def draw_maps(painter: QPainter, maps: UnseenMaps, layout: MapsLayout, style: Style, pair: int | None) -> None:
    """Draw the legend, the maps, their axes, and the marked pair in each of them."""
    _draw_legend(painter, layout, style)
    width = Lettering(painter, style, _FONT_PX, semibold=layout.n_lines == 1).width
    counts = maps.counts(width, layout.plots[0].width(), layout.n_lines == 1)
    for index, (each, plot) in enumerate(zip(maps.maps, layout.plots, strict=True)):
        _draw_head(painter, each, plot, counts[index], layout, style)
        _draw_angles(painter, each, plot, layout, style)
        _draw_trained(painter, maps.lengths.seen.trained, plot, pair, layout, style)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(style.pen(style.border))
        painter.drawRect(plot)
        if pair is not None and pair < each.n_pairs:
            _draw_pair(painter, each, pair, plot, layout, style)
        if index % layout.columns == 0:
            _draw_upright(painter, plot, layout, style)
        if index + layout.columns >= len(layout.plots):
            _draw_across(painter, plot, layout, style)


def _draw_legend(painter: QPainter, layout: MapsLayout, style: Style) -> None:
    letters, line = Lettering(painter, style, _FONT_PX), layout.legend
    words = next((each for each in _WORDS if _legend_width(letters, each) <= line.width()), _WORDS[-1])
    x = max(0.0, min(line.left(), line.right() - _legend_width(letters, words)))
    for colour, text in zip(reversed(unseen_colours(style)), words, strict=True):
        wide = letters.width(text) + 2
        square = QRectF(x, line.center().y() - _SWATCH / 2 - 1, _SWATCH, _SWATCH)
        painter.fillRect(square, colour)
        painter.setPen(style.pen(style.border))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(square)
        letters.write_in(QRectF(x + _SWATCH + 5, line.top() - 1, wide, line.height()), text, _AT_LEFT, style.muted)
        x += _SWATCH + 5 + wide + _ENTRY_GAP


def _legend_width(letters: Lettering, words: Sequence[str]) -> float:
    """The width of the legend with these words in pixels."""
    return sum(_SWATCH + 7 + letters.width(text) for text in words) + _ENTRY_GAP * (len(words) - 1)


def _draw_head(painter: QPainter, each: UnseenMap, plot: QRectF, count: str, layout: MapsLayout, style: Style) -> None:
    """The title with the factor, and the count; in one line if two do not fit."""
    letters = Lettering(painter, style, _FONT_PX, semibold=True)
    place = QRectF(plot.left(), plot.top() - layout.n_lines * _LINE, plot.width(), _LINE)
    colour, factor = line_pen(style, each.look).color(), each.factor_words
    titles = [f"{each.title}, {factor}", *each.title_words] if factor else each.title_words
    end = f": {count}" if layout.n_lines == 1 else ""
    title = _fitting(letters, [f"{each}{end}" for each in titles], place.width(), end)
    letters.write_in(place, title, _AT_LEFT, colour=colour)
    if layout.n_lines > 1:
        letters.use(_FONT_PX)
        letters.write_in(place.translated(0, _LINE), _fitting(letters, [count], place.width()), _AT_LEFT, style.ink)


def _fitting(letters: Lettering, texts: Sequence[str], room: float, end: str = "") -> str:
    """The first text that fits, else the beginning of the last one before its ``end``."""
    if fitting := letters.fitting(texts, room):
        return fitting
    start = texts[-1].removesuffix(end)
    while start and letters.width(f"{start}…{end}") > room:
        start = start[:-1]
    return f"{start.rstrip()}…{end}"


def _draw_angles(painter: QPainter, each: UnseenMap, plot: QRectF, layout: MapsLayout, style: Style) -> None:
    """The three colours, from the thresholds of the rows; with sharp edges, since the ends of angles are sharp."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    full, inside, outside = unseen_colours(style)
    bottom = layout.y(plot, each.n_pairs)
    rows = Rows.of(each.angles, max(1, round(bottom - plot.top())))
    y = [layout.y(plot, edge) for edge in rows.edges.tolist()]
    painter.fillRect(QRectF(plot.left(), plot.top(), plot.width(), bottom - plot.top()), full)
    for start, stop in rows.runs(~rows.is_complete):
        painter.fillRect(QRectF(plot.left(), y[start], plot.width(), y[stop] - y[start]), inside)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(outside)
    for start, stop in rows.runs(rows.first != NEVER):
        steps = [QPointF(plot.right(), y[start])]
        for row in range(start, stop):
            x = layout.x(plot, float(rows.first[row]))
            steps += [QPointF(x, y[row]), QPointF(x, y[row + 1])]
        steps.append(QPointF(plot.right(), y[stop]))
        painter.drawPolygon(QPolygonF(steps))


def _draw_trained(
    painter: QPainter, trained: int, plot: QRectF, pair: int | None, layout: MapsLayout, style: Style
) -> None:
    """The trained length as a dotted line with its letter."""
    x = layout.x(plot, trained)
    painter.setPen(style.pen(style.ink, 1.2, _DASH))
    painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
    if plot.height() >= _LEAST_PLOT:
        left = x + 4 if x + 16 < plot.right() else x - 14
        place = QRectF(left, _letter_top(plot, pair, layout), 12, _LETTER - 1)
        Lettering(painter, style, _FONT_PX).write_in(place, "L", _AT_LEFT, style.ink)


def _letter_top(plot: QRectF, pair: int | None, layout: MapsLayout) -> float:
    """The upper edge of the letter of the trained length: that of the map, or below the line of the marked pair."""
    top = plot.top() + 1
    y = plot.bottom() if pair is None else layout.y(plot, pair + 0.5)
    return y + 1 if y < top + _LETTER else top


def _draw_pair(painter: QPainter, each: UnseenMap, pair: int, plot: QRectF, layout: MapsLayout, style: Style) -> None:
    """A line along the marked pair, a dot at the end of its arc, and the words for it."""
    y = layout.y(plot, pair + 0.5)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(style.pen(style.ink))
    painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
    first = int(each.angles.first[pair])
    if first != NEVER:
        painter.setBrush(QColor(style.paper))
        painter.drawEllipse(QPointF(layout.x(plot, first), y), _DOT_PX, _DOT_PX)
    letters, text = Lettering(painter, style, _FONT_PX), each.pair_words(pair)
    wide = letters.width(text) + 8
    if wide + 4 > plot.width() or plot.height() < _LEAST_PLOT:
        return
    below_letter = _letter_top(plot, pair, layout) + _LETTER - 1
    box = QRectF(plot.left() + 4, y - 19 if y - 19 >= below_letter else max(y + 3, below_letter), wide, 16)
    painter.fillRect(box, QColor(style.paper))
    letters.write_in(box, text)


def _draw_upright(painter: QPainter, plot: QRectF, layout: MapsLayout, style: Style) -> None:
    """The numbers of pairs to the left of a map, in the middle of their rows, and the axis' name."""
    letters = Lettering(painter, style, _FONT_PX)
    for place, text in _PAIRS.ticks((0.0, max(1.0, layout.n_pairs - 1.0)), plot.height(), True):
        if place >= layout.n_pairs:
            continue
        y = layout.y(plot, place + 0.5)
        painter.setPen(style.pen(style.border))
        painter.drawLine(QLineF(plot.left() - 4, y, plot.left(), y))
        letters.write_in(QRectF(plot.left() - 50, y - 10, 43, 20), text, Qt.AlignmentFlag.AlignRight, style.muted)
    if plot.height() >= _LEAST_PLOT:
        painter.save()
        painter.translate(2, plot.bottom())
        painter.rotate(-90)
        letters.write_in(QRectF(0, 0, plot.height(), _NAME), _PAIRS.title)
        painter.restore()


def _draw_across(painter: QPainter, plot: QRectF, layout: MapsLayout, style: Style) -> None:
    """The positions under a map, those whose numbers do not run into the next one's, and the axis' name."""
    letters = Lettering(painter, style, _FONT_PX)
    for share in (1, 2):  # an axis needs two numbers: in a narrow map some are left out
        named, end = list[tuple[float, str]](), plot.left() - _MOST_ROOM
        ticks = layout.across.ticks(layout.across.extent, share * plot.width(), False)
        places = [(layout.x(plot, layout.across.value(place)), text) for place, text in ticks]
        for x, text in places:
            half = letters.width(text) / 2
            if text and end < x - half and x + half <= plot.right() + _GAP / 2:
                named.append((x, text))
                end = x + half
        if len(named) > 1:
            break
    for x, text in places:
        painter.setPen(style.pen(style.border))
        painter.drawLine(QLineF(x, plot.bottom(), x, plot.bottom() + (4 if text else 2)))
    for x, text in named:
        letters.write_in(QRectF(x - _MOST_ROOM, plot.bottom() + 4, 2 * _MOST_ROOM, _NAME), text, colour=style.muted)
    painter.setPen(style.pen(style.muted))
    letters.write_in(QRectF(plot.left(), plot.bottom() + _TICKS, plot.width(), _NAME), layout.across.title)
