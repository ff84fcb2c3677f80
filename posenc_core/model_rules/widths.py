"""The width of a head and the number of its rotated columns, by the many keys that configurations have for them."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from posenc_core.fields import IntegerField, shortened
from posenc_core.model_rules.facts import Notes, Values
from posenc_core.model_rules.rotation.rope_parameters import SHARES, NotShownError, RopeParameters
from posenc_core.rope_scaling import HEAD_DIM, ROTARY_DIM

WIDTHS = (
    ("hidden_size", "num_attention_heads"),
    ("n_embd", "n_head"),
    ("d_model", "n_heads"),
    ("embed_dim", "num_heads"),
    ("hidden_size", "num_heads"),
    ("hidden_size", "n_head"),
    ("dim", "n_heads"),
    ("hidden_size", "decoder_num_attention_heads"),
    ("d_model", "encoder_attention_heads"),
    ("d_model", "num_heads"),
    ("emb_dim", "n_heads"),
)
"""Keys of a model's width and of the number of its heads, in the order to try them."""

_HEAD_KEYS = ("head_dim", "attention_head_dim", "kv_channels", "d_kv", "key_length")

_AXIAL = "rope_type 'axial' gives the columns of a head to two axes, height and width: their rotation is not shown"

_GEMMA4_WIDTHS = {"full_attention": 512, "sliding_attention": 256}


def width_for(rope: RopeParameters, layer_type: str | None, share: float) -> tuple[int, Notes]:
    """Number of columns of a head that rotation counts from; ValueError if neither file nor class has it."""
    values = rope.values
    if rope.rope_type == "axial":
        raise NotShownError(_AXIAL)
    is_full = rope.rope_type == "proportional" or layer_type == "full_attention"
    keys = ("global_head_dim",) if is_full else ("swa_head_dim",) if layer_type == "sliding_attention" else ()
    for key in keys:
        if values.has(key) and "head_dim" not in values.facts.ignores:
            return whole(values.given, key), ()
    _check_proportional(rope, layer_type)
    latent = _latent_width(values, 1.0 if rope.rope_type == "proportional" else share)
    if latent is not None:
        return latent
    of_type = _width_of_type(values, layer_type)
    if of_type is not None:
        return of_type
    own = values.facts.head_dim_from if not values.exception("sets_head_dim_last") else None
    for key in ((own,) if own else ()) + _HEAD_KEYS:
        if values.has(key) and key not in values.facts.ignores:
            return whole(values.given, key), ()
    return _derived_width(rope, is_full)


def head_width(values: Values) -> int | None:
    """Number of columns of a head, None if the file does not have it in one or two keys; a latent one has two parts."""
    parts = [values.find(key) for key in ("qk_nope_head_dim", "qk_rope_head_dim")]
    latent: int = sum(parts) if all(type(each) is int and each > 0 for each in parts) else 0
    if 0 < latent <= HEAD_DIM.maximum:
        return latent
    keys = [(key,) for key in _HEAD_KEYS if key not in values.facts.ignores] + list(WIDTHS)
    for width, *heads in keys:
        given = [values.find(key) for key in (width, *heads)]
        if all(type(each) is int and 1 <= each <= HEAD_DIM.maximum for each in given):
            columns: int = given[0] // (given[1] if heads else 1)
            return max(columns, 1)
    return None


def _latent_width(values: Values, share: float) -> tuple[int, Notes] | None:
    """The width of the rotated part of multi-head latent attention, a separate vector; None without one."""
    if values.facts.trailing:
        return None
    if not values.has("qk_rope_head_dim") and not values.exception("head_of_both_parts"):
        return _class_latent_width(values)
    part, notes = _given_or_default(values, "qk_rope_head_dim")
    head = head_beside(values)
    if part is None or head is None or (share == 1 and not values.facts.source):
        return None if part is None else (HEAD_DIM.check(part), notes)
    product = int(head * share)
    if product == part:
        return HEAD_DIM.check(part), notes
    note = f"head_dim {head} x partial_rotary_factor {share:g} = {product} columns, but qk_rope_head_dim is {part}"
    unfit = ", which does not fit the model's vectors" if values.facts.source else ""
    return head, (*notes, f"{note}; the first counts{unfit}")


def _check_proportional(rope: RopeParameters, layer_type: str | None) -> None:
    """ValueError for Dots 3 Note's type proportional if its frequencies do not fit the vectors that rotate.

    Source: transformers 5.23.0, ``_compute_proportional_rope_parameters``, which counts from ``head_dim``: the model
    is built, and its first call fails.
    """
    values = rope.values
    if rope.rope_type != "proportional" or values.model_type != "dots3_note_text":
        return
    slides = layer_type == "sliding_attention"
    width = values.given.get("swa_head_dim", 256) if slides else values.find("head_dim")
    part = values.find("qk_rope_head_dim")
    if width != part:
        key = "swa_head_dim" if slides else "head_dim"
        raise ValueError(
            f"rope_type 'proportional' counts from {key} {shortened(width)}, but {shortened(part)} columns of a head "
            "rotate: the class of this model cannot be called with it"
        )


def head_beside(values: Values) -> int | None:
    """The width for the rotation beside qk_rope_head_dim, None if only that key counts."""
    if "head_dim" in values.facts.ignores:
        return None
    if values.has("head_dim"):
        return whole(values.given, "head_dim")
    if values.exception("head_of_both_parts"):
        parts = [_given_or_default(values, key)[0] or 0 for key in ("qk_rope_head_dim", "qk_nope_head_dim")]
        return HEAD_DIM.check(sum(parts))
    default = values.default("head_dim") if values.facts.source else None
    return None if default is None else int(default)


def _class_latent_width(values: Values) -> tuple[int, Notes] | None:
    """The class's default of a rotated part missing in the file; None if the width has another key."""
    width, notes = _given_or_default(values, "qk_rope_head_dim")
    return (width, notes) if width is not None and "head_dim" in values.facts.ignores else None


def _derived_width(rope: RopeParameters, is_full: bool) -> tuple[int, Notes]:
    """The width of a head from the class's default, or from the model's width and its number of heads."""
    values = rope.values
    constants: tuple[str, ...] = ("head_dim", "attention_head_dim", values.facts.head_dim_from or "head_dim")
    if values.exception("twice_the_width") and values.has("hidden_size", "num_attention_heads"):
        constants = ()
    for key in constants:
        constant = _given_or_default(values, key) if key not in values.facts.ignores else (None, ())
        if constant[0] is not None:
            return HEAD_DIM.check(constant[0]), constant[1]
    for width_key, heads_key in WIDTHS:
        if values.has(width_key, heads_key):
            width, width_note = _given_or_default(values, width_key)
            heads, heads_note = _given_or_default(values, heads_key)
            if width is None or heads is None:
                continue
            width *= 2 if values.exception("twice_the_width") else 1
            if width % heads and not values.exception("rounded_down"):
                raise ValueError(f"{width_key} ({width}) must be a multiple of {heads_key} ({heads})")
            rounded = (
                f"{width_key} / {heads_key} = {width} / {heads} is no integer: a head has {width // heads} columns"
            )
            return HEAD_DIM.check(width // heads), (*width_note, *heads_note, *[rounded] * bool(width % heads))
    if not values.facts.source and _has_proportional(rope):
        width = _GEMMA4_WIDTHS["full_attention" if is_full else "sliding_attention"]
        return width, (f"the config gives no head_dim: {width} is taken, the default of Gemma 4",)
    of_class = _width_of_class(values)
    if of_class is not None:
        return of_class
    raise ValueError(
        "the width of a head is unknown: this config has neither head_dim nor hidden_size and num_attention_heads"
    )


def _width_of_type(values: Values, layer_type: str | None) -> tuple[int, Notes] | None:
    """The class's width of the layers of a type, unless the file has widths for single layers."""
    overrides = values.default("per_layer_config")
    own = overrides.get(layer_type) if overrides and "per_layer_config" not in values.given else None
    width = own.get("head_dim") if own else None
    if width is None or width == values.default("head_dim"):
        return None
    told = f"the config gives no width of {layer_type} layers: {width} is taken"
    return int(width), (f"{told}, the default of model_type {values.shown_type}",)


def _width_of_class(values: Values) -> tuple[int, Notes] | None:
    """The width of a head in the class's own default configuration."""
    for width_key, heads_key in WIDTHS:
        width, heads = values.default(width_key), values.default(heads_key)
        if width and heads and not values.given.keys() & {width_key, heads_key}:
            told = f"the config gives no widths: {width} columns in {heads} heads are taken"
            return width // heads, (f"{told}, the default of model_type {values.shown_type}",)
    return None


def _given_or_default(values: Values, key: str) -> tuple[int | None, Notes]:
    """The integer under the key, or the class's, with a note; None if neither has it."""
    if values.has(key):
        return whole(values.given, key, 2**31), ()
    value = values.default(key) if key not in values.given else None
    if value is None:
        return None, ()
    told = f"the config gives no {key}: {value} is taken, the default of model_type {values.shown_type}"
    return int(value), (told,)


def _has_proportional(rope: RopeParameters) -> bool:
    parameters = rope.values.given.get(rope.source.partition(".")[0])
    layers = parameters.values() if isinstance(parameters, Mapping) else ()
    return any(isinstance(each, Mapping) and each.get("rope_type") == "proportional" for each in layers)


def whole(config: Mapping[str, Any], key: str, maximum: int = HEAD_DIM.maximum) -> int:
    """The integer >= 1 under the key; TypeError or ValueError with a sentence that names it."""
    return IntegerField(name=key, label="", help="", default=1, minimum=1, maximum=maximum).check(config[key])


def rotary_dim_of(rope: RopeParameters, head_dim: int, share: float) -> tuple[int | None, Notes]:
    """Number of rotated columns, None for all of the head; ValueError for 0, or an odd number in unknown code."""
    values = rope.values
    if values.exception("rotates_a_permutation") and values.find("rope_head_dim") not in (None, head_dim):
        raise NotShownError(
            "rope_head_dim: the model rotates a permutation of these columns, not shown in this version"
        )
    if values.facts.trailing and values.has("qk_rope_head_dim") and SHARES[0] not in rope.keys:
        trailing = whole(values.given, "qk_rope_head_dim")
        return None if trailing == head_dim else trailing, ()
    if values.exception("half_of_projection"):
        return _half_of_projection(values), ()
    shared = rope.parameters.get(SHARES[0]) is not None
    for key in ("rotary_dim", "rotary_ndims"):
        given = values.find(key) if not shared else None
        if given is None:
            continue
        if values.facts.source and not values.exception("reads_rotary_dim"):
            return None, (f"transformers 5.23.0 ignores {key} in model_type {values.shown_type}: it rotates all",)
        checked: int = replace(ROTARY_DIM.of, spoken=key).check(given)
        return None if checked == head_dim else checked, ()
    if share == 1 or _is_shared_out(values, head_dim):
        return None, ()
    rotary_dim = int(head_dim * share)
    product = f"{rotary_dim} = int({head_dim} x {share:.12g})"
    if rotary_dim % 2 and (not values.facts.source or rope.rope_type == "yarn"):
        raise ValueError(f"rotary dimension must be even, got {product}")
    if rotary_dim == 0:
        raise ValueError(f"rotary dimension must be at least 2, got {product}")
    return rotary_dim if rotary_dim != head_dim else None, ()


def width_beside(values: Values, head_dim: int, rotary_dim: int | None) -> tuple[int, Notes]:
    """The width of the heads whose first columns rotate, if it is not the ``head_dim`` that their number comes from."""
    sizes = [values.find(key) for key in ("hidden_size", "num_attention_heads")]
    if not values.exception("counts_from_another_width") or not values.has("head_dim") or rotary_dim is None:
        return head_dim, ()
    width = HEAD_DIM.check(sizes[0] // sizes[1]) if all(type(each) is int and each > 0 for each in sizes) else head_dim
    if width == head_dim or width < rotary_dim:
        return head_dim, ()
    told = f"head_dim {head_dim} only counts the rotated columns: heads of model_type {values.shown_type}"
    return width, (f"{told} have hidden_size / num_attention_heads = {width}",)


def _half_of_projection(values: Values) -> int:
    """CLVP's number of rotated columns: half of a head of its projection, at least 32."""
    projection, heads = (_given_or_default(values, key)[0] for key in ("projection_dim", "num_attention_heads"))
    return max((projection or 768) // (2 * (heads or 12)), 32)  # the defaults of its class


def _is_shared_out(values: Values, head_dim: int) -> bool:
    """Whether the head is the rotated part of latent attention, which is the share of a wider head already."""
    if values.facts.trailing or values.find("qk_rope_head_dim") != head_dim:
        return False
    return not values.facts.source or head_beside(values) not in (None, head_dim)
