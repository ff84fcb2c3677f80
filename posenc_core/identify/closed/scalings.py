"""Candidates from measured rates of a rotation: bases of rotary frequencies and their scalings, in closed form."""

import math
from collections.abc import Iterator
from contextlib import suppress
from itertools import product

import numpy as np

from posenc_core.encodings import Rotary
from posenc_core.identify.closed.ramps import FACTORS, LENGTHS, Quotients, Scaled, factors, open_ramps, ramps
from posenc_core.identify.faults import DEGREE, TURN, Bent
from posenc_core.identify.forms import Form
from posenc_core.identify.laws import (
    BASES,
    Law,
    Line,
    first_position,
    line_of,
    whole,
)
from posenc_core.identify.measured import Measured
from posenc_core.identify.precision import UNROUND, falling, round_numbers, roundest
from posenc_core.numerics import FloatArray
from posenc_core.rope_scaling import (
    FrequencyDivisors,
    FrequencyScale,
    Linear,
    Llama3,
    NtkAware,
    NtkByParts,
    Proportional,
    RopeScaling,
    ServedNtk,
    ThetaScale,
    Yarn,
    YarnLog,
)

_LARGEST = 1e13
"""Bound of bases."""
_COARSE, _VAGUE = 5e-4, 0.05
"""Uncertainties of a rate from which on slow pairs may hide the end of a ramp, and do not identify a unit."""
_STEPS = (2, 4, 8, 16, 32)
_USUAL = tuple(
    (kind(factor, 1 << k), 1.5 if kind in (Yarn, Llama3) else 1.6)
    for kind, k, factor in product((Yarn, Llama3, NtkByParts, YarnLog), range(11, 17), (2.0, 4.0, 8.0, 16.0, 32.0))
)
"""Usual scalings with their costs, for rates that do not tell a ramp."""
_SERVED, _FEWEST, _SHARP = 0.8, 4, 1e-5
"""Scalings that only serving engines have: their cost, the least quotients that fit no other power, and the largest
uncertainty of a base, as a share, that tells the factor and the length which changed it."""
_LISTED, _DIFFERENT = 1000, 10
"""Listed divisors are whole thousandths, with more than this many different ones."""


def rotary_laws(
    form: Form, measured: Measured, positions: FloatArray, faults: tuple[Bent, ...], is_given: bool
) -> Iterator[Law]:
    """Rotations whose pairs turn with these rates; a step from row to row is found unless positions are given."""
    if "exchanged" in dict(faults) and measured.direction < 0:  # sinusoids backwards
        return
    first, fastest = int(positions[0]), float(measured.rates[measured.known[0]])
    has_rows = len(measured.starts) > 0
    started = first_position(measured) * measured.direction if has_rows else float(first)
    steps = {1}
    if has_rows and not is_given:
        steps |= {round(fastest)} if measured.known[0] == 0 and fastest > 1.5 else set()
        steps |= {step for step in _STEPS if abs(fastest / (step * DEGREE) - 1) < _VAGUE / 5}
        steps |= {*_STEPS} if whole(started) is None else set()  # a step over an equal factor
    for step in sorted(steps):
        begun = whole(started * step) if has_rows else first
        if begun is None:
            continue
        moved: tuple[Bent, ...] = (("positions_shifted", float(begun - first)),) if is_given and begun != first else ()
        is_back = measured.direction < 0
        extra = 0.3 * (step > 1) + 0.1 * (begun != first) + len(moved) + is_back * (0.2 + (begun < 0))
        rates, last = measured.rates / step, -begun - step * int(positions[-1] - first)
        for encoding, cost, wrong in rotations_of(form, Measured(rates, measured.unsure, measured.direction)):
            yield Law(encoding, cost + extra, (*wrong, *moved), first if moved else begun, step)
        if is_back and last >= 0 and (last == first or not is_given):
            for encoding, cost, wrong in rotations_of(form, Measured(rates, measured.unsure), guesses=False):
                wrong = (("positions_reversed", 0.0), *wrong)
                yield Law(encoding, cost + 1.0 + 0.3 * (step > 1), wrong, last, step)


def rotations_of(
    form: Form, measured: Measured, *, guesses: bool = True
) -> Iterator[tuple[Rotary, float, tuple[Bent, ...]]]:
    """The rotations with these rates, their costs and faults: plain, with other exponents, scaled.

    With ``guesses``, rates that do not tell a ramp have usual ones, which are many to try.
    """
    n_pairs, turning = form.n_pairs, 2 * form.n_pairs
    line = line_of(measured, math.log(BASES[0]) / n_pairs)
    bases = [(base, cost) for base, cost in falling(line.power(1 / n_pairs), BASES) if base < _LARGEST]

    def rotary(base: float, scaling: RopeScaling | None = None, head_dim: int = form.width) -> Rotary:
        part = "trailing" if form.first_turning else "leading"
        inner = (turning, part) if head_dim > turning else (None, "leading")
        return Rotary(
            head_dim, base, form.layout, inner[0], scaling, direction=measured.direction, rotary_part=inner[1]
        )

    if abs(line.start) <= line.start_unsure + 1e-9:
        yield from ((rotary(base), cost, ()) for base, cost in bases)
        is_usual = not bases or _is_usual(bases[0][0])
        for rank, base in enumerate(() if is_usual else BASES):  # the exponent divides by the head's width
            width = line.width_for(base)
            if turning < width <= 8 * turning and width % 2 == 0:
                cost = 1.0 + 0.01 * rank + 0.001 * math.log2(width / turning)
                yield rotary(base, None, width), cost, (("exponent_width", turning / width),)
    wrong = tuple(_wrong_unit(line))
    yield from ((rotary(base), 0.4 + cost, wrong) for base, cost in bases if wrong)
    scaled = [(base, cost, each) for base, cost in bases if not wrong for each in _uniform(line, measured)]
    scaled += [(old, 0.0, each) for old in BASES for each in _changed_base(line, old, n_pairs)]
    scaled += [(old, 0.0, each) for old in BASES for each in _scaled_base(line, old, n_pairs)]
    for old in _bases(measured, n_pairs):
        quotients = Quotients.of(measured, old)
        scaled += [(old, float(old not in BASES), each) for each in (*ramps(quotients), *open_ramps(quotients))]
    for old in BASES:
        quotients = Quotients.of(measured, old)
        scaled += [(old, 0.0, each) for each in (*_served(quotients), *_listed(quotients))]
    if guesses and measured.unsure[measured.known].max() > _COARSE:
        scaled += [(old, 0.0, each) for old, each in product(BASES[:4], _USUAL)]
    for base, cost, (scaling, extra) in scaled:
        with suppress(ValueError):  # a ramp that this base or this number of pairs does not allow
            yield rotary(base, scaling), cost + extra, ()


def _is_usual(base: float) -> bool:
    """Whether a base is one of public models, or a power of ten from 1,000 on."""
    return base in BASES or (base >= 1000 and f"{base:.15e}".startswith("1.000000000000000"))


def _wrong_unit(line: Line) -> Iterator[Bent]:
    """The fault of frequencies per degree, per turn, or per radian of a turn, if all are multiplied by one of these."""
    if line.start_unsure < _VAGUE / 2:
        for code, unit in product(("degrees", "position_scaled"), (1, -1)):
            amount = (DEGREE if code == "degrees" else TURN) ** unit
            if abs(line.start - math.log(amount)) <= line.start_unsure + 1e-9:
                yield code, amount


def _bases(measured: Measured, n_pairs: int) -> list[float]:
    """The bases that the fast or the slow pairs alone have, and the most frequent ones."""
    found, third = dict.fromkeys(BASES[:4]), max(2, len(measured.known) // 3)
    for some in (measured.known[:third], measured.known[-third:], measured.known):
        rates = np.full(len(measured.rates), np.nan)
        rates[some] = measured.rates[some]
        line = line_of(Measured(rates, measured.unsure), 1.0)
        found |= dict.fromkeys(base for base, _ in falling(line.power(1 / n_pairs), BASES) if base < _LARGEST)
    return list(found)


def _uniform(line: Line, measured: Measured) -> Scaled:
    """All frequencies scaled alike, or only those of the first pairs, followed by zeros."""
    faster, unsure = math.exp(min(line.start, 700)), line.start_unsure + 1e-9
    n_pairs, zeros = len(measured.rates), np.flatnonzero(measured.rates == 0)
    if abs(line.start) > unsure:
        yield from ((Linear(each), 0.5 + cost) for each, cost in factors(1 / faster, unsure) if each > 1)
        interval = (faster * (1 - unsure), faster * (1 + unsure))
        scales = round_numbers(interval, tuple(1 / each for each in FACTORS))
        yield from ((FrequencyScale(each), 0.7 + 0.2 * cost) for each, cost in scales)
    if len(zeros) and zeros[0] > measured.known[-1]:  # an unknown pair between them may belong to either part
        ends = product(range(int(measured.known[-1]) + 1, int(zeros[0]) + 1), factors(1 / faster, unsure))
        yield from ((Proportional(turning / n_pairs, each), 0.5 + cost) for turning, (each, cost) in ends)


def _changed_base(line: Line, old: float, n_pairs: int) -> Scaled:
    """NTK: the base is another, and the slowest pair is slowed by a round factor."""
    low, high = line.power(1 / n_pairs)
    if n_pairs < 2 or abs(line.start) > line.start_unsure + 1e-9 or not old < low <= high < 1.001 * low:
        return
    power = (n_pairs - 1) / n_pairs
    factor, cost = roundest(((low / old) ** power, (high / old) ** power), FACTORS)
    if factor > 1.01 and cost < UNROUND:
        yield NtkAware(factor), 0.5 + 0.25 * cost + 0.01 * BASES.index(old)


def _served(found: Quotients) -> Scaled:
    """The NTK of vLLM: ``ln(quotient) = ln(factor) ((i + 1)/n)^mixed_b`` of round numbers; a power of 1 is none."""
    doubt = found.unsure + 1e-9
    if len(found.pairs) < _FEWEST or not (found.slowed > 1 + 2 * doubt).all():
        return
    logs, places = np.log(found.slowed), np.log((found.pairs + 1) / found.n_pairs)
    wide = doubt / logs
    sharp = np.flatnonzero(wide <= 8 * wide.min())[[0, -1]]
    span = float(places[sharp[1]] - places[sharp[0]])
    if span <= 0:
        return
    slope, near = float(np.log(logs[sharp[1]] / logs[sharp[0]])) / span, float(wide[sharp].sum()) / span
    power, unusual = roundest((slope - near, slope + near), (1.0,))
    if not unusual < UNROUND:
        return
    whole = logs / np.exp(power * places)
    low, high = float((whole * (1 - wide)).max()), float((whole * (1 + wide)).min())
    for factor, cost in factors(math.exp((low + high) / 2), (high - low) / 2) if low <= high < 700 else ():
        if factor > 1.01 and cost < 0.2 * UNROUND:
            yield ServedNtk(factor, None if power == 1 else power), _SERVED + 0.2 * unusual + cost


def _scaled_base(line: Line, old: float, n_pairs: int) -> Scaled:
    """The base is ``old`` to the power ``ln(L s/2 pi)/ln(L/2 pi)`` of a usual factor s and a usual length L."""
    low, high = line.power(1 / n_pairs)
    if abs(line.start) > line.start_unsure + 1e-9 or not old < low <= high < (1 + _SHARP) * low:
        return
    for length, factor in product(LENGTHS, FACTORS):
        scaling = ThetaScale(factor, round(length))
        if low <= old**scaling.exponent <= high:
            yield scaling, _SERVED


def _listed(found: Quotients) -> Scaled:
    """A divisor for each pair, most of which are round, and many different: as LongRoPE lists them."""
    listed = np.round(found.slowed * _LISTED) / _LISTED
    if len(found.pairs) < found.n_pairs or (found.unsure * found.slowed > 0.2 / _LISTED).any() or listed.min() <= 0:
        return
    is_round = np.abs(listed / found.slowed - 1) <= found.unsure
    if is_round.mean() > 0.5 and len(set(listed[is_round].tolist())) > _DIFFERENT:
        divisors = np.where(is_round, listed, [float(f"{each:.8g}") for each in found.slowed])
        yield FrequencyDivisors(tuple(divisors.tolist())), 2.2
