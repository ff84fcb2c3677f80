"""Scalings of serving programs and single models: vLLM's NTK, Grok's YaRN, a scaled base, and LeRoPE."""

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from msgspec.structs import replace

from posenc_core.explain import Dialect, Digits, Snippet, Step, bracketed
from posenc_core.fields import NumbersField, RealField, optional
from posenc_core.numerics import FloatArray
from posenc_core.rope_scaling.base import RopeScaling, check_one_per_pair
from posenc_core.rope_scaling.fields import FACTOR, ORIGINAL_LENGTH
from posenc_core.rope_scaling.yarn import Yarn

_LARGEST_LOGARITHM = 709.0
"""About the natural logarithm of the largest float64 number."""

MIXED_B = RealField(
    name="mixed_b",
    label="mixed_&b",
    help="Exponent of the pair's number in Su's mixed NTK; None equals 1.",
    default=0.625,
    above=0.0,
    most=100.0,
    slider=(0.1, 2.0),
)


@dataclass(frozen=True)
class ServedNtk(RopeScaling):
    """``theta_i exp(-ln(factor) ((i + 1)/(r/2))^mixed_b)``, r = rotary_dim; ``mixed_b`` None counts as 1.

    Without ``mixed_b`` it is ``(rope_theta factor)^(-2i/r) factor^(-2/r)``. ``factor``: >= 1, ``mixed_b``: > 0. Even
    pair 0 is slowed, the slowest exactly by the factor. Sources: vLLM, ``ntk_scaling_rope.py``; Su 2023, mixed NTK.
    """

    factor: Annotated[float, FACTOR]
    mixed_b: Annotated[float | None, optional(MIXED_B)] = None

    rope_type: ClassVar[str] = "vllm_ntk"
    title: ClassVar[str] = "NTK of vLLM"
    citation: ClassVar[str] = "vLLM, ntk_scaling_rope.py; Su 2023, mixed NTK"

    def _exponents(self, n_pairs: int) -> FloatArray:
        """``((i + 1)/(r/2))^mixed_b`` of each pair, float64 ``(n_pairs,)``."""
        return np.asarray(((np.arange(n_pairs) + 1) / n_pairs) ** (self.mixed_b or 1.0))

    def frequencies(self, unscaled: FloatArray, rope_theta: float) -> FloatArray:
        """``unscaled`` over a power of the factor, float64 ``(n_pairs,)`` in rad per token."""
        return np.asarray(unscaled * self.factor ** -self._exponents(len(unscaled)))

    def source(self, scaled: FloatArray, code: Dialect) -> Snippet:
        """One power of the factor for each pair."""
        return Snippet(
            (f"frequencies = frequencies * {self.factor!r} ** -(((pairs + 1) / (r / 2)) ** {self.mixed_b or 1.0!r})",)
        )

    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
        """The exponent of the factor, then the quotient."""
        n_pairs, power = len(unscaled), digits(self.mixed_b or 1.0)
        exponent = float(self._exponents(n_pairs)[pair])
        factor, shown = digits(self.factor), digits(exponent)
        return (
            digits.step(
                f"exponent ((i + 1)/(r/2))^{power.factor} = ({pair + 1}/{n_pairs})^{power.factor}",
                rf"e = ({pair + 1}/{n_pairs})^{{{power.latex}}}",
                exponent,
            ),
            digits.frequency_step(
                f"frequency θ' = θ · {factor.power(f'(-{shown.text})')}",
                rf"\theta'_{{{pair}}} = \theta_{{{pair}}} \cdot {factor.power_latex(f'-{shown.latex}')}",
                float(self.frequencies(unscaled, rope_theta)[pair]),
            ),
        )


@dataclass(frozen=True)
class YarnLog(Yarn):
    """YaRN that blends the logarithms of kept and interpolated frequencies: ``theta_i factor^(-ramp)``.

    Parameters and ramp are those of YaRN. Source: Grok 2.5, SGLang and vLLM ``rope_type`` ``yarn_log``.
    """

    rope_type: ClassVar[str] = "yarn_log"
    title: ClassVar[str] = "YaRN of logarithms"
    remark: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    brief: ClassVar[str] = ""
    citation: ClassVar[str] = "Grok 2.5, SGLang, yarn_log; Peng et al. 2023, YaRN, arXiv 2309.00071"

    def frequencies(self, unscaled: FloatArray, rope_theta: float) -> FloatArray:
        """The geometric blend of kept and interpolated, float64 ``(n_pairs,)`` in rad per token."""
        kept = 1 - self._ramp(np.arange(len(unscaled)), len(unscaled), rope_theta)
        return np.asarray(unscaled * self.factor ** (kept - 1))

    def source(self, scaled: FloatArray, code: Dialect) -> Snippet:
        """The ramp of YaRN, and a power of the factor in place of its blend."""
        written = super().source(scaled, code)
        blend = "frequencies = frequencies * factor ** (kept - 1)"
        lines = tuple(blend if line.startswith("frequencies = ") else line for line in written.lines)
        return Snippet(lines, written.imports)

    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
        """The steps of YaRN up to the share, then the geometric blend."""
        steps, factor = super().steps(pair, unscaled, rope_theta, digits), digits(self.factor)
        last = digits.frequency_step(
            f"blend of logarithms θ' = θ · {factor.power('(γ - 1)')}",
            rf"\theta'_{{{pair}}} = \theta_{{{pair}}} \cdot " + factor.power_latex(r"\gamma - 1"),
            float(self.frequencies(unscaled, rope_theta)[pair]),
        )
        return (*steps[:-1], last)


@dataclass(frozen=True)
class ThetaScale(RopeScaling):
    """The frequencies of the base ``rope_theta^(ln(L s/2 pi)/ln(L/2 pi))``, s = ``factor``, L the original length.

    ``factor``: >= 1; L > 2 pi, in positions. Source: Grok 2.5 in SGLang, ``theta_scale``.
    """

    factor: Annotated[float, FACTOR]
    original_max_position_embeddings: Annotated[int, replace(ORIGINAL_LENGTH, minimum=7)]

    rope_type: ClassVar[str] = "theta_scale"
    title: ClassVar[str] = "Scaled base"
    citation: ClassVar[str] = "Grok 2.5, SGLang, theta_scale"
    has_base: ClassVar[bool] = True

    @property
    def exponent(self) -> float:
        """The exponent of the base, a number without unit, >= 1."""
        turns = math.log(self.original_max_position_embeddings / (2 * math.pi))
        return 1 + math.log(self.factor) / turns

    def base(self, rotary_dim: int, rope_theta: float) -> float:
        """The power of ``rope_theta``; ValueError beyond float64."""
        if abs(math.log(rope_theta) * self.exponent) >= _LARGEST_LOGARITHM:
            raise ValueError(f"theta_scale by {self.factor:g} of base (rope_theta) {rope_theta:g} is beyond any number")
        return float(rope_theta**self.exponent)

    def frequencies(self, unscaled: FloatArray, rope_theta: float) -> FloatArray:
        """The unscaled frequencies to the power of the exponent, float64 ``(n_pairs,)`` in rad per token."""
        self.base(2 * len(unscaled), rope_theta)
        return np.asarray(unscaled**self.exponent)

    def source(self, scaled: FloatArray, code: Dialect) -> Snippet:
        """The exponent, then the power."""
        length = self.original_max_position_embeddings
        exponent = f"1 + math.log({self.factor!r}) / math.log({length} / (2 * math.pi))"
        return Snippet((f"frequencies = frequencies ** ({exponent})",), ("import math",))

    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
        """The exponent, the new base, the frequency."""
        length, factor, old = self.original_max_position_embeddings, digits(self.factor), digits(rope_theta)
        base, rotary_dim, exponent = self.base(0, rope_theta), 2 * len(unscaled), digits(self.exponent)
        return (
            digits.step(
                f"exponent ln({length}·{factor.text}/(2π))/ln({length}/(2π))",
                rf"e = \frac{{\ln({length} \cdot {factor.latex}/(2\pi))}}{{\ln({length}/(2\pi))}}",
                self.exponent,
            ),
            digits.step(f"base b' = {old.factor}^{exponent.factor}", rf"b' = ({old.latex})^{{{exponent.latex}}}", base),
            digits.frequency_step(
                f"frequency θ' = b'^(-{2 * pair}/{rotary_dim})",
                rf"\theta'_{{{pair}}} = b'^{{-{2 * pair}/{rotary_dim}}}",
                float(self.frequencies(unscaled, rope_theta)[pair]),
            ),
        )


class AlphasField(NumbersField, frozen=True, kw_only=True):
    """A list of numbers from -100 to 13.8, whose exponentials are below a million; it may be empty."""

    least: int = 0
    lowest: float = -100.0
    highest: float = 13.8
    bounds: ClassVar[str] = "a list of numbers from -100 to 13.8, one per pair, or none for 0"


ALPHA = AlphasField(
    name="lerope_alpha",
    label="&alpha per pair",
    help="Trained logarithm of each pair's factor: 0 leaves a pair unchanged.",
    default=(),
    synonyms="lerope.alpha, rotary_emb.alpha",
)


@dataclass(frozen=True)
class LeRope(Yarn):
    """YaRN's frequencies times ``e^alpha_i``, with a trained ``lerope_alpha`` for each pair; none counts as 0.

    A factor of 1 is LeRoPE without YaRN. Source: transformers, ``modeling_mistral4``, ``rotary_emb.alpha``.
    """

    lerope_alpha: Annotated[tuple[float, ...], ALPHA] = ()

    rope_type: ClassVar[str] = "lerope"
    title: ClassVar[str] = "LeRoPE"
    remark: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    brief: ClassVar[str] = ""
    citation: ClassVar[str] = (
        "Mistral Large 4, transformers, rotary_emb.alpha; Peng et al. 2023, YaRN, arXiv 2309.00071"
    )

    def _alphas(self, n_pairs: int) -> FloatArray:
        """Alpha of each pair, float64 ``(n_pairs,)``; ValueError for a list of another length."""
        if not self.lerope_alpha:
            return np.zeros(n_pairs)
        check_one_per_pair(ALPHA.name, self.lerope_alpha, n_pairs)
        return np.array(self.lerope_alpha)

    def frequencies(self, unscaled: FloatArray, rope_theta: float) -> FloatArray:
        """YaRN's frequencies times the exponentials, float64 ``(n_pairs,)`` in rad per token."""
        return np.asarray(super().frequencies(unscaled, rope_theta) * np.exp(self._alphas(len(unscaled))))

    def source(self, scaled: FloatArray, code: Dialect) -> Snippet:
        """YaRN's lines, then the factors."""
        factors = code.numbers(repr(np.exp(self._alphas(len(scaled))).tolist()))
        written = super().source(scaled, code)
        return Snippet((*written.lines, f"frequencies = frequencies * {factors}  # e^alpha"), written.imports)

    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
        """YaRN's steps, then the factor."""
        alpha = float(self._alphas(len(unscaled))[pair])
        shown = digits(alpha)
        last = digits.frequency_step(
            f"times e^alpha: θ'' = θ' · e^{bracketed(shown.text)}",
            rf"\theta''_{{{pair}}} = \theta'_{{{pair}}} e^{{{shown.latex}}}",
            float(self.frequencies(unscaled, rope_theta)[pair]),
        )
        return (*super().steps(pair, unscaled, rope_theta, digits), last)
