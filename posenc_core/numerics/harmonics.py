"""Frequencies and the fast evaluation of sine and cosine over many positions.

A pair of columns is one complex number, ``sin(w p) + i cos(w p)``: its memory as complex64 *is* the
interleaved table. Blocks of positions are computed by angle addition: with ``p = start + B q + r``

    sin(w p) + i cos(w p) = (sin(w (start + B q)) + i cos(w (start + B q))) * exp(-i w r),

so a table of n positions needs about ``2 sqrt(n)`` rows of float64 sines and one complex64 product per entry.
The seeds are rounded once to float32 (3e-8) and the product adds at most two such roundings: the error is below
1.5e-7 at any position, where that of float32 angles is 3e-8 *times the position*.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from posenc_core.numerics.decimal_angles import residues
from posenc_core.numerics.parallel import on_all_processors

FloatArray = npt.NDArray[np.float64]
Float32Array = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.int64]
Complex64Array = npt.NDArray[np.complex64]
Complex128Array = npt.NDArray[np.complex128]
ComplexArray = Complex64Array | Complex128Array

Factors = tuple[slice, ComplexArray, ComplexArray]
"""Some rows and the two factors of their entries, ``(n_pairs,)`` and ``(n_rows, n_pairs)``."""

Slices = tuple[slice, slice]
"""Source columns and target columns of a copy."""

FactorsOf = Callable[[int, int], Iterator[Factors]]
"""Yields the factors of the rows first..stop-1, in blocks."""

_DIRECT_BELOW = 24
"""Fewer positions than this are evaluated one by one: exact to the last bit of float32, and as fast."""

_STEPS_AT_A_TIME = 1 << 18
"""Positions whose steps are compared at a time."""

_CACHED_ENTRIES = 1 << 15
"""Complex numbers computed at a time, 256 kB: they stay in the processor's cache."""

_SHARED_ENTRIES = 1 << 20
"""Entries per work item: with fewer, processors wait for each other too often."""

_MOST_SLICES = 8
"""With more blocks of columns, one look-up of all columns is faster than a slice for each block."""


def geometric_frequencies(base: float, first: int, step: int, count: int, denominator: int) -> FloatArray:
    """Angular frequencies ``base ** -((first + step k) / denominator)``, ``(count,)``, in rad per position.

    A frequency above the range of float64, for a base below 1e-308, is inf.
    """
    with np.errstate(over="ignore"):
        frequencies: FloatArray = np.power(base, -((first + step * np.arange(count)) / denominator))
    return frequencies


@lru_cache(maxsize=16)
def wrapped_frequencies(base: float, first: int, step: int, count: int, denominator: int) -> FloatArray:
    """Frequencies in [-pi, pi] with the same values at every *integer* position, read-only ``(count,)``.

    With a base below 1 the frequencies exceed one radian per position, and the rounding of a large frequency times a
    large position would show. Whole turns between integer positions make no difference, so they are subtracted
    exactly, in as many digits as the frequency has. With a base of 1 or more the frequencies are unchanged.
    """
    if base >= 1:
        frequencies = geometric_frequencies(base, first, step, count, denominator)
    else:
        frequencies = residues(base, first, step, count, denominator)
    frequencies.flags.writeable = False
    return frequencies


def sinusoids(frequencies: FloatArray, positions: IntArray, wanted: IntArray, at_zero: complex = 1j) -> Float32Array:
    """Sines and cosines of some pairs, float32 ``(n_positions, len(wanted))``.

    ``wanted`` counts the columns of the interleaved table: 2k is ``sin(w_k p)``, 2k + 1 is ``cos(w_k p)``. Within
    2e-7 of the exact value for ``|position| <= 10**7`` and frequencies of at most pi rad per position.

    ``at_zero`` is the complex number of every pair at position 0, which ``exp(-i w p)`` multiplies. For ``at_zero`` = a
    and negated frequencies, 2k is ``a cos(w_k p)`` and 2k + 1 is ``a sin(w_k p)``, within 2e-7 for a below 4.
    """
    return products(_factors(frequencies, positions, at_zero), len(positions), len(frequencies), wanted)


def products(factors: FactorsOf, n_rows: int, n_pairs: int, wanted: IntArray) -> Float32Array:
    """The real and imaginary parts of products, float32 ``(n_rows, len(wanted))``: 2k is real, 2k + 1 imaginary.

    All processors share the rows of a large table.
    """
    table = np.empty((n_rows, len(wanted)), np.float32)
    if np.array_equal(wanted, np.arange(2 * n_pairs)):
        fill = partial(_fill_pairs, table.view(np.complex64), factors)
    else:
        fill = partial(_fill_columns, table, factors, wanted, _slices(wanted))
    tall = max(1, _SHARED_ENTRIES // max(1, len(wanted)))
    shares = [(top, min(top + tall, n_rows)) for top in range(0, n_rows, tall)]
    on_all_processors(fill, shares)
    return table


def _fill_pairs(pairs: Complex64Array, factors: FactorsOf, rows: tuple[int, int]) -> None:
    """Fill rows of a table that has both parts of every pair side by side."""
    for some, left, right in factors(*rows):
        np.multiply(left, right, out=pairs[some], casting="same_kind")


def _fill_columns(
    table: Float32Array, factors: FactorsOf, wanted: IntArray, slices: list[Slices] | None, rows: tuple[int, int]
) -> None:
    """Fill rows of a table of the wanted parts, copied from products that stay in the cache."""
    product = np.empty((0, 0), np.complex64)
    for block, left, right in factors(*rows):
        if len(product) < len(right):
            product = np.empty(right.shape, right.dtype)
        parts = np.multiply(left, right, out=product[: len(right)]).view(right.real.dtype)
        if slices is None:
            table[block] = parts.take(wanted, axis=1)
            continue
        for source, place in slices:
            table[block, place] = parts[:, source]


def _slices(wanted: IntArray) -> list[Slices] | None:
    """Slices that copy the wanted columns to their places, in steps of 2 or 1; None if too many would be needed."""
    for step in (2, 1):
        breaks = np.flatnonzero(np.diff(wanted) != step) + 1
        if len(breaks) < _MOST_SLICES:
            edges = [0, *breaks.tolist(), len(wanted)]
            return [
                (slice(int(wanted[start]), int(wanted[stop - 1]) + 1, step), slice(start, stop))
                for start, stop in pairwise(edges)
            ]
    return None


def _height(n_pairs: int) -> int:
    """Number of rows computed at a time."""
    return max(1, _CACHED_ENTRIES // max(1, n_pairs))


def _factors(frequencies: FloatArray, positions: IntArray, at_zero: complex) -> FactorsOf:
    """Factors whose product is ``at_zero * exp(-i w p)``."""
    count, step = len(positions), arithmetic_step(positions)
    if step is None or count < _DIRECT_BELOW:
        return partial(_direct_factors, frequencies, positions, at_zero)
    height = 1 << ((count - 1).bit_length() + 1) // 2  # about the square root, which makes both tables of factors small
    seeds: ComplexArray = phasor_rows(
        frequencies, float(positions[0]), float(step * height), -(-count // height), at_zero
    )
    within: ComplexArray = phasor_rows(frequencies, 0.0, float(step), height)
    if abs(at_zero) <= 1:  # above 1, float32 has too few digits for two roundings
        seeds, within = seeds.astype(np.complex64), within.astype(np.complex64)
    return partial(_added_factors, seeds, within)


def _direct_factors(
    frequencies: FloatArray, positions: IntArray, at_zero: complex, first: int, stop: int
) -> Iterator[Factors]:
    """Rows computed from their own angles, and a factor of one."""
    one, tall = np.ones(len(frequencies), np.complex64), _height(len(frequencies))
    for start in range(first, stop, tall):
        rows = slice(start, min(start + tall, stop))
        yield rows, one, (at_zero * phasors(positions[rows, None] * frequencies)).astype(np.complex64)


def _added_factors(seeds: ComplexArray, within: ComplexArray, first: int, stop: int) -> Iterator[Factors]:
    """Rows by angle addition: a seed, and the rows within its block."""
    height, n_pairs = within.shape
    tall, start = _height(n_pairs), first
    while start < stop:
        block, row = divmod(start, height)
        some = min(stop - start, height - row, tall)
        yield slice(start, start + some), seeds[block], within[row : row + some]
        start += some


def phasor_rows(
    frequencies: FloatArray, start: float, step: float, count: int, at_zero: complex = 1.0
) -> Complex128Array:
    """``at_zero * exp(-i w (start + step k))`` for k = 0..count-1, ``(count, n_pairs)``, within 1e-12 to k = 1023."""
    return power_rows(at_zero * phasors(frequencies * start), phasors(frequencies * step), count)


def power_rows(first: Complex128Array, ratio: Complex128Array, count: int) -> Complex128Array:
    """``first * ratio ** k`` for k = 0..count-1, complex128 ``(count, n)``, by doubling.

    The power of twice the exponent is a square; after ten squarings of a phasor the error is still below 1e-12.
    """
    rows = np.empty((count, len(first)), np.complex128)
    rows[0], power, done = first, ratio, 1
    while done < count:
        more = min(done, count - done)
        np.multiply(rows[:more], power, out=rows[done : done + more])
        power, done = power * power, done + more
    return rows


def phasors(angles: FloatArray) -> Complex128Array:
    """``exp(-i angle)`` of each angle in rad, of the same shape."""
    numbers = np.empty(angles.shape, np.complex128)
    np.cos(angles, out=numbers.real)
    np.negative(np.sin(angles), out=numbers.imag)
    return numbers


def arithmetic_step(positions: IntArray) -> int | None:
    """The common difference of the positions; None if they have none."""
    if len(positions) < 2:
        return None
    step = positions[1] - positions[0]
    starts = range(0, len(positions) - 1, _STEPS_AT_A_TIME)
    parts = (np.diff(positions[start : start + _STEPS_AT_A_TIME + 1]) for start in starts)
    return int(step) if all((part == step).all() for part in parts) else None
