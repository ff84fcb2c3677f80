"""Places of the cards of the gallery, and the parts of a card."""

import math

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF

from posenc_core import Encoding
from posenc_gui.layers import readout_below, unmixed

_GAP, _INSET = 6.0, 6.0
_ASPECT = 1.7
"""Width over height of a card that shows its two pictures best."""
_TITLE_ROOM = 132.0
"""The width of a card that has room for the longest titles of the story."""

_LEAST_CARD = 62.0
"""The height of a card in a file whose cards are few in a row: the pictures with a title and a line of words."""

_TIMES_WIDER = 3.0
"""Columns of a card are apart in this many times the width of the heatmap's."""

_WAVES_SHARE = 0.58
_TITLE_PX, LINE_PX = 17.0, 13.0
_LINE_HEIGHTS = (48.0, 92.0, 150.0)
"""The least heights of a card with a line of words below its pictures, with two, and with three."""


class CardPlaces(Struct, frozen=True):
    """The parts of a card, in pixels of the figure. ``words`` has room for ``n_lines`` lines below the pictures."""

    card: QRectF
    title: QRectF
    waves: QRectF
    heat: QRectF
    words: QRectF
    n_lines: int

    @classmethod
    def of(cls, card: QRectF) -> "CardPlaces":
        """The parts of a card of this size."""
        inside = card.adjusted(_INSET, 3.0, -_INSET, -_INSET)
        height = card.height()
        n_lines = sum(height >= least for least in _LINE_HEIGHTS)
        below = n_lines * LINE_PX
        title = QRectF(inside.left(), inside.top(), inside.width() + _INSET - 2, _TITLE_PX)
        room = QRectF(inside.left(), title.bottom() + 2, inside.width(), 0.0)
        room.setBottom(max(room.top() + 1, inside.bottom() - below))
        across = max(2.0, room.width() - _GAP)
        waves = QRectF(room.left(), room.top(), math.floor(across * _WAVES_SHARE), room.height())
        heat = QRectF(waves.right() + _GAP, room.top(), max(1.0, room.right() - waves.right() - _GAP), room.height())
        words = QRectF(inside.left(), room.bottom() + 2, inside.width(), below)
        return cls(card, title, waves, heat, words, n_lines)


def card_order(encoding: Encoding, heat: QRectF) -> Encoding:
    """The encoding in the order of a card's colours, which have no axis: sines and cosines apart in narrow columns."""
    return unmixed(encoding, heat.width() / _TIMES_WIDER)


class GalleryLayout(Struct, frozen=True):
    """The places of ``count`` cards, from left to right and downwards, ``across`` in a row, and of a readout below."""

    across: int
    cards: tuple[CardPlaces, ...]
    readout: QRectF

    @classmethod
    def of(cls, count: int, rect: QRectF) -> "GalleryLayout":
        """The layout with the number of cards per row that makes the cards largest, all of one size."""
        rect, readout = readout_below(rect.adjusted(1, 1, -1, 0))  # room for the frames' outer halves
        size = {n: _card_size(count, n, rect) for n in range(1, count + 1)}
        across = max(size, key=lambda n: min(size[n][0] / _ASPECT, size[n][1]) * min(1.0, size[n][0] / _TITLE_ROOM))
        wide, high = size[across]
        cards = []
        for index in range(count):
            row, column = divmod(index, across)
            left, top = rect.left() + column * (wide + _GAP), rect.top() + row * (high + _GAP)
            cards.append(CardPlaces.of(QRectF(math.floor(left) + 0.5, math.floor(top) + 0.5, wide - 1, high - 1)))
        return cls(across, tuple(cards), readout)

    @staticmethod
    def export_height(count: int, width: float) -> float:
        """The least height of a picture of this width with cards as wide as titles, and a line of words in each."""
        across = max(1, int((width + _GAP) / (_TITLE_ROOM + _GAP)))
        rows = math.ceil(count / across)
        _, readout = readout_below(QRectF(0, 0, width, rows * _LEAST_CARD))
        return rows * (_LEAST_CARD + _GAP) + readout.height()

    def card_at(self, place: QPointF) -> int | None:
        """The index of the card at a place; None for none."""
        return next((index for index, each in enumerate(self.cards) if each.card.contains(place)), None)


def _card_size(count: int, across: int, rect: QRectF) -> tuple[float, float]:
    down = math.ceil(count / across)
    wide = (rect.width() - (across - 1) * _GAP) / across
    return max(8.0, math.floor(wide)), max(8.0, math.floor((rect.height() - (down - 1) * _GAP) / down))
