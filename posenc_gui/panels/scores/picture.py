"""The score of a query and a key, or the bias of a head, over the distance from the query back to the key."""

from typing_extensions import override

from posenc_core import Document
from posenc_gui.figures.lines import LineFigure
from posenc_gui.look import Style
from posenc_gui.panels.scores.plots import plots
from posenc_gui.panels.scores.pointing import ScoresPointing, ScoresView, score_words
from posenc_gui.panels.scores.spec import SPEC


class ScoresFigure(LineFigure):
    """A line for each encoding and for some more heads of the chosen one."""

    spec, plots, pointing_class = SPEC, plots, ScoresPointing

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._words: tuple[str, ...] = ()

    @override
    def view(self, scale: float = 1.0) -> ScoresView:
        return ScoresView(*self.shown(), self._plots, self._words)

    @override
    def _document_shown(self, before: Document) -> None:
        super()._document_shown(before)
        has_words = not self.problem and self.spec.missing(self.document) is None
        self._words = tuple(score_words(self.document)) if has_words else ()


FIGURE = ScoresFigure
