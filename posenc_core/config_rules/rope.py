"""The rotary encoding of a kind of layer, with a sentence for each of the file's traps.

Wrong values are refused; what is surprising, missing or assumed is among the encoding's warnings.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from posenc_core.config_rules.facts import Notes, Values
from posenc_core.config_rules.rope_parameters import SHARES, NotShownError, RopeParameters
from posenc_core.config_rules.rope_types import scaling_of
from posenc_core.encodings import Rotary
from posenc_core.fields import IntegerField, shortened
from posenc_core.rope_scaling import HEAD_DIM, PARTIAL, ROPE_THETA, ROTARY_DIM, FrequencyDivisors, Proportional

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

_AXIAL = "rope_type 'axial' gives the columns of a head to two axes, height and width: this version shows one axis"

_GEMMA4_WIDTHS = {"full_attention": 512, "sliding_attention": 256}

_REGROUPED = ("ernie4_5_vl_moe_text",)

_COUNTED = {2: "two", 3: "three", 4: "four"}

_IGNORES_ROTARY_DIM = ("minimax_m3_vl_text",)
_IGNORES_SHARE = ("llama",)
_HALF_OF_PROJECTION = ("clvp_encoder", "clvp_decoder")


def rotary_of(rope: RopeParameters, seq_len: int | None, layer_type: str | None) -> Rotary:
    """The rotary encoding of the layers with these parameters.

    ``seq_len`` (positions) is None for a sequence of no given length. TypeError or ValueError with one sentence for
    what cannot be read.
    """
    share, share_of_class = _rotated_share(rope)
    scaling, scaling_notes = scaling_of(rope, seq_len, share)
    head_dim, width_notes = _head_width(rope, layer_type, share)
    if isinstance(scaling, Proportional):
        rotary_dim, share_notes = None, share_of_class
    else:
        rotary_dim, share_notes = _rotary_dim(rope, head_dim, share)
        share_notes = (*share_of_class, *share_notes)
    section_notes = _section_notes(rope, rotary_dim or head_dim)
    if rope.values.model_type in _REGROUPED and scaling is None:
        scaling, regrouped = _regrouped(rope, (rotary_dim or head_dim) // 2)
        section_notes = (*section_notes, *regrouped)
    pairing, pairing_notes = _pairing(rope.values)
    notes = (*rope.notes, *scaling_notes, *width_notes, *share_notes, *section_notes, *pairing_notes)
    facts = rope.values.facts
    part = "trailing" if facts.trailing else "leading"
    return Rotary(
        head_dim,
        rope.rope_theta,
        pairing,
        rotary_dim,
        scaling,
        direction=facts.direction,
        rotary_part=part,
        notes=notes,
    )


def _rotated_share(rope: RopeParameters) -> tuple[float, Notes]:
    """partial_rotary_factor by any of its names, 1 where it is not given, and a note on one of the class."""
    values = rope.values
    for key in SHARES:
        value = rope.find(key)
        if value is not None:
            return float(PARTIAL.check(value)), ()
    if values.has("rotary_dim", "rotary_ndims", "qk_rope_head_dim"):
        return 1.0, ()
    of_class = values.default("rope_parameters")
    share = of_class.get(SHARES[0]) if isinstance(of_class, Mapping) else None
    share = values.default(*SHARES) if share is None else share
    if share is None or share == 1 or rope.nested:
        return 1.0, ()
    told = f"partial_rotary_factor is not in the file: {share:g} is taken, the default of model_type"
    return float(PARTIAL.check(share)), (f"{told} {values.shown_type}",)


def _head_width(rope: RopeParameters, layer_type: str | None, share: float) -> tuple[int, Notes]:
    """Number of columns of a head that rotation counts from; ValueError where neither file nor class tells."""
    values = rope.values
    if rope.rope_type == "axial":
        raise NotShownError(_AXIAL)
    is_full = rope.rope_type == "proportional" or layer_type == "full_attention"
    keys = ("global_head_dim",) if is_full else ("swa_head_dim",) if layer_type == "sliding_attention" else ()
    for key in keys:
        if values.has(key):
            return whole(values.given, key), ()
    latent = _latent_width(values, share)
    if latent is not None:
        return latent
    of_type = _width_of_type(values, layer_type)
    if of_type is not None:
        return of_type
    own = values.facts.head_dim_from
    for key in ((own,) if own else ()) + _HEAD_KEYS:
        if values.has(key):
            return whole(values.given, key), ()
    return _derived_width(rope, is_full)


def head_width(values: Values) -> int | None:
    """Number of columns of a head, None where the file does not tell it in one or two keys."""
    keys = [(key,) for key in _HEAD_KEYS] + list(WIDTHS)
    for width, *heads in keys:
        given = [values.find(key) for key in (width, *heads)]
        if all(type(each) is int and 1 <= each <= HEAD_DIM.maximum for each in given):
            columns: int = given[0] // (given[1] if heads else 1)
            return max(columns, 1)
    return None


def _latent_width(values: Values, share: float) -> tuple[int, Notes] | None:
    """The width of the rotated part of multi-head latent attention, which is a vector of its own; None without one."""
    if values.facts.trailing or not values.has("qk_rope_head_dim"):
        return None
    part = whole(values.given, "qk_rope_head_dim")
    if share == 1 or not values.has("head_dim"):
        return part, ()
    head = whole(values.given, "head_dim")
    product = int(head * share)
    if product == part:
        return part, ()
    note = f"head_dim {head} x partial_rotary_factor {share:g} = {product} columns, but qk_rope_head_dim is {part}"
    return head, (f"{note}; the first counts",)


def _derived_width(rope: RopeParameters, is_full: bool) -> tuple[int, Notes]:
    """The width of a head from the class's default, or from the model's width and its number of heads."""
    values = rope.values
    for key in ("head_dim", "attention_head_dim", values.facts.head_dim_from or "head_dim"):
        constant = _given_or_default(values, key)
        if constant[0] is not None:
            return HEAD_DIM.check(constant[0]), constant[1]
    for width_key, heads_key in WIDTHS:
        if values.has(width_key, heads_key):
            width, width_note = _given_or_default(values, width_key)
            heads, heads_note = _given_or_default(values, heads_key)
            if width is None or heads is None:
                continue
            if width % heads:
                raise ValueError(f"{width_key} ({width}) must be a multiple of {heads_key} ({heads})")
            return HEAD_DIM.check(width // heads), (*width_note, *heads_note)
    if _has_proportional(rope):
        width = _GEMMA4_WIDTHS["full_attention" if is_full else "sliding_attention"]
        return width, (f"the config gives no head_dim: {width} is taken, the default of Gemma 4",)
    of_class = _width_of_class(values)
    if of_class is not None:
        return of_class
    raise ValueError(
        "the width of a head is unknown: this config has neither head_dim nor hidden_size and num_attention_heads"
    )


def _width_of_type(values: Values, layer_type: str | None) -> tuple[int, Notes] | None:
    """The width that the class gives to the layers of a type, unless the file has widths for single layers."""
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
    """The integer under the key, or the class's, with a note; None where there is none."""
    if values.has(key):
        return whole(values.given, key, 2**31), ()
    value = values.default(key) if key not in values.given else None
    if value is None:
        return None, ()
    told = f"the config gives no {key}: {value} is taken, the default of model_type {values.shown_type}"
    return int(value), (told,)


def _has_proportional(rope: RopeParameters) -> bool:
    parameters = rope.values.given.get(rope.source)
    layers = parameters.values() if isinstance(parameters, Mapping) else ()
    return any(isinstance(each, Mapping) and each.get("rope_type") == "proportional" for each in layers)


def whole(config: Mapping[str, Any], key: str, maximum: int = HEAD_DIM.maximum) -> int:
    """The integer >= 1 under the key; TypeError or ValueError with a sentence that names it."""
    return IntegerField(name=key, label="", help="", default=1, minimum=1, maximum=maximum).check(config[key])


def _rotary_dim(rope: RopeParameters, head_dim: int, share: float) -> tuple[int | None, Notes]:
    """Number of rotated columns, None for all of the head; ValueError for 0 or an odd number."""
    values = rope.values
    shared = any(rope.find(key) is not None for key in SHARES)
    for key in ("rotary_dim", "rotary_ndims"):
        given = values.find(key) if not shared else values.given.get(key)
        if given is None:
            continue
        if values.model_type in _IGNORES_ROTARY_DIM and not shared:
            return None, (f"transformers 5.23.0 ignores {key} in model_type {values.shown_type}: it rotates all",)
        checked: int = replace(ROTARY_DIM.of, spoken=key).check(given)
        return None if checked == head_dim else checked, ()
    if values.facts.trailing and values.has("qk_rope_head_dim") and share == 1:
        trailing = whole(values.given, "qk_rope_head_dim")
        return None if trailing == head_dim else trailing, ()
    if values.model_type in _HALF_OF_PROJECTION:
        return _half_of_projection(values), ()
    if share == 1 or _is_latent(values, head_dim):
        return None, ()
    rotary_dim = int(head_dim * share)
    product = f"{rotary_dim} = int({head_dim} x {share:.12g})"
    if rotary_dim % 2:
        raise ValueError(f"rotary dimension must be even, got {product}")
    if rotary_dim == 0:
        raise ValueError(f"rotary dimension must be at least 2, got {product}")
    notes: Notes = ()
    if rope.rope_type == "default" and values.model_type in _IGNORES_SHARE:
        notes = ("transformers 5.23.0 ignores partial_rotary_factor in a Llama of rope_type 'default': it rotates all",)
    return rotary_dim if rotary_dim != head_dim else None, notes


def _half_of_projection(values: Values) -> int:
    """CLVP's number of rotated columns: half of a head of its projection, at least 32."""
    projection, heads = (_given_or_default(values, key)[0] for key in ("projection_dim", "num_attention_heads"))
    return max((projection or 768) // (2 * (heads or 12)), 32)  # the defaults of its class


def _is_latent(values: Values, head_dim: int) -> bool:
    """Whether the head is the rotated part of latent attention, all of which turns."""
    return not values.facts.trailing and values.given.get("qk_rope_head_dim") == head_dim


def _section_notes(rope: RopeParameters, rotary_dim: int) -> Notes:
    """The note on mrope_section; ValueError unless its numbers sum to the number of pairs."""
    sections = rope.find("mrope_section")
    sections = rope.find("xdrope_section") if sections is None else sections
    if sections is None:
        media = rope.values.facts.media_axes
        if not media:
            return ()
        counted, named = _COUNTED[len(media)], f"{', '.join(media[:-1])} and {media[-1]}"
        told = f"the positions of model_type {rope.values.shown_type} have {counted} axes in pictures, {named}"
        return (f"{told}, of which shown is text, whose {counted} positions are the same",)
    if not isinstance(sections, list | tuple) or any(type(each) is not int or each < 0 for each in sections):
        raise ValueError(f"mrope_section must be a list of integers >= 0, got {shortened(sections)}")
    if sum(sections) != rotary_dim // 2:
        total = shortened(sum(sections))
        raise ValueError(f"mrope_section must sum to rotary_dim/2 = {rotary_dim // 2}, got {total}")
    axes = "time, height and width" if len(sections) == 3 else f"{len(sections)} axes"
    counted = _COUNTED.get(len(sections), str(len(sections)))
    told = f"mrope_section {shortened(list(sections))} divides the pairs among {axes}"
    return (f"{told}: shown is text, whose {counted} positions are the same",)


def _regrouped(rope: RopeParameters, n_pairs: int) -> tuple[FrequencyDivisors | None, Notes]:
    """The order of ERNIE 4.5 VL's frequencies, as divisors: those of height and width alternate, time has the last."""
    given = rope.find("mrope_section")
    last = given[-1] if isinstance(given, list | tuple) and given else 20
    if not 0 < last < n_pairs:
        return None, ()
    front = [*range(0, n_pairs - last, 2), *range(1, n_pairs - last, 2)]
    base = ROPE_THETA.check(rope.rope_theta)
    divisors = [base ** ((other - pair) / n_pairs) for pair, other in enumerate(front)] + [1.0] * last
    note = "the pairs are in the order of the model's code: even ones for height, odd ones for width, the last for time"
    return FrequencyDivisors(tuple(divisors)), (note,)


def _pairing(values: Values) -> tuple[str, Notes]:
    """Which columns turn together, as ``Rotary`` names it."""
    layout = values.facts.layout
    notes: Notes = ()
    if layout is None:
        layout, notes = _assumed_pairing(values)
    if values.given.get("rope_interleave") is False:
        return "half_split", ()
    if layout == "interleaved" and values.has("qk_rope_head_dim") and not values.facts.trailing:
        note = "DeepSeek's pairs are columns 2i and 2i + 1; transformers returns them rotated, but in halves"
        return layout, (*notes, note)
    return layout, notes


def _assumed_pairing(values: Values) -> tuple[str, Notes]:
    """The layout where no table has the model: what the keys of two families mean, or halves."""
    if values.model_type:
        return "half_split", (f"the pair layout of {values.shown_type} is not known; half_split is assumed",)
    gpt_j = values.given.get("rotary") is True and values.has("rotary_dim")
    return "interleaved" if gpt_j or values.has("qk_rope_head_dim") else "half_split", ()
