"""Frequencies and the fast evaluation of sine and cosine over many positions.

A pair of columns is one complex number, ``sin(w p) + i cos(w p)``: stored as complex64 its memory *is* the
interleaved table. Blocks of positions are made by angle addition: with ``p = start + B q + r``

    sin(w p) + i cos(w p) = (sin(w (start + B q)) + i cos(w (start + B q))) * exp(-i w r),

so a table of n positions needs about ``2 sqrt(n)`` rows of float64 sines and one complex64 product an entry. The
seeds are rounded once to float32 (3e-8), the product adds at most two such roundings: below 1.5e-7 in all,
whatever the position, where float32 angles are wrong by 3e-8 *times the position*.
"""

import decimal
from functools import lru_cache

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_DIRECT_BELOW = 24
"""So few positions are evaluated one by one: exact to the last bit of float32, and as fast."""


def geometric_frequencies(base: float, numerators: IntArray, denominator: int) -> FloatArray:
    """Angular frequencies ``base ** -(numerator / denominator)``, shape ``(n_pairs,)``, in rad per token."""
    with np.errstate(over="ignore"):  # base 5e-324 and exponent 1: the frequency is beyond float64, and is inf
        frequencies: FloatArray = np.power(base, -(numerators / denominator))
    return frequencies


@lru_cache(maxsize=64)
def _principal(base: float, first: int, step: int, count: int, denominator: int) -> FloatArray:
    ratio_exponent = decimal.Decimal(step) / denominator
    largest_exponent = (first + step * (count - 1)) / denominator
    digits = max(0, int(-np.log10(base) * largest_exponent)) + 40
    with decimal.localcontext(decimal.Context(prec=digits + 10, Emin=-decimal.MAX_EMAX, Emax=decimal.MAX_EMAX)):
        minus_log = -decimal.Decimal(base).ln()
        turn = 2 * _pi(digits + 10)
        ratio = (minus_log * ratio_exponent).exp()
        frequency = (minus_log * first / denominator).exp()
        result = np.empty(count)
        for pair in range(count):
            result[pair] = float(frequency.remainder_near(turn))
            frequency *= ratio
    result.flags.writeable = False
    return result


def principal_frequencies(base: float, numerators: IntArray, denominator: int) -> FloatArray:
    """Frequencies in [-pi, pi] that give the same values at every *integer* position, shape ``(n_pairs,)``.

    With a base below 1 the frequencies exceed one radian a token, and the rounding of a large frequency times a
    large position would show. Whole turns between two integer positions make no difference, so they are taken off
    exactly, in as many decimal digits as the frequency has. With a base of 1 or more nothing is to be done.
    """
    if base >= 1 or len(numerators) == 0:
        return geometric_frequencies(base, numerators, denominator)
    step = int(numerators[1] - numerators[0]) if len(numerators) > 1 else 1
    return _principal(base, int(numerators[0]), step, len(numerators), denominator)


def _pi(digits: int) -> decimal.Decimal:
    """Pi to so many digits, by Machin's formula."""

    def arctan_inverse(n: int) -> decimal.Decimal:
        power = total = decimal.Decimal(1) / n
        k, square = 1, n * n
        while power and power.adjusted() > -digits - 5:
            power /= -square
            k += 2
            total += power / k
        return total

    return 4 * (4 * arctan_inverse(5) - arctan_inverse(239))


def turning(frequencies: FloatArray, start: float, step: float, count: int) -> npt.NDArray[np.complex128]:
    """``exp(-i w (start + step k))`` for k = 0..count-1, shape ``(count, n_pairs)``, by doubling."""
    rows = np.empty((count, len(frequencies)), np.complex128)
    rows[0] = _turn(frequencies * start)
    done = 1
    while done < count:
        more = min(done, count - done)
        np.multiply(rows[:more], _turn(frequencies * (step * done)), out=rows[done : done + more])
        done += more
    return rows


def _turn(angles: FloatArray) -> npt.NDArray[np.complex128]:
    turned = np.empty(angles.shape, np.complex128)
    np.cos(angles, out=turned.real)
    np.negative(np.sin(angles), out=turned.imag)
    return turned


def sine_cosine(frequencies: FloatArray, positions: IntArray) -> npt.NDArray[np.complex64]:
    """``sin(w p) + i cos(w p)`` of each position and frequency, complex64 ``(n_positions, n_pairs)``.

    Within 2e-7 of the exact value for ``|position| <= 10**7`` and frequencies of at most pi rad per token.
    """
    step = arithmetic_step(positions)
    if step is None or len(positions) < _DIRECT_BELOW:
        angles = positions[:, None] * frequencies
        direct = np.empty(angles.shape, np.complex64)
        direct.real = np.sin(angles)
        direct.imag = np.cos(angles)
        return direct
    count = len(positions)
    rows = block_rows(count)
    blocks = -(-count // rows)
    seeds = (1j * turning(frequencies, float(positions[0]), float(step * rows), blocks)).astype(np.complex64)
    within = turning(frequencies, 0.0, float(step), rows).astype(np.complex64)
    table = np.empty((blocks * rows, len(frequencies)), np.complex64)
    np.multiply(seeds[:, None], within, out=table.reshape(blocks, rows, -1))
    return table[:count]


def block_rows(count: int) -> int:
    """How many positions a block holds: about the square root, so that both seed tables stay small."""
    doublings = (max(1, count - 1).bit_length() + 1) // 2
    return 1 << doublings


def arithmetic_step(positions: IntArray) -> int | None:
    """The common difference of the positions, None where they have none."""
    if len(positions) < 2:
        return None
    step = int(positions[1] - positions[0])
    return step if np.array_equal(positions, positions[0] + step * np.arange(len(positions))) else None
