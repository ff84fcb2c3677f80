"""Angles of cells in row-major order that are linear in the cells' indices, and their sums in closed form."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core.numerics import (
    Complex64Array,
    Float32Array,
    FloatArray,
    IntArray,
    arithmetic_step,
    on_all_processors,
    phasor_rows,
    phasors,
    products,
    sinusoids,
)

BoolArray = npt.NDArray[np.bool_]
ComplexArray = np.ndarray[tuple[int, ...], np.dtype[np.complex128]]

_STILL = 1e-300

_CELLS_AT_A_TIME = 64
"""Rows multiplied or copied together: they stay in the processor's cache."""

_MOST_RUNS = 16
"""With more ranges of columns, products of all axes are faster than a copy for each range."""

_SHARED_ENTRIES = 1 << 20
"""Entries of a processor's share of a table."""


class Line(Struct, frozen=True):
    """The distinct indices along an axis, int64 ``(n,)`` ascending, and the place among them of each position's."""

    values: IntArray
    where: IntArray


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
        if single and not self.is_bounded and np.abs(self.steps).max() <= math.pi:
            return self._line_entries(positions, pairs, sines)
        found = np.empty((len(positions), len(pairs)), np.float32 if single else np.float64)
        lines = [_line(index) for index in self.indices(positions)]
        moving, parts = self.steps[:, pairs] != 0, list[tuple[slice, npt.NDArray[Any], IntArray]]()
        for first, stop in _runs(moving):
            some = slice(first, stop)
            axes = np.flatnonzero(moving[:, some].any(axis=1)).tolist() or [len(lines) - 1]
            needed, place = np.unique(pairs[some], return_inverse=True)
            columns = 2 * place + sines[some]
            if len(axes) == 1:
                units = self._units(lines[axes[0]], axes[0], needed, single, self.origin[needed])
                table = np.take(units.view(np.float64), columns, axis=1) + 0.0  # no -0.0
                parts.append((some, table.astype(found.dtype), lines[axes[0]].where))
                continue
            product = self._product(lines, axes, needed, columns, single)
            if product.shape == found.shape:
                return product
            found[:, some] = product
        _place(found, parts)
        return found

    def _line_entries(self, positions: IntArray, pairs: IntArray, sines: BoolArray) -> Float32Array:
        """The entries of a line without an end, whose origin is 0, as those of ordinary RoPE."""
        needed, place = np.unique(pairs, return_inverse=True)
        return sinusoids(-self.steps[0][needed], positions - self.first, 2 * place + sines, at_zero=1.0)

    def _units(
        self, line: Line, axis: int, pairs: IntArray, single: bool, origin: FloatArray | float = 0.0
    ) -> ComplexArray:
        """``exp(i angle)`` of the distinct indices along an axis, complex128 ``(n_indices, m)``.

        For float32, evenly spaced indices by doubling, whose error is below 1e-12; else each from its own angle.
        """
        index, steps = line.values, self.steps[axis][pairs]
        apart = arithmetic_step(index) if single else None
        if apart is not None:
            return phasor_rows(-steps, float(index[0]), float(apart), len(index)) * phasors(-np.asarray(origin))
        return phasors(-(origin + np.multiply.outer(index.astype(np.float64), steps)))

    def _product(
        self, lines: list[Line], axes: list[int], pairs: IntArray, columns: IntArray, single: bool
    ) -> npt.NDArray[Any]:
        """The entries of pairs that turn along several axes, of which ``columns`` tell the parts.

        In float32 by angle addition: neighbouring cells share their indices on all axes but the last.
        """
        *before, last = axes
        places = np.stack([lines[axis].values[lines[axis].where] for axis in before], axis=1)
        begins = np.flatnonzero(np.r_[True, (places[1:] != places[:-1]).any(axis=1)])
        index, where = lines[last].values, lines[last].where
        if single:
            seeds = phasors(-self.origin[pairs])
            for axis in before:
                seeds = seeds * self._units(lines[axis], axis, pairs, single)[lines[axis].where[begins]]
            rest = self._units(lines[last], last, pairs, single)
            factors = partial(_factors, seeds.astype(np.complex64), rest.astype(np.complex64), begins, where)
            return products(factors, len(where), len(pairs), columns)
        begun = self.origin[pairs] + places[begins].astype(np.float64) @ self.steps[before][:, pairs]
        along = np.multiply.outer(index.astype(np.float64), self.steps[last][pairs])
        angles = np.repeat(begun, np.diff(begins, append=len(where)), axis=0) + along[where]
        return np.take(phasors(-angles).view(np.float64), columns, axis=1)

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


def _line(index: IntArray) -> Line:
    """The distinct ones of indices, and where each position has its own."""
    return Line(*np.unique(index, return_inverse=True))


def _place(found: npt.NDArray[Any], parts: Sequence[tuple[slice, npt.NDArray[Any], IntArray]]) -> None:
    """Fill columns of ``found`` with the rows of each part's table that its indices name, on all processors."""

    def fill(rows: tuple[int, int]) -> None:
        for first in range(*rows, _CELLS_AT_A_TIME):
            some = slice(first, min(first + _CELLS_AT_A_TIME, rows[1]))
            for columns, table, where in parts:
                found[some, columns] = table[where[some]]

    tall = max(_CELLS_AT_A_TIME, _SHARED_ENTRIES // max(1, found.shape[1]))
    on_all_processors(fill, [(first, min(first + tall, len(found))) for first in range(0, len(found), tall)])


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
    """Ranges (first, stop) of neighbouring columns that turn along the same axes; one for all if there are many."""
    if not moving.shape[1]:
        return []
    edges = [0, *(np.flatnonzero((moving[:, 1:] != moving[:, :-1]).any(axis=0)) + 1).tolist(), moving.shape[1]]
    return list(pairwise(edges)) if len(edges) <= _MOST_RUNS else [(0, moving.shape[1])]


def _geometric(count: IntArray, steps: FloatArray) -> np.ndarray[tuple[int, ...], np.dtype[np.complex128]]:
    """``sum exp(i k step)`` over k = 0..count-1; minus the sum over k = count..-1 for a count below 0."""
    half = (steps - math.tau * np.round(steps / math.tau)) / 2  # sines of nearly whole turns are all rounding
    sine = np.sin(half)
    still = np.abs(sine) < _STILL
    kernel = np.where(still, count, np.sin(count * half) / np.where(still, 1.0, sine))
    return np.asarray(kernel * np.exp(1j * (count - 1) * half))
