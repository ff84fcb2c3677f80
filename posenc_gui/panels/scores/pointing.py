"""Pointing at scores by distance: a distance from a query back to its key."""

from collections.abc import Iterator

import numpy as np
from typing_extensions import override

from posenc_core import Document
from posenc_gui.figures.lines import LinePointing, LinesView, reach_words
from posenc_gui.look import counted
from posenc_gui.model import Cursor, source_words
from posenc_gui.panels.scores.derive import DistanceScore
from posenc_gui.panels.scores.plots import key_counts, negative_words, quantity_of, scores_of
from posenc_gui.panels.scores.spec import SCORE_MODE, SCORE_WEIGHTS

_MODES = {
    "ones": "q = k = ones",
    "bound": "a bound on scores, not a score",
    "independent": "independent normal q and k: mean and one standard deviation, exact",
}


class ScoresView(LinesView, frozen=True, eq=False):
    """The lines of scores, and their texts."""

    words: tuple[str, ...]


class ScoresPointing(LinePointing[ScoresView]):
    """The cursor as a distance."""

    @override
    def notes(self, view: ScoresView, standing: str) -> tuple[str, ...]:
        return view.words

    @override
    def x_of(self, view: ScoresView) -> float | None:
        if view.cursor is None:
            return None
        return -view.cursor.position if view.encoding.relative else view.cursor.position

    @override
    def pointed_x(self, x: float, pinned: bool) -> Cursor | None:
        view, distance = self.view, round(x)
        position = -distance if view.encoding.relative else distance
        return Cursor(position, view.at.column, pinned, view.at.query, DistanceScore(-distance))

    @override
    def stepped(self, view: ScoresView, across: int, down: int) -> Cursor | None:
        if not across or not view.plots:
            return None
        x = view.plots[0].x
        at = x[0] if (place := self.x_of(view)) is None else place
        return self.pointed_x(float(np.clip(at + across, x[0], x[-1])), True)


def score_words(document: Document) -> Iterator[str]:
    """Sentences on the scores of a complete document; ValueError as its lines."""
    scores = scores_of(document)
    yield negative_words(document)
    if quantity_of(document) != "bias":
        yield _MODES.get(document.option(SCORE_MODE), scores.vectors_from)
    yield " · ".join(f"a query with {counted(count)} keys" for count in key_counts(document))
    yield reach_words(document.lengths)
    yield from source_words(document, scores.drawn)
    yield f"one distance in {scores.step:,}" if scores.step > 1 else ""
    yield "the tokens' contents are left out" if document.option(SCORE_WEIGHTS) else ""
    yield from scores.refusals
