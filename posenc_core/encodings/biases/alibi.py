"""A penalty that grows with the distance, with a slope for each head (Press et al. 2022)."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, ClassVar

import numpy as np

from posenc_core.encodings.abilities.effect import HeadBiases
from posenc_core.encodings.abilities.scores import distance_step
from posenc_core.encodings.ramp import Ramp
from posenc_core.explain import Derivation, Dialect, Snippet, Step, bracketed, significant
from posenc_core.fields import N_HEADS
from posenc_core.numerics import FloatArray, IntArray


@dataclass(frozen=True)
class Alibi(HeadBiases, Ramp):
    """The bias ``m_h * distance`` on the logit of a key at ``distance`` = key - query; a column is a head.

    If the number of heads is a power of two, the slopes are ``m_h = 2^(-8 (h + 1)/n_heads)``, h from 0. Otherwise the
    first M heads, M the largest power of two below, have the slopes of M heads, and the others every second slope of
    2M heads: ``m_(M + t) = 2^(-4 (2t + 1)/M)``. A causal model masks keys after the query, at positive distances; the
    numbers there are the formula's, as Bloom and MPT compute them before their mask.

    Source: Press et al. 2022, section 3, and ``get_slopes`` of the authors' code for other numbers of heads.
    """

    n_heads: Annotated[int, N_HEADS]

    family: ClassVar[str] = "alibi"
    title: ClassVar[str] = "ALiBi"
    year: ClassVar[int] = 2021
    summary: ClassVar[str] = "A bias on attention logits that falls linearly with the distance, one slope per head."
    brief: ClassVar[str] = "bias by distance"
    citation: ClassVar[str] = "Press et al. 2022, Train Short, Test Long: Attention with Linear Biases, section 3"

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence on heads whose slopes are out of order."""
        if self.n_heads == self._power:
            return ()
        return (
            f"n_heads = {self.n_heads} is not a power of two: the heads from {self._power} on have slopes "
            f"of {2 * self._power} heads, out of order",
        )

    def exponent(self, head: int) -> tuple[int, int]:
        """Numerator and denominator, both positive, of the negated exponent of 2 in the head's slope."""
        extra = head - self._power
        return (8 * (head + 1), self._power) if extra < 0 else (4 * (2 * extra + 1), self._power)

    def slopes(self, columns: IntArray) -> FloatArray:
        """The slope of each head, float64 ``(m,)``, per position of distance."""
        power, numerators = self._power, 8 * (columns + 1)
        if power < self.n_heads:
            numerators = np.where(columns < power, numerators, 4 * (2 * (columns - power) + 1))
        return np.asarray(2.0 ** (-numerators / power))

    @property
    def step(self) -> float:
        """The smallest slope, from one position to the next."""
        return float(self.slopes(np.arange(self.n_heads)).min())

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """Steps for the slopes of the power of two, for those of the other heads, then the product."""
        power, extra = self._power, self.n_heads - self._power
        lines = [f"exponents = [-8 * (h + 1) / {power} for h in range({power})]"]
        if extra:
            lines.append(f"exponents += [-4 * (2 * t + 1) / {power} for t in range({extra})]  # not a power of two")
        lines.append(f"slopes = {code.numbers('[2.0**exponent for exponent in exponents]')}  # one per head")
        return Snippet((*lines, "table = positions[:, None] * slopes"))

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of the bias: the rule of the head's slope, the slope, times the distance."""
        numerator, denominator = self.exponent(column)
        (slope,) = self.slopes(np.array([column])).tolist()
        shown = significant(Decimal(slope), 10)
        product = significant(Decimal(slope) * position, 10)
        side = ", a later key, which a causal model masks instead" if position > 0 else ""
        apart, distance, power = -position, bracketed(str(-position)), f"2^(-{numerator}/{denominator})"
        power_latex = f"2^{{-{numerator}/{denominator}}}"
        return Derivation(
            symbol=f"bias({apart}, {column})",
            formula=f"bias({apart}, {column}) = -{power} · {distance}",
            formula_latex=rf"b_{{{column}}}({apart}) = -{power_latex} \cdot {distance}",
            python=f"print(0 - 2 ** (-{numerator} / {denominator}) * {distance})\n",
            steps=(
                distance_step(position, side),
                self._rule_step(column),
                shown.step(f"slope {power}", f"m_{{{column}}} = {power_latex}", slope),
                product.step(
                    f"bias -{shown.text} · {distance}", rf"-{shown.latex} \cdot {distance}", position * slope + 0.0
                ),
            ),
        )

    def _rule_step(self, head: int) -> Step:
        """The rule for the exponent."""
        numerator, denominator = self.exponent(head)
        power, extra, value = self._power, head - self._power, -numerator / denominator
        if extra < 0:
            of = "" if power == self.n_heads else f", as if there were M = {power}"
            text = f"head h = {head} of {self.n_heads}{of}: exponent -8(h + 1)/{power} = -{numerator}/{denominator}"
            return Step(text, rf"-\frac{{8 (h + 1)}}{{{power}}} = -\frac{{{numerator}}}{{{denominator}}}", value)
        text = (
            f"head h = {head} of {self.n_heads} is beyond M = {power}, the largest power of two: extra head "
            f"t = {head} - {power} = {extra}, exponent -4(2t + 1)/M = -{numerator}/{denominator}"
        )
        latex = rf"t = {extra}, \quad -\frac{{4 (2t + 1)}}{{{power}}} = -\frac{{{numerator}}}{{{denominator}}}"
        return Step(text, latex, value)

    @property
    def _power(self) -> int:
        """The largest power of two that is at most the number of heads."""
        return 1 << (self.n_heads.bit_length() - 1)
