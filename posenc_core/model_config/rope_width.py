"""How wide the rotated head of a ``config.json`` is, and which of its columns turn together."""

from collections.abc import Mapping
from typing import Any

from posenc_core.fields import IntegerField
from posenc_core.model_config.rope_form import RopeForm
from posenc_core.rope_scaling import HEAD_DIM

_INTERLEAVED_MODELS = {"gptj", "codegen", "roformer", "cohere", "cohere2"}
"""Models whose code turns columns 2i and 2i + 1."""

_GEMMA4_WIDTHS = {"full_attention": 512, "sliding_attention": 256}


def head_width(form: RopeForm, layer_type: str | None) -> int:
    """Number of columns of a head that rotation counts from; ValueError where the config does not tell."""
    config = form.config
    if config.get("global_head_dim") is not None and _is_full(form, layer_type):
        return _whole(config, "global_head_dim")
    for key in ("qk_rope_head_dim", "head_dim"):
        if config.get(key) is not None:
            return _whole(config, key)
    for width_key, heads_key in (("hidden_size", "num_attention_heads"), ("n_embd", "n_head")):
        if config.get(width_key) is not None and config.get(heads_key) is not None:
            width, heads = _whole(config, width_key, 2**31), _whole(config, heads_key, 2**31)
            if width % heads:
                raise ValueError(f"{width_key} ({width}) must be a multiple of {heads_key} ({heads})")
            return HEAD_DIM.check(width // heads)
    if _has_proportional(config):
        width = _GEMMA4_WIDTHS["full_attention" if _is_full(form, layer_type) else "sliding_attention"]
        form.notes.append(f"the config gives no head_dim: {width} is taken, the default of Gemma 4")
        return width
    raise ValueError(
        "the width of a head is unknown: this config has neither head_dim nor hidden_size and num_attention_heads"
    )


def is_interleaved(form: RopeForm) -> bool:
    """Whether columns 2i and 2i + 1 turn together."""
    config = form.config
    if config.get("qk_rope_head_dim") is not None and config.get("rope_interleave", True) is not False:
        form.notes.append(
            "DeepSeek's pairs are columns 2i and 2i + 1; transformers returns them rotated, but in halves"
        )
        return True
    gpt_j = config.get("rotary") is True and config.get("rotary_dim") is not None
    return gpt_j or any(config.get("model_type") == model for model in _INTERLEAVED_MODELS)


def _is_full(form: RopeForm, layer_type: str | None) -> bool:
    """Whether the parameters are those of the layers with full attention."""
    return form.rope_type == "proportional" or layer_type == "full_attention"


def _has_proportional(config: Mapping[str, Any]) -> bool:
    parameters = config.get("rope_parameters")
    layers = parameters.values() if isinstance(parameters, Mapping) else ()
    return any(isinstance(each, Mapping) and each.get("rope_type") == "proportional" for each in layers)


def _whole(config: Mapping[str, Any], key: str, maximum: int = HEAD_DIM.maximum) -> int:
    """The integer >= 1 under the key; TypeError or ValueError with a sentence that names it."""
    return IntegerField(name=key, label="", help="", default=1, minimum=1, maximum=maximum).check(config[key])
