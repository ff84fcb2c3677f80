"""A model's files: what a Hugging Face ``config.json`` says about positions."""

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
from posenc_core.fields import D_MODEL, N_HEADS, OFFSET, SEQ_LEN, IntegerField, decode_json, is_deeper, shortened
from posenc_core.model_config.registry import ALIBI, BUCKETS, LEARNED, SINUSOIDS, TRANSFORMER_XL, Model, model_of
from posenc_core.model_config.rope import rope_from_config
from posenc_core.model_config.rope_form import has_rotary_keys, is_rotary, layer_names
from posenc_core.session import Document

MAXIMUM_BYTES = 4 * 2**20
"""A config.json has some kilobytes, or two megabytes with twenty thousand labels."""

_DEEPEST = 100
"""Levels of nested objects and lists; a model's configuration has about five."""

_NO_CONFIG = "this is no model's config.json: it"


class ModelConfig(Struct, frozen=True):
    """A model's ``config.json``, parsed once: its names and values."""

    values: dict[str, Any]

    @classmethod
    def parse(cls, text: bytes | str) -> "ModelConfig":
        """The configuration in a text; ValueError with one sentence for any other text."""
        if len(text) > MAXIMUM_BYTES:
            raise ValueError(f"{_NO_CONFIG} is larger than {MAXIMUM_BYTES // 2**20} MB")
        values = decode_json(text, _NO_CONFIG, non_finite=True)
        if is_deeper(values, _DEEPEST):
            raise ValueError(f"this is no model's config.json: its parts are nested more than {_DEEPEST} deep")
        return cls(values)

    @property
    def layer_types(self) -> tuple[str, ...]:
        """The layer types that have positions of their own, empty where all layers have the same."""
        return layer_names(self.values) if is_rotary(self.values) else ()

    def shown_in(self, document: Document, layer_type: str | None = None) -> Document:
        """The document with the encoding of this model; its ``warnings`` say what is surprising.

        All models with rotary positions are read (``rope_from_config``; ``layer_type`` is one of ``layer_types``), and
        those of ``registry.MODELS`` with fixed sinusoids, T5's buckets, ALiBi or Transformer-XL's positions. The
        number of positions is taken from models with fixed sinusoids, whose table ends there; otherwise it stays.
        ValueError with one sentence for every other model, which says what it uses where that is known.
        """
        try:
            return _shown(self.values, document, layer_type)
        except TypeError as error:
            raise ValueError(str(error)) from None


def _shown(config: dict[str, Any], document: Document, layer_type: str | None) -> Document:
    model = model_of(config)
    read = _READERS.get(model.uses) if model is not None else None
    if model is not None and read is not None and (config.get("alibi") is True or not has_rotary_keys(config)):
        return document.with_encoding(read(config, model))
    if is_rotary(config):
        return document.with_encoding(rope_from_config(config, document.seq_len, layer_type))
    if model is None or model.uses != SINUSOIDS or _is_learned(config):
        raise ValueError(_not_readable(config, model))
    with_sinusoids = document.with_encoding(_sinusoidal(config, model))
    if config.get(model.length) is None:
        return with_sinusoids
    return with_sinusoids.edited(SEQ_LEN.name, _whole(config, model.length, SEQ_LEN))


def _is_learned(config: Mapping[str, Any]) -> bool:
    """Whether the model is an xlm with a learned table, according to one key."""
    return config.get("model_type") == "xlm" and config.get("sinusoidal_embeddings") is not True


def _not_readable(config: Mapping[str, Any], model: Model | None) -> str:
    """The sentence for a model whose config does not determine its encoding."""
    name = config.get("model_type")
    if not isinstance(name, str) or not name:
        return f"this config.json names no model_type, so its positions are unknown; {_READABLE}"
    if _is_learned(config):
        return f"this xlm model uses a learned table of positions (sinusoidal_embeddings is not true); {_OPEN_TABLE}"
    if model is None:
        shown = f"{name!r}" if len(name) <= 32 else f"{name[:29]!r}..."
        return f"how model_type {shown} encodes positions is unknown to this version; {_READABLE}"
    if model.uses == LEARNED:
        tensor = f"; the tensor's name ends in {model.tensor}" if model.tensor else ""
        return f"model_type {name!r} uses {LEARNED}; {_OPEN_TABLE}{tensor}"
    return f"model_type {name!r} uses {model.uses}, which this version does not show; {_READABLE}"


def _sinusoidal(config: Mapping[str, Any], model: Model) -> Sinusoidal:
    width, offset = _whole(config, model.width, D_MODEL), model.offset
    if offset is None:
        padding = replace(OFFSET, minimum=0, maximum=OFFSET.maximum - 1)
        offset = 1 + _whole(config, "pad_token_id", padding, default=1)  # these models' own default
    return Sinusoidal(width, layout=model.layout, spacing=model.spacing, offset=offset)


def _buckets(config: Mapping[str, Any], model: Model) -> Encoding:
    """T5's biases: those of the encoder, with both signs, unless the model is a decoder only."""
    decoder = config.get("is_decoder") is True and config.get("is_encoder_decoder") is not True
    return T5Bias(
        _whole(config, "relative_attention_num_buckets", NUM_BUCKETS, NUM_BUCKETS.default),
        _whole(config, "relative_attention_max_distance", MAX_DISTANCE, MAX_DISTANCE.default),
        not decoder,
        _whole(config, "num_heads", N_HEADS),
    )


def _slopes(config: Mapping[str, Any], model: Model) -> Encoding:
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
    key = next((key for key in model.heads if config.get(key) is not None), model.heads[0])
    return Alibi(_whole(config, key, N_HEADS))


def _transformer_xl(config: Mapping[str, Any], model: Model) -> Encoding:
    clamp = config.get("clamp_len")
    unclamped = clamp is None or (type(clamp) is int and clamp <= 0)
    return TransformerXLRelative(
        _whole(config, "d_model", RELATIVE_WIDTH),
        clamp_len=None if unclamped else _whole(config, "clamp_len", CLAMP_LEN.of),
    )


def _whole(config: Mapping[str, Any], key: str, field: Any, default: int | None = None) -> int:
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


_READERS: dict[str, Callable[[Mapping[str, Any], Model], Encoding]] = {
    BUCKETS: _buckets,
    ALIBI: _slopes,
    TRANSFORMER_XL: _transformer_xl,
}
"""By ``Model.uses``: the function that reads the keys of a model without keys of rotary positions."""

_READABLE = (
    "the models that can be read have rotary positions (llama, qwen2, gemma, ...), fixed sinusoids (marian, whisper, "
    "...), T5's buckets, ALiBi (bloom, mpt, falcon) or are transfo-xl"
)
_OPEN_TABLE = "a config.json holds no table: File > Open table opens the model's .safetensors"
