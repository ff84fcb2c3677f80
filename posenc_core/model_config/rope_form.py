"""One form for the old and the new rotary parameters of a ``config.json``, nested by layer type or not."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from posenc_core.fields import one_line, shortened
from posenc_core.model_config.registry import ROTARY, model_of

KNOWN_TYPES = ("default", "linear", "dynamic", "yarn", "longrope", "llama3", "proportional", "axial", "mrope")
ALIASES = {"su": "longrope"}
_KNOWN = ", ".join(f"{name} (alias su)" if name == "longrope" else name for name in KNOWN_TYPES)

ROPE_KEYS = (
    "rope_parameters",
    "rope_scaling",
    "rope_theta",
    "rotary_emb_base",
    "global_rope_theta",
    "rope_local_base_freq",
    "partial_rotary_factor",
    "rotary_pct",
    "rope_pct",
    "rotary",
    "rotary_dim",
    "rotary_ndims",
    "qk_rope_head_dim",
    "head_dim",
)
"""A model with rotary positions has at least one of these keys."""

_LAYERS = ("full_attention", "sliding_attention")

DEFAULT_THETA = 10000.0


Notes = tuple[str, ...]
"""Sentences about what is surprising, for the encoding's warnings."""


class RopeForm(Struct, frozen=True):
    """What a configuration says about its rotation: the ``parameters`` of one layer type, and the whole ``config``.

    ``source`` is the key that the parameters stand under.
    """

    config: Mapping[str, Any]
    parameters: Mapping[str, Any]
    source: str
    rope_theta: Any
    rope_type: str
    notes: Notes

    def find(self, key: str) -> Any:
        """The value among the parameters, else in the configuration; None where neither has one."""
        value = self.parameters.get(key)
        return self.config.get(key) if value is None else value


def rope_form(config: Mapping[str, Any], layer_type: str | None) -> RopeForm:
    """The configuration's rotary parameters for a layer type; ValueError with a sentence where it has none."""
    config, part_notes = _text_part(config)
    _check_rotary(config)
    if config.get("rope_parameters") is not None:
        source, theta = "rope_parameters", None
        parameters, notes = _of_layer(_mapping(config, source), layer_type)
        if config.get("rope_scaling") is not None and config["rope_scaling"] != config[source]:
            notes += ("the config has both rope_parameters and rope_scaling: rope_scaling is ignored",)
    else:
        source = "rope_scaling"
        parameters, theta, notes = _old_form(config, layer_type)
    rope_type = _rope_type(parameters, source)
    theta, theta_notes = _theta(config, parameters, source, theta)
    return RopeForm(config, parameters, source, theta, rope_type, (*part_notes, *notes, *theta_notes))


def _text_part(config: Mapping[str, Any]) -> tuple[Mapping[str, Any], Notes]:
    """The part about text of a model of texts and images; other configurations as they are."""
    text = config.get("text_config")
    if isinstance(text, Mapping) and not any(_is_given(config, key) for key in ROPE_KEYS):
        return text, ("the parameters are those of 'text_config'",)
    return config, ()


def has_rotary_keys(config: Mapping[str, Any]) -> bool:
    """Whether a key of rotary positions has a value, here or in the part about text."""
    return any(_is_given(part, key) for part in _parts(config) for key in ROPE_KEYS if key != "head_dim")


def is_rotary(config: Mapping[str, Any]) -> bool:
    """Whether its name or its keys say that the model is rotary; for an unknown name rope_scaling may be null."""
    parts = [(model_of(part), part) for part in _parts(config)]
    named = any(model.uses == ROTARY if model else "rope_scaling" in part for model, part in parts)
    return named or has_rotary_keys(config)


def _parts(config: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    text = config.get("text_config")
    return (config, text) if isinstance(text, Mapping) else (config,)


def layer_names(config: Mapping[str, Any]) -> tuple[str, ...]:
    """The layer types that have their own rotary parameters, empty where all layers have the same."""
    config, _ = _text_part(config)
    new = config.get("rope_parameters")
    if new is None and _local_theta(config) is None and config.get("global_rope_theta") is None:
        new = config.get("rope_scaling")
    elif new is None:
        return _LAYERS
    names = tuple(_nested(new)) if isinstance(new, Mapping) else ()
    return names if len(names) > 1 else ()


def _check_rotary(config: Mapping[str, Any]) -> None:
    """ValueError for a model that has other positions, or whose configuration names no rotation."""
    if any(_is_given(config, key) for key in ROPE_KEYS if key != "head_dim"):
        return
    model = model_of(config)
    if model is not None and model.uses != ROTARY:
        raise ValueError(f"model_type {config['model_type']!r} uses {model.uses}, not rotary positions")
    if model is None and "rope_scaling" not in config and "head_dim" not in config:
        raise ValueError(
            "this config has none of the keys of rotary positions (rope_theta, rope_scaling, rope_parameters, "
            "rotary_pct, rotary_dim, ...)"
        )


def _is_given(config: Mapping[str, Any], key: str) -> bool:
    return config.get(key) is not None and config[key] is not False


def _mapping(config: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = config[key]
    if not isinstance(value, Mapping):
        raise ValueError(f"{key} must be an object with names and values, or null, got {shortened(value)}")
    return value


def _of_layer(parameters: Mapping[str, Any], layer_type: str | None) -> tuple[Mapping[str, Any], Notes]:
    """The parameters of the layer type where they are nested by layer type, of one of them for None."""
    nested = _nested(parameters)
    if nested:
        layer, notes = _layer(list(nested), layer_type)
        return nested[layer], notes
    if layer_type is None:
        return parameters, ()
    note = f"the parameters do not depend on the layer type: {shortened(layer_type)} makes no difference"
    return parameters, (note,)


def _nested(parameters: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The parameters of each layer type; empty where they are not nested by layer type."""
    if "rope_type" in parameters or "type" in parameters:
        return {}
    return {name: value for name, value in parameters.items() if isinstance(value, Mapping)}


def _layer(names: list[str], layer_type: str | None) -> tuple[str, Notes]:
    if layer_type is None:
        chosen = "full_attention" if "full_attention" in names else names[0]
        listed = f"({_some(names, ', ')}): those of {_some([chosen])} are shown"
        return chosen, (f"the parameters depend on the layer type {listed}",) if len(names) > 1 else ()
    if layer_type not in names:
        raise ValueError(f"layer_type must be {_some(names, ' or ')}, got {shortened(layer_type)}")
    return layer_type, ()


def _some(names: list[str], between: str = "") -> str:
    """At most three names for a sentence, each of at most 40 characters that can be printed."""
    told = between.join(one_line(name[:40]) for name in names[:3])
    return f"{told} and {len(names) - 3} more" if len(names) > 3 else told


def _old_form(config: Mapping[str, Any], layer_type: str | None) -> tuple[Mapping[str, Any], Any, Notes]:
    """rope_scaling, and the base where it is not rope_theta: Gemma 3 and ModernBERT have one for local layers."""
    scaling = _mapping(config, "rope_scaling") if config.get("rope_scaling") is not None else {}
    local = _local_theta(config)
    if local is None and config.get("global_rope_theta") is None:
        parameters, notes = _of_layer(scaling, layer_type)
        return parameters, None, notes
    layer, notes = _layer(list(_LAYERS), layer_type)
    if layer == "sliding_attention" and local is not None:
        return {}, local, notes  # the local layers are not scaled
    return scaling, config.get("global_rope_theta"), notes


def _local_theta(config: Mapping[str, Any]) -> Any:
    return config.get("rope_local_base_freq", config.get("local_rope_theta"))


def _rope_type(parameters: Mapping[str, Any], source: str) -> str:
    """The name of the rotation's type, ``default`` where nothing is scaled; ValueError for an unknown one."""
    old, new = parameters.get("type"), parameters.get("rope_type")
    if old is None and new is None:
        unscaled = {"rope_theta", "partial_rotary_factor"} if source == "rope_parameters" else {"rope_theta"}
        if parameters.keys() - unscaled:
            raise ValueError(f"{source} has no 'rope_type' (or legacy 'type') key")
        return "default"
    if old is not None and new is not None and _plain(old) != _plain(new):
        raise ValueError(f"{source} gives 'type': {old!r} and 'rope_type': {new!r}; they must agree")
    named = old if new is None else new
    name = ALIASES.get(named, named) if isinstance(named, str) else named
    if name not in KNOWN_TYPES:
        raise ValueError(f"unknown rope_type {shortened(named)}; known: {_KNOWN}")
    return "mrope" if old == "mrope" else str(name)


def _plain(name: Any) -> Any:
    """The name without aliases; mrope is the default with sections, and newer files call it so."""
    return {"mrope": "default", **ALIASES}.get(name, name) if isinstance(name, str) else name


def _theta(config: Mapping[str, Any], parameters: Mapping[str, Any], source: str, given: Any) -> tuple[Any, Notes]:
    """The base, unchecked; 10000 where the config has none, with a note unless the model's code has that base."""
    nested, top = parameters.get("rope_theta"), config.get("rope_theta")
    notes: Notes = ()
    if None not in (nested, top) and nested != top and parameters is config.get(source):
        notes = (f"rope_theta is {shortened(nested)} in {source} and {shortened(top)} beside it; the first counts",)
    for theta in (given, nested, top, config.get("rotary_emb_base")):
        if theta is not None:
            return theta, notes
    if not config.get("rotary"):  # GPT-J's base is in its code
        notes = (f"the config gives no rope_theta: {DEFAULT_THETA:g} is taken, the default of most models",)
    return DEFAULT_THETA, notes
