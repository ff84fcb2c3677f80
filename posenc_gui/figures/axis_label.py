"""The name of an axis, and for columns its ends: fast and slow, or the first and the last head."""

import math

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from typing_extensions import override

from posenc_core import Encoding
from posenc_core.encodings import pair_members
from posenc_gui.look.style import Style
from posenc_gui.model.wording import column_noun, column_words
from posenc_gui.plotting.layer import Margin
from posenc_gui.plotting.lettering import Lettering
from posenc_gui.plotting.plot_area import PlotArea, Range

_FONT_PX = 11
_INSET = 5
_LONG_NAME = 130  # the least length in pixels of an axis that has its full name


class AxisLabel(Margin):
    """A line of text along an axis: its name in the middle, and for columns what the first and the last ones are.

    ``text`` is the name of an axis that has neither positions nor columns.
    """

    def __init__(self, area: PlotArea, style: Style, upright: bool, text: str = "", size: int = 20) -> None:
        super().__init__(area)
        self._style, self._upright, self._text, self._size = style, upright, text, size
        self._encoding: Encoding | None = None
        self._columns, self._pairs = False, 0
        (self.setFixedWidth if upright else self.setFixedHeight)(size)

    def name(self, encoding: Encoding, columns: bool = False, pairs: int = 0) -> None:
        """Name the encoding's columns, or its ``pairs`` if there are any, else its positions."""
        self._encoding, self._columns, self._pairs = encoding, columns, pairs
        self.update()

    def show_text(self, text: str) -> None:
        """Name the axis so."""
        self._text = text
        self.update()

    def show_style(self, style: Style) -> None:
        """Draw in this style."""
        self._style = style

    @override
    def draw(self, painter: QPainter) -> None:
        encoding = self._encoding
        length = self.turned(painter, self._upright)
        letters = Lettering(painter, self._style, _FONT_PX)
        painter.setPen(self._style.pen(self._style.muted))
        line = QRectF(0, 0, length, self._size)
        if encoding is None or not self._columns:
            letters.write_in(line, self._text if encoding is None else self._position_name(encoding))
            return
        visible = self.area.upright if self._upright else self.area.across
        ends = pair_ends(encoding, self._pairs, visible) if self._pairs else column_ends(encoding, visible)
        for first, last, words in ends:
            start, end = self._along(first - 0.5, length), self._along(last + 0.5, length)
            section = QRectF(min(start, end), 0, abs(end - start), self._size).intersected(line)
            section.adjust(_INSET, 0, -_INSET, 0)
            texts = words if start < end else words[::-1]
            if letters.width("   ".join(texts)) > section.width():
                texts = _shorter(texts, section.width(), letters)
            for text, side in zip(texts, _SIDES, strict=True):
                if text:
                    letters.write_in(section, text, side)

    def _position_name(self, encoding: Encoding) -> str:
        if not encoding.relative:
            return "position"
        rect = self.rect()
        return "distance (key − query)" if max(rect.width(), rect.height()) >= _LONG_NAME else "distance"

    def _along(self, column: float, length: float) -> float:
        return length - self.area.to_y(column) if self._upright else self.area.to_x(column)


_SIDES = (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight)


def _shorter(texts: tuple[str, str, str], room: float, letters: Lettering) -> tuple[str, str, str]:
    """The texts that fit into ``room`` pixels: those at the ends, else the middle one, else none."""
    for kept in ((texts[0], "", texts[2]), ("", texts[1], "")):
        if any(kept) and letters.width("  ".join(filter(None, kept))) <= room:
            return kept
    return "", "", ""


def column_ends(encoding: Encoding, visible: Range) -> list[tuple[int, int, tuple[str, str, str]]]:
    """For each block of columns its first and last visible one, and the words at its ends and in the middle.

    The interleaved layout is one block; the concatenated one has two, each from fast to slow. Heads have no speed:
    their ends are the first and the last head.
    """
    blocks = []
    noun = column_noun(encoding)
    for begin, end in encoding.column_blocks():
        first, stop = max(begin, math.ceil(visible[0])), min(end, math.floor(visible[1]) + 1)
        if first >= stop:
            continue
        speeds = _speeds(encoding.column_info(first).wavelength, encoding.column_info(stop - 1).wavelength)
        if speeds:
            words = (speeds[0], noun, speeds[1])
        elif noun != "column" and first < stop - 1:
            words = (column_words(encoding, first), noun, column_words(encoding, stop - 1))
        else:
            words = ("", noun, "")
        blocks.append((first, stop - 1, words))
    return blocks


def pair_ends(encoding: Encoding, n_pairs: int, visible: Range) -> list[tuple[int, int, tuple[str, str, str]]]:
    """The first and the last visible pair, and the words at the ends and in the middle, as for columns."""
    first, last = max(0, math.ceil(visible[0])), min(n_pairs - 1, math.floor(visible[1]))
    if first > last:
        return []
    columns, _ = pair_members(encoding, np.array([first, last]))
    one, other = (encoding.column_info(int(column)).wavelength for column in columns)
    fast, slow = _speeds(one, other) or ("", "")
    return [(first, last, (fast, "pair", slow))]


def _speeds(one: float | None, other: float | None) -> tuple[str, str] | None:
    """``fast`` and ``slow`` in the order of two wavelengths; None where they are equal or missing."""
    if one is None or other is None or one == other:
        return None
    return ("fast", "slow") if one < other else ("slow", "fast")
