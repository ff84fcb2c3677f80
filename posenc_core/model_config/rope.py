"""The rotary encoding of a Hugging Face ``config.json``, with a sentence for each of the file's traps.

Old files have ``rope_theta`` and ``rope_scaling``, new ones a single ``rope_parameters``, by layer type in some models;
``rope_form`` makes one form of both. Wrong values are refused, surprising ones are among the encoding's warnings.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from posenc_core.encodings import Rotary
from posenc_core.fields import IntegerField, shortened
from posenc_core.model_config.registry import model_of
from posenc_core.model_config.rope_form import Notes, RopeForm, rope_form
from posenc_core.model_config.rope_types import scaling_of
from posenc_core.rope_scaling import HEAD_DIM, PARTIAL, ROTARY_DIM, SEQUENCE_LENGTH, Proportional

_GEMMA4_WIDTHS = {"full_attention": 512, "sliding_attention": 256}


def rope_from_config(config: Mapping[str, Any], seq_len: int | None = None, layer_type: str | None = None) -> Rotary:
    """The rotary encoding that a model with this configuration uses; its ``warnings`` say what is surprising.

    ``config``: the parsed ``config.json``. ``seq_len`` (positions) matters to the types ``dynamic`` and ``longrope``,
    whose frequencies depend on the length; without it they are those of short sequences. ``layer_type`` chooses among
    the parameters of models that have several (``full_attention``, ``sliding_attention``). TypeError or ValueError
    with one sentence for what cannot be read. Source: transformers 5.23.0, ``modeling_rope_utils``.
    """
    if not isinstance(config, Mapping):
        raise TypeError(f"config must be a mapping of names to values, got {shortened(config)}")
    if seq_len is not None:
        seq_len = SEQUENCE_LENGTH.check(seq_len)
    form = rope_form(config, layer_type)
    share = _rotated_share(form)
    scaling, scaling_notes = scaling_of(form, seq_len, share)
    head_dim, width_notes = _head_width(form, layer_type)
    rotary_dim, share_notes = (None, ()) if isinstance(scaling, Proportional) else _rotary_dim(form, head_dim, share)
    section_notes = _section_notes(form, rotary_dim or head_dim)
    pairing, pairing_notes = _pairing(form)
    notes = (*form.notes, *scaling_notes, *width_notes, *share_notes, *section_notes, *pairing_notes)
    return Rotary(head_dim, form.rope_theta, pairing, rotary_dim, scaling, notes=notes)


def _rotated_share(form: RopeForm) -> float:
    """partial_rotary_factor by any of its names, 1 where it is not given."""
    for key in ("partial_rotary_factor", "rotary_pct", "rope_pct"):
        value = form.find(key)
        if value is not None:
            return float(PARTIAL.check(value))
    return 1.0


def _head_width(form: RopeForm, layer_type: str | None) -> tuple[int, Notes]:
    """Number of columns of a head that rotation counts from; ValueError where the config does not tell."""
    width, notes = _whole_head(form, layer_type)
    if form.rope_type != "axial":
        return width, notes
    note = f"rope_type 'axial' gives half of the {width} columns to each of two axes: one axis is shown"
    return width // 2, (*notes, note)


def _whole_head(form: RopeForm, layer_type: str | None) -> tuple[int, Notes]:
    config, is_full = form.config, form.rope_type == "proportional" or layer_type == "full_attention"
    keys = (*(("global_head_dim",) if is_full else ()), "qk_rope_head_dim", "head_dim")
    for key in keys:
        if config.get(key) is not None:
            return _whole(config, key), ()
    for width_key, heads_key in (("hidden_size", "num_attention_heads"), ("n_embd", "n_head")):
        if config.get(width_key) is not None and config.get(heads_key) is not None:
            width, heads = _whole(config, width_key, 2**31), _whole(config, heads_key, 2**31)
            if width % heads:
                raise ValueError(f"{width_key} ({width}) must be a multiple of {heads_key} ({heads})")
            return HEAD_DIM.check(width // heads), ()
    if _has_proportional(config):
        width = _GEMMA4_WIDTHS["full_attention" if is_full else "sliding_attention"]
        return width, (f"the config gives no head_dim: {width} is taken, the default of Gemma 4",)
    raise ValueError(
        "the width of a head is unknown: this config has neither head_dim nor hidden_size and num_attention_heads"
    )


def _has_proportional(config: Mapping[str, Any]) -> bool:
    parameters = config.get("rope_parameters")
    layers = parameters.values() if isinstance(parameters, Mapping) else ()
    return any(isinstance(each, Mapping) and each.get("rope_type") == "proportional" for each in layers)


def _whole(config: Mapping[str, Any], key: str, maximum: int = HEAD_DIM.maximum) -> int:
    """The integer >= 1 under the key; TypeError or ValueError with a sentence that names it."""
    return IntegerField(name=key, label="", help="", default=1, minimum=1, maximum=maximum).check(config[key])


def _rotary_dim(form: RopeForm, head_dim: int, share: float) -> tuple[int | None, Notes]:
    """Number of rotated columns, None for all of the head; ValueError for 0 or an odd number."""
    for key in ("rotary_dim", "rotary_ndims"):
        given = form.config.get(key)
        if given is not None:
            checked: int = replace(ROTARY_DIM.of, spoken=key).check(given)
            return None if checked == head_dim else checked, ()
    if share == 1:
        return None, ()
    rotary_dim = int(head_dim * share)
    product = f"{rotary_dim} = int({head_dim} x {share:.12g})"
    if rotary_dim % 2:
        raise ValueError(f"rotary dimension must be even, got {product}")
    if rotary_dim == 0:
        raise ValueError(f"rotary dimension must be at least 2, got {product}")
    notes: Notes = ()
    if form.rope_type == "default" and form.config.get("model_type") == "llama":
        notes = ("transformers 5.23.0 ignores partial_rotary_factor in a Llama of rope_type 'default': it rotates all",)
    return rotary_dim if rotary_dim != head_dim else None, notes


def _section_notes(form: RopeForm, rotary_dim: int) -> Notes:
    """The note on mrope_section; ValueError unless its numbers sum to the number of pairs."""
    sections = form.find("mrope_section")
    if sections is None:
        return ()
    if not isinstance(sections, list | tuple) or any(type(each) is not int or each < 0 for each in sections):
        raise ValueError(f"mrope_section must be a list of integers >= 0, got {shortened(sections)}")
    if sum(sections) != rotary_dim // 2:
        raise ValueError(f"mrope_section must sum to rotary_dim/2 = {rotary_dim // 2}, got {shortened(sum(sections))}")
    return (
        f"mrope_section {list(sections)} divides the pairs among time, height and width: "
        "shown is text, whose three positions are the same",
    )


def _pairing(form: RopeForm) -> tuple[str, Notes]:
    """Which columns turn together, as ``Rotary`` names it."""
    config, model = form.config, model_of(form.config)
    if config.get("qk_rope_head_dim") is not None and config.get("rope_interleave", True) is not False:
        note = "DeepSeek's pairs are columns 2i and 2i + 1; transformers returns them rotated, but in halves"
        return "interleaved", (note,)
    gpt_j = config.get("rotary") is True and config.get("rotary_dim") is not None
    return "interleaved" if gpt_j or (model is not None and model.interleaved) else "half_split", ()
