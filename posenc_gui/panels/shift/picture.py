"""The largest error of each mapped row above, on a logarithmic axis; the matrix below."""

from PySide6.QtCore import Qt
from typing_extensions import override

from posenc_core import Document
from posenc_gui.figures import AxisLabel
from posenc_gui.figures.lines import MatrixFigure
from posenc_gui.look import Style
from posenc_gui.panels.shift.cells import MapCells
from posenc_gui.panels.shift.maps import COLOURED, Shift, shift_of
from posenc_gui.panels.shift.plots import plots
from posenc_gui.panels.shift.pointing import ShiftPointing, ShiftView
from posenc_gui.panels.shift.spec import SPEC
from posenc_gui.plotting import Axis, ColorKey, PlaceNumbers


class ShiftFigure(MatrixFigure):
    """Errors by position above the cells of the map."""

    spec, plots, pointing_class = SPEC, plots, ShiftPointing
    has_legend_row = True

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._shift: Shift | None = None
        self._key = ColorKey(style)
        self._counts = Axis(self.matrix, style, True, 24), Axis(self.matrix, style, False, 16)
        self.addItem(AxisLabel(self.matrix, style, True, "column of row p + k", size=18), 4, 0)
        self.addItem(self._key, 4, 3)
        self.addItem(self._counts[0], 4, 1)
        self.layout.setAlignment(self._counts[0], Qt.AlignmentFlag.AlignRight)  # the axis of the lines may be wider
        self.addItem(self._counts[1], 5, 2)
        self.addItem(AxisLabel(self.matrix, style, False, "column of row p", size=18), 6, 2)
        self.layout.setRowSpacing(5, 0)
        for axis in self._counts:
            axis.number(self._numbers)
        MapCells(self.matrix, self.view)
        # After the layouts: another note may need another line.
        self.matrix.sigResized.connect(self.noteChanged, Qt.ConnectionType.QueuedConnection)

    @override
    def view(self, scale: float = 1.0) -> ShiftView:
        return ShiftView(*self.shown(), self._plots, self._shift, self.matrix)

    @override
    def _document_shown(self, before: Document) -> None:
        super()._document_shown(before)
        if self.problem or not self.has_picture:
            return
        self._shift = shift_of(self.document, self.document.encoding)
        columns = self._shift.columns
        ends = (-0.5, len(columns) - 0.5)
        self.matrix.set_extent(ends, ends)
        self._counts[0].fit(0, int(columns[-1]))
        self._style_shown()

    def _numbers(self) -> PlaceNumbers | None:
        """The columns beside the matrix; None for all columns, which are numbered as usual."""
        columns = None if self._shift is None else self._shift.columns
        if columns is None or columns[-1] == len(columns) - 1:
            return None
        return PlaceNumbers(((0, len(columns)),), lambda place: int(columns[place]))

    @override
    def _style_shown(self) -> None:
        is_cut = self._shift is not None and self._shift.is_ill_conditioned
        title = f"entry, {100 * COLOURED:.0f}\u00a0% within (no unit)" if is_cut else "entry (no unit)"
        self._key.show_scale(self.view().colors, title, self.style)


FIGURE = ShiftFigure
