"""Maps from the positions of a query and a key to the distance that a rotation sees."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from posenc_core.explain import Step, number_step
from posenc_core.fields import FloorField, IntegerField, Kind, KindField
from posenc_core.numerics import FloatArray, IntArray


def _length(name: str, label: str, words: str, default: int, least: int = 1) -> IntegerField:
    return IntegerField(
        name=name, label=label, help=words, default=default, minimum=least, maximum=10_000_000, unit="positions"
    )


CHUNK_SIZE = _length(
    "chunk_size", "&chunk_size", "Positions that a rotation may see: the chunk and its local window together.", 262144
)
LOCAL_SIZE = _length(
    "local_size", "&local_size", "Positions at the end of a chunk with unchanged distances in the next chunk.", 8192, 0
)
NEIGHBOR_WINDOW = _length("neighbor_window", "neighbour &window", "Smaller distances are unchanged.", 1024, 0)
GROUP_SIZE = _length("group_size", "&group_size", "Positions per group beyond the window.", 8)
WINDOW = _length("window", "&window", "Distances up to the window are unchanged.", 512, 0)
SLOPE = FloorField(
    name="slope_denominator",
    label="&slope denominator",
    help="Tokens per step of the seen distance beyond the window.",
    default=16.0,
    floor=1.0,
    most=1e6,
    slider=(1.0, 64.0),
)
ATTENTION_CHUNK_SIZE = _length(
    "attention_chunk_size", "&chunk size", "Positions of a chunk: a query attends to the keys of its own chunk.", 8192
)


class Remap(Kind, ABC):
    """A map g from a query i and a key j <= i to the distance that the rotation sees."""

    @abstractmethod
    def seen(self, query: int, keys: IntArray) -> FloatArray:
        """The distances g(query, key) of keys up to the query, float64 ``(n_keys,)``."""

    @abstractmethod
    def steps(self, query: int, key: int) -> tuple[Step, ...]:
        """The steps from both positions to g, the last of which has its number."""

    def first_key(self, query: int) -> int:
        """The first key that the query attends to."""
        return 0

    def farthest(self, n_positions: int) -> float:
        """Largest distance that the rotation sees in a text of that many positions: the last one's to the first."""
        return float(self.seen(n_positions - 1, np.array([0]))[0])


@dataclass(frozen=True)
class DualChunk(Remap):
    """Dual chunk attention: a query counts from the start of the key's chunk, and stops at the chunk size.

    With c = ``chunk_size - local_size`` key j is at j mod c. The query is at i mod c for keys of its chunk, at
    ``min(i mod c + c, chunk_size)`` for those of the chunk before, and at ``min(2c - 1, chunk_size)`` for earlier ones.
    """

    chunk_size: Annotated[int, CHUNK_SIZE]
    local_size: Annotated[int, LOCAL_SIZE]

    name: ClassVar[str] = "dual_chunk"
    title: ClassVar[str] = "Dual chunk"
    source: ClassVar[str] = "An et al. 2024, arXiv 2402.17463; vLLM dual_chunk_rope"

    def __post_init__(self) -> None:
        """ValueError for a chunk that is not longer than its local window."""
        super().__post_init__()
        if self.chunk_size <= self.local_size:
            raise ValueError(f"chunk_size ({self.chunk_size}) must be greater than local_size ({self.local_size})")

    def _queries(self, query: int) -> tuple[int, int, int]:
        """Places of the query for keys of its chunk, of the chunk before, and of earlier chunks."""
        step = self.chunk_size - self.local_size
        within = query % step
        return within, min(within + step, self.chunk_size), min(2 * step - 1, self.chunk_size)

    def seen(self, query: int, keys: IntArray) -> FloatArray:
        """The query's place less the key's."""
        step = self.chunk_size - self.local_size
        behind = np.minimum(query // step - keys // step, 2)
        return (np.array(self._queries(query))[behind] - keys % step).astype(np.float64)

    def steps(self, query: int, key: int) -> tuple[Step, ...]:
        """The chunk's step, both places, and their difference."""
        step = self.chunk_size - self.local_size
        behind = query // step - key // step
        rule = ("i mod c", "min(i mod c + c, chunk_size)", "min(2c - 1, chunk_size)")[min(behind, 2)]
        place, key_place = self._queries(query)[min(behind, 2)], key % step
        chunks = ("the same chunk", "the chunk before", f"{behind} chunks before")[min(behind, 2)]
        return (
            Step(f"c = chunk_size - local_size = {step}", f"c = {step}", float(step)),
            Step(
                f"place of the key in {chunks}: {key} mod {step} = {key_place}", f"j' = {key_place}", float(key_place)
            ),
            Step(f"place of the query for these keys: {rule} = {place}", f"i' = {place}", float(place)),
            number_step(f"seen distance {place} - {key_place}", "g = i' - j'", float(place - key_place)),
        )


@dataclass(frozen=True)
class SelfExtend(Remap):
    """Self-Extend: unchanged distances below the window W, else ``i//G - j//G + W - W//G``."""

    neighbor_window: Annotated[int, NEIGHBOR_WINDOW]
    group_size: Annotated[int, GROUP_SIZE]

    name: ClassVar[str] = "self_extend"
    title: ClassVar[str] = "Self-Extend"
    source: ClassVar[str] = "Jin et al. 2024, arXiv 2401.01325"

    def __post_init__(self) -> None:
        """ValueError for a window that is shorter than a group, but for none."""
        super().__post_init__()
        if 0 < self.neighbor_window < self.group_size:
            raise ValueError(
                f"neighbor_window ({self.neighbor_window}) must be 0 or at least group_size ({self.group_size})"
            )

    def seen(self, query: int, keys: IntArray) -> FloatArray:
        """The distance within the window, else the distance of groups."""
        window, group = self.neighbor_window, self.group_size
        grouped = query // group - keys // group + window - window // group
        return np.where(query - keys < window, query - keys, grouped).astype(np.float64)

    def steps(self, query: int, key: int) -> tuple[Step, ...]:
        """The distance, then the groups if it is beyond the window."""
        apart, window, group = query - key, self.neighbor_window, self.group_size
        start = Step(f"distance {query} - {key} = {apart}", f"d = {apart}", float(apart))
        if apart < window:
            return start, number_step(f"below the window {window}: seen as it is", "g = d", float(apart))
        seen = query // group - key // group + window - window // group
        text = f"{query}//{group} - {key}//{group} + {window} - {window}//{group}"
        latex = r"g = \lfloor i/G \rfloor - \lfloor j/G \rfloor + W - \lfloor W/G \rfloor"
        return start, number_step(f"not below the window {window}: {text}", latex, float(seen))


@dataclass(frozen=True)
class ReRope(Remap):
    """ReRoPE: ``min(i - j, window)``."""

    window: Annotated[int, WINDOW]

    name: ClassVar[str] = "rerope"
    title: ClassVar[str] = "ReRoPE"
    source: ClassVar[str] = "Su 2023, ReRoPE"

    def seen(self, query: int, keys: IntArray) -> FloatArray:
        """The distance, at most the window."""
        return np.minimum(query - keys, self.window).astype(np.float64)

    def steps(self, query: int, key: int) -> tuple[Step, ...]:
        """The distance and its limit."""
        apart = query - key
        return (
            Step(f"distance {query} - {key} = {apart}", f"d = {apart}", float(apart)),
            number_step(f"min({apart}, {self.window})", r"g = \min(d, w)", float(min(apart, self.window))),
        )


@dataclass(frozen=True)
class LeakyReRope(Remap):
    """Leaky ReRoPE: beyond the window w the seen distance is ``w + (i - j - w)/k``, k = ``slope_denominator``."""

    window: Annotated[int, WINDOW]
    slope_denominator: Annotated[float, SLOPE]

    name: ClassVar[str] = "leaky_rerope"
    title: ClassVar[str] = "Leaky ReRoPE"
    source: ClassVar[str] = "Su 2023, ReRoPE"

    def seen(self, query: int, keys: IntArray) -> FloatArray:
        """The distance within the window; beyond the window only a share of the rest counts."""
        apart = (query - keys).astype(np.float64)
        return np.where(apart <= self.window, apart, self.window + (apart - self.window) / self.slope_denominator)

    def steps(self, query: int, key: int) -> tuple[Step, ...]:
        """The distance, and the changed distance."""
        apart, seen = query - key, float(self.seen(query, np.array([key]))[0])
        text, latex = f"within the window {self.window}: seen as it is", "g = d"
        if apart > self.window:
            text = f"{self.window} + ({apart} - {self.window})/{SLOPE.format(self.slope_denominator)}"
            latex = r"g = w + (d - w)/k"
        return (
            Step(f"distance {query} - {key} = {apart}", f"d = {apart}", float(apart)),
            number_step(text, latex, seen),
        )


@dataclass(frozen=True)
class ChunkedAttention(Remap):
    """Chunked attention: distances are unchanged, and a query attends only to the keys of its own chunk."""

    attention_chunk_size: Annotated[int, ATTENTION_CHUNK_SIZE]

    name: ClassVar[str] = "chunked_attention"
    title: ClassVar[str] = "Chunked attention"
    source: ClassVar[str] = "Llama 4, transformers modeling_llama4"

    def first_key(self, query: int) -> int:
        """The first key of the query's chunk."""
        return query - query % self.attention_chunk_size

    def farthest(self, n_positions: int) -> float:
        """The distance from the first position of a chunk to the last one."""
        return float(min(n_positions, self.attention_chunk_size) - 1)

    def seen(self, query: int, keys: IntArray) -> FloatArray:
        """The distance."""
        return (query - keys).astype(np.float64)

    def steps(self, query: int, key: int) -> tuple[Step, ...]:
        """The chunk, then the distance."""
        chunk = query // self.attention_chunk_size
        return (
            Step(f"both are in chunk {chunk}: the key is visible", f"c = {chunk}", float(chunk)),
            number_step(f"distance {query} - {key}", "g = i - j", float(query - key)),
        )


REMAPS = (DualChunk, SelfExtend, ReRope, LeakyReRope, ChunkedAttention)

RULE = KindField(
    name="distance_rule",
    label="r&ule",
    help="Rule from the positions of query and key to the distance that the rotation sees.",
    kinds=REMAPS,
    default=DualChunk(CHUNK_SIZE.default, LOCAL_SIZE.default),
    synonyms="dual_chunk_attention_config, attention_chunk_size",
)
