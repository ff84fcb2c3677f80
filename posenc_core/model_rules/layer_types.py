"""The kind of every layer, by the many keys that configurations have for it.

Sources: ``configuration_<model_type>.py`` of transformers 5.23.0, where each key is turned into ``layer_types``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from posenc_core.fields import IntegerField, one_line, shortened
from posenc_core.model_rules.facts import LayerPattern, Notes, Values

MOST_LAYERS = 10_000
"""More layers than any model has."""

FULL, SLIDING, CHUNKED, LINEAR = "full_attention", "sliding_attention", "chunked_attention", "linear_attention"

WITHOUT_ATTENTION = {
    LINEAR: "it has linear attention or a state-space model, whose recurrence carries the order",
    "mamba": "it has a state-space model, whose recurrence carries the order",
    "mamba2": "it has a state-space model, whose recurrence carries the order",
    "recurrent": "it is recurrent, which carries the order",
    "conv": "it has a convolution over neighbours",
    "moe": "it has experts and no attention",
    "mlp": "it has a feed-forward network and no attention",
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

_COUNTS = (
    "num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_transformer_layers", "encoder_layers", "depth",
)  # fmt: skip
_LISTS = ("layer_types", "layers_block_type", "block_types")

_LETTERS = {"M": "mamba", "E": "moe", "*": FULL, "-": "mlp"}
_RATIOS = {0: SLIDING, 4: "compressed_sparse_attention", 128: "heavily_compressed_attention"}


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
    for reader in _READERS:
        read = reader(values, count)
        if read is not None:
            key, names = read
            checked = tuple(name if name is None else _checked(name, key, values) for name in names)
            extra = _extra(values)
            if count is not None and values.has(*_COUNTS) and len(checked) - extra == count:
                checked = checked[:count]  # the layers behind predict further tokens
            _check_length(checked, count if values.has(*_COUNTS) else None, key)
            return LayerTypes(checked, _reason(key, checked))
    if count is None:
        return LayerTypes((None,), "", ("the number of layers is not in the file: one of each kind is listed",), False)
    pattern = values.facts.layer_types
    if pattern is None:
        return LayerTypes((None,) * count, "", notes)
    names = pattern.names(count)
    told = f"the layer is {{}} by the default of model_type {values.shown_type}"
    return LayerTypes(names, told if len(set(names)) > 1 else "", notes)


def _reason(key: str, names: Sequence[str | None]) -> str:
    if len(set(names)) < 2:
        return ""
    return f"{key} is {{}} at this layer" if key in _LISTS else f"{key} makes this layer {{}}"


def integer(values: Values, key: str, minimum: int = 1, maximum: int = 2**53) -> int:
    """The integer under the key; ValueError with a sentence for anything else."""
    field = IntegerField(name=key, label="", help="", default=minimum, minimum=minimum, maximum=maximum)
    try:
        return field.check(values.find(key))
    except TypeError as error:
        raise ValueError(str(error)[:120]) from None


def check_list(values: Values, key: str) -> Sequence[Any] | None:
    """The list under the key, None if the file has none; ValueError for anything else."""
    given = values.given.get(key)
    if given is None:
        return None
    if not isinstance(given, list | tuple):
        raise ValueError(f"{key} must be a list with an entry a layer, got {shortened(given)}")
    if len(given) > 2 * MOST_LAYERS:
        raise ValueError(f"{key} must have at most {2 * MOST_LAYERS} entries, got {len(given)}")
    return given


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


_Read = tuple[str, Sequence[Any]] | None


def _listed(values: Values, count: int | None) -> _Read:
    """A list of names; ``block_types`` is repeated."""
    for key in _LISTS:
        given = check_list(values, key)
        if given:
            if key != "block_types":
                return key, given
            local = [SLIDING if name == "attention" else name for name in given]  # RecurrentGemma's
            return key, [local[index % len(local)] for index in range(len(local) if count is None else count)]
    return None


def _lettered(values: Values, count: int | None) -> _Read:
    """Nemotron-H's letters."""
    key = "hybrid_override_pattern"
    given = values.given.get(key)
    if not given:
        return None
    if not isinstance(given, str) or len(given) > MOST_LAYERS or set(given) - _LETTERS.keys():
        raise ValueError(f"{key} must be a text of the letters {''.join(_LETTERS)}, got {shortened(given)}")
    return key, [_LETTERS[letter] for letter in given]


def _numbered(values: Values, count: int | None) -> _Read:
    """A list of numbers, each of which stands for a type."""
    meanings: tuple[tuple[str, Mapping[int, str]], ...] = (
        ("compress_ratios", _RATIOS),
        ("hybrid_layer_pattern", {0: FULL, 1: SLIDING}),
        ("attn_type_list", {0: LINEAR, 1: FULL}),
    )
    for key, names in meanings:
        given = check_list(values, key)
        if given:
            for number in given:
                if type(number) is not int or number not in names:
                    raise ValueError(f"{key} must list {' or '.join(map(str, names))}, got {shortened(number)}")
            return key, [names[number] for number in given]
    return None


def _indexed(values: Values, count: int | None) -> _Read:
    """A list of the layers that are of one type, the others being of another."""
    linear = values.given.get("linear_attn_config")
    kda = linear.get("full_attn_layers") if isinstance(linear, Mapping) else None
    if isinstance(kda, list) and count is not None:  # counted from 1 in the files
        return "linear_attn_config", _marked([each - 1 for each in _numbers(kda)], count, FULL, LINEAR)
    for key, inside, outside in (
        ("attn_layer_indices", FULL, LINEAR),
        ("full_attn_idxs", FULL, "conv"),
        ("local_layer_ids", "hybrid_sliding", "hybrid"),
        ("hybrid_layer_ids", "hybrid", LINEAR),
        ("cross_attention_layers", "cross_attention", FULL),
    ):
        given = check_list(values, key)
        if given is not None and count is not None:
            return key, _marked(_numbers(given), count, inside, outside)
    return None


def _numbers(given: Sequence[Any]) -> list[int]:
    for number in given:
        if type(number) is not int:
            raise ValueError(f"the numbers of layers must be integers, got {shortened(number)}")
    return list(given)


def _marked(indices: Sequence[int], count: int, inside: str, outside: str) -> list[str]:
    chosen = set(indices)
    return [inside if index in chosen else outside for index in range(count)]


def _periodic(values: Values, count: int | None) -> _Read:
    """A number that says how often a layer is of the other type."""
    if count is None:
        return None
    if values.find("attn_layer_period") is not None and values.find("attn_layer_offset") is not None:
        period, offset = integer(values, "attn_layer_period"), integer(values, "attn_layer_offset", 0)
        return "attn_layer_period", [FULL if index % period == offset else LINEAR for index in range(count)]
    for key, other in (
        ("sliding_window_pattern", SLIDING),
        ("_sliding_window_pattern", SLIDING),
        ("global_attn_every_n_layers", SLIDING),
        ("full_attention_interval", LINEAR),
    ):
        given = values.given.get(key)
        if given is None or (given == 0 and values.find("sliding_window") is None):
            continue
        if isinstance(given, str) and given and not set(given) - {"L", "G"}:  # EXAONE 4: local and global
            return key, [FULL if given[index % len(given)] == "G" else SLIDING for index in range(count)]
        period = integer(values, key)
        at = _full_at(values.facts.layer_types, period)
        return key, [FULL if index % period == at else other for index in range(count)]
    return None


def _full_at(pattern: LayerPattern | None, period: int) -> int:
    """Which layer of a period has full attention: the last, unless the class begins with it."""
    begins = pattern is not None and pattern.period[:1] == (FULL,) and len(pattern.period) > 1
    return 0 if begins else period - 1


def _windowed(values: Values, count: int | None) -> _Read:
    """Qwen 2's rule: with ``use_sliding_window`` the layers from ``max_window_layers`` on are sliding."""
    if count is None or values.find("use_sliding_window") is None or values.find("max_window_layers") is None:
        return None
    first = integer(values, "max_window_layers", 0)
    slides = values.find("use_sliding_window") is True and bool(values.find("sliding_window"))
    return "max_window_layers", [SLIDING if slides and index >= first else FULL for index in range(count)]


_READERS: tuple[Callable[[Values, int | None], _Read], ...] = (
    _listed,
    _lettered,
    _numbered,
    _indexed,
    _periodic,
    _windowed,
)
