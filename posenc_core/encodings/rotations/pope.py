"""Polar position embedding: magnitudes from content, phases from position (Gopalakrishnan et al. 2025)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np

from posenc_core.encodings.abilities.effect import Combination, Effect
from posenc_core.encodings.abilities.pairs import Pairs
from posenc_core.encodings.abilities.scores import Scores, distance_step, in_pieces
from posenc_core.encodings.biases.fields import WeightsField
from posenc_core.encodings.harmonic import HarmonicTable, base_warnings, frequency_source
from posenc_core.explain import (
    Derivation,
    Dialect,
    Snippet,
    Step,
    Sum,
    Term,
    angle_step,
    listed,
    number_step,
    shown_angle,
    shown_number,
    significant,
    turn_words,
)
from posenc_core.fields import BASE, check_vector
from posenc_core.numerics import FloatArray, IntArray, geometric_frequencies, wrapped_frequencies
from posenc_core.rope_scaling import HEAD_DIM, ROPE_THETA


class PhasesField(WeightsField, frozen=True, kw_only=True):
    """A list of angles from -2 pi to 0."""

    lowest: float = -math.tau
    highest: float = 0.0
    bounds: ClassVar[str] = "a list of angles from -2 pi to 0, one per column, or none for 0"


DELTA = PhasesField(
    name="delta",
    help="The learned phase of each column of a key, in radians; none for 0.",
    default=(),
)


@dataclass(frozen=True)
class Pope(HarmonicTable):
    """``cos(theta_c p)`` and ``sin(theta_c p)`` of every column c of a head: ``theta_c = rope_theta^(-c/d)``.

    d = ``head_dim``, c = 0..d-1, so that the table has 2d columns, cosines first. The magnitudes of queries and keys
    are ``softplus(x) = ln(1 + e^x)``; the score is ``sum_c softplus(q_c) softplus(k_c) cos((m - n) theta_c - delta_c)``
    for a query at m and a key at n. Content cannot turn a phase. Source: Gopalakrishnan et al. 2025 (Decoupling the
    What and Where with Polar Coordinate Positional Embedding, arXiv 2509.10534).
    """

    head_dim: Annotated[int, HEAD_DIM] = HEAD_DIM.default
    rope_theta: Annotated[float, ROPE_THETA] = ROPE_THETA.default
    delta: Annotated[tuple[float, ...], DELTA] = ()

    family: ClassVar[str] = "pope"
    title: ClassVar[str] = "PoPE"
    in_story: ClassVar[bool] = False
    year: ClassVar[int] = 2025
    summary: ClassVar[str] = "Content sets the magnitude of each column, and position all of its phase."
    brief: ClassVar[str] = "polar columns"
    citation: ClassVar[str] = (
        "Gopalakrishnan et al. 2025, Decoupling the What and Where with Polar Coordinate Positional Embedding, "
        "arXiv 2509.10534, section 3"
    )
    effect: ClassVar[Effect] = Effect.ROTATES
    PARTS: ClassVar[tuple[str, str]] = ("cos", "sin")
    WIDTH_NAME: ClassVar[str] = HEAD_DIM.name
    trained_beside: ClassVar[str] = "a phase per column"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.delta and len(self.delta) != self.head_dim:
            raise ValueError(f"delta must have head_dim = {self.head_dim} numbers, got {len(self.delta)}")
        if not np.isfinite(self.pairs.frequencies).all():
            raise ValueError(f"base (rope_theta) {self.rope_theta:g} is too small: the frequencies are infinite")

    @property
    def n_columns(self) -> int:
        """Two numbers for each column of a head."""
        return 2 * self.head_dim

    @cached_property
    def pairs(self) -> Pairs:
        """A pair for each column of a head."""
        frequencies = geometric_frequencies(self.rope_theta, 0, 1, self.head_dim, self.head_dim)
        wrapped = wrapped_frequencies(self.rope_theta, 0, 1, self.head_dim, self.head_dim)
        return Pairs(frequencies, wrapped, frequencies.copy(), self.n_columns, is_interleaved=False, sine_first=False)

    @property
    def phases(self) -> FloatArray:
        """The phase of each column of a key, float64 ``(head_dim,)`` in rad."""
        return np.array(self.delta) if self.delta else np.zeros(self.head_dim)

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence on an unusual base."""
        return tuple(base_warnings(self.rope_theta))

    @property
    def scores(self) -> "PolarScores":
        """Scores of magnitudes and phases."""
        return PolarScores(self)

    @property
    def combination(self) -> Combination:
        """None: a head's d columns become 2d."""
        return Combination("none", self.n_columns, lambda vectors, positions: vectors)

    def score(self, query: Sequence[float], key: Sequence[float], distance: int) -> float:
        """The score of a query and a key ``(head_dim,)`` at a distance key - query."""
        return float(self.scores.by_distance(np.array([distance]), "typed", query, key)[0])

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """Frequencies, then cosines and sines in halves."""
        frequencies = frequency_source(self.rope_theta, self.head_dim, lambda pair: (pair, self.head_dim), code)
        return frequencies + self.table_source("positions", code)

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of the entry: column of the head, frequency, angle, cosine or sine."""
        pair, part = self.pairs.place(column)
        name, frequency, wrapped = (
            self.PARTS[part],
            *(float(each[pair]) for each in (self.pairs.frequencies, self.pairs.wrapped)),
        )
        value = (math.cos, math.sin)[part](wrapped * position)
        base = significant(Decimal(BASE.format(self.rope_theta)), 17)
        shown = shown_angle(frequency * position, of=frequency)
        turn = turn_words(frequency, position)
        steps = (
            Step(f"column {column} is the {name} of the head's column c = {pair}", f"c = {pair}", float(pair)),
            shown.step(
                f"frequency {base.factor}^(-{pair}/{self.head_dim})",
                rf"\theta_{{{pair}}} = ({base.latex})^{{-{pair}/{self.head_dim}}}",
                frequency,
            ),
            angle_step(f"angle {turn.text}", rf"\varphi = {turn.latex}", frequency * position),
            number_step(f"{name} of the angle", rf"\{name} \varphi", value),
        )
        python = f"import math\n\nprint(math.{name}({wrapped!r} * {position}))\n"
        formula, latex = f"{name}({turn.text})", rf"\{name}({turn.latex})"
        return Derivation.of_entry("P", (position, column), formula, latex, python, steps)


def softplus(x: FloatArray) -> FloatArray:
    """``ln(1 + e^x)``, float64 of the same shape."""
    return np.logaddexp(0.0, x)


class PolarScores(Scores):
    """Scores of magnitudes ``softplus(q)`` and ``softplus(k)`` under phases of the distance."""

    vectors: ClassVar[tuple[str, ...]] = ("q", "k")

    def __init__(self, encoding: Pope) -> None:
        super().__init__(encoding.head_dim)
        self._encoding = encoding

    def by_distance(self, distances: IntArray, mode: str, q: Any, k: Any) -> FloatArray:
        """The score in each mode; in ``independent`` the mean over standard normal queries and keys."""
        return self._waves(distances, self._magnitudes(mode, q, k))

    def spread(self, distances: IntArray) -> FloatArray:
        """The standard deviation for independent standard normal queries and keys."""
        mean, square = _moments()
        squares = np.full(self.width, square * square - mean**4)
        return np.sqrt(self._waves(distances, squares, power=2))

    def logits(self, scores: FloatArray) -> FloatArray:
        """The scores over ``sqrt(d)``."""
        return scores / math.sqrt(self.width)

    def derivation(self, apart: int, mode: str, q: Any, k: Any, head: int) -> Derivation:
        """The magnitudes and the cosine of each column."""
        magnitudes = self._magnitudes(mode, q, k)
        angles = -apart * self._encoding.pairs.wrapped - self._encoding.phases

        def written(column: int) -> Term:
            shown, angle = shown_number(float(magnitudes[column])), shown_angle(float(angles[column]))
            return f"{shown.factor} · cos({angle.text})", rf"{shown.latex} \cos({angle.latex})", shown, angle

        total = Sum("column", magnitudes * np.cos(angles), written, "Σ μ_q μ_k cos((m - n) θ_c - δ_c)",
                    r"\sum_c \mu_q \mu_k \cos((m - n) \theta_c - \delta_c)", (distance_step(apart),))  # fmt: skip
        lines = listed("mu", magnitudes) + listed("angles", angles)
        python = f"import math\n\n{lines}print(sum(a * math.cos(b) for a, b in zip(mu, angles)))\n"
        return total.derivation(f"score({-apart})", f"s({-apart})", python)

    def _magnitudes(self, mode: str, q: Any, k: Any) -> FloatArray:
        """The product of both magnitudes of each column, float64 ``(width,)``."""
        if mode == "independent":
            return np.full(self.width, _moments()[0] ** 2)
        ones = np.ones(self.width)
        query, key = (
            (check_vector(q, "q", self.width), check_vector(k, "k", self.width)) if mode == "typed" else (ones, ones)
        )
        return softplus(query) * softplus(key)

    def _waves(self, distances: IntArray, weights: FloatArray, power: int = 1) -> FloatArray:
        def waves(some: IntArray) -> FloatArray:
            angles = np.multiply.outer(-some, self._encoding.pairs.wrapped)
            return np.asarray(np.cos(angles - self._encoding.phases) ** power @ weights)

        return in_pieces(distances, self.width, waves)


def _moments() -> tuple[float, float]:
    """The mean of softplus and of its square for a standard normal number, by the trapezoidal rule."""
    x = np.linspace(-12.0, 12.0, 2401)
    density = np.exp(-x * x / 2) / math.sqrt(2 * math.pi) * (x[1] - x[0])
    return float(softplus(x) @ density), float(softplus(x) ** 2 @ density)
