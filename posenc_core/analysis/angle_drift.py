"""Where two rotary encodings part: the first position at which their angles differ by more than a threshold."""

import math

import numpy as np
from msgspec import Struct

from posenc_core.encodings import Rotary
from posenc_core.numerics import FloatArray, IntArray

NEVER = -1
_FARTHEST = 2**62
"""Positions beyond this count as never."""


class Drift(Struct, frozen=True):
    """``first``: for each pair that both encodings have, the first position off, int64 ``(n_pairs,)``, -1 for never."""

    first: IntArray

    @property
    def position(self) -> int:
        """The earliest position at which a pair is off, -1 if none ever is."""
        return int(self.first[self.pair]) if self.pair != NEVER else NEVER

    @property
    def pair(self) -> int:
        """The pair that is off first, the lowest of several, -1 if none ever is."""
        off = np.flatnonzero(self.first != NEVER)
        return int(off[np.argmin(self.first[off])]) if len(off) else NEVER

    def count(self, positions: IntArray) -> IntArray:
        """Number of pairs that are off at each position or before, int64 ``(n_positions,)``."""
        firsts = np.sort(self.first[self.first != NEVER])
        return np.searchsorted(firsts, positions, side="right").astype(np.int64)


def drift(a: Rotary, b: Rotary, degrees: float = 45.0) -> Drift:
    """The first position p >= 0 at which pair i of b is off by more than ``degrees`` > 0 from pair i of a.

    The angles differ by ``p |theta_i(b) - theta_i(a)|``, not wrapped, where both turn the same way round; scaled
    frequencies in rad per token. Encodings of different widths are compared over the pairs that both have.
    ValueError for other thresholds.
    """
    if not (math.isfinite(degrees) and degrees > 0):
        raise ValueError(f"degrees must be a finite number > 0, got {degrees}")
    n_pairs = min(a.n_pairs, b.n_pairs)
    apart = np.abs(turning(b)[:n_pairs] - turning(a)[:n_pairs])
    return Drift(np.array([_first_beyond(math.radians(degrees), float(step)) for step in apart], np.int64))


def turning(encoding: Rotary) -> FloatArray:
    """Signed angular frequency of each pair, float64 ``(n_pairs,)`` in rad per token: negative where it turns back."""
    return encoding.direction * encoding.frequencies()


def _first_beyond(limit: float, step: float) -> int:
    """The smallest p >= 0 with ``p * step > limit``."""
    if step == 0 or limit / step >= _FARTHEST:
        return NEVER
    position = math.floor(limit / step) + 1
    while (position - 1) * step > limit:
        position -= 1
    while position * step <= limit:
        position += 1
    return position
