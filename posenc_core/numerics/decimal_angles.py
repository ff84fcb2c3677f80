"""Angles in decimal arithmetic, for where float64 cannot hold them: the positions' exact turns and their residues.

A base below 1 makes frequencies grow with the pair, up to 1e323 rad per token. Whole turns make no difference to a
sine, but to take them off an angle needs as many digits of pi as the angle has.
"""

import decimal
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from functools import lru_cache

from msgspec import Struct

GUARD_DIGITS = 40
"""Digits kept below the decimal point of an angle."""


@contextmanager
def digits_for(base: float, largest_exponent: float) -> Iterator[int]:
    """A decimal context in which ``base ** -largest_exponent`` times any position keeps its decimals.

    Yields its precision in digits; exponents have no bounds in it.
    """
    before_point = max(0, int(-Decimal(base).log10() * Decimal(largest_exponent))) + 20
    precision = before_point + GUARD_DIGITS
    context = decimal.Context(prec=precision, Emin=-decimal.MAX_EMAX, Emax=decimal.MAX_EMAX)
    with decimal.localcontext(context):
        yield precision


@lru_cache(maxsize=8)
def pi(digits: int) -> Decimal:
    """Pi to so many significant digits, as 6 arcsin(1/2)."""
    with decimal.localcontext(decimal.Context(prec=digits + 5)):
        total = term = Decimal(3)
        k = 0
        while term.adjusted() > -digits - 5:
            k += 1
            term *= Decimal((2 * k - 1) ** 2) / (8 * k * (2 * k + 1))
            total += term
    return total


class Angle(Struct, frozen=True):
    """The angle of one entry: the ``divisor`` of its position, the angle itself in rad, and its ``residue``.

    The residue is the angle less whole turns, from -pi to pi: it has the same sine.
    """

    divisor: Decimal
    rad: Decimal
    residue: Decimal


@lru_cache(maxsize=256)
def angle_of(position: int, base: float, numerator: int, denominator: int) -> Angle:
    """``position / base ** (numerator / denominator)``, to 40 digits behind the decimal point."""
    with digits_for(base, numerator / denominator) as precision:
        divisor = Decimal(base) ** (Decimal(numerator) / denominator) if numerator else Decimal(1)
        rad = position / divisor
        return Angle(divisor, rad, rad.remainder_near(2 * pi(precision)))


def residue_of(frequency: float, times: int = 1) -> Decimal:
    """``frequency * times`` less whole turns, from -pi to pi, with the frequency taken as float64 holds it."""
    exact = Decimal(frequency)
    before_point = max(0, exact.adjusted()) + len(str(times))
    precision = -(-(before_point + GUARD_DIGITS) // 50) * 50  # few different ones: pi is worked out for each
    with decimal.localcontext(decimal.Context(prec=precision, Emin=-decimal.MAX_EMAX, Emax=decimal.MAX_EMAX)):
        return (exact * times).remainder_near(2 * pi(precision))


def residues(base: float, first: int, step: int, count: int, denominator: int) -> list[float]:
    """``base ** -(first + step k)/denominator`` less whole turns, for k = 0..count-1, from -pi to pi."""
    with digits_for(base, (first + step * (count - 1)) / denominator) as precision:
        turn = 2 * pi(precision)
        minus_log = -Decimal(base).ln()
        ratio = (minus_log * step / denominator).exp()
        frequency = (minus_log * first / denominator).exp()
        found = []
        for _ in range(count):
            found.append(float(frequency.remainder_near(turn)))
            frequency *= ratio
        return found
