"""Rotations by several axes, of changed distances or with mixed waves, that only a config.json describes."""

from collections.abc import Mapping
from dataclasses import replace

from posenc_core.encodings import ChunkedAttention, DistanceRemap, DualChunk, Encoding, Fope, Rotary
from posenc_core.fields import shortened
from posenc_core.model_rules.facts import Values
from posenc_core.model_rules.layer_lists import integer
from posenc_core.model_rules.vision_parts import seeing_axes


def changed_rotation(values: Values, rotary: Rotary) -> Encoding:
    """The encoding of a rotating layer, with axes of pictures and changed distances if the configuration has them.

    ``DistanceRemap`` for a ``dual_chunk_attention_config`` and for an ``attention_chunk_size``, ``Fope`` for
    ``use_fope``, ``RopeAxes`` for a vision-language model, else ``rotary``. TypeError or ValueError with one
    sentence for chunks that cannot be read. Sources: Qwen2.5-1M; transformers, ``modeling_llama4``; vLLM, ``fope.py``.
    """
    chunks = values.find("dual_chunk_attention_config")
    if chunks is not None:
        if not isinstance(chunks, Mapping):
            raise ValueError(f"dual_chunk_attention_config must be an object, got {shortened(chunks)}")
        sizes = (chunks.get("chunk_size", 262144), chunks.get("local_size", 8192))
        return _remapped(rotary, DualChunk(*sizes))
    if values.find("use_fope") is True:
        kept = values.find("num_inv_freq")
        return Fope(rotary.head_dim, rotary.rope_theta, integer(values, "max_position_embeddings"), kept)
    if values.find("attention_chunk_size") and _has_chunks(values):
        return _remapped(rotary, ChunkedAttention(integer(values, "attention_chunk_size")))
    return seeing_axes(values, rotary) or rotary


def _has_chunks(values: Values) -> bool:
    """Whether the class reads the size of chunks; unknown code is taken to, unless its file has a window (MiMo's)."""
    if values.facts.source:
        return "attention_chunk_size" in values.facts.defaults
    return not values.has("sliding_window")


def _remapped(rotary: Rotary, rule: DualChunk | ChunkedAttention) -> Encoding:
    """The rotation of whole heads with this map of distances; a partial one with a note that the map is not shown."""
    if rotary.n_columns != rotary.head_dim or rotary.direction < 0:
        told = f"the model changes distances ({rule.title.lower()}), which are shown only for rotations of whole heads"
        return replace(rotary, notes=(*rotary.notes, told))
    return DistanceRemap(rule, rotary.head_dim, rotary.rope_theta, rotary.pairing, rotary.scaling, notes=rotary.notes)
