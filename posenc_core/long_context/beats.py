"""Curves of two tables that are subtracted: their heights at common positions, their bounds, and the beat of waves."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_core.encodings import Encoding, Pairs, turning_pairs
from posenc_core.numerics import FloatArray, IntArray, Traces, sine_envelope, trace_bounds

Curve = tuple[FloatArray, FloatArray]
"""Positions and values."""


def smooth_curves(traces: Traces) -> dict[int, Curve]:
    """The points of the columns that are one curve without a step; those that repeat are left out."""
    found: dict[int, Curve] = {}
    for line in traces.lines:
        for column, x, y in zip(line.columns.tolist(), line.x, line.y, strict=True):
            is_new = np.diff(x, prepend=-math.inf) > 0
            if (y[~is_new] == y[np.flatnonzero(~is_new) - 1]).all():
                found[column] = x[is_new], y[is_new]
    return found


def heights(encoding: Encoding, column: int, curve: Curve, x: FloatArray) -> FloatArray:
    """The values of a column's curve at positions ``x``: of a wave exact, else between the curve's points."""
    pairs = turning_pairs(encoding)
    if pairs is None:
        return np.interp(x, *curve)
    (frequency,), (turns,), (amplitude,) = pairs.waves(np.array([column]))
    return np.asarray(amplitude * np.sin(frequency * (x + pairs.shift) + turns * (np.pi / 2)))


def bounds_of(encoding: Encoding, columns: IntArray, edges: npt.NDArray[Any]) -> tuple[FloatArray, FloatArray]:
    """Bounds of each column between neighbouring edges: of rows that are read exact, of a formula those it draws."""
    if encoding.reading is not None:
        return encoding.sampler.ends(columns, edges)
    pairs = turning_pairs(encoding)
    if pairs is not None:
        frequencies, turns, amplitudes = _slowed_waves(pairs, columns)
        phases = turns * (np.pi / 2) + frequencies * pairs.shift
        low, high = sine_envelope(frequencies, phases, edges.astype(np.float64))
        is_fast = frequencies == _FASTEST
        low[is_fast], high[is_fast] = -1.0, 1.0
        return low * amplitudes[:, None], high * amplitudes[:, None]
    window = (float(edges[0]) - 0.5, float(edges[-1]) + 0.5)
    return trace_bounds(encoding.sampler.traces(columns, window, len(edges)), columns, edges.astype(np.float64))


_FASTEST = 4 * np.pi
"""Radians per position: a faster wave has every angle between any two positions."""


def _slowed_waves(pairs: Pairs, columns: IntArray) -> tuple[FloatArray, IntArray, FloatArray]:
    """The waves of the columns, none faster than ``_FASTEST``: frequencies may be infinite."""
    frequencies, turns, amplitudes = pairs.waves(columns)
    return np.minimum(frequencies, _FASTEST), turns, amplitudes


def beat(one: Pairs, other: Pairs, columns: IntArray, edges: npt.NDArray[Any]) -> FloatArray:
    """The largest height of the difference of two waves between neighbouring edges, ``(m, n_edges - 1)``.

    a sin(x) - b sin(y) is at most sqrt(a^2 + b^2 - 2 a b cos(x - y)), the law of cosines. For nearly equal frequencies,
    this bound changes slowly, and is far below a + b.
    """
    (fast, turns, a), (slow, quarters, b) = _slowed_waves(one, columns), _slowed_waves(other, columns)
    per_position = fast - slow
    phase = (turns - quarters) * (np.pi / 2) + fast * one.shift - slow * other.shift
    sign = np.where(per_position < 0, -1.0, 1.0)
    least, _ = sine_envelope(np.abs(per_position), sign * phase + np.pi / 2, edges.astype(np.float64))
    least[(fast == _FASTEST) | (slow == _FASTEST)] = -1.0
    unit = np.maximum(np.maximum(a, b), 1e-300)  # the squares of large amplitudes are beyond float64
    one_height, other_height = a / unit, b / unit
    squared = (one_height**2 + other_height**2)[:, None] - 2 * (one_height * other_height)[:, None] * least
    return unit[:, None] * (np.sqrt(np.maximum(squared, 0.0)) + 1e-12)
