"""A divisor per pair from a list, as in GGUF files."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from posenc_core.explain import Dialect, Digits, Snippet, Step, number_list
from posenc_core.numerics import FloatArray
from posenc_core.rope_scaling.base import RopeScaling, check_one_per_pair, divided_step
from posenc_core.rope_scaling.fields import ATTENTION_FACTOR, DIVISORS


@dataclass(frozen=True)
class FrequencyDivisors(RopeScaling):
    """``theta_i / divisors[i]``: 1 leaves a pair unchanged, 8 makes it eight times slower.

    ``divisors``: n_pairs numbers > 0. Cosines and sines are multiplied by ``attention_factor`` > 0. Source: llama.cpp,
    the tensor ``rope_freqs.weight`` of GGUF files, which the converter computes by the rule of Llama 3.
    """

    divisors: Annotated[tuple[float, ...], DIVISORS]
    attention_factor: Annotated[float, ATTENTION_FACTOR] = 1.0

    rope_type: ClassVar[str] = "listed"
    title: ClassVar[str] = "Listed divisors"
    citation: ClassVar[str] = "llama.cpp, rope_freqs.weight of GGUF files"

    def frequencies(self, unscaled: FloatArray, rope_theta: float) -> FloatArray:
        """``unscaled`` over the divisors, float64 ``(n_pairs,)`` in rad per token."""
        check_one_per_pair(DIVISORS.name, self.divisors, len(unscaled))
        return np.asarray(unscaled / np.array(self.divisors))

    @property
    def amplitude(self) -> float:
        """``attention_factor``."""
        return self.attention_factor

    def source(self, scaled: FloatArray, code: Dialect) -> Snippet:
        """The list, and one division."""
        lines = Snippet((
            f"divisors = {code.numbers(number_list(self.divisors))}",
            "frequencies = frequencies / divisors",
        ))  # fmt: skip
        return lines + self.amplitude_source(repr(self.attention_factor))

    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
        """The pair's divisor, then one division."""
        divisor = self.divisors[pair]
        listed = digits.step(f"divisor of pair {pair}, as listed: divisors[{pair}]", f"f_{{{pair}}}", divisor)
        named = f"{DIVISORS.name}[{pair}]"
        return listed, divided_step("frequency", pair, float(unscaled[pair]), divisor, digits, named)
