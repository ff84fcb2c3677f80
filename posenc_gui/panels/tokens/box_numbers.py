"""Numbers in boxes: as many digits as there is room for, the same number of decimals in all of them."""

import math

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtGui import QFontMetricsF

from posenc_gui.look.number_format import with_decimals

_WIDE = ((66.0, 4), (48.0, 3), (0.0, 2))
"""Decimals of numbers below ten, by the least width of a box in pixels."""

_NARROW = 40.0
_PADDING = 5.0


class BoxNumbers(Struct, frozen=True):
    """How numbers are written in boxes of one width.

    From ``longest`` on they have an exponent, with ``mantissa`` decimals; ``short`` leaves out the zero before the
    point.
    """

    decimals: int
    short: bool
    longest: float
    mantissa: int

    @classmethod
    def fitting(cls, width: float, ends: tuple[float, float], whole: bool, metrics: QFontMetricsF) -> "BoxNumbers":
        """What fits in boxes of this width, for numbers from the first end to the last."""
        room, reach = width - _PADDING, max(map(abs, ends))
        size = math.floor(math.log10(reach)) if reach > 0 else 0
        wanted = 0 if whole else max(0, next(count for least, count in _WIDE if width >= least) + _more(size))
        places = max(1, int((room - metrics.horizontalAdvance("−")) / metrics.horizontalAdvance("8")))
        numbers = cls(wanted, width < _NARROW, 10.0**places, max(0, min(2, places - 4)))
        while numbers.decimals and max(metrics.horizontalAdvance(numbers.text(end)) for end in ends) > room:
            numbers = replace(numbers, decimals=numbers.decimals - 1)
        return numbers

    def text(self, value: float) -> str:
        """The number with a true minus sign; zero has none."""
        if abs(value) >= self.longest:
            mantissa, _, exponent = f"{value:.{self.mantissa}e}".partition("e")
            return f"{mantissa}e{int(exponent)}".replace("-", "−")
        text = with_decimals(value, self.decimals)
        return text.replace("0.", ".", 1) if self.short and text.lstrip("−").startswith("0.") else text


def _more(size: int) -> int:
    """Decimals more or less for numbers of so many places before the point: four digits stay four digits."""
    return -size if size >= 1 else max(0, -1 - size)
