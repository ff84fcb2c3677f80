"""UNSEEN ANGLES: the positions at which the pairs of an encoding and its scalings leave the arcs of their training."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QPainter
from typing_extensions import override

from posenc_core import Document, Encoding, Rotary
from posenc_core.encodings import n_whole_pairs
from posenc_core.long_context import NEVER
from posenc_core.numerics import FloatArray
from posenc_core.scripts import DrawnMap, unseen_script
from posenc_gui.figures import Choice, Figure, Need, Switch
from posenc_gui.figures.lines import line_pen, turns_pairs
from posenc_gui.layers import cursor_pair, pair_column
from posenc_gui.look import Style
from posenc_gui.model import TARGET_LENGTHS, Cursor, UnseenPair
from posenc_gui.panels.unseen.maps import UnseenMaps, unseen_numbers
from posenc_gui.panels.unseen.painter import LINE_REACH, MapsLayout, draw_maps, unseen_colours
from posenc_gui.plotting import Strip

_LINEAR, _LOGARITHMIC = "linear", "logarithmic"
_AXES = (
    Choice(_LINEAR, "Linear", "Positions at equal distances"),
    Choice(_LOGARITHMIC, "Log", "Positions over a logarithmic axis, as View > Logarithmic positions has it"),
)


class UnseenFigure(Figure):
    """A map of pairs by positions for each encoding; pointing at a row marks its pair."""

    name = "unseen"
    title = "Unseen angles"
    hint = "which angles training never showed"
    explanation = (
        "One map an encoding: pairs from fast to slow by positions up to the target length L′. A pair that turned at "
        "least once within the trained length L saw the full circle. A slower one saw an arc, and is outside it where "
        "its angle is larger than any in training. Unseen describes single pairs: it does not measure quality."
    )
    handling = "Drag the dotted line L, or type both lengths. Up and Down choose the pair."
    more = (
        "The maps are the encoding as trained, its own scaling, those that Spectrum compares, and encodings B to D. L "
        "is what the files say; the text that the model saw may have been shorter. Scores see distances of tokens, "
        "which reach as far as positions do. In the numbers, −1 stands for a pair that never is unseen."
    )
    least_size = (290, 220)
    export_size = (900, 520)
    controls = ("trained_length", "target_length")
    course = TARGET_LENGTHS
    needs = Need("Unseen angles needs pairs that turn with the position.", "Show RoPE", Rotary.family)
    has_numbers = True

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._shown: UnseenMaps | None = None
        self._canvas = _Canvas(self)
        self.addItem(self._canvas, 0, 0)
        self._canvas.pointed.connect(self._pointed)
        self._canvas.dragged.connect(self._drag)
        self._canvas.dropped.connect(self._drop)

    @classmethod
    @override
    def suits(cls, encoding: Encoding) -> bool:
        return turns_pairs(encoding)

    @classmethod
    @override
    def numbers(cls, document: Document) -> Mapping[str, FloatArray]:
        return unseen_numbers(document)

    def maps(self) -> UnseenMaps | None:
        """The maps that are shown: of the last computed ones those that fit; None for a family without pairs."""
        maps = self._shown
        return None if maps is None else maps.first(MapsLayout.n_fitting(maps, self._canvas.rect()))

    def maps_layout(self, maps: UnseenMaps) -> MapsLayout:
        """The places of the maps at the present size."""
        return MapsLayout.of(maps, self._canvas.rect())

    @property
    def pair(self) -> int | None:
        """The cursor's pair; None for a column that no pair has."""
        return cursor_pair(self.document.encoding, self.cursor)

    @property
    @override
    def has_picture(self) -> bool:
        return self._shown is not None

    @override
    def note(self, scale: float = 1.0) -> str:
        maps, shown = self._shown, self.maps()
        if maps is None or shown is None or self.problem:
            return self.problem
        chosen, pair, n_shown = maps.maps[maps.chosen], self.pair, len(shown.maps)
        tallest = max(plot.height() for plot in self.maps_layout(shown).plots)
        parts = [
            f"{n_shown} of {len(maps.maps)} maps: the others need more room" if n_shown < len(maps.maps) else "",
            f"{chosen.title}: {chosen.count_words(maps.lengths.target)[0]}",
            chosen.factor_words,
            "" if pair is None or pair >= chosen.n_pairs else f"pair {pair:,}: {chosen.pair_words(pair)}",
            *maps.left_out,
            "each row of pixels shows the first of its pairs to leave" if maps.most_pairs > tallest else "",
            "of single pairs, no measure of quality",
        ]
        return " · ".join(filter(None, parts))

    @override
    def script(self) -> str:
        maps, style = self._shown, self.style
        if maps is None:
            return super().script()
        self.check_shown()
        drawn = [DrawnMap(each.title, line_pen(style, each.look).color().name(), each.encoding) for each in maps.maps]
        full, inside, outside = (colour.name() for colour in unseen_colours(style))
        return unseen_script(drawn, maps.lengths, maps.across.logarithmic, (full, inside, outside))

    @override
    def switches(self) -> tuple[Switch, ...]:
        chosen = _LOGARITHMIC if self.document.view.logarithmic else _LINEAR
        return () if self._shown is None else (Switch("axis", _AXES, chosen),)

    @override
    def choose(self, switch: str, value: str | int) -> None:
        self.fieldEdited.emit("logarithmic", value == _LOGARITHMIC, object())

    @override
    def spoken(self) -> str:
        return self.note()

    @override
    def number(self) -> float | None:
        maps, pair = self._shown, self.pair
        if maps is None or pair is None or pair >= maps.maps[maps.chosen].n_pairs:
            return None
        first = int(maps.maps[maps.chosen].angles.first[pair])
        return None if first == NEVER else float(first)

    @override
    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        step = {Qt.Key.Key_Up: -times, Qt.Key.Key_Down: times}.get(key, 0)
        if not step or not self.suits(self.document.encoding):
            return None
        last = n_whole_pairs(self.document.encoding) - 1
        return self._cursor_at(min(max((self.pair or 0) + step, 0), last), None, True)

    def _cursor_at(self, pair: int, index: int | None, pinned: bool) -> Cursor:
        """The cursor at a pair, in the map at the index or in the chosen one."""
        maps = self._shown
        shown = None if maps is None else maps.maps[maps.chosen if index is None else index]
        column = pair_column(self.document.encoding, pair)
        subject = UnseenPair(shown.index, shown.scaling, pair) if shown is not None and pair < shown.n_pairs else None
        return Cursor(0 if self.cursor is None else self.cursor.position, column, pinned, subject=subject)

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        self._canvas.update()
        self.noteChanged.emit()

    @override
    def _document_shown(self, before: Document) -> None:
        self.problem = ""
        if not self.suits(self.document.encoding):
            self._shown = None
            return
        try:
            maps, held = UnseenMaps.of(self.document), self._shown
            if self._canvas.is_dragging and held is not None:  # the line stays under the mouse
                maps = replace(maps, across=held.across)
            self._shown = maps
        except ValueError as error:
            self.problem = str(error)

    def _pointed(self, place: QPointF, pinned: bool) -> None:
        maps = self.maps()
        if maps is None:
            return
        layout = self.maps_layout(maps)
        index = layout.plot_at(place)
        if index is None:
            return
        pair = layout.pair_at(layout.plots[index], place.y())
        if pair < n_whole_pairs(self.document.encoding):
            self.cursorMoved.emit(self._cursor_at(pair, index, pinned))

    def _drag(self, index: int, x: float, gesture: object) -> None:
        maps = self.maps()
        if maps is not None and index < len(maps.maps):
            layout = self.maps_layout(maps)
            length = max(1, round(layout.position_at(layout.plots[index], x)))
            if length != self.document.lengths.trained:
                self.fieldEdited.emit("trained_length", length, gesture)

    def _drop(self) -> None:
        """Show the axis of the length that the line was dragged to."""
        self._document_shown(self.document)
        self.update_all()


class _Canvas(Strip):
    """Draws the maps. ``pointed`` carries a place and whether it was clicked, ``dragged`` a map, an x and a gesture.

    ``dropped`` follows the last ``dragged`` of a gesture.
    """

    pointed = Signal(object, bool)
    dragged = Signal(int, float, object)
    dropped = Signal()

    def __init__(self, figure: UnseenFigure) -> None:
        super().__init__()
        self._figure = figure
        self._held: int | None = None
        self._gesture = object()
        self.setFlag(self.GraphicsItemFlag.ItemClipsToShape)

    @override
    def draw(self, painter: QPainter) -> None:
        maps = self._figure.maps()
        if maps is not None:
            draw_maps(painter, maps, self._figure.maps_layout(maps), self._figure.style, self._figure.pair)

    @override
    def hoverEvent(self, event: Any) -> None:
        if event.isExit():
            self.unsetCursor()
            return
        if self._line_at(event.pos()) is None:
            self.unsetCursor()
        else:
            self.setCursor(Qt.CursorShape.SplitHCursor)
        self.pointed.emit(event.pos(), False)

    @override
    def mouseClickEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            self.pointed.emit(event.pos(), True)

    @override
    def mouseDragEvent(self, event: Any) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if event.isStart():
            self._held, self._gesture = self._line_at(event.buttonDownPos()), object()
        if self._held is not None:
            event.accept()
            self.dragged.emit(self._held, event.pos().x(), self._gesture)
            if event.isFinish():
                self._held = None
                self.dropped.emit()

    @property
    def is_dragging(self) -> bool:
        """Whether the line L is being dragged."""
        return self._held is not None

    def _line_at(self, place: QPointF) -> int | None:
        """The index of the map whose line L is at a place; None if no line is there."""
        maps = self._figure.maps()
        if maps is None:
            return None
        layout = self._figure.maps_layout(maps)
        for index, plot in enumerate(layout.plots):
            is_near = abs(place.x() - layout.x(plot, maps.lengths.trained)) <= LINE_REACH
            if is_near and plot.top() <= place.y() <= plot.bottom():
                return index
        return None
