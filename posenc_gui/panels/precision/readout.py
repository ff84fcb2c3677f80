"""The strip under the curves: the headline, and the chain of rounded numbers at the cursor."""

from collections.abc import Callable

from msgspec import Struct
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from typing_extensions import override

from posenc_core.long_context import RoundedNumber
from posenc_gui.look import Style, counted, true_minus
from posenc_gui.plotting import Lettering, Strip

_FONT_PX, _HEADLINE_PX = 11, 13
_ROW_PX, _HEADLINE_ROW_PX = 15.0, 20.0
_HEADS = ("", "format", "hexadecimal", "rounded", "exact", "adds an error of")
_PLACES = (0.0, 0.13, 0.26, 0.42, 0.62, 0.82)
"""Where the columns begin, in parts of the width."""

TABLE_PX = _HEADLINE_ROW_PX + 7 * _ROW_PX + 4
LINES_PX = 2 * _ROW_PX + 4
LINE_PX = _ROW_PX + 4
"""The heights of the strip with everything, with the place and the bits in a line each, and with the bits alone."""

_LEAST_TABLE_WIDTH = 380.0


class Readout(Struct, frozen=True):
    """What is written: the headline, the words on the cursor's place, and the chain, which may be empty."""

    headline: str
    place: str
    chain: tuple[RoundedNumber, ...]


class ReadoutStrip(Strip):
    """Draws a readout, as a table where the strip is high enough for one."""

    def __init__(self, readout: Callable[[], tuple[Readout, Style]]) -> None:
        super().__init__()
        self._readout = readout

    @override
    def draw(self, painter: QPainter) -> None:
        (shown, style), rect = self._readout(), self.rect()
        letters = Lettering(painter, style, _FONT_PX)
        has_table = rect.height() >= TABLE_PX and rect.width() >= _LEAST_TABLE_WIDTH
        rows = [QRectF(0, row * _ROW_PX, rect.width(), _ROW_PX) for row in range(2)]
        if rect.height() >= TABLE_PX:
            self._draw_headline(painter, letters, shown.headline, style)
            rows = [row.translated(0, _HEADLINE_ROW_PX) for row in rows]
        painter.setPen(style.pen(style.muted))
        if rect.height() >= LINES_PX or not shown.chain:
            letters.write_in(rows.pop(0), shown.place, Qt.AlignmentFlag.AlignLeft)
        if has_table and shown.chain:
            self._draw_table(painter, letters, shown.chain, rows[0].top(), style)
        elif shown.chain:
            painter.setPen(style.pen(style.ink))
            letters.write_in(rows[0], _bits_line(shown.chain, letters, rect.width()), Qt.AlignmentFlag.AlignLeft)

    def _draw_headline(self, painter: QPainter, letters: Lettering, text: str, style: Style) -> None:
        width = self.rect().width()
        painter.setPen(style.pen(style.ink))
        letters.use(_HEADLINE_PX, semibold=True)
        if letters.width(text) > width:
            letters.use(_FONT_PX)
        letters.write_in(QRectF(0, 0, width, _HEADLINE_ROW_PX), text, Qt.AlignmentFlag.AlignLeft)
        letters.use(_FONT_PX)

    def _draw_table(
        self, painter: QPainter, letters: Lettering, chain: tuple[RoundedNumber, ...], top: float, style: Style
    ) -> None:
        width = self.rect().width()
        for row, cells in enumerate([_HEADS, *map(_cells, chain)]):
            painter.setPen(style.pen(style.ink if row else style.muted))
            for cell, place, end in zip(cells, _PLACES, (*_PLACES[1:], 1.0), strict=True):
                box = QRectF(place * width, top + row * _ROW_PX, (end - place) * width, _ROW_PX)
                letters.write_in(box, cell, Qt.AlignmentFlag.AlignLeft)


def _cells(number: RoundedNumber) -> tuple[str, ...]:
    value, exact = (true_minus(f"{each:.9g}") for each in (number.value, number.exact))
    return number.name, number.number_format, _digits(number), value, exact, true_minus(f"{number.contribution:.2g}")


def _bits_line(chain: tuple[RoundedNumber, ...], letters: Lettering, width: float) -> str:
    """The bits of the chain in a line, with the names of the numbers where there is room."""
    named = "hexadecimal: " + " → ".join(f"{each.name} {_digits(each)}" for each in chain)
    return named if letters.width(named) <= width else "hex: " + " → ".join(map(_digits, chain))


def _digits(number: RoundedNumber) -> str:
    """The bits without the prefix, which the font would draw as a product of 0."""
    return number.hexadecimal.removeprefix("0x")


def place_words(letter: str, position: int, pair: int, chain: tuple[RoundedNumber, ...]) -> str:
    """Where the chain is, and the error that it ends with."""
    error = entry_error(chain)
    subject = f"{letter}, position" if letter else "Position"
    return f"{subject} {counted(position)}, pair {counted(pair)}: cos or sin is {true_minus(f'{error:.3g}')} off"


def entry_error(chain: tuple[RoundedNumber, ...]) -> float:
    """The larger error of the cosine and the sine at the end of a chain."""
    return max(abs(each.value - each.exact) for each in chain[-2:])
