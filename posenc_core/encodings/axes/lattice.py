"""Angles of cells in row-major order that are linear in the cells' indices, and their sums in closed form."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_core.numerics import Complex64Array, FloatArray, IntArray, products

BoolArray = npt.NDArray[np.bool_]

_STILL = 1e-300

_CELLS_AT_A_TIME = 64
"""Rows multiplied together: they stay in the processor's cache."""


@dataclass(frozen=True, eq=False)
class Lattice:
    """Cells of a box of ``sizes`` from the position ``first`` on, the fastest axis last.

    ``origin`` are the angles of the first cell, float64 ``(n_pairs,)`` in rad, ``steps`` what one more along each axis
    of the box adds, float64 ``(n_axes, n_pairs)``. The first axis may be passed beyond both of its ends; a
    line without an end is not ``is_bounded``.
    """

    first: int
    sizes: tuple[int, ...]
    origin: FloatArray
    steps: FloatArray
    is_bounded: bool = True

    @property
    def strides(self) -> tuple[int, ...]:
        """The cells from one index of each axis to the next."""
        found = [1]
        for size in reversed(self.sizes[1:]):
            found.insert(0, found[0] * size)
        return tuple(found)

    def indices(self, positions: IntArray) -> list[IntArray]:
        """The indices of positions along each axis of the box, int64 ``(n_positions,)`` each."""
        left, found = positions - self.first, list[IntArray]()
        for size in reversed(self.sizes[1:]):
            left, index = np.divmod(left, size)
            found.insert(0, index)
        return [left, *found]

    def angles(self, positions: IntArray, pairs: IntArray) -> FloatArray:
        """The angles of pairs, float64 ``(n_positions, m)`` in rad."""
        found = np.broadcast_to(self.origin[pairs], (len(positions), len(pairs))).copy()
        for index, steps in zip(self.indices(positions), self.steps, strict=True):
            found += np.multiply.outer(index.astype(np.float64), steps[pairs])
        return found

    def entries(self, positions: IntArray, pairs: IntArray, sines: BoolArray, single: bool) -> npt.NDArray[Any]:
        """Cosines of pairs, or sines where ``sines`` say so, ``(n_positions, m)`` in float64, or float32 if ``single``.

        Cells share indices: a pair that turns along one axis of the box is evaluated once for each index of it, and one
        that turns along several is a product of such unit vectors.
        """
        found = np.empty((len(positions), len(pairs)), np.float32 if single else np.float64)
        lines = [np.unique(index, return_inverse=True) for index in self.indices(positions)]
        moving = self.steps[:, pairs] != 0
        for first, stop in _runs(moving):
            some = slice(first, stop)
            kinds, origin, is_sine = pairs[some], self.origin[pairs[some]], sines[some]
            axes = np.flatnonzero(moving[:, first]).tolist() or [len(lines) - 1]
            if len(axes) > 1:
                product = self._product(lines, axes, kinds, is_sine, single)
                if product.shape == found.shape:
                    return product
                found[:, some] = product
                continue
            index, where = lines[axes[0]]
            angles = origin + np.multiply.outer(index.astype(np.float64), self.steps[axes[0]][kinds])
            table = np.empty(angles.shape, found.dtype)
            table[:, is_sine] = np.sin(angles[:, is_sine]) + 0.0  # no -0.0
            table[:, ~is_sine] = np.cos(angles[:, ~is_sine])
            found[:, some] = table[where]
        return found

    def _product(
        self, lines: list[tuple[IntArray, IntArray]], axes: list[int], pairs: IntArray, sines: BoolArray, single: bool
    ) -> npt.NDArray[Any]:
        """The entries of pairs that turn along several axes.

        In float32 by angle addition: neighbouring cells share their indices on all axes but the last.
        """
        *before, last = axes
        needed, place = np.unique(pairs, return_inverse=True)
        places = np.stack([values[where] for values, where in (lines[axis] for axis in before)], axis=1)
        begins = np.flatnonzero(np.r_[True, (places[1:] != places[:-1]).any(axis=1)])
        begun = self.origin[needed] + places[begins].astype(np.float64) @ self.steps[before][:, needed]
        index, where = lines[last]
        along = np.multiply.outer(index.astype(np.float64), self.steps[last][needed])
        if single:
            factors = partial(_factors, _phasors(begun), _phasors(along), begins, where)
            return products(factors, len(where), len(needed), 2 * place + sines)
        angles = np.repeat(begun, np.diff(begins, append=len(where)), axis=0) + along[where]
        return np.take(np.exp(1j * angles).view(np.float64), 2 * place + sines, axis=1)

    def sums(self, positions: IntArray, pairs: IntArray) -> np.ndarray[tuple[int, ...], np.dtype[np.complex128]]:
        """Sums of ``exp(i angle)`` over the cells before each position, complex128 ``(n_positions, m)``.

        The cells along one axis are a geometric sum, so that a million of them cost as much as one. Cells before the
        first are subtracted.
        """
        indices, total = self.indices(positions), np.zeros((len(positions), len(pairs)), np.complex128)
        sizes = (0, *self.sizes[1:])
        for axis in reversed(range(len(indices))):  # whole lines of later axes, then the line that is begun
            steps, index = self.steps[axis][pairs], indices[axis][:, np.newaxis]
            line = np.exp(1j * index * steps)
            whole = np.ones(len(pairs), np.complex128)
            for later in range(axis + 1, len(indices)):
                whole *= _geometric(np.array([[sizes[later]]]), self.steps[later][pairs])[0]
            total = _geometric(index, steps) * whole + line * total
        return np.asarray(np.exp(1j * self.origin[pairs]) * total)


def _phasors(angles: FloatArray) -> Complex64Array:
    """``exp(i angle)`` of each angle in rad."""
    return np.asarray(np.exp(1j * angles), np.complex64)


def _factors(
    begun: Complex64Array, along: Complex64Array, begins: IntArray, where: IntArray, first: int, stop: int
) -> Iterator[tuple[slice, Complex64Array, Complex64Array]]:
    """Factors of rows first..stop-1: one of ``begun`` from each of ``begins`` on, and those of ``along`` at ``where``.

    Rows that follow each other in ``along`` are not copied.
    """
    edges = np.unique(np.r_[begins[(begins > first) & (begins < stop)], np.arange(first, stop, _CELLS_AT_A_TIME), stop])
    runs = np.searchsorted(begins, edges[:-1], side="right") - 1
    for run, (start, end) in zip(runs.tolist(), pairwise(edges.tolist()), strict=True):
        some = where[start:end]
        follows = some[-1] - some[0] == end - start - 1 and bool((np.diff(some) == 1).all())
        yield slice(start, end), begun[run], along[some[0] : some[-1] + 1] if follows else along[some]


def _runs(moving: BoolArray) -> list[tuple[int, int]]:
    """Ranges (first, stop) of neighbouring columns that turn along the same axes."""
    if not moving.shape[1]:
        return []
    edges = [0, *(np.flatnonzero((moving[:, 1:] != moving[:, :-1]).any(axis=0)) + 1).tolist(), moving.shape[1]]
    return list(pairwise(edges))


def _geometric(count: IntArray, steps: FloatArray) -> np.ndarray[tuple[int, ...], np.dtype[np.complex128]]:
    """``sum exp(i k step)`` over k = 0..count-1; minus the sum over k = count..-1 for a count below 0."""
    half = (steps - math.tau * np.round(steps / math.tau)) / 2  # sines of nearly whole turns are all rounding
    sine = np.sin(half)
    still = np.abs(sine) < _STILL
    kernel = np.where(still, count, np.sin(count * half) / np.where(still, 1.0, sine))
    return np.asarray(kernel * np.exp(1j * (count - 1) * half))
