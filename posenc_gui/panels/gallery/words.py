"""The words of a card: the family, its effect, and notes on another width or simulated numbers."""

import re

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from posenc_core.gallery import StoryFamily
from posenc_gui.layers import cut, wrapped
from posenc_gui.look import Style
from posenc_gui.panels.gallery.layout import LINE_PX, CardPlaces
from posenc_gui.plotting import Lettering, width_of

WORDS_PX = 10
_TITLE, _SMALL_TITLE, _SMALL_PX = 12, 10, 9
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight


def draw_words(
    painter: QPainter, family: StoryFamily, own: str, letters: str, places: CardPlaces, style: Style
) -> None:
    """Write the title with the letters of the encodings, and lines of words below the pictures."""
    lettering = Lettering(painter, style, _TITLE, semibold=True)
    title = QRectF(places.title)
    if letters:
        lettering.write_in(title, letters, _RIGHT, colour=style.accent)
        title.setRight(title.right() - lettering.width(letters) - 6)
    painter.setPen(style.pen(style.ink))
    sizes = (_TITLE, _SMALL_TITLE, _SMALL_PX)
    names = (family.title, _without_brackets(family.title))
    tried = ((name, px) for name in names for px in sizes)
    fits = (each for each in tried if width_of(each[0], style, each[1], semibold=True) <= title.width())
    name, px = next(fits, (names[-1], _SMALL_PX))
    lettering.use(px, semibold=True)
    lettering.write_in(title, cut(name, title.width(), style, px, semibold=True), _LEFT)
    lettering.use(WORDS_PX)
    painter.setPen(style.pen(style.muted))
    for index, line in enumerate(_lines(family, own, places, style)):
        top = places.words.top() + index * LINE_PX
        lettering.use(_px_of(line, places.words.width(), style))
        lettering.write_in(QRectF(places.words.left(), top, places.words.width(), LINE_PX), line, _LEFT)


def _lines(family: StoryFamily, own: str, places: CardPlaces, style: Style) -> list[str]:
    """Notes on the family's own width or simulated numbers, below its summary: the sentence if it fits.

    A card without room for a line has none: the note of the panel then names simulated numbers.
    """
    if not places.n_lines:
        return []
    width = places.words.width()
    n_left = places.n_lines - bool(own)
    does = wrapped(family.summary, width, n_left + 1, style, WORDS_PX)
    if len(does) > n_left:
        does = [cut(family.brief, width, style, _px_of(family.brief, width, style))]
    return [*does[:n_left], *([_fitting(own, width, style)] if own else [])]


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
