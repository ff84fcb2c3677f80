"""Rotations that see changed distances or mixed waves, where a config.json alone tells."""

from collections.abc import Mapping
from dataclasses import replace

from posenc_core.encodings import ChunkedAttention, DistanceRemap, DualChunk, Encoding, Fope, Rotary
from posenc_core.fields import shortened
from posenc_core.model_rules import Values, integer


def changed_rotation(values: Values, rotary: Rotary) -> Encoding:
    """The encoding of a rotating layer, with the distances that its attention changes.

    ``DistanceRemap`` for a ``dual_chunk_attention_config`` and for an ``attention_chunk_size``, ``Fope`` for
    ``use_fope``, else ``rotary``. TypeError or ValueError with one sentence for chunks that cannot be read. Sources:
    Qwen2.5-1M; transformers, ``modeling_llama4``; vLLM, ``fope.py``.
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
    if values.find("attention_chunk_size"):
        return _remapped(rotary, ChunkedAttention(integer(values, "attention_chunk_size")))
    return rotary


def _remapped(rotary: Rotary, rule: DualChunk | ChunkedAttention) -> Encoding:
    """The rotation of whole heads with this map of distances; a partial one with a note that the map is not shown."""
    if rotary.n_columns != rotary.head_dim or rotary.direction < 0:
        told = f"the model changes distances ({rule.title.lower()}), which are shown of rotations of whole heads alone"
        return replace(rotary, notes=(*rotary.notes, told))
    return DistanceRemap(rule, rotary.head_dim, rotary.rope_theta, rotary.pairing, rotary.scaling, notes=rotary.notes)
