"""Number of pairs of the other encodings that deviate from A's, as the lines of a plot."""

from functools import lru_cache

import numpy as np
from msgspec import Struct

from posenc_core import Document, Encoding
from posenc_core.encodings import at_length, rotating_pairs
from posenc_core.long_context import Drift, drift
from posenc_core.session import LETTERS
from posenc_gui.figures.lines import Line, Plot, named_look, positions_around
from posenc_gui.panels.drift.spec import DRIFT_DEGREES
from posenc_gui.plotting import Scale

_LEAST_REACH = 16
"""The axis reaches at least this position."""

_ROOM = 0.04
"""Share of the axis above and below the lines."""


class Parting(Struct, frozen=True):
    """An encoding that is compared with A: its index, its pairs' drift, and the number of pairs of A and its own."""

    index: int
    drift: Drift
    widths: tuple[int, int]

    @property
    def letter(self) -> str:
        """Its letter, B, C or D."""
        return LETTERS[self.index]


def plots(document: Document) -> tuple[Plot, ...]:
    """The number of pairs of each other encoding that deviate from A's, by position."""
    partings = partings_of(document)
    last = last_position(document)
    powers = [2**power for power in range(last.bit_length())]
    x = positions_around([each.drift.first for each in partings], last, powers)
    lines = tuple(
        Line(name, each.drift.count(x.astype(np.int64)).astype(np.float64), look)
        for each in partings
        for name, look in [named_look(document, each.index)]
    )
    most = max(len(each.drift.first) for each in partings)
    upright = Scale(f"pairs off > {document.option(DRIFT_DEGREES)}°", -_ROOM * most, (1 + _ROOM) * most, whole=True)
    return (Plot(x, lines, Scale("position", float(x[0]), float(x[-1]), logarithmic=True), upright),)


def last_position(document: Document) -> int:
    """The last position of the axis: that of the target length, or the largest distance that attention sees."""
    return max(_LEAST_REACH, document.lengths.seen.target - 1)


def partings_of(document: Document) -> tuple[Parting, ...]:
    """The other encodings whose pairs turn, compared with A, whose pairs must turn, at the target length."""
    target = document.lengths.target
    encodings = tuple(at_length(each.encoding, target) for each in document.encodings)
    return _partings(encodings, document.option(DRIFT_DEGREES))


@lru_cache(maxsize=8)
def _partings(encodings: tuple[Encoding, ...], degrees: int) -> tuple[Parting, ...]:
    first, *others = encodings
    n_pairs = len(first.frequencies())
    return tuple(
        Parting(index, drift(first, each, degrees), (n_pairs, len(each.frequencies())))
        for index, each in enumerate(others, 1)
        if rotating_pairs(each) is not None
    )
