"""Derivations of a number, step by step: as plain text, as LaTeX and as numbers."""

from decimal import Decimal

from msgspec import Struct

_EQUAL, _ALIKE = Decimal("1e-35"), Decimal("1e-15")
"""Relative differences: of the arithmetic, and of a typed decimal number from its binary fraction."""

_SHORT, _SURE, _FLOAT = 9, 14, 17
"""Digits after the first of a typed decimal number at most; digits that show it; and those of a float64."""


class Step(Struct, frozen=True):
    """One step: a sentence, the same in LaTeX, and its number."""

    text: str
    latex: str
    value: float


class Derivation(Struct, frozen=True):
    """The steps from (position, column) to the table's entry.

    ``symbol`` names the entry (``PE(1, 2)``), ``formula`` and ``formula_latex`` are the whole formula with its
    numbers, ``python`` is a script that prints the value and needs only the standard library.
    """

    symbol: str
    formula: str
    formula_latex: str
    python: str
    steps: tuple[Step, ...]

    @classmethod
    def of_entry(
        cls, name: str, cell: tuple[int, int], formula: str, formula_latex: str, python: str, steps: tuple[Step, ...]
    ) -> "Derivation":
        """The derivation of the entry ``name`` at ``cell`` (position, column), from the right sides of its formulas."""
        symbol = f"{name}({cell[0]}, {cell[1]})"
        latex = f"{name}_{{({cell[0]}, {cell[1]})}} = {formula_latex}"
        return cls(symbol, f"{symbol} = {formula}", latex, python, steps)

    @property
    def value(self) -> float:
        """The entry: the last step's number."""
        return self.steps[-1].value

    def to_text(self) -> str:
        """The derivation as lines of plain text."""
        return "\n".join([self.formula, *(step.text for step in self.steps)])

    def to_latex(self) -> str:
        """The derivation as an ``aligned`` block of LaTeX."""
        lines = [self.formula_latex, *(step.latex for step in self.steps)]
        body = " \\\\\n".join(f"  & {line}" for line in lines)
        return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"

    def _repr_latex_(self) -> str:
        """The derivation as a notebook typesets it."""
        return f"$$\n{self.to_latex()}\n$$"

    def to_python(self) -> str:
        """The derivation as a script that prints the value."""
        return self.python


class Rounded(Struct, frozen=True):
    """A number or a product as a step shows it, as text and as LaTeX; ``exact`` if nothing was rounded."""

    text: str
    latex: str
    exact: bool

    @property
    def sign(self) -> str:
        """The relation to the exact number: ``=`` or ``≈``."""
        return "=" if self.exact else "≈"

    @property
    def sign_latex(self) -> str:
        """The relation in LaTeX."""
        return "=" if self.exact else r"\approx"

    @property
    def factor(self) -> str:
        """The text as the first factor of a product: in parentheses if it has an exponent."""
        return f"({self.text})" if "e" in self.text else self.text

    def power(self, exponent: str) -> str:
        """The number raised to an exponent, as text."""
        return f"{self.factor}^{exponent}"

    def power_latex(self, exponent: str) -> str:
        """The number raised to an exponent, as LaTeX."""
        return f"{f'({self.latex})' if '^' in self.latex else self.latex}^{{{exponent}}}"

    def step(self, text: str, latex: str, value: float, ending: str = "") -> Step:
        """The step ``text = number`` (or ``≈``); ``ending`` completes its sentence, ``value`` is the exact number."""
        return Step(f"{text} {self.sign} {self.text}{ending}", f"{latex} {self.sign_latex} {self.latex}", float(value))


def significant(value: Decimal, digits: int) -> Rounded:
    """The number to at most ``digits`` significant digits; without the remainder of a short decimal's float64."""
    if digits > _SURE and (short := significant(value, _SURE)).exact:
        return short
    return _rounded(value, Decimal(1).scaleb(value.adjusted() + 1 - digits) if value else Decimal(1))


def to_decimals(value: Decimal, decimals: int) -> Rounded:
    """The number to at most ``decimals`` decimals."""
    return _rounded(value, Decimal(1).scaleb(-decimals))


def _rounded(value: Decimal, last: Decimal) -> Rounded:
    """The number as a multiple of ``last``, with an exponent if it would have many zeros."""
    if not value.is_finite():  # beyond float64, or a difference of two such numbers
        text, latex = ("undefined", r"\text{undefined}") if value.is_nan() else ("∞", r"\infty")
        sign = "-" if value.is_signed() and not value.is_nan() else ""
        return Rounded(sign + text, sign + latex, exact=False)
    shown = (value / last).to_integral_value() * last
    off, round_to = abs(value - shown), max(10_000 * last, Decimal(1).scaleb(value.adjusted() - _SHORT))
    exact = off <= abs(value) * _EQUAL or (off <= abs(value) * _ALIKE and shown % round_to == 0)
    if shown == 0:
        return Rounded("0", "0", exact)
    exponent = shown.adjusted()
    if -5 <= exponent < 16:
        text = f"{shown:f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return Rounded(text, text, exact)
    mantissa = f"{shown.scaleb(-exponent).normalize():f}"
    power = f"10^{{{exponent}}}"
    factor = {"1": "", "-1": "-"}.get(mantissa, rf"{mantissa} \cdot ")
    return Rounded(f"{mantissa}e{exponent}", factor + power, exact)


class Digits(Struct, frozen=True):
    """Writes numbers with ``count`` significant digits, enough for the next steps; a float64 with its 17 at most."""

    count: int

    def __call__(self, value: float | Decimal) -> Rounded:
        """The number to ``count`` significant digits."""
        return significant(Decimal(value), min(self.count, _FLOAT) if isinstance(value, float) else self.count)

    def step(self, text: str, latex: str, value: float, ending: str = "") -> Step:
        """The step ``text = value`` (or ``≈``); ``ending`` completes its sentence."""
        return self(value).step(text, latex, value, ending)

    def frequency_step(self, text: str, latex: str, value: float) -> Step:
        """The step ``text = value`` (or ``≈``) for a frequency in rad per token."""
        return self.step(text, latex, value, " rad/token")


def bracketed(number: str) -> str:
    """The number as a later term of a formula: in parentheses if it has a sign or an exponent."""
    return number if number.replace(".", "").isdigit() else f"({number})"


def shifted(position: int, offset: int) -> str:
    """The sum ``position + offset``, or the difference for a negative offset, as text."""
    return f"{position} {'-' if offset < 0 else '+'} {abs(offset)}"
