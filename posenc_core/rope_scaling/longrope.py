"""LongRoPE: a divisor for each pair, from one list for short and another for long sequences."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, ClassVar

import numpy as np

from posenc_core.explain import Dialect, Digits, Snippet, Step, number_list
from posenc_core.fields import optional
from posenc_core.numerics import FloatArray
from posenc_core.rope_scaling.base import RopeScaling, check_one_per_pair, divided_step
from posenc_core.rope_scaling.fields import (
    ATTENTION_FACTOR,
    FACTOR,
    LONG_FACTOR,
    MAXIMUM_LENGTH,
    ORIGINAL_LENGTH_FROM_2,
    SEQUENCE_LENGTH,
    SHORT_FACTOR,
)


@dataclass(frozen=True)
class LongRope(RopeScaling):
    """``theta_i / long_factor[i]`` for sequences longer than L, ``theta_i / short_factor[i]`` for others.

    ``short_factor`` and ``long_factor``: n_pairs numbers > 0 each. L = ``original_max_position_embeddings`` (>= 2) and
    ``seq_len`` are positions; without seq_len the sequence counts as short. Cosines and sines are multiplied by
    ``attention_factor``; if that is None, by sqrt(1 + ln s/ln L) for s > 1, where s is ``factor`` (>= 1) or, without
    it, ``max_position_embeddings``/L. Source: Ding et al. 2024 (LongRoPE, arXiv 2402.13753); Phi-3; Hugging
    Face rope_type ``longrope``, once ``su``.
    """

    short_factor: Annotated[tuple[float, ...], SHORT_FACTOR]
    long_factor: Annotated[tuple[float, ...], LONG_FACTOR]
    original_max_position_embeddings: Annotated[int, ORIGINAL_LENGTH_FROM_2]
    max_position_embeddings: Annotated[int, MAXIMUM_LENGTH]
    factor: Annotated[float | None, optional(FACTOR)] = None
    attention_factor: Annotated[float | None, optional(ATTENTION_FACTOR)] = None
    seq_len: Annotated[int | None, optional(SEQUENCE_LENGTH)] = None

    rope_type: ClassVar[str] = "longrope"
    title: ClassVar[str] = "LongRoPE"
    citation: ClassVar[str] = "Ding et al. 2024, LongRoPE, arXiv 2402.13753; Phi-3"

    def __hash__(self) -> int:
        """The hash of all parameters, kept: cached numbers of each column are looked up by it."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, field.name) for field in self.FIELDS))

    @property
    def is_long(self) -> bool:
        """Whether the sequence is longer than the original length."""
        return self.seq_len is not None and self.seq_len > self.original_max_position_embeddings

    def at_length(self, seq_len: int) -> "LongRope":
        """The scaling of a sequence of this length, which decides on the list."""
        return replace(self, seq_len=seq_len)

    @property
    def divisors(self) -> tuple[float, ...]:
        """The list in use."""
        return self.long_factor if self.is_long else self.short_factor

    @property
    def stretch(self) -> float:
        """Ratio of the contexts: ``factor``, or the quotient of the two lengths."""
        return self.factor or self.max_position_embeddings / self.original_max_position_embeddings

    def frequencies(self, unscaled: FloatArray, rope_theta: float) -> FloatArray:
        """``unscaled`` over the divisors in use, float64 ``(n_pairs,)`` in rad per token."""
        for name, listed in (("short_factor", self.short_factor), ("long_factor", self.long_factor)):
            check_one_per_pair(name, listed, len(unscaled))
        frequencies: FloatArray = unscaled / np.array(self.divisors)
        return frequencies

    def source(self, scaled: FloatArray, code: Dialect) -> Snippet:
        """The list in use, and the attention factor as given or from the two lengths."""
        name = "long_factor" if self.is_long else "short_factor"
        lines = Snippet((
            f"{name} = {code.numbers(number_list(self.divisors))}",
            f"frequencies = frequencies / {name}",
        ))  # fmt: skip
        if self.attention_factor is not None or self.amplitude == 1:
            return lines + self.amplitude_source(repr(self.attention_factor))
        log = f"math.log({self.stretch!r}) / math.log({self.original_max_position_embeddings})"
        return lines + self.amplitude_source(f"math.sqrt(1 + {log})", "import math")

    @property
    def amplitude(self) -> float:
        """``attention_factor``, or ``sqrt(1 + ln s/ln L)``; 1 if nothing is stretched."""
        if self.attention_factor is not None:
            return self.attention_factor
        if self.stretch <= 1:
            return 1.0
        return math.sqrt(1 + math.log(self.stretch) / math.log(self.original_max_position_embeddings))

    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
        """The list in use, then one division."""
        name = "long_factor" if self.is_long else "short_factor"
        original, divisor = self.original_max_position_embeddings, self.divisors[pair]
        length = f"a sequence of {self.seq_len}" if self.seq_len else "a sequence of no given length"
        side = "more than" if self.is_long else "not more than"
        shown, written = digits(divisor), name.replace("_", r"\_")
        chosen = shown.step(
            f"{length} counts as {side} {original} positions: {name}[{pair}]",
            rf"\mathrm{{{written}}}_{{{pair}}}",
            divisor,
        )
        return chosen, divided_step("frequency", pair, float(unscaled[pair]), divisor, digits, f"{name}[{pair}]")

    def amplitude_steps(self, digits: Digits) -> tuple[Step, ...]:
        """The attention factor as given, or from the two lengths."""
        if self.attention_factor is not None or self.amplitude == 1:
            return super().amplitude_steps(digits)
        stretch, original = digits(self.stretch), self.original_max_position_embeddings
        return (
            digits.step(
                f"attention factor a = √(1 + ln s/ln L) = √(1 + ln {stretch.text}/ln {original})",
                rf"a = \sqrt{{1 + \frac{{\ln {stretch.latex}}}{{\ln {original}}}}}",
                self.amplitude,
            ),
        )
