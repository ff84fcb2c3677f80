"""Angles in decimal arithmetic, for angles with more digits than float64 has.

A base below 1 makes frequencies grow with the pair, up to 1e323 rad per token. Whole turns do not change a sine, but
subtracting them from an angle needs as many digits of pi as the angle has.
"""

import decimal
import math
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from functools import lru_cache
from itertools import accumulate, repeat
from operator import mul

import numpy as np
import numpy.typing as npt
from msgspec import Struct

GUARD_DIGITS = 40
"""Digits kept below the decimal point of an angle."""

_DIGIT = 16
_KEPT_BITS = 96
"""Bits kept behind the point of a product: 64 of a fraction, and those that sums carry into them."""

_HALF = 32
_ROUGH = 2**18


@contextmanager
def digits_for(base: float, largest_exponent: float) -> Iterator[int]:
    """Context manager for a decimal context that keeps the decimals of ``base ** -largest_exponent`` times a position.

    Yields the precision in digits. Exponents are not bounded.
    """
    shrinks = base >= 1 and largest_exponent >= 0  # without a logarithm, which takes longer than the power itself
    before_point = 0 if shrinks else max(0, int(-Decimal(base).log10() * Decimal(largest_exponent)))
    precision = before_point + 20 + GUARD_DIGITS
    context = decimal.Context(prec=precision, Emin=-decimal.MAX_EMAX, Emax=decimal.MAX_EMAX)
    with decimal.localcontext(context):
        yield precision


@lru_cache(maxsize=8)
def pi(digits: int) -> Decimal:
    """Pi to ``digits`` significant digits, computed as 6 arcsin(1/2)."""
    with decimal.localcontext(decimal.Context(prec=digits + 5)):
        total = term = Decimal(3)
        k = 0
        while term.adjusted() > -digits - 5:
            k += 1
            term *= Decimal((2 * k - 1) ** 2) / (8 * k * (2 * k + 1))
            total += term
    return total


class Angle(Struct, frozen=True):
    """An angle in rad, and the ``residue``, the same less whole turns, in [-pi, pi]."""

    rad: Decimal
    residue: Decimal


@lru_cache(maxsize=256)
def divisor_of(base: float, numerator: int, denominator: int) -> Decimal:
    """``base ** (numerator / denominator)``, with the digits that an angle needs."""
    with digits_for(base, numerator / denominator):
        return Decimal(base) ** (Decimal(numerator) / denominator) if numerator else Decimal(1)


@lru_cache(maxsize=256)
def angle_of(position: int, base: float, numerator: int, denominator: int) -> Angle:
    """``position / base ** (numerator / denominator)``, to 40 digits after the decimal point."""
    with digits_for(base, numerator / denominator) as precision:
        rad = position / divisor_of(base, numerator, denominator)
        return Angle(rad, rad.remainder_near(2 * pi(precision)))


def residue_of(frequency: float, position: int = 1) -> Decimal:
    """``frequency * position`` less whole turns, in [-pi, pi], for the exact value of the float64 frequency."""
    exact = Decimal(frequency)
    before_point = max(0, exact.adjusted()) + len(str(position))
    precision = -(-(before_point + GUARD_DIGITS) // 50) * 50  # few different precisions: pi is computed for each
    with decimal.localcontext(decimal.Context(prec=precision, Emin=-decimal.MAX_EMAX, Emax=decimal.MAX_EMAX)):
        return (exact * position).remainder_near(2 * pi(precision))


def residues(base: float, first: int, step: int, count: int, denominator: int) -> npt.NDArray[np.float64]:
    """``base ** -(first + step k)/denominator`` less whole turns, k = 0..count-1, float64 ``(count,)`` in [-pi, pi].

    ``base`` < 1. With n about the square root of ``count``, each is one of n starts times one of n ratios.
    """
    few = math.isqrt(count - 1) + 1
    with digits_for(base, (first + step * (count - 1)) / denominator) as precision:
        minus_log = -Decimal(base).ln()
        ratio = (minus_log * step / denominator).exp()
        ratios = _powers(Decimal(1), ratio, few)
        starts = _powers((minus_log * first / denominator).exp() / (2 * pi(precision)), ratios[-1] * ratio, few)
        turns = _fractions(starts, ratios)[:count].astype(np.int64)  # in 2^-64, from half a turn back to half one ahead
        turn = 2 * pi(GUARD_DIGITS)
        rough = math.floor(turn * _ROUGH) / _ROUGH
        # 32 bits times the 21 of ``rough`` are exact, so that the sum is rounded once
        upper, lower = (turns >> _HALF) * 2.0**-_HALF, (turns & (2**_HALF - 1)) * 2.0 ** (-2 * _HALF)
        return np.asarray(upper * rough + (upper * float(turn - Decimal(rough)) + lower * float(turn)))


def _powers(start: Decimal, ratio: Decimal, count: int) -> list[Decimal]:
    """``start * ratio**k`` for k = 0..count-1."""
    return list(accumulate(repeat(ratio, count - 1), mul, initial=start))


def _fractions(ones: list[Decimal], others: list[Decimal]) -> npt.NDArray[np.uint64]:
    """The fractions in 2^-64 of the products of each of ``ones`` with all ``others``, uint64 ``(n_ones * n_others,)``.

    In the product of two numbers in digits of 16 bits, each place is a sum of products of digits. Only the few
    places after the point are needed: matrix products of integers, which float64 represents exactly.
    """
    bits = [_KEPT_BITS + int(factors[-1]).bit_length() // _DIGIT * _DIGIT for factors in (others, ones)]
    n_places = sum(bits) // _DIGIT
    left, right = (_digits(numbers, some, n_places) for numbers, some in zip((ones, others), bits, strict=True))
    fractions = np.zeros((len(ones), len(others)), np.uint64)
    for place in range(_KEPT_BITS // _DIGIT):
        until, shift = n_places - place, 3 * _DIGIT - place * _DIGIT
        sums = (left[:, :until] @ right[:, until - 1 :: -1].T).astype(np.uint64)
        fractions += sums << np.uint64(shift) if shift >= 0 else sums >> np.uint64(-shift)
    return fractions.ravel()


def _digits(numbers: list[Decimal], bits: int, count: int) -> npt.NDArray[np.float64]:
    """The lowest ``count`` digits of 16 bits of each number in 2^-``bits``, the lowest one first."""
    size = count * _DIGIT // 8
    data = b"".join((int(number * 2**bits) % 2 ** (count * _DIGIT)).to_bytes(size, "little") for number in numbers)
    return np.frombuffer(data, "<u2").reshape(len(numbers), count).astype(np.float64)
