"""The words of a card: the family, its effect, and notes on another width or simulated numbers."""

import re
from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from posenc_core.gallery import StoryFamily
from posenc_gui.layers import cut, wrapped
from posenc_gui.look import Style
from posenc_gui.panels.gallery.layout import LINE_PX, CardPlaces
from posenc_gui.plotting import Lettering, width_of

WORDS_PX = 10
_TITLE, _SMALL_PX = 12, 9
_SIZES = (_TITLE, 11, 10, _SMALL_PX)
"""Sizes of titles: the largest in which all fit, but those that fit in none."""

_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight


class CardLook(Struct, frozen=True):
    """The look that all cards share: the size of their titles, and a few words each unless all sentences fit."""

    title_px: int
    is_brief: bool

    @classmethod
    def of(cls, cards: Sequence[tuple[StoryFamily, str, CardPlaces]], style: Style) -> "CardLook":
        """The look of cards with these families, notes and places."""
        names = [(_without_brackets(family.title), places.title.width()) for family, _, places in cards]
        sizes = [next((px for px in _SIZES if _fits(name, px, wide, style)), _TITLE) for name, wide in names]
        return cls(min(sizes, default=_TITLE), any(len(_summary(*card, style)) > _room(*card[1:]) for card in cards))


def draw_words(
    painter: QPainter, family: StoryFamily, own: str, letters: str, places: CardPlaces, style: Style, look: CardLook
) -> None:
    """Write the title with the letters of the encodings, and lines of words below the pictures."""
    lettering = Lettering(painter, style, _TITLE, semibold=True)
    title = QRectF(places.title)
    if letters:
        lettering.write_in(title, letters, _RIGHT, colour=style.accent)
        title.setRight(title.right() - lettering.width(letters) - 6)
    painter.setPen(style.pen(style.ink))
    names = (family.title, _without_brackets(family.title))
    tried = ((name, px) for px in _SIZES if px <= look.title_px for name in names)
    name, px = next((each for each in tried if _fits(*each, title.width(), style)), (names[-1], _SMALL_PX))
    lettering.use(px, semibold=True)
    lettering.write_in(title, cut(name, title.width(), style, px, semibold=True), _LEFT)
    lettering.use(WORDS_PX)
    painter.setPen(style.pen(style.muted))
    for index, line in enumerate(_lines(family, own, places, style, look)):
        top = places.words.top() + index * LINE_PX
        lettering.use(_px_of(line, places.words.width(), style))
        lettering.write_in(QRectF(places.words.left(), top, places.words.width(), LINE_PX), line, _LEFT)


def _fits(title: str, px: int, width: float, style: Style) -> bool:
    return width_of(title, style, px, semibold=True) <= width


def _room(own: str, places: CardPlaces) -> int:
    """The number of lines for the summary, above a note."""
    return places.n_lines - bool(own)


def _summary(family: StoryFamily, own: str, places: CardPlaces, style: Style) -> list[str]:
    """The summary in lines, one more than there is room for if it is longer."""
    return wrapped(family.summary, places.words.width(), _room(own, places) + 1, style, WORDS_PX)


def _lines(family: StoryFamily, own: str, places: CardPlaces, style: Style, look: CardLook) -> list[str]:
    """Notes on the family's own width or simulated numbers, below its summary: the sentence if those of all cards fit.

    A card without room for a line has none: the note of the panel then names simulated numbers.
    """
    if not places.n_lines:
        return []
    width = places.words.width()
    brief = [cut(family.brief, width, style, _px_of(family.brief, width, style))]
    does = brief if look.is_brief else _summary(family, own, places, style)
    return [*does[: _room(own, places)], *([_fitting(own, width, style)] if own else [])]


def _px_of(line: str, width: float, style: Style) -> int:
    """The size of the letters of a line, smaller if it has too little room."""
    return WORDS_PX if width_of(line, style, WORDS_PX) <= width else _SMALL_PX


def _fitting(own: str, width: float, style: Style) -> str:
    """The whole text, or the text without brackets, or only its first part."""
    plain = _without_brackets(own)
    said = (own, plain, own.partition(" · ")[0], plain.partition(" · ")[0])
    fits = (each for each in said if width_of(each, style, WORDS_PX) <= width)
    return next(fits, cut(said[-1], width, style, WORDS_PX))


def _without_brackets(text: str) -> str:
    return re.sub(r" \([^)]*\)", "", text)
