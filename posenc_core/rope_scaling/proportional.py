"""Only the fastest pairs turn; the others have frequency 0: Gemma 4's full attention."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from msgspec.structs import replace

from posenc_core.explain import Dialect, Digits, Snippet, Step
from posenc_core.numerics import FloatArray
from posenc_core.rope_scaling.base import RopeScaling, divided_step
from posenc_core.rope_scaling.fields import FACTOR, PARTIAL

_FACTOR_OF_ONE = replace(FACTOR, default=1.0)


@dataclass(frozen=True)
class Proportional(RopeScaling):
    """``theta_i / factor`` for the first ``int(partial_rotary_factor * D // 2)`` pairs, 0 for the others.

    ``partial_rotary_factor``: in (0, 1]; ``factor``: >= 1. Unlike in a partial rotation, the denominator of
    the exponent is the whole width D, and the pairs keep their columns. Source: transformers 5,
    ``modeling_rope_utils``, rope_type ``proportional`` (Gemma 4).
    """

    partial_rotary_factor: Annotated[float, PARTIAL]
    factor: Annotated[float, _FACTOR_OF_ONE] = 1.0

    rope_type: ClassVar[str] = "proportional"
    title: ClassVar[str] = "Proportional (p-RoPE)"
    citation: ClassVar[str] = "transformers 5, modeling_rope_utils (Gemma 4)"

    def turning_pairs(self, n_pairs: int) -> int:
        """Number of pairs that turn."""
        return int(self.partial_rotary_factor * 2 * n_pairs // 2)

    def frequencies(self, unscaled: FloatArray, rope_theta: float) -> FloatArray:
        """``unscaled / factor`` of the pairs that turn, then zeros; float64 ``(n_pairs,)`` in rad per token."""
        turning = np.arange(len(unscaled)) < self.turning_pairs(len(unscaled))
        return np.where(turning, unscaled / self.factor, 0.0)

    def source(self, scaled: FloatArray, code: Dialect) -> Snippet:
        """A division, and zeros for the pairs that do not turn."""
        return Snippet((
            f"frequencies = frequencies / {self.factor!r}",
            f"frequencies[{self.turning_pairs(len(scaled))}:] = 0  # these pairs do not turn",
        ))  # fmt: skip

    def warnings(self, n_pairs: int) -> tuple[str, ...]:
        """A sentence on a share too small for one pair."""
        if not self.turning_pairs(n_pairs):
            share = f"{self.partial_rotary_factor:g}"
            return (f"partial_rotary_factor = {share} of {n_pairs} pairs is less than one: nothing is rotated",)
        return ()

    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
        """The number of pairs that turn, and whether this one does."""
        width, turning = 2 * len(unscaled), self.turning_pairs(len(unscaled))
        share = Digits(17)(self.partial_rotary_factor)  # fewer would give another whole number
        counted = Step(
            f"pairs that turn: int({share.text} · {width} // 2) = {turning}",
            rf"n = \lfloor {share.latex} \cdot {width} / 2 \rfloor = {turning}",
            float(turning),
        )
        if pair >= turning:
            still = f"pair {pair} is not among the first {turning}: its frequency is 0"
            return counted, Step(still, rf"\theta'_{{{pair}}} = 0", 0.0)
        return counted, divided_step(f"pair {pair} is among them:", pair, float(unscaled[pair]), self.factor, digits)
