"""The sentence's words beside a plot area, each tied to its position by a thin line."""

from functools import lru_cache
from typing import Protocol

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from posenc_core import Document, Token
from posenc_gui.look.style import LIGHT, Style
from posenc_gui.model.cursor import Cursor, PositionAxis
from posenc_gui.plotting.layer import Margin
from posenc_gui.plotting.lettering import Lettering
from posenc_gui.plotting.plot_area import PlotArea
from posenc_gui.plotting.spread import spread

_FONT_PX = 12
_GAP = 8.0
_LINE = 16.0
_LEADER = 14.0
_LONGEST = 96.0
_FARTHEST = 160.0
_WIDTH_STEP = 20.0  # so that the picture beside it keeps still while one types
_NARROW = 320.0  # a figure that has no room to give away
_NARROW_STEP = 6.0
_TURNED_LINE = 14.0


class _Word(Struct, frozen=True):
    index: int
    position: int
    text: str
    length: float


@lru_cache(maxsize=4096)
def _measured(text: str, longest: int) -> tuple[str, float]:
    """The token as it is drawn, cut where it is longer than so many pixels, and its width; remembered."""
    metrics = QFontMetricsF(LIGHT.font(_FONT_PX, semibold=True))
    shown = metrics.elidedText(Token(text, 0, 0).shown, Qt.TextElideMode.ElideRight, longest)
    return shown, metrics.horizontalAdvance(shown)


class WordSource(Protocol):
    """What the words are read from: a figure, or one of its axes."""

    @property
    def document(self) -> Document:
        """Whose words they are."""

    @property
    def style(self) -> Style:
        """Their colours and fonts."""

    @property
    def places(self) -> PositionAxis:
        """Where the tokens are."""

    @property
    def token_positions(self) -> range:
        """The positions at which a word can stand."""

    @property
    def cursor(self) -> Cursor | None:
        """Whose word is semibold."""

    def size(self) -> QSizeF:
        """The size of the whole figure."""


class TokenWords(Margin):
    """Words above a plot area whose positions run across, or to the right of one whose positions run down.

    Words that would cover each other are pushed apart and keep a line to their place; where even that leaves no
    room, every second, third ... is named, and the cursor's always. Those above that may ``turn`` are written
    upwards where they would not all fit side by side.
    """

    def __init__(self, area: PlotArea, figure: WordSource, upright: bool, turn: bool = False) -> None:
        super().__init__(area)
        self._figure = figure
        self._upright = upright
        self._turn = turn
        self._turned = False

    def fit(self, shown: bool) -> None:
        """Take the room that the document's words need; none while not shown."""
        tokens = self._figure.document.token_list if shown else ()
        looked_at = range(min(len(tokens), 200))
        if self._upright:
            longest = max(map(self._length, looked_at), default=0.0)
            step = _NARROW_STEP if self._narrow else _WIDTH_STEP
            width = np.ceil((longest + _LEADER + (0 if self._narrow else _GAP)) / step) * step
            self.setFixedWidth(float(width) if tokens else 0)
            return
        self._turned = False
        if self._turn:
            self._turned = sum(self._length(t) + _GAP for t in looked_at) > float(self.area.rect().width())
        high = _LINE
        if self._turned:  # of very many words the longest is not looked for
            all_seen = len(looked_at) == len(tokens)
            high = max(map(self._length, looked_at)) if all_seen else self._longest()
        self.setFixedHeight(high + _LEADER if tokens else 0)

    def draw(self, painter: QPainter) -> None:
        """The words in their tokens' colours, semibold where the cursor is."""
        words = self._chosen()
        room = self.rect().height() if self._upright else self.rect().width()
        wanted = [self._along(word.position) for word in words]
        sizes = self._sizes(words)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        letters = Lettering(painter, self._figure.style, _FONT_PX)
        for word, place, centre in zip(words, wanted, spread(wanted, sizes, 0.0, room), strict=True):
            self._draw_word(painter, letters, word, place, centre)

    def _draw_word(self, painter: QPainter, letters: Lettering, word: _Word, place: float, centre: float) -> None:
        style, cursor = self._figure.style, self._figure.cursor
        current = cursor is not None and cursor.position == word.position
        painter.setPen(style.token(word.index))
        letters.use(_FONT_PX, semibold=current)
        if self._upright:
            text = QRectF(_LEADER, centre - _LINE / 2, word.length + 4, _LINE)
            line = [QPointF(0, place), QPointF(4, place), QPointF(_LEADER - 3, centre)]
        elif self._turned:
            self._draw_turned(painter, word, place, centre)
            return
        else:
            edge = self.rect().height()
            text = QRectF(centre - word.length / 2 - 2, 0, word.length + 4, _LINE)
            line = [QPointF(centre, _LINE), QPointF(place, edge - 5), QPointF(place, edge)]
        side = Qt.AlignmentFlag.AlignLeft if self._upright else Qt.AlignmentFlag.AlignHCenter
        letters.write_in(text, word.text, side)
        painter.setPen(style.pen(style.token(word.index), 1.0))
        painter.drawPolyline(line)

    def _draw_turned(self, painter: QPainter, word: _Word, place: float, centre: float) -> None:
        edge = self.rect().height()
        painter.save()
        painter.translate(centre, edge - _LEADER)
        painter.rotate(-90)
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(0, -_LINE / 2, word.length + 4, _LINE), side, word.text)
        painter.restore()
        painter.setPen(self._figure.style.pen(self._figure.style.token(word.index), 1.0))
        painter.drawPolyline([QPointF(centre, edge - _LEADER + 3), QPointF(place, edge - 4), QPointF(place, edge)])

    def _chosen(self) -> list[_Word]:
        low, high = self.area.upright if self._upright else self.area.across
        tokens = self._figure.token_positions
        first, stop = max(tokens.start, int(np.ceil(low))), min(tokens.stop, int(np.floor(high)) + 1)
        room = self.rect().height() if self._upright else self.rect().width()
        each = _TURNED_LINE if self._turned else _LINE if self._upright else 2 * _LINE
        at_most = max(1, int(room / each))
        every = max(1, -(-(stop - first) // at_most))
        while True:
            words = [self._word(position) for position in self._every(every, first, stop)]
            if len(words) <= 1 or self._fits(words, room):
                return words
            every += max(1, every // 4)

    def _every(self, every: int, first: int, stop: int) -> list[int]:
        """Every so many positions, and the cursor's instead of the one next to it."""
        positions = list(range(first, stop, every))
        cursor = self._figure.cursor
        if cursor is not None and first <= cursor.position < stop and cursor.position not in positions:
            positions[min((cursor.position - first) // every, len(positions) - 1)] = cursor.position
        return positions

    def _fits(self, words: list[_Word], room: float) -> bool:
        """Whether the words have room side by side and none is pushed far from its place."""
        sizes = self._sizes(words)
        wanted = [self._along(word.position) for word in words]
        if sum(sizes) > room:
            return False
        moved = spread(wanted, sizes, 0.0, room)
        return max(abs(there - here) for there, here in zip(moved, wanted, strict=True)) <= _FARTHEST

    def _sizes(self, words: list[_Word]) -> list[float]:
        if self._turned:
            return [_TURNED_LINE] * len(words)
        return [_LINE if self._upright else word.length + _GAP for word in words]

    def _word(self, position: int) -> _Word:
        index = position - self._figure.places.tokens.start
        return _Word(index, position, *self._measured(index))

    def _length(self, index: int) -> float:
        return self._measured(index)[1]

    def _measured(self, index: int) -> tuple[str, float]:
        return _measured(self._figure.document.token_list[index].text[:200], round(self._longest()))

    def _longest(self) -> float:
        """So long a word may be; what is longer is cut."""
        size, longest = self._figure.size(), min(_LONGEST, max(40.0, float(self.area.rect().width()) - _GAP))
        if self._upright:
            longest = min(_LONGEST, max(32.0, (0.16 if self._narrow else 0.2) * size.width()))
        elif self._turned:
            longest = min(_LONGEST, max(40.0, 0.25 * size.height()))
        return longest

    @property
    def _narrow(self) -> bool:
        return bool(self._figure.size().width() < _NARROW)

    def _along(self, position: int) -> float:
        return self.area.to_y(position) if self._upright else self.area.to_x(position)
