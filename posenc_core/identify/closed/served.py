"""Scalings that only serving engines have, from rates: vLLM's NTK with any ``mixed_b``, and ``theta_scale``."""

import math
from itertools import product

import numpy as np

from posenc_core.identify.closed.ramps import FACTORS, LENGTHS, Quotients, Scaled, factors
from posenc_core.identify.laws import Line
from posenc_core.identify.precision import UNROUND, roundest
from posenc_core.rope_scaling import ServedNtk, ThetaScale

_LEAST = 4
"""Fewer quotients fit any power."""

_COST = 0.8

_SHARP = 1e-5
"""Largest uncertainty of a base, as a share, that tells the factor and the length which changed it."""


def served(found: Quotients) -> Scaled:
    """``ln(quotient) = ln(factor) ((i + 1)/n)^mixed_b`` with a round factor and a round power; a power of 1 is none."""
    doubt = found.unsure + 1e-9
    if len(found.pairs) < _LEAST or not (found.slowed > 1 + 2 * doubt).all():
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
            yield ServedNtk(factor, None if power == 1 else power), _COST + 0.2 * unusual + cost


def scaled_base(line: Line, old: float, n_pairs: int) -> Scaled:
    """The base is ``old`` to the power ``ln(L s/2 pi)/ln(L/2 pi)`` of a usual factor s and a usual length L."""
    low, high = line.power(1 / n_pairs)
    if abs(line.start) > line.start_unsure + 1e-9 or not old < low <= high < (1 + _SHARP) * low:
        return
    for length, factor in product(LENGTHS, FACTORS):
        scaling = ThetaScale(factor, round(length))
        if low <= old**scaling.exponent <= high:
            yield scaling, _COST
