"""A rotary encoding as settings of programs that run models, each with notes on its limits.

Sources: transformers 5.23.0, ``modeling_rope_utils`` (``rope_parameters``; ``rope_scaling`` before version 5);
llama.cpp, common/arg.cpp; vLLM, ``--hf-overrides``.
"""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from posenc_core.encodings import Rotation
from posenc_core.rope_scaling import (
    DynamicNtk,
    FrequencyDivisors,
    FrequencyScale,
    Linear,
    LongRope,
    NtkByParts,
    Proportional,
    RopeScaling,
    Yarn,
)

_LAYOUT = "the pair layout and the head width are not among these settings: the model's class has them"
_PLACE = "the direction of the rotation and the place of the rotated columns are not among these settings"
_DISTANCES = "the changed distances are not among these settings"
_SHARE = "many classes of transformers, Llama's among them, ignore partial_rotary_factor in rope_type 'default'"
_LONGEST = "max_position_embeddings counts as well, beside these settings"
_SOFTMAX = "the factor of the softmax scale is not among these settings"

_OF_TRANSFORMERS = ("linear", "yarn", "llama3", "proportional")
"""The types of transformers that have the parameters of this program's scalings."""


class WrittenBack(Struct, frozen=True):
    """The settings as text, empty if they cannot express it, and sentences on their limits."""

    text: str
    limits: tuple[str, ...]


def written_back(rotation: Rotation, form: str) -> WrittenBack:
    """The encoding in one of ``FORMS``; KeyError for another form.

    ``rope_parameters`` and ``rope_scaling`` are JSON objects for a config.json, the former of version 5 of
    transformers, the latter of earlier versions; ``llama.cpp`` and ``vllm`` are options of a command line.
    """
    return FORMS[form](rotation)


def _new_form(rotation: Rotation) -> WrittenBack:
    parameters, limits = _parameters(rotation)
    return WrittenBack(json.dumps({"rope_parameters": parameters}, indent=2), limits)


def _old_form(rotation: Rotation) -> WrittenBack:
    parameters, limits = _parameters(rotation)
    plain: dict[str, Any] = {"rope_theta": parameters.pop("rope_theta")}
    if "partial_rotary_factor" in parameters:
        plain["partial_rotary_factor"] = parameters.pop("partial_rotary_factor")
    scaled = parameters["rope_type"] != "default"
    return WrittenBack(json.dumps({**plain, "rope_scaling": parameters if scaled else None}, indent=2), limits)


def _vllm(rotation: Rotation) -> WrittenBack:
    parameters, limits = _parameters(rotation)
    override = json.dumps({"rope_parameters": parameters})
    return WrittenBack(f"--hf-overrides '{override}'", (*limits, "vLLM before 0.12 reads rope_scaling instead"))


def _parameters(rotation: Rotation) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The encoding as ``rope_parameters``."""
    scaling = rotation.scaling
    theta, named, limits = _named(rotation, scaling)
    parameters: dict[str, Any] = {"rope_type": "default", "rope_theta": theta, **named}
    if rotation.n_columns != rotation.head_dim and not isinstance(scaling, Proportional):
        share = rotation.n_columns / rotation.head_dim
        if int(rotation.head_dim * share) < rotation.n_columns:  # as classes round the columns, down
            share = math.nextafter(share, 1.0)
        parameters["partial_rotary_factor"] = share
        limits = (_SHARE, *limits) if parameters["rope_type"] == "default" else limits
    placed = (_PLACE,) if rotation.direction != 1 or rotation.first_column else ()
    changed = (_DISTANCES,) if rotation.distance_rule is not None else ()
    return parameters, (_LAYOUT, *placed, *changed, *limits)


def _named(rotation: Rotation, scaling: RopeScaling | None) -> tuple[float, dict[str, Any], tuple[str, ...]]:
    """The base, the keys of the scaling, and sentences on their limits."""
    theta = rotation.rope_theta
    match scaling:
        case None:
            return theta, {}, ()
        case FrequencyScale():
            named = {"rope_type": "linear", "factor": 1 / scaling.freq_scale}
            return theta, named, ("freq_scale is written as its inverse, a linear factor",)
        case NtkByParts():
            names = {"low_freq_factor": scaling.alpha, "high_freq_factor": scaling.beta}
            length = {"original_max_position_embeddings": scaling.original_max_position_embeddings}
            named = {"rope_type": "llama3", "factor": scaling.factor, **names, **length}
            return theta, named, ("NTK-by-parts is written as llama3, which is the same rule with other names",)
        case FrequencyDivisors():
            return theta, *_as_lists(scaling, scaling.divisors)
        case LongRope():
            limit = "the list in use depends on the length of the sequence"
            return theta, _given(scaling, "max_position_embeddings", "seq_len"), (_LONGEST, limit)
        case DynamicNtk():
            named = {"rope_type": "dynamic", "factor": scaling.factor}
            told = f"max_position_embeddings must be {scaling.original_max_position_embeddings}"
            return theta, named, (f"{told}, and the frequencies depend on the length of the sequence",)
    if scaling.rope_type in _OF_TRANSFORMERS:
        return theta, _given(scaling), ()
    if scaling.has_base:
        return scaling.base(rotation.n_columns, theta), {}, (_base_told(scaling),)
    return theta, *_as_lists(scaling, rotation.pairs.slowdowns.tolist())


def _as_lists(scaling: RopeScaling, divisors: Sequence[float]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """LongRoPE with two equal lists, which express any divisors, and sentences on their limits."""
    lists = {name: list(divisors) for name in ("short_factor", "long_factor")}
    named = {"rope_type": "longrope", **lists, "attention_factor": scaling.amplitude}
    named["original_max_position_embeddings"] = 4096
    told = f"{scaling.title}: the divisors are written as longrope with equal lists; its original length has no effect"
    return named, (told,) if scaling.softmax_scale_factor == 1 else (told, _SOFTMAX)


def _base_told(scaling: RopeScaling) -> str:
    return f"{scaling.title}: the scaling is written as the resulting base"


def _given(scaling: RopeScaling, *left_out: str) -> dict[str, Any]:
    """The scaling's own parameters that are not None, lists in the place of tuples."""
    flat = {name: value for name, value in scaling.parameters().items() if name not in left_out and value is not None}
    lists = {name: list(value) if isinstance(value, tuple) else value for name, value in flat.items()}
    return {"rope_type": scaling.rope_type, **lists}


def _llama_cpp(rotation: Rotation) -> WrittenBack:
    """Options of llama.cpp's programs; the pair layout and the number of rotated columns are in its file."""
    limits: tuple[str, ...] = ("the pair layout, the rotated columns and rope_freqs.weight come from the GGUF file",)
    theta, scaling = rotation.rope_theta, rotation.scaling
    words: tuple[str, ...] = ("--rope-scaling none",)
    match scaling:
        case None:
            pass
        case Linear():
            words = ("--rope-scaling linear", f"--rope-scale {scaling.factor!r}")
        case FrequencyScale():
            words = ("--rope-scaling linear", f"--rope-freq-scale {scaling.freq_scale!r}")
        case Yarn() if _has_options(scaling):
            words = _yarn_words(scaling)
        case _ if scaling.has_base and not scaling.grows_with_length:
            theta = scaling.base(rotation.n_columns, theta)
            limits += (_base_told(scaling),)
        case _:
            return WrittenBack("", (f"llama.cpp has no option for {scaling.title}: the GGUF file must contain it",))
    return WrittenBack(" ".join((*words, f"--rope-freq-base {theta!r}")), limits)


def _has_options(scaling: Yarn) -> bool:
    """Whether llama.cpp's options express it: no other rule that derives from YaRN, no mscale, and a rounded ramp."""
    is_plain = scaling.rope_type == Yarn.rope_type and scaling.truncate
    return is_plain and scaling.mscale is None and not scaling.mscale_all_dim


def _yarn_words(scaling: Yarn) -> tuple[str, ...]:
    """YaRN's options; llama.cpp multiplies its attention factor by 0.1 ln(factor) + 1 itself."""
    extra = scaling.amplitude / (0.1 * math.log(scaling.factor) + 1)
    return (
        "--rope-scaling yarn",
        f"--rope-scale {scaling.factor!r}",
        f"--yarn-orig-ctx {scaling.original_max_position_embeddings}",
        f"--yarn-beta-fast {scaling.beta_fast!r}",
        f"--yarn-beta-slow {scaling.beta_slow!r}",
        "--yarn-ext-factor 1.0",
        f"--yarn-attn-factor {extra!r}",
    )


FORMS: dict[str, Callable[[Rotation], WrittenBack]] = {
    "rope_parameters": _new_form,
    "rope_scaling": _old_form,
    "llama.cpp": _llama_cpp,
    "vllm": _vllm,
}
"""By name, the function that writes an encoding in a form."""
