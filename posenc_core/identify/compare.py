"""Given numbers beside right ones, block by block: places that differ by more than rounding."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core.encodings import Encoding, LearnedTable, pair_members, turning_pairs
from posenc_core.identify.faults import SHIFTED, Bent, Waves, bent, even_slopes, moved
from posenc_core.identify.forms import Form, end_rows, table_forms, typical_rows
from posenc_core.identify.precision import FLOAT32, Level
from posenc_core.long_context import pairs_that_turn
from posenc_core.numerics import FloatArray, IntArray, blocks, n_processors, on_all_processors
from posenc_core.tables import Cancelled, ProgressCallback, never_cancelled

_BLOCK, _AT_ONCE = 1 << 16, 16
"""Numbers that are compared at a time, and blocks per processor between two reports of progress."""

_SAMPLE = 1 << 17
"""Numbers that a candidate is tried on before all are compared."""

_NAMED = 1024
"""Most wrong cells that are kept."""

_WHOLE_COLUMN = 0.4
"""Share of wrong numbers from which on a column counts as wrong."""

_LENIENT = 1.2
"""Tolerance beyond rounding, since parameters without round values are measured to few digits."""

_STEPS_SEEN = 256
"""Positions from the first on by which the size and the steps of a column are known."""

_STEP = 1e-7
"""Change of a base, as a share, by which the slope of numbers is found."""

_CLEAR = 4.0
"""Least deviation of single wrong numbers, as a multiple of the tolerance."""

_VAGUE = 0.5
"""Tolerance, as a share of the largest number, from which on a number does not identify an encoding."""

Rows = slice | IntArray


@dataclass(frozen=True, eq=False)
class Reading:
    """A form with a possible encoding, the positions of its rows, and faults.

    ``is_flipped``: the sines have the other sign than in the encoding's table.
    """

    form: Form
    encoding: Encoding
    positions: IntArray
    faults: tuple[Bent, ...] = ()
    is_flipped: bool = False

    def right(self, rows: Rows, level: Level) -> tuple[FloatArray, FloatArray]:
        """The numbers of some rows by the encoding and the faults, and the tolerance for given ones."""
        if self.form.before is not None:
            return self._rotated(self.form.before[rows].astype(np.float64), rows, level)
        if self.form.law == "values" or self.is_by_entry:
            columns, step = self.columns, -1 if "positions_reversed" in dict(self.faults) else 1
            places = self.positions[::step][rows]
            exact, doubt = self._entries(places, columns), self._doubt
            for amount in (amount for code, amount in self.faults if amount and code != SHIFTED):
                exact = exact * amount
            if "slopes_even" in dict(self.faults):
                exact = exact * even_slopes(self.form.width) / self.encoding.values(np.ones(1, np.int64), columns)
            allowed = np.abs(exact) * level.angle + level.wave * doubt[0]
            allowed += level.angle * np.multiply.outer(np.abs(places), doubt[1])
        elif self.form.kind in ("frequencies", "angles"):
            factors = self.waves.positions[rows, None] if self.form.kind == "angles" else self.waves.amplitudes[None]
            exact = self.waves.frequencies * factors
            allowed = np.abs(exact) * level.angle
        else:
            exact, allowed = self.waves.at(rows, level)
        return exact, _LENIENT * (allowed + level.rounding(exact))

    @property
    def is_by_entry(self) -> bool:
        """Whether the numbers are compared with entries of the table, as no pairs turn evenly by position."""
        return turning_pairs(self.encoding) is None

    @cached_property
    def columns(self) -> IntArray:
        """The encoding's column of each column of the form; -1 for one that does not turn."""
        if self.form.law == "values":
            return np.array(self.form.columns)
        members = pair_members(self.encoding, np.maximum(self.form.pairs, 0))
        return np.where(self.form.pairs < 0, -1, np.where(self._is_sine, *members))

    @property
    def _is_sine(self) -> npt.NDArray[np.bool_]:
        """Whether each column is a sine by the encoding and the faults."""
        return np.asarray(self.form.quarters == ("exchanged" in dict(self.faults)))

    @cached_property
    def _by_position(self) -> tuple[int, FloatArray] | None:
        """The lowest position and the entries from it on, of rows in which few positions occur many times."""
        low, high = int(self.positions.min()), int(self.positions.max())
        if 4 * (high - low + 1) > len(self.positions):
            return None
        return low, self._computed(np.arange(low, high + 1), self.columns)

    def _entries(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """The entries of the encoding's table, with the sign of the sines."""
        if self._by_position is None:
            return self._computed(positions, columns)
        low, entries = self._by_position
        return entries[positions - low]

    @cached_property
    def taken(self) -> FloatArray | None:
        """Given numbers of each shared row, unless most are the simulated ones; None also if no row is shared."""
        stored, some = self.encoding.stored, end_rows(len(self.form.numbers))
        if stored is None or not stored.is_simulated or not self.encoding.relative:
            return None
        rows, given = stored.run_of(self.positions[some]), self.form.numbers[some].astype(np.float64)
        if len(np.unique(rows)) == len(np.unique(self.positions[some])):
            return None
        near = np.isclose(given, self.encoding.values(self.positions[some], self.columns), rtol=1e-2, atol=1e-3)
        return None if near.mean() > 0.5 else typical_rows(given, rows)

    def _computed(self, positions: IntArray, columns: IntArray) -> FloatArray:
        stored = self.encoding.stored
        if stored is not None and self.taken is not None:
            return self.taken[np.minimum(stored.run_of(positions), len(self.taken) - 1)]
        exact = self.encoding.values(moved(positions, self.faults), columns)
        is_negative = self.is_flipped ^ ("negative_sine" in dict(self.faults))
        return np.where(self._is_sine, -exact, exact) if is_negative else exact

    @cached_property
    def _doubt(self) -> tuple[FloatArray, FloatArray]:
        """The largest number of each column and its largest step between neighbours, of some rows ``(n_columns,)``."""
        if self.taken is not None:  # given numbers have no error of arithmetic
            return np.zeros(self.form.numbers.shape[1]), np.zeros(self.form.numbers.shape[1])
        low, high = int(self.positions.min()), int(self.positions.max())
        some = self._computed(low + np.arange(min(high - low + 1, _STEPS_SEEN)), self.columns)
        return np.abs(some).max(axis=0), np.abs(np.diff(some, axis=0)).max(axis=0, initial=0.0)

    @cached_property
    def waves(self) -> Waves:
        """The columns as waves, with the faults."""
        pairs, partners = self.form.pairs, self.form.partners
        table = pairs_that_turn(self.encoding, "these numbers need")
        amplitude = 1.0 if self.form.kind == "frequencies" else table.amplitude
        signs = np.where(partners > np.arange(len(partners)), -1.0, 1.0)
        shifted, amplitudes = (self.positions + table.shift).astype(np.float64), np.where(pairs >= 0, amplitude, 0.0)
        return bent(Waves(shifted, table.turning[pairs], self.form.quarters, amplitudes, signs), self.faults)

    def _turns(self, rows: Rows, level: Level) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Cosine and sine of each column's angle, the sign of its sine, and errors of the arithmetic."""
        if not self.is_by_entry:
            (cosine, doubt), (sine, _) = self.waves.at(rows, level), self.waves.with_quarter(0).at(rows, level)
            return cosine, sine, self.waves.signs, doubt
        sines, cosines = pair_members(self.encoding, np.maximum(self.form.pairs, 0))
        places = self.positions[rows]
        signs = np.where(self.form.partners > np.arange(len(self.form.partners)), -1.0, 1.0)
        doubt = level.wave + level.angle * np.abs(places)[:, None] + np.zeros(len(signs))
        return self.encoding.values(places, cosines), self.encoding.values(places, sines), signs, doubt

    def _rotated(self, before: FloatArray, rows: Rows, level: Level) -> tuple[FloatArray, FloatArray]:
        """Rotated vectors, and the tolerance for the given ones; unrotated columns are unchanged."""
        partners = self.form.partners
        cosine, sine, signs, doubt = self._turns(rows, level)
        partner, turns = before[:, partners], partners >= 0
        exact = np.where(turns, before * cosine + signs * partner * sine, before)
        lengths = np.where(turns, np.abs(before) + np.abs(partner), 0.0)
        return exact, _LENIENT * (lengths * (doubt + 4 * level.relative) + 3 * level.absolute)


class Compared(Struct, frozen=True):
    """Deviation of given numbers from correct numbers.

    ``n_wrong`` counts the numbers that differ by more than rounding, ``columns`` are wrong as a whole,
    ``cells`` are the first other wrong places (row, column). ``residual``: the largest difference elsewhere.
    ``is_near``: few enough numbers are wrong, and enough are distinct, for this to be the intended encoding.
    """

    n_numbers: int
    n_wrong: int
    residual: float
    columns: tuple[int, ...]
    cells: tuple[tuple[int, int], ...]
    is_near: bool


def sampled(reading: Reading, level: Level) -> Compared:
    """The comparison over some rows, all of a small table."""
    height, width = reading.form.numbers.shape
    few = min(height, max(8, _SAMPLE // max(1, width)))
    spread = np.linspace(0, height - 1, few).astype(np.int64) if few < height else np.arange(height)
    rows = np.concatenate([np.arange(few // 2), spread[spread >= few // 2]])
    return _summed([_part(reading, rows, level)], len(rows) * width, len(rows))


def compared(reading: Reading, level: Level, progress: ProgressCallback = never_cancelled) -> Compared:
    """The comparison of all numbers on all processors; raises Cancelled once ``progress`` returns False."""
    height, width = reading.form.numbers.shape
    tall, parts, batch = blocks(height, width, _BLOCK), list[_Part](), _AT_ONCE * n_processors()
    for first in range(0, len(tall), batch):
        on_all_processors(lambda rows: parts.append(_part(reading, rows, level)), tall[first : first + batch])
        report(progress, (first + batch) / len(tall))
    return _summed(sorted(parts, key=lambda part: part.top), height * width, height)


def first_wrong(reading: Reading, level: Level) -> tuple[int, int] | None:
    """The first row, and the first column in it, that differs from the right numbers; None if none does."""
    height, width = reading.form.numbers.shape
    parts = (_part(reading, rows, level) for rows in blocks(height, width, _BLOCK))
    cells = next((part.cells for part in parts if len(part.cells)), None)
    return None if cells is None else (int(cells[0, 0]), int(cells[0, 1]))


def report(progress: ProgressCallback, share: float) -> None:
    """Call ``progress``; Cancelled if it returns False."""
    if not progress(min(1.0, share)):
        raise Cancelled


def within(progress: ProgressCallback, part: int, n_parts: int) -> ProgressCallback:
    """The callback of one of several parts, whose shares of the part become shares of the whole."""
    return lambda share: progress((part + share) / n_parts)


def table_with(encoding: Encoding, n_rows: int, faults: tuple[Bent, ...]) -> LearnedTable:
    """The first rows of sinusoids with faults, in float32; ValueError for an encoding without a sinusoids' layout."""
    layout = encoding.parameters().get("layout")
    forms = table_forms(np.zeros((n_rows, encoding.n_columns)))
    form = next((each for each in forms if each.law == "sinusoidal" and each.layout == layout), None)
    if form is None:
        raise ValueError(f"faults are those of sinusoids, got {encoding.title}")
    exact, _ = Reading(form, encoding, np.arange(n_rows), faults).right(slice(None), FLOAT32)
    return LearnedTable.from_array(exact.astype(np.float32), f"{n_rows} rows of {encoding.title.lower()}")


def base_name(encoding: Encoding) -> str:
    """The name of the parameter that is the base; empty for an encoding without one."""
    return next((name for name in ("base", "rope_theta") if name in encoding.parameters()), "")


def refined(reading: Reading, level: Level) -> Reading:
    """The reading with the base that fits some rows best, from one step of least squares."""
    name = base_name(reading.encoding)
    if not name:
        return reading
    rows = slice(0, max(8, _SAMPLE // reading.form.numbers.shape[1]))
    base, given = reading.encoding.parameters()[name], reading.form.numbers[rows].astype(np.float64)
    exact, allowed = reading.right(rows, level)
    moved, _ = replace(reading, encoding=reading.encoding.edited(name, base * (1 + _STEP))).right(rows, level)
    slope, off = (moved - exact) / _STEP, given - exact
    weights = slope * (np.abs(off) < 8 * allowed) / np.maximum(allowed, 1e-30) ** 2
    size = float((weights * slope).sum())
    share = float((weights * off).sum()) / size if size > 0 else 0.0
    return replace(reading, encoding=reading.encoding.edited(name, base * (1 + max(-0.1, min(0.1, share)))))


class _Part(Struct):
    """The comparison of some rows, the first of which is ``top``: wrong numbers per column, and their places."""

    top: int
    wrong: IntArray
    n_clear: int
    n_vague: int
    cells: npt.NDArray[np.int64]
    residual: float


def _part(reading: Reading, rows: Rows, level: Level) -> _Part:
    exact, allowed = reading.right(rows, level)
    off = np.abs(np.subtract(reading.form.numbers[rows], exact, out=exact), out=exact)
    wrong = ~(off <= allowed)
    cells = np.argwhere(wrong)[: _NAMED * 64] if wrong.any() else np.empty((0, 2), np.int64)
    n_clear = int((off > _CLEAR * allowed).sum()) if len(cells) else 0
    off[wrong] = 0
    n_vague = int((allowed > _VAGUE * np.abs(reading.form.numbers[rows]).max(initial=0.0)).sum())
    top = rows.start if isinstance(rows, slice) else 0
    cells[:, 0] = cells[:, 0] + top if isinstance(rows, slice) else rows[cells[:, 0]]
    return _Part(top, wrong.sum(axis=0), n_clear, n_vague, cells, float(off.max()))


def _summed(parts: list[_Part], n_numbers: int, height: int) -> Compared:
    wrong = np.sum([part.wrong for part in parts], axis=0)
    n_wrong, width = int(wrong.sum()), len(wrong)
    is_column = (wrong > max(1.0, _WHOLE_COLUMN * height)) & (height > 2)
    cells = np.concatenate([part.cells for part in parts])
    others = cells[~is_column[cells[:, 1]]][:_NAMED]
    n_cells = n_wrong - int(wrong[is_column].sum())
    is_row = n_cells == n_wrong == len(others) and height > 4 and len(set(others[:, 0].tolist())) == 1
    is_few = is_row or n_cells <= max(n_numbers // 100, n_numbers > 7)
    is_clear = 2 * sum(part.n_clear for part in parts) >= n_wrong
    is_told = 2 * sum(part.n_vague for part in parts) <= n_numbers
    is_near = is_few and is_clear and is_told and is_column.sum() <= max(int(width > 3), width // 8)
    places = tuple((int(row), int(column)) for row, column in others) if is_near else ()
    residual = max(part.residual for part in parts)
    return Compared(n_numbers, n_wrong, residual, tuple(np.flatnonzero(is_column).tolist()), places, bool(is_near))
