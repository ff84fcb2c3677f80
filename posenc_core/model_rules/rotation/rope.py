"""The rotary encoding of a kind of layer, with a sentence for each surprise in the file.

Wrong values are refused; surprising, missing and assumed values are named in the encoding's warnings.
"""

from typing import Any

from posenc_core.encodings import Rotary
from posenc_core.fields import shortened
from posenc_core.model_rules.facts import Notes, Values
from posenc_core.model_rules.rotation.rope_parameters import SHARES, RopeParameters
from posenc_core.model_rules.rotation.rope_types import scaling_of
from posenc_core.model_rules.widths import rotary_dim_of, whole, width_beside, width_for
from posenc_core.rope_scaling import PARTIAL, ROPE_THETA, RopeScaling, rope_frequencies

_LAYOUT_KEY = "rope_interleave"

_REORDERED = (
    "the pairs are columns 2i and 2i + 1; transformers rotates them and returns the first columns of all pairs before "
    "the second ones"
)
_TURNED_BACK = (
    "keys serve as values too: the model turns the rotated columns of the attention's output back by the query's "
    "position"
)
_COUNTED = {2: "two", 3: "three", 4: "four"}


def rotary_of(rope: RopeParameters, seq_len: int | None, layer_type: str | None) -> Rotary:
    """The rotary encoding of the layers with these parameters.

    ``seq_len`` (positions) is None for a sequence of no given length. TypeError or ValueError with one sentence for
    unreadable parameters.
    """
    share, share_of_class = _rotated_share(rope)
    head_dim, width_notes = width_for(rope, layer_type, share)
    if rope.rope_type == "proportional":
        rotary_dim, share_notes = None, share_of_class
    else:
        rotary_dim, share_notes = rotary_dim_of(rope, head_dim, share)
        share_notes = (*share_of_class, *share_notes)
    head_dim, beside_notes = width_beside(rope.values, head_dim, rotary_dim)
    share_notes = (*share_notes, *beside_notes)
    theta = rope.rope_theta
    turning = head_dim if rotary_dim is None and rope.values.exception("rounded_down") else rotary_dim or 0
    odd = turning if turning % 2 and rope.values.facts.source else 0
    if odd:
        theta, odd_notes = _base_of_odd(theta, odd)
        rotary_dim, share_notes = odd + 1, (*share_notes, *odd_notes)
        head_dim = max(head_dim, odd + 1)
    scaling, scaling_notes = scaling_of(rope, seq_len, share, (rotary_dim or head_dim) // 2)
    if odd and scaling is not None and scaling.grows_with_length:
        theta, scaling = _dynamic_base(scaling, float(rope.rope_theta), odd), None
    section_notes = _section_notes(rope, rotary_dim or head_dim)
    pairing, pairing_notes = _pairing(rope.values)
    notes = (*rope.notes, *scaling_notes, *width_notes, *share_notes, *section_notes, *pairing_notes)
    facts = rope.values.facts
    part = "trailing" if facts.trailing else "leading"
    return Rotary(
        head_dim,
        theta,
        pairing,
        rotary_dim,
        scaling,
        direction=facts.direction,
        rotary_part=part,
        notes=notes,
    )


def _rotated_share(rope: RopeParameters) -> tuple[float, Notes]:
    """partial_rotary_factor, 1 if it is missing or ignored, and a note on a class's default."""
    values, share = rope.values, rope.parameters.get(SHARES[0])
    if values.model_type == "mistral4" and f"{rope.source}.{SHARES[0]}" not in rope.keys.values():
        share = _share_of_widths(rope)
    if share is None or SHARES[0] in values.facts.ignores:
        return 1.0, ()
    share = float(PARTIAL.check(share))
    if rope.rope_type in ("default", "mrope") and values.facts.rotates_all and share != 1:
        where = f"in model_type {values.shown_type} of rope_type 'default'"
        return 1.0, (f"transformers 5.23.0 ignores partial_rotary_factor {where}: it rotates all",)
    if SHARES[0] in rope.keys or share in (1, values.given.get(SHARES[0])):
        return share, ()
    if values.facts.trailing and values.has("qk_rope_head_dim"):  # rotary_dim_of reads that key for other types
        return share if rope.rope_type == "proportional" else 1.0, ()
    told = f"partial_rotary_factor is not in the file: {share:g} is taken, the default of model_type"
    return share, (f"{told} {values.shown_type}",)


def _share_of_widths(rope: RopeParameters) -> Any:
    """The share that Mistral 4's class adds to rope_parameters; for rope_scaling, that of the key beside it."""
    values = rope.values
    if values.given.get("rope_scaling"):
        return values.given.get(SHARES[0])
    part, rest = (values.find(key) for key in ("qk_rope_head_dim", "qk_nope_head_dim"))
    return whole({"qk_rope_head_dim": part}, "qk_rope_head_dim") / (part + (rest if type(rest) is int else 0))


def _base_of_odd(theta: Any, odd: int) -> tuple[float, Notes]:
    """The base for a pair more than half of an odd number of columns, so that the exponents are over that number.

    Classes count the exponents by twos up to the odd number, and so have a frequency for the last column and the one
    after it: ``theta ** (-2i/r) = (theta ** ((r + 1)/r)) ** (-2i/(r + 1))``.
    """
    checked = float(ROPE_THETA.check(theta))
    base, _ = odd_columns(checked, odd)
    told = f"{odd} columns are an odd number: {odd + 1} rotate, with exponents over {odd}"
    return base, (f"{told}; over {odd + 1} the base {checked:g} is {base:.10g}",)


def _dynamic_base(scaling: RopeScaling, base: float, odd: int) -> float:
    """The base of an odd number of columns under dynamic NTK scaling at the length of the sequence.

    The scaling slows the last pair of an even number of columns by the factor to which its exponent applies.
    """
    even = odd + 1
    slow, plain = (rope_frequencies(base, even // 2, each)[-1] for each in (scaling, None))
    stretch = float(plain / slow)
    return odd_columns(base * stretch ** (odd / max(odd - 2, 1)), odd)[0]


def odd_columns(base: float, odd: int) -> tuple[float, int]:
    """The base and the even number of columns with the frequencies of an odd number of columns."""
    return base ** ((odd + 1) / odd), odd + 1


def _section_notes(rope: RopeParameters, rotary_dim: int) -> Notes:
    """The note on mrope_section; ValueError unless its numbers sum to the number of pairs."""
    sections = rope.find("mrope_section")
    sections = rope.find("xdrope_section") if sections is None else sections
    if sections is None:
        media = rope.values.facts.media_axes
        if not media:
            return ()
        counted, named = _COUNTED[len(media)], f"{', '.join(media[:-1])} and {media[-1]}"
        told = f"in pictures the positions of model_type {rope.values.shown_type} have {counted} axes: {named}"
        return (f"{told}; text is shown, whose {counted} positions are equal",)
    if rope.values.facts.source and not rope.values.facts.media_axes:
        return (f"model_type {rope.values.shown_type} does not read mrope_section: its positions have one axis",)
    if not isinstance(sections, list | tuple) or any(type(each) is not int or each < 0 for each in sections):
        raise ValueError(f"mrope_section must be a list of integers >= 0, got {shortened(sections)}")
    facts, n_pairs, total = rope.values.facts, rotary_dim // 2, sum(sections)
    if total != n_pairs and not facts.media_in_turns:
        raise ValueError(f"mrope_section must sum to rotary_dim/2 = {n_pairs}, got {shortened(total)}")
    axes = "time, height and width" if len(sections) == 3 else f"{len(sections)} axes"
    counted = _COUNTED.get(len(sections), str(len(sections)))
    in_turns = facts.media_in_turns if facts.source else rope.find("mrope_interleaved") is True
    mixed = ", which take turns pair by pair" if in_turns else ""
    rest = (
        f"; it sums to {shortened(total)}, not to {n_pairs}, and pairs of no section turn by time"
        if total != n_pairs
        else ""
    )
    told = f"mrope_section {shortened(list(sections))} divides the pairs among {axes}{mixed}{rest}"
    return (f"{told}: text is shown, whose {counted} positions are equal",)


def _pairing(values: Values) -> tuple[str, Notes]:
    """Columns that turn together, as ``Rotary`` names them."""
    layout = values.facts.layout
    notes: Notes = ()
    if layout is None:
        layout, notes = _assumed_pairing(values)
    if values.given.get(values.facts.layout_key or _LAYOUT_KEY) is False:
        if values.facts.layout_key or not values.facts.source:
            return "half_split", ()
        notes = (*notes, f"transformers 5.23.0 ignores rope_interleave in model_type {values.shown_type}")
    if values.facts.trailing:
        return layout, (*notes, _TURNED_BACK)
    if layout == "interleaved" and values.has("qk_rope_head_dim") and not values.exception("keeps_order"):
        return layout, (*notes, _REORDERED)
    return layout, notes


def _assumed_pairing(values: Values) -> tuple[str, Notes]:
    """The layout of a model in no table: from the keys of two families, else halves."""
    if values.model_type:
        return "half_split", (f"the pair layout of {values.shown_type} is not known; half_split is assumed",)
    gpt_j = values.given.get("rotary") is True and values.has("rotary_dim")
    return "interleaved" if gpt_j or values.has("qk_rope_head_dim") else "half_split", ()
