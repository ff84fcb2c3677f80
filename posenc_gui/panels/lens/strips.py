"""The strips below the clocks: columns with the arcs of their pairs, the vector's numbers, and bits over turns."""

from collections.abc import Iterable, Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from posenc_gui.layers import axis_bands, band_step
from posenc_gui.look import Style, blend, counted, significant, with_exponent
from posenc_gui.panels.lens.layout import LensLayout
from posenc_gui.panels.lens.view import LensView, Vectors
from posenc_gui.plotting import Arc, Lettering, draw_arcs

_LEAST_CELL = 5.0
_WIDEST_BAR, _BAR_INSET = 14.0, 3.0
_AXIS_PX = 5.0
"""Height of the line of colour of the axes."""

_SHARES = {"turning": 0.7, "standing still": 0.3, "passing": 0.0}
"""How much of the accent's colour a column has, by its role: three shades that a print in grey keeps apart."""


def role_colour(style: Style, role: str) -> QColor:
    """The colour of columns with this role."""
    return blend(style.accent, style.paper, _SHARES[role])


def draw_strips(painter: QPainter, view: LensView, layout: LensLayout) -> None:
    """Draw all strips with their names."""
    _draw_columns(painter, view, layout)
    draw_arcs(painter, view.style, _arcs(view, layout), layout.strips["arcs"])
    if view.vectors is not None and "before" in layout.strips:
        _draw_vectors(painter, view, view.vectors, layout)
    if "bits" in layout.strips:
        _draw_bits(painter, view, layout)
        _draw_levels(painter, view, layout)


def _name(painter: QPainter, view: LensView, strip: QRectF, text: str) -> None:
    high, style = 16 * view.style.text_scale, view.style
    place = QRectF(0, strip.center().y() - high / 2, strip.left() - 6, high)
    Lettering(painter, style, 11).write_in(place, text, Qt.AlignmentFlag.AlignRight, style.muted)


def _draw_columns(painter: QPainter, view: LensView, layout: LensLayout) -> None:
    """The columns in the shades of their roles, the cursor's pair in full colour, and some of their numbers."""
    style, strip = view.style, layout.strips["columns"]
    _name(painter, view, strip, "columns")
    for run in view.runs:
        left, right = layout.column_x(run.first), layout.column_x(run.stop)
        painter.fillRect(QRectF(left, strip.top(), right - left, strip.height()), role_colour(style, run.role))
    marked = _marked_columns(view)
    for column in marked:
        place = QRectF(layout.column_x(column), strip.top(), max(2.0, layout.column_px), strip.height())
        painter.fillRect(place, QColor(style.ink))
    _draw_axes(painter, view, layout)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(style.pen(style.muted))
    painter.drawRect(strip)
    if layout.column_px >= _LEAST_CELL:
        painter.setPen(style.pen(style.paper))
        for column in range(1, view.width):
            x = layout.column_x(column)
            painter.drawLine(QPointF(x, strip.top() + 1), QPointF(x, strip.bottom() - 1))
    _number_columns(painter, view, layout, marked)


def _draw_axes(painter: QPainter, view: LensView, layout: LensLayout) -> None:
    """The axis of each column's pair as a line of colour at the foot of the columns; of many, some spread evenly."""
    encoding, strip = view.document.encoding, layout.strips["columns"]
    step = band_step(view.width)
    for first, stop, _, colour in axis_bands(encoding, range(0, view.width, step), view.style):
        left, right = layout.column_x(step * first), layout.column_x(min(step * stop, view.width))
        painter.fillRect(QRectF(left, strip.bottom() - _AXIS_PX, right - left, _AXIS_PX), colour)


def _number_columns(painter: QPainter, view: LensView, layout: LensLayout, marked: tuple[int, ...]) -> None:
    """The numbers of the cursor's columns, of the ends of the runs, and of others if they fit."""
    letters, line = Lettering(painter, view.style, 10), layout.strips["indices"]
    taken: list[tuple[float, float]] = []
    ends = [column for run in view.runs for column in (run.first, run.stop - 1)]
    others: Iterable[int] = range(view.width) if layout.column_px >= 16 else np.concatenate(view.columns).tolist()
    for column in dict.fromkeys([*marked, *ends, *others]):
        text, x = counted(column), layout.column_x(column + 0.5)
        half = letters.width(text) / 2
        x = min(max(x, line.left() + half), line.right() - half)
        if any(abs(x - other) < half + width + 4 for other, width in taken):
            continue
        taken.append((x, half))
        colour = view.style.accent if column in marked else view.style.muted
        letters.write_in(QRectF(x - half - 1, line.top(), 2 * half + 2, line.height()), text, colour=colour)


def _marked_columns(view: LensView) -> tuple[int, ...]:
    return tuple(int(each[index]) for index in np.flatnonzero(view.pairs == view.marked) for each in view.columns)


def _arcs(view: LensView, layout: LensLayout) -> list[Arc]:
    """The arc of each pair, the cursor's over the others."""
    arcs = [
        Arc(layout.column_x(one + 0.5), layout.column_x(other + 0.5), bool(pair == view.marked), bool(frequency == 0))
        for pair, one, other, frequency in zip(view.pairs, *view.columns, view.frequencies, strict=True)
    ]
    return sorted(arcs, key=lambda arc: arc.is_marked)


def _draw_vectors(painter: QPainter, view: LensView, vectors: Vectors, layout: LensLayout) -> None:
    """The vector before and after as bars on one scale: each at its column, or the two of each pair that is shown."""
    style = view.style
    columns = np.arange(view.width) if layout.has_bars else np.unique(np.concatenate(view.columns))
    marked = _marked_columns(view)
    rows = [("before", vectors.before, style.muted), ("after", vectors.after, style.ink)]
    names = list(vectors.names)
    if vectors.sum is not None:
        rows += [("row", vectors.sum.row, style.muted), ("sum", vectors.sum.after, style.ink)]
        names += vectors.sum.names
    largest = max(float(np.abs(values[columns]).max()) for _, values, _ in rows) or 1.0
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for (name, values, colour), title in zip(rows, names, strict=True):
        strip = layout.strips[name]
        _name(painter, view, strip, title)
        middle, reach = strip.center().y(), strip.height() / 2 - 1.5
        painter.setPen(style.pen(style.grid))
        painter.drawLine(QPointF(strip.left(), middle), QPointF(strip.right(), middle))
        for column, place in _bar_places(view, layout, name):
            tall = float(values[column]) / largest * reach
            bar = QRectF(place.center().x(), middle - max(tall, 0.0), 0.0, abs(tall))
            if layout.has_bars:
                bar.adjust(-0.38 * place.width(), 0, 0.38 * place.width(), 0)
            else:
                bar.setRect(place.left() + _BAR_INSET, bar.top(), min(_WIDEST_BAR, place.width() / 2), bar.height())
                _write_beside(painter, bar, place, float(values[column]), style)
            painter.fillRect(bar, QColor(style.accent if column in marked else colour))


def _write_beside(painter: QPainter, bar: QRectF, place: QRectF, value: float, style: Style) -> None:
    """The value at the right of its bar, in as many digits as have room."""
    letters = Lettering(painter, style, 10)
    room = QRectF(bar.right() + _BAR_INSET, place.top(), place.right() - bar.right() - _BAR_INSET, place.height())
    text = letters.fitting((significant(value, digits) for digits in (3, 2, 1)), room.width())
    letters.write_in(room, text, Qt.AlignmentFlag.AlignLeft, colour=style.ink)


def _bar_places(view: LensView, layout: LensLayout, name: str) -> Iterator[tuple[int, QRectF]]:
    """The columns of a strip's bars with their places: all columns, or halves of each pair's share."""
    if layout.has_bars:
        strip = layout.strips[name]
        for column in range(view.width):
            yield column, QRectF(layout.column_x(column), strip.top(), layout.column_px, strip.height())
        return
    for index, columns in enumerate(zip(*(each.tolist() for each in view.columns), strict=True)):
        share = layout.share(name, index, len(view.pairs))
        for half, column in enumerate(columns):
            left = share.left() + half * share.width() / 2
            yield column, QRectF(left, share.top(), share.width() / 2, share.height())


def _draw_bits(painter: QPainter, view: LensView, layout: LensLayout) -> None:
    """The binary digits of the position, the ones on the left: this digit changes fastest, like the first pair."""
    style, bits = view.style, view.bits
    _name(painter, view, layout.strips["bits"], "bits of p")
    letters = Lettering(painter, style, 11)
    for index, bit in enumerate(bits):
        cell = layout.share("bits", index, len(bits)).adjusted(1, 0, -1, 0)
        painter.fillRect(cell, QColor(style.ink) if bit else QColor(style.ground))
        letters.write_in(cell, str(bit), colour=style.paper if bit else style.muted)


def _draw_levels(painter: QPainter, view: LensView, layout: LensLayout) -> None:
    """The turns of each pair less whole ones, as fill levels."""
    style, count = view.style, len(view.pairs)
    _name(painter, view, layout.strips["levels"], "turns mod 1")
    letters = Lettering(painter, style, 10)
    for index, fraction in enumerate(view.fractions.tolist()):
        cell = layout.share("levels", index, count).adjusted(1, 3, -1, 0)
        is_marked = view.pairs[index] == view.marked
        painter.fillRect(cell, QColor(style.ground))
        level = QRectF(cell.left(), cell.bottom() - fraction * cell.height(), cell.width(), fraction * cell.height())
        painter.fillRect(level, blend(style.accent, style.paper, 0.75 if is_marked else 0.4))
        text = _fraction(fraction, letters, cell.width() - 2)
        top = QRectF(cell.left(), cell.top(), cell.width(), min(cell.height(), 14.0))
        letters.write_in(top, text, colour=style.ink)


def _fraction(turns: float, letters: Lettering, room: float) -> str:
    """A part of a turn in the longest form that has room: a box without a number would look like no turn at all."""
    rounded = f"{turns:.1f}" if turns >= 0.05 else "≈0"
    texts = (significant(turns, 2), significant(turns, 1), with_exponent(turns), rounded)
    shown = ("<1" if float(turns) < 1 and text in ("1", "1.0") else text for text in texts)
    return letters.fitting(shown, room)
