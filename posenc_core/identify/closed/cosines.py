"""Sandwich's width and base, solved from the largest bias and the next ones."""

import math
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from posenc_core.encodings import Sandwich
from posenc_core.identify.laws import BASES
from posenc_core.identify.precision import Level, falling
from posenc_core.numerics import FloatArray

_HALVINGS, _LARGEST = 60, 60.0
"""Steps of the solution, and the largest logarithm of a base."""


def cosine_sums(distances: FloatArray, biases: FloatArray, level: Level) -> Iterator[tuple[Sandwich, float]]:
    """Sandwich with costs, from biases ``(n_distances, n_heads)`` at distances in tokens, among them 0 to 3.

    The bias of the last head at distance 0 is 4 d_bar. The quotient of its biases at distances 1 and 0 is a mean of
    cosines, which grows with the base.
    """
    n_heads = biases.shape[1]
    at = [np.flatnonzero(np.abs(distances) == apart) for apart in range(4)]
    if any(not len(each) for each in at):
        return
    means = [np.median(biases[rows], axis=0) for rows in at]
    factors = 8.0 * np.arange(1, n_heads + 1) / n_heads
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


def _solved(exponents: FloatArray, apart: int, wanted: float) -> float:
    """The logarithm of the base for which the mean of the cosines at the distance is the wanted one."""
    low, high = 0.0, _LARGEST
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        is_above = float(np.cos(apart * np.exp(-middle * exponents)).mean()) > wanted
        low, high = (low, middle) if is_above else (middle, high)
    return (low + high) / 2
