"""Given numbers beside right ones, block by block: where they differ by more than rounding."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core.encodings import Encoding
from posenc_core.identify.faults import Bent, Waves, bent
from posenc_core.identify.forms import Form
from posenc_core.identify.precision import Level
from posenc_core.long_context import turning, turning_table
from posenc_core.numerics import FloatArray, IntArray, n_processors, on_all_processors
from posenc_core.tables import Cancelled, ProgressCallback, never_cancelled

_BLOCK = 1 << 16
"""Numbers that are compared at a time: they stay in the processor's cache."""

_AT_ONCE = 16
"""Blocks per processor between two reports of progress."""

_SAMPLE = 1 << 17
"""Numbers that a candidate is tried on before all are compared."""

_NAMED = 1024
"""Most wrong cells that are kept."""

_WHOLE_COLUMN = 0.4
"""Share of wrong numbers from which on a column counts as wrong."""

_LENIENT = 1.2
"""How much more than rounding is allowed, since parameters without round values are known to so many digits only."""

_STEP = 1e-7
"""Change of a base, as a share, by which the slope of numbers is found."""

_CLEAR = 4.0
"""How many times as far off as rounding allows most wrong numbers must be to be wrong by themselves."""

Rows = slice | IntArray


@dataclass(frozen=True, eq=False)
class Reading:
    """A form with the encoding that it may hold, the positions of its rows, and faults."""

    form: Form
    encoding: Encoding
    positions: IntArray
    faults: tuple[Bent, ...] = ()

    def right(self, rows: Rows, level: Level) -> tuple[FloatArray, FloatArray]:
        """The numbers of some rows as the encoding and the faults give them, and how far given ones may be off."""
        if self.form.law == "values":
            exact = self.encoding.values(self.positions[rows], np.arange(self.form.width))
            for _, amount in self.faults:
                exact = exact * (amount or 1.0)
            allowed = np.abs(exact) * level.angle
        elif self.form.kind == "frequencies":
            waves = self.waves
            exact = (waves.frequencies * waves.amplitudes)[None]
            allowed = np.abs(exact) * level.angle
        elif self.form.before is None:
            exact, allowed = self.waves.at(rows, level)
        else:
            exact, allowed = self._rotated(self.form.before[rows].astype(np.float64), rows, level)
        return exact, _LENIENT * (allowed + level.rounding(exact))

    @cached_property
    def waves(self) -> Waves:
        """The columns as waves, with the faults."""
        table, pairs = turning_table(self.encoding, "numbers of this form need"), self.form.pairs
        amplitudes = np.where(pairs >= 0, table.amplitude if self.form.kind != "frequencies" else 1.0, 0.0)
        signs = np.where(self.form.partners > np.arange(len(pairs)), -1.0, 1.0) if len(self.form.partners) else amplitudes
        shifted = (self.positions + table.shift).astype(np.float64)
        return bent(Waves(shifted, turning(table)[pairs], self.form.quarters, amplitudes, signs), self.faults)

    def _rotated(self, before: FloatArray, rows: Rows, level: Level) -> tuple[FloatArray, FloatArray]:
        """Vectors rotated, and how far the given ones may be off."""
        waves, partners = self.waves, self.form.partners
        cosine, doubt = waves.at(rows, level)
        sine, _ = Waves(waves.positions, waves.frequencies, np.zeros_like(partners), waves.amplitudes, waves.signs).at(
            rows, level
        )
        partner = before[:, partners]
        turned = before * cosine + waves.signs * partner * sine
        lengths = np.abs(before) + np.abs(partner)
        exact = np.where(partners >= 0, turned, before)
        return exact, np.where(partners >= 0, lengths * (doubt + 4 * level.relative) + 2 * level.absolute, 0.0)


class Compared(Struct, frozen=True):
    """How given numbers differ from right ones.

    ``n_wrong`` counts the numbers that differ by more than rounding, ``columns`` those that are wrong as a whole,
    ``cells`` other wrong places (row, column), the first of them. ``residual``: the largest difference of the others.
    ``is_near``: few enough are wrong for the encoding to be the one that was meant.
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
    few = max(8, _SAMPLE // max(1, width))
    rows = np.arange(height) if height <= few else np.unique(
        np.r_[: few // 2, np.linspace(0, height - 1, few - few // 2).astype(np.int64)]
    )
    return _summed([_part(reading, rows, level)], len(rows) * width, len(rows))


def refined(reading: Reading, level: Level) -> Reading:
    """The reading with the base that fits some rows best, from one step of least squares."""
    name = next((name for name in ("base", "rope_theta") if name in reading.encoding.parameters()), None)
    if name is None:
        return reading
    rows = slice(0, max(8, _SAMPLE // reading.form.numbers.shape[1]))
    base, given = reading.encoding.parameters()[name], reading.form.numbers[rows].astype(np.float64)
    near = replace(reading, encoding=reading.encoding.edited(name, base * (1 + _STEP)))
    (exact, allowed), (moved, _) = reading.right(rows, level), near.right(rows, level)
    weights = (np.abs(given - exact) < 8 * allowed) / np.maximum(allowed, 1e-30) ** 2
    slope = (moved - exact) / _STEP
    size = float((weights * slope * slope).sum())
    step = float((weights * slope * (given - exact)).sum()) / size if size > 0 else 0.0
    return replace(reading, encoding=reading.encoding.edited(name, base * (1 + max(-0.1, min(0.1, step)))))


def compared(reading: Reading, level: Level, progress: ProgressCallback = never_cancelled) -> Compared:
    """The comparison of all numbers on all processors; raises Cancelled once ``progress`` returns False."""
    height, width = reading.form.numbers.shape
    blocks = [slice(*ends) for ends in _blocks(height, max(1, _BLOCK // max(1, width)))]
    parts: list[_Part] = []
    batch = _AT_ONCE * n_processors()
    for first in range(0, len(blocks), batch):
        on_all_processors(lambda rows: parts.append(_part(reading, rows, level)), blocks[first : first + batch])
        if not progress(min(1.0, (first + batch) / len(blocks))):
            raise Cancelled
    return _summed(sorted(parts, key=lambda part: part.top), height * width, height)


def first_wrong(reading: Reading, level: Level) -> tuple[int, int] | None:
    """The first row, and the first column in it, that differs from the right numbers; None if none does."""
    height, width = reading.form.numbers.shape
    for ends in _blocks(height, max(1, _BLOCK // max(1, width))):
        part = _part(reading, slice(*ends), level)
        if len(part.cells):
            row, column = part.cells[0]
            return int(row), int(column)
    return None


class _Part(Struct):
    top: int
    wrong: IntArray
    cells: npt.NDArray[np.int64]
    residual: float
    n_clear: int = 0


def _blocks(height: int, tall: int) -> Iterator[tuple[int, int]]:
    return ((top, min(height, top + tall)) for top in range(0, height, tall))


def _part(reading: Reading, rows: Rows, level: Level) -> _Part:
    given = reading.form.numbers[rows].astype(np.float64)
    exact, allowed = reading.right(rows, level)
    off = np.abs(np.subtract(given, exact, out=exact), out=exact)
    wrong = ~(off <= allowed)
    top = rows.start if isinstance(rows, slice) else 0
    if not wrong.any():
        return _Part(top, np.zeros(given.shape[1], np.int64), np.empty((0, 2), np.int64), float(off.max(initial=0.0)))
    cells = np.argwhere(wrong)
    residual = float(np.where(wrong, 0.0, off).max(initial=0.0))
    cells[:, 0] = cells[:, 0] + top if isinstance(rows, slice) else rows[cells[:, 0]]
    n_clear = int((off > _CLEAR * allowed).sum())
    return _Part(top, wrong.sum(axis=0), cells[: _NAMED * 64], residual, n_clear)


def _summed(parts: list[_Part], n_numbers: int, height: int) -> Compared:
    wrong = np.sum([part.wrong for part in parts], axis=0)
    n_wrong, width = int(wrong.sum()), len(wrong)
    columns = np.flatnonzero(wrong > max(1.0, _WHOLE_COLUMN * height)) if height > 2 else np.empty(0, np.int64)
    cells = np.concatenate([part.cells for part in parts])
    others = cells[~np.isin(cells[:, 1], columns)][:_NAMED]
    n_cells = n_wrong - int(wrong[columns].sum())
    few = max(n_numbers // 100, 1 if n_numbers > 7 else 0)
    in_one_row = len(cells) == n_wrong and len(np.unique(others[:, 0])) == 1 and height > 4
    is_clear = 2 * sum(part.n_clear for part in parts) >= n_wrong
    is_near = len(columns) <= width // 4 and (n_cells <= few or in_one_row) and is_clear
    residual = max(part.residual for part in parts)
    places = tuple((int(row), int(column)) for row, column in others)
    return Compared(n_numbers, n_wrong, residual, tuple(columns.tolist()), places, is_near)
