"""How a number comes about, step by step: as plain text, as LaTeX and as numbers."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """One step: a sentence, the same in LaTeX, and the number it arrives at."""

    text: str
    latex: str
    value: float


@dataclass(frozen=True)
class Derivation:
    """The steps from (position, column) to the table's entry.

    ``symbol`` and ``symbol_latex`` name the entry (``PE(1, 2)``), ``formula_latex`` is the whole formula with the
    numbers put in, ``python`` a line of plain Python that computes the same value.
    """

    symbol: str
    formula: str
    formula_latex: str
    python: str
    steps: tuple[Step, ...]

    @property
    def value(self) -> float:
        """The entry, which is the last step's number."""
        return self.steps[-1].value

    def to_text(self) -> str:
        """The derivation as lines of plain text."""
        return "\n".join([self.formula, *(step.text for step in self.steps)])

    def to_latex(self) -> str:
        """The derivation as an ``aligned`` block of LaTeX."""
        lines = [self.formula_latex, *(step.latex for step in self.steps)]
        body = " \\\\\n".join(f"  & {line}" for line in lines)
        return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"

    def to_python(self) -> str:
        """The derivation as a script that prints the value."""
        return self.python


def number_text(value: float, digits: int = 6) -> str:
    """The number with ``digits`` significant digits, without an exponent where that stays readable."""
    if value == 0 or 1e-5 <= abs(value) < 1e9:
        return f"{value:.{digits}g}" if abs(value) < 10**digits else f"{value:.0f}"
    return f"{value:.{digits}g}"


def number_latex(value: float, digits: int = 6) -> str:
    """The number for LaTeX: an exponent is written as a power of ten."""
    text = number_text(value, digits)
    mantissa, e, exponent = text.partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if e else mantissa
