"""Rotary position embedding (Su et al. 2021): queries and keys are rotated pair by pair."""

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from posenc_core.encodings.base import Combination
from posenc_core.encodings.harmonic import HarmonicTable, base_warnings, frequency_source
from posenc_core.explain import Derivation, Dialect, RotaryEntry, Snippet, number_list, passed_through, rotation_steps
from posenc_core.fields import Field, check_positions, shortened
from posenc_core.numerics import FloatArray, IntArray, wrapped_frequencies
from posenc_core.rope_scaling import (
    HEAD_DIM,
    LONG_FACTOR,
    PAIRING,
    ROPE_THETA,
    ROTARY_DIM,
    SCALING,
    SHORT_FACTOR,
    LongRope,
    RopeScaling,
    rope_frequencies,
    scaled_wrapped_frequencies,
)


@dataclass(frozen=True)
class Rotary(HarmonicTable):
    """Pairs ``a cos(theta_i p), a sin(theta_i p)`` that rotate pair i of a query or key at position p.

    ``theta_i = rope_theta ** (-2i/r)`` rad per token, i = 0..r/2-1, then scaled; a is the attention factor, 1 without
    scaling. r = ``rotary_dim`` is even and at most ``head_dim`` (columns); None means all of the head, and the
    columns from r on are not rotated. ``pairing``: ``half_split`` pairs column i with i + r/2, ``interleaved``
    column 2i with 2i + 1. ``notes`` are additional warnings.

    Sources: Su et al. 2021 (RoFormer, arXiv 2104.09864), sections 3.2-3.4; GPT-NeoX and Hugging Face Llama for the
    halves.
    """

    head_dim: int
    rope_theta: float = 10000.0
    pairing: str = "half_split"
    rotary_dim: int | None = None
    scaling: RopeScaling | None = None
    notes: tuple[str, ...] = field(default=(), kw_only=True, compare=False, repr=False)

    family: ClassVar[str] = "rotary"
    title: ClassVar[str] = "Rotary (RoPE)"
    summary: ClassVar[str] = "Queries and keys are turned by their position, so that scores depend on distance alone."
    citation: ClassVar[str] = "Su et al. 2021, RoFormer, sections 3.2-3.4"
    PARTS: ClassVar[tuple[str, str]] = ("cos", "sin")
    FIELDS: ClassVar[tuple[Field, ...]] = (HEAD_DIM, ROPE_THETA, PAIRING, ROTARY_DIM, SCALING)

    def __post_init__(self) -> None:
        """Bounds of each parameter, then what they need of each other; ValueError with a sentence."""
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
        if self.scaling is not None and not np.isfinite(self.frequencies()).all():
            raise ValueError(f"base (rope_theta) {self.rope_theta:g} is too small: the scaled frequencies are infinite")

    def edited(self, name: str, value: Any) -> "Rotary":
        """As for every family; LongRoPE starts with a divisor of 1 for each pair. A changed encoding has no notes."""
        if name == SCALING.name and value == LongRope.rope_type and not isinstance(self.scaling, LongRope):
            ones = (1.0,) * self.n_pairs
            given = {**SCALING.flat(self.scaling), name: value, SHORT_FACTOR.name: ones, LONG_FACTOR.name: ones}
            return replace(self, scaling=SCALING.from_parameters(given), notes=())
        changed = super().edited(name, value)
        return self if changed == self else replace(changed, notes=())

    @property
    def n_columns(self) -> int:
        """Number of columns that are rotated."""
        return self.head_dim if self.rotary_dim is None else self.rotary_dim

    @property
    def n_pairs(self) -> int:
        """Number of pairs that are rotated, one frequency each."""
        return self.n_columns // 2

    @property
    def attention_factor(self) -> float:
        """The factor of cosines and sines; 1 without scaling."""
        return 1.0 if self.scaling is None else self.scaling.amplitude

    @property
    def softmax_scale_factor(self) -> float:
        """The factor of the model's softmax scale; 1 except for DeepSeek's YaRN."""
        return 1.0 if self.scaling is None else self.scaling.softmax_scale_factor

    @property
    def amplitude(self) -> float:
        """The attention factor."""
        return self.attention_factor

    @property
    def is_interleaved(self) -> bool:
        """Whether the two columns of a pair are neighbours."""
        return self.pairing == "interleaved"

    @property
    def warnings(self) -> tuple[str, ...]:
        """The notes, and sentences on an unusual base or scaling."""
        sentences = [*self.notes, *base_warnings(self.rope_theta)]
        if self.scaling is not None:
            sentences += self.scaling.warnings(self.n_pairs)
        return tuple(sentences)

    def frequencies(self) -> FloatArray:
        """Angular frequency of each pair after scaling, float64 ``(n_pairs,)`` in rad per token, read-only."""
        return rope_frequencies(self.rope_theta, self.n_pairs, self.scaling)

    def unscaled_frequencies(self) -> FloatArray:
        """``rope_theta ** (-2i/r)``, float64 ``(n_pairs,)`` in rad per token, read-only."""
        return rope_frequencies(self.rope_theta, self.n_pairs, None)

    def wavelength(self, pair: int) -> float:
        """Wavelength of the pair in positions, inf for a pair that does not turn."""
        frequency = float(self.frequencies()[pair])
        return 2 * math.pi / frequency if frequency else math.inf

    def wrapped_frequencies(self) -> FloatArray:
        """The frequencies after scaling, less whole turns, float64 ``(n_pairs,)``."""
        if self.scaling is None:
            return wrapped_frequencies(self.rope_theta, 0, 2, self.n_pairs, self.n_columns)
        return scaled_wrapped_frequencies(self.rope_theta, self.n_pairs, self.scaling)

    @property
    def combination(self) -> Combination:
        """A rotation of the head's queries and keys."""
        return Combination(
            "rotation",
            self.head_dim,
            self._turned,
            self.explain_rotation,
            self.attention_factor,
        )

    def _turned(self, vectors: FloatArray, positions: IntArray) -> FloatArray:
        """The rotated vectors, float64; inf or nan for a number beyond float64."""
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(self.rotate(vectors, positions), np.float64)

    def rotate(self, x: Any, positions: Any) -> npt.NDArray[np.floating[Any]]:
        """Queries or keys rotated to their positions, times the attention factor; the shape of ``x``.

        ``x``: real numbers ``(..., T, head_dim)``, ``positions``: T integers. Columns from rotary_dim on pass through.
        float16 and float32 are computed in float32, all else in float64; the result has the type of x, or float64
        if that is no float. TypeError or ValueError with a sentence for anything else. Source: RoFormer, eq. 34.
        """
        given, rows = np.asarray(x), check_positions(positions)
        if given.dtype.kind not in "iuf":
            raise TypeError(f"x must be an array of real numbers, got {given.dtype}")
        if given.shape[-2:] != (len(rows), self.head_dim):
            raise ValueError(
                f"x must have the shape (..., {len(rows)}, {self.head_dim}) for {len(rows)} positions "
                f"and head_dim = {self.head_dim}, got {shortened(given.shape)}"
            )
        is_single = given.dtype in (np.float16, np.float32)
        working: npt.NDArray[Any] = given.astype(np.float32 if is_single else np.float64)
        table: npt.NDArray[Any] = (self.encode if is_single else self.values)(rows, np.arange(self.n_columns))
        n_pairs, width = self.n_pairs, self.n_columns
        halves = (slice(0, n_pairs), slice(n_pairs, width))
        first, second = (slice(0, width, 2), slice(1, width, 2)) if self.is_interleaved else halves
        cosine, sine = table[:, first], table[:, second]
        rotated = working.copy()
        rotated[..., first] = working[..., first] * cosine - working[..., second] * sine
        rotated[..., second] = working[..., first] * sine + working[..., second] * cosine
        return rotated.astype(given.dtype if given.dtype.kind == "f" else np.float64, copy=False)

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of an entry: pair, frequency, scaling, angle, cosine or sine, attention factor."""
        pair, part = self.place(column)
        return self._entry(position, pair, self.PARTS[part]).derivation(column, self.is_interleaved)

    def explain_rotation(self, x: Any, position: int, column: int) -> Derivation:
        """The derivation of a component of a rotated vector; ``x`` is a query or key ``(head_dim,)``."""
        vector = np.asarray(x, np.float64)
        if vector.shape != (self.head_dim,):
            raise ValueError(f"x must have the shape ({self.head_dim},), got {shortened(vector.shape)}")
        if not 0 <= column < self.head_dim:
            raise IndexError(f"column {column} is outside 0..{self.head_dim - 1}")
        if column >= self.n_columns:
            return passed_through(position, float(vector[column]), column, self.n_columns)
        pair, _ = self.place(column)
        members = (2 * pair, 2 * pair + 1) if self.is_interleaved else (pair, pair + self.n_pairs)
        cosine, sine = (self._entry(position, pair, part) for part in self.PARTS)
        return rotation_steps((cosine, sine), members, vector, column)

    def _entry(self, position: int, pair: int, part: str) -> RotaryEntry:
        frequency, unscaled = float(self.frequencies()[pair]), self.unscaled_frequencies()
        return RotaryEntry(
            position, pair, part, self.rope_theta, frequency, unscaled, self.scaling, self.attention_factor
        )

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """Frequencies, their scaling, then cosines and sines in their columns."""
        r, frequencies = self.n_columns, self.frequencies()
        if self.scaling is not None and (abs(frequencies) > math.pi).any():
            lines = self._wrapped_source(code)
        elif self.scaling is None and self.rope_theta < 1:
            lines = frequency_source(self.rope_theta, r // 2, lambda pair: (2 * pair, r), code)
        else:
            lines = Snippet((
                f"base, r = {self.rope_theta!r}, {r}",
                f"pairs = {code.counted(str(r // 2))}",
                "frequencies = base ** (-2 * pairs / r)  # rad per position",
            ))  # fmt: skip
            if self.scaling is not None:
                lines += self.scaling.source(frequencies, code)
        return lines + self.table_source("positions", code)

    def _wrapped_source(self, code: Dialect) -> Snippet:
        """Lines that list scaled frequencies of more than half a turn per position."""
        frequencies = number_list(self.wrapped_frequencies().tolist())
        factor = () if self.attention_factor == 1 else (f"attention_factor = {self.attention_factor!r}",)
        comment = "# the scaled frequencies, less whole turns a position"
        return Snippet((
            f"{comment}: to take these off needs more digits than float64 has",
            f"frequencies = {code.numbers(frequencies)}  # rad per position",
            *factor,
        ))  # fmt: skip
