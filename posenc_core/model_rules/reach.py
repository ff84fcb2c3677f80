"""Tokens that the queries of a layer see: one-sided or two-sided windows, chunks, and entries that summarize tokens.

Sources: ``modeling_<model_type>.py`` of transformers 5.23.0, whose masks were recorded in small models.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from posenc_core.fields import shortened
from posenc_core.model_rules.facts import Values
from posenc_core.model_rules.layer_lists import BLOCKS, CHUNKED, INDEXED, SLIDING, check_list, integer
from posenc_core.model_rules.spelling import LOCAL

_KEYS = (
    "sliding_window", "sliding_window_size", "attention_window_size", "local_attention", "attention_window",
    "window_size", "local_attention_window_len",
)  # fmt: skip
"""The keys of a window's size, in the order to look for them."""


_COMPRESSED = {"compressed_sparse_attention": 4, "heavily_compressed_attention": 128}
"""DeepSeek V4's layers with compressed entries, by the number of tokens per entry."""


_NEOMME_LONG = 1024
"""Tokens; ``default_long_sliding_window`` of its class."""

_STREAMED = "sliding_windows"
"""Moonshine's list of pairs of tokens for each layer: up to the query's own, included, and from it on."""

INDEXER = "indexer_type"
"""The name under which a layer's values have its entry of ``indexers``."""


class Reach(Struct, frozen=True):
    """The tokens that a query of the layer sees, and a sentence about them, empty for all tokens before its own.

    ``window``: number of tokens up to the query's own, included; with ``ahead`` tokens after it, those before it alone.
    ``chunk``: size of the chunk within which a query attends. ``compressed``: number of tokens that an entry before
    the window summarizes. ``chosen``: largest number of tokens that an indexer chooses. ``keys``: the deciding keys.
    ``missing``: a sentence on the model's class if a window has no size, or the size 0; empty for other layers.
    """

    window: int | None = None
    ahead: int | None = None
    chunk: int | None = None
    compressed: int | None = None
    chosen: int | None = None
    sentence: str = ""
    keys: tuple[str, ...] = ()
    missing: str = ""


def reach_of(values: Values, layer_type: str | None) -> Reach:
    """The reach of a layer of that type; ValueError with one sentence for a size that is no whole number."""
    if layer_type == CHUNKED and values.find("attention_chunk_size") is not None:
        chunk = integer(values, "attention_chunk_size")
        sentence = f"it attends within chunks of {chunk:,} tokens (attention_chunk_size)"
        return Reach(chunk=chunk, sentence=sentence, keys=("attention_chunk_size",))
    chosen = _chosen(values, layer_type)
    if chosen is not None:
        return chosen
    if layer_type == "reference_sliding_attention" and values.find("sliding_window") is not None:  # Unlimited OCR's
        last = integer(values, "sliding_window")
        sentence = f"it attends to all tokens of the prompt, and to the last {last:,} generated ones (sliding_window)"
        return Reach(sentence=sentence, keys=("sliding_window",))
    if values.model_type == "moonshine_streaming_encoder":
        return _streamed(values)
    key = values.key(*_KEYS)
    size = values.find(key)
    size = None if size == -1 and not values.facts.source else size  # Grok's, and in kernels no window
    if not _slides(values, layer_type) or size is None or (type(size) in (bool, int) and not size):
        return Reach(missing=_missing(values, layer_type, key))
    if values.model_type == "mimo_v2_flash" and values.has("sliding_window_size"):
        window = integer(values, "sliding_window_size") + 1
        told = f"it attends to the last {window:,} tokens: sliding_window_size {window - 1:,} and its own"
        return Reach(window, sentence=told, keys=("sliding_window_size",))
    size = integer(values.at({key: size}), key)
    sides = _sides(values, key, size)
    if sides is not None:
        return sides
    window = max(size // 2, 1) if values.exception("halved_window") and key == "local_attention" else size
    reach = Reach(window, sentence=f"it attends to the last {window:,} tokens ({key})", keys=(key,))
    return _with_entries(values, layer_type, reach)


def _chosen(values: Values, layer_type: str | None) -> Reach | None:
    """The reach of a layer whose indexer chooses tokens, or blocks of tokens; None for other layers."""
    if layer_type == BLOCKS:
        sparse = values.given.get("sparse_attention_config")
        given = sparse if isinstance(sparse, Mapping) else {}
        best = given.get("sparse_topk_blocks", values.find("index_topk_blocks"))
        size = given.get("sparse_block_size", values.find("index_block_size"))
        local = given.get("sparse_local_block", values.find("index_local_blocks"))
        which = "which is" if local == 1 else f"the last {shortened(local)} of which are"
        sentence = (
            f"an indexer chooses the best {shortened(best)} blocks of {shortened(size)} tokens up to the query's own"
            f"{f', {which} always among them' if type(local) is int and local > 0 else ''}"
        )
        known = type(best) is int and type(size) is int and best > 0 and size > 0
        return Reach(chosen=best * size if known else None, sentence=sentence, keys=("sparse_attention_config",))
    best = values.find("index_topk")
    pairs = values.exception("indexer_pairs")
    if pairs is None or type(best) is not int or best < 1 or layer_type not in (None, INDEXED):
        return None
    chosen = _chosen_tokens(values, best)
    if values.given.get(INDEXER) == "shared":
        sentence = f"it attends to {chosen} that the indexer of an earlier layer chose (index_topk)"
        return Reach(chosen=best, sentence=sentence, keys=("index_topk",))
    turned = f"; the indexer's own pairs are {pairs}" if pairs else ""
    sentence = f"an indexer chooses {chosen} up to the query's own (index_topk){turned}"
    return Reach(chosen=best, sentence=sentence, keys=("index_topk",))


def _chosen_tokens(values: Values, best: int) -> str:
    """Number of tokens that an indexer chooses; GLM-5 Next's chooses groups, and the newest tokens of no group."""
    group = values.find("index_kpool")
    if type(group) is not int or group < 1:
        return f"the best {best:,} tokens"
    newest = (
        "" if values.find("index_kpool_always_select_tail") is False else ", and the newest tokens of no full group,"
    )
    return f"the best {best // group:,} groups of {group} tokens{newest}"


def indexers(values: Values, count: int) -> Sequence[Any] | None:
    """The entry of each layer, "full" for a separate indexer or "shared"; None for classes without indexers.

    Sources: ``GlmMoeDsaConfig.__post_init__`` and ``HYV4Config.__post_init__`` of transformers 5.23.0.
    """
    if not values.exception("lists_indexers"):
        return None
    listed = check_list(values, "indexer_types")
    if listed is not None:
        return listed
    if values.model_type == "hy_v4":
        return ["full" if index == 0 or index % 4 == 1 else "shared" for index in range(count)]
    pattern = values.given.get("index_topk_pattern")
    if isinstance(pattern, str):
        return ["shared" if letter == "S" else "full" for letter in pattern]
    period, offset = (integer(values.at({key: values.given.get(key, default)}), key, 0)
                      for key, default in (("index_topk_freq", 1), ("index_skip_topk_offset", 2)))  # fmt: skip
    return ["shared" if max(index - offset + 1, 0) % max(period, 1) else "full" for index in range(count)]


def windows_of_layers(values: Values, names: Sequence[str | None]) -> Mapping[int, Mapping[str, Any]]:
    """The keys and values of layers' own windows by index, in classes that have none of ``per_layer_config``.

    Every second sliding layer of NeoMME has a longer window, and Baichuan M1's have another number of heads. Longformer
    may list a window for each layer, and Moonshine's encoder lists a pair.
    """
    listed = values.find("attention_window")
    if values.model_type == "longformer" and isinstance(listed, list | tuple):
        if len(listed) != len(names):
            raise ValueError(
                f"attention_window must have an entry for each of the {len(names)} layers, got {len(listed)}"
            )
        return {index: {"attention_window": each} for index, each in enumerate(listed)}
    if values.model_type == "baichuan_m1" and values.has("num_swa_attention_heads"):  # mlx-lm 0.32.2
        heads = values.given["num_swa_attention_heads"]
        return {index: {"num_attention_heads": heads} for index, name in enumerate(names) if name == SLIDING}
    if values.model_type == "neomme":
        slide = [index for index, name in enumerate(names) if name == SLIDING]
        return {index: {"sliding_window": _NEOMME_LONG} for index in slide[1::2]}
    if values.model_type == "moonshine_streaming_encoder":
        pairs = values.find(_STREAMED)
        if not isinstance(pairs, list | tuple):
            raise ValueError(f"{_STREAMED} must list two numbers for each layer, got {shortened(pairs)}")
        if len(pairs) >= len(names):
            return {index: {_STREAMED: each} for index, each in enumerate(pairs[: len(names)])}
    return {}


def _streamed(values: Values) -> Reach:
    """The reach of a layer of Moonshine's encoder; all tokens if the file has fewer pairs than layers."""
    pair = values.find(_STREAMED)
    if isinstance(pair, list | tuple) and all(isinstance(each, list | tuple) for each in pair):
        return Reach()  # the class's whole list, which has fewer pairs than there are layers
    whole = isinstance(pair, list | tuple) and len(pair) == 2 and all(type(each) is int for each in pair)
    if not whole or pair[0] < 1 or pair[1] < 0:
        raise ValueError(f"{_STREAMED} must list two numbers for each layer, got {shortened(pair)}")
    back, ahead = pair[0] - 1, max(pair[1] - 1, 0)
    told = f"it attends to {back:,} frames before a frame and {ahead:,} after it ({_STREAMED} {pair[0]}, {pair[1]})"
    if not ahead:
        return Reach(pair[0], sentence=told, keys=(_STREAMED,))
    return Reach(back or None, ahead if back else None, sentence=told, keys=(_STREAMED,))


def _missing(values: Values, layer_type: str | None, key: str) -> str:
    """The sentence on a layer whose window has no size or the size 0, as its class takes it; empty for others.

    Source: ``create_sliding_window_causal_mask`` of transformers 5.23.0, which refuses a size that is null.
    """
    facts, size = values.facts, values.find(key)
    typed = facts.windowed is None and layer_type in LOCAL
    why = (
        f"{key} is {shortened(size)}"
        if size is not None
        else f"{key} is {'null' if key in values.given else 'not given'}"
    )
    if facts.gated and values.find("use_sliding_window") is not True:
        why, size = "use_sliding_window is not true", 0 if values.exception("no_window_is_zero") else None
        typed = typed and values.has("layer_types")
    elif facts.windowed == "all" and size == 0:
        return f"{why}: the queries see no token in transformers 5.23.0"
    if not facts.source or not typed:
        return ""
    if size == 0:
        return f"{why}: the queries of {layer_type} layers see no token in transformers 5.23.0"
    listed = size is None and values.has("layer_types")
    return f"{why}: transformers 5.23.0 refuses {layer_type} layers without a window" if listed else ""


def _slides(values: Values, layer_type: str | None) -> bool:
    """Whether layers of the type have a window: by their type, or all layers in classes without types."""
    facts = values.facts
    switch = values.find("use_sliding_window")
    if (facts.gated and switch is not True) or (not facts.source and switch is False):
        return False
    if facts.windowed is not None:
        return facts.windowed == "all"
    typed = layer_type in (*LOCAL, "window_attention", *_COMPRESSED)
    windowed = not facts.source or values.exception("two_sided_window") or values.model_type == "gpt_neo"
    return bool(typed or (layer_type is None and windowed))


def _sides(values: Values, key: str, size: int) -> Reach | None:
    """The reach of a window to both sides; None for one that ends at the query's own token."""
    both, name = values.find("use_bidirectional_attention"), values.model_type
    how = ""
    if name == "longformer" and size % 2:
        raise ValueError(f"{key} must be an even number of tokens, half on each side, got {shortened(size)}")
    if name == "t5gemma2_text":
        back, ahead = (size + 1) // 2 - 1, size // 2
        sentence = f"it attends to {back:,} tokens before its own and {ahead:,} after it ({key})"
        return Reach(back or None, ahead if back else None, sentence=sentence, keys=(key,))
    is_encoder = name == "t5_gemma_module" and values.part.rpartition(".")[2] == "encoder"
    if values.facts.two_sided or values.exception("two_sided_window") or is_encoder:
        half = size // 2 if values.exception("halved_window") and key != "sliding_window" else size
        how = f" {size:,}, half on each side" if half != size else ""
    elif both is True and name == "gemma3_text":
        half, how = size // 2, f" {size:,} // 2 + 1, its own included: use_bidirectional_attention"
    elif both == "all" and values.exception("bidirectional"):
        half, how = size // 2 + 1, f" {size:,} // 2 + 1: use_bidirectional_attention"
    else:
        return None
    sentence = f"it attends to {half:,} tokens on each side of its own ({key}{how})"
    return Reach(half, half, sentence=sentence, keys=(key,))


def _with_entries(values: Values, layer_type: str | None, reach: Reach) -> Reach:
    """The reach of DeepSeek V4's layers, some of which also see entries that summarize earlier tokens."""
    if layer_type not in _COMPRESSED:
        return reach
    rates = values.given.get("compress_rates")
    rate = rates.get(layer_type) if isinstance(rates, dict) else None
    tokens = values.find("compress_ratio") or (rate if type(rate) is int and rate > 0 else _COMPRESSED[layer_type])
    best = values.find("index_topk")
    is_chosen = layer_type == "compressed_sparse_attention" and type(best) is int
    chosen = f"the best {best:,} of the entries" if is_chosen else "all entries"
    told = f"{reach.sentence}, and to {chosen}, one per {tokens} earlier tokens"
    return Reach(reach.window, compressed=tokens, sentence=told, keys=(*reach.keys, "compress_ratios"))
