"""Positions counted by gates of the text (CoPE, Golovneva et al. 2024)."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, ClassVar

import numpy as np

from posenc_core.encodings.biases.fields import WeightsField
from posenc_core.encodings.biases.gates import VECTOR_WIDTH, GatedEncoding, gathered
from posenc_core.explain import Derivation, Sum, Term, bracketed, listed, number_step, shown_number
from posenc_core.fields import TABLE_SEED, IntegerField
from posenc_core.numerics import FloatArray, IntArray, normal_entries

P_MAX = IntegerField(
    name="p_max",
    help="Number of learned position vectors: contextual positions are at most p_max - 1.",
    default=16,
    minimum=1,
    maximum=4096,
    unit="positions",
    synonyms="npos_max",
)
GATE_LOGITS = WeightsField(
    name="gate_logits",
    label="&gate logits",
    help="The logit of each token's gate, the same for each query; 100 opens a gate and -100 closes it. The list is "
    "repeated for longer texts. None uses the products of the tokens' simulated queries and keys.",
    default=(),
)
POSITION_LOGITS = WeightsField(
    name="position_logits",
    label="position l&ogits",
    help="Product of the query with each of the p_max position vectors. None uses simulated vectors.",
    default=(),
)

_SEEN_QUERIES = 16
"""Tokens whose queries are seen for the range of all numbers."""


@dataclass(frozen=True)
class Cope(GatedEncoding):
    """The addend of the score for the contextual position of query i and key j; the only column.

    ``g_t = sigmoid(q_i . k_t)``, ``p = min(sum of g_t over t = j..i, p_max - 1)``, and the number is ``q_i . e[p]``,
    linear between the whole numbers around p. ``gate_logits`` replace q_i . k_t, ``position_logits``, p_max of them,
    replace q_i . e[0], q_i . e[1] and so on. Without typed logits, queries and keys are those of the tokens (16
    columns), and the vectors e are normal numbers over 4. Source: Golovneva et al. 2024 (Contextual Position Encoding,
    arXiv 2405.18719), section 4.
    """

    p_max: Annotated[int, P_MAX] = P_MAX.default
    gate_logits: Annotated[tuple[float, ...], GATE_LOGITS] = ()
    position_logits: Annotated[tuple[float, ...], POSITION_LOGITS] = ()
    table_seed: Annotated[int, TABLE_SEED] = 0

    family: ClassVar[str] = "cope"
    title: ClassVar[str] = "CoPE"
    year: ClassVar[int] = 2024
    summary: ClassVar[str] = "Positions are counted by gates of query and key, so that the text decides what counts."
    brief: ClassVar[str] = "counts by content"
    citation: ClassVar[str] = "Golovneva et al. 2024, Contextual Position Encoding, arXiv 2405.18719, section 4"
    PART: ClassVar[str] = "bias"
    trained_beside: ClassVar[str] = "the position vectors"
    TYPED: ClassVar[str] = GATE_LOGITS.name

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.position_logits and len(self.position_logits) != self.p_max:
            raise ValueError(f"position_logits must have p_max = {self.p_max} numbers, got {len(self.position_logits)}")
        object.__setattr__(self, "needs_content", not (self.gate_logits and self.position_logits))

    def gate_logits_up_to(self, query: int) -> FloatArray:
        """The logits of the gates of the tokens 0..query for this query, float64 ``(query + 1,)``."""
        if self.gate_logits:
            return np.resize(self.gate_logits, query + 1)
        assert self.content is not None
        return np.asarray(self.content.keys(range(query + 1), VECTOR_WIDTH) @ self._query(query))

    def logits_of(self, query: int) -> FloatArray:
        """The product of the query with each position vector, float64 ``(p_max,)``."""
        if self.position_logits:
            return np.array(self.position_logits)
        return np.asarray(_position_vectors(self.table_seed, self.p_max) @ self._query(query))

    def contextual_positions(self, query: int, keys: IntArray) -> FloatArray:
        """The contextual position of each key, float64 ``(n_keys,)``, at most p_max - 1."""
        counted = np.cumsum(_sigmoid(self.gate_logits_up_to(query))[::-1])[::-1]
        return np.minimum(gathered(counted, keys), self.p_max - 1.0)

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """The smallest and the largest position logit of the seen query and of the first ones; -4 to 4 without any."""
        if self.position_logits:
            return min(*self.position_logits, 0.0), max(*self.position_logits, 0.0)
        if self.content is None or not self.has_value(0):
            return -4.0, 4.0
        others = self.content.queries(range(min(len(self.content.tokens), _SEEN_QUERIES)), VECTOR_WIDTH)
        logits = np.vstack([self._query(self.check_seen()), others]) @ _position_vectors(self.table_seed, self.p_max).T
        return min(float(logits.min()), -1e-9), max(float(logits.max()), 1e-9)

    def row(self, query: int, keys: IntArray, columns: IntArray) -> FloatArray:
        """The addend of the score of each key, float64 ``(n_keys, n_columns)``."""
        positions, logits = self.contextual_positions(query, keys), self.logits_of(query)
        added = np.interp(positions, np.arange(self.p_max), logits)
        return np.repeat(added[:, None], len(columns), axis=1) + 0.0

    def explain_pair(self, query: int, key: int, column: int) -> Derivation:
        """The derivation of the number: gates, their sum, the cut, and the two logits around the position."""
        first = min(key, query)
        opening, logits = self.gate_logits_up_to(query)[first:], self.logits_of(query)
        gates = _sigmoid(opening)

        def written(token: int) -> Term:
            name, shown = first + token, shown_number(float(opening[token]))
            return f"g_{name} = sigmoid({shown.text})", rf"g_{{{name}}} = \sigma({shown.latex})", shown

        counted = Sum("gate", gates, written, f"q_{query} · e[p], p = min(Σ g_t, {self.p_max - 1})",
                      rf"q_{{{query}}} \cdot e[p]", (), first)  # fmt: skip
        position = min(counted.total, self.p_max - 1.0)
        low = min(int(position), max(self.p_max - 2, 0))
        high, share = min(low + 1, self.p_max - 1), position - low
        (value,) = self.row(query, np.array([key]), np.array([0])).ravel().tolist()
        below, above, part = (shown_number(float(each)) for each in (logits[low], logits[high], share))
        last = (
            number_step(f"contextual position, at most {self.p_max - 1}: p", "p", position),
            number_step(f"logit of position {low}: z_{low}", f"z_{{{low}}}", float(logits[low])),
            number_step(f"logit of position {high}: z_{high}", f"z_{{{high}}}", float(logits[high])),
            number_step(
                f"between them: {below.factor} + {part.factor} · ({above.text} - {bracketed(below.text)})",
                rf"z_{{{low}}} + {part.latex} (z_{{{high}}} - z_{{{low}}})",
                value,
            ),
        )
        python = (
            f"{listed('gates', gates)}{listed('logits', logits)}"
            f"p = min(sum(gates), {self.p_max - 1}.0)\n"
            f"low = min(int(p), max({self.p_max} - 2, 0))\nhigh = min(low + 1, {self.p_max - 1})\n"
            "print(logits[low] + (p - low) * (logits[high] - logits[low]))\n"
        )
        return counted.derivation(f"b({query}, {key})", f"b_{{({query}, {key})}}", python, *last)

    def _query(self, query: int) -> FloatArray:
        assert self.content is not None
        (vector,) = self.content.queries(range(query, query + 1), VECTOR_WIDTH)
        return np.asarray(vector)


def _sigmoid(logits: FloatArray) -> FloatArray:
    """The gates, float64 ``(n,)``; logits beyond 700 change no digit of a sum of gates."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -700.0, 700.0))))


@lru_cache(maxsize=4)
def _position_vectors(seed: int, p_max: int) -> FloatArray:
    """The simulated vectors e, float64 ``(p_max, VECTOR_WIDTH)``."""
    drawn = normal_entries(seed, "CoPE", np.arange(p_max), np.arange(VECTOR_WIDTH))
    return np.asarray(drawn / np.sqrt(VECTOR_WIDTH))
