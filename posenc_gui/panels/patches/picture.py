"""A cell for each patch of a frame, rows down and columns across, coloured by its score with the query."""

from typing_extensions import override

from posenc_core import Document
from posenc_gui.figures import AreaViewport, AxisLabel, CellFigure
from posenc_gui.look import Style
from posenc_gui.model import Cursor
from posenc_gui.panels.patches.cells import PatchCells, PatchView, QueryMark
from posenc_gui.panels.patches.pointing import PatchesPointing
from posenc_gui.panels.patches.spec import SPEC
from posenc_gui.plotting import Axis, ColorKey, moved_to_hold

_TOP = 8.0
_NARROW = 320.0


class PatchesViewport(AreaViewport[PatchView]):
    """The viewport of rows and columns."""

    @override
    def show_cell(self, cursor: Cursor) -> None:
        place = self.view.place_of(cursor.position)
        if place is not None:
            row, column = place
            self._area.show_window(moved_to_hold(self._area.across, column), moved_to_hold(self._area.upright, row))


class PatchesFigure(CellFigure):
    """The patches between numbers of rows and columns."""

    spec, pointing_class, viewport_class = SPEC, PatchesPointing, PatchesViewport

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._left = Axis(self.area, style, upright=True, size=24)
        self._key, self._key_below = ColorKey(style), ColorKey(style, across=True)
        self.addItem(AxisLabel(self.area, style, True, "row", size=18), 0, 0)
        self.addItem(self._left, 0, 1)
        self.addItem(self.area, 0, 2)
        self.addItem(self._key, 0, 3)
        self.addItem(Axis(self.area, style, upright=False, size=16), 1, 2)
        self.addItem(AxisLabel(self.area, style, False, "column", size=18), 2, 2)
        self.addItem(self._key_below, 3, 0, 1, 4)
        self.layout.setContentsMargins(0, _TOP, 0, 0)
        PatchCells(self.area, self.view)
        QueryMark(self.area, self.view)
        self.geometryChanged.connect(self._style_shown)
        self._document_shown(self.document)

    @override
    def view(self, scale: float = 1.0) -> PatchView:
        return PatchView(*self.shown(), self.area)

    @override
    def _document_shown(self, before: Document) -> None:
        tall, wide = self.view().size
        self.area.set_extent((-0.5, wide - 0.5), (-0.5, tall - 0.5))
        self._left.fit(0, tall - 1)
        self._style_shown()

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        self.update_all()
        self.noteChanged.emit()

    @override
    def _style_shown(self) -> None:
        """Show the colour bar, below a narrow picture."""
        narrow = self.size().width() < _NARROW * max(1.0, self.style.text_scale)
        shown, hidden = (self._key_below, self._key) if narrow else (self._key, self._key_below)
        hidden.hide_scale()
        shown.show_scale(self.view().colors, "score of ones (no unit)", self.style)


FIGURE = PatchesFigure
