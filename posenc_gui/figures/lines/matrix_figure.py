"""A figure of lines above a matrix; a low figure shows only the matrix."""

from typing import ClassVar

from typing_extensions import override

from posenc_core import Document
from posenc_gui.figures.cell_figure import CellFrame
from posenc_gui.figures.lines.line_figure import LineFigure, LineViewport
from posenc_gui.figures.lines.line_plot import LINES_SHARE
from posenc_gui.look import Style
from posenc_gui.plotting import PlotArea

_MATRIX_SHARE = 5
"""Share of the height of the matrix."""

_MATRIX_GAP = 4.0


class MatrixViewport(LineViewport):
    """The viewport of the matrix; a reset shows all of the lines too."""

    _figure: "MatrixFigure"

    @property
    def _area(self) -> PlotArea:
        return self._figure.matrix

    @override
    def reset(self) -> None:
        super().reset()
        self._area.show_all()


class MatrixFigure(LineFigure):
    """Lines above, ``matrix`` below, whose cells ``pointing`` turns into cursors.

    The matrix is in row 4 and column 2 of the layout; row 3 is above it, row 5 below it. A figure lower than
    ``least_height``, in pixels at the usual size of text, has room for its matrix alone.
    """

    least_height: ClassVar[float] = 255.0
    has_legend_row = divides_rows = False
    viewport_class = MatrixViewport

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self.matrix = PlotArea(down=True)
        self.pointing.area = self.matrix
        self.addItem(self.matrix, 4, 2)
        self.layout.setRowSpacing(3, 0)
        self.layout.setRowSpacing(4, 0)
        self.layout.setRowStretchFactor(4, _MATRIX_SHARE)
        self.layout.setRowPreferredHeight(4, 100.0 * _MATRIX_SHARE)
        CellFrame(self.matrix, self.pointing.frame, self.pointing.is_held)
        self.matrix.hovered.connect(self.point)
        self.matrix.clicked.connect(self._hold_cell)
        self.matrix.wheeled.connect(self.viewport.wheeled)
        self.matrix.resetAsked.connect(self.viewport.reset)
        self.matrix.sigRangeChanged.connect(self.noteChanged)
        self.geometryChanged.connect(self._fit_lines)

    @override
    def _document_shown(self, before: Document) -> None:
        super()._document_shown(before)
        self._fit_lines()

    def _hold_cell(self, x: float, y: float) -> None:
        self.point(x, y, pinned=True)

    def _fit_lines(self) -> None:
        """Show the plot of lines, or leave its room to the matrix."""
        is_high = self.size().height() >= self.least_height * max(1.0, self.style.text_scale)
        has_rows = is_high and self.is_above
        self.show_lines(is_high or not self.is_above)
        for row in range(self.n_plots + 2):
            self.layout.setRowSpacing(row, _MATRIX_GAP if has_rows and row > self.n_plots else 0.0)
            if row < self.n_plots:
                self.layout.setRowStretchFactor(row, LINES_SHARE if has_rows else 0)
                self.layout.setRowPreferredHeight(row, 100.0 * LINES_SHARE if has_rows else 0.0)
