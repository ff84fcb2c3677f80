"""Steps that sinusoidal and rotary entries share: the pair, the angle less its whole turns, the sine or cosine."""

import decimal
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from msgspec.structs import replace

from posenc_core.explain.derivation import Rounded, Step, significant, to_decimals
from posenc_core.numerics import Angle, pi

ENTRY_DECIMALS = 8
"""Decimals of an entry, as the papers' examples print them; its angle has two more."""

DECIMAL_CONTEXT = decimal.Context(prec=60, Emin=-decimal.MAX_EMAX, Emax=decimal.MAX_EMAX)

_TINY = Decimal("1e-3")
"""The sine of a smaller angle is shown to six significant digits."""

_UNREADABLE = Decimal(10) ** 9
"""An angle of at least this size is shown less its whole turns."""


FLOAT64_ANGLE = Decimal(10) ** 7
"""Largest angle with an error of at most 1e-8 in float64, for a base of at least 1."""


@dataclass(frozen=True, eq=False, repr=False)
class HarmonicEntry(ABC):
    """The sine or cosine (``part``: ``sin`` or ``cos``) of a pair at a position."""

    position: int
    pair: int
    part: str

    @cached_property
    @abstractmethod
    def angle(self) -> Angle:
        """The exact angle."""

    @property
    def word(self) -> str:
        """``sine`` or ``cosine``."""
        return {"sin": "sine", "cos": "cosine"}[self.part]

    @property
    def is_readable(self) -> bool:
        """Whether the angle is written out in full."""
        return abs(self.angle.rad) < _UNREADABLE

    @cached_property
    def angle_digits(self) -> int:
        """Digits with which the angle has two decimals more than the entry; 7 if it is unreadable or tiny."""
        return max(7, self.angle.rad.adjusted() + 3 + ENTRY_DECIMALS) if self.angle.rad and self.is_readable else 7

    @cached_property
    def shown_angle(self) -> Rounded:
        """The angle as its step shows it."""
        return significant(self.angle.rad, self.angle_digits)

    @cached_property
    def reduced_angle(self) -> Rounded:
        """The angle whose sine or cosine is written: the angle itself, or less its whole turns if unreadable."""
        return self.shown_angle if self.is_readable else to_decimals(self.angle.residue, ENTRY_DECIMALS + 2)

    @cached_property
    def value(self) -> float:
        """The sine or cosine."""
        return (math.sin if self.part == "sin" else math.cos)(float(self.angle.residue))

    def shown(self, entry: float) -> Rounded:
        """The entry to eight decimals; the sine of a tiny angle to six significant digits."""
        tiny = self.part == "sin" and abs(self.angle.rad) < _TINY
        return significant(Decimal(entry), 6) if tiny else to_decimals(Decimal(entry), ENTRY_DECIMALS)

    def pair_step(self, column: int, n_pairs: int, is_interleaved: bool, is_second: bool) -> Step:
        """Pair of the column; ``is_second`` if it is the second column, or in the second half, of the pairs."""
        if is_interleaved:
            where = "odd" if is_second else "even"
            how, latex = f"{column}//2 = ", rf"\lfloor {column}/2 \rfloor = "
        elif is_second:
            where, how, latex = f"after the first {n_pairs}", f"{column} - {n_pairs} = ", f"{column} - {n_pairs} = "
        else:
            where, how, latex = f"among the first {n_pairs}", "", ""
        text = f"column {column} is {where}: the {self.word} of pair i = {how}{self.pair}"
        return Step(text, f"i = {latex}{self.pair}", float(self.pair))

    def angle_steps(self, text: str, latex: str, *of: Rounded, with_degrees: bool = False) -> tuple[Step, ...]:
        """The angle, the value of ``text`` with the numbers ``of``; also less its whole turns if it is unreadable."""
        shown, rest, rad, ending = self.shown_angle, self.reduced_angle, self.angle.rad, ""
        shown = replace(shown, exact=shown.exact and all(each.exact for each in of))
        if self.is_readable:
            degrees, turns = significant(rad * 180 / pi(50), 6), significant(rad / (2 * pi(50)), 6)
            ending = f" {degrees.sign} {degrees.text}°" if with_degrees else ""
            ending += f" {turns.sign} {turns.text} turns"
        angle = Step(
            f"{text} {shown.sign} {shown.text} rad{ending}",
            rf"{latex} {shown.sign_latex} {shown.latex}\ \mathrm{{rad}}",
            float(rad),
        )
        if self.is_readable:
            return (angle,)
        return angle, Step(
            f"less whole turns ≈ {rest.text} rad, which has the same {self.word} "
            "(float64 has too few digits for the angle)",
            rf"{shown.latex} - 2\pi n \approx {rest.latex}\ \mathrm{{rad}}",
            float(self.angle.residue),
        )

    def value_step(self) -> Step:
        """The sine or cosine of the angle."""
        angle, number = self.reduced_angle, self.shown(self.value)
        sign, latex = ("≈", r"\approx") if self.angle.residue else ("=", "=")
        return Step(
            f"{self.part}({angle.text}) {sign} {number.text}",
            rf"\{self.part}({angle.latex}) {latex} {number.latex}",
            self.value,
        )
