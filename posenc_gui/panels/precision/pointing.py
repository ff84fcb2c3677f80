"""Pointing at errors of angles: a place, the pair with the largest error, and the chain of its rounded numbers."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from typing_extensions import override

from posenc_core.long_context import RoundedNumber, rounding_chain
from posenc_core.session import LETTERS
from posenc_gui.figures.lines import LinePointing, LinesView
from posenc_gui.model import Cursor, cursor_pair, pair_column
from posenc_gui.panels.precision.numbers import Curves, PrecisionRequest
from posenc_gui.panels.precision.readout import Readout, entry_error, place_words
from posenc_gui.panels.precision.spec import ARITHMETIC, BITS, COMPUTED_BY


class PrecisionView(LinesView, frozen=True, eq=False):
    """The request for the curves, None without curves, and their parts known so far."""

    request: PrecisionRequest | None
    curves: Curves | None

    @property
    def pair(self) -> int | None:
        """The cursor's pair; None for a column that no pair has, and for a family without RoPE."""
        return None if self.encoding.rotation is None else cursor_pair(self.encoding, self.cursor)

    @property
    def chain(self) -> tuple[RoundedNumber, ...]:
        """The rounded numbers at the cursor; () if there are none."""
        pair = self.pair
        if self.cursor is None or pair is None:
            return ()
        return _chain(self.encoding, self.cursor.position, pair, self.document.option(ARITHMETIC))

    @property
    def readout(self) -> Readout:
        """Text below the curves."""
        pair, place = self.pair, ""  # no place in files either, which have no mouse
        if self.cursor is not None and pair is not None:
            place = place_words(self.document.letter, self.cursor.position, pair, self.chain)
        return Readout(place, self.chain, self.computed_by, self.document.option(BITS))

    @property
    def computed_by(self) -> str:
        """Programs that compute in the chosen arithmetic."""
        words = COMPUTED_BY[self.document.option(ARITHMETIC)]
        return words if words.startswith("None") else f"as in {words}"


class PrecisionPointing(LinePointing[PrecisionView]):
    """The cursor as a position and a pair."""

    @override
    def notes(self, view: PrecisionView, standing: str) -> Iterator[str]:
        request = view.request
        if request is None:
            return
        without = [LETTERS[index] for index in range(len(view.document.encodings)) if index not in request.indices]
        yield request.distinct_words(view.curves)
        yield request.sampling()
        yield f"the rotation alone, in {request.curves.arithmetic}"
        yield f"{' and '.join(without)} without RoPE" if without else ""
        yield standing

    @override
    def number(self) -> float | None:
        chain = self.view.chain
        return entry_error(chain) if chain else None

    @override
    def x_of(self, view: PrecisionView) -> float | None:
        cursor, request = view.cursor, view.request
        if cursor is None or request is None or not 1 <= cursor.position < request.curves.edges[-1]:
            return None
        return cursor.position

    @override
    def pointed_x(self, x: float, pinned: bool) -> Cursor | None:
        view = self.view
        return None if view.request is None else _cursor_in(view, view.request, view.request.part_of(int(x)), pinned)

    @override
    def stepped(self, view: PrecisionView, across: int, down: int) -> Cursor | None:
        request = view.request
        if request is None or not (across or down):
            return None
        position = 1 if view.cursor is None else view.cursor.position
        if down:
            pair = min(max((view.pair or 0) + down, 0), len(view.encoding.frequencies()) - 1)
            return Cursor(position, pair_column(view.encoding, pair), True)
        part = request.part_of(position) + across
        return _cursor_in(view, request, min(max(part, 0), len(request.first_positions) - 1), True)


def _cursor_in(view: PrecisionView, request: PrecisionRequest, part: int, pinned: bool) -> Cursor:
    """The place that has the largest error of a part; its first position while that is unknown."""
    curves, chosen = view.curves, request.chosen
    if curves is None or np.isnan(curves.error[part, chosen]):
        return Cursor(int(request.first_positions[part]), view.at.column, pinned)
    column = pair_column(view.encoding, int(curves.pair[part, chosen]))
    return Cursor(int(curves.position[part, chosen]), column, pinned)


_chain = lru_cache(maxsize=8)(rounding_chain)
