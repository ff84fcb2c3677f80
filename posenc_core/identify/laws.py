"""Candidates from measured rates: the laws of sinusoids, round numbers, and the first position of the rows."""

import math
from collections.abc import Collection, Iterator, Sequence

import numpy as np
from msgspec import Struct

from posenc_core.encodings import Encoding, Sinusoidal
from posenc_core.fields import OFFSET
from posenc_core.identify.faults import DEGREE, Bent
from posenc_core.identify.forms import Form
from posenc_core.identify.measured import Measured
from posenc_core.numerics import FloatArray

Interval = tuple[float, float]


_FEW = 64
"""So many pairs are used one by one to find the first position, more in groups of four."""


_SHARP = 100.0
"""How many times as unsure as the best rates those are that tell the slope at first."""


class Law(Struct, frozen=True):
    """A candidate: the right encoding, faults of its angles, the positions of the rows, and a cost that ranks it.

    The first row has the position ``first``; from row to row positions grow by ``step`` times as much as given.
    """

    encoding: Encoding
    cost: float
    faults: tuple[Bent, ...] = ()
    first: int = 0
    step: int = 1


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


def line_of(measured: Measured) -> Line | None:
    """The line through most pairs, refined over those on it; None for fewer than two known pairs."""
    pairs = measured.known
    if len(pairs) < 2:
        return None
    logs, unsure = np.log(measured.rates[pairs]), measured.unsure[pairs]
    sharp = np.flatnonzero(unsure <= _SHARP * np.sort(unsure)[1])
    half = len(sharp) // 2
    one, other = sharp[: len(sharp) - half], sharp[half:]
    slope = float(np.median((logs[one] - logs[other])[one < other] / (pairs[other] - pairs[one])[one < other]))
    start = float(np.median(logs[sharp] + slope * pairs[sharp]))
    near = np.abs(logs + slope * pairs - start) <= np.maximum(1e-3, 4 * unsure)
    if near.sum() >= 2:
        pairs, logs, unsure = pairs[near], logs[near], unsure[near]
    weights = 1 / unsure
    matrix = np.stack([np.ones(len(pairs)), -pairs.astype(np.float64)], axis=1) * weights[:, None]
    start, slope = np.linalg.lstsq(matrix, logs * weights, rcond=None)[0].tolist()
    spans = np.maximum(1, pairs - pairs[0])
    return Line(start, slope, float(2 * unsure.min()), float(((unsure + unsure[0]) / spans)[1:].min()))


def _exp(logarithm: float, unsure: float) -> Interval:
    if abs(logarithm) > 600 or unsure > 100:
        return math.nan, math.nan
    return math.exp(logarithm - unsure), math.exp(logarithm + unsure)


def roundest(interval: Interval, favourites: Sequence[float] = ()) -> tuple[float, float]:
    """The roundest number > 0 of the interval, the favourites first, and its cost: 0 for those, more for more digits."""
    low, high = interval
    if not 0 < low <= high < math.inf:
        return math.nan, math.inf
    middle = low * math.sqrt(high / low)
    known = [each for each in favourites if low <= each <= high]
    if known:
        return min(known, key=lambda each: abs(math.log(each / middle))), 0.0
    for digits in range(1, 16):
        rounded = float(f"{middle:.{digits - 1}e}")
        if low <= rounded <= high:
            return rounded, 1.2 if digits <= 2 else 1.6 if digits <= 4 else 2.4
    return middle, 2.5


def round_numbers(interval: Interval, favourites: Sequence[float] = ()) -> Iterator[tuple[float, float]]:
    """The roundest numbers of the interval and of its inner tenth and hundredth, and its middle, with their costs."""
    low, high = interval
    if not 0 < low <= high < math.inf:
        return
    middle, wide = low * math.sqrt(high / low), math.sqrt(high / low)
    found: dict[float, float] = {}
    for share in (1.0, 0.1, 0.01, 0.0):
        value, cost = roundest((middle / wide**share, middle * wide**share), favourites)
        found.setdefault(value, cost)
    yield from found.items()


def first_position(rates: FloatArray, starts: FloatArray) -> float:
    """The position whose angles are ``starts``, from the slowest pair, which has no whole turns, to the fastest."""
    turning = np.flatnonzero(np.isfinite(rates) & (rates > 0))
    order = turning[np.argsort(rates[turning])]
    position = 0.0
    for some in np.array_split(order, max(1, len(order) if len(order) <= _FEW else len(order) // 4)):
        left = np.angle(np.exp(1j * (starts[some] - rates[some] * position)))
        position += float(np.median(left / rates[some]))
    return position


def whole(position: float) -> int | None:
    """The position as an integer; None if it is none, or beyond all that is used."""
    if not abs(position) < OFFSET.maximum or abs(position - round(position)) > 0.02 + 1e-6 * abs(position):
        return None
    return round(position)


def sinusoidal_laws(
    form: Form, measured: Measured, positions: FloatArray, faults: tuple[Bent, ...], is_given: bool
) -> Iterator[Law]:
    """Sinusoids whose pairs have these rates; ``is_given``: the positions are given, no step is to be found."""
    width, line = form.width, line_of(measured)
    known = measured.known
    times = 2.0 if ("exponent_of_column", 0.0) in faults else 1.0  # its sines count pairs, twice as fast
    if line is None and len(known):  # one pair alone: any base fits
        slope = times * 2 / width * math.log(_PAPER)
        line = Line(float(np.log(measured.rates[known[0]])) + known[0] * slope, slope, 1e-5, 1e-9)
    if line is None:
        return
    start = first_position(measured.rates, measured.starts) if len(measured.starts) else positions[0]
    codes = dict(faults).keys() if form.kind != "frequencies" else {"exponent"}
    for spacing, per_pair, begun, wrong, extra in _spacings(width, codes, line):
        for base, cost in round_numbers(line.power(per_pair * times), (_PAPER,)):
            scale = _exp(line.start + begun * math.log(base), line.start_unsure + 1e-9)
            encoding = Sinusoidal(width, base, form.layout, spacing)
            cost += 0.01 * abs(math.log(base / _PAPER)) + 0.3 * (base < 1000)
            for bends, step, added in _scales(scale, is_given or begun > 0) if encoding.n_pairs == form.n_pairs else ():
                if not (bends and begun):  # another spacing with another factor is the paper's
                    law = Law(encoding, cost + extra + added, (*wrong, *bends), 0, step)
                    yield from _placed(law, start * step, measured.direction, positions)


_PAPER = 10000.0

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
    other = line.width_for(_PAPER)
    if other not in (0, width, 2 * width):
        yield "paper", 2 / other, 0.0, (("exponent_width", width / other),), 1.4


def _scales(scale: Interval, is_given: bool) -> Iterator[tuple[tuple[Bent, ...], int, float]]:
    """What multiplies the positions: nothing, a step from row to row, degrees, or a factor; with costs."""
    low, high = scale
    whole = round((low + high) / 2) if high < math.inf else 0
    if low <= 1 <= high:
        yield (), 1, 0.0
    elif not is_given and whole > 1 and low <= whole <= high:
        yield (), whole, 0.3
    elif low <= DEGREE <= high or low <= 1 / DEGREE <= high:
        yield (("degrees", DEGREE if low <= DEGREE <= high else 1 / DEGREE),), 1, 1.0
    else:
        whole = float(round(2 / (low + high)))
        for inverse, cost in round_numbers((1 / high, 1 / low), (whole,)) if low > 0 else ():
            yield (("position_scaled", 1 / inverse),), 1, 1.0 + 0.1 * cost


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
