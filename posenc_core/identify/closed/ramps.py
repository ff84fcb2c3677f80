"""Scalings that keep fast pairs and slow the others, from quotients of rates: ramps over turns and over indices."""

import math
from collections.abc import Iterator
from itertools import product

import numpy as np
from msgspec import Struct

from posenc_core.identify.laws import BASES
from posenc_core.identify.measured import Measured
from posenc_core.identify.precision import UNROUND, Interval, round_numbers, roundest
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.rope_scaling import Llama3, NtkByParts, RopeScaling, Yarn, YarnLog

_SHORTEST, _LONGEST = 64, 1e13
"""Bounds of original lengths."""
_VAGUE, _STANDING = 0.05, 1e-250
"""Uncertainty of a rate that does not identify a scaling, and the slowest rate."""
LENGTHS = tuple(float(1 << k) for k in range(8, 24))
FACTORS = tuple(map(float, (2, 4, 8, 16, 32, 64, 40, 10, 1.5, 2.5, 3, 5, 6, 12, 20, 48, 128, 25)))
_TURNS = ((Llama3, 1.0, 4.0, 0.6), (NtkByParts, 1.0, 32.0, 0.65), (Llama3, 1.0, 1.0, 1.0))
"""Ramps over turns: the scaling, the turns at both ends, and its cost."""

_BETAS = tuple(
    each for each in product((32.0, 64.0, 16.0, 8.0, 4.0, 2.0, 1.0), (1.0, 2.0, 4.0, 0.5)) if each[0] >= each[1]
)

_ENDS = tuple(product((1.0, 2.0, 4.0, 0.5, 3.0, 8.0), (4.0, 8.0, 2.0, 16.0, 32.0, 3.0, 6.0, 64.0)))
"""Turns at both ends of a ramp over turns with a single pair, which does not tell them; the lengths are then usual."""

_SLOWS, _FASTS = (1.0, 2.0, 4.0, 0.5), (24.0, 40.0, 48.0, 20.0, 12.0)
"""Usual turns at the slow end of a ramp over indices whose fast end is measured, and at that end."""

_OTHER, _MEASURED_END, _OPEN = 1.05, 1.2, 1.2
"""Costs of turns of other ramps with the same numbers, of a measured end, and of a ramp without slower pairs."""

_SHARP_OPEN = 1e-3
"""Largest uncertainty of shares that tells a ramp over indices without slower pairs."""

_LOGARITHMS = 0.3
"""Further cost of a ramp of logarithms."""

Scaled = Iterator[tuple[RopeScaling, float]]
"""Scalings and their costs."""


def factors(factor: float, unsure: float) -> Iterator[tuple[float, float]]:
    """Round factors of at least 1 near a number, with their costs; 1 alone if it is near."""
    if abs(factor - 1) <= 2 * unsure:
        yield 1.0, 0.0
        return
    found = round_numbers((factor * (1 - unsure), factor * (1 + unsure)), FACTORS)
    yield from ((each, 0.2 * cost) for each, cost in found if each > 1)


class Quotients(Struct, frozen=True):
    """Unscaled frequencies of a base over the rates of the known pairs, with uncertainties as shares."""

    base: float
    n_pairs: int
    pairs: IntArray
    unscaled: FloatArray
    slowed: FloatArray
    unsure: FloatArray

    @classmethod
    def of(cls, measured: Measured, base: float) -> "Quotients":
        """The quotients of the pairs whose rates are known well enough."""
        n_pairs, known, rates = len(measured.rates), measured.known, measured.rates
        pairs = known[(measured.unsure[known] < _VAGUE) & (np.abs(rates[known]) > _STANDING)]
        unscaled = base ** (-pairs / n_pairs)
        return cls(base, n_pairs, pairs, unscaled, unscaled / rates[pairs], 3 * measured.unsure[pairs])

    @property
    def slowest(self) -> Interval:
        """The quotient that the slowest pairs have in common."""
        low, high = 1e-300, math.inf
        for slowed, unsure in zip(self.slowed[::-1].tolist(), self.unsure[::-1].tolist(), strict=True):
            lower, higher = max(low, slowed * (1 - unsure)), min(high, slowed * (1 + unsure))
            if lower > higher:
                break
            low, high = lower, higher
        return low, high

    def length(self, turns: float, index: float) -> float:
        """The original length in which a pair of this index, a real number, makes ``turns`` turns."""
        return 2 * math.pi * turns * float(self.base ** (index / self.n_pairs))

    def lengths(self, kept: FloatArray, doubt: FloatArray, low: float, high: float) -> Interval:
        """The original lengths for which a ramp over turns from low to high keeps these shares."""
        turns, wide = low + np.clip(kept, 0, 1) * (high - low), doubt * (high - low)
        per_turn = 2 * math.pi / self.unscaled
        least = np.where(kept > doubt, per_turn * np.maximum(turns - wide, 0), 0.0).max()
        most = np.where(kept < 1 - doubt, per_turn * (turns + wide), np.inf).min()
        return float(least) * (1 - 1e-9), float(most) * (1 + 1e-9)


def ramps(found: Quotients) -> Scaled:
    """Fast pairs kept, slow ones slowed by a factor, and a ramp over turns or over indices between."""
    if len(found.pairs) < 2:
        return
    low, high = found.slowest
    for factor, cost in factors(math.sqrt(low * high), math.sqrt(high / low) - 1):
        if factor > 1.01 and (found.base in BASES or cost < 0.2 * UNROUND):
            yield from ((scaling, price + cost) for scaling, price in _blends(found, factor))


def _blends(found: Quotients, factor: float) -> Scaled:
    """Ramps down to this factor, of frequencies or of their logarithms."""
    kept = (1 / found.slowed - 1 / factor) / (1 - 1 / factor)
    doubt = 2 * found.unsure / (1 - 1 / factor) + 1e-9
    if _is_ramp(kept, doubt):
        yield from _turn_ramps(found, kept, doubt, factor)
        yield from _index_ramps(found, kept, doubt, factor, Yarn)
    kept, doubt = 1 - np.log(found.slowed) / math.log(factor), 2 * found.unsure / math.log(factor) + 1e-9
    if _is_ramp(kept, doubt):
        for scaling, price in _index_ramps(found, kept, doubt, factor, YarnLog):
            yield scaling, price + _LOGARITHMS


def _is_ramp(kept: FloatArray, doubt: FloatArray) -> bool:
    """Whether kept shares fall from above 0, and several are below 1."""
    falls = (kept > -doubt).all() and (kept < 1 + doubt).all() and (np.diff(kept) < doubt[1:]).all()
    return bool(falls and kept[0] > doubt[0] and (kept < 1 - doubt).sum() > 1)


def _turn_ramps(found: Quotients, kept: FloatArray, doubt: FloatArray, factor: float) -> Scaled:
    """Ramps over turns: of Llama 3 and the YaRN paper, or with the measured ratio of the ends."""
    turns, inner = [*_TURNS], np.flatnonzero((kept > doubt) & (kept < 1 - doubt))
    if len(inner) > 1:
        one, other = inner[0], inner[-1]
        apart = found.unscaled[one] - found.unscaled[other]
        slope = (kept[one] - kept[other]) / apart if 0 < abs(apart) < math.inf else 0.0
        begun = kept[other] - slope * found.unscaled[other] if slope else 0.0
        if begun < 0:
            near = 4 * float(doubt[inner].max()) / -begun
            ratio, cost = roundest(((1 - 1 / begun) * (1 - near), (1 - 1 / begun) * (1 + near)))
            turns += [(NtkByParts, 1.0, ratio, 1.0 + 0.2 * cost)] if ratio > 1 else []
    elif len(inner):
        yield from _usual_ends(found, kept, doubt, factor)
    for kind, low, high, price in turns:
        length, cost = roundest(found.lengths(kept, doubt, low, high), LENGTHS)
        if _SHORTEST <= length < _LONGEST:
            yield kind(factor, round(length), low, high), price + 0.1 * cost


def _usual_ends(found: Quotients, kept: FloatArray, doubt: FloatArray, factor: float) -> Scaled:
    """Ramps of Llama 3 with usual turns at both ends and a usual length, for the share of a single pair."""
    for low, high in _ENDS:
        length, cost = roundest(found.lengths(kept, doubt, low, high), LENGTHS) if low < high else (0.0, 1.0)
        if cost == 0:
            yield Llama3(factor, round(length), low, high), _OTHER + 0.01 * _ENDS.index((low, high))


def open_ramps(found: Quotients) -> Scaled:
    """Ramps over turns that no pair is slow enough to leave: shares are a line over frequencies, which tells both."""
    inner = np.flatnonzero(found.slowed > 1 + found.unsure + 1e-9)
    if len(inner) < 2 or len(inner) == len(found.pairs) or inner[0] != len(found.pairs) - len(inner):
        return
    near = 8 * float(found.unsure[inner].max()) + 1e-9
    if near < _SHARP_OPEN:
        yield from _open_index_ramps(found, inner, near)
    shares, rates = 1 / found.slowed[inner], found.unscaled[inner]
    slope = float((shares[0] - shares[-1]) / (rates[0] - rates[-1]))
    start = float(shares[-1] - slope * rates[-1])
    if slope <= 0 or not start < 1 or np.abs(start + slope * rates - shares).max() > near:
        return
    for kind, low, high, price in _TURNS[:2]:
        lost = (1 - start) * (high - low) / high
        if not lost < 1:
            continue
        wide = near / (1 - lost)
        factor, cost = roundest(((1 - wide) / (1 - lost), (1 + wide) / (1 - lost)), FACTORS)
        length = 2 * math.pi * slope * (high - low) / lost
        length, unusual = roundest((length * (1 - 4 * near / lost), length * (1 + 4 * near / lost)), LENGTHS)
        if unusual == 0 and cost < (UNROUND if len(inner) > 2 else 1e-9) and factor > 1:
            yield kind(factor, round(length), low, high), _OPEN - 0.6 + price + 0.2 * cost


def _open_index_ramps(found: Quotients, inner: IntArray, near: float) -> Scaled:
    """YaRN of usual factors and lengths whose ramp over indices no pair is slow enough to leave."""
    shares, pairs = 1 / found.slowed[inner], found.pairs[inner]
    slope = float((shares[0] - shares[-1]) / (pairs[-1] - pairs[0]))
    if slope <= 0 or np.abs(shares[0] - slope * (pairs - pairs[0]) - shares).max() > near:
        return
    begun = float(pairs[0] - (1 - shares[0]) / slope)
    for factor, length, truncate in product(FACTORS, LENGTHS, (True, False)):
        scaling = Yarn(factor, round(length), truncate=truncate)
        low, high = scaling.correction_range(2 * found.n_pairs, found.base)
        if abs(low - begun) * slope <= near and abs((1 - 1 / factor) / (high - low) - slope) <= near:
            yield scaling, 0.65 + 0.1 * (not truncate)


def _index_ramps(found: Quotients, kept: FloatArray, doubt: FloatArray, factor: float, kind: type[Yarn]) -> Scaled:
    """YaRN: a ramp over indices, whose ends are rounded to whole pairs unless it does not truncate."""
    pairs, inner = found.pairs, np.flatnonzero((kept > doubt) & (kept < 1 - doubt))
    if len(inner) > 1:
        fallen = float(kept[inner[0]] - kept[inner[-1]])
        widths = [float(pairs[inner[-1]] - pairs[inner[0]]) / fallen] if fallen > 0 else []
    else:  # a ramp of one pair has one of several widths
        widths = [float(width) for width in range(1, 9)] if len(inner) else [1.0]
    one = inner[0] if len(inner) else min(int((kept > 0.5).sum()), len(pairs) - 1)
    for low, high in ((pairs[one] - (1 - kept[one]) * wide, pairs[one] + kept[one] * wide) for wide in widths):
        if max(-low, high) > 4 * found.n_pairs:
            continue
        if max(abs(low - round(low)), abs(high - round(high))) < 0.01:
            yield from _truncated(found, round(low), round(high), factor, kind)
        elif len(inner) > 1:
            ends = sorted((found.length(32.0, low), found.length(1.0, high)))
            length, cost = roundest((ends[0] * (1 - 1e-4), ends[1] * (1 + 1e-4)), LENGTHS)
            if _SHORTEST <= length < _LONGEST and ends[1] < 1.01 * ends[0]:
                yield kind(factor, round(length), truncate=False), 0.7 + 0.1 * cost


def _truncated(found: Quotients, low: int, high: int, factor: float, kind: type[Yarn]) -> Scaled:
    """YaRN whose ramp begins at the pair ``low`` and ends at ``high``, with the first turns that allow it.

    Turns that are not the default ones are followed by others that have the same numbers with a usual length.
    """
    chosen = False
    for fast, slow in _BETAS:
        least = max(found.length(fast, low) if low > 0 else 0.0, found.length(slow, high - 1) * (1 + 1e-9))
        most = found.length(slow, high) if high < 2 * found.n_pairs - 1 else math.inf
        most = min(found.length(fast, low + 1) * (1 - 1e-9), most)
        length, cost = roundest((least, most), LENGTHS)
        if not _SHORTEST <= length < _LONGEST or (chosen and cost):
            continue
        price = (0.6 if (fast, slow) == _BETAS[0] else _OTHER if chosen else 1.0) + 0.1 * cost
        others = [each for each in LENGTHS if least <= each <= most and each != length]
        yield from ((kind(factor, round(each), fast, slow), price) for each in (length, *others))
        if (fast, slow) == _BETAS[0]:
            return
        chosen = True
    if low > 0 and not chosen:
        yield from _measured_ends(found, low, high, factor, kind)


def _measured_ends(found: Quotients, low: int, high: int, factor: float, kind: type[Yarn]) -> Scaled:
    """YaRN with usual turns at the slow end and a usual length, by which the fast end has the roundest turns."""
    for slow, length in product(_SLOWS, LENGTHS):
        if found.length(slow, high - 1) < length <= found.length(slow, high):
            per_turn = found.length(1.0, low), found.length(1.0, low + 1)
            least, most = length / per_turn[1] * (1 + 1e-9), length / per_turn[0]
            fast, cost = roundest((least, most), _FASTS)
            price = _MEASURED_END + 0.1 * cost + 0.01 * _SLOWS.index(slow)
            others = [each for each in _FASTS if least <= each <= most and each != fast]
            yield from ((kind(factor, round(length), each, slow), price) for each in (fast, *others) if each >= slow)
