"""How the strips of the tokens panel are drawn: words, indices, boxes or profiles."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from posenc_core import Document
from posenc_gui.figure import Figure
from posenc_gui.panels.token_strips import BOX, INDEX_LINE, WORD_LINE, Strip, StripLayout
from posenc_gui.plotting.color_scale import ColorScale, readable_on

_SHORT_BOX = 40.0
_LONGEST_WORD = 200.0  # longer ones are cut rather than left without their position
_ROW_NAMES = ("W_e", "+ PE", "= sum")
_DECIMALS = ((66.0, 4), (48.0, 3), (0.0, 2))


def strip_scale(document: Document, table: ColorScale) -> ColorScale:
    """The colours of all strips: the table's own, widened around zero by the reach of the embeddings.

    The reach is known beforehand, so that colours keep still while one scrolls.
    """
    if document.embedding.embedding == "none":
        return table
    reach = math.ceil(2 * (table.high + document.embedding.reach(document.encoding.n_columns))) / 2
    return ColorScale(table.name, -reach, reach)


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
        scale = strip_scale(self._figure.document, self._figure.color_scale)
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

    def _draw_word(self, painter: QPainter, strip: Strip) -> None:
        style, rect = self._figure.style, strip.rect
        token = self._figure.document.token_list[strip.position]
        line = QRectF(
            rect.left() + self._layout.gutter,
            rect.bottom() - WORD_LINE,
            rect.width() - self._layout.gutter,
            WORD_LINE,
        )
        word_font, place_font = style.font(13, semibold=True), style.font(11)
        place = f"position {strip.position}"
        place_width = QFontMetricsF(place_font).horizontalAdvance(place)
        metrics = QFontMetricsF(word_font)
        beside = line.width() - place_width - 8
        both = beside >= min(metrics.horizontalAdvance(token.shown[:300]), _LONGEST_WORD)
        word = metrics.elidedText(token.shown[:300], Qt.TextElideMode.ElideRight, beside if both else line.width())
        word_width = metrics.horizontalAdvance(word)
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
            text = QRectF(max(centre - 20, rect.left() - 17), rect.top() - INDEX_LINE, 40, INDEX_LINE - 2)
            painter.drawText(text, Qt.AlignmentFlag.AlignCenter, f"{column:,}")

    def _draw_boxes(self, painter: QPainter, rect: QRectF, values: npt.NDArray[np.float64], scale: ColorScale) -> None:
        width = rect.width() / len(values)
        decimals = next(digits for least, digits in _DECIMALS if width >= least)
        painter.setFont(self._figure.style.font(12 if width >= BOX else 11 if width >= _SHORT_BOX else 10))
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
