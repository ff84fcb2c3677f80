"""Rotary position embedding (Su et al. 2021): queries and keys turned pair by pair, further at every position."""

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from posenc_core.encodings.base import ColumnInfo, Encoding
from posenc_core.encodings.mean_phasors import sinusoid_phasors
from posenc_core.encodings.rotary_source import rotary_source
from posenc_core.encodings.rotation import rotated
from posenc_core.explain import Derivation, Dialect, Snippet, rotary_steps, rotation_steps
from posenc_core.fields import Field, check_picture, shortened
from posenc_core.numerics import (
    Complex64Array,
    Float32Array,
    FloatArray,
    Harmonics,
    IntArray,
    Spans,
    Traces,
    sinusoid_tile,
    sinusoid_traces,
    sinusoids,
    wrapped_frequencies,
)
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
class Rotary(Encoding):
    """Pairs ``a cos(theta_i p), a sin(theta_i p)`` that turn pair i of a query or key at position p.

    ``theta_i = rope_theta ** (-2i/r)`` rad per token, i = 0..r/2-1, then scaled; a is the attention factor, 1 without
    scaling. r = ``rotary_dim`` is even and at most ``head_dim`` (columns); None means all of the head, and the
    columns from r on are not rotated. ``pairing``: ``half_split`` turns column i with i + r/2, ``interleaved``
    column 2i with 2i + 1. ``notes`` are sentences of whoever made the encoding; they are among the warnings.

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
    continuous: ClassVar[bool] = True
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
        """As every family; LongRoPE, which has a divisor for each pair, begins with those that change nothing.

        The notes are about the encoding that was made: one that is changed has none.
        """
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
        """What cosines and sines are multiplied by; 1 without scaling."""
        return 1.0 if self.scaling is None else self.scaling.amplitude

    @property
    def softmax_scale_factor(self) -> float:
        """What the model multiplies the scale of its softmax by, beside the rotation; 1 but for DeepSeek's YaRN."""
        return 1.0 if self.scaling is None else self.scaling.softmax_scale_factor

    @property
    def value_range(self) -> tuple[float, float]:
        """Minus and plus the attention factor."""
        return (-self.attention_factor, self.attention_factor)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The notes, and sentences on an unusual base or scaling."""
        sentences = list(self.notes)
        if self.rope_theta == 1:
            sentences.append("base = 1 gives every pair the same frequency (1 rad/token)")
        elif self.rope_theta < 1:
            base = ROPE_THETA.format(self.rope_theta)
            sentences.append(f"base = {base} is below 1: the frequency grows with the pair")
        if self.scaling is not None:
            sentences += self.scaling.warnings(self.n_pairs)
        return tuple(sentences)

    def column_blocks(self) -> tuple[tuple[int, int], ...]:
        """One run of interleaved columns, or two halves."""
        if self.pairing == "interleaved":
            return ((0, self.n_columns),)
        return ((0, self.n_pairs), (self.n_pairs, self.n_columns))

    def frequencies(self) -> FloatArray:
        """Angular frequency of each pair after scaling, float64 ``(n_pairs,)`` in rad per token, read-only."""
        return rope_frequencies(self.rope_theta, self.n_pairs, self.scaling)

    def unscaled_frequencies(self) -> FloatArray:
        """``rope_theta ** (-2i/r)``, float64 ``(n_pairs,)`` in rad per token, read-only."""
        return rope_frequencies(self.rope_theta, self.n_pairs, None)

    def place(self, column: int) -> tuple[int, int]:
        """The column's pair, and its part: 0 for the cosine, 1 for the sine."""
        if self.pairing == "interleaved":
            pair, part = divmod(column, 2)
        else:
            part, pair = divmod(column, self.n_pairs)
        return pair, part

    def column_info(self, column: int) -> ColumnInfo:
        """The column's pair, its part (``cos`` or ``sin``) and its wavelength in positions, inf where it stands."""
        self.check_column(column)
        pair, part = self.place(column)
        frequency = float(self.frequencies()[pair])
        return ColumnInfo(pair, ("cos", "sin")[part], 2 * math.pi / frequency if frequency else math.inf)

    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """Each entry from its own float64 angle, float64 ``(n_positions, n_columns)``; within 1e-8 up to 10**7."""
        harmonics = self._harmonics(columns)
        angles = positions[:, None] * harmonics.frequencies[harmonics.pairs]
        cosine = harmonics.quarters == 1
        entries: FloatArray = np.sin(angles) + 0.0  # a negative frequency makes position 0 a -0.0
        entries[:, cosine] = np.cos(angles[:, cosine])
        entries *= self.attention_factor
        return entries

    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array:
        """The entries by angle addition, float32 ``(n_positions, n_columns)``.

        Within 2e-7 of the exact value up to position 10**7, as long as the attention factor is below 4.
        """
        if len(columns) == 0:
            return np.empty((len(positions), 0), np.float32)
        harmonics = self._harmonics(columns).needed()
        wanted = 2 * harmonics.pairs + 1 - harmonics.quarters  # pairs of cosine, sine: the product needs no sorting
        return sinusoids(-harmonics.frequencies, positions, wanted, complex(self.attention_factor))

    def means(self, rows: Spans, columns: Spans) -> Float32Array:
        """The exact means over each pixel's positions and columns, in closed form."""
        reached = np.arange(columns.start[0], columns.start[-1] + columns.count[-1])
        means = sinusoid_tile(self._harmonics(reached), rows, columns)
        means *= np.float32(self.attention_factor)
        return means

    def mean_phasors(self, rows: Spans, pairs: Spans) -> Complex64Array:
        """The exact means of unit vectors, in closed form."""
        return sinusoid_phasors(self._wrapped_frequencies(), rows, pairs)

    def traces(self, columns: IntArray, positions: tuple[float, float], pixels: int) -> Traces:
        """The columns as continuous curves over a window of positions."""
        window = check_picture(self.n_columns, columns, positions, pixels)
        shown = self._harmonics(columns)
        frequencies = self.frequencies()[shown.pairs]
        amplitudes = self.attention_factor * shown.amplitudes
        return sinusoid_traces(frequencies, shown.quarters, amplitudes, columns, window, pixels)

    def rotate(self, x: Any, positions: Any) -> npt.NDArray[np.floating[Any]]:
        """Queries or keys turned to their positions, times the attention factor; the shape of ``x``.

        ``x``: real numbers ``(..., T, head_dim)``, ``positions``: T integers. Columns from rotary_dim on pass through.
        float16 and float32 are computed in float32, all else in float64; the result has the type of x, or float64
        where that is no float. TypeError or ValueError with a sentence for anything else. Source: RoFormer, eq. 34.
        """
        return rotated(self, x, positions)

    @property
    def combines(self) -> str:
        """Queries and keys are turned."""
        return "rotation"

    @property
    def vector_width(self) -> int:
        """All columns of a head, of which some may not be rotated."""
        return self.head_dim

    def combined(self, vectors: FloatArray, positions: IntArray) -> FloatArray:
        """The vectors turned to their positions, float64 ``(n_positions, head_dim)``."""
        return np.asarray(self.rotate(vectors, positions), np.float64)

    def explain_combined(self, vector: FloatArray, position: int, column: int) -> Derivation:
        """How a component of the rotated vector comes about."""
        return self.explain_rotation(vector, position, column)

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """Frequencies, their scaling, then cosines and sines in their columns."""
        return rotary_source(self, code)

    def explain(self, position: int, column: int) -> Derivation:
        """How the cosine or sine in a column comes about: pair, frequency, scaling, angle, attention factor."""
        return rotary_steps(self, position, column)

    def explain_rotation(self, x: Any, position: int, column: int) -> Derivation:
        """How a component of a rotated vector comes about; ``x`` are the head_dim numbers of a query or key."""
        vector = np.asarray(x, np.float64)
        if vector.shape != (self.head_dim,):
            raise ValueError(f"x must have the shape ({self.head_dim},), got {shortened(vector.shape)}")
        if not 0 <= column < self.head_dim:
            raise IndexError(f"column {column} is outside 0..{self.head_dim - 1}")
        return rotation_steps(self, vector, position, column)

    def _harmonics(self, columns: IntArray) -> Harmonics:
        """The columns as sines and cosines of all pairs, without the attention factor."""
        if self.pairing == "interleaved":
            pairs, parts = np.divmod(columns, 2)
        else:
            parts, pairs = np.divmod(columns, self.n_pairs)
        return Harmonics(self._wrapped_frequencies(), pairs, 1 - parts, np.ones(len(columns)))

    def _wrapped_frequencies(self) -> FloatArray:
        """The frequencies after scaling, less whole turns, which give the same at whole positions."""
        if self.scaling is None:
            return wrapped_frequencies(self.rope_theta, 0, 2, self.n_pairs, self.n_columns)
        return scaled_wrapped_frequencies(self.rope_theta, self.n_pairs, self.scaling)
