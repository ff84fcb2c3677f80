"""Fourier position embedding: cosines and sines of RoPE's pairs, mixed by trained coefficients (Hua et al. 2024)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from posenc_core.encodings.abilities.computed import Computed
from posenc_core.encodings.abilities.effect import Combination, Effect
from posenc_core.encodings.abilities.rows import ColumnInfo
from posenc_core.encodings.abilities.stored_rows import Reading
from posenc_core.encodings.base import Encoding
from posenc_core.encodings.biases.fields import WeightsField, real_array, sizes
from posenc_core.encodings.harmonic import base_warnings
from posenc_core.encodings.rotary import Rotary
from posenc_core.encodings.rotations.curves import CurvedTable
from posenc_core.explain import Derivation, Dialect, Snippet, Step, Sum, Term, listed, shown_number, turn_words
from posenc_core.fields import TABLE_SEED, FloorField, IntegerField, optional
from posenc_core.numerics import (
    Float32Array,
    FloatArray,
    IntArray,
    arithmetic_step,
    blocks,
    normal_entries,
    phasor_rows,
)
from posenc_core.rope_scaling import HEAD_DIM, ROPE_THETA

Number = TypeVar("Number", np.float32, np.float64)

_WAVES_AT_A_TIME = 1 << 17
"""Waves computed together, 2 MB."""

TRAINED_LENGTH = IntegerField(
    name="fope_length",
    label="trained &length",
    help="Trained length: pairs with less than one turn within it are dropped.",
    default=4096,
    minimum=1,
    maximum=10_000_000,
    unit="positions",
    synonyms="trained_length, max_sequence_length",
)
WIDTH = replace(HEAD_DIM, maximum=2048)
"""The largest width of heads, since the number of coefficients is its square."""

NUM_INV_FREQ = optional(
    IntegerField(
        name="num_inv_freq",
        help="Number of kept pairs. None keeps the pairs with a full turn within the trained length.",
        default=1,
        minimum=0,
        maximum=1024,
        unit="pairs",
    )
)
COS = WeightsField(
    name="cos_coefficients",
    label="&cos coefficients",
    help="The K x K coefficients of the cosines: those of source pair 0 for all pairs, then those of pair 1, and "
    "so on. None uses the identity with simulated deviations.",
    default=(),
)
SIN = replace(COS, name="sin_coefficients", label="&sin coefficients", help=COS.help.replace("cosines", "sines"))
DEVIATION = FloorField(
    name="deviation",
    help="Standard deviation of the simulated coefficients from the identity; 0 is RoPE without its slowest pairs.",
    default=0.1,
    floor=0.0,
    most=1000.0,
    slider=(0.0, 1.0),
)


@dataclass(frozen=True)
class Fope(CurvedTable):
    """``cos'_j(p) = sum_i C_ij cos(theta_i p)`` and ``sin'_j(p) = sum_i S_ij sin(theta_i p)`` of the K kept pairs.

    ``theta_i = rope_theta^(-2i/D)``, D = ``head_dim``, even; kept are the pairs with ``theta_i > 2 pi/L``, L the
    trained length ``fope_length``, or the first ``num_inv_freq``. Dropped pairs have cosine 1 and sine 0. Columns are
    in halves, cosines first; a query x becomes ``x cos' + rotate_half(x) sin'``, which is no rotation: lengths change.
    C and S are trained; by default they are the identity plus normal numbers of the ``deviation``, drawn from
    ``table_seed``. Sources: Hua et al. 2024 (Fourier Position Embedding, arXiv 2412.17739); vLLM, ``fope.py``.
    """

    head_dim: Annotated[int, WIDTH] = HEAD_DIM.default
    rope_theta: Annotated[float, ROPE_THETA] = ROPE_THETA.default
    fope_length: Annotated[int, TRAINED_LENGTH] = TRAINED_LENGTH.default
    num_inv_freq: Annotated[int | None, NUM_INV_FREQ] = None
    cos_coefficients: Annotated[tuple[float, ...], COS] = ()
    sin_coefficients: Annotated[tuple[float, ...], SIN] = ()
    deviation: Annotated[float, DEVIATION] = DEVIATION.default
    table_seed: Annotated[int, TABLE_SEED] = 0

    family: ClassVar[str] = "fope"
    title: ClassVar[str] = "FoPE"
    in_story: ClassVar[bool] = False
    year: ClassVar[int] = 2024
    summary: ClassVar[str] = "RoPE without its slowest pairs, and with waves that are mixtures of all frequencies."
    brief: ClassVar[str] = "mixes waves"
    citation: ClassVar[str] = "Hua et al. 2024, Fourier Position Embedding, arXiv 2412.17739, section 3"
    effect: ClassVar[Effect] = Effect.ROTATES
    WIDTH_NAME: ClassVar[str] = HEAD_DIM.name
    trained_beside: ClassVar[str] = "the coefficients"

    def __post_init__(self) -> None:
        super().__post_init__()
        n_pairs, kept = self.rotary.pairs.n_pairs, self.n_kept
        if kept > n_pairs:
            raise ValueError(f"num_inv_freq must be at most head_dim/2 = {n_pairs}, got {kept}")
        for field in (COS, SIN):
            given = getattr(self, field.name)
            if given and len(given) != kept * kept:
                raise ValueError(f"{field.name} must have K x K = {kept} x {kept} numbers, got {len(given)}")

    @classmethod
    def from_arrays(cls, cosines: Sequence[Sequence[float]] | FloatArray, sines: Any, **parameters: Any) -> "Fope":
        """FoPE with coefficient arrays ``(K, K)``, the source pair first."""
        found = []
        for field, given in ((COS, cosines), (SIN, sines)):
            array = real_array(field.name, given)
            if array.ndim != 2 or array.shape[0] != array.shape[1]:
                raise ValueError(f"{field.name} must be a square array, K x K numbers, got {sizes(array)}")
            found.append(tuple(array.ravel().tolist()))
        return cls(cos_coefficients=found[0], sin_coefficients=found[1], **parameters)

    @cached_property
    def rotary(self) -> Rotary:
        """RoPE with all pairs."""
        return Rotary(self.head_dim, self.rope_theta)

    @property
    def n_kept(self) -> int:
        """Number of kept pairs, K."""
        if self.num_inv_freq is not None:
            return self.num_inv_freq
        return int((self.rotary.pairs.frequencies > 2 * math.pi / self.fope_length).sum())

    @property
    def wrapped(self) -> FloatArray:
        """Frequencies of the kept pairs, float64 ``(K,)`` in rad per token, less whole turns per position.

        With a base below 1 the fastest pairs are the last ones, but pairs are kept by their order.
        """
        return self.rotary.pairs.wrapped[: self.n_kept]

    @cached_property
    def coefficients(self) -> tuple[FloatArray, FloatArray]:
        """C and S, float64 ``(K, K)`` each, the source pair first."""
        count = self.n_kept
        found = []
        for name, given in (("FoPE C", self.cos_coefficients), ("FoPE S", self.sin_coefficients)):
            if given:
                found.append(np.reshape(given, (count, count)))
            else:
                drawn = normal_entries(self.table_seed, name, np.arange(count), np.arange(count))
                found.append(np.eye(count) + self.deviation * drawn)
        return found[0], found[1]

    @property
    def label(self) -> str:
        """The seed of simulated coefficients."""
        given = self.cos_coefficients and self.sin_coefficients
        return "" if given or not self.deviation else f"simulated (seed {self.table_seed})"

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on an unusual base, simulated coefficients and dropped pairs."""
        dropped = self.rotary.pairs.n_pairs - self.n_kept
        told = base_warnings(self.rope_theta)
        told += [f"the coefficients are {self.label}: a model learns its own"] if self.label else []
        if dropped:
            told.append(f"{dropped} of {self.rotary.pairs.n_pairs} pairs are dropped: they have cosine 1 and sine 0")
        return tuple(told)

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """The largest sum of absolute coefficients, of either sign, at least 1."""
        return -self._reach, self._reach

    @cached_property
    def _reach(self) -> float:
        return max([1.0, *(float(np.abs(each).sum(axis=0).max(initial=0.0)) for each in self.coefficients)])

    def frequencies(self) -> FloatArray:
        """Frequencies of all pairs, 0 for dropped ones, float64 ``(n_pairs,)`` in rad per token."""
        pairs = self.rotary.pairs
        return np.where(np.arange(pairs.n_pairs) < self.n_kept, pairs.frequencies, 0.0)

    @property
    def reading(self) -> Reading[Encoding]:
        """The evaluation position by position, slow for many positions."""
        return Computed(self, 1 + self.n_kept // 16, self.n_kept)

    def column_blocks(self) -> tuple[tuple[int, int], ...]:
        """The two halves."""
        return self.rotary.column_blocks()

    def column_info(self, column: int) -> ColumnInfo:
        """The column's pair, part, and the wavelength of the pair's own frequency."""
        info = self.rotary.column_info(column)
        dropped = info.pair is not None and info.pair >= self.n_kept
        return ColumnInfo(info.pair, info.part, math.inf if dropped else info.wavelength)

    def curve(self, places: FloatArray, columns: IntArray) -> FloatArray:
        """The mixtures at any positions, float64 ``(n_places, m)``; at whole ones less whole turns per position."""
        frequencies = self.rotary.pairs.frequencies_at(places)[: self.n_kept]
        found, angles = self._dropped(len(places), columns, np.float64), np.multiply.outer(places, frequencies)
        for wave, chosen, mix in zip((np.cos, np.sin), *self._mixes(columns), strict=True):
            if mix.size:
                found[:, chosen] = wave(angles) @ mix
        return found

    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array:
        """The entries in float32; waves at evenly spaced positions are computed by angle addition, in float64."""
        if (step := arithmetic_step(positions)) is None:
            return super().encode(positions, columns)
        found, (places, mixes) = self._dropped(len(positions), columns, np.float32), self._mixes(columns)
        for some in blocks(len(positions), self.n_kept, _WAVES_AT_A_TIME):
            rows = positions[some]
            waves = phasor_rows(-self.wrapped, float(rows[0]), float(step), len(rows))
            for wave, chosen, mix in zip((waves.real, waves.imag), places, mixes, strict=True):
                found[some, chosen] = np.ascontiguousarray(wave) @ mix
        return found

    def _dropped(self, n_rows: int, columns: IntArray, kind: type[Number]) -> npt.NDArray[Number]:
        """A table of dropped pairs: 1 in columns of cosines, 0 in those of sines."""
        return np.repeat((columns < self.rotary.pairs.n_pairs).astype(kind)[np.newaxis], n_rows, axis=0)

    def _mixes(self, columns: IntArray) -> tuple[list[IntArray | slice], list[FloatArray]]:
        """The places among the columns of kept pairs' cosines and of their sines, and the coefficients of each."""
        parts, pairs = np.divmod(columns, self.rotary.pairs.n_pairs)
        places = [np.flatnonzero((pairs < self.n_kept) & (parts == part)) for part in range(2)]
        mixes = [mix[:, pairs[each]] for mix, each in zip(self.coefficients, places, strict=True)]
        neighbours = [len(each) > 0 and each[-1] - each[0] < len(each) for each in places]  # a slice is filled faster
        ends = zip(places, neighbours, strict=True)
        return [slice(each[0], each[-1] + 1) if near else each for each, near in ends], mixes

    @property
    def combination(self) -> Combination:
        """``x cos' + rotate_half(x) sin'`` for queries and keys."""
        return Combination("rotation", self.head_dim, self.mixed)

    def mixed(self, x: FloatArray, positions: IntArray) -> FloatArray:
        """Queries or keys ``(n_positions, head_dim)`` after their positions, float64."""
        cosines, sines = np.split(self.values(positions, np.arange(self.head_dim)), 2, axis=1)
        first, second = np.split(np.asarray(x, np.float64), 2, axis=-1)
        with np.errstate(over="ignore", invalid="ignore"):
            return np.concatenate([first * cosines - second * sines, second * cosines + first * sines], axis=-1)

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """Frequencies, coefficients, then the two mixtures; the numbers themselves for many coefficients."""
        count, n_pairs, module = self.n_kept, self.rotary.pairs.n_pairs, code.module
        if not 0 < count * count <= 256:
            return super().source(positions, code)
        cosines, sines = (code.numbers(repr(each.tolist())) for each in self.coefficients)
        return Snippet((
            f"frequencies = {code.numbers(repr(self.wrapped.tolist()))}  # rad per position, of the kept pairs",
            f"C = {cosines}",
            f"S = {sines}",
            f"angles = {code.real('positions')}[:, None] * frequencies",
            f"table = {code.zeros(str(self.head_dim))}",
            f"table[:, :{n_pairs}] = 1  # the cosines of dropped pairs",
            f"table[:, :{count}] = {module}.cos(angles) @ C",
            f"table[:, {n_pairs}:{n_pairs + count}] = {module}.sin(angles) @ S",
        ))  # fmt: skip

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of the entry: the coefficient and the wave of each kept pair, and their sum."""
        part, pair = divmod(column, self.rotary.pairs.n_pairs)
        name = ("cos", "sin")[part]
        if pair >= self.n_kept:
            value = 1.0 - part
            text = f"pair {pair} is not among the first {self.n_kept}, which are kept: {name} = {value:g}"
            step = Step(text, rf"\{name} = {value:g}", value)
            return Derivation.of_entry(
                "F", (position, column), f"{value:g}", f"{value:g}", f"print({value})\n", (step,)
            )
        mix, waves = self.coefficients[part][:, pair], (np.cos, np.sin)[part](position * self.wrapped)
        start = Step(f"column {column} is {name}' of pair {pair}", f"j = {pair}", float(pair))
        formula, latex = f"Σ c_i {name}({position} · θ_i)", rf"\sum_i c_i \{name}({position} \cdot \theta_i)"

        def written(source: int) -> Term:
            turn, share = turn_words(float(self.wrapped[source]), position), shown_number(mix[source])
            return f"{share.factor} · {name}({turn.text})", rf"{share.latex} \{name}({turn.latex})", share, turn

        total = Sum("source", mix * waves, written, formula, latex, (start,))
        lines = listed("c", mix) + listed("theta", self.wrapped)
        python = f"import math\n\n{lines}print(sum(a * math.{name}({position} * w) for a, w in zip(c, theta)))\n"
        return total.derivation(f"F({position}, {column})", f"F_{{({position}, {column})}}", python)
