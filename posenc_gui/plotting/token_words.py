"""The sentence's words beside a plot area, each connected to its position by a thin line."""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import count

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from posenc_core import Document, Token
from posenc_gui.look import Style, counted
from posenc_gui.model import PositionAxis
from posenc_gui.plotting.layer import Margin
from posenc_gui.plotting.lettering import Lettering, width_of
from posenc_gui.plotting.plot_area import PlotArea, seen_in
from posenc_gui.plotting.scale import spread

_FONT_PX = 12
_GAP = 8.0
_LINE = 16.0
_LEADER = 14.0
_LONGEST = 96.0
_FARTHEST = 160.0
_FEW, _NEAR = 8, 24.0
"""More words than these are thinned out until none is pushed by more pixels than these: their lines would smear."""
_WIDTH_STEP = 20.0  # the picture beside the words keeps its place while the user types
_NARROW = 320.0  # in a narrower figure, words have less room
_NARROW_STEP = 6.0
_TURNED_LINE = 14.0
_MEASURED_TOKENS = 200  # in longer sentences, only the first ones are measured


class _Word(Struct, frozen=True):
    index: int
    position: int
    text: str
    length: float


@lru_cache(maxsize=4096)
def _measured(text: str, cell: str, longest: int, style: Style) -> tuple[str, float]:
    """The drawn text of the token, elided to ``longest`` pixels, and its width in pixels."""
    metrics = QFontMetricsF(style.font(_FONT_PX, semibold=True))
    shown = metrics.elidedText(Token(text, 0, 0, cell=cell).shown, Qt.TextElideMode.ElideRight, longest)
    return shown, metrics.horizontalAdvance(shown)


class WordsView(Struct, frozen=True):
    """Content of the words along an axis.

    ``marked`` is the position of the semibold word, or None, ``held`` whether it is held; ``size`` is the figure's
    size.
    """

    document: Document
    style: Style
    axis: PositionAxis
    marked: int | None
    size: QSizeF
    held: bool = False


class TokenWords(Margin):
    """Words above a plot area with horizontal positions, or to the right of one with vertical positions.

    Overlapping words are moved apart, with a line to their position. Of many words without room near
    their positions, every second, fifth, tenth ... is written, and a held one, and then ``+21``, the number of the
    others; of few words the first ones. Words above the area that may
    ``turn`` are written at an angle of ``degrees``, 90 for upwards, if they do not fit side by side. They have room
    up to the figure's right end if they are ``beyond`` the area.
    """

    beyond = False

    def __init__(
        self, area: PlotArea, view: Callable[[], WordsView], upright: bool, turn: bool = False, degrees: float = 90.0
    ) -> None:
        super().__init__(area)
        self._new_view = view
        self._upright = upright
        self._turn = turn
        self._turned = False
        self._sine, self._cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
        self._degrees = degrees

    def fit(self, shown: bool) -> None:
        """Reserve the room that the document's words need; none if they are hidden."""
        self._look()
        tokens = self._tokens if shown else ()
        measured = range(min(len(tokens), _MEASURED_TOKENS))
        if self._upright:
            longest = max(self._lengths(measured), default=0.0)
            step = _NARROW_STEP if self._narrow else _WIDTH_STEP
            width = np.ceil((longest + _LEADER + (0 if self._narrow else _GAP)) / step) * step
            self.setFixedWidth(float(width) if tokens else 0)
            return
        self._turned = False
        if self._turn:
            self._turned = not self._fit_flat(measured)
        high = self._line
        if self._turned:
            all_measured = len(measured) == len(tokens)
            high = max(self._lengths(measured)) if all_measured else self._longest()
            high = high * self._sine + self._line * self._cosine
        self.setFixedHeight(math.ceil(high + _LEADER) if tokens else 0)

    def _fit_flat(self, measured: range) -> bool:
        """Whether the words fit side by side at the present zoom, wherever the window is."""
        low, high = self.area.across
        at_once = measured[: math.ceil(high - low)]
        width = self._across
        pixels = [abs(self.area.to_x(index + 1) - self.area.to_x(index)) for index in (0, max(0, at_once.stop - 1))]
        sizes = [length + _GAP for length in self._lengths(at_once)]
        if sum(sizes) > width:
            return False
        wanted = [(index + 0.5) * min(pixels) for index in at_once]
        moved = spread(wanted, sizes, 0.0, max(width, sum(sizes)))
        return max((abs(there - here) for there, here in zip(moved, wanted, strict=True)), default=0.0) <= _FARTHEST

    def draw(self, painter: QPainter) -> None:
        """The words in their tokens' colours, the marked one semibold."""
        self._look()
        words, n_others = self._chosen()
        wanted, sizes, room = self._layout(words, n_others)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        letters = Lettering(painter, self._view.style, _FONT_PX)
        centres = spread(wanted, sizes, 0.0, room)
        for word, place, centre in zip(words, wanted, centres, strict=False):
            self._draw_word(painter, letters, word, place, centre)
        if n_others:
            self._draw_others(painter, letters, f"+{counted(n_others)}", centres[-1], sizes[-1])

    def _draw_others(self, painter: QPainter, letters: Lettering, text: str, centre: float, size: float) -> None:
        """Write the number of omitted words after the last one."""
        letters.use(_FONT_PX)
        painter.setPen(self._view.style.pen(self._view.style.muted))
        if self._upright:
            letters.write_in(
                QRectF(_LEADER, centre - self._line / 2, size + 40, self._line), text, Qt.AlignmentFlag.AlignLeft
            )
        elif self._turned:
            self._write_turned(painter, text, size + 40, centre)
        else:
            letters.write_in(QRectF(centre - size / 2, 0, size, self._line), text)

    def _draw_word(self, painter: QPainter, letters: Lettering, word: _Word, place: float, centre: float) -> None:
        style = self._view.style
        painter.setPen(style.token(word.index))
        letters.use(_FONT_PX, semibold=word.position == self._view.marked)
        if self._upright:
            room = self.rect().width() - _LEADER  # of the words before, until the layout has been made
            text = QRectF(_LEADER, centre - self._line / 2, min(word.length + 4, room), self._line)
            line = [QPointF(0, place), QPointF(4, place), QPointF(_LEADER - 3, centre)]
        elif self._turned:
            self._draw_turned(painter, word, place, centre)
            return
        else:
            edge = self.rect().height()
            text = QRectF(centre - word.length / 2 - 2, 0, word.length + 4, self._line)
            line = [QPointF(centre, self._line), QPointF(place, edge - 5), QPointF(place, edge)]
        side = Qt.AlignmentFlag.AlignLeft if self._upright else Qt.AlignmentFlag.AlignHCenter
        letters.write_in(text, word.text, side)
        painter.setPen(style.pen(style.token(word.index), 1.0))
        painter.drawPolyline(line)

    def _draw_turned(self, painter: QPainter, word: _Word, place: float, centre: float) -> None:
        edge, style = self.rect().height(), self._view.style
        self._write_turned(painter, word.text, word.length, centre)
        painter.setPen(style.pen(style.token(word.index), 1.0))
        painter.drawPolyline([QPointF(centre, edge - _LEADER + 3), QPointF(place, edge - 4), QPointF(place, edge)])

    def _write_turned(self, painter: QPainter, text: str, length: float, centre: float) -> None:
        painter.save()
        painter.translate(centre, self.rect().height() - _LEADER)
        painter.rotate(-self._degrees)
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(0, -self._line / 2, length + 4, self._line), side, text)
        painter.restore()

    def _chosen(self) -> tuple[list[_Word], int]:
        """The first words in view that have room, and the number of the others in view."""
        seen = seen_in(self.area.upright if self._upright else self.area.across, self._view.axis.shown_tokens)
        seen = seen[:: self._step]
        if len(seen) > _FEW:
            return self._thinned(seen)
        words = self._words(seen[: int(self._room() / self._least) + 1])
        if len(words) == len(seen) and self._fits(words, 0):
            return words, 0
        few, many = 0, len(words)  # the greatest number that fits is from few to many - 1
        while many - few > 1:
            middle = (few + many) // 2
            few, many = (middle, many) if self._fits(words[:middle], len(seen) - middle) else (few, middle)
        few = max(1, few)
        return words[:few], len(seen) - few

    def _thinned(self, seen: range) -> tuple[list[_Word], int]:
        """Words thinned out until each has room near its position, with a held one; and the number of omitted words."""
        most, marked = self._room() / self._least, self._view.marked if self._view.held else None
        for every in (factor * 10**power for power in count() for factor in (1, 2, 5)):
            if len(seen) > most * every and every < len(seen):
                continue
            chosen = set(seen[::every])
            if marked is not None and marked in seen:
                chosen = {position for position in chosen if 2 * abs(position - marked) >= every} | {marked}
            words = self._words(sorted(chosen)[:: self._step])
            n_others = len(seen) - len(words)
            if every >= len(seen) or self._fits(words, n_others, _NEAR):
                break
        return words, n_others

    def _layout(self, words: list[_Word], n_others: int) -> tuple[list[float], list[float], float]:
        """The wanted centres and sizes of the words and of the number of omitted words; the room for all."""
        wanted, room = [self._along(word.position) for word in words], self._room()
        sizes = [self._least if self._turned or self._upright else word.length + _GAP for word in words]
        if n_others:
            width = width_of(f"+{counted(n_others)}", self._view.style, _FONT_PX) + _GAP
            wanted.append(self._along(words[-1].position + self._step) if words else 0.0)
            sizes.append(self._least if self._turned or self._upright else width)
        if self._turned:  # the last one ends within the strip
            room -= self._cosine * max((word.length for word in words[-1:]), default=0.0)
        return wanted, sizes, room

    def _fits(self, words: list[_Word], n_others: int, farthest: float = _FARTHEST) -> bool:
        """Whether the words fit side by side with none pushed more than ``farthest`` pixels from its position."""
        wanted, sizes, room = self._layout(words, n_others)
        if sum(sizes) > room:
            return False
        moved = spread(wanted, sizes, 0.0, room)[: len(words)]
        return max((abs(there - here) for there, here in zip(moved, wanted, strict=False)), default=0.0) <= farthest

    def _room(self) -> float:
        """The length of the strip in pixels."""
        return float(self.rect().height() if self._upright else self.rect().width())

    @property
    def _text_scale(self) -> float:
        return max(1.0, self._view.style.text_scale)

    @property
    def _line(self) -> float:
        """The height of a line of words, in pixels."""
        return _LINE * self._text_scale

    @property
    def _least(self) -> float:
        """The least space of a word along the strip, in pixels."""
        return _TURNED_LINE / self._sine * self._text_scale if self._turned else self._line

    def _words(self, positions: Sequence[int]) -> list[_Word]:
        first = self._view.axis.tokens.start
        measured = self._measured([position - first for position in positions])
        return [_Word(position - first, position, *each) for position, each in zip(positions, measured, strict=True)]

    def _look(self) -> None:
        """Read the present view and its tokens."""
        self._view = self._new_view()
        self._tokens = self._view.document.token_list

    def _lengths(self, indices: Sequence[int]) -> list[float]:
        """The widths of the tokens' words in pixels."""
        return [length for _, length in self._measured(indices)]

    def _measured(self, indices: Sequence[int]) -> list[tuple[str, float]]:
        """The drawn texts of the tokens with these indices, and their widths in pixels."""
        tokens, style, longest = self._tokens, self._view.style, round(self._longest())
        return [_measured(token.text[:200], token.cell, longest, style) for token in map(tokens.__getitem__, indices)]

    @property
    def _across(self) -> float:
        """The room in pixels for words side by side above the area."""
        return float(self._view.size.width() - self.pos().x() if self.beyond else self.area.rect().width())

    def _longest(self) -> float:
        """The greatest width of a word in pixels; wider ones are elided."""
        size, longest = self._view.size, min(_LONGEST, max(40.0, self._across - _GAP))
        if self._upright:
            longest = min(_LONGEST, max(32.0, (0.16 if self._narrow else 0.2) * self._text_scale * size.width()))
        elif self._turned:
            longest = min(_LONGEST, max(40.0, 0.25 * size.height()))
        return longest

    @property
    def _step(self) -> int:
        """The difference of two neighbouring positions along the strip: -1 on an axis that is turned round."""
        return -1 if self.area.turned[self._upright] else 1

    @property
    def _narrow(self) -> bool:
        return bool(self._view.size.width() < _NARROW * self._text_scale)

    def _along(self, position: int) -> float:
        return self.area.to_y(position) if self._upright else self.area.to_x(position)
