"""Which layers of a model rotate, with which parameters, over which window: the rules of the files and of the code.

Sources: ``modeling_<model_type>.py`` of transformers 5.23.0, in which each layer decides whether it rotates.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from posenc_core.fields import shortened
from posenc_core.model_config.facts import Notes, Values
from posenc_core.model_config.layer_types import (
    CHUNKED,
    FULL,
    SLIDING,
    WITHOUT_ATTENTION,
    check_list,
    entries,
    integer,
    layer_types_of,
)
from posenc_core.model_config.rope_parameters import ALL_LAYERS, LOCAL, does_not_rotate, labels
from posenc_core.rope_scaling import QueryTemperature


class PlannedLayer(Struct, frozen=True):
    """What one layer does, before its encoding is made.

    ``label`` names its rotary parameters. ``overrides`` are the names and values in which the layer differs from the
    rest of the configuration, ``theta`` is a base of its own. ``attends`` is False for a layer without attention.
    ``reason`` tells which key decides, its value here and what follows.
    """

    layer_type: str | None
    label: str
    rotates: bool
    attends: bool
    reason: str
    overrides: tuple[tuple[str, Any], ...] = ()
    theta: Any = None
    window: int | None = None
    chunk: int | None = None
    temperature: QueryTemperature | None = None


class Plan(Struct, frozen=True):
    """The layers of a model in their order, and notes on what the files leave open."""

    layers: tuple[PlannedLayer, ...]
    notes: Notes = ()


_SLIDING_ROTATES = ("cohere2", "cohere2_moe", "afmoe", "flint")
_SLIDING_ROTATES_IF_ANY = ("exaone4", "exaone4_5_text", "exaone_moe", "kolibri1")
_NO_WINDOW = ("llama", "gemma", "gpt_neox", "olmo", "olmo2", "deepseek_v3", "nemotron_h")
"""Models whose code has no sliding window, whatever stands in a file."""

_EVERY_FOURTH_FROM_LAST = ("muse_spark_text", "muse_glimmer_text")
_INTERVALS = {"mistral_large4_text": 4}
"""The default of ``no_rope_layer_interval`` where the class does not keep it as a value."""

_Verdict = tuple[bool, str]


def plan_of(values: Values) -> Plan:
    """The plan of the model's layers; ValueError with one sentence where the keys contradict each other."""
    types = layer_types_of(values)
    named = labels(values)
    names: Sequence[str | None] = types.names
    if not types.is_counted and named != (ALL_LAYERS,):
        names = named
    overrides = _overrides(values, names)
    verdicts = _Verdicts.of(values, named, len(names))
    layers = tuple(
        _planned(values.at(dict(overrides[index])), name, index, named, verdicts, types.reason, overrides[index])
        for index, name in enumerate(names)
    )
    return Plan(layers, types.notes)


def label_of(values: Values, layer_type: str | None, named: tuple[str, ...]) -> str:
    """The label of the parameters of a layer of that type, among those that there are."""
    if named == (ALL_LAYERS,):
        return ALL_LAYERS
    if layer_type in named:
        return str(layer_type)
    if "compress" in named:
        return "main" if layer_type == SLIDING else "compress"
    return FULL if FULL in named else named[0]


def _planned(
    values: Values,
    layer_type: str | None,
    index: int,
    named: tuple[str, ...],
    verdicts: "_Verdicts",
    type_reason: str,
    overrides: tuple[tuple[str, Any], ...],
) -> PlannedLayer:
    label = label_of(values, layer_type, named)
    of_type = type_reason.format(layer_type) if layer_type else ""
    if layer_type in WITHOUT_ATTENTION:
        reason = f"{of_type or f'the layers are {layer_type}'}: {WITHOUT_ATTENTION[layer_type]}"
        return PlannedLayer(layer_type, label, False, False, reason)
    rotates, reason = verdicts.at(values, layer_type, index, label)
    window, chunk, range_reason = _range(values, layer_type)
    told = "; ".join(part for part in (reason or of_type, range_reason) if part)
    temperature = _temperature(values, layer_type, rotates)
    theta = verdicts.thetas[index] if verdicts.thetas is not None and rotates else None
    return PlannedLayer(layer_type, label, rotates, True, told, overrides, theta, window, chunk, temperature)


class _Verdicts(Struct, frozen=True):
    """What the lists of a configuration say of each layer, read once; None for a list that there is not."""

    switched: Sequence[Any] | None
    thetas: Sequence[Any] | None
    interval: int | None
    still: tuple[str, ...]
    count: int

    @classmethod
    def of(cls, values: Values, named: tuple[str, ...], count: int) -> "_Verdicts":
        key = "no_rope_layer_interval"
        default = _INTERVALS.get(values.model_type)
        interval = default if values.find(key) is None else integer(values, key)
        still = tuple(label for label in named if does_not_rotate(values, label))
        switched, thetas = (entries(values, each, count) for each in ("no_rope_layers", "layer_rope_theta"))
        return cls(switched, thetas, interval, still, count)

    def at(self, values: Values, layer_type: str | None, index: int, label: str) -> _Verdict:
        """Whether the layer rotates, and why; an empty reason where no key decides."""
        if label in self.still:
            return False, f"the rotary parameters of {label} are null: these layers do not rotate"
        for verdict in (_by_model(values), self._by_list(values, index), _by_type(values, layer_type, index)):
            if verdict is not None:
                return verdict
        return True, ""

    def _by_list(self, values: Values, index: int) -> _Verdict | None:
        if self.thetas is not None:
            theta = self.thetas[index]
            still = type(theta) in (int, float) and theta == 0
            told = "it does not rotate" if still else "it rotates with that base"
            return not still, f"layer_rope_theta is {shortened(theta)} at this layer: {told}"
        if self.switched is not None:
            switch = self.switched[index]
            if type(switch) not in (int, bool) or switch not in (0, 1):
                raise ValueError(f"no_rope_layers must list 1 for layers that rotate and 0, got {shortened(switch)}")
            told = "it rotates" if switch else "it does not rotate"
            return bool(switch), f"no_rope_layers is {int(switch)} at this layer: {told}"
        interval = self.interval
        if interval is not None:
            rotates = (index + 1) % interval != 0
            told = "this one rotates" if rotates else "this is one of them"
            return rotates, f"no_rope_layer_interval is {interval}: one layer in {interval} does not rotate, {told}"
        if values.model_type in _EVERY_FOURTH_FROM_LAST:
            rotates = (self.count - 1 - index) % 4 != 0
            told = "this one rotates" if rotates else "this is one of them"
            return rotates, f"layer_rope_theta is not given: every fourth layer from the last does not rotate, {told}"
        return None


def _by_model(values: Values) -> _Verdict | None:
    """The keys that decide for all layers at once."""
    kind = values.find("position_embedding_type")
    if kind in ("nope", "none") or (values.model_type == "granitemoehybrid" and kind != "rope"):
        return False, f"position_embedding_type is {shortened(kind)}: the layer does not rotate"
    if values.find("use_mem_rope") is False:
        return False, "use_mem_rope is false: the layer does not rotate"
    if values.find("mla_use_nope") is True:
        return False, "mla_use_nope is true: the layer does not rotate"
    if values.find("qk_rope_head_dim") == 0:
        return False, "qk_rope_head_dim is 0: no column rotates"
    if values.model_type == "olmo_hybrid" and _has_no_base(values):
        return False, "the file gives no base of a rotation: the layer does not rotate"
    if values.facts.positions == "none":
        return False, f"model_type {values.shown_type} rotates nothing: its attention has no positions"
    return None


def _has_no_base(values: Values) -> bool:
    parameters = values.given.get("rope_parameters")
    inner = parameters.get("rope_theta") if isinstance(parameters, Mapping) else None
    return "rope_parameters" in values.given and inner is None and not values.has("rope_theta")


def _by_type(values: Values, layer_type: str | None, index: int) -> _Verdict | None:
    """The rule of models in which only sliding layers rotate."""
    if values.model_type not in _SLIDING_ROTATES + _SLIDING_ROTATES_IF_ANY or layer_type is None:
        return None
    if values.model_type in _SLIDING_ROTATES_IF_ANY and values.find("sliding_window") is None:
        return True, "sliding_window is null: all layers rotate"
    if layer_type == SLIDING:
        return True, f"the layer is of type {SLIDING}: it rotates"
    if _is_forced(values, index):
        return True, "the layer is one of the first, dense ones, which rotate (prefix_dense_sliding_window_pattern 1)"
    return False, f"the layer is of type {layer_type}: it does not rotate, only {SLIDING} does in this model"


def _is_forced(values: Values, index: int) -> bool:
    """Whether the layer is one of Cohere 2's dense ones, which rotate although they attend to all tokens."""
    first = values.given.get("first_k_dense_replace", 0)
    pattern = values.find("prefix_dense_sliding_window_pattern")
    dense = check_list(values, "mlp_layer_types")
    is_dense = index < len(dense) and dense[index] == "dense" if dense else type(first) is int and index < first
    return values.model_type == "cohere2_moe" and pattern in (None, 1) and bool(is_dense)


def _range(values: Values, layer_type: str | None) -> tuple[int | None, int | None, str]:
    """The window and the chunk of the layer's attention in tokens, and a sentence about them."""
    if layer_type == CHUNKED and values.find("attention_chunk_size"):
        chunk = integer(values, "attention_chunk_size")
        return None, chunk, f"it attends within chunks of {chunk} tokens (attention_chunk_size)"
    slides = layer_type in (*LOCAL, "window_attention") or (layer_type is None and _all_slide(values))
    keys = ("sliding_window", "sliding_window_size", "attention_window_size", "local_attention")
    key = values.key(*keys)
    if not slides or not values.find(key):
        return None, None, ""
    window = integer(values, key)
    return window, None, f"it attends to the last {window} tokens ({key})"


def _all_slide(values: Values) -> bool:
    """Whether all layers are sliding, in a model whose code knows a window and whose file does not switch it off."""
    return values.model_type not in _NO_WINDOW and values.find("use_sliding_window") is not False


def _temperature(values: Values, layer_type: str | None, rotates: bool) -> QueryTemperature | None:
    """The factor of the layer's queries by their position; that of rotary parameters is not among these."""
    if values.find("attn_temperature_tuning") and not rotates:
        return _tuned(values, "llama4", "attn_scale", "floor_scale")
    if values.find("log_scaling_n_floor") is not None and layer_type in ("hybrid", FULL):
        return _tuned(values, "inkling", "log_scaling_alpha", "log_scaling_n_floor")
    if values.model_type == "beam" and layer_type == FULL:
        return QueryTemperature("beam")
    if values.find("use_logn_attn") is True and values.find("seq_length") is not None:
        return QueryTemperature("log-n", {"trained_length": integer(values, "seq_length", 2)})
    return None


def _tuned(values: Values, rule: str, *keys: str) -> QueryTemperature:
    given = {key: values.find(key) for key in keys if values.find(key) is not None}
    try:
        return QueryTemperature(rule, given)
    except TypeError as error:
        raise ValueError(str(error)) from None


def _overrides(values: Values, names: Sequence[str | None]) -> list[tuple[tuple[str, Any], ...]]:
    """For each layer the names and values in which it differs from the rest of the configuration."""
    count = len(names)
    own = _own_configs(values, count)
    thetas, shares = (entries(values, key, count) if isinstance(values.given.get(key), list | tuple) else None
                      for key in ("rope_theta", "partial_rotary_factors"))  # fmt: skip
    found: list[tuple[tuple[str, Any], ...]] = []
    for index, name in enumerate(names):
        differs = dict(own.get(index, {}))
        if thetas is not None or shares is not None:
            differs |= {"rope_theta": thetas[index]} if thetas is not None else {}
            differs |= {"partial_rotary_factor": shares[index]} if shares is not None else {}
            differs |= {"rope_scaling": None} if name in LOCAL else {}
        found.append(tuple(differs.items()))
    return found


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
        found[number] = own
    return found
