"""How an entry of a sinusoidal table comes about: pair, exponent, divisor, wavelength, angle, sine or cosine.

The numbers are computed in decimal arithmetic and shown with as many digits as the next step needs, so that whoever
computes along from what is written arrives at what is written.
"""

import decimal
import math
import operator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING

from posenc_core.explain.derivation import Derivation, Rounded, Step, significant, to_decimals
from posenc_core.fields import BASE
from posenc_core.numerics import Angle, angle_of, digits_for, pi

if TYPE_CHECKING:
    from posenc_core.encodings import Sinusoidal

_DECIMALS = 8
"""Decimals of an entry, as the papers' examples print them; its angle has two more."""

_WORDS = {"sin": "sine", "cos": "cosine"}

_TINY = Decimal("1e-3")
"""The sine of a smaller angle is shown to six significant digits instead."""

_UNREADABLE = Decimal(10) ** 9
"""From here on an angle is not written out: it is shown less its whole turns."""

_FLOAT64_ANGLE = Decimal(10) ** 6
"""With a base below 1, float64 gets larger angles wrong by more than 1e-8."""

_CONTEXT = decimal.Context(prec=50, Emin=-decimal.MAX_EMAX, Emax=decimal.MAX_EMAX)


def padding_steps(position: int, column: int, d_model: int) -> Derivation:
    """The derivation of tensor2tensor's last column for an odd d_model."""
    symbol = f"PE({position}, {column})"
    text = f"column {column} has no partner in d_model = {d_model}: tensor2tensor pads it with 0"
    latex = f"PE_{{({position}, {column})}} = 0"
    return Derivation(symbol, f"{symbol} = 0", latex, "print(0.0)\n", (Step(text, latex, 0.0),))


def sinusoidal_steps(encoding: "Sinusoidal", position: int, column: int, pair: int, part: str) -> Derivation:
    """The derivation of the ``part`` (``sin`` or ``cos``) of a pair, which stands in ``column``."""
    with decimal.localcontext(_CONTEXT):
        return _Entry(encoding, position, column, pair, part).derivation()


@dataclass(frozen=True)
class _Entry:
    encoding: "Sinusoidal"
    position: int
    column: int
    pair: int
    part: str

    def derivation(self) -> Derivation:
        """The formula, and all steps, the last of which is the entry."""
        p, cell = self._encoded_position(), f"({self.position}, {self.column})"
        bracketed = f"({p})" if self.encoding.offset else p
        power = self._power_latex(self._inserted.replace("·", r" \cdot "))
        return Derivation(
            symbol=f"PE{cell}",
            formula=f"PE{cell} = {self.part}({bracketed} / {self._power(f'({self._inserted})')})",
            formula_latex=rf"PE_{{{cell}}} = \{self.part}\left(\frac{{{p}}}{{{power}}}\right)",
            python=self._python(bracketed),
            steps=(
                self._pair_step(),
                *self._offset_step(p),
                self._exponent_step(),
                self._divisor_step(),
                self._wavelength_step(),
                *self._angle_steps(),
                self._value_step(),
            ),
        )

    def _pair_step(self) -> Step:
        i, j, half = self.pair, self.column, self.encoding.n_pairs
        word = _WORDS[self.part]
        if self.encoding.layout == "interleaved":
            where, how, latex = "odd" if j % 2 else "even", f"{j}//2 = ", rf"\lfloor {j}/2 \rfloor = "
        elif self.part == "sin":
            where, how, latex = f"among the first {half}", "", ""
        else:
            where, how, latex = f"after the first {half}", f"{j} - {half} = ", f"{j} - {half} = "
        return Step(f"column {j} is {where}: the {word} of pair i = {how}{i}", f"i = {latex}{i}", float(i))

    def _encoded_position(self) -> str:
        """The position with its offset, as one writes it above a fraction bar."""
        offset = self.encoding.offset
        return f"{self.position} {'+' if offset > 0 else '-'} {abs(offset)}" if offset else str(self.position)

    def _offset_step(self, written: str) -> tuple[Step, ...]:
        if not self.encoding.offset:
            return ()
        sentence = f"position {self.position} is encoded as p = {written} = {self._p}, because of the offset"
        return (Step(sentence, f"p = {written} = {self._p}", float(self._p)),)

    def _exponent_step(self) -> Step:
        names = {
            "paper": ("2i/d", r"\frac{2i}{d}"),
            "one_based": ("2(i + 1)/d", r"\frac{2(i + 1)}{d}"),
            "tensor2tensor": ("i/(d//2 - 1)", r"\frac{i}{\lfloor d/2 \rfloor - 1}"),
        }
        name, latex = names[self.encoding.spacing]
        above, below = self._inserted.replace("·", r" \cdot ").split("/")
        number = self._exponent
        return Step(
            f"exponent {name} = {self._inserted} {number.sign} {number.text}",
            rf"{latex} = \frac{{{above}}}{{{below}}} {number.sign_latex} {number.latex}",
            operator.truediv(*self.encoding.exponent(self.pair)),
        )

    def _divisor_step(self) -> Step:
        number = self._divisor
        exponent, latex = self._exponent.text, self._exponent.latex
        if not self._exponent.exact:  # a rounded exponent would give another divisor
            exponent, latex = f"({self._inserted})", self._inserted.replace("·", r" \cdot ")
        return Step(
            f"divisor {self._power(exponent)} {number.sign} {number.text}",
            f"{self._power_latex(latex)} {number.sign_latex} {number.latex}",
            float(self._angle.divisor),
        )

    def _wavelength_step(self) -> Step:
        divisor, wavelength = self._divisor, 2 * pi(50) * self._angle.divisor
        number = significant(wavelength, 6)
        return Step(
            f"wavelength 2π · {divisor.text} ≈ {number.text} tokens",
            rf"\lambda = 2\pi \cdot {divisor.latex} \approx {number.latex}",
            float(wavelength),
        )

    def _angle_steps(self) -> tuple[Step, ...]:
        rad, number, divisor = self._angle.rad, self._shown_angle, self._divisor
        degrees, turns = significant(rad * 180 / pi(50), 6), significant(rad / (2 * pi(50)), 6)
        step = Step(
            f"angle {self._p}/{divisor.text} {number.sign} {number.text} rad"
            + (f" {degrees.sign} {degrees.text}° {turns.sign} {turns.text} turns" if self._readable else ""),
            rf"\frac{{{self._p}}}{{{divisor.latex}}} {number.sign_latex} {number.latex}\ \mathrm{{rad}}",
            float(rad),
        )
        if self._readable:
            return (step,)
        rest = self._sine_of
        less_turns = Step(
            f"less whole turns ≈ {rest.text} rad, which has the same {_WORDS[self.part]} "
            "(float64 has too few digits for the angle)",
            rf"{number.latex} - 2\pi n \approx {rest.latex}\ \mathrm{{rad}}",
            float(self._angle.residue),
        )
        return step, less_turns

    def _value_step(self) -> Step:
        residue, angle = float(self._angle.residue), self._sine_of
        value = math.sin(residue) if self.part == "sin" else math.cos(residue)
        exact = Decimal(value)
        tiny = self.part == "sin" and abs(self._angle.rad) < _TINY
        number = significant(exact, 6) if tiny else to_decimals(exact, _DECIMALS)
        sign, latex = ("≈", r"\approx") if residue else ("=", "=")
        return Step(
            f"{self.part}({angle.text}) {sign} {number.text}",
            rf"\{self.part}({angle.latex}) {latex} {number.latex}",
            value,
        )

    def _python(self, p: str) -> str:
        exponent = self._inserted.replace("·", " * ").replace("/", " / ")
        base = BASE.format(self.encoding.base)
        if self.encoding.base >= 1 or abs(self._angle.rad) < _FLOAT64_ANGLE:
            return f"import math\n\nprint(math.{self.part}({p} / {base} ** ({exponent})))\n"
        numerator, denominator = self.encoding.exponent(self.pair)
        with digits_for(self.encoding.base, numerator / denominator) as digits:
            return _DECIMAL_SCRIPT.format(
                digits=digits, p=p, base=base, numerator=numerator, denominator=denominator, part=self.part
            )

    @property
    def _p(self) -> int:
        """The position that is encoded."""
        return self.position + self.encoding.offset

    @property
    def _inserted(self) -> str:
        """The exponent with the numbers put in."""
        numerator, denominator = self.encoding.exponent(self.pair)
        return (
            f"{numerator}/{denominator}"
            if self.encoding.spacing == "tensor2tensor"
            else f"2·{numerator // 2}/{denominator}"
        )

    @cached_property
    def _exponent(self) -> Rounded:
        numerator, denominator = self.encoding.exponent(self.pair)
        exponent = Decimal(numerator) / denominator
        written_out = significant(exponent, 10)
        return written_out if written_out.exact else significant(exponent, 6)

    @cached_property
    def _angle(self) -> Angle:
        return angle_of(self._p, self.encoding.base, *self.encoding.exponent(self.pair))

    @property
    def _readable(self) -> bool:
        return abs(self._angle.rad) < _UNREADABLE

    @cached_property
    def _angle_digits(self) -> int:
        """Digits that give the angle two decimals more than the entry has, unless it is unreadable or tiny."""
        rad = self._angle.rad
        return max(7, rad.adjusted() + 3 + _DECIMALS) if rad and self._readable else 7

    @cached_property
    def _shown_angle(self) -> Rounded:
        return significant(self._angle.rad, self._angle_digits)

    @cached_property
    def _sine_of(self) -> Rounded:
        """The angle whose sine is written: the angle itself, or less its whole turns."""
        return self._shown_angle if self._readable else to_decimals(self._angle.residue, _DECIMALS + 2)

    @cached_property
    def _divisor(self) -> Rounded:
        return significant(self._angle.divisor, self._angle_digits + 1)

    @cached_property
    def _base(self) -> Rounded:
        return significant(Decimal(BASE.format(self.encoding.base)), 17)

    def _power(self, exponent: str) -> str:
        base = self._base.text
        return f"{f'({base})' if 'e' in base else base}^{exponent}"

    def _power_latex(self, exponent: str) -> str:
        base = self._base.latex
        return f"{f'({base})' if '^' in base else base}^{{{exponent}}}"


_DECIMAL_SCRIPT = """\
import math
from decimal import Decimal, getcontext

getcontext().prec = {digits}  # the angle is too large for float64: whole turns are taken off in decimals

pi = term = Decimal(3)  # 6 arcsin(1/2)
k = 0
while term.adjusted() > -{digits}:
    k += 1
    term *= Decimal((2 * k - 1) ** 2) / (8 * k * (2 * k + 1))
    pi += term

angle = Decimal({p}) / Decimal({base}) ** (Decimal({numerator}) / {denominator})
print(math.{part}(angle.remainder_near(2 * pi)))
"""
