"""A rotation in one plane of all columns, GRAPE-M with a generator of rank 2 (Zhang et al. 2025)."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import mul
from typing import Annotated, Any, ClassVar

import numpy as np
from msgspec.structs import replace

from posenc_core.encodings.abilities.effect import Combination, Effect
from posenc_core.encodings.biases.fields import WeightsField
from posenc_core.encodings.rotations.curves import CurvedTable
from posenc_core.explain import (
    Derivation,
    Dialect,
    Snippet,
    angle_step,
    bracketed,
    number_step,
    shown_angle,
    shown_number,
)
from posenc_core.fields import RealField
from posenc_core.numerics import Float32Array, FloatArray, IntArray

A = WeightsField(
    name="a",
    label="&a",
    help="First vector of the rotated plane, a number per column.",
    default=(1.0, 2.0, 0.0),
    least=2,
    most=4096,
)
B = replace(A, name="b", label="&b", help=A.help.replace("First", "Second"), default=(0.0, 1.0, 2.0))
OMEGA = RealField(
    name="omega",
    label="&omega",
    help="Speed of the rotation: each position turns the plane by omega times the area that a and b span.",
    default=0.1,
    above=0.0,
    most=1000.0,
    slider=(0.01, 1.0),
)
TURNED = replace(
    A,
    name="vector_turned",
    label="turned &vector",
    help="Vector whose rotation the table shows. None uses the first unit vector.",
    default=(),
    least=0,
)


_LARGE = 1e37
"""Components above which float32 may have no such sum of three."""


@dataclass(frozen=True)
class GrapeM(CurvedTable):
    """``exp(p omega L) x`` with ``L = a b^T - b a^T``, the rotation of vectors in the plane of a and b.

    ``exp(p omega L) = I + sin(phi)/s L + (1 - cos(phi))/s^2 L^2``, ``phi = p omega s``, s the area that a and b span,
    ``sqrt(|a|^2 |b|^2 - (a.b)^2)``. The table shows ``vector_turned``, by default the first unit vector. Vectors a and
    b of one direction give no rotation. RoPE is a product of such rotations in planes of two columns. Source: Zhang et
    al. 2025 (GRAPE: Group Representational Position Encoding, arXiv 2512.07805), section 2.
    """

    a: Annotated[tuple[float, ...], A] = A.default
    b: Annotated[tuple[float, ...], B] = B.default
    omega: Annotated[float, OMEGA] = OMEGA.default
    vector_turned: Annotated[tuple[float, ...], TURNED] = ()

    family: ClassVar[str] = "grape_m"
    title: ClassVar[str] = "GRAPE-M"
    in_story: ClassVar[bool] = False
    year: ClassVar[int] = 2025
    summary: ClassVar[str] = "A rotation of the whole vector in one learned plane, whose angle grows with the position."
    brief: ClassVar[str] = "turns a plane"
    citation: ClassVar[str] = (
        "Zhang et al. 2025, GRAPE: Group Representational Position Encoding, arXiv 2512.07805, section 2"
    )
    effect: ClassVar[Effect] = Effect.ROTATES
    PART: ClassVar[str] = "component"
    WIDTH_NAME: ClassVar[str] = "head_dim"
    trained_beside: ClassVar[str] = "a plane per head"

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, given in (("b", self.b), (TURNED.name, self.vector_turned)):
            if given and len(given) != len(self.a):
                raise ValueError(f"{name} must have as many numbers as a, {len(self.a)}, got {len(given)}")

    @property
    def n_columns(self) -> int:
        """The number of components of a."""
        return len(self.a)

    @cached_property
    def area(self) -> float:
        """s, the area that a and b span, from exact products: float64 would lose that of nearly parallel vectors."""
        a, b = (tuple(map(Fraction, each)) for each in (self.a, self.b))
        aa, bb, ab = (sum(map(mul, *each)) for each in ((a, a), (b, b), (a, b)))
        return math.sqrt(aa * bb - ab * ab)

    @property
    def speed(self) -> float:
        """The angle per position in rad."""
        return self.omega * self.area

    def turned(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """``L x/s`` and ``L^2 x/s^2`` of vectors ``(..., n)``, float64; 0 for a plane of no area."""
        a, b, area = np.array(self.a), np.array(self.b), self.area or math.inf

        def generated(each: FloatArray) -> FloatArray:
            return np.asarray((np.multiply.outer(each @ b, a) - np.multiply.outer(each @ a, b)) / area)

        once = generated(x)
        return once, generated(once)

    def rotate(self, x: Any, positions: Any) -> FloatArray:
        """Vectors ``(n_positions, n)`` rotated to their positions, float64."""
        vectors = np.asarray(x, np.float64)
        once, twice = self.turned(vectors)
        angles = (np.asarray(positions, np.float64) * self.speed)[:, None]
        return np.asarray(vectors + np.sin(angles) * once + (1 - np.cos(angles)) * twice)

    @property
    def start(self) -> FloatArray:
        """The vector at position 0, float64 ``(n,)``."""
        return np.array(self.vector_turned) if self.vector_turned else np.eye(1, len(self.a))[0]

    @property
    def combination(self) -> Combination:
        """The rotation of queries and keys."""
        return Combination("rotation", self.n_columns, self.rotate)

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence on vectors that span no plane."""
        return () if self.area else ("a and b have one direction: nothing turns",)

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """From minus to plus the length of the vector."""
        reach = max(float(np.linalg.norm(self.start)) * (1 + 1e-9), 1e-9)
        return -reach, reach

    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array:
        """The components in float32, as a product of a matrix of three columns and one of three rows."""
        terms = np.stack([self.start, *self.turned(self.start)])[:, columns]
        if np.abs(terms).max(initial=0.0) > _LARGE:
            return super().encode(positions, columns)
        angles = positions * self.speed
        waves = np.stack([np.ones(len(positions)), np.sin(angles), 1 - np.cos(angles)], axis=1)
        return np.asarray(waves.astype(np.float32) @ terms.astype(np.float32))

    def curve(self, places: FloatArray, columns: IntArray) -> FloatArray:
        """The components of the rotated vector at any positions."""
        once, twice = (each[columns] for each in self.turned(self.start))
        angles = (places * self.speed)[:, None]
        return np.asarray(self.start[columns] + np.sin(angles) * once + (1 - np.cos(angles)) * twice) + 0.0

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """The generator's two products, then the rotated vector."""
        once, twice = (code.numbers(repr(each.tolist())) for each in self.turned(self.start))
        return Snippet((
            f"x, once, twice = {code.numbers(repr(self.start.tolist()))}, {once}, {twice}  # L x/s and L L x/s^2",
            f"angles = {code.real('positions')}[:, None] * {self.speed!r}",
            f"table = x + {code.module}.sin(angles) * once + (1 - {code.module}.cos(angles)) * twice",
        ))  # fmt: skip

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of a component: area, angle, and the three terms of the exponential."""
        once, twice = (float(each[column]) for each in self.turned(self.start))
        x, angle = float(self.start[column]), position * self.speed
        (value,) = self.values(np.array([position]), np.array([column])).ravel().tolist()
        shown, first, second, omega = (shown_number(each) for each in (x, once, twice, self.omega))
        area = shown_angle(angle, of=self.area)
        steps = (
            area.step("area that a and b span: s", r"s = \sqrt{|a|^2 |b|^2 - (a \cdot b)^2}", self.area),
            angle_step(
                f"angle φ = {position} · {omega.factor} · s", rf"\varphi = {position} \cdot {omega.latex} s", angle
            ),
            shown.step(f"component {column} of the vector: x_{column}", f"x_{{{column}}}", x),
            number_step(f"after the generator once: (L x)_{column}/s", rf"(L x)_{{{column}}}/s", once),
            number_step(f"after the generator twice: (L² x)_{column}/s²", rf"(L^2 x)_{{{column}}}/s^2", twice),
            number_step(
                f"{shown.factor} + sin φ · {bracketed(first.text)} + (1 - cos φ) · {bracketed(second.text)}",
                rf"{shown.latex} + \sin\varphi \cdot ({first.latex}) + (1 - \cos\varphi) ({second.latex})",
                value,
            ),
        )
        python = (
            f"import math\n\nprint({x!r} + math.sin({angle!r}) * {once!r} + (1 - math.cos({angle!r})) * {twice!r})\n"
        )
        formula = f"x_{column} + sin φ (L x)_{column}/s + (1 - cos φ) (L² x)_{column}/s²"
        latex = r"(e^{p \omega L} x)_{" + f"{column}" + "}"
        return Derivation.of_entry("G", (position, column), formula, latex, python, steps)
