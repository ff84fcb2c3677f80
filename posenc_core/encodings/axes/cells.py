"""Cells of a grid as an encoding of several axes sees them: places, angles, and scores of pairs of cells."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_core.encodings.axes.coordinates import Coordinates
from posenc_core.encodings.axes.grid import PATCH_NOUNS, Grid
from posenc_core.encodings.axes.lattice import Lattice
from posenc_core.encodings.axes.rules import PairAxes
from posenc_core.numerics import FloatArray, IntArray

_ANGLES_AT_A_TIME = 1 << 18


@dataclass(frozen=True, eq=False)
class Cells:
    """The ``grid``, the rule of its coordinates, the axis and frequency of each pair, and the ``amplitude`` of all."""

    grid: Grid
    coordinates: Coordinates
    pairs: PairAxes
    amplitude: float = 1.0

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

    def turns(self, k: int) -> FloatArray:
        """The turn of each pair over k positions of the picture, or of a text alone, float64 ``(n_pairs,)`` in rad."""
        lattice = self.lattices[-1]
        return np.asarray(np.array(lattice.apart(k), np.float64) @ lattice.steps)

    def apart_words(self, k: int) -> str:
        """The steps over k positions of the picture, such as ``1 row and -2 columns``; empty in a text, and for 0."""
        if not self.grid.is_picture:
            return ""
        names = [PATCH_NOUNS[name] for name in self.grid.names]
        steps = zip(self.lattices[-1].apart(k), names, strict=True)
        return " and ".join(f"{step} {name}{'' if abs(step) == 1 else 's'}" for step, name in steps if step)

    def along(self, axis: str, first: int) -> Lattice:
        """The patches along an axis of the picture, from the one at the position ``first`` on, as a line from 0 on."""
        picture, along = self.lattices[-1], self.grid.names.index(axis)
        (origin,) = picture.angles(np.array([first]), np.arange(len(self.axis_of_pairs)))
        return Lattice(0, (self.grid.size(axis),), origin, picture.steps[[along]])

    def place(self, position: int) -> tuple[float, ...]:
        """The coordinates of a position on all axes."""
        return self.coordinates.place(self.grid, position)

    def words(self, position: int) -> str:
        """The place of a position in words: its row and column, and its coordinates."""
        coordinates = zip(self.names, self.place(position), strict=True)
        named = ", ".join(f"{name} {round(coordinate, 4):.12g}" for name, coordinate in coordinates)
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
        found = self._entries(positions, pairs, sines, single)
        return found if self.amplitude == 1 else np.asarray(self.amplitude * found, found.dtype)

    def _entries(
        self, positions: IntArray, pairs: IntArray, sines: npt.NDArray[np.bool_], single: bool
    ) -> npt.NDArray[Any]:
        *text, picture = self.lattices
        if not text or (positions >= picture.first).all():
            return picture.entries(positions, pairs, sines, single)
        here = positions >= picture.first
        before = text[0].entries(positions[~here], pairs, sines, single)
        if not here.any():
            return before
        found = np.empty((len(positions), len(pairs)), before.dtype)
        found[~here] = before
        found[here] = picture.entries(positions[here], pairs, sines, single)
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

        The sum is multiplied by the square of the amplitude. With ``axis`` it is over the pairs of that axis alone, as
        ``axis_of_pairs`` names it.
        """
        pairs = self.pairs_of(axis)
        (own,) = self.angles(np.array([query]), pairs)
        found, tall = np.zeros(len(keys)), max(1, _ANGLES_AT_A_TIME // max(1, len(pairs)))
        for first in range(0, len(keys), tall):
            some = slice(first, first + tall)
            found[some] = 2 * np.cos(self.angles(keys[some], pairs) - own).sum(axis=1)
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(found * self.amplitude * self.amplitude)
