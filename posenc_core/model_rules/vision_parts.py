"""RoPE on several axes in vision parts and vision-language models, by facts of the model classes.

Source: transformers 5.23.0, the class named in ``facts.json`` of each ``model_type``: frequencies, the order of the
axes and the columns were compared with the running class.
"""

import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from posenc_core.encodings import RopeAxes, Rotary
from posenc_core.fields import made_from_accepted, shortened
from posenc_core.model_rules.facts import Values
from posenc_core.model_rules.layer_lists import integer
from posenc_core.model_rules.rotation.rope_parameters import ALL_LAYERS, labels, parameters_of
from posenc_core.model_rules.rotation.rope_types import refusal_notes
from posenc_core.model_rules.widths import head_width


class _Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A vision part: its rule, the order of its axes, and differences of the class from the columns that are shown.

    A learned table beside the rotation is described by ``table``, a sentence, if it is not fitted to the picture; by
    ``table_sides``, the keys of its side, in patches, or in pixels and those of a patch; or by ``has_rows``, for
    ``num_position_embeddings`` rows, which a file may omit.
    """

    rule: str
    axes: str
    notes: tuple[str, ...] = ()
    table: str = ""
    table_sides: tuple[str, ...] = ()
    has_rows: bool = False


class _Generator(Struct, frozen=True, forbid_unknown_fields=True):
    """The grid of a usual picture or video and the coordinates. Source: diffusers 0.42.1."""

    grid: str
    coordinate: str


class _Text(Struct, frozen=True, forbid_unknown_fields=True):
    """The rule of a language model on time, height and width, and the sections of its class."""

    rule: str
    sections: tuple[int, ...]


class VisionFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """The facts of ``vision.json`` by model type, or by class for models that generate pictures."""

    parts: dict[str, _Part]
    generators: dict[str, _Generator]
    texts: dict[str, _Text]


@cache
def vision_facts() -> VisionFacts:
    """The facts of all model types."""
    return msgspec.json.decode(Path(__file__).with_name("vision.json").read_bytes(), type=VisionFacts)


_SIDE = 16
"""Patches along each side of a picture without a size in the configuration."""


def _made_pictures(values: Values) -> RopeAxes | None:
    """The encoding of a diffusers transformer that generates pictures or videos; None for another model.

    Without widths of axes it is Wan's default division; in CogVideoX a quarter of the columns belongs to time.
    """
    made = vision_facts().generators.get(values.model_type)
    if made is None:
        return None
    width, widths = integer(values, "attention_head_dim"), values.find("axes_dims_rope", "rope_axes_dim")
    parameters: dict[str, Any] = {"head_dim": width, "rope_theta": values.find("rope_theta") or 10000.0}
    if made.coordinate == "scaled":
        if values.find("use_rotary_positional_embeddings") is not True:
            return None
        patch, widths = integer(values, "patch_size"), (width // 4, width // 8 * 3, width // 8 * 3)
        sides = (integer(values, f"sample_{side}") // patch for side in ("height", "width"))
        parameters |= dict(zip(("base_height", "base_width"), sides, strict=True))
    parameters |= {
        "axes": "t,h,w,l" if isinstance(widths, list) and len(widths) == 4 else "t,h,w", "axis_widths": widths,
        "pairing": values.facts.layout, "coordinate": made.coordinate, "grid": made.grid,
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
    part = vision_facts().parts.get(values.model_type)
    if part is None:
        return _made_pictures(values)
    width = _width(values)
    if width is None:
        raise ValueError(f"this config has no width of a head of model_type {values.shown_type}")
    rule, axes = part.rule, part.axes
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
    return replace(made, notes=(*part.notes, *refused))


def seeing_axes(values: Values, rotary: Rotary) -> RopeAxes | None:
    """The encoding of a language model whose pairs turn by time, height and width in pictures, with the text's grid.

    ``rotary`` is the rotation of its texts. None for another model, and for sections that the class would not accept.
    """
    facts = vision_facts().texts.get(values.model_type)
    if facts is None or rotary.first_column or rotary.direction < 0:
        return None
    if ALL_LAYERS not in labels(values):  # parameters by layer type have no sections
        return None
    given = parameters_of(values, ALL_LAYERS).find("mrope_section") or facts.sections
    n_pairs = rotary.pairs.n_pairs
    if facts.rule == "interleaved_sections" and sum(given) < n_pairs:  # the pairs after the turns belong to time
        given = (n_pairs - given[1] - given[2], *given[1:])
    in_turns = facts.rule != "ernie_3d" or given[0] - given[1] in (0, 1)
    if len(given) != 3 or sum(given) != n_pairs or not in_turns:
        return None
    part = None if rotary.n_columns == rotary.head_dim else rotary.n_columns
    return RopeAxes(
        rotary.head_dim, rotary.rope_theta, facts.rule, "t,h,w", rotary.pairing, sections=tuple(given), rotary_dim=part,
        scaling=rotary.scaling, notes=rotary.notes,
    )  # fmt: skip


def table_beside(values: Values) -> str:
    """The sentence on a learned table beside the rotation of a vision part; empty without such a table."""
    part = vision_facts().parts.get(values.model_type)
    if part is not None and part.table:
        return part.table
    rows = values.find("num_position_embeddings")
    side = math.isqrt(rows) if type(rows) is int and 0 < rows < 2**53 else 0
    side = side if side * side == rows else 0
    keys = () if part is None else part.table_sides
    if not keys and not side and (part is None or not part.has_rows):
        return ""
    if keys:
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
