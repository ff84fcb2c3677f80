"""Another base: NTK-aware scaling, fixed or growing with the length of the sequence."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from posenc_core.explain import Dialect, Digits, Snippet, Step
from posenc_core.fields import Field
from posenc_core.numerics import FloatArray
from posenc_core.rope_scaling.base import RopeScaling
from posenc_core.rope_scaling.fields import FACTOR, ORIGINAL_LENGTH, SEQUENCE_LENGTH

_LARGEST_LOGARITHM = 709.78
"""Of the numbers that float64 holds."""


@dataclass(frozen=True)
class NtkAware(RopeScaling):
    """The frequencies of the base ``rope_theta * factor ** (r/(r - 2))``, r = rotary_dim.

    ``factor``: >= 1. The fastest pair stays, the slowest is slowed exactly by the factor, pair i by
    ``factor ** (2i/(r - 2))``. Source: Peng et al. 2023 (YaRN, arXiv 2309.00071), eq. 14-16.
    """

    factor: float

    rope_type: ClassVar[str] = "ntk"
    title: ClassVar[str] = "NTK-aware"
    citation: ClassVar[str] = "Peng et al. 2023, YaRN, eq. 14-16; bloc97"
    FIELDS: ClassVar[tuple[Field, ...]] = (FACTOR,)

    def base(self, rotary_dim: int, rope_theta: float) -> float:
        """The new base, a number without unit; ValueError for a rotary_dim below 4."""
        return changed_base(self.factor, rotary_dim, rope_theta)

    def frequencies(self, unscaled: FloatArray, rope_theta: float) -> FloatArray:
        """``unscaled * factor ** (-2i/(r - 2))``, float64 ``(n_pairs,)`` in rad per token."""
        self.base(2 * len(unscaled), rope_theta)
        return slowed(unscaled, self.factor)

    def source(self, scaled: FloatArray, code: Dialect) -> Snippet:
        """The same as another base, without its rounding."""
        return Snippet((f"frequencies = frequencies * {self.factor!r} ** (-pairs / (r // 2 - 1))",))

    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
        """The new base, then the frequency with it."""
        return _base_steps(self.factor, pair, unscaled, rope_theta, digits)


@dataclass(frozen=True)
class DynamicNtk(RopeScaling):
    """The frequencies of a base that grows with the sequence: ``rope_theta * (s l/L - (s - 1)) ** (r/(r - 2))``.

    s = ``factor`` (>= 1), L = ``original_max_position_embeddings``, l = the larger of ``seq_len`` and L, both in
    positions. Up to L nothing changes; with factor 1 it is the paper's s = max(1, l/L). Source: Peng et al. 2023
    (YaRN), section 3.3; Hugging Face rope_type ``dynamic``, whose L is ``max_position_embeddings``.
    """

    factor: float
    original_max_position_embeddings: int
    seq_len: int

    rope_type: ClassVar[str] = "dynamic"
    title: ClassVar[str] = "Dynamic NTK"
    citation: ClassVar[str] = "Peng et al. 2023, YaRN, section 3.3; emozilla; transformers"
    FIELDS: ClassVar[tuple[Field, ...]] = (FACTOR, ORIGINAL_LENGTH, SEQUENCE_LENGTH)

    @property
    def stretch(self) -> float:
        """``s l/L - (s - 1)``, a number of at least 1: how much the slowest pair is slowed."""
        longest = max(self.seq_len, self.original_max_position_embeddings)
        # (l - L)/L instead of l/L, so that nothing is lost where l is L
        excess = (longest - self.original_max_position_embeddings) / self.original_max_position_embeddings
        return 1 + self.factor * excess

    def base(self, rotary_dim: int, rope_theta: float) -> float:
        """The base for a sequence of ``seq_len``, a number without unit; ValueError for a rotary_dim below 4."""
        return changed_base(self.stretch, rotary_dim, rope_theta)

    def frequencies(self, unscaled: FloatArray, rope_theta: float) -> FloatArray:
        """``unscaled * stretch ** (-2i/(r - 2))``, float64 ``(n_pairs,)`` in rad per token."""
        self.base(2 * len(unscaled), rope_theta)
        return slowed(unscaled, self.stretch)

    def source(self, scaled: FloatArray, code: Dialect) -> Snippet:
        """How far the sequence is stretched, then the same as another base, without its rounding."""
        return Snippet((
            f"seq_len, original = {self.seq_len}, {self.original_max_position_embeddings}",
            f"stretch = 1 + {self.factor!r} * ((max(seq_len, original) - original) / original)",
            "frequencies = frequencies * stretch ** (-pairs / (r // 2 - 1))",
        ))  # fmt: skip

    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
        """How far the sequence is stretched, the base for it, and the frequency with it."""
        length, original = self.seq_len, self.original_max_position_embeddings
        longest, factor = max(length, original), digits(self.factor)
        stretch = digits.step(
            f"sequence of {length}, trained on {original}: "
            f"s·l/L - (s - 1) = {factor.text}·{longest}/{original} - ({factor.text} - 1)",
            rf"\frac{{s\,l}}{{L}} - (s - 1) = \frac{{{factor.latex} \cdot {longest}}}{{{original}}}"
            rf" - ({factor.latex} - 1)",
            self.stretch,
        )
        return (stretch, *_base_steps(self.stretch, pair, unscaled, rope_theta, digits))


def slowed(unscaled: FloatArray, factor: float) -> FloatArray:
    """``unscaled * factor ** (-2i/(r - 2))``, float64 ``(n_pairs,)`` in rad per token.

    The frequencies of the changed base, without its rounding. ValueError for a single pair.
    """
    check_pairs(len(unscaled))
    pairs = np.arange(len(unscaled))
    frequencies: FloatArray = unscaled * np.power(factor, -pairs / (len(unscaled) - 1))
    return frequencies


def changed_base(factor: float, rotary_dim: int, rope_theta: float) -> float:
    """``rope_theta * factor ** (r/(r - 2))``, a number without unit.

    ValueError for r = rotary_dim below 4, and for a base or a power that is larger than any number.
    """
    check_pairs(rotary_dim // 2)
    exponent = rotary_dim / (rotary_dim - 2)
    if max(math.log(rope_theta), 0.0) + exponent * math.log(factor) >= _LARGEST_LOGARITHM:
        raise ValueError(
            f"NTK scaling by {factor:g} of base (rope_theta) {rope_theta:g} gives a base larger than any number"
        )
    return float(rope_theta * factor**exponent)


def check_pairs(n_pairs: int) -> None:
    """ValueError with a sentence for fewer than two pairs."""
    if n_pairs < 2:
        raise ValueError("NTK scaling needs a rotary dimension >= 4 (exponent d/(d-2) is undefined for d = 2)")


def _base_steps(factor: float, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
    rotary_dim = 2 * len(unscaled)
    base = changed_base(factor, rotary_dim, rope_theta)
    old, new, stretch = digits(rope_theta), digits(base), digits(factor)
    return (
        digits.step(
            f"base b' = b · s^(r/(r - 2)) = {old.text} · {stretch.text}^({rotary_dim}/{rotary_dim - 2})",
            rf"b' = {old.latex} \cdot {stretch.latex}^{{{rotary_dim}/{rotary_dim - 2}}}",
            base,
        ),
        digits.step(
            f"frequency θ' = b'^(-2·{pair}/{rotary_dim}) = {new.text}^(-{2 * pair}/{rotary_dim})",
            rf"\theta'_{{{pair}}} = ({new.latex})^{{-{2 * pair}/{rotary_dim}}}",
            float(slowed(unscaled, factor)[pair]),
            " rad/token",
        ),
    )
