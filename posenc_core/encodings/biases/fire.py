"""A learned function of the distance over the query's position (Li et al. 2023)."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from msgspec.structs import replace

from posenc_core.encodings.abilities.effect import HeadBiases
from posenc_core.encodings.abilities.query_and_key import QueryKeyEncoding
from posenc_core.encodings.abilities.rows import ColumnInfo
from posenc_core.encodings.biases.fields import R1
from posenc_core.encodings.biases.mlp import MLP, GivenMlp, Mlp
from posenc_core.explain import Derivation, Step, Sum, Term, bracketed, listed, number_step, shown_number
from posenc_core.fields import FlagField, IntegerField
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.tables import arrays_in

if TYPE_CHECKING:
    from posenc_core.encodings.abilities.scores import Scores

C = replace(
    R1,
    name="c",
    label="&c",
    help="Factor of the distance within the logarithm, learned from 0.1; larger values resolve near distances better.",
    default=0.1,
    slider=(0.01, 10.0),
    logarithmic=True,
)
THRESHOLD = IntegerField(
    name="threshold",
    label="t&hreshold L",
    help="Query position below which all distances have the same divisor, learned from 512.",
    default=512,
    minimum=1,
    maximum=10_000_000,
    unit="positions",
    synonyms="L, init_L",
)
EPSILON = FlagField(
    name="epsilon",
    label="add 1e-&6",
    help="Add 1e-6 to the divisor, as the authors' code does.",
    default=False,
)


@dataclass(frozen=True)
class Fire(HeadBiases, QueryKeyEncoding):
    """The bias ``MLP(x)`` with ``x = psi(d)/psi(max(L, i))``, psi(t) = ln(c t + 1), d = i - j for query i and key j.

    x is in [0, 1]; a later key, which a causal model masks, has x = 0. ``c`` > 0; L is ``threshold``, in positions.
    Without an ``mlp`` the only column is x itself, since the network is trained; else a column is a head. ``epsilon``
    adds 1e-6 to the divisor. Source: Li et al. 2023 (Functional Interpolation for Relative Positions, arXiv
    2310.04418), section 3.
    """

    c: Annotated[float, C] = C.default
    threshold: Annotated[int, THRESHOLD] = THRESHOLD.default
    epsilon: Annotated[bool, EPSILON] = EPSILON.default
    mlp: Annotated[Mlp | None, MLP] = None

    family: ClassVar[str] = "fire"
    title: ClassVar[str] = "FIRE"
    in_story: ClassVar[bool] = False
    year: ClassVar[int] = 2023
    summary: ClassVar[str] = "A learned function of the distance as a share of the query's position."
    brief: ClassVar[str] = "bias of a share"
    citation: ClassVar[str] = (
        "Li et al. 2023, Functional Interpolation for Relative Positions, arXiv 2310.04418, section 3"
    )
    trained_beside: ClassVar[str] = "c, L and a network"

    @classmethod
    def from_file(cls, path: str | Path, **parameters: Any) -> "Fire":
        """FIRE with the network in a file of arrays ``w1``, ``b1``, ``w2`` and ``b2``, a .npz or .safetensors file.

        ValueError with a sentence for a missing array and for wrong shapes.
        """
        arrays = dict(arrays_in(Path(path)))
        missing = [name for name in ("w1", "b1", "w2", "b2") if name not in arrays]
        if missing:
            raise ValueError(f"{Path(path).name} has no array named {missing[0]}: FIRE needs w1, b1, w2 and b2")
        return cls(mlp=GivenMlp.of(*(arrays[name] for name in ("w1", "b1", "w2", "b2"))), **parameters)

    @property
    def n_columns(self) -> int:
        """Number of heads; 1 without a network."""
        return 1 if self.mlp is None else len(self.mlp.weights.b2)

    @property
    def label(self) -> str:
        """The seed of a simulated network."""
        return "" if self.mlp is None else self.mlp.label

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence on a network that is missing or simulated."""
        if self.mlp is None:
            return ("the numbers are the normalised distance x: the trained network from x to a bias is unknown",)
        return (f"the network is {self.label}: a model learns its own; x is exact",) if self.label else ()

    @property
    def scores(self) -> "Scores | None":
        """The biases of the network; None without one, since x is no part of a score."""
        return super().scores if self.mlp else None

    def column_info(self, column: int) -> ColumnInfo:
        """The head, or the normalised distance without a network."""
        info = super().column_info(column)
        return info if self.mlp else ColumnInfo(None, "normalised distance", None)

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """The smallest and the largest number for the x of these distances; without a query, of the last one.

        No earlier query has a larger x: that of its first key is at most 1, and below L it grows with the query.
        """
        query = max(0, -first) if self.query is None else self.query
        ends = np.clip([1 - stop, -first], 0, query)
        low, high = self.normalised(query, query - ends).tolist()
        if self.mlp is not None:
            low, high = self.mlp.weights.ends(low, high)
        return (low, high) if low < high else (low - 1, high + 1)

    def normalised(self, query: int, keys: IntArray) -> FloatArray:
        """The normalised distance x of a query and each key, float64 ``(n_keys,)``."""
        distances = np.maximum(query - keys, 0)
        divisor = math.log1p(self.c * max(self.threshold, query)) + (1e-6 if self.epsilon else 0.0)
        return np.asarray(np.log1p(self.c * distances) / divisor)

    def row(self, query: int, keys: IntArray, columns: IntArray) -> FloatArray:
        """x, or the bias of each head, float64 ``(n_keys, n_columns)``."""
        x = self.normalised(query, keys)
        return np.repeat(x[:, None], len(columns), 1) if self.mlp is None else self.mlp.weights.biases(x)[:, columns]

    def explain_pair(self, query: int, key: int, column: int) -> Derivation:
        """The derivation of the bias: distance, both logarithms, their quotient, and the network's units."""
        apart, longest, c = max(query - key, 0), max(self.threshold, query), shown_number(self.c)
        divisor = math.log1p(self.c * longest) + (1e-6 if self.epsilon else 0.0)
        (x,) = self.normalised(query, np.array([key])).tolist()
        added, added_latex = (" + 1e-6", " + 10^{-6}") if self.epsilon else ("", "")
        steps = (
            Step(f"distance d = max({query} - {key}, 0) = {apart}", rf"d = {apart}", float(apart)),
            number_step(
                f"psi(d) = ln({c.text} · {apart} + 1)", rf"\psi(d) = \ln({c.latex} \cdot {apart} + 1)",
                math.log1p(self.c * apart),
            ),
            number_step(
                f"psi(max(L, i)) = ln({c.text} · {longest} + 1){added}",
                rf"\psi(\max(L, i)) = \ln({c.latex} \cdot {longest} + 1){added_latex}",
                divisor,
            ),
            number_step("x = psi(d)/psi(max(L, i))", r"x = \frac{\psi(d)}{\psi(\max(L, i))}", x),
        )  # fmt: skip
        code = f"import math\n\nx = math.log1p({self.c!r} * {apart}) / (math.log1p({self.c!r} * {longest}){added})\n"
        if self.mlp is None:
            formula = f"psi({apart})/psi({longest})"
            latex = rf"\frac{{\psi({apart})}}{{\psi({longest})}}"
            return Derivation.of_entry("x", (query, key), formula, latex, f"{code}print(x)\n", steps)
        return self._of_network(self.mlp, (query, key, column), x, steps, code)

    def _of_network(
        self, mlp: Mlp, cell: tuple[int, int, int], x: float, steps: tuple[Step, ...], code: str
    ) -> Derivation:
        query, key, column = cell
        weights = mlp.weights
        (units,), into = weights.units(np.array([x])), weights.w2[column]
        latex = r"\sum_u w_{2,u} \mathrm{relu}(w_{1,u} x + b_{1,u}) + b_2"

        def written(unit: int) -> Term:
            out, slope, shift = (shown_number(float(each[unit])) for each in (into, weights.w1, weights.b1))
            return (
                f"{out.factor} · relu({slope.factor} x + {bracketed(shift.text)})",
                rf"{out.latex} \cdot \mathrm{{relu}}({slope.latex} x + {bracketed(shift.latex)})",
                out, slope, shift,
            )  # fmt: skip

        total = Sum("unit", into * units, written, "Σ w2_u relu(w1_u x + b1_u) + b2", latex, steps)
        bias = float(weights.b2[column])
        added = bracketed(shown_number(bias).text)
        last = number_step(f"bias of head {column}: Σ + b2 = Σ + {added}", "+ b_2", total.total + bias)
        lines = "".join(listed(name, each) for name, each in (("w1", weights.w1), ("b1", weights.b1), ("w2", into)))
        summed = f"sum(c * max(a * x + b, 0.0) for a, b, c in zip(w1, b1, w2)) + {bias!r}"
        symbol = f"b({query}, {key})"
        return total.derivation(symbol, f"b_{{({query}, {key})}}", f"{code}{lines}print({summed})\n", last)
