"""Fast pairs kept, slow pairs interpolated, a ramp in turns between: the YaRN paper's NTK-by-parts, and Llama 3."""

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from posenc_core.explain import Dialect, Digits, Snippet, Step
from posenc_core.numerics import FloatArray
from posenc_core.rope_scaling.base import RopeScaling, check_ramp, divided_step
from posenc_core.rope_scaling.fields import FACTOR, ORIGINAL_LENGTH, turn_count


@dataclass(frozen=True)
class TurnRamp(RopeScaling):
    """A blend of kept and interpolated frequencies, by the turns of a pair within the original length.

    If both ends of the ramp are equal, nothing is blended: pairs of fewer turns are interpolated, the others are kept.
    A pair of exactly that many turns is kept, by the wavelength comparisons of Meta and transformers, whose blend
    would be 0/0.
    """

    factor: Annotated[float, FACTOR]
    original_max_position_embeddings: Annotated[int, ORIGINAL_LENGTH]

    RAMP: ClassVar[tuple[str, str]]
    """Names of the ramp's ends in turns: pairs below the first are interpolated, pairs above the second are kept."""

    def __post_init__(self) -> None:
        """Bounds of each parameter; ValueError for a ramp that ends before it begins."""
        super().__post_init__()
        low, high = self.RAMP
        check_ramp(high, getattr(self, high), low, getattr(self, low))

    def warnings(self, n_pairs: int) -> tuple[str, ...]:
        """A sentence on an empty ramp."""
        (low, high), (end, _) = self.RAMP, self._ends
        if not self._is_step:
            return ()
        return (
            f"{low} and {high} are both {end:g}: no pair is blended; pairs with fewer turns than that in the "
            "original length are interpolated, the rest are unchanged",
        )

    def frequencies(self, unscaled: FloatArray, rope_theta: float) -> FloatArray:
        """The blend of kept and interpolated, float64 ``(n_pairs,)`` in rad per token."""
        return blended(unscaled, self.factor, self._kept(unscaled))

    def source(self, scaled: FloatArray, code: Dialect) -> Snippet:
        """Turns, the ramp, the blend."""
        (low, high), ends = self.RAMP, self._ends
        step = f"{code.real(f'(turns >= {low})')}  # the ramp is empty: a step"
        return Snippet((
            f"factor, {low}, {high} = {self.factor!r}, {ends[0]!r}, {ends[1]!r}",
            f"turns = {self.original_max_position_embeddings} * frequencies / (2 * math.pi)  # in the original context",
            f"kept = {step if self._is_step else f'((turns - {low}) / ({high} - {low})).clip(0, 1)'}",
            BLEND,
        ), ("import math",))  # fmt: skip

    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
        """Turns, the ramp, the blend."""
        turns = turns_step(float(unscaled[pair]), self.original_max_position_embeddings, digits)
        kept = float(self._kept(unscaled[pair : pair + 1])[0])
        return (
            turns,
            self._ramp_step(turns.value, kept, digits),
            blend_step(pair, float(unscaled[pair]), self.factor, kept, digits),
        )

    def _ramp_step(self, turns: float, kept: float, digits: Digits) -> Step:
        low, high, rho = (digits(number) for number in (*self._ends, turns))
        if self._is_step:
            sign, relation = ("≥", r"\geq") if kept else ("<", "<")
            return digits.step(
                f"share that is kept, 0 below {low.text} turns and 1 from there on: {rho.text} {sign} {low.text}, γ",
                rf"{rho.latex} {relation} {low.latex} \Rightarrow \gamma",
                kept,
            )
        return digits.step(
            f"share that is kept, 0 below {low.text} and 1 above {high.text} turns: "
            f"γ = clamp(({rho.text} - {low.text})/({high.text} - {low.text}), 0, 1)",
            rf"\gamma = \mathrm{{clamp}}\left(\frac{{{rho.latex} - {low.latex}}}"
            rf"{{{high.latex} - {low.latex}}}, 0, 1\right)",
            kept,
        )

    @property
    def _is_step(self) -> bool:
        low, high = self._ends
        return low == high

    @property
    def _ends(self) -> tuple[float, float]:
        low, high = self.RAMP
        return getattr(self, low), getattr(self, high)

    def _kept(self, unscaled: FloatArray) -> FloatArray:
        """The share of each frequency that is kept, ``(n_pairs,)`` from 0 to 1."""
        low, high = self._ends
        turns = self.original_max_position_embeddings * unscaled / (2 * math.pi)
        if self._is_step:
            return (turns >= low).astype(np.float64)
        return np.asarray(np.clip((turns - low) / (high - low), 0.0, 1.0))


_ALPHA = turn_count("alpha", "alp&ha", "Pairs with fewer turns than this in the original length are interpolated.", 1.0)
_BETA = turn_count("beta", "&beta", "Pairs with more turns than this in the original length are unchanged.", 32.0)


@dataclass(frozen=True)
class NtkByParts(TurnRamp):
    """``(1 - g) theta_i / factor + g theta_i``, with g the ramp over the turns of pair i within the original context.

    turns = L theta_i / (2 pi) with L = ``original_max_position_embeddings`` (positions);
    g = clamp((turns - ``alpha``)/(``beta`` - alpha), 0, 1), with 0 < alpha <= beta in turns; ``factor`` >= 1.
    Source: Peng et al. 2023 (YaRN, arXiv 2309.00071), Definition 2, eq. 17-20. The released code has another ramp,
    linear in the pair's index: see ``Yarn``.
    """

    alpha: Annotated[float, _ALPHA] = 1.0
    beta: Annotated[float, _BETA] = 32.0

    rope_type: ClassVar[str] = "ntk_by_parts"
    title: ClassVar[str] = "NTK-by-parts"
    remark: ClassVar[str] = "the paper's"
    citation: ClassVar[str] = "Peng et al. 2023, YaRN, arXiv 2309.00071, Definition 2"
    RAMP: ClassVar[tuple[str, str]] = ("alpha", "beta")


_LOW = turn_count(
    "low_freq_factor", "&low_freq_factor", "Pairs with fewer turns in the original length are interpolated.", 1.0
)
_HIGH = turn_count(
    "high_freq_factor", "&high_freq_factor", "Pairs with more turns in the original length are unchanged.", 4.0
)


@dataclass(frozen=True)
class Llama3(TurnRamp):
    """NTK-by-parts with Llama's names: low_freq_factor and high_freq_factor are alpha and beta, in turns.

    ``factor`` >= 1, ``original_max_position_embeddings`` in positions, 0 < ``low_freq_factor`` <=
    ``high_freq_factor``. Pairs of a wavelength beyond L/low_freq_factor are divided by the factor, those below
    L/high_freq_factor are unchanged. Both are 1 in Llama 4 Scout, where nothing is blended. Source: Meta
    llama-models, ``apply_scaling``; Hugging Face rope_type ``llama3``.
    """

    low_freq_factor: Annotated[float, _LOW] = 1.0
    high_freq_factor: Annotated[float, _HIGH] = 4.0

    rope_type: ClassVar[str] = "llama3"
    title: ClassVar[str] = "Llama 3"
    citation: ClassVar[str] = "llama-models, apply_scaling (Llama 3.1)"
    RAMP: ClassVar[tuple[str, str]] = ("low_freq_factor", "high_freq_factor")


def blended(unscaled: FloatArray, factor: float, kept: FloatArray) -> FloatArray:
    """``(1 - kept) * unscaled/factor + kept * unscaled``, float64 ``(n_pairs,)`` in rad per token."""
    frequencies: FloatArray = (1 - kept) * (unscaled / factor) + kept * unscaled
    return frequencies


BLEND = "frequencies = (1 - kept) * (frequencies / factor) + kept * frequencies"
"""``blended`` as a line of a script."""


def turns_step(theta: float, length: int, digits: Digits) -> Step:
    """The turns of a pair within the original length."""
    frequency = digits(theta)
    return digits.step(
        f"turns in the original {length} positions: L·θ/(2π) = {length} · {frequency.factor}/(2π)",
        rf"\rho = \frac{{L \theta}}{{2\pi}} = \frac{{{length} \cdot {frequency.latex}}}{{2\pi}}",
        length * theta / (2 * math.pi),
    )


def blend_step(pair: int, theta: float, factor: float, kept: float, digits: Digits) -> Step:
    """The blend of the kept and the interpolated frequency."""
    if kept == 0:
        return divided_step("interpolated:", pair, theta, factor, digits)
    value = float(blended(np.array([theta]), factor, np.array([kept]))[0])
    if kept == 1:
        return digits.frequency_step("kept: θ' = θ", rf"\theta'_{{{pair}}} = \theta_{{{pair}}}", value)
    frequency, divisor, share = digits(theta), digits(factor), digits(kept)
    return digits.frequency_step(
        f"blended: θ' = (1 - γ)·θ/s + γ·θ = (1 - {share.text}) · {frequency.factor}/{divisor.text}"
        f" + {share.text} · {frequency.factor}",
        rf"\theta'_{{{pair}}} = (1 - {share.latex}) \frac{{{frequency.latex}}}{{{divisor.latex}}}"
        rf" + {share.latex} \cdot {frequency.latex}",
        value,
    )
