"""A learned bias for each bucket of distances, narrow for near and wide for far keys (Raffel et al. 2020)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Annotated, ClassVar, overload

import numpy as np
from typing_extensions import override

from posenc_core.encodings.abilities.effect import HeadBiases
from posenc_core.encodings.abilities.sampler import Sampler
from posenc_core.encodings.abilities.scores import BiasScores, Scores
from posenc_core.encodings.learned import TableEncoding
from posenc_core.explain import BucketEntry, Derivation, Dialect, Snippet, bucket_starts, template_lines
from posenc_core.fields import N_HEADS, TABLE_SEED, FlagField, IntegerField, check_position, check_positions
from posenc_core.numerics import IntArray
from posenc_core.tables import SimulatedTable

NUM_BUCKETS = IntegerField(
    name="num_buckets",
    label="num_&buckets",
    help="Number of biases per head; half of the buckets of each sign cover a single distance.",
    default=32,
    minimum=2,
    maximum=1024,
    step=2,
    unit="buckets",
    synonyms="relative_attention_num_buckets",
)

MAX_DISTANCE = IntegerField(
    name="max_distance",
    help="End of the logarithmic buckets: the last bucket covers all distances from there on, and some below.",
    default=128,
    minimum=2,
    maximum=10_000_000,
    unit="positions",
    synonyms="relative_attention_max_distance",
)

BIDIRECTIONAL = FlagField(
    name="bidirectional",
    label="b&idirectional",
    help="Use half of the buckets for later keys, as in the encoder; else these share bucket 0, as in the decoder.",
    default=True,
)


@dataclass(frozen=True)
class T5Bias(HeadBiases, TableEncoding):
    """The bias of each head, a column, for the bucket of the distance key - query, added to the logit.

    ``bucket`` is exact. A model learns the biases; these are simulated, standard normal numbers ``(num_buckets,
    n_heads)`` drawn from ``table_seed``.

    Source: Raffel et al. 2020, section 2.1; ``_relative_position_bucket`` in transformers. ValueError for a number of
    buckets that cannot be halved, and for a ``max_distance`` within the exact buckets.
    """

    num_buckets: Annotated[int, NUM_BUCKETS] = 32
    max_distance: Annotated[int, MAX_DISTANCE] = 128
    bidirectional: Annotated[bool, BIDIRECTIONAL] = True
    n_heads: Annotated[int, N_HEADS] = 8
    table_seed: Annotated[int, TABLE_SEED] = 0

    family: ClassVar[str] = "t5"
    title: ClassVar[str] = "T5 bias"
    year: ClassVar[int] = 2020
    summary: ClassVar[str] = "A learned bias for each head and bucket of distances: exact near by, logarithmic far off."
    brief: ClassVar[str] = "bias by bucket"
    citation: ClassVar[str] = "Raffel et al. 2020, Exploring the Limits of Transfer Learning (T5), section 2.1"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bidirectional and (self.num_buckets < 4 or self.num_buckets % 2):
            raise ValueError(
                f"bidirectional T5 buckets need num_buckets >= 4 and even, got {self.num_buckets} "
                "(half per sign, half of those exact)"
            )
        if self.max_distance <= self.n_exact:
            raise ValueError(
                f"max_distance ({self.max_distance}) must be greater than the number of exact buckets ({self.n_exact})"
            )
        object.__setattr__(self, "causal", not self.bidirectional)  # a decoder masks later keys

    @property
    def n_sided(self) -> int:
        """Buckets of one sign, B."""
        return self.num_buckets // 2 if self.bidirectional else self.num_buckets

    @property
    @override
    def scores(self) -> Scores:
        return BiasScores(self, settled=self.max_distance)

    @property
    def n_exact(self) -> int:
        """Number of buckets of one sign with a single distance, E."""
        return self.n_sided // 2

    @property
    def starts(self) -> IntArray:
        """The smallest distance, without its sign, of each bucket of one sign."""
        return bucket_starts(self.n_sided, self.max_distance)

    @overload
    def bucket(self, distance: int) -> int: ...
    @overload
    def bucket(self, distance: IntArray | Sequence[int]) -> IntArray: ...
    def bucket(self, distance: int | IntArray | Sequence[int]) -> int | IntArray:
        """The bucket of a distance key - query, an int for an int and int64 ``(n,)`` for an array or a list.

        TypeError for anything but integers, ValueError beyond 2**53.
        """
        is_one = isinstance(distance, Integral)
        distances = np.asarray(check_position(distance)) if is_one else check_positions(distance)
        magnitudes = np.abs(distances) if self.bidirectional else np.maximum(-distances, 0)
        buckets = np.asarray(np.searchsorted(self.starts, magnitudes, side="right") - 1, np.int64)
        if self.bidirectional:
            buckets += self.n_sided * (distances > 0)
        return int(buckets) if is_one else buckets

    @cached_property
    def table(self) -> SimulatedTable:
        """The simulated biases, ``(num_buckets, n_heads)``."""
        return SimulatedTable(self.table_seed, "T5", self.num_buckets, self.n_heads, 1.0)

    @property
    def warnings(self) -> tuple[str, ...]:
        """A note that the biases are simulated."""
        return (f"the biases are {self.label}: a model learns its own; the buckets are exact",)

    def rows_of(self, positions: IntArray) -> IntArray:
        """The bucket of each distance, int64 ``(n_positions,)``."""
        return self.bucket(positions)

    @cached_property
    def changes(self) -> IntArray:
        """The distances at which the bucket changes, in ascending order."""
        behind = 1 - self.starts[1:]
        ahead = self.starts[1:] if self.bidirectional else self.starts[:0]
        return np.unique(np.concatenate([behind, ahead]))

    def run_of(self, positions: IntArray) -> IntArray:
        """The number of changes of the bucket up to each distance."""
        return np.searchsorted(self.changes, positions, side="right")

    @property
    def sampler(self) -> "BucketSampler":
        """Pictures that read each bucket once."""
        return BucketSampler(self)

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """The bucket of each distance, then the table's rows."""
        return _buckets_source(self, code) + self.table.script(self.bucket(positions), "buckets", code)

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of the bias: sign, distance, exact or logarithmic bucket, and the head's number for it."""
        (bias,) = self.values(np.array([position]), np.array([column])).ravel().tolist()
        buckets = (self.n_sided, self.max_distance, self.bidirectional)
        return BucketEntry(-position, column, bias, self.label, *buckets).derivation()


class BucketSampler(Sampler[T5Bias]):
    """A row per bucket."""

    has_runs: ClassVar[bool] = True

    def equal_rows(self, first: int, stop: int) -> Iterable[IntArray]:
        """The distances at which the bucket changes."""
        changes = self.table.changes
        return [np.r_[first, changes[(changes > first) & (changes < stop)]]]


def _buckets_source(encoding: T5Bias, code: Dialect) -> Snippet:
    """Lines that define ``buckets``, the bucket of each position, exact."""
    both = encoding.bidirectional
    return Snippet(
        template_lines(
            __file__,
            "t5",
            exact=encoding.n_exact,
            wide=encoding.n_sided - encoding.n_exact,
            max_distance=encoding.max_distance,
            starts=code.integers("[*range(exact), *(first_distance(k) for k in range(wide))]"),
            distances="abs(positions)" if both else "(-positions).clip(min=0)",
            module=code.module,
            later=[f"buckets[positions > 0] += {encoding.n_sided}  # keys after the query"] * both,
        )
    )
