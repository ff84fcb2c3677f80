"""SCORES BY DISTANCE: what positions alone give to a query and a key, for all encodings of the document."""

import numpy as np
from PySide6.QtCore import Qt
from typing_extensions import override

from posenc_core import Document, Encoding, Rotary
from posenc_gui.figures import Need
from posenc_gui.figures.lines import Line, LineFigure, Plot, Rule
from posenc_gui.look import counted
from posenc_gui.model import Cursor, DistanceScore, source_words
from posenc_gui.panels.scores.curves import first_negatives, negative_words, quantity_of, scores_of, used_fields
from posenc_gui.plotting import Scale

_ROOM = 0.06
"""Share of the axis above and below the lines."""

_LARGEST, _SMALLEST = 1e100, 1e-100
"""Numbers between these can be drawn."""

_MODES = {
    "ones": "q = k = ones",
    "bound": "a bound on scores, not a score",
    "independent": "independent normal q and k: mean and one standard deviation, exact",
}


class ScoresFigure(LineFigure):
    """The score of a query and a key, or the bias of a head, over the distance from the query back to the key."""

    name = "scores"
    title = "Scores by distance"
    hint = "what positions give to a score"
    explanation = (
        "What positions alone give to the score of a query and a key, over their distance. RoPE needs a query and a "
        "key, Transformer-XL and Shaw a query, ALiBi and T5 neither. The chosen encoding’s line is thick. Scores are "
        "drawn before they are divided by the root of the head’s width; with softmax the weights of a row’s last token "
        "are drawn instead. What the tokens’ own contents add is left out."
    )
    more = (
        "The query and the key of RoPE are both of ones; any, below RoFormer’s bound; independent normal ones, whose "
        "mean is 0 and whose standard deviation is the same at every distance, since rotation alone brings no decay; "
        "or your own."
    )
    least_size = (280, 220)
    export_size = (720, 420)
    controls = ("score_mode", "score_distances", "score_head", "query_vector", "key_vector", "score_weights")
    needs = Need("Scores by distance need RoPE, ALiBi, T5, Transformer-XL or Shaw.", "Show RoPE", Rotary.family)

    _told = ""

    @classmethod
    def suits(cls, encoding: Encoding) -> bool:
        """Whether the encoding's positions give scores by distance."""
        return encoding.scores is not None

    @classmethod
    @override
    def plots(cls, document: Document) -> tuple[Plot, ...]:
        scores = scores_of(document)
        x = scores.distances.astype(np.float64)
        across = Scale("distance, query − key, in tokens", float(x[0]), max(float(x[-1]), float(x[0]) + 1), whole=True)
        upright = _upright(quantity_of(document), scores.lines, document.view.score_weights)
        rules = tuple(
            Rule(f"{letter} first negative {counted(first)}".strip(), first, upright=True)
            for letter, first in first_negatives(document).items()
            if first is not None
        )
        return (Plot(x, scores.lines, across, upright, rules),)

    @override
    def _document_shown(self, before: Document) -> None:
        super()._document_shown(before)
        self._told = "" if self.problem or self.lacks(self.document.encoding) else self._words()

    def _words(self) -> str:
        document, view, scores = self.document, self.document.view, scores_of(self.document)
        has_mode = quantity_of(document) != "bias"
        parts = [
            negative_words(document),
            "" if not has_mode else _MODES.get(view.score_mode, scores.vectors_from),
            *source_words(document, scores.drawn),
            f"one distance in {scores.step:,}" if scores.step > 1 else "",
            "the tokens’ contents are left out" if view.score_weights else "",
            *scores.refusals,
        ]
        return " · ".join(filter(None, parts))

    @override
    def used_controls(self, document: Document) -> tuple[str, ...]:
        return used_fields(document)

    @override
    def note(self, scale: float = 1.0) -> str:
        return self.problem or self._told

    @override
    def number(self) -> float | None:
        x = self.cursor_x()
        if x is None or not self.shown_plots:
            return None
        plot = self.shown_plots[0]
        return float(plot.lines[0].y[plot.nearest(x)])

    @override
    def cursor_x(self) -> float | None:
        if self.cursor is None:
            return None
        return -self.cursor.position if self.document.encoding.relative else self.cursor.position

    @override
    def _point_x(self, x: float, pinned: bool) -> None:
        self.cursorMoved.emit(self._cursor_at(round(x), pinned))

    def _cursor_at(self, distance: int, pinned: bool) -> Cursor:
        column, query = (0, None) if self.cursor is None else (self.cursor.column, self.cursor.query)
        return Cursor(
            -distance if self.document.encoding.relative else distance, column, pinned, query, DistanceScore(-distance)
        )

    @override
    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        step = {Qt.Key.Key_Left: -times, Qt.Key.Key_Right: times}.get(key, 0)
        if not step or not self.shown_plots:
            return None
        x = self.shown_plots[0].x
        at = x[0] if (place := self.cursor_x()) is None else place
        return self._cursor_at(round(float(np.clip(at + step, x[0], x[-1]))), True)


def _upright(title: str, lines: tuple[Line, ...], from_zero: bool) -> Scale:
    """The axis that holds all lines and their spreads; ValueError for numbers that no axis can show."""
    ends = [each for line in lines for each in (line.y - _spread(line), line.y + _spread(line))]
    values = np.concatenate(ends)
    values = values[~np.isnan(values)]
    if not values.size or np.abs(values).max() > _LARGEST:
        raise ValueError(f"the scores are beyond {_LARGEST:g}, the largest number that the axis can show")
    low, high = float(values.min()), float(values.max())
    if from_zero:
        low = 0.0
    if high - low <= max(1e-9 * max(abs(low), abs(high)), _SMALLEST):
        low, high = low - 1, high + 1
    room = _ROOM * (high - low)
    return Scale(title, low if from_zero else low - room, high + room)


def _spread(line: Line) -> np.ndarray | float:
    return 0.0 if line.spread is None else line.spread
