"""Pointing at seen distances: the distance of a key in the text."""

from collections.abc import Iterator

import numpy as np
from typing_extensions import override

from posenc_core.long_context import distances_seen
from posenc_core.session import LETTERS
from posenc_gui.figures.lines import LinePointing, LinesView
from posenc_gui.look import counted
from posenc_gui.model import Cursor
from posenc_gui.panels.seen.derive import SeenDistance
from posenc_gui.panels.seen.plots import MOST, seen_distances
from posenc_gui.panels.seen.spec import changes_distances, query_of


class SeenPointing(LinePointing[LinesView]):
    """The cursor as a distance from the query back to its key."""

    @override
    def notes(self, view: LinesView, standing: str) -> Iterator[str]:
        document = view.document
        query, lengths = query_of(document), document.lengths
        several = len(document.encodings) > 1
        for index, each in enumerate(document.encodings):
            subject = f"{LETTERS[index]}: " if several else ""
            if changes_distances(each.encoding):
                farthest = distances_seen(each.encoding, lengths.target) - 1
                side = "within" if farthest <= lengths.trained else "beyond"
                yield f"{subject}at most {counted(farthest)} in {counted(lengths.target)} positions, {side} L"
            else:
                yield f"{subject}distances of the text" if several else ""
        yield f"one key in {counted(-(-query // MOST))}" if query >= MOST else ""

    @override
    def x_of(self, view: LinesView) -> float | None:
        if view.cursor is None or not view.encoding.relative:
            return None
        return -view.cursor.position if -query_of(view.document) <= view.cursor.position <= 0 else None

    @override
    def number(self) -> float | None:
        view, x = self.view, self.x
        if x is None or not changes_distances(view.encoding):
            return None
        value = float(seen_distances(view.encoding, query_of(view.document), np.array([int(x)]))[0])
        return value if np.isfinite(value) else None

    @override
    def pointed_x(self, x: float, pinned: bool) -> Cursor | None:
        view = self.view
        query = query_of(view.document)
        distance = min(max(round(x), 0), query)
        if not view.encoding.relative:
            return None
        subject = SeenDistance(query, query - distance) if self._is_seen(query, distance) else None
        return Cursor(-distance, view.at.column, pinned, subject=subject)

    @override
    def stepped(self, view: LinesView, across: int, down: int) -> Cursor | None:
        return self.pointed_x((self.x_of(view) or 0.0) + across, True) if across else None

    def _is_seen(self, query: int, distance: int) -> bool:
        """Whether the chosen encoding's query sees the key at a distance."""
        encoding = self.view.encoding
        if not changes_distances(encoding):
            return False
        return bool(np.isfinite(seen_distances(encoding, query, np.array([distance]))[0]))
