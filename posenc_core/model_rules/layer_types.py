"""The kind of every layer, from the various keys of configurations.

Sources: ``configuration_<model_type>.py`` of transformers 5.23.0, where each key is turned into ``layer_types``.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from posenc_core.fields import one_line, shortened
from posenc_core.model_rules.facts import Notes, Values
from posenc_core.model_rules.layer_lists import (
    CHUNKED,
    FULL,
    INDEXED,
    LINEAR,
    MOST_LAYERS,
    NAMED_LISTS,
    NO_ATTENTION,
    READERS,
    SLIDING,
    check_list,
    integer,
)

WITHOUT_ATTENTION = {
    LINEAR: "it has linear attention or a state-space model, whose recurrence carries the order",
    "mamba": "it has a state-space model, whose recurrence carries the order",
    "mamba2": "it has a state-space model, whose recurrence carries the order",
    "recurrent": "it is recurrent, which carries the order",
    "conv": "it has a convolution over neighbours",
    "moe": "it has experts and no attention",
    "mlp": "it has a feed-forward network and no attention",
    NO_ATTENTION: "it has no attention, or a linear map in its place",
    "cross_attention": "it attends to the picture's vectors, which have no positions of the text",
}
"""Why a layer of the type has nothing to rotate."""

_RENAMED = {
    "attention": FULL,
    "attn": FULL,
    "jet": LINEAR,
    "deepseek_sparse_attention": "indexed_attention",
    "qwen_sparse_attention": "indexed_attention",
    "local_attention": SLIDING,
    "global_attention": FULL,
    "local": SLIDING,
    "sliding": SLIDING,
    "swa": SLIDING,
    "global": FULL,
    "full": FULL,
    "linear": LINEAR,
}

_KNOWN = {
    FULL, SLIDING, CHUNKED, *WITHOUT_ATTENTION, "window_attention", "indexed_attention", "compressed_sparse_attention",
    "heavily_compressed_attention", "minimax_m3_sparse", "hybrid", "hybrid_sliding", "reference_sliding_attention",
    "sparse", "dense",
}  # fmt: skip


_COUNTS = (
    "num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_transformer_layers", "encoder_layers", "depth",
    "decoder_num_hidden_layers",
)  # fmt: skip


_STAGES = ("depths", "blocks_per_stage")
"""The keys of lists of the layers per stage, which count before all others in the classes that have them."""

_MOST_KINDS = 100
"""More kinds of layers with separate rotary parameters than any model has."""
_ROTARY_NAMES = {"rope_theta", "factor", "partial_rotary_factor", "original_max_position_embeddings"}


class LayerTypes(Struct, frozen=True):
    """The type of every layer, None if no key defines it.

    ``reason`` names the decisive key, with ``{}`` for the type; empty if there is none. ``is_counted`` is
    False if the number of layers is unknown: one of each kind is listed.
    """

    names: tuple[str | None, ...]
    reason: str
    notes: Notes = ()
    is_counted: bool = True


def layer_types_of(values: Values) -> LayerTypes:
    """The types of the layers; ValueError with both numbers for a list that is not as long as the layers are many."""
    count, notes = _count(values)
    if (default := values.exception("counts_by_list")) is not None:
        return _of_own_list(values, default, count)
    is_given = count is not None and not notes
    for reader in READERS:
        read = reader(values, count)
        if read is not None:
            key, names = read
            checked = tuple(name if name is None else _checked(name, key, values) for name in names)
            extra = _extra(values)
            if is_given and (len(checked) - extra == count or _is_cut(values)):
                checked = checked[:count]  # the layers after these predict further tokens
            _check_length(checked, count if is_given else None, key)
            types, forced = _with_last_full(values, _with_indexers(values, checked))
            defaults = () if key in NAMED_LISTS else notes
            return LayerTypes(types, _reason(key, types), (*defaults, *forced))
    if count is None:
        return LayerTypes((None,), "", ("the number of layers is not in the file: one of each kind is listed",), False)
    pattern = values.facts.layer_types
    if pattern is None:
        return LayerTypes((None,) * count, "", notes)
    names = _with_indexers(values, pattern.names(count))
    if values.model_type == "dots3_note_text" and values.given.get("use_sliding_window", True) in (False, None):
        names = tuple(INDEXED if name == SLIDING else name for name in names)
        names = _with_indexers(values, names)
    if values.exception("last_is_full") or (values.exception("one_is_full") and FULL not in names):
        names = (*names[:-1], FULL)
    return LayerTypes(names, _by_default(values) if len(set(names)) > 1 else "", notes)


def _of_own_list(values: Values, default: Sequence[str], count: int | None) -> LayerTypes:
    """The types of a class with as many layers as its list has entries, ``default`` for a file without a list.

    Source: ``NemotronHConfig.__post_init__`` of transformers 5.23.0, where ``num_hidden_layers`` has no effect.
    """
    read = next((read for reader in READERS if (read := reader(values, count)) is not None), None)
    key, names = read or ("", default)
    types = tuple(_checked(name, key, values) for name in names)
    counted = f"{count} in the file" if count is not None and values.has(*_COUNTS) else ""
    told = f"the class of {values.shown_type} has as many layers as its list: {len(types)}"
    notes = (f"num_hidden_layers is {counted}, and {told}",) if counted and count != len(types) else ()
    if read is None:
        notes = (
            f"the file lists no types of layers: the {len(types)} of model_type {values.shown_type} are taken",
            *notes,
        )
    return LayerTypes(types, _reason(key, types) if key else _by_default(values), notes)


def _by_default(values: Values) -> str:
    return f"the layer is {{}} by the default of model_type {values.shown_type}"


def _is_cut(values: Values) -> bool:
    """Whether the class drops entries after the last layer, as DeepSeek V4's does."""
    return values.model_type == "deepseek_v4"


def _with_last_full(values: Values, names: tuple[str | None, ...]) -> tuple[tuple[str | None, ...], Notes]:
    """The listed types, and a note if the class makes the last layer full in spite of the list."""
    if not values.exception("last_is_full") or names[-1:] in ((), (FULL,)):
        return names, ()
    note = f"the last layer is {names[-1]} in the file; the class of {values.shown_type} makes it {FULL}"
    return (*names[:-1], FULL), (note,)


def _with_indexers(values: Values, names: tuple[str | None, ...]) -> tuple[str | None, ...]:
    """The types with attention to chosen tokens in place of full attention, or as set by ``use_dsa``.

    Source: ``Dots3NoteTextConfig.__post_init__`` and that of GLM-5 Next in transformers 5.23.0.
    """
    if not values.exception("full_is_indexed"):
        return names
    is_dots = values.model_type == "dots3_note_text"
    switch = values.given.get("use_dsa", None if "per_layer_config" in values.given else True) if is_dots else True
    if switch is None:
        return names
    old, new = (FULL, INDEXED) if switch else (INDEXED, FULL)
    return tuple(new if name == old else name for name in names)


def _reason(key: str, names: Sequence[str | None]) -> str:
    if len(set(names)) < 2:
        return ""
    return f"{key} is {{}} at this layer" if key in NAMED_LISTS else f"{key} makes this layer {{}}"


def entries(values: Values, key: str, count: int) -> Sequence[Any] | None:
    """The list under the key, one entry for each of ``count`` layers; None if the file has none or an empty one."""
    given = check_list(values, key)
    if not given:
        return None
    if len(given) - _extra(values) == count or _is_cut(values):
        given = given[:count]
    _check_length(given, count, key)
    return given


def _check_length(given: Sequence[Any], count: int | None, key: str) -> None:
    if count is not None and len(given) != count:
        raise ValueError(f"{key} must have an entry for each of the {count} layers, got {len(given)}")


def _extra(values: Values) -> int:
    """The layers behind the last that predict further tokens: lists may have entries for them."""
    given = values.given.get("num_nextn_predict_layers")
    return given if isinstance(given, int) and 0 < given < MOST_LAYERS else 0


def _count(values: Values) -> tuple[int | None, Notes]:
    """The number of layers, None if neither the file nor its class has it, and notes on defaults."""
    staged = next((key for key in _STAGES if key in values.facts.defaults), None)
    if staged is not None:
        return _in_stages(values, staged)
    own = () if values.has(*_COUNTS) else values.exception("counts")
    keys = own or (values.key(*_COUNTS),)
    if any(values.find(key) is None for key in keys):
        return None, ()
    counts = {key: integer(values, key, 1, MOST_LAYERS) for key in keys}
    taken = f"is taken, the default of model_type {values.shown_type}"
    left_out = (key for key in keys if not values.has(key))
    return sum(counts.values()), tuple(f"{key} is not in the file: {counts[key]} {taken}" for key in left_out)


def _in_stages(values: Values, key: str) -> tuple[int | None, Notes]:
    """The number of layers in all stages, and a note if their list is the class's; ValueError for another list."""
    per_stage = values.find(key)
    counted = isinstance(per_stage, list | tuple) and all(type(each) is int and each > 0 for each in per_stage)
    if not counted or not 0 < sum(per_stage) <= MOST_LAYERS:
        raise ValueError(f"{key} must list the layers per stage, got {shortened(per_stage)}")
    taken = f"is taken, the default of model_type {values.shown_type}"
    return sum(per_stage), () if values.has(key) else (f"{key} is not in the file: {list(per_stage)} {taken}",)


def _checked(name: Any, key: str, values: Values) -> str:
    """The type's name of today; ValueError for one that is not known."""
    if isinstance(name, str):
        known = _RENAMED.get(name, name)
        parameters = values.given.get("rope_parameters")
        if known in _KNOWN or (isinstance(parameters, Mapping) and name in parameters):
            return known
        name = one_line(name)
    raise ValueError(f"{key} has an unknown layer type {shortened(name)}; known are {FULL}, {SLIDING}, {LINEAR}, ...")


def nested_parameters(given: Mapping[str, Any], values: Values) -> dict[str, Mapping[str, Any] | None]:
    """The parameters by kind of layer; empty if they are not nested."""
    listed, pattern = values.given.get("layer_types"), values.facts.layer_types
    if not listed and pattern is not None:
        listed = [*pattern.first, *pattern.period, pattern.last]
    if values.facts.trailing:  # DeepSeek V4's labels are not types of layers
        listed = list(values.class_parameters())
    types = {each for each in listed if isinstance(each, str)} if isinstance(listed, list) else set()
    if "rope_type" in given or "type" in given:
        given = {name: given[name] for name in given if name in types}
    objects = {name: each for name, each in given.items() if isinstance(each, Mapping)}
    if not objects:
        return {}
    if len(objects) > _MOST_KINDS:
        raise ValueError(f"rope_parameters must name at most {_MOST_KINDS} kinds of layers, got {len(objects)}")
    still = {name for name, each in given.items() if each is None and name not in _ROTARY_NAMES}
    return {name: objects.get(name) for name in given if name in objects or name in still}
