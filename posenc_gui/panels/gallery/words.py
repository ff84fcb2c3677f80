"""The words of a card: the family, what it does, and where its numbers are of its own or simulated."""

import re

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from posenc_core.gallery import StoryFamily
from posenc_gui.layers import cut, wrapped
from posenc_gui.look import Style
from posenc_gui.panels.gallery.layout import LINE_PX, CardPlaces
from posenc_gui.plotting import Lettering, width_of

WORDS_PX = 10
_TITLE = 12
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight


def draw_words(
    painter: QPainter, family: StoryFamily, own: str, letters: str, places: CardPlaces, style: Style
) -> None:
    """Write the title with the letters of the encodings, and lines of words below the pictures."""
    lettering = Lettering(painter, style, _TITLE, semibold=True)
    title = QRectF(places.title)
    if letters:
        painter.setPen(style.pen(style.accent))
        lettering.write_in(title, letters, _RIGHT)
        title.setRight(title.right() - lettering.width(letters) - 6)
    painter.setPen(style.pen(style.ink))
    lettering.write_in(title, cut(family.title, title.width(), style, _TITLE, semibold=True), _LEFT)
    lettering.use(WORDS_PX)
    painter.setPen(style.pen(style.muted))
    for index, line in enumerate(_lines(family, own, places, style)):
        top = places.words.top() + index * LINE_PX
        lettering.write_in(QRectF(places.words.left(), top, places.words.width(), LINE_PX), line, _LEFT)


def _lines(family: StoryFamily, own: str, places: CardPlaces, style: Style) -> list[str]:
    """What is of its own or simulated, and above it what the family does: the sentence if there is room for it."""
    width = places.words.width()
    n_left = places.n_lines - bool(own)
    does = wrapped(family.summary, width, n_left + 1, style, WORDS_PX)
    if len(does) > n_left:
        does = [cut(family.brief, width, style, WORDS_PX)]
    return [*does[:n_left], *([_fitting(own, width, style)] if own else [])]


def _fitting(own: str, width: float, style: Style) -> str:
    """All that is said, or without what stands in brackets, or the first part of it alone."""
    plain = re.sub(r" \([^)]*\)", "", own)
    said = (own, plain, own.partition(" · ")[0], plain.partition(" · ")[0])
    fits = (each for each in said if width_of(each, style, WORDS_PX) <= width)
    return next(fits, cut(said[-1], width, style, WORDS_PX))
