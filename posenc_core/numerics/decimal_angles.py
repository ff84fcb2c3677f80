"""Angles in decimal arithmetic, for angles with more digits than float64 has.

A base below 1 makes frequencies grow with the pair, up to 1e323 rad per token. Whole turns do not change a sine, but
to subtract them from an angle needs as many digits of pi as the angle has.
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
    """Context manager for a decimal context that keeps the decimals of ``base ** -largest_exponent`` times a position.

    Yields the precision in digits. Exponents are not bounded.
    """
    before_point = max(0, int(-Decimal(base).log10() * Decimal(largest_exponent))) + 20
    precision = before_point + GUARD_DIGITS
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


def residues(base: float, first: int, step: int, count: int, denominator: int) -> list[float]:
    """``base ** -(first + step k)/denominator`` less whole turns, for k = 0..count-1, in [-pi, pi]."""
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
