"""YaRN as in its released code: a ramp over the pairs' indices, and an attention factor."""

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from posenc_core.explain import Dialect, Digits, Snippet, Step
from posenc_core.fields import BASE, FlagField, optional
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.rope_scaling.base import RopeScaling, check_ramp
from posenc_core.rope_scaling.by_parts import BLEND, blend_step, blended, turns_step
from posenc_core.rope_scaling.fields import (
    ATTENTION_FACTOR,
    FACTOR,
    MSCALE,
    MSCALE_ALL_DIM,
    ORIGINAL_LENGTH,
    turn_count,
)

_TRUNCATE = FlagField(
    name="truncate",
    help="Round the ends of the ramp to whole pairs, as all models but gpt-oss do.",
    default=True,
)
_BETA_FAST = turn_count(
    "beta_fast", "beta_&fast", "Pairs with more turns in the original length are unchanged.", 32.0,
    "β (YaRN paper), yarn_beta_fast (llama.cpp)",
)  # fmt: skip
_BETA_SLOW = turn_count(
    "beta_slow", "beta_&slow", "Pairs with fewer turns in the original length are interpolated.", 1.0,
    "α (YaRN paper), yarn_beta_slow (llama.cpp)",
)  # fmt: skip

_WIDENED = 0.001
"""Added to the end of a ramp that has no width, as the released code avoids a division by zero."""


@dataclass(frozen=True)
class Yarn(RopeScaling):
    """``(theta_i / factor) * ramp_i + theta_i * (1 - ramp_i)``, with a ramp over the index of the pair.

    ``ramp_i = clamp((i - low)/(high - low), 0, 1)``, where low and high are the indices at which a pair makes
    ``beta_fast`` and ``beta_slow`` turns within L = ``original_max_position_embeddings`` positions, rounded down and
    up unless ``truncate`` is False. If low and high are equal, 0.001 is added to high, as the released code does.
    ``factor`` >= 1, beta_fast >= beta_slow > 0 in turns; both are 1 in Kimi K2, where no pair is blended.

    Cosines and sines are multiplied by ``attention_factor``; if that is None, by 0.1 ln(factor) + 1, or with both
    ``mscale`` and ``mscale_all_dim`` by (0.1 mscale ln(factor) + 1)/(0.1 mscale_all_dim ln(factor) + 1).

    Sources: Peng et al. 2023 (YaRN, arXiv 2309.00071), eq. 22; jquesnelle/yarn; transformers ``modeling_rope_utils``;
    DeepSeek-V3 for the two mscales.
    """

    factor: Annotated[float, FACTOR]
    original_max_position_embeddings: Annotated[int, ORIGINAL_LENGTH]
    beta_fast: Annotated[float, _BETA_FAST] = 32.0
    beta_slow: Annotated[float, _BETA_SLOW] = 1.0
    attention_factor: Annotated[float | None, optional(ATTENTION_FACTOR)] = None
    mscale: Annotated[float | None, optional(MSCALE)] = None
    mscale_all_dim: Annotated[float | None, optional(MSCALE_ALL_DIM)] = None
    truncate: Annotated[bool, _TRUNCATE] = True

    rope_type: ClassVar[str] = "yarn"
    title: ClassVar[str] = "YaRN"
    remark: ClassVar[str] = "the code's ramp"
    brief: ClassVar[str] = "slows only the slow pairs"
    summary: ClassVar[str] = (
        "RoPE with its slow pairs slowed, so that a longer text shows fewer angles beyond training."
    )
    citation: ClassVar[str] = "Peng et al. 2023, YaRN, arXiv 2309.00071, eq. 22; jquesnelle/yarn"

    def __post_init__(self) -> None:
        """Bounds of each parameter; ValueError for a ramp that ends before it begins, or before the first pair."""
        super().__post_init__()
        check_ramp("beta_fast", self.beta_fast, "beta_slow", self.beta_slow)
        if self.original_max_position_embeddings < 2 * math.pi:
            raise ValueError(
                f"original_max_position_embeddings ({self.original_max_position_embeddings}) is shorter than one turn "
                "of the fastest pair (2 pi): the correction range is empty"
            )

    def correction_index(self, turns: float, rotary_dim: int, rope_theta: float) -> float:
        """The index, a real number, of a pair that makes ``turns`` turns: ``r ln(L/(2 pi turns))/(2 ln base)``.

        ValueError for a base of at most 1, whose logarithm cannot be a divisor.
        """
        if rope_theta <= 1:
            raise ValueError(
                "YaRN needs a base (rope_theta) > 1 (its ramp divides by the logarithm of the base), "
                f"got {BASE.format(float(rope_theta))}"
            )
        inverse = self.original_max_position_embeddings / (2 * math.pi * turns)
        if not 0 < inverse < math.inf:
            raise ValueError(f"beta_slow and beta_fast must be numbers of turns that a pair can make, got {turns:g}")
        return rotary_dim * math.log(inverse) / (2 * math.log(rope_theta))

    def correction_range(self, rotary_dim: int, rope_theta: float) -> tuple[float, float]:
        """The ends (low, high) of the ramp, as indices of pairs."""
        low = self.correction_index(self.beta_fast, rotary_dim, rope_theta)
        high = self.correction_index(self.beta_slow, rotary_dim, rope_theta)
        if self.truncate:
            low, high = math.floor(low), math.ceil(high)
        low, high = max(low, 0), min(high, rotary_dim - 1)
        return low, high + _WIDENED if low == high else high

    def frequencies(self, unscaled: FloatArray, rope_theta: float) -> FloatArray:
        """The blend of kept and interpolated, float64 ``(n_pairs,)`` in rad per token."""
        return blended(unscaled, self.factor, 1 - self._ramp(np.arange(len(unscaled)), len(unscaled), rope_theta))

    def source(self, scaled: FloatArray, code: Dialect) -> Snippet:
        """The ends of the ramp, the blend, the attention factor."""
        low, high = f"pair_of({self.beta_fast!r})", f"pair_of({self.beta_slow!r})"
        if self.truncate:
            low, high = f"math.floor({low})", f"math.ceil({high})"
        ramp = Snippet((
            f"factor, original = {self.factor!r}, {self.original_max_position_embeddings}",
            "",
            "",
            "def pair_of(turns):  # that makes this number of turns in the original context, a real number",
            "    return r * math.log(original / (2 * math.pi * turns)) / (2 * math.log(base))",
            "",
            "",
            f"low, high = max({low}, 0), min({high}, r - 1)",
            "high = high + 0.001 if low == high else high  # as the released code avoids a division by zero",
            "kept = 1 - ((pairs - low) / (high - low)).clip(0, 1)",
            BLEND,
        ), ("import math",))  # fmt: skip
        return ramp + self.amplitude_source(self._amplitude_formula)

    @property
    def _amplitude_formula(self) -> str:
        """The attention factor in Python, for a factor above 1."""
        if self.attention_factor is not None:
            return repr(self.attention_factor)
        if self.mscale and self.mscale_all_dim:
            one, other = (f"(0.1 * {each!r} * math.log(factor) + 1)" for each in (self.mscale, self.mscale_all_dim))
            return f"{one} / {other}"
        return "0.1 * math.log(factor) + 1"

    def _ramp(self, pairs: IntArray, n_pairs: int, rope_theta: float) -> FloatArray:
        low, high = self.correction_range(2 * n_pairs, rope_theta)
        ramp: FloatArray = np.clip((pairs - low) / (high - low), 0.0, 1.0)
        return ramp

    @property
    def amplitude(self) -> float:
        """``attention_factor``, or computed from the factor and the two mscales."""
        if self.attention_factor is not None:
            return self.attention_factor
        if self.mscale and self.mscale_all_dim:
            return magnitude(self.factor, self.mscale) / magnitude(self.factor, self.mscale_all_dim)
        return magnitude(self.factor)

    @property
    def softmax_scale_factor(self) -> float:
        """``(0.1 mscale_all_dim ln(factor) + 1) ** 2`` if that mscale is given (DeepSeek), else 1."""
        root = magnitude(self.factor, self.mscale_all_dim) if self.mscale_all_dim else 1.0
        return root * root  # a power would raise OverflowError

    def warnings(self, n_pairs: int) -> tuple[str, ...]:
        """Sentences on an empty ramp, on one before the first pair, and on an mscale that has no effect."""
        sentences = []
        if self.beta_fast == self.beta_slow:
            sentences.append(
                f"beta_fast and beta_slow are both {self.beta_fast:g}: the ramp is empty, at most one pair is blended"
            )
        if self.original_max_position_embeddings < 2 * math.pi * self.beta_slow:
            sentences.append(
                f"original_max_position_embeddings ({self.original_max_position_embeddings}) is shorter than beta_slow "
                f"({self.beta_slow:g}) turns of the fastest pair: the correction range is empty"
            )
        if bool(self.mscale) != bool(self.mscale_all_dim) and self.attention_factor is None:
            one, other = ("mscale", "mscale_all_dim") if self.mscale else ("mscale_all_dim", "mscale")
            sentences.append(
                f"{one} is given without {other}: the attention factor ignores it and is 0.1 ln(factor) + 1"
            )
        return tuple(sentences)

    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
        """Turns, low, high, the ramp, the blend."""
        n_pairs, theta = len(unscaled), float(unscaled[pair])
        low, high = self.correction_range(2 * n_pairs, rope_theta)
        ramp = float(self._ramp(np.array([pair]), n_pairs, rope_theta)[0])
        first, last, share = digits(low), digits(high), digits(ramp)
        return (
            turns_step(theta, self.original_max_position_embeddings, digits),
            self._end_step("low", self.beta_fast, 2 * n_pairs, rope_theta, digits),
            self._end_step("high", self.beta_slow, 2 * n_pairs, rope_theta, digits),
            digits.step(
                f"ramp from pair {first.text} to pair {last.text}: "
                f"clamp(({pair} - {first.text})/({last.text} - {first.text}), 0, 1)",
                rf"\mathrm{{ramp}} = \mathrm{{clamp}}\left(\frac{{{pair} - {first.latex}}}"
                rf"{{{last.latex} - {first.latex}}}, 0, 1\right)",
                ramp,
            ),
            digits.step(f"share that is kept γ = 1 - {share.text}", rf"\gamma = 1 - {share.latex}", 1 - ramp),
            blend_step(pair, theta, self.factor, 1 - ramp, digits),
        )

    def _end_step(self, name: str, turns: float, rotary_dim: int, rope_theta: float, digits: Digits) -> Step:
        """The begin (``low``) or the end (``high``) of the ramp."""
        length, count, base = self.original_max_position_embeddings, digits(turns), digits(rope_theta)
        ends = self.correction_range(rotary_dim, rope_theta)
        end = ends[name == "high"]
        index = digits(self.correction_index(turns, rotary_dim, rope_theta))
        rounding = ("rounded down to " if name == "low" else "rounded up to ") if self.truncate else ""
        shown, noun = digits(end), "turn" if turns == 1 else "turns"
        limit = "at least 0" if name == "low" else f"at most {rotary_dim - 1}"
        widened = name == "high" and end == ends[0] + _WIDENED
        added = f" with {_WIDENED} added, as it would equal low" if widened else ""
        return Step(
            f"{name}, the pair of {count.text} {noun}, {rounding}{shown.text}, {limit}{added}: "
            f"r·ln(L/(2π·{count.text}))/(2 ln b) = "
            f"{rotary_dim}·ln({length}/(2π·{count.text}))/(2 ln {base.text}) {index.sign} {index.text}",
            rf"\mathrm{{{name}}}: \frac{{{rotary_dim} \ln({length}/(2\pi \cdot {count.latex}))}}{{2 \ln {base.latex}}}"
            rf" {index.sign_latex} {index.latex} \to {shown.latex}",
            float(end),
        )

    def amplitude_steps(self, digits: Digits) -> tuple[Step, ...]:
        """The attention factor as given, or computed from the factor and the two mscales."""
        if self.attention_factor is not None:
            return super().amplitude_steps(digits)
        factor = digits(self.factor)
        if not (self.mscale and self.mscale_all_dim):
            text, latex = f"0.1 ln {factor.text} + 1", rf"0.1 \ln {factor.latex} + 1"
        else:
            one, all_dim = digits(self.mscale), digits(self.mscale_all_dim)
            text = f"(0.1·{one.text}·ln {factor.text} + 1)/(0.1·{all_dim.text}·ln {factor.text} + 1)"
            latex = (
                rf"\frac{{0.1 \cdot {one.latex} \ln {factor.latex} + 1}}{{0.1 \cdot {all_dim.latex}"
                rf" \ln {factor.latex} + 1}}"
            )
        return (digits.step(f"attention factor a = {text}", f"a = {latex}", self.amplitude),)


def magnitude(factor: float, mscale: float = 1.0) -> float:
    """``0.1 mscale ln(factor) + 1``, a number without unit; 1 for a factor of at most 1 (YaRN, eq. 22)."""
    return 0.1 * mscale * math.log(factor) + 1 if factor > 1 else 1.0
