"""A map of pairs by positions for each encoding; pointing at a row marks its pair."""

from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter
from typing_extensions import override

from posenc_core import Document
from posenc_gui.figures import CanvasFigure, Choice, Switch, Viewport
from posenc_gui.look import Style
from posenc_gui.panels.unseen.numbers import UnseenMaps
from posenc_gui.panels.unseen.painter import draw_maps
from posenc_gui.panels.unseen.pointing import UnseenPointing, UnseenShown
from posenc_gui.panels.unseen.spec import SPEC

_LINEAR, _LOGARITHMIC = "linear", "logarithmic"
_AXES = (
    Choice(_LINEAR, "Linear", "Positions at equal distances"),
    Choice(_LOGARITHMIC, "Log", "Positions over a logarithmic axis (View > Logarithmic positions)"),
)


class UnseenViewport(Viewport[UnseenShown]):
    """Everything, over one of two axes."""

    @override
    def switches(self) -> tuple[Switch, ...]:
        chosen = _LOGARITHMIC if self.view.document.view.logarithmic else _LINEAR
        return () if self.view.all_maps is None else (Switch("axis", _AXES, chosen),)

    @override
    def choose(self, switch: str, value: str | int) -> None:
        self._figure.fieldEdited.emit("logarithmic", value == _LOGARITHMIC, object())


class UnseenFigure(CanvasFigure):
    """The maps with the line L, which can be dragged."""

    spec, pointing_class, viewport_class = SPEC, UnseenPointing, UnseenViewport

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._maps: UnseenMaps | None = None
        self.canvas.dropped.connect(self._dropped)
        self.geometryChanged.connect(self.noteChanged)  # the note counts the visible maps

    @override
    def view(self, scale: float = 1.0) -> UnseenShown:
        return UnseenShown(*self.shown(), self._maps, self.room)

    @property
    @override
    def has_picture(self) -> bool:
        return self._maps is not None

    @override
    def draw(self, painter: QPainter) -> None:
        shown = self.view()
        maps = shown.maps
        if maps is not None:
            draw_maps(painter, maps, shown.layout(maps), shown.style, shown.pair)

    @override
    def handle_at(self, place: QPointF) -> object | None:
        return self.view().line_at(place)

    @override
    def _document_shown(self, before: Document) -> None:
        held, self._maps = self._maps, self._computed(UnseenMaps.of, None, self._maps)
        if self.canvas.is_dragging and held is not None and self._maps is not None:  # the line stays under the mouse
            self._maps = replace(self._maps, across=held.across)

    @override
    def _dragged(self, handle: Any, place: QPointF, gesture: object) -> None:
        shown = self.view()
        maps = shown.maps
        if maps is not None and handle < len(maps.maps):
            layout = shown.layout(maps)
            length = max(1, round(layout.position_at(layout.plots[handle], place.x())))
            if length != self.document.lengths.seen.trained:
                self.fieldEdited.emit("trained_length", length, gesture)

    def _dropped(self) -> None:
        """Show the axis of the length that the line was dragged to."""
        self._document_shown(self.document)
        self.update_all()


FIGURE = UnseenFigure
