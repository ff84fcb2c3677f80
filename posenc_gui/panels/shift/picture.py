"""The largest error of each mapped row above, on a logarithmic axis; the matrix below."""

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
from posenc_gui.plotting import ColorKey


class ShiftFigure(MatrixFigure):
    """Errors by position above the cells of the map."""

    spec, plots, pointing_class = SPEC, plots, ShiftPointing
    has_legend_row = True

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._shift: Shift | None = None
        self._key = ColorKey(style)
        self.addItem(AxisLabel(self.matrix, style, True, "column of row p + k", size=18), 4, 0)
        self.addItem(self._key, 4, 3)
        self.addItem(AxisLabel(self.matrix, style, False, "column of row p", size=18), 5, 2)
        MapCells(self.matrix, self.view)

    @override
    def view(self, scale: float = 1.0) -> ShiftView:
        return ShiftView(*self.shown(), self._plots, self._shift)

    @override
    def _document_shown(self, before: Document) -> None:
        super()._document_shown(before)
        if self.problem or not self.has_picture:
            return
        self._shift = shift_of(self.document, self.document.encoding)
        ends = (-0.5, len(self._shift.matrix) - 0.5)
        self.matrix.set_extent(ends, ends)
        self._style_shown()

    @override
    def _style_shown(self) -> None:
        is_cut = self._shift is not None and self._shift.is_ill_conditioned
        title = f"entry, {100 * COLOURED:.0f}\u00a0% within (no unit)" if is_cut else "entry (no unit)"
        self._key.show_scale(self.view().colors, title, self.style)


FIGURE = ShiftFigure
