"""The kind of every layer, by the many keys that configurations have for it.

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

_LAST_IS_FULL = ("diffusion_gemma_text", "embedding_gemma2_text", "gemma4_text", "gemma4_unified_text")
"""Classes whose last layer is full whatever the file lists: transformers 5.23.0, ``__post_init__``."""

_ONE_IS_FULL = ("olmo_hybrid",)
"""Classes whose default, but not a list of the file, ends in a full layer where no other layer is full."""

_COUNTS = (
    "num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_transformer_layers", "encoder_layers", "depth",
)  # fmt: skip


class LayerTypes(Struct, frozen=True):
    """The type of every layer, None if the files do not name it.

    ``reason`` tells the key that decides, with ``{}`` for the type, and is empty where nothing does. ``is_counted`` is
    False where the number of layers is not known: one of each kind is listed.
    """

    names: tuple[str | None, ...]
    reason: str
    notes: Notes = ()
    is_counted: bool = True


def layer_types_of(values: Values) -> LayerTypes:
    """The types of the layers; ValueError with both numbers for a list that is not as long as the layers are many."""
    count, notes = _count(values)
    for reader in READERS:
        read = reader(values, count)
        if read is not None:
            key, names = read
            checked = tuple(name if name is None else _checked(name, key, values) for name in names)
            extra = _extra(values)
            if count is not None and values.has(*_COUNTS) and len(checked) - extra == count:
                checked = checked[:count]  # the layers behind predict further tokens
            _check_length(checked, count if values.has(*_COUNTS) else None, key)
            types, forced = _with_last_full(values, checked)
            return LayerTypes(types, _reason(key, types), forced)
    if count is None:
        return LayerTypes((None,), "", ("the number of layers is not in the file: one of each kind is listed",), False)
    pattern = values.facts.layer_types
    if pattern is None:
        return LayerTypes((None,) * count, "", notes)
    names = pattern.names(count)
    if values.model_type in _LAST_IS_FULL or (values.model_type in _ONE_IS_FULL and FULL not in names):
        names = (*names[:-1], FULL)
    told = f"the layer is {{}} by the default of model_type {values.shown_type}"
    return LayerTypes(names, told if len(set(names)) > 1 else "", notes)


def _with_last_full(values: Values, names: tuple[str | None, ...]) -> tuple[tuple[str | None, ...], Notes]:
    """The listed types, and a note where the class makes the last layer full against the list."""
    if values.model_type not in _LAST_IS_FULL or names[-1:] in ((), (FULL,)):
        return names, ()
    note = f"the last layer is {names[-1]} in the file; the class of {values.shown_type} makes it {FULL}"
    return (*names[:-1], FULL), (note,)


def _reason(key: str, names: Sequence[str | None]) -> str:
    if len(set(names)) < 2:
        return ""
    return f"{key} is {{}} at this layer" if key in NAMED_LISTS else f"{key} makes this layer {{}}"


def entries(values: Values, key: str, count: int) -> Sequence[Any] | None:
    """The list under the key, one entry for each of ``count`` layers; None if the file has none or an empty one."""
    given = check_list(values, key)
    if not given:
        return None
    if len(given) - _extra(values) == count:
        return given[:count]
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
    """The number of layers, None if neither the file nor its class tells, and a note on a default."""
    key = values.key(*_COUNTS)
    if values.find(key) is None:
        return None, ()
    count = integer(values, key, 1, MOST_LAYERS)
    if values.has(key):
        return count, ()
    return count, (f"{key} is not in the file: {count} is taken, the default of model_type {values.shown_type}",)


def _checked(name: Any, key: str, values: Values) -> str:
    """The type's name of today; ValueError for one that is not known."""
    if isinstance(name, str):
        known = _RENAMED.get(name, name)
        parameters = values.given.get("rope_parameters")
        if known in _KNOWN or (isinstance(parameters, Mapping) and name in parameters):
            return known
        name = one_line(name)
    raise ValueError(f"{key} has an unknown layer type {shortened(name)}; known are {FULL}, {SLIDING}, {LINEAR}, ...")
