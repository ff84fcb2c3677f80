"""Coordinates of the cells of a grid on each axis: the boxes of cells whose angles are linear in their indices."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from posenc_core.encodings.axes.grid import Grid
from posenc_core.encodings.axes.lattice import Lattice
from posenc_core.numerics import FloatArray

TEXT = "l"
"""The axis of the index in the text."""


class Coordinates(Struct, frozen=True):
    """The rule of coordinates: its ``kind``, the names of the axes, and the base sizes of the kind ``scaled``.

    Text tokens have their index on the axis ``l``, and 0 on all others. Without an axis ``l`` they have their index on
    each axis in a text alone, and also before a picture with ``continues``, where the picture continues the count
    (M-RoPE); otherwise they have 0 on each axis before a picture, as prefix tokens that are not rotated.
    """

    kind: str
    names: tuple[str, ...]
    bases: tuple[int, int] = (1, 1)
    continues: bool = False

    def affine(self, axis: str, size: int) -> tuple[float, float]:
        """The coordinate of index 0 among ``size`` cells of an axis, and its step from one index to the next."""
        if axis not in ("h", "w") or self.kind == "index":
            return 0.0, 1.0
        if self.kind == "centred":
            return float(size // 2 - size), 1.0
        if self.kind == "normalised":
            return 1 / size - 1, 2 / size
        return 0.0, self.bases[axis == "w"] / size

    def at(self, axis: str, index: int, size: int) -> float:
        """The coordinate of an index among ``size`` cells of an axis."""
        if self.kind == "normalised" and axis in ("h", "w"):
            return 2 * (index + 0.5) / size - 1
        start, step = self.affine(axis, size)
        return start + step * index

    def words(self, axis: str, index: int, size: int) -> str:
        """The coordinate of an index as ``at`` computes it, in numbers; empty for the index itself."""
        if axis not in ("h", "w") or self.kind == "index":
            return ""
        if self.kind == "centred":
            return f"{index} - {size - size // 2}"
        if self.kind == "normalised":
            return f"2 · ({index} + 0.5)/{size} - 1"
        return f"{index} · {self.bases[axis == 'w']}/{size}"

    def text_direction(self, grid: Grid) -> tuple[float, ...]:
        """The step of each coordinate from one token of the text to the next."""
        if TEXT in self.names:
            return tuple(float(name == TEXT) for name in self.names)
        moves = self.kind != "normalised" and (self.continues or not grid.is_picture)
        return (float(moves),) * len(self.names)

    def place(self, grid: Grid, position: int) -> tuple[float, ...]:
        """The coordinates of a position on all axes."""
        indices = grid.indices(position)
        direction = self.text_direction(grid)
        if indices is None:
            return tuple(position * step for step in direction)
        start = self._start(grid)
        return tuple(
            begun + (self.at(name, indices[name], grid.size(name)) if name in indices else 0.0)
            for name, begun in zip(self.names, start, strict=True)
        )

    def lattices(self, grid: Grid, weights: FloatArray) -> Sequence[Lattice]:
        """The box of the text's cells and the box of the picture's, with their angles by the weights."""
        line = np.array([self.text_direction(grid)])
        text = Lattice(0, (1,), np.zeros(weights.shape[1]), line @ weights, is_bounded=False)
        if not grid.is_picture:
            return (text,)
        start, steps = np.array(self._start(grid)), np.zeros((len(grid.sizes), len(self.names)))
        for row, (name, size) in enumerate(zip(grid.names, grid.sizes, strict=True)):
            if name in self.names:
                axis = self.names.index(name)
                begun, steps[row, axis] = self.affine(name, size)
                start[axis] += begun
        picture = Lattice(grid.n_text, grid.sizes, start @ weights, steps @ weights)
        return (text, picture) if grid.n_text else (picture,)

    def _start(self, grid: Grid) -> tuple[float, ...]:
        """The offset of the picture's coordinates by the text before the picture."""
        counted = 0 if TEXT in self.names else grid.n_text
        return tuple(counted * step for step in self.text_direction(grid))
