"""Scales of axes, linear, logarithmic or counting, with places and texts of ticks, and labels side by side; no Qt."""

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from posenc_gui.look import counted, with_decimals

Range = tuple[float, float]
"""The first and the last value of a part of an axis."""

_ROOM = {True: 30.0, False: 64.0}
"""Least distance of two labels in pixels: on an upright axis, and on one across."""
_LEAST_ROOM = {True: 18.0, False: 40.0}
_DIGIT_PX, _GAP_PX, _LINE_PX = 7.0, 22.0, 26.0
"""The width of a digit, and the space for a number beside it on a horizontal axis, and in all on a vertical one."""
_PLAIN = 4
"""Powers of ten from here on are written as powers."""
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

_APART_PX = {True: 14.0, False: 6.0}
"""Least distance of the first place of a block and the tick before it on an upright axis; across, of their texts."""

_FARTHEST_PLACE = 308.0
"""Farther ranges belong to an axis that has just become logarithmic."""

_LEAST, _MOST = math.ulp(0.0), sys.float_info.max
"""The smallest and the largest float64 number above 0."""

Extents = Mapping[str, Range]
"""The ranges of values of a figure's axes and colours, by their names."""

Ticks = list[tuple[float, str]]
"""Places in a plot area's coordinates, and their labels, empty for short ticks."""


class Scale(Struct, frozen=True):
    """An axis: its title, the values at its ends, and whether it is logarithmic or counts whole numbers.

    A plot area has a logarithmic axis in decimal logarithms.
    """

    title: str
    first: float
    last: float
    logarithmic: bool = False
    whole: bool = False

    @classmethod
    def around(cls, title: str, least: float, most: float, room: float) -> "Scale":
        """A logarithmic axis from ``least / room`` to ``most * room``, within float64; both are above 0."""
        return cls(title, max(least / room, _LEAST), min(most * room, _MOST), logarithmic=True)

    @property
    def span(self) -> float:
        """The last value less the first."""
        return self.last - self.first

    @property
    def extent(self) -> Range:
        """The ends in the area's coordinates."""
        return (self.place(self.first), self.place(self.last))

    def place(self, value: float) -> float:
        """The place of a value in the area's coordinates; -inf for a value outside a logarithmic axis."""
        if not self.logarithmic:
            return value
        return math.log10(value) if value > 0 else -math.inf

    def value(self, place: float) -> float:
        """The value at a place in the area's coordinates, at most the largest float64."""
        if not self.logarithmic:
            return place
        return float(10.0**place) if place < self.place(_MOST) else _MOST

    def widened(self, other: Range | None) -> "Scale":
        """The axis with the values of another range in it as well."""
        first, last = widened((self.first, self.last), other)
        return replace(self, first=first, last=last)

    def ticks(self, shown: Range, length: float, upright: bool) -> Ticks:
        """Ticks in a range that is ``length`` pixels long."""
        most = max(1.0, length / _ROOM[upright])
        if self.logarithmic:
            return _decades(shown, most)
        ticks = _multiples(shown, most, self.whole)
        # An axis needs two numbers: on a short axis they may be closer together.
        return ticks if len(ticks) > 1 else _multiples(shown, max(1.0, length / _LEAST_ROOM[upright]), self.whole)


def widened(own: Range, other: Range | None) -> Range:
    """The least range that has both in it; None adds nothing."""
    return own if other is None else (min(own[0], other[0]), max(own[1], other[1]))


class PlaceNumbers(Struct, frozen=True):
    """The number ``at`` each place of ``blocks`` of places (first, stop), each of which has its own ticks."""

    blocks: tuple[tuple[int, int], ...]
    at: Callable[[int], int | None]

    def ticks(self, shown: Range, length: float, upright: bool) -> Ticks:
        """Ticks in a range that is ``length`` pixels long: in each block the first place, then steps of a power of two.

        A number that would touch the first one of the next block is left out.
        """
        per_pixel = (shown[1] - shown[0]) / max(length, 1.0)
        widest = max((self._number(stop - 1) for _, stop in self.blocks), default=0)
        least = per_pixel * count_room(0, widest, upright)
        step = next(1 << power for power in count() if 1 << power >= least)
        found: Ticks = []
        for first, stop in self.blocks:
            if (
                found
                and shown[0] <= first <= shown[1]
                and first - found[-1][0] < per_pixel * self._apart(first, upright)
            ):
                found.pop()
            begin = first + max(0, -(-(shown[0] - first) // step)) * step
            places = range(int(begin), min(stop, int(shown[1]) + 1), step)
            found += [(float(place), counted(self._number(place))) for place in places]
        return found

    def _number(self, place: int) -> int:
        number = self.at(place)
        return place if number is None else number

    def _apart(self, first: int, upright: bool) -> float:
        """The least distance in pixels of the first place of a block and the tick before it."""
        if upright:
            return _APART_PX[True]
        return (width_of(0, self._number(first - 1)) + width_of(0, self._number(first))) / 2 + _APART_PX[False]


def place_of_position(position: float) -> float:
    """The place of a position on the logarithmic axis."""
    return math.copysign(math.log10(1 + abs(position)), position)


def position_at(place: float) -> float:
    """The position at a place of the logarithmic axis, at most the largest float64."""
    return math.copysign(10 ** min(abs(place), _FARTHEST_PLACE) - 1, place)


def count_ticks(shown: Range, length: float, upright: bool) -> Ticks:
    """Ticks at whole numbers in a range that is ``length`` pixels long."""
    low, high = shown
    step = _step((high - low) * count_room(round(low), round(high), upright) / max(length, 1.0), 0)
    first = math.ceil(low / step)
    last = first + int((high - first * step) / step)
    return [(number * step, counted(round(number * step))) for number in range(first, last + 1)]


def position_ticks(shown: Range, length: float) -> Ticks:
    """Ticks at positions on a logarithmic axis, whose range is in places.

    They are 0 and those of 1, 2 and 5 times powers of ten that fit, or evenly spaced numbers.
    """
    low, high = shown
    first, last = math.ceil(position_at(low) - 1e-6), math.floor(position_at(high) + 1e-6)
    per_pixel = (high - low) / max(length, 1.0)
    powers = [10**power for power in range(len(str(max(abs(first), abs(last), 1))))]
    found: list[tuple[float, float]] = []  # places and the widths of their numbers
    for number in (0, *powers, *(5 * power for power in powers), *(2 * power for power in powers)):
        for position in {number, -number}:
            place, width = place_of_position(position), width_of(position, position) + _GAP_PX / 2
            if first <= position <= last and all(
                abs(place - other) >= per_pixel * (width + wide) / 2 for other, wide in found
            ):
                found.append((place, width))
    places = sorted(place for place, _ in found)
    if len(found) < 3:  # so far from 0 that the axis is nearly linear
        room = per_pixel * (width_of(first, last) + _GAP_PX)
        step = round(_step(position_at(high) - position_at(high - room), 0))
        places = [place_of_position(number) for number in range(-(-first // step) * step, last + 1, step)]
    return [(place, counted(round(position_at(place)))) for place in places]


def count_room(first: int, last: int, upright: bool) -> float:
    """Least distance of two of the numbers from ``first`` to ``last`` in pixels."""
    return _LINE_PX if upright else width_of(first, last) + _GAP_PX


def width_of(first: int, last: int) -> float:
    """The width of the longer of the two numbers in pixels, its sign included."""
    return _DIGIT_PX * max(len(counted(first)), len(counted(last)))


def _step(least: float, exponent: int) -> float:
    """The smallest 1, 2 or 5 times a power of ten that is at least ``least``; no power below the exponent."""
    steps: Iterator[float] = (factor * 10.0**power for power in count(exponent) for factor in (1, 2, 5))
    return next(each for each in steps if each >= least)


def _multiples(shown: Range, most: float, whole: bool) -> Ticks:
    """Ticks at multiples of 1, 2 or 5 times a power of ten."""
    low, high = shown
    least = (high - low) / most
    if not 0 < least < math.inf:
        return []
    step = _step(least, 0 if whole and least <= 1 else math.floor(math.log10(least)))
    decimals = max(0, -math.floor(math.log10(step)))
    places = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return [(place * step, _written(place * step, decimals)) for place in places]


def _decades(shown: Range, most: float) -> Ticks:
    """Ticks at powers of ten, between them at 2 and 5 times these if they fit, else short ones."""
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
        return _written(factor * 10.0**power, max(0, -power))
    ten = "10" + str(power).translate(_SUPERSCRIPTS)
    return ten if factor == 1 else f"{factor}·{ten}"


def _written(value: float, decimals: int) -> str:
    return with_decimals(value, decimals) if decimals else counted(round(value))


def spread(centres: Sequence[float], sizes: Sequence[float], low: float, high: float) -> list[float]:
    """New centres of labels, in the order of the old ones (which must ascend), so that labels do not overlap.

    The sum of squared shifts is the smallest possible: labels that collide are pooled and move together. All labels
    stay within ``low`` .. ``high`` if they fit there.
    """
    pools: list[tuple[float, float, int]] = []  # sum of the first edges wanted, total size, number of members
    starts: list[float] = []
    for centre, size in zip(centres, sizes, strict=True):
        pool = (centre - size / 2, size, 1)
        while pools and _start(pools[-1], low, high) + pools[-1][1] > _start(pool, low, high):
            before = pools.pop()
            pool = (before[0] + pool[0] - pool[2] * before[1], before[1] + pool[1], before[2] + pool[2])
        pools.append(pool)
    sizes_left = iter(sizes)
    for pool in pools:
        place = _start(pool, low, high)
        for _ in range(pool[2]):
            size = next(sizes_left)
            starts.append(place + size / 2)
            place += size
    return starts


def _start(pool: tuple[float, float, int], low: float, high: float) -> float:
    return max(low, min(high - pool[1], pool[0] / pool[2]))
