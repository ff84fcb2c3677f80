"""An axis that counts: whole numbers only, thousands separated, no SI prefixes."""

from itertools import count
from typing import Any

import pyqtgraph as pg

from posenc_gui.numbers import counted
from posenc_gui.style import Style

_DIGIT_PX = 7.0
_GAP_PX = 22.0
_LINE_PX = 26.0
_OVERHANG_PX = 12  # so far a number may reach past the end of its axis: the 0 of a long table stands at the edge


class CountAxis(pg.AxisItem):
    """Numbers positions or columns beside a plot area."""

    def __init__(self, orientation: str, style: Style, size: int) -> None:
        super().__init__(orientation, maxTickLength=4)
        self.enableAutoSIPrefix(False)
        self.setStyle(
            autoExpandTextSpace=False,
            autoReduceTextSpace=False,
            tickTextOffset=3,
            maxTextLevel=0,
            hideOverlappingLabels=_OVERHANG_PX,
        )
        (self.setWidth if orientation in ("left", "right") else self.setHeight)(size)
        self.show_style(style)

    def show_style(self, style: Style) -> None:
        """Take colours and fonts from the style."""
        self.setPen(style.pen(style.border))
        self.setTickPen(style.pen(style.border))
        self.setTextPen(style.pen(style.muted))
        self.setTickFont(style.font(11))

    def fit(self, first: int, last: int) -> None:
        """Take the width that the numbers from ``first`` to ``last`` need, for an upright axis."""
        self.setWidth(round(_width_of(first, last)) + 12)

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        """One level of ticks, 1, 2 or 5 times a power of ten apart."""
        room = _width_of(round(low), round(high)) + _GAP_PX if self.orientation in ("top", "bottom") else _LINE_PX
        least = (high - low) * room / max(size, 1.0)
        steps = (factor * 10**exponent for exponent in count() for factor in (1, 2, 5))
        return [(next(step for step in steps if step >= least), 0.0)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Whole numbers with thousands separated."""
        return [counted(round(value)) for value in values]

    def wheelEvent(self, event: Any) -> None:
        """Nothing: the wheel belongs to the plot area."""

    def mouseDragEvent(self, event: Any) -> None:
        """Nothing: axes are not dragged."""


def _width_of(first: int, last: int) -> float:
    """Pixels that the longer of the two numbers takes, its sign included."""
    return _DIGIT_PX * max(len(counted(first)), len(counted(last)))
