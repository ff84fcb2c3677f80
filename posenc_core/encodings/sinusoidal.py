"""Sinusoids of geometrically growing wavelength (Vaswani et al. 2017, section 3.5) in the forms in use."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, ClassVar

from posenc_core.encodings.abilities.pairs import Pairs
from posenc_core.encodings.harmonic import HarmonicTable, base_warnings, frequency_source
from posenc_core.explain import Derivation, Dialect, SinusoidalEntry, Snippet, padding_steps
from posenc_core.fields import BASE, D_MODEL, OFFSET, ChoiceField
from posenc_core.numerics import IntArray, geometric_frequencies, wrapped_frequencies

LAYOUT = ChoiceField(
    name="layout",
    help="Order of sines and cosines: alternating (paper, Annotated Transformer) or in two halves "
    "(tensor2tensor, fairseq, Marian). The numbers are the same, permuted.",
    default="interleaved",
    choices=(("interleaved", "sin, cos, sin, cos, ..."), ("concatenated", "all sines, then all cosines")),
    titles=("interleaved (paper)", "concatenated (fairseq)"),
)

SPACING = ChoiceField(
    name="spacing",
    label="s&pacing",
    help="Exponent of the base for pair i: 2i/d in the paper; i/(d/2 - 1) in tensor2tensor and fairseq, so that "
    "the last frequency is exactly 1/base; 2(i + 1)/d if a text counts i from 1 without subtracting 1.",
    default="paper",
    choices=(
        ("paper", "base^(-2i/d)"),
        ("tensor2tensor", "base^(-i/(d/2 - 1))"),
        ("one_based", "base^(-2(i+1)/d)"),
    ),
    titles=("paper (2i/d)", "tensor2tensor (fairseq)", "one_based (2(i + 1)/d)"),
)


@dataclass(frozen=True)
class Sinusoidal(HarmonicTable):
    """Column pairs ``sin(w_i p), cos(w_i p)`` with ``w_i = base ** -exponent(i)`` and p = position + offset.

    Exponent of pair i, counted from 0: ``2i/d_model`` (paper), ``i/(d_model//2 - 1)`` (tensor2tensor, fairseq:
    the last frequency is exactly 1/base), ``2(i + 1)/d_model`` (one_based).

    An odd d_model ends with a lone sine in the paper's spacing (XLM; in halves there is one sine more, Marian) and
    with a column of zeros in tensor2tensor's; the one-based form has none.

    Sources: Vaswani et al. 2017, section 3.5; tensor2tensor ``get_timing_signal_1d``; fairseq
    ``SinusoidalPositionalEmbedding``; Phuong and Hutter 2022 for the one-based form.
    """

    d_model: Annotated[int, D_MODEL]
    base: Annotated[float, BASE] = 10000.0
    layout: Annotated[str, LAYOUT] = "interleaved"
    spacing: Annotated[str, SPACING] = "paper"
    offset: Annotated[int, OFFSET] = 0

    family: ClassVar[str] = "sinusoidal"
    title: ClassVar[str] = "Sinusoidal"
    year: ClassVar[int] = 2017
    summary: ClassVar[str] = "A fixed formula: pairs of sine and cosine, each pair slower than the one before."
    brief: ClassVar[str] = "pairs of waves"
    citation: ClassVar[str] = "Vaswani et al. 2017, Attention Is All You Need, section 3.5"
    PARTS: ClassVar[tuple[str, str]] = ("sin", "cos")

    def __post_init__(self) -> None:
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

    @cached_property
    def pairs(self) -> Pairs:
        """The pairs of sines and cosines."""
        n_pairs = self.d_model // 2 if self.spacing == "tensor2tensor" else (self.d_model + 1) // 2
        (first, denominator), (second, _) = self.exponent(0), self.exponent(1)
        progression = (first, second - first, n_pairs, denominator)
        frequencies = geometric_frequencies(self.base, *progression)
        return Pairs(
            frequencies=frequencies,
            wrapped=wrapped_frequencies(self.base, *progression),
            unscaled=frequencies,
            n_columns=self.d_model,
            is_interleaved=self.layout == "interleaved",
            shift=self.offset,
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on an unusual base and on an odd d_model."""
        sentences = base_warnings(self.base)
        if self.d_model % 2 and self.spacing == "tensor2tensor":
            sentences.append(f"d_model = {self.d_model} is odd: the last column is padding, zero everywhere")
        elif self.d_model % 2:
            lone = self.d_model - 1 if self.layout == "interleaved" else self.pairs.n_pairs - 1
            sentences.append(
                f"d_model = {self.d_model} is odd: column {lone} is a sine without its cosine, "
                "so no shift matrix exists"
            )
        return tuple(sentences)

    def in_halves(self) -> "Sinusoidal":
        """The concatenated layout; itself for an odd width, whose lone column would become another pair's."""
        return self._halved

    @cached_property
    def _halved(self) -> "Sinusoidal":
        return self if self.d_model % 2 else replace(self, layout="concatenated")

    def exponent(self, pair: int) -> tuple[int, int]:
        """Numerator and denominator of the exponent of the base in the pair's wavelength."""
        if self.spacing == "tensor2tensor":
            return pair, self.d_model // 2 - 1
        return 2 * (pair + (self.spacing == "one_based")), self.d_model

    def wavelength(self, pair: int) -> float:
        """Wavelength of the pair in positions."""
        numerator, denominator = self.exponent(pair)
        return float(2 * math.pi * self.base ** (numerator / denominator))

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of the entry: pair, exponent, divisor, wavelength, angle, sine or cosine."""
        if column >= 2 * self.pairs.n_pairs:
            return padding_steps(position, column, self.d_model)
        pair, part = self.pairs.place(column)
        powers = (self.base, self.exponent(pair), self.spacing, self.offset)
        entry = SinusoidalEntry(position, pair, self.PARTS[part], *powers)
        return entry.derivation(column, self.pairs.n_pairs, self.pairs.is_interleaved, part == 1)

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """Frequencies, angles, then sines and cosines in their columns."""
        return self.source_of(f"(positions + {self.offset})" if self.offset else "positions", code)

    def source_of(self, positions: str, code: Dialect) -> Snippet:
        """The lines for the shifted positions of an expression of the script."""
        return self.frequencies_source(code) + self.table_source(positions, code)

    def frequencies_source(self, code: Dialect) -> Snippet:
        """Lines of a script that define ``frequencies``, less whole turns."""
        return frequency_source(self.base, self.pairs.n_pairs, self.exponent, code)
