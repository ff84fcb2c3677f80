"""Candidates from measured rates of a rotation: bases of rotary frequencies and their scalings, in closed form."""

import math
from collections.abc import Iterator
from contextlib import suppress
from itertools import product

import numpy as np
from msgspec import Struct

from posenc_core.encodings import Rotary
from posenc_core.identify.faults import Bent
from posenc_core.identify.forms import Form
from posenc_core.identify.laws import Interval, Law, Line, first_position, line_of, round_numbers, roundest, whole
from posenc_core.identify.measured import Measured
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.rope_scaling import (
    FrequencyDivisors,
    FrequencyScale,
    Linear,
    Llama3,
    NtkAware,
    NtkByParts,
    Proportional,
    RopeScaling,
    Yarn,
)

BASES = (
    1e4, 5e5, 1e6, 1e7, 5e6, 1.5e5, 1.6e5, 5e4, 1e5, 8e6, 1e8, 2.5e5, 7.5e4, 2.5e4, 5e7, 1.1e7,
)  # fmt: skip
"""Bases of public models, the most frequent first."""

_LARGEST = 1e15
_COARSE = 5e-4
"""Uncertainty of a rate from which on slow pairs may hide the end of a ramp, so that the usual ones are tried."""

_VAGUE = 0.05
"""Uncertainty from which on a rate tells nothing about a scaling."""

_LENGTHS = tuple(float(1 << k) for k in range(8, 24))
_FACTORS = tuple(map(float, (2, 4, 8, 16, 32, 64, 40, 10, 1.5, 2.5, 3, 5, 6, 12, 20, 48, 128, 25)))
_TURNS = ((Llama3, 1.0, 4.0, 0.6), (NtkByParts, 1.0, 32.0, 0.65), (Llama3, 1.0, 1.0, 0.8))
"""Ramps over turns: the scaling, the turns at both ends, and its cost."""

_BETAS = tuple(product((32.0, 64.0, 16.0, 8.0, 4.0, 2.0, 1.0), (1.0, 2.0, 4.0, 0.5)))
_USUAL = tuple(
    kind(factor, 1 << power) for power in range(11, 17) for factor in (2.0, 4.0, 8.0, 16.0, 32.0) for kind in (Yarn, Llama3)
)
"""Scalings of public models."""

_LISTED = 1000
"""Listed divisors are whole thousandths."""

Priced = tuple[Rotary, float, tuple[Bent, ...]]
"""A rotation, its cost and its faults."""

Scaled = Iterator[tuple[RopeScaling, float]]
"""Scalings and their costs."""


def rotary_laws(
    form: Form, measured: Measured, positions: FloatArray, faults: tuple[Bent, ...], is_given: bool
) -> Iterator[Law]:
    """Rotations whose pairs turn with these rates; a step from row to row is found unless positions are given."""
    known = measured.known
    if not len(known):
        return
    steps, first, fastest = {1}, int(positions[0]), float(measured.rates[known[0]])
    started = first_position(measured.rates, measured.starts) * measured.direction if len(measured.starts) else first
    if len(measured.starts) and not is_given and known[0] == 0 and fastest > 1.5:
        steps.add(round(fastest))
    if whole(started) is None:  # a step over an equal factor
        steps |= {step for step in (2, 4, 8, 16, 32) if whole(started * step) is not None}
    for step in sorted(steps):
        begun = whole(started * step if len(measured.starts) else first)
        if begun is None:
            continue
        moved: tuple[Bent, ...] = (("positions_shifted", float(begun - first)),) if is_given and begun != first else ()
        extra = 0.3 * (step > 1) + 0.1 * (begun != first) + len(moved) + 0.2 * (measured.direction < 0)
        some = Measured(measured.rates / step, measured.unsure, measured.direction)
        for encoding, cost, wrong in _rotations(form, some):
            yield Law(encoding, cost + extra, (*wrong, *moved), first if moved else begun, step)


def _rotations(form: Form, measured: Measured) -> Iterator[Priced]:
    """The rotations with these rates: plain ones, those of other exponents, then scaled ones."""
    n_pairs, turning = form.n_pairs, 2 * form.n_pairs
    line = line_of(measured) or Line(float(np.log(measured.rates[measured.known[0]])), math.log(BASES[0]) / n_pairs, 1e-6, 0)
    part = "trailing" if form.first_turning else "leading"

    def rotary(base: float, scaling: RopeScaling | None = None, head_dim: int = 0) -> Rotary:
        width = max(form.width, head_dim)
        inner = turning if width > turning else None
        return Rotary(
            width, base, form.layout, inner, scaling, direction=measured.direction, rotary_part=part if inner else "leading"
        )

    bases = list(round_numbers(line.power(1 / n_pairs), BASES))
    if abs(line.start) <= line.start_unsure + 1e-9:
        yield from ((rotary(base), cost, ()) for base, cost in bases)
        for base in BASES if bases and bases[0][1] else ():  # the exponent divides by the head's width
            width = line.width_for(base)
            if turning < width <= 8 * turning and width % 2 == 0:
                extra = 0.01 * BASES.index(base) + 0.001 * math.log2(width / turning)
                yield rotary(base, None, width), 1.0 + extra, (("exponent_width", turning / width),)
    uniform = list(_uniform(line, measured, n_pairs))
    yield from ((rotary(base, each), cost + extra, ()) for base, cost in bases for each, extra in uniform)
    for old in BASES:
        yield from ((rotary(old, each), extra, ()) for each, extra in _changed_base(line, old, n_pairs))
    for old in _bases(measured, n_pairs):
        quotients = Quotients.of(measured, old)
        extra = 0.0 if old in BASES else 1.0
        for each, price in (*_ramps(quotients), *_listed(quotients)):
            with suppress(ValueError):  # a ramp that this number of pairs does not allow
                yield rotary(old, each), price + extra, ()
    if measured.unsure[measured.known].max() > _COARSE:
        yield from ((rotary(old, each), 1.5, ()) for old, each in product(BASES[:4], _USUAL))


def _bases(measured: Measured, n_pairs: int) -> list[float]:
    """The bases that the fast or the slow pairs alone have, and the most frequent ones."""
    found = dict.fromkeys(BASES[:4])
    third = max(2, len(measured.known) // 3)
    for some in (measured.known[:third], measured.known[-third:], measured.known):
        rates = np.full(len(measured.rates), np.nan)
        rates[some] = measured.rates[some]
        line = line_of(Measured(rates, measured.unsure))
        found |= {base: None for base, _ in round_numbers(line.power(1 / n_pairs), BASES) if 1 < base < _LARGEST} if line else {}
    return list(found)


def _uniform(line: Line, measured: Measured, n_pairs: int) -> Scaled:
    """All frequencies scaled alike, or those of the first pairs with zeros behind."""
    faster, unsure = math.exp(min(line.start, 700)), line.start_unsure + 1e-9
    turning = int((measured.rates > 0).sum())
    if (measured.rates == 0).any() and turning and (measured.rates[turning:] == 0).all():
        share = turning / n_pairs
        yield from ((Proportional(share, each), 0.5 + extra) for each, extra in _factors(1 / faster, unsure))
        return
    if faster < 1 - unsure:
        yield from ((Linear(each), 0.5 + extra) for each, extra in _factors(1 / faster, unsure))
    if abs(line.start) > unsure:
        interval = (faster * (1 - unsure), faster * (1 + unsure))
        scales = round_numbers(interval, tuple(1 / each for each in _FACTORS))
        yield from ((FrequencyScale(each), 0.7 + 0.2 * extra) for each, extra in scales)


def _factors(factor: float, unsure: float) -> Iterator[tuple[float, float]]:
    """Round factors of at least 1 near a number, with their costs; 1 alone where it is near."""
    if abs(factor - 1) <= 2 * unsure:
        yield 1.0, 0.0
        return
    for each, cost in round_numbers((factor * (1 - unsure), factor * (1 + unsure)), _FACTORS):
        if each > 1:
            yield each, 0.2 * cost


def _changed_base(line: Line, old: float, n_pairs: int) -> Scaled:
    """NTK: the base is another, and the slowest pair is slowed by a round factor."""
    low, high = line.power(1 / n_pairs)
    if n_pairs < 2 or abs(line.start) > line.start_unsure + 1e-9 or not low > old:
        return
    power = (n_pairs - 1) / n_pairs
    factor, cost = roundest(((low / old) ** power, (high / old) ** power), _FACTORS)
    if 1.01 < factor < math.inf and cost < 1.5 and high < 1.001 * low:
        yield NtkAware(factor), 0.5 + 0.25 * cost + 0.01 * BASES.index(old)


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
        """The quotients of the pairs whose rates are known."""
        n_pairs, pairs = len(measured.rates), measured.known[measured.unsure[measured.known] < _VAGUE]
        unscaled = base ** (-pairs / n_pairs)
        return cls(base, n_pairs, pairs, unscaled, unscaled / measured.rates[pairs], 3 * measured.unsure[pairs])

    @property
    def slowest(self) -> Interval:
        """The quotient that the slowest pairs have in common."""
        low, high = 0.0, math.inf
        for slowed, unsure in zip(self.slowed[::-1].tolist(), self.unsure[::-1].tolist(), strict=True):
            lower, higher = max(low, slowed * (1 - unsure)), min(high, slowed * (1 + unsure))
            if lower > higher:
                break
            low, high = lower, higher
        return max(low, 1e-300), high

    def lengths(self, kept: FloatArray, unsure: FloatArray, low: float, high: float) -> Interval:
        """The original lengths for which a ramp over turns from low to high keeps these shares."""
        with np.errstate(invalid="ignore"):
            per_turn = 2 * math.pi / self.unscaled
        turns = low + np.clip(kept, 0, 1) * (high - low)
        least = np.where(kept > unsure, per_turn * (turns - np.minimum(unsure * (high - low), turns)), 0.0)
        most = np.where(kept < 1 - unsure, per_turn * (turns + unsure * (high - low)), np.inf)
        return float(least.max()) * (1 - 1e-9), float(most.min()) * (1 + 1e-9)


def _ramps(found: Quotients) -> Scaled:
    """Fast pairs kept, slow ones slowed by a factor, and a ramp over turns or over indices between."""
    if len(found.pairs) < 2:
        return
    low, high = found.slowest
    for factor, cost in _factors(math.sqrt(low * high), math.sqrt(high / low) - 1):
        yield from ((scaling, price + cost) for scaling, price in _ramps_to(found, factor)) if factor > 1.01 else ()
    yield from _unfinished(found)


def _ramps_to(found: Quotients, factor: float) -> Scaled:
    """The ramps that end at this factor."""
    kept = (1 / found.slowed - 1 / factor) / (1 - 1 / factor)
    doubt = 2 * found.unsure / (1 - 1 / factor) + 1e-9
    if (kept < -doubt).any() or (kept > 1 + doubt).any() or (np.diff(kept) > doubt[1:]).any() or kept[0] < doubt[0]:
        return
    inner = np.flatnonzero((kept > doubt) & (kept < 1 - doubt))
    turns = [*_TURNS]
    if len(inner) > 1:  # the ratio of both ends, from the line through the ramp
        one, other = inner[0], inner[-1]
        slope = (kept[one] - kept[other]) / (found.unscaled[one] - found.unscaled[other])
        begun = kept[other] - slope * found.unscaled[other]
        if begun < 0:
            near = float(doubt[inner].max() / -begun) * 4
            ratio, extra = roundest(((1 - 1 / begun) * (1 - near), (1 - 1 / begun) * (1 + near)))
            turns.append((NtkByParts, 1.0, ratio, 1.0 + 0.2 * extra))
    for kind, low, high, extra in turns:
        length, ease = roundest(found.lengths(kept, doubt, low, high), _LENGTHS)
        if 0.5 < length < _LARGEST:
            yield kind(factor, round(length), low, high), extra + 0.1 * ease
    yield from _index_ramps(found, kept, inner, factor)


def _unfinished(found: Quotients) -> Scaled:
    """Ramps over turns that the slowest pair has not passed: their line gives the factor and the length."""
    shares = 1 / found.slowed
    inner = np.flatnonzero(shares < 1 - 4 * found.unsure)
    if len(inner) < 2 or inner[-1] != len(shares) - 1 or not np.ptp(shares[inner]):
        return
    one, other = inner[0], inner[-1]
    slope = float((shares[one] - shares[other]) / (found.unscaled[one] - found.unscaled[other]))
    begun = float(shares[other] - slope * found.unscaled[other])
    unsure = 4 * float(found.unsure[inner].max())
    for kind, low, high, extra in _TURNS[:2]:
        share = (begun + low / (high - low)) / (1 + low / (high - low))
        if not 0 < share < 1:
            continue
        near = unsure * (1 + share / (1 - share))
        length = 2 * math.pi * (high - low) * slope / (1 - share)
        rounded, ease = roundest((length * (1 - 8 * near), length * (1 + 8 * near)), _LENGTHS)
        for factor, cost in _factors(1 / share, unsure / share) if 0.5 < rounded < _LARGEST else ():
            yield kind(factor, round(rounded), low, high), extra + 0.3 + cost + 0.1 * ease


def _index_ramps(found: Quotients, kept: FloatArray, inner: IntArray, factor: float) -> Scaled:
    """YaRN: a ramp over indices, whose ends round to whole pairs unless it does not truncate."""
    pairs = found.pairs
    if len(inner) > 1:
        one, other = inner[0], inner[-1]
        width = float((pairs[other] - pairs[one]) / (kept[one] - kept[other]))
        ends = [(pairs[one] - (1 - kept[one]) * width, pairs[one] + kept[one] * width)]
    elif len(inner) == 1:
        (one,) = inner
        ends = [(pairs[one] - (1 - kept[one]) * width, pairs[one] + kept[one] * width) for width in range(1, 9)]
    else:
        first = int((kept > 0.5).sum())
        ends = [(pairs[first] - 1.0, float(pairs[first]))] if 0 < first < len(pairs) else []
    for low, high in ends:
        is_whole = max(abs(low - round(low)), abs(high - round(high))) < 0.01
        if is_whole:
            for betas in _BETAS:
                length, cost = roundest(_yarn_lengths(found, round(low), round(high), betas), _LENGTHS)
                if length < _LARGEST:
                    usual = betas == _BETAS[0]
                    yield Yarn(factor, max(7, round(length)), *betas), (0.6 if usual else 1.0) + 0.1 * cost
                    break
        elif len(inner) > 1 and high < 4 * found.n_pairs and low > -4 * found.n_pairs:
            lengths = [2 * math.pi * beta * found.base ** (end / found.n_pairs) for beta, end in ((32.0, low), (1.0, high))]
            length, cost = roundest((min(lengths) * (1 - 1e-4), max(lengths) * (1 + 1e-4)), _LENGTHS)
            if length < _LARGEST and max(lengths) < 1.01 * min(lengths):
                yield Yarn(factor, round(length), truncate=False), 0.7 + 0.1 * cost


def _yarn_lengths(found: Quotients, low: int, high: int, betas: tuple[float, float]) -> Interval:
    """The original lengths whose ramp begins at the pair ``low`` and ends at ``high``."""

    def length(beta: float, index: float) -> float:
        return 2 * math.pi * beta * found.base ** (index / found.n_pairs)

    fast, slow = betas
    least = 0.0 if low <= 0 else length(fast, low)
    most = math.inf if high >= 2 * found.n_pairs - 1 else length(slow, high)
    return max(least, length(slow, high - 1) * (1 + 1e-9)), min(length(fast, low + 1) * (1 - 1e-9), most)


def _listed(found: Quotients) -> Scaled:
    """A divisor for each pair, most of which are round: as LongRoPE lists them."""
    listed = np.round(found.slowed * _LISTED) / _LISTED
    if len(found.pairs) < found.n_pairs or (found.unsure * found.slowed > 0.2 / _LISTED).any() or listed.min() <= 0:
        return
    is_round = np.abs(listed / found.slowed - 1) <= found.unsure
    if np.ptp(listed) > 0 and is_round.mean() > 0.5:
        divisors = np.where(is_round, listed, [float(f"{each:.8g}") for each in found.slowed])
        yield FrequencyDivisors(tuple(divisors.tolist())), 2.2
