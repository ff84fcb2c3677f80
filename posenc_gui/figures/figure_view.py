"""The widget that shows a figure on a screen, or carries it for a file."""

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QMargins, QObject, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleValueChangeEvent,
    QColor,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QRegion,
)
from PySide6.QtWidgets import QFrame, QWidget
from typing_extensions import override

from posenc_gui.figures.figure import Figure

_SENTENCE_PX, _MARGIN_PX = 13, 16


class FigureView(pg.GraphicsView):
    """Shows a figure, leaves keys to the card, and emits ``painted`` after each paint event.

    ``problem`` is a sentence on an incomplete picture; empty for a complete one.
    """

    painted = Signal()
    problemChanged = Signal()

    def __init__(self, figure: Figure, parent: QWidget | None = None) -> None:
        super().__init__(parent, useOpenGL=False, background=None)
        self.figure = figure
        self.exposed = QRegion()
        self.problem = ""
        self.setCentralItem(figure)
        self.setFrameShape(QFrame.Shape.NoFrame)
        figure.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # words extend beyond the rectangles that Qt repaints
            self.viewport().update()
        return super().eventFilter(watched, event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        self.exposed = event.region()
        before, self.problem = self.problem, "" if event.rect() == self.viewport().rect() else self.problem
        super().paintEvent(event)
        if self.figure.problem and not self.figure.has_picture:
            self._write(self.figure.problem)
        if self.problem != before:
            self.problemChanged.emit()
        self.painted.emit()

    def _write(self, sentence: str) -> None:
        """Write why there is no picture in its place."""
        painter, style, place = QPainter(self.viewport()), self.figure.style, self.viewport().rect()
        painter.fillRect(place, QColor(style.paper))
        painter.setFont(style.font(_SENTENCE_PX))
        painter.setPen(style.pen(style.muted))
        margins = QMargins(_MARGIN_PX, _MARGIN_PX, _MARGIN_PX, _MARGIN_PX)
        painter.drawText(place - margins, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, sentence)

    def refuse(self, sentence: str) -> None:
        """Show why a part of the picture is missing."""
        self.problem = sentence

    def tell_mark(self, sentence: str) -> None:
        """Report the marked cell of the card with the focus to a screen reader, if there is one."""
        card = self.parentWidget()
        if QAccessible.isActive() and card is not None and card.hasFocus():
            QAccessible.updateAccessibility(QAccessibleValueChangeEvent(card, sentence))
