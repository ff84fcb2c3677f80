"""The strip under the curves: the cursor's place, the engines of the arithmetic, and the chain of rounded numbers."""

from collections.abc import Callable
from operator import itemgetter

from msgspec import Struct
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from typing_extensions import override

from posenc_core.long_context import RoundedNumber
from posenc_gui.look import Style, counted, significant
from posenc_gui.plotting import Lettering, Strip

_FONT_PX = 11
_ROW_PX = 15.0
_HEADS = ("", "format", "hexadecimal", "rounded", "exact", "adds an error of")
_PLACES = (0.0, 0.13, 0.26, 0.42, 0.62, 0.82)
"""Left edges of the columns, as shares of the width."""

_BITS = 2
"""The column of the bits."""

_TABLE_ROWS = 8
TABLE_PX = _TABLE_ROWS * _ROW_PX + 4
LINES_PX = 2 * _ROW_PX + 4
LINE_PX = _ROW_PX + 4
"""The heights in units of the strip with everything, with the place and a line below it, and with that line alone."""

_LEAST_TABLE_WIDTH = 380.0


class Readout(Struct, frozen=True):
    """Texts: the words on the cursor's place, and the chain, possibly empty.

    ``computed_by`` names the engines of this arithmetic. With ``has_bits`` the bits of the chain are written.
    """

    place: str
    chain: tuple[RoundedNumber, ...]
    computed_by: str
    has_bits: bool


class ReadoutStrip(Strip):
    """Draws a readout, as a table if the strip is high enough."""

    def __init__(self, readout: Callable[[], tuple[Readout, Style]]) -> None:
        super().__init__()
        self._readout = readout

    @override
    def draw(self, painter: QPainter) -> None:
        (shown, style), rect = self._readout(), self.room
        letters = Lettering(painter, style, _FONT_PX)
        has_table = rect.height() >= TABLE_PX and rect.width() >= _LEAST_TABLE_WIDTH
        lines = [(style.muted, shown.place), (style.muted, _fitting(shown.computed_by, letters, rect.width()))]
        if shown.chain and shown.has_bits and not has_table:
            lines[1] = (style.ink, _bits_line(shown.chain, letters, rect.width()))
        top = 0.0
        if rect.height() < LINES_PX:
            del lines[0]
        for colour, text in filter(itemgetter(1), lines):
            letters.write_in(QRectF(0, top, rect.width(), _ROW_PX), text, Qt.AlignmentFlag.AlignLeft, colour=colour)
            top += _ROW_PX
        if has_table and shown.chain:
            self._draw_table(painter, letters, shown, top, style)

    def _draw_table(self, painter: QPainter, letters: Lettering, shown: Readout, top: float, style: Style) -> None:
        width = self.room.width()
        for row, cells in enumerate([_HEADS, *map(_cells, shown.chain)]):
            painter.setPen(style.pen(style.ink if row else style.muted))
            for column, (cell, place, end) in enumerate(zip(cells, _PLACES, (*_PLACES[1:], 1.0), strict=True)):
                if column == _BITS and not shown.has_bits:
                    continue
                box = QRectF(place * width, top + row * _ROW_PX, (end - place) * width, _ROW_PX)
                letters.write_in(box, cell, Qt.AlignmentFlag.AlignLeft)


def _cells(number: RoundedNumber) -> tuple[str, ...]:
    value, exact = (significant(each, 9) for each in (number.value, number.exact))
    return number.name, number.number_format, _digits(number), value, exact, significant(number.contribution, 2)


def _bits_line(chain: tuple[RoundedNumber, ...], letters: Lettering, width: float) -> str:
    """The bits of the chain in a line, with the names of the numbers if they fit."""
    named = "hexadecimal: " + " → ".join(f"{each.name} {_digits(each)}" for each in chain)
    return named if letters.width(named) <= width else "hex: " + " → ".join(map(_digits, chain))


def _fitting(text: str, letters: Lettering, width: float) -> str:
    """The text, or as many of its first words as have room before a sign that there are more."""
    words = text.split()
    begun = (f"{' '.join(words[:count]).rstrip(',;:')} …" for count in range(len(words) - 1, 0, -1))
    return text if letters.width(text) <= width else letters.fitting(begun, width)


def _digits(number: RoundedNumber) -> str:
    """The bits without the prefix, which the font would draw as a product of 0."""
    return number.hexadecimal.removeprefix("0x")


def place_words(letter: str, position: int, pair: int, chain: tuple[RoundedNumber, ...]) -> str:
    """Position and pair of the chain, and the error at its end, in words."""
    error = entry_error(chain)
    subject = f"{letter}, position" if letter else "Position"
    return f"{subject} {counted(position)}, pair {counted(pair)}: cos or sin is {significant(error, 3)} off"


def entry_error(chain: tuple[RoundedNumber, ...]) -> float:
    """The larger error of the cosine and the sine at the end of a chain."""
    return max(abs(each.value - each.exact) for each in chain[-2:])
