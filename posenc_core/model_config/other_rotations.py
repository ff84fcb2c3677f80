"""Rotations that see changed distances or mixed waves, where a config.json alone tells."""

from collections.abc import Mapping
from typing import Any

from posenc_core.encodings import ChunkedAttention, DistanceRemap, DualChunk, Encoding, Fope, Rotary
from posenc_core.fields import shortened
from posenc_core.model_config.config import part_of, rope_from_config
from posenc_core.model_rules import integer


def rotation_from_config(config: Mapping[str, Any], layer_type: str | None = None) -> Encoding:
    """The encoding of a model's rotating layers, with the distances that its attention changes.

    ``DistanceRemap`` for a ``dual_chunk_attention_config`` and for an ``attention_chunk_size``, ``Fope`` for
    ``use_fope``, else the ``Rotary`` of ``rope_from_config``. ``config`` and errors as there; ValueError too for chunks
    that cannot be read. Sources: Qwen2.5-1M; transformers, ``modeling_llama4``; vLLM, ``fope.py``.
    """
    rotary = rope_from_config(config, layer_type=layer_type)
    values, _ = part_of(config)
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


def _remapped(rotary: Rotary, rule: DualChunk | ChunkedAttention) -> DistanceRemap:
    """The rotation of whole heads with this map of distances; ValueError for a partial rotation."""
    if rotary.n_columns != rotary.head_dim:
        raise ValueError(f"changed distances are shown of whole heads, this one rotates {rotary.n_columns} columns")
    return DistanceRemap(rule, rotary.head_dim, rotary.rope_theta, rotary.pairing, rotary.scaling)
