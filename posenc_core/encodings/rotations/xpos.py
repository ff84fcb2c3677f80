"""RoPE with an amplitude that falls with the distance (Sun et al. 2022)."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, partial
from typing import Annotated, Any, ClassVar

import numpy as np
import numpy.typing as npt

from posenc_core.encodings.abilities.effect import Effect
from posenc_core.encodings.abilities.pairs import Pairs
from posenc_core.encodings.abilities.rotation_scores import RotationScores
from posenc_core.encodings.abilities.rows import ColumnInfo
from posenc_core.encodings.abilities.scores import distance_step, in_pieces
from posenc_core.encodings.harmonic import base_warnings
from posenc_core.encodings.rotary import Rotary
from posenc_core.encodings.rotations.curves import CurvedTable
from posenc_core.explain import (
    Derivation,
    Dialect,
    Digits,
    Snippet,
    Sum,
    Term,
    bracketed,
    number_list,
    number_step,
    shown_number,
    turn_words,
)
from posenc_core.fields import IntegerField, RealField, check_column
from posenc_core.numerics import (
    Complex64Array,
    Float32Array,
    FloatArray,
    IntArray,
    arithmetic_step,
    phasors,
    power_rows,
    products,
)
from posenc_core.rope_scaling import HEAD_DIM, PAIRING, ROPE_THETA

GAMMA = RealField(
    name="gamma",
    help="Larger values slow the fading of all pairs. In a head of D columns, pair i is multiplied by "
    "(2i/D + gamma)/(1 + gamma) per scale_base positions.",
    default=0.4,
    above=0.0,
    most=1000.0,
    slider=(0.01, 4.0),
)
SCALE_BASE = IntegerField(
    name="scale_base",
    help="Distance over which each pair is multiplied once by its factor.",
    default=512,
    minimum=1,
    maximum=10_000_000,
    unit="positions",
)


ComplexArray = npt.NDArray[np.complex128]


@dataclass(frozen=True)
class XPos(CurvedTable):
    """``zeta_i^(d/scale_base) cos(theta_i d)`` and ``-zeta_i^(d/scale_base) sin(theta_i d)`` at d = query - key >= 0.

    The angle is that of key minus query, as in every table by distance.

    ``zeta_i = (2i/D + gamma)/(1 + gamma)``, ``theta_i = rope_theta^(-2i/D)``, i = 0..D/2-1, D = ``head_dim``, even.
    A query at position m is multiplied by ``zeta^(m/scale_base)`` and a key at n by ``zeta^(-n/scale_base)``; only
    their product is bounded, so that the table is by distance. Later keys have no value: xPos is for causal
    models.
    Source: Sun et al. 2022 (A Length-Extrapolatable Transformer, arXiv 2212.10554), section 2.2.
    """

    head_dim: Annotated[int, HEAD_DIM] = HEAD_DIM.default
    rope_theta: Annotated[float, ROPE_THETA] = ROPE_THETA.default
    gamma: Annotated[float, GAMMA] = GAMMA.default
    scale_base: Annotated[int, SCALE_BASE] = SCALE_BASE.default
    pairing: Annotated[str, PAIRING] = PAIRING.default

    family: ClassVar[str] = "xpos"
    title: ClassVar[str] = "xPos"
    in_story: ClassVar[bool] = False
    year: ClassVar[int] = 2022
    summary: ClassVar[str] = "RoPE whose pairs fade with the distance, the fast ones first."
    brief: ClassVar[str] = "turns and fades"
    citation: ClassVar[str] = "Sun et al. 2022, A Length-Extrapolatable Transformer, arXiv 2212.10554, section 2.2"
    relative: ClassVar[bool] = True
    effect: ClassVar[Effect] = Effect.ROTATES
    causal: ClassVar[bool] = True
    WIDTH_NAME: ClassVar[str] = HEAD_DIM.name

    def __post_init__(self) -> None:
        super().__post_init__()
        self.turning  # noqa: B018  # refuses an odd head_dim

    @cached_property
    def rotary(self) -> Rotary:
        """The rotation without the amplitude."""
        return Rotary(self.head_dim, self.rope_theta, self.pairing)

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence on an unusual base."""
        return tuple(base_warnings(self.rope_theta))

    @property
    def turning(self) -> Pairs:
        """The pairs of the rotation."""
        return self.rotary.pairs

    @cached_property
    def zetas(self) -> FloatArray:
        """The factor of each pair at the distance ``scale_base``, float64 ``(n_pairs,)``."""
        return np.asarray((2.0 * np.arange(self.turning.n_pairs) / self.head_dim + self.gamma) / (1 + self.gamma))

    def factor(self, pair: int, distance: int) -> float:
        """The factor of a pair in a score at a distance query - key."""
        return float(self.zetas[pair] ** (distance / self.scale_base))

    @property
    def scores(self) -> "FadingScores":
        """The scores of rotated queries and keys with the factors."""
        return FadingScores(self)

    @property
    def domain(self) -> tuple[float, float]:
        """Keys up to the query."""
        return (-math.inf, 0)

    def no_value(self, position: int) -> str:
        """The sentence for a later key."""
        return f"distance {-position} has no value: the amplitude of xPos would grow with later keys without bound"

    def frequencies(self) -> FloatArray:
        """Angular frequency of each pair in rad per token, float64 ``(n_pairs,)``."""
        return self.turning.frequencies

    def column_blocks(self) -> tuple[tuple[int, int], ...]:
        """The blocks of the rotation."""
        return self.rotary.column_blocks()

    def column_info(self, column: int) -> ColumnInfo:
        """Pair, part and wavelength of the column."""
        check_column(column, self.n_columns)
        return self.rotary.column_info(column)

    def curve(self, places: FloatArray, columns: IntArray) -> FloatArray:
        """The columns at any distances key - query; at whole ones less whole turns per position."""
        pairs, parts = self.turning.place(columns)
        found = np.multiply.outer(places, self.turning.frequencies_at(places)[pairs])
        for part, wave in enumerate((np.cos, np.sin)):
            found[:, parts == part] = wave(found[:, parts == part])
        with np.errstate(under="ignore"):
            found *= np.exp(np.multiply.outer(places / -self.scale_base, np.log(self.zetas[pairs])))
        return found + 0.0

    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array:
        """The entries in float32; evenly spaced ascending distances by products of fading phasors."""
        step = arithmetic_step(positions)
        if step is None or step < 1 or not len(columns):
            return super().encode(positions, columns)
        pairs, parts = self.turning.place(columns)
        needed, place = np.unique(pairs, return_inverse=True)
        height = math.isqrt(len(positions) - 1) + 1
        missing = -len(positions) % height  # blocks end with the last position: no factor exceeds 1
        with np.errstate(under="ignore"):
            last, before, block = (self._fading(each, needed) for each in (positions[-1], -step, -step * height))
            seeds = power_rows(last, block, (len(positions) + missing) // height)[::-1].astype(np.complex64)
            within = power_rows(np.ones_like(last), before, height)[::-1].astype(np.complex64)
        return products(partial(_factors, seeds, within, missing), len(positions), len(needed), 2 * place + parts)

    def _fading(self, position: int, pairs: IntArray) -> ComplexArray:
        """``zeta^(-p/scale_base) exp(i w p)`` of pairs at a position p <= 0, complex128 ``(m,)``."""
        faded = np.exp(np.log(self.zetas[pairs]) * (position / -self.scale_base))
        return np.asarray(faded * phasors(-position * self.turning.wrapped[pairs]))

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """Frequencies and factors, then cosines and sines in their columns."""
        zetas = code.numbers(number_list(self.zetas.tolist()))
        fading = Snippet((
            f"zetas = {zetas}",
            f"fading = zetas ** ({code.real('-positions')}[:, None] / {self.scale_base})",
        ))  # fmt: skip
        table = self.rotary.table_source("positions", code)
        repeated = "fading.repeat(1, 2)" if code.name == "PyTorch" else f"{code.module}.tile(fading, 2)"
        if self.turning.is_interleaved:
            repeated = "fading.repeat_interleave(2, 1)" if code.name == "PyTorch" else "fading.repeat(2, axis=1)"
        return self.rotary.frequencies_source(code) + fading + table + Snippet((f"table = table * {repeated}",))

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of the entry: the rotation's cosine or sine, the pair's factor, and their product."""
        self.check_domain(np.array([position]))
        turned = self.rotary.explain(position, column)
        pair, _ = self.turning.place(column)
        zeta, factor = float(self.zetas[pair]), self.factor(pair, -position)
        base, gamma = self.scale_base, GAMMA.format(self.gamma)
        times = Decimal(max(1, -position // base)).adjusted()  # by so many digits more does the power differ
        shown = Digits(min(9 + times, 17))(zeta)
        rounded = [shown] if position else []
        power, latex = shown.power(f"({-position}/{base})"), shown.power_latex(f"{-position}/{base}")
        (value,) = self.values(np.array([position]), np.array([column])).ravel().tolist()
        steps = (
            distance_step(position, f", so key - query = {position}"),
            *turned.steps,
            number_step(
                f"zeta of pair {pair}: (2 · {pair}/{self.head_dim} + {gamma})/(1 + {gamma})",
                rf"\zeta_{{{pair}}}",
                zeta,
            ),
            number_step(f"factor {power}", latex, factor, *rounded),
            number_step("their product", r"\zeta^{d/s} \cdot x", value, *rounded),
        )
        python = f"print({zeta!r} ** ({-position} / {base}) * {turned.value!r})\n"
        formulas = f"{power} · {turned.symbol}", rf"{latex} \cdot x"
        return Derivation.of_entry("x", (-position, column), *formulas, python, steps)


def _factors(
    seeds: Complex64Array, within: Complex64Array, missing: int, first: int, stop: int
) -> Iterator[tuple[slice, Complex64Array, Complex64Array]]:
    """Factors of rows first..stop-1: the last row of a block, and the rows before; the first block lacks some rows."""
    start, height = first, len(within)
    while start < stop:
        block, row = divmod(start + missing, height)
        some = min(stop - start, height - row)
        yield slice(start, start + some), seeds[block], within[row : row + some]
        start += some


class FadingScores(RotationScores):
    """Scores of rotated queries and keys, each pair times its factor; nan for later keys."""

    is_bounded: ClassVar[bool] = False

    def __init__(self, encoding: XPos) -> None:
        super().__init__(encoding.rotary.rotation)
        self._encoding = encoding

    def by_distance(self, distances: IntArray, mode: str, q: Any, k: Any) -> FloatArray:
        """The score in each mode; 0, the mean, in the mode ``independent``."""
        if mode == "independent":
            return np.where(distances > 0, np.nan, 0.0)
        straight, crossed, _ = self._weights(mode, q, k)

        def faded(some: IntArray) -> FloatArray:
            angles = np.multiply.outer(some, self._encoding.turning.wrapped)
            terms = np.cos(angles) * straight
            if crossed.any():
                terms += np.sin(angles) * crossed
            terms *= self._factors(some)
            return np.where(some > 0, np.nan, terms.sum(axis=1))

        return in_pieces(distances, len(straight), faded)

    def spread(self, distances: IntArray) -> FloatArray:
        """The root of twice the sum of the squared factors."""
        found = np.sqrt(2 * np.square(self._factors(np.minimum(distances, 0))).sum(axis=1))
        return np.where(distances > 0, np.nan, found)

    def derivation(self, apart: int, mode: str, q: Any, k: Any, head: int) -> Derivation:
        """The pairs' products turned by the distance, each times its factor."""
        self._encoding.check_domain(np.array([apart]))
        straight, crossed, _ = self._weights(mode, q, k)
        crossed = -crossed  # sines of query - key
        angles, factors = self._encoding.turning.wrapped * -apart, self._factors(np.array([apart]))[0]
        terms = (np.cos(angles) * straight + np.sin(angles) * crossed) * factors

        def written(pair: int) -> Term:
            a, b, z = (shown_number(float(each[pair])) for each in (straight, crossed, factors))
            turn = turn_words(float(self._encoding.turning.wrapped[pair]), -apart)
            return (
                f"{z.factor} · ({a.text} cos({turn.text}) + {bracketed(b.text)} sin({turn.text}))",
                rf"{z.latex} ({a.latex} \cos({turn.latex}) + {bracketed(b.latex)} \sin({turn.latex}))", a, b, z, turn,
            )  # fmt: skip

        total = Sum("pair", terms, written, "Σ zeta_i^(d/s) (A_i cos + B_i sin)",
                    r"\sum_i \zeta_i^{d/s} (A_i \cos + B_i \sin)", (distance_step(apart),))  # fmt: skip
        python = f"terms = {terms.tolist()!r}\nprint(sum(terms))\n"
        return total.derivation(f"score({-apart})", f"s({-apart})", python)

    def _weights(self, mode: str, q: Any, k: Any) -> tuple[FloatArray, FloatArray, float]:
        n_pairs = self._encoding.turning.n_pairs
        return self.products(q, k) if mode == "typed" else (np.full(n_pairs, 2.0), np.zeros(n_pairs), 0.0)

    def _factors(self, distances: IntArray) -> FloatArray:
        """The factor of each pair at each distance key - query <= 0, float64 ``(n_distances, n_pairs)``."""
        exponents = np.minimum(distances, 0) / -self._encoding.scale_base
        with np.errstate(under="ignore"):
            return np.asarray(np.exp(np.multiply.outer(exponents, np.log(self._encoding.zetas))))
