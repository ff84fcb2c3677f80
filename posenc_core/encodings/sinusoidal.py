"""Sinusoids of geometrically growing wavelength (Vaswani et al. 2017, section 3.5) in the forms that are in use."""

import math
from dataclasses import dataclass
from typing import ClassVar, TypeVar

import numpy as np

from posenc_core.encodings.base import ColumnInfo, Encoding
from posenc_core.encodings.mean_phasors import sinusoid_phasors
from posenc_core.encodings.sinusoid_source import sinusoidal_source
from posenc_core.explain import Derivation, Dialect, Snippet, padding_steps, sinusoidal_steps
from posenc_core.fields import BASE, D_MODEL, OFFSET, ChoiceField, Field, check_picture
from posenc_core.numerics import (
    Complex64Array,
    Float32Array,
    FloatArray,
    Harmonics,
    IntArray,
    Spans,
    Traces,
    geometric_frequencies,
    sinusoid_tile,
    sinusoid_traces,
    sinusoids,
    wrapped_frequencies,
)

Index = TypeVar("Index", int, IntArray)

LAYOUT = ChoiceField(
    name="layout",
    label="&layout",
    help="Where sines and cosines stand: in turns (paper, Annotated Transformer) or in two halves "
    "(tensor2tensor, fairseq, Marian). The numbers are the same, permuted.",
    default="interleaved",
    choices=(
        ("interleaved", "sin, cos, sin, cos, ..."),
        ("concatenated", "all sines, then all cosines"),
    ),
)

SPACING = ChoiceField(
    name="spacing",
    label="s&pacing",
    help="Exponent of the base for pair i: 2i/d in the paper; i/(d/2 - 1) in tensor2tensor and fairseq, so that "
    "the last frequency is exactly 1/base; 2(i + 1)/d where a text counts i from 1 without taking 1 off.",
    default="paper",
    choices=(
        ("paper", "base^(-2i/d)"),
        ("tensor2tensor", "base^(-i/(d/2 - 1))"),
        ("one_based", "base^(-2(i+1)/d)"),
    ),
)


@dataclass(frozen=True)
class Sinusoidal(Encoding):
    """Column pairs ``sin(w_i p), cos(w_i p)`` with ``w_i = base ** -exponent(i)`` and p = position + offset.

    Exponent of pair i, counted from 0: ``2i/d_model`` (paper), ``i/(d_model//2 - 1)`` (tensor2tensor, fairseq:
    the last frequency is exactly 1/base), ``2(i + 1)/d_model`` (one_based).

    An odd d_model ends with a lone sine in the paper's spacing (XLM; in halves there is one sine more, Marian) and
    with a column of zeros in tensor2tensor's; the one-based form has none.

    Sources: Vaswani et al. 2017, section 3.5; tensor2tensor ``get_timing_signal_1d``; fairseq
    ``SinusoidalPositionalEmbedding``; Phuong and Hutter 2022 for the one-based form.
    """

    d_model: int
    base: float = 10000.0
    layout: str = "interleaved"
    spacing: str = "paper"
    offset: int = 0

    family: ClassVar[str] = "sinusoidal"
    title: ClassVar[str] = "Sinusoidal"
    summary: ClassVar[str] = "A fixed formula: pairs of sine and cosine, each pair slower than the one before."
    citation: ClassVar[str] = "Vaswani et al. 2017, Attention Is All You Need, section 3.5"
    continuous: ClassVar[bool] = True
    FIELDS: ClassVar[tuple[Field, ...]] = (D_MODEL, BASE, LAYOUT, SPACING, OFFSET)

    def __post_init__(self) -> None:
        """Bounds of each parameter, then what the spacings need of d_model; ValueError with a sentence."""
        super().__post_init__()
        if self.spacing == "tensor2tensor" and self.d_model < 4:
            raise ValueError(
                "the tensor2tensor/fairseq spacing needs d_model >= 4 "
                f"(denominator d_model//2 - 1 is {self.d_model // 2 - 1} for d_model = {self.d_model})"
            )
        if self.spacing == "one_based" and self.d_model % 2:
            raise ValueError(
                f"the 1-based form W_p[2i-1,t], W_p[2i,t] with 0 < i <= d/2 needs an even d_model, got {self.d_model}"
            )

    @property
    def n_columns(self) -> int:
        """``d_model``."""
        return self.d_model

    @property
    def n_pairs(self) -> int:
        """Number of frequencies."""
        return self.d_model // 2 if self.spacing == "tensor2tensor" else (self.d_model + 1) // 2

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on a base that gives an unusual progression, and on an odd d_model."""
        sentences = []
        if self.base == 1:
            sentences.append("base = 1 gives every pair the same frequency (1 rad/token)")
        elif self.base < 1:
            sentences.append(f"base = {BASE.format(self.base)} is below 1: the frequency grows with the pair")
        if self.d_model % 2 and self.spacing == "tensor2tensor":
            sentences.append(f"d_model = {self.d_model} is odd: the last column is padding, zero everywhere")
        elif self.d_model % 2:
            lone = self.d_model - 1 if self.layout == "interleaved" else self.n_pairs - 1
            sentences.append(
                f"d_model = {self.d_model} is odd: column {lone} is a sine without its cosine, "
                "so no shift matrix exists"
            )
        return tuple(sentences)

    def column_blocks(self) -> tuple[tuple[int, int], ...]:
        """One run of interleaved columns or two halves; tensor2tensor's padding belongs to none."""
        stop = 2 * self.n_pairs if self.spacing == "tensor2tensor" else self.d_model
        if self.layout == "interleaved" or stop <= self.n_pairs:
            return ((0, stop),)
        return ((0, self.n_pairs), (self.n_pairs, stop))

    def exponent(self, pair: int) -> tuple[int, int]:
        """Numerator and denominator of the exponent of the base in the pair's wavelength."""
        if self.spacing == "tensor2tensor":
            return pair, self.n_pairs - 1
        return 2 * (pair + (self.spacing == "one_based")), self.d_model

    def frequencies(self) -> FloatArray:
        """Angular frequency of each pair, float64 ``(n_pairs,)`` in rad per token."""
        return geometric_frequencies(self.base, *self._progression())

    def column_info(self, column: int) -> ColumnInfo:
        """The column's pair, its part (``sin``, ``cos`` or ``zero``) and its wavelength in positions."""
        self.check_column(column)
        if column >= 2 * self.n_pairs:
            return ColumnInfo(None, "zero", None)
        pair, quarter = self._place(column)
        numerator, denominator = self.exponent(pair)
        return ColumnInfo(pair, ("sin", "cos")[quarter], 2 * math.pi * self.base ** (numerator / denominator))

    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """Each entry from its own float64 angle, float64 ``(n_positions, n_columns)``; within 1e-8 up to 10**7."""
        harmonics = self.harmonics(columns)
        angles = (positions + self.offset)[:, None] * harmonics.frequencies[harmonics.pairs]
        cosine = harmonics.quarters == 1
        entries = np.sin(angles) + 0.0  # a negative frequency makes position 0 a -0.0
        entries[:, cosine] = np.cos(angles[:, cosine])
        entries[:, harmonics.amplitudes == 0] = 0
        return entries

    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array:
        """The entries by angle addition, float32 ``(n_positions, n_columns)``; within 2e-7 up to 10**7."""
        if len(columns) == 0:
            return np.empty((len(positions), 0), np.float32)
        harmonics = self.harmonics(columns).needed()
        wanted = 2 * harmonics.pairs + harmonics.quarters
        entries = sinusoids(harmonics.frequencies, positions + self.offset, wanted)
        if self.n_columns > 2 * self.n_pairs:  # there is padding
            entries[:, harmonics.amplitudes == 0] = 0
        return entries

    def means(self, rows: Spans, columns: Spans) -> Float32Array:
        """The exact means over each pixel's positions and columns, in closed form."""
        reached = np.arange(columns.start[0], columns.start[-1] + columns.count[-1])
        return sinusoid_tile(self.harmonics(reached), Spans(rows.start + self.offset, rows.count), columns)

    def mean_phasors(self, rows: Spans, pairs: Spans) -> Complex64Array:
        """The exact means of unit vectors, in closed form."""
        return sinusoid_phasors(self._wrapped_frequencies(), Spans(rows.start + self.offset, rows.count), pairs)

    def traces(self, columns: IntArray, positions: tuple[float, float], pixels: int) -> Traces:
        """The columns as continuous curves over a window of positions."""
        first, last = check_picture(self.n_columns, columns, positions, pixels)
        shown = self.harmonics(columns)
        frequencies = self.frequencies()[shown.pairs] * shown.amplitudes
        shifted = (first + self.offset, last + self.offset)
        traces = sinusoid_traces(frequencies, shown.quarters, shown.amplitudes, columns, shifted, pixels)
        return traces.moved(-self.offset)

    def explain(self, position: int, column: int) -> Derivation:
        """How PE(position, column) comes about: pair, exponent, divisor, wavelength, angle, sine or cosine."""
        if column >= 2 * self.n_pairs:
            return padding_steps(position, column, self.d_model)
        pair, quarter = self._place(column)
        return sinusoidal_steps(self, position, column, pair, ("sin", "cos")[quarter])

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """Frequencies, angles, then sines and cosines in their columns."""
        return sinusoidal_source(self, f"(positions + {self.offset})" if self.offset else "positions", code)

    def _wrapped_frequencies(self) -> FloatArray:
        """The frequencies less whole turns, which give the same at whole positions."""
        return wrapped_frequencies(self.base, *self._progression())

    def _progression(self) -> tuple[int, int, int, int]:
        """First, step, number and denominator of the pairs' exponents."""
        (first, denominator), (second, _) = self.exponent(0), self.exponent(1)
        return first, second - first, self.n_pairs, denominator

    def _place(self, columns: Index) -> tuple[Index, Index]:
        """Of each column its pair, and its quarter turns: 0 for a sine, 1 for a cosine."""
        if self.layout == "interleaved":
            pairs, quarters = divmod(columns, 2)
        else:
            quarters, pairs = divmod(columns, self.n_pairs)
        return pairs, quarters

    def harmonics(self, columns: IntArray) -> Harmonics:
        """The columns as sines and cosines of all pairs; tensor2tensor's padding is a sine of amplitude 0."""
        padding = columns >= 2 * self.n_pairs
        pairs, quarters = self._place(np.where(padding, 0, columns))
        return Harmonics(self._wrapped_frequencies(), pairs, quarters, np.where(padding, 0.0, 1.0))
