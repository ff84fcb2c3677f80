"""Derivation of an entry: pair, axis, coordinate, exponent, frequency, angle, and its cosine or sine."""

import decimal
import math
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np

from posenc_core.encodings.axes.cells import Cells
from posenc_core.encodings.axes.grid import AXIS_NAMES
from posenc_core.encodings.axes.rules import Division, PairAxes
from posenc_core.explain import DECIMAL_CONTEXT, Derivation, Digits, ScaledEntry, Step, bracketed, significant
from posenc_core.fields import BASE
from posenc_core.numerics import Angle, divisor_of, pi, residue_of
from posenc_core.rope_scaling import RopeScaling, rope_frequencies

_DIGITS = Digits(16)
"""Writes coordinates, of which float64 has no more digits."""


@dataclass(frozen=True, eq=False, repr=False)
class AxesEntry(ScaledEntry):
    """An entry of RoPE on several axes, whose pairs are divided by ``division``, in a grid of ``cells``."""

    division: Division
    cells: Cells
    scaling: RopeScaling | None
    attention_factor: float

    @property
    def found(self) -> PairAxes:
        """The axis and the frequency of each pair."""
        return self.cells.pairs

    @cached_property
    def place(self) -> tuple[float, ...]:
        """The coordinates of the position on all axes."""
        return self.cells.place(self.position)

    @cached_property
    def angle(self) -> Angle:
        """The exact residue of the float64 angle."""
        angle = float(np.array(self.place) @ self.found.weights[:, self.pair])
        with decimal.localcontext(DECIMAL_CONTEXT):
            return Angle(Decimal(angle), residue_of(angle))

    @property
    def axis(self) -> int:
        """The index of the pair's axis, -1 for a mixture."""
        return int(self.found.axes[self.pair])

    def derivation(self, column: int, is_interleaved: bool) -> Derivation:
        """The formula and all steps; the last step is the entry."""
        words, latex = self._product()
        scaled = self.attention_factor != 1
        code = f"{self.attention_factor!r} * " if scaled else ""
        with decimal.localcontext(DECIMAL_CONTEXT):
            return Derivation.of_entry(
                "R",
                (self.position, column),
                formula=f"{'a · ' if scaled else ''}{self.part}({words})",
                formula_latex=rf"{'a ' if scaled else ''}\{self.part}({latex})",
                python=f"import math\n\nangle = {self._code()}\nprint({code}math.{self.part}(angle))\n",
                steps=(
                    self.pair_step(column, self.division.n_pairs, is_interleaved, self.part == "sin"),
                    *self.frequency_steps(),
                    *self.rotation_angle_steps(),
                    self.value_step(),
                    *self.factor_steps(),
                    *self.product_steps(),
                ),
            )

    def frequency_steps(self) -> tuple[Step, ...]:
        """The axis by the rule, the coordinates, the exponent, the frequency, and of a mixture its parts."""
        return (
            self._axis_step(),
            *self._coordinate_steps(),
            *self._power_steps(),
            *self._scaling_steps(),
            *self._mixture_steps(),
        )

    def rotation_angle_steps(self) -> tuple[Step, ...]:
        """The angle, coordinate times frequency."""
        words, latex = self._product()
        return self.angle_steps(f"angle {words}", rf"\varphi = {latex}")

    def _axis_step(self) -> Step:
        i, names = self.pair, self.division.names
        if self.axis < 0:
            half = "first" if i < self.division.n_pairs // 2 else "second"
            text = f"rule mixed: pair {i}, of the {half} half, turns by x (width) and y (height) together"
            return Step(text, r"\varphi = x f_x + y f_y", float(i))
        name = names[self.axis]
        text = f"rule {self.division.rule}: pair {i} turns by {AXIS_NAMES[name]} {name}, {_reason(self)}"
        return Step(text, rf"k({i}) = {name}", float(self.axis))

    def _coordinate_steps(self) -> tuple[Step, ...]:
        """A step for each axis that turns the pair."""
        axes = range(len(self.place)) if self.axis < 0 else (self.axis,)
        grid, coordinates = self.cells.grid, self.cells.coordinates
        indices, where = grid.indices(self.position), grid.words(self.position)
        steps = []
        for axis in axes:
            name, value = self.division.names[axis], self.place[axis]
            how, made = where or f"token {self.position}", ""
            if indices is not None and name in indices:
                index, size = indices[name], grid.size(name)
                begun, made = round(value - coordinates.at(name, index, size)), coordinates.words(name, index, size)
                how = f"index {index} of {size}{f', {coordinates.kind}' if made else ''}"
            elif indices is not None:
                how, begun = f"{where}, a picture without this axis", round(value)
            if indices is not None and begun:
                how += f", after {begun} tokens of text"
                made = f"{begun} + {made or indices.get(name, 0)}"
            text, latex = f"coordinate of {how}: {name}", rf"x_{{{name}}}"
            if made:
                text, latex = f"{text} = {made}", f"{latex} = {made}".replace("·", r"\cdot")
            steps.append(_DIGITS.step(text, latex, value))
        return tuple(steps)

    def _power_steps(self) -> tuple[Step, ...]:
        """The exponent and the frequency before a mixture."""
        i, numerator, denominator = self.pair, int(self._of("numerators")), int(self._of("denominators"))
        exponent, factor = Decimal(-2 * numerator) / denominator, self.found.factor
        digits, rope_theta = Digits(self.angle_digits + 1), float(self._of("bases"))
        base = significant(Decimal(BASE.format(rope_theta)), 17)
        exact = (1 if factor == 1 else 2 * pi(50)) / divisor_of(rope_theta, 2 * numerator, denominator)
        fraction = f"{numerator}/{denominator}"
        first = digits(exponent).step(f"exponent -2 · {fraction}", rf"-2 \cdot {fraction}", float(exponent))
        ahead, latex = ("", "") if factor == 1 else ("2π · ", r"2\pi \cdot ")
        return first, digits(exact).step(
            f"frequency θ = {ahead}b^(-2·{fraction}) = {ahead}{base.power(f'(-2·{fraction})')}",
            rf"\theta_{{{i}}} = {latex}" + base.power_latex(rf"-2 \cdot {fraction}"),
            self._power(),
            " rad per unit of the coordinate",
        )

    def _scaling_steps(self) -> tuple[Step, ...]:
        """The scaling of the frequency."""
        if self.scaling is None:
            return ()
        base = self.division.base
        unscaled = rope_frequencies(base, self.division.n_pairs, None)
        return self.scaling.steps(self.pair, unscaled, base, Digits(self.angle_digits + 1))

    def _mixture_steps(self) -> tuple[Step, ...]:
        if self.axis >= 0:
            return ()
        digits, steps = Digits(self.angle_digits + 1), []
        second = self.pair >= self.division.n_pairs // 2
        phi = self.division.direction
        angle = f"{phi!r} + π/2" if second else repr(phi)
        latex = angle.replace("π", r"\pi")
        for name, axis, part in (("x", "w", "cos"), ("y", "h", "sin")):
            value = float(self.found.weights[self.division.names.index(axis), self.pair])
            steps.append(digits.step(f"f_{name} = θ {part}({angle})", rf"f_{name} = \theta \{part}({latex})", value))
        return tuple(steps)

    def _product(self) -> tuple[str, str]:
        """The angle as coordinate times frequency, as text and as LaTeX."""
        digits = _DIGITS
        if self.axis >= 0:
            x = digits(self.place[self.axis])
            prime = "'" if self.scaling else ""
            return f"{x.factor} · θ{prime}_{self.pair}", rf"{x.latex} \cdot \theta{prime}_{{{self.pair}}}"
        terms = [digits(self.place[self.division.names.index(axis)]) for axis in ("w", "h")]
        x, y = terms
        return f"{x.factor} · f_x + {bracketed(y.text)} · f_y", rf"{x.latex} f_x + {bracketed(y.latex)} f_y"

    def _code(self) -> str:
        """The angle as an expression in Python."""
        numerator, denominator = int(self._of("numerators")), int(self._of("denominators"))
        if self.scaling is not None:
            frequency = float(self.found.weights[self.axis, self.pair])
            return f"{self.place[self.axis]!r} * {frequency!r}  # the frequency after {self.scaling.title}"
        power = f"{float(self._of('bases'))!r} ** ({-2 * numerator} / {denominator})"
        power = power if self.found.factor == 1 else f"2 * math.pi * {power}"
        if self.axis >= 0:
            return f"{self.place[self.axis]!r} * {power}"
        turned = f"{self.division.direction!r}" + (" + math.pi / 2" if self.pair >= self.division.n_pairs // 2 else "")
        x, y = (self.place[self.division.names.index(axis)] for axis in ("w", "h"))
        return f"{power} * ({x!r} * math.cos({turned}) + {y!r} * math.sin({turned}))"

    def _power(self) -> float:
        """The frequency before a mixture."""
        exponent = -2 * int(self._of("numerators")) / int(self._of("denominators"))
        return float(self.found.factor * math.pow(self._of("bases"), exponent))

    def _of(self, name: str) -> float:
        return float(getattr(self.found, name)[self.pair])


def _reason(entry: AxesEntry) -> str:
    """The part of the rule that determines the pair's axis."""
    i, found = entry.pair, entry.found
    numerator = int(found.numerators[i])
    before = int(np.count_nonzero(found.axes[:i] == entry.axis))
    count = int(np.count_nonzero(found.axes == entry.axis))
    return {
        "blocks": f"pair {numerator} of its {count}",
        "shared": f"pair {numerator} of its {count}",
        "shared_in_turns": f"{i} mod {len(entry.division.names)}",
        "normalised": f"pair {numerator} of its {count}",
        "even_odd": f"entry {numerator} of the list of frequencies",
        "sections": f"pair {before} of a section of {count}",
        "interleaved_sections": f"{i} mod {len(entry.division.names)} among the pairs in turns",
        "ernie_3d": f"pair {before} of its {count}",
    }[entry.division.rule]
