"""Formulas of the angle of a pair, whose sine and cosine are added."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from posenc_core.encodings.abilities.pairs import Pairs
from posenc_core.encodings.abilities.rows import ColumnInfo
from posenc_core.encodings.abilities.sampler import Sampler
from posenc_core.encodings.formula.family import Formula, is_kept, is_whole, numbers_at
from posenc_core.encodings.harmonic import HarmonicSampler
from posenc_core.explain import Dialect, Snippet, written_out
from posenc_core.fields import check_column
from posenc_core.formula import Node, degree_in
from posenc_core.numerics import FloatArray, IntArray


@dataclass(frozen=True)
class AngleFormula(Formula):
    """``sin(angle_i(p)), cos(angle_i(p))`` in the columns 2i and 2i + 1, the angle from the formula.

    An angle that is linear in p and 0 at position 0 defines a pair with a frequency: then shift matrices, spectrum
    and unseen angles exist.
    """

    PARTS: ClassVar[tuple[str, str]] = ("sin", "cos")

    @property
    def parts(self) -> tuple[Node, ...]:
        """Sine and cosine of the angle."""
        return tuple(Node(part, self.formulas) for part in self.PARTS)

    def angles(self, points: FloatArray) -> FloatArray:
        """The angle of each pair, float64 ``(n_points, n_pairs)`` in rad; 0 for a non-finite angle.

        The last pair of an odd width has one column.
        """
        angles = self.evaluated(points, np.arange(0, self.n_columns, 2))
        angles[~is_kept(angles)] = 0.0
        return angles

    def at(self, points: FloatArray, columns: IntArray) -> FloatArray:
        """Sines and cosines of the angles; a non-finite angle counts as 0."""
        found = self.evaluated(points, columns)
        found[~is_kept(found)] = 0.0
        sine = columns % 2 == self.PARTS.index("sin")
        found[:, sine] = np.sin(found[:, sine])
        found[:, ~sine] = np.cos(found[:, ~sine])
        return found

    def evaluated(self, points: FloatArray, columns: IntArray) -> FloatArray:
        """The angle of each column's pair, non-finite angles included."""
        return numbers_at(self, self.formulas, points, columns)

    @cached_property
    def pairs(self) -> Pairs | None:
        """The pairs if each angle is a frequency of one sign times p; else None."""
        if degree_in(self.formulas[0], "p") > 1:
            return None
        at_zero, turning = self.angles(np.array([0.0, 1.0]))
        is_reversed = bool((turning <= 0).all() and turning.any())
        frequencies = -turning if is_reversed else turning
        if at_zero.any() or not np.isfinite(frequencies).all() or (frequencies < 0).any():
            return None
        turns = np.round(frequencies / (2 * np.pi))
        return Pairs(
            frequencies=frequencies.copy(),
            wrapped=frequencies - 2 * np.pi * turns,
            unscaled=frequencies.copy(),
            n_columns=self.n_columns,
            is_interleaved=True,
            sine_first=self.PARTS[0] == "sin",
            is_reversed=is_reversed,
        )

    @property
    def sampler(self) -> Sampler[Any]:
        """Closed forms if there are pairs, else pictures from the entries."""
        return super().sampler if self.pairs is None else HarmonicSampler(self, self.pairs)

    @property
    def reading(self) -> Any:
        """None if there are pairs, whose pictures are closed forms."""
        return super().reading if self.pairs is None else None

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """As for every formula; the numbers themselves if non-finite angles are replaced by 0."""
        if is_whole(self, positions):
            return super().source(positions, code)
        return written_out(
            self.values(positions, np.arange(self.n_columns)), code, "some angles are not finite: they are 0"
        )

    def column_info(self, column: int) -> ColumnInfo:
        """The column's pair, its part, and its wavelength if the pair has a frequency."""
        check_column(column, self.n_columns)
        pair, part = divmod(column, 2)
        wavelength = None
        if self.pairs is not None:
            frequency = float(self.pairs.frequencies[pair])
            wavelength = 2 * math.pi / frequency if frequency else math.inf
        return ColumnInfo(pair, self.PARTS[part], wavelength)


KIND = AngleFormula
