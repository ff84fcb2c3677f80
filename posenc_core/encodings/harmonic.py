"""Tables whose columns are sines and cosines in pairs: values, means, curves and scripts."""

import math
from abc import abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from posenc_core.encodings.abilities.pairs import Pairs
from posenc_core.encodings.abilities.rows import ColumnInfo, Rows
from posenc_core.encodings.abilities.sampler import Sampler
from posenc_core.encodings.base import Encoding
from posenc_core.explain import Dialect, Snippet, template_lines
from posenc_core.fields import BASE, check_column, check_picture
from posenc_core.numerics import (
    Complex64Array,
    Float32Array,
    FloatArray,
    IntArray,
    Spans,
    Traces,
    digits_for,
    moved,
    sinusoid_phasors,
    sinusoid_tile,
    sinusoid_traces,
    sinusoids,
)

_LARGEST_FLOAT32 = float(np.finfo(np.float32).max)
_FLOAT32_AMPLITUDES = (1e-30, 1e30)

_TERM_DIGITS = math.log10(4)
"""Digits that each term of the series for pi adds."""


class HarmonicTable(Encoding):
    """Columns ``amplitude * sin(w_i (p + shift))`` and ``amplitude * cos(w_i (p + shift))`` of its ``pairs``."""

    continuous: ClassVar[bool] = True
    PARTS: ClassVar[tuple[str, str]]
    """The parts of a pair, ``sin`` and ``cos``, in the order of its columns."""

    @cached_property
    @abstractmethod
    def pairs(self) -> Pairs:
        """The pairs of columns."""

    def wavelength(self, pair: int) -> float:
        """Wavelength of the pair in positions, inf for a pair that does not turn."""
        frequency = float(self.pairs.frequencies[pair])
        return 2 * math.pi / frequency if frequency else math.inf

    @property
    def sampler(self) -> "HarmonicSampler":
        """Pictures in closed form."""
        return HarmonicSampler(self, self.pairs)

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """Minus and plus the amplitude."""
        return (-self.pairs.amplitude, self.pairs.amplitude)

    def column_blocks(self) -> tuple[tuple[int, int], ...]:
        """One block of interleaved columns or two halves; padding belongs to none."""
        pairs = self.pairs
        stop = min(2 * pairs.n_pairs, self.n_columns)
        if pairs.is_interleaved or stop <= pairs.n_pairs:
            return ((0, stop),)
        return ((0, pairs.n_pairs), (pairs.n_pairs, stop))

    def column_info(self, column: int) -> ColumnInfo:
        """The column's pair, its part (``sin``, ``cos`` or ``zero``) and its wavelength in positions."""
        pairs = self.pairs
        check_column(column, pairs.n_columns)
        if column >= 2 * pairs.n_pairs:
            return ColumnInfo(None, "zero", None)
        pair, part = pairs.place(column)
        return ColumnInfo(pair, self.PARTS[part], self.wavelength(pair))

    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """Each entry from its own float64 angle, float64 ``(n_positions, n_columns)``; within 1e-8 up to 10**7."""
        pairs, harmonics = self.pairs, self.pairs.harmonics(columns)
        angles = (positions + pairs.shift)[:, None] * harmonics.frequencies[harmonics.pairs]
        cosine = harmonics.quarters == 1
        entries: FloatArray = np.sin(angles) + 0.0  # a negative frequency makes position 0 a -0.0
        entries[:, cosine] = np.cos(angles[:, cosine])
        entries[:, harmonics.amplitudes == 0] = 0
        if pairs.amplitude != 1:
            entries *= pairs.amplitude
        return entries

    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array:
        """The entries by angle addition, float32 ``(n_positions, n_columns)``.

        Within 2e-7 of the exact value up to position 10**7, for an amplitude below 4; ValueError for an amplitude
        beyond float32.
        """
        pairs = self.pairs
        check_single(pairs.amplitude)
        if len(columns) == 0:
            return np.empty((len(positions), 0), np.float32)
        harmonics, cosine_leads = pairs.harmonics(columns).needed(), not pairs.sine_first
        # the pairs in the order of their columns, so that the product needs no sorting
        wanted = 2 * harmonics.pairs + (harmonics.quarters ^ cosine_leads)
        frequencies = -harmonics.frequencies if cosine_leads else harmonics.frequencies
        at_zero = complex(pairs.amplitude) if cosine_leads else pairs.amplitude * 1j
        entries = sinusoids(frequencies, positions + pairs.shift, wanted, at_zero)
        if self.n_columns > 2 * pairs.n_pairs:
            entries[:, harmonics.amplitudes == 0] = 0
        return entries

    def table_source(self, positions: str, code: Dialect) -> Snippet:
        """Lines of a script that make ``table`` from ``frequencies`` and the name or term ``positions``."""
        pairs, width = self.pairs, self.n_columns
        n_pairs = pairs.n_pairs
        n_second = min(n_pairs, width - n_pairs)
        stop = "" if n_pairs + n_second == width else str(n_pairs + n_second)
        halves = (f":{n_pairs}", f"{n_pairs}:{stop}")
        first, second = (f"0:{stop}:2", f"1:{stop}:2") if pairs.is_interleaved else halves
        factor = "" if pairs.amplitude == 1 else "attention_factor * "
        one, other = (f"{factor}{code.module}.{part}" for part in self.PARTS)
        comment = "" if pairs.sine_first else "  # pair i turns by (cos, sin)"
        lines = [
            f"angles = {'-' if pairs.is_reversed else ''}{positions}[:, None] * frequencies",
            f"table = {code.zeros(str(width))}{comment}",
            f"table[:, {first}] = {one}(angles)",
        ]
        if n_second:
            paired = "angles" if n_second == n_pairs else f"angles[:, :{n_second}]"
            lines.append(f"table[:, {second}] = {other}({paired})")
        return Snippet(tuple(lines))


class HarmonicSampler(Sampler):
    """Means, bounds and curves of sines and cosines, in closed form."""

    def __init__(self, table: Rows, pairs: Pairs) -> None:
        super().__init__(table)
        self._pairs = pairs

    @property
    def fits_float32(self) -> bool:
        """Whether the amplitude is far from the ends of float32."""
        lowest, highest = _FLOAT32_AMPLITUDES
        return lowest <= self._pairs.amplitude <= highest

    def means(self, rows: Spans, columns: Spans) -> npt.NDArray[np.floating[Any]]:
        """The exact means over each pixel's positions and columns."""
        pairs = self._pairs
        amplitude = pairs.amplitude if self.fits_float32 else 1.0
        means = sinusoid_tile(pairs.harmonics(columns.reached()), moved(rows, pairs.shift), columns, amplitude)
        if not self.fits_float32:
            return np.clip(means, -1, 1).astype(np.float64) * pairs.amplitude  # rounding may have exceeded 1
        return means

    def mean_phasors(self, rows: Spans, pairs: Spans) -> Complex64Array:
        """The exact means of unit vectors."""
        return sinusoid_phasors(self._pairs.signed, moved(rows, self._pairs.shift), pairs)

    def traces(self, columns: IntArray, positions: tuple[float, float], pixels: int) -> Traces:
        """The columns as continuous curves over a window of positions."""
        first, last = check_picture(self.table.n_columns, columns, positions, pixels)
        pairs = self._pairs
        window = (first + pairs.shift, last + pairs.shift)
        return sinusoid_traces(*pairs.waves(columns), columns, window, pixels).moved(-pairs.shift)


def check_single(amplitude: float) -> None:
    """ValueError with one sentence for an amplitude beyond float32."""
    if amplitude > _LARGEST_FLOAT32:
        raise ValueError(f"float32 ends at {_LARGEST_FLOAT32:.2g}, below the table's amplitude {amplitude:.4g}")


def base_warnings(base: float) -> list[str]:
    """Sentences on a base with an unusual progression of wavelengths."""
    if base == 1:
        return ["base = 1 gives every pair the same frequency (1 rad/token)"]
    if base < 1:
        return [f"base = {BASE.format(base)} is below 1: the frequency grows with the pair"]
    return []


def frequency_source(base: float, n_pairs: int, exponent: Callable[[int], tuple[int, int]], code: Dialect) -> Snippet:
    """``pairs`` and their ``frequencies``; ``exponent`` returns a pair's as (numerator, denominator)."""
    (first, denominator), (second, _) = exponent(0), exponent(1)
    pair = _progression("pair" if base < 1 else "pairs", first, second - first)
    if base < 1:
        return _whole_turns_off(base, n_pairs, exponent(n_pairs - 1), f"{pair} / {denominator}", code)
    return Snippet((
        f"base, pairs = {base!r}, {code.counted(str(n_pairs))}",
        f"frequencies = base ** (-{pair} / {denominator})  # rad per position",
    ))  # fmt: skip


def _progression(pair: str, first: int, step: int) -> str:
    """``first + step pair``, with first a multiple of step."""
    counted = f"({pair} + {first // step})" if first else pair
    return counted if step == 1 else f"{step} * {counted}"


def _whole_turns_off(base: float, n_pairs: int, last: tuple[int, int], exponent: str, code: Dialect) -> Snippet:
    """Lines for a base below 1: decimals subtract whole turns, which have more digits than float64 keeps."""
    with digits_for(base, last[0] / last[1]) as digits:
        terms = math.ceil(digits / _TERM_DIGITS) + 10
    frequencies = code.numbers("[float(frequency) for frequency in frequencies]")
    values = {"digits": digits, "terms": terms, "base": base, "n_pairs": n_pairs, "exponent": exponent}
    lines = template_lines(__file__, "whole_turns", **values, frequencies=frequencies)
    return Snippet(lines, ("from decimal import Decimal, localcontext",))
