"""The parameter that holds a scaling: none, or one of the ways to stretch the context."""

from dataclasses import dataclass
from typing import Any, ClassVar

from posenc_core.fields import Field, shortened
from posenc_core.rope_scaling import SCALINGS
from posenc_core.scalings.base import RopeScaling


@dataclass(frozen=True, kw_only=True)
class ScalingField(Field):
    """A scaling, or None for the frequencies as they are."""

    kind: ClassVar[str] = "scaling"

    @property
    def allowed(self) -> str:
        """The scalings by the names of their classes."""
        return f"None or one of {', '.join(scaling.__name__ for scaling in SCALINGS.values())}"

    def check(self, value: Any, got: str | None = None) -> RopeScaling | None:
        """The value; TypeError for anything but a scaling or None."""
        if value is None or isinstance(value, RopeScaling):
            return value
        raise TypeError(f"{self.said} must be {self.allowed}, got {got or shortened(value)} ({type(value).__name__})")


SCALING = ScalingField(
    name="scaling",
    label="&scaling",
    help="How the frequencies are stretched for a longer context than the model was trained on.",
    default=None,
    synonyms="rope_scaling, rope_parameters",
)
