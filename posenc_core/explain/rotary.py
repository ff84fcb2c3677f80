"""How an entry of a rotary table comes about: pair, frequency, scaling, angle, cosine or sine, attention factor."""

import decimal
import math
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING

from posenc_core.explain.derivation import Derivation, Digits, Rounded, Step, significant, times, to_decimals
from posenc_core.fields import BASE
from posenc_core.numerics import angle_of, pi, residue_of

if TYPE_CHECKING:
    from posenc_core.encodings import Rotary

ENTRY_DECIMALS = 8
"""Decimals of an entry; its angle has two more."""

_TINY = Decimal("1e-3")
"""The sine of a smaller angle is shown to six significant digits instead."""

_UNREADABLE = Decimal(10) ** 9
"""From here on an angle is not written out: it is shown less its whole turns."""

DECIMAL_CONTEXT = decimal.Context(prec=60, Emin=-decimal.MAX_EMAX, Emax=decimal.MAX_EMAX)


def rotary_steps(encoding: "Rotary", position: int, column: int) -> Derivation:
    """The derivation of the table's entry in a column."""
    with decimal.localcontext(DECIMAL_CONTEXT):
        return RotaryEntry(encoding, position, *encoding.place(column)).derivation(column)


def as_factor(number: str) -> str:
    """The number as a later factor of a product: with a sign or an exponent in parentheses."""
    return number if number.replace(".", "").isdigit() else f"({number})"


@dataclass(frozen=True)
class RotaryEntry:
    """The cosine (``part`` 0) or sine (1) of a pair at a position, as steps of a derivation."""

    encoding: "Rotary"
    position: int
    pair: int
    part: int

    def derivation(self, column: int) -> Derivation:
        """The formula, and all steps, the last of which is the entry."""
        cell, factor = f"({self.position}, {column})", self.encoding.attention_factor
        scaled = "a · " if factor != 1 else ""
        theta = "θ'" if self.encoding.scaling else "θ"
        latex_theta = rf"\theta{chr(39) if self.encoding.scaling else ''}_{{{self.pair}}}"
        return Derivation(
            symbol=f"R{cell}",
            formula=f"R{cell} = {scaled}{self.name}({self.position} · {theta}_{self.pair})",
            formula_latex=rf"R_{{{cell}}} = {'a ' if scaled else ''}\{self.name}({self.position} \cdot {latex_theta})",
            python=self._python(),
            steps=(self._pair_step(column), *self.frequency_steps(), *self.angle_steps(), *self.value_steps()),
        )

    @property
    def name(self) -> str:
        """``cos`` or ``sin``."""
        return ("cos", "sin")[self.part]

    def _pair_step(self, column: int) -> Step:
        i, half = self.pair, self.encoding.n_pairs
        word = ("cosine", "sine")[self.part]
        if self.encoding.pairing == "interleaved":
            where, how, latex = "odd" if self.part else "even", f"{column}//2 = ", rf"\lfloor {column}/2 \rfloor = "
        elif self.part:
            where, how, latex = f"after the first {half}", f"{column} - {half} = ", f"{column} - {half} = "
        else:
            where, how, latex = f"among the first {half}", "", ""
        return Step(f"column {column} is {where}: the {word} of pair i = {how}{i}", f"i = {latex}{i}", float(i))

    def frequency_steps(self) -> tuple[Step, ...]:
        """The pair's frequency, and what the scaling makes of it."""
        unscaled, digits = self.encoding.unscaled_frequencies(), Digits(self._digits)
        base, width = significant(Decimal(BASE.format(self.encoding.rope_theta)), 17), self.encoding.n_columns
        power, power_latex = times(base), f"({base.latex})" if "^" in base.latex else base.latex
        first = digits.step(
            f"frequency θ = b^(-2i/r) = {power}^(-2·{self.pair}/{width})",
            rf"\theta_{{{self.pair}}} = {power_latex}^{{-2 \cdot {self.pair}/{width}}}",
            float(unscaled[self.pair]),
            " rad/token",
        )
        if self.encoding.scaling is None:
            return (first,)
        return (first, *self.encoding.scaling.steps(self.pair, unscaled, self.encoding.rope_theta, digits))

    def angle_steps(self) -> tuple[Step, ...]:
        """The angle, and where it is too large to be read, the same less its whole turns."""
        shown, frequency = self._shown_angle, Digits(self._digits)(self._frequency)
        turns = significant(self._angle / (2 * pi(50)), 6)
        step = Step(
            f"angle {self.position} · {times(frequency)} {shown.sign} {shown.text} rad"
            + (f" {turns.sign} {turns.text} turns" if self._readable else ""),
            rf"\varphi = {self.position} \cdot {frequency.latex} {shown.sign_latex} {shown.latex}\ \mathrm{{rad}}",
            float(self._angle),
        )
        if self._readable:
            return (step,)
        rest = self._turned_by
        return step, Step(
            f"less whole turns ≈ {rest.text} rad, which has the same {self.name}",
            rf"\varphi - 2\pi n \approx {rest.latex}\ \mathrm{{rad}}",
            float(self.residue),
        )

    def value_steps(self) -> tuple[Step, ...]:
        """The cosine or sine, and its product with the attention factor where that is not 1."""
        value, angle, factor = self.value, self._turned_by, self.encoding.attention_factor
        number = self._shown(value)
        sign, latex = ("≈", r"\approx") if self.residue else ("=", "=")
        step = Step(
            f"{self.name}({angle.text}) {sign} {number.text}",
            rf"\{self.name}({angle.latex}) {latex} {number.latex}",
            value,
        )
        if factor == 1 or self.encoding.scaling is None:
            return (step,)
        product = self._shown(factor * value)
        digits = Digits(ENTRY_DECIMALS + 2)
        shown = digits(factor)
        return (
            step,
            *self.encoding.scaling.amplitude_steps(digits),
            Step(
                f"a · {self.name} = {shown.text} · {as_factor(number.text)} ≈ {product.text}",
                rf"a \{self.name}\varphi = {shown.latex} \cdot {as_factor(number.latex)} \approx {product.latex}",
                factor * value,
            ),
        )

    def _shown(self, entry: float) -> Rounded:
        """The entry to eight decimals; the sine of a tiny angle to six digits."""
        tiny = self.part == 1 and abs(self._angle) < _TINY
        return significant(Decimal(entry), 6) if tiny else to_decimals(Decimal(entry), ENTRY_DECIMALS)

    def _python(self) -> str:
        theta, factor = float(self._frequency), self.encoding.attention_factor
        lines = ["import math", ""]
        if self.encoding.rope_theta < 1 or not self._readable:
            lines.append(f"angle = {float(self.residue)!r}  # less whole turns, which float64 has too few digits for")
        elif self.encoding.scaling is None:
            base, width = BASE.format(self.encoding.rope_theta), self.encoding.n_columns
            lines.append(f"angle = {self.position} * {base} ** (-2 * {self.pair} / {width})")
        else:
            lines.append(f"angle = {self.position} * {theta!r}  # the frequency after {self.encoding.scaling.title}")
        scaled = f"{factor!r} * " if factor != 1 else ""
        return "\n".join([*lines, f"print({scaled}math.{self.name}(angle))", ""])

    @cached_property
    def _frequency(self) -> float:
        return float(self.encoding.frequencies()[self.pair])

    @cached_property
    def value(self) -> float:
        """The cosine or sine, without the attention factor."""
        residue = float(self.residue)
        return math.sin(residue) if self.part else math.cos(residue)

    @cached_property
    def _angle(self) -> Decimal:
        if self.encoding.scaling is None:
            return angle_of(self.position, self.encoding.rope_theta, 2 * self.pair, self.encoding.n_columns).rad
        return self.position * Decimal(self._frequency)

    @cached_property
    def residue(self) -> Decimal:
        """The angle less whole turns, from -pi to pi."""
        if self.encoding.scaling is None:
            return angle_of(self.position, self.encoding.rope_theta, 2 * self.pair, self.encoding.n_columns).residue
        return residue_of(self._frequency, self.position)

    @property
    def _readable(self) -> bool:
        return abs(self._angle) < _UNREADABLE

    @cached_property
    def _digits(self) -> int:
        """Digits of every number before the angle, one more than the angle has."""
        return self._angle_digits + 1

    @cached_property
    def _angle_digits(self) -> int:
        """Digits that give the angle two decimals more than the entry has, unless it is unreadable or tiny."""
        return max(7, self._angle.adjusted() + 3 + ENTRY_DECIMALS) if self._angle and self._readable else 7

    @cached_property
    def _shown_angle(self) -> Rounded:
        return significant(self._angle, self._angle_digits)

    @cached_property
    def _turned_by(self) -> Rounded:
        """The angle whose cosine is written: the angle itself, or less its whole turns."""
        return self._shown_angle if self._readable else to_decimals(self.residue, ENTRY_DECIMALS + 2)
