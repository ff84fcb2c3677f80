"""Files of models: what a Hugging Face ``config.json`` says about positions."""

import json
from dataclasses import dataclass, replace
from typing import Any

from posenc_core.document import SEQ_LEN, Document
from posenc_core.encodings import Sinusoidal
from posenc_core.fields import D_MODEL, OFFSET, IntegerField

MAXIMUM_BYTES = 4 * 2**20
"""A config.json has a few kilobytes, or two megabytes where it names twenty thousand labels."""

PADDING = "padding"
"""The first token is at position ``pad_token_id + 1``."""


@dataclass(frozen=True)
class _Sinusoids:
    """How a kind of model makes its positions, and what its configuration calls width and length."""

    layout: str
    spacing: str
    offset: int | str = 0
    width: str = "d_model"
    length: str = "max_position_embeddings"


# Layout and spacing were compared with the models' own code, number by number (largest difference 3e-8 for
# Marian and XLM, 9e-7 for M2M100 and Whisper, whose angles are float32). Where the first token stands is read
# from transformers 4.44.2: XGLM adds 2 whatever its padding, M2M100, FSMT and Speech2Text pad_token_id + 1.
_KNOWN = {
    "marian": _Sinusoids("concatenated", "paper"),
    "pegasus": _Sinusoids("concatenated", "paper"),
    "xlm": _Sinusoids("interleaved", "paper", width="emb_dim"),
    "m2m_100": _Sinusoids("concatenated", "tensor2tensor", PADDING),
    "fsmt": _Sinusoids("concatenated", "tensor2tensor", PADDING),
    "xglm": _Sinusoids("concatenated", "tensor2tensor", 2),
    "speech_to_text": _Sinusoids("concatenated", "tensor2tensor", PADDING, length="max_source_positions"),
    "whisper": _Sinusoids("concatenated", "tensor2tensor", length="max_source_positions"),
}

_ROTARY_KEYS = (
    "rope_theta",
    "rope_scaling",
    "rope_parameters",
    "rope_local_base_freq",
    "rotary",
    "rotary_dim",
    "rotary_pct",
    "rotary_emb_base",
    "rotary_value",
    "partial_rotary_factor",
    "qk_rope_head_dim",
)

_ROTARY, _LEARNED, _ALIBI = "rotary positions", "a learned table of positions", "ALiBi biases"
_OTHERS = {
    **dict.fromkeys(("llama", "mistral", "qwen2", "phi3", "gemma", "gemma2", "gemma3"), _ROTARY),
    **dict.fromkeys(("gpt_neox", "gptj", "codegen", "deepseek_v3", "gpt_oss", "roformer"), _ROTARY),
    **dict.fromkeys(("bert", "roberta", "gpt2", "bart", "opt"), _LEARNED),
    **dict.fromkeys(("bloom", "mpt"), _ALIBI),
    **dict.fromkeys(("transfo-xl", "xlnet"), "sinusoids of relative positions"),
    "t5": "biases by buckets of distance",
    "musicgen": "sinusoids with the cosines first",
}


def document_from_config(text: bytes | str, document: Document) -> Document:
    """The document with the encoding, and where given the number of positions, of the model of a config.json.

    Read are models with fixed sinusoids: marian and pegasus (halves, the paper's spacing), xlm with
    ``sinusoidal_embeddings`` (interleaved, the paper's spacing), and m2m_100, fsmt, xglm, speech_to_text and
    whisper's encoder (halves, tensor2tensor's spacing, as fairseq has it). The source is their code in
    Hugging Face transformers, ``modeling_<model_type>.py``. ValueError with one plain sentence for every
    other model, which says what it uses where that is known, and for anything but such a file.
    """
    config = _parsed(text)
    kind = _sinusoids(config)
    encoding = Sinusoidal(
        d_model=_whole(config, kind.width, D_MODEL),
        layout=kind.layout,
        spacing=kind.spacing,
        offset=_offset(config, kind),
    )
    if config.get(kind.length) is None:
        return replace(document, encoding=encoding)
    return replace(document, encoding=encoding, seq_len=_whole(config, kind.length, SEQ_LEN))


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
    return config


def _sinusoids(config: dict[str, Any]) -> _Sinusoids:
    """How the model makes its positions; ValueError unless it is known to use fixed sinusoids."""
    model = config.get("model_type")
    if not isinstance(model, str) or not model:
        raise ValueError(f"this config.json names no model_type, so its positions are unknown; {_readable()}")
    name = f"{model!r}" if len(model) <= 32 else f"{model[:29]!r}..."
    if _is_rotary(config):
        raise ValueError(_not_shown(name, _ROTARY))
    if model == "xlm" and config.get("sinusoidal_embeddings") is not True:
        raise ValueError(f"this xlm model uses {_LEARNED} (sinusoidal_embeddings is not true); {_readable()}")
    if model in _OTHERS:
        raise ValueError(_not_shown(name, _OTHERS[model]))
    if model not in _KNOWN:
        raise ValueError(f"how model_type {name} encodes positions is unknown to this version; {_readable()}")
    return _KNOWN[model]


def _is_rotary(config: dict[str, Any]) -> bool:
    """Whether a key of rotary positions has a value, here or in a part such as ``text_config``."""
    parts = [config, *(part for part in config.values() if isinstance(part, dict))]
    return any(part.get(key) not in (None, False) for part in parts for key in _ROTARY_KEYS)


def _not_shown(name: str, used: str) -> str:
    return f"model_type {name} uses {used}, which this version does not show yet; {_readable()}"


def _readable() -> str:
    return f"the models that can be read are {', '.join(sorted(_KNOWN))}, with fixed sinusoids"


def _offset(config: dict[str, Any], kind: _Sinusoids) -> int:
    if isinstance(kind.offset, int):
        return kind.offset
    if "pad_token_id" not in config:
        return 2  # the default of these models' pad_token_id is 1
    padding = replace(OFFSET, minimum=0, maximum=OFFSET.maximum - 1)
    return _whole(config, "pad_token_id", padding) + 1


def _whole(config: dict[str, Any], key: str, field: IntegerField) -> int:
    """The number under the key within the field's bounds; ValueError with a sentence that names the key."""
    if key not in config:
        raise ValueError(f"this config.json has no {key}")
    try:
        return replace(field, spoken=key).check(config[key])
    except TypeError as error:
        raise ValueError(str(error)[:120]) from None
