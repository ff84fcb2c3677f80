"""The rotary encoding of a kind of layer, with a sentence for each of the file's traps.

Wrong values are refused; what is surprising, missing or assumed is among the encoding's warnings.
"""

from collections.abc import Mapping

from posenc_core.encodings import Rotary
from posenc_core.fields import shortened
from posenc_core.model_rules.facts import Notes, Values
from posenc_core.model_rules.rope_parameters import SHARES, RopeParameters
from posenc_core.model_rules.rope_types import scaling_of
from posenc_core.model_rules.widths import rotary_dim_of, width_for
from posenc_core.rope_scaling import PARTIAL, Proportional

_COUNTED = {2: "two", 3: "three", 4: "four"}


def rotary_of(rope: RopeParameters, seq_len: int | None, layer_type: str | None) -> Rotary:
    """The rotary encoding of the layers with these parameters.

    ``seq_len`` (positions) is None for a sequence of no given length. TypeError or ValueError with one sentence for
    what cannot be read.
    """
    share, share_of_class = _rotated_share(rope)
    scaling, scaling_notes = scaling_of(rope, seq_len, share)
    head_dim, width_notes = width_for(rope, layer_type, share)
    if isinstance(scaling, Proportional):
        rotary_dim, share_notes = None, share_of_class
    else:
        rotary_dim, share_notes = rotary_dim_of(rope, head_dim, share)
        share_notes = (*share_of_class, *share_notes)
    section_notes = _section_notes(rope, rotary_dim or head_dim)
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
