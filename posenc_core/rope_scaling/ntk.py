"""Another base: NTK-aware scaling, fixed or growing with the length of the sequence."""

import math
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np

from posenc_core.explain import Dialect, Digits, Snippet, Step
from posenc_core.numerics import FloatArray
from posenc_core.rope_scaling.base import RopeScaling
from posenc_core.rope_scaling.fields import FACTOR, NTK_FACTOR, ORIGINAL_LENGTH, SEQUENCE_LENGTH

_LARGEST_LOGARITHM = 709.78
"""Natural logarithm of the largest float64 number."""


class _ChangedBase(RopeScaling):
    """The frequencies of another base, which slows the slowest pair by ``stretch``."""

    has_base: ClassVar[bool] = True

    factor: float

    @property
    def stretch(self) -> float:
        """The factor that slows the slowest pair, a number of at least 1."""
        return self.factor

    def base(self, rotary_dim: int, rope_theta: float) -> float:
        """``rope_theta * stretch ** (r/(r - 2))``, r = ``rotary_dim``: the new base, a number without unit.

        ValueError for a rotary_dim below 4, and for a base or a power larger than any float64 number.
        """
        if rotary_dim < 4:
            raise ValueError("NTK scaling needs a rotary dimension >= 4 (exponent d/(d-2) is undefined for d = 2)")
        exponent = rotary_dim / (rotary_dim - 2)
        if max(math.log(rope_theta), 0.0) + exponent * math.log(self.stretch) >= _LARGEST_LOGARITHM:
            old = f"base (rope_theta) {rope_theta:g}"
            raise ValueError(f"NTK scaling by {self.stretch:g} of {old} gives a base larger than any number")
        return float(rope_theta * self.stretch**exponent)

    def frequencies(self, unscaled: FloatArray, rope_theta: float) -> FloatArray:
        """``unscaled * stretch ** (-2i/(r - 2))``, float64 ``(n_pairs,)`` in rad per token.

        These are the frequencies of the new base, without its rounding.
        """
        self.base(2 * len(unscaled), rope_theta)
        pairs = np.arange(len(unscaled))
        return np.asarray(unscaled * np.power(self.stretch, -pairs / (len(unscaled) - 1)))

    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
        """The new base, then the frequency with it."""
        rotary_dim = 2 * len(unscaled)
        base, exponent = self.base(rotary_dim, rope_theta), f"{rotary_dim}/{rotary_dim - 2}"
        old, new, stretch = digits(rope_theta), digits(base), digits(self.stretch)
        return (
            digits.step(
                f"base b' = b · s^(r/(r - 2)) = {old.factor} · {stretch.power(f'({exponent})')}",
                rf"b' = {old.latex} \cdot {stretch.power_latex(exponent)}",
                base,
            ),
            digits.frequency_step(
                f"frequency θ' = b'^(-2·{pair}/{rotary_dim}) = {new.power(f'(-{2 * pair}/{rotary_dim})')}",
                rf"\theta'_{{{pair}}} = {new.power_latex(f'-{2 * pair}/{rotary_dim}')}",
                float(self.frequencies(unscaled, rope_theta)[pair]),
            ),
        )


@dataclass(frozen=True)
class NtkAware(_ChangedBase):
    """The frequencies of the base ``rope_theta * factor ** (r/(r - 2))``, r = rotary_dim.

    ``factor``: >= 1. The fastest pair stays, the slowest is slowed exactly by the factor, pair i by
    ``factor ** (2i/(r - 2))``. Source: Peng et al. 2023 (YaRN, arXiv 2309.00071), eq. 14-16.
    """

    factor: Annotated[float, NTK_FACTOR]

    rope_type: ClassVar[str] = "ntk"
    title: ClassVar[str] = "NTK-aware"
    citation: ClassVar[str] = "Peng et al. 2023, YaRN, arXiv 2309.00071, eq. 14-16; bloc97"

    def source(self, scaled: FloatArray, code: Dialect) -> Snippet:
        """The frequencies of the new base, without its rounding."""
        return Snippet((f"frequencies = frequencies * {self.factor!r} ** (-pairs / (r // 2 - 1))",))


@dataclass(frozen=True)
class DynamicNtk(_ChangedBase):
    """The frequencies of a base that grows with the sequence: ``rope_theta * (s l/L - (s - 1)) ** (r/(r - 2))``.

    s = ``factor`` (>= 1), L = ``original_max_position_embeddings``, l = the larger of ``seq_len`` and L, both in
    positions. Up to L nothing changes; with factor 1 it is the paper's s = max(1, l/L). Source: Peng et al. 2023
    (YaRN), section 3.3; Hugging Face rope_type ``dynamic``, whose L is ``max_position_embeddings``.
    """

    factor: Annotated[float, FACTOR]
    original_max_position_embeddings: Annotated[int, ORIGINAL_LENGTH]
    seq_len: Annotated[int, SEQUENCE_LENGTH]

    rope_type: ClassVar[str] = "dynamic"
    title: ClassVar[str] = "Dynamic NTK"
    grows_with_length: ClassVar[bool] = True
    citation: ClassVar[str] = "Peng et al. 2023, YaRN, arXiv 2309.00071, section 3.3; emozilla; transformers"

    def at_length(self, seq_len: int) -> "DynamicNtk":
        """The scaling of a sequence of this length, whose base is another."""
        return replace(self, seq_len=seq_len)

    @property
    def stretch(self) -> float:
        """``s l/L - (s - 1)``, a number of at least 1: how much the slowest pair is slowed."""
        longest = max(self.seq_len, self.original_max_position_embeddings)
        # (l - L)/L instead of l/L, which is exact for l = L
        excess = (longest - self.original_max_position_embeddings) / self.original_max_position_embeddings
        return 1 + self.factor * excess

    def source(self, scaled: FloatArray, code: Dialect) -> Snippet:
        """The stretch, then the frequencies of the new base, without its rounding."""
        return Snippet((
            f"seq_len, original = {self.seq_len}, {self.original_max_position_embeddings}",
            f"stretch = 1 + {self.factor!r} * ((max(seq_len, original) - original) / original)",
            "frequencies = frequencies * stretch ** (-pairs / (r // 2 - 1))",
        ))  # fmt: skip

    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
        """The stretch, the base for it, and the frequency with that base."""
        length, original = self.seq_len, self.original_max_position_embeddings
        longest, factor = max(length, original), digits(self.factor)
        stretch = digits.step(
            f"sequence of {length}, trained on {original}: "
            f"s·l/L - (s - 1) = {factor.text}·{longest}/{original} - ({factor.text} - 1)",
            rf"\frac{{s\,l}}{{L}} - (s - 1) = \frac{{{factor.latex} \cdot {longest}}}{{{original}}}"
            rf" - ({factor.latex} - 1)",
            self.stretch,
        )
        return (stretch, *super().steps(pair, unscaled, rope_theta, digits))
