"""The fields of biases: numbers of kernels, lists of weights, and lists of gates."""

from typing import Any, ClassVar

import numpy as np
from msgspec.structs import replace

from posenc_core.fields import N_HEADS, FactorsField, NumbersField, RealField, as_reals
from posenc_core.numerics import FloatArray

HEADS = replace(N_HEADS, default=8)

R1 = RealField(
    name="r1",
    label="r&1",
    help="Factor of head 0, a learned number that the code keeps above 0.01; other heads have simulated factors.",
    default=1.0,
    above=0.0,
    most=1000.0,
    slider=(0.01, 2.0),
)
R2 = replace(
    R1,
    name="r2",
    label="r&2",
    help="Rate of head 0 in the logarithmic kernel, or its exponent in the power kernel, at most 2.",
    default=0.5,
    slider=(0.01, 2.0),
)


class LearnedHeadsField(FactorsField, frozen=True, kw_only=True):
    """A list of learned numbers above 0, one for each head but the first; it may be empty."""

    bounds: ClassVar[str] = "a list of finite numbers > 0, one per head from 1 on"


R1_HEADS = LearnedHeadsField(
    name="r1_heads",
    label="r1 of &other heads",
    help="r1 of the heads from 1 on, as a model has learned them. None uses simulated numbers.",
    default=(),
)
R2_HEADS = replace(
    R1_HEADS,
    name="r2_heads",
    label="r2 of o&ther heads",
    help="r2 of the heads from 1 on, as a model has learned them. None uses simulated numbers.",
)


class WeightsField(NumbersField, frozen=True, kw_only=True):
    """A list of numbers from -1e6 to 1e6, kept as a tuple of floats; it may be empty if ``least`` is 0."""

    least: int = 0
    lowest: float = -1e6
    highest: float = 1e6
    bounds: ClassVar[str] = "a list of {0.least} to {0.most} numbers from -1e6 to 1e6"


class GatesField(WeightsField, frozen=True, kw_only=True):
    """A list of gates, numbers above 0 and at most 1."""

    bounds: ClassVar[str] = "a list of gates, each above 0 and at most 1"

    def _number(self, index: int) -> RealField:
        name = f"{self.display_name}[{index}]"
        return RealField(name=name, label="", help="", default=1.0, above=0.0, most=1.0, slider=(0.0, 1.0))


def real_array(name: str, given: Any) -> FloatArray:
    """The numbers of an array in float64; ValueError with a sentence for rows of several lengths, texts and so on."""
    got = f"an array of {given.dtype}" if isinstance(given, np.ndarray) else ""
    return as_reals(given, f"{name} must be an array of real numbers", got)


def sizes(array: FloatArray) -> str:
    """The sizes of the array in words, such as ``4 x 2``; 1 for a number."""
    return " x ".join(map(str, array.shape or (1,)))
