"""Lines of words in a picture: cut to their room, wrapped, and a readout below it."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from posenc_gui.look import Style, tied
from posenc_gui.plotting import Lettering, width_of

_FONT_PX = 11
_MORE = "…"
_LINE_PX = 14.0
_ONE_LINE_WIDTH, _TWO_LINES_HEIGHT = 760.0, 230.0
"""A figure from this width on has room for a sentence in one line; a narrower one, if it is high enough, in two."""


def readout_below(rect: QRectF) -> tuple[QRectF, QRectF]:
    """The rectangle without one or two lines at its bottom, and those lines."""
    height = _LINE_PX * (1 if rect.width() >= _ONE_LINE_WIDTH or rect.height() < _TWO_LINES_HEIGHT else 2)
    above = rect.adjusted(0, 0, 0, -height - 2)
    return above, QRectF(rect.left(), above.bottom() + 2, rect.width(), height)


def draw_readout(painter: QPainter, sentence: str, place: QRectF, style: Style) -> None:
    """Write a sentence in the lines below a picture."""
    lettering = Lettering(painter, style, _FONT_PX)
    painter.setPen(style.pen(style.muted))
    lines = wrapped(tied(sentence), place.width(), round(place.height() / _LINE_PX), style, _FONT_PX)
    for index, line in enumerate(lines):
        top = place.top() + index * _LINE_PX
        lettering.write_in(QRectF(place.left(), top, place.width(), _LINE_PX), line, Qt.AlignmentFlag.AlignLeft)


def wrapped(text: str, width: float, n_lines: int, style: Style, px: int) -> list[str]:
    """The text in at most ``n_lines`` lines of this width; the last one ends in "…" if the text is longer."""
    lines, rest = list[str](), text.split(" ")
    while rest and len(lines) < n_lines - 1:
        count = 1
        while count < len(rest) and width_of(" ".join(rest[: count + 1]), style, px) <= width:
            count += 1
        lines.append(" ".join(rest[:count]))
        rest = rest[count:]
    return [*lines, cut(" ".join(rest), width, style, px)] if rest else lines


def cut(text: str, width: float, style: Style, px: int, semibold: bool = False) -> str:
    """The text, or as much of it as fits before "…": whole words if the first one fits."""
    if width_of(text, style, px, semibold) <= width:
        return text
    fits = 0
    while fits < len(text) and width_of(text[: fits + 1].rstrip() + _MORE, style, px, semibold) <= width:
        fits += 1
    part = text[: fits + 1]
    if fits < len(text) and " " in part:  # the next character may be the space after a whole word
        return part[: part.rindex(" ")].rstrip() + _MORE
    return text[:fits].rstrip() + _MORE
