"""The frequencies of rotary pairs after their scaling, remembered."""

import math
from functools import lru_cache

import numpy as np

from posenc_core.numerics import FloatArray, geometric_frequencies, residue_of
from posenc_core.rope_scaling import RopeScaling


@lru_cache(maxsize=64)
def rope_frequencies(rope_theta: float, n_pairs: int, scaling: RopeScaling | None) -> FloatArray:
    """``rope_theta ** (-2i/r)`` for all pairs, then scaled; float64 ``(n_pairs,)`` in rad per token, read-only."""
    frequencies = geometric_frequencies(rope_theta, 0, 2, n_pairs, 2 * n_pairs)
    if scaling is not None:
        with np.errstate(all="ignore"):  # what is infinite is refused, in a sentence
            frequencies = scaling.frequencies(frequencies, rope_theta)
    frequencies.flags.writeable = False
    return frequencies


@lru_cache(maxsize=16)
def scaled_wrapped_frequencies(rope_theta: float, n_pairs: int, scaling: RopeScaling) -> FloatArray:
    """The frequencies less whole turns: at whole positions they are the same, and float64 can hold their angles."""
    frequencies = rope_frequencies(rope_theta, n_pairs, scaling).copy()
    fast = np.flatnonzero(np.abs(frequencies) > math.pi)
    frequencies[fast] = [float(residue_of(each)) for each in frequencies[fast].tolist()]
    frequencies.flags.writeable = False
    return frequencies
