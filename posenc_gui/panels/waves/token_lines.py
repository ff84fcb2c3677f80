"""What the waves panel draws above its curves: the tokens' lines and dots, and the cursor."""

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from typing_extensions import override

from posenc_core import encode
from posenc_gui.look.style import LAYER_CURSOR, LAYER_TOKENS
from posenc_gui.model.cursor import Cursor, valued
from posenc_gui.panels.waves.curves import WaveView
from posenc_gui.plotting.layer import Layer
from posenc_gui.plotting.plot_area import PlotArea, seen_in
from posenc_gui.plotting.token_words import shown_tokens


class TokenLines(Layer):
    """A vertical line a token, a dot on every curve that has a value there."""

    def __init__(self, area: PlotArea, view: Callable[[], WaveView]) -> None:
        super().__init__(area, LAYER_TOKENS)
        self._view = view

    @override
    def draw(self, painter: QPainter) -> None:
        view, (low, high) = self._view(), self.area.across
        tokens = seen_in(self.area.across, shown_tokens(view.axis))
        if not tokens:
            return
        spacing = self.area.rect().width() / (high - low)
        every = max(1, round(3 / spacing))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        positions = [position for position in tokens[::every] if self._is_exposed(position)]
        for position in positions:
            x = self.area.to_x(position)
            colour = _colour(view, position)
            colour.setAlphaF(min(1.0, 0.35 + spacing / 30))
            painter.setPen(view.style.pen(colour, 1.2))
            painter.drawLine(QPointF(x, 0), QPointF(x, self.area.rect().height()))
        radius = min(3.4, view.row_px * 0.16, spacing * 0.4)
        if radius >= 1.2:
            inside = valued(view.encoding, tokens)
            has_value = view.encoding.has_value
            shown = [position for position in positions if position in inside and has_value(position)]
            self._draw_dots(painter, view, shown, radius)

    def _is_exposed(self, position: int) -> bool:
        x = self.area.to_x(position)
        return any(rect.left() - 5 <= x <= rect.right() + 5 for rect in self.exposed)

    def _draw_dots(self, painter: QPainter, view: WaveView, positions: list[int], radius: float) -> None:
        columns = np.arange(*view.columns)
        values = encode(view.encoding, positions, columns)
        painter.setPen(view.style.pen(view.style.paper, 1.0 if radius > 2 else 0.0))
        if radius <= 2:
            painter.setPen(Qt.PenStyle.NoPen)
        for row, position in enumerate(positions):
            painter.setBrush(_colour(view, position))
            for column, value in zip(columns, values[row], strict=True):
                painter.drawEllipse(_place(self.area, view, position, int(column), float(value)), radius, radius)


class CursorDot(Layer):
    """The cursor: a larger dot on its wave, and a line at its position."""

    def __init__(self, area: PlotArea, view: Callable[[], WaveView]) -> None:
        super().__init__(area, LAYER_CURSOR)
        self._view = view

    def update_at(self, cursor: Cursor) -> None:
        """Repaint the line at the cursor's position."""
        x = self.area.to_x(cursor.position)
        self.update(QRectF(x - 8, 0, 16, self.area.rect().height()))

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._view()
        cursor, style, encoding = view.cursor, view.style, view.encoding
        if cursor is None or not 0 <= cursor.column < encoding.n_columns:
            return
        is_token = view.axis.token_at(cursor.position) is not None
        colour = _colour(view, cursor.position) if is_token else QColor(style.accent)
        x = self.area.to_x(cursor.position)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(style.pen(colour, 1.6))
        painter.drawLine(QPointF(x, 0), QPointF(x, self.area.rect().height()))
        if encoding.has_value(cursor.position):
            value = float(encode(encoding, [cursor.position], [cursor.column])[0, 0])
            painter.setPen(style.pen(style.paper, 1.5))
            painter.setBrush(colour)
            painter.drawEllipse(_place(self.area, view, cursor.position, cursor.column, value), 5.5, 5.5)


def _colour(view: WaveView, position: int) -> QColor:
    """The colour of the token at a position: that of its index, wherever distances are counted from."""
    return view.style.token(position - view.axis.tokens.start)


def _place(area: PlotArea, view: WaveView, position: int, column: int, value: float) -> QPointF:
    """Where a value of a column is, in the area's pixels."""
    return QPointF(area.to_x(position), area.to_y(column + view.rows.height(value)))
