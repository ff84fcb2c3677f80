"""What the three pictures of a comparison show: the tables of two encodings, and their difference."""

import math
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from posenc_core import Document, Encoding
from posenc_core.encodings import n_whole_pairs, pair_angles
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.session import LETTERS
from posenc_gui.figures.progressive import Rendered
from posenc_gui.layers.grid import Grid
from posenc_gui.model.cursor import PositionAxis
from posenc_gui.model.wording import column_noun
from posenc_gui.plotting.color_scale import ColorScale


class Compared(Struct, frozen=True):
    """Two encodings of a document, the index of the second, and whether the angles of their pairs are compared."""

    one: Encoding
    other: Encoding
    index: int
    angles: bool

    @classmethod
    def of(cls, document: Document) -> "Compared":
        """A and the chosen encoding, or B where A is chosen; the document has two or more."""
        index = document.current or 1
        one, other = (document.encodings[each].encoding for each in (0, index))
        has_angles = bool(n_whole_pairs(one) and n_whole_pairs(other))
        return cls(one, other, index, document.view.angles and has_angles)

    @property
    def names(self) -> tuple[str, str, str]:
        """What the pictures are called."""
        letter = LETTERS[self.index]
        return f"A {self.one.title}", f"{letter} {self.other.title}", f"A − {letter}"

    @property
    def noun(self) -> str:
        """What is counted across: columns, heads or pairs."""
        return "pair" if self.angles else column_noun(self.one)

    @property
    def widths(self) -> tuple[int, int]:
        """The number of columns, or of pairs, of either."""
        if self.angles:
            return n_whole_pairs(self.one), n_whole_pairs(self.other)
        return self.one.n_columns, self.other.n_columns

    def grid(self, which: int, seen: Grid) -> Grid:
        """The window ``seen`` of the first (0) or the second table (1), or of what both have (2)."""
        if which < 2:
            return replace(seen, encoding=(self.one, self.other)[which])
        (first, last), (least, most) = self.one.domain, self.other.domain
        if first < least or last > most:  # the grid leaves out what its own encoding does not have
            down = seen.down.within(least, most + 1)
            return replace(seen, encoding=self.other if down is None else self.one, down=down or seen.down)
        return replace(seen, encoding=self.one)

    def render(self, which: int, grid: Grid) -> Rendered:
        """The picture of a window that ``grid`` gave, without the positions that have no values."""
        if which < 2:
            return _rendered(grid, None)
        return _rendered(replace(grid, encoding=self.one), self.other)

    def numbers(self, positions: IntArray, places: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The numbers of the three pictures, ``(n_positions, n_places)`` each; angles in rad, in (-pi, pi]."""
        find = pair_angles if self.angles else _values
        one, other = (find(each, positions, places) for each in (self.one, self.other))
        return one, other, wrapped(one - other) if self.angles else one - other

    def scale(self, document: Document, is_dark: bool) -> ColorScale:
        """The one scale of all three pictures."""
        if self.angles:
            return ColorScale("cyclic", -math.pi, math.pi)
        shown = PositionAxis.of(document).shown
        ends = [each.range_over(shown.start, shown.stop) for each in (self.one, self.other)]
        (low, high), (least, most) = ends
        steps = {self.one.value_step, self.other.value_step}
        return ColorScale.suited(
            document.view.color_map,
            min(low, least, low - most),
            max(high, most, high - least),
            is_dark,
            steps.pop() if len(steps) == 1 else 0.0,
        )


def wrapped(angles: FloatArray) -> FloatArray:
    """The angles in rad without whole turns, in (-pi, pi]."""
    return math.pi - np.mod(math.pi - angles, 2 * math.pi)


def _values(encoding: Encoding, positions: IntArray, columns: IntArray) -> FloatArray:
    return np.asarray(encoding.values(positions, columns), np.float64)


@lru_cache(maxsize=6)
def _rendered(grid: Grid, other: Encoding | None) -> Rendered:
    """The means of a table, or those of its difference from another one.

    The mean of a difference is the difference of the means. Of the mean directions of angles, as complex numbers, it is
    the quotient.
    """
    one: npt.NDArray[Any] = np.asarray(grid.compute())
    if other is None:
        return Rendered(one)
    subtracted: npt.NDArray[Any] = np.asarray(replace(grid, encoding=other).compute())
    if np.iscomplexobj(one):
        return Rendered(one * np.conj(subtracted))
    difference = np.asarray(one, np.float64) - subtracted
    return Rendered(wrapped(difference) if grid.angles else difference)
