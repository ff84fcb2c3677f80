"""The rounding of numbers: number formats, decimals of a print, float32 arithmetic, and the roundest parameters."""

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from posenc_core.long_context import to_bfloat16
from posenc_core.numerics import FloatArray
from posenc_core.tables import Printed

Numbers = npt.NDArray[Any]
Interval = tuple[float, float]

UNROUND = 1.65
"""Cost of a number from which on it is not round: it has more than four digits."""

_LEAST_BASE = 1.001
"""Least base whose powers fall."""


class Level(Struct, frozen=True):
    """Allowed distance of right numbers from the exact ones.

    ``relative`` (a share of each number) and ``absolute`` are the rounding of stored or printed numbers. ``angle`` (a
    share of each angle) and ``wave`` (a share of the amplitude) are the errors of the arithmetic before it.
    """

    name: str
    relative: float
    absolute: float
    angle: float
    wave: float

    def rounding(self, exact: FloatArray) -> FloatArray:
        """The largest rounding of each number."""
        return np.asarray(self.relative * np.abs(exact) + self.absolute)


_LARGEST_HALF = float(np.finfo(np.float16).max)
_SINGLE = (6e-7, 1.5e-7)
"""Errors of an angle, as a share of it, and of a sine in float32: measured with torch, transformers and numpy."""

_FEW_DECIMALS, _SINGLE_DECIMALS = range(2, 9), range(2, 7)
"""Decimals that numbers in float64 and in float32 may be rounded to: more are below float32's own rounding."""

FLOAT64 = Level("float64", 2.0**-53, 0.0, 1e-14, 2e-15)
FLOAT32 = Level("float32", 2.0**-24, 2.0**-149, *_SINGLE)
_STORED = replace(FLOAT32, angle=FLOAT64.angle, wave=FLOAT64.wave)
"""Numbers that were computed in float64 and stored in float32."""

BFLOAT16 = Level("bfloat16", 2.0**-8, 2.0**-133, *_SINGLE)
FLOAT16 = Level("float16", 2.0**-11, 2.0**-25, *_SINGLE)


def levels_of(numbers: Numbers, printed: Printed | None) -> tuple[Level, ...]:
    """The levels that the numbers may have, the strictest first."""
    if printed is not None and printed.rounding:
        plain = Level(printed.rounding, printed.relative, printed.absolute, *_SINGLE)
        return _named(plain, printed.half) or (plain, *_halves(numbers, plain))
    if numbers.dtype == np.float16:
        return (FLOAT16,)
    with np.errstate(over="ignore"):
        single = numbers.astype(np.float32)
    if not np.array_equal(single, numbers):
        return FLOAT64, *(_decimals(numbers, _FEW_DECIMALS) or (FLOAT32,))
    few = _decimals(single, _SINGLE_DECIMALS)
    halves = (half for half in (BFLOAT16, FLOAT16) if np.array_equal(rounded(numbers, half.name), numbers))
    return *((_STORED, *few) if few else (FLOAT32,)), *islice(halves, 1)


def _halves(numbers: Numbers, plain: Level) -> tuple[Level, ...]:
    """The level of printed numbers that have a format of 16 bits, if coarser than the print; none for others."""
    largest = np.abs(numbers).max()
    for half in (BFLOAT16, FLOAT16):
        stored = rounded(numbers, half.name)
        is_coarser = half.relative * largest > 2 * plain.rounding(largest)
        if is_coarser and (np.abs(stored - numbers) <= plain.rounding(stored)).all():
            return _named(plain, half.name)
    return ()


def _named(plain: Level, name: str) -> tuple[Level, ...]:
    """The level of a print of numbers in the format of 16 bits of this name; none for another name."""
    halves = (half for half in (BFLOAT16, FLOAT16) if half.name == name)
    return tuple(
        replace(half, relative=half.relative + plain.relative, absolute=half.absolute + plain.absolute)
        for half in halves
    )


def _decimals(numbers: Numbers, tried: range) -> tuple[Level, ...]:
    """The level of numbers that were rounded to a few decimals in their own format; none for others."""
    stored = 0.0 if numbers.dtype == np.float64 else FLOAT32.relative
    for decimals in tried:
        if np.array_equal(np.round(numbers.astype(np.float64), decimals).astype(numbers.dtype), numbers):
            return (Level(f"{decimals} decimals", stored, 0.5 * 10.0**-decimals, *_SINGLE),)
    return ()


def rounded(numbers: npt.NDArray[Any], name: str) -> FloatArray:
    """The numbers rounded to bfloat16, or to float16, which ends at 65,504, as float64."""
    if name == BFLOAT16.name:
        return np.asarray(to_bfloat16(numbers.astype(np.float32)), np.float64)
    return numbers.clip(-_LARGEST_HALF, _LARGEST_HALF).astype(np.float16).astype(np.float64)


def roundest(interval: Interval, favourites: Sequence[float] = ()) -> tuple[float, float]:
    """The roundest number above 0 of the interval, favourites first, and its cost: the more digits, the more."""
    low, high = interval
    if not 0 < low <= high < math.inf:
        return math.nan, math.inf
    middle = low * math.sqrt(high / low)
    known = [each for each in favourites if low <= each <= high]
    if known:
        return min(known, key=lambda each: abs(math.log(each / middle))), 0.0
    for digits in range(1, 16):
        rounded = float(f"{middle:.{digits - 1}e}")
        if low <= rounded <= high:
            return rounded, 1.2 if digits <= 2 else 1.6 if digits <= 4 else min(1.2 + 0.1 * digits, 2.4)
    return middle, 2.5


def round_numbers(interval: Interval, favourites: Sequence[float] = ()) -> Iterator[tuple[float, float]]:
    """The roundest numbers of the interval and of its inner tenth and hundredth, and its middle, with their costs."""
    low, high = interval
    if not 0 < low <= high < math.inf:
        return
    wide = math.sqrt(high / low)
    found: dict[float, float] = {}
    for share in (1.0, 0.1, 0.01, 0.0):
        value, cost = roundest((low * wide ** (1 - share), low * wide ** (1 + share)), favourites)
        found.setdefault(value, cost)
    yield from found.items()


def falling(interval: Interval, favourites: Sequence[float] = ()) -> Iterator[tuple[float, float]]:
    """The round bases above 1, whose frequencies fall from pair to pair, with their costs."""
    return ((base, cost) for base, cost in round_numbers(interval, favourites) if base > _LEAST_BASE)
