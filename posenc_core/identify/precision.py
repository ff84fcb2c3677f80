"""The rounding of numbers: number formats, decimals of a print, and what float32 arithmetic adds."""

from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from posenc_core.long_context import to_bfloat16
from posenc_core.numerics import FloatArray
from posenc_core.tables import Printed

Numbers = npt.NDArray[Any]


class Level(Struct, frozen=True):
    """How far numbers may be from the exact ones and still be right.

    ``relative`` (a share of each number) and ``absolute`` are the rounding of stored or printed numbers. ``angle`` (a
    share of each angle) and ``wave`` (a share of the amplitude) are what the arithmetic before adds.
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
BFLOAT16 = Level("bfloat16", 2.0**-8, 2.0**-133, *_SINGLE)
FLOAT16 = Level("float16", 2.0**-11, 2.0**-25, *_SINGLE)


def levels_of(numbers: Numbers, printed: Printed | None) -> tuple[Level, ...]:
    """The levels that the numbers may have, the strictest first."""
    if printed is not None and printed.rounding:
        plain = Level(printed.rounding, printed.relative, printed.absolute, *_SINGLE)
        return plain, *_halves(numbers, plain)
    if numbers.dtype == np.float16:
        return (FLOAT16,)
    with np.errstate(over="ignore"):
        single = numbers.astype(np.float32)
    if not np.array_equal(single, numbers):
        return FLOAT64, FLOAT32, *_decimals(numbers, _FEW_DECIMALS)
    few = _decimals(single, _SINGLE_DECIMALS)
    if np.array_equal(rounded(numbers, BFLOAT16.name), numbers):
        return FLOAT32, BFLOAT16, *few
    return (FLOAT32, FLOAT16, *few) if np.array_equal(rounded(numbers, FLOAT16.name), numbers) else (FLOAT32, *few)


def _halves(numbers: Numbers, plain: Level) -> tuple[Level, ...]:
    """The level of printed numbers that have a format of 16 bits, if coarser than the print; none for others."""
    largest = np.abs(numbers).max()
    for half in (BFLOAT16, FLOAT16):
        stored = rounded(numbers, half.name)
        is_coarser = half.relative * largest > 2 * plain.rounding(largest)
        if is_coarser and (np.abs(stored - numbers) <= plain.rounding(stored)).all():
            relative, absolute = half.relative + plain.relative, half.absolute + plain.absolute
            return (replace(half, relative=relative, absolute=absolute),)
    return ()


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
