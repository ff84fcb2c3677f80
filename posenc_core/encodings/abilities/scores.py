"""Scores by distance: the positional part of the score of a query and a key.

Distances are key - query, in tokens, as the positions of relative families are.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from posenc_core.encodings.abilities.rows import Rows, known_values
from posenc_core.explain import Derivation, Step, Sum, listed
from posenc_core.fields import check_one_of, check_vector
from posenc_core.numerics import FloatArray, IntArray, blocks

MODES = ("ones", "bound", "independent", "typed")
"""q = k = ones; RoFormer's bound; independent standard normal numbers; the given q and k."""

_ENTRIES_AT_A_TIME = 1 << 18


class Scores(ABC):
    """The scores of an encoding, before the division by sqrt(d).

    ``vectors`` are the names of the vectors of the mode ``typed``, float64 ``(width,)`` each. ``n_heads`` is the
    number of heads with separate biases, the same for every query and key; 0 for scores of vectors. ``is_bounded``:
    RoFormer's bound exists for the scores.
    """

    vectors: ClassVar[tuple[str, ...]] = ("q",)
    is_bounded: ClassVar[bool] = False
    row_costs: ClassVar[int] = 1
    """Cost of a score, in rows of the table that are read."""

    settled: int | None = None
    """The distance in tokens from which on the score stays the same; None if there is none."""

    def __init__(self, width: int, n_heads: int = 0) -> None:
        self.width, self.n_heads = width, n_heads

    @abstractmethod
    def by_distance(self, distances: IntArray, mode: str, q: Any, k: Any) -> FloatArray:
        """The score at each distance, float64 ``(n_distances,)``, or ``(n_heads, n_distances)`` for biases.

        nan at a distance without a value; ValueError for vectors of another length.
        """

    @abstractmethod
    def spread(self, distances: IntArray) -> FloatArray:
        """Standard deviation of the score of independent standard normal vectors, float64 ``(n_distances,)``.

        ValueError for biases, which no vector changes.
        """

    @abstractmethod
    def logits(self, scores: FloatArray) -> FloatArray:
        """The scores as the softmax receives them."""

    @abstractmethod
    def derivation(self, apart: int, mode: str, q: Any, k: Any, head: int) -> Derivation:
        """The derivation of the score at a distance in the modes other than ``independent``.

        IndexError for a head that the encoding does not have.
        """


class BiasScores(Scores):
    """Scores of a family that adds a bias per head, a column, to the logit."""

    vectors: ClassVar[tuple[str, ...]] = ()
    is_bounded: ClassVar[bool] = True

    def __init__(self, table: Rows, settled: int | None = None) -> None:
        super().__init__(0, table.n_columns)
        self._table, self.settled = table, settled

    def by_distance(self, distances: IntArray, mode: str, q: Any, k: Any) -> FloatArray:
        """The bias of each head, in every mode."""
        return known_values(self._table, distances, np.arange(self.n_heads)).T

    def spread(self, distances: IntArray) -> FloatArray:
        """ValueError."""
        title = self._table.title
        raise ValueError(f"the biases of {title} do not depend on queries and keys: they have no spread")

    def logits(self, scores: FloatArray) -> FloatArray:
        """The biases, unscaled."""
        return scores

    def derivation(self, apart: int, mode: str, q: Any, k: Any, head: int) -> Derivation:
        """The derivation of the head's bias."""
        return self._table.explain(apart, check_one_of(head, "head", self.n_heads))


class VectorScores(Scores):
    """Scores of a family that adds a vector per distance to the key, which the query weighs."""

    row_costs: ClassVar[int] = 4  # in float64, which is not kept

    def __init__(self, table: Rows) -> None:
        super().__init__(table.n_columns)
        self._table = table

    def by_distance(self, distances: IntArray, mode: str, q: Any, k: Any) -> FloatArray:
        """The product of the query with the distance's vector; 0, the mean, in the mode ``independent``."""
        if mode == "independent":
            return np.zeros(len(distances))
        query = self._query(mode, q)
        return self._products(distances, lambda vectors: vectors @ query)

    def spread(self, distances: IntArray) -> FloatArray:
        """The length of the distance's vector."""
        return self._products(distances, lambda vectors: np.sqrt(np.square(vectors).sum(axis=1)))

    def logits(self, scores: FloatArray) -> FloatArray:
        """The scores over ``sqrt(d)``."""
        return scores / math.sqrt(self.width)

    def derivation(self, apart: int, mode: str, q: Any, k: Any, head: int) -> Derivation:
        """The product of the query with the distance's vector, by columns."""
        query = self._query(mode, q)
        (vector,) = self._table.values(np.array([apart]), np.arange(self.width))
        formula, latex = "Σ q_c r_c", r"\sum_c q_c r_c"
        total = Sum.of_products("column", query, vector, formula, latex, (distance_step(apart),))
        lines = listed("q", query) + listed("r", vector)
        python = f"{lines}print(sum(a * b for a, b in zip(q, r)))\n"
        return total.derivation(f"score({-apart})", rf"s({-apart})", python)

    def _query(self, mode: str, q: Any) -> FloatArray:
        return check_vector(q, "q", self.width) if mode == "typed" else np.ones(self.width)

    def _products(self, distances: IntArray, product: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """A number of each distance's vector, some distances at a time."""
        columns = np.arange(self.width)
        return in_pieces(distances, self.width, lambda some: product(known_values(self._table, some, columns)))


def in_pieces(distances: npt.NDArray[Any], width: int, numbers: Callable[[Any], FloatArray]) -> FloatArray:
    """The number of each distance, float64 ``(n_distances,)``, of some at a time: each takes ``width`` others."""
    found = np.empty(len(distances))
    for some in blocks(len(distances), width, _ENTRIES_AT_A_TIME):
        found[some] = numbers(distances[some])
    return found


def distance_step(apart: int, after: str = "") -> Step:
    """The step that names the distance of ``apart`` = key - query tokens, and the words ``after`` it."""
    return Step(f"distance query - key = {-apart}{after}", rf"\delta = i - j = {-apart}", float(-apart))
