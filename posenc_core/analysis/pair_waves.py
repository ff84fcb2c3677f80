"""Properties of whole pairs: wavelengths, similarity by distance, uniqueness.

All are computed from the pairs' frequencies without the table: the similarity of two rows depends on their distance
alone, so that one vector of similarities determines the whole matrix.
"""

import math
from functools import lru_cache
from typing import Any

import numpy as np

from posenc_core.encodings import Encoding, Pairs, Rotation, n_whole_pairs, pair_members
from posenc_core.fields import check_length, check_positions
from posenc_core.numerics import FloatArray

_SCORES_AT_A_TIME = 1 << 16
"""Cosines that are computed together in a search."""


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
    return whole_pairs(encoding).dot_products(check_positions(distances))


def cosine_similarity(encoding: Encoding, distances: Any) -> FloatArray:
    """Cosine of the angle between two rows at each distance, float64 ``(n_distances,)`` from -1 to 1."""
    pairs = whole_pairs(encoding)
    return pairs.cosine_sums(check_positions(distances)) / pairs.n_pairs


def score_of_ones(rotary: Rotation, distances: Any) -> FloatArray:
    """``B(distance) = sum_i cos(distance theta_i)``, float64 ``(n_distances,)``.

    It is half the score of a query and a key of ones, without the attention factor. Where it is negative, far keys
    score above near keys. Source: Men et al. 2024 (Base of RoPE bounds context length, arXiv 2405.14591).
    """
    return rotary.pairs.cosine_sums(check_positions(distances))


def first_negative_distance(rotary: Rotation, limit: int) -> int | None:
    """The smallest distance in tokens below ``limit`` at which ``score_of_ones`` is negative; None if none is."""
    block = max(1, _SCORES_AT_A_TIME // rotary.pairs.n_pairs)
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
    pairs, rows = whole_pairs(encoding), check_positions(distances)
    sums = pairs.by_distance(rows, lambda angles: np.square(np.sin(angles / 2)).sum(axis=1))
    with np.errstate(over="ignore", invalid="ignore"):  # as in dot_products
        return np.asarray(4 * (pairs.amplitude * pairs.amplitude) * sums)


def closest_rows(encoding: Encoding, n_positions: int) -> tuple[float, int]:
    """Smallest Euclidean distance of two of the first ``n_positions`` (>= 2) rows, and their distance in tokens."""
    if check_length(n_positions, "n_positions") < 2:
        raise ValueError("n_positions must be an integer >= 2, got 1")
    squares = squared_distances(encoding, np.arange(1, n_positions))
    apart = int(np.argmin(squares))
    return math.sqrt(squares[apart]), apart + 1


@lru_cache(maxsize=8)
def whole_pairs(encoding: Encoding) -> Pairs:
    """The pairs of a table without other columns; kept, since each view of dot products asks for them.

    ValueError for a table with other columns, with a sine without its cosine, or of clamped distances.
    """
    pairs = encoding.pairs
    members = pair_members(encoding, np.arange(n_whole_pairs(encoding)))
    is_alone = np.ones(encoding.n_columns, bool)
    is_alone[np.concatenate(members)] = False
    for column in np.flatnonzero(is_alone).tolist():
        part = encoding.column_info(column).part
        if part == "sin":
            raise ValueError(f"column {column} is a sine without its cosine: this table has no shift matrix")
        if part != "zero":
            raise ValueError(f"column {column} ({part}) is not a sine or cosine: this table has no shift matrix")
    if pairs is None:
        raise ValueError(f"the pairs of {encoding.title} do not turn: this table has no shift matrix")
    if pairs.clamp_len is not None:
        raise ValueError(f"distances beyond clamp_len = {pairs.clamp_len} share a row: this table has no shift matrix")
    return pairs
