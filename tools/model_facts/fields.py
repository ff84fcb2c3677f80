"""Defaults of a configuration class for keys about positions that a ``config.json`` omits."""

import dataclasses
import inspect
import re
from typing import Any

from posenc_core.model_rules.facts import LAYER_KEYS, PERIOD_KEYS

POSITION_KEYS = re.compile(
    r"hidden_size|d_model|n_embd|emb_dim|embed_dim|embedding_size|n_embed|width"
    r"|((encoder|decoder)_)?(num_)?(attention_)?heads|n_heads?|(encoder|decoder)_num_attention_heads"
    r"|((encoder|decoder)_)?(num_)?(hidden_)?layers|(encoder|decoder|conf)_num_hidden_layers|n_layers?|(resampler_)?depth"
    r"|num_(encoder|decoder|spatial|temporal)_layers|num_blocks"
    r"|(\w+_)?head_dim|kv_channels|d_kv|d_head|dim_head|attention_head_size"
    r"|rope\w*|rotary\w*|\w*rotary_factor|\w*_rope_\w*|\w*_rope|no_rope_layer_interval|\w*theta"
    r"|original_max_position_embeddings|max_position_embeddings|n_positions|n_ctx|max_seq(uence)?_len(gth)?"
    r"|max_(source|target)_positions|model_max_length|max_(encoder|decoder)_position_embeddings"
    r"|_?sliding_window\w*|use_sliding_window|max_window_layers|window_size|attention_window(_size)?|local_attention"
    r"|global_attn_indexes|fullatt_block_indexes|global_attention_blocks|window_block_indices|window_size_per_stage"
    r"|depths|blocks_per_stage|masked_unit_(size|attention)|num_windows|n_window(_infer)?|context_size|sliding_windows"
    r"|(conf_)?attention_(chunk_size|context_(left|right))|default_num_lookahead_tokens|spatial_merge_size"
    r"|global_attn_every_n_layers|full_attention_interval|attn_layer_(period|offset)"
    r"|position_embedding_type|position_embeddings_type|alibi|use_rotary_embedding|sinusoidal_\w*"
    r"|relative_attention\w*|position_bias\w*|max_relative_positions|position_buckets|num_(hash_)?buckets"
    r"|index_topk\w*|index_(block_size|local_blocks|n_heads|head_dim|kpool\w*)|compress_rate\w*|attn_temperature_tuning|floor_scale|attn_scale|log_scaling_\w+|pad_token_id|mla_use_nope|use_mem_rope|force_rope"
)
DERIVED_WIDTHS = ("attention_head_dim",)
"""Widths of a head that the class makes by a rule of its own, and that its files name."""

_BESIDE_WEIGHTS = {"mimo_v2_flash": ["hybrid_layer_pattern"], "kimi_linear": ["mla_use_nope"]}
"""Keys that the code beside the weights reads, where the class does the same by itself for public files."""

_FILLED = ("blocks_per_stage", "global_attention_blocks", "global_attn_indexes", "window_size_per_stage")
"""Lists that a class has where a file has none, by code and not as the default of a field."""

_LONG = ("depths", "sliding_windows")
"""Lists with an entry for each layer or stage of the class's default."""

_WIDTHS = ("global_head_dim", "qk_rope_head_dim", "swa_head_dim")

_LENGTHS = (5, 8, 12, 13, 24, 26, 48, 61)
_LAYERS, _WINDOW, _WIDTH = 30, 7, 320


def defaults(cls: Any) -> dict[str, Any]:
    """Default by key about positions; keys derived from other keys are absent."""
    config = cls()
    values = {}
    for name, value in vars(config).items():
        is_own = name in _FILLED or _is_own(cls, name)
        if POSITION_KEYS.fullmatch(name) and is_own and (name in _LONG or _is_short(value)):
            values[name] = list(value) if isinstance(value, tuple) else value
    for name in DERIVED_WIDTHS:
        if name in vars(config):
            values[name] = getattr(config, name)
    if "sliding_window" in vars(config) and _window(cls) is not None:
        values["sliding_window"] = _window(cls)
    if getattr(config, "rope_parameters", None):
        values["rope_parameters"] = config.rope_parameters
        values |= rope_defaults(cls, config.rope_parameters)
    if config.is_heterogeneous and getattr(config, "layer_types", None):
        values |= {"per_layer_config": layer_overrides(config)} if layer_overrides(config) else {}
    return _ordered(values)


def _window(cls: Any) -> int | None:
    """The window that the class takes where a file gives none, with the switch on where it has one; None without."""
    try:
        made = cls(use_sliding_window=True) if "use_sliding_window" in vars(cls()) else cls()
        return made.sliding_window if type(made.sliding_window) is int else None
    except Exception:  # noqa: BLE001 - a class may ask for more keys, or refuse to name a window that layers differ in
        return None


def _ordered(values: dict[str, Any]) -> dict[str, Any]:
    """The same by name: some classes make their values from sets."""
    return {name: _ordered(value) if isinstance(value, dict) else value for name, value in sorted(values.items())}


def layer_overrides(config: Any) -> dict[str, dict[str, Any]]:
    """Keys that differ between types of layers, by type; keys that differ within a type are left out."""
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
    lists, n_refused = {}, 0
    for count in _LENGTHS:
        try:
            config = cls(num_hidden_layers=count)
        except Exception:  # noqa: BLE001 - a class may refuse a number of layers
            n_refused += 1
            continue
        types = getattr(config, "layer_types", None)
        if isinstance(types, list | tuple) and len(types) == count:
            lists[count] = list(types)
    if n_refused == len(_LENGTHS):  # the class has a list of one length alone
        types = getattr(cls(), "layer_types", None)
        is_whole = isinstance(types, list) and len(types) == getattr(cls(), "num_hidden_layers", None)
        return {"period": list(types), "whole": True} if is_whole else None
    if not lists:
        return None
    pattern = _pattern(lists) or _from_end(lists)
    if pattern is None:
        return {"period": list(getattr(cls(), "layer_types", None) or ())}
    return pattern


def layer_keys(cls: Any) -> list[str]:
    """The keys about layers that the class reads: of those for periods, the ones that change the types of layers."""
    periods = [key for key in PERIOD_KEYS if _changes_types(cls, key)]
    named = [key for key in LAYER_KEYS if key not in PERIOD_KEYS and re.search(rf"\b{key}\b", _source(cls))]
    if not getattr(cls(), "layer_types", None) and not hasattr(cls, "layer_types"):
        named = [key for key in named if key != "layer_types"]  # Mistral's class says that it does not read them
    others = {*named, *(key for key in _WIDTHS if _changes_others(cls, key)), *_BESIDE_WEIGHTS.get(cls.model_type, ())}
    return [*periods, *sorted(others)]


def _source(cls: Any) -> str:
    """The text of the class and of those of other models that it is made from."""
    made = [each for each in cls.__mro__ if each.__module__.startswith("transformers.models.")]
    return "\n".join(inspect.getsource(each) for each in made)


def _changes_types(cls: Any, key: str) -> bool:
    def made(**keys: Any) -> Any:
        try:
            return getattr(cls(num_hidden_layers=_LAYERS, **keys), "layer_types", None)
        except Exception:  # noqa: BLE001 - the key may be one of something else
            return None

    for others in ({}, {"sliding_window": _WINDOW}):
        types = [made(**others), *(made(**others, **{key: value}) for value in (2, 3, 5, 7))]
        if any(each not in (None, types[0]) for each in types):
            return True
    return False


def _changes_others(cls: Any, key: str) -> bool:
    """Whether the class makes values of other keys from this one."""
    try:
        plain, given = cls().to_dict(), cls(**{key: _WIDTH}).to_dict()
    except Exception:  # noqa: BLE001 - the class may refuse the width
        return False
    return any(given.get(name) != value for name, value in plain.items() if name != key)


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
