"""The fields of biases: numbers of kernels, lists of weights, and lists of gates."""

from typing import ClassVar

from msgspec.structs import replace

from posenc_core.fields import N_HEADS, FiniteField, NumbersField, RealField

HEADS = replace(N_HEADS, default=8)

R1 = RealField(
    name="r1",
    label="r&1",
    help="Factor of head 0, a learned number that code keeps above 0.01; heads from 1 on have simulated ones.",
    default=1.0,
    above=0.0,
    most=1000.0,
    slider=(0.01, 2.0),
)
R2 = replace(
    R1,
    name="r2",
    label="r&2",
    help="Rate of head 0 in the logarithmic kernel, exponent in the power kernel, where it is at most 2.",
    default=0.5,
    slider=(0.01, 2.0),
)


class WeightsField(NumbersField, frozen=True, kw_only=True):
    """A list of numbers from -1e6 to 1e6, kept as a tuple of floats; it may be empty where ``least`` is 0."""

    least: int = 0
    bounds: ClassVar[str] = "a list of {0.least} to {0.most} numbers from -1e6 to 1e6"

    def _number(self, index: int) -> RealField:
        name = f"{self.display_name}[{index}]"
        return FiniteField(name=name, label="", help="", default=1.0, above=-1.000001e6, most=1e6, slider=(-1.0, 1.0))


class GatesField(WeightsField, frozen=True, kw_only=True):
    """A list of gates, numbers above 0 and at most 1."""

    bounds: ClassVar[str] = "a list of gates, each above 0 and at most 1"

    def _number(self, index: int) -> RealField:
        name = f"{self.display_name}[{index}]"
        return RealField(name=name, label="", help="", default=1.0, above=0.0, most=1.0, slider=(0.0, 1.0))
