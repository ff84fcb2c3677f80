"""Formulas of the angle by which a pair of columns of queries and keys is rotated."""

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from posenc_core.encodings.abilities.effect import Combination, Effect
from posenc_core.encodings.abilities.pair_numbers import check_steps, vector_products
from posenc_core.encodings.abilities.pairs import Pairs
from posenc_core.encodings.abilities.rotation_scores import RotationScores
from posenc_core.encodings.abilities.scores import Scores
from posenc_core.encodings.base import Rotation
from posenc_core.encodings.formula.angle import AngleFormula
from posenc_core.explain import Derivation, Dialect, Snippet, bracketed, number_list, number_step, shown_number
from posenc_core.fields import BASE, check_column, check_positions, shortened
from posenc_core.numerics import FloatArray
from posenc_core.rope_scaling import RopeScaling
from posenc_core.text import TokenVectors


@dataclass(frozen=True)
class RotationFormula(AngleFormula):
    """The columns 2i and 2i + 1 of queries and keys are rotated by the formula's angle, positive angles forwards."""

    effect: ClassVar[Effect] = Effect.ROTATES
    PARTS: ClassVar[tuple[str, str]] = ("cos", "sin")

    def __post_init__(self) -> None:
        """Check as for every formula, then an even width; ValueError with a sentence."""
        super().__post_init__()
        if self.d_model % 2:
            raise ValueError(f"a rotation turns pairs of columns: d_model must be even, got {self.d_model}")

    @property
    def rotation(self) -> Rotation | None:
        """The rotation if each pair has a frequency; else the angles are not a function of the distance."""
        pairs = self.pairs
        if pairs is None:
            return None
        base = self.base if "b" in self.formulas[0].names() else float(BASE.default)
        sources = partial(_frequencies_source, pairs), partial(_unscaled_source, pairs, base)
        return Rotation(
            pairs, self.d_model, "interleaved", base, self.rotate, *sources, self._scaled_by,
            direction=-1 if pairs.is_reversed else 1,
        )  # fmt: skip

    def _scaled_by(self, scaling: RopeScaling | None) -> "RotationFormula":
        if scaling is not None:
            raise ValueError(f"a formula has no scaling such as {scaling.title}: the formula itself must contain one")
        return self

    @property
    def scores(self) -> Scores | None:
        """The scores by distance, if each pair has a frequency."""
        return None if self.rotation is None else RotationScores(self.rotation)

    @property
    def combination(self) -> Combination:
        """A rotation of queries and keys."""
        return Combination("rotation", self.d_model, self.rotate, partial(_explain_rotation, self))

    def rotate(self, x: Any, positions: Any) -> FloatArray:
        """Queries or keys ``(..., T, d_model)`` rotated to T positions, float64 of the same shape."""
        given, rows = np.asarray(x, np.float64), check_positions(positions)
        if given.shape[-2:] != (len(rows), self.d_model):
            raise ValueError(f"x must have the shape (..., {len(rows)}, {self.d_model}), got {shortened(given.shape)}")
        angles = self.angles(rows.astype(np.float64))
        cosine, sine = np.cos(angles), np.sin(angles)
        first, second = given[..., 0::2], given[..., 1::2]
        rotated = np.empty_like(given)
        rotated[..., 0::2] = first * cosine - second * sine
        rotated[..., 1::2] = first * sine + second * cosine
        return rotated

    def pair_values(
        self, queries: range, keys: range, component: int = 0, content: TokenVectors | None = None
    ) -> FloatArray:
        """As for every encoding; the tokens' queries and keys are rotated even if pairs have no frequency."""
        if content is None:
            return super().pair_values(queries, keys, component)
        check_steps(queries, keys)
        sides = content.queries(queries, self.d_model), content.keys(keys, self.d_model)
        return vector_products(self.rotate(sides[0], queries), self.rotate(sides[1], keys))


def _frequencies_source(pairs: Pairs, code: Dialect) -> Snippet:
    """The frequencies as numbers."""
    numbers = number_list(pairs.frequencies.tolist())
    return Snippet((f"frequencies = {code.numbers(numbers)}  # rad per position",))


def _unscaled_source(pairs: Pairs, rope_theta: float, code: Dialect) -> Snippet:
    """``base``, ``r``, ``pairs``, and the frequencies as numbers."""
    names = f"base, r = {rope_theta!r}, {pairs.n_columns}"
    return Snippet((names, f"pairs = {code.counted(str(pairs.n_pairs))}")) + _frequencies_source(pairs, code)


def _explain_rotation(formula: RotationFormula, x: FloatArray, position: int, column: int) -> Derivation:
    """The derivation of a component of a rotated vector ``x`` ``(d_model,)``."""
    check_column(column, formula.d_model)
    pair, part = divmod(column, 2)
    cosine, sine = (formula.explain(position, 2 * pair + each) for each in (0, 1))
    x0, x1 = float(x[2 * pair]), float(x[2 * pair + 1])
    sign, (one, other) = ("+", (sine, cosine)) if part else ("-", (cosine, sine))
    first, second = ("sin", "cos") if part else ("cos", "sin")
    value = x0 * one.value + (x1 if part else -x1) * other.value
    before, after = shown_number(x0), shown_number(x1)
    words = f"{before.text} {first}(a) {sign} {bracketed(after.text)} {second}(a)"
    latex = rf"{before.latex} \{first} a {sign} {bracketed(after.latex)} \{second} a"
    symbol = f"rotated({position}, {column})"
    python = f"print({x0!r} * {one.value!r} {sign} {x1!r} * {other.value!r})\n"
    steps = (*cosine.steps, sine.steps[-1], number_step(words, latex, value))
    return Derivation(
        symbol, f"{symbol} = {words}, a the angle of pair {pair}", f"x'_{{{column}}} = {latex}", python, steps
    )


KIND = RotationFormula
