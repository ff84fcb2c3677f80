"""Rotation, parameters and windows of a model's layers: the rules of the files and of the code.

Sources: ``modeling_<model_type>.py`` of transformers 5.23.0, where the code of each layer decides whether it rotates.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from posenc_core.fields import shortened
from posenc_core.model_rules.facts import Notes, Values
from posenc_core.model_rules.layer_lists import FULL, SLIDING, check_list, integer
from posenc_core.model_rules.layer_types import WITHOUT_ATTENTION, entries, layer_types_of
from posenc_core.model_rules.reach import INDEXER, Reach, indexers, reach_of, windows_of_layers
from posenc_core.model_rules.rotation.rope_parameters import ALL_LAYERS, LOCAL, does_not_rotate, labels


class PlannedLayer(Struct, frozen=True):
    """Plan of one layer, before its encoding is made.

    ``label`` names its rotary parameters. ``overrides`` are the names and values that differ from the
    rest of the configuration, ``theta`` is a separate base. ``attends`` is False for a layer without attention.
    ``reason`` names the decisive key, its value here and the consequence.
    """

    layer_type: str | None
    label: str
    rotates: bool
    attends: bool
    reason: str
    overrides: tuple[tuple[str, Any], ...] = ()
    theta: Any = None
    reach: Reach = Reach()


class Plan(Struct, frozen=True):
    """The layers of a model in their order, and notes on facts missing in the files."""

    layers: tuple[PlannedLayer, ...]
    notes: Notes = ()


_DOTS_WIDTHS = {"head_dim": 256, "qk_nope_head_dim": 192}
"""The defaults of ``swa_head_dim`` and ``swa_qk_nope_head_dim``: transformers 5.23.0, ``Dots3NoteTextConfig``."""

_MOST_KINDS = 1000
"""More different layers than any model has."""

_LAYER_KEYS = {
    "head_dim", "hidden_size", "num_attention_heads", "partial_rotary_factor", "qk_rope_head_dim", "rope_scaling",
    "rope_theta", "sliding_window",
}  # fmt: skip
"""The keys of ``per_layer_config`` about positions."""

_Verdict = tuple[bool, str]


class _Place(Struct, frozen=True):
    """Lists and periods about one layer; ``verdict`` is None if they do not decide whether it rotates.

    ``forced``: the layer rotates independently of its type.
    """

    layer_type: str | None
    overrides: tuple[tuple[str, Any], ...]
    verdict: _Verdict | None
    theta: Any
    forced: bool


def plan_of(values: Values) -> Plan:
    """The plan of the model's layers; ValueError with one sentence if the keys contradict each other."""
    types = layer_types_of(values)
    named = labels(values)
    names: Sequence[str | None] = types.names
    if not types.is_counted and named != (ALL_LAYERS,):
        names = named
    still = tuple(label for label in named if does_not_rotate(values, label))
    planned: dict[str, PlannedLayer] = {}
    layers = []
    for index, place in enumerate(_places(values, names)):
        key = _text_of(place) or str(index)
        if key not in planned:
            label = label_of(place.layer_type, named)
            planned[key] = _planned(values.at(dict(place.overrides)), place, label, label in still, types.reason)
            if len(planned) > _MOST_KINDS:
                raise ValueError(f"the layers must be of at most {_MOST_KINDS} kinds, which this model's are not")
        layers.append(planned[key])
    missing = dict.fromkeys(each.reach.missing for each in planned.values() if each.reach.missing)
    return Plan(tuple(layers), (*types.notes, *missing))


def _text_of(place: _Place) -> str:
    """A text that is the same for equal places; empty if a place has a number that Python does not write."""
    try:
        return repr(place)
    except ValueError:  # Python does not write integers of more than 4300 digits
        return ""


def label_of(layer_type: str | None, named: tuple[str, ...]) -> str:
    """The label of the parameters of a layer of that type, among those that there are."""
    if named == (ALL_LAYERS,):
        return ALL_LAYERS
    if layer_type in named:
        return str(layer_type)
    if "compress" in named:
        return "main" if layer_type == SLIDING else "compress"
    return FULL if FULL in named else named[0]


def _planned(values: Values, place: _Place, label: str, is_still: bool, type_reason: str) -> PlannedLayer:
    layer_type = place.layer_type
    of_type = type_reason.format(layer_type) if layer_type else ""
    if layer_type in WITHOUT_ATTENTION:
        reason = f"{of_type or f'the layers are {layer_type}'}: {WITHOUT_ATTENTION[layer_type]}"
        return PlannedLayer(layer_type, label, False, False, reason)
    nulled = (False, f"the rotary parameters of {label} are null: these layers do not rotate") if is_still else None
    rotates, reason = nulled or _by_model(values) or place.verdict or _by_type(values, place) or (True, "")
    reach = reach_of(values, layer_type)
    told = "; ".join(part for part in (reason or of_type, reach.sentence) if part)
    theta = place.theta if rotates else None
    return PlannedLayer(layer_type, label, rotates, True, told, place.overrides, theta, reach)


def _places(values: Values, names: Sequence[str | None]) -> Iterator[_Place]:
    """Lists and periods about each layer; ValueError for a list of another length."""
    count = len(names)
    switched, thetas = _switched(values, count), entries(values, "layer_rope_theta", count)
    key = "no_rope_layer_interval"
    interval = values.exception("no_rope_layer_interval") if values.find(key) is None else integer(values, key)
    overrides = _overrides(values, names)
    for index, name in enumerate(names):
        theta = None if thetas is None else thetas[index]
        if thetas is not None:
            is_base = not values.exception("every_fourth_from_last")
            verdict: _Verdict | None = _by_theta(theta, is_base)
            theta = theta if is_base else None
        elif switched is not None:
            verdict = _by_switch(switched[index], values.model_type == "iquest_q1")
        elif interval is not None:
            told = f"no_rope_layer_interval is {interval}: one layer in {interval} does not rotate"
            verdict = _one_of(told, (index + 1) % interval == 0)
        elif values.exception("every_fourth_from_last"):
            told = "layer_rope_theta is not given: every fourth layer from the last does not rotate"
            verdict = _one_of(told, (count - 1 - index) % 4 == 0)
        else:
            verdict = _by_mixer(values, index)
        yield _Place(name, overrides[index], verdict, theta, _is_forced(values, index))


def _switched(values: Values, count: int) -> Sequence[Any] | None:
    """1 for each layer that rotates and 0 for the others; IQuest lists the numbers of those that do not."""
    listed = check_list(values, "no_rope_layers")
    if listed is None or values.model_type != "iquest_q1":
        return entries(values, "no_rope_layers", count)
    return [int(index not in listed) for index in range(count)]


def _by_mixer(values: Values, index: int) -> _Verdict | None:
    """MiniCPM-SALA's two kinds of layers, each with a key. Source: SGLang 0.5.23, srt/models/minicpm.py."""
    mixers = check_list(values, "mixer_types") if values.model_type == "minicpm_sala" else None
    if not mixers:
        return None
    mixer = mixers[index % len(mixers)]
    key = "lightning_use_rope" if "lightning" in str(mixer)[:32] else "attn_use_rope"
    rotates = values.given.get(key) is not False
    told = "it rotates" if rotates else f"{key} is false: it does not rotate"
    return rotates, f"mixer_types is {shortened(mixer)} at this layer: {told}"


def _by_theta(theta: Any, is_base: bool) -> _Verdict:
    still = type(theta) in (int, float) and theta == 0
    rotates = "it rotates with that base" if is_base else "it rotates, with the base of the rotary parameters"
    told = "it does not rotate" if still else rotates
    return not still, f"layer_rope_theta is {shortened(theta)} at this layer: {told}"


def _by_switch(switch: Any, is_listed: bool) -> _Verdict:
    if type(switch) not in (int, bool) or switch not in (0, 1):
        raise ValueError(f"no_rope_layers must list 1 for layers that rotate and 0, got {shortened(switch)}")
    told = "it rotates" if switch else "it does not rotate"
    how = ("does not list" if switch else "lists") + " this layer" if is_listed else f"is {int(switch)} at this layer"
    return bool(switch), f"no_rope_layers {how}: {told}"


def _one_of(told: str, still: bool) -> _Verdict:
    return not still, f"{told}, {'this is one of them' if still else 'this one rotates'}"


def _by_model(values: Values) -> _Verdict | None:
    """The keys that decide for all layers at once."""
    kind = values.find("position_embedding_type")
    is_hybrid = values.model_type == "granitemoehybrid"
    if (kind in ("nope", "none") and not values.facts.source) or (is_hybrid and kind != "rope"):
        return False, f"position_embedding_type is {shortened(kind)}: the layer does not rotate"
    if values.find("use_mem_rope") is False:
        return False, "use_mem_rope is false: the layer does not rotate"
    if values.find("mla_use_nope") is True:
        return False, "mla_use_nope is true: the layer does not rotate"
    if values.find("qk_rope_head_dim") == 0:
        return False, "qk_rope_head_dim is 0: no column rotates"
    if values.model_type == "olmo_hybrid" and _has_no_base(values):
        return False, "the file has no base of a rotation: the layer does not rotate"
    if values.facts.positions == "none":
        return False, f"model_type {values.shown_type} rotates nothing: its attention has no positions"
    return None


def _has_no_base(values: Values) -> bool:
    """Whether the base is null in the file, or nested; without the key the class has one of its own."""
    parameters = values.given.get("rope_scaling") or values.given.get("rope_parameters")
    if labels(values) != (ALL_LAYERS,):
        return True
    beside = values.given.get("rope_theta", 0)
    return (parameters.get("rope_theta", beside) if isinstance(parameters, Mapping) else beside) is None


def _by_type(values: Values, place: _Place) -> _Verdict | None:
    """The rule of models in which only sliding layers rotate."""
    layer_type = place.layer_type
    if_any = values.exception("sliding_rotates_if_any")
    if not (if_any or values.exception("sliding_rotates")) or layer_type is None:
        return None
    if if_any and values.find("sliding_window") is None:
        return True, "sliding_window is null: all layers rotate"
    if layer_type == SLIDING:
        return True, f"the layer is of type {SLIDING}: it rotates"
    if place.forced:
        return True, "the layer is one of the first, dense ones, which rotate (prefix_dense_sliding_window_pattern 1)"
    return False, f"the layer is of type {layer_type}: it does not rotate, only {SLIDING} does in this model"


def _is_forced(values: Values, index: int) -> bool:
    """Whether the layer is one of Cohere 2's dense ones, which rotate although they attend to all tokens."""
    if values.model_type != "cohere2_moe":
        return False
    first = values.given.get("first_k_dense_replace", 0)
    pattern = values.find("prefix_dense_sliding_window_pattern")
    dense = check_list(values, "mlp_layer_types")
    is_dense = index < len(dense) and dense[index] == "dense" if dense else type(first) is int and index < first
    return pattern in (None, 1) and bool(is_dense)


def _overrides(values: Values, names: Sequence[str | None]) -> list[tuple[tuple[str, Any], ...]]:
    """For each layer the names and values in which it differs from the rest of the configuration."""
    count = len(names)
    own = _own_configs(values, count) or windows_of_layers(values, names) or _sliding_widths(values, names)
    thetas, shares, ratios = (entries(values, key, count) if isinstance(values.given.get(key), list | tuple) else None
                              for key in ("rope_theta", "partial_rotary_factors", "compress_ratios"))  # fmt: skip
    chosen = indexers(values, count) or ()
    found: list[tuple[tuple[str, Any], ...]] = []
    for index, name in enumerate(names):
        differs = dict(own.get(index, {}))
        differs |= {INDEXER: chosen[index]} if index < len(chosen) and chosen[index] == "shared" else {}
        if ratios is not None:
            differs |= {"compress_ratio": ratios[index]}
        if thetas is not None or shares is not None:
            differs |= {"rope_theta": thetas[index]} if thetas is not None else {}
            differs |= {"partial_rotary_factor": shares[index]} if shares is not None else {}
            differs |= {"rope_scaling": None} if name in LOCAL else {}
        found.append(tuple(differs.items()))
    return found


def _sliding_widths(values: Values, names: Sequence[str | None]) -> Mapping[int, Mapping[str, Any]]:
    """The widths of Dots 3 Note's sliding layers, which have separate keys and defaults."""
    if values.model_type != "dots3_note_text" or "per_layer_config" in values.given:
        return {}
    width, rest = (values.given.get(f"swa_{key}", default) for key, default in _DOTS_WIDTHS.items())
    if any(type(each) is not int for each in (width, rest)):
        return {}
    part = values.given.get("swa_qk_rope_head_dim", width - rest)
    return {index: {"qk_rope_head_dim": part} for index, name in enumerate(names) if name == SLIDING}


def _own_configs(values: Values, count: int) -> Mapping[int, Mapping[str, Any]]:
    """``per_layer_config`` by the number of the layer."""
    given = values.given.get("per_layer_config")
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ValueError(f"per_layer_config must be an object with layers and their values, got {shortened(given)}")
    found = {}
    for name, own in given.items():
        number = int(name) if str(name).isascii() and str(name).isdigit() and len(str(name)) < 6 else count
        if number >= count or not isinstance(own, Mapping):
            raise ValueError(
                f"per_layer_config must have objects under the layers 0..{count - 1}, got {shortened(name)}"
            )
        found[number] = {key: own[key] for key in own if key in _LAYER_KEYS}
    return found
