"""The rotary parameters of a configuration in one form, for each kind of layer that has its own.

Old files have ``rope_theta`` and ``rope_scaling``, new ones a single ``rope_parameters``, nested by layer type in some
models. What a file leaves out is taken from its class, and a note says so. Source: transformers 5.23.0,
``modeling_rope_utils`` and the configurations of Gemma 3, OLMo 3, DeepSeek-V4, MiMo-V2 and Step 3.5.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from posenc_core.fields import one_line, shortened
from posenc_core.model_rules.facts import Notes, Values

KNOWN_TYPES = ("default", "linear", "dynamic", "yarn", "longrope", "llama3", "proportional", "axial", "mrope")
ALIASES = {
    "su": "longrope",
    "deepseek_yarn": "yarn",
    "deepseek_llama_scaling": "llama3",
    "gptj": "default",
    "ntk_alpha": "dynamic",
    "xdrope": "dynamic",
}
"""Older names, and names that an engine gives to the same frequencies: vLLM, MLC LLM, and HunYuan's code."""

_KNOWN = ", ".join(f"{name} (alias su)" if name == "longrope" else name for name in KNOWN_TYPES)

_ENGINES = {
    "mllama4": "vLLM's, for the two axes of Llama 4's pictures",
    "openpangu": "vLLM's, for openPangu's positions of several axes",
    "yarn_log": "Grok's, whose ramp this version does not have",
    "theta_scale": "Grok's, whose base this version does not have",
    "telechat3-yarn": "mlx-lm's, a YaRN whose attention factor grows by 0.07 ln(factor)",
    "use_fope": "SGLang's, for Fourier position embeddings",
    "fope": "SGLang's, for Fourier position embeddings",
    "video_rope": "SGLang's, for positions in time, height and width",
    "mrope_interleaved_glm": "SGLang's, for positions in time, height and width",
}

THETA_KEYS = ("rope_theta", "rotary_emb_base", "rope_embedding_base", "rotary_embedding_base", "rope_freq_constant")
_FULL_THETAS = ("rope_theta", "global_rope_theta")
_LOCAL_THETAS = ("rope_local_base_freq", "local_rope_theta", "swa_rope_theta")
SHARES = ("partial_rotary_factor", "rotary_pct", "rope_pct")

LOCAL = ("sliding_attention", "hybrid_sliding", "main")
"""The layers that no scaling to a longer context concerns, where a model has others beside them."""

_TWO_BASES: Mapping[str, Any] = {"full_attention": {}, "sliding_attention": {}}
_COMPRESSED: Mapping[str, Any] = {"main": {}, "compress": {}}

DEFAULT_THETA = 10000.0

ALL_LAYERS = ""
"""The label of parameters that all layers share."""


class NotShownError(ValueError):
    """Positions that are known, and that this version does not show."""


class RopeParameters(Struct, frozen=True):
    """What a configuration says about the rotation of some layers; ``source`` is the key that it stands under.

    ``values`` are those around the parameters. ``rope_theta`` is unchecked, ``rope_type`` a name of ``KNOWN_TYPES``.
    ``nested`` tells whether the parameters stand under the name of a kind of layer.
    """

    values: Values
    parameters: Mapping[str, Any]
    source: str
    rope_theta: Any
    rope_type: str
    nested: bool
    notes: Notes

    def find(self, key: str) -> Any:
        """The value among the parameters, else around them in the file; None if neither has one."""
        value = self.parameters.get(key)
        return self.values.given.get(key) if value is None else value


class _Found(Struct, frozen=True):
    """The parameters as the file has them: ``own`` is empty where it has none, ``of_class`` those of its class."""

    own: Mapping[str, Any]
    source: str
    of_class: Mapping[str, Any]


def labels(values: Values) -> tuple[str, ...]:
    """The kinds of layers that have rotary parameters of their own; ``ALL_LAYERS`` alone where all share them."""
    found = _found(values)
    return tuple(_by_label(values, found)) or (ALL_LAYERS,)


def does_not_rotate(values: Values, label: str) -> bool:
    """Whether the parameters of the label are null, which means that its layers do not rotate."""
    found = _found(values)
    by_label = _by_label(values, found)
    return label in by_label and by_label[label] is None


def parameters_of(values: Values, label: str) -> RopeParameters:
    """The parameters of the label's layers; ValueError with a sentence for what cannot be read."""
    found = _found(values)
    by_label = _by_label(values, found)
    if label == ALL_LAYERS:
        parameters, nested = _flat(values, found), False
    else:
        parameters, nested = by_label[label] or {}, True
    notes = (*_contradiction(values, found), *_class_note(values, found, parameters))
    theta, theta_notes = _theta(values, found, label, parameters)
    name = _rope_type(parameters, found.source)
    return RopeParameters(values, parameters, found.source, theta, name, nested, (*notes, *theta_notes))


def _found(values: Values) -> _Found:
    of_class = values.default("rope_parameters")
    of_class = of_class if isinstance(of_class, Mapping) else {}
    for source in ("rope_parameters", "rope_scaling"):
        if values.given.get(source) is not None:
            return _Found(_mapping(values.given, source), source, of_class)
    return _Found({}, "rope_scaling", of_class)


def _mapping(config: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = config[key]
    if not isinstance(value, Mapping):
        raise ValueError(f"{key} must be an object with names and values, or null, got {shortened(value)}")
    return value


def _by_label(values: Values, found: _Found) -> dict[str, Mapping[str, Any] | None]:
    """The parameters of each kind of layer, None for one that does not rotate; empty where all layers share them."""
    own = _nested(found.own, values)
    if own:
        return own
    of_class = _nested(found.of_class, values)
    if values.has("compress_rope_theta"):
        of_class = {**_COMPRESSED, **of_class}
    elif len(of_class) < len(_TWO_BASES) and values.has(*_LOCAL_THETAS, "global_rope_theta"):
        of_class = dict(_TWO_BASES)
    if len(of_class) < len(_TWO_BASES):
        return {}
    ordered = sorted(of_class, key=lambda label: label != "full_attention")  # the layers that reach farthest first
    return {label: _expanded(label, found.own, of_class[label]) for label in ordered}


def _nested(parameters: Mapping[str, Any], values: Values) -> dict[str, Mapping[str, Any] | None]:
    """The parameters by kind of layer; empty where they are not nested."""
    listed = values.given.get("layer_types")
    types = {each for each in listed if isinstance(each, str)} if isinstance(listed, list) else set()
    if "rope_type" in parameters or "type" in parameters:
        parameters = {name: parameters[name] for name in parameters if name in types}
    objects = {name: each for name, each in parameters.items() if isinstance(each, Mapping)}
    if not objects:
        return {}
    if len(objects) > _MOST_KINDS:
        raise ValueError(f"rope_parameters must name at most {_MOST_KINDS} kinds of layers, got {len(objects)}")
    still = {name: None for name, each in parameters.items() if each is None and name not in _PLAIN}
    return {name: objects.get(name) for name in parameters if name in objects or name in still}


_MOST_KINDS = 100
"""More kinds of layers with rotary parameters of their own than any model has."""

_PLAIN = {"rope_theta", "factor", "partial_rotary_factor", "original_max_position_embeddings"}


def _expanded(label: str, own: Mapping[str, Any], of_class: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """The class's parameters of a kind of layer, with those that the file gives to all layers where they scale it."""
    if of_class is None:
        return None
    if label in LOCAL or not own:
        return of_class
    kept = {key: of_class[key] for key in ("rope_theta", "partial_rotary_factor") if key in of_class}
    forced = {"attention_factor": 1.0} if label == "compress" else {}  # DeepSeek's code, unlike YaRN's formula
    return {**kept, **forced, **own}


def _flat(values: Values, found: _Found) -> Mapping[str, Any]:
    """The parameters that all layers share: the file's, or those of the class where the file has none.

    What share of a head rotates is told beside them in older files, and is not among those of the class.
    """
    if found.own or _nested(found.of_class, values):
        return found.own
    return {key: value for key, value in found.of_class.items() if key != SHARES[0]}


def _contradiction(values: Values, found: _Found) -> Notes:
    old = values.given.get("rope_scaling")
    if found.source == "rope_scaling" or old is None or old == found.own:
        return ()
    return ("the config has both rope_parameters and rope_scaling: rope_scaling is ignored",)


def _class_note(values: Values, found: _Found, parameters: Mapping[str, Any]) -> Notes:
    """The note on a scaling of the class that no key of the file asks for."""
    name = parameters.get("rope_type")
    if found.own or not isinstance(name, str) or name == "default":
        return ()
    told = f"the config gives no rope_parameters: the scaling {name!r} is the default of model_type"
    return (f"{told} {values.shown_type}",)


def _theta(values: Values, found: _Found, label: str, parameters: Mapping[str, Any]) -> tuple[Any, Notes]:
    """The base of the label's layers, unchecked, and a note where the file does not give it or gives two."""
    nested = parameters.get("rope_theta")
    notes: Notes = ()
    written = parameters is found.own or label in found.own
    top = _top_theta(values, found, label)
    if written and nested is not None:
        if parameters is found.own and top is not None and top != nested:
            notes = (
                f"rope_theta is {shortened(nested)} in {found.source} and {shortened(top)} beside it; the first counts",
            )
        return nested, notes
    if top is not None:
        return top, ()
    return _default_theta(values, label, nested)


def _top_theta(values: Values, found: _Found, label: str) -> Any:
    """The base beside the parameters, by the key that the label's layers have for it."""
    given = values.given
    if label == "compress":
        return given.get("compress_rope_theta")
    if label in LOCAL and label != "main" and not _nested(found.own, values):
        own = next((given[key] for key in _LOCAL_THETAS if given.get(key) is not None), None)
        same = _same_thetas(found.of_class)
        return _first(given, THETA_KEYS) if own is None and same else own
    attention = given.get("attn_config")
    inner = attention.get("rope_theta") if isinstance(attention, Mapping) else None
    theta = _first(given, (*_FULL_THETAS, *THETA_KEYS))
    return inner if theta is None else theta


def _first(given: Mapping[str, Any], keys: Iterable[str]) -> Any:
    return next((given[key] for key in keys if given.get(key) is not None), None)


def _same_thetas(of_class: Mapping[str, Any]) -> bool:
    """Whether the class has one base for all of its kinds of layers."""
    thetas = {each.get("rope_theta") for each in of_class.values() if isinstance(each, Mapping)}
    return len(thetas) == 1


def _default_theta(values: Values, label: str, of_class: Any) -> tuple[Any, Notes]:
    """The base of the class, or 10000, with a note unless the model's code has that base."""
    theta = of_class if of_class is not None else values.default("rope_theta")
    if theta is None or isinstance(theta, Mapping):
        inner = values.default("rope_parameters")
        theta = inner.get("rope_theta") if isinstance(inner, Mapping) else None
    if theta is None:
        theta = DEFAULT_THETA
    ratio = values.given.get("rope_ratio")
    if type(ratio) in (int, float) and ratio != 1:  # ChatGLM's
        return theta * ratio, (f"rope_ratio {shortened(ratio)} multiplies the base {theta:g} of the model's code",)
    if values.given.get("rotary"):  # GPT-J's base is in its code
        return theta, ()
    whose = "most models" if theta == DEFAULT_THETA else f"model_type {values.shown_type}"
    what = f"rope_theta of the {label} layers" if label in LOCAL else "rope_theta"
    return theta, (f"the config gives no {what}: {theta:g} is taken, the default of {whose}",)


def _rope_type(parameters: Mapping[str, Any], source: str) -> str:
    """The name of the rotation's type, ``default`` where nothing is scaled; ValueError for an unknown one."""
    old, new = parameters.get("type"), parameters.get("rope_type")
    if old is None and new is None:
        unscaled = {"rope_theta", "partial_rotary_factor"} if source == "rope_parameters" else {"rope_theta"}
        if parameters.keys() - unscaled:
            raise ValueError(f"{source} has no 'rope_type' (or legacy 'type') key")
        return "default"
    if old is not None and new is not None and _plain(old) != _plain(new):
        raise ValueError(f"{source} gives 'type': {shortened(old)} and 'rope_type': {shortened(new)}; they must agree")
    named = old if new is None else new
    name = ALIASES.get(named, named) if isinstance(named, str) else named
    if isinstance(name, str) and name in _ENGINES:
        raise NotShownError(f"rope_type {shortened(named)} is not read: the name is {_ENGINES[name]}")
    if name not in KNOWN_TYPES:
        raise ValueError(f"unknown rope_type {shortened(named)}; known: {_KNOWN}")
    return "mrope" if old == "mrope" else str(name)


def _plain(name: Any) -> Any:
    """The name without aliases; mrope is the default with sections, and newer files call it so."""
    return {"mrope": "default", **ALIASES}.get(name, name) if isinstance(name, str) else name


def some_names(names: Iterable[str], between: str = "") -> str:
    """At most three names for a sentence, each of at most 40 characters that can be printed."""
    listed = list(names)
    told = between.join(one_line(name[:40]) for name in listed[:3])
    return f"{told} and {len(listed) - 3} more" if len(listed) > 3 else told
