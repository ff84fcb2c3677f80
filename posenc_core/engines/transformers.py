"""Transformers: what the model's own class computes, which the other engines are compared with."""

from posenc_core.engines.facts import version_of
from posenc_core.engines.question import Question
from posenc_core.engines.rules import READ, RUN, EngineResult, RefusedError, Source

_LENGTHS = {
    "dynamic": "the base follows the longest text since the last short one; up to max_position_embeddings it stays",
    "longrope": "a text longer than original_max_position_embeddings has long_factor in every position",
}

_LONGROPE_ALONE = {"phi3", "phi4_multimodal"}
"""Models whose configuration allows no scaling but longrope, and reads yarn as longrope: ``validate_rope`` of each."""


def transformers(question: Question) -> EngineResult:
    """The encoding of the model's class at the length, which is that of the text.

    RefusedError for a scaling that the model's configuration does not allow.
    """
    kind = question.rope.rope_type
    if question.values.model_type in _LONGROPE_ALONE and kind not in ("default", "longrope"):
        raise RefusedError(f"ValueError: `rope_parameters`'s type field must be one of ['longrope'], got {kind}")
    source = question.values.facts.source or "modeling_rope_utils.py:ROPE_INIT_FUNCTIONS"
    file, _, function = source.partition(":")
    return EngineResult(
        source=Source("transformers", version_of("transformers"), file, function),
        mark=RUN if question.values.facts.source or not question.values.model_type else READ,
        encoding=question.encoding,
        columns=question.rotation.n_columns,
        window=question.layer.window,
        lengths=_LENGTHS.get(kind, ""),
        arithmetic="float32 frequencies times float32 positions",
    )
