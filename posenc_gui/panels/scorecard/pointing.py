"""Pointing at the scorecard: a cell, its text, and the table as texts to copy."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from PySide6.QtCore import QRectF
from typing_extensions import override

from posenc_core.gallery import PROPERTIES, Score, Scorecard, Scores
from posenc_gui.figures import Pointing, Shown
from posenc_gui.look import counted, true_minus
from posenc_gui.panels.scorecard.layout import ScorecardLayout
from posenc_gui.panels.scorecard.texts import scores_csv, scores_latex

_LEGEND = "✓ good, ~ partly, ✗ not, – does not apply."


class ScorecardView(Shown, frozen=True, eq=False):
    """The scores that are measured by now, None for the others; ``marked`` is a row and a column of the table."""

    card: Scorecard
    scores: Scores
    marked: tuple[int, int] | None
    room: QRectF

    @property
    def layout(self) -> ScorecardLayout:
        """The places of the cells."""
        return ScorecardLayout.of(len(self.card.families), len(PROPERTIES), self.room)

    @property
    def chosen(self) -> int | None:
        """The row of the chosen encoding; None if its family is not in the story."""
        rows = enumerate(self.card.families)
        return next((row for row, each in rows if each.encoding == self.encoding), None)

    @property
    def marked_score(self) -> Score | None:
        """The score of the marked cell; None until it is measured."""
        return None if self.marked is None else self.scores[self.marked[0]][self.marked[1]]

    @property
    def sentence(self) -> str:
        """The marked cell in a sentence."""
        score = self.marked_score
        if self.marked is None or score is None:
            return ""
        family, title = self.card.families[self.marked[0]].title, PROPERTIES[self.marked[1]].title.lower()
        return true_minus(f"{family}, {title}: {score.detail}")

    @property
    def readout(self) -> str:
        """Line below the table: the marked cell in a sentence, or the meaning of the signs."""
        return self.sentence or _LEGEND

    @property
    def tip(self) -> str:
        """The question of the marked column, and the sentence."""
        question = "" if self.marked is None else PROPERTIES[self.marked[1]].question
        return "\n".join(filter(None, (question, self.sentence)))


class ScorecardPointing(Pointing[ScorecardView]):
    """The words and numbers of the cells."""

    @override
    def notes(self, view: ScorecardView, standing: str) -> Iterator[str]:
        yield standing
        yield f"trained L = {counted(view.card.setting.trained)}"

    @override
    def spoken(self) -> str:
        view = self.view
        return view.sentence or f"{len(view.card.families)} families · {len(PROPERTIES)} properties · {self.note()}"

    @override
    def number(self) -> float | None:
        score = self.view.marked_score
        return None if score is None else score.number

    @override
    def copies(self) -> Mapping[str, Callable[[], str]]:
        view = self.view
        if any(score is None for row in view.scores for score in row):
            return {}  # a table with holes would look as if the properties made no sense
        return {
            "table as CSV": partial(scores_csv, view.card, view.scores),
            "table as LaTeX": partial(scores_latex, view.card, view.scores),
        }
