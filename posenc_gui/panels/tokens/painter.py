"""Painting of the strips of the tokens panel: names, and boxes with numbers or profiles."""

import math
import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from posenc_core.numerics import FloatArray
from posenc_gui.look import with_decimals
from posenc_gui.model import position_words
from posenc_gui.panels.tokens.layout import BOX, NORM_LINE, PLACE_PX, WIDER, WORD_PX, Strip
from posenc_gui.panels.tokens.profile import Profile
from posenc_gui.panels.tokens.rows import (
    BEFORE,
    BESIDE,
    TURNED,
    Row,
    further_rows,
    is_masked,
    is_whole,
    norm,
    passing_columns,
    shows_table,
    strip_column,
    strip_rows,
    tokens_before,
)
from posenc_gui.panels.tokens.view import TokensView
from posenc_gui.plotting import Lettering, draw_hatch, readable_on, width_of

_SHORT_BOX = 40.0
_NAME_GAP = 8.0
_NAME_LINES = 28.0

_WIDE = ((66.0, 4), (48.0, 3), (0.0, 2))
"""Decimals of numbers below ten, for the least width of a box in pixels."""

_PADDING = 2.5

_LETTER_SHARE, _LEAST_PX = 0.38, 9
"""The largest size of numbers in widths of their box, and the least in pixels."""


class BoxNumbers(Struct, frozen=True):
    """Format of numbers in boxes of one width: all with the same number of decimals.

    Numbers from ``longest`` on have an exponent, with ``mantissa`` decimals.
    """

    decimals: int
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
        numbers = cls(wanted, 10.0**digits, max(0, min(2, digits - 4)))
        while numbers.decimals and max(metrics.horizontalAdvance(numbers.widest(end)) for end in ends) > room:
            numbers = replace(numbers, decimals=numbers.decimals - 1)
        return numbers

    def widest(self, value: float) -> str:
        """The text of a number with the same signs and as many digits, of which all have the same width."""
        return re.sub(r"\d", "8", self.text(value))

    def text(self, value: float) -> str:
        """The number with a true minus sign; zero has none."""
        if abs(value) >= self.longest:
            mantissa, _, exponent = f"{value:.{self.mantissa}e}".partition("e")
            return f"{mantissa}e{int(exponent)}".replace("-", "−")
        return with_decimals(value, self.decimals)


class StripPainter:
    """Draws strips of tokens in one layout."""

    def __init__(self, view: TokensView) -> None:
        self._view, self._layout, self._colors = view, view.layout, view.colors
        self._turned = view.names == TURNED

    def draw(self, painter: QPainter, strips: Sequence[Strip]) -> None:
        """Draw the strips, all on one scale."""
        if not strips:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        document, axis, layout = self._view.document, self._view.axis, self._layout
        letters = Lettering(painter, self._view.style, PLACE_PX)
        tokens = [strip.token for strip in strips]
        whole = strip_rows(document, axis, tokens, None if self._turned else layout.columns)
        rows = [row.cut(layout.columns) for row in whole] if self._turned else whole
        rows = [*rows, *further_rows(document, axis, rows, tokens, layout.columns)]
        boxed = self._lettering([row for row in rows if row.name != BESIDE]) if layout.box is not None else None
        profile = Profile(document, axis, self._view.style, layout.columns, self._colors)
        for index, strip in enumerate(strips):
            self._draw_name(painter, letters, strip)
            for number, row in enumerate(rows):
                rect = layout.row_rect(strip, number)
                self._draw_row_name(painter, letters, rect, self._row_name(row, strip))
                if is_masked(document.encoding, axis.tokens[strip.token]):
                    self._draw_masked(painter, rect)
                elif not row.has_value[index]:
                    self._draw_nothing(painter, rect)
                elif row.name == BESIDE:
                    self._draw_halves(painter, rect, row.values[index], profile, strip)
                elif boxed is not None:
                    self._draw_boxes(painter, rect, row.values[index], *boxed)
                else:
                    profile.draw(painter, rect, row.values[index], strip.token, row.is_table)
            self._draw_cursor(painter, strip)
        if self._turned:
            before, after = whole[:2]
            for index, strip in enumerate(strips):
                turned = norm(after.values[index]) if after.has_value[index] else math.inf
                self._draw_norms(painter, strip, norm(before.values[index]), turned)

    def _row_name(self, row: Row, strip: Strip) -> str:
        """The name of a row; for the other order with the token that was there."""
        if row.name != BEFORE:
            return row.name
        metrics, room = QFontMetricsF(self._view.style.font(PLACE_PX)), self._layout.row_name
        if room < WIDER[BEFORE]:
            return BEFORE
        word = tokens_before(self._view.document)[strip.token].shown[:300]
        return metrics.elidedText(f"{BEFORE} {word}", Qt.TextElideMode.ElideRight, room)

    def _draw_halves(self, painter: QPainter, rect: QRectF, values: FloatArray, profile: Profile, strip: Strip) -> None:
        """A concatenation as bars: the embedding's columns in the left half, the encoding's in the right one."""
        half, count = rect.width() / 2, len(values) // 2
        for left, part in ((rect.left(), values[:count]), (rect.left() + half, values[count:])):
            profile.draw(painter, QRectF(left, rect.top(), half - 2, rect.height()), part, strip.token, False)

    def _draw_name(self, painter: QPainter, letters: Lettering, strip: Strip) -> None:
        """The token's word to the left of its first row, with its position below; or both in the line above the row."""
        style, layout = self._view.style, self._layout
        word = self._view.document.token_list[strip.token].shown[:300]
        room = layout.width if layout.above else layout.gutter - layout.row_name - _NAME_GAP
        if width_of(word, style, WORD_PX, semibold=True) > room:
            metrics = QFontMetricsF(style.font(WORD_PX, semibold=True))
            word = metrics.elidedText(word, Qt.TextElideMode.ElideRight, room)
        top = strip.rect.top() + max(0.0, (min(2 * layout.row_height, strip.rect.height()) - _NAME_LINES) / 2)
        top = strip.rect.top() if layout.rows > 1 or layout.above else top
        letters.use(WORD_PX, semibold=True)
        painter.setPen(style.token(strip.token))
        baseline = top + (0.75 * layout.above if layout.above else 12)
        if self._sees(baseline - 12, baseline + 3):
            letters.write(0, baseline, word)
        across = letters.width(word) + _NAME_GAP if layout.above else 0.0
        place = position_words(self._view.axis, self._view.axis.tokens[strip.token])
        letters.use(PLACE_PX)
        painter.setPen(style.pen(style.muted))
        line = baseline if layout.above else top + 25
        if letters.width(place) <= room + 2 - across and self._sees(line - 10, line + 3):
            letters.write(across, line, place)

    def _sees(self, top: float, bottom: float) -> bool:
        """Whether letters between these heights are whole: those of a strip that is cut are left out."""
        first = self._view.offset
        return first <= top and bottom <= first + self._view.room.height()

    def _draw_norms(self, painter: QPainter, strip: Strip, before: float, after: float) -> None:
        """The lengths before and after the rotation, with the factor between them."""
        style, factor = self._view.style, self._view.document.encoding.combination.factor
        text = f"|q| = {with_decimals(before, 3)} → {with_decimals(after, 3)}"
        longer = f"{text} (× {factor:.4g})"
        painter.setFont(style.font(PLACE_PX))
        painter.setPen(style.pen(style.muted))
        room = self._layout.width
        if factor != 1.0 and QFontMetricsF(painter.font()).horizontalAdvance(longer) <= room:
            text = longer
        rect = QRectF(self._layout.gutter, strip.rect.bottom() - NORM_LINE, room, NORM_LINE)
        painter.drawText(rect, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter, text)

    def _draw_row_name(self, painter: QPainter, letters: Lettering, rect: QRectF, name: str) -> None:
        if not self._layout.row_name:
            return
        style, width = self._view.style, self._layout.row_name
        letters.use(PLACE_PX)
        place = QRectF(rect.left() - width - _NAME_GAP, rect.top(), width, rect.height())
        letters.write_in(place, name, Qt.AlignmentFlag.AlignRight, style.muted)

    def _lettering(self, rows: Sequence[Row]) -> tuple[QFont, BoxNumbers]:
        """The font of the numbers in the boxes, smaller if decimals have too little room, and their format.

        At least three digits fit into a box.
        """
        width, style = self._layout.box or 0.0, self._view.style
        low, high = min(float(row.values.min()) for row in rows), max(float(row.values.max()) for row in rows)
        whole = shows_table(self._view.document) and is_whole(self._view.document.encoding)
        for px in (12 if width >= BOX else 11 if width >= _SHORT_BOX else 10, _LEAST_PX):
            font = style.font(min(px, _LETTER_SHARE * width))
            numbers = BoxNumbers.fitting(width, (low, high), whole, QFontMetricsF(font))
            if whole or numbers.decimals >= _WIDE[-1][1]:
                break
        return font, numbers

    def _draw_boxes(
        self, painter: QPainter, rect: QRectF, values: FloatArray, font: QFont, numbers: BoxNumbers
    ) -> None:
        style, (first, stop) = self._view.style, self._layout.columns
        width = rect.width() / len(values)
        first_passing, stop_passing = passing_columns(self._view.document.encoding)
        passing = range(first_passing - first, stop_passing - first)
        colours = self._colors.scale.colours(self._colors.shares(values[None, :], first, stop))[0]
        painter.setFont(font)
        half, centre = QFontMetricsF(font).height() / 2, rect.center().y()
        is_seen = self._sees(centre - half, centre + half)
        for index, (value, painted) in enumerate(zip(values.tolist(), colours.tolist(), strict=True)):
            box = QRectF(rect.left() + index * width + 1.5, rect.top(), width - 3, rect.height())
            colour = QColor.fromRgb(painted)
            pen = style.pen(style.border)
            if self._turned and index in passing:
                pen = style.pen(style.muted)
                pen.setStyle(Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.setBrush(colour)
            painter.drawRoundedRect(box, 4, 4)
            if is_seen:
                painter.setPen(readable_on(colour))
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, numbers.text(value))

    def _boxes_in(self, rect: QRectF) -> list[QRectF]:
        """The boxes of a row, or the whole row without boxes."""
        count = self._layout.columns[1] - self._layout.columns[0]
        if self._layout.box is None:
            return [rect]
        width = rect.width() / count
        return [QRectF(rect.left() + k * width + 1.5, rect.top(), width - 3, rect.height()) for k in range(count)]

    def _draw_masked(self, painter: QPainter, rect: QRectF) -> None:
        """Grey boxes with a dash, for a key that a causal model masks."""
        style = self._view.style
        for box in self._boxes_in(rect):
            painter.fillRect(box, QColor(style.masked))
            painter.setPen(style.pen(style.muted, 1.2))
            centre = box.center()
            painter.drawLine(QPointF(centre.x() - 4, centre.y()), QPointF(centre.x() + 4, centre.y()))

    def _draw_nothing(self, painter: QPainter, rect: QRectF) -> None:
        """Empty boxes, hatched."""
        style = self._view.style
        for box in self._boxes_in(rect):
            draw_hatch(painter, box, style)
            painter.setPen(style.pen(style.border))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box)

    def _draw_cursor(self, painter: QPainter, strip: Strip) -> None:
        cursor, (first, stop) = self._view.cursor, self._layout.columns
        position = self._view.axis.tokens[strip.token]
        column = -1 if cursor is None else strip_column(self._view.document, cursor.column)
        if cursor is None or cursor.position != position or not first <= column < stop:
            return
        top = self._layout.column_rect(self._layout.row_rect(strip, 0), column)
        bottom = self._layout.row_rect(strip, len(self._view.names) - 1).bottom()
        frame = QRectF(top.left(), top.top() - 1, top.width(), bottom - top.top() + 2)
        if frame.width() < 4:
            frame = QRectF(frame.center().x() - 2, frame.top(), 4, frame.height())
        style = self._view.style
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(style.pen(QColor(style.ink), 2.0))
        painter.drawRoundedRect(frame, 4, 4)
        if cursor.pinned:
            painter.setPen(style.pen(QColor(style.ink), 1.0))
            painter.drawRoundedRect(frame.adjusted(-2.5, -2.5, 2.5, 2.5), 6, 6)
