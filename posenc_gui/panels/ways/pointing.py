"""Sentences on the three ways; their cards have no cells to point at."""

from collections.abc import Iterator

from PySide6.QtCore import QRectF
from typing_extensions import override

from posenc_gui.figures import Pointing, Shown
from posenc_gui.model import cursor_pair
from posenc_gui.panels.ways.numbers import Hands, WaysView
from posenc_gui.panels.ways.painter import WaysLayout


class WaysShown(Shown, frozen=True, eq=False):
    """The ways that could be computed last, None for a family that rotates nothing, in a room of pixels."""

    ways: WaysView | None
    room: QRectF

    @property
    def layout(self) -> WaysLayout:
        """The places of the parts."""
        return WaysLayout.of(self.room)

    @property
    def hands(self) -> Hands | None:
        """The hands of the cursor's pair, or of pair 0 without a cursor; None if no way was computed."""
        pair = cursor_pair(self.encoding, self.cursor) or 0
        return None if self.ways is None else Hands.of(self.encoding, pair, self.ways.positions)

    @property
    def column(self) -> int | None:
        """The column that the cursor marks; None if the table does not have it."""
        has_column = self.cursor is not None and self.cursor.column < self.encoding.n_columns
        return self.at.column if has_column else None


class WaysPointing(Pointing[WaysShown]):
    """The words of the three ways."""

    speaks_note = True

    @override
    def notes(self, view: WaysShown, standing: str) -> Iterator[str]:
        if view.ways is not None:
            yield view.ways.summary()

    @override
    def number(self) -> float | None:
        """The right score."""
        ways = self.view.ways
        return None if ways is None else ways.ways[0].score
