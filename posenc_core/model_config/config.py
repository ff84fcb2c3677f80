"""Files of models: what a Hugging Face ``config.json`` says about positions."""

import json
from collections.abc import Callable, Mapping
from typing import Any

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
from posenc_core.fields import D_MODEL, N_HEADS, OFFSET, SEQ_LEN, IntegerField
from posenc_core.model_config.registry import OTHERS, SINUSOIDS, TABLES, Sinusoids
from posenc_core.model_config.rope import rope_from_config
from posenc_core.model_config.rope_form import has_rotary_keys, is_rotary, layer_names
from posenc_core.session import Document

MAXIMUM_BYTES = 4 * 2**20
"""A config.json has a few kilobytes, or two megabytes where it names twenty thousand labels."""

_DEEPEST = 100
"""How many objects and lists may stand within each other; a model's configuration needs five."""


def document_from_config(text: bytes | str, document: Document, *, layer_type: str | None = None) -> Document:
    """The document with the encoding of the model of a config.json; its ``warnings`` say what is surprising.

    Read are all models with rotary positions (``rope_from_config``; ``layer_type`` chooses among those of
    ``layer_types``), those with fixed sinusoids (``config_models``), with T5's buckets (t5, mt5, umt5, longt5,
    switch_transformers), with ALiBi (bloom, mpt, falcon) and transfo-xl. The number of positions is taken from models
    with fixed sinusoids, whose table ends there; otherwise it stays. ValueError with one plain sentence for every
    other model, which says what it uses where that is known, and for anything but such a file.
    """
    config = _parsed(text)
    try:
        return _read(config, document, layer_type)
    except TypeError as error:
        raise ValueError(str(error)) from None


def layer_types(text: bytes | str) -> tuple[str, ...]:
    """The layer types that the config.json has positions of their own for, empty where all layers have the same.

    ValueError with one plain sentence for anything but such a file.
    """
    config = _parsed(text)
    return layer_names(config) if is_rotary(config) else ()


def _read(config: dict[str, Any], document: Document, layer_type: str | None) -> Document:
    model = config.get("model_type")
    read = _READ.get(model) if isinstance(model, str) else None
    if read is not None and (config.get("alibi") is True or not has_rotary_keys(config)):
        return document.with_encoding(read(config))
    if is_rotary(config):
        return document.with_encoding(rope_from_config(config, document.seq_len, layer_type))
    if not isinstance(model, str) or not model:
        raise ValueError(f"this config.json names no model_type, so its positions are unknown; {_READABLE}")
    if model not in SINUSOIDS or _is_learned(config):
        raise ValueError(_not_readable(model, config))
    kind = SINUSOIDS[model]
    with_sinusoids = document.with_encoding(_sinusoidal(config, kind))
    if config.get(kind.length) is None:
        return with_sinusoids
    return with_sinusoids.edited(SEQ_LEN.name, _whole(config, kind.length, SEQ_LEN))


def _parsed(text: bytes | str) -> dict[str, Any]:
    if len(text) > MAXIMUM_BYTES:
        raise ValueError(f"this is no model's config.json: it is larger than {MAXIMUM_BYTES // 2**20} MB")
    try:
        config = json.loads(text)
    except json.JSONDecodeError as error:
        problem = f"{error.msg[:1].lower()}{error.msg[1:]} in line {error.lineno}"
        raise ValueError(f"this is no model's config.json: it is no JSON ({problem})") from None
    except (ValueError, RecursionError):  # not UTF-8, a number of thousands of digits, a thousand brackets
        raise ValueError("this is no model's config.json: it is no JSON that can be read") from None
    if not isinstance(config, dict):
        raise ValueError("this is no model's config.json: it holds no object with names and values")
    if _depth_reaches(config, _DEEPEST):
        raise ValueError(f"this is no model's config.json: its parts are nested more than {_DEEPEST} deep")
    return config


def _depth_reaches(config: dict[str, Any], limit: int) -> bool:
    """Whether objects and lists stand within each other more than ``limit`` deep."""
    level: list[Any] = [config]
    for _ in range(limit):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def _is_learned(config: Mapping[str, Any]) -> bool:
    """Whether it is an xlm with a learned table, which one key decides."""
    return config.get("model_type") == "xlm" and config.get("sinusoidal_embeddings") is not True


def _not_readable(model: str, config: Mapping[str, Any]) -> str:
    """The sentence for a model whose encoding its config does not hold."""
    if _is_learned(config):
        return f"this xlm model uses a learned table of positions (sinusoidal_embeddings is not true); {_OPEN_TABLE}"
    if model in TABLES:
        tensor = f"; the tensor's name ends in {TABLES[model]}" if TABLES[model] else ""
        return f"model_type {model!r} uses a learned table of positions; {_OPEN_TABLE}{tensor}"
    if model in OTHERS:
        return f"model_type {model!r} uses {OTHERS[model]}, which this version does not show; {_READABLE}"
    name = f"{model!r}" if len(model) <= 32 else f"{model[:29]!r}..."
    return f"how model_type {name} encodes positions is unknown to this version; {_READABLE}"


def _sinusoidal(config: Mapping[str, Any], kind: Sinusoids) -> Sinusoidal:
    return Sinusoidal(
        d_model=_whole(config, kind.width, D_MODEL),
        layout=kind.layout,
        spacing=kind.spacing,
        offset=_offset(config, kind),
    )


def _offset(config: Mapping[str, Any], kind: Sinusoids) -> int:
    if kind.offset is not None:
        return kind.offset
    if "pad_token_id" not in config:
        return 2  # the default of these models' pad_token_id is 1
    padding = replace(OFFSET, minimum=0, maximum=OFFSET.maximum - 1)
    return _whole(config, "pad_token_id", padding) + 1


def _buckets(config: Mapping[str, Any]) -> Encoding:
    """T5's: the encoder's, whose buckets hold both signs, unless the model is a decoder alone."""
    decoder = config.get("is_decoder") is True and config.get("is_encoder_decoder") is not True
    return T5Bias(
        _whole(config, "relative_attention_num_buckets", NUM_BUCKETS, NUM_BUCKETS.default),
        _whole(config, "relative_attention_max_distance", MAX_DISTANCE, MAX_DISTANCE.default),
        not decoder,
        _whole(config, "num_heads", N_HEADS),
    )


def _slopes(*keys: str) -> Callable[[Mapping[str, Any]], Encoding]:
    """ALiBi for as many heads as the first of the keys says that is there."""

    def read(config: Mapping[str, Any]) -> Encoding:
        key = next((key for key in keys if config.get(key) is not None), keys[0])
        return Alibi(_whole(config, key, N_HEADS))

    return read


def _mpt(config: Mapping[str, Any]) -> Encoding:
    """ALiBi, unless ``attn_config`` says otherwise: transformers takes it for granted, Mosaic's own files name it."""
    attention = config.get("attn_config")
    attention = attention if isinstance(attention, Mapping) else {}
    if attention.get("rope") is True:
        raise ValueError("this mpt model uses rotary positions (attn_config.rope), which this version does not read")
    if attention.get("alibi", True) is not True:
        raise ValueError(f"this mpt model uses a learned table of positions (alibi is not true); {_OPEN_TABLE}")
    largest = attention.get("alibi_bias_max", 8)
    if largest != 8:
        raise ValueError(f"alibi_bias_max must be 8, as in ALiBi's paper, got {str(largest)[:32]}")
    return _slopes("n_heads")(config)


def _falcon(config: Mapping[str, Any]) -> Encoding:
    """ALiBi where the key ``alibi`` says so; otherwise the model is rotary, even where no key says so."""
    if config.get("alibi") is True:
        return _slopes("num_attention_heads", "n_head")(config)
    return rope_from_config({"rope_scaling": None, **config})


def _transformer_xl(config: Mapping[str, Any]) -> Encoding:
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


_READ: dict[str, Callable[[Mapping[str, Any]], Encoding]] = {
    **dict.fromkeys(("t5", "mt5", "umt5", "longt5", "switch_transformers"), _buckets),
    "bloom": _slopes("n_head", "num_attention_heads"),
    "mpt": _mpt,
    "falcon": _falcon,
    "transfo-xl": _transformer_xl,
}
"""Models whose keys give an encoding of their own, unless those of rotary positions are there."""

_READABLE = (
    "the models that can be read have rotary positions (llama, qwen2, gemma, ...), fixed sinusoids (marian, whisper, "
    "...), T5's buckets, ALiBi (bloom, mpt, falcon) or are transfo-xl"
)
_OPEN_TABLE = "a config.json holds no table: File > Open table opens the model's .safetensors"
