"""What a scaling does to the pairs of a rotary encoding, counted."""

import numpy as np
from msgspec import Struct

from posenc_core.encodings import Encoding, n_whole_pairs, rotating_pairs
from posenc_core.numerics import FloatArray

_SAME = 1e-9
"""Largest relative difference of two frequencies that are the same."""


class PairShares(Struct, frozen=True):
    """Numbers of pairs whose frequency a scaling keeps, slows by its largest ``factor``, or changes by less.

    ``factor`` is 1 where no pair is slowed. A pair that stands still in both is kept.
    """

    kept: int
    blended: int
    slowed: int
    factor: float


def n_wavelengths(encoding: Encoding) -> int:
    """Number of whole pairs that have a wavelength: those of its rotation, else of its columns."""
    pairs = rotating_pairs(encoding)
    return n_whole_pairs(encoding) if pairs is None else pairs.n_whole


def slowdowns(encoding: Encoding) -> FloatArray:
    """Unscaled over scaled frequency of each pair, float64 ``(n_pairs,)``; inf for a pair that the scaling stops.

    1 for families that have no scaling.
    """
    pairs = rotating_pairs(encoding) or encoding.pairs
    return np.ones(len(encoding.frequencies())) if pairs is None else pairs.slowdowns


def pair_shares(encoding: Encoding) -> PairShares:
    """The shares of the encoding's pairs; the frequencies are those at the length that the scaling is for."""
    slower = slowdowns(encoding)
    factor = float(slower.max(initial=1.0))
    kept = np.abs(slower - 1) <= _SAME
    most = ~kept & (slower >= factor * (1 - _SAME))
    return PairShares(int(kept.sum()), int((~kept & ~most).sum()), int(most.sum()), factor)
