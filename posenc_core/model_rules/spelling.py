"""The rotary parameters of each kind of layer, made from the keys of a file as in the class of the model.

Old files have ``rope_theta`` and ``rope_scaling``, new ones a single ``rope_parameters``, nested by layer type in some
models. Source: transformers 5.23.0, ``RotaryEmbeddingConfigMixin.convert_rope_params_to_dict`` and the classes that
replace this method; the keys that a class reads are among its facts (``Spelling``).
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from posenc_core.fields import one_line, shortened
from posenc_core.model_rules.facts import Notes, Values
from posenc_core.model_rules.layer_types import layer_types_of, nested_parameters

THETA_KEYS = (
    "rope_theta", "global_rope_theta", "rotary_emb_base", "rope_embedding_base", "rotary_embedding_base",
    "rope_freq_constant",
)  # fmt: skip
LOCAL_THETAS = ("rope_local_base_freq", "local_rope_theta", "swa_rope_theta")
"""Keys of the base of sliding layers, in models whose class is not known."""
SHARES = ("partial_rotary_factor", "rotary_pct", "rope_pct")

LOCAL = ("sliding_attention", "hybrid_sliding", "main")
"""The layers without scaling to a longer context, in a model that has other layers beside them."""

ALL_LAYERS = ""
"""The label of parameters that all layers share."""
DEFAULT_THETA = 10000.0
_THETA, _SHARE, _NEW, _OLD = "rope_theta", SHARES[0], "rope_parameters", "rope_scaling"
INNER_THETA = "attn_config.rope_theta"
"""The key of DBRX's base. Its class of transformers 5.23.0 keeps the value, and computes with that of another key."""

_UNSCALED = (None, "default", "mrope")


class Parameters(Struct, frozen=True):
    """The rotary parameters of the layers of a label.

    ``keys`` has the file's key for each name in the file; the others are the class's. ``source`` is the
    key above the parameters.
    """

    values: Mapping[str, Any]
    keys: Mapping[str, str]
    source: str
    notes: Notes = ()


_Given = Mapping[str, Any] | None
ByLabel = dict[str, Parameters | None]
"""The parameters of each kind of layer, None for one that does not rotate."""


def parameters_by_label(values: Values) -> ByLabel:
    """The parameters of each kind of layer; only ``ALL_LAYERS`` if all layers share them.

    ValueError with a sentence for unreadable keys.
    """
    if values.exception("share_inside"):
        values = values.at({_SHARE: None})
    if values.exception("flat_scaling") and values.has("rope_type"):
        values = values.at({_OLD: _flat_scaling(values.given)})
    new, old = _object(values, _NEW), _object(values, _OLD)
    of_class = _class_labels(values)
    if of_class:
        return _of_labels(values, of_class, new, old)
    reads_old = ALL_LAYERS in values.facts.spelling.scaled
    source = _OLD if (old and reads_old) or new is None else _NEW
    given = (old if reads_old or source == _NEW else {}) if source == _OLD else new
    bases, notes = values.facts.spelling.bases, _both_notes(new, old, source)
    nested = nested_parameters(given or {}, values)
    if nested and values.facts.source and not _declares(values, nested):
        notes += _unread_labels(values, source, nested)
        beside = {name: each for name, each in (given or {}).items() if name not in nested}
        given, nested = {"rope_type": "default", **beside}, {}  # the class's own parameters do not count either
    if nested:
        return {
            label: None if each is None else _filled(values, label, each, f"{source}.{label}", bases, {}, notes)
            for label, each in nested.items()
        }
    own = values.class_parameters() if new is None and not given else {}
    return {ALL_LAYERS: _filled(values, ALL_LAYERS, given or {}, source, bases, own, notes)}


def _flat_scaling(given: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Grok's rope_scaling, whose keys are beside the others: SGLang 0.5.23, srt/models/grok.py."""
    kind = "yarn" if given["rope_type"] == "yarn_linear" else given["rope_type"]
    made, keys = {"rope_type": kind}, ("beta_fast", "beta_slow") if kind in ("yarn", "yarn_log") else ()
    made |= {"factor": given.get("scaling_factor")} | ({"attention_factor": 1.0} if keys else {})
    made |= {key: given[key] for key in ("original_max_position_embeddings", *keys) if key in given}
    return None if kind == "original" else made


def _declares(values: Values, names: Mapping[str, Any]) -> bool:
    """Whether one of the names is a type of layer of the model, under which alone its class looks for parameters."""
    if values.exception("types_come_late") and not values.has("layer_types"):
        return False
    types = {name for name in layer_types_of(values).names if name is not None}
    return not types.isdisjoint(names)


def _unread_labels(values: Values, source: str, nested: Mapping[str, Any]) -> Notes:
    told = " and ".join(f"{source}.{one_line(label[:40])}" for label in list(nested)[:2])
    return (f"no layer of model_type {values.shown_type} is of that type: transformers 5.23.0 ignores {told}",)


def _object(values: Values, key: str) -> Mapping[str, Any] | None:
    value = values.given.get(key) if key not in values.facts.ignores else None
    if value is not None and not isinstance(value, Mapping):
        raise ValueError(f"{key} must be an object with names and values, or null, got {shortened(value)}")
    return value


def _class_labels(values: Values) -> dict[str, Mapping[str, Any] | None]:
    """The class's parameters by label, layers with the longest reach first; empty for a class without any."""
    of_class = nested_parameters(values.class_parameters(), values)
    if not of_class:
        of_class = {label: {} for label in values.facts.spelling.bases or () if label}
    if not of_class and values.facts.spelling.bases is None and values.has(*LOCAL_THETAS):
        of_class = {"full_attention": {}, "sliding_attention": {}}
    ordered = sorted(of_class, key=lambda label: label != "full_attention")
    return {label: of_class[label] for label in ordered}


def _of_labels(values: Values, of_class: dict[str, _Given], new: _Given, old: _Given) -> ByLabel:
    """The parameters of a class that has them by label: old keys reach some labels, and so do flat parameters."""
    spelling = values.facts.spelling
    flat, source = {} if new is None else new, _NEW
    reads_nested = values.facts.trailing or not spelling.scaled or values.exception("nested_scaling")
    if old and reads_nested and nested_parameters(old, values):
        flat, old, source = old, None, _OLD
    nested = {} if old and spelling.flat else nested_parameters(flat, values)
    if values.exception("empty_is_plain"):
        nested = {label: {"rope_type": "default"} if each == {} else each for label, each in nested.items()}
    if nested and values.facts.source and nested.keys().isdisjoint(of_class) and not _declares(values, nested):
        flat, nested = {name: flat[name] for name in flat.keys() - nested.keys()}, {}
        new = flat
    if values.facts.trailing and not all(nested.get(label) for label in of_class):  # DeepSeek V4 reads both or none
        flat, nested = {name: flat[name] for name in flat.keys() - {*of_class, *nested}}, {}
    found: ByLabel = {}
    if values.exception("nested_alone") and nested:
        values, old = values.at({_THETA: None}), None
    elif values.exception("nested_alone") and not values.has("partial_rotary_factors"):
        values = values.at({_SHARE: None})
    explicit = nested.keys()
    if nested and values.exception("completes_labels"):
        nested |= {label: {} for label in of_class if nested.get(label) is None}
    for label in nested or of_class:
        given, own = nested.get(label), of_class.get(label)
        if (given if nested else own) is None:
            found[label] = None
        elif not nested and label in spelling.flat and (old or flat or new == {}):
            found[label] = _flat(values, label, (old or flat, _OLD if old else _NEW), own or {})
        elif old and (label in spelling.scaled if spelling.bases is not None else label not in LOCAL):
            found[label] = _merged(values, label, given or ({} if label in explicit else {"rope_type": "default"}), old)
        else:
            bases = spelling.nested if nested and spelling.nested else spelling.bases
            kept: Mapping[str, Any] = {} if given else own or {}
            kept = {_SHARE: 1.0} if source == _OLD and values.exception("sets_scaling_late") else kept
            found[label] = _filled(values, label, given or {}, f"{source}.{label}", bases, kept)
    inherits = nested if values.facts.trailing else values.facts.source and spelling.bases == {}
    return _with_shares(values, found, bool(nested)) if inherits else found


def _with_shares(values: Values, found: ByLabel, nested: bool) -> ByLabel:
    """The parameters with the share and base that the first scaled label passes to labels computed after it.

    DeepSeek V4 computes ``main`` before ``compress``, other models the labels by the alphabet. A scaled label writes
    the share into all (``standardize_rope_params``). An earlier unscaled label of V4 turns all columns of a head.
    """
    trailing, scaled, made = values.facts.trailing, False, dict(found)
    fills = nested and not values.exception("empty_is_plain") and values.has(_THETA)
    share, key = _share_of_widths(values) if trailing else (values.given.get(_SHARE), _SHARE)
    for label in sorted(found, reverse=trailing):
        if (each := found[label]) is None:
            continue
        scaled, more = scaled or _is_scaled(each.values), {}
        if fills and scaled and _THETA not in each.keys:
            more = {_THETA: (values.given[_THETA], _THETA)}
        of_class = trailing or values.exception("plain_share")  # which has filled in a share
        is_open = _SHARE not in each.keys if of_class else each.values.get(_SHARE) is None
        if share is not None and is_open and (trailing or scaled):
            more |= {_SHARE: (share if scaled else 1.0, key)}
        given, keys = ({name: pair[at] for name, pair in more.items()} for at in (0, 1))
        made[label] = replace(each, values={**each.values, **given}, keys={**each.keys, **keys})
    return made


def _share_of_widths(values: Values) -> tuple[float | None, str]:
    """The share of DeepSeek V4's class and its key, None if the widths are not integers >= 1."""
    width, part = values.find("head_dim"), values.find("qk_rope_head_dim")
    if any(type(each) is not int or each < 1 for each in (width, part or 1)):
        return None, ""
    return (part / width, "qk_rope_head_dim") if part else (64 / 512, "head_dim")


def _flat(values: Values, label: str, given: tuple[Mapping[str, Any], str], own: Mapping[str, Any]) -> Parameters:
    """The parameters of a label that flat ones reach: ``given`` are these and their key."""
    flat, source = given
    kept = {name: each for name, each in own.items() if name == _SHARE}
    if label == "compress":  # DeepSeek's code has a base and a share of these layers, and no attention factor
        kept = {_THETA: own.get(_THETA), _SHARE: _share_of_widths(values)[0]}
        flat = {name: each for name, each in flat.items() if name not in (_THETA, _SHARE)}
        if "yarn" in (flat.get("rope_type"), flat.get("type")):
            kept["attention_factor"] = 1.0
    return _filled(values, label, flat, source, values.facts.spelling.flat, kept)


def _merged(values: Values, label: str, given: Mapping[str, Any], old: Mapping[str, Any]) -> Parameters:
    """The parameters of a label with those of ``rope_scaling``, whose older ``type`` such a class does not read."""
    own = {name: value for name in (_THETA, _SHARE) if (value := values.of_label(name, label)) is not None}
    bases = values.facts.spelling.bases
    if "type" in old and "rope_type" not in old and bases is not None and given.keys() & {"rope_type", "type"}:
        return _without_type(values, label, given, old, own)
    kept = {name: each for name, each in given.items() if name != "rope_type" or "type" not in old}
    return _filled(values, label, {**kept, **old}, _OLD, bases, own)


def _without_type(
    values: Values, label: str, given: Mapping[str, Any], old: Mapping[str, Any], own: Mapping[str, Any]
) -> Parameters:
    """The same for a ``rope_scaling`` without a name that the class reads: the other type stays."""
    scaled = _is_scaled(given)
    kept = {name: each for name, each in old.items() if name != "type" and (scaled or name in (_THETA, _SHARE))}
    reads = f"model_type {values.shown_type} reads 'rope_type' alone"
    effect = "the type of rope_parameters stays" if scaled else "nothing is scaled"
    notes = (f"{_OLD} has its name under 'type', and {reads}: {effect}",)
    return _filled(values, label, {**given, **kept}, _OLD if kept else _NEW, values.facts.spelling.bases, own, notes)


def _filled(
    values: Values,
    label: str,
    given: Mapping[str, Any],
    source: str,
    bases: Mapping[str, str] | None,
    own: Mapping[str, Any],
    notes: Notes = (),
) -> Parameters:
    """The given parameters with a base and a share: from keys beside them if the class reads those, else ``own``."""
    spelling = values.facts.spelling
    made, keys = dict(given), {name: f"{source}.{name}" for name in given}
    fixed = () if given or values.has(_NEW) else spelling.fixed.get(label, ())
    for name, key in (
        (_THETA, _key(values, bases, label, THETA_KEYS)),
        (_SHARE, _key(values, spelling.shares, label, SHARES)),
    ):
        if made.get(name) is None and name not in fixed and key and _at(values, key) is not None:
            made[name], keys[name] = _at(values, key), key
    plain_share = None if _is_scaled(made) else values.exception("plain_share")
    of_class = {_SHARE: values.of_label(_SHARE, label) or plain_share, **own}
    is_null = values.exception("null_is_whole") and values.given.get(_SHARE, 0) is None
    if of_class[_SHARE] is not None and is_null and made.get(_SHARE) is None:
        notes = (*notes, f"{_SHARE} is null in the file, not missing: all columns of a head rotate")
        of_class[_SHARE] = None
    for name, value in of_class.items():
        if value is not None and made.get(name) is None:
            made[name] = value
    attributes = [_SHARE] * _is_scaled(made) + [_THETA] * (
        spelling.bases == {} and bool(given) and values.default(_THETA) is None
    )
    for name in attributes if values.facts.source else ():  # a scaling reads these keys again
        if made.get(name) is None and values.has(name):
            made[name], keys[name] = values.given[name], name
    return Parameters(made, keys, source, notes)


def _is_scaled(made: Mapping[str, Any]) -> bool:
    """Whether the parameters name a type other than the unscaled ones."""
    return any(made.get(name) not in _UNSCALED for name in ("rope_type", "type"))


def _key(values: Values, keys: Mapping[str, str] | None, label: str, usual: tuple[str, ...]) -> str:
    """The key beside the parameters that a class reads for the label; of unknown code the first one given."""
    if keys is not None:
        key = keys.get(label) or keys.get(ALL_LAYERS, "")
        return INNER_THETA if key == _THETA and not values.has(key) and _at(values, INNER_THETA) else key
    if usual == THETA_KEYS and label in LOCAL:
        usual = LOCAL_THETAS
    return next((key for key in usual if _at(values, key) is not None), "")


def _at(values: Values, key: str) -> Any:
    """The value under the key, which has a point for a value within an object."""
    outer, _, inner = key.partition(".")
    value = values.given.get(outer)
    return (value.get(inner) if isinstance(value, Mapping) else None) if inner else value


def _both_notes(new: Any, old: Any, source: str) -> Notes:
    """The note on two keys for the same parameters: the class's choice, surely unintended."""
    if not new or not old or new == old or source == _NEW:
        return ()
    base = new.get(_THETA)
    lost = f", and the base {shortened(base)} goes with the other" if base and old.get(_THETA) is None else ""
    told = f"the config has both {_NEW} and {_OLD}: transformers 5.23.0 takes {_OLD}{lost}"
    return (f"{told}; this is surely not what was meant",)
