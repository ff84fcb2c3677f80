"""Derivations of a sum over pairs or columns: the largest terms one by one, the others together."""

import math
from collections.abc import Callable
from decimal import Decimal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from posenc_core.explain.derivation import Derivation, Digits, Rounded, Step, bracketed
from posenc_core.explain.script import MOST_NUMBERS
from posenc_core.numerics import FloatArray

N_TERMS = 5
"""Terms that a derivation writes out, the largest of them."""

_DIGITS, _MOST_DIGITS = Digits(8), 17

Term = tuple[str, str, *tuple[Rounded, ...]]
"""The text and the LaTeX of a term without its value, then its numbers: ≈ precedes the value if one is rounded."""


class Sum(Struct, frozen=True):
    """A sum of ``terms`` ``(n,)``, the ``noun`` of a term (``pair`` or ``column``), and the text of a term.

    ``formula`` and ``latex`` are the right sides of the whole formula, ``first`` the steps before the terms.
    The terms are counted from ``start``.
    """

    noun: str
    terms: FloatArray
    written: Callable[[int], Term]
    formula: str
    latex: str
    first: tuple[Step, ...] = ()
    start: int = 0

    @classmethod
    def of_products(
        cls, noun: str, left: FloatArray, right: FloatArray, formula: str, latex: str, first: tuple[Step, ...] = ()
    ) -> "Sum":
        """The sum of the products of numbers, float64 ``(n,)`` each."""

        def written(index: int) -> Term:
            return product_words(float(left[index]), float(right[index]))

        return cls(noun, left * right, written, formula, latex, first)

    @property
    def total(self) -> float:
        """The sum."""
        return float(self.terms.sum())

    def steps(self) -> tuple[Step, ...]:
        """The first steps, the largest terms, the others together, and the sum."""
        count = len(self.terms)
        order = np.argsort(-np.abs(self.terms), kind="stable")[:N_TERMS].tolist()
        steps = [*self.first]
        for index in order:
            text, latex, *numbers = self.written(index)
            text = f"{self.noun} {self.start + index}: {text}"
            steps.append(number_step(text, latex, float(self.terms[index]), *numbers))
        rest = self.total - float(self.terms[order].sum())
        if count > len(order):
            left = count - len(order)
            others = f"the other {self.noun}" if left == 1 else f"the other {left:,} {self.noun}s together"
            steps.append(_DIGITS.step(others, r"\text{others}", rest))
        if count != 1:
            sum_latex = rf"\sum_{{i={self.start}}}^{{{self.start + count - 1}}}"
            steps.append(_DIGITS.step(f"sum over all {count:,} {self.noun}s", sum_latex, self.total))
        return tuple(steps)

    def derivation(self, symbol: str, symbol_latex: str, python: str, *last: Step) -> Derivation:
        """The derivation of ``symbol``; ``last`` are the steps after the sum, the last of which has the value.

        ``python`` contains the terms' numbers: of more than 20,000 terms the script prints the value alone.
        """
        steps = (*self.steps(), *last)
        if len(self.terms) > MOST_NUMBERS:
            python = f"print({steps[-1].value!r})  # of more numbers than are written out\n"
        return Derivation(symbol, f"{symbol} = {self.formula}", f"{symbol_latex} = {self.latex}", python, steps)


def number_step(text: str, latex: str, value: float, *of: Rounded) -> Step:
    """The step ``text = value``, to eight significant digits; ``≈`` also if a number ``of`` the text is rounded."""
    shown = _DIGITS(value)
    return replace(shown, exact=shown.exact and all(each.exact for each in of)).step(text, latex, value)


def amplified_step(factor: float, total: float) -> Step:
    """The product of a sum and the square of the attention factor a."""
    a, sum_of_terms = _DIGITS(factor), _DIGITS(total)
    text = f"times a²: {a.text}² · {bracketed(sum_of_terms.text)}"
    return number_step(text, rf"{a.latex}^2 \cdot {bracketed(sum_of_terms.latex)}", factor * factor * total, a)


def shown_number(value: float) -> Rounded:
    """The number to eight significant digits."""
    return _DIGITS(value)


def shown_angle(angle: float, of: float | None = None) -> Rounded:
    """The angle in rad with eight decimals and at least eight significant digits, enough to compute its sine.

    ``of`` is a factor of the angle to show in its place, with the same digits.
    """
    before_point = Decimal(angle).adjusted() + 1 if angle and math.isfinite(angle) else 0
    return Digits(min(_DIGITS.count + max(0, before_point), _MOST_DIGITS))(angle if of is None else of)


def angle_step(text: str, latex: str, angle: float) -> Step:
    """The step ``text = angle``, with the digits of ``shown_angle``."""
    return shown_angle(angle).step(text, latex, angle)


def turn_words(rate: float, steps: float) -> Rounded:
    """The angle of a rate in rad per step over some steps, as a product."""
    text, latex, *numbers = _product(shown_angle(rate * steps, of=rate), Digits(_MOST_DIGITS)(steps))
    return Rounded(text, latex, all(number.exact for number in numbers))


def product_words(one: float, other: float) -> Term:
    """The product of two numbers."""
    return _product(_DIGITS(one), _DIGITS(other))


def _product(left: Rounded, right: Rounded) -> Term:
    text, latex = f"{left.factor} · {bracketed(right.text)}", rf"{left.latex} \cdot {bracketed(right.latex)}"
    return text, latex, left, right


def listed(name: str, numbers: FloatArray) -> str:
    """A line of a script that lists the numbers; empty for more than 20,000."""
    if numbers.size > MOST_NUMBERS:
        return ""
    return f"{name} = {numbers.tolist()!r}\n"
