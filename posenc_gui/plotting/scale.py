"""A linear or logarithmic axis as a value, and the places of its ticks. No Qt is imported here."""

import math
from itertools import count

from msgspec import Struct

from posenc_gui.look.number_format import with_decimals

Range = tuple[float, float]

_ROOM = {True: 30.0, False: 64.0}
"""Least distance of two labels in pixels: on an upright axis, and on one across."""
_LEAST_ROOM = {True: 18.0, False: 40.0}
_PLAIN = 4
"""Powers of ten from here on are written as powers."""
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Scale(Struct, frozen=True):
    """An axis: its title, the values at its ends, and whether it is logarithmic or counts whole numbers.

    A plot area has a logarithmic axis in decimal logarithms.
    """

    title: str
    first: float
    last: float
    logarithmic: bool = False
    whole: bool = False

    @property
    def span(self) -> float:
        """The last value less the first."""
        return self.last - self.first

    @property
    def extent(self) -> Range:
        """The ends in the area's coordinates."""
        return (self.place(self.first), self.place(self.last))

    def place(self, value: float) -> float:
        """Where a value is in the area's coordinates; -inf for what a logarithmic axis has no place for."""
        if not self.logarithmic:
            return value
        return math.log10(value) if value > 0 else -math.inf

    def value(self, place: float) -> float:
        """The value at a place in the area's coordinates."""
        return float(10.0**place) if self.logarithmic else place

    def ticks(self, shown: Range, length: float, upright: bool) -> list[tuple[float, str]]:
        """Places of ticks in a range that is ``length`` pixels long, and their labels, empty for short ticks."""
        most = max(1.0, length / _ROOM[upright])
        if self.logarithmic:
            return _decades(shown, most)
        ticks = _steps(shown, most, self.whole)
        # One number is no axis: a short axis may have numbers that are closer to each other.
        return ticks if len(ticks) > 1 else _steps(shown, max(1.0, length / _LEAST_ROOM[upright]), self.whole)


def _steps(shown: Range, most: float, whole: bool) -> list[tuple[float, str]]:
    """Ticks at multiples of 1, 2 or 5 times a power of ten."""
    low, high = shown
    least = (high - low) / most
    if not 0 < least < math.inf:
        return []
    begin = 0 if whole and least <= 1 else math.floor(math.log10(least))
    steps = (factor * 10.0**exponent for exponent in count(begin) for factor in (1, 2, 5))
    step = next(each for each in steps if each >= least)
    decimals = max(0, -math.floor(math.log10(step)))
    places = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return [(place * step, _counted(place * step, decimals)) for place in places]


def _decades(shown: Range, most: float) -> list[tuple[float, str]]:
    """Ticks at powers of ten, between them at 2 and 5 times those where there is room, else short ones."""
    low, high = shown
    if not high - low < 700:
        return []
    each = max(1, math.ceil((high - low) / most))
    has_room = 3 * (high - low) <= most
    found = []
    for power in range(math.floor(low), math.ceil(high) + 1):
        for factor in range(1, 10):
            place = power + math.log10(factor)
            if not low - 1e-9 <= place <= high + 1e-9 or (factor > 1 and each > 1):
                continue
            is_named = power % each == 0 if factor == 1 else has_room and factor in (2, 5)
            found.append((place, power_text(factor, power) if is_named else ""))
    return found


def power_text(factor: int, power: int) -> str:
    """``factor`` times ten to the ``power``: 500, 0.02 or 2·10⁴."""
    if abs(power) < _PLAIN:
        return _counted(factor * 10.0**power, max(0, -power))
    ten = "10" + str(power).translate(_SUPERSCRIPTS)
    return ten if factor == 1 else f"{factor}·{ten}"


def _counted(value: float, decimals: int) -> str:
    return f"{round(value):,}".replace("-", "−") if not decimals else with_decimals(value, decimals)
