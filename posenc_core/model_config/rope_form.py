"""Old and new form of the rotary parameters in a ``config.json``, nested by layer type or not, read as one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from posenc_core.fields import one_line, shortened

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
"""Keys of which a model with rotary positions has at least one."""

_ROTARY_MODELS = ("llama", "mistral", "qwen2", "phi3", "gemma", "gemma2", "gpt_neox", "gptj", "codegen", "roformer")
"""Some of the models that are rotary even where their file says nothing of it."""

_OTHER_MODELS = {
    **dict.fromkeys(("bert", "roberta", "gpt2", "bart", "opt", "vit"), "a learned table of positions"),
    **dict.fromkeys(("bloom", "mpt"), "ALiBi biases"),
    **dict.fromkeys(("t5", "mt5"), "biases by buckets of distance"),
    **dict.fromkeys(("marian", "pegasus", "m2m_100", "whisper"), "fixed sinusoids"),
}

_LAYERS = ("full_attention", "sliding_attention")

DEFAULT_THETA = 10000.0


@dataclass
class RopeForm:
    """What a configuration says of its rotation: the ``parameters`` of one layer type, beside the whole ``config``.

    ``source`` is the key that they stand under, ``notes`` collects the sentences for the encoding's warnings.
    """

    config: Mapping[str, Any]
    parameters: Mapping[str, Any]
    source: str
    rope_theta: float
    rope_type: str = "default"
    notes: list[str] = field(default_factory=list)

    def find(self, key: str) -> Any:
        """The value among the parameters, else in the configuration; None where neither has one."""
        value = self.parameters.get(key)
        return self.config.get(key) if value is None else value


def rope_form(config: Mapping[str, Any], layer_type: str | None) -> RopeForm:
    """The configuration's rotary parameters for a layer type; ValueError with a sentence where there are none."""
    notes: list[str] = []
    config = _text_part(config, notes)
    _check_rotary(config)
    if config.get("rope_parameters") is not None:
        source = "rope_parameters"
        parameters, theta = _chosen(_mapping(config, source), layer_type, notes), None
        if config.get("rope_scaling") is not None and config["rope_scaling"] != config[source]:
            notes.append("the config has both rope_parameters and rope_scaling: rope_scaling is ignored")
    else:
        source = "rope_scaling"
        parameters, theta = _old_form(config, layer_type, notes)
    form = RopeForm(config, parameters, source, DEFAULT_THETA, notes=notes)
    form.rope_type = _rope_type(form)
    form.rope_theta = _theta(form, theta)
    return form


def _text_part(config: Mapping[str, Any], notes: list[str]) -> Mapping[str, Any]:
    """The part of a model of texts and images that is about text."""
    text = config.get("text_config")
    if isinstance(text, Mapping) and not any(_is_given(config, key) for key in ROPE_KEYS):
        notes.append("the parameters are those of 'text_config'")
        return text
    return config


def has_rotary_keys(config: Mapping[str, Any]) -> bool:
    """Whether a key of rotary positions has a value, here or in the part about text."""
    text = config.get("text_config")
    parts = (config, text) if isinstance(text, Mapping) else (config,)
    return any(_is_given(part, key) for part in parts for key in ROPE_KEYS if key != "head_dim")


def is_rotary(config: Mapping[str, Any]) -> bool:
    """Whether the model's name or keys say that it is rotary, those without a value too."""
    text = config.get("text_config")
    parts = (config, text) if isinstance(text, Mapping) else (config,)
    named = any(part.get("model_type") == model for part in parts for model in _ROTARY_MODELS)
    return named or has_rotary_keys(config) or any("rope_scaling" in part for part in parts)


def layer_names(config: Mapping[str, Any]) -> tuple[str, ...]:
    """The layer types that have rotary parameters of their own; none where all layers have the same."""
    config = _text_part(config, [])
    new = config.get("rope_parameters")
    if new is None and _local_theta(config) is None and config.get("global_rope_theta") is None:
        new = config.get("rope_scaling")
    elif new is None:
        return _LAYERS
    names = tuple(_nested(new)) if isinstance(new, Mapping) else ()
    return names if len(names) > 1 else ()


def _check_rotary(config: Mapping[str, Any]) -> None:
    """ValueError for a model that is known to have other positions, or that says nothing of a rotation."""
    model = config.get("model_type")
    if any(_is_given(config, key) for key in ROPE_KEYS if key != "head_dim"):
        return
    if isinstance(model, str) and model in _OTHER_MODELS:
        raise ValueError(f"model_type {model!r} uses {_OTHER_MODELS[model]}, not rotary positions")
    named = isinstance(model, str) and model in _ROTARY_MODELS
    silent = "rope_scaling" in config or "head_dim" in config
    if not (named or silent):
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


def _chosen(parameters: Mapping[str, Any], layer_type: str | None, notes: list[str]) -> Mapping[str, Any]:
    """The parameters of the layer type, where they are nested by layer type; one of them where none is asked for."""
    nested = _nested(parameters)
    if not nested:
        _note_unused(layer_type, notes)
        return parameters
    return nested[_layer(list(nested), layer_type, notes)]


def _nested(parameters: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The parameters of each layer type; empty where they are not nested by layer type."""
    if "rope_type" in parameters or "type" in parameters:
        return {}
    return {name: value for name, value in parameters.items() if isinstance(value, Mapping)}


def _layer(names: list[str], layer_type: str | None, notes: list[str]) -> str:
    if layer_type is None:
        chosen = "full_attention" if "full_attention" in names else names[0]
        if len(names) > 1:
            listed = _some(names, ", ")
            notes.append(f"the parameters depend on the layer type ({listed}): those of {_some([chosen])} are shown")
        return chosen
    if layer_type not in names:
        raise ValueError(f"layer_type must be {_some(names, ' or ')}, got {shortened(layer_type)}")
    return layer_type


def _some(names: list[str], between: str = "") -> str:
    """The names in a sentence: not too many, none too long, and nothing in them that is not seen."""
    told = between.join(one_line(name[:40]) for name in names[:3])
    return f"{told} and {len(names) - 3} more" if len(names) > 3 else told


def _note_unused(layer_type: str | None, notes: list[str]) -> None:
    if layer_type is not None:
        notes.append(f"the parameters do not depend on the layer type: {shortened(layer_type)} makes no difference")


def _old_form(config: Mapping[str, Any], layer_type: str | None, notes: list[str]) -> tuple[Mapping[str, Any], Any]:
    """rope_scaling, and the base where it is not rope_theta: Gemma 3 and ModernBERT have one for local layers."""
    scaling = _mapping(config, "rope_scaling") if config.get("rope_scaling") is not None else {}
    local = _local_theta(config)
    if local is None and config.get("global_rope_theta") is None:
        return _chosen(scaling, layer_type, notes), None
    layer = _layer(list(_LAYERS), layer_type, notes)
    if layer == "sliding_attention" and local is not None:
        return {}, local  # the local layers are not scaled
    return scaling, config.get("global_rope_theta")


def _local_theta(config: Mapping[str, Any]) -> Any:
    return config.get("rope_local_base_freq", config.get("local_rope_theta"))


def _rope_type(form: RopeForm) -> str:
    """The name of the rotation's type, ``default`` where nothing is scaled; ValueError for an unknown one."""
    old, new = form.parameters.get("type"), form.parameters.get("rope_type")
    if old is None and new is None:
        unscaled = {"rope_theta", "partial_rotary_factor"} if form.source == "rope_parameters" else {"rope_theta"}
        if form.parameters.keys() - unscaled:
            raise ValueError(f"{form.source} has no 'rope_type' (or legacy 'type') key")
        return "default"
    if old is not None and new is not None and _plain(old) != _plain(new):
        raise ValueError(f"{form.source} gives 'type': {old!r} and 'rope_type': {new!r}; they must agree")
    named = old if new is None else new
    name = ALIASES.get(named, named) if isinstance(named, str) else named
    if name not in KNOWN_TYPES:
        raise ValueError(f"unknown rope_type {shortened(named)}; known: {_KNOWN}")
    return "mrope" if old == "mrope" else str(name)


def _plain(name: Any) -> Any:
    """The name without aliases; mrope is the default with sections, and newer files call it so."""
    return {"mrope": "default", **ALIASES}.get(name, name) if isinstance(name, str) else name


def _theta(form: RopeForm, given: Any) -> Any:
    """The base, unchecked; where nothing is said of it 10000, with a note unless the model has no other."""
    nested, top = form.parameters.get("rope_theta"), form.config.get("rope_theta")
    if None not in (nested, top) and nested != top and form.parameters is form.config.get(form.source):
        form.notes.append(
            f"rope_theta is {shortened(nested)} in {form.source} and {shortened(top)} beside it; the first counts"
        )
    for theta in (given, nested, top, form.config.get("rotary_emb_base")):
        if theta is not None:
            return theta
    if not form.config.get("rotary"):  # GPT-J's base is in its code
        form.notes.append(f"the config gives no rope_theta: {DEFAULT_THETA:g} is taken, the default of most models")
    return DEFAULT_THETA
