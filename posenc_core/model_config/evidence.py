"""Keys of a model's files, with their values, that a statement about the model rests on."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from posenc_core.fields import is_deeper
from posenc_core.model_config.config import BESIDE, DEEPEST
from posenc_core.session import Layer, Model, ModelPart

_PART = "text_config"
"""The part of ``Model.config`` with the keys of a part; its name is omitted in keys."""

_TYPE = "model_type"

_NAMED = re.compile(r"[A-Za-z][\w.]*\w")

_ALIASES = {
    "rope_theta": ("rope_theta", "base", "freq_base", "rotary_emb_base", "theta"),
    "base": ("rope_theta", "base", "freq_base"),
    "head_dim": ("head_dim", "qk_rope_head_dim", "kv_channels", "attention_head_dim", "key_length", "key_length_swa"),
    "rotary_dim": ("rotary_dim", "dimension_count", "rotary_pct", "partial_rotary_factor"),
    "scaling": ("rope_type", "type"),
    "n_heads": ("num_attention_heads", "n_head", "head_count"),
    "original_max_position_embeddings": ("original_max_position_embeddings", "original_context_length"),
    "window": ("sliding_window", "window_size"),
    "chunk": ("attention_chunk_size", "sliding_window"),
}
"""Keys of files, or their ends, by the parameter that they set."""

_SHARES = frozenset({"rotary_pct", "partial_rotary_factor"})
"""Keys that set a parameter by a share of another one."""


_SIZES = frozenset({
    "model_type", "hidden_size", "embed_dim", "head_dim", "num_heads", "num_attention_heads", "image_size",
    "patch_size", "rope_theta", "num_position_embeddings",
})  # fmt: skip
"""Keys that set the encoding of a part beside the text, or name its class."""


class Evidence(Struct, frozen=True):
    """A key of a model's files, with points between the names of nested parts, and its value as in JSON."""

    key: str
    value: Any

    def __str__(self) -> str:
        """``rope_scaling.factor = 8.0``."""
        return f"{self.key} = {json.dumps(self.value)}"


def evidence_named(model: Model, words: str) -> tuple[Evidence, ...]:
    """The keys of the model's files that the words name."""
    return tuple(each for each in _given(model) if _is_named(each, words))


def evidence_of_layer(model: Model, index: int) -> tuple[Evidence, ...]:
    """The decisive keys of the layer at ``index``, lists of layers with the entry of this layer."""
    layer, found = model.layers[index], []
    other_types = {each.layer_type for each in model.layers if each.layer_type} - {layer.layer_type}
    wanted = dict(_parameters(layer))
    counts = _counts(model)
    for each in _given(model):
        path = each.key.split(".")
        if other_types.isdisjoint(path) and (_is_named(each, layer.sentence) or _sets(path[-1], each.value, wanted)):
            found.append(_entry(each, index, counts))
    return tuple(found)


def evidence_of_part(model: Model, part: ModelPart) -> tuple[Evidence, ...]:
    """The keys of a part beside the text that its class makes the encoding of."""
    found = [each for each in _parsed(model.config) if BESIDE.get(each.key.partition(".")[0]) == part.name]
    return tuple(
        each for each in found if each.key.rpartition(".")[2] in _SIZES or _is_named(each, part.layer.sentence)
    )


def _is_named(each: Evidence, words: str) -> bool:
    """Whether the words name the key; a type of model, which a part may have too, with its value."""
    named = not _names(each.key).isdisjoint(_NAMED.findall(words))
    return named and (each.key != _TYPE or f"'{each.value}'" in words)


def _given(model: Model) -> tuple[Evidence, ...]:
    """The keys of the model's files about positions, without those of parts beside the text."""
    return tuple(each for each in _parsed(model.config or model.header) if each.key.partition(".")[0] not in BESIDE)


@lru_cache(maxsize=2)
def _parsed(text: str) -> tuple[Evidence, ...]:
    """The keys and values of a JSON object; none for another text, which only a damaged session has."""
    try:
        values = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        return ()
    return tuple(_leaves(values, ())) if isinstance(values, Mapping) and not is_deeper(values, DEEPEST) else ()


def _leaves(values: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[Evidence]:
    for key, value in values.items():
        inner = (*path, key) if path or key != _PART else ()
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, inner)
        else:
            yield Evidence(".".join(inner), value)


def _names(key: str) -> set[str]:
    """The key, and its ends after each point."""
    parts = key.split(".")
    return {".".join(parts[start:]) for start in range(len(parts))}


def _parameters(layer: Layer) -> Iterator[tuple[str, Any]]:
    if layer.encoding is not None:
        yield from layer.encoding.parameters().items()
    if layer.temperature is not None:
        yield from layer.temperature.parameters.items()
    yield from (("window", layer.window), ("chunk", layer.chunk))


def _sets(name: str, value: Any, wanted: Mapping[str, Any]) -> bool:
    """Whether a key of this name sets one of the wanted parameters, to its value."""
    for parameter, needed in wanted.items():
        if needed is None or name not in _ALIASES.get(parameter, (parameter,)):
            continue
        if name in _SHARES or _is_equal(value, needed):
            return True
    return False


def _is_equal(value: Any, needed: Any) -> bool:
    if isinstance(value, list):
        return isinstance(needed, tuple) and value == list(needed)
    return type(value) is not bool and bool(value == needed)


def _counts(model: Model) -> set[int]:
    """Number of entries of lists over layers: one per layer, and some for the layers behind that predict tokens."""
    n_layers = len(model.layers)
    behind = [each.value for each in _given(model) if each.key == "num_nextn_predict_layers"]
    return {n_layers, *(n_layers + value for value in behind if type(value) is int)} - {1}


def _entry(each: Evidence, index: int, counts: set[int]) -> Evidence:
    """The entry of a list over layers; other values stay."""
    if isinstance(each.value, list | str) and len(each.value) in counts and not each.key.endswith("_factor"):
        return Evidence(f"{each.key}[{index}]", each.value[index])
    return each
