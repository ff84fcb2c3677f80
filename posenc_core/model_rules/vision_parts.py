"""RoPE on several axes as the vision parts of models use it, by facts of the model classes.

Source: transformers 5.23.0, the class named in ``facts.json`` of each ``model_type``: frequencies, the order of the
axes and the columns were compared with the running class.
"""

import math

from posenc_core.encodings import RopeAxes
from posenc_core.fields import made_from_accepted, shortened
from posenc_core.model_rules.facts import Values
from posenc_core.model_rules.rope_parameters import ALL_LAYERS, parameters_of
from posenc_core.model_rules.widths import head_width

_SHARED = frozenset({
    "cohere_compass_vision", "dots3_note_vision_encoder", "ernie4_5_vl_moe_vision", "exaone4_5_vision",
    "glm4v_moe_vision", "glm4v_vision", "glm5_next_vision", "glm_ocr_vision", "mlcd_vision_model",
    "muse_glimmer_vision", "muse_spark_vision", "paddleocr_vl_vision", "qwen2_5_omni_vision_encoder",
    "qwen2_5_vl_vision", "qwen2_vl_vision", "qwen3_5_moe_vision", "qwen3_5_vision", "qwen3_omni_moe_vision_encoder",
    "qwen3_vl_moe_vision", "qwen3_vl_vision", "qwen4_exp_vision", "sam3_vit_model", "video_llama_3_vision",
})  # fmt: skip
"""The model types whose heads have a block of rows and a block of columns with the same frequencies."""

_RULES = {
    **dict.fromkeys(_SHARED, ("shared", "h,w")),
    "step3p5_vision": ("shared", "w,h"),
    "inkling2_vision": ("shared", "w,h"),
    "pixtral": ("even_odd", "h,w"),
    "dinov3_vit": ("normalised", "h,w"),
}
"""The rule and the order of the axes by model type."""

_SIDE = 16
"""Patches along each side of a picture whose size the configuration does not give."""


def picture_axes(values: Values) -> RopeAxes | None:
    """The encoding of a vision part, None for a model type whose rule is not known.

    The grid is that of a picture of ``image_size``. ValueError with one sentence for a configuration without the width
    of a head, and for a base out of bounds.
    """
    if values.model_type not in _RULES:
        return None
    width = _width(values)
    if width is None:
        raise ValueError(f"this config does not give the width of a head of model_type {values.shown_type}")
    rule, axes = _RULES[values.model_type]
    theta = parameters_of(values, ALL_LAYERS).rope_theta
    if isinstance(theta, bool) or not isinstance(theta, int | float) or not math.isfinite(theta) or theta <= 0:
        raise ValueError(f"rope_theta must be a finite number > 0, got {shortened(theta)}")
    side = _side(values)
    required = {"head_dim": width, "rope_theta": float(theta), "rule": rule, "axes": axes, "grid": f"{side}x{side}"}
    return made_from_accepted(RopeAxes.from_parameters, required, {"pairing": values.facts.layout})


def _width(values: Values) -> int | None:
    """The columns of a head; Qwen2-VL's vision part has its width in ``embed_dim``."""
    width, heads = values.find("embed_dim"), values.find("num_heads")
    if values.model_type == "qwen2_vl_vision" and type(width) is int and type(heads) is int and heads > 0:
        return width // heads
    return head_width(values)


def _side(values: Values) -> int:
    """The patches along a side of a picture of the configured size."""
    picture, patch = values.find("image_size"), values.find("patch_size")
    if type(picture) is int and type(patch) is int and 1 <= patch <= picture <= 1000 * patch:
        return picture // patch
    return _SIDE
