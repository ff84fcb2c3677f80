"""What the fields of a configuration class say about positions where a ``config.json`` leaves them out."""

import dataclasses
import re
from typing import Any

POSITION_KEYS = re.compile(
    r"hidden_size|d_model|n_embd|emb_dim|embed_dim|embedding_size|n_embed|width"
    r"|((encoder|decoder)_)?(num_)?(attention_)?heads|n_heads?|(encoder|decoder)_num_attention_heads"
    r"|((encoder|decoder)_)?(num_)?(hidden_)?layers|(encoder|decoder)_num_hidden_layers|n_layers?|depth"
    r"|(\w+_)?head_dim|kv_channels|d_kv|d_head|dim_head|attention_head_size"
    r"|rope\w*|rotary\w*|\w*rotary_factor|\w*_rope_\w*|\w*_rope|no_rope_layer_interval|\w*theta"
    r"|original_max_position_embeddings|max_position_embeddings|n_positions|n_ctx|max_seq(uence)?_len(gth)?"
    r"|max_(source|target)_positions|model_max_length|max_(encoder|decoder)_position_embeddings"
    r"|_?sliding_window\w*|use_sliding_window|max_window_layers|window_size|attention_window(_size)?|local_attention"
    r"|attention_chunk_size|global_attn_every_n_layers|full_attention_interval|attn_layer_(period|offset)"
    r"|position_embedding_type|position_embeddings_type|alibi|use_rotary_embedding|sinusoidal_\w*"
    r"|relative_attention\w*|position_bias\w*|max_relative_positions|position_buckets|num_buckets"
    r"|index_topk\w*|index_(block_size|local_blocks|n_heads|head_dim)|compress_rate\w*|attn_temperature_tuning|floor_scale|attn_scale|log_scaling_\w+|pad_token_id|mla_use_nope|use_mem_rope|force_rope"
)
DERIVED_WIDTHS = ("attention_head_dim",)
"""Widths of a head that the class makes by a rule of its own, and that its files name."""

PERIOD_KEYS = (
    "attn_layer_period", "sliding_window_pattern", "_sliding_window_pattern", "global_attn_every_n_layers",
    "full_attention_interval", "layer_group_size",
)  # fmt: skip
"""Keys that files have for how often a layer is of another type."""

_LENGTHS = (5, 8, 12, 13, 24, 26, 48, 61)
_LAYERS, _WINDOW = 30, 7


def defaults(cls: Any) -> dict[str, Any]:
    """What each key about positions is where a configuration leaves it out; what follows from other keys is absent."""
    config = cls()
    values = {}
    for name, value in vars(config).items():
        if POSITION_KEYS.fullmatch(name) and _is_own(cls, name) and _is_short(value):
            values[name] = list(value) if isinstance(value, tuple) else value
    for name in DERIVED_WIDTHS:
        if name in vars(config):
            values[name] = getattr(config, name)
    if getattr(config, "rope_parameters", None):
        values["rope_parameters"] = config.rope_parameters
        values |= rope_defaults(cls, config.rope_parameters)
    if config.is_heterogeneous and getattr(config, "layer_types", None):
        values |= {"per_layer_config": layer_overrides(config)} if layer_overrides(config) else {}
    return _ordered(values)


def _ordered(values: dict[str, Any]) -> dict[str, Any]:
    """The same by name: some classes make their values from sets."""
    return {name: _ordered(value) if isinstance(value, dict) else value for name, value in sorted(values.items())}


def layer_overrides(config: Any) -> dict[str, dict[str, Any]]:
    """What is different in the layers of a type, by the type; without what differs among layers of one type."""
    found: dict[str, dict[str, Any]] = {}
    layers = list(zip(config.layer_types, config.per_layer_config, strict=True))
    for key in sorted(config._heterogeneity_spec.per_layer_attributes):
        values = {(layer_type, getattr(layer, key)) for layer_type, layer in layers}
        if POSITION_KEYS.fullmatch(key) and len(values) == len({layer_type for layer_type, _ in values}):
            for layer_type, value in sorted(values):
                found.setdefault(layer_type, {})[key] = value
    return found


def _is_own(cls: Any, name: str) -> bool:
    """Whether the class itself gives the value, and does not make it from those of other keys."""
    names = {name} | {field for field, written in cls.attribute_map.items() if written == name}
    field = next((field for field in dataclasses.fields(cls) if field.name in names), None)
    return field is not None and (field.default not in (None, dataclasses.MISSING))


def _is_short(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return len(value) <= 4 and all(isinstance(entry, bool | int | float) for entry in value)
    return isinstance(value, bool | int | float | str)


def rope_defaults(cls: Any, parameters: dict[str, Any]) -> dict[str, Any]:
    """The base and the share of rotated columns where a file has ``rope_parameters`` without them."""
    nested = [label for label, value in parameters.items() if isinstance(value, dict) or value is None]
    sections = parameters.get("mrope_section")  # some classes ask for them
    given: Any = {"rope_type": "default", **({"mrope_section": sections} if sections else {})}
    try:
        config = cls(rope_parameters={label: dict(given) for label in nested} if nested else given)
        found = config.rope_parameters
    except Exception:  # noqa: BLE001 - some classes ask for more keys
        return {}
    result: dict[str, Any] = {}
    for key, name in (("rope_theta", "rope_theta"), ("partial_rotary_factor", "partial_rotary_factor")):
        if nested:
            values = {label: (found.get(label) or {}).get(key) for label in nested}
            values = {label: value for label, value in values.items() if value is not None}
            if values:
                result[name] = values if len({*values.values()}) > 1 else next(iter(values.values()))
        elif found.get(key) is not None:
            result[name] = found[key]
    return result


def layer_types(cls: Any) -> dict[str, Any] | None:
    """The pattern of the types of layers that the class makes by itself; None if it makes none."""
    lists = {}
    for count in _LENGTHS:
        try:
            config = cls(num_hidden_layers=count)
        except Exception:  # noqa: BLE001, S112 - a class may refuse a number of layers
            continue
        types = getattr(config, "layer_types", None)
        if isinstance(types, list | tuple) and len(types) == count:
            lists[count] = list(types)
    if not lists:
        return None
    pattern = _pattern(lists) or _from_end(lists)
    if pattern is None:
        return {"period": list(getattr(cls(), "layer_types", None) or ())}
    return pattern


def layer_keys(cls: Any) -> list[str]:
    """The keys of a period that change the types of layers which the class makes by itself."""

    def made(**keys: Any) -> Any:
        try:
            return getattr(cls(num_hidden_layers=_LAYERS, **keys), "layer_types", None)
        except Exception:  # noqa: BLE001 - the key may be one of something else
            return None

    found = []
    for key in PERIOD_KEYS:
        for others in ({}, {"sliding_window": _WINDOW}):
            types = [made(**others), *(made(**others, **{key: value}) for value in (2, 3, 5, 7))]
            if any(each not in (None, types[0]) for each in types) and key not in found:
                found.append(key)
    return found


def _pattern(lists: dict[int, list[str]]) -> dict[str, Any] | None:
    """The shortest beginning, period and last entry that give all lists."""
    longest = max(lists.values(), key=len)
    for n_first in range(4):
        for length in range(1, 9):
            period = longest[n_first : n_first + length]
            for last in (None, *sorted({types[-1] for types in lists.values()})):
                if all(types == _made(longest[:n_first], period, last, len(types)) for types in lists.values()):
                    first = {"first": longest[:n_first]} if n_first else {}
                    return {"period": period} | first | ({"last": last} if last else {})
    return None


def _made(first: list[str], period: list[str], last: str | None, count: int) -> list[str]:
    types = [*first, *(period[i % len(period)] for i in range(count))][:count]
    return [*types[:-1], last] if last else types


def _from_end(lists: dict[int, list[str]]) -> dict[str, Any] | None:
    """The same counted from the last layer."""
    pattern = _pattern({count: types[::-1] for count, types in lists.items()})
    return pattern | {"from_end": True} if pattern is not None else None


def head_dim_from(cls: Any) -> str | None:
    """The key that the width of a head follows where it is not ``head_dim`` or hidden_size / heads."""
    config = cls()
    width = _plain(config, "head_dim")
    if width is None or _is_own(cls, "head_dim"):
        return None
    for field in dataclasses.fields(cls):
        value = _plain(config, field.name)
        if field.name in ("head_dim", "hidden_size", "num_attention_heads") or type(value) is not int:
            continue
        if not re.search("dim|channels|width|size", field.name):
            continue
        try:
            if value == width and _plain(cls(**{field.name: 2 * value}), "head_dim") == 2 * width:
                return field.name
        except Exception:  # noqa: BLE001, S112 - other keys may have to fit
            continue
    return None


def _plain(config: Any, name: str) -> Any:
    try:
        return getattr(config, name, None)
    except RuntimeError:  # Gemma 4 refuses to name a width that depends on the layer
        return None


def parts(cls: Any) -> dict[str, str]:
    """The model_type of each part of a model of several, by its key."""
    found = {}
    for key, part in sorted((getattr(cls, "sub_configs", None) or {}).items()):
        name = getattr(getattr(cls(), key, None), "model_type", None) or getattr(part, "model_type", None)
        if name:
            found[key] = name
    return found
