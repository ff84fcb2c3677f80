"""How a component of a rotated query or key comes about: the angle, its cosine and sine, and two products."""

import decimal
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from posenc_core.angles import FloatArray
from posenc_core.derivation import Derivation, Step, to_decimals
from posenc_core.encodings.rotary_steps import DECIMAL_CONTEXT, ENTRY_DECIMALS, RotaryEntry
from posenc_core.scalings.base import times

if TYPE_CHECKING:
    from posenc_core.encodings.rotary import Rotary


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
        """The entry's two factors, then ``x0 cos - x1 sin`` or ``x0 sin + x1 cos``."""
        entries = [RotaryEntry(self.encoding, self.position, self.pair, part) for part in (0, 1)]
        first, second = self._partners()
        factor = self.encoding.attention_factor
        cosine, sine = (factor * entry.value for entry in entries)
        ones, others = (cosine, -sine) if self.part == 0 else (sine, cosine)
        x0, x1 = (float(self.vector[member]) for member in (first, second))
        value = x0 * ones + x1 * others
        shown = [to_decimals(Decimal(number), ENTRY_DECIMALS) for number in (x0, ones, x1, abs(others), value)]
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
