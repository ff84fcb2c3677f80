"""SCORECARD: what each family can and cannot do on this sentence and length, measured; a click opens the proof."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QPainter
from typing_extensions import override

from posenc_core import Document, Encoding
from posenc_core.gallery import PROPERTIES, Score, Scorecard, Scores
from posenc_core.numerics import FloatArray
from posenc_core.session import NamedEncoding
from posenc_core.tables import ProgressCallback
from posenc_gui.figures import Figure, PictureRenderer, SlowNumbers, computed
from posenc_gui.layers import draw_readout
from posenc_gui.look import Style, counted, plain_tip, true_minus
from posenc_gui.panels.scorecard.layout import ScorecardLayout
from posenc_gui.panels.scorecard.painter import draw_scorecard
from posenc_gui.panels.scorecard.texts import score_numbers, scores_csv, scores_latex, scores_script
from posenc_gui.plotting import Strip

_STEPS = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}
_OPEN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)

_LEGEND = "✓ good, ~ partly, ✗ not, – makes no sense for the family."

_PROOFS = {
    "bounded": ("vectors", "waves"),
    "unique": ("relations", "similarity"),
    "step": ("vectors", "heatmap"),
    "shift": ("relations", "shift"),
    "defined": ("vectors", "heatmap"),
    "unseen": ("long_context", "unseen"),
    "trained": ("vectors", "heatmap"),
}


def proof_of(name: str, encoding: Encoding) -> tuple[str, str]:
    """The workspace and the panel that show a property of an encoding."""
    if name == "score":
        return ("relations", "pairs" if encoding.scores is None else "scores")
    if name == "scaled":
        return ("long_context", "spectrum") if encoding.rotation is not None else ("vectors", "heatmap")
    return _PROOFS[name]


class ScorecardFigure(Figure, SlowNumbers):
    """A row for each family, a column for each property; ``marked`` is the cell under the mouse or the keys."""

    name = "scorecard"
    title = "Scorecard"
    hint = "measured; a click shows the proof"
    explanation = (
        "What each family can and cannot do. Every number is computed from the family's table for this sentence, this "
        "length, and the trained length L of Spectrum; none is asserted. The colour and the sign say how good it is: ✓ "
        "good, ~ partly, ✗ not. A dash says that the property makes no sense for the family; point at it to read why."
    )
    handling = (
        "A click opens the family in the view that shows it. Arrow keys mark a cell, Enter opens it. The panel's menu "
        "copies the table as CSV or LaTeX."
    )
    least_size = (320, 200)
    export_size = (960, 360)
    has_numbers = True
    pictures: PictureRenderer

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self.marked: tuple[int, int] | None = None
        self.card = Scorecard.of(self.document)
        self.pictures = PictureRenderer(self._request)
        self._canvas = _Canvas(self)
        self.addItem(self._canvas, 0, 0)
        self._canvas.pointed.connect(self._pointed)
        self._canvas.clicked.connect(self._clicked)

    @classmethod
    @override
    def numbers(cls, document: Document) -> Mapping[str, FloatArray]:
        return score_numbers(Scorecard.of(document).compute())

    @classmethod
    @override
    def watched_numbers(cls, document: Document, progress: ProgressCallback) -> Mapping[str, FloatArray]:
        return score_numbers(computed(Scorecard.of(document), progress))

    def _request(self, scale: float, vector: bool) -> Scorecard:
        return self.card

    def scores(self) -> Scores:
        """The scores that are measured by now, None for the others."""
        scores: Scores = self.pictures.render(self.card).picture
        return scores

    def scorecard_layout(self) -> ScorecardLayout:
        """The places of the cells at the present size."""
        return ScorecardLayout.of(len(self.card.families), len(PROPERTIES), self._canvas.rect())

    @property
    def chosen(self) -> int | None:
        """The row of the chosen encoding; None where it is no family of the story."""
        encoding = self.document.encoding
        return next((row for row, each in enumerate(self.card.families) if each.encoding == encoding), None)

    @override
    def note(self, scale: float = 1.0) -> str:
        trained = f"trained L = {counted(self.card.setting.trained)}"
        return " · ".join(filter(None, (self.pictures.standing(scale), trained)))

    @property
    def readout(self) -> str:
        """What stands below the table: the marked cell in a sentence, or what the signs mean."""
        return self.spoken() or _LEGEND

    @override
    def spoken(self) -> str:
        score = self._marked_score()
        if self.marked is None or score is None:
            return ""
        family, title = self.card.families[self.marked[0]].title, PROPERTIES[self.marked[1]].title.lower()
        return true_minus(f"{family}, {title}: {score.detail}")

    def _marked_score(self) -> Score | None:
        if self.marked is None:
            return None
        row, column = self.marked
        return self.scores()[row][column]

    @override
    def number(self) -> float | None:
        score = self._marked_score()
        return None if score is None else score.number

    @override
    def script(self) -> str:
        return scores_script(self.card, self.scores(), self.style)

    @override
    def copies(self) -> Mapping[str, Callable[[], str]]:
        scores = self.scores()
        if any(score is None for row in scores for score in row):
            return {}  # a table with holes would look like one whose properties make no sense
        return {
            "table as CSV": partial(scores_csv, self.card, scores),
            "table as LaTeX": partial(scores_latex, self.card, scores),
        }

    @override
    def pressed(self, key: Qt.Key, is_shifted: bool) -> bool:
        if key in _OPEN:
            self._open()
            return self.marked is not None
        if key not in _STEPS:
            return False
        row, column = (
            (0, 0)
            if self.marked is None
            else (each + step for each, step in zip(self.marked, _STEPS[key], strict=True))
        )
        if 0 <= row < len(self.card.families) and 0 <= column < len(PROPERTIES):
            self._mark((row, column))
        return True

    @override
    def _document_shown(self, before: Document) -> None:
        n_rows, self.card = len(self.card.families), Scorecard.of(self.document)
        if len(self.card.families) != n_rows:
            self.marked = None

    def _pointed(self, place: QPointF | None) -> None:
        self._mark(None if place is None else self.scorecard_layout().cell_at(place))

    def _mark(self, cell: tuple[int, int] | None) -> None:
        if cell != self.marked:
            self.marked = cell
            self._canvas.setToolTip(plain_tip(self._tip()))
            self._canvas.update()
            self.noteChanged.emit()
            self.marksChanged.emit(self.spoken())

    def _tip(self) -> str:
        if self.marked is None:
            return ""
        return "\n".join(filter(None, (PROPERTIES[self.marked[1]].question, self.spoken())))

    def _clicked(self, place: QPointF) -> None:
        self._mark(self.scorecard_layout().cell_at(place))
        self._open()

    def _open(self) -> None:
        """Choose the family of the marked cell, and go to the view that shows its property."""
        score = self._marked_score()
        if self.marked is None or score is None or score.number is None:
            return
        row, column = self.marked
        family, document = self.card.families[row], self.document
        workspace, panel = proof_of(PROPERTIES[column].name, family.encoding)
        if family.encoding != document.encoding:
            listed = [*document.encodings]
            listed[document.current] = NamedEncoding(family.encoding)
            self.encodingsEdited.emit(tuple(listed), document.current, family.title)
        self.viewAsked.emit(workspace, panel)


class _Canvas(Strip):
    """Draws the table. ``pointed`` carries a place or None, ``clicked`` a place."""

    pointed = Signal(object)
    clicked = Signal(object)

    def __init__(self, figure: ScorecardFigure) -> None:
        super().__init__()
        self._figure = figure
        self.setFlag(self.GraphicsItemFlag.ItemClipsToShape)

    @override
    def draw(self, painter: QPainter) -> None:
        """Draw the cells that are measured by now."""
        figure = self._figure
        layout, style = figure.scorecard_layout(), figure.style
        draw_scorecard(painter, figure.card, figure.scores(), layout, style, figure.chosen, figure.marked)
        draw_readout(painter, figure.readout, layout.readout, style)

    @override
    def hoverEvent(self, event: Any) -> None:
        self.pointed.emit(None if event.isExit() else event.pos())

    @override
    def mouseClickEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            self.clicked.emit(event.pos())
