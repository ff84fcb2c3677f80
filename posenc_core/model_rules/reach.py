"""Which tokens the queries of a layer see: windows to one side or two, chunks, and entries that stand for many tokens.

Sources: ``modeling_<model_type>.py`` of transformers 5.23.0, whose masks were recorded in small models.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from posenc_core.fields import shortened
from posenc_core.model_rules.facts import Values
from posenc_core.model_rules.layer_lists import BLOCKS, CHUNKED, check_list, integer
from posenc_core.model_rules.spelling import LOCAL

_KEYS = (
    "sliding_window", "sliding_window_size", "attention_window_size", "local_attention", "attention_window",
    "window_size", "local_attention_window_len",
)  # fmt: skip
"""The keys of a window's size, in the order to look for them."""

_HALVED = ("modernbert", "modernbert-decoder", "longformer")
"""Models whose key counts the tokens of both sides."""

_TWO_SIDED = ("longformer", "t5gemma2_text")
_BIDIRECTIONAL = ("gemma4_text", "gemma4_unified_text", "diffusion_gemma_text")
_COMPRESSED = {"compressed_sparse_attention": 4, "heavily_compressed_attention": 128}
"""DeepSeek V4's layers with entries that stand for so many tokens each."""


_INDEXED = ("deepseek_v32", "glm_moe_dsa")
"""Models whose indexer chooses tokens. The rotation of DeepSeek V3.2's is half-split, that of GLM 5's interleaved."""


INDEXER = "indexer_type"
"""The name under which a layer's values have its entry of ``indexers``."""


class Reach(Struct, frozen=True):
    """The tokens that a query of the layer sees, and a sentence about them, empty for all tokens before its own.

    ``window``: up to its own, that included; with ``ahead`` tokens after its own, before it alone. ``chunk``: the
    tokens of a chunk that no query looks out of. ``compressed``: the tokens of an entry that stands for those before
    the window. ``keys`` are the keys that decide.
    """

    window: int | None = None
    ahead: int | None = None
    chunk: int | None = None
    compressed: int | None = None
    sentence: str = ""
    keys: tuple[str, ...] = ()


def reach_of(values: Values, layer_type: str | None) -> Reach:
    """The reach of a layer of that type; ValueError with one sentence for a size that is no whole number."""
    if layer_type == CHUNKED and values.find("attention_chunk_size"):
        chunk = integer(values, "attention_chunk_size")
        sentence = f"it attends within chunks of {chunk} tokens (attention_chunk_size)"
        return Reach(chunk=chunk, sentence=sentence, keys=("attention_chunk_size",))
    chosen = _chosen(values, layer_type)
    if chosen is not None:
        return chosen
    key = values.key(*_KEYS)
    if not _slides(values, layer_type) or not _size(values, key):
        return Reach()
    if values.model_type == "mimo_v2_flash" and values.has("sliding_window_size"):
        window = integer(values, "sliding_window_size") + 1
        told = f"it attends to the last {window} tokens: sliding_window_size {window - 1} and its own"
        return Reach(window, sentence=told, keys=("sliding_window_size",))
    size = integer(values.at({key: _size(values, key)}), key)
    sides = _sides(values, key, size)
    if sides is not None:
        return sides
    window = max(size // 2, 1) if values.model_type in _HALVED and key == "local_attention" else size
    reach = Reach(window, sentence=f"it attends to the last {window} tokens ({key})", keys=(key,))
    return _with_entries(values, layer_type, reach)


def _chosen(values: Values, layer_type: str | None) -> Reach | None:
    """The reach of a layer whose indexer chooses tokens, or blocks of tokens; None for other layers."""
    if layer_type == BLOCKS:
        sparse = values.given.get("sparse_attention_config")
        given = sparse if isinstance(sparse, Mapping) else {}
        best = given.get("sparse_topk_blocks", values.find("index_topk_blocks"))
        size = given.get("sparse_block_size", values.find("index_block_size"))
        sentence = f"an indexer chooses the best {shortened(best)} blocks of {shortened(size)} tokens up to its own"
        return Reach(sentence=sentence, keys=("sparse_attention_config",))
    best = values.find("index_topk")
    if values.model_type not in _INDEXED or type(best) is not int or layer_type in (*LOCAL, CHUNKED):
        return None
    if values.given.get(INDEXER) == "shared":
        sentence = f"it attends to the best {best:,} tokens that the indexer of an earlier layer chose (index_topk)"
        return Reach(sentence=sentence, keys=("index_topk",))
    halves = "its own rotation turns halves" if values.model_type == "deepseek_v32" else "its rotation is interleaved"
    sentence = f"an indexer chooses the best {best:,} tokens up to its own (index_topk); {halves}"
    return Reach(sentence=sentence, keys=("index_topk",))


def indexers(values: Values, count: int) -> Sequence[Any] | None:
    """The entry of each layer, "full" for an indexer of its own or "shared"; None for classes without indexers.

    Source: ``GlmMoeDsaConfig.__post_init__`` of transformers 5.23.0.
    """
    if values.model_type != "glm_moe_dsa":
        return None
    listed = check_list(values, "indexer_types")
    if listed is not None:
        return listed
    pattern = values.given.get("index_topk_pattern")
    if isinstance(pattern, str):
        return ["shared" if letter == "S" else "full" for letter in pattern]
    period, offset = (integer(values.at({key: values.given.get(key, default)}), key, 0)
                      for key, default in (("index_topk_freq", 1), ("index_skip_topk_offset", 2)))  # fmt: skip
    return ["shared" if max(index - offset + 1, 0) % max(period, 1) else "full" for index in range(count)]


def _size(values: Values, key: str) -> Any:
    """The size under the key; the largest of Longformer's list with one for each layer."""
    size = values.find(key)
    return max(size) if isinstance(size, list) and all(type(each) is int for each in size) and size else size


def _slides(values: Values, layer_type: str | None) -> bool:
    """Whether layers of the type have a window: by their type, or all layers in classes without types."""
    facts = values.facts
    switch = values.find("use_sliding_window")
    if (facts.gated and switch is not True) or (not facts.source and switch is False):
        return False
    if facts.windowed is not None:
        return facts.windowed == "all"
    typed = layer_type in (*LOCAL, "window_attention", *_COMPRESSED)
    return typed or (layer_type is None and (not facts.source or values.model_type in (*_TWO_SIDED, "gpt_neo")))


def _sides(values: Values, key: str, size: int) -> Reach | None:
    """The reach of a window to both sides; None for one that ends at the query's own token."""
    both, name = values.find("use_bidirectional_attention"), values.model_type
    how = ""
    if name == "t5gemma2_text":
        back, ahead = (size + 1) // 2 - 1, size // 2
        sentence = f"it attends to {back} tokens before its own and {ahead} after it ({key})"
        return Reach(back, ahead, sentence=sentence, keys=(key,))
    if values.facts.two_sided or name in _TWO_SIDED:
        half = size // 2 if name in _HALVED and key != "sliding_window" else size
        how = f" {size}, half on each side" if half != size else ""
    elif both is True and name == "gemma3_text":
        half, how = size // 2, f" {size} // 2 + 1, its own included: use_bidirectional_attention"
    elif both == "all" and name in _BIDIRECTIONAL:
        half, how = size // 2 + 1, f" {size} // 2 + 1: use_bidirectional_attention"
    else:
        return None
    sentence = f"it attends to {half} tokens on each side of its own ({key}{how})"
    return Reach(half, half, sentence=sentence, keys=(key,))


def _with_entries(values: Values, layer_type: str | None, reach: Reach) -> Reach:
    """The reach of DeepSeek V4's layers, some of which also see entries that stand for earlier tokens."""
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
