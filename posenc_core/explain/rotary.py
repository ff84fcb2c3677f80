"""How an entry of a rotary table comes about: pair, frequency, scaling, angle, cosine or sine, attention factor."""

import decimal
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol, Self

from posenc_core.explain.derivation import Derivation, Digits, Step, bracketed, significant
from posenc_core.explain.harmonic import DECIMAL_CONTEXT, ENTRY_DECIMALS, HarmonicEntry
from posenc_core.fields import BASE
from posenc_core.numerics import FloatArray, angle_of, residue_of


class _Scaling(Protocol):
    @property
    def title(self) -> str: ...
    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]: ...
    def amplitude_steps(self, digits: Digits) -> tuple[Step, ...]: ...


@dataclass(frozen=True)
class RotaryEntry(HarmonicEntry):
    """An entry of a rotary table, without the attention factor: ``frequency`` is the pair's in rad per token.

    ``unscaled`` are the frequencies of all pairs before ``scaling``, which is None for none.
    """

    rope_theta: float
    frequency: float
    unscaled: FloatArray
    scaling: _Scaling | None
    attention_factor: float

    @classmethod
    def of(
        cls, position: int, pair: int, part: str, rope_theta: float, frequency: float, unscaled: FloatArray,
        scaling: _Scaling | None, attention_factor: float,
    ) -> Self:  # fmt: skip
        """The entry with its exact angle; that of a scaled frequency is the float64 number's."""
        with decimal.localcontext(DECIMAL_CONTEXT):
            if scaling is None:
                angle = angle_of(position, rope_theta, 2 * pair, 2 * len(unscaled))
                rad, residue = angle.rad, angle.residue
            else:
                rad, residue = position * Decimal(frequency), residue_of(frequency, position)
        return cls(
            position, pair, part, rad, residue, rope_theta, frequency, unscaled, scaling, attention_factor
        )  # fmt: skip

    def derivation(self, column: int, is_interleaved: bool) -> Derivation:
        """The formula and all steps; the last step is the entry, times the attention factor."""
        cell = f"({self.position}, {column})"
        scaled, prime = "a · " if self.attention_factor != 1 else "", "'" if self.scaling else ""
        angle_latex = rf"{self.position} \cdot \theta{prime}_{{{self.pair}}}"
        with decimal.localcontext(DECIMAL_CONTEXT):
            return Derivation(
                symbol=f"R{cell}",
                formula=f"R{cell} = {scaled}{self.part}({self.position} · θ{prime}_{self.pair})",
                formula_latex=rf"R_{{{cell}}} = {'a ' if scaled else ''}\{self.part}({angle_latex})",
                python=self._python(),
                steps=(
                    self.pair_step(column, len(self.unscaled), is_interleaved, self.part == "sin"),
                    *self.frequency_steps(),
                    *self.angle_steps(),
                    self.value_step(),
                    *self.factor_steps(),
                    *self.product_steps(),
                ),
            )

    def frequency_steps(self) -> tuple[Step, ...]:
        """The pair's frequency, and what the scaling makes of it."""
        digits, exponent = self._digits, f"{self.pair}/{2 * len(self.unscaled)}"
        base = significant(Decimal(BASE.format(self.rope_theta)), 17)
        first = digits.step(
            f"frequency θ = b^(-2i/r) = {base.power(f'(-2·{exponent})')}",
            rf"\theta_{{{self.pair}}} = " + base.power_latex(rf"-2 \cdot {exponent}"),
            float(self.unscaled[self.pair]),
            " rad/token",
        )
        if self.scaling is None:
            return (first,)
        return (first, *self.scaling.steps(self.pair, self.unscaled, self.rope_theta, digits))

    def angle_steps(self) -> tuple[Step, ...]:
        """The angle; if it is too large to be read, also the angle less its whole turns."""
        shown, frequency, turns = self.shown_angle, self._digits(self.frequency), self.turns()
        step = Step(
            f"angle {self.position} · {frequency.factor} {shown.sign} {shown.text} rad"
            + (f" {turns.sign} {turns.text} turns" if self.is_readable else ""),
            rf"\varphi = {self.position} \cdot {frequency.latex} {shown.sign_latex} {shown.latex}\ \mathrm{{rad}}",
            float(self.rad),
        )
        return step, *self.less_turns_steps()

    def factor_steps(self) -> tuple[Step, ...]:
        """How the attention factor comes about; empty if it is 1."""
        if self.attention_factor == 1 or self.scaling is None:
            return ()
        return self.scaling.amplitude_steps(Digits(ENTRY_DECIMALS + 2))

    def product_steps(self) -> tuple[Step, ...]:
        """The product of the attention factor and the cosine or sine; empty if the factor is 1."""
        if self.attention_factor == 1:
            return ()
        number, entry = self.shown(self.value), self.attention_factor * self.value
        factor, product = Digits(ENTRY_DECIMALS + 2)(self.attention_factor), self.shown(entry)
        return (
            Step(
                f"a · {self.part} = {factor.text} · {bracketed(number.text)} ≈ {product.text}",
                rf"a \{self.part}\varphi = {factor.latex} \cdot {bracketed(number.latex)} \approx {product.latex}",
                entry,
            ),
        )

    def _python(self) -> str:
        lines = ["import math", ""]
        if self.rope_theta < 1 or not self.is_readable:
            lines.append(f"angle = {float(self.residue)!r}  # less whole turns, which float64 has too few digits for")
        elif self.scaling is None:
            exponent = f"(-2 * {self.pair} / {2 * len(self.unscaled)})"
            lines.append(f"angle = {self.position} * {BASE.format(self.rope_theta)} ** {exponent}")
        else:
            lines.append(f"angle = {self.position} * {self.frequency!r}  # the frequency after {self.scaling.title}")
        scaled = f"{self.attention_factor!r} * " if self.attention_factor != 1 else ""
        return "\n".join([*lines, f"print({scaled}math.{self.part}(angle))", ""])

    @property
    def _digits(self) -> Digits:
        """Digits of every number before the angle, one more than the angle has."""
        return Digits(self.angle_digits + 1)
