"""One table minus another: its values, means and curves, from those of the two."""

import math
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from posenc_core.encodings import ColumnInfo, Encoding, HarmonicTable, ReadEncoding, TableEncoding
from posenc_core.explain import Derivation, Dialect, Snippet, Step
from posenc_core.fields import Field, one_line
from posenc_core.numerics import (
    Bands,
    FloatArray,
    IntArray,
    Lines,
    Spans,
    Traces,
    every_position,
    sine_envelope,
    trace_bounds,
)


@dataclass(frozen=True)
class TableDifference(ReadEncoding):
    """The table of ``one`` minus that of ``other``, over the columns and the positions that both have.

    ``letters`` are what the two are called. Columns are subtracted by their place in the tables. A mean of differences
    is the difference of the means. A band of a pixel's many values holds them all; between two learned tables, which
    are read, it is no wider than they need, else it may be. ValueError if the rows of one are positions and those of
    the other distances.
    """

    one: Encoding
    other: Encoding
    letters: tuple[str, str] = ("A", "B")

    family: ClassVar[str] = "difference"
    title: ClassVar[str] = "Difference"
    summary: ClassVar[str] = "One table minus another."
    citation: ClassVar[str] = "the first table minus the second"
    FIELDS: ClassVar[tuple[Field, ...]] = ()

    def __post_init__(self) -> None:
        """Take over what both tables have in common."""
        super().__post_init__()
        if self.one.relative != self.other.relative:
            raise ValueError("a row of one table is for a position, a row of the other for a distance")
        object.__setattr__(self, "relative", self.one.relative)
        object.__setattr__(self, "continuous", self.one.continuous and self.other.continuous)

    @property
    @override
    def n_columns(self) -> int:
        return min(self.one.n_columns, self.other.n_columns)

    @property
    @override
    def domain(self) -> tuple[float, float]:
        ends = self.one.domain, self.other.domain
        return (max(first for first, _ in ends), min(last for _, last in ends))

    @property
    @override
    def causal(self) -> bool:
        return self.one.causal or self.other.causal

    @property
    @override
    def fits_float32(self) -> bool:
        return self.one.fits_float32 and self.other.fits_float32

    @property
    @override
    def value_step(self) -> float:
        return self.one.value_step if self.one.value_step == self.other.value_step else 0.0

    @property
    def has_bounds(self) -> bool:
        """Whether bands may be wider than the differences that they hold."""
        return not (isinstance(self.one, TableEncoding) and isinstance(self.other, TableEncoding))

    @override
    def no_value(self, position: int) -> str:
        lacking = self.one if not self.one.has_value(position) else self.other
        return f"{self.letters[lacking is self.other]}: {lacking.no_value(position)}"

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """Bounds of the values of both tables and of their difference, so that all three can have one scale."""
        (low, high), (least, most) = (each.range_over(first, stop) for each in (self.one, self.other))
        return min(low, least, low - most), max(high, most, high - least)

    @override
    def column_blocks(self) -> tuple[tuple[int, int], ...]:
        blocks = self.one.column_blocks()
        alike = self.one.n_columns == self.other.n_columns and blocks == self.other.column_blocks()
        return blocks if alike else ((0, self.n_columns),)

    def column_info(self, column: int) -> ColumnInfo:
        """What the column is in both tables: its pair, its part and its wavelength as far as they are the same."""
        one, other = (each.column_info(column) for each in (self.one, self.other))
        if (one.pair, one.part) != (other.pair, other.part):
            return ColumnInfo(None, one.part if one.part == other.part else f"{one.part} − {other.part}", None)
        return ColumnInfo(one.pair, one.part, one.wavelength if one.wavelength == other.wavelength else None)

    @override
    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        one, other = (np.asarray(each.values(positions, columns), np.float64) for each in (self.one, self.other))
        return one - other

    @override
    def means(self, rows: Spans, columns: Spans) -> npt.NDArray[np.floating]:
        one, other = (np.asarray(each.means(rows, columns), np.float64) for each in (self.one, self.other))
        return (one - other).astype(np.float32) if self.fits_float32 else one - other

    @override
    def equal_rows(self, first: int, stop: int) -> Iterable[IntArray]:
        if any(type(each).equal_rows is Encoding.equal_rows for each in (self.one, self.other)):
            return every_position(first, stop)
        begun = [block for each in (self.one, self.other) for block in each.equal_rows(first, stop)]
        return [np.unique(np.concatenate(begun))]

    @override
    def reading_costs(self, parts: Spans, n_columns: int) -> IntArray:
        costs = np.zeros(len(parts.start), np.int64)
        for each in (self.one, self.other):
            if isinstance(each, ReadEncoding):
                costs += each.reading_costs(parts, n_columns)
        return costs

    @override
    def cancellable(self, goes_on: Callable[[], bool]) -> Self:
        one, other = (
            each.cancellable(goes_on) if isinstance(each, ReadEncoding) else each for each in (self.one, self.other)
        )
        return replace(self, one=one, other=other)

    @override
    def traces(self, columns: IntArray, positions: tuple[float, float], pixels: int) -> Traces:
        if any(isinstance(each, ReadEncoding) for each in (self.one, self.other)) or not len(columns):
            return super().traces(columns, positions, pixels)
        if not self.continuous and positions[1] - positions[0] <= pixels:  # steps that can be distinguished
            return super().traces(columns, positions, pixels)
        first, last = max(positions[0], self.domain[0] - 0.5), min(positions[1], self.domain[1] + 0.5)
        if first >= last:
            return Traces((), ())
        lines = self._lines(*(each.traces(columns, (first, last), pixels) for each in (self.one, self.other)))
        fast = np.setdiff1d(columns, [column for line in lines for column in line.columns.tolist()])
        if not len(fast):
            return Traces(lines, ())
        edges = np.linspace(first, last, pixels + 1)
        return Traces(lines, (Bands(fast, edges, *self._bounds(fast, edges)),))

    def ends(self, columns: IntArray, edges: IntArray) -> tuple[FloatArray, FloatArray]:
        """Each column's least and largest difference from each position to the next, for formulas bounds of them."""
        if not self.has_bounds:
            return super().ends(columns, edges)
        return self._bounds(columns, edges)

    def _bounds(self, columns: IntArray, edges: npt.NDArray[Any]) -> tuple[FloatArray, FloatArray]:
        """Bounds of the difference between edges: those of either subtracted, and the height of the beat of waves."""
        (low, high), (least, most) = (_bounds_of(each, columns, edges) for each in (self.one, self.other))
        low, high = low - most, high - least
        if isinstance(self.one, HarmonicTable) and isinstance(self.other, HarmonicTable):
            reach = _beat(self.one, self.other, columns, edges)
            low, high = np.maximum(low, -reach), np.minimum(high, reach)
        return low, high

    def _lines(self, one: Traces, other: Traces) -> tuple[Lines, ...]:
        """The differences of the columns that are curves without steps in both, at the points of either."""
        curves, others, found = _curves(one), _curves(other), []
        for column in curves.keys() & others.keys():
            x = np.unique(np.concatenate([curves[column][0], others[column][0]]))
            y = _heights(self.one, column, curves[column], x) - _heights(self.other, column, others[column], x)
            found.append(Lines(np.array([column]), x[None], y[None]))
        return tuple(found)

    @override
    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        made, names = Snippet(()), [f"table_{letter.lower()}" for letter in self.letters]
        for name, each in zip(names, (self.one, self.other), strict=True):
            made = made + Snippet(("", *_told(each))) + each.source(positions, code) + Snippet((f"{name} = table",))
        both = " - ".join(f"{name}[:, :{self.n_columns}]" for name in names)
        return made + Snippet(("", f"table = {both}"))

    @override
    def explain(self, position: int, column: int) -> Derivation:
        one, other = (each.explain(position, column) for each in (self.one, self.other))
        (a, b), value = self.letters, one.value - other.value
        steps = (
            Step(f"{a}: {one.formula}", one.formula_latex, one.value),
            Step(f"{b}: {other.formula}", other.formula_latex, other.value),
            Step(f"{a} − {b} = {value!r}", f"{a} - {b} = {value!r}", value),
        )
        python = f"print({one.value!r} - {other.value!r})\n"
        return Derivation.of_entry(f"({a} − {b})", (position, column), f"{a} − {b}", f"{a} - {b}", python, steps)


def _told(encoding: Encoding) -> list[str]:
    """The encoding's title and parameters as comments."""
    parameters = encoding.parameters()
    given = ", ".join(f"{field.name} = {field.format(parameters[field.name])}" for field in encoding.fields)
    return textwrap.wrap(one_line(f"{encoding.title}: {given}"), 100, initial_indent="# ", subsequent_indent="#   ")


Curve = tuple[FloatArray, FloatArray]
"""Positions and values."""


def _curves(traces: Traces) -> dict[int, Curve]:
    """The points of the columns that are one curve without a step; those that repeat are left out."""
    found: dict[int, Curve] = {}
    for line in traces.lines:
        for column, x, y in zip(line.columns.tolist(), line.x, line.y, strict=True):
            is_new = np.diff(x, prepend=-math.inf) > 0
            if (y[~is_new] == y[np.flatnonzero(~is_new) - 1]).all():
                found[column] = x[is_new], y[is_new]
    return found


def _heights(encoding: Encoding, column: int, curve: Curve, x: FloatArray) -> FloatArray:
    """The values of a column's curve at positions ``x``: of a wave exact, else between the curve's points."""
    if not isinstance(encoding, HarmonicTable):
        return np.interp(x, *curve)
    (frequency,), (turns,), (amplitude,) = encoding.waves(np.array([column]))
    return np.asarray(amplitude * np.sin(frequency * (x + encoding.shift) + turns * (np.pi / 2)))


def _bounds_of(encoding: Encoding, columns: IntArray, edges: npt.NDArray[Any]) -> tuple[FloatArray, FloatArray]:
    """Bounds of each column between neighbouring edges: of rows that are read exact, of a formula those it draws."""
    if isinstance(encoding, ReadEncoding):
        return encoding.ends(columns, edges)
    if isinstance(encoding, HarmonicTable):
        frequencies, turns, amplitudes = _slowed_waves(encoding, columns)
        phases = turns * (np.pi / 2) + frequencies * encoding.shift
        low, high = sine_envelope(frequencies, phases, edges.astype(np.float64))
        is_fast = frequencies == _FASTEST
        low[is_fast], high[is_fast] = -1.0, 1.0
        return low * amplitudes[:, None], high * amplitudes[:, None]
    window = (float(edges[0]) - 0.5, float(edges[-1]) + 0.5)
    return trace_bounds(encoding.traces(columns, window, len(edges)), columns, edges.astype(np.float64))


_FASTEST = 4 * np.pi
"""Radians per position: a faster wave has every angle between any two positions."""


def _slowed_waves(encoding: HarmonicTable, columns: IntArray) -> tuple[FloatArray, IntArray, FloatArray]:
    """The waves of the columns, none faster than ``_FASTEST``: frequencies may be infinite."""
    frequencies, turns, amplitudes = encoding.waves(columns)
    return np.minimum(frequencies, _FASTEST), turns, amplitudes


def _beat(one: HarmonicTable, other: HarmonicTable, columns: IntArray, edges: npt.NDArray[Any]) -> FloatArray:
    """The largest height of the difference of two waves between neighbouring edges, ``(m, n_edges - 1)``.

    a sin(x) - b sin(y) is at most sqrt(a^2 + b^2 - 2 a b cos(x - y)), the law of cosines. Where both have nearly the
    same frequency that changes slowly, and is far below a + b.
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
