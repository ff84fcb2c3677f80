"""Rotary position embedding (Su et al. 2021): queries and keys are rotated pair by pair."""

import math
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Annotated, Any, ClassVar

import numpy as np
import numpy.typing as npt

from posenc_core.encodings.abilities.effect import Combination, Effect
from posenc_core.encodings.abilities.pairs import Pairs
from posenc_core.encodings.abilities.rotating import rotated, turned
from posenc_core.encodings.abilities.rotation_scores import RotationScores
from posenc_core.encodings.base import Rotation
from posenc_core.encodings.harmonic import HarmonicTable, base_warnings, frequency_source
from posenc_core.explain import Derivation, Dialect, RotaryEntry, Snippet, number_list, passed_through, rotation_steps
from posenc_core.fields import shortened
from posenc_core.numerics import IntArray
from posenc_core.rope_scaling import (
    DIRECTION,
    HEAD_DIM,
    PAIRING,
    ROPE_THETA,
    ROTARY_DIM,
    ROTARY_PART,
    SCALING,
    RopeScaling,
    rope_frequencies,
    wrapped_rope_frequencies,
)


@dataclass(frozen=True)
class Rotary(HarmonicTable):
    """Pairs ``a cos(theta_i p), a sin(theta_i p)`` that rotate pair i of a query or key at position p.

    ``theta_i = rope_theta ** (-2i/r)`` rad per token, i = 0..r/2-1, then scaled; a is the attention factor, 1 without
    scaling. r = ``rotary_dim`` is even and at most ``head_dim`` (columns); None means all of the head. Of a head with
    more columns the first r are rotated, with ``rotary_part`` ``trailing`` the last r; the others are not. The table
    has the r rotated columns only. ``pairing``: ``half_split`` pairs column i with i + r/2, ``interleaved`` column 2i
    with 2i + 1, i counted from the first rotated column. ``direction`` -1 rotates by ``-theta_i p``. ``notes`` are
    additional warnings.

    Sources: Su et al. 2021 (RoFormer, arXiv 2104.09864), sections 3.2-3.4; GPT-NeoX and Hugging Face Llama for the
    halves; transformers 5.23.0, ``modeling_deepseek_v4`` for the last columns, ``modeling_nanochat`` for the direction.
    """

    head_dim: Annotated[int, HEAD_DIM]
    rope_theta: Annotated[float, ROPE_THETA] = 10000.0
    pairing: Annotated[str, PAIRING] = "half_split"
    direction: Annotated[int, DIRECTION] = field(default=1, kw_only=True)
    rotary_dim: Annotated[int | None, ROTARY_DIM] = None
    rotary_part: Annotated[str, ROTARY_PART] = field(default="leading", kw_only=True)
    scaling: Annotated[RopeScaling | None, SCALING] = None
    notes: tuple[str, ...] = field(default=(), kw_only=True, compare=False, repr=False)

    family: ClassVar[str] = "rotary"
    title: ClassVar[str] = "Rotary (RoPE)"
    year: ClassVar[int] = 2021
    summary: ClassVar[str] = "Queries and keys are turned by position, which enters scores as a distance alone."
    brief: ClassVar[str] = "turns q and k"
    citation: ClassVar[str] = "Su et al. 2021, RoFormer, arXiv 2104.09864, sections 3.2-3.4"
    effect: ClassVar[Effect] = Effect.ROTATES
    distance_rule: ClassVar[None] = None  # a plug-in may return RoPE itself as its rotation
    PARTS: ClassVar[tuple[str, str]] = ("cos", "sin")
    WIDTH_NAME: ClassVar[str] = "head_dim"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rotary_dim is None and self.head_dim % 2:
            raise ValueError(
                f"RoPE rotates pairs: rotary dimension must be even, got {self.head_dim} "
                f"(head_dim {self.head_dim} x partial_rotary_factor 1.0)"
            )
        if self.n_columns % 2:
            raise ValueError(f"RoPE rotates pairs: rotary dimension must be even, got {self.n_columns}")
        if self.n_columns > self.head_dim:
            raise ValueError(f"rotary_dim must be at most head_dim = {self.head_dim}, got {self.n_columns}")
        n_pairs = self.n_columns // 2
        unscaled, scaled_too = (rope_frequencies(self.rope_theta, n_pairs, each) for each in (None, self.scaling))
        if not np.isfinite([unscaled, scaled_too]).all():
            scaled = "" if self.scaling is None else "scaled "
            raise ValueError(
                f"base (rope_theta) {self.rope_theta:g} is too small: the {scaled}frequencies are infinite"
            )
        for name, factor in (("attention", self.attention_factor), ("softmax scale", self.softmax_scale_factor)):
            if not math.isfinite(factor):
                raise ValueError(f"the {name} factor is beyond float64, which ends at 1.8e308")

    def edited(self, name: str, value: Any) -> "Rotary":
        """As for every family; lists of divisors start with 1 for each pair. A changed encoding has no notes."""
        if name == SCALING.name and value != SCALING.flat(self.scaling)[name]:
            return self.scaled_by(SCALING.chosen(self.scaling, value, self.pairs.n_pairs))
        changed = super().edited(name, value)
        return self if changed == self else replace(changed, notes=())

    @property
    def n_columns(self) -> int:
        """Number of columns that are rotated."""
        return self.head_dim if self.rotary_dim is None else self.rotary_dim

    @cached_property
    def pairs(self) -> Pairs:
        """The pairs that rotate, cosines first; their amplitude is the attention factor."""
        n_pairs = self.n_columns // 2
        return Pairs(
            frequencies=rope_frequencies(self.rope_theta, n_pairs, self.scaling),
            wrapped=wrapped_rope_frequencies(self.rope_theta, n_pairs, self.scaling),
            unscaled=rope_frequencies(self.rope_theta, n_pairs, None),
            n_columns=self.n_columns,
            is_interleaved=self.pairing == "interleaved",
            sine_first=False,
            amplitude=self.attention_factor,
            is_reversed=self.direction < 0,
        )

    @property
    def rotation(self) -> Rotation:
        """The rotation by the encoding's pairs."""
        sources = self.frequencies_source, self.unscaled_source
        return Rotation(
            self.pairs, self.head_dim, self.pairing, self.rope_theta, self.rotate, *sources, self.scaled_by,
            self.scaling, self.rotary_part, self.first_column, self.direction, self.attention_factor,
            self.softmax_scale_factor,
        )  # fmt: skip

    @property
    def scores(self) -> RotationScores:
        """The scores of rotated queries and keys."""
        return RotationScores(self.rotation)

    @property
    def first_column(self) -> int:
        """The head's column that the table's first column rotates."""
        return self.head_dim - self.n_columns if self.rotary_part == "trailing" else 0

    @property
    def attention_factor(self) -> float:
        """The factor of cosines and sines; 1 without scaling."""
        return 1.0 if self.scaling is None else self.scaling.amplitude

    @property
    def softmax_scale_factor(self) -> float:
        """The factor of the model's softmax scale; 1 except for DeepSeek's YaRN."""
        return 1.0 if self.scaling is None else self.scaling.softmax_scale_factor

    def scaled_by(self, scaling: RopeScaling | None) -> "Rotary":
        """The encoding with this scaling, without notes; ValueError for a scaling of other pairs or another base."""
        return replace(self, scaling=scaling, notes=())

    def in_halves(self) -> "Rotary":
        """The half-split pairing, which turns the same pairs by the same angles."""
        return replace(self, pairing="half_split")

    @property
    def warnings(self) -> tuple[str, ...]:
        """The notes, and sentences on the last columns, an unusual base or scaling."""
        sentences = [*self.notes, *base_warnings(self.rope_theta)]
        if self.first_column:
            sentences.append(
                f"the last {self.n_columns} of a head's {self.head_dim} columns are rotated: column 0 of the table is "
                f"column {self.first_column} of the head"
            )
        if self.scaling is not None:
            sentences += self.scaling.warnings(self.pairs.n_pairs)
        return tuple(sentences)

    @property
    def combination(self) -> Combination:
        """A rotation of the head's queries and keys."""
        return Combination(
            "rotation",
            self.head_dim,
            partial(turned, self, first_column=self.first_column),
            self.explain_rotation,
            self.attention_factor,
            self.first_column,
        )

    def rotate(self, x: Any, positions: Any) -> npt.NDArray[np.floating[Any]]:
        """Queries or keys ``(..., T, head_dim)`` rotated to T positions, times the attention factor, as ``rotated``."""
        return rotated(self, x, positions, self.first_column)

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of an entry: pair, frequency, scaling, angle, cosine or sine, attention factor."""
        pair, part = self.pairs.place(column)
        head_column = self.first_column + column if self.first_column else None
        entry = _entry(self, position, pair, self.PARTS[part])
        return entry.derivation(column, self.pairs.is_interleaved, head_column)

    def explain_rotation(self, x: Any, position: int, column: int) -> Derivation:
        """The derivation of a component of a rotated vector; ``x`` is a query or key ``(head_dim,)``."""
        vector = np.asarray(x, np.float64)
        if vector.shape != (self.head_dim,):
            raise ValueError(f"x must have the shape ({self.head_dim},), got {shortened(vector.shape)}")
        if not 0 <= column < self.head_dim:
            raise IndexError(f"column {column} is outside 0..{self.head_dim - 1}")
        first = self.first_column
        if not first <= column < first + self.n_columns:
            rotated = f"the {'last' if first else 'first'} {self.n_columns}"
            return passed_through(position, float(vector[column]), column, rotated)
        pair, _ = self.pairs.place(column - first)
        one, other = (first + int(each[pair]) for each in self.pairs.columns)
        cosine, sine = (_entry(self, position, pair, part) for part in self.PARTS)
        return rotation_steps((cosine, sine), (one, other), vector, column)

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """Frequencies, their scaling, then cosines and sines in their columns."""
        return self.frequencies_source(code) + self.table_source("positions", code)

    def frequencies_source(self, code: Dialect) -> Snippet:
        """Lines of a script that define ``frequencies``, less whole turns, and an ``attention_factor`` other than 1."""
        r, frequencies = self.n_columns, self.pairs.frequencies
        if self.scaling is None:
            if self.rope_theta < 1:
                return frequency_source(self.rope_theta, r // 2, lambda pair: (2 * pair, r), code)
            return self.unscaled_source(code)
        if (abs(frequencies) > math.pi).any():
            return _wrapped_source(self, code)
        return self.unscaled_source(code) + self.scaling.source(frequencies, code)

    def unscaled_source(self, code: Dialect) -> Snippet:
        """Lines of a script that define ``base``, ``r``, ``pairs``, and ``frequencies`` without scaling."""
        return Snippet((
            f"base, r = {self.rope_theta!r}, {self.n_columns}",
            f"pairs = {code.counted(str(self.pairs.n_pairs))}",
            "frequencies = base ** (-2 * pairs / r)  # rad per position",
        ))  # fmt: skip


def _entry(rotary: Rotary, position: int, pair: int, part: str) -> RotaryEntry:
    return RotaryEntry(
        position,
        pair,
        part,
        rotary.rope_theta,
        float(rotary.pairs.frequencies[pair]),
        rotary.pairs.unscaled,
        rotary.scaling,
        rotary.attention_factor,
        rotary.direction,
    )


def _wrapped_source(rotary: Rotary, code: Dialect) -> Snippet:
    """Lines that list scaled frequencies of more than half a turn per position."""
    frequencies = number_list(rotary.pairs.wrapped.tolist())
    factor = () if rotary.attention_factor == 1 else (f"attention_factor = {rotary.attention_factor!r}",)
    comment = "# the scaled frequencies, less whole turns per position"
    return Snippet((
        f"{comment}: subtracting these needs more digits than float64 has",
        f"frequencies = {code.numbers(frequencies)}  # rad per position",
        *factor,
    ))  # fmt: skip
