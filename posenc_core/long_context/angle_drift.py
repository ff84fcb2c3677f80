"""Drift of two encodings: the first position at which their angles differ by more than a threshold."""

import math

import numpy as np
from msgspec import Struct

from posenc_core.encodings import Encoding, Pairs, rotating_pairs
from posenc_core.explain import Derivation, drift_derivation
from posenc_core.fields import RealField, check_one_of
from posenc_core.numerics import FloatArray, IntArray

NEVER = -1
_FARTHEST = 2**62
"""Positions beyond this count as never."""

_SAME = 1e-14
"""Largest relative difference of two frequencies that is their rounding: scalings that change nothing leave it."""

_DEGREES = RealField(
    name="degrees",
    label="degrees",
    help="Difference of two angles above which a pair counts as deviating.",
    default=45.0,
    above=0.0,
    slider=(1.0, 360.0),
)


class Drift(Struct, frozen=True):
    """``first``: for each pair of both encodings, the first deviating position, int64 ``(n_pairs,)``, -1 for never."""

    first: IntArray

    @property
    def position(self) -> int:
        """The earliest position at which a pair deviates, -1 for never."""
        return int(self.first[self.pair]) if self.pair != NEVER else NEVER

    @property
    def pair(self) -> int:
        """The first deviating pair, the lowest of several, -1 for none."""
        off = np.flatnonzero(self.first != NEVER)
        return int(off[np.argmin(self.first[off])]) if len(off) else NEVER

    def count(self, positions: IntArray) -> IntArray:
        """Number of deviating pairs up to each position, int64 ``(n_positions,)``."""
        firsts = np.sort(self.first[self.first != NEVER])
        return np.searchsorted(firsts, positions, side="right").astype(np.int64)


def drift(a: Encoding, b: Encoding, degrees: float = 45.0) -> Drift:
    """The first position p >= 0 at which pair i of b deviates by more than ``degrees`` > 0 from pair i of a.

    Both are sinusoids or RoPE, with signed angles ``theta_i (p + offset)`` and scaled frequencies in rad per token. The
    difference is not wrapped: it grows with ``p |theta_i(b) - theta_i(a)|``. Encodings of different widths are
    compared over the pairs of both. For a rotation with changed distances, positions are the changed ones, up to
    the farthest. ValueError for other thresholds, and for families without pairs that turn.
    """
    slopes, starts, limit = _differences(a, b, degrees)
    found = (_first_off(limit, start, slope) for start, slope in zip(starts.tolist(), slopes.tolist(), strict=True))
    first, farthest = np.array(list(found), np.int64), _farthest(a, b)
    return Drift(np.where(first > farthest, NEVER, first))


def explain_drift(a: Encoding, b: Encoding, pair: int, degrees: float = 45.0) -> Derivation:
    """The derivation of the first position at which a pair deviates, -1 for never; errors as ``drift``.

    IndexError for a pair that is missing in one of the encodings.
    """
    _, starts, _ = _differences(a, b, degrees)
    pair = check_one_of(pair, "pair", len(starts))
    of_a, of_b = (float(pairs_that_turn(each, "drift needs").turning[pair]) for each in (a, b))
    first = int(drift(a, b, degrees).first[pair])
    return drift_derivation(pair, (of_a, of_b), float(starts[pair]), degrees, first)


def pairs_that_turn(encoding: Encoding, wish: str) -> Pairs:
    """The pairs of the encoding; ValueError, in a sentence that begins with ``wish``, without pairs that turn."""
    pairs = rotating_pairs(encoding)
    if pairs is None:
        raise ValueError(
            f"{wish} pairs that turn with the position, as sinusoids and RoPE have: {encoding.title} has none"
        )
    return pairs


def _differences(a: Encoding, b: Encoding, degrees: float) -> tuple[FloatArray, FloatArray, float]:
    """Differences of the pairs of both, per token and at position 0, ``(n_pairs,)`` in rad each; the limit in rad."""
    limit = _DEGREES.check(degrees)
    one, other = pairs_that_turn(a, "drift needs"), pairs_that_turn(b, "drift needs")
    n_pairs = min(one.n_pairs, other.n_pairs)
    of_one, of_other = one.turning[:n_pairs], other.turning[:n_pairs]
    with np.errstate(over="ignore", invalid="ignore"):  # a base below 1e-308 makes infinite frequencies
        slopes, starts = of_other - of_one, of_other * other.shift - of_one * one.shift
        slopes[np.abs(slopes) < _SAME * np.maximum(np.abs(of_one), np.abs(of_other))] = 0
    return np.nan_to_num(slopes), np.nan_to_num(starts), math.radians(limit)


def _farthest(a: Encoding, b: Encoding) -> int:
    """The farthest position that a rotation of both sees in a text of any length."""
    rules = (each.rotation.distance_rule for each in (a, b) if each.rotation is not None)
    return min((int(rule.farthest(_FARTHEST)) for rule in rules if rule is not None), default=_FARTHEST)


def _first_off(limit: float, start: float, slope: float) -> int:
    """The smallest p >= 0 with ``abs(start + p * slope) > limit``."""
    if abs(start) > limit:
        return 0
    return _first_beyond(limit - math.copysign(start, start * slope), abs(slope))


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
