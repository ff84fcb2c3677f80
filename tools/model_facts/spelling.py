"""How a configuration class makes rotary parameters of the keys of a file, found by creating it with single keys."""

import json
from typing import Any

THETA_KEYS = (
    "rope_theta", "rotary_emb_base", "global_rope_theta", "local_rope_theta", "rope_local_base_freq", "swa_rope_theta",
    "compress_rope_theta", "rotary_embedding_base", "attn_config.rope_theta",
)  # fmt: skip
SHARE_KEYS = ("partial_rotary_factor", "rotary_pct")

_BASE, _SHARE, _FACTOR = 123457.0, 0.375, 3.0
_BARE = {"rope_type": "default"}
_LINEAR = {"rope_type": "linear", "factor": _FACTOR}

_USUAL: dict[str, Any] = {
    "bases": {"": "rope_theta"}, "shares": {"": "partial_rotary_factor"}, "nested": {}, "scaled": [""], "flat": {},
    "fixed": {},
}  # fmt: skip

Parameters = dict[str, dict[str, Any]]


def spelling(cls: Any, rotary: Any, switch: dict[str, Any]) -> dict[str, Any]:
    """The facts of ``posenc_core.model_rules.facts.Spelling`` that differ from those of most classes.

    ``rotary`` is the class of its rotary angles, ``switch`` the key without which it does not rotate.
    """
    made = _made(cls, switch, {})
    if made is None:
        return {"bases": _bases_of_module(cls, rotary, switch), "shares": {}}
    sections = made[""].get("mrope_section") if "" in made else None
    bare, linear = ({**each, **({"mrope_section": sections} if sections else {})} for each in (_BARE, _LINEAR))
    files = [{}, {"rope_parameters": bare if "" in made else {label: dict(bare) for label in made}}]
    bases = [_reading(cls, switch, [file], "rope_theta", THETA_KEYS, _BASE) for file in files]
    scaled = _made(cls, switch, {"rope_scaling": linear})
    flat = {} if "" in made else _reading(cls, switch, [{"rope_parameters": linear}], "rope_theta", THETA_KEYS, _BASE)
    reached = _scaled(_made(cls, switch, {"rope_parameters": linear}), made)
    found = {
        "bases": {**bases[0], **bases[1]} if "" in made else bases[0],
        "nested": {} if "" in made or bases[1] == bases[0] else bases[1],
        "shares": _reading(cls, switch, files, "partial_rotary_factor", SHARE_KEYS, _SHARE),
        "scaled": [""] if scaled is None and "" in made else _scaled(scaled, made),
        "flat": {label: key for label, key in flat.items() if label in reached},
        "fixed": {label: names for label, each in made.items() if (names := _fixed(cls, switch, label, each))},
    }
    return {name: value for name, value in found.items() if value != _USUAL[name]}


def _scaled(made: Parameters | None, labels: Parameters) -> list[str]:
    """The labels whose parameters have the factor."""
    return sorted(label for label, each in (made or {}).items() if label in labels and each.get("factor") == _FACTOR)


def _made(cls: Any, switch: dict[str, Any], keys: dict[str, Any]) -> Parameters | None:
    """The class's parameters for a file with these keys, by label; None if it has none or refuses them."""
    try:
        config = cls(**switch, **json.loads(json.dumps(keys)))
    except Exception:  # noqa: BLE001 - a class may ask for more keys
        return None
    found = getattr(config, "rope_parameters", None)
    if not isinstance(found, dict):
        return None
    nested = {label: each or {} for label, each in found.items() if isinstance(each, dict | None)}
    return {label: nested[label] for label in sorted(nested)} or {"": found}


def _reading(
    cls: Any, switch: dict[str, Any], files: list[dict[str, Any]], name: str, keys: tuple[str, ...], value: float
) -> dict[str, str]:
    """By label, the first key that sets the parameter of that name beside what the files have."""
    found: dict[str, str] = {}
    for others in files:
        for key in keys:
            outer, _, inner = key.partition(".")
            made = _made(cls, switch, {**others, outer: {inner: value} if inner else value}) or {}
            for label, each in made.items():
                if each.get(name) == value:
                    found.setdefault(label, key)
    return found


def _fixed(cls: Any, switch: dict[str, Any], label: str, made: dict[str, Any]) -> list[str]:
    """The base and the share, as far as the class keeps its own whatever key stands beside them."""
    kept = []
    for name, keys, value in (("rope_theta", THETA_KEYS, _BASE), ("partial_rotary_factor", SHARE_KEYS, _SHARE)):
        if label not in _reading(cls, switch, [{}], name, keys, value) and name in made:
            kept.append(name)
    return kept


def unread(cls: Any, rotary: Any, switch: dict[str, Any]) -> dict[str, Any]:
    """Keys that the class does not read, and whether a plain rotation turns all columns whatever the share."""
    made = _made(cls, switch, {})
    if made is None:
        wide = [_widths(cls, rotary, {**switch, **keys}) for keys in ({}, {"head_dim": 1000})]
        return {"ignores": ["rope_parameters", "rope_scaling", *["head_dim"] * (wide[0] == wide[1])]}

    def pairs(keys: dict[str, Any], **parameters: Any) -> list[int]:
        each = {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 1.0, **parameters}
        labels = {key: {} for key in cls().layer_types} if made == {"": {}} else made  # it takes nested ones
        flat = {**labels[""], **each} if "" in labels else {label: {**labels[label], **each} for label in labels}
        return _widths(cls, rotary, {**switch, **keys, "rope_parameters": flat})

    plain = pairs({})
    if not plain:
        return {}
    ignored = ["head_dim"] if plain == pairs({"head_dim": 2 * sum(plain) + 16}) else []
    if plain != pairs({}, partial_rotary_factor=0.5):
        return {"ignores": ignored}
    if plain == pairs({}, partial_rotary_factor=0.5, **_LINEAR):
        return {"ignores": [*ignored, "partial_rotary_factor"]}
    return {"ignores": ignored, "rotates_all": True}


def _widths(cls: Any, rotary: Any, keys: dict[str, Any]) -> list[int]:
    """The numbers of frequencies of the module for a file with these keys; empty for rotations in functions."""
    return [len(angles) for angles in _angles(cls, rotary, keys)]


def _angles(cls: Any, rotary: Any, keys: dict[str, Any]) -> list[Any]:
    """The lists of frequencies of the module for a file with these keys; empty if its class refuses them."""
    try:
        buffers = dict(rotary(cls(**keys)).named_buffers())
    except Exception:  # noqa: BLE001 - a class may refuse a width
        return []
    return [value for name, value in buffers.items() if name.endswith("inv_freq")]


def _bases_of_module(cls: Any, rotary: Any, switch: dict[str, Any]) -> dict[str, str]:
    """By label, the key of the base that the module itself reads, in a class without rotary parameters."""
    plain = _angles(cls, rotary, switch)
    for key in THETA_KEYS:
        for value in (_BASE, int(_BASE)):  # a class may take one of the two types alone
            changed = _angles(cls, rotary, {**switch, key: value})
            if plain and changed and plain[0][1] != changed[0][1]:
                return {"": key}
    return {}
