"""Families of other people that derive from a family of the program."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import pytest

from posenc_core import Encoding
from posenc_core.encodings.plugins.trial import check_family
from posenc_core.encodings.rotary import Rotary
from posenc_core.fields import D_MODEL, RealField
from posenc_core.gallery.measures import largest_entry
from posenc_core.gallery.setting import Setting
from posenc_core.numerics import FloatArray, IntArray

RATE = RealField(name="rate", label="&rate", help="Fading per token.", default=0.05, above=0.0, slider=(0.001, 1.0))


@dataclass(frozen=True)
class WiderRotary(Rotary):
    """RoPE with another default width and one more parameter."""

    head_dim: int = 64
    rate: Annotated[float, "per token", RATE] = 0.05

    family: ClassVar[str] = "wider_rotary"
    title: ClassVar[str] = "Wider RoPE"


@dataclass(frozen=True)
class OwnWidth(Encoding):
    """Fields partly of the base class."""

    d_model: int = 6
    rate: Annotated[float, RATE] = 0.05

    family: ClassVar[str] = "own_width"
    title: ClassVar[str] = "Own width"

    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """The entries."""
        return np.asarray(np.exp(-self.rate * np.multiply.outer(np.abs(positions), columns + 1.0)))


@dataclass(frozen=True)
class RotatesAsRope(Rotary):
    """RoPE that names RoPE itself as its rotation."""

    head_dim: int = 64

    family: ClassVar[str] = "rotates_as_rope"
    title: ClassVar[str] = "Rotates as RoPE"

    @property
    def rotation(self) -> Rotary:  # type: ignore[override]
        """The encoding itself."""
        return self


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (WiderRotary, [*(field.name for field in Rotary.FIELDS), "rate"]),
        (OwnWidth, [D_MODEL.name, "rate"]),
        (RotatesAsRope, [field.name for field in Rotary.FIELDS]),
    ],
)
def test_a_new_default_keeps_the_field_of_the_base_class(kind: type[Encoding], names: list[str]) -> None:
    assert [field.name for field in kind.FIELDS] == names
    check_family(kind)


def test_a_plug_in_may_return_rope_itself_as_its_rotation() -> None:
    assert largest_entry(RotatesAsRope(), Setting(16, 3, 16)) == 1.0
