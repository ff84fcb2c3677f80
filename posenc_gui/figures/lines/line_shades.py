"""The key of lines whose colours are a scale: the names of its ends and the colours between, in one row."""

import math

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter

from posenc_gui.figures.lines.line_looks import line_pen
from posenc_gui.figures.lines.line_plot import FIRST_SHADE, Line, Plot
from posenc_gui.look import Style
from posenc_gui.plotting import Lettering, width_of

_SAMPLE_PX, _GAP_PX, _ENTRY_GAP_PX, _SHADE_PX, _BAR_PX = 18.0, 4.0, 12.0, 12.0, 8.0


def _parts(plot: Plot) -> tuple[list[Line], list[Line]]:
    """The lines with separate looks, and the lines with colours of the scale."""
    lines = plot.lines
    return [line for line in lines if line.look < FIRST_SHADE], [line for line in lines if line.look >= FIRST_SHADE]


def has_shades(plot: Plot) -> bool:
    """Whether some lines have colours of a scale."""
    return any(line.look >= FIRST_SHADE for line in plot.lines)


def scale_row_width(plot: Plot, style: Style, px: int) -> float:
    """The width in pixels of the row, with letters of ``px``; infinity for a plot without a scale."""
    own, shaded = _parts(plot)
    if not shaded:
        return math.inf
    names = sum(_SAMPLE_PX + _GAP_PX + width_of(line.name, style, px) + _ENTRY_GAP_PX for line in own)
    ends = sum(width_of(line.name, style, px) + _GAP_PX for line in (shaded[0], shaded[-1]))
    return names + ends + len(shaded) * _SHADE_PX


def draw_scale_row(painter: QPainter, letters: Lettering, plot: Plot, style: Style, height: float) -> None:
    """Draw the names of the lines with separate looks, and the scale between the names of its ends."""
    own, shaded = _parts(plot)
    left = 0.0

    def write(name: str, left: float) -> float:
        wide = letters.width(name) + 2
        letters.write_in(QRectF(left, 0, wide, height), name, Qt.AlignmentFlag.AlignLeft, colour=style.ink)
        return left + wide

    for line in own:
        painter.setPen(line_pen(style, line.look))
        painter.drawLine(QLineF(left, height / 2, left + _SAMPLE_PX, height / 2))
        left = write(line.name, left + _SAMPLE_PX + _GAP_PX) + _ENTRY_GAP_PX
    left = write(shaded[0].name, left) + _GAP_PX
    for line in shaded:
        painter.fillRect(QRectF(left, (height - _BAR_PX) / 2, _SHADE_PX, _BAR_PX), line_pen(style, line.look).color())
        left += _SHADE_PX
    write(shaded[-1].name, left + _GAP_PX)
