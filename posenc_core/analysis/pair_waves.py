"""Properties of whole pairs: wavelengths, similarity by distance, uniqueness, block means and extremes.

All are computed from the pairs' frequencies without the table: the similarity of two rows depends on their distance
alone, so one vector of similarities gives the whole matrix.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_core.encodings import Encoding, Rotary, TransformerXLRelative, n_whole_pairs, pair_members
from posenc_core.fields import check_index, check_length, check_positions
from posenc_core.numerics import FloatArray, IntArray, arithmetic_step, dirichlet, phasor_rows, sine_block_envelope

_ANGLES_AT_A_TIME = 1 << 16
"""Angles computed together: this bounds the memory, which stays in the processor's cache."""

_DIRECT_BELOW = 24
"""Fewer distances than this are evaluated one by one."""

_PAIRS_AT_A_TIME = 1024
"""Pairs summed together by angle addition: this bounds the memory."""


def wavelengths(encoding: Encoding) -> FloatArray:
    """Wavelength of each pair, float64 ``(n_pairs,)`` in tokens; inf for a pair that does not turn."""
    with np.errstate(divide="ignore"):
        return np.asarray(2 * math.pi / encoding.frequencies())


def turns(encoding: Encoding, length: int) -> FloatArray:
    """Whole and partial turns of each pair over ``length`` tokens (>= 1), float64 ``(n_pairs,)``."""
    return check_length(length, "length") * encoding.frequencies() / (2 * math.pi)


def dot_products(encoding: Encoding, distances: Any) -> FloatArray:
    """Dot product of two rows at each distance, float64 ``(n_distances,)``: ``a**2 sum_i cos(w_i distance)``.

    ``distances`` are integers, in tokens; a is the attention factor of a rotary table, else 1. The norm of every row is
    the square root of the entry at distance 0; inf or nan for a number beyond float64. ValueError for a table with a
    sine without its cosine, whose dot products depend on the position. Source: Vaswani et al. 2017, section 3.5.
    """
    paired(encoding)
    with np.errstate(over="ignore", invalid="ignore"):
        return _square(encoding) * _cosine_sums(encoding, distances)


def cosine_similarity(encoding: Encoding, distances: Any) -> FloatArray:
    """Cosine of the angle between two rows at each distance, float64 ``(n_distances,)`` from -1 to 1."""
    paired(encoding)
    return _cosine_sums(encoding, distances) / len(encoding.frequencies())


def similarity_matrix(encoding: Encoding, n_positions: int) -> npt.NDArray[np.float64]:
    """Cosine similarity of every two rows, float64 ``(n_positions, n_positions)``, read-only.

    It is a Toeplitz matrix: a view of 2n - 1 numbers, computed from n cosines per pair.
    """
    n = check_length(n_positions, "n_positions")
    half = cosine_similarity(encoding, np.arange(n))
    both = np.concatenate([half[:0:-1], half])
    return np.lib.stride_tricks.sliding_window_view(both, n)[::-1]


def decay_bound(rotary: Rotary, distances: Any) -> FloatArray:
    """RoFormer's bound on scores by distance, float64 ``(n_distances,)``: the mean of ``|S_j|``, j = 1..n_pairs.

    ``S_j = sum_(i<j) exp(i distance theta_i)``. The score of a query and a key is at most n_pairs times this times the
    largest change of ``q_i k_i*`` between neighbouring pairs. Source: Su et al. 2021, section 3.4.3, eq. 35-37.
    """
    return _by_distance(rotary, distances, lambda angles: np.abs(np.cumsum(np.exp(1j * angles), axis=1)).mean(axis=1))


def score_of_ones(rotary: Rotary, distances: Any) -> FloatArray:
    """``B(distance) = sum_i cos(distance theta_i)``, float64 ``(n_distances,)``.

    Half the score of a query and a key of ones, without the attention factor. Where it is negative, far keys score
    above near ones. Source: Men et al. 2024 (Base of RoPE
    bounds context length, arXiv 2405.14591).
    """
    return _cosine_sums(rotary, distances)


def first_negative_distance(rotary: Rotary, limit: int) -> int | None:
    """The smallest distance in tokens below ``limit`` at which ``score_of_ones`` is negative; None if none is."""
    block = max(1, _ANGLES_AT_A_TIME // rotary.n_pairs)
    for start in range(0, check_length(limit, "limit"), block):
        negative = np.flatnonzero(score_of_ones(rotary, np.arange(start, min(start + block, limit))) < 0)
        if len(negative):
            return start + int(negative[0])
    return None


def squared_distances(encoding: Encoding, distances: Any) -> FloatArray:
    """Squared Euclidean distance of two rows at each distance, float64 ``(n_distances,)``.

    ``4 a**2 sum_i sin(w_i distance/2)**2``, which is exact near 0, unlike a difference of dot products. ValueError for
    a table with a sine without its cosine.
    """
    paired(encoding)
    sums = _by_distance(encoding, distances, lambda angles: np.square(np.sin(angles / 2)).sum(axis=1))
    with np.errstate(over="ignore", invalid="ignore"):  # as in dot_products
        return 4 * _square(encoding) * sums


def closest_rows(encoding: Encoding, n_positions: int) -> tuple[float, int]:
    """Smallest Euclidean distance of two of the first ``n_positions`` (>= 2) rows, and their distance in tokens."""
    if check_length(n_positions, "n_positions") < 2:
        raise ValueError("n_positions must be an integer >= 2, got 1")
    squares = squared_distances(encoding, np.arange(1, n_positions))
    apart = int(np.argmin(squares))
    return math.sqrt(squares[apart]), apart + 1


def block_mean(frequency: float, phase: float, start: int, stop: int) -> float:
    """Mean of ``sin(frequency p + phase)`` over the positions p = start..stop-1, exactly.

    ``frequency`` in rad per token, ``phase`` in rad (pi/2 for a cosine). ValueError for an empty block.
    """
    count = _block_size(start, stop)
    centre = math.sin(frequency * ((start + stop - 1) / 2) + phase)
    return centre * float(dirichlet(np.array([frequency], np.float64), count)[0])


def block_mean_square(frequency: float, phase: float, start: int, stop: int) -> float:
    """Mean of ``sin(frequency p + phase)**2`` over the positions p = start..stop-1, exactly; arguments as above."""
    return 0.5 - 0.5 * block_mean(2 * frequency, 2 * phase + math.pi / 2, start, stop)


def block_envelope(frequency: float, phase: float, start: int, stop: int) -> tuple[float, float]:
    """Smallest and largest ``sin(frequency p + phase)`` over the positions p = start..stop-1, exactly."""
    _block_size(start, stop)
    return sine_block_envelope(frequency, phase, start, stop)


def paired(encoding: Encoding) -> tuple[IntArray, IntArray]:
    """The columns of the sines and of the cosines of all pairs, int64 ``(n_pairs,)`` each.

    ValueError for a table with other columns, or with a sine without its cosine.
    """
    members = pair_members(encoding, np.arange(n_whole_pairs(encoding)))
    is_alone = np.ones(encoding.n_columns, bool)
    is_alone[np.concatenate(members)] = False
    for column in np.flatnonzero(is_alone).tolist():
        part = encoding.column_info(column).part
        if part == "sin":
            raise ValueError(f"column {column} is a sine without its cosine: this table has no shift matrix")
        if part != "zero":
            raise ValueError(f"column {column} ({part}) is no sine or cosine: this table has no shift matrix")
    if isinstance(encoding, TransformerXLRelative) and encoding.clamp_len is not None:
        raise ValueError(
            f"all distances beyond clamp_len = {encoding.clamp_len} are one: this table has no shift matrix"
        )
    return members


def _square(encoding: Encoding) -> float:
    """The square of the attention factor."""
    return encoding.attention_factor * encoding.attention_factor if isinstance(encoding, Rotary) else 1.0


def weighted_cosine_sums(encoding: Encoding, distances: IntArray, weights: FloatArray) -> FloatArray:
    """``sum_i weight_i cos(w_i distance)`` at each distance, float64 ``(n_distances,)``; ``weights`` ``(n_pairs,)``."""
    return _cosine_sums(encoding, distances, weights)


def _cosine_sums(encoding: Encoding, distances: Any, weights: FloatArray | None = None) -> FloatArray:
    """``sum_i cos(w_i distance)`` at each distance, weighted; by angle addition for distances in equal steps."""
    rows = check_positions(distances)
    step = arithmetic_step(rows)
    if step is None or len(rows) < _DIRECT_BELOW:
        if weights is not None:
            return _by_distance(encoding, rows, lambda angles: np.cos(angles) @ weights)
        return _by_distance(encoding, rows, lambda angles: np.cos(angles).sum(axis=1))
    frequencies, height = encoding.wrapped_frequencies(), math.isqrt(len(rows) - 1) + 1
    sums = np.zeros((height, height))
    for first in range(0, len(frequencies), _PAIRS_AT_A_TIME):
        some = frequencies[first : first + _PAIRS_AT_A_TIME]
        starts = phasor_rows(some, float(rows[0]), float(step * height), height)
        within = phasor_rows(some, 0.0, float(step), height)
        if weights is not None:
            within *= weights[first : first + _PAIRS_AT_A_TIME]
        sums += starts.real @ within.real.T - starts.imag @ within.imag.T
    return sums.ravel()[: len(rows)]


def _by_distance(encoding: Encoding, distances: Any, reduce: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """The pairs' angles at each distance, ``(some distances, n_pairs)`` rad at a time, each reduced to a number."""
    frequencies, rows = encoding.wrapped_frequencies(), check_positions(distances)
    block = max(1, _ANGLES_AT_A_TIME // len(frequencies))
    some = (rows[start : start + block] for start in range(0, len(rows), block))
    return np.concatenate([np.empty(0), *(reduce(np.multiply.outer(each, frequencies)) for each in some)])


def _block_size(start: int, stop: int) -> int:
    count = check_index(stop, "stop") - check_index(start, "start")
    if count < 1:
        raise ValueError(f"a block must hold a position, got start {start} and stop {stop}")
    return count
