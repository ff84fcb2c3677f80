"""Families and a scaling that no program has, each as a person would write it in a file of its own.

``registered`` puts them into the registries for the time of a test, ``file_of`` writes such a file.
"""

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from msgspec.structs import replace

from posenc_core.encodings import ENCODINGS, Effect, Encoding, QueryKeyEncoding
from posenc_core.explain import Derivation, Digits, Step
from posenc_core.fields import D_MODEL, N_HEADS, Field, RealField
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.rope_scaling import SCALINGS, RopeScaling

FILE = """
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from msgspec.structs import replace

from posenc_core.explain import Derivation, Digits, Step
from posenc_core.fields import D_MODEL, N_HEADS, Field, RealField
from posenc_core.numerics import FloatArray, IntArray
"""
OF_A_FAMILY = """
from posenc_core.encodings.abilities.effect import Effect
from posenc_core.encodings.abilities.query_and_key import QueryKeyEncoding
from posenc_core.encodings.base import Encoding
"""
OF_A_SCALING = """
from posenc_core.rope_scaling.base import RopeScaling
"""
"""Imports of a file within a room, which may not use the room's own face."""

STRENGTH = RealField(
    name="strength", label="s&trength", help="The factor of every bias.", default=1.0, above=0.0, slider=(0.1, 10.0)
)
REACH = replace(STRENGTH, name="reach", label="&reach", help="Tokens at which a bias is half of its end.", default=4.0)
ROOT = replace(STRENGTH, name="root", label="&root", help="The square of what divides each frequency.", default=4.0)


@dataclass(frozen=True)
class FadingBias(QueryKeyEncoding):
    """The bias ``-strength 2^-(h+1) |i - j| / (1 + max(i, 1))`` of head h for query i and key j."""

    n_heads: int = 4
    strength: float = 1.0

    family: ClassVar[str] = "fading"
    title: ClassVar[str] = "Fading bias"
    summary: ClassVar[str] = "A bias on logits that falls with the distance, and less for later queries."
    brief: ClassVar[str] = "bias by both places"
    citation: ClassVar[str] = "No paper: a test's own"
    effect: ClassVar[Effect] = Effect.BIASES
    PART: ClassVar[str] = "head {}"
    WIDTH_NAME: ClassVar[str] = "n_heads"
    FIELDS: ClassVar[tuple[Field, ...]] = (replace(N_HEADS, default=4), STRENGTH)

    @property
    def causal(self) -> bool:
        return True

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        return (-self.strength / 2, 0.0)

    def row(self, query: int, keys: IntArray, columns: IntArray) -> FloatArray:
        slopes = -self.strength * 2.0 ** -(columns + 1.0)
        return np.multiply.outer(np.abs(query - keys) / (1 + max(query, 1)), slopes) + 0.0

    def explain_pair(self, query: int, key: int, column: int) -> Derivation:
        value = float(self.row(query, np.array([key]), np.array([column]))[0, 0])
        apart, below = abs(query - key), 1 + max(query, 1)
        steps = (
            Step(f"distance |{query} - {key}| = {apart}", f"|i - j| = {apart}", float(apart)),
            Step(f"divided by 1 + max({query}, 1) = {below}", f"1 + i = {below}", float(below)),
            Step(f"times the slope of head {column}: {value!r}", f"b = {value!r}", value),
        )
        formula = f"-{self.strength!r} * 2 ** -{column + 1} * {apart} / {below}"
        return Derivation.of_entry("b", (query, key), formula, f"b = {value!r}", f"print({formula} + 0.0)\n", steps)


@dataclass(frozen=True)
class ContentBias(QueryKeyEncoding):
    """The bias ``-sum of sigmoid(q_i . k_t)`` over the tokens t after key j up to query i: text decides."""

    n_heads: int = 2

    family: ClassVar[str] = "content"
    title: ClassVar[str] = "Content bias"
    summary: ClassVar[str] = "A bias that counts the tokens between a query and a key by what they say."
    citation: ClassVar[str] = "No paper: a test's own"
    effect: ClassVar[Effect] = Effect.BIASES
    needs_content: ClassVar[bool] = True
    PART: ClassVar[str] = "head {}"
    WIDTH_NAME: ClassVar[str] = "n_heads"
    FIELDS: ClassVar[tuple[Field, ...]] = (replace(N_HEADS, default=2),)
    WIDTH: ClassVar[int] = 8

    @property
    def causal(self) -> bool:
        return True

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        return (-max(1.0, stop - first), 0.0)

    def row(self, query: int, keys: IntArray, columns: IntArray) -> FloatArray:
        (asking,) = self.content.queries(range(query, query + 1), self.WIDTH)
        gates = 1 / (1 + np.exp(-self.content.keys(range(query + 1), self.WIDTH) @ asking))
        counted = np.append(np.cumsum(gates[::-1])[::-1], 0.0)  # from each key up to the query
        return -np.multiply.outer(counted[np.minimum(keys + 1, query + 1)], 1.0 + columns) + 0.0

    def explain_pair(self, query: int, key: int, column: int) -> Derivation:
        value = float(self.row(query, np.array([key]), np.array([column]))[0, 0])
        step = Step(f"gates of the tokens {key + 1} to {query}: {value!r}", f"b = {value!r}", value)
        return Derivation.of_entry("b", (query, key), "-sum", "-\\sum", f"print({value!r})\n", (step,))


@dataclass(frozen=True)
class LogBias(Encoding):
    """The bias ``-strength ln(1 + |distance| / reach) / (h + 1)`` of head h, as Kerple's (Chi et al. 2022)."""

    n_heads: int = 4
    strength: float = 1.0
    reach: float = 4.0

    family: ClassVar[str] = "log_bias"
    title: ClassVar[str] = "Logarithmic bias"
    summary: ClassVar[str] = "A bias on logits that falls with the logarithm of the distance."
    brief: ClassVar[str] = "bias by logarithm"
    citation: ClassVar[str] = "Chi et al. 2022, KERPLE, section 4"
    relative: ClassVar[bool] = True
    effect: ClassVar[Effect] = Effect.BIASES
    PART: ClassVar[str] = "head {}"
    WIDTH_NAME: ClassVar[str] = "n_heads"
    FIELDS: ClassVar[tuple[Field, ...]] = (replace(N_HEADS, default=4), STRENGTH, REACH)

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        farthest = np.array([max(abs(first), abs(stop - 1))])
        return (float(self.values(farthest, np.array([0]))[0, 0]), 0.0)

    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        return -self.strength * np.multiply.outer(np.log1p(np.abs(positions) / self.reach), 1 / (columns + 1.0)) + 0.0

    def explain(self, position: int, column: int) -> Derivation:
        value = float(self.values(np.array([position]), np.array([column]))[0, 0])
        logarithm = f"math.log1p({abs(position)} / {self.reach!r})"
        code = f"import math\n\nprint({-self.strength!r} * {logarithm} / {column + 1} + 0.0)\n"
        step = Step(f"bias of head {column} at {position}: {value!r}", f"b = {value!r}", value)
        return Derivation.of_entry("b", (position, column), "-s ln(1 + d/r)", "-s \\ln(1 + d/r)", code, (step,))


@dataclass(frozen=True)
class DotOfPlaces(QueryKeyEncoding):
    """``(i + 1) (j + 1) / width`` in every column c times cos c: a vector for the query to weigh, by both positions."""

    d_model: int = 8

    family: ClassVar[str] = "places"
    title: ClassVar[str] = "Product of places"
    summary: ClassVar[str] = "A vector for each query and key, by the product of their positions."
    brief: ClassVar[str] = "product of places"
    citation: ClassVar[str] = "No paper: a test's own"
    PART: ClassVar[str] = "product"
    FIELDS: ClassVar[tuple[Field, ...]] = (replace(D_MODEL, default=8),)

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        reach = float(max(abs(first), abs(stop)) + 1) ** 2 / self.d_model
        return (-reach, reach)

    def row(self, query: int, keys: IntArray, columns: IntArray) -> FloatArray:
        return np.multiply.outer((query + 1) * (keys + 1.0) / self.d_model, np.cos(columns))

    def explain_pair(self, query: int, key: int, column: int) -> Derivation:
        value = float(self.row(query, np.array([key]), np.array([column]))[0, 0])
        step = Step(f"({query} + 1) ({key} + 1) / {self.d_model} cos {column} = {value!r}", f"{value!r}", value)
        return Derivation.of_entry("r", (query, key), "product", "ij", f"print({value!r})\n", (step,))


@dataclass(frozen=True)
class RootScaling(RopeScaling):
    """``theta_i / sqrt(root)``: a smaller step of position interpolation."""

    root: float

    rope_type: ClassVar[str] = "root"
    title: ClassVar[str] = "Root interpolation"
    citation: ClassVar[str] = "No paper: a test's own"
    FIELDS: ClassVar[tuple[Field, ...]] = (ROOT,)

    @classmethod
    def between(cls, trained: int, target: int) -> "RootScaling":
        return cls(target / trained)

    def frequencies(self, unscaled: FloatArray, rope_theta: float) -> FloatArray:
        return unscaled / np.sqrt(self.root)

    def steps(self, pair: int, unscaled: FloatArray, rope_theta: float, digits: Digits) -> tuple[Step, ...]:
        value = float(unscaled[pair] / np.sqrt(self.root))
        return (digits.frequency_step(f"frequency over the root of {self.root:g}", r"\theta'", value),)


@contextmanager
def registered(*kinds: type[Any]) -> Iterator[None]:
    """Context in which these families and scalings are registered."""
    for kind in kinds:
        _registry_of(kind)[0].register(kind)
    try:
        yield
    finally:
        for kind in kinds:
            registry, name = _registry_of(kind)
            registry.unregister(name)


def file_of(kind: type[Any]) -> str:
    """The file of a family or of a scaling: imports, the fields of parameters, and the class."""
    whole = inspect.getsource(sys.modules[__name__])
    fields = whole[whole.index("STRENGTH = ") : whole.index("@dataclass")]
    imports = OF_A_SCALING if issubclass(kind, RopeScaling) else OF_A_FAMILY
    return f"{FILE}{imports}\n{fields}{inspect.getsource(kind)}"


def _registry_of(kind: type[Any]) -> tuple[Any, str]:
    return (SCALINGS, kind.rope_type) if issubclass(kind, RopeScaling) else (ENCODINGS, kind.family)
