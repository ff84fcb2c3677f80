"""The small network of FIRE, from a distance in 0..1 to a bias per head: given weights, or simulated ones."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from msgspec import Struct

from posenc_core.encodings.biases.fields import HEADS, WeightsField, real_array, sizes
from posenc_core.fields import TABLE_SEED, Kind, KindField, NumbersField
from posenc_core.numerics import FloatArray, normal_entries

HIDDEN = 32
"""Hidden units of the paper's network."""


def _weights(name: str, words: str) -> NumbersField:
    return WeightsField(name=name, label=f"MLP {name}", help=words, default=(1.0,), least=1)


W1 = _weights("w1", "Weights from the distance to the hidden units, a number per unit.")
B1 = _weights("b1", "Biases of the hidden units.")
W2 = _weights("w2", "Weights from the hidden units to the heads: those of head 0, then those of head 1, and so on.")
B2 = _weights("b2", "Biases of the heads.")


class Weights(Struct, frozen=True):
    """``w2 relu(w1 x + b1) + b2``: w1 and b1 ``(n_units,)``, w2 ``(n_heads, n_units)``, b2 ``(n_heads,)``, float64."""

    w1: FloatArray
    b1: FloatArray
    w2: FloatArray
    b2: FloatArray

    def units(self, x: FloatArray) -> FloatArray:
        """The hidden units at each x, float64 ``(n, n_units)``."""
        return np.maximum(np.multiply.outer(x, self.w1) + self.b1, 0.0)

    def biases(self, x: FloatArray) -> FloatArray:
        """The bias of each head at each x, float64 ``(n, n_heads)``."""
        return np.asarray(self.units(x) @ self.w2.T + self.b2)

    def ends(self, low: float, high: float) -> tuple[float, float]:
        """The smallest and the largest bias for x in low..high: at an end, or where a unit begins to count.

        The summation order depends on the number of rows, so the ends are widened by its rounding error.
        """
        with np.errstate(over="ignore"):
            bends = -self.b1[self.w1 != 0] / self.w1[self.w1 != 0]
        x = np.r_[low, high, bends[(bends > low) & (bends < high)]]
        biases, terms = self.biases(x), np.abs(self.units(x)) @ np.abs(self.w2).T + np.abs(self.b2)
        rounding = 4 * np.finfo(np.float64).eps * terms
        return float((biases - rounding).min()), float((biases + rounding).max())


class Mlp(Kind, ABC):
    """A network from a distance in 0..1 to a bias per head."""

    @property
    @abstractmethod
    def weights(self) -> Weights:
        """The weights."""

    @property
    @abstractmethod
    def label(self) -> str:
        """The seed of simulated weights; empty for given ones."""


@dataclass(frozen=True)
class GivenMlp(Mlp):
    """Given weights: lists ``w1`` and ``b1`` of n_units numbers, ``w2`` of n_heads x n_units, ``b2`` of n_heads."""

    w1: Annotated[tuple[float, ...], W1]
    b1: Annotated[tuple[float, ...], B1]
    w2: Annotated[tuple[float, ...], W2]
    b2: Annotated[tuple[float, ...], B2]

    name: ClassVar[str] = "given"
    title: ClassVar[str] = "given weights"

    def __post_init__(self) -> None:
        super().__post_init__()
        units, heads = len(self.w1), len(self.b2)
        if len(self.b1) != units:
            raise ValueError(f"b1 must have as many numbers as w1, {units}, got {len(self.b1)}")
        if len(self.w2) != heads * units:
            raise ValueError(f"w2 must have heads x units = {heads} x {units} numbers, got {len(self.w2)}")

    @classmethod
    def of(cls, w1: Any, b1: Any, w2: Any, b2: Any) -> "GivenMlp":
        """The weights of four arrays, such as the tensors of a model's file.

        ``w1`` is ``(n_units, 1)`` or ``(n_units,)``, ``b1`` ``(n_units,)``, ``w2`` ``(n_heads, n_units)``, or
        ``(n_units,)`` for one head, and ``b2`` ``(n_heads,)`` or a number; ValueError with a sentence otherwise.
        """
        given = {"w1": w1, "b1": b1, "w2": w2, "b2": b2}
        arrays = {name: real_array(name, each) for name, each in given.items()}
        for name, what, form in (("w1", "unit", ", the shape units x 1"), ("b1", "unit", ""), ("b2", "head", "")):
            array = arrays[name]
            column = array.ndim == 2 and array.shape[1] == 1 and name == "w1"
            if not array.size or not (array.ndim < 2 or column):
                raise ValueError(f"{name} must have one number per {what}{form}, got {sizes(array)}")
        units, heads, got = arrays["w1"].size, arrays["b2"].size, arrays["w2"]
        if arrays["b1"].size != units:
            raise ValueError(f"w1 and b1 must have one number per unit each, got {units} and {arrays['b1'].size}")
        if got.shape != (heads, units) and not (got.ndim < 2 and heads == 1 and got.size == units):
            raise ValueError(
                f"w2 must be heads x units = {heads} x {units} numbers, since b2 has {heads} and w1 has {units}, "
                f"got {sizes(got)}"
            )
        return cls(*(tuple(each.ravel().tolist()) for each in arrays.values()))

    @cached_property
    def weights(self) -> Weights:
        """The weights."""
        w2 = np.reshape(self.w2, (len(self.b2), len(self.w1)))
        return Weights(np.array(self.w1), np.array(self.b1), w2, np.array(self.b2))

    @property
    def label(self) -> str:
        """Empty."""
        return ""


@dataclass(frozen=True)
class SimulatedMlp(Mlp):
    """Simulated weights of 32 hidden units: w1 and b1 standard normal, w2 normal over sqrt(32), b2 zero."""

    n_heads: Annotated[int, HEADS] = HEADS.default
    table_seed: Annotated[int, TABLE_SEED] = 0

    name: ClassVar[str] = "simulated"
    title: ClassVar[str] = "simulated weights"

    @cached_property
    def weights(self) -> Weights:
        """The weights."""
        drawn = normal_entries(self.table_seed, "FIRE", np.arange(2 + self.n_heads), np.arange(HIDDEN))
        return Weights(drawn[0], drawn[1], drawn[2:] / np.sqrt(HIDDEN), np.zeros(self.n_heads))

    @property
    def label(self) -> str:
        """The seed."""
        return f"simulated (seed {self.table_seed})"


MLP = KindField(
    name="mlp",
    label="&MLP",
    help="The network from the normalised distance to the bias of each head, which a model learns: given or simulated "
    "weights, or none for the distance itself.",
    kinds=(SimulatedMlp, GivenMlp),
    none=("the distance alone", "none (the distance alone)"),
    default=None,
)
