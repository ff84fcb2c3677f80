"""The dot product of sinusoidal rows as a bias, with a factor per head (Chi et al. 2023)."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated, ClassVar

import numpy as np
from msgspec.structs import replace

from posenc_core.encodings.abilities.computed import Computed
from posenc_core.encodings.abilities.effect import HeadBiases
from posenc_core.encodings.abilities.pairs import Pairs
from posenc_core.encodings.abilities.stored_rows import Reading
from posenc_core.encodings.base import Encoding
from posenc_core.encodings.biases.fields import HEADS
from posenc_core.encodings.harmonic import base_warnings
from posenc_core.explain import (
    Derivation,
    Dialect,
    Snippet,
    Step,
    Sum,
    Term,
    bracketed,
    number_step,
    shown_number,
    turn_words,
)
from posenc_core.fields import BASE, D_MODEL
from posenc_core.numerics import (
    Float32Array,
    FloatArray,
    IntArray,
    blocks,
    geometric_frequencies,
    on_all_processors,
    wrapped_frequencies,
)

D_BAR = replace(
    D_MODEL,
    name="d_bar",
    label="&d_bar",
    help="Number of columns of the sinusoids whose dot product is the bias: twice the number of cosines.",
    default=128,
    minimum=2,
    maximum=8192,
)

_ANGLES_AT_A_TIME = 1 << 16
_MOST_COSINES = 4096 * 128
"""The most columns by distances whose biases are all computed for their range."""


@dataclass(frozen=True)
class Sandwich(HeadBiases, Encoding):
    """The bias ``f_h sum_i cos(d b^(-2i/d_bar))``, i = 0..d_bar/2-1, at d = |key - query|; a column is a head.

    ``f_h = n_heads/(8 (h + 1))``, h from 0. The sum is the dot product of two sinusoidal rows of ``d_bar`` columns, an
    even number. Nothing is learned. Sources: Chi et al. 2023 (Dissecting Transformer Length Extrapolation via the Lens
    of Receptive Field Analysis, arXiv 2212.10356), section 5; the factor as in NeMo,
    ``sandwich_relative_position_embedding.py``, which also subtracts ``d_bar/2`` from the sum, a constant of each head
    that no softmax changes with, and counts i from 1.
    """

    d_bar: Annotated[int, D_BAR] = D_BAR.default
    base: Annotated[float, BASE] = BASE.default
    n_heads: Annotated[int, HEADS] = HEADS.default

    family: ClassVar[str] = "sandwich"
    title: ClassVar[str] = "Sandwich"
    in_story: ClassVar[bool] = False
    year: ClassVar[int] = 2022
    summary: ClassVar[str] = "The dot product of two sinusoidal rows as a bias by distance, with a factor per head."
    brief: ClassVar[str] = "sinusoids as bias"
    citation: ClassVar[str] = (
        "Chi et al. 2023, Dissecting Transformer Length Extrapolation via the Lens of Receptive Field Analysis, "
        "arXiv 2212.10356, section 5"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.d_bar % 2:
            raise ValueError(f"d_bar must be even, as each frequency has a sine and a cosine, got {self.d_bar}")
        if not np.isfinite(geometric_frequencies(self.base, 0, 2, self.d_bar // 2, self.d_bar)).all():
            raise ValueError(f"base {self.base:g} is too small: the frequencies are infinite")

    @cached_property
    def sinusoids(self) -> Pairs:
        """The pairs of the sinusoidal rows."""
        n_pairs = self.d_bar // 2
        frequencies = geometric_frequencies(self.base, 0, 2, n_pairs, self.d_bar)
        wrapped = wrapped_frequencies(self.base, 0, 2, n_pairs, self.d_bar)
        return Pairs(frequencies, wrapped, frequencies, self.d_bar, is_interleaved=True)

    def factors(self, columns: IntArray) -> FloatArray:
        """The factor of each head, float64 ``(m,)``."""
        return np.asarray(self.n_heads / (8.0 * (columns + 1)))

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """The smallest and the largest bias; of many distances minus and plus the largest bias at distance 0."""
        largest = self.n_heads * self.d_bar / 16  # that of head 0
        return _ends(self, first, stop) if (stop - first) * self.d_bar <= _MOST_COSINES else (-largest, largest)

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence on an unusual base."""
        return tuple(base_warnings(self.base))

    @property
    def reading(self) -> Reading[Encoding]:
        """The evaluation position by position, slow for many positions."""
        return Computed(self, per_position=self.d_bar / 4)

    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """The biases in float64 ``(n_positions, n_columns)``; each cosine sum is computed once."""
        distances, places = np.unique(np.abs(positions), return_inverse=True)
        sums = _cosine_sums(self.d_bar, self.base, distances.astype(np.int64).tobytes())
        return np.multiply.outer(sums[places], self.factors(columns))

    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array:
        """The biases in float32; sums of cosines at equal steps by angle addition."""
        sums = self.sinusoids.cosine_sums(positions)
        return np.multiply.outer(sums, self.factors(columns)).astype(np.float32)

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """Frequencies, sums of cosines, then the factor of each head."""
        frequencies = code.numbers(repr(self.sinusoids.wrapped.tolist()))
        return Snippet((
            f"frequencies = {frequencies}  # rad per position",
            f"sums = {code.module}.cos({code.real('abs(positions)')}[:, None] * frequencies).sum(1)",
            f"factors = {self.n_heads} / (8 * ({code.counted(str(self.n_heads))} + 1))  # one per head",
            "table = sums[:, None] * factors",
        ))  # fmt: skip

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of the bias: distance, cosines, their sum, and the factor of the head."""
        apart, frequencies = abs(position), self.sinusoids.wrapped
        factor, terms = float(self.factors(np.array([column]))[0]), np.cos(apart * frequencies)

        def written(pair: int) -> Term:
            turn = turn_words(float(frequencies[pair]), apart)
            return f"cos({turn.text})", rf"\cos({turn.latex})", turn

        shown = shown_number(factor)
        start = (Step(f"distance d = |{-position}| = {apart}", rf"d = {apart}", float(apart)),)
        total = Sum("pair", terms, written, f"{shown.text} · Σ cos(w_i · {apart})",
                    rf"{shown.latex} \sum_i \cos({apart}\,w_i)", start)  # fmt: skip
        last = (
            number_step(f"factor of head {column}: {self.n_heads}/(8 · {column + 1})", f"f_{{{column}}}", factor),
            number_step(f"bias {shown.text} · {bracketed(shown_number(total.total).text)}", "b", factor * total.total),
        )
        python = (
            f"import math\n\nfrequencies = {frequencies.tolist()!r}\n"
            f"print({factor!r} * sum(math.cos(w * {apart}) for w in frequencies))\n"
        )
        return total.derivation(f"b({-position}, {column})", rf"b_{{({-position}, {column})}}", python, *last)


@lru_cache(maxsize=4)
def _cosine_sums(d_bar: int, base: float, distances: bytes) -> FloatArray:
    """The sum of cosines at each distance of any head, float64 ``(n_distances,)``; ``distances`` are int64 numbers."""
    apart, frequencies = np.frombuffer(distances, np.int64), Sandwich(d_bar, base).sinusoids.wrapped
    sums = np.empty(len(apart))

    def add(some: slice) -> None:
        sums[some] = np.cos(np.multiply.outer(apart[some], frequencies)).sum(axis=1)

    on_all_processors(add, blocks(len(apart), len(frequencies), _ANGLES_AT_A_TIME))
    return sums


@lru_cache(maxsize=64)
def _ends(table: Sandwich, first: int, stop: int) -> tuple[float, float]:
    """The smallest and the largest bias at the positions first..stop-1; 1 around the value where all are equal."""
    biases = table.values(np.arange(first, stop), np.unique([0, table.n_heads - 1]))
    low, high = float(biases.min()), float(biases.max())
    return (low, high) if low < high else (low - 1, high + 1)
