"""Numbers in boxes: as many digits as there is room for, the same number of decimals in all of them."""

import math
from dataclasses import dataclass

from PySide6.QtGui import QFontMetricsF

from posenc_gui.numbers import with_decimals

_WIDE = ((66.0, 4), (48.0, 3), (0.0, 2))
"""Decimals of numbers below ten, by the least width of a box in pixels."""

_NARROW = 40.0
_PADDING = 6.0


@dataclass(frozen=True)
class BoxNumbers:
    """How numbers are written in boxes of one width.

    From ``longest`` on they have an exponent, with ``mantissa`` decimals; ``short`` leaves out the zero before the
    point.
    """

    decimals: int
    short: bool
    longest: float
    mantissa: int

    @classmethod
    def fitting(cls, width: float, reach: float, whole: bool, metrics: QFontMetricsF) -> "BoxNumbers":
        """What fits in boxes of this width, for numbers up to ``reach`` in size."""
        short, room = width < _NARROW, width - _PADDING
        digit = metrics.horizontalAdvance("8")
        places = max(1, int((room - metrics.horizontalAdvance("−")) / digit))
        size = math.floor(math.log10(reach)) if reach > 0 else 0
        decimals = next(count for least, count in _WIDE if width >= least)
        if whole:
            decimals = 0
        elif size >= 1:
            decimals = max(0, decimals - size)
        else:
            # Smaller numbers have more decimals, as far as there is room: a point is narrower than a digit.
            more = range(decimals + max(0, -1 - size), decimals, -1)
            decimals = next((d for d in more if d + (0 if short else 1) < places), decimals)
        return cls(decimals, short, 10.0**places, max(0, min(2, places - 4)))

    def text(self, value: float) -> str:
        """The number with a true minus sign; zero has none."""
        if abs(value) >= self.longest:
            mantissa, _, exponent = f"{value:.{self.mantissa}e}".partition("e")
            return f"{mantissa}e{int(exponent)}".replace("-", "−")
        text = with_decimals(value, self.decimals)
        return text.replace("0.", ".", 1) if self.short and text.lstrip("−").startswith("0.") else text
