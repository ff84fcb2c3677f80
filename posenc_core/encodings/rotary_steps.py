"""How an entry of a rotary table comes about: pair, frequency, scaling, angle, cosine or sine, attention factor."""

import decimal
import math
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING

from posenc_core.angles import FloatArray
from posenc_core.derivation import Derivation, Rounded, Step, significant, to_decimals
from posenc_core.exact import angle_of, pi
from posenc_core.fields import BASE
from posenc_core.scalings.base import Digits, times

if TYPE_CHECKING:
    from posenc_core.encodings.rotary import Rotary

_DECIMALS = 8
"""Decimals of an entry; its angle has two more."""

_TINY = Decimal("1e-3")
"""The sine of a smaller angle is shown to six significant digits instead."""

_UNREADABLE = Decimal(10) ** 9
"""From here on an angle is not written out: it is shown less its whole turns."""

_CONTEXT = decimal.Context(prec=60, Emin=-decimal.MAX_EMAX, Emax=decimal.MAX_EMAX)


def rotary_steps(encoding: "Rotary", position: int, column: int) -> Derivation:
    """The derivation of the table's entry in a column."""
    with decimal.localcontext(_CONTEXT):
        return _Entry(encoding, position, *encoding.place(column)).derivation(column)


def rotation_steps(encoding: "Rotary", vector: FloatArray, position: int, column: int) -> Derivation:
    """The derivation of a component of the rotated vector, ``(head_dim,)``."""
    with decimal.localcontext(_CONTEXT):
        symbol = f"y({position}, {column})"
        if column >= encoding.n_columns:
            return _passed_through(symbol, float(vector[column]), column, encoding.n_columns)
        pair, part = encoding.place(column)
        return _Rotation(encoding, vector, position, pair, part).derivation(symbol, column)


@dataclass(frozen=True)
class _Entry:
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
        tiny = self.part == 1 and abs(self._angle) < _TINY
        number = significant(Decimal(value), 6) if tiny else to_decimals(Decimal(value), _DECIMALS)
        sign, latex = ("≈", r"\approx") if self.residue else ("=", "=")
        step = Step(
            f"{self.name}({angle.text}) {sign} {number.text}",
            rf"\{self.name}({angle.latex}) {latex} {number.latex}",
            value,
        )
        if factor == 1 or self.encoding.scaling is None:
            return (step,)
        product = significant(Decimal(factor * value), 6) if tiny else to_decimals(Decimal(factor * value), _DECIMALS)
        digits = Digits(_DECIMALS + 2)
        shown = digits(factor)
        return (
            step,
            *self.encoding.scaling.amplitude_steps(digits),
            Step(
                f"a · {self.name} = {shown.text} · {number.text} ≈ {product.text}",
                rf"a \{self.name}\varphi = {shown.latex} \cdot {number.latex} \approx {product.latex}",
                factor * value,
            ),
        )

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
        return self._angle.remainder_near(2 * pi(60))

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
        return max(7, self._angle.adjusted() + 3 + _DECIMALS) if self._angle and self._readable else 7

    @cached_property
    def _shown_angle(self) -> Rounded:
        return significant(self._angle, self._angle_digits)

    @cached_property
    def _turned_by(self) -> Rounded:
        """The angle whose cosine is written: the angle itself, or less its whole turns."""
        return self._shown_angle if self._readable else to_decimals(self.residue, _DECIMALS + 2)


@dataclass(frozen=True)
class _Rotation:
    encoding: "Rotary"
    vector: FloatArray
    position: int
    pair: int
    part: int

    def derivation(self, symbol: str, column: int) -> Derivation:
        """The entry's two factors, then ``x0 cos - x1 sin`` or ``x0 sin + x1 cos``."""
        entries = [_Entry(self.encoding, self.position, self.pair, part) for part in (0, 1)]
        first, second = self._partners()
        factor = self.encoding.attention_factor
        cosine, sine = (factor * entry.value for entry in entries)
        ones, others = (cosine, -sine) if self.part == 0 else (sine, cosine)
        x0, x1 = (float(self.vector[member]) for member in (first, second))
        value = x0 * ones + x1 * others
        shown = [to_decimals(Decimal(number), _DECIMALS) for number in (x0, ones, x1, abs(others), value)]
        operator = "-" if self.part == 0 else "+"
        names = ("cos φ", "sin φ") if self.part == 0 else ("sin φ", "cos φ")
        scaled = "a · " if factor != 1 else ""
        formula = f"{scaled}(x{first} {names[0]} {operator} x{second} {names[1]})"
        formula_latex = (
            rf"y_{{{column}}} = {'a ' if scaled else ''}(x_{{{first}}} \{names[0][:3]}\varphi {operator}"
            rf" x_{{{second}}} \{names[1][:3]}\varphi)"
        )
        minus = "-" if others < 0 else "+"
        last = Step(
            f"{symbol} = {shown[0].text} · {times(shown[1])} {minus} {shown[2].text} · {shown[3].text}"
            f" ≈ {shown[4].text}",
            rf"{shown[0].latex} \cdot {shown[1].latex} {minus} {shown[2].latex} \cdot {shown[3].latex}"
            rf" \approx {shown[4].latex}",
            value,
        )
        partner = Step(
            f"column {column} is the {('first', 'second')[self.part]} of pair i = {self.pair}, "
            f"columns {first} and {second}",
            f"i = {self.pair}",
            float(self.pair),
        )
        steps = (partner, *entries[0].frequency_steps(), *entries[0].angle_steps())
        values = (*entries[0].value_steps(), *(s for s in entries[1].value_steps() if not _is_factor(s)))
        python = f"print({x0!r} * {ones!r} {'+'} {x1!r} * {others!r})\n"
        return Derivation(symbol, f"{symbol} = {formula}", formula_latex, python, (*steps, *values, last))

    def _partners(self) -> tuple[int, int]:
        if self.encoding.pairing == "interleaved":
            return 2 * self.pair, 2 * self.pair + 1
        return self.pair, self.pair + self.encoding.n_pairs


def _is_factor(step: Step) -> bool:
    return step.text.startswith("attention factor")


def _passed_through(symbol: str, value: float, column: int, rotary_dim: int) -> Derivation:
    text = f"column {column} is not among the first {rotary_dim}, which are rotated: it passes through"
    step = Step(text, f"y_{{{column}}} = x_{{{column}}}", value)
    return Derivation(symbol, f"{symbol} = x{column}", step.latex, f"print({value!r})\n", (step,))
