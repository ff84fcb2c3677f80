"""The rotary encoding of a Hugging Face ``config.json``, with a sentence for each of the file's traps.

Old files have ``rope_theta`` and ``rope_scaling``, new ones a single ``rope_parameters``, by layer type in some models;
``rope_form`` makes one of both. What is wrong is refused, what is surprising is among the encoding's warnings.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from posenc_core.encodings import Rotary
from posenc_core.fields import shortened
from posenc_core.model_config.rope_form import RopeForm, rope_form
from posenc_core.model_config.rope_types import scaling_of
from posenc_core.model_config.rope_width import head_width, is_interleaved
from posenc_core.rope_scaling import PARTIAL, ROTARY_DIM, SEQUENCE_LENGTH, Proportional


def rope_from_config(config: Mapping[str, Any], seq_len: int | None = None, layer_type: str | None = None) -> Rotary:
    """The rotary encoding that a model with this configuration uses; its ``warnings`` say what is surprising.

    ``config``: the parsed ``config.json``. ``seq_len`` (positions) matters to the types ``dynamic`` and ``longrope``,
    whose frequencies depend on the length; without it they are those of short sequences. ``layer_type`` chooses among
    the parameters of models that have several (``full_attention``, ``sliding_attention``). TypeError or ValueError
    with one plain sentence for what cannot be read. Source: transformers 5.23.0, ``modeling_rope_utils``.
    """
    if not isinstance(config, Mapping):
        raise TypeError(f"config must be a mapping of names to values, got {shortened(config)}")
    if seq_len is not None:
        seq_len = SEQUENCE_LENGTH.check(seq_len)
    form = rope_form(config, layer_type)
    share = _rotated_share(form)
    scaling = scaling_of(form, seq_len, share)
    head_dim = head_width(form, layer_type)
    if form.rope_type == "axial":
        form.notes.append(
            f"rope_type 'axial' gives half of the {head_dim} columns to each of two axes: one axis is shown"
        )
        head_dim //= 2
    rotary_dim = None if isinstance(scaling, Proportional) else _rotary_dim(form, head_dim, share)
    _check_sections(form, rotary_dim or head_dim)
    pairing = "interleaved" if is_interleaved(form) else "half_split"
    return Rotary(head_dim, form.rope_theta, pairing, rotary_dim, scaling, notes=tuple(form.notes))


def _rotated_share(form: RopeForm) -> float:
    """partial_rotary_factor by whatever name, 1 where it is not given."""
    for key in ("partial_rotary_factor", "rotary_pct", "rope_pct"):
        value = form.find(key)
        if value is not None:
            return float(PARTIAL.check(value))
    return 1.0


def _rotary_dim(form: RopeForm, head_dim: int, share: float) -> int | None:
    """Number of rotated columns, None for all of the head; ValueError for none, or an odd number."""
    for key in ("rotary_dim", "rotary_ndims"):
        given = form.config.get(key)
        if given is not None:
            checked: int = replace(ROTARY_DIM.of, spoken=key).check(given)
            return None if checked == head_dim else checked
    if share == 1:
        return None
    rotary_dim = int(head_dim * share)
    product = f"{rotary_dim} = int({head_dim} x {share:.12g})"
    if rotary_dim % 2:
        raise ValueError(f"rotary dimension must be even, got {product}")
    if rotary_dim == 0:
        raise ValueError(f"rotary dimension must be at least 2, got {product}")
    if form.rope_type == "default" and form.config.get("model_type") == "llama":
        form.notes.append(
            "transformers 5.23.0 ignores partial_rotary_factor in a Llama of rope_type 'default': it rotates all"
        )
    return rotary_dim if rotary_dim != head_dim else None


def _check_sections(form: RopeForm, rotary_dim: int) -> None:
    """mrope_section: ValueError unless its numbers sum to the number of pairs; then a note on what is shown."""
    sections = form.find("mrope_section")
    if sections is None:
        return
    if not isinstance(sections, list | tuple) or any(type(each) is not int or each < 0 for each in sections):
        raise ValueError(f"mrope_section must be a list of integers >= 0, got {shortened(sections)}")
    if sum(sections) != rotary_dim // 2:
        raise ValueError(f"mrope_section must sum to rotary_dim/2 = {rotary_dim // 2}, got {sum(sections)}")
    form.notes.append(
        f"mrope_section {list(sections)} divides the pairs among time, height and width: "
        "shown is text, whose three positions are the same"
    )
