"""Angles per token, measured from numbers in closed form: robust against single wrong cells and columns."""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from posenc_core.identify.forms import Form
from posenc_core.identify.precision import Level
from posenc_core.numerics import FloatArray, IntArray

Phasors = Callable[[IntArray], npt.NDArray[np.complex128]]
"""``cosine + i sine`` of each pair in some rows, complex128 ``(n_rows, n_pairs)``."""

_FEW = 64
"""Number of pairs of rows that are compared at each distance."""

_FAST = 0.01
"""Rad per row from which on a single column determines its rate."""

_SMALLEST = 1e-30
"""Columns of smaller numbers do not turn."""

_SHARE = 0.7
"""Share of rows that must have the amplitude for a pair to count as one."""

_FASTEST = 20.0
"""Logarithm of the rad per token above which no rate is sought."""

_NEXT = 8
"""Number of slower pairs that determine the whole turns of a pair; the next three determine its rate."""


class Measured(Struct, frozen=True):
    """The turning of pairs.

    ``rates``: rad per token of each pair, float64 ``(n_pairs,)``, at least 0, nan if unknown.
    ``unsure``: the relative uncertainty of a rate. ``direction``: 1 or -1. ``starts``: the angle in the first
    row, rad, empty if there are no rows. ``amplitude``: the largest number of a column, nan for angles.
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
            return np.flatnonzero((self.rates > 0) & np.isfinite(self.unsure))


def measured_frequencies(numbers: FloatArray, level: Level) -> Measured:
    """Frequencies as given; nan for those below 0."""
    rates = np.where(numbers >= 0, numbers, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        return Measured(rates, level.angle + level.relative + level.absolute / rates)


def by_distance_from_neighbours(rates: FloatArray) -> IntArray:
    """The pairs, first those whose rate is farthest, as a factor, from the geometric mean of both neighbours."""
    logs = np.pad(np.log(np.where(rates > 0, rates, np.nan)), 1, "reflect", reflect_type="odd")
    bends = np.nan_to_num(np.abs(logs[2:] + logs[:-2] - 2 * logs[1:-1]), nan=np.inf)
    return np.argsort(-bends, kind="stable")


def measured_pairs(form: Form, positions: FloatArray, level: Level, quarter: int | None = None) -> Measured | None:
    """The turning of the pairs that have a sine and a cosine; None if too few columns turn as pairs.

    With ``quarter`` the columns of that quarter alone are measured, and their partners computed.
    """
    if (np.diff(positions) < 0).any() and len(np.unique(positions)) == len(positions):  # not several heads
        return _measured_in_order(form, positions, level, quarter)
    if form.kind == "angles":
        return _measured_angles(form, positions, level)
    n_rows = int(np.argmax(np.diff(positions, append=-np.inf) < 0)) + 1  # several heads follow one another
    rows = positions[:n_rows]
    if n_rows < (2 if quarter is None else 4) or rows[-1] <= rows[0]:
        return None
    if quarter is not None:
        phasors, some = _with_partners(form, quarter, n_rows), slice(1, n_rows - 1)
    else:
        phasors, some = phasors_of(form), slice(0, n_rows)
    seen = phasors(np.unique(np.linspace(0, len(rows[some]) - 1, _FEW).astype(np.int64)))
    lengths = np.median(np.abs(seen), axis=0)
    amplitude = float(np.median(lengths) if quarter is None else lengths.max())  # slow columns alone do not show it
    near = 8 * (level.wave + level.relative + level.absolute) * max(1.0, amplitude)
    if quarter is not None or form.before is not None:
        near += 1e-3  # computed from several numbers
    is_pair = (np.abs(np.abs(seen) - amplitude) <= near).mean(axis=0) >= _SHARE
    if amplitude < _SMALLEST or is_pair.mean() < (0.5 if quarter is None else 1e-9):
        return None
    rates, starts, reach = _rates(phasors, rows[some])
    if quarter is not None:  # the partner of a slow column is computed from a small difference
        is_pair &= np.abs(rates) * _least_gap(rows) > _FAST
        amplitude = max(_SMALLEST, float(lengths[np.argmax(np.where(is_pair, np.abs(np.sin(rates)), 0))]))
    slow = rates[is_pair][-max(1, int(is_pair.sum()) // 2) :]
    direction = -1 if (slow < 0).sum() > (slow > 0).sum() else 1
    angles = np.abs(rates) * reach
    # a small sine keeps its digits, the small turn of a vector does not
    blurred = np.minimum(1, np.abs(starts) + angles) if form.before is None else 4.0
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        noise = (2 * level.relative * blurred + 2 * level.absolute / amplitude) / angles
        if quarter is not None:
            noise += 4 * (level.wave + level.relative + level.absolute) / (rates * rates * angles)
    starts -= rates * (rows[some][0] - rows[0]) + (quarter or 0) * np.pi / 2
    rates = _unfolded(np.where(is_pair, direction * rates, np.nan), 2 * np.pi / _least_gap(rows))
    return Measured(rates, level.angle + noise, direction, starts, amplitude)


def _measured_in_order(form: Form, positions: FloatArray, level: Level, quarter: int | None) -> Measured | None:
    """The turning of pairs whose rows are at positions that fall or jump, from the rows in the order of positions."""
    order = np.argsort(positions)
    before = None if form.before is None else form.before[order]
    ordered = replace(form, numbers=form.numbers[order], before=before)
    found = measured_pairs(ordered, positions[order], level, quarter)
    if found is None:
        return None
    moved = found.direction * found.rates * (positions[0] - positions[order[0]])
    return replace(found, starts=found.starts + moved)


def _measured_angles(form: Form, positions: FloatArray, level: Level) -> Measured | None:
    """The slope of each pair's angles over positions, robust against single rows; None for a single position."""
    half = len(positions) // 2
    reach = positions[half : 2 * half] - positions[:half]
    if half < 1 or (reach <= 0).any():
        return None
    columns = np.unique(form.pairs, return_index=True)[1]
    angles = form.numbers[:, columns].astype(np.float64)
    rates = np.median((angles[half : 2 * half] - angles[:half]) / reach[:, None], axis=0)
    starts = np.median(angles - np.multiply.outer(positions - positions[0], rates), axis=0)
    largest = np.abs(angles).max(axis=0)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        unsure = level.angle + 2 * (level.relative * largest + level.absolute) / (np.abs(rates) * float(reach.max()))
    direction = -1 if np.count_nonzero(rates < 0) > len(rates) // 2 else 1
    return Measured(direction * rates, unsure, direction, starts, np.nan)


def phasors_of(form: Form) -> Phasors:
    """The phasors of pairs with both columns, or those that turned the vectors before."""
    return _paired(form) if form.before is None else _turned(form)


def _paired(form: Form) -> Phasors:
    """The phasors of the pairs with both columns."""
    sines, cosines = form.members(0), form.members(1)
    whole = (sines >= 0) & (cosines >= 0)

    def phasors(rows: IntArray) -> npt.NDArray[np.complex128]:
        some = form.numbers[rows].astype(np.float64)
        return np.asarray(some[:, cosines[whole]] + 1j * some[:, sines[whole]])

    return phasors


def _with_partners(form: Form, quarter: int, n_rows: int) -> Phasors:
    """Phasors of single columns: ``x(p + 1) + x(p - 1) = 2 cos(w) x(p)`` gives w, the difference the partner.

    Rows are counted from the second, up to the last but one.
    """
    columns = form.members(quarter)
    some = form.numbers[: min(n_rows, 4 * _FEW)][:, columns].astype(np.float64)
    around, middle = some[2:] + some[:-2], some[1:-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = (middle * around).sum(axis=0) / (2 * (middle * middle).sum(axis=0))
        scale = 1 / (2 * np.sqrt(np.maximum(1 - cosine * cosine, 1e-5)))

    def phasors(rows: IntArray) -> npt.NDArray[np.complex128]:
        before, here, after = (form.numbers[rows + k][:, columns].astype(np.float64) for k in range(3))
        return np.asarray((after - before) * np.nan_to_num(scale) + 1j * here)

    return phasors


def _turned(form: Form) -> Phasors:
    """The phasors by which the vectors before were turned, for right and for wrong signs: both columns of an angle."""
    turning = np.flatnonzero(form.pairs >= 0)
    columns = turning[np.argsort(form.pairs[turning], kind="stable")].reshape(-1, 2).T
    partners = form.partners[columns]
    sign = dict(form.faults).get("no_rotation", 0.0)
    signs = np.full(columns.shape, sign) if sign else np.where(partners > columns, -1.0, 1.0)

    def phasors(rows: IntArray) -> npt.NDArray[np.complex128]:
        assert form.before is not None
        before, after = (numbers[rows].astype(np.float64) for numbers in (form.before, form.numbers))
        (x0, x1), (y0, y1) = (numbers[:, columns].swapaxes(0, 1) for numbers in (before, after))
        z0, z1 = (before[:, partners] * signs).swapaxes(0, 1)
        size = x0 * z1 - x1 * z0
        size[np.abs(size) <= 0.1 * np.median(np.abs(size))] = np.inf  # where rounding would be magnified
        return np.asarray((y0 * z1 - y1 * z0) / size + 1j * (x0 * y1 - x1 * y0) / size)

    return phasors


def _rates(phasors: Phasors, positions: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """Signed rad per token of each pair, the angles in the first row, and the distance the rates were refined over.

    Rates are first measured between neighbouring rows, then over doubled distances, with whole turns from the last
    rate.
    """
    n_rows, gap = len(positions), _least_gap(positions)
    rows = np.flatnonzero(np.diff(positions) == gap)[:_FEW]
    rates: FloatArray = np.angle((phasors(rows + 1) * phasors(rows).conj()).sum(axis=0)) / gap
    farthest = max(n_rows // 2, n_rows - _FEW)
    for distance in [*(1 << k for k in range(n_rows.bit_length()) if 1 << k < farthest), farthest]:
        rows = np.arange(min(_FEW, n_rows - distance))
        rows = rows[positions[rows + distance] > positions[rows]]
        moved = (positions[rows + distance] - positions[rows])[:, None]
        step = phasors(rows + distance) * phasors(rows).conj()
        rates = rates + _middle(np.angle(step * np.exp(-1j * moved * rates)) / moved, np.abs(step))
    rows = np.arange(min(_FEW, n_rows))
    begun = phasors(rows) * np.exp(-1j * np.multiply.outer(positions[rows] - positions[0], rates))
    middle = np.angle(begun.sum(axis=0))
    starts = middle + _middle(np.angle(begun * np.exp(-1j * middle)), np.abs(begun))
    return rates, starts, float(positions[farthest] - positions[0])


def _least_gap(positions: FloatArray) -> float:
    """The smallest difference above 0 of neighbouring positions."""
    gaps = np.diff(positions)
    return float(gaps[gaps > 0].min())


def _middle(numbers: FloatArray, weights: FloatArray) -> FloatArray:
    """The weighted mean of each column's numbers that are not far from their median; 0 for no numbers."""
    if not len(numbers):
        return np.zeros(numbers.shape[1])
    median = np.median(numbers, axis=0)
    off = np.abs(numbers - median)
    weights = weights * (off <= 5 * np.median(off, axis=0) + 1e-300)
    total = weights.sum(axis=0)
    return np.asarray(np.where(total > 0, (weights * numbers).sum(axis=0) / np.where(total > 0, total, 1), median))


def _unfolded(rates: FloatArray, turn: float) -> FloatArray:
    """The rates with the whole turns per row that the slower pairs let expect: rates fall from pair to pair."""
    found = rates.copy()
    for pair in range(len(found) - 3, -1, -1):
        after = found[pair + 1 : pair + 2 + _NEXT]
        if (0 <= found[pair] < turn / 4 and after.max() < turn / 8) or not np.isfinite(found[pair]):
            continue
        logs = np.log(np.where(after > 0, after, np.nan))
        slopes, ahead = -np.diff(logs), np.flatnonzero(np.isfinite(logs))[:3]
        slopes = slopes[np.isfinite(slopes)]
        expected = float(np.median(logs[ahead] + np.median(slopes) * (ahead + 1))) if len(slopes) else np.inf
        if expected < _FASTEST:
            found[pair] += turn * np.round((math.exp(expected) - found[pair]) / turn)
    return np.where(found < 0, np.nan, found)
