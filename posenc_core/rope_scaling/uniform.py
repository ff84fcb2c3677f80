"""All frequencies scaled alike: llama.cpp's frequency scale and linear position interpolation."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from posenc_core.explain import Dialect, Digits, Snippet, Step
from posenc_core.numerics import FloatArray
from posenc_core.rope_scaling.base import RopeScaling, divided_step
from posenc_core.rope_scaling.fields import FACTOR, FREQ_SCALE


@dataclass(frozen=True)
class FrequencyScale(RopeScaling):
    """``theta_i * freq_scale``: every angle is multiplied by the same number.

    ``freq_scale``: > 0; below 1 the context grows by 1/freq_scale, above 1 it shrinks. The same as ``Linear`` with
    factor 1/freq_scale. Source: llama.cpp, ``--rope-freq-scale``.
    """

    freq_scale: Annotated[float, FREQ_SCALE]

    rope_type: ClassVar[str] = "freq_scale"
    title: ClassVar[str] = "Frequency scale"
    citation: ClassVar[str] = "llama.cpp, --rope-freq-scale"

    def frequencies(self, unscaled: FloatArray, rope_theta: float) -> FloatArray:
        """``unscaled * freq_scale``, float64 ``(n_pairs,)`` in rad per token."""
        return unscaled * self.freq_scale

    def source(self, scaled: FloatArray, code: Dialect) -> Snippet:
        """One product."""
        return Snippet((f"frequencies = frequencies * {self.freq_scale!r}",))

    def warnings(self, n_pairs: int) -> tuple[str, ...]:
        """A sentence on a scale above 1."""
        if self.freq_scale > 1:
            return (f"freq_scale = {self.freq_scale:g} is above 1: it shortens the context instead of extending it",)
        return ()

    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
        """One multiplication."""
        theta, scale = digits(unscaled[pair]), digits(self.freq_scale)
        return (
            digits.frequency_step(
                f"frequency scaled by {scale.text}: θ' = {scale.text} · {theta.factor}",
                rf"\theta'_{{{pair}}} = {scale.latex} \cdot {theta.latex}",
                self.freq_scale * unscaled[pair],
            ),
        )


@dataclass(frozen=True)
class Linear(RopeScaling):
    """``theta_i / factor``: positions are divided by the factor (position interpolation).

    ``factor``: >= 1; all wavelengths grow by it. Source: Chen et al. 2023,
    arXiv 2306.15595; Hugging Face rope_type ``linear``.
    """

    factor: Annotated[float, FACTOR]

    rope_type: ClassVar[str] = "linear"
    title: ClassVar[str] = "Position interpolation"
    citation: ClassVar[str] = (
        "Chen et al. 2023, Extending Context Window of LLMs via Positional Interpolation, arXiv 2306.15595"
    )

    def frequencies(self, unscaled: FloatArray, rope_theta: float) -> FloatArray:
        """``unscaled / factor``, float64 ``(n_pairs,)`` in rad per token."""
        return unscaled / self.factor

    def source(self, scaled: FloatArray, code: Dialect) -> Snippet:
        """One division."""
        return Snippet((f"frequencies = frequencies / {self.factor!r}",))

    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
        """One division."""
        return (divided_step("frequency interpolated:", pair, float(unscaled[pair]), self.factor, digits),)
