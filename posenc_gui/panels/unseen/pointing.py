"""Pointing at the maps of unseen angles: a pair by its row, in the map of an encoding."""

from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF
from typing_extensions import override

from posenc_core.encodings import n_whole_pairs
from posenc_core.long_context import NEVER
from posenc_gui.figures import Pointing, Shown
from posenc_gui.figures.lines import reach_words
from posenc_gui.model import Cursor, cursor_pair, pair_column, turns_columns
from posenc_gui.panels.unseen.derive import UnseenPair
from posenc_gui.panels.unseen.numbers import UnseenMaps
from posenc_gui.panels.unseen.painter import LINE_REACH, MapsLayout


class UnseenShown(Shown, frozen=True, eq=False):
    """The maps that were computed last, None for a family without pairs, in a room of pixels."""

    all_maps: UnseenMaps | None
    room: QRectF

    @property
    def maps(self) -> UnseenMaps | None:
        """The maps that fit."""
        maps = self.all_maps
        return None if maps is None else maps.first(MapsLayout.n_fitting(maps, self.room))

    def layout(self, maps: UnseenMaps) -> MapsLayout:
        """The places of the maps."""
        return MapsLayout.of(maps, self.room)

    @property
    def pair(self) -> int | None:
        """The cursor's pair; None for a column that no pair has."""
        return cursor_pair(self.encoding, self.cursor)

    def line_at(self, place: QPointF) -> int | None:
        """The index of the map whose line L is at a place; None if no line is there."""
        maps = self.maps
        if maps is None:
            return None
        layout = self.layout(maps)
        for index, plot in enumerate(layout.plots):
            is_near = abs(place.x() - layout.x(plot, maps.lengths.seen.trained)) <= LINE_REACH
            if is_near and plot.top() <= place.y() <= plot.bottom():
                return index
        return None


class UnseenPointing(Pointing[UnseenShown]):
    """The cursor as a pair."""

    speaks_note = True

    @override
    def notes(self, view: UnseenShown, standing: str) -> Iterator[str]:
        maps, shown, pair = view.all_maps, view.maps, view.pair
        if maps is None or shown is None:
            return
        chosen, n_shown = maps.maps[maps.chosen], len(shown.maps)
        tallest = max(plot.height() for plot in view.layout(shown).plots)
        n_left = len(maps.maps) - n_shown
        left = "the other needs" if n_left == 1 else "the others need"
        yield f"{n_shown} of {len(maps.maps)} maps: {left} more room" if n_left else ""
        yield f"{chosen.title}: {chosen.count_words(maps.lengths.target)[0]}"
        yield reach_words(maps.lengths)
        yield chosen.factor_words
        yield "" if pair is None or pair >= chosen.n_pairs else f"pair {pair:,}: {chosen.pair_words(pair)}"
        yield from maps.left_out
        yield "each row of pixels shows its first pair to leave" if maps.most_pairs > tallest else ""
        yield "Counts pairs; says nothing about quality"

    @override
    def number(self) -> float | None:
        view = self.view
        maps, pair = view.all_maps, view.pair
        if maps is None or pair is None or pair >= maps.maps[maps.chosen].n_pairs:
            return None
        first = int(maps.maps[maps.chosen].angles.first[pair])
        return None if first == NEVER else float(first)

    @override
    def stepped(self, view: UnseenShown, across: int, down: int) -> Cursor | None:
        if not down or not turns_columns(view.encoding):
            return None
        return _cursor_at(view, min(max((view.pair or 0) + down, 0), n_whole_pairs(view.encoding) - 1), None, True)

    @override
    def pointed(self, x: float, y: float, pinned: bool) -> Cursor | None:
        view = self.view
        if view.maps is None:
            return None
        layout = view.layout(view.maps)
        index = layout.plot_at(QPointF(x, y))
        if index is None:
            return None
        pair = layout.pair_at(layout.plots[index], y)
        return _cursor_at(view, pair, index, pinned) if pair < n_whole_pairs(view.encoding) else None


def _cursor_at(view: UnseenShown, pair: int, index: int | None, pinned: bool) -> Cursor:
    """The cursor at a pair, in the map at the index or in the chosen one."""
    maps = view.all_maps
    shown = None if maps is None else maps.maps[maps.chosen if index is None else index]
    subject = UnseenPair(shown.index, shown.scaling, pair) if shown is not None and pair < shown.n_pairs else None
    return Cursor(view.at.position, pair_column(view.encoding, pair), pinned, subject=subject)
