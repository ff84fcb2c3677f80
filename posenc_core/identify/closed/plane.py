"""GRAPE-M's plane, its speed and the rotated vector, fitted to the rows of a table."""

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from posenc_core.encodings import GrapeM
from posenc_core.identify.precision import Level, roundest
from posenc_core.numerics import FloatArray, IntArray

_LEAST, _MOST = 8, 256
"""Rows that are fitted."""

_ROUND = 1e-4
"""Largest deviation, as a share, of a circle from a round one."""


_FEW, _FEW_OFF = 64, 0.02
"""Columns of which a single wave is asked first, and the share of columns, and of a step, that others leave."""

_AS_GOOD = 4
"""Largest error of a speed of few digits, as a multiple of that of the fitted speed."""

_DUST = 1e-14
"""Components of a unit vector that are 0 but for rounding."""


def planes(positions: IntArray, rows: FloatArray, level: Level) -> Iterator[GrapeM]:
    """GRAPE-M whose table has these rows ``(n_positions, n_columns)`` at evenly spaced positions.

    Each component is a constant plus one wave, of the same speed in all. The plane is that of the waves; numbers do not
    determine which of its vectors are a and b, so that orthogonal ones of length 1 are returned.
    """
    rows, positions = rows[:_MOST], positions[:_MOST]
    gaps = np.diff(positions)
    if len(rows) < _LEAST or rows.shape[1] < 2 or (gaps != 1).any():
        return
    steps = np.diff(rows, axis=0)
    total = float((steps[1:-1] ** 2).sum())
    if total <= 0:
        return
    cosine = float((steps[1:-1] * (steps[2:] + steps[:-2])).sum()) / (2 * total)
    some = steps[:, : max(1, _FEW)]
    left = some[2:] + some[:-2] - 2 * cosine * some[1:-1]
    is_left = np.median(np.abs(left), axis=0) > _FEW_OFF * np.abs(some).max(axis=0)
    if not abs(cosine) < 1 or is_left.mean() > _FEW_OFF:
        return
    speed = _refined(positions, rows, float(np.arccos(cosine)))
    fitted = _circle(positions, rows, speed)
    if fitted is None:
        return
    centre, one, other = fitted
    start = centre + one
    unit = np.eye(1, len(start))[0]
    turned = () if np.abs(start - unit).max() <= 8 * (level.relative + level.wave) else tuple(start.tolist())
    if len(start) == 2 and abs(float(np.linalg.norm(one)) - 1) < _ROUND:  # a sine and a cosine
        return
    b, a = one / np.linalg.norm(one), other / np.linalg.norm(other)
    near = 4 * (level.angle + level.relative + level.absolute) / max(1, len(rows))
    simple = roundest((speed * (1 - near), speed * (1 + near)))[0]
    simple_off, off = (float(np.abs(_waves(positions, rows, each)[1]).max()) for each in (simple, speed))
    speeds = (simple, speed) if simple_off <= _AS_GOOD * off else (speed,)
    for omega in dict.fromkeys(speeds):
        with suppress(ValueError):
            yield GrapeM(_tidy(a), _tidy(b), omega, turned)


def _tidy(vector: FloatArray) -> tuple[float, ...]:
    """The components, those that rounding has left beside 0 as 0."""
    return tuple(np.where(np.abs(vector) < _DUST, 0.0, vector).tolist())


def _waves(positions: IntArray, rows: FloatArray, speed: float) -> tuple[FloatArray, FloatArray]:
    """The constant, the cosine and the sine of each component, ``(3, n_columns)``, and what they leave."""
    angles = positions * speed
    matrix = np.stack([np.ones(len(angles)), np.cos(angles), np.sin(angles)], axis=1)
    found = np.linalg.lstsq(matrix, rows, rcond=None)[0]
    return found, rows - matrix @ found


def _refined(positions: IntArray, rows: FloatArray, speed: float) -> float:
    """The speed of least squares, from steps along the derivative of the waves."""
    for _ in range(8):
        (_, one, other), left = _waves(positions, rows, speed)
        angles = positions * speed
        slope = positions[:, None] * (np.outer(np.cos(angles), other) - np.outer(np.sin(angles), one))
        size = float((slope * slope).sum())
        speed += float((slope * left).sum()) / size if size > 0 else 0.0
    return speed


def _circle(positions: IntArray, rows: FloatArray, speed: float) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Centre, cosine and sine of the rows; None unless they turn on a circle about a centre beside its plane."""
    if not 0 < abs(speed) < np.pi:
        return None
    (centre, one, other), left = _waves(positions, rows, speed)
    size = float(one @ one)
    products = (float(other @ other) - size, float(one @ other), float(centre @ one), float(centre @ other))
    is_round = size > 0 and max(map(abs, products)) <= _ROUND * size * max(1.0, float(np.abs(centre).max()))
    is_near = float(np.median(np.abs(left))) <= _ROUND * np.sqrt(size)
    return (centre, one, other) if is_round and is_near else None
