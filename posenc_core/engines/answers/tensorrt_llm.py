"""TensorRT-LLM, of an unknown version: its files were read, and nothing was run.

Source: tensorrt_llm/_torch/attention_backend/interface.py, ``RopeParams.from_config``, and functional.py,
``RopeEmbeddingUtils``.
"""

from posenc_core.engines.answers import rules
from posenc_core.engines.answers.rules import Parameters
from posenc_core.engines.facts import version_of
from posenc_core.engines.question import Question, UnknownError, mapping_of
from posenc_core.engines.results import READ, EngineResult, Source
from posenc_core.engines.windows import window_by
from posenc_core.fields import shortened
from posenc_core.rope_scaling import Linear, NtkAware, RopeScaling

_LATENT_SOFTMAX = ("deepseek_v2", "deepseek_v3", "deepseek_v32", "kimi_k2")


def tensorrt_llm(question: Question) -> EngineResult:
    """The encoding in TensorRT-LLM; its setting is ``max_seq_len``, by default the requested length."""
    rules.check_label("TensorRT-LLM", question, False)
    given = mapping_of(question.given, "rope_scaling") or mapping_of(question.given, "rope_parameters")
    kind = str(given.get("type") or given.get("rope_type") or "default")
    columns = _columns(question)
    place = rules.place("TensorRT-LLM", kind)
    if columns > question.rotation.head_dim:
        source = Source("TensorRT-LLM", version_of("tensorrt-llm"), *place)
        told = (
            f"its table has {columns:,} columns for a head of {question.rotation.head_dim}; what follows was not read"
        )
        return EngineResult(source=source, mark=READ, columns=columns, unknown=told)
    module, rule = rules.LINES["TensorRT-LLM"].windows.get(question.architecture, ("", None))
    return rules.answered(
        "TensorRT-LLM",
        question,
        rules.rotated(question, question.rope.rope_theta, columns, _scaling(question, given, kind)),
        columns,
        window_by(rule, question),
        place,
        of_window=(f"tensorrt_llm/_torch/models/modeling_{module}.py", "Attention"),
        kind=kind,
        is_read=True,
        ignored=(
            *rules.ignored(given, *rules.LINES["TensorRT-LLM"].ignored.get(kind, ())),
            *(("dynamic has no effect without alpha",) if kind == "dynamic" and not given.get("alpha") else ()),
        ),
        notes=rules.layout_notes(question, None),
    )


def _columns(question: Question) -> int:
    given, values = question.given, question.values
    for key in ("rotary_dim", "rotary_emb_base", "qk_rope_head_dim"):
        own = given.get(key)
        if isinstance(own, int | float) and own:
            return int(own)
    share = values.find("rotary_pct") or values.find("partial_rotary_factor")
    share = question.rope.parameters.get("partial_rotary_factor") if share is None else share
    return int(question.rotation.head_dim * (share or 1.0))


def _scaling(question: Question, given: Parameters, kind: str) -> RopeScaling | None:
    beside = question.given.get("original_max_position_embeddings")
    original = beside or given.get("original_max_position_embeddings") or 1024
    match kind:
        case "default" | "mrope":
            return None
        case "linear":
            return Linear(given.get("factor", 1.0))
        case "dynamic":
            return NtkAware(given["alpha"]) if given.get("alpha") else None
        case "llama3":
            return rules.llama3(
                {**given, "original_max_position_embeddings": original},
                factor=1.0, low_freq_factor=1.0, high_freq_factor=4.0,
            )  # fmt: skip
        case "yarn" if isinstance(given.get("factor", 1.0), int | float):
            factor, all_dim = given.get("factor", 1.0), given.get("mscale_all_dim", 0.0)
            softmax = all_dim if question.values.model_type in _LATENT_SOFTMAX else None
            return rules.yarn(
                given, factor, original, rules.ratio(factor, given.get("mscale", 1.0), all_dim), softmax=softmax
            )
        case "longrope" | "su":
            is_long = rules.length_of(question, "max_seq_len") > original
            return rules.listed(given, is_long, original, rules.longrope_amplitude(question.longest, original))
    raise UnknownError(f"TensorRT-LLM's code for rope_type {shortened(kind)} with these keys was not read")
