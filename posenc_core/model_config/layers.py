"""The layers of a model as encodings, and the kinds of layers to choose from."""

from collections.abc import Callable

from msgspec.structs import replace

from posenc_core.encodings import Encoding, NoPosition, Rotary
from posenc_core.model_rules import (
    FULL,
    Notes,
    NotShownError,
    Plan,
    PlannedLayer,
    RopeParameters,
    Values,
    changed_rotation,
    default_notes,
    encoding_of,
    head_width,
    integer,
    is_table,
    kind_of,
    parameters_of,
    picture_axes,
    plan_of,
    positions_of,
    refusal,
    rotary_of,
    table_beside,
    table_shape_of,
    windows_told,
)
from posenc_core.rope_scaling import QueryTemperature
from posenc_core.session import Layer

FRAMES_AND_TOKENS = ("whisper", "speech_to_text")
"""Models whose encoder reads frames of sound and whose decoder reads tokens, with positions of one kind or two."""

ROPE_KEYS = (
    "rope_parameters",
    "rope_scaling",
    "rope_theta",
    "rotary_emb_base",
    "rope_embedding_base",
    "rotary_embedding_base",
    "global_rope_theta",
    "rope_local_base_freq",
    "compress_rope_theta",
    "partial_rotary_factor",
    "rotary_pct",
    "rope_pct",
    "rotary",
    "rotary_dim",
    "rotary_ndims",
    "qk_rope_head_dim",
    "head_dim",
)
"""A model with rotary positions has at least one of these keys."""

LEARNED_TEMPERATURE = "mistral_large4_text"
"""The model whose heads multiply queries by a learned factor of their position, in all layers."""

_PICTURES_TOLD = "in pictures pairs turn by time, height and width, which are one number in a text"

_ENOUGH = {"rope_scaling", "head_dim"}
"""Keys that hint at rotary positions even if they are null, unless a ``model_type`` contradicts."""

_FILLED_LENGTH = ("yarn", "llama3", "longrope")
"""Types for which transformers completes the original length of the parameters."""


def check_rotary(values: Values) -> Notes:
    """A note for a model that does not use the rotary keys of its file; ValueError for a file without such keys.

    ValueError also for positions with several axes. A file without ``model_type`` needs only the width of a head.
    """
    other = positions_of(values)
    if other is not None and not has_rotary_keys(values):
        raise ValueError(f"model_type {values.shown_type} uses {other.uses}, not rotary positions")
    if values.facts.positions == "rotary_axes":
        raise NotShownError(axes_sentence(values))
    if other is not None:
        return (
            f"model_type {values.shown_type} uses {other.uses}: its code does not use the rotary keys of this file",
        )
    if not values.facts.positions and not has_rotary_keys(values) and not values.given.keys() & _ENOUGH:
        raise ValueError(
            "this config has none of the keys of rotary positions (rope_theta, rope_scaling, rope_parameters, "
            "rotary_pct, rotary_dim, ...)"
        )
    return ()


def has_rotary_keys(values: Values) -> bool:
    """Whether a key of rotary positions has a value."""
    return any(values.has(key) and values.given[key] is not False for key in ROPE_KEYS if key != "head_dim")


def axes_sentence(values: Values) -> str:
    """The sentence on a model whose positions have several axes."""
    axes = values.facts.axes or ("height", "width")
    counted = {2: "two", 3: "three", 4: "four"}.get(len(axes), str(len(axes)))
    named = f"{', '.join(axes[:-1])} and {axes[-1]}"
    told = f"the positions of model_type {values.shown_type} have {counted} axes, {named}: their rotation is not shown"
    return "; ".join(filter(None, (told, table_beside(values))))


def _axes_told(values: Values) -> str:
    """The sentence on a vision part whose encoding is shown."""
    frame = "the frame, " if "time" in values.facts.axes else ""
    told = f"pairs turn by {frame}the row and the column of a patch"
    told += ", and by the number of a token of text" if "text" in values.facts.axes else ""
    return "; ".join(filter(None, (told, table_beside(values))))


def _input_of(values: Values) -> str:
    """The pieces represented by the vectors before the first layer, as owner's words; both where there are two."""
    if values.model_type in FRAMES_AND_TOKENS:
        return "frames' and tokens'"
    return f"{values.facts.reads or 'tokens'}'"


def layers_of(values: Values) -> tuple[tuple[Layer, ...], Notes]:
    """The encoding of each layer, with equal layers as one object, and notes on the layers.

    ValueError with one sentence for an unknown model.
    """
    other = positions_of(values)
    if other is None and values.facts.positions != "rotary_axes":
        check_known(values)
        return _rotating(values)
    encoding: Encoding | None = picture_axes(values) if other is None else None
    kind, sentence = ("unsupported", axes_sentence(values)) if encoding is None else ("rotary", _axes_told(values))
    shape = None if other is None else table_shape_of(values, other)
    if other is not None:
        encoding = encoding_of(values, other)
        kind, sentence = kind_of(other, encoding), f"model_type {values.shown_type} uses {other.uses}"
        if is_table(other) or other.shown == "sinusoids":
            sentence += f", added to the {_input_of(values)} vectors before the first layer"
        elif encoding is None:
            sentence = refusal(values, other)
    if shape is not None:
        n_rows, n_columns = shape
        sentence += (
            f"; its numbers are in the weights: the panels show an untrained table of {n_rows:,} x {n_columns:,}"
        )
    if other is not None and not other.counted:
        return (Layer(kind, encoding, sentence=sentence, table_shape=shape),), ()
    without = {**values.given, **dict.fromkeys(ROPE_KEYS)}  # the model's code does not use them
    plan = plan_of(replace(values, given=without))
    windows = windows_told(values, len(plan.layers))

    def made(planned: PlannedLayer) -> Layer:
        if not planned.attends:
            return _without_attention(planned)
        told = "; ".join(part for part in (sentence, planned.reason, windows) if part)
        layer = Layer(kind, encoding, temperature=_temperature(values, planned), sentence=told, table_shape=shape)
        return _seeing(planned, layer)

    layers, notes = _interned(plan, made)
    return layers, (*notes, *(default_notes(values, other) if other is not None else ()))


def check_known(values: Values) -> None:
    """ValueError with one sentence for a model whose positions are not known, or have several axes."""
    if values.facts.positions == "rotary_axes":
        raise NotShownError(axes_sentence(values))
    is_other = "_class_name" in values.given  # a class of diffusers, most of which rotate by several axes
    if not values.facts.positions and (
        is_other or (not has_rotary_keys(values) and "rope_scaling" not in values.given)
    ):
        raise ValueError(refusal(values, None))


def _rotating(values: Values) -> tuple[tuple[Layer, ...], Notes]:
    plan = plan_of(values)
    windows = windows_told(values, len(plan.layers))

    def made(planned: PlannedLayer) -> Layer:
        layer = _layer(values, planned)
        return replace(layer, sentence=f"{layer.sentence}; {windows}") if windows else layer

    return _interned(plan, made)


def _interned(plan: Plan, make: Callable[[PlannedLayer], Layer]) -> tuple[tuple[Layer, ...], Notes]:
    """A layer for each planned one, equal ones being one object, and the notes of the plan."""
    distinct: dict[int, Layer] = {}  # a plan has one object for planned layers that are equal
    alike = len({planned.layer_type for planned in plan.layers}) == 1
    for planned in plan.layers:
        if id(planned) not in distinct:
            made = make(planned)
            made = replace(made, layer_type=None) if alike else made
            distinct[id(planned)] = next((layer for layer in distinct.values() if layer == made), made)
    return tuple(distinct[id(planned)] for planned in plan.layers), plan.notes


def _without_attention(planned: PlannedLayer) -> Layer:
    return Layer("none", layer_type=planned.layer_type, sentence=planned.reason)


def _layer(values: Values, planned: PlannedLayer) -> Layer:
    if not planned.attends:
        return _without_attention(planned)
    kind = "none"
    encoding: Encoding = no_position(values)
    temperature, told = _temperature(values, planned), planned.reason
    if planned.rotates:
        try:
            kind, rotary = "rotary", rotary_at(values, planned, None)
            encoding = changed_rotation(values, rotary)
        except NotShownError as error:
            return Layer("unsupported", layer_type=planned.layer_type, sentence=str(error))
        rope = parameters_at(values, planned)
        temperature = temperature or _ministral_temperature(values, rope)
        pictures = "" if encoding.cells is None else _PICTURES_TOLD
        told = "; ".join(part for part in (told, _rotation_sentence(rope, rotary), pictures) if part)
    elif values.model_type == LEARNED_TEMPERATURE:
        told = f"{told}; each head scales its queries by their position, as in layers that rotate"
    return _seeing(planned, Layer(kind, encoding, None, None, temperature, None, told))


def _seeing(planned: PlannedLayer, layer: Layer) -> Layer:
    """The layer with the type and the reach of the planned one."""
    reach = planned.reach
    sizes = {"window": reach.window, "ahead": reach.ahead, "chunk": reach.chunk}
    return replace(layer, layer_type=planned.layer_type, compressed=reach.compressed, chosen=reach.chosen, **sizes)


def no_position(values: Values) -> NoPosition:
    """The encoding of a layer that does not rotate, with the width of a head if known."""
    width = head_width(values)
    return NoPosition() if width is None else NoPosition(width)


def _rotation_sentence(rope: RopeParameters, encoding: Rotary) -> str:
    scaled = f", {rope.source} is of type {rope.rope_type!r}" if rope.rope_type not in ("default", "mrope") else ""
    return f"the base is {encoding.rope_theta:,.10g}{scaled}: {_columns(rope, encoding)}"


def _columns(rope: RopeParameters, encoding: Rotary) -> str:
    """Columns of a head that rotate, and the number of columns without position beside them."""
    turning, width = encoding.n_columns, encoding.head_dim
    beside = rope.values.find("qk_nope_head_dim")
    if type(beside) is int and beside > 0 and rope.values.find("qk_rope_head_dim") == width:
        return f"the {turning} rotary columns of a head turn, beside {beside} without position (qk_nope_head_dim)"
    still = int((encoding.pairs.frequencies == 0).sum())
    if still:
        half, pairs = turning // 2, encoding.pairs.n_pairs - still
        where = f"columns 0-{pairs - 1} and {half}-{half + pairs - 1}"
        return f"{pairs} pairs turn ({where}), {still} do not turn"
    return f"{'all' if turning == width else f'{turning} of the'} {width} columns of a head rotate"


def _temperature(values: Values, planned: PlannedLayer) -> QueryTemperature | None:
    """The factor of the layer's queries by their position, except factors in rotary parameters."""
    if values.find("attn_temperature_tuning") and not planned.rotates:
        return _tuned(values, "llama4", "attn_scale", "floor_scale")
    if values.find("log_scaling_n_floor") is not None and planned.layer_type in ("hybrid", FULL):
        return _tuned(values, "inkling", "log_scaling_alpha", "log_scaling_n_floor")
    if values.model_type == "beam" and planned.layer_type == FULL:
        return QueryTemperature("beam")
    if values.find("use_logn_attn") is True and values.find("seq_length") is not None:
        return QueryTemperature("log-n", {"trained_length": integer(values, "seq_length", 2)})
    if values.find("attn_temperature_len") not in (None, -1) and not values.facts.source:
        return _tuned(values, "grok", "attn_temperature_len")
    return None


def _tuned(values: Values, rule: str, *keys: str) -> QueryTemperature:
    given = {key: values.find(key) for key in keys if values.find(key) is not None}
    try:
        return QueryTemperature(rule, given)
    except TypeError as error:
        raise ValueError(str(error)) from None


def _ministral_temperature(values: Values, rope: RopeParameters) -> QueryTemperature | None:
    beta, original = "llama_4_scaling_beta", "original_max_position_embeddings"
    given = {key: rope.find(key) for key in (beta, original)}
    if given[original] is None and rope.rope_type in _FILLED_LENGTH:
        given[original] = values.find("max_position_embeddings")
    if not values.reads("beta") or any(value is None for value in given.values()):
        return None
    return QueryTemperature("ministral3", given)


def parameters_at(values: Values, planned: PlannedLayer) -> RopeParameters:
    """The rotary parameters of a planned layer, as the model's class makes them of the file."""
    rope = parameters_of(values.at(dict(planned.overrides)), planned.label)
    return rope if planned.theta is None else replace(rope, rope_theta=planned.theta, notes=())


def rotary_at(values: Values, planned: PlannedLayer, seq_len: int | None, notes: Notes = ()) -> Rotary:
    """The rotary encoding of a planned layer, ``notes`` first among its warnings."""
    rope = parameters_at(values, planned)
    return rotary_of(replace(rope, notes=(*notes, *rope.notes)), seq_len, planned.layer_type)
