"""The name of an axis, and for columns the words at their edges: wavelengths, or the first and the last head."""

import math

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from typing_extensions import override

from posenc_core import Encoding
from posenc_core.encodings import pair_members
from posenc_gui.look import Style, glossary_lines, plain_tip, wavelength_text
from posenc_gui.model import column_noun, column_words
from posenc_gui.plotting import AxisMargin, Lettering, PlotArea, Range

_FONT_PX = 11
_INSET = 5
_LONG_NAME = 130  # the least length in pixels of an axis with its full name


class AxisLabel(AxisMargin):
    """A line of text along an axis: its name in the middle, and for columns the first and the last at the ends.

    ``text`` is the name of an axis that has neither positions nor columns.
    """

    def __init__(self, area: PlotArea, style: Style, upright: bool, text: str = "", size: int = 20) -> None:
        super().__init__(area, style, upright, size)
        self._text, self._short = text, ""
        self._encoding: Encoding | None = None
        self._columns, self._pairs, self._parts = False, 0, False

    def name(self, encoding: Encoding, columns: bool = False, pairs: int = 0, parts: bool = False) -> None:
        """Name the encoding's columns, or its ``pairs`` if there are any, else its positions.

        With ``parts``, blocks of columns are called sines and cosines.
        """
        self._encoding, self._columns, self._pairs, self._parts = encoding, columns, pairs, parts
        self.setToolTip(plain_tip(glossary_lines("λ wavelength", "pair") if columns else ""))
        self.update()

    def show_text(self, text: str, short: str = "") -> None:
        """Name the axis so, in too little room ``short``."""
        self._text, self._short = text, short
        self.update()

    @override
    def draw(self, painter: QPainter) -> None:
        encoding = self._encoding
        length = self.turned(painter, self._upright)
        letters = Lettering(painter, self._style, _FONT_PX)
        painter.setPen(self._style.pen(self._style.muted))
        line = QRectF(0, 0, length, min(self.rect().width(), self.rect().height()))
        if encoding is None or not self._columns:
            text = self._text if encoding is None else self._position_name(encoding)
            shorter = (text, text.partition(", ")[0], self._short)
            letters.write_in(line, letters.fitting(shorter, length))  # without room, no unit or nothing
            return
        visible = self.area.upright if self._upright else self.area.across
        ends = pair_ends(encoding, self._pairs, visible) if self._pairs else column_ends(encoding, visible, self._parts)
        for first, last, words in ends:
            start, end = self._along(first - 0.5, length), self._along(last + 0.5, length)
            section = QRectF(min(start, end), 0, abs(end - start), line.height()).intersected(line)
            section.adjust(_INSET, 0, -_INSET, 0)
            texts = words if start < end else words[::-1]
            if not _fits(texts, section.width(), letters):
                texts = _shorter(texts, section.width(), letters)
            for text, side in zip(texts, _SIDES, strict=True):
                if text:
                    letters.write_in(section, text, side)

    def _position_name(self, encoding: Encoding) -> str:
        if not encoding.relative:
            return encoding.row_noun
        rect = self.rect()
        return "distance, query − key" if max(rect.width(), rect.height()) >= _LONG_NAME else "distance"

    def _along(self, column: float, length: float) -> float:
        return length - self.area.to_y(column) if self._upright else self.area.to_x(column)


_SIDES = (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight)


_PARTS = {"sin": "sines", "cos": "cosines"}


def _fits(texts: tuple[str, str, str], room: float, letters: Lettering) -> bool:
    """Whether texts at both ends and one in the middle have ``room`` pixels."""
    widest = max(letters.width(texts[0]), letters.width(texts[2]))  # the middle one stays in the middle
    between = f"   {texts[1]}   " if texts[1] else "  "
    return letters.width(between) + 2 * widest <= room


def _shorter(texts: tuple[str, str, str], room: float, letters: Lettering) -> tuple[str, str, str]:
    """The texts that fit into ``room`` pixels: shorter ones at the ends, or none there, or none in the middle."""
    first, name, last = texts
    fast, slow = (text.partition(", ")[0] for text in (first, last))
    tried = [(fast, name, slow), (first, "", last), (fast, "", slow), ("", name, "")]
    return next((each for each in tried if any(each) and _fits(each, room, letters)), ("", "", ""))


def column_ends(encoding: Encoding, visible: Range, parts: bool = False) -> list[tuple[int, int, tuple[str, str, str]]]:
    """For each block of columns its first and last visible column, and the words at its ends and in the middle.

    The interleaved layout is one block; the concatenated layout has two, each from fast to slow. The words are the
    wavelengths of the two columns, after ``fast`` or ``slow`` for the block's first and last column. Heads have no
    wavelength: their ends are the first and the last head. Blocks of the same noun without any ends are one.
    """
    blocks: list[tuple[int, int, tuple[str, str, str]]] = []
    for begin, end in encoding.column_blocks():
        first, stop = max(begin, math.ceil(visible[0])), min(end, math.floor(visible[1]) + 1)
        if first >= stop:
            continue
        noun = _PARTS[encoding.column_info(first).part] if parts else column_noun(encoding)
        edges = _edges(encoding, (begin, first, stop - 1, end - 1))
        if edges:
            words = (edges[0], noun, edges[1])
        elif noun != "column" and first < stop - 1:
            words = (column_words(encoding, first), noun, column_words(encoding, stop - 1))
        else:
            words = ("", noun, "")
        if blocks and not any((words[0], words[2])) and blocks[-1][2] == words:  # the noun once for both
            first = blocks.pop()[0]
        blocks.append((first, stop - 1, words))
    return blocks


def pair_ends(encoding: Encoding, n_pairs: int, visible: Range) -> list[tuple[int, int, tuple[str, str, str]]]:
    """The first and the last visible pair, and the words at the ends and in the middle, as for columns."""
    first, last = max(0, math.ceil(visible[0])), min(n_pairs - 1, math.floor(visible[1]))
    if first > last:
        return []
    columns, _ = pair_members(encoding, np.array([0, first, last, n_pairs - 1]))
    begin, first_column, last_column, end = columns.tolist()
    left, right = _edges(encoding, (begin, first_column, last_column, end)) or ("", "")
    return [(first, last, (left, "pair", right))]


def _edges(encoding: Encoding, columns: tuple[int, int, int, int]) -> tuple[str, str] | None:
    """The words at the first and the last visible column, None without wavelengths or if all are equal.

    ``columns`` are a block's first column, the first and the last visible column, and the block's last column.
    """
    begin, first, last, end = (encoding.column_info(column).wavelength for column in columns)
    if begin is None or first is None or last is None or end is None or begin in (end, math.inf):
        return None  # after a first column that does not turn, the last is not the fastest
    speeds = ("fast", "slow") if begin < end else ("slow", "fast")
    left, right = (f"λ {wavelength_text(wavelength)}" for wavelength in (first, last))
    if first == begin:
        left = f"{speeds[0]}, {left}"
    if last == end:
        right = f"{speeds[1]}, {right}"
    return (left, right) if first != last else (left, "")
