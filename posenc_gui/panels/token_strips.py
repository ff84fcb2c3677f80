"""The strips of the tokens panel: where they are, and how they are drawn."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from posenc_core import Document
from posenc_gui.figure import Figure
from posenc_gui.plotting.color_scale import ColorScale, readable_on

_LEAST_BOX, _BOX, _LARGEST_BOX = 28.0, 60.0, 120.0
_SHORT_BOX = 40.0
_INDEX_LINE = 16.0
_WORD_LINE = 22.0
_GAP = 14.0
_ROW_GAP = 4.0
_GUTTER = 46.0
_SCROLL_BAR = 10.0
_ROW_NAMES = ("W_e", "+ PE", "= sum")
_DECIMALS = ((66.0, 4), (48.0, 3), (0.0, 2))


@dataclass(frozen=True)
class Strip:
    """One token's place: its position and the rectangle that boxes, indices and word take."""

    position: int
    rect: QRectF


@dataclass(frozen=True)
class StripLayout:
    """Where every strip is: a few a line where they are narrow, one a line where they are wide.

    Coordinates are the panel's pixels before scrolling. ``box`` is the width of a column's box, None where there
    are too many columns for boxes.
    """

    n_tokens: int
    columns: tuple[int, int]
    rows: int
    per_line: int
    strip_width: float
    row_height: float
    gutter: float
    box: float | None

    @classmethod
    def of(cls, document: Document, columns: tuple[int, int], width: float, height: float) -> "StripLayout":
        """The layout for a document in so much room; a height of 0 asks for the natural one."""
        n_tokens, n = len(document.token_list), columns[1] - columns[0]
        rows = 1 if document.embedding.embedding == "none" else 3
        gutter = _GUTTER if rows > 1 else 0.0
        room = max(1.0, width - _SCROLL_BAR)
        per_line = int((room + _GAP) // (n * _BOX + gutter + _GAP)) if n * _LEAST_BOX <= room else 1
        per_line = max(1, min(per_line, n_tokens))
        strip_width = (room - (per_line - 1) * _GAP) / per_line
        box = (strip_width - gutter) / n
        boxes = box >= _LEAST_BOX
        if boxes:
            box = min(box, _LARGEST_BOX)
            strip_width = box * n + gutter
        lines = max(1, -(-n_tokens // per_line))
        return cls(
            n_tokens, columns, rows, per_line, strip_width,
            _row_height(height, lines, rows, boxes), gutter, box if boxes else None,
        )  # fmt: skip

    @property
    def line_height(self) -> float:
        """Height of a line of strips, the gap below it included."""
        return _INDEX_LINE + self.rows * (self.row_height + _ROW_GAP) + _WORD_LINE + _GAP

    @property
    def height(self) -> float:
        """Height of all strips."""
        return -(-self.n_tokens // self.per_line) * self.line_height

    def strip(self, position: int) -> Strip:
        """The strip of the token at this position."""
        line, place = divmod(position, self.per_line)
        return Strip(
            position,
            QRectF(
                place * (self.strip_width + _GAP),
                line * self.line_height,
                self.strip_width,
                self.line_height - _GAP,
            ),
        )

    def visible(self, offset: float, height: float) -> tuple[int, int]:
        """The first strip in view and the one after the last, for a window scrolled by ``offset``."""
        first = int(offset // self.line_height) * self.per_line
        stop = math.ceil((offset + height) / self.line_height) * self.per_line
        return min(first, self.n_tokens), min(stop, self.n_tokens)

    def row_rect(self, strip: Strip, row: int) -> QRectF:
        """The rectangle of a row of boxes, or of a profile."""
        top = strip.rect.top() + _INDEX_LINE + row * (self.row_height + _ROW_GAP)
        return QRectF(strip.rect.left() + self.gutter, top, self.strip_width - self.gutter, self.row_height)

    def column_rect(self, row: QRectF, column: int) -> QRectF:
        """The part of a row's rectangle that belongs to the column."""
        first, stop = self.columns
        width = row.width() / (stop - first)
        return QRectF(row.left() + (column - first) * width, row.top(), width, row.height())

    def cell_at(self, place: QPointF) -> tuple[int, int] | None:
        """Position and column at a place, None between the strips."""
        line = int(place.y() // self.line_height)
        for position in range(line * self.per_line, min((line + 1) * self.per_line, self.n_tokens)):
            row = self.row_rect(self.strip(position), 0)
            whole = QRectF(row.left(), self.strip(position).rect.top(), row.width(), self.strip(position).rect.height())
            if position >= 0 and whole.contains(place):
                first, stop = self.columns
                column = first + int((place.x() - row.left()) / row.width() * (stop - first))
                return position, min(column, stop - 1)
        return None


def _row_height(height: float, lines: int, rows: int, boxes: bool) -> float:
    """Rows grow to fill the panel, up to where they would look clumsy."""
    least, most = (26.0, 46.0) if boxes else (34.0, 96.0)
    fixed = _INDEX_LINE + _WORD_LINE + _GAP
    return min(most, max(least, (height / lines - fixed) / rows - _ROW_GAP))


class StripPainter:
    """Draws strips of one document in one layout."""

    def __init__(self, figure: Figure, layout: StripLayout) -> None:
        self._figure = figure
        self._layout = layout

    def draw(self, painter: QPainter, strips: Sequence[Strip]) -> None:
        """The strips, all on one scale."""
        if not strips:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        vectors = self._vectors(strips)
        scale = self._scale(vectors)
        for index, strip in enumerate(strips):
            self._draw_word(painter, strip)
            for row, rows in enumerate(vectors):
                rect = self._layout.row_rect(strip, row)
                self._draw_row_name(painter, rect, row)
                if self._layout.box is not None:
                    self._draw_boxes(painter, rect, rows[index], scale)
                else:
                    self._draw_profile(painter, rect, rows[index], scale, strip.position)
            self._draw_indices(painter, self._layout.row_rect(strip, 0))
            self._draw_cursor(painter, strip)

    def _vectors(self, strips: Sequence[Strip]) -> list[npt.NDArray[np.float64]]:
        """PE, or W_e, PE and their sum, each ``(n_strips, n_columns)``."""
        document, (first, stop) = self._figure.document, self._layout.columns
        positions = np.array([strip.position for strip in strips])
        encoded = document.encoding.values(positions, np.arange(first, stop))
        texts = [document.token_list[position].text for position in positions]
        embedded = document.embedding.vectors(texts, document.encoding.n_columns)
        if embedded is None:
            return [encoded]
        embedded = embedded[:, first:stop]
        return [embedded, encoded, embedded + encoded]

    def _scale(self, vectors: list[npt.NDArray[np.float64]]) -> ColorScale:
        """The table's own colours, widened evenly around zero where embeddings go further."""
        scale = self._figure.color_scale
        if len(vectors) == 1:
            return scale
        reach = max(float(np.abs(rows).max()) for rows in vectors)
        reach = max(math.ceil(reach * 2) / 2, scale.high)
        return ColorScale(scale.name, -reach, reach)

    def _draw_word(self, painter: QPainter, strip: Strip) -> None:
        style, rect = self._figure.style, strip.rect
        token = self._figure.document.token_list[strip.position]
        line = QRectF(
            rect.left() + self._layout.gutter,
            rect.bottom() - _WORD_LINE,
            rect.width() - self._layout.gutter,
            _WORD_LINE,
        )
        word_font, place_font = style.font(13, semibold=True), style.font(11)
        place = f"position {strip.position}"
        place_width = QFontMetricsF(place_font).horizontalAdvance(place)
        metrics = QFontMetricsF(word_font)
        room = max(24.0, line.width() - place_width - 8)
        word = metrics.elidedText(token.shown[:300], Qt.TextElideMode.ElideRight, room)
        word_width = metrics.horizontalAdvance(word)
        both = word_width + 8 + place_width <= line.width()
        left = line.center().x() - (word_width + (8 + place_width if both else 0)) / 2
        baseline = line.top() + 16
        painter.setFont(word_font)
        painter.setPen(style.token(strip.position))
        painter.drawText(QPointF(left, baseline), word)
        if both:
            painter.setFont(place_font)
            painter.setPen(style.pen(style.muted))
            painter.drawText(QPointF(left + word_width + 8, baseline), place)

    def _draw_row_name(self, painter: QPainter, rect: QRectF, row: int) -> None:
        if not self._layout.gutter:
            return
        style = self._figure.style
        painter.setFont(style.font(11))
        painter.setPen(style.pen(style.muted))
        name = QRectF(rect.left() - self._layout.gutter, rect.top(), self._layout.gutter - 8, rect.height())
        painter.drawText(name, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, _ROW_NAMES[row])

    def _draw_indices(self, painter: QPainter, rect: QRectF) -> None:
        style, (first, stop) = self._figure.style, self._layout.columns
        painter.setFont(style.font(10))
        painter.setPen(style.pen(style.muted))
        width = rect.width() / (stop - first)
        every = next(step for step in _nice_steps() if step * width >= 30)
        for column in range(-(-first // every) * every, stop, every):
            centre = rect.left() + (column - first + 0.5) * width
            text = QRectF(max(centre - 20, rect.left() - 17), rect.top() - _INDEX_LINE, 40, _INDEX_LINE - 2)
            painter.drawText(text, Qt.AlignmentFlag.AlignCenter, str(column))

    def _draw_boxes(self, painter: QPainter, rect: QRectF, values: npt.NDArray[np.float64], scale: ColorScale) -> None:
        width = rect.width() / len(values)
        decimals = next(digits for least, digits in _DECIMALS if width >= least)
        painter.setFont(self._figure.style.font(12 if width >= _BOX else 11 if width >= _SHORT_BOX else 10))
        for index, value in enumerate(values):
            box = QRectF(rect.left() + index * width + 1.5, rect.top(), width - 3, rect.height())
            colour = scale.color(float(value))
            painter.setPen(self._figure.style.pen(self._figure.style.border))
            painter.setBrush(colour)
            painter.drawRoundedRect(box, 4, 4)
            painter.setPen(readable_on(colour))
            text = box_text(float(value), decimals)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, _short(text) if width < _SHORT_BOX else text)

    def _draw_profile(
        self,
        painter: QPainter,
        rect: QRectF,
        values: npt.NDArray[np.float64],
        scale: ColorScale,
        position: int,
    ) -> None:
        """The values as bars from a zero line; where columns share a pixel, from their least to their largest."""
        style = self._figure.style
        reach = max(abs(scale.low), abs(scale.high))
        zero, unit = rect.center().y(), rect.height() / 2 / reach
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
        painter.setBrush(style.token(position))
        painter.drawRects(*bars.drawargs())
        painter.restore()
        painter.setPen(style.pen(style.border))
        painter.drawLine(QPointF(rect.left(), zero), QPointF(rect.right(), zero))

    def _draw_cursor(self, painter: QPainter, strip: Strip) -> None:
        cursor, (first, stop) = self._figure.cursor, self._layout.columns
        if cursor is None or cursor.position != strip.position or not first <= cursor.column < stop:
            return
        top = self._layout.column_rect(self._layout.row_rect(strip, 0), cursor.column)
        bottom = self._layout.row_rect(strip, self._layout.rows - 1).bottom()
        frame = QRectF(top.left(), top.top() - 1, top.width(), bottom - top.top() + 2)
        if frame.width() < 4:
            frame = QRectF(frame.center().x() - 2, frame.top(), 4, frame.height())
        style = self._figure.style
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(style.pen(QColor(style.ink), 2.0))
        painter.drawRoundedRect(frame, 4, 4)


def box_text(value: float, decimals: int) -> str:
    """The value with so many decimals and a true minus sign; zero has none."""
    text = f"{value:.{decimals}f}"
    return text.replace("-", "−") if float(text) else f"{0:.{decimals}f}"


def _short(text: str) -> str:
    """The number without the zero before its point, as one writes it where there is little room."""
    return text.replace("0.", ".", 1) if text.lstrip("−").startswith("0.") else text


def _nice_steps() -> list[int]:
    return [factor * 10**exponent for exponent in range(6) for factor in (1, 2, 5)]
