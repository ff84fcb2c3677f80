"""Tables whose columns are sines and cosines in pairs: values, means, curves and scripts."""

import math
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from posenc_core.encodings.base import ColumnInfo, Encoding
from posenc_core.explain import Dialect, Snippet
from posenc_core.fields import BASE, check_column, check_picture
from posenc_core.numerics import (
    Complex64Array,
    Float32Array,
    FloatArray,
    Harmonics,
    IntArray,
    Spans,
    Traces,
    digits_for,
    sinusoid_phasors,
    sinusoid_tile,
    sinusoid_traces,
    sinusoids,
)

Index = TypeVar("Index", int, IntArray)

_LARGEST_FLOAT32 = float(np.finfo(np.float32).max)
_FLOAT32_AMPLITUDES = (1e-30, 1e30)

_TERM_DIGITS = math.log10(4)
"""Digits that each term of the series for pi adds."""


class HarmonicTable(Encoding):
    """Columns ``amplitude * sin(w_i (p + shift))`` and ``amplitude * cos(w_i (p + shift))``, i = 0..n_pairs-1.

    The two columns of a pair are neighbours (``is_interleaved``), or column i of either half. The last sine may have
    no cosine; columns beyond the pairs are zero. If ``is_reversed`` the angles are ``-w_i (p + shift)``.
    """

    continuous: ClassVar[bool] = True
    PARTS: ClassVar[tuple[str, str]]
    """The parts of a pair, ``sin`` and ``cos``, in the order of its columns."""

    @property
    @abstractmethod
    def n_pairs(self) -> int:
        """Number of frequencies."""

    @property
    @abstractmethod
    def is_interleaved(self) -> bool:
        """Whether the two columns of a pair are neighbours."""

    @property
    def shift(self) -> int:
        """Added to every position."""
        return 0

    @property
    def is_reversed(self) -> bool:
        """Whether the angles have the opposite sign."""
        return False

    @property
    def amplitude(self) -> float:
        """Largest absolute value of a column."""
        return 1.0

    @property
    def fits_float32(self) -> bool:
        """Whether the amplitude is far from the ends of float32."""
        lowest, highest = _FLOAT32_AMPLITUDES
        return lowest <= self.amplitude <= highest

    @abstractmethod
    def wavelength(self, pair: int) -> float:
        """Wavelength of the pair in positions, inf for a pair that does not turn."""

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """Minus and plus the amplitude."""
        return (-self.amplitude, self.amplitude)

    def column_blocks(self) -> tuple[tuple[int, int], ...]:
        """One block of interleaved columns or two halves; padding belongs to none."""
        stop = min(2 * self.n_pairs, self.n_columns)
        if self.is_interleaved or stop <= self.n_pairs:
            return ((0, stop),)
        return ((0, self.n_pairs), (self.n_pairs, stop))

    def place(self, columns: Index) -> tuple[Index, Index]:
        """The pair of each column, and its index in ``PARTS``."""
        if self.is_interleaved:
            pairs, parts = divmod(columns, 2)
        else:
            parts, pairs = divmod(columns, self.n_pairs)
        return pairs, parts

    def column_info(self, column: int) -> ColumnInfo:
        """The column's pair, its part (``sin``, ``cos`` or ``zero``) and its wavelength in positions."""
        check_column(column, self.n_columns)
        if column >= 2 * self.n_pairs:
            return ColumnInfo(None, "zero", None)
        pair, part = self.place(column)
        return ColumnInfo(pair, self.PARTS[part], self.wavelength(pair))

    def harmonics(self, columns: IntArray) -> Harmonics:
        """The columns as sines and cosines of all pairs, of amplitude 1; padding is a sine of amplitude 0."""
        padding = columns >= 2 * self.n_pairs
        pairs, parts = self.place(np.where(padding, 0, columns))
        return Harmonics(self._signed_frequencies(), pairs, parts ^ self._leading, np.where(padding, 0.0, 1.0))

    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """Each entry from its own float64 angle, float64 ``(n_positions, n_columns)``; within 1e-8 up to 10**7."""
        harmonics = self.harmonics(columns)
        angles = (positions + self.shift)[:, None] * harmonics.frequencies[harmonics.pairs]
        cosine = harmonics.quarters == 1
        entries: FloatArray = np.sin(angles) + 0.0  # a negative frequency makes position 0 a -0.0
        entries[:, cosine] = np.cos(angles[:, cosine])
        entries[:, harmonics.amplitudes == 0] = 0
        if self.amplitude != 1:
            entries *= self.amplitude
        return entries

    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array:
        """The entries by angle addition, float32 ``(n_positions, n_columns)``.

        Within 2e-7 of the exact value up to position 10**7, for an amplitude below 4; ValueError for an amplitude
        beyond float32.
        """
        if self.amplitude > _LARGEST_FLOAT32:
            raise ValueError(
                f"float32 ends at {_LARGEST_FLOAT32:.2g}, below the table's amplitude {self.amplitude:.4g}"
            )
        if len(columns) == 0:
            return np.empty((len(positions), 0), np.float32)
        harmonics, cosine_leads = self.harmonics(columns).needed(), self._leading == 1
        # the pairs in the order of their columns, so that the product needs no sorting
        wanted = 2 * harmonics.pairs + (harmonics.quarters ^ self._leading)
        frequencies = -harmonics.frequencies if cosine_leads else harmonics.frequencies
        at_zero = complex(self.amplitude) if cosine_leads else self.amplitude * 1j
        entries = sinusoids(frequencies, positions + self.shift, wanted, at_zero)
        if self.n_columns > 2 * self.n_pairs:
            entries[:, harmonics.amplitudes == 0] = 0
        return entries

    def means(self, rows: Spans, columns: Spans) -> npt.NDArray[np.floating[Any]]:
        """The exact means over each pixel's positions and columns, in closed form."""
        means = sinusoid_tile(self.harmonics(columns.reached()), self._shifted(rows), columns)
        if not self.fits_float32:
            return np.clip(means, -1, 1).astype(np.float64) * self.amplitude  # rounding may have exceeded 1
        if self.amplitude != 1:
            means *= np.float32(self.amplitude)
        return means

    def mean_phasors(self, rows: Spans, pairs: Spans) -> Complex64Array:
        """The exact means of unit vectors, in closed form."""
        return sinusoid_phasors(self._signed_frequencies(), self._shifted(rows), pairs)

    def traces(self, columns: IntArray, positions: tuple[float, float], pixels: int) -> Traces:
        """The columns as continuous curves over a window of positions."""
        first, last = check_picture(self.n_columns, columns, positions, pixels)
        shown = self.harmonics(columns)
        frequencies = self.frequencies()[shown.pairs] * shown.amplitudes
        amplitudes, window = self.amplitude * shown.amplitudes, (first + self.shift, last + self.shift)
        quarters = shown.quarters
        if self.is_reversed:  # -sin(x) is sin(x + pi), while cos(-x) is cos(x)
            quarters = np.where(quarters == 0, 2, quarters)
        return sinusoid_traces(frequencies, quarters, amplitudes, columns, window, pixels).moved(-self.shift)

    @abstractmethod
    def frequencies_source(self, code: Dialect) -> Snippet:
        """Lines of a script that define ``frequencies``, less whole turns, and an ``attention_factor`` other than 1."""

    def table_source(self, positions: str, code: Dialect) -> Snippet:
        """Lines of a script that make ``table`` from ``frequencies`` and the name or term ``positions``."""
        n_pairs, width = self.n_pairs, self.n_columns
        n_second = min(n_pairs, width - n_pairs)
        stop = "" if n_pairs + n_second == width else str(n_pairs + n_second)
        halves = (f":{n_pairs}", f"{n_pairs}:{stop}")
        first, second = (f"0:{stop}:2", f"1:{stop}:2") if self.is_interleaved else halves
        factor = "" if self.amplitude == 1 else "attention_factor * "
        one, other = (f"{factor}{code.module}.{part}" for part in self.PARTS)
        comment = "  # pair i turns by (cos, sin)" if self._leading else ""
        lines = [
            f"angles = {'-' if self.is_reversed else ''}{positions}[:, None] * frequencies",
            f"table = {code.zeros(str(width))}{comment}",
            f"table[:, {first}] = {one}(angles)",
        ]
        if n_second:
            paired = "angles" if n_second == n_pairs else f"angles[:, :{n_second}]"
            lines.append(f"table[:, {second}] = {other}({paired})")
        return Snippet(tuple(lines))

    @property
    def _leading(self) -> int:
        """Quarter turns of the part that stands first: 0 for the sine, 1 for the cosine."""
        return ("sin", "cos").index(self.PARTS[0])

    def _signed_frequencies(self) -> FloatArray:
        """The wrapped frequencies with the sign of the angles, float64 ``(n_pairs,)``."""
        return -self.wrapped_frequencies() if self.is_reversed else self.wrapped_frequencies()

    def _shifted(self, rows: Spans) -> Spans:
        return Spans(rows.start + self.shift, rows.count)


def base_warnings(base: float) -> list[str]:
    """Sentences on a base that gives an unusual progression of wavelengths."""
    if base == 1:
        return ["base = 1 gives every pair the same frequency (1 rad/token)"]
    if base < 1:
        return [f"base = {BASE.format(base)} is below 1: the frequency grows with the pair"]
    return []


def frequency_source(base: float, n_pairs: int, exponent: Callable[[int], tuple[int, int]], code: Dialect) -> Snippet:
    """``pairs`` and their ``frequencies``; ``exponent`` gives a pair's as (numerator, denominator)."""
    (first, denominator), (second, _) = exponent(0), exponent(1)
    pair = _progression("pair" if base < 1 else "pairs", first, second - first)
    if base < 1:
        return _whole_turns_off(base, n_pairs, exponent(n_pairs - 1), f"{pair} / {denominator}", code)
    return Snippet((
        f"base, pairs = {base!r}, {code.counted(str(n_pairs))}",
        f"frequencies = base ** (-{pair} / {denominator})  # rad per position",
    ))  # fmt: skip


def _progression(pair: str, first: int, step: int) -> str:
    """``first + step pair``, where the first is a multiple of the step."""
    counted = f"({pair} + {first // step})" if first else pair
    return counted if step == 1 else f"{step} * {counted}"


def _whole_turns_off(base: float, n_pairs: int, last: tuple[int, int], exponent: str, code: Dialect) -> Snippet:
    """Lines for a base below 1: decimals subtract whole turns, which have more digits than float64 keeps."""
    with digits_for(base, last[0] / last[1]) as digits:
        terms = math.ceil(digits / _TERM_DIGITS) + 10
    return Snippet((
        "# A base below 1 makes many turns a position: whole ones are taken off, in as many digits as they have.",
        "with localcontext() as context:",
        f"    context.prec = {digits}",
        "    half_pi = term = Decimal(3) / 2",
        f"    for k in range(1, {terms}):  # half pi is three times the arcsine of one half",
        "        term *= Decimal((2 * k - 1) ** 2) / (8 * k * (2 * k + 1))",
        "        half_pi += term",
        f"    base, pairs = Decimal({base!r}), [Decimal(pair) for pair in range({n_pairs})]",
        f"    frequencies = [(base ** (-{exponent})).remainder_near(4 * half_pi) for pair in pairs]",
        f"frequencies = {code.numbers('[float(frequency) for frequency in frequencies]')}  # rad per position",
    ), ("from decimal import Decimal, localcontext",))  # fmt: skip
