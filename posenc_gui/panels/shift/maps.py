"""The map that shifts rows by k positions: exact for pairs of sine and cosine, else the best one of some rows."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial

import numpy as np

from posenc_core import Document, Encoding, shift_matrix
from posenc_core.analysis import best_linear_map, check_width, has_shift_matrix, shift_residuals
from posenc_core.encodings import n_whole_pairs, pair_members
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.session import LETTERS
from posenc_gui.model import compares_rows
from posenc_gui.panels.shift.spec import SHIFT_K, SHIFT_WITHOUT_COSINES

COLOURED = 0.8
"""The share of an ill-conditioned map's entries within the colours."""

_CANCELLING = 1e6
"""Entries of a fitted map above which products with rows of sizes near 1 cancel to as few as ten digits."""


@dataclass(frozen=True, eq=False)
class Shift:
    """A map of rows: positions p, and the largest error of the mapped row at each.

    ``is_exact`` for the shift matrix; ``held_out`` is the error of the best map at rows outside its fit.
    ``columns`` are the table's columns that are mapped. ``pairs`` are the rows of the matrix that belong to each pair,
    int64 ``(n_pairs, 2)``; none if it has no blocks.
    """

    made: Callable[[], FloatArray]
    columns: IntArray
    positions: IntArray
    residuals: FloatArray
    is_exact: bool
    held_out: float = 0.0
    is_trivial: bool = False
    pairs: IntArray = field(default_factory=lambda: np.zeros((0, 2), np.int64))

    @cached_property
    def matrix(self) -> FloatArray:
        """The matrix, float64 ``(n_columns, n_columns)``: ``made`` for the encoding whose cells are shown."""
        return self.made()

    @cached_property
    def peak(self) -> float:
        """The largest absolute entry of the matrix."""
        return float(max(self.matrix.max(initial=0.0), -self.matrix.min(initial=0.0)))

    @property
    def is_ill_conditioned(self) -> bool:
        """Whether rounding of the fitted rows alone changes entries of the map: they are so large that they cancel."""
        return not self.is_exact and self.peak > _CANCELLING

    @cached_property
    def color_end(self) -> float:
        """The absolute entry at the end of the colours: the largest, of an ill-conditioned map that of most entries."""
        return float(np.quantile(np.abs(self.matrix), COLOURED)) if self.is_ill_conditioned else self.peak

    @property
    def largest(self) -> float:
        """The largest error."""
        return float(self.residuals.max())


def shift_of(document: Document, encoding: Encoding) -> Shift:
    """The map of an encoding by the document's k; ValueError with one sentence without one."""
    return _shift(encoding, document.option(SHIFT_K), document.option(SHIFT_WITHOUT_COSINES))


def shifts_beside(document: Document, chosen: Shift) -> tuple[dict[int, Shift], list[str]]:
    """The maps of the encodings beside the chosen one by index, and a sentence for each that cannot be drawn."""
    found, refusals = dict[int, Shift](), list[str]()
    for index, each in enumerate(document.encodings):
        if index == document.current:
            continue
        if not compares_rows(each.encoding):
            refusals.append(f"{LETTERS[index]} is left out: it has no vectors")
            continue
        try:
            other = shift_of(document, each.encoding)
        except ValueError as error:
            refusals.append(f"{LETTERS[index]} is left out: {error}")
            continue
        if np.array_equal(other.positions, chosen.positions):
            found[index] = other
        else:
            refusals.append(f"{LETTERS[index]} is left out: its rows are at other positions")
    return found, refusals


@lru_cache(maxsize=8)
def _shift(encoding: Encoding, k: int, without_cosines: bool) -> Shift:
    if has_shift_matrix(encoding) and not without_cosines:
        check_width(encoding.n_columns)
        positions, residuals = shift_residuals(encoding, k)
        members = pair_members(encoding, np.arange(n_whole_pairs(encoding)))
        made, columns = partial(shift_matrix, encoding, k), np.arange(encoding.n_columns)
        return Shift(made, columns, positions, residuals, True, pairs=np.stack(members, axis=1))
    best = best_linear_map(encoding, k, without="cos" if without_cosines else "")
    made = partial(getattr, best, "matrix")
    return Shift(made, best.columns, best.positions, best.residuals, False, best.held_out, best.is_trivial)
