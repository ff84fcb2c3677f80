"""A row for each family, a column for each property; a click opens the proof."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter
from typing_extensions import override

from posenc_core import Document
from posenc_core.gallery import PROPERTIES, Scorecard
from posenc_core.session import NamedEncoding
from posenc_gui.figures import CanvasFigure
from posenc_gui.layers import draw_readout
from posenc_gui.look import Style, plain_tip
from posenc_gui.model import Cursor
from posenc_gui.panels.scorecard.painter import draw_scorecard, has_whole_words
from posenc_gui.panels.scorecard.pointing import ScorecardPointing, ScorecardView
from posenc_gui.panels.scorecard.proofs import proof_of, proved_cell
from posenc_gui.panels.scorecard.spec import SCORECARD_PAGE, SPEC

_STEPS = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}
_TEXT_SIZES = 10
"""Steps from the wanted size of text to the usual one."""

_OPEN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ScorecardFigure(CanvasFigure):
    """The table of scores, which are measured beside the window."""

    spec, pointing_class = SPEC, ScorecardPointing

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._card = Scorecard.of(self.document, self.document.option(SCORECARD_PAGE))
        self.canvas.geometryChanged.connect(self._fit_text)

    @override
    def view(self, scale: float = 1.0) -> ScorecardView:
        none = ((None,) * len(PROPERTIES),) * len(self._card.families)
        return ScorecardView(*self.shown(), self._card, self.pictures.known(self._card) or none, self.marked, self.room)

    @override
    def request(self, scale: float, vector: bool) -> Scorecard:
        return self._card

    @override
    def draw(self, painter: QPainter) -> None:
        """Draw the cells that are measured by now."""
        self.pictures.render(self._card)
        view = self.view()
        draw_scorecard(painter, view.card, view.scores, view.layout, view.style, view.chosen, view.marked)
        draw_readout(painter, view.readout, view.layout.readout, view.style)

    @override
    def script(self) -> str:
        self.pictures.render(self._card)
        return super().script()

    @override
    def pressed(self, key: Qt.Key, is_shifted: bool) -> bool:
        if key in _OPEN:
            self._open()
            return self.marked is not None
        if key not in _STEPS:
            return False
        row, column = (0, 0)
        if self.marked is not None:
            row, column = (each + step for each, step in zip(self.marked, _STEPS[key], strict=True))
        if 0 <= row < len(self._card.families) and 0 <= column < len(PROPERTIES):
            self.mark((row, column))
        return True

    @override
    def _document_shown(self, before: Document) -> None:
        n_rows, self._card = len(self._card.families), Scorecard.of(self.document, self.document.option(SCORECARD_PAGE))
        if len(self._card.families) != n_rows:
            self.marked = None
        self._fit_text()

    @override
    def _style_shown(self) -> None:
        self._fit_text()

    def _fit_text(self) -> None:
        """Let the text be as large as wanted, or as large as leaves all heads whole, but not below its usual size."""
        larger = max(0.0, self.style.text_scale - 1)
        for step in range(_TEXT_SIZES, -1, -1):
            self.canvas.unit = self.style.text_scale - larger * (1 - step / _TEXT_SIZES)
            view = self.view()
            if has_whole_words(view.card, view.layout, view.style):
                return

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        """The table marks no cell of the cursor's."""

    @override
    def _hovered(self, place: QPointF | None) -> None:
        self.mark(None if place is None else self.view().layout.cell_at(place))

    @override
    def _clicked(self, place: QPointF, is_shifted: bool) -> None:
        self.mark(self.view().layout.cell_at(place))
        self._open()

    @override
    def _mark_shown(self, before: tuple[int, int] | None) -> None:
        self.canvas.setToolTip(plain_tip(self.view().tip))
        self.canvas.update()

    def _open(self) -> None:
        """Choose the family of the marked cell, and go to the view that shows its property."""
        score = self.view().marked_score
        if self.marked is None or score is None or score.number is None:
            return
        row, column = self.marked
        family, document = self._card.families[row], self.document
        workspace, panel = proof_of(PROPERTIES[column].name, family.encoding)
        if family.encoding != document.encoding:
            listed = [*document.encodings]
            listed[document.current] = NamedEncoding(family.encoding)
            self.encodingsEdited.emit(tuple(listed), document.current, family.title)
        proved = proved_cell(PROPERTIES[column].name, family.encoding, self._card.setting)
        if proved is not None:
            self.cursorMoved.emit(Cursor(*proved, pinned=True))
        self.viewAsked.emit(workspace, panel)


FIGURE = ScorecardFigure
