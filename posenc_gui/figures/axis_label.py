"""The name of an axis, and for columns what is at its ends: fast and slow, or the first and the last head."""

import math

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from posenc_core import Encoding
from posenc_core.encodings import pair_members
from posenc_gui.figures.figure import Figure
from posenc_gui.model.wording import column_noun, column_words
from posenc_gui.plotting.layer import Margin
from posenc_gui.plotting.lettering import Lettering
from posenc_gui.plotting.plot_area import PlotArea, Range

_SIZE = 20
_FONT_PX = 11
_INSET = 5
_LONG_NAME = 130  # so many pixels an axis must have for its name in full


class AxisLabel(Margin):
    """A line of text along an axis: its name in the middle, and at the ends of the columns what they are."""

    def __init__(self, area: PlotArea, figure: Figure, upright: bool) -> None:
        super().__init__(area)
        self._figure = figure
        self._upright = upright
        self._columns, self._pairs = False, 0
        (self.setFixedWidth if upright else self.setFixedHeight)(_SIZE)

    def name(self, columns: bool, pairs: int = 0) -> None:
        """Name columns, or so many pairs of them, else positions."""
        self._columns, self._pairs = columns, pairs
        self.update()

    def draw(self, painter: QPainter) -> None:
        """The texts, turned to read upwards beside an upright axis."""
        length = self.turned(painter, self._upright)
        style = self._figure.style
        letters = Lettering(painter, style, _FONT_PX)
        painter.setPen(style.pen(style.muted))
        if not self._columns:
            letters.write_in(QRectF(0, 0, length, _SIZE), self._position_name())
            return
        visible = self.area.upright if self._upright else self.area.across
        encoding = self._figure.document.encoding
        ends = pair_ends(encoding, self._pairs, visible) if self._pairs else column_ends(encoding, visible)
        for first, last, words in ends:
            start, end = self._along(first - 0.5, length), self._along(last + 0.5, length)
            section = QRectF(min(start, end), 0, abs(end - start), _SIZE).intersected(QRectF(0, 0, length, _SIZE))
            section.adjust(_INSET, 0, -_INSET, 0)
            texts = words if start < end else words[::-1]
            if letters.width("   ".join(texts)) > section.width():
                texts = _shorter(texts, section.width(), letters)
            for text, side in zip(texts, _SIDES, strict=True):
                if text:
                    letters.write_in(section, text, side)

    def _position_name(self) -> str:
        if not self._figure.document.encoding.relative:
            return "position"
        rect = self.rect()
        return "distance (key − query)" if max(rect.width(), rect.height()) >= _LONG_NAME else "distance"

    def _along(self, column: float, length: float) -> float:
        return length - self.area.to_y(column) if self._upright else self.area.to_x(column)


_SIDES = (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight)


def _shorter(texts: tuple[str, str, str], room: float, letters: Lettering) -> tuple[str, str, str]:
    """The ends alone, or the middle alone, whichever is the most that has room."""
    for kept in ((texts[0], "", texts[2]), ("", texts[1], "")):
        if any(kept) and letters.width("  ".join(filter(None, kept))) <= room:
            return kept
    return "", "", ""


def column_ends(encoding: Encoding, visible: Range) -> list[tuple[int, int, tuple[str, str, str]]]:
    """For each run of columns its first and last visible one, and the words for its ends and middle.

    The interleaved layout is one run; halves are two, each of which goes from fast to slow. Heads have no speed: their
    ends are the first and the last head.
    """
    runs = []
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
        runs.append((first, stop - 1, words))
    return runs


def pair_ends(encoding: Encoding, n_pairs: int, visible: Range) -> list[tuple[int, int, tuple[str, str, str]]]:
    """The first and the last visible pair, and the words for ends and middle, as those of columns."""
    first, last = max(0, math.ceil(visible[0])), min(n_pairs - 1, math.floor(visible[1]))
    if first > last:
        return []
    columns, _ = pair_members(encoding, np.array([first, last]))
    one, other = (encoding.column_info(int(column)).wavelength for column in columns)
    fast, slow = _speeds(one, other) or ("", "")
    return [(first, last, (fast, "pair", slow))]


def _speeds(one: float | None, other: float | None) -> tuple[str, str] | None:
    """``fast`` and ``slow`` for two wavelengths; None where they are equal or there are none."""
    if one is None or other is None or one == other:
        return None
    return ("fast", "slow") if one < other else ("slow", "fast")
