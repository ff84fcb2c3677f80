"""The registry of faults: each is a small transformation of right numbers, and the sentence that names it."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from posenc_core.identify.precision import BFLOAT16, FLOAT16, Level, rounded
from posenc_core.numerics import FloatArray, IntArray

Amount = float
"""The number of a fault that has one: a factor, a width, 16 or 11 bits; else 0."""


class Waves(Struct, frozen=True):
    """Columns ``amplitude * sin(frequency * position + quarter * pi/2)``, one entry of each array per column.

    ``positions`` float64 ``(n_rows,)``; a quarter is 0 for a sine and 1 for a cosine. ``signs`` are those of a
    rotation's sines: -1 where the sine of the partner is subtracted.
    """

    positions: FloatArray
    frequencies: FloatArray
    quarters: IntArray
    amplitudes: FloatArray
    signs: FloatArray

    def with_quarter(self, quarter: int) -> "Waves":
        """The same waves, all of them sines (0) or cosines (1)."""
        return replace(self, quarters=np.full_like(self.quarters, quarter))

    def at(self, rows: slice | IntArray, level: Level) -> tuple[FloatArray, FloatArray]:
        """The numbers of some rows, and errors that the arithmetic may add, ``(n_rows, n_columns)`` each."""
        angles = np.multiply.outer(self.positions[rows], self.frequencies)
        allowed = np.abs(self.amplitudes) * np.minimum(level.wave + level.angle * np.abs(angles), 2.0)
        angles += self.quarters * (np.pi / 2)
        return np.sin(angles, out=angles) * self.amplitudes, allowed


class FaultKind(Struct, frozen=True):
    """A fault: the sentence that names it, with the place of its amount, and its effect on right waves."""

    sentence: str
    bend: Callable[[Waves, Amount], Waves]


def _unchanged(waves: Waves, amount: Amount) -> Waves:
    return waves


def _slowed(waves: Waves, amount: Amount) -> Waves:
    return replace(waves, frequencies=waves.frequencies * amount)


def _louder(waves: Waves, amount: Amount) -> Waves:
    return replace(waves, amplitudes=waves.amplitudes * amount)


def _exchanged(waves: Waves, amount: Amount) -> Waves:
    return replace(waves, quarters=1 - waves.quarters)


def _negative_sine(waves: Waves, amount: Amount) -> Waves:
    return replace(waves, amplitudes=np.where(waves.quarters == 0, -1.0, 1.0) * waves.amplitudes)


def _rounded(waves: Waves, amount: Amount) -> Waves:
    return replace(waves, positions=rounded(waves.positions, FORMATS[amount]))


def _ratio(waves: Waves) -> float:
    """The frequency of a pair over that of the pair before, in a table whose pairs are neighbours."""
    return float(waves.frequencies[2] / waves.frequencies[0]) if len(waves.frequencies) > 2 else 1.0


def _by_column(waves: Waves, columns_per_step: int) -> Waves:
    """Each column with a separate frequency, one step of the pairs per ``columns_per_step`` columns."""
    steps = np.arange(len(waves.frequencies)) / columns_per_step
    return replace(waves, frequencies=waves.frequencies[0] * _ratio(waves) ** steps)


FORMATS = {8.0: BFLOAT16.name, 11.0: FLOAT16.name}
"""Number formats by their significant bits."""

DEGREE = math.pi / 180

TURN = 2 * math.pi
"""Radians per turn: a factor of angles that counts turns or wavelengths."""

SHIFTED = "distances_shifted"
"""The code of the fault of biases by another distance; its amount is 1 for one more, and -1 for one less."""

CLAMPED = "distances_clamped"
"""The code of the fault of biases by max(d - 1, 0) instead of the distance d."""

FAULTS = {
    "transposed": FaultKind(
        "Rows and columns are exchanged: a row should be a position, and a column is one.", _unchanged
    ),
    "cosine_first": FaultKind(
        "Each cosine is where its sine should be: a pair should begin with the sine.", _exchanged
    ),
    "exchanged": FaultKind("Cosines and sines are exchanged: the sines are where the cosines should be.", _exchanged),
    "degrees": FaultKind("The angles are taken for {amount}, and should be in radians.", _slowed),
    "position_scaled": FaultKind("The positions are multiplied by {amount} and should count tokens.", _slowed),
    "positions_shifted": FaultKind(
        "The positions are {amount} further than the given ones.",
        lambda waves, amount: replace(waves, positions=waves.positions + amount),
    ),
    "positions_reversed": FaultKind(
        "The positions run backwards: the first row has the last position.",
        lambda waves, _: replace(waves, positions=waves.positions[::-1]),
    ),
    "positions_rounded": FaultKind(
        "The positions were rounded to {amount}, which makes neighbours equal, before the angles were computed.",
        _rounded,
    ),
    "values_scaled": FaultKind("All numbers are multiplied by {amount}.", _louder),
    "negative_sine": FaultKind("The sines have the wrong sign.", _negative_sine),
    "sine_only": FaultKind(
        "Every column is a sine: the second column of each pair should be a cosine.",
        lambda waves, _: waves.with_quarter(0),
    ),
    "cosine_only": FaultKind(
        "Every column is a cosine: the first column of each pair should be a sine.",
        lambda waves, _: waves.with_quarter(1),
    ),
    "exponent_of_column": FaultKind(
        "The exponent counts columns, 2c/d, and should count pairs, 2i/d.", lambda waves, _: _by_column(waves, 1)
    ),
    "exponent_unpaired": FaultKind(
        "The exponent is c/d in each column and should be 2i/d, the same for the sine and the cosine of a pair.",
        lambda waves, _: _by_column(waves, 2),
    ),
    "exponent_halved": FaultKind(
        "The exponent is i/d and should be 2i/d, which is the same as taking the square root of the base.",
        lambda waves, _: replace(waves, frequencies=np.sqrt(waves.frequencies)),
    ),
    "exponent_width": FaultKind(
        "The exponent {amount}.",
        lambda waves, amount: replace(
            waves, frequencies=np.copysign(np.abs(waves.frequencies) ** amount, waves.frequencies)
        ),
    ),
    "wavelengths": FaultKind(
        "These are wavelengths, 2 pi over the frequency, and should be the frequencies.",
        lambda waves, _: replace(waves, frequencies=2 * np.pi / waves.frequencies),
    ),
    "inverted": FaultKind(
        "These are the inverses of the frequencies: a power of the base should be in the denominator.",
        lambda waves, _: replace(waves, frequencies=1 / waves.frequencies),
    ),
    "attention_factor": FaultKind("The attention factor is {amount}.", _louder),
    "no_rotation": FaultKind(
        "The rotation has a wrong sign: lengths change, and scores do not depend on the distance alone.",
        lambda waves, amount: replace(waves, signs=np.full_like(waves.signs, amount)),
    ),
    "mixed_pairs": FaultKind(
        "Columns are paired {amount}, and have the angles of the other pairing: a pair should turn by one angle.",
        _unchanged,
    ),
    "slopes_even": FaultKind(
        "The slopes are even powers of 2, the rule for a power of two, but there are {amount} heads.", _unchanged
    ),
    SHIFTED: FaultKind("The distances are off by one: that of a query and its own key should be 0.", _unchanged),
    CLAMPED: FaultKind(
        "The distances are one less, and at least 0: that of a query and the key before it should be 1.", _unchanged
    ),
    "sign": FaultKind("The bias has the wrong sign: it favours far keys.", _louder),
    "columns": FaultKind("{amount}", _unchanged),
    "cells": FaultKind("{amount}", _unchanged),
}
"""The faults by code; faults of whole columns and single cells leave waves unchanged, and name places."""

Bent = tuple[str, Amount]
"""A fault's code and its amount."""


def bent(waves: Waves, faults: tuple[Bent, ...]) -> Waves:
    """The waves with these faults."""
    for code, amount in faults:
        waves = FAULTS[code].bend(waves, amount)
    return waves


def moved(distances: npt.NDArray[Any], faults: tuple[Bent, ...]) -> npt.NDArray[Any]:
    """The distances from which numbers with these faults were computed, ``(n,)`` in tokens."""
    if CLAMPED in dict(faults):
        return np.asarray(np.sign(distances) * np.maximum(np.abs(distances) - 1, 0))
    return distances - int(dict(faults).get(SHIFTED, 0))


def even_slopes(n_heads: int) -> FloatArray:
    """ALiBi's slopes by the rule for a power of two, 2^(-8 h / n_heads), float64 ``(n_heads,)``."""
    return np.asarray(2.0 ** (-8.0 * np.arange(1, n_heads + 1) / n_heads))


def rounding_to(grid: IntArray, step: int) -> Iterator[tuple[int, float]]:
    """The first positions, and the bits of the formats, for which rounded whole positions lie on a grid."""
    for first in range(int(grid[0]) - step, int(grid[0]) + step + 1):
        for bits, name in FORMATS.items():
            if np.array_equal(rounded(first + np.arange(len(grid)), name), grid):
                yield first, bits
