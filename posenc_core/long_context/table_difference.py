"""One table minus another: its values, means and curves, computed from both."""

import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from posenc_core import encodings
from posenc_core.encodings import ColumnInfo, Encoding, Sampler, n_whole_pairs, pair_members, turning_pairs
from posenc_core.explain import Derivation, Dialect, Digits, Snippet
from posenc_core.fields import Field, one_line
from posenc_core.long_context.beats import beat, bounds_of, heights, smooth_curves
from posenc_core.numerics import Bands, FloatArray, IntArray, Lines, Spans, Traces, every_position
from posenc_core.text import TokenVectors

_DIGITS = Digits(17)


@dataclass(frozen=True)
class TableDifference(Encoding):
    """The table of ``one`` minus the table of ``other``, over the columns and the positions of both.

    ``letters`` are the names of the two. Columns are subtracted by their place in the tables. A mean of differences is
    the difference of the means. A band contains all values of a pixel; between two learned tables, which are read, the
    band is as narrow as possible, else it may be wider. ValueError if the rows of one are positions and those of the
    other distances.
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
        """Adopt the common properties of both tables."""
        super().__post_init__()
        if self.one.relative != self.other.relative:
            raise ValueError("a row of one table is for a position, a row of the other for a distance")
        object.__setattr__(self, "compared", tuple(zip(self.letters, (self.one, self.other), strict=True)))
        object.__setattr__(self, "relative", self.one.relative)
        if self.one.row_noun == self.other.row_noun:
            object.__setattr__(self, "row_noun", self.one.row_noun)
        object.__setattr__(self, "causal", self.one.causal or self.other.causal)
        object.__setattr__(self, "continuous", self.one.continuous and self.other.continuous)
        object.__setattr__(self, "depends_on_query", self.one.depends_on_query or self.other.depends_on_query)
        object.__setattr__(self, "needs_content", self.one.needs_content or self.other.needs_content)

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
    def sampler(self) -> "DifferenceSampler":
        return DifferenceSampler(self)

    @property
    @override
    def reading(self) -> "encodings.Reading[Encoding]":
        return _BothReadings(self)

    @override
    def seen_from(self, query: int | None, content: TokenVectors | None = None) -> "TableDifference":
        one, other = (each.seen_from(query, content) for each in (self.one, self.other))
        return self if one is self.one and other is self.other else replace(self, one=one, other=other)

    @property
    @override
    def warnings(self) -> tuple[str, ...]:
        """A sentence on the first column that is another pair's, or its other part, in the second table."""
        (one, other), width = (_part_of_columns(each) for each in (self.one, self.other)), self.n_columns
        (unlike,) = np.nonzero((one[:width] != other[:width]) & (one[:width] >= 0) & (other[:width] >= 0))
        if not len(unlike):
            return ()
        column = int(unlike[0])
        words = (
            f"the {('sine', 'cosine')[each[column] % 2]} of pair {each[column] // 2} in {letter}"
            for letter, each in zip(self.letters, (one, other), strict=True)
        )
        return (f"columns are subtracted by place: column {column} is {' and '.join(words)}",)

    @override
    def no_value(self, position: int) -> str:
        lacking = self.one if not self.one.has_value(position) else self.other
        return f"{self.letters[lacking is self.other]}: {lacking.no_value(position)}"

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """Bounds of the values of both tables and of their difference, so that all three can have one scale."""
        (low, high), (least, most) = (each.range_over(first, stop) for each in (self.one, self.other))
        return min(low, least, low - most), max(high, most, high - least)

    @override
    def in_halves(self) -> "TableDifference":
        """Both tables in halves if that moves the same columns of both to the same places; else itself."""
        tables = self.one, self.other
        halves = [each.in_halves() for each in tables]
        orders = [tuple(map(_order, pair)) for pair in (tables, halves)]
        if tables[0] == halves[0] or any(one is None or one != other for one, other in orders):
            return self
        return replace(self, one=halves[0], other=halves[1])

    @override
    def column_blocks(self) -> tuple[tuple[int, int], ...]:
        blocks = self.one.column_blocks()
        alike = self.one.n_columns == self.other.n_columns and blocks == self.other.column_blocks()
        return blocks if alike else ((0, self.n_columns),)

    def column_info(self, column: int) -> ColumnInfo:
        """The column in both tables: its pair, its part and its wavelength as far as they agree."""
        one, other = (each.column_info(column) for each in (self.one, self.other))
        if (one.pair, one.part) != (other.pair, other.part):
            return ColumnInfo(None, one.part if one.part == other.part else f"{one.part} − {other.part}", None)
        return ColumnInfo(one.pair, one.part, one.wavelength if one.wavelength == other.wavelength else None)

    @override
    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        one, other = (np.asarray(each.values(positions, columns), np.float64) for each in (self.one, self.other))
        return one - other

    @override
    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        names = [f"table_{letter.lower()}" for letter in self.letters]
        parts = [each.source(positions, code) for each in (self.one, self.other)]
        changes = any(line.startswith("positions =") for line in parts[0].lines)
        made = Snippet(("rows = positions",) if changes else ())
        for index, (name, each) in enumerate(zip(names, (self.one, self.other), strict=True)):
            again = ("positions = rows",) if changes and index else ()
            made = made + Snippet(("", *_told(each), *again)) + parts[index] + Snippet((f"{name} = table",))
        both = " - ".join(f"{name}[:, :{self.n_columns}]" for name in names)
        return made + Snippet(("", f"table = {both}"))

    @override
    def explain(self, position: int, column: int) -> Derivation:
        one, other = (each.explain(position, column) for each in (self.one, self.other))
        (a, b), value = self.letters, one.value - other.value
        steps = (
            _DIGITS.step(f"{a}: {one.formula}", one.formula_latex, one.value),
            _DIGITS.step(f"{b}: {other.formula}", other.formula_latex, other.value),
            _DIGITS.step(f"{a} − {b}", f"{a} - {b}", value),
        )
        python = f"print({one.value!r} - {other.value!r})\n"
        symbol, latex = f"({a} − {b})({position}, {column})", f"({a} - {b})_{{({position}, {column})}} = {a} - {b}"
        return Derivation(symbol, f"{symbol} = {a} − {b}", latex, python, steps)


def difference_of(encoding: Encoding) -> TableDifference | None:
    """The encoding as a difference, which several panels draw separately; None for other encodings."""
    return encoding if isinstance(encoding, TableDifference) else None


class DifferenceSampler(Sampler[TableDifference]):
    """Means, bounds and curves of a difference, computed from both tables."""

    def __init__(self, table: TableDifference) -> None:
        super().__init__(table)
        self._tables = table.one, table.other
        self._samplers = table.one.sampler, table.other.sampler

    @property
    @override
    def fits_float32(self) -> bool:
        return all(each.fits_float32 for each in self._samplers)

    @property
    @override
    def value_step(self) -> float:
        one, other = (each.value_step for each in self._samplers)
        return one if one == other else 0.0

    @property
    @override
    def has_bounds(self) -> bool:
        return any(each.stored is None for each in self._tables)

    @override
    def means(self, rows: Spans, columns: Spans) -> npt.NDArray[np.floating]:
        one, other = (np.asarray(each.means(rows, columns), np.float64) for each in self._samplers)
        return (one - other).astype(np.float32) if self.fits_float32 else one - other

    @override
    def equal_rows(self, first: int, stop: int) -> Iterable[IntArray]:
        if not all(each.has_runs for each in self._samplers):
            return every_position(first, stop)
        return [np.unique(np.concatenate([block for each in self._samplers for block in each.equal_rows(first, stop)]))]

    @override
    def traces(self, columns: IntArray, positions: tuple[float, float], pixels: int) -> Traces:
        if any(each.reading is not None for each in self._tables) or not len(columns):
            return super().traces(columns, positions, pixels)
        if not self.table.continuous and positions[1] - positions[0] <= pixels:  # steps that can be distinguished
            return super().traces(columns, positions, pixels)
        domain = self.table.domain
        first, last = max(positions[0], domain[0] - 0.5), min(positions[1], domain[1] + 0.5)
        if first >= last:
            return Traces((), ())
        lines = self._lines(*(each.traces(columns, (first, last), pixels) for each in self._samplers))
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
        """Bounds of the difference between edges: subtracted bounds, and the height of the beat of waves."""
        (low, high), (least, most) = (bounds_of(each, columns, edges) for each in self._tables)
        low, high = low - most, high - least
        one, other = (turning_pairs(each) for each in self._tables)
        if one is not None and other is not None:
            reach = beat(one, other, columns, edges)
            low, high = np.maximum(low, -reach), np.minimum(high, reach)
        return low, high

    def _lines(self, one: Traces, other: Traces) -> tuple[Lines, ...]:
        """The differences of the columns that are curves without steps in both, at the points of either."""
        curves, others, found = smooth_curves(one), smooth_curves(other), []
        first, second = self._tables
        for column in curves.keys() & others.keys():
            x = np.unique(np.concatenate([curves[column][0], others[column][0]]))
            y = heights(first, column, curves[column], x) - heights(second, column, others[column], x)
            found.append(Lines(np.array([column]), x[None], y[None]))
        return tuple(found)


class _BothReadings:
    """The reading of whichever of the two tables are read."""

    def __init__(self, difference: TableDifference) -> None:
        self._difference = difference

    def costs(self, parts: Spans, n_columns: int) -> IntArray:
        costs = np.zeros(len(parts.start), np.int64)
        for each in (self._difference.one.reading, self._difference.other.reading):
            if each is not None:
                costs += each.costs(parts, n_columns)
        return costs

    def cancellable(self, goes_on: Callable[[], bool]) -> TableDifference:
        def stopped(encoding: Encoding) -> Encoding:
            return encoding if encoding.reading is None else encoding.reading.cancellable(goes_on)

        return replace(self._difference, one=stopped(self._difference.one), other=stopped(self._difference.other))


def _order(encoding: Encoding) -> list[list[int]] | None:
    """The columns of the parts of all pairs; None unless all columns are those of pairs."""
    pairs = np.arange(n_whole_pairs(encoding))
    if not len(pairs) or 2 * len(pairs) != encoding.n_columns:
        return None
    return [columns.tolist() for columns in pair_members(encoding, pairs)]


def _part_of_columns(encoding: Encoding) -> IntArray:
    """For each column twice the number of its whole pair, one more for a cosine; -1 without a pair."""
    pairs, found = np.arange(n_whole_pairs(encoding)), np.full(encoding.n_columns, -1)
    for part, columns in enumerate(pair_members(encoding, pairs) if len(pairs) else ()):
        found[columns] = 2 * pairs + part
    return found


def _told(encoding: Encoding) -> list[str]:
    """The encoding's title and parameters as comments."""
    parameters = encoding.parameters()
    given = ", ".join(f"{field.name} = {field.format(parameters[field.name])}" for field in encoding.fields)
    return textwrap.wrap(one_line(f"{encoding.title}: {given}"), 100, initial_indent="# ", subsequent_indent="#   ")
