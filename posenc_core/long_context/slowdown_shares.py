"""Counts of a scaling's effects on the pairs of a rotary encoding."""

import numpy as np
from msgspec import Struct

from posenc_core.encodings import Encoding, n_whole_pairs, rotating_pairs
from posenc_core.numerics import FloatArray

_SAME = 1e-9
"""Largest relative difference of two frequencies that are the same."""


class PairShares(Struct, frozen=True):
    """Numbers of pairs whose frequency a scaling keeps, slows by its largest ``factor``, or changes by less.

    ``factor`` is 1 if no pair is slowed. A pair that does not turn in either is kept.
    """

    kept: int
    blended: int
    slowed: int
    factor: float

    @property
    def are_separate(self) -> bool:
        """Whether most pairs have a divisor of their own, as those of LongRoPE's lists or of NTK's base."""
        return self.blended > (self.kept + self.blended + self.slowed) / 2


def n_wavelengths(encoding: Encoding) -> int:
    """Number of whole pairs with a wavelength: of its rotation, else of its columns."""
    pairs = rotating_pairs(encoding)
    return n_whole_pairs(encoding) if pairs is None else pairs.n_whole


def slowdowns(encoding: Encoding) -> FloatArray:
    """Unscaled over scaled frequency of each pair, float64 ``(n_pairs,)``; inf for a pair that the scaling stops.

    1 for families without a scaling.
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
