"""The words of a card: the family, what it does, and where its numbers are of its own or simulated."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from posenc_core.story import StoryFamily
from posenc_gui.look.style import Style
from posenc_gui.panels.gallery.layout import LINE_PX, READOUT_PX, CardPlaces
from posenc_gui.plotting.lettering import Lettering, width_of

WORDS_PX, READOUT_FONT_PX = 10, 11
_TITLE = 12
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
_MORE = "…"


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
    """What is of its own or simulated, and above it what the family does, as far as there is room."""
    width, n_lines = places.words.width(), places.n_lines
    n_left = n_lines - bool(own)
    does = wrapped(family.summary, width, n_left, style) if n_left > 1 else [cut(family.brief, width, style, WORDS_PX)]
    return [*does[:n_left], *([cut(own, width, style, WORDS_PX)] if own else [])][:n_lines]


def draw_readout(painter: QPainter, sentence: str, place: QRectF, style: Style) -> None:
    """Write a sentence in the lines below a picture."""
    lettering = Lettering(painter, style, READOUT_FONT_PX)
    painter.setPen(style.pen(style.muted))
    lines = wrapped(sentence, place.width(), round(place.height() / READOUT_PX), style, READOUT_FONT_PX)
    for index, line in enumerate(lines):
        top = place.top() + index * READOUT_PX
        lettering.write_in(QRectF(place.left(), top, place.width(), READOUT_PX), line, _LEFT)


def wrapped(text: str, width: float, n_lines: int, style: Style, px: int = WORDS_PX) -> list[str]:
    """The text in at most so many lines of this width; the last ends in "…" where the text goes on."""
    lines, rest = list[str](), text.split(" ")
    while rest and len(lines) < n_lines - 1:
        count = 1
        while count < len(rest) and width_of(" ".join(rest[: count + 1]), style, px) <= width:
            count += 1
        lines.append(" ".join(rest[:count]))
        rest = rest[count:]
    return [*lines, cut(" ".join(rest), width, style, px)] if rest else lines


def cut(text: str, width: float, style: Style, px: int, semibold: bool = False) -> str:
    """The text, or as much of it as fits before "…"."""
    if width_of(text, style, px, semibold) <= width:
        return text
    fits = 0
    while fits < len(text) and width_of(text[: fits + 1].rstrip() + _MORE, style, px, semibold) <= width:
        fits += 1
    return text[:fits].rstrip() + _MORE
