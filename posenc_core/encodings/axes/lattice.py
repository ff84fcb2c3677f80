"""Angles of cells in row-major order that are linear in the cells' indices, and their sums in closed form."""

from dataclasses import dataclass

import numpy as np

from posenc_core.numerics import FloatArray, IntArray

_STILL = 1e-300


@dataclass(frozen=True, eq=False)
class Lattice:
    """Cells of a box of ``sizes`` from the position ``first`` on, the fastest axis last; an endless one has no sizes.

    ``origin`` are the angles of the first cell, float64 ``(n_pairs,)`` in rad, ``steps`` what one more along each axis
    of the box adds, float64 ``(n_axes, n_pairs)``. The first axis may be passed beyond both of its ends.
    """

    first: int
    sizes: tuple[int, ...]
    origin: FloatArray
    steps: FloatArray

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


def _geometric(count: IntArray, steps: FloatArray) -> np.ndarray[tuple[int, ...], np.dtype[np.complex128]]:
    """``sum exp(i k step)`` over k = 0..count-1; minus the sum over k = count..-1 for a count below 0."""
    half = steps / 2
    sine = np.sin(half)
    still = np.abs(sine) < _STILL
    kernel = np.where(still, count, np.sin(count * half) / np.where(still, 1.0, sine))
    return np.asarray(kernel * np.exp(1j * (count - 1) * half))
