"""THREE WAYS: a right rotation, the wrong convention and broken code, with one score each, at a shift of both."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QPainter
from typing_extensions import override

from posenc_core import Document, Encoding, Rotary
from posenc_core.numerics import FloatArray
from posenc_core.scripts import ways_script
from posenc_core.session import BOTH_SHIFT
from posenc_gui.figures import Figure, Need
from posenc_gui.look import Style
from posenc_gui.model import Cursor
from posenc_gui.panels.ways.painter import WaysLayout, draw_cards, draw_shifts, natural_height, way_look
from posenc_gui.panels.ways.view import WaysView, ways_numbers
from posenc_gui.plotting import Strip


class WaysFigure(Figure):
    """One query and one key, turned in three ways; dragging the line below shifts both positions."""

    name = "ways"
    title = "Three ways"
    hint = "a right rotation and two mistakes"
    explanation = (
        "One query and one key give one score in three ways. Right: the columns are paired as the model’s weights were "
        "trained. Wrong convention: they are paired in the other layout, which still is a rotation. Broken code: "
        "cosines and sines are laid out one way, and the columns are turned the other way. That is no rotation. Arcs "
        "above the columns are the layout of cosines and sines, those below that of the turn."
    )
    handling = "Drag the line below to shift both positions."
    more = (
        "In the wrong convention lengths stay, and so does the score when both positions are shifted, so the usual "
        "self-tests pass. Only a comparison of values with the model’s own finds it. Lengths and shifts find broken "
        "code."
    )
    least_size = (320, 220)
    export_size = (900, 360)
    controls = ("key_vector", "query_position", "key_position", BOTH_SHIFT.name)
    needs = Need("Three ways needs the pairs of a rotary encoding.", "Show RoPE", Rotary.family)
    has_numbers = True

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._shown: WaysView | None = None
        self._canvas = _Canvas(self)
        self.addItem(self._canvas, 0, 0)
        self._canvas.dragged.connect(self._drag)

    @classmethod
    @override
    def suits(cls, encoding: Encoding) -> bool:
        return encoding.rotation is not None

    @classmethod
    @override
    def numbers(cls, document: Document) -> Mapping[str, FloatArray]:
        return ways_numbers(document)

    def view(self) -> WaysView | None:
        """What the cards show: the last that could be computed; None for a family that rotates nothing."""
        return self._shown

    def ways_layout(self) -> WaysLayout:
        """The places of the parts at the present size."""
        return WaysLayout.of(self._canvas.rect())

    @property
    @override
    def has_picture(self) -> bool:
        return self._shown is not None

    @override
    def note(self, scale: float = 1.0) -> str:
        return self.problem or ("" if self._shown is None else self._shown.summary())

    @override
    def script(self) -> str:
        if self._shown is None:
            return super().script()
        self.check_shown()
        return ways_script(self.document, self._shown.summary(), [way_look(self.style, index) for index in range(3)])

    @override
    def export_height(self, width: float) -> int:
        return natural_height(width)

    @override
    def spoken(self) -> str:
        return self.note()

    @override
    def number(self) -> float | None:
        return None if self._shown is None else self._shown.ways[0].score

    @property
    def column(self) -> int | None:
        """The column that the cursor marks; None if the table does not have it."""
        at = None if self.cursor is None else self.cursor.column
        return at if at is not None and at < self.document.encoding.n_columns else None

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        self._canvas.update()

    @override
    def _document_shown(self, before: Document) -> None:
        self.problem = ""
        if not self.suits(self.document.encoding):
            self._shown = None
            return
        try:
            self._shown = WaysView.of(self.document)
        except ValueError as error:
            self.problem = str(error)

    def _drag(self, place: QPointF, gesture: object) -> None:
        shift = self.ways_layout().shift_at(place.x())
        if shift != self.document.view.both_shift:
            self.fieldEdited.emit(BOTH_SHIFT.name, shift, gesture)


class _Canvas(Strip):
    """Draws the cards and the lines. ``dragged`` carries a place on the lines, and the gesture."""

    dragged = Signal(object, object)

    def __init__(self, figure: WaysFigure) -> None:
        super().__init__()
        self._figure = figure
        self._gesture = object()
        self._is_held = False
        self.setFlag(self.GraphicsItemFlag.ItemClipsToShape)

    @override
    def draw(self, painter: QPainter) -> None:
        figure, rotation = self._figure, self._figure.document.encoding.rotation
        view, layout = figure.view(), figure.ways_layout()
        if view is None or rotation is None:
            return
        draw_cards(painter, rotation, view, layout, figure.style, figure.column)
        draw_shifts(painter, view, layout, figure.style)

    @override
    def mouseDragEvent(self, event: Any) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if event.isStart():
            self._gesture, self._is_held = object(), self._is_on_plot(event.buttonDownPos())
        if self._is_held:
            event.accept()
            self.dragged.emit(event.pos(), self._gesture)

    @override
    def mouseClickEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._is_on_plot(event.pos()):
            event.accept()
            self.dragged.emit(event.pos(), object())

    def _is_on_plot(self, place: QPointF) -> bool:
        return self._figure.ways_layout().plot.adjusted(-6, 0, 6, 10).contains(place)
