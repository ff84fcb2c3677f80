"""What the waves panel draws above its curves: the tokens' lines and dots, and the cursor."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from posenc_core import encode
from posenc_gui.look.style import LAYER_CURSOR, LAYER_TOKENS
from posenc_gui.model.cursor import Cursor, valued
from posenc_gui.plotting.layer import Layer
from posenc_gui.plotting.plot_area import PlotArea

if TYPE_CHECKING:
    from posenc_gui.panels.waves.figure import WavesFigure


class TokenLines(Layer):
    """A vertical line a token, a dot on every curve that has a value there."""

    def __init__(self, area: PlotArea, figure: "WavesFigure") -> None:
        super().__init__(area, LAYER_TOKENS)
        self._figure = figure

    def draw(self, painter: QPainter) -> None:
        """Lines always; dots where neither rows nor tokens are too close for them."""
        figure = self._figure
        low, high = self.area.across
        tokens = figure.token_positions
        first, stop = max(tokens.start, int(np.ceil(low))), min(tokens.stop, int(np.floor(high)) + 1)
        if first >= stop:
            return
        spacing = self.area.rect().width() / (high - low)
        every = max(1, round(3 / spacing))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        positions = [position for position in range(first, stop, every) if self._is_exposed(position)]
        for position in positions:
            x = self.area.to_x(position)
            colour = self._colour(position)
            colour.setAlphaF(min(1.0, 0.35 + spacing / 30))
            painter.setPen(figure.style.pen(colour, 1.2))
            painter.drawLine(QPointF(x, 0), QPointF(x, self.area.rect().height()))
        radius = min(3.4, figure.row_px * 0.16, spacing * 0.4)
        if radius >= 1.2:
            inside = valued(figure.document.encoding, range(first, stop))
            has_value = figure.document.encoding.has_value
            shown = [position for position in positions if position in inside and has_value(position)]
            self._draw_dots(painter, shown, radius)

    def _colour(self, position: int) -> QColor:
        """The token's, which is that of its place in the sentence wherever distances are counted from."""
        return self._figure.style.token(position - self._figure.places.tokens.start)

    def _is_exposed(self, position: int) -> bool:
        x = self.area.to_x(position)
        return any(rect.left() - 5 <= x <= rect.right() + 5 for rect in self.exposed)

    def _draw_dots(self, painter: QPainter, positions: list[int], radius: float) -> None:
        figure = self._figure
        columns = np.arange(*figure.visible_columns())
        values = encode(figure.document.encoding, positions, columns)
        painter.setPen(figure.style.pen(figure.style.paper, 1.0 if radius > 2 else 0.0))
        if radius <= 2:
            painter.setPen(Qt.PenStyle.NoPen)
        for row, position in enumerate(positions):
            painter.setBrush(self._colour(position))
            for column, value in zip(columns, values[row], strict=True):
                painter.drawEllipse(figure.place(position, int(column), float(value)), radius, radius)


class CursorDot(Layer):
    """The cursor: a larger dot on its wave, and its position's line."""

    def __init__(self, area: PlotArea, figure: "WavesFigure") -> None:
        super().__init__(area, LAYER_CURSOR)
        self._figure = figure

    def update_at(self, cursor: Cursor) -> None:
        """Paint the line of the cursor's position again."""
        x = self.area.to_x(cursor.position)
        self.update(QRectF(x - 8, 0, 16, self.area.rect().height()))

    def draw(self, painter: QPainter) -> None:
        """In the token's colour, or in the accent's where there is no token; without a dot where there is no value."""
        figure, cursor = self._figure, self._figure.cursor
        encoding = figure.document.encoding
        if cursor is None or not 0 <= cursor.column < encoding.n_columns:
            return
        index = figure.places.token_at(cursor.position)
        colour = QColor(figure.style.accent) if index is None else figure.style.token(index)
        x = self.area.to_x(cursor.position)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(figure.style.pen(colour, 1.6))
        painter.drawLine(QPointF(x, 0), QPointF(x, self.area.rect().height()))
        if encoding.has_value(cursor.position):
            value = float(encode(encoding, [cursor.position], [cursor.column])[0, 0])
            painter.setPen(figure.style.pen(figure.style.paper, 1.5))
            painter.setBrush(colour)
            painter.drawEllipse(figure.place(cursor.position, cursor.column, value), 5.5, 5.5)
