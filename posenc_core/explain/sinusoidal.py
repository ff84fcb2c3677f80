"""Derivation of an entry of a sinusoidal table: pair, exponent, divisor, wavelength, angle, sine or cosine.

The numbers are computed in decimal arithmetic. Each is shown with as many digits as the next step needs, so that a
reader who repeats the calculation from the text obtains the same result.
"""

import decimal
import operator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from posenc_core.explain.derivation import Derivation, Rounded, Step, shifted, significant
from posenc_core.explain.harmonic import DECIMAL_CONTEXT, FLOAT64_ANGLE, HarmonicEntry
from posenc_core.explain.script import template_lines
from posenc_core.fields import BASE
from posenc_core.numerics import Angle, angle_of, digits_for, divisor_of, pi

_EXPONENTS = {
    "paper": ("2i/d", r"\frac{2i}{d}"),
    "one_based": ("2(i + 1)/d", r"\frac{2(i + 1)}{d}"),
    "tensor2tensor": ("i/(d//2 - 1)", r"\frac{i}{\lfloor d/2 \rfloor - 1}"),
}


def padding_steps(position: int, column: int, d_model: int) -> Derivation:
    """The derivation of tensor2tensor's last column for an odd d_model."""
    text = f"column {column} has no partner in d_model = {d_model}: tensor2tensor pads it with 0"
    step = Step(text, f"PE_{{({position}, {column})}} = 0", 0.0)
    return Derivation.of_entry("PE", (position, column), "0", "0", "print(0.0)\n", (step,))


@dataclass(frozen=True, eq=False, repr=False)
class SinusoidalEntry(HarmonicEntry):
    """An entry of a sinusoidal table; ``exponent`` is (numerator, denominator), the others are as in ``Sinusoidal``."""

    base: float
    exponent: tuple[int, int]
    spacing: str
    offset: int

    @cached_property
    def angle(self) -> Angle:
        """The exact angle of the encoded position."""
        return angle_of(self._p, self.base, *self.exponent)

    def derivation(self, column: int, n_pairs: int, is_interleaved: bool, is_second: bool) -> Derivation:
        """The formula and all steps; the last step is the entry. Arguments as for ``pair_step``."""
        with decimal.localcontext(DECIMAL_CONTEXT):
            p = shifted(self.position, self.offset) if self.offset else str(self.position)
            divided = f"({p})" if self.offset else p
            power = self._base.power_latex(self._inserted_latex)
            return Derivation.of_entry(
                "PE",
                (self.position, column),
                formula=f"{self.part}({divided} / {self._base.power(f'({self._inserted})')})",
                formula_latex=rf"\{self.part}\left(\frac{{{p}}}{{{power}}}\right)",
                python=self._python(divided),
                steps=(
                    self.pair_step(column, n_pairs, is_interleaved, is_second),
                    *self._offset_step(p),
                    self._exponent_step(),
                    self._divisor_step(),
                    self._wavelength_step(),
                    *self._angle_steps(),
                    self.value_step(),
                ),
            )

    def _offset_step(self, written: str) -> tuple[Step, ...]:
        if not self.offset:
            return ()
        text = f"position {self.position} is encoded as p = {written} = {self._p}, because of the offset"
        return (Step(text, f"p = {written} = {self._p}", float(self._p)),)

    def _exponent_step(self) -> Step:
        name, latex = _EXPONENTS[self.spacing]
        above, below = self._inserted_latex.split("/")
        latex = rf"{latex} = \frac{{{above}}}{{{below}}}"
        return self._exponent.step(f"exponent {name} = {self._inserted}", latex, operator.truediv(*self.exponent))

    def _divisor_step(self) -> Step:
        exponent, latex = self._exponent.text, self._exponent.latex
        if not self._exponent.exact:  # a rounded exponent would give another divisor
            exponent, latex = f"({self._inserted})", self._inserted_latex
        text = f"divisor {self._base.power(exponent)}"
        return self._divisor.step(text, self._base.power_latex(latex), float(divisor_of(self.base, *self.exponent)))

    def _wavelength_step(self) -> Step:
        wavelength = 2 * pi(50) * divisor_of(self.base, *self.exponent)
        number = significant(wavelength, 6)
        return Step(
            f"wavelength 2π · {self._divisor.text} ≈ {number.text} tokens",
            rf"\lambda = 2\pi \cdot {self._divisor.latex} \approx {number.latex}",
            float(wavelength),
        )

    def _angle_steps(self) -> tuple[Step, ...]:
        divisor = self._divisor
        latex = rf"\frac{{{self._p}}}{{{divisor.latex}}}"
        return self.angle_steps(f"angle {self._p}/{divisor.text}", latex, divisor, with_degrees=True)

    def _python(self, p: str) -> str:
        exponent = self._inserted.replace("·", " * ").replace("/", " / ")
        base = BASE.format(self.base)
        if abs(self.angle.rad) <= FLOAT64_ANGLE / (1 if self.base >= 1 else 10):
            return f"import math\n\nprint(math.{self.part}({p} / {base} ** ({exponent})))\n"
        numerator, denominator = self.exponent
        with digits_for(self.base, numerator / denominator) as digits:
            values = {"digits": digits, "p": p, "base": base, "numerator": numerator, "denominator": denominator}
        return "\n".join((*template_lines(__file__, "sinusoidal", part=self.part, **values), ""))

    @property
    def _p(self) -> int:
        """The position that is encoded."""
        return self.position + self.offset

    @property
    def _inserted(self) -> str:
        """The exponent as a fraction of numbers."""
        numerator, denominator = self.exponent
        if self.spacing == "tensor2tensor":
            return f"{numerator}/{denominator}"
        return f"2·{numerator // 2}/{denominator}"

    @property
    def _inserted_latex(self) -> str:
        return self._inserted.replace("·", r" \cdot ")

    @cached_property
    def _exponent(self) -> Rounded:
        numerator, denominator = self.exponent
        exponent = Decimal(numerator) / denominator
        shown = significant(exponent, 10)
        return shown if shown.exact else significant(exponent, 6)

    @cached_property
    def _divisor(self) -> Rounded:
        return significant(divisor_of(self.base, *self.exponent), self.angle_digits + 1)

    @cached_property
    def _base(self) -> Rounded:
        return significant(Decimal(BASE.format(self.base)), 17)
