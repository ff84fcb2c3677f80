"""Pointing at the drift of pairs: a position, and the pair that deviates from there on."""

from collections.abc import Iterator

import numpy as np
from typing_extensions import override

from posenc_core.encodings import pair_of, turning_pairs
from posenc_core.long_context import NEVER
from posenc_core.session import LETTERS
from posenc_gui.figures.lines import LinePointing, LinesView, reach_words
from posenc_gui.look import counted
from posenc_gui.model import Cursor, pair_column
from posenc_gui.panels.drift.derive import DriftingPair
from posenc_gui.panels.drift.plots import Parting, last_position, partings_of
from posenc_gui.panels.drift.spec import DRIFT_DEGREES, SPEC


class DriftPointing(LinePointing[LinesView]):
    """The cursor as a position, with the pair whose count is shown."""

    @override
    def notes(self, view: LinesView, standing: str) -> Iterator[str]:
        if SPEC.missing(view.document) is None:
            yield from _firsts(view)
            yield reach_words(view.document.lengths)
            yield from _left_out(view)

    @override
    def number(self) -> float | None:
        """The count of the chosen encoding at the cursor, or of the first other one if A is chosen."""
        position, view = self.x, self.view
        if position is None or SPEC.missing(view.document) is not None:
            return None
        return float(_counted_parting(view).drift.count(np.array([position], np.int64))[0])

    @override
    def x_of(self, view: LinesView) -> float | None:
        if view.cursor is None or view.encoding.relative or view.cursor.position < 1:
            return None
        return view.cursor.position

    @override
    def pointed_x(self, x: float, pinned: bool) -> Cursor | None:
        view, position = self.view, int(x)
        if view.encoding.relative:
            return None
        column = _column_off(view, position)
        return Cursor(position, column, pinned, subject=_pair_at(view, column))

    @override
    def stepped(self, view: LinesView, across: int, down: int) -> Cursor | None:
        if not across or view.encoding.relative or SPEC.missing(view.document) is not None:
            return None
        column = view.at.column
        position = min(max(view.at.position + across, 0), last_position(view.document))
        return Cursor(position, column, True, subject=_pair_at(view, column))


def _firsts(view: LinesView) -> Iterator[str]:
    """For each other encoding, the first position of a deviating pair."""
    document, lengths = view.document, view.document.lengths
    degrees, several = document.option(DRIFT_DEGREES), len(document.encodings) > 2
    for each in partings_of(document):
        subject = f"{each.letter}: " if several else ""
        if each.drift.pair == NEVER:
            yield f"{subject}no pair is ever off by {degrees}°"
            continue
        if lengths.is_bounded and each.drift.position >= lengths.seen.target:
            yield f"{subject}no pair is off by {degrees}° within the reach of attention"
            continue
        others = int((each.drift.first == each.drift.position).sum()) - 1
        pairs = f"pair {counted(each.drift.pair)}{f' and {counted(others)} more' if others else ''}"
        yield f"{subject}{pairs} off from position {counted(each.drift.position)}"


def _left_out(view: LinesView) -> Iterator[str]:
    """Pairs and encodings that are not compared."""
    partings = partings_of(view.document)
    for each in partings:
        (of_a, own), fewest = each.widths, min(each.widths)
        if of_a != own:
            first = "first" if fewest == 1 else f"first {counted(fewest)}"
            pairs = f"{counted(of_a)} pair{'' if of_a == 1 else 's'}"
            yield f"A has {pairs}, {each.letter} {counted(own)}: compared over the {first}"
    shown = {0, *(each.index for each in partings)}
    without = [LETTERS[index] for index in range(len(view.document.encodings)) if index not in shown]
    if without:
        yield f"{' and '.join(without)} without pairs that turn"


def _pair_at(view: LinesView, column: int) -> DriftingPair | None:
    """The pair of a column in the encoding whose count is shown; None for a column without a pair."""
    pair = pair_of(view.encoding, column) if column < view.encoding.n_columns else None
    chosen = _counted_parting(view)
    return DriftingPair(chosen.index, pair) if pair is not None and pair < min(chosen.widths) else None


def _counted_parting(view: LinesView) -> Parting:
    """The chosen encoding, or the first other one if A is chosen."""
    partings = partings_of(view.document)
    return next((each for each in partings if each.index == view.document.current), partings[0])


def _column_off(view: LinesView, position: int) -> int:
    """A column of the pair that is first off at this position; the present column if no pair is."""
    encoding = view.encoding
    for each in partings_of(view.document):
        at = np.flatnonzero(each.drift.first == position)
        if len(at) and turning_pairs(encoding) is not None and at[0] < len(encoding.frequencies()):
            return pair_column(encoding, int(at[0]))
    return view.at.column
