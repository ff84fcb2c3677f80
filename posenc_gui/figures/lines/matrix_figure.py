"""A figure of lines above a matrix, which is all that a low one shows."""

import math
from functools import partial
from typing import Any

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QGraphicsItem
from typing_extensions import override

from posenc_core import Document
from posenc_gui.figures.cell_figure import CellFrame
from posenc_gui.figures.lines.line_figure import LineFigure
from posenc_gui.look import Style
from posenc_gui.plotting import PlotArea, wheel_zoom

LINES_SHARE, _MATRIX_SHARE = 2, 5
"""Shares of the height."""

_LEAST_HEIGHT = 255.0
"""A lower figure, in pixels, has room for its matrix alone."""

_MATRIX_GAP = 4.0
_ANY_HEIGHT = 16777215.0
"""Qt's largest size of an item."""


class MatrixFigure(LineFigure):
    """Lines above, ``matrix`` below, which ``window`` is of. Subclasses fill in ``_frame`` and ``_point_cell``.

    The matrix is in row 4 and column 2 of the layout; row 3 is above it, row 5 below it.
    """

    has_legend_row = False

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self.matrix = PlotArea(down=True)
        self.addItem(self.matrix, 4, 2)
        self._heights = [(item, item.maximumHeight()) for item in (self._bottom, self._bottom_name)]
        self.layout.setRowSpacing(3, 0)
        self.layout.setRowSpacing(4, 0)
        self.layout.setRowStretchFactor(4, _MATRIX_SHARE)
        self.layout.setRowPreferredHeight(4, 100.0 * _MATRIX_SHARE)
        CellFrame(self.matrix, self._frame, self._is_held)
        self.matrix.hovered.connect(partial(self._point_place_of_cell, pinned=False))
        self.matrix.clicked.connect(partial(self._point_place_of_cell, pinned=True))
        self.matrix.wheeled.connect(self._zoom)
        self.matrix.resetAsked.connect(self.reset_window)
        self.matrix.sigRangeChanged.connect(self.noteChanged)
        self.geometryChanged.connect(self._fit_lines)

    @property
    @override
    def main_area(self) -> PlotArea:
        return self.matrix

    @override
    def _document_shown(self, before: Document) -> None:
        super()._document_shown(before)
        self._fit_lines()

    def _fit_lines(self) -> None:
        """Show the plot of lines, or leave its room to the matrix."""
        has_room = self.size().height() >= _LEAST_HEIGHT
        items: tuple[QGraphicsItem, ...] = (*self.areas, *self._axes, *self._names, self._bottom, self._bottom_name)
        for item in items:
            item.setVisible(has_room)
        for strip, height in self._heights:
            strip.setFixedHeight(height if has_room else 0.0)
        for row in range(self.n_plots + 2):
            self.layout.setRowMaximumHeight(row, _ANY_HEIGHT if has_room else 0.0)
            self.layout.setRowSpacing(row, _MATRIX_GAP if has_room and row > self.n_plots else 0.0)
            if row < self.n_plots:
                self.layout.setRowStretchFactor(row, LINES_SHARE if has_room else 0)
                self.layout.setRowPreferredHeight(row, 100.0 * LINES_SHARE if has_room else 0.0)

    def _is_held(self) -> bool:
        return self.cursor is not None and self.cursor.pinned

    def _frame(self) -> QRectF | None:
        """The marked cells in the matrix's pixels; None if no cell is marked."""
        raise NotImplementedError

    def _point_cell(self, row: int, column: int, pinned: bool) -> None:
        """Point at a cell, if it exists."""
        raise NotImplementedError

    def _point_place_of_cell(self, x: float, y: float, pinned: bool) -> None:
        self._point_cell(math.floor(y + 0.5), math.floor(x + 0.5), pinned)

    def _zoom(self, event: Any) -> None:
        factor = wheel_zoom(event)
        self.matrix.zoom((factor, factor), QPointF(event.pos()))

    @override
    def reset_window(self) -> None:
        super().reset_window()
        self.matrix.show_all()
