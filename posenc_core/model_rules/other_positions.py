"""Models with fixed sinusoids, biases by distance or learned tables: what each uses, and what its keys mean."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from posenc_core.encodings import (
    CLAMP_LEN,
    MAX_DISTANCE,
    NUM_BUCKETS,
    Alibi,
    Encoding,
    Sinusoidal,
    T5Bias,
    TransformerXLRelative,
)
from posenc_core.encodings import WIDTH as RELATIVE_WIDTH
from posenc_core.fields import D_MODEL, N_HEADS, OFFSET, IntegerField, shortened
from posenc_core.model_rules.facts import Values

SINUSOIDS = "fixed sinusoids"
LEARNED = "a learned table of positions"
ALIBI = "ALiBi biases"
BUCKETS = "biases by buckets of distance"
TRANSFORMER_XL = "Transformer-XL's sinusoids of relative positions"


class Positions(Struct, frozen=True):
    """What a model uses for positions, in words, and what its configuration does not say about that.

    ``heads``: keys of the number of ALiBi's heads, the first one given counts. ``tensor``: how the name of a learned
    table ends, empty for a tensor that is no table. For sinusoids: ``layout``, ``spacing``, ``offset`` as in
    ``Sinusoidal``, None for ``pad_token_id + 1``, and the keys of their width and number.
    """

    uses: str
    heads: tuple[str, ...] = ()
    tensor: str = ""
    layout: str = "concatenated"
    spacing: str = "paper"
    offset: int | None = 0
    width: str = "d_model"
    length: str = "max_position_embeddings"


_BERT, _DECODER = "position_embeddings.weight", "embed_positions.weight"
_DISENTANGLED = "learned vectors for distances, which its scores weigh twice"
_FALCON_HEADS = ("num_attention_heads", "n_head")

# Sources: modeling_<model_type>.py of Hugging Face transformers. Layout and spacing of the sinusoids were compared with
# that code number by number (largest difference 3e-8 for Marian and XLM, 9e-7 for M2M100 and Whisper, whose angles are
# float32). The first token's position is read from transformers 4.44.2: XGLM adds 2 whatever its padding, M2M100, FSMT
# and Speech2Text add pad_token_id + 1.
_OTHERS = {
    "bloom": Positions(ALIBI, heads=("n_head", "num_attention_heads")),
    "mpt": Positions(ALIBI, heads=("n_heads",)),
    **dict.fromkeys(("t5", "mt5", "umt5", "longt5", "switch_transformers"), Positions(BUCKETS)),
    "transfo-xl": Positions(TRANSFORMER_XL),
    **dict.fromkeys(("marian", "pegasus"), Positions(SINUSOIDS)),
    "xlm": Positions(SINUSOIDS, layout="interleaved", width="emb_dim"),
    **dict.fromkeys(("m2m_100", "fsmt"), Positions(SINUSOIDS, spacing="tensor2tensor", offset=None)),
    "xglm": Positions(SINUSOIDS, spacing="tensor2tensor", offset=2),
    "speech_to_text": Positions(SINUSOIDS, spacing="tensor2tensor", offset=None, length="max_source_positions"),
    "whisper": Positions(SINUSOIDS, spacing="tensor2tensor", length="max_source_positions"),
    **dict.fromkeys(
        ("bert", "roberta", "xlm-roberta", "camembert", "distilbert", "albert", "electra"),
        Positions(LEARNED, tensor=_BERT),
    ),
    **dict.fromkeys(("gpt2", "gpt_neo", "gpt_bigcode"), Positions(LEARNED, tensor="wpe.weight")),
    **dict.fromkeys(("bart", "mbart", "opt", "biogpt", "blenderbot"), Positions(LEARNED, tensor=_DECODER)),
    "openai-gpt": Positions(LEARNED, tensor="positions_embed.weight"),
    "vit": Positions(LEARNED),
    "xlnet": Positions("sinusoids of relative positions"),
    "musicgen": Positions("sinusoids with the cosines first"),
    **dict.fromkeys(("deberta", "deberta-v2"), Positions(_DISENTANGLED)),
}

_BY_FACT = {"learned": LEARNED, "sinusoidal": SINUSOIDS, "bias": "biases by distance", "other": "positions of its own"}

_READABLE = (
    "the models that can be read have rotary positions (llama, qwen2, gemma, ...), fixed sinusoids (marian, whisper, "
    "...), T5's buckets, ALiBi (bloom, mpt, falcon) or are transfo-xl"
)
_OPEN_TABLE = "a config.json holds no table: File > Open table opens the model's .safetensors"

_KINDS = {LEARNED: "learned", SINUSOIDS: "sinusoidal", ALIBI: "bias", BUCKETS: "bias", TRANSFORMER_XL: "bias"}


def positions_of(values: Values) -> Positions | None:
    """What the model uses instead of a rotation, None for a rotary and for an unknown model.

    A key that switches ALiBi on is obeyed in Falcon, and Baichuan's larger models have it without a key.
    """
    name = values.model_type
    if name in ("falcon", "RefinedWeb", "RefinedWebModel") and values.find("alibi") is True:
        return Positions(ALIBI, heads=_FALCON_HEADS)
    if name == "baichuan" and values.given.get("hidden_size") == 5120:  # 13B: its code computes ALiBi
        return Positions(ALIBI, heads=_FALCON_HEADS)
    if name == "xlm" and values.given.get("sinusoidal_embeddings") is not True:
        return Positions(LEARNED)
    if values.find("position_embedding_type") == "alibi":
        return Positions(ALIBI, heads=_FALCON_HEADS)
    if name in ("wav2vec2-bert", "wav2vec2-conformer") and values.find("position_embeddings_type") != "rotary":
        return Positions("relative positions of its own")
    if name == "esm" and values.find("position_embedding_type") != "rotary":
        return Positions(LEARNED, tensor=_BERT)
    if name == "esm":
        return None
    if name in _OTHERS:
        return _OTHERS[name]
    uses = _BY_FACT.get(values.facts.positions)
    return None if uses is None else Positions(uses)


def kind_of(positions: Positions, encoding: Encoding | None) -> str:
    """The kind of a ``Layer`` with these positions: only a learned table is not shown and yet supported."""
    kind = _KINDS.get(positions.uses, "unsupported")
    return kind if encoding is not None or kind == "learned" else "unsupported"


def encoding_of(values: Values, positions: Positions) -> Encoding | None:
    """The encoding of a model without rotation, None if its configuration does not determine one."""
    if positions.uses == SINUSOIDS and values.model_type in _OTHERS:
        return _sinusoidal(values.given, positions)
    read = _READERS.get(positions.uses)
    return None if read is None else read(values.given, positions)


def refusal(values: Values, positions: Positions | None) -> str:
    """The sentence for a model whose configuration does not determine its encoding."""
    if not values.model_type:
        return f"this config.json names no model_type, so its positions are unknown; {_READABLE}"
    if positions is None:
        return f"how model_type {values.shown_type} encodes positions is unknown to this version; {_READABLE}"
    if values.model_type == "xlm":
        return f"this xlm model uses a learned table of positions (sinusoidal_embeddings is not true); {_OPEN_TABLE}"
    if positions.uses == LEARNED:
        tensor = f"; the tensor's name ends in {positions.tensor}" if positions.tensor else ""
        return f"model_type {values.shown_type} uses {LEARNED}; {_OPEN_TABLE}{tensor}"
    return f"model_type {values.shown_type} uses {positions.uses}, which this version does not show; {_READABLE}"


def length_key(positions: Positions | None) -> str | None:
    """The key of the number of fixed sinusoids, None for other positions."""
    return positions.length if positions is not None and positions.uses == SINUSOIDS else None


def _sinusoidal(config: Mapping[str, Any], positions: Positions) -> Sinusoidal:
    width, offset = checked(config, positions.width, D_MODEL), positions.offset
    if offset is None:
        padding = replace(OFFSET, minimum=0, maximum=OFFSET.maximum - 1)
        offset = 1 + checked(config, "pad_token_id", padding, default=1)  # these models' own default
    return Sinusoidal(width, layout=positions.layout, spacing=positions.spacing, offset=offset)


def _buckets(config: Mapping[str, Any], positions: Positions) -> Encoding:
    """T5's biases: those of the encoder, with both signs, unless the model is a decoder only."""
    decoder = config.get("is_decoder") is True and config.get("is_encoder_decoder") is not True
    return T5Bias(
        checked(config, "relative_attention_num_buckets", NUM_BUCKETS, NUM_BUCKETS.default),
        checked(config, "relative_attention_max_distance", MAX_DISTANCE, MAX_DISTANCE.default),
        not decoder,
        checked(config, "num_heads", N_HEADS),
    )


def _slopes(config: Mapping[str, Any], positions: Positions) -> Encoding:
    """ALiBi, unless MPT's ``attn_config`` names another encoding; transformers assumes ALiBi where it is missing."""
    attention = config.get("attn_config") if config.get("model_type") == "mpt" else None
    attention = attention if isinstance(attention, Mapping) else {}
    if attention.get("rope") is True:
        raise ValueError("this mpt model uses rotary positions (attn_config.rope), which this version does not read")
    if attention.get("alibi", True) is not True:
        raise ValueError(f"this mpt model uses a learned table of positions (alibi is not true); {_OPEN_TABLE}")
    largest = attention.get("alibi_bias_max", 8)
    if largest != 8:
        raise ValueError(f"alibi_bias_max must be 8, as in ALiBi's paper, got {shortened(largest)}")
    key = next((key for key in positions.heads if config.get(key) is not None), positions.heads[0])
    return Alibi(checked(config, key, N_HEADS))


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


_READERS: dict[str, Callable[[Mapping[str, Any], Positions], Encoding]] = {
    BUCKETS: _buckets,
    ALIBI: _slopes,
    TRANSFORMER_XL: _transformer_xl,
}
