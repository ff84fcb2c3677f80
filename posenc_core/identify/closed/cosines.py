"""Sandwich's width and base, solved from the biases of near keys, also with a factor of all biases."""

import math
from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np

from posenc_core.encodings import Sandwich
from posenc_core.identify.laws import BASES
from posenc_core.identify.precision import UNROUND, Level, falling, roundest
from posenc_core.numerics import FloatArray

_HALVINGS, _LARGEST = 60, 60.0
"""Steps of the solution, and the largest logarithm of a base."""

_NEAR_KEYS, _MOST_COSINES = 8, 4096
"""Distances by which the number of cosines is found, and the largest number."""

_COARSEST, _AS_ONE = 2e-5, 1e-3
"""Uncertainty of a share from which on numbers do not determine it, and the least difference of a factor from 1."""


def cosine_sums(distances: FloatArray, biases: FloatArray, level: Level) -> Iterator[tuple[Sandwich, float]]:
    """Sandwich with costs, from biases ``(n_distances, n_heads)`` at distances in tokens, among them 0 to 3.

    The bias of the last head at distance 0 is d_bar/16. The quotient of its biases at distances 1 and 0 is a mean of
    cosines, which grows with the base.
    """
    n_heads = biases.shape[1]
    at = [np.flatnonzero(np.abs(distances) == apart) for apart in range(4)]
    if any(not len(each) for each in at):
        return
    means = [np.median(biases[rows], axis=0) for rows in at]
    factors = n_heads / (8.0 * np.arange(1, n_heads + 1))
    width = 2 * round(float(np.median(means[0] / factors)))
    if not 2 <= width <= 8192 or abs(width / 2 - float(np.median(means[0] / factors))) > 0.01 * width:
        return
    exponents = 2 * np.arange(width // 2) / width
    found = [_solved(exponents, apart, float(np.median(means[apart] / factors)) / (width / 2)) for apart in (1, 2, 3)]
    logarithm = float(np.median(found))
    wide = 1e-9 + 40 * (level.angle + level.relative + level.absolute / width) * max(1.0, logarithm)
    for unsure in (wide, wide / 20):
        low, high = logarithm - unsure, logarithm + unsure
        for base, cost in falling((math.exp(low), math.exp(high)), BASES):
            with suppress(ValueError):
                yield Sandwich(width, base, n_heads), cost


def mistaken_sums(distances: FloatArray, biases: FloatArray, level: Level) -> Iterator[tuple[Sandwich, float, float]]:
    """Sandwich, a factor of all biases and costs, from biases ``(n_distances, n_heads)`` at distances in tokens.

    The distances 1 to 7 are among them. The shares of the bias at distance 0 determine the number of cosines and the
    base; without that distance the factor is 1. A single head may be any head of a model, which has a larger factor.
    """
    sums, n_heads = _sums(distances, biases), biases.shape[1]
    if np.isnan(sums[1:]).any() or not sums[1:].any():
        return
    unsure = level.angle + level.relative + level.absolute / float(np.nanmax(np.abs(sums)))
    if 8 * unsure > _COARSEST or np.abs(sums[1:]).max() > abs(np.nan_to_num(sums[0], nan=np.inf)):
        return

    def shares(n_cosines: int) -> FloatArray:
        return sums / (n_cosines if np.isnan(sums[0]) else sums[0])

    middle = _n_cosines(shares)
    for n_cosines in range(max(2, middle - 1), middle + 2):
        wanted, exponents = shares(n_cosines), np.arange(n_cosines) / n_cosines
        logarithm = _solved(exponents, 1, float(wanted[1]))
        cosines = np.cos(np.outer(np.arange(1, _NEAR_KEYS), np.exp(-logarithm * exponents))).mean(axis=1)
        amount = 1.0 if np.isnan(sums[0]) else float(sums[0]) / n_cosines
        is_one_head = n_heads == 1 and abs(amount) > 1 + _AS_ONE
        if np.abs(cosines - wanted[1:]).max() > 1e-12 + _NEAR_KEYS**3 * unsure or is_one_head:
            continue
        wide = 1e-9 + 16 * unsure * max(1.0, logarithm**2)
        for base, cost in falling((math.exp(logarithm - wide), math.exp(logarithm + wide)), BASES):
            if cost < UNROUND:
                with suppress(ValueError):
                    yield Sandwich(2 * n_cosines, base, n_heads), _rounder(amount, 4 * unsure), cost


def _sums(distances: FloatArray, biases: FloatArray) -> FloatArray:
    """The sum of cosines at distances 0 to 7 times an unknown factor, the same by most heads; nan for others."""
    n_heads = biases.shape[1]
    found = np.full(_NEAR_KEYS, np.nan)
    for apart in range(_NEAR_KEYS):
        rows = np.abs(distances) == apart
        if rows.any():
            means = np.median(biases[rows], axis=0) * (8.0 * np.arange(1, n_heads + 1)) / n_heads
            middle = float(np.median(means))
            found[apart] = middle if np.mean(np.abs(means - middle) <= _AS_ONE * abs(middle)) > 0.7 else np.nan
    return found


def _n_cosines(shares: Callable[[int], FloatArray]) -> int:
    """The number of cosines with the base of which the mean cosine is the wanted share at distances 1 and 2, too."""
    low, high = 1, _MOST_COSINES
    while high - low > 1:
        middle = (low + high) // 2
        exponents, wanted = np.arange(middle) / middle, shares(middle)
        rates = np.exp(-_solved(exponents, 1, float(wanted[1])) * exponents)
        is_short = np.cos(rates).mean() < wanted[1] - 1e-9  # no base has so large a share
        is_below = is_short or np.cos(2 * rates).mean() > wanted[2]
        low, high = (middle, high) if is_below else (low, middle)
    return low


def _rounder(amount: float, unsure: float) -> float:
    """The roundest factor within the uncertainty, a share, with the sign of the given one."""
    return math.copysign(roundest((abs(amount) * (1 - unsure), abs(amount) * (1 + unsure)))[0], amount)


def _solved(exponents: FloatArray, apart: int, wanted: float) -> float:
    """The logarithm of the base for which the mean of the cosines at the distance is the wanted one."""
    low, high = 0.0, _LARGEST
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        is_above = float(np.cos(apart * np.exp(-middle * exponents)).mean()) > wanted
        low, high = (low, middle) if is_above else (middle, high)
    return (low + high) / 2
