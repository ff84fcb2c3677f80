"""How a component of a rotated query or key comes about: the angle, its cosine and sine, and two products."""

import decimal
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from posenc_core.explain.derivation import Derivation, Rounded, Step, times, to_decimals
from posenc_core.explain.rotary import DECIMAL_CONTEXT, ENTRY_DECIMALS, RotaryEntry, as_factor
from posenc_core.numerics import FloatArray

if TYPE_CHECKING:
    from posenc_core.encodings import Rotary


def rotation_steps(encoding: "Rotary", vector: FloatArray, position: int, column: int) -> Derivation:
    """The derivation of a component of the rotated vector, ``(head_dim,)``."""
    with decimal.localcontext(DECIMAL_CONTEXT):
        symbol = f"y({position}, {column})"
        if column >= encoding.n_columns:
            return _passed_through(symbol, float(vector[column]), column, encoding.n_columns)
        pair, part = encoding.place(column)
        return _Rotation(encoding, vector, position, pair, part).derivation(symbol, column)


@dataclass(frozen=True)
class _Rotation:
    encoding: "Rotary"
    vector: FloatArray
    position: int
    pair: int
    part: int

    def derivation(self, symbol: str, column: int) -> Derivation:
        """The entry's two factors, then ``x0 cos - x1 sin`` or ``x0 sin + x1 cos``, one product after the other."""
        entries = [RotaryEntry(self.encoding, self.position, self.pair, part) for part in (0, 1)]
        factor = self.encoding.attention_factor
        cosine, sine = (factor * entry.value for entry in entries)
        first, second = self._partners()
        x0, x1 = (float(self.vector[member]) for member in (first, second))
        ones, others = (cosine, sine) if self.part == 0 else (sine, cosine)
        operator, names = ("-", ("cos", "sin")) if self.part == 0 else ("+", ("sin", "cos"))
        one, other = x0 * ones, x1 * others
        value = one - other if self.part == 0 else one + other
        formula = f"x{first} {names[0]} φ {operator} x{second} {names[1]} φ"
        latex = rf"x_{{{first}}} \{names[0]}\varphi {operator} x_{{{second}}} \{names[1]}\varphi"
        if factor != 1:
            formula, latex = f"a · ({formula})", f"a ({latex})"
        partner = Step(
            f"column {column} is the {('first', 'second')[self.part]} of pair i = {self.pair}, "
            f"columns {first} and {second}",
            f"i = {self.pair}",
            float(self.pair),
        )
        steps = (partner, *entries[0].frequency_steps(), *entries[0].angle_steps())
        values = (*entries[0].value_steps(), *(s for s in entries[1].value_steps() if not _is_factor(s)))
        products = (_product(first, names[0], x0, ones, factor), _product(second, names[1], x1, others, factor))
        last = _sum(symbol, f"y_{{{column}}}", one, -other if self.part == 0 else other, value)
        python = f"print({x0!r} * {ones!r} {operator} {x1!r} * {others!r})\n"
        latex = f"y_{{{column}}} = {latex}"
        return Derivation(symbol, f"{symbol} = {formula}", latex, python, (*steps, *values, *products, last))

    def _partners(self) -> tuple[int, int]:
        if self.encoding.pairing == "interleaved":
            return 2 * self.pair, 2 * self.pair + 1
        return self.pair, self.pair + self.encoding.n_pairs


def _shown(value: float) -> Rounded:
    return to_decimals(Decimal(value), ENTRY_DECIMALS)


def _product(member: int, name: str, x: float, entry: float, factor: float) -> Step:
    """A component of the vector times the cosine or sine, which carries the attention factor."""
    x_shown, shown, product = _shown(x), _shown(entry), _shown(x * entry)
    a = "a " if factor != 1 else ""
    return Step(
        f"x{member} {a}{name} φ = {times(x_shown)} · {as_factor(shown.text)} {product.sign} {product.text}",
        rf"x_{{{member}}} {a}\{name}\varphi = {x_shown.latex} \cdot {as_factor(shown.latex)}"
        rf" {product.sign_latex} {product.latex}",
        x * entry,
    )


def _sum(symbol: str, symbol_latex: str, one: float, other: float, value: float) -> Step:
    """The two products added; a negative second one is taken away."""
    first, second, total = _shown(one), _shown(abs(other)), _shown(value)
    sign = "-" if other < 0 else "+"
    return Step(
        f"{symbol} = {first.text} {sign} {second.text} {total.sign} {total.text}",
        rf"{symbol_latex} = {first.latex} {sign} {second.latex} {total.sign_latex} {total.latex}",
        value,
    )


def _is_factor(step: Step) -> bool:
    return step.text.startswith("attention factor")


def _passed_through(symbol: str, value: float, column: int, rotary_dim: int) -> Derivation:
    text = f"column {column} is not among the first {rotary_dim}, which are rotated: it passes through"
    step = Step(text, f"y_{{{column}}} = x_{{{column}}}", value)
    return Derivation(symbol, f"{symbol} = x{column}", step.latex, f"print({value!r})\n", (step,))
