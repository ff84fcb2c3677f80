"""The name of an axis, and for columns what is at its ends: fast and slow, or the first and the last head."""

import math

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from posenc_core import Encoding
from posenc_gui.figure import Figure
from posenc_gui.phrases import column_noun, column_words
from posenc_gui.plotting.layer import Margin
from posenc_gui.plotting.plot_area import PlotArea, Range

_SIZE = 20
_FONT_PX = 11
_INSET = 5


class AxisLabel(Margin):
    """A line of text along an axis: its name in the middle, and at the ends of the columns what they are."""

    def __init__(self, area: PlotArea, figure: Figure, upright: bool) -> None:
        super().__init__(area)
        self._figure = figure
        self._upright = upright
        self._columns = False
        (self.setFixedWidth if upright else self.setFixedHeight)(_SIZE)

    def name(self, columns: bool) -> None:
        """Name columns, else positions."""
        self._columns = columns
        self.update()

    def draw(self, painter: QPainter) -> None:
        """The texts, turned to read upwards beside an upright axis."""
        length = self.rect().height() if self._upright else self.rect().width()
        if self._upright:
            painter.translate(0, length)
            painter.rotate(-90)
        style = self._figure.style
        painter.setFont(style.font(_FONT_PX))
        painter.setPen(style.pen(style.muted))
        if not self._columns:
            painter.drawText(QRectF(0, 0, length, _SIZE), Qt.AlignmentFlag.AlignCenter, self._position_name())
            return
        metrics = QFontMetricsF(style.font(_FONT_PX))
        visible = self.area.upright if self._upright else self.area.across
        for first, last, words in column_ends(self._figure.document.encoding, visible):
            start, end = self._along(first - 0.5, length), self._along(last + 0.5, length)
            section = QRectF(min(start, end), 0, abs(end - start), _SIZE).intersected(QRectF(0, 0, length, _SIZE))
            section.adjust(_INSET, 0, -_INSET, 0)
            texts = words if start < end else words[::-1]
            if metrics.horizontalAdvance("   ".join(texts)) > section.width():
                texts = _shorter(texts, section.width(), metrics)
            for text, side in zip(texts, _SIDES, strict=True):
                painter.drawText(section, side | Qt.AlignmentFlag.AlignVCenter, text)

    def _position_name(self) -> str:
        return "distance (key − query)" if self._figure.document.encoding.relative else "position"

    def _along(self, column: float, length: float) -> float:
        return length - self.area.to_y(column) if self._upright else self.area.to_x(column)


_SIDES = (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight)


def _shorter(texts: tuple[str, str, str], room: float, metrics: QFontMetricsF) -> tuple[str, str, str]:
    """The ends alone, or the middle alone, whichever is the most that has room."""
    for kept in ((texts[0], "", texts[2]), ("", texts[1], "")):
        if any(kept) and metrics.horizontalAdvance("  ".join(filter(None, kept))) <= room:
            return kept
    return "", "", ""


def column_ends(encoding: Encoding, visible: Range) -> list[tuple[int, int, tuple[str, str, str]]]:
    """For each run of columns its first and last visible one, and the words for its ends and middle.

    The interleaved layout is one run; halves are two, each of which goes from fast to slow. Heads have no speed: their
    ends are the first and the last head.
    """
    runs = []
    noun = column_noun(encoding)
    for begin, end in encoding.runs():
        first, stop = max(begin, math.ceil(visible[0])), min(end, math.floor(visible[1]) + 1)
        if first >= stop:
            continue
        one, other = encoding.facts(first).wavelength, encoding.facts(stop - 1).wavelength
        if one is not None and other is not None and one != other:
            words = ("fast", noun, "slow") if one < other else ("slow", noun, "fast")
        elif noun != "column" and first < stop - 1:
            words = (column_words(encoding, first), noun, column_words(encoding, stop - 1))
        else:
            words = ("", noun, "")
        runs.append((first, stop - 1, words))
    return runs
