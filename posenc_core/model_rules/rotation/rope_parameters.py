"""The rotary parameters of a configuration in one form, for each kind of layer with separate parameters.

Parameters missing in the file are those of its class, with a note.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from posenc_core.fields import one_line, shortened
from posenc_core.model_rules.facts import Notes, Values
from posenc_core.model_rules.spelling import (
    ALL_LAYERS,
    DEFAULT_THETA,
    INNER_THETA,
    LOCAL,
    LOCAL_THETAS,
    SHARES,
    THETA_KEYS,
    ByLabel,
    Parameters,
    parameters_by_label,
)

KNOWN_TYPES = ("default", "linear", "dynamic", "yarn", "longrope", "llama3", "proportional", "axial", "mrope")
ALIASES = {
    "su": "longrope",
    "deepseek_yarn": "yarn",
    "telechat3-yarn": "yarn",
    "deepseek_llama_scaling": "llama3",
    "gptj": "default",
    "ntk_alpha": "dynamic",
    "xdrope": "dynamic",
}
"""Older names, and engines' names of the same frequencies: vLLM, MLC LLM, and HunYuan's code."""

_KNOWN = ", ".join(f"{name} (alias su)" if name == "longrope" else name for name in KNOWN_TYPES)

NULL_FAILS = "is null, with which transformers 5.23.0 fails"
"""Words of the note on such a key."""

_ORIGINAL = "original_max_position_embeddings"

_SERVED = ("ntk", "yarn_log", "theta_scale")
"""vLLM's and Grok's names, read in files of a model_type that transformers 5.23.0 does not have: it refuses them."""

_ENGINES = {
    "yarn_log": "Grok's, and transformers 5.23.0 does not know it",
    "theta_scale": "Grok's, and transformers 5.23.0 does not know it",
    "mllama4": "vLLM's, for the two axes of Llama 4's pictures",
    "openpangu": "vLLM's, for openPangu's positions of several axes",
    "use_fope": "SGLang's, for Fourier position embeddings",
    "fope": "SGLang's, for Fourier position embeddings",
    "video_rope": "SGLang's, for positions in time, height and width",
    "mrope_interleaved_glm": "SGLang's, for positions in time, height and width",
}


class NotShownError(ValueError):
    """Positions that are known, and that this version does not show."""


class RopeParameters(Struct, frozen=True):
    """Rotation of some layers in a configuration; ``source`` is its key.

    ``values`` are those around the parameters, ``keys`` the file's key for each parameter in the file.
    ``rope_theta`` is unchecked, ``rope_type`` a name of ``KNOWN_TYPES`` or ``_SERVED``. ``nested``: the parameters are
    under the name of a kind of layer.
    """

    values: Values
    parameters: Mapping[str, Any]
    keys: Mapping[str, str]
    source: str
    rope_theta: Any
    rope_type: str
    nested: bool
    notes: Notes

    def find(self, key: str) -> Any:
        """The value among the parameters, else around them in the file; None if neither has one."""
        value = self.parameters.get(key)
        return self.values.given.get(key) if value is None else value


def labels(values: Values) -> tuple[str, ...]:
    """The kinds of layers with separate rotary parameters; only ``ALL_LAYERS`` if all share them."""
    return tuple(parameters_by_label(values))


def does_not_rotate(values: Values, label: str) -> bool:
    """Whether the parameters of the label are null, which means that its layers do not rotate."""
    found = parameters_by_label(values)
    return label in found and found[label] is None


def parameters_of(values: Values, label: str) -> RopeParameters:
    """The parameters of the label's layers; ValueError with a sentence for unreadable keys."""
    found = parameters_by_label(values)
    made = found[label] or Parameters({}, {}, "rope_parameters")
    notes = (*made.notes, *_unread_notes(values, found), *_class_note(values, made))
    theta, theta_notes = _theta(values, made, label)
    name = _rope_type(values, made)
    reads_old_name = not values.exception("new_name_alone") or made.source.startswith("rope_scaling")
    if not reads_old_name and "rope_type" not in made.values and name != "default":
        notes = (*notes, f"model_type {values.shown_type} reads 'rope_type' alone, not 'type': nothing is scaled")
        name = "default"
    if name == "yarn" and values.exception("yarn_is_longrope") and made.values.get("short_factor") is not None:
        name = "longrope"
        notes = (*notes, f"the class of model_type {values.shown_type} reads rope_type 'yarn' as 'longrope'")
    nested, notes = label != ALL_LAYERS, (*notes, *_null_notes(values, made.source, name))
    return RopeParameters(values, made.values, made.keys, made.source, theta, name, nested, (*notes, *theta_notes))


def _unread_notes(values: Values, found: ByLabel) -> Notes:
    """The notes on keys beside the parameters, or instead of them, that the class does not read."""
    if values.facts.spelling.bases is None:
        return ()
    read = {key.partition(".")[0] for each in found.values() if each is not None for key in each.keys.values()}
    made = [each.values.get(name) for each in found.values() if each is not None for name in ("rope_theta", SHARES[0])]
    keys = (*THETA_KEYS, *LOCAL_THETAS, "compress_rope_theta", *SHARES, "rope_parameters", "rope_scaling")
    unread = [key for key in keys if values.given.get(key) not in (None, {}, *made) and key not in read]
    if values.given.get("rope_parameters") == values.given.get("rope_scaling"):  # a file for old and new versions
        unread = [key for key in unread if key not in ("rope_parameters", "rope_scaling")]
    beside = {key: each for key, each in values.unread.items() if not _asks_nothing(key, each)}
    ignored = {**{key: values.given[key] for key in unread}, **beside}
    notes = [
        f"model_type {values.shown_type} does not read {key} here: {shortened(value)} is without effect"
        for key, value in ignored.items()
        if value not in (None, [], {})
    ]
    if any(each is not None and each.keys.get("rope_theta") == INNER_THETA for each in found.values()):
        notes.append(f"transformers 5.23.0 does not read {INNER_THETA}, the base shown, and rotates with 10000")
    return tuple(notes)


def _null_notes(values: Values, source: str, name: str) -> Notes:
    """The notes on keys whose null ends transformers 5.23.0 with an error, where a missing key has a default."""
    outer, _, label = source.partition(".")
    given = values.given.get(outer)
    given = given.get(label) if label and isinstance(given, Mapping) else given
    given = given if isinstance(given, Mapping) else {}
    fatal = ["rope_theta", *["factor"] * (name == "proportional")]
    if name not in ("default", "mrope") or not values.facts.rotates_all:
        fatal.append(SHARES[0])
    if name in ("yarn", "llama3", "longrope") and (label or values.find(_ORIGINAL) is None):
        fatal.append(_ORIGINAL)
    nulls = [f"{source}.{key}" for key in fatal if given.get(key, 0) is None]
    if values.facts.spelling.bases == {"": "rope_theta"} and "rope_theta" not in given:
        nulls += ["rope_theta"] * (values.given.get("rope_theta", 0) is None)
    return tuple(f"{key} {NULL_FAILS}: remove the key" for key in nulls if values.facts.source)


def _asks_nothing(key: str, value: Any) -> bool:
    """Whether a list of switches has 1 for each layer: without it they attend, and rotate, as well."""
    return key in ("attn_type_list", "no_rope_layers") and isinstance(value, list) and set(map(repr, value)) == {"1"}


def _class_note(values: Values, made: Parameters) -> Notes:
    """The note on a default scaling of the class without a key in the file."""
    name = made.values.get("rope_type")
    if made.keys.keys() - {"rope_theta", SHARES[0]} or not isinstance(name, str) or name == "default":
        return ()
    told = f"the config gives no rope_parameters: the scaling {name!r} is the default of model_type"
    return (f"{told} {values.shown_type}",)


def _theta(values: Values, made: Parameters, label: str) -> tuple[Any, Notes]:
    """The base of the label's layers, unchecked, and a note if the file has none or two."""
    theta = made.values.get("rope_theta")
    if "rope_theta" in made.keys and theta is not None:
        beside = values.given.get("rope_theta")
        if made.keys["rope_theta"] == f"{made.source}.rope_theta" and beside not in (None, theta) and not label:
            return theta, (f"rope_theta is {shortened(theta)} in {made.source} and {shortened(beside)} beside it; "
                           "the first counts",)  # fmt: skip
        return theta, ()
    if theta is None:
        theta = values.of_label("rope_theta", label)
    if theta is None:
        return _default_theta(values, label, DEFAULT_THETA, "most models")
    return _default_theta(values, label, theta, f"model_type {values.shown_type}" if values.model_type else "its code")


def _default_theta(values: Values, label: str, theta: Any, whose: str) -> tuple[Any, Notes]:
    """The base of the class, or 10000, with a note unless the model's code has that base; ``whose`` default it is."""
    if values.given.get(LOCAL_THETAS[-1] if label in LOCAL else THETA_KEYS[0]) == theta:
        return theta, ()  # the class does not read the file's base, which is its own
    ratio = values.given.get("rope_ratio")
    if type(ratio) in (int, float) and ratio != 1:  # ChatGLM's
        return theta * ratio, (f"rope_ratio {shortened(ratio)} multiplies the base {theta:,.10g} of the model's code",)
    if values.given.get("rotary"):  # GPT-J's base is in its code
        return theta, ()
    what = f"rope_theta of the {label} layers" if label in LOCAL else "rope_theta"
    return theta, (f"the config gives no {what}: {theta:,.10g} is taken, the default of {whose}",)


def _rope_type(values: Values, made: Parameters) -> str:
    """The name of the rotation's type, ``default`` without scaling; ValueError for an unknown one."""
    old, new, source = made.values.get("type"), made.values.get("rope_type"), made.source
    if old is None and new is None:
        told = {name for name, key in made.keys.items() if key == f"{source}.{name}"}
        if told - {"rope_theta", SHARES[0]}:
            raise ValueError(f"{source} has no 'rope_type' (or legacy 'type') key")
        return "default"
    if old is not None and new is not None and _plain(old) != _plain(new):
        raise ValueError(f"{source} gives 'type': {shortened(old)} and 'rope_type': {shortened(new)}; they must agree")
    named = old if new is None else new
    name = ALIASES.get(named, named) if isinstance(named, str) else named
    if name in _SERVED and values.model_type and not values.facts.source:
        return str(name)
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
