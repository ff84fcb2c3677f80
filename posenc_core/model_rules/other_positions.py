"""Models with fixed sinusoids, biases by distance or learned tables: the encoding and the keys of each."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from posenc_core.encodings import (
    CLAMP_LEN,
    MAX_DISTANCE,
    NUM_BUCKETS,
    Alibi,
    Encoding,
    Fire,
    Kerple,
    Sandwich,
    SimulatedMlp,
    Sinusoidal,
    T5Bias,
    TransformerXLRelative,
)
from posenc_core.encodings import WIDTH as RELATIVE_WIDTH
from posenc_core.fields import D_MODEL, N_HEADS, OFFSET, IntegerField
from posenc_core.model_rules.facts import Notes, Positions, Values
from posenc_core.model_rules.table_rows import rows_beside_tokens
from posenc_core.model_rules.widths import WIDTHS
from posenc_core.tables import N_ROWS

SINUSOIDS = "fixed sinusoids"
LEARNED = "a learned table of positions"
ALIBI = "ALiBi biases"

_BY_FACT = {"learned": LEARNED, "sinusoidal": SINUSOIDS, "bias": "biases by distance", "other": "positions of its own"}
_FALCON = Positions(ALIBI, "slopes", heads=("num_attention_heads", "n_head"))

_ROWS = ("n_positions", "max_position_embeddings", "max_target_positions", "n_ctx", "block_size")
"""The keys of a table's rows, in the order to look for them; Bark's is ``block_size``, BigBird's is none."""


_READABLE = (
    "the models that can be read have rotary positions (llama, qwen2, gemma, ...), fixed sinusoids (marian, whisper, "
    "...), T5's buckets, ALiBi (bloom, mpt, falcon) or are transfo-xl"
)
_OPEN_TABLE = "a config.json has no table: File > Open table opens the model's .safetensors"

_HEADS = ("num_attention_heads", "n_head")
_BY_KEY = {
    "alibi": _FALCON,
    "kerple": Positions("Kerple biases", "kerple", heads=_HEADS),
    "sandwich": Positions("Sandwich biases", "sandwich", heads=_HEADS),
    "fire": Positions("FIRE biases", "fire", heads=_HEADS),
}
"""By the value of position_embedding_type, as in NeMo and Megatron."""

_KINDS = {
    "sinusoids": "sinusoidal",
    **dict.fromkeys(("slopes", "buckets", "transformer_xl", "kerple", "sandwich", "fire"), "bias"),
}


_NUMBERS = {"buckets": ("relative_attention_num_buckets", "relative_attention_max_distance")}
"""The keys of an encoding's numbers beside those of heads, by the encoding."""


def positions_of(values: Values) -> Positions | None:
    """Positions of the model instead of a rotation, None for a rotary and for an unknown model.

    Falcon reads a key that switches ALiBi on; Baichuan's larger models have ALiBi without a key.
    """
    name = values.model_type
    if name in ("falcon", "RefinedWeb", "RefinedWebModel") and values.find("alibi") is True:
        return _FALCON
    if name == "baichuan" and values.given.get("hidden_size") == 5120:  # 13B: its code computes ALiBi
        return _FALCON
    named = values.find("position_embedding_type")
    if isinstance(named, str) and named in _BY_KEY:
        return _BY_KEY[named]
    facts = values.facts
    if facts.rotary_if and all(values.find(key) == value for key, value in facts.rotary_if.items()):
        return None
    variant = next((each.told for each in facts.variants if each.keys.items() <= values.given.items()), None)
    uses = _BY_FACT.get(facts.positions)
    return variant or facts.told or (None if uses is None else Positions(uses))


def kind_of(positions: Positions, encoding: Encoding | None) -> str:
    """The kind of a ``Layer`` with these positions: only a learned table is not shown and yet supported."""
    if encoding is None:
        return "learned" if is_table(positions) else "unsupported"
    return _KINDS[positions.shown]


def is_table(positions: Positions) -> bool:
    """Whether the model adds the rows of a table in its weights."""
    return positions.uses == LEARNED or bool(positions.tensor)


def encoding_of(values: Values, positions: Positions) -> Encoding | None:
    """The encoding of a model without rotation, None if its configuration does not determine one."""
    read = _READERS.get(positions.shown)
    return None if read is None else read({**_defaults(values, positions), **values.given}, positions)


def _defaults(values: Values, positions: Positions) -> Mapping[str, Any]:
    """The class's values of keys that the file leaves out; a head count has several names, of which one is enough."""
    named = positions.heads if values.has(*positions.heads) else ()
    return {key: each for key, each in values.facts.defaults.items() if key not in named and key not in values.given}


def default_notes(values: Values, positions: Positions) -> Notes:
    """A note on each number of the encoding that the file leaves out and its class has."""
    keys = (*positions.heads, *_NUMBERS.get(positions.shown, ()))
    if positions.shown == "sinusoids":
        keys = (positions.width, *["pad_token_id"] * (positions.offset is None))
    defaults = _defaults(values, positions)
    taken = f"is taken, the default of model_type {values.shown_type}"
    return tuple(f"the config gives no {key}: {defaults[key]} {taken}" for key in keys if key in defaults)


def table_shape_of(values: Values, positions: Positions) -> tuple[int, int] | None:
    """The rows and columns of the learned table that a model adds, None if its configuration omits them."""
    if not is_table(positions):
        return None
    own_rows = values.exception("table_rows")
    n_rows = next((values.find(key) for key in ((own_rows,) if own_rows else _ROWS) if values.has(key)), None)
    own = values.exception("table_width")
    n_columns = values.find(own) if own else next((values.find(key) for key, _ in WIDTHS if values.has(key)), None)
    try:
        return N_ROWS.check(N_ROWS.check(n_rows) + rows_beside_tokens(values)), D_MODEL.check(n_columns)
    except (TypeError, ValueError):
        return None


def refusal(values: Values, positions: Positions | None) -> str:
    """The sentence for a model whose configuration does not determine its encoding."""
    if not values.model_type:
        return f"this config.json names no model_type, so its positions are unknown; {_READABLE}"
    if positions is None:
        return f"how model_type {values.shown_type} encodes positions is unknown to this version; {_READABLE}"
    told = f"model_type {values.shown_type} uses {positions.uses}"
    if positions.shown == "nothing":
        return f"{told}: there is nothing to show"
    if is_table(positions):
        tensor = f"; the tensor's name ends in {positions.tensor}" if positions.tensor else ""
        return f"{told}; {_OPEN_TABLE}{tensor}"
    return f"{told}, which this version does not show"


def length_key(positions: Positions | None) -> str | None:
    """The key of the number of fixed sinusoids, None for other positions."""
    return positions.length or None if positions is not None and positions.shown == "sinusoids" else None


def _sinusoidal(config: Mapping[str, Any], positions: Positions) -> Sinusoidal:
    width, offset = checked(config, positions.width, D_MODEL), positions.offset
    if offset is None:
        padding = replace(OFFSET, minimum=0, maximum=OFFSET.maximum - 1)
        offset = 1 + checked(config, "pad_token_id", padding, default=1)  # these models' own default
    return Sinusoidal(width, layout=positions.layout, spacing=positions.spacing, offset=offset)


def _buckets(config: Mapping[str, Any], positions: Positions) -> Encoding:
    """T5's biases: the encoder's, with both signs, unless the model is only a decoder."""
    decoder = positions.one_sided or (config.get("is_decoder") is True and config.get("is_encoder_decoder") is not True)
    return T5Bias(
        checked(config, "relative_attention_num_buckets", NUM_BUCKETS, NUM_BUCKETS.default),
        checked(config, "relative_attention_max_distance", MAX_DISTANCE, MAX_DISTANCE.default),
        not decoder,
        checked(config, positions.heads[0], N_HEADS),
    )


def _slopes(config: Mapping[str, Any], positions: Positions) -> Encoding:
    """ALiBi, unless MPT's ``attn_config`` names another encoding; transformers assumes ALiBi if it is missing.

    Its ``alibi_bias_max`` is not read by transformers 5.23.0, ``MptModel.forward``, whose slopes are those of 8.
    """
    attention = config.get("attn_config") if config.get("model_type") == "mpt" else None
    attention = attention if isinstance(attention, Mapping) else {}
    if attention.get("rope") is True:
        raise ValueError("this mpt model uses rotary positions (attn_config.rope), which this version does not read")
    if attention.get("alibi", True) is not True:
        raise ValueError(f"this mpt model uses a learned table of positions (alibi is not true); {_OPEN_TABLE}")
    return Alibi(_heads(config, positions))


def _transformer_xl(config: Mapping[str, Any], positions: Positions) -> Encoding:
    clamp = config.get("clamp_len")
    unclamped = clamp is None or (type(clamp) is int and clamp <= 0)
    return TransformerXLRelative(
        checked(config, "d_model", RELATIVE_WIDTH),
        clamp_len=None if unclamped else checked(config, "clamp_len", CLAMP_LEN.of),
    )


def checked(config: Mapping[str, Any], key: str, field: Any, default: int | None = None) -> int:
    """The number under the key within the field's bounds; ValueError with a sentence that names the key."""
    assert isinstance(field, IntegerField)
    if key not in config and default is not None:
        return default
    if key not in config:
        raise ValueError(f"this config.json has no {key}")
    try:
        return replace(field, spoken=key).check(config[key])
    except TypeError as error:
        raise ValueError(str(error)[:120]) from None


def _heads(config: Mapping[str, Any], positions: Positions) -> int:
    """The number of heads under the first key that the file has."""
    key = next((key for key in positions.heads if config.get(key) is not None), positions.heads[0])
    return checked(config, key, N_HEADS)


_READERS: dict[str, Callable[[Mapping[str, Any], Positions], Encoding]] = {
    "sinusoids": _sinusoidal,
    "slopes": _slopes,
    "buckets": _buckets,
    "transformer_xl": _transformer_xl,
    "kerple": lambda config, positions: Kerple(n_heads=_heads(config, positions)),
    "sandwich": lambda config, positions: Sandwich(n_heads=_heads(config, positions)),
    # as at the start of training, with a simulated network: the file has no weights
    "fire": lambda config, positions: Fire(mlp=SimulatedMlp(_heads(config, positions))),
}
