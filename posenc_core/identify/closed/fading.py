"""xPos, whose pairs turn and fade: the base from the turning, gamma and scale_base from the fading."""

import math
from collections.abc import Iterator
from contextlib import suppress

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from posenc_core.encodings import XPos
from posenc_core.identify.forms import Form
from posenc_core.identify.laws import Law, line_of, whole
from posenc_core.identify.measured import Measured, measured_pairs, phasors_of
from posenc_core.identify.precision import Level, falling, roundest
from posenc_core.numerics import FloatArray, IntArray

_MOST, _LEAST = 1024, 8
"""Rows that are fitted."""

_STEEPEST, _SMALLEST = 50.0, 1e-6
"""Largest logarithm of an amplitude, and the smallest change of the first pair's that is fitted."""

_FEW, _EVEN, _USUAL = 64, 0.02, 0.7
"""Rows that are seen first; the largest deviation, as a share, of equal amplitudes, and the share that are equal."""

_HALVINGS = 80
_BASES = (1e4, 5e5, 1e6, 1e5, 1e3)
_GAMMAS = (0.4,)


class Fading(Struct, frozen=True):
    """Growth of the logarithm of each pair's amplitude per row, float64 ``(n_pairs,)``, and in the first row."""

    growth: FloatArray
    start: FloatArray


def fading_laws(form: Form, positions: IntArray, level: Level, is_given: bool) -> Iterator[tuple[Law, bool]]:
    """XPos for cosines and sines that fade row by row, and whether the sines have the sign of queries.

    xPos is a table by distance: the sines are those of key minus query, unless the numbers are the factors of queries
    by position.
    """
    if form.kind != "cache" or form.width != 2 * form.n_pairs or len(form.numbers) < _LEAST:
        return
    rows = slice(0, _MOST)
    ends = np.abs(phasors_of(form)(np.array([0, len(form.numbers[rows]) - 1])))
    if np.abs(np.diff(np.log(np.maximum(ends[:, 0], 1e-300)))).max() < _SMALLEST:
        return
    if _faded(np.abs(phasors_of(form)(_spread(len(form.numbers))))) is None:
        return
    phasors = phasors_of(form)(np.arange(len(form.numbers[rows])))
    fading = _faded(np.abs(phasors))
    if fading is None or (np.diff(positions[rows]) != 1).any():
        return
    first = float(fading.start[0] / fading.growth[0])
    begun = whole(first)
    step = 1 if fading.growth[0] > 0 else -1
    begun = None if begun is None else begun * step
    if begun is None:
        return
    amplitudes = np.exp(fading.start + np.multiply.outer(np.arange(len(phasors)), fading.growth))
    plain = replace(form, numbers=form.numbers[rows].astype(np.float64) / amplitudes[:, form.pairs])
    measured = measured_pairs(plain, positions[rows].astype(np.float64), level)
    if measured is None or not len(measured.known):
        return
    is_flipped = (measured.direction > 0) != (step > 0)
    for encoding, cost in _encodings(form, np.abs(fading.growth), measured, level):
        if encoding.has_value(begun) and encoding.has_value(begun + step * (len(form.numbers) - 1)):
            yield Law(encoding, 0.8 + cost, (), begun, step), is_flipped


def amplitudes(form: Form) -> Iterator[float]:
    """The amplitude of all pairs at distance 0, of pairs that keep theirs or that fade; nothing for other numbers.

    The logarithm of a fading pair's is ``ln c + growth * distance``: over the pairs, a line with the start ``ln c``.
    """
    sizes = np.abs(phasors_of(form)(_spread(len(form.numbers))))
    middle = float(np.median(sizes))
    if middle > 0 and (np.abs(sizes - middle) < _EVEN * middle).mean() > _USUAL:
        yield middle
    fading = _faded(sizes) if len(sizes) >= _LEAST and sizes.shape[1] > 1 else None
    if fading is not None:
        apart = fading.growth - fading.growth.mean()
        distance = float(apart @ fading.start) / max(float(apart @ apart), 1e-300)
        logarithm = float(fading.start.mean() - distance * fading.growth.mean())
        yield from (math.exp(logarithm),) if abs(logarithm) < _STEEPEST else ()


def _spread(n_rows: int) -> IntArray:
    """Some rows at equal steps."""
    stop = min(n_rows, _MOST)
    return np.arange(0, stop, max(1, stop // _FEW))


def _faded(amplitudes: FloatArray) -> Fading | None:
    """The growth of amplitudes ``(n_rows, n_pairs)``, robust against single rows; None unless all grow or all fade."""
    if not (amplitudes > math.exp(-_STEEPEST)).all():
        return None
    logs, half = np.log(amplitudes), len(amplitudes) // 2
    growth = np.median((logs[half : 2 * half] - logs[:half]) / half, axis=0)
    start = np.median(logs - np.multiply.outer(np.arange(len(logs)), growth), axis=0)
    left = np.abs(logs - start - np.multiply.outer(np.arange(len(logs)), growth))
    ends = np.abs(growth) * len(logs)
    is_one_way = (growth > 0).all() or (growth < 0).all()
    falls = np.abs(growth[:-1]) >= np.abs(growth[1:]) * 0.99
    is_ordered = np.count_nonzero(falls) >= 0.9 * len(falls)
    if not is_one_way or not is_ordered or ends[0] < _SMALLEST or np.median(left) > 0.02 * ends[0]:
        return None
    return Fading(growth, start)


def _encodings(form: Form, growth: FloatArray, measured: Measured, level: Level) -> Iterator[tuple[XPos, float]]:
    line = line_of(measured, math.log(_BASES[0]) / form.n_pairs)
    if abs(line.start) > line.start_unsure + 1e-6:
        return
    bases = list(falling(line.power(1 / form.n_pairs), _BASES))
    for (base, cost), (gamma, scale) in ((each, other) for each in bases for other in _fadings(growth, form.width)):
        with suppress(ValueError):  # beyond the bounds of gamma or scale_base
            yield XPos(form.width, base, gamma, scale, form.layout), cost


def _fadings(growth: FloatArray, width: int) -> Iterator[tuple[float, int]]:
    """Values of gamma and scale_base, the roundest first: ``1 - exp(-g_i scale_base)`` falls linearly in i."""
    if len(growth) == 1:  # one factor for two numbers
        scale = round(-math.log(_GAMMAS[0] / (1 + _GAMMAS[0])) / float(growth[0]))
        yield from ((_GAMMAS[0], each) for each in (scale,) if each)
        return
    share = 2 * np.arange(len(growth)) / width
    pair = max(1, len(growth) // 2)

    def is_too_long(scale: float) -> bool:
        return bool(np.expm1(-growth[pair] * scale) / np.expm1(-growth[0] * scale) > 1 - share[pair])

    low, high = 1e-3, 1e8
    for _ in range(_HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if is_too_long(middle) else (middle, high)
    found = math.sqrt(low * high)
    scales = [roundest((found * (1 - wide), found * (1 + wide)))[0] for wide in (0.05, 0.01, 1e-3, 1e-4)]
    for scale in dict.fromkeys(round(each) for each in (*scales, found) if each >= 0.5):
        zetas = np.exp(-growth * scale)
        gammas = (zetas - share)[: max(1, len(growth) // 2)] / (1 - zetas[: max(1, len(growth) // 2)])
        gamma = float(np.median(gammas))
        near = [gamma] if gamma > 0 else []
        near = [roundest((gamma * (1 - wide), gamma * (1 + wide)), _GAMMAS)[0] for wide in (0.01, 1e-4) for _ in near]
        yield from ((each, scale) for each in dict.fromkeys([*near, *([gamma] if gamma > 0 else [])]))
