"""Sinusoids of the distance, which each query of Transformer-XL weighs (Dai et al. 2019, section 3.3)."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as replace_fields
from functools import cached_property
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from posenc_core.encodings.abilities.pairs import Pairs
from posenc_core.encodings.abilities.rows import ColumnInfo
from posenc_core.encodings.abilities.sampler import Sampler
from posenc_core.encodings.base import Encoding
from posenc_core.encodings.sinusoidal import Sinusoidal
from posenc_core.explain import Derivation, Dialect, Snippet, Step
from posenc_core.fields import (
    BASE,
    D_MODEL,
    IntegerField,
    as_reals,
    check_index,
    check_picture,
    check_position,
    optional,
    shortened,
)
from posenc_core.numerics import (
    Bands,
    Complex64Array,
    Float32Array,
    FloatArray,
    IntArray,
    Lines,
    Spans,
    Traces,
    sinusoid_traces,
)

Means = TypeVar("Means", np.float32, np.complex64)

WIDTH = replace(
    D_MODEL,
    name="d",
    label="&d",
    help="Number of columns of R: sines in the first half, cosines in the second. Even.",
    minimum=2,
    synonyms="d_model, demb",
)

CLAMP_LEN = optional(
    IntegerField(
        name="clamp_len",
        help="Keys farther than this before the query have the vector of this distance; none means no clamp.",
        default=128,
        minimum=1,
        maximum=10_000_000,
        unit="positions",
    )
)


class Score(Struct, frozen=True):
    """The four terms of ``A_ij``, lettered as in the paper, and the width of the head.

    ``content`` (a) is ``q.k``, ``position`` (b) ``q.(W_kR R)``, ``content_bias`` (c) ``u.k`` and ``position_bias``
    (d) ``v.(W_kR R)``.
    """

    content: float
    position: float
    content_bias: float
    position_bias: float
    d_head: int

    @property
    def total(self) -> float:
        """The sum of the four terms."""
        return self.content + self.position + self.content_bias + self.position_bias

    @property
    def scaled(self) -> float:
        """The logit: the sum over ``sqrt(d_head)``."""
        return self.total / math.sqrt(self.d_head)


@dataclass(frozen=True)
class TransformerXLRelative(Encoding):
    """R of the distance: column i of the first half is ``sin(w_i r)``, of the second ``cos(w_i r)``, r = query - key.

    Positions are ``key - query``, as in every relative family, so ``r = -position``, at most ``clamp_len``.
    ``w_i = base^(-2i/d)``. A causal model needs r >= 0 only.

    Source: Dai et al. 2019, section 3.3, and ``PositionalEmbedding`` of the authors' code.
    """

    d: Annotated[int, WIDTH]
    base: Annotated[float, BASE] = 10000.0
    clamp_len: Annotated[int | None, CLAMP_LEN] = None

    family: ClassVar[str] = "transformer_xl"
    title: ClassVar[str] = "Transformer-XL"
    year: ClassVar[int] = 2019
    summary: ClassVar[str] = "Sinusoids of the distance between query and key, weighed by the query itself."
    brief: ClassVar[str] = "waves of distance"
    trained_beside: ClassVar[str] = "a layer trains how it weighs them: W_kR, u and v"
    citation: ClassVar[str] = "Dai et al. 2019, Transformer-XL, section 3.3"
    continuous: ClassVar[bool] = True
    relative: ClassVar[bool] = True
    causal: ClassVar[bool] = True
    WIDTH_NAME: ClassVar[str] = "d"

    def __post_init__(self) -> None:
        """Bounds of each parameter; ValueError for an odd width."""
        super().__post_init__()
        if self.d % 2:
            raise ValueError(f"d must be even to form sin/cos pairs, got {self.d}")

    @cached_property
    def sinusoids(self) -> Sinusoidal:
        """The table by r."""
        return Sinusoidal(self.d, self.base, layout="concatenated")

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on a base with an unusual progression."""
        return self.sinusoids.warnings

    def column_blocks(self) -> tuple[tuple[int, int], ...]:
        """The two halves."""
        return self.sinusoids.column_blocks()

    @cached_property
    def pairs(self) -> Pairs:
        """The pairs, which turn back as the position grows, up to the clamp."""
        return replace_fields(self.sinusoids.pairs, is_reversed=True, clamp_len=self.clamp_len)

    @property
    def sampler(self) -> "DistanceSampler":
        """Pictures in closed form."""
        return DistanceSampler(self)

    def column_info(self, column: int) -> ColumnInfo:
        """The column's pair, part and wavelength."""
        return self.sinusoids.column_info(column)

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """Bounds of sines and cosines."""
        return (-1.0, 1.0)

    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """The entries in float64 ``(n_positions, n_columns)``."""
        return self.sinusoids.values(self.r_of(positions), columns)

    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array:
        """The entries by angle addition, float32 ``(n_positions, n_columns)``; within 2e-7 up to 10**7."""
        if self.clamp_len is None or not np.any(clamped := -positions > self.clamp_len):
            return self.sinusoids.encode(-positions, columns)
        entries = np.empty((len(positions), len(columns)), np.float32)
        entries[clamped] = self.sinusoids.encode(np.array([self.clamp_len]), columns)
        entries[~clamped] = self.sinusoids.encode(-positions[~clamped], columns)
        return entries

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of the entry: the distance r, its clamp, then the steps of the sinusoid."""
        r, (used,) = -position, self.r_of(np.array([position])).tolist()
        inner = self.sinusoids.explain(used, column)
        steps = [Step(f"r = query - key = {r}", f"r = i - j = {r}", float(r))]
        if self.clamp_len is not None:
            relation = f"min({r}, {self.clamp_len}) = {used}"
            steps.append(Step(f"clamped to {relation}", rf"r = \{relation}", float(used)))
        symbol = f"R({r}, {column})"
        return replace(
            inner,
            symbol=symbol,
            formula=inner.formula.replace(inner.symbol, symbol, 1),
            formula_latex=inner.formula_latex.replace(f"PE_{{({used}, {column})}}", f"R_{{{r}, {column}}}", 1),
            steps=(*steps, *inner.steps),
        )

    def score(self, q: Any, k: Any, u: Any, v: Any, query: int, key: int, projection: Any | None = None) -> Score:
        """The four terms of the score of ``query`` and ``key``, positions counted from 0.

        ``q``, ``k`` and the learned biases ``u`` (code: ``r_w_bias``) and ``v`` (``r_r_bias``) are vectors
        ``(d_head,)``; ``projection`` is ``W_kR`` ``(d_head, d)``, None for the identity. TypeError for positions
        that are not integers, ValueError for vectors of other lengths.
        """
        distance = check_position(check_index(key, "key") - check_index(query, "query"))
        return _four_terms(q, k, u, v, self.values(np.array([distance]), np.arange(self.d))[0], projection)

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """The distances r, then their sinusoids."""
        clamped = "" if self.clamp_len is None else f".clip(max={self.clamp_len})"
        r = Snippet((f"r = (-positions){clamped}  # query - key",))
        return r + self.sinusoids.source_of("r", code)

    def r_of(self, positions: IntArray) -> IntArray:
        """The distance r = query - key, clamped."""
        return -positions if self.clamp_len is None else np.minimum(-positions, self.clamp_len)


class DistanceSampler(Sampler[TransformerXLRelative]):
    """Means and curves of sinusoids of the distance, constant beyond the clamp."""

    def means(self, rows: Spans, columns: Spans) -> Float32Array:
        """The exact means over each pixel's distances and columns."""
        return self._by_r(rows, lambda distances: self.table.sinusoids.sampler.means(distances, columns))

    def mean_phasors(self, rows: Spans, pairs: Spans) -> Complex64Array:
        """The exact means of unit vectors."""
        return self._by_r(rows, lambda distances: self.table.sinusoids.sampler.mean_phasors(distances, pairs))

    def _by_r(self, rows: Spans, means: Callable[[Spans], npt.NDArray[Means]]) -> npt.NDArray[Means]:
        """Means over spans of positions, from means over spans of r and from the constant row beyond ``clamp_len``."""
        lowest, highest = 1 - rows.start - rows.count, -rows.start
        if self.table.clamp_len is None or highest[0] <= self.table.clamp_len:
            return means(Spans(lowest, rows.count))
        free = np.clip(self.table.clamp_len - lowest + 1, 0, rows.count)
        share = (free / rows.count)[:, None]
        # a pixel that is clamped throughout has the constant row, with weight 0; another one is the last row here
        starts = np.append(np.where(free > 0, lowest, self.table.clamp_len), self.table.clamp_len)
        found = means(Spans(starts, np.append(np.maximum(free, 1), 1)))
        return np.asarray(share * found[:-1] + (1 - share) * found[-1], found.dtype)

    def traces(self, columns: IntArray, positions: tuple[float, float], pixels: int) -> Traces:
        """The columns as continuous curves, constant beyond the clamp of r."""
        first, last = check_picture(self.table.n_columns, columns, positions, pixels)
        edge = first if self.table.clamp_len is None else max(first, float(-self.table.clamp_len))
        if edge >= last:
            level = np.repeat(self.table.values(np.array([math.floor(first)]), columns).T, 2, axis=1)
            x = np.broadcast_to([first, last], level.shape)
            return Traces((Lines(columns, x, level),) if len(columns) else (), ())
        share = max(1, round(pixels * (last - edge) / (last - first)))
        waves = self.table.sinusoids.pairs.waves(columns)
        mirrored = sinusoid_traces(*waves, columns, (-last, -edge), share, pixels)
        lines = tuple(Lines(each.columns, -each.x[:, ::-1], each.y[:, ::-1]) for each in mirrored.lines)
        bands = tuple(Bands(one.columns, -one.x[::-1], one.low[:, ::-1], one.high[:, ::-1]) for one in mirrored.bands)
        if edge > first:
            lines = tuple(Lines(line.columns, _before(line.x, first), _before(line.y, line.y[:, :1])) for line in lines)
            bands = tuple(self._clamped(band, first) for band in bands)
        return Traces(lines, bands)

    def _clamped(self, band: Bands, first: float) -> Bands:
        """The band with an additional first part, which begins at ``first``."""
        level = self.table.values(np.array([math.floor(first)]), band.columns).T
        return Bands(band.columns, np.r_[first, band.x], _before(band.low, level), _before(band.high, level))


def _before(array: FloatArray, first: float | FloatArray) -> FloatArray:
    """The array with one more entry at the beginning of each row."""
    return np.concatenate([np.broadcast_to(first, (len(array), 1)), array], axis=1)


def _four_terms(q: Any, k: Any, u: Any, v: Any, r: FloatArray, projection: Any | None) -> Score:
    """The terms for vectors ``(d_head,)``, R of the distance ``(d,)`` and W_kR ``(d_head, d)``, None for identity.

    ValueError with a sentence for anything but vectors and a matrix of finite numbers of these sizes.
    """
    query = _finite(q, "q", 1)
    if projection is None:
        projected = r
    else:
        matrix = _finite(projection, "projection", 2)
        if matrix.shape != (len(query), len(r)):
            raise ValueError(f"projection must be of shape ({len(query)}, {len(r)}), got {matrix.shape}")
        projected = matrix @ r
    key, content, position = _finite(k, "k", 1), _finite(u, "u", 1), _finite(v, "v", 1)
    for name, vector in (("k", key), ("u", content), ("v", position), ("the projected R", projected)):
        if len(vector) != len(query):
            raise ValueError(f"{name} must have as many entries as q, {len(query)}, got {len(vector)}")
    return Score(
        content=float(query @ key),
        position=float(query @ projected),
        content_bias=float(content @ key),
        position_bias=float(position @ projected),
        d_head=len(query),
    )


def _finite(values: Any, name: str, rank: int) -> FloatArray:
    """The values as float64 of that rank; ValueError unless they are finite numbers."""
    kind = "vector" if rank == 1 else "matrix"
    array = as_reals(values, f"{name} must be a {kind} of numbers")
    if array.ndim != rank or not array.size or not np.isfinite(array).all():
        raise ValueError(f"{name} must be a {kind} of finite numbers, got {shortened(values)}")
    return array
