"""Factors of queries that grow with the position, to keep attention over many keys as sharp as over few."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from posenc_core.fields import Field, FiniteField, FloorField, check_positions, shortened
from posenc_core.numerics import FloatArray
from posenc_core.rope_scaling.fields import ORIGINAL_LENGTH, ORIGINAL_LENGTH_FROM_2

Parameters = Mapping[str, Any]


def _strength(name: str, default: float = 0.1) -> FloorField:
    help_ = "Growth of the factor; 0 for a constant factor."
    return FloorField(name=name, label=name, help=help_, default=default, floor=0.0, slider=(0.0, 1.0))


def _reach(name: str, default: float) -> FloorField:
    help_ = "Number of positions up to which the factor grows little."
    return FloorField(
        name=name, label=name, help=help_, default=default, floor=1.0, slider=(1.0, 1e6), logarithmic=True,
        unit="positions",
    )  # fmt: skip


_BIAS = FiniteField(name="bias", label="bias", help="The factor of the first token.", default=0.0, slider=(-2.0, 2.0))


class _Rule(Struct, frozen=True):
    """The parameters of a rule, the factor of the positions, and its formula with ``{parameter}`` in braces.

    ``needed`` are the parameters without a default in any model. ``who`` names the models, ``growth`` the parameter
    without which nothing grows.
    """

    who: str
    formula: str
    fields: tuple[Field, ...]
    growth: str
    factors: Callable[[FloatArray, Parameters], FloatArray]
    needed: tuple[str, ...] = ()


_RULES = {
    "llama4": _Rule(
        "Llama 4",
        "1 + {attn_scale} ln(1 + floor((p + 1)/{floor_scale}))",
        (_strength("attn_scale"), _reach("floor_scale", 8192.0)),
        "attn_scale",
        lambda p, given: 1 + given["attn_scale"] * np.log1p((p + 1) // given["floor_scale"]),
    ),
    "ministral3": _Rule(
        "Ministral 3",
        "1 + {llama_4_scaling_beta} ln(1 + floor(p/{original_max_position_embeddings}))",
        (_strength("llama_4_scaling_beta"), ORIGINAL_LENGTH),
        "llama_4_scaling_beta",
        lambda p, given: 1 + given["llama_4_scaling_beta"] * np.log1p(p // given[ORIGINAL_LENGTH.name]),
        needed=("original_max_position_embeddings",),
    ),
    "inkling": _Rule(
        "Inkling",
        "1 + {log_scaling_alpha} ln max((p + 1)/{log_scaling_n_floor}, 1)",
        (_strength("log_scaling_alpha"), _reach("log_scaling_n_floor", 128_000.0)),
        "log_scaling_alpha",
        lambda p, given: 1 + given["log_scaling_alpha"] * np.log(np.maximum((p + 1) / given["log_scaling_n_floor"], 1)),
    ),
    "beam": _Rule(
        "Beam",
        "((p + 1)/{scale} + 1)^{exponent}",
        (_reach("scale", 2048.0), _strength("exponent")),
        "exponent",
        lambda p, given: ((p + 1) / given["scale"] + 1) ** given["exponent"],
    ),
    "scalable softmax": _Rule(
        "scalable softmax, in one head",
        "{scale} ln(p + 1) + {bias}",
        (_strength("scale"), _BIAS),
        "scale",
        lambda p, given: given["scale"] * np.log1p(p) + given["bias"],
        needed=("scale",),
    ),
    "grok": _Rule(
        "Grok 2",
        "max(ln p/ln {attn_temperature_len}, 1)",
        (replace(ORIGINAL_LENGTH_FROM_2, name="attn_temperature_len", label="attn_temperature_len"),),
        "",
        lambda p, given: np.maximum(np.log(np.maximum(p, 1)) / math.log(given["attn_temperature_len"]), 1),
        needed=("attn_temperature_len",),
    ),
    "log-n": _Rule(
        "log-n attention",
        "max(ln(p + 1)/ln {trained_length}, 1)",
        (replace(ORIGINAL_LENGTH_FROM_2, name="trained_length", label="trained_length"),),
        "",
        lambda p, given: np.maximum(np.log1p(p) / math.log(given["trained_length"]), 1),
        needed=("trained_length",),
    ),
}

_SYNONYMS = {
    "mistral4": "ministral3",
    "scalable softmax, per head": "scalable softmax",
    "log-n beyond the trained length": "log-n",
}


@dataclass(frozen=True)
class QueryTemperature:
    """The factor of a query at position p, counted from 0, and so of all its scores. It changes no table.

    ``rule`` and its ``parameters``, all numbers without unit but for lengths in positions:

    - ``llama4``: ``1 + s ln(1 + floor((p + 1)/F))``, s = ``attn_scale`` >= 0, F = ``floor_scale`` >= 1.
    - ``ministral3``, also called ``mistral4``: ``1 + b ln(1 + floor(p/L))``, b = ``llama_4_scaling_beta`` >= 0,
      L = ``original_max_position_embeddings`` >= 1.
    - ``inkling``: ``1 + a ln max((p + 1)/N, 1)``, a = ``log_scaling_alpha`` >= 0, N = ``log_scaling_n_floor`` >= 1.
    - ``beam``: ``((p + 1)/scale + 1)^exponent``, ``scale`` >= 1, ``exponent`` >= 0.
    - ``scalable softmax``: ``scale ln(p + 1) + bias``, learned for each head; ``scale`` >= 0.
    - ``grok``: ``ln p/ln L`` beyond L = ``attn_temperature_len`` >= 2, else 1.
    - ``log-n``: ``ln(p + 1)/ln L`` beyond L = ``trained_length`` >= 2, else 1.

    An omitted parameter has the default of the model's own code; ValueError if there is none, and for wrong
    values; TypeError for a parameter that the rule does not have. Sources: transformers 5.23.0, ``modeling_llama4``
    (its layers without rotation), ``modeling_ministral3``, ``modeling_inkling``, ``modeling_beam``; Nakanishi 2025
    (Scalable-Softmax, arXiv 2501.19399); SGLang 0.5.23, ``decode_attention.py`` (``xai_temperature_len``); Qwen 1,
    ``use_logn_attn``.
    """

    rule: str
    parameters: Mapping[str, float] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        """Check rule and parameters, fill in defaults, and keep an immutable copy."""
        name = _SYNONYMS.get(str(self.rule), str(self.rule))
        if name not in _RULES:
            *first, last = _RULES
            raise ValueError(f"rule must be {', '.join(first)} or {last}, got {shortened(self.rule)}")
        rule = _RULES[name]
        known = [each.name for each in rule.fields]
        for other in self.parameters.keys() - set(known):
            raise TypeError(f"the rule {name!r} has no parameter {shortened(other)}, only {' and '.join(known)}")
        for needed in rule.needed:
            if needed not in self.parameters:
                raise ValueError(f"the rule {name!r} needs {needed!r}")
        checked = {each.name: each.check(each.from_parameters(self.parameters)) for each in rule.fields}
        object.__setattr__(self, "rule", name)
        object.__setattr__(self, "parameters", MappingProxyType(checked))

    def factors(self, positions: Any) -> FloatArray:
        """The factor of a query at each position, float64 ``(n_positions,)``.

        ``positions``: integers >= 0. TypeError for anything but integers, ValueError for a position below 0, and for a
        factor that is larger than any number.
        """
        checked = check_positions(positions)
        if len(checked) and checked.min() < 0:
            raise ValueError(f"positions must be >= 0, got {shortened(int(checked.min()))}")
        with np.errstate(over="ignore"):
            factors = _RULES[self.rule].factors(checked.astype(np.float64), self.parameters)
        if not np.isfinite(factors).all():
            farthest = int(checked[np.argmin(np.isfinite(factors))])
            raise ValueError(f"the factor of a query at position {farthest} is larger than any number")
        return factors

    @property
    def sentence(self) -> str:
        """The effect of the rule on a query, with its numbers."""
        rule, given = _RULES[self.rule], self.parameters
        written = {each.name: each.format(given[each.name]) for each in rule.fields}
        formula = rule.formula.format_map(written).replace(" + -", " - ").removesuffix(" + 0")
        sentence = f"a query at position p, counted from 0, is multiplied by {formula} ({rule.who})"
        if rule.growth and given[rule.growth] == 0:
            return f"{sentence}, the same at every position"
        if self.rule == "scalable softmax" and given["bias"] == 0:
            return f"{sentence}; at position 0 that is 0: a causal model has one key there, which has all attention"
        return sentence


def query_temperature(rule: str, positions: Any, **parameters: Any) -> FloatArray:
    """The factor of a query at each position, float64 ``(n_positions,)``.

    ``rule`` and ``parameters`` as in ``QueryTemperature``, ``positions`` and errors as in its ``factors``.
    """
    return QueryTemperature(rule, parameters).factors(positions)
