"""Sentences on blocks, neighbourhoods and chunks within which some encoders attend.

Sources: ``modeling_<model_type>.py`` of transformers 5.23.0.
"""

from typing import Any

from posenc_core.fields import shortened
from posenc_core.model_rules.facts import Values
from posenc_core.model_rules.layer_lists import integer


def block_sparse(values: Values, n_layers: int) -> str:
    """The sentence for BigBird, which attends to everything in short texts, or if the file says so."""
    given = values.given.get("attention_type", "block_sparse")
    if given not in ("block_sparse", "original_full"):
        raise ValueError(f"attention_type must be block_sparse or original_full, got {shortened(given)}")
    if given == "original_full":
        return ""
    size, drawn = _or(values, "block_size", 64), _or(values, "num_random_blocks", 3, 0)
    return (
        f"in texts of more than {(5 + 2 * drawn) * size:,} tokens the encoder's attention is block-sparse: a block of "
        f"{size:,} tokens (block_size) attends to itself and its neighbours, to the first and the last block, and in "
        f"training to {drawn:,} blocks at random (num_random_blocks)"
    )


def neighbourhood(values: Values, n_layers: int) -> str:
    """The sentence for Dinat, whose layers attend to patches around a patch, at distances of its own in each layer."""
    side = _or(values, "kernel_size", 7)
    return (
        f"each layer attends to {side:,} x {side:,} patches around a patch (kernel_size), with gaps between them that "
        "differ by layer (dilations)"
    )


def streamed_chunks(values: Values, n_layers: int) -> str:
    """The sentence for the encoder of Phi-4's sound; empty if its chunks have the size -1.

    Its class adds the mask of the chunks to the scores as numbers, so that other frames are seen as well.
    """
    size = _or(values, "chunk_size", -1, -1)
    if size < 0:
        return ""
    if not size:
        raise ValueError("chunk_size must be -1, for no chunks, or a number of frames, got 0")
    before = _or(values, "left_chunk", 18, 0)
    return (
        f"transformers 5.23.0 adds 1 to the scores within chunks of {size:,} frames (chunk_size) and of "
        f"{_chunks(before)} (left_chunk), and masks no frame"
    )


def speech_chunks(values: Values, n_layers: int) -> str:
    """The sentence for the speech encoder of Seamless M4T v2; empty if its chunks have the size null."""
    size = values.given.get("speech_encoder_chunk_size", 20000)
    if size is None:
        return ""
    size, before = (
        _or(values, "speech_encoder_chunk_size", 20000),
        _or(values, "speech_encoder_left_chunk_num", 128, -1),
    )
    told = "all chunks before" if before < 0 else _chunks(before)
    return (
        f"its speech encoder attends within chunks of {size:,} frames (speech_encoder_chunk_size), and to {told} "
        "(speech_encoder_left_chunk_num)"
    )


def _chunks(before: int) -> str:
    return "none before" if not before else f"the {before:,} chunks before" if before > 1 else "the chunk before"


def _or(values: Values, key: str, own: Any, minimum: int = 1) -> int:
    """The whole number under the key, that of the class if the file has none."""
    return integer(values.at({key: values.given.get(key, own)}), key, minimum)
