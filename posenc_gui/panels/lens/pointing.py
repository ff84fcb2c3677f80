"""Pointing at the pair lens: a pair by its clock, its level or one of its columns, at the cursor's position."""

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from typing_extensions import override

from posenc_core.encodings import n_whole_pairs
from posenc_gui.figures import Pointing, Shown
from posenc_gui.look import counted, significant
from posenc_gui.model import Cursor, cursor_pair, n_components, pair_column
from posenc_gui.panels.lens.layout import LensLayout
from posenc_gui.panels.lens.view import LONGEST_TRAIL, LensView, last_position

_TYPED = "typed"
"""Begins the source of a vector that was typed."""


class LensShown(Shown, frozen=True, eq=False):
    """The lens, None for a family without pairs, in a room of pixels."""

    lens: LensView | None
    room: QRectF

    def layout(self, lens: LensView) -> LensLayout:
        """The places of the parts."""
        has_vectors, has_sum = lens.vectors is not None, lens.vectors is not None and lens.vectors.sum is not None
        return LensLayout.of(len(lens.pairs), lens.width, has_vectors, self.room, self.style.text_scale, has_sum)


class LensPointing(Pointing[LensShown]):
    """The cursor as a position and a pair."""

    speaks_note = True

    @override
    def notes(self, view: LensShown, standing: str) -> Iterator[str]:
        lens = view.lens
        if lens is None:
            return
        shown, all_pairs = len(lens.pairs), n_whole_pairs(view.encoding)
        yield f"{shown} of {all_pairs:,} pairs" if shown < all_pairs else ""
        yield "turns backwards" if lens.turns_back else ""
        yield f"dots: the last {LONGEST_TRAIL} positions" if len(lens.trail) == LONGEST_TRAIL else ""
        if view.encoding.combination.kind != "none":
            yield _vector_words(lens)
        yield _marked_words(lens)

    @override
    def number(self) -> float | None:
        lens = self.view.lens
        if lens is None or lens.marked is None:
            return None
        return float(lens.turned[np.flatnonzero(lens.pairs == lens.marked)[0]])

    @property
    @override
    def n_pointed(self) -> int:
        """The number of columns of the vector, with those that no rotation changes."""
        return n_components(self.view.document)

    @override
    def stepped(self, view: LensShown, across: int, down: int) -> Cursor | None:
        lens, shown = view.lens, view.axis.shown
        if lens is None or not shown:
            return None
        pair = lens.marked if lens.marked is not None else int(lens.pairs[0])
        pair = min(max(pair + across, 0), n_whole_pairs(view.encoding) - 1)
        return Cursor(min(max(lens.position + down, shown[0]), shown[-1]), _column_of(view, pair), pinned=True)

    @override
    def pointed(self, x: float, y: float, pinned: bool) -> Cursor | None:
        view, place = self.view, QPointF(x, y)
        lens = view.lens
        if lens is None:
            return None
        layout = view.layout(lens)
        clock, column = layout.clock_at(place), layout.column_at(place)
        position = last_position(view.axis) if view.cursor is None else view.cursor.position
        if clock is not None:
            return self.cell(position, _column_of(view, int(lens.pairs[clock])), pinned)
        if column is not None:
            return self.cell(position, view.encoding.combination.table_column(column), pinned)
        return None


def _column_of(view: LensShown, pair: int) -> int:
    """The first of the table's columns of a pair; the cursor's column if it is already in the pair."""
    is_there = view.cursor is not None and cursor_pair(view.encoding, view.cursor) == pair
    return view.at.column if is_there else pair_column(view.encoding, pair)


def _vector_words(lens: LensView) -> str:
    vectors = lens.vectors
    if vectors is None:
        return "a number of the vector is beyond float64"
    before, after = (significant(each, 4) for each in vectors.lengths)
    is_typed, name = vectors.source.startswith(_TYPED), vectors.names[0]
    words = f"Your {name}{vectors.source.removeprefix(_TYPED)}" if is_typed else f"{name} {vectors.source}"
    words += f"; length unchanged ({before})" if before == after else f"; length {before} → {after}"
    if vectors.sum is None:
        return words
    return f"{words}; {vectors.sum.names[1]}: {significant(float(np.linalg.norm(vectors.sum.after)), 4)}"


def _marked_words(lens: LensView) -> str:
    """The cursor's pair in words: its columns and its angle."""
    found = np.flatnonzero(lens.pairs == lens.marked)
    if not len(found):
        return ""
    index = int(found[0])
    one, other = (int(each[index]) for each in lens.columns)
    if lens.frequencies[index] == 0:
        return f"pair {lens.marked}, columns {one} and {other}, does not turn"
    number, unit = lens.angle_words(index)
    return f"pair {lens.marked}, columns {one} and {other}: {number}{unit} at position {counted(lens.position)}"
