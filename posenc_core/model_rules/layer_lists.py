"""Lists, letters, numbers and periods in configurations that define the kind of every layer.

Sources: ``configuration_<model_type>.py`` of transformers 5.23.0, where each key is turned into ``layer_types``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from posenc_core.fields import IntegerField, shortened
from posenc_core.model_rules.facts import PERIOD_KEYS, LayerPattern, Values

MOST_LAYERS = 10_000
"""More layers than any model has."""

FULL, SLIDING, CHUNKED, LINEAR = "full_attention", "sliding_attention", "chunked_attention", "linear_attention"
NO_ATTENTION, INDEXED = "no_attention", "indexed_attention"

NAMED_LISTS = ("layer_types", "layers_block_type", "block_types")

_LETTERS = {"M": "mamba", "E": "moe", "*": FULL, "-": "mlp"}
_SLIDING_PERIODS = ("sliding_window_pattern", "_sliding_window_pattern", "global_attn_every_n_layers")
COMPRESSED = "compressed_sparse_attention"
BLOCKS = "minimax_m3_sparse"
_RATIOS = {0: SLIDING, 4: COMPRESSED, 128: "heavily_compressed_attention"}
_FINER_RATIOS = {**_RATIOS, 1: COMPRESSED, 2: COMPRESSED}


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
        raise ValueError(f"{key} must be a list with an entry per layer, got {shortened(given)}")
    if len(given) > 2 * MOST_LAYERS:
        raise ValueError(f"{key} must have at most {2 * MOST_LAYERS} entries, got {len(given)}")
    return given


Read = tuple[str, Sequence[Any]] | None
"""The decisive key and the names of all layers; None for a file without the key."""


def _listed(values: Values, count: int | None) -> Read:
    """A list of names; ``block_types`` is repeated."""
    for key in NAMED_LISTS:
        given = check_list(values, key)
        if given:
            if key != "block_types":
                return key, given
            local = [SLIDING if name == "attention" else name for name in given]  # RecurrentGemma's
            return key, [local[index % len(local)] for index in range(len(local) if count is None else count)]
    return None


def _searched(values: Values, count: int | None) -> Read:
    """The blocks of an architecture search: NVIDIA's Nemotron NAS has layers without attention."""
    key = "block_configs"
    given = check_list(values, key)
    if not given:
        return None
    attentions = [each.get("attention") if isinstance(each, Mapping) else None for each in given]
    if not all(isinstance(each, Mapping) for each in attentions):
        raise ValueError(f"{key} must list objects with an attention, got {shortened(given[:1])}")
    return key, [
        NO_ATTENTION if each.get("no_op") is True or each.get("replace_with_linear") is True else FULL
        for each in attentions
        if each is not None
    ]


def _lettered(values: Values, count: int | None) -> Read:
    """Nemotron-H's letters."""
    key = "hybrid_override_pattern"
    given = values.given.get(key)
    if not given:
        return None
    if not isinstance(given, str) or len(given) > MOST_LAYERS or set(given) - _LETTERS.keys():
        raise ValueError(f"{key} must be a text of the letters {''.join(_LETTERS)}, got {shortened(given)}")
    return key, [_LETTERS[letter] for letter in given]


def _blocks(values: Values, count: int | None) -> Read:
    """IQuest's lists of the first and last types, and of a block between them that is repeated."""
    key = "hybrid_layers_types_block"
    block = check_list(values, key)
    if block is None or values.find("use_sliding_window") is False:
        return None
    times = integer(values, "num_hybrid_layers_block", 0, MOST_LAYERS)
    ends = [check_list(values, end) or () for end in ("first_layers_types", "last_layers_types")]
    return key, [*ends[0], *list(block) * times, *ends[1]]


def _numbered(values: Values, count: int | None) -> Read:
    """A list of numbers, each of which means a type."""
    is_finer = values.model_type.startswith("deepseek_v41")
    meanings: tuple[tuple[str, Mapping[int, str]], ...] = (
        ("compress_ratios", _FINER_RATIOS if is_finer else _RATIOS),
        ("hybrid_layer_pattern", {0: FULL, 1: SLIDING}),
        ("attn_type_list", {0: LINEAR, 1: FULL}),
    )
    for key, names in meanings:
        given = check_list(values, key)
        if given:
            return key, _named(key, given, names)
    sparse = values.given.get("sparse_attention_config")
    flags = sparse.get("sparse_attention_freq") if isinstance(sparse, Mapping) else None
    if isinstance(flags, list) and flags:  # MiniMax M3's
        return "sparse_attention_freq", _named("sparse_attention_freq", flags, {0: FULL, 1: BLOCKS})
    return None


def _named(key: str, given: Sequence[Any], names: Mapping[int, str]) -> list[str]:
    for number in given:
        if type(number) is not int or number not in names:
            raise ValueError(f"{key} must list {' or '.join(map(str, names))}, got {shortened(number)}")
    return [names[number] for number in given]


def _indexed(values: Values, count: int | None) -> Read:
    """A list of the layers that are of one type, the others being of another."""
    linear = values.given.get("linear_attn_config")
    kda = linear.get("full_attn_layers") if isinstance(linear, Mapping) else None
    if isinstance(kda, list) and count is not None:  # counted from 1 in the files
        return "linear_attn_config", _marked([each - 1 for each in _numbers(kda)], count, FULL, LINEAR)
    for key, inside, outside in (
        ("attn_layer_indices", FULL, LINEAR),
        ("attn_layer_idxs", FULL, LINEAR),
        ("full_attn_idxs", FULL, "conv"),
        ("full_attention_layers", FULL, LINEAR),
        ("local_layer_ids", "hybrid_sliding", "hybrid"),
        ("hybrid_layer_ids", "hybrid", LINEAR),
        ("cross_attention_layers", "cross_attention", FULL),
        ("sliding_window_layers", SLIDING, FULL),
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


def _behind_dense(values: Values, count: int | None) -> Read:
    """Cohere 2 MoE's periods: one of its first, dense layers, and another that begins behind them.

    Source: ``Cohere2MoeConfig.__post_init__`` of transformers 5.23.0.
    """
    key, periods = "first_k_dense_replace", ("prefix_dense_sliding_window_pattern", "sliding_window_pattern")
    if count is None or values.model_type != "cohere2_moe" or not values.has(key):
        return None
    dense = integer(values, key, 0, MOST_LAYERS)
    if dense == 0:
        return None
    first, rest = (1 if values.find(each) is None else integer(values, each) for each in periods)
    lengths = ((dense, first), (count - dense, rest))
    return key, [SLIDING if (at + 1) % period else FULL for length, period in lengths for at in range(length)]


def _periodic(values: Values, count: int | None) -> Read:
    """A number that defines how often a layer is of the other type."""
    if count is None:
        return None
    periods = [values.find(key) for key in ("attn_layer_period", "attn_layer_offset")]
    if None not in periods:
        period, offset = integer(values, "attn_layer_period"), integer(values, "attn_layer_offset", 0)
        pattern = values.facts.layer_types or LayerPattern()
        full = "hybrid" if "hybrid" in pattern.period else FULL  # Zamba's, whose first layers are outside the period
        behind = (full if index % period == offset else LINEAR for index in range(count - len(pattern.first)))
        return "attn_layer_period", [*pattern.first, *behind][:count]
    if values.model_type == "phi4flash" and values.find("mb_per_layer"):
        return "mb_per_layer", _samba(integer(values, "mb_per_layer"), count)
    if values.has("mamba_step") and values.find("mamba_enabled") is not False:
        return "mamba_step", _plamo(values, count)
    for key in PERIOD_KEYS[1:]:
        other = SLIDING if key in _SLIDING_PERIODS else LINEAR
        given = values.given.get(key)
        if key == "layer_group_size" and values.facts.layer_types is None:
            continue  # Ling's older models, all of whose layers rotate
        if given is None or (given == 0 and values.find("sliding_window") is None):
            continue
        if isinstance(given, str) and given and not set(given) - {"L", "G"}:  # EXAONE 4: local and global
            return key, [FULL if given[index % len(given)] == "G" else SLIDING for index in range(count)]
        period = integer(values, key)
        at, full = _full_at(values.facts.layer_types, period), _full_name(values.facts.layer_types)
        rest = count // period * period if key == "layer_group_size" and not values.facts.source else count  # Ling 3
        return key, [full if index % period == at or index >= rest else other for index in range(count)]
    return None


def _samba(step: int, count: int) -> list[str]:
    """Phi-4 mini flash's types: attention between Mamba's layers, sliding in the first half. Source: vLLM 0.10."""
    return ["mamba" if index % step == 0 else SLIDING if index < count // 2 else FULL for index in range(count)]


def _plamo(values: Values, count: int) -> list[str]:
    """PLaMo 2's types: one attention in the middle of each period, sliding unless listed."""
    step, full = integer(values, "mamba_step"), check_list(values, "full_attention_idx") or ()
    attends = {index for index in range(count) if index % step == step // 2} if count > step // 2 else {count - 1}
    return [(FULL if index in full else SLIDING) if index in attends else "mamba" for index in range(count)]


def _full_at(pattern: LayerPattern | None, period: int) -> int:
    """Layer of a period with full attention: the last, unless the class begins with it."""
    begins = pattern is not None and pattern.period[:1] == (FULL,) and len(pattern.period) > 1
    return 0 if begins else period - 1


def _full_name(pattern: LayerPattern | None) -> str:
    """The type of the layers that a period counts: attention to chosen tokens in Qwen 4's."""
    return INDEXED if pattern is not None and INDEXED in pattern.period else FULL


def _windowed(values: Values, count: int | None) -> Read:
    """Qwen 2's rule: with ``use_sliding_window`` the layers behind ``max_window_layers``, or before it, are sliding."""
    rule = values.facts.window_layers if values.facts.source else "behind"
    if count is None or rule is None or values.find("max_window_layers") is None:
        return None
    switch = values.find("use_sliding_window")
    first = integer(values, "max_window_layers", 0)
    is_on = switch is True if values.facts.gated else switch is not False or bool(values.facts.source)
    size = values.find("sliding_window")
    slides = is_on and (size is not None if values.facts.source else bool(size))
    behind = [index >= first if rule == "behind" else index < first and index % 2 == 0 for index in range(count)]
    return "max_window_layers", [SLIDING if slides and each else FULL for each in behind]


def _by_rotation(values: Values, count: int | None) -> Read:
    """The layer types that follow from the list of rotating layers.

    In SmolLM 3, layers without rotation slide with ``use_sliding_window``; in Llama 4, the rotating layers are chunked.
    """
    if count is None or values.model_type not in ("smollm3", "llama4_text"):
        return None
    listed, chunks = check_list(values, "no_rope_layers"), values.model_type == "llama4_text"
    if chunks and not listed and not values.has("no_rope_layer_interval"):
        return None
    interval = integer(values, "no_rope_layer_interval")
    rotate = listed or [int((index + 1) % interval != 0) for index in range(count)]
    if chunks:
        return "no_rope_layers" if listed else "no_rope_layer_interval", [CHUNKED if each else FULL for each in rotate]
    if values.find("use_sliding_window") is not True or values.find("sliding_window") is None:
        return None
    return "use_sliding_window", [FULL if each else SLIDING for each in rotate]


def _expanded(values: Values, count: int | None) -> Read:
    """GPT-Neo's pairs of a list of names and its number of repetitions."""
    given = check_list(values, "attention_types")
    if not given:
        return None
    try:
        return "attention_types", [name for names, times in given for name in list(names) * min(times, MOST_LAYERS)]
    except TypeError:
        raise ValueError(f"attention_types must list names and how often they come, got {shortened(given)}") from None


READERS: tuple[Callable[[Values, int | None], Read], ...] = (
    _listed,
    _blocks,
    _searched,
    _lettered,
    _numbered,
    _indexed,
    _behind_dense,
    _periodic,
    _by_rotation,
    _windowed,
    _expanded,
)
