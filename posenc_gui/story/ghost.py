"""The ghost: a prediction, left as a mark in a panel on the screen. Files never have it."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget
from typing_extensions import override

from posenc_gui.figures import Figure, Pointing, Rows
from posenc_gui.layers import AMPLITUDE, RowScale
from posenc_gui.look import LABEL_PX, LAYER_CURSOR, PlainLabel, Style, dress
from posenc_gui.plotting import PlotArea

ANY = -1
"""In place of a position or a column: all positions or columns."""

_PADDING, _INSET, _CORNER = 6.0, 6.0, 4.0
_DASHES = [4.0, 3.0]
_LEAST_CELL = 9.0

Line = tuple[tuple[float, float], ...]
"""Points (position, value), from left to right."""


class Frame(Struct, frozen=True):
    """Ranges of the waves while a line is drawn: the positions across, and the values of a row."""

    positions: tuple[int, int]
    """The first and the last one."""
    values: tuple[float, float]
    """The smallest and the largest one."""

    @property
    def across(self) -> tuple[float, float]:
        """The positions at the left and right edge."""
        return self.positions[0] - 0.5, self.positions[1] + 0.5

    def position_at(self, across: float) -> float:
        """The position at a share of the width from the left."""
        left, right = self.across
        return left + across * (right - left)

    def value_at(self, height: float) -> float:
        """The value at a height over the middle of its row, in rows."""
        low, high = self.values
        return (low + high) / 2 + height * (high - low) / (2 * AMPLITUDE)


class Ghost(Struct, frozen=True):
    """A prediction: in ``words``, and if it has a place, as a ``cell`` (position, column) or a drawn ``line``.

    ``ANY`` in the cell means all positions or columns. The line is over the wave of ``column``; ``frame`` is the
    paper for a drawing, which covers the figure, None for the axes of the waves. ``pen`` is the point at which the
    keyboard draws, or None. ``hides_labels``: nothing is predicted yet, and the names of the waves are covered.
    """

    words: str = ""
    cell: tuple[int, int] | None = None
    line: Line = ()
    column: int = 0
    frame: Frame | None = None
    pen: tuple[float, float] | None = None
    hides_labels: bool = False


class Cover(PlainLabel):
    """A label over a part of the window that would reveal the answer before the prediction."""

    def __init__(self, part: QWidget) -> None:
        super().__init__("Shown with the answer", part)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAutoFillBackground(True)
        self._part = part
        dress(self, LABEL_PX)
        part.installEventFilter(self)

    def show_over(self) -> None:
        """Cover the part."""
        self._fit()
        self.raise_()
        self.show()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return False

    def _fit(self) -> None:
        self.setGeometry(self._part.rect().adjusted(1, 1, -1, -1))


class GhostMark(QGraphicsItem):
    """Draws the ``ghost`` over the figure of a panel. Figures made for exports have none.

    Without a plot area the words would cover the picture; the panel's header shows them.
    """

    def __init__(self, figure: Figure) -> None:
        super().__init__(figure)
        self._figure = figure
        self.ghost = Ghost()
        self.setZValue(LAYER_CURSOR + 1)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        figure.geometryChanged.connect(self._resized)

    def show_ghost(self, ghost: Ghost) -> None:
        """Draw this one."""
        self.ghost = ghost
        self.update()

    @override
    def boundingRect(self) -> QRectF:
        return QRectF(QPointF(0, 0), self._figure.size())

    def _resized(self) -> None:
        self.prepareGeometryChange()
        self.update()

    @override
    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        ghost, figure = self.ghost, self._figure
        if widget is None or ghost == Ghost():
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if ghost.hides_labels:
            for labels in figure.pointing.labels:
                painter.fillRect(labels.mapRectToItem(figure, labels.boundingRect()), QColor(figure.style.paper))
        area = figure.pointing.area
        if area is not None:
            if ghost.frame is not None:
                self._draw_paper(painter, area, ghost.frame)
            painter.save()
            painter.setClipRect(area.mapRectToItem(figure, area.rect()))
            place = area.mapToItem(figure, QPointF(0, 0))
            painter.translate(place)
            for shape in _shapes(figure.pointing, area, ghost):
                _draw_dashed(painter, shape, figure.style)
            painter.restore()
            if ghost.words:
                self._draw_words(painter, area, ghost.words)

    def _draw_paper(self, painter: QPainter, area: PlotArea, frame: Frame) -> None:
        """Cover the figure, whose axes and curves would reveal the answer, with the frame of the row to draw in."""
        figure, style, rows = self._figure, self._figure.style, self._figure.pointing.rows
        row = None if rows is None else rows.row_of(self.ghost.column)
        painter.fillRect(figure.rect(), QColor(style.paper))
        if row is None:
            return
        room = area.mapRectToItem(figure, area.rect())
        top, bottom = (room.top() + area.to_y(row + side * AMPLITUDE) for side in (1, -1))
        box = QRectF(QPointF(room.left(), top), QPointF(room.right(), bottom)).normalized()
        painter.setPen(style.pen(style.border))
        painter.drawRect(box)
        painter.setPen(style.pen(style.muted))
        painter.setFont(style.font(LABEL_PX))
        below, left = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignLeft
        first, last = (f"position {each}" for each in frame.positions)
        strip = QRectF(box.left(), box.bottom() + _INSET / 2, box.width(), figure.size().height())
        painter.drawText(strip, below | left, first)
        painter.drawText(strip, below | Qt.AlignmentFlag.AlignRight, last)
        side = QRectF(0, box.top(), box.left() - _INSET, box.height())
        for words, edge in (("largest", below), ("smallest", Qt.AlignmentFlag.AlignBottom)):
            painter.drawText(side, edge | Qt.AlignmentFlag.AlignRight, words)

    def _draw_words(self, painter: QPainter, area: PlotArea, words: str) -> None:
        """The words that fit, in a box below the end of the line, or else at the upper right."""
        figure, style = self._figure, self._figure.style
        room = area.mapRectToItem(figure, area.rect())
        painter.setFont(style.font(LABEL_PX))
        metrics = painter.fontMetrics()
        text = metrics.elidedText(words, Qt.TextElideMode.ElideRight, int(room.width() - 2 * (_INSET + _PADDING)))
        size = metrics.boundingRect(text).size()
        box = QRectF(0, 0, metrics.horizontalAdvance(text) + 2 * _PADDING, size.height() + _PADDING)
        box.moveTopRight(room.topRight() + QPointF(-_INSET, _INSET))
        end = self._line_end(area)
        if end is not None:
            box.moveTop(min(end.y() + _INSET, room.bottom() - _INSET - box.height()))
        ground = QColor(style.paper)
        ground.setAlphaF(0.92)
        painter.setBrush(ground)
        pen = style.pen(style.ink, 1.0)
        pen.setDashPattern(_DASHES)
        painter.setPen(pen)
        painter.drawRoundedRect(box, _CORNER, _CORNER)
        painter.setPen(style.pen(style.ink))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _line_end(self, area: PlotArea) -> QPointF | None:
        """The last point of the line, in the figure; None where the figure shows no line."""
        figure, rows = self._figure, self._figure.pointing.rows
        if not self.ghost.line or rows is None:
            return None
        points = [shape.last() for shape in _line_shapes(rows, area, self.ghost) if isinstance(shape, QPolygonF)]
        return area.mapToItem(figure, points[0]) if points else None


def _shapes(pointing: Pointing[Any], area: PlotArea, ghost: Ghost) -> Iterator[QPolygonF | QRectF]:
    """Shapes of the ghost, in the area's pixels."""
    if (ghost.line or ghost.pen) and pointing.rows is not None:
        yield from _line_shapes(pointing.rows, area, ghost)
    if ghost.cell is not None:
        position, column = (None if each == ANY else each for each in ghost.cell)
        rect = pointing.rect_of(position, column)
        if rect is not None:
            yield _at_least(rect)


def _line_shapes(rows: Rows, area: PlotArea, ghost: Ghost) -> Iterator[QPolygonF | QRectF]:
    row, frame = rows.row_of(ghost.column), ghost.frame
    if row is None:
        return
    height_of = rows.height_of if frame is None else RowScale(*frame.values).height
    left, right = (0.0, 1.0) if frame is None else frame.across
    width = area.rect().width()

    def place(x: float, value: float) -> QPointF:
        across = area.to_x(x) if frame is None else width * (x - left) / (right - left)
        return QPointF(across, area.to_y(row + height_of(value)))

    yield QPolygonF([place(*point) for point in ghost.line])
    if ghost.pen is not None:
        half = QPointF(_LEAST_CELL / 2, _LEAST_CELL / 2)
        yield QRectF(place(*ghost.pen) - half, place(*ghost.pen) + half)


def _at_least(rect: QRectF) -> QRectF:
    """The rectangle, around the same middle, large enough to be seen."""
    centre = rect.center()
    rect.setWidth(max(rect.width(), _LEAST_CELL))
    rect.setHeight(max(rect.height(), _LEAST_CELL))
    rect.moveCenter(centre)
    return rect.adjusted(1, 1, -1, -1)


def _draw_dashed(painter: QPainter, shape: QPolygonF | QRectF, style: Style) -> None:
    """A dashed line in ink on a line of paper, to show on every colour."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    dashed = style.pen(style.ink, 2.0)
    dashed.setDashPattern([dash / 2 for dash in _DASHES])
    for pen in (style.pen(style.paper, 4.0), dashed):
        painter.setPen(pen)
        if isinstance(shape, QRectF):
            painter.drawRect(shape)
        else:
            painter.drawPolyline(shape)
