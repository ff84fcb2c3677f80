"""Candidates from measured rates: the laws of sinusoids, families without pairs, and the roundest parameters."""

import math
from collections.abc import Collection, Iterator
from contextlib import suppress

import numpy as np
from msgspec import Struct

from posenc_core.encodings import Alibi, BinaryCode, Encoding, IntegerIndex, NormalizedIndex, Rotary, Sinusoidal
from posenc_core.fields import N_HEADS, OFFSET, SEQ_LEN
from posenc_core.identify.faults import DEGREE, TURN, Bent
from posenc_core.identify.forms import Form
from posenc_core.identify.measured import Measured
from posenc_core.identify.precision import UNROUND, Interval, falling, round_numbers
from posenc_core.long_context import pairs_that_turn
from posenc_core.numerics import FloatArray, IntArray

BASES = (
    1e4, 5e5, 1e6, 1e7, 5e6, 1.5e5, 1.6e5, 5e4, 1e5, 8e6, 1e8, 2.5e5, 7.5e4, 2.5e4, 5e7, 1.1e7,
)  # fmt: skip
"""Bases of public models, the most frequent first."""

_PAPER = BASES[0]
_SINUSOIDS = tuple(base for base in BASES if base != _PAPER**2)
"""Bases of sinusoids: the paper's squared is a doubled exponent, as of ``2 * arange(0, d, 2) / d``."""

_USUAL, _UNMEASURED_COST = (1e4, 1e3, 1e2, 1e5, 1e6), 0.5
"""Bases of sinusoids to try if no rate can be measured, and the cost of such a candidate."""

_SOME_HEADS = 0.02
"""Cost of biases of only some heads of a model."""

_ALIKE = 1e-3
"""Largest difference of rates, as a share, that a refined base can undo."""

_SHARP = 100.0
"""Uncertainty, relative to the best rates, of the rates that first determine the slope."""

_FEW = 64
"""So many pairs are used one by one to find the first position, more in groups of four."""


_WRAPPED, _FARTHEST, _ALIGNED = 8, 1 << 13, 1e-3
"""Pairs, positions and the largest error of angles, rad, among which a first position beyond all turns is sought."""


class Law(Struct, frozen=True):
    """A candidate: the right encoding, faults of its angles, the positions of the rows, and a cost that ranks it.

    The first row has the position ``first``; the steps between rows are ``step`` times the given ones. ``is_flipped``:
    the sines have the other sign than in the encoding's table.
    """

    encoding: Encoding
    cost: float
    faults: tuple[Bent, ...] = ()
    first: int = 0
    step: int = 1
    is_flipped: bool = False

    def placed(self, given: IntArray) -> IntArray:
        """The positions of the rows, the same array for the given ones."""
        start = int(given[0])
        return given if (self.first, self.step) == (start, 1) else self.first + self.step * (given - start)


def is_likely(law: Law, measured: Measured) -> bool:
    """Whether most pairs of a law without faults have the measured rates."""
    pairs = measured.known
    if law.faults or not len(pairs):
        return True
    rates = law.step * np.abs(pairs_that_turn(law.encoding, "rates need").turning[pairs])
    off = np.abs(rates - measured.rates[pairs])
    return bool((off <= (_ALIKE + 4 * measured.unsure[pairs]) * rates).mean() > 0.5)


class Line(Struct, frozen=True):
    """``ln rate = start - slope * pair``, with the uncertainties of both."""

    start: float
    slope: float
    start_unsure: float
    slope_unsure: float

    def power(self, per_pair: float) -> Interval:
        """The base whose exponent grows by ``per_pair`` from pair to pair."""
        return _exp(self.slope / per_pair, self.slope_unsure / per_pair)

    def width_for(self, base: float) -> int:
        """The width that the exponent ``2i/width`` of this base divides by; 0 if that is no whole number."""
        if self.slope <= 0 or self.slope_unsure > 1e-4 * self.slope:
            return 0
        width = 2 * math.log(base) / self.slope
        return round(width) if abs(width - round(width)) <= width * self.slope_unsure / self.slope else 0


def line_of(measured: Measured, usual: float) -> Line:
    """The line through most of the known pairs, refined over those on it; of ``usual`` slope through a single one."""
    pairs = measured.known
    logs, unsure = np.log(measured.rates[pairs]), measured.unsure[pairs]
    if len(pairs) == 1:
        return Line(float(logs[0] + usual * pairs[0]), usual, 1e-5, 1e-9)
    sharp = np.flatnonzero(unsure <= _SHARP * np.sort(unsure)[1])
    one, other = sharp[: -(-len(sharp) // 2)], sharp[len(sharp) // 2 :]
    apart = one < other
    slope = float(np.median((logs[one] - logs[other])[apart] / (pairs[other] - pairs[one])[apart]))
    start = float(np.median(logs[sharp] + slope * pairs[sharp]))
    near = np.abs(logs + slope * pairs - start) <= np.maximum(1e-3, 4 * unsure)
    if near.sum() >= 2:
        pairs, logs, unsure = pairs[near], logs[near], unsure[near]
    matrix = np.stack([np.ones(len(pairs)), -pairs.astype(np.float64)], axis=1) / unsure[:, None]
    start, slope = np.linalg.lstsq(matrix, logs / unsure, rcond=None)[0].tolist()
    spread = ((unsure + unsure[0])[1:] / (pairs[1:] - pairs[0])).min()
    return Line(start, slope, float(2 * unsure.min()), float(spread))


def _exp(logarithm: float, unsure: float) -> Interval:
    if abs(logarithm) > 600 or unsure > 100:
        return math.nan, math.nan
    return math.exp(logarithm - unsure), math.exp(logarithm + unsure)


def first_position(measured: Measured) -> float:
    """The position in the first row, from the slowest pair, which has no whole turns, to the fastest."""
    rates, position = measured.rates, 0.0
    order = measured.known[np.argsort(rates[measured.known])]
    for some in np.array_split(order, max(1, len(order) if len(order) <= _FEW else len(order) // 4)):
        left = np.angle(np.exp(1j * (measured.starts[some] - rates[some] * position)))
        position += float(np.median(left / rates[some]))
    some = order[:_WRAPPED]
    is_turned = whole(position) is None and rates[order[0]] > 2 * np.pi / _FARTHEST
    if is_turned and len(some) > 1:  # all pairs may have turned several times
        places = np.r_[position, : float(_FARTHEST)]
        left = np.angle(np.exp(1j * (measured.starts[some] - np.multiply.outer(places, rates[some]))))
        off = np.abs(left).max(axis=1)
        return float(places[np.argmin(off)]) if off.min() < _ALIGNED < off[0] else position
    return position


def whole(position: float) -> int | None:
    """The position as an integer; None if it is not one, or beyond all usual positions."""
    if not abs(position) < OFFSET.maximum or abs(position - round(position)) > 0.02 + 1e-6 * abs(position):
        return None
    return round(position)


def sinusoidal_laws(
    form: Form, measured: Measured, positions: FloatArray, faults: tuple[Bent, ...], is_given: bool
) -> Iterator[Law]:
    """Sinusoids whose pairs have these rates; ``is_given``: the positions are given, no step is to be found."""
    times = 2.0 if ("exponent_of_column", 0.0) in faults else 1.0  # its sines count pairs, twice as fast
    line = line_of(measured, times * 2 / form.width * math.log(_PAPER))
    start = first_position(measured) if len(measured.starts) else float(positions[0])
    codes = dict(faults).keys() if form.kind != "frequencies" else {"exponent"}
    for spacing, per_pair, begun, wrong, extra in _spacings(form.width, codes, line):
        for base, cost in falling(line.power(per_pair * times), _SINUSOIDS):
            scale = _exp(line.start + begun * math.log(base), line.start_unsure + 1e-9)
            encoding = Sinusoidal(form.width, base, form.layout, spacing)
            unusual = 0.01 * abs(math.log(base / _PAPER)) + 0.3 * (base < 1000 or base >= _PAPER**2)
            unusual += 0.3 * (base != _PAPER) if wrong or faults else 0.5 * (cost > UNROUND)
            for bends, step, added in _scales(scale, is_given) if encoding.pairs.n_pairs == form.n_pairs else ():
                if not (bends and begun):  # another spacing with another factor is the paper's
                    law = Law(encoding, cost + unusual + extra + added, (*wrong, *bends), 0, step)
                    yield from _placed(law, start * step, measured.direction, positions)


Spacing = tuple[str, float, float, tuple[Bent, ...], float]
"""Its name, the exponent's step from pair to pair and its first value, the faults, and the cost."""


def _spacings(width: int, codes: Collection[str], line: Line) -> Iterator[Spacing]:
    """The exponents of sinusoids that may have the faults of these codes, right ones first."""
    yield "paper", 2 / width, 0.0, (), 0.0
    if any(code.startswith("exponent_") for code in codes):
        return
    if width > 3:
        yield "tensor2tensor", 1 / (width // 2 - 1), 0.0, (), 0.05
    if width % 2 == 0:
        yield "one_based", 2 / width, 2 / width, (), 0.1
    if "exponent" in codes:
        return
    yield "paper", 1 / width, 0.0, (("exponent_halved", 0.0),), 1.0
    for base in BASES:
        other = line.width_for(base)
        is_usual = base == _PAPER or not other % 64 or not other % width
        if other not in (0, width, 2 * width) and is_usual:  # twice the width halves the exponent
            yield (
                "paper",
                2 / other,
                0.0,
                (("exponent_width", width / other),),
                (1.4 if 2 * other == width else 1.7 if base == _PAPER else 1.5),
            )


def _scales(scale: Interval, is_given: bool) -> Iterator[tuple[tuple[Bent, ...], int, float]]:
    """Factors of the positions: none, a step from row to row, degrees, or a factor; with costs."""
    low, high = scale
    if not 0 < low <= high < 1e9:
        return
    step = round((low + high) / 2)
    if low <= 1 <= high or abs(low * high - 1) < _ALIKE:
        yield (), 1, 0.0
    elif not is_given and step > 1 and low <= step <= high:
        yield (), step, 0.3
    elif low <= DEGREE <= high or low <= 1 / DEGREE <= high:
        yield (("degrees", DEGREE if low <= DEGREE <= high else 1 / DEGREE),), 1, 1.0
    else:
        divisor = float(round(2 / (low + high)))
        inverses = round_numbers((1 / high, 1 / low), (divisor, TURN, 1 / TURN))
        for factor, cost in (*((1 / inverse, cost) for inverse, cost in inverses), *round_numbers((low, high))):
            yield (("position_scaled", factor),), 1, 1.0 + 0.1 * cost


def _placed(law: Law, start: float, direction: int, positions: FloatArray) -> Iterator[Law]:
    """The law with the offset, or the first position, of rows that start there; both readings of angles that fall."""
    first, last, rounded = int(positions[0]), int(positions[-1]), whole(start)
    if rounded is None:
        return
    offsets: list[tuple[int, tuple[Bent, ...], float]] = [(rounded - first, (), 0.0)]
    if direction < 0:
        offsets = [(-rounded - first, (("negative_sine", 0.0),), 1.0)]
        offsets.append((rounded - last * law.step, (("positions_reversed", 0.0),), 1.0))
    for offset, bends, extra in offsets:
        cost = law.cost + extra + (0.0 if offset == 0 else 0.1 if offset > 0 else 0.6)
        faults = (*bends, *law.faults)
        if law.step > 1:
            yield Law(law.encoding, cost, faults, offset + first, law.step)
        elif abs(offset) <= OFFSET.maximum:
            yield Law(law.encoding.edited(OFFSET.name, offset), cost, faults, first)


def usual_encodings(form: Form) -> Iterator[Encoding]:
    """The usual encodings that suit the form, the most frequent first."""
    if form.law == "sinusoidal":
        yield from (Sinusoidal(form.width, base, form.layout) for base in _USUAL)
    elif form.law == "rotary" and form.width % 2 == 0:
        yield from (Rotary(form.width, base, form.layout) for base in BASES[:3])
    elif form.kind == "bias" and form.width <= N_HEADS.maximum:
        yield Alibi(form.width)


def unmeasured_laws(form: Form, positions: IntArray, is_given: bool) -> Iterator[Law]:
    """Usual encodings for numbers without a measurable rate; a single row finds its own position unless given."""
    for encoding in usual_encodings(form):
        rates = pairs_that_turn(encoding, "rates need").turning
        if len(rates) != form.n_pairs:
            continue
        first, sines, cosines = int(positions[0]), form.members(0), form.members(1)
        if len(positions) == 1 and not is_given and form.before is None and (np.minimum(sines, cosines) >= 0).all():
            starts = np.angle(form.numbers[0, cosines] + 1j * form.numbers[0, sines])
            first = whole(first_position(Measured(rates, np.zeros(len(rates)), 1, starts))) or 0
        yield Law(encoding, _UNMEASURED_COST, (), first)


def value_laws(form: Form, positions: IntArray) -> Iterator[Law]:
    """The families without pairs that the first numbers allow."""
    first, top = int(positions[0]), form.numbers[:64].astype(np.float64)
    if form.kind == "bias":
        yield from _slopes(form, top, positions) if form.width <= N_HEADS.maximum else ()
        return
    if float(top[0, 0]).is_integer() and abs(top[0, 0]) < OFFSET.maximum:
        yield Law(IntegerIndex(form.width, int(top[0, 0]) - first), 0.0, (), first)
    yield Law(NormalizedIndex(len(form.numbers), form.width), 0.0, (), first)
    yield from _longer_index(form)
    for order in ("msb", "lsb"):
        with suppress(ValueError):  # more columns than a number has bits
            yield Law(BinaryCode(form.width, order), 0.0, (), first)


def _longer_index(form: Form) -> Iterator[Law]:
    """The normalised index of a longer sequence, some rows of which are given."""
    start, end = float(form.numbers[0, 0]), float(form.numbers[-1, 0])
    if 0 <= start < end <= 1:
        steps = (len(form.numbers) - 1) / (end - start)
        begun, seq_len = whole(start * steps), whole(steps + 1)
        if begun is not None and seq_len is not None and len(form.numbers) < seq_len <= SEQ_LEN.maximum:
            yield Law(NormalizedIndex(seq_len, form.width), 0.0, (), begun)


def _slopes(form: Form, top: FloatArray, positions: IntArray) -> Iterator[Law]:
    """ALiBi unchanged, with the wrong sign, or, of all heads, with a factor; for a table also its first distance."""
    encoding, columns, first = Alibi(form.width), np.array(form.columns), int(positions[0])
    if form.positions is None:
        begun = whole(float(top[0, 0] / encoding.values(np.ones(1, np.int64), columns)[0, 0]))
        is_back = top[-1, 0] < top[0, 0] and positions[-1] >= first  # distances query - key are as common
        yield from () if begun is None else (Law(encoding, 0.0, (), begun, -1 if is_back else 1),)
        return
    exact = encoding.values(form.positions[: len(top)], columns)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = float(np.median((top / exact)[exact != 0]))
    yield Law(encoding, 0.0 if form.heads is None else _SOME_HEADS, (), first)
    yield Law(encoding, 1.0, (("sign", -1.0),), first)
    if form.heads is not None:
        return
    if form.width & (form.width - 1):
        yield Law(encoding, 1.0, (("slopes_even", 0.0),), first)
    if 0 < ratio < math.inf:
        yield Law(encoding, 1.1, (("values_scaled", ratio),), first)
