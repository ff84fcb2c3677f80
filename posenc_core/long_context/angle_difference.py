"""The angles of one encoding's pairs minus those of another's, as the sines and cosines of a table."""

import math
from dataclasses import dataclass

import numpy as np
from typing_extensions import override

from posenc_core.encodings import ColumnInfo, n_whole_pairs, pair_angles
from posenc_core.long_context.table_difference import DifferenceSampler, TableDifference
from posenc_core.numerics import Complex64Array, FloatArray, IntArray, Spans


def wrapped(angles: FloatArray) -> FloatArray:
    """The angles in rad without whole turns, in (-pi, pi]."""
    return math.pi - np.mod(math.pi - angles, 2 * math.pi)


@dataclass(frozen=True)
class AngleDifference(TableDifference):
    """Sine and cosine of each pair's angle in ``one`` minus the angle in ``other``, over the pairs of both.

    A pixel of many angles shows the difference of their mean directions.
    """

    @property
    @override
    def n_columns(self) -> int:
        return 2 * min(n_whole_pairs(self.one), n_whole_pairs(self.other))

    @property
    @override
    def sampler(self) -> "AngleDifferenceSampler":
        return AngleDifferenceSampler(self)

    @property
    @override
    def warnings(self) -> tuple[str, ...]:
        return ()

    @override
    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        return (-1.0, 1.0)

    @override
    def in_halves(self) -> "AngleDifference":
        return self

    @override
    def column_blocks(self) -> tuple[tuple[int, int], ...]:
        return ((0, self.n_columns),)

    @override
    def column_info(self, column: int) -> ColumnInfo:
        return ColumnInfo(column // 2, ("sin", "cos")[column % 2], None)

    @override
    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        one, other = (pair_angles(each, positions, columns // 2) for each in (self.one, self.other))
        angles = wrapped(one - other)
        return np.where(columns % 2, np.cos(angles), np.sin(angles))


class AngleDifferenceSampler(DifferenceSampler):
    """Means and bounds of sines and cosines of differences, and mean directions in closed form."""

    @override
    def mean_phasors(self, rows: Spans, pairs: Spans) -> Complex64Array:
        one, other = (each.mean_phasors(rows, pairs) for each in self._samplers)
        return one * np.conj(other)
