"""RoPE whose rotation uses other distances than the text's, to keep long texts within the trained length."""

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Annotated, Any, ClassVar

import numpy as np
from msgspec import structs

from posenc_core.encodings.abilities.effect import Effect
from posenc_core.encodings.abilities.query_and_key import QueryKeyEncoding
from posenc_core.encodings.abilities.rotation_scores import RotationScores, waves
from posenc_core.encodings.abilities.scores import Scores, in_pieces
from posenc_core.encodings.base import Rotation
from posenc_core.encodings.rotary import Rotary
from posenc_core.encodings.rotations.remaps import RULE, Remap
from posenc_core.explain import Derivation, Step, number_step, shown_number
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.rope_scaling import HEAD_DIM, PAIRING, ROPE_THETA, SCALING, RopeScaling


@dataclass(frozen=True)
class DistanceRemap(QueryKeyEncoding):
    """The distance g(i, j) that the rotation uses for query i and key j, in place of i - j; the only column.

    ``distance_rule`` is the map. The rotation is RoPE with ``head_dim``, ``rope_theta``, ``pairing`` and ``scaling``. A
    later key, which a causal model masks, has the distance 0; a key that the query does not attend to has no value.
    ``notes`` are additional warnings.
    """

    distance_rule: Annotated[Remap, RULE] = RULE.default
    head_dim: Annotated[int, HEAD_DIM] = HEAD_DIM.default
    rope_theta: Annotated[float, ROPE_THETA] = ROPE_THETA.default
    pairing: Annotated[str, PAIRING] = PAIRING.default
    scaling: Annotated[RopeScaling | None, SCALING] = None
    notes: tuple[str, ...] = field(default=(), kw_only=True, compare=False, repr=False)

    family: ClassVar[str] = "distance_remap"
    title: ClassVar[str] = "Changed distances"
    in_story: ClassVar[bool] = False
    year: ClassVar[int] = 2023
    summary: ClassVar[str] = "RoPE that sees changed distances: counted in chunks, in groups, or up to a limit."
    brief: ClassVar[str] = "changes distances"
    citation: ClassVar[str] = (
        "An et al. 2024, Dual Chunk Attention, arXiv 2402.17463; Jin et al. 2024, Self-Extend, arXiv 2401.01325; "
        "Su 2023, ReRoPE; Llama 4"
    )
    effect: ClassVar[Effect] = Effect.REMAPS
    causal: ClassVar[bool] = True
    PART: ClassVar[str] = "distance seen"
    WIDTH_NAME: ClassVar[str] = HEAD_DIM.name

    def __post_init__(self) -> None:
        super().__post_init__()
        self.rotary.pairs  # noqa: B018  # refuses a scaling that these pairs cannot have

    def edited(self, name: str, value: Any) -> "DistanceRemap":
        """As for every family, with RoPE's scaling. A changed encoding has no notes."""
        if name in SCALING.flat(self.scaling):
            changed = replace(self, scaling=self.rotary.edited(name, value).scaling)
        else:
            changed = super().edited(name, value)
        return self if changed == self else replace(changed, notes=())

    @property
    def n_columns(self) -> int:
        """1."""
        return 1

    @cached_property
    def rotary(self) -> Rotary:
        """The rotation that sees the changed distances."""
        return Rotary(self.head_dim, self.rope_theta, self.pairing, scaling=self.scaling, notes=self.notes)

    @property
    def rotation(self) -> Rotation:
        """The rotation, with the rule of the distances that it sees."""
        rotation = self.rotary.rotation
        return structs.replace(rotation, distance_rule=self.distance_rule, scaled_by=self._scaled_by)

    def _scaled_by(self, scaling: RopeScaling | None) -> "DistanceRemap":
        return replace(self, scaling=scaling, notes=())

    def frequencies(self) -> FloatArray:
        """Angular frequency of each pair of the rotation, float64 ``(n_pairs,)`` in rad per position that it sees."""
        return self.rotary.pairs.frequencies

    @property
    def warnings(self) -> tuple[str, ...]:
        """Those of the rotation."""
        return self.rotary.warnings

    @property
    def scores(self) -> "RemappedScores":
        """The scores of the rotation at the changed distances of the query."""
        return RemappedScores(self)

    @property
    def domain(self) -> tuple[float, float]:
        """The distances from the first visible key on."""
        first, last = super().domain
        return (first if self.query is None else self.distance_rule.first_key(self.query) - self.query, last)

    def no_value(self, position: int) -> str:
        """The sentence for a distance to a key that the query does not attend to."""
        if self.query is not None and position >= -self.query:
            return f"distance {-position} has no value: the key is in an earlier chunk, which the query does not see"
        return super().no_value(position)

    def visible(self, query: int, key: int) -> bool:
        """Whether the query attends to the key."""
        return self.distance_rule.first_key(query) <= key <= query

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """From 0 to the largest seen distance, at least 1: the query's, or that of any query at most ``-first``.

        The first key that a query attends to is the farthest by every rule.
        """
        if self.query is None:
            return 0.0, max(1.0, self.distance_rule.farthest(max(1, 1 - first)))
        key = self.distance_rule.first_key(self.query)
        return 0.0, max(1.0, float(self.distance_rule.seen(self.query, np.array([key]))[0]))

    def row(self, query: int, keys: IntArray, columns: IntArray) -> FloatArray:
        """The seen distance of each key, float64 ``(n_keys, n_columns)``; nan for one that the query does not see."""
        seen = self.distance_rule.seen(query, np.minimum(keys, query))
        seen = np.where(keys < self.distance_rule.first_key(query), np.nan, seen)
        return np.repeat(seen[:, None], len(columns), axis=1)

    def explain_pair(self, query: int, key: int, column: int) -> Derivation:
        """The derivation of the seen distance by the rule."""
        if key > query:
            steps: tuple[Step, ...] = (Step("a later key, which a causal model masks: 0", "g = 0", 0.0),)
        elif key < self.distance_rule.first_key(query):
            raise ValueError(self.seen_from(query).no_value(key - query))
        else:
            steps = self.distance_rule.steps(query, key)
        rule, value = self.distance_rule.title, steps[-1].value
        formula, latex = f"{rule}({query}, {key})", rf"\text{{{rule}}}({query}, {key})"
        return Derivation.of_entry("g", (query, key), formula, latex, f"print({value!r})\n", steps)


class RemappedScores(Scores):
    """Scores of rotated queries and keys whose distance is the one that the rotation sees from the table's query."""

    vectors: ClassVar[tuple[str, ...]] = ("q", "k")

    def __init__(self, encoding: DistanceRemap) -> None:
        super().__init__(encoding.head_dim)
        self._encoding, self._inner = encoding, RotationScores(encoding.rotary.rotation)

    def by_distance(self, distances: IntArray, mode: str, q: Any, k: Any) -> FloatArray:
        """The score at the changed distance; nan for a key that the query does not see."""
        query = self._encoding.check_seen()
        keys = query + distances
        seen = self._encoding.row(query, np.maximum(keys, 0), np.array([0]))[:, 0]
        inside = np.isfinite(seen) & (keys >= 0)
        found = np.full(len(distances), np.nan)
        found[inside] = self._at(-seen[inside], mode, q, k)
        return found

    def _at(self, distances: FloatArray, mode: str, q: Any, k: Any) -> FloatArray:
        """The rotation's scores at distances that may be fractions; 0, the mean, in the mode ``independent``."""
        if mode == "independent":
            return np.zeros(len(distances))
        pairs = self._encoding.rotary.pairs
        straight, crossed, passed = np.full(pairs.n_pairs, 2.0), np.zeros(pairs.n_pairs), 0.0
        if mode == "typed":
            straight, crossed, passed = self._inner.products(q, k)
        found = in_pieces(distances, pairs.n_pairs, partial(waves, pairs.frequencies, straight, crossed))
        return np.asarray(pairs.amplitude**2 * found + passed)

    def spread(self, distances: IntArray) -> FloatArray:
        """The rotation's, which is the same at every distance."""
        return self._inner.spread(distances)

    def logits(self, scores: FloatArray) -> FloatArray:
        """The rotation's logits."""
        return self._inner.logits(scores)

    def derivation(self, apart: int, mode: str, q: Any, k: Any, head: int) -> Derivation:
        """The seen distance by the rule, then the score there."""
        query = self._encoding.check_seen()
        seen = self._encoding.explain_pair(query, query + apart, 0)
        (value,) = self.by_distance(np.array([apart]), mode, q, k).tolist()
        g, symbol = shown_number(seen.value), f"score({-apart})"
        last = number_step(f"score of the rotation at the distance g: s({g.text})", f"s({g.latex})", value, g)
        steps = (*seen.steps, last)
        return Derivation(symbol, f"{symbol} = s(g)", f"s({-apart}) = s(g)", f"print({value!r})\n", steps)
