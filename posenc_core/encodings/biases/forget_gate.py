"""A bias that falls by the logarithms of forget gates (FoX, Lin et al. 2025)."""

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from posenc_core.encodings.biases.fields import GatesField
from posenc_core.encodings.biases.gates import VECTOR_WIDTH, GatedEncoding, gathered
from posenc_core.explain import Derivation, Step, Sum, Term, listed, shown_number
from posenc_core.numerics import FloatArray, IntArray

GATES = GatesField(
    name="gates",
    help="Forget gate of each token; 1 keeps all earlier keys. The list is repeated for longer texts. None uses "
    "gates of the tokens' simulated keys.",
    default=(),
)


@dataclass(frozen=True)
class ForgetGate(GatedEncoding):
    """The bias ``sum ln f_t`` over the tokens t = j+1..i for query i and key j, f_t in (0, 1]; the only column.

    ``gates`` are the f_t. Without them ``f_t = sigmoid(4 + mean of k_t)`` of the token's simulated key of 16 columns,
    in place of a model's trained gate. Equal gates f are ALiBi with the slope -ln f. Source: Lin et al. 2025
    (Forgetting Transformer: Softmax Attention with a Forget Gate, arXiv 2503.02130), section 3.
    """

    gates: Annotated[tuple[float, ...], GATES] = ()

    family: ClassVar[str] = "forget_gate"
    title: ClassVar[str] = "Forget gate (FoX)"
    year: ClassVar[int] = 2025
    summary: ClassVar[str] = "Each token has a gate that lowers the scores of all keys before it: the text decides."
    brief: ClassVar[str] = "bias by gates"
    citation: ClassVar[str] = (
        "Lin et al. 2025, Forgetting Transformer: Softmax Attention with a Forget Gate, arXiv 2503.02130, section 3"
    )
    PART: ClassVar[str] = "bias"
    trained_beside: ClassVar[str] = "the gate of a head"
    TYPED: ClassVar[str] = GATES.name

    def logarithms_up_to(self, query: int) -> FloatArray:
        """The logarithms of the gates of the tokens 0..query, float64 ``(query + 1,)``."""
        if self.gates:
            return np.asarray(np.log(np.resize(self.gates, query + 1)))
        assert self.content is not None
        keys = self.content.keys(range(query + 1), VECTOR_WIDTH)
        return np.asarray(-np.logaddexp(0.0, -4.0 - keys.mean(axis=1)))

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """From the sum of as many logarithms as there are distances to 0."""
        apart = max(1, -first)
        if self.content is not None:
            return min(float(self.logarithms_up_to(len(self.content.tokens) - 1).sum()), -1e-9), 0.0
        if not self.gates:
            return -apart * math.log1p(math.exp(-4.0)), 0.0
        whole, rest = divmod(apart, len(self.gates))
        logarithms = np.sort(np.log(self.gates))
        lowest = float(whole * logarithms.sum() + logarithms[:rest].sum())
        return min(lowest * (1 + 1e-12), -1e-9), 0.0  # a sum one by one is rounded differently

    def row(self, query: int, keys: IntArray, columns: IntArray) -> FloatArray:
        """The bias of each key, float64 ``(n_keys, n_columns)``; 0 for the query's own and later ones."""
        logarithms = self.logarithms_up_to(query)
        after = np.append(np.cumsum(logarithms[:0:-1])[::-1], 0.0)
        return np.repeat(gathered(after, keys)[:, None], len(columns), axis=1) + 0.0

    def explain_pair(self, query: int, key: int, column: int) -> Derivation:
        """The derivation of the bias: the logarithm of each gate after the key, and their sum."""
        logarithms = self.logarithms_up_to(query)[key + 1 :]
        count = len(logarithms)
        counted = f"{count} gate{'s' * (count != 1)}"
        start = Step(f"tokens after the key, up to the query: {counted}", rf"n = {count}", float(count))
        if not count:
            zero = Step("no gate after the key: 0", "b = 0", 0.0)
            return Derivation.of_entry("b", (query, key), "0", "0", "print(0.0)\n", (start, zero))

        def written(token: int) -> Term:
            shown = shown_number(math.exp(logarithms[token]))
            return f"ln({shown.text})", rf"\ln({shown.latex})", shown

        total = Sum("gate", logarithms, written, f"Σ ln f_t, t = {key + 1}..{query}",
                    rf"\sum_{{t={key + 1}}}^{{{query}}} \ln f_t", (start,), key + 1)  # fmt: skip
        python = f"{listed('logarithms', logarithms)}print(sum(logarithms))  # of the gates\n"
        return total.derivation(f"b({query}, {key})", f"b_{{({query}, {key})}}", python)
