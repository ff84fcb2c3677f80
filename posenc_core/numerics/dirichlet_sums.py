"""Means of sines over blocks of positions, computed from a few angles.

The mean of a sine over the block of positions a..b-1 is the sine at the block's centre times a factor that depends
on the frequency and the number of positions alone, the Dirichlet kernel

    mean sin(w p + phi) = sin(w (a + b - 1)/2 + phi) * D_N(w),   D_N(w) = sin(N w/2) / (N sin(w/2)),

so a pixel over a million positions costs as much as a pixel over one.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from msgspec import Struct

from posenc_core.numerics.harmonics import (
    Complex128Array,
    Factors,
    FactorsOf,
    FloatArray,
    IntArray,
    phasor_rows,
    phasors,
)


def dirichlet(frequencies: FloatArray, count: int | IntArray) -> FloatArray:
    """``sin(N w/2) / (N sin(w/2))`` for N = ``count``, the factor of a mean over N positions; 1 at w = 0."""
    half = frequencies / 2
    sine = np.sin(half)
    still = np.abs(sine) < 1e-300
    return np.where(still, 1.0, np.sin(count * half) / np.where(still, 1.0, count * sine))


class _Centres(Struct, frozen=True):
    """Doubled centres of blocks of positions, which are integers: the first one and the few steps that follow."""

    first: int
    steps: IntArray
    step_of: IntArray

    @classmethod
    def of(cls, doubled: IntArray) -> "_Centres":
        steps, step_of = np.unique(np.diff(doubled), return_inverse=True)
        return cls(int(doubled[0]), steps, step_of)

    def phasors(self, frequencies: FloatArray) -> Complex128Array:
        """``exp(-i w c)`` of each centre, ``(n, n_pairs)``; each row is computed from earlier rows."""
        count = len(self.step_of) + 1
        if len(self.steps) <= 1:
            return phasor_rows(frequencies, self.first / 2, self.steps.sum() / 2, count)
        rows = np.empty((count, len(frequencies)), np.complex128)
        rows[0] = phasors(frequencies * (self.first / 2))
        steps = self._steps(frequencies)
        for row, step in enumerate(self.step_of.tolist()):
            np.multiply(rows[row], steps[step], out=rows[row + 1])
        return rows

    def _steps(self, frequencies: FloatArray) -> list[Complex128Array]:
        """``exp(-i w s)`` of each step; of successive ones by angle addition, in a fourth of the time."""
        found: list[Complex128Array] = []
        half, before = phasors(frequencies / 2), np.inf
        for step in self.steps.tolist():
            found.append(found[-1] * half if step == before + 1 else phasors(frequencies * (step / 2)))
            before = step
        return found


class RowBatches(Struct, frozen=True):
    """Blocks of positions in batches: each block is the start of its batch plus one of a few offsets.

    The batches are equal up to rounding. The mean over block k at frequency w is the real part of a product of two
    factors, which depend on ``batch_of[k]`` and ``offset_of[k]`` alone. An offset has the block size
    ``sizes[size_of[...]]``.
    """

    starts: _Centres
    offsets: _Centres
    sizes: IntArray
    size_of: IntArray
    batch_of: IntArray
    offset_of: IntArray

    @classmethod
    def of(cls, starts: IntArray, counts: IntArray) -> "RowBatches":
        """The batches of the blocks ``start .. start + count - 1``; about the square root of their number in each."""
        doubled = 2 * starts + counts - 1  # twice the centre of each block is an integer
        size = max(1, round(float(np.sqrt(len(doubled) / 3))))
        batch_of = np.arange(len(doubled)) // size
        firsts = doubled[::size]
        sizes, size_of = np.unique(counts, return_inverse=True)
        keys, offset_of = np.unique((doubled - firsts[batch_of]) * len(sizes) + size_of, return_inverse=True)
        offsets = _Centres.of(keys // len(sizes))
        return cls(_Centres.of(firsts), offsets, sizes, keys % len(sizes), batch_of, offset_of)

    def factors(self, frequencies: FloatArray) -> tuple[Complex128Array, Complex128Array]:
        """``exp(-i w c)`` of each batch's start ``(n_batches, n_pairs)``, and of each offset times its kernel."""
        offsets = self.offsets.phasors(frequencies)
        offsets *= dirichlet(frequencies, self.sizes[:, None])[self.size_of]
        return self.starts.phasors(frequencies), offsets

    def blocks(self, frequencies: FloatArray, amplitude: float = 1.0) -> FactorsOf:
        """The factors of ``sin(w c) + i cos(w c)`` times the kernel and the amplitude, batch by batch.

        They are complex64, or complex128 for an amplitude above 1: float32 has too few digits for two roundings.
        """
        starts, offsets = self.factors(frequencies)
        kind: Any = np.complex64 if amplitude <= 1 else np.complex128
        lefts, rights = (1j * amplitude * starts).astype(kind), offsets.astype(kind)
        height = int(np.count_nonzero(self.batch_of == 0))

        def factors(first: int, stop: int) -> Iterator[Factors]:
            for batch in range(first // height, -(-stop // height)):
                rows = slice(max(first, batch * height), min(stop, (batch + 1) * height))
                yield rows, lefts[batch], rights[self.offset_of[rows]]

        return factors
