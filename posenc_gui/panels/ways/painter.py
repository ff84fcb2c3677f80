"""Three cards with a score and three tests each, and below them the scores over the shift of both positions."""

import math

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from posenc_core.encodings import Rotation
from posenc_gui.look import Style, counted, significant
from posenc_gui.panels.ways.numbers import SHIFTS, WaysView
from posenc_gui.plotting import Arc, Lettering, draw_arcs

_TITLES = (("Right",), ("Wrong convention", "Wrong"), ("Broken code", "Broken"))
"""The names of the ways, and their short forms."""
_DASHES: tuple[tuple[float, ...], ...] = ((), (4.0, 3.0), (1.5, 2.0), (5.0, 2.0, 1.0, 2.0))
_GAP, _LINE = 10.0, 16.0
_NAME_LEFT, _NUMBER_GAP = 28.0, 6.0
_ARCS, _LEAST_ARCS, _MOST_ARCS_PX = 26.0, 8.0, 60.0
_STRIP = 7.0
_LEAST_STRIP, _MOST_STRIP = 44.0, 130.0
_CARD = 6 * _LINE + 2 * _ARCS + _STRIP + 8.0
_LEAST_CARD, _NARROWEST = 6 * _LINE, 128.0
_COMPACT = 5.5 * _LINE + _STRIP + 2 * _ARCS
"""Cards of a lower inside have their score beside their name."""
_CLOCK_ROOM, _LEAST_PLOT = 132.0, 200.0
_LEAST_ROW, _MOST_ARCS = 60.0, 8
_GUTTER, _BOTTOM = 52.0, 16.0
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight


class WaysLayout(Struct, frozen=True):
    """Rectangles in the panel's pixels: a card for each way, and the lines below, omitted in a low panel.

    ``clock`` is at the left of the lines, and empty in a narrow panel.
    """

    cards: tuple[QRectF, QRectF, QRectF]
    plot: QRectF
    clock: QRectF

    @classmethod
    def of(cls, room: QRectF) -> "WaysLayout":
        """The layout in a room of pixels."""
        most = _MOST_STRIP if _is_narrow(room.width()) else math.inf  # narrow cards may be below each other
        strip = min(most, max(_LEAST_STRIP, room.height() - _CARD - _BOTTOM - _GAP))
        tall = room.height() - strip - _BOTTOM - _GAP
        if tall < _LEAST_CARD:  # the shift can still be typed
            strip, tall = 0.0, max(1.0, room.height())
        first, second, third = _cards(QRectF(room.left(), room.top(), room.width(), tall))
        top, side = third.bottom() + _GAP, min(strip + _BOTTOM, _MOST_STRIP)
        clock = QRectF(room.left(), top, side if strip else 0.0, side if strip else 0.0)
        left = room.left() + side + _CLOCK_ROOM + _GUTTER
        if not strip or room.right() - left - _GAP < _LEAST_PLOT:
            clock, left = QRectF(), room.left() + _GUTTER
        plot = QRectF(left, top, max(1.0, room.right() - left - _GAP), strip)
        return cls((first, second, third), plot, clock)

    @property
    def gutter(self) -> float:
        """The left edge of the numbers of the lines."""
        return self.plot.left() - _GUTTER

    def shift_at(self, x: float) -> int:
        """The shift at an x, within the ends of the axis."""
        share = (x - self.plot.left()) / self.plot.width()
        return round(min(max(share, 0.0), 1.0) * int(SHIFTS[-1]))

    def shift_x(self, shift: float) -> float:
        """The x of a shift."""
        return self.plot.left() + shift / int(SHIFTS[-1]) * self.plot.width()


def _is_narrow(width: float) -> bool:
    """Whether three cards side by side would be too narrow."""
    return (width - 2 * _GAP) / 3 < _NARROWEST


def _cards(room: QRectF) -> list[QRectF]:
    """Three equal rectangles side by side; one below the other in a narrow room that is high enough."""
    wide, tall = (room.width() - 2 * _GAP) / 3, (room.height() - 2 * _GAP) / 3
    if _is_narrow(room.width()) and tall >= _LEAST_CARD:
        return [QRectF(room.left(), room.top() + at * (tall + _GAP), room.width(), tall) for at in range(3)]
    return [QRectF(room.left() + at * (wide + _GAP), room.top(), wide, room.height()) for at in range(3)]


def natural_height(width: float) -> int:
    """The height in which the cards have all their parts in a picture of this width."""
    cards = 3 * (_CARD + _GAP) - _GAP if _is_narrow(width) else _CARD
    return round(cards + _MOST_STRIP + _BOTTOM + _GAP)


def way_pen(style: Style, index: int) -> QPen:
    """The pen of a way's line, with its own colour and dash."""
    colour = (style.ink, style.sine, style.error, style.cosine)[index]
    return style.pen(colour, 2.0 if index else 1.4, _DASHES[index])


def way_look(style: Style, index: int) -> tuple[str, tuple[float, ...]]:
    """A way's line for a script: its colour (``#rrggbb``), and its dashes in points, none for a whole line."""
    return way_pen(style, index).color().name(), _DASHES[index]


def draw_cards(
    painter: QPainter, rotary: Rotation, view: WaysView, layout: WaysLayout, style: Style, column: int | None
) -> None:
    """Draw the card of each way, in each layout with the pair of this column of the table marked."""
    own, other = rotary.pairs.is_interleaved, not rotary.pairs.is_interleaved
    layouts = ((own, own), (other, other), (own, other))
    for index, card in enumerate(layout.cards):
        painter.setPen(style.pen(style.border))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        inner = card.adjusted(8, 5, -8, -4)
        _draw_title(painter, view, index, inner, style)
        arcs = _draw_layouts(painter, rotary, layouts[index], inner, style, column)
        _write_checks(painter, view, index, QRectF(inner.left(), arcs, inner.width(), inner.bottom() - arcs), style)


def _draw_title(painter: QPainter, view: WaysView, index: int, inner: QRectF, style: Style) -> None:
    """The way's name with a sample of its line, and its score."""
    painter.setPen(way_pen(style, index))
    middle = inner.top() + _LINE / 2
    painter.drawLine(QLineF(inner.left(), middle, inner.left() + 22, middle))
    letters = Lettering(painter, style, 12, semibold=True)
    painter.setPen(style.pen(style.ink))
    score, names = view.ways[index].score, _TITLES[index]
    number = significant(score, 6)
    if inner.height() < _COMPACT:
        room = inner.width() - _NAME_LEFT - _NUMBER_GAP - letters.width(names[-1])
        number = letters.fitting((significant(score, digits) for digits in (6, 5, 4, 3)), room) or number
        letters.write_in(QRectF(inner.left(), inner.top(), inner.width(), _LINE), number, _RIGHT)
        inner = inner.adjusted(0, 0, -letters.width(number) - _NUMBER_GAP, 0)
        _write(letters, QRectF(inner.left() + _NAME_LEFT, inner.top(), inner.width() - _NAME_LEFT, _LINE), *names)
        return
    _write(letters, QRectF(inner.left() + _NAME_LEFT, inner.top(), inner.width() - _NAME_LEFT, _LINE), *names)
    letters.use(18, semibold=True)
    line = QRectF(inner.left(), inner.top() + _LINE, inner.width(), 1.5 * _LINE)
    letters.write_in(line, number, _LEFT)
    wide = letters.width(number) + 10
    letters.use(11)
    painter.setPen(style.pen(style.muted))
    words = f"score, q at {counted(view.positions[0])}, k at {counted(view.positions[1])}"
    _write(letters, line.adjusted(wide, 3, 0, 0), words, "score")


def _write(letters: Lettering, place: QRectF, *texts: str) -> None:
    """Write the first of the texts that fits into a place; nothing if none does."""
    if text := letters.fitting(texts, place.width()):
        letters.write_in(place, text, _LEFT)


def _draw_layouts(
    painter: QPainter, rotary: Rotation, layouts: tuple[bool, bool], inner: QRectF, style: Style, column: int | None
) -> float:
    """Arcs above the columns for the layout of cos and sin, below for the layout of the turn; returns their end."""
    top = inner.top() + (1.0 if inner.height() < _COMPACT else 2.5) * _LINE
    arcs_px = min(_MOST_ARCS_PX, (inner.bottom() - top - _STRIP - 2 - 3 * _LINE) / 2)
    if arcs_px < _LEAST_ARCS:
        return top
    left = inner.left() + 46
    row = QRectF(left, top + arcs_px, inner.right() - left, _STRIP)
    if row.width() < _LEAST_ROW:
        return top
    side = row.width() / rotary.head_dim
    letters = Lettering(painter, style, 10)
    for is_interleaved, name, place, down in (
        (layouts[0], "cos, sin", QRectF(row.left(), top, row.width(), arcs_px), False),
        (layouts[1], "turn", QRectF(row.left(), row.bottom(), row.width(), arcs_px), True),
    ):
        letters.write_in(QRectF(inner.left(), place.top(), 44, place.height()), name, _LEFT, colour=style.muted)
        left = row.left() + (rotary.first_column + 0.5) * side
        joined = _joined_columns(rotary.pairs.n_pairs, is_interleaved, column)
        arcs = [Arc(left + one * side, left + other * side, column in (one, other)) for one, other in joined]
        draw_arcs(painter, style, arcs, place, down)
    painter.fillRect(row, QColor(style.ground))
    turned = QRectF(row.left() + rotary.first_column * side, row.top(), rotary.n_columns * side, row.height())
    painter.fillRect(turned, QColor(style.border))
    return row.bottom() + arcs_px + 2


def _joined_columns(n_pairs: int, is_interleaved: bool, column: int | None) -> list[tuple[int, int]]:
    """The columns that up to eight pairs of a layout join, the pair of ``column`` among them, the last one."""
    pairs = np.unique(np.linspace(0, n_pairs - 1, min(n_pairs, _MOST_ARCS)).round().astype(np.int64))
    if column is not None:
        marked = column // 2 if is_interleaved else column % n_pairs
        pairs = np.append(np.delete(pairs, np.abs(pairs - marked).argmin()), marked)
    one, other = (2 * pairs, 2 * pairs + 1) if is_interleaved else (pairs, pairs + n_pairs)
    return list(zip(one.tolist(), other.tolist(), strict=True))


def _write_checks(painter: QPainter, view: WaysView, index: int, room: QRectF, style: Style) -> None:
    """The tests, each with its result: a filled mark for a failed one."""
    letters = Lettering(painter, style, 11)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for at, check in enumerate(view.checks(index)):
        line = QRectF(room.left(), room.top() + at * _LINE, room.width(), _LINE)
        if line.bottom() > room.bottom() + 3:
            return
        colour = style.muted if check.passes else style.error
        painter.setPen(style.pen(colour, 1.4))
        painter.setBrush(QColor(colour) if not check.passes else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(line.left() + 4, line.center().y()), 3.4, 3.4)
        painter.setPen(style.pen(style.ink if check.passes else style.error))
        short = check.found.partition(", ")[0]
        words = (f"{check.name}: {check.found}", check.found, f"{check.name}: {short}", check.name)
        _write(letters, line.adjusted(14, 0, 0, 0), *words)


def draw_shifts(painter: QPainter, view: WaysView, layout: WaysLayout, style: Style) -> None:
    """Draw the scores over the shift, and the present shift as a line with a handle."""
    plot = layout.plot
    if not plot.height():
        return
    drawn = view.scores if view.alone is None else np.vstack([view.scores, view.alone])
    low, high = float(drawn.min()), float(drawn.max())
    pad = 0.08 * (high - low) or 1.0
    low, high = low - pad, high + pad
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(style.pen(style.grid))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(plot)
    letters = Lettering(painter, style, 10)
    painter.setPen(style.pen(style.muted))
    for value, y in ((high - pad, plot.top() + 7), (low + pad, plot.bottom() - 7)):
        letters.write_in(QRectF(layout.gutter, y - 7, _GUTTER - 5, 14), significant(value, 3), _RIGHT)
    for shift in (0, 32, 64, 96, 128):
        letters.write_in(QRectF(layout.shift_x(shift) - 20, plot.bottom() + 1, 40, 13), str(shift))
    letters.write_in(QRectF(layout.gutter, plot.bottom() + 1, _GUTTER - 9, 13), "shift", _RIGHT)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    x = [layout.shift_x(shift) for shift in SHIFTS.tolist()]
    for index in reversed(range(len(drawn))):
        y = plot.bottom() - (drawn[index] - low) / (high - low) * plot.height()
        painter.setPen(way_pen(style, index))
        painter.drawPolyline(QPolygonF([QPointF(*point) for point in zip(x, y.tolist(), strict=True)]))
    if view.alone is not None:
        _write_alone(painter, view, plot, style)
    _draw_handle(painter, layout.shift_x(view.shift), plot, style)


def _write_alone(painter: QPainter, view: WaysView, plot: QRectF, style: Style) -> None:
    """The name of the line of q alone with a sample and its present score, in the upper right corner of the plot."""
    assert view.alone is not None
    words = f"q alone rotated: {significant(float(view.alone[view.shift]), 6)}"
    letters = Lettering(painter, style, 11, semibold=True)
    width = letters.width(words) + 8
    place = QRectF(plot.right() - width - 4, plot.top() + 3, width, _LINE)
    painter.fillRect(place.adjusted(-30, 0, 0, 0), QColor(style.paper))
    painter.setPen(way_pen(style, 3))
    painter.drawLine(QLineF(place.left() - 26, place.center().y(), place.left() - 4, place.center().y()))
    letters.write_in(place, words, _LEFT, colour=style.ink)


def _draw_handle(painter: QPainter, x: float, plot: QRectF, style: Style) -> None:
    painter.setPen(style.pen(style.accent, 1.6))
    painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
    painter.setBrush(QColor(style.accent))
    painter.drawEllipse(QPointF(x, plot.top()), 5, 5)  # where no number is
