"""A divisor for each pair, as a GGUF file lists them."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from posenc_core.explain import Dialect, Digits, Snippet, Step, number_list
from posenc_core.fields import Field
from posenc_core.numerics import FloatArray
from posenc_core.rope_scaling.base import RopeScaling
from posenc_core.rope_scaling.fields import ATTENTION_FACTOR, DIVISORS


@dataclass(frozen=True)
class FrequencyDivisors(RopeScaling):
    """``theta_i / divisors[i]``: 1 keeps a pair, 8 makes it eight times slower.

    ``divisors``: n_pairs numbers > 0. Cosines and sines are multiplied by ``attention_factor`` > 0. Source: llama.cpp,
    the tensor ``rope_freqs.weight`` of GGUF files, which ``ggml_rope_ext`` takes as ``freq_factors``; for Llama 3.1 its
    numbers are those of the rule in ``Llama3``.
    """

    divisors: tuple[float, ...]
    attention_factor: float = 1.0

    rope_type: ClassVar[str] = "listed"
    title: ClassVar[str] = "Listed divisors"
    citation: ClassVar[str] = "llama.cpp, rope_freqs.weight"
    FIELDS: ClassVar[tuple[Field, ...]] = (DIVISORS, ATTENTION_FACTOR)

    def frequencies(self, unscaled: FloatArray, rope_theta: float) -> FloatArray:
        """``unscaled`` over the divisors, float64 ``(n_pairs,)`` in rad per token; ValueError for another number."""
        if len(self.divisors) != len(unscaled):
            raise ValueError(f"divisors must list rotary_dim/2 = {len(unscaled)} numbers, got {len(self.divisors)}")
        frequencies: FloatArray = unscaled / np.array(self.divisors)
        return frequencies

    @property
    def amplitude(self) -> float:
        """``attention_factor``."""
        return self.attention_factor

    def source(self, scaled: FloatArray, code: Dialect) -> Snippet:
        """The divisors and the division."""
        lines = Snippet((
            f"divisors = {code.numbers(number_list(self.divisors))}",
            "frequencies = frequencies / divisors",
        ))  # fmt: skip
        return lines + self.amplitude_source(repr(self.attention_factor))

    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
        """One division."""
        theta, divisor = digits(unscaled[pair]), digits(self.divisors[pair])
        return (
            digits.frequency_step(
                f"frequency θ' = θ/divisors[{pair}] = {theta.factor}/{divisor.text}",
                rf"\theta'_{{{pair}}} = \frac{{{theta.latex}}}{{{divisor.latex}}}",
                unscaled[pair] / self.divisors[pair],
            ),
        )
