"""Normal random numbers, each of which depends only on a seed, a text, a row and a column.

SplitMix64 is a hash of a counter: its k-th number, k = 0, 1, ..., is ``mixed(seed + (k + 1) * _STEP)`` and needs no
earlier one. The bits of an entry are number ``column`` of the generator whose seed is number ``row`` of the text's.
"""

import math

import numpy as np
import numpy.typing as npt

from posenc_core.numerics.harmonics import FloatArray, IntArray

_STEP = 0x9E3779B97F4A7C15
_MIXING = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
_LAST_SHIFT = 31
_LOW_BITS = 0xFFFFFFFF
_SHARE = 2.0**-32

_ENTRIES_AT_A_TIME = 1 << 13
"""Entries computed together: their 64 kB stay in the processor's cache, which halves the time."""

Bits = npt.NDArray[np.uint64]


def normal_entries(seed: int, text: str, rows: IntArray, columns: IntArray) -> FloatArray:
    """Independent standard normal numbers, float64 ``(n_rows, n_columns)``; rows and columns are >= 0.

    An entry is independent of the other rows and columns of a call. It is ``sqrt(-2 ln u) cos(2 pi v)``, at most
    6.8 in absolute value, with u in (0, 1) from the upper 32 of its bits and v in [0, 1) from the lower 32.

    Sources: Steele, Lea, Flood 2014, Fast Splittable Pseudorandom Number Generators, and Vigna's ``splitmix64.c``
    (prng.di.unimi.it) for the hash; Box, Muller 1958, A Note on the Generation of Random Normal Deviates.
    """
    seeds = _mixed(_seed_of(seed, text) + _counters(rows))
    counters = _counters(columns)
    entries = np.empty((len(rows), len(columns)))
    wide = min(len(columns), _ENTRIES_AT_A_TIME)
    tall = _ENTRIES_AT_A_TIME // max(1, wide)
    for top in range(0, len(rows), tall):
        for left in range(0, len(columns), max(1, wide)):
            block = np.s_[top : top + tall, left : left + wide]
            _fill_normal(_mixed(seeds[block[0], None] + counters[block[1]]), entries[block])
    return entries


def _seed_of(seed: int, text: str) -> Bits:
    """The seed of the text's generator, uint64 ``(1,)``."""
    from hashlib import blake2b  # loads OpenSSL, which the window does not need at its start

    return np.frombuffer(blake2b(text.encode(), key=seed.to_bytes(4, "little"), digest_size=8).digest(), "<u8")


def _counters(members: IntArray) -> Bits:
    """Offset of a generator's seed for these numbers."""
    return (members.astype(np.uint64) + np.uint64(1)) * np.uint64(_STEP)


def _mixed(numbers: Bits) -> Bits:
    """The hashes of the numbers, in their memory."""
    shifted = np.empty_like(numbers)
    for shift, factor in _MIXING:
        np.right_shift(numbers, np.uint64(shift), out=shifted)
        numbers ^= shifted
        numbers *= np.uint64(factor)
    numbers ^= np.right_shift(numbers, np.uint64(_LAST_SHIFT), out=shifted)
    return numbers


def _fill_normal(bits: Bits, normal: FloatArray) -> None:
    """Write the normal numbers of random bits, which are overwritten."""
    cosines = (bits & np.uint64(_LOW_BITS)) * (2 * math.pi * _SHARE)
    np.cos(cosines, out=cosines)
    bits >>= np.uint64(32)
    np.add(bits, 0.5, out=normal)
    normal *= _SHARE
    np.log(normal, out=normal)
    normal *= -2
    np.sqrt(normal, out=normal)
    normal *= cosines
