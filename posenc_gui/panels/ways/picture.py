"""One query and one key, turned in three ways; dragging the line below shifts both positions."""

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter
from typing_extensions import override

from posenc_core import Document
from posenc_gui.figures import CanvasFigure, Viewport
from posenc_gui.look import Style
from posenc_gui.panels.ways.clock import draw_clock
from posenc_gui.panels.ways.numbers import WaysView
from posenc_gui.panels.ways.painter import draw_cards, draw_shifts, natural_height
from posenc_gui.panels.ways.pointing import WaysPointing, WaysShown
from posenc_gui.panels.ways.spec import BOTH_SHIFT, SPEC


class WaysViewport(Viewport[WaysShown]):
    """Everything, as high as the cards need."""

    @override
    def export_height(self, width: float) -> int:
        return natural_height(width)


class WaysFigure(CanvasFigure):
    """Three cards above the scores over the shift."""

    spec, pointing_class, viewport_class = SPEC, WaysPointing, WaysViewport

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._ways: WaysView | None = None

    @override
    def view(self, scale: float = 1.0) -> WaysShown:
        return WaysShown(*self.shown(), self._ways, self.room)

    @property
    @override
    def has_picture(self) -> bool:
        return self._ways is not None

    @override
    def draw(self, painter: QPainter) -> None:
        shown = self.view()
        rotation = shown.encoding.rotation
        if shown.ways is not None and rotation is not None:
            draw_cards(painter, rotation, shown.ways, shown.layout, shown.style, shown.column)
            draw_shifts(painter, shown.ways, shown.layout, shown.style)
            draw_clock(painter, shown.hands, shown.layout.clock, shown.style)

    @override
    def handle_at(self, place: QPointF) -> object | None:
        return BOTH_SHIFT if self.view().layout.plot.adjusted(-6, 0, 6, 10).contains(place) else None

    @override
    def _document_shown(self, before: Document) -> None:
        self._ways = self._computed(WaysView.of, None, self._ways)

    @override
    def _clicked(self, place: QPointF, is_shifted: bool) -> None:
        if self.handle_at(place) is not None:
            self._dragged(BOTH_SHIFT, place, object())

    @override
    def _dragged(self, handle: object, place: QPointF, gesture: object) -> None:
        shift = self.view().layout.shift_at(place.x())
        if shift != self.document.option(BOTH_SHIFT):
            self.fieldEdited.emit(BOTH_SHIFT.name, shift, gesture)


FIGURE = WaysFigure
