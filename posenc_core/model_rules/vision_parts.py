"""RoPE on several axes in vision parts and vision-language models, by facts of the model classes.

Source: transformers 5.23.0, the class named in ``facts.json`` of each ``model_type``: frequencies, the order of the
axes and the columns were compared with the running class.
"""

import math
from dataclasses import replace
from typing import Any

from posenc_core.encodings import RopeAxes, Rotary
from posenc_core.fields import made_from_accepted, shortened
from posenc_core.model_rules.facts import Values
from posenc_core.model_rules.layer_lists import integer
from posenc_core.model_rules.rope_parameters import ALL_LAYERS, labels, parameters_of
from posenc_core.model_rules.rope_types import refusal_notes
from posenc_core.model_rules.widths import head_width

_SHARED = frozenset({
    "cohere_compass_vision", "dots3_note_vision_encoder", "ernie4_5_vl_moe_vision", "exaone4_5_vision",
    "glm4v_moe_vision", "glm4v_vision", "glm5_next_vision", "glm_ocr_vision", "lfm3_vl_vision", "mlcd",
    "mlcd_vision_model",
    "muse_glimmer_vision", "muse_spark_vision", "paddleocr_vl_vision", "qwen2_5_omni_vision_encoder",
    "qwen2_5_vl_vision", "qwen2_vl_vision", "qwen3_5_moe_vision", "qwen3_5_vision", "qwen3_omni_moe_vision_encoder",
    "qwen3_vl_moe_vision", "qwen3_vl_vision", "qwen4_exp_vision", "sam3_vit_model", "video_llama_3_vision",
})  # fmt: skip
"""The model types whose heads have a block of rows and a block of columns with the same frequencies."""

_RULES = {
    **dict.fromkeys(_SHARED, ("shared", "h,w")),
    "step3p5_vision": ("shared", "w,h"),
    "inkling2_vision": ("shared", "w,h"),
    "llama4_vision_model": ("shared", "w,h"),
    "pixtral": ("even_odd", "h,w"),
    "kimi_k25_vision": ("shared_in_turns", "w,h"),
    "gemma4_vision": ("shared", "h,w"),
    "minimax_m3_vl_vision": ("shared", "t,h,w"),
    **dict.fromkeys(("dinov3_vit", "eomt_dinov3", "sapiens2"), ("normalised", "h,w")),
}
"""The rule and the order of the axes by model type."""

_MADE = {
    "CogVideoXTransformer3DModel": ("13x30x45", "scaled"),
    "Flux2Transformer2DModel": ("64x64", "index"),
    "FluxTransformer2DModel": ("64x64", "index"),
    "HunyuanVideoTransformer3DModel": ("33x34x60", "index"),
    "QwenImageTransformer2DModel": ("64x64", "centred"),
    "WanTransformer3DModel": ("21x30x52", "index"),
}
"""The grid of a usual picture or video and the coordinates, by class. Source: diffusers 0.42.1."""

_NOTES = {
    "gemma4_vision": (
        "the model pairs columns within each axis: those of height come first, in halves, then those of width",
    ),
    "llama4_vision_model": (
        "the model counts rows and columns from 1, and the vector of the whole picture does not turn",
    ),
}
"""Differences of a class from the columns that are shown, by model type."""

_TEXT: dict[str, tuple[str, tuple[int, ...]]] = {
    **dict.fromkeys(
        ("qwen2_vl_text", "qwen2_5_vl_text", "qwen2_5_omni_text", "qwen2_5_omni_talker", "paddleocr_vl_text"),
        ("sections", (16, 24, 24)),
    ),
    **dict.fromkeys(("glm4v_text", "glm4v_moe_text", "glm_image_text", "glm_ocr_text"), ("sections", (8, 12, 12))),
    **dict.fromkeys(
        ("qwen3_vl_text", "qwen3_vl_moe_text", "qwen3_omni_moe_text", "cosmos3_edge_text"),
        ("interleaved_sections", (24, 20, 20)),
    ),
    **dict.fromkeys(("qwen3_5_text", "qwen3_5_moe_text", "qwen4_exp_text"), ("interleaved_sections", (11, 11, 10))),
    "ernie4_5_vl_moe_text": ("ernie_3d", (22, 22, 20)),
}
"""The rule of a language model on time, height and width, and the sections of its class, by model type."""

_TABLE_SIDES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("glm4v_vision", "glm4v_moe_vision", "paddleocr_vl_vision", "step3p5_vision"),
                    ("image_size", "patch_size")),
    **dict.fromkeys(("muse_glimmer_vision", "muse_spark_vision"), ("pos_emb_height",)),
    "kimi_k25_vision": ("pos_emb_height init_pos_emb_height",),
    "inkling2_vision": ("posemb_grid_size",),
    "sam3_vit_model": ("pretrain_image_size", "patch_size"),
}  # fmt: skip
"""The keys of the side of a learned table beside the rotation: in patches, or in pixels and those of a patch."""

_OF_ROWS = frozenset({
    "cohere_compass_vision", "qwen3_5_moe_vision", "qwen3_5_vision", "qwen3_omni_moe_vision_encoder",
    "qwen3_vl_moe_vision", "qwen3_vl_vision", "qwen4_exp_vision",
})  # fmt: skip
"""The types with a learned table of ``num_position_embeddings`` rows, which a file may omit."""

_TABLES = {
    "gemma4_vision": "learned tables of rows and of columns are added as well",
    "llama4_vision_model": "a learned table of positions is added as well",
}
"""Vectors added beside the rotation, for types whose table is not fitted to the picture."""

_SIDE = 16
"""Patches along each side of a picture without a size in the configuration."""


def _made_pictures(values: Values) -> RopeAxes | None:
    """The encoding of a diffusers transformer that generates pictures or videos; None for another model.

    Without widths of axes it is Wan's default division; in CogVideoX a quarter of the columns belongs to time.
    """
    if values.model_type not in _MADE:
        return None
    grid, coordinate = _MADE[values.model_type]
    width, widths = integer(values, "attention_head_dim"), values.find("axes_dims_rope", "rope_axes_dim")
    parameters: dict[str, Any] = {"head_dim": width, "rope_theta": values.find("rope_theta") or 10000.0}
    if coordinate == "scaled":
        if values.find("use_rotary_positional_embeddings") is not True:
            return None
        patch, widths = integer(values, "patch_size"), (width // 4, width // 8 * 3, width // 8 * 3)
        sides = (integer(values, f"sample_{side}") // patch for side in ("height", "width"))
        parameters |= dict(zip(("base_height", "base_width"), sides, strict=True))
    parameters |= {
        "axes": "t,h,w,l" if isinstance(widths, list) and len(widths) == 4 else "t,h,w", "axis_widths": widths,
        "pairing": values.facts.layout, "coordinate": coordinate, "grid": grid,
    }  # fmt: skip
    try:
        return RopeAxes(**parameters)
    except TypeError as error:
        raise ValueError(str(error)[:120]) from None


def picture_axes(values: Values) -> RopeAxes | None:
    """The encoding of a vision part, None for a model type whose rule is not known.

    The grid is for a picture of ``image_size``. ValueError with one sentence for a configuration without the width
    of a head, and for a base out of bounds.
    """
    if values.model_type not in _RULES:
        return _made_pictures(values)
    width = _width(values)
    if width is None:
        raise ValueError(f"this config has no width of a head of model_type {values.shown_type}")
    rule, axes = _RULES[values.model_type]
    rope = parameters_of(values, ALL_LAYERS)
    theta = rope.rope_theta
    if isinstance(theta, bool) or not isinstance(theta, int | float) or not math.isfinite(theta) or theta <= 0:
        raise ValueError(f"rope_theta must be a finite number > 0, got {shortened(theta)}")
    (rows, columns), with_time = _sides(values), axes == "t,h,w"
    required = {
        "head_dim": width, "rope_theta": float(theta), "rule": rule, "axes": axes, "grid": f"{rows}x{columns}",
        "rotary_dim": 6 * (width // 6) if with_time and width % 6 else None,
    }  # fmt: skip
    made = made_from_accepted(RopeAxes.from_parameters, required, {"pairing": values.facts.layout})
    several = rule == "normalised" or rope.rope_type == "default"  # which other classes call axial
    refused = refusal_notes(rope, None if several else "axial")
    return replace(made, notes=(*_NOTES.get(values.model_type, ()), *refused))


def seeing_axes(values: Values, rotary: Rotary) -> RopeAxes | None:
    """The encoding of a language model whose pairs turn by time, height and width in pictures, with the text's grid.

    ``rotary`` is the rotation of its texts. None for another model, and for sections that the class would not accept.
    """
    rule, sections = _TEXT.get(values.model_type, ("", ()))
    if not rule or rotary.first_column or rotary.direction < 0:
        return None
    if ALL_LAYERS not in labels(values):  # parameters by layer type have no sections
        return None
    given = parameters_of(values, ALL_LAYERS).find("mrope_section") or sections
    if rule == "interleaved_sections" and sum(given) < rotary.pairs.n_pairs:  # the pairs after the turns belong to time
        given = (rotary.pairs.n_pairs - given[1] - given[2], *given[1:])
    in_turns = rule != "ernie_3d" or given[0] - given[1] in (0, 1)
    if len(given) != 3 or sum(given) != rotary.pairs.n_pairs or not in_turns:
        return None
    part = None if rotary.n_columns == rotary.head_dim else rotary.n_columns
    return RopeAxes(
        rotary.head_dim, rotary.rope_theta, rule, "t,h,w", rotary.pairing, sections=tuple(given), rotary_dim=part,
        scaling=rotary.scaling, notes=rotary.notes,
    )  # fmt: skip


def table_beside(values: Values) -> str:
    """The sentence on a learned table beside the rotation of a vision part; empty without such a table."""
    if values.model_type in _TABLES:
        return _TABLES[values.model_type]
    rows = values.find("num_position_embeddings")
    side = math.isqrt(rows) if type(rows) is int and 0 < rows < 2**53 else 0
    keys = _TABLE_SIDES.get(values.model_type)
    side = side if side * side == rows else 0
    if keys is None and not side and values.model_type not in _OF_ROWS:
        return ""
    if keys is not None:
        given = [values.find(*key.split()) for key in keys]
        side = given[0] // (*given, 1)[1] if all(type(each) is int and 0 < each < 2**53 for each in given) else 0
    size = f"{side} x {side} positions" if side else "positions"
    fitted = "repeated" if values.model_type == "sam3_vit_model" else "interpolated"
    frame = ", and sinusoids of the frame" if values.model_type == "kimi_k25_vision" else ""
    return f"a learned table of {size}, {fitted} to the picture's size, is added as well{frame}"


def _width(values: Values) -> int | None:
    """The columns of a head; Qwen2-VL's vision part has its width in ``embed_dim``.

    ``num_attention_heads`` is another name of ``num_heads`` in its class.
    """
    width, heads = values.find("embed_dim"), values.find("num_attention_heads", "num_heads")
    own = values.model_type == "qwen2_vl_vision" and not values.has("head_dim")
    if own and type(width) is int and type(heads) is int and heads > 0:
        return width // heads
    return head_width(values)


def _sides(values: Values) -> tuple[int, int]:
    """The patches along the height and the width of a picture of the configured size."""
    (height, width), (tall, wide) = (_pixels(values.find(key)) for key in ("image_size", "patch_size"))
    if all(1 <= patch <= picture <= 1000 * patch for picture, patch in ((height, tall), (width, wide))):
        return height // tall, width // wide
    return _SIDE, _SIDE


def _pixels(given: Any) -> tuple[int, int]:
    """A height and a width, which a file has as one number or as two; zeros for anything else."""
    both = given if isinstance(given, list | tuple) else (given, given)
    return (both[0], both[1]) if len(both) == 2 and all(type(each) is int for each in both) else (0, 0)
