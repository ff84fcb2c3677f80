"""Derivation of an entry of a rotary table: pair, frequency, scaling, angle, cosine or sine, attention factor."""

import decimal
from abc import abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Protocol

from posenc_core.explain.derivation import Derivation, Digits, Step, bracketed, significant
from posenc_core.explain.harmonic import DECIMAL_CONTEXT, ENTRY_DECIMALS, FLOAT64_ANGLE, HarmonicEntry
from posenc_core.fields import BASE
from posenc_core.numerics import Angle, FloatArray, angle_of, divisor_of, residue_of


class _Scaling(Protocol):
    @property
    def title(self) -> str: ...
    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]: ...
    def amplitude_steps(self, digits: Digits) -> tuple[Step, ...]: ...


class ScaledEntry(HarmonicEntry):
    """An entry whose frequency may be scaled; ``value`` is without the ``attention_factor``."""

    scaling: _Scaling | None
    attention_factor: float

    @abstractmethod
    def frequency_steps(self) -> tuple[Step, ...]:
        """The steps that lead to the pair's frequency."""

    @abstractmethod
    def rotation_angle_steps(self) -> tuple[Step, ...]:
        """The steps of the angle, as part of a rotation."""

    def factor_steps(self) -> tuple[Step, ...]:
        """The attention factor; empty if it is 1."""
        if self.attention_factor == 1 or self.scaling is None:
            return ()
        return self.scaling.amplitude_steps(Digits(ENTRY_DECIMALS + 2))

    def product_steps(self) -> tuple[Step, ...]:
        """The product of the attention factor and the cosine or sine; empty if the factor is 1."""
        if self.attention_factor == 1:
            return ()
        number, entry = self.shown(self.value), self.attention_factor * self.value
        factor, product = Digits(ENTRY_DECIMALS + 2)(self.attention_factor), self.shown(entry)
        sign, latex = ("≈", r"\approx") if entry else ("=", "=")
        return (
            Step(
                f"a · {self.part} = {factor.text} · {bracketed(number.text)} {sign} {product.text}",
                rf"a \{self.part}\varphi = {factor.latex} \cdot {bracketed(number.latex)} {latex} {product.latex}",
                entry,
            ),
        )


@dataclass(frozen=True, eq=False, repr=False)
class RotaryEntry(ScaledEntry):
    """An entry of a rotary table; ``value`` is without the attention factor.

    ``frequency`` is that of the pair in rad per token, ``unscaled`` those of all pairs before ``scaling``;
    ``direction`` is 1, or -1 for the negative angle.
    """

    rope_theta: float
    frequency: float
    unscaled: FloatArray
    scaling: _Scaling | None
    attention_factor: float
    direction: int = 1

    @property
    def turned(self) -> int:
        """The position with the sign of the angle."""
        return self.direction * self.position

    @cached_property
    def angle(self) -> Angle:
        """The exact angle; a scaled frequency is taken as its float64 number."""
        if self.scaling is None:
            return angle_of(self.turned, self.rope_theta, 2 * self.pair, 2 * len(self.unscaled))
        with decimal.localcontext(DECIMAL_CONTEXT):
            return Angle(self.turned * Decimal(self.frequency), residue_of(self.frequency, self.turned))

    def derivation(self, column: int, is_interleaved: bool, head_column: int | None = None) -> Derivation:
        """The formula and all steps; the last step is the entry times the attention factor.

        ``head_column`` is the column's number in the head, if it differs from the number in the table.
        """
        scaled, prime = "a · " if self.attention_factor != 1 else "", "'" if self.scaling else ""
        angle_latex = rf"{self.turned} \cdot \theta{prime}_{{{self.pair}}}"
        with decimal.localcontext(DECIMAL_CONTEXT):
            return Derivation.of_entry(
                "R",
                (self.position, column),
                formula=f"{scaled}{self.part}({self.turned} · θ{prime}_{self.pair})",
                formula_latex=rf"{'a ' if scaled else ''}\{self.part}({angle_latex})",
                python=self._python(),
                steps=(
                    *self._head_steps(column, head_column),
                    self.pair_step(column, len(self.unscaled), is_interleaved, self.part == "sin"),
                    *self.frequency_steps(),
                    *self.rotation_angle_steps(),
                    self.value_step(),
                    *self.factor_steps(),
                    *self.product_steps(),
                ),
            )

    def _head_steps(self, column: int, head_column: int | None) -> tuple[Step, ...]:
        """The step to the head's column; empty if it has the number of the table's column."""
        if head_column is None:
            return ()
        text = f"column {column} of the rotated ones is column {head_column - column} + {column} = {head_column}"
        latex = rf"{head_column - column} + {column} = {head_column}"
        return (Step(f"{text} of the head", latex, float(head_column)),)

    def frequency_steps(self) -> tuple[Step, ...]:
        """The pair's frequency and its scaling."""
        digits, exponent = self._digits, f"{self.pair}/{2 * len(self.unscaled)}"
        base = significant(Decimal(BASE.format(self.rope_theta)), 17)
        first = digits(self._exact).step(
            f"frequency θ = b^(-2i/r) = {base.power(f'(-2·{exponent})')}",
            rf"\theta_{{{self.pair}}} = " + base.power_latex(rf"-2 \cdot {exponent}"),
            float(self.unscaled[self.pair]),
            " rad/token",
        )
        if self.scaling is None:
            return (first,)
        return (first, *self.scaling.steps(self.pair, self.unscaled, self.rope_theta, digits))

    def rotation_angle_steps(self) -> tuple[Step, ...]:
        """The angle, position times frequency; also less its whole turns if it is too large to be readable."""
        frequency = self._digits(self._exact if self.scaling is None else self.frequency)
        latex = rf"\varphi = {self.turned} \cdot {frequency.latex}"
        steps = self.angle_steps(f"angle {self.turned} · {frequency.factor}", latex, frequency)
        if self.direction == 1:
            return steps
        text = f"direction -1: the angle has the opposite sign, so position {self.position} counts as {self.turned}"
        return (Step(text, rf"-({self.position}) = {self.turned}", float(self.turned)), *steps)

    @property
    def _exact(self) -> Decimal:
        """The unscaled frequency, of which float64 has too few digits for large positions."""
        return 1 / divisor_of(self.rope_theta, 2 * self.pair, 2 * len(self.unscaled))

    def _python(self) -> str:
        lines = ["import math", ""]
        if self.rope_theta < 1 or abs(self.angle.rad) > FLOAT64_ANGLE:
            lines.append(
                f"angle = {float(self.angle.residue)!r}  # less whole turns, which float64 has too few digits for"
            )
        elif self.scaling is None:
            exponent = f"(-2 * {self.pair} / {2 * len(self.unscaled)})"
            lines.append(f"angle = {self.turned} * {BASE.format(self.rope_theta)} ** {exponent}")
        else:
            lines.append(f"angle = {self.turned} * {self.frequency!r}  # the frequency after {self.scaling.title}")
        scaled = f"{self.attention_factor!r} * " if self.attention_factor != 1 else ""
        return "\n".join([*lines, f"print({scaled}math.{self.part}(angle))", ""])

    @property
    def _digits(self) -> Digits:
        """Digits of every number before the angle, one more than the angle has."""
        return Digits(self.angle_digits + 1)
