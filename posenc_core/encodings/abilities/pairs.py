"""Pairs of columns that turn: their frequencies, their places in a table, and sums of cosines over them."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from posenc_core.numerics import FloatArray, Harmonics, IntArray, arithmetic_step, blocks, phasor_rows

Index = TypeVar("Index", int, IntArray)

_ANGLES_AT_A_TIME = 1 << 16
"""Angles computed together: this bounds the memory, which stays in the processor's cache."""

_DIRECT_BELOW = 24
"""Fewer distances than this are evaluated one by one."""

_PAIRS_AT_A_TIME = 1024
"""Pairs summed together by angle addition: this bounds the memory."""


@dataclass(frozen=True, eq=False, repr=False)
class Pairs:
    """Pairs ``a sin(w_i (p + shift))`` and ``a cos(w_i (p + shift))`` of columns, i = 0..n_pairs-1.

    ``frequencies`` w are float64 ``(n_pairs,)`` in rad per position; ``wrapped`` are the same less whole turns,
    equivalent at whole positions, and ``unscaled`` those of training. ``n_columns`` is the width of the table: the last
    sine may have no cosine, and columns after the pairs are zero. The two columns of a pair are neighbours
    (``is_interleaved``), or column i of either half; ``sine_first`` is their order. ``amplitude`` is a. If
    ``is_reversed`` the angles are ``-w_i (p + shift)``. Distances beyond ``clamp_len`` have the angles of
    ``clamp_len``.
    """

    frequencies: FloatArray
    wrapped: FloatArray
    unscaled: FloatArray
    n_columns: int
    is_interleaved: bool
    sine_first: bool = True
    shift: int = 0
    amplitude: float = 1.0
    is_reversed: bool = False
    clamp_len: int | None = None

    def __post_init__(self) -> None:
        """Make the frequencies read-only, as an encoding keeps them."""
        for each in (self.frequencies, self.wrapped, self.unscaled):
            each.flags.writeable = False

    @property
    def n_pairs(self) -> int:
        """Number of frequencies."""
        return len(self.frequencies)

    @property
    def n_whole(self) -> int:
        """Number of pairs that have both a sine and a cosine."""
        return min(self.n_pairs, self.n_columns - self.n_pairs)

    @property
    def is_whole(self) -> bool:
        """Whether all columns of the table form whole pairs: then dot products depend on the distance alone."""
        return self.n_columns == 2 * self.n_whole

    def frequencies_at(self, places: FloatArray) -> FloatArray:
        """The frequencies that give exact angles at these places: less whole turns if all are whole positions."""
        return self.wrapped if (places == np.rint(places)).all() else self.frequencies

    @property
    def signed(self) -> FloatArray:
        """The wrapped frequencies with the sign of the angles, float64 ``(n_pairs,)``."""
        return -self.wrapped if self.is_reversed else self.wrapped

    @property
    def turning(self) -> FloatArray:
        """Signed angular frequency of each pair, float64 ``(n_pairs,)`` in rad per token: negative for reversed pairs.

        Whole turns are included.
        """
        return -self.frequencies if self.is_reversed else self.frequencies

    @property
    def slowdowns(self) -> FloatArray:
        """Unscaled over scaled frequency of each pair, float64 ``(n_pairs,)``; inf for a pair that a scaling stops."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            quotients = self.unscaled / self.frequencies
        return np.where(self.unscaled == self.frequencies, 1.0, quotients)

    @property
    def columns(self) -> tuple[IntArray, IntArray]:
        """The first and the second column of each whole pair, int64 ``(n_whole,)`` each."""
        pairs = np.arange(self.n_whole)
        return (2 * pairs, 2 * pairs + 1) if self.is_interleaved else (pairs, pairs + self.n_pairs)

    def place(self, columns: Index) -> tuple[Index, Index]:
        """The pair of each column, and its index among the two parts of the pair."""
        if self.is_interleaved:
            pairs, parts = divmod(columns, 2)
        else:
            parts, pairs = divmod(columns, self.n_pairs)
        return pairs, parts

    def harmonics(self, columns: IntArray) -> Harmonics:
        """The columns as sines and cosines of all pairs, of amplitude 1; padding is a sine of amplitude 0."""
        padding = columns >= 2 * self.n_pairs
        pairs, parts = self.place(np.where(padding, 0, columns))
        return Harmonics(self.signed, pairs, parts if self.sine_first else parts ^ 1, np.where(padding, 0.0, 1.0))

    def waves(self, columns: IntArray) -> tuple[FloatArray, IntArray, FloatArray]:
        """The frequency, the quarter turns and the amplitude of each column as a curve, ``(m,)`` each.

        The curve is ``amplitude * sin(frequency (p + shift) + quarter_turns pi/2)``, with no frequency below 0.
        """
        shown = self.harmonics(columns)
        frequencies = self.frequencies[shown.pairs]
        backwards = (frequencies < 0) != self.is_reversed  # -sin(x) is sin(x + pi), while cos(-x) is cos(x)
        quarters = np.where(backwards & (shown.quarters == 0), 2, shown.quarters)
        return np.abs(frequencies) * shown.amplitudes, quarters, self.amplitude * shown.amplitudes

    def cosine_sums(self, distances: IntArray, weights: FloatArray | None = None) -> FloatArray:
        """``sum_i weight_i cos(w_i distance)`` at each distance, float64 ``(n_distances,)``; weights of 1 for None.

        Distances in equal steps are evaluated by angle addition.
        """
        step = arithmetic_step(distances)
        if step is None or len(distances) < _DIRECT_BELOW:
            if weights is not None:
                return self.by_distance(distances, lambda angles: np.cos(angles) @ weights)
            return self.by_distance(distances, lambda angles: np.cos(angles).sum(axis=1))
        height = math.isqrt(len(distances) - 1) + 1
        sums = np.zeros((height, height))
        for first in range(0, len(self.wrapped), _PAIRS_AT_A_TIME):
            some = self.wrapped[first : first + _PAIRS_AT_A_TIME]
            starts = phasor_rows(some, float(distances[0]), float(step * height), height)
            within = phasor_rows(some, 0.0, float(step), height)
            if weights is not None:
                within *= weights[first : first + _PAIRS_AT_A_TIME]
            sums += starts.real @ within.real.T - starts.imag @ within.imag.T
        return sums.ravel()[: len(distances)]

    def dot_products(self, distances: IntArray) -> FloatArray:
        """Dot product of two rows of whole pairs at each distance, float64 ``(n_distances,)``.

        ``a**2 sum_i cos(w_i distance)``; inf or nan for a number beyond float64.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(self.amplitude * self.amplitude * self.cosine_sums(distances))

    def decay_bound(self, distances: IntArray) -> FloatArray:
        """RoFormer's bound on scores by distance, float64 ``(n_distances,)``: the mean of ``|S_j|``, j = 1..n_pairs.

        ``S_j = sum_(i<j) exp(i distance w_i)``. The score of a query and a key is at most n_pairs times this times the
        largest change of ``q_i k_i*`` between neighbouring pairs. Source: Su et al. 2021, section 3.4.3, eq. 35-37.
        """
        return self.by_distance(distances, lambda angles: np.abs(np.cumsum(np.exp(1j * angles), axis=1)).mean(axis=1))

    def by_distance(self, distances: IntArray, reduce: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """The pairs' angles at each distance, ``(some distances, n_pairs)`` rad at a time, each reduced to a number."""
        some = (distances[each] for each in blocks(len(distances), len(self.wrapped), _ANGLES_AT_A_TIME))
        return np.concatenate([np.empty(0), *(reduce(np.multiply.outer(each, self.wrapped)) for each in some)])
