"""The parameter that holds a scaling, or none, and all scalings by name."""

import re
from collections.abc import Mapping
from typing import Any

from posenc_core.fields import ChoiceField, Field, PartField, Registry, shortened
from posenc_core.rope_scaling.base import RopeScaling
from posenc_core.rope_scaling.by_parts import Llama3, NtkByParts
from posenc_core.rope_scaling.listed import FrequencyDivisors
from posenc_core.rope_scaling.longrope import LongRope
from posenc_core.rope_scaling.ntk import DynamicNtk, NtkAware
from posenc_core.rope_scaling.proportional import Proportional
from posenc_core.rope_scaling.served import LeRope, ServedNtk, ThetaScale, YarnLog
from posenc_core.rope_scaling.uniform import FrequencyScale, Linear
from posenc_core.rope_scaling.yarn import Yarn

SCALINGS: Registry[RopeScaling] = Registry(
    lambda kind: kind.rope_type,
    (
        FrequencyScale,
        Linear,
        NtkAware,
        DynamicNtk,
        NtkByParts,
        Yarn,
        Llama3,
        LongRope,
        FrequencyDivisors,
        Proportional,
        ServedNtk,
        YarnLog,
        ThetaScale,
        LeRope,
    ),
)
"""The scalings by name, in the order to offer them; ``register`` adds one."""

_NONE = "none"


def _titled(name: str) -> str:
    """The name of a scaling with its title, unless that is the same word: ``linear (position interpolation)``."""
    title = SCALINGS[name].title
    same = re.sub("[^a-z0-9]", "", title.lower()) == name.replace("_", "")
    return name if same else f"{name} ({title[:1].lower() if title[1:2].islower() else title[:1]}{title[1:]})"


class ScalingField(PartField, frozen=True, kw_only=True):
    """A scaling, or None for unscaled frequencies."""

    @property
    def choice(self) -> ChoiceField:
        """No scaling, or one by its rope_type."""
        return ChoiceField(
            name=self.name,
            label=self.label,
            help=self.help,
            default=_NONE,
            synonyms=self.synonyms,
            choices=((_NONE, "as trained"), *((name, kind.title) for name, kind in SCALINGS.items())),
            titles=("none (as trained)", *map(_titled, SCALINGS)),
        )

    def fields_of(self, choice: str) -> tuple[Field, ...]:
        """The parameters of the scaling of that name."""
        return () if choice == _NONE else SCALINGS[choice].FIELDS

    def make_part(self, choice: str, parameters: Mapping[str, Any]) -> RopeScaling | None:
        """The scaling of that name."""
        return None if choice == _NONE else SCALINGS[choice](**parameters)

    def flat(self, value: RopeScaling | None) -> dict[str, Any]:
        """The scaling's name and parameters."""
        return {self.name: _NONE} if value is None else {self.name: value.rope_type, **value.parameters()}

    @property
    def allowed(self) -> str:
        """The scalings by the names of their classes."""
        return f"None or one of {', '.join(scaling.__name__ for scaling in SCALINGS.values())}"

    def check(self, value: Any, got: str | None = None) -> RopeScaling | None:
        """The value; TypeError unless it is a scaling or None."""
        if value is None or isinstance(value, RopeScaling):
            return value
        quoted = f"{got or shortened(value)} ({type(value).__name__})"
        raise TypeError(f"{self.display_name} must be {self.allowed}, got {quoted}")


SCALING = ScalingField(
    name="scaling",
    label="&scaling",
    help="How the frequencies are scaled for a longer context than the model was trained on.",
    default=None,
    synonyms="rope_scaling, rope_parameters",
)
