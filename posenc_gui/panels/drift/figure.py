"""DRIFT: how many pairs of the other encodings are off from those of A, by position."""

from functools import lru_cache

import numpy as np
from msgspec import Struct
from PySide6.QtCore import Qt
from typing_extensions import override

from posenc_core import Document, Encoding, Rotary
from posenc_core.encodings import pair_of, turning_pairs
from posenc_core.long_context import NEVER, Drift, drift
from posenc_core.numerics import FloatArray
from posenc_core.session import LETTERS
from posenc_gui.figures import Need
from posenc_gui.figures.lines import Line, LineFigure, Plot, named_look
from posenc_gui.layers import pair_column
from posenc_gui.look import counted
from posenc_gui.model import Cursor, DriftingPair
from posenc_gui.plotting import Scale

_SPREAD = 256
"""Positions beside those at which a line rises, at equal distances on the logarithmic axis."""

_LEAST_REACH = 16
"""The axis reaches at least this position."""

_ROOM = 0.04
"""Share of the axis above and below the lines."""

_PAIRS_NEED = "Drift needs pairs that turn with the position, as sinusoids and RoPE have"


class Parting(Struct, frozen=True):
    """An encoding that is compared with A: its index, its pairs' drift, and the number of pairs of A and its own."""

    index: int
    drift: Drift
    widths: tuple[int, int]

    @property
    def letter(self) -> str:
        """Its letter, B, C or D."""
        return LETTERS[self.index]


class DriftFigure(LineFigure):
    """The number of pairs that are off from A's by more than a threshold, over the position."""

    name = "drift"
    title = "Drift"
    hint = "pairs that are off from A"
    explanation = (
        "How many pairs of each other encoding are off from A’s by more than the threshold, over the position. Both "
        "angles grow with the position, so that their difference does, and whole turns are not taken away from it: a "
        "pair counts from the first position on at which it is off. Drift of angles is no measure of a model’s "
        "quality: how many pairs matter to a trained model is unknown."
    )
    handling = "A click holds the position, and the pair that is off from there on."
    more = (
        "A wrong base is wrong from the first tokens on in the fast pairs; what survives are the slow ones. Encodings "
        "of different widths are compared over the pairs that both have. The axis ends at the target length L′."
    )
    least_size = (260, 220)
    export_size = (720, 420)
    controls = ("drift_degrees", "target_length")
    needs = Need("Drift compares A with other encodings, and there is no other one.", "Add B, a copy of A")

    @classmethod
    @override
    def missing(cls, document: Document) -> Need | None:
        listed = [each.encoding for each in document.encodings]
        turning = [index for index, each in enumerate(listed) if turning_pairs(each) is not None]
        if 0 not in turning:
            return Need(f"{_PAIRS_NEED}: A, {listed[0].title}, has none.", "Show RoPE as A", Rotary.family, 0)
        if len(listed) > 1 and turning == [0]:
            have = "B has none" if len(listed) == 2 else f"none of B to {LETTERS[len(listed) - 1]} has any"
            return Need(f"{_PAIRS_NEED}: {have}.", "Show RoPE as B", Rotary.family, 1)
        return cls.needs if len(listed) == 1 else None

    @classmethod
    @override
    def plots(cls, document: Document) -> tuple[Plot, ...]:
        partings = partings_of(document)
        x = _positions(partings, max(_LEAST_REACH, document.lengths.target))
        lines = tuple(
            Line(name, each.drift.count(x.astype(np.int64)).astype(np.float64), look)
            for each in partings
            for name, look in [named_look(document, each.index)]
        )
        most = max(len(each.drift.first) for each in partings)
        upright = Scale(f"pairs off > {document.view.drift_degrees}°", -_ROOM * most, (1 + _ROOM) * most, whole=True)
        return (Plot(x, lines, Scale("position", float(x[0]), float(x[-1]), logarithmic=True), upright),)

    @override
    def note(self, scale: float = 1.0) -> str:
        if self.missing(self.document) is not None:
            return ""
        return " · ".join([*self._firsts(), *self._left_out()])

    def _firsts(self) -> list[str]:
        """For each other encoding, where its first pair is off."""
        degrees, partings = self.document.view.drift_degrees, partings_of(self.document)
        found = []
        for each in partings:
            subject = f"{each.letter}: " if len(self.document.encodings) > 2 else ""
            if each.drift.pair == NEVER:
                found.append(f"{subject}no pair is ever off by {degrees} degrees")
            else:
                others = int((each.drift.first == each.drift.position).sum()) - 1
                place = f"position {counted(each.drift.position)}: pair {counted(each.drift.pair)}"
                found.append(
                    f"{subject}first pair off by {degrees} degrees at {place}"
                    + (f" and {counted(others)} more" if others else "")
                )
        return found

    def _left_out(self) -> list[str]:
        """Which pairs and which encodings are not compared."""
        partings = partings_of(self.document)
        found = [
            f"A has {_pairs(each.widths[0])}, {each.letter} {counted(each.widths[1])}: compared over the first"
            f"{'' if min(each.widths) == 1 else f' {counted(min(each.widths))}'}"
            for each in partings
            if each.widths[0] != each.widths[1]
        ]
        shown = {0, *(each.index for each in partings)}
        without = [LETTERS[index] for index in range(len(self.document.encodings)) if index not in shown]
        return [*found, f"{' and '.join(without)} without pairs that turn"] if without else found

    @override
    def number(self) -> float | None:
        """The count of the chosen encoding at the cursor, of the first other one where A is chosen."""
        position = self.cursor_x()
        if position is None or self.missing(self.document) is not None:
            return None
        return float(self._counted_parting().drift.count(np.array([position], np.int64))[0])

    @override
    def cursor_x(self) -> float | None:
        if self.cursor is None or self.document.encoding.relative or self.cursor.position < 1:
            return None
        return self.cursor.position

    @override
    def _point_x(self, x: float, pinned: bool) -> None:
        position, encoding = int(x), self.document.encoding
        if not encoding.relative:
            column = self._column_off(position, 0 if self.cursor is None else self.cursor.column)
            self.cursorMoved.emit(Cursor(position, column, pinned, subject=self._pair_at(column)))

    def _pair_at(self, column: int) -> DriftingPair | None:
        """The pair of a column in the encoding that ``number`` counts for; None for a column without a pair."""
        encoding = self.document.encoding
        pair = pair_of(encoding, column) if column < encoding.n_columns else None
        chosen = self._counted_parting()
        return DriftingPair(chosen.index, pair) if pair is not None and pair < min(chosen.widths) else None

    def _counted_parting(self) -> Parting:
        """The chosen encoding, or the first other one where A is chosen."""
        partings = partings_of(self.document)
        return next((each for each in partings if each.index == self.document.current), partings[0])

    def _column_off(self, position: int, column: int) -> int:
        """A column of the pair that is first off at this position; the present column if no pair is."""
        encoding = self.document.encoding
        for each in partings_of(self.document):
            at = np.flatnonzero(each.drift.first == position)
            if len(at) and turning_pairs(encoding) is not None and at[0] < len(encoding.frequencies()):
                return pair_column(encoding, int(at[0]))
        return column

    @override
    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        step = {Qt.Key.Key_Left: -times, Qt.Key.Key_Right: times}.get(key, 0)
        if not step or self.document.encoding.relative or self.missing(self.document) is not None:
            return None
        cursor = self.cursor or Cursor(0, 0)
        last = max(_LEAST_REACH, self.document.lengths.target)
        position = min(max(cursor.position + step, 0), last)
        return Cursor(position, cursor.column, True, subject=self._pair_at(cursor.column))


def _pairs(count: int) -> str:
    return f"{counted(count)} pair{'' if count == 1 else 's'}"


def partings_of(document: Document) -> tuple[Parting, ...]:
    """The other encodings whose pairs turn, compared with A, whose pairs must turn."""
    return _partings(tuple(each.encoding for each in document.encodings), document.view.drift_degrees)


@lru_cache(maxsize=8)
def _partings(encodings: tuple[Encoding, ...], degrees: int) -> tuple[Parting, ...]:
    first, *others = encodings
    n_pairs = len(first.frequencies())
    return tuple(
        Parting(index, drift(first, each, degrees), (n_pairs, len(each.frequencies())))
        for index, each in enumerate(others, 1)
        if turning_pairs(each) is not None
    )


def _positions(partings: tuple[Parting, ...], last: int) -> FloatArray:
    """Positions from 1 to ``last``: powers of two, evenly spread ones, and both sides of every rise of a line."""
    rises = np.concatenate([each.drift.first for each in partings])
    spread = np.rint(np.geomspace(1, last, _SPREAD)).astype(np.int64)
    powers = 2 ** np.arange(last.bit_length(), dtype=np.int64)
    found = np.unique(np.concatenate([spread, powers, rises, rises - 1, [last]]))
    return found[(found >= 1) & (found <= last)].astype(np.float64)
