"""How the strips of the tokens panel are drawn: words, indices, boxes with numbers or profiles."""

import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from posenc_core import Document
from posenc_core.numerics import FloatArray
from posenc_gui.look.number_format import unit_over, with_decimals
from posenc_gui.look.style import Style
from posenc_gui.model.cursor import Cursor, PositionAxis
from posenc_gui.model.wording import position_words
from posenc_gui.panels.tokens.layout import BOX, INDEX_LINE, NORM_LINE, WORD_LINE, Strip, StripLayout
from posenc_gui.panels.tokens.rows import (
    SINGLE,
    TURNED,
    Row,
    is_whole,
    norm,
    passing_columns,
    row_names,
    strip_column,
    strip_rows,
    strip_scale,
)
from posenc_gui.plotting.color_scale import ColorScale, readable_on
from posenc_gui.plotting.hatch import draw_hatch
from posenc_gui.plotting.lettering import Lettering, width_of

_SHORT_BOX = 40.0
_LONGEST_WORD = 200.0  # in pixels; longer words are elided to leave room for the position

_WIDE = ((66.0, 4), (48.0, 3), (0.0, 2))
"""Decimals of numbers below ten, for the least width of a box in pixels."""

_STEPS = tuple(factor * 10**exponent for exponent in range(6) for factor in (1, 2, 5))
_NARROW = 40.0
_PADDING = 5.0


class BoxNumbers(Struct, frozen=True):
    """How numbers are written in boxes of one width: all with the same number of decimals.

    Numbers from ``longest`` on have an exponent, with ``mantissa`` decimals; ``short`` leaves out the zero before the
    point.
    """

    decimals: int
    short: bool
    longest: float
    mantissa: int

    @classmethod
    def fitting(cls, width: float, ends: tuple[float, float], whole: bool, metrics: QFontMetricsF) -> "BoxNumbers":
        """The numbers that fit in boxes of ``width`` pixels, between the ``ends``."""
        room, reach = width - _PADDING, max(map(abs, ends))
        size = math.floor(math.log10(reach)) if reach > 0 else 0
        extra = -size if size >= 1 else max(0, -1 - size)  # four digits stay four digits
        wanted = 0 if whole else max(0, next(count for least, count in _WIDE if width >= least) + extra)
        digits = max(1, int((room - metrics.horizontalAdvance("−")) / metrics.horizontalAdvance("8")))
        numbers = cls(wanted, width < _NARROW, 10.0**digits, max(0, min(2, digits - 4)))
        while numbers.decimals and max(metrics.horizontalAdvance(numbers.text(end)) for end in ends) > room:
            numbers = replace(numbers, decimals=numbers.decimals - 1)
        return numbers

    def text(self, value: float) -> str:
        """The number with a true minus sign; zero has none."""
        if abs(value) >= self.longest:
            mantissa, _, exponent = f"{value:.{self.mantissa}e}".partition("e")
            return f"{mantissa}e{int(exponent)}".replace("-", "−")
        text = with_decimals(value, self.decimals)
        return text.replace("0.", ".", 1) if self.short and text.lstrip("−").startswith("0.") else text


class TokensView(Struct, frozen=True):
    """What the strips show: the document's vectors, and the cursor. ``table`` are the colours of the encoding."""

    document: Document
    axis: PositionAxis
    cursor: Cursor | None
    table: ColorScale
    style: Style


class StripPainter:
    """Draws strips of tokens in one layout."""

    def __init__(self, view: TokensView, layout: StripLayout) -> None:
        self._view = view
        self._layout = layout
        self._scale = strip_scale(view.document, view.table)
        self._turned = row_names(view.document) == TURNED

    def draw(self, painter: QPainter, strips: Sequence[Strip]) -> None:
        """Draw the strips, all on one scale."""
        if not strips:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        document, axis, layout = self._view.document, self._view.axis, self._layout
        letters = Lettering(painter, self._view.style, 11)
        tokens = [strip.token for strip in strips]
        whole = strip_rows(document, axis, tokens, None if self._turned else layout.columns)
        rows = [row.cut(layout.columns) for row in whole] if self._turned else whole
        numbers = self._numbers(rows) if layout.box is not None else None
        for index, strip in enumerate(strips):
            self._draw_word(painter, letters, strip)
            for number, row in enumerate(rows):
                rect = layout.row_rect(strip, number)
                self._draw_row_name(painter, letters, rect, row.name)
                if not row.has_value[index]:
                    self._draw_nothing(painter, rect)
                elif numbers is not None:
                    self._draw_boxes(painter, rect, row.values[index], numbers)
                else:
                    self._draw_profile(painter, rect, row.values[index], strip.token)
            self._draw_indices(painter, letters, layout.row_rect(strip, 0))
            self._draw_cursor(painter, strip)
        if self._turned:
            before, after = whole
            for index, strip in enumerate(strips):
                turned = norm(after.values[index]) if after.has_value[index] else math.inf
                self._draw_norms(painter, strip, norm(before.values[index]), turned)

    def _draw_word(self, painter: QPainter, letters: Lettering, strip: Strip) -> None:
        style, rect = self._view.style, strip.rect
        token = self._view.document.token_list[strip.token]
        line = QRectF(
            rect.left() + self._layout.gutter,
            rect.bottom() - self._layout.below,
            rect.width() - self._layout.gutter,
            WORD_LINE,
        )
        place = position_words(self._view.axis, self._view.axis.tokens[strip.token])
        place_width = width_of(place, style, 11)
        beside = line.width() - place_width - 8
        word = token.shown[:300]
        word_width = width_of(word, style, 13, semibold=True)
        both = beside >= min(word_width, _LONGEST_WORD)
        if word_width > (beside if both else line.width()):
            metrics = QFontMetricsF(style.font(13, semibold=True))
            word = metrics.elidedText(word, Qt.TextElideMode.ElideRight, beside if both else line.width())
            word_width = width_of(word, style, 13, semibold=True)
        left = line.center().x() - (word_width + (8 + place_width if both else 0)) / 2
        baseline = line.top() + 16
        letters.use(13, semibold=True)
        painter.setPen(style.token(strip.token))
        letters.write(left, baseline, word)
        if both:
            letters.use(11)
            painter.setPen(style.pen(style.muted))
            letters.write(left + word_width + 8, baseline, place)

    def _draw_norms(self, painter: QPainter, strip: Strip, before: float, after: float) -> None:
        """The lengths before and after the rotation, with the factor between them."""
        style, factor = self._view.style, self._view.document.encoding.combination.factor
        text = f"|q| = {with_decimals(before, 3)} → {with_decimals(after, 3)}"
        longer = f"{text} (× {factor:.4g})"
        painter.setFont(style.font(11))
        painter.setPen(style.pen(style.muted))
        room = strip.rect.width() - self._layout.gutter
        if factor != 1.0 and QFontMetricsF(painter.font()).horizontalAdvance(longer) <= room:
            text = longer
        rect = QRectF(strip.rect.left() + self._layout.gutter, strip.rect.bottom() - NORM_LINE, room, NORM_LINE)
        painter.drawText(rect, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, text)

    def _draw_row_name(self, painter: QPainter, letters: Lettering, rect: QRectF, name: str) -> None:
        if not self._layout.gutter:
            return
        style = self._view.style
        painter.setPen(style.pen(style.muted))
        place = QRectF(rect.left() - self._layout.gutter, rect.top(), self._layout.gutter - 8, rect.height())
        letters.use(11)
        letters.write_in(place, name, Qt.AlignmentFlag.AlignRight)

    def _draw_indices(self, painter: QPainter, letters: Lettering, rect: QRectF) -> None:
        style, (first, stop) = self._view.style, self._layout.columns
        letters.use(10)
        painter.setPen(style.pen(style.muted))
        width = rect.width() / (stop - first)
        least = max(30.0, letters.width(f"{stop - 1:,}") + 8)
        every = next(step for step in _STEPS if step * width >= least)
        for column in range(-(-first // every) * every, stop, every):
            centre = rect.left() + (column - first + 0.5) * width
            text = QRectF(max(centre - 20, rect.left() - 17), rect.top() - INDEX_LINE, 40, INDEX_LINE - 2)
            letters.write_in(text, f"{column:,}")

    def _font(self) -> QFont:
        """The font of the numbers."""
        width = self._layout.box or 0.0
        return self._view.style.font(12 if width >= BOX else 11 if width >= _SHORT_BOX else 10)

    def _numbers(self, rows: Sequence[Row]) -> BoxNumbers:
        """How the numbers of the rows are written in the boxes."""
        low, high = min(float(row.values.min()) for row in rows), max(float(row.values.max()) for row in rows)
        whole = row_names(self._view.document) == SINGLE and is_whole(self._view.document.encoding)
        return BoxNumbers.fitting(self._layout.box or 0.0, (low, high), whole, QFontMetricsF(self._font()))

    def _draw_boxes(self, painter: QPainter, rect: QRectF, values: FloatArray, numbers: BoxNumbers) -> None:
        style, scale = self._view.style, self._scale
        width = rect.width() / len(values)
        first_passing, stop_passing = passing_columns(self._view.document.encoding)
        passing = range(first_passing - self._layout.columns[0], stop_passing - self._layout.columns[0])
        painter.setFont(self._font())
        for index, value in enumerate(values.tolist()):
            box = QRectF(rect.left() + index * width + 1.5, rect.top(), width - 3, rect.height())
            colour = scale.color(value)
            pen = style.pen(style.border)
            if self._turned and index in passing:
                pen = style.pen(style.muted)
                pen.setStyle(Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.setBrush(colour)
            painter.drawRoundedRect(box, 4, 4)
            painter.setPen(readable_on(colour))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, numbers.text(value))

    def _draw_nothing(self, painter: QPainter, rect: QRectF) -> None:
        """Empty boxes, hatched."""
        style, count = self._view.style, self._layout.columns[1] - self._layout.columns[0]
        boxes = [rect]
        if self._layout.box is not None:
            width = rect.width() / count
            boxes = [QRectF(rect.left() + k * width + 1.5, rect.top(), width - 3, rect.height()) for k in range(count)]
        for box in boxes:
            draw_hatch(painter, box, style)
            painter.setPen(style.pen(style.border))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box)

    def _draw_profile(self, painter: QPainter, rect: QRectF, values: FloatArray, token: int) -> None:
        """The values as bars from a zero line; columns that share a pixel are a bar from the least to the largest."""
        style = self._view.style
        lowest, highest = min(0.0, self._scale.low), max(0.0, self._scale.high)
        divisor = unit_over(lowest, highest)
        if divisor != 1:
            values, lowest, highest = values / divisor, lowest / divisor, highest / divisor
        unit = rect.height() / (highest - lowest) if highest > lowest else 0.0
        zero = rect.top() + highest * unit
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
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(style.token(token))
        painter.drawRects(*bars.drawargs())
        painter.restore()
        painter.setPen(style.pen(style.border))
        painter.drawLine(QPointF(rect.left(), zero), QPointF(rect.right(), zero))

    def _draw_cursor(self, painter: QPainter, strip: Strip) -> None:
        cursor, (first, stop) = self._view.cursor, self._layout.columns
        position = self._view.axis.tokens[strip.token]
        column = -1 if cursor is None else strip_column(self._view.document, cursor.column)
        if cursor is None or cursor.position != position or not first <= column < stop:
            return
        top = self._layout.column_rect(self._layout.row_rect(strip, 0), column)
        bottom = self._layout.row_rect(strip, self._layout.rows - 1).bottom()
        frame = QRectF(top.left(), top.top() - 1, top.width(), bottom - top.top() + 2)
        if frame.width() < 4:
            frame = QRectF(frame.center().x() - 2, frame.top(), 4, frame.height())
        style = self._view.style
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(style.pen(QColor(style.ink), 2.0))
        painter.drawRoundedRect(frame, 4, 4)
        if cursor.pinned:
            painter.setPen(style.pen(QColor(style.ink), 1.0))
            painter.drawRoundedRect(frame.adjusted(-3.5, -3.5, 3.5, 3.5), 6, 6)
