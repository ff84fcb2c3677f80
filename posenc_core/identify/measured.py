"""Angles per token, measured from numbers in closed form: robust against single wrong cells and columns."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core.identify.faults import Waves
from posenc_core.identify.forms import Form
from posenc_core.identify.precision import Level
from posenc_core.numerics import FloatArray, IntArray

Phasors = npt.NDArray[np.complex128]

_FEW = 64
"""Number of pairs of rows that are compared at each distance."""

_STEEP = 0.2
"""The slope of a cosine from which on its angle is known well."""

_SHARE = 0.7
"""Share of rows that must have the amplitude for a pair to count as one."""


class Measured(Struct, frozen=True):
    """The turning of pairs.

    ``rates``: rad per token of each pair, float64 ``(n_pairs,)``, positive, nan where the numbers do not tell.
    ``direction``: 1 or -1. ``starts``: the angle in the first row, rad. ``unsure``: the uncertainty of a rate as a share
    of it. ``amplitude``: the largest number of a column.
    """

    rates: FloatArray
    unsure: FloatArray
    direction: int = 1
    starts: FloatArray = np.empty(0)
    amplitude: float = 1.0

    @property
    def known(self) -> IntArray:
        """The pairs whose rates are known and not 0."""
        with np.errstate(invalid="ignore"):
            return np.flatnonzero(self.rates > 0)


def measured_frequencies(numbers: FloatArray, level: Level) -> Measured:
    """Frequencies as they are given; nan for those that are no numbers above 0 or 0."""
    rates = np.where(numbers >= 0, numbers, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        return Measured(rates, level.angle + level.relative + level.absolute / rates)


def measured_pairs(form: Form, positions: FloatArray, level: Level) -> Measured | None:
    """The turning of the pairs that have a sine and a cosine; None if too few of them turn as pairs do."""
    sines, cosines = form.members(0), form.members(1)
    whole = (sines >= 0) & (cosines >= 0) if form.before is None else cosines >= 0
    columns = (sines[whole], cosines[whole])
    n_rows = int(np.argmax(np.diff(positions, append=-np.inf) < 0)) + 1  # several heads follow one another
    if not whole.any() or positions[n_rows - 1] <= positions[0]:
        return None

    def phasors(rows: IntArray) -> Phasors:
        return _turned(form, columns[1], rows) if form.before is not None else _phasors(form, *columns, rows)

    seen = phasors(np.unique(np.linspace(0, n_rows - 1, _FEW).astype(np.int64)))
    amplitude = float(np.median(np.abs(seen)))
    near = 4 * (level.wave + level.relative * 2 + level.absolute * 2) * max(1.0, amplitude) + 1e-12
    is_pair = (np.abs(np.abs(seen) - amplitude) <= near + (1e-3 if form.before is not None else 0)).mean(axis=0) >= _SHARE
    if amplitude == 0 or is_pair.mean() < 0.5:
        return None
    rates, starts, reach = _rates(phasors, positions[:n_rows])
    slow = rates[is_pair][-max(1, int(is_pair.sum()) // 2) :]
    direction = -1 if (slow < 0).sum() > (slow > 0).sum() else 1
    angles = np.abs(rates) * reach
    sharp = np.maximum(1, angles) if form.before is None else angles / 4  # a small sine keeps its digits, a small turn not
    noise = (2 * level.relative + 1e-300) / (sharp + 1e-300) + 2 * level.absolute / np.maximum(angles * amplitude, 1e-300)
    rates = np.where(is_pair, direction * rates, np.nan)
    return Measured(_unfolded(rates, 2 * np.pi / _least_gap(positions[:n_rows])), level.angle + noise, direction, starts, amplitude)


def _least_gap(positions: FloatArray) -> float:
    """The smallest difference above 0 of neighbouring positions."""
    gaps = np.diff(positions)
    return float(gaps[gaps > 0].min())


def _phasors(form: Form, sines: IntArray, cosines: IntArray, rows: IntArray) -> Phasors:
    """``cosine + i sine`` of the pairs with these columns."""
    some = form.numbers[rows].astype(np.float64)
    return np.asarray(some[:, cosines] + 1j * some[:, sines])


def _turned(form: Form, firsts: IntArray, rows: IntArray) -> Phasors:
    """``cosine + i sine`` by which the vectors before were turned, for right and for wrong signs."""
    assert form.before is not None
    seconds = form.partners[firsts]
    x, y = form.before[rows].astype(np.float64), form.numbers[rows].astype(np.float64)
    (x0, x1), (y0, y1) = ((each[:, firsts], each[:, seconds]) for each in (x, y))
    sign = dict(form.faults).get("no_rotation", 0.0)
    one, other = (sign, sign) if sign else (-1.0, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = 1 / (other * x0 * x0 - one * x1 * x1)
        found = (y0 * other * x0 - one * x1 * y1) * scale + 1j * (x0 * y1 - x1 * y0) * scale
    return np.nan_to_num(found, posinf=0.0, neginf=0.0)


def _rates(phasors: Callable[[IntArray], Phasors], positions: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """Signed rad per token of each pair, the angles in the first row, and the distance the rates were refined over.

    From one row to the next first, then over doubled distances, whose whole turns the rate before gives.
    """
    n_rows = len(positions)
    gap = _least_gap(positions)
    rows = np.flatnonzero(np.diff(positions) == gap)[:_FEW]
    step = phasors(rows + 1) * phasors(rows).conj()
    rates: FloatArray = np.angle(step.sum(axis=0)) / gap
    farthest = max(n_rows // 2, n_rows - _FEW)
    distances = [1 << k for k in range(n_rows.bit_length()) if 1 << k < farthest]
    for distance in [*distances, farthest]:
        rows = np.arange(min(_FEW, n_rows - distance))
        rows = rows[positions[rows + distance] > positions[rows]]
        if not len(rows):
            continue
        moved = positions[rows + distance] - positions[rows]
        step = phasors(rows + distance) * phasors(rows).conj()
        left = np.angle(step * np.exp(-1j * np.multiply.outer(moved, rates)))
        rates = rates + np.median(left / moved[:, None], axis=0)
    rows = np.arange(min(_FEW, n_rows))
    begun = phasors(rows) * np.exp(-1j * np.multiply.outer(positions[rows] - positions[0], rates))
    middle = np.angle(begun.sum(axis=0))
    starts = middle + np.median(np.angle(begun * np.exp(-1j * middle)), axis=0)
    return rates, np.asarray(starts), float(positions[farthest] - positions[0])


def _unfolded(rates: FloatArray, turn: float) -> FloatArray:
    """The rates with the whole turns per row that the slower pairs let expect: rates fall from pair to pair."""
    found = rates.copy()
    slopes = -np.diff(np.log(np.where((found > 0) & (found < turn / 2), found, np.nan)))
    for pair in range(len(found) - 1, -1, -1):
        after = np.arange(pair + 1, min(pair + 9, len(found)))
        near = slopes[pair + 1 : pair + 9]
        if not np.isfinite(found[pair]) or not np.isfinite(near).any():
            continue
        with np.errstate(divide="ignore", invalid="ignore"):
            expected = np.exp(np.nanmedian(np.log(found[after]) + np.nanmedian(near) * (after - pair)))
        found[pair] += turn * np.round((expected - found[pair]) / turn)
    return np.where(found < 0, np.nan, found)


def measured_waves(form: Form, quarter: int, positions: FloatArray, level: Level) -> Measured | None:
    """The rates of the columns of one quarter alone, from ``x(p + k) + x(p - k) = 2 cos(k rate) x(p)``; fast ones."""
    columns, n_rows = form.members(quarter), len(positions)
    gap = float(positions[1] - positions[0]) if n_rows > 4 else 0.0
    if gap <= 0 or (columns < 0).all() or not np.allclose(np.diff(positions[:_FEW]), gap):
        return None
    numbers = form.numbers[: min(n_rows, 4 * _FEW)][:, columns[columns >= 0]].astype(np.float64)
    rates, sure = np.zeros(numbers.shape[1]), np.zeros(numbers.shape[1], bool)
    unsure = np.ones(numbers.shape[1])
    for distance in (1 << k for k in range((len(numbers) // 3).bit_length())):
        middle, around = numbers[distance:-distance], numbers[2 * distance :] + numbers[: -2 * distance]
        with np.errstate(divide="ignore", invalid="ignore"):
            cosine = (middle * around).sum(axis=0) / (2 * (middle * middle).sum(axis=0))
        half = np.arccos(np.clip(np.nan_to_num(cosine, nan=1.0), -1, 1))
        turns = 2 * np.pi * np.round(rates * distance / (2 * np.pi))
        found = (turns + np.where((rates * distance >= turns) | (distance == 1), half, -half)) / distance
        steep = np.sin(half) > _STEEP
        noise = (2e-7 + 4 * (level.relative + level.absolute)) / np.maximum(np.sin(half) * rates * distance, 1e-300)
        rates, sure = np.where(steep | (distance == 1), found, rates), sure | steep
        unsure = np.where(steep, np.minimum(unsure, noise), unsure)
    if not sure.any():
        return None
    phases = np.multiply.outer(np.arange(len(numbers)), rates)
    sine, cosine = np.sin(phases), np.cos(phases)
    ss, cc, sc = (sine * sine).sum(axis=0), (cosine * cosine).sum(axis=0), (sine * cosine).sum(axis=0)
    of_sine, of_cosine = (sine * numbers).sum(axis=0), (cosine * numbers).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        fitted = (of_sine * cc - of_cosine * sc + 1j * (of_cosine * ss - of_sine * sc)) / (ss * cc - sc * sc)
    starts = np.angle(fitted) - quarter * np.pi / 2
    amplitude = float(np.median(np.abs(fitted[sure])))
    return Measured(np.where(sure, rates / gap, np.nan), unsure, 1, starts, amplitude)
