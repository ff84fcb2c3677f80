"""Angles of cells in row-major order that are linear in the cells' indices, and their sums in closed form."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_core.encodings.axes.entries import cell_entries
from posenc_core.numerics import FloatArray, IntArray, sinusoids

BoolArray = npt.NDArray[np.bool_]

_STILL = 1e-300


@dataclass(frozen=True, eq=False)
class Lattice:
    """Cells of a box of ``sizes`` from the position ``first`` on, the fastest axis last.

    ``origin`` are the angles of the first cell, float64 ``(n_pairs,)`` in rad, ``steps`` the increments of one cell
    along each axis of the box, float64 ``(n_axes, n_pairs)``. Positions may lie beyond both ends of the first axis; a
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

    def apart(self, k: int) -> tuple[int, ...]:
        """The steps along each axis that lead k positions further, within the box for as many cells as possible."""
        ways: list[tuple[int, ...]] = [(k,)]
        for size in reversed(self.sizes[1:]):
            both = [(left, left % size - back, rest) for left, *rest in ways for back in (0, size)]
            ways = [((left - step) // size, step, *rest) for left, step, rest in both]
        return max(ways, key=lambda steps: math.prod(self._inner(steps)))

    def _inner(self, steps: tuple[int, ...]) -> tuple[int, ...]:
        """The sizes of the box of cells from which these steps stay within the whole box."""
        return tuple(max(0, size - abs(step)) for size, step in zip(self.sizes, steps, strict=True))

    def starts(self, k: int, most: int) -> IntArray:
        """The first positions p, at most ``most``, from which ``apart(k)`` leads to p + k within the box; ascending."""
        if not self.is_bounded:
            return self.first + np.arange(most)
        apart = self.apart(k)
        inner = self._inner(apart)
        if not all(inner):
            return np.empty(0, np.int64)
        places = np.unravel_index(np.arange(min(most, math.prod(inner))), inner)
        begun = [place + max(0, -step) for place, step in zip(places, apart, strict=True)]
        return np.asarray(self.first + np.ravel_multi_index(begun, self.sizes), np.int64)

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
        """Cosines of pairs, or sines where ``sines`` is true, ``(n_positions, m)``, float64 or with ``single`` float32.

        On an endless line, whose origin is 0, they are computed as in ordinary RoPE.
        """
        needed, place = np.unique(pairs, return_inverse=True)
        columns, steps = 2 * place + sines, self.steps[:, needed]
        if single and not self.is_bounded and np.abs(self.steps).max() <= math.pi:
            return sinusoids(-steps[0], positions - self.first, columns, at_zero=1.0)
        return cell_entries(self.origin[needed], steps, self.indices(positions), columns, single)

    def sums(self, positions: IntArray, pairs: IntArray) -> np.ndarray[tuple[int, ...], np.dtype[np.complex128]]:
        """Sums of ``exp(i angle)`` over the cells before each position, complex128 ``(n_positions, m)``.

        The cells along one axis are a geometric sum, so that a million of them cost as much as one. Cells before the
        first are subtracted.
        """
        indices, total = self.indices(positions), np.zeros((len(positions), len(pairs)), np.complex128)
        sizes = (0, *self.sizes[1:])
        for axis in reversed(range(len(indices))):  # whole lines of later axes, then the partial line
            steps, index = self.steps[axis][pairs], indices[axis][:, np.newaxis]
            line = np.exp(1j * index * steps)
            whole = np.ones(len(pairs), np.complex128)
            for later in range(axis + 1, len(indices)):
                whole *= _geometric(np.array([[sizes[later]]]), self.steps[later][pairs])[0]
            total = _geometric(index, steps) * whole + line * total
        return np.asarray(np.exp(1j * self.origin[pairs]) * total)


def _geometric(count: IntArray, steps: FloatArray) -> np.ndarray[tuple[int, ...], np.dtype[np.complex128]]:
    """``sum exp(i k step)`` over k = 0..count-1; minus the sum over k = count..-1 for a count below 0."""
    half = (steps - math.tau * np.round(steps / math.tau)) / 2  # sines of nearly whole turns have no correct digits
    sine = np.sin(half)
    still = np.abs(sine) < _STILL
    kernel = np.where(still, count, np.sin(count * half) / np.where(still, 1.0, sine))
    return np.asarray(kernel * np.exp(1j * (count - 1) * half))
