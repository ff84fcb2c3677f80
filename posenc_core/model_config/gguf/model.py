"""A model from the header of its GGUF file, layer by layer, as llama.cpp runs it.

Sources: llama.cpp as in llama-cpp-python 0.3.36, src/llama-arch.cpp (the keys), and ``load_arch_hparams`` and the graph
of each file in src/models.
"""

import json
import math

from msgspec.structs import replace

from posenc_core.encodings import Alibi, Encoding, T5Bias
from posenc_core.fields import shortened
from posenc_core.model_config.gguf.architectures import Sliding, sliding_of
from posenc_core.model_config.gguf.header import GgufHeader, Keys
from posenc_core.model_config.gguf.rotation import COMPRESSED, SLIDES, pairing_of, rotation_of
from posenc_core.rope_scaling import QueryTemperature
from posenc_core.session import LONGEST_CONFIG, MAXIMUM_LAYERS, FoundTable, Layer, Model

Notes = tuple[str, ...]

_LEARNED = "position_embd.weight"
_FULL, _RECURRENT = "", "recurrent"
_TYPES = {_FULL: "full_attention", SLIDES: "sliding_attention", COMPRESSED: "compressed", _RECURRENT: "recurrent"}


def gguf_model(header: GgufHeader, name: str) -> Model:
    """The model that the header describes; ``name`` is used if the file has none. ValueError with one sentence."""
    architecture = header.values.get("general.architecture")
    if not isinstance(architecture, str) or not architecture:
        raise ValueError("this GGUF file names no architecture, so its positions are unknown")
    keys = Keys(header, architecture)
    n_layers = keys.whole("block_count")
    if n_layers is None or n_layers > MAXIMUM_LAYERS:
        raise ValueError(f"{architecture}.block_count must be from 1 to {MAXIMUM_LAYERS}, got {n_layers}")
    try:
        layers, notes = _layers(keys, n_layers)
    except TypeError as error:
        raise ValueError(str(error)) from None
    told = header.values.get("general.name")
    trained, target = keys.whole("rope.scaling.original_context_length"), keys.whole("context_length")
    return Model(
        told if isinstance(told, str) and told.strip() else name,
        architecture,
        header.path.name,
        layers,
        trained if trained is not None else target,
        target,
        "context_length" if trained is None else "rope.scaling.original_context_length, context_length",
        notes,
        _tables(header),
        header=_positional(keys),
    )


def _positional(keys: Keys) -> str:
    """The architecture's numbers, switches and lists of them as JSON."""
    prefix = f"{keys.architecture}."
    own = {name: each for name, each in keys.header.values.items() if name.startswith(prefix) and not _is_odd(each)}
    written = json.dumps(own)
    return written if len(written) <= LONGEST_CONFIG else ""


def _is_odd(value: object) -> bool:
    """Whether JSON has no number for the value, or for one in it."""
    return any(
        isinstance(each, float) and not math.isfinite(each) for each in (value if isinstance(value, list) else [value])
    )


def _layers(keys: Keys, n_layers: int) -> tuple[tuple[Layer, ...], Notes]:
    other = _other_layer(keys)
    if other is not None:
        return (other,) * n_layers, ()
    rule, window_notes = _rule(keys, n_layers)
    ratios = keys.each("attention.compress_ratios", n_layers) if keys.architecture == "deepseek4" else None
    ratios = [each if type(each) is int and each > 0 else 0 for each in ratios or [0] * n_layers]
    kinds = [COMPRESSED if ratio else kind for kind, ratio in zip(_kinds(keys, rule, n_layers), ratios, strict=True)]
    places = list(zip(kinds, _still(keys, rule, kinds), ratios, strict=True))
    known: dict[tuple[str, bool, int], Layer] = {}
    notes: dict[str, None] = {}
    for kind, is_still, ratio in dict.fromkeys(places):
        layer = _layer(keys, rule, kind, is_still, ratio or None)
        known[kind, is_still, ratio] = replace(layer, layer_type=_TYPES[kind] if len(set(kinds)) > 1 else None)
        notes |= dict.fromkeys(layer.encoding.warnings if layer.encoding is not None else ())
    layers = tuple(known[each] for each in places)
    n_still = sum(kind != _RECURRENT and is_still for kind, is_still, _ in places)
    told = f"{n_still} of {n_layers} layers do not rotate, as llama.cpp does for {keys.architecture}"
    return layers, (*((told,) if n_still else ()), *pairing_of(keys)[1], *window_notes, *notes)


def _rule(keys: Keys, n_layers: int) -> tuple[Sliding | None, Notes]:
    """The rule of the architecture's sliding layers, None for a file without them, and a note on an unread window."""
    rule, given = sliding_of(keys.architecture, n_layers), keys.find("attention.sliding_window")
    if rule is None:
        unread = f"llama.cpp does not read attention.sliding_window {shortened(given)} in {keys.architecture}"
        return None, (f"{unread} files: the layers attend to all tokens before",) if given else ()
    if given == 0 or (given is None and not rule.chunked):
        return None, ()
    return rule, ()


def _kinds(keys: Keys, rule: Sliding | None, n_layers: int) -> list[str]:
    """Kind of each layer: full attention, sliding, or recurrent."""
    heads = keys.each("attention.head_count_kv", n_layers)
    every = keys.facts.attends_every
    every = keys.whole("full_attention_interval", every) if every else None
    kinds = []
    for index, slides in enumerate(_sliding(keys, rule, n_layers)):
        if (heads is not None and heads[index] == 0) or (every is not None and (index + 1) % every):
            kinds.append(_RECURRENT)
        else:
            kinds.append(SLIDES if slides else _FULL)
    return kinds


def _sliding(keys: Keys, rule: Sliding | None, n_layers: int) -> list[bool]:
    """Whether each layer attends to a window."""
    if rule is None:
        return [False] * n_layers
    key = "attention.sliding_window_pattern"
    listed, pattern = keys.each(key, n_layers), keys.find(key)
    if listed is not None:
        return [bool(each) for each in listed]
    if rule.period is None:
        raise ValueError(f"{keys.architecture}.{key} must list the layers that slide")
    period = rule.period if pattern is None or rule.period == 0 else pattern
    if type(period) is not int or not 0 <= period < 2**32:
        raise ValueError(f"{keys.architecture}.{key} must be a list or a whole number, got {shortened(period)}")
    full_at = 0 if rule.full_first else period - 1
    return [period == 0 or index % period != full_at for index in range(n_layers)]


def _still(keys: Keys, rule: Sliding | None, kinds: list[str]) -> list[bool]:
    """Whether each layer does not rotate."""
    name = keys.architecture
    if keys.facts.switched_by_finetuned and keys.find("rope.scaling.finetuned") is False:
        return [True] * len(kinds)
    pattern = keys.each("attention.rope_pattern", len(kinds)) if name == "granite_swa" else None
    if pattern is not None:
        return [not each for each in pattern]
    if keys.facts.still_if_full and rule is not None:
        dense = keys.whole("leading_dense_block_count", 0) or 0
        first = dense if name == "cohere2moe" else 0
        return [kind == _FULL and index >= first for index, kind in enumerate(kinds)]
    every = keys.facts.still_every if name != "llama4" or rule is not None else None
    return [every is not None and (index + 1) % every == 0 for index in range(len(kinds))]


def _layer(keys: Keys, rule: Sliding | None, kind: str, is_still: bool, compressed: int | None) -> Layer:
    """A layer of the kind; ``compressed`` is the number of tokens that an entry before the window summarizes."""
    if kind == _RECURRENT:
        return Layer("none", sentence="the layer has no attention, and its recurrence carries the order")
    window, ahead, chunk = _reach(keys, rule, kind)
    temperature = _temperature(keys, is_still)
    if is_still:
        return Layer("none", None, window, chunk, temperature, None, "llama.cpp rotates no pair of this layer", ahead)
    rotary, key, _ = rotation_of(keys, kind)
    base = f"{keys.architecture}.{key}" if key else "the base of llama.cpp"
    turning = "all" if rotary.n_columns == rotary.head_dim else f"{rotary.n_columns} of the"
    told = f"{base} is {rotary.rope_theta:,.10g}: {turning} {rotary.head_dim} columns of a head rotate"
    return Layer("rotary", rotary, window, chunk, temperature, None, told, ahead, compressed)


def _reach(keys: Keys, rule: Sliding | None, kind: str) -> tuple[int | None, int | None, int | None]:
    """The window of the layer, the visible tokens after a query's own, and the chunk, in tokens."""
    if rule is None or kind not in (SLIDES, COMPRESSED):
        return None, None, None
    size = rule.window or keys.whole("attention.sliding_window")
    if rule.chunked:
        return None, None, size
    if rule.symmetric and size is not None:
        return size // 2, size // 2, None
    return size, None, None


def _other_layer(keys: Keys) -> Layer | None:
    """The layer of a model that does not rotate; None for one that does, or whose architecture is unknown."""
    largest = keys.number("attention.max_alibi_bias", 0.0)
    heads = keys.whole("attention.head_count")
    buckets = keys.whole("attention.relative_buckets_count")
    if largest and heads:
        if largest != 8:
            return Layer(
                "unsupported", sentence=f"its largest ALiBi bias is {largest:g}; only 8, as in the paper, is shown"
            )
        return Layer("bias", Alibi(heads), sentence="attention.max_alibi_bias is 8: ALiBi")
    if buckets and heads:
        encoding: Encoding = T5Bias(buckets, 128, keys.architecture == "t5encoder", heads)
        return Layer(
            "bias", encoding, sentence="attention.relative_buckets_count: biases by buckets of distance, as in T5"
        )
    if _LEARNED in keys.header.tensors:
        return Layer("learned", sentence=f"the tensor {_LEARNED} is a learned table of positions")
    if keys.facts.pairing == "none":
        return Layer("none", sentence=f"llama.cpp rotates nothing in models of the architecture {keys.architecture}")
    return None


def _temperature(keys: Keys, is_still: bool) -> QueryTemperature | None:
    """The factor of the layer's queries, which few architectures have."""
    if keys.architecture == "llama4":
        return QueryTemperature("llama4", {"attn_scale": 0.1, "floor_scale": 8192}) if is_still else None
    scale = keys.number("attention.temperature_scale", 0.0)
    if keys.architecture == "mistral3":
        length = keys.whole("rope.scaling.original_context_length", keys.whole("context_length"))
    else:
        length = keys.whole("attention.temperature_length") if keys.architecture == "deepseek2" else None
    if not scale or length is None:
        return None
    return QueryTemperature("ministral3", {"llama_4_scaling_beta": scale, "original_max_position_embeddings": length})


def _tables(header: GgufHeader) -> tuple[FoundTable, ...]:
    tensor = header.tensors.get(_LEARNED)
    if tensor is None or len(tensor.axes) != 2:
        return ()
    columns, rows = tensor.axes
    return (FoundTable(header.path, _LEARNED, (rows, columns), 0, "as llama.cpp counts its rows"),)
