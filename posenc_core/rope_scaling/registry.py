"""The parameter whose value is a scaling or none, and all scalings by name."""

import re
from functools import lru_cache
from importlib import import_module
from typing import Any

from posenc_core.fields import NO_PART, ChoiceField, FactorsField, Later, PartField, Registry, shortened
from posenc_core.rope_scaling.base import RopeScaling


def _later(name: str, title: str, home: str, kind: str) -> Later[type[RopeScaling]]:
    """The scaling in the module ``home``; the other words are those of its class."""
    return Later(name, title, lambda: getattr(import_module(f"posenc_core.rope_scaling.{home}"), kind))


SCALINGS: Registry[RopeScaling] = Registry(
    lambda kind: kind.rope_type,
    (
        _later("freq_scale", "Frequency scale", "uniform", "FrequencyScale"),
        _later("linear", "Position interpolation", "uniform", "Linear"),
        _later("ntk", "NTK-aware", "ntk", "NtkAware"),
        _later("dynamic", "Dynamic NTK", "ntk", "DynamicNtk"),
        _later("ntk_by_parts", "NTK-by-parts", "by_parts", "NtkByParts"),
        _later("yarn", "YaRN", "yarn", "Yarn"),
        _later("llama3", "Llama 3", "by_parts", "Llama3"),
        _later("longrope", "LongRoPE", "longrope", "LongRope"),
        _later("listed", "Listed divisors", "listed", "FrequencyDivisors"),
        _later("proportional", "Proportional (p-RoPE)", "proportional", "Proportional"),
        _later("vllm_ntk", "NTK of vLLM", "served", "ServedNtk"),
        _later("yarn_log", "YaRN of logarithms", "served", "YarnLog"),
        _later("theta_scale", "Scaled base", "served", "ThetaScale"),
        _later("lerope", "LeRoPE", "served", "LeRope"),
    ),
)
"""The scalings by name, in the order to offer them; ``register`` adds one."""


def _titled(name: str, title: str) -> str:
    """The name of a scaling with its title, unless that is the same word: ``linear (position interpolation)``."""
    same = re.sub("[^a-z0-9]", "", title.lower()) == name.replace("_", "")
    return name if same else f"{name} ({title[:1].lower() if title[1:2].islower() else title[:1]}{title[1:]})"


@lru_cache(maxsize=8)
def _choice(field: "ScalingField", titles: tuple[tuple[str, str], ...]) -> ChoiceField:
    return ChoiceField(
        name=field.name,
        label=field.label,
        help=field.help,
        default=NO_PART,
        synonyms=field.synonyms,
        choices=((NO_PART, "as trained"), *titles),
        titles=("none (as trained)", *(_titled(name, title) for name, title in titles)),
    )


class ScalingField(PartField, frozen=True, kw_only=True):
    """A scaling, or None for unscaled frequencies."""

    @property
    def choice(self) -> ChoiceField:
        """No scaling, or one by its rope_type."""
        return _choice(self, tuple(SCALINGS.titles))

    def kind_named(self, name: str) -> type[RopeScaling]:
        """The scaling of that name."""
        kind: type[RopeScaling] = SCALINGS[name]
        return kind

    def flat(self, value: RopeScaling | None) -> dict[str, Any]:
        """The scaling's name and parameters."""
        return {self.name: NO_PART} if value is None else {self.name: value.rope_type, **value.parameters()}

    def chosen(self, value: RopeScaling | None, name: str, n_pairs: int) -> RopeScaling | None:
        """The scaling of that name with the parameters that it can keep; lists of divisors start with 1 per pair."""
        lists = (each.name for each in self.fields_of(self.choice.check(name)) if isinstance(each, FactorsField))
        ones = dict.fromkeys(lists, (1.0,) * n_pairs)
        scaling: RopeScaling | None = self.edited_in({**self.flat(value), **ones}, self.name, name)
        return scaling

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
    help="Scaling of the frequencies for a context longer than in training.",
    default=None,
    synonyms="rope_scaling, rope_parameters",
)
