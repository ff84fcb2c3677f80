"""Cells of a grid as an encoding of several axes sees them: places, angles, and scores of pairs of cells."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_core.encodings.axes.coordinates import Coordinates
from posenc_core.encodings.axes.grid import Grid
from posenc_core.encodings.axes.lattice import Lattice
from posenc_core.encodings.axes.rules import PairAxes
from posenc_core.numerics import FloatArray, IntArray

_ANGLES_AT_A_TIME = 1 << 18


@dataclass(frozen=True, eq=False)
class Cells:
    """The ``grid``, the rule of its coordinates, and the axis and frequency of each pair."""

    grid: Grid
    coordinates: Coordinates
    pairs: PairAxes

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the axes."""
        return self.coordinates.names

    @cached_property
    def axis_of_pairs(self) -> tuple[str, ...]:
        """The axis that turns each pair, such as ``h``; ``h+w`` for a mixture."""
        names = (*self.names, "+".join(sorted(self.names)))  # the index of a mixture is -1
        return tuple(map(names.__getitem__, self.pairs.axes.tolist()))

    @cached_property
    def lattices(self) -> tuple[Lattice, ...]:
        """The boxes of cells with linear angles, in the order of their positions."""
        return tuple(self.coordinates.lattices(self.grid, self.pairs.weights))

    def place(self, position: int) -> tuple[float, ...]:
        """The coordinates of a position on all axes."""
        return self.coordinates.place(self.grid, position)

    def words(self, position: int) -> str:
        """The place of a position in words: its row and column, and its coordinates."""
        coordinates = zip(self.names, self.place(position), strict=True)
        named = ", ".join(f"{name} {coordinate:.4g}" for name, coordinate in coordinates)
        where = self.grid.words(position)
        return f"{where} ({named})" if where else named

    def angles(self, positions: IntArray, pairs: IntArray) -> FloatArray:
        """The angles of pairs, float64 ``(n_positions, m)`` in rad."""
        found = np.empty((len(positions), len(pairs)))
        for index, lattice in enumerate(self.lattices):
            here = np.ones(len(positions), bool) if not index else positions >= lattice.first
            if here.any():
                found[here] = lattice.angles(positions[here], pairs)
        return found

    def entries(
        self, positions: IntArray, pairs: IntArray, sines: npt.NDArray[np.bool_], single: bool = False
    ) -> npt.NDArray[Any]:
        """Cosines of pairs, or sines where ``sines`` say so, ``(n_positions, m)``; float32 if ``single``."""
        found = np.empty((len(positions), len(pairs)), np.float32 if single else np.float64)
        for index, lattice in enumerate(self.lattices):
            if not index and (len(self.lattices) == 1 or (positions < self.lattices[1].first).all()):
                return lattice.entries(positions, pairs, sines, single)
            here = positions >= lattice.first if index else positions < self.lattices[1].first
            found[here] = lattice.entries(positions[here], pairs, sines, single)
        return found

    def pairs_of(self, axis: str) -> IntArray:
        """The pairs of an axis, as ``axis_of_pairs`` names it; all pairs for an empty name."""
        return np.flatnonzero([not axis or each == axis for each in self.axis_of_pairs])

    @cached_property
    def rates(self) -> FloatArray:
        """The turn of each pair from one cell to the next along its axis, float64 ``(n_pairs,)`` in rad."""
        steps = [self.coordinates.affine(name, self.grid.size(name))[1] for name in self.names]
        rates = np.asarray(np.sqrt(np.square(self.pairs.weights * np.array(steps)[:, np.newaxis]).sum(axis=0)))
        rates.flags.writeable = False
        return rates

    def scores(self, query: int, keys: IntArray, axis: str = "") -> FloatArray:
        """The score of a query and each key of ones, float64 ``(n_keys,)``: twice the sum of cosines over the pairs.

        With ``axis`` the sum is over the pairs of that axis alone, as ``axis_of_pairs`` names it.
        """
        pairs = self.pairs_of(axis)
        (own,) = self.angles(np.array([query]), pairs)
        found, tall = np.zeros(len(keys)), max(1, _ANGLES_AT_A_TIME // max(1, len(pairs)))
        for first in range(0, len(keys), tall):
            some = slice(first, first + tall)
            found[some] = 2 * np.cos(self.angles(keys[some], pairs) - own).sum(axis=1)
        return found
