"""The words of a card: the family, what it does, and where its numbers are of its own or simulated."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from posenc_core.story import StoryFamily
from posenc_gui.look.style import Style
from posenc_gui.panels.gallery.layout import LINE_PX, SENTENCE_LINES, CardPlaces
from posenc_gui.plotting.lettering import Lettering, width_of

_TITLE, _WORDS = 12, 10
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
_MORE = "…"


def draw_words(
    painter: QPainter, family: StoryFamily, own: str, letters: str, places: CardPlaces, style: Style
) -> None:
    """Write the title with the letters of the encodings, and below the pictures as many lines as there is room for."""
    lettering = Lettering(painter, style, _TITLE, semibold=True)
    title = QRectF(places.title)
    if letters:
        painter.setPen(style.pen(style.accent))
        lettering.write_in(title, letters, _RIGHT)
        title.setRight(title.right() - lettering.width(letters) - 6)
    painter.setPen(style.pen(style.ink))
    lettering.write_in(title, cut(family.title, title.width(), style, _TITLE, semibold=True), _LEFT)
    if not places.n_lines:
        return
    sentence = wrapped(family.summary, places.words.width(), SENTENCE_LINES, style) if places.n_lines > 1 else []
    lettering.use(_WORDS)
    painter.setPen(style.pen(style.muted))
    for index, line in enumerate([*sentence, cut(own, places.words.width(), style, _WORDS)]):
        top = places.words.top() + index * LINE_PX
        lettering.write_in(QRectF(places.words.left(), top, places.words.width(), LINE_PX), line, _LEFT)


def wrapped(text: str, width: float, n_lines: int, style: Style) -> list[str]:
    """The text in at most so many lines of this width; the last ends in "…" where the text goes on."""
    lines, rest = list[str](), text.split(" ")
    while rest and len(lines) < n_lines - 1:
        count = 1
        while count < len(rest) and width_of(" ".join(rest[: count + 1]), style, _WORDS) <= width:
            count += 1
        lines.append(" ".join(rest[:count]))
        rest = rest[count:]
    return [*lines, cut(" ".join(rest), width, style, _WORDS)] if rest else lines


def cut(text: str, width: float, style: Style, px: int, semibold: bool = False) -> str:
    """The text, or as much of it as fits before "…"."""
    if width_of(text, style, px, semibold) <= width:
        return text
    fits = 0
    while fits < len(text) and width_of(text[: fits + 1].rstrip() + _MORE, style, px, semibold) <= width:
        fits += 1
    return text[:fits].rstrip() + _MORE
