"""Transformers: what the model's own class computes, which the other engines are compared with."""

from posenc_core.engines.facts import facts_of
from posenc_core.engines.question import Question
from posenc_core.engines.rules import READ, RUN, EngineResult, Source

_LENGTHS = {
    "dynamic": "the base follows the longest text since the last short one; up to max_position_embeddings it stays",
    "longrope": "a text longer than original_max_position_embeddings has long_factor in every position",
}


def transformers(question: Question) -> EngineResult:
    """The encoding of the model's class at the length, which is that of the text."""
    source = question.values.facts.source or "modeling_rope_utils.py:ROPE_INIT_FUNCTIONS"
    file, _, function = source.partition(":")
    return EngineResult(
        source=Source("transformers", facts_of("transformers").version, file, function),
        mark=RUN if question.values.facts.source or not question.values.model_type else READ,
        encoding=question.encoding,
        columns=question.rotation.n_columns,
        window=question.layer.window,
        lengths=_LENGTHS.get(question.rope.rope_type, ""),
        arithmetic="float32 frequencies times float32 positions",
    )
