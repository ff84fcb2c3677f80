"""SGLang: one table of cosines and sines per scaling, made when the model is loaded.

Source: sglang/srt/layers/rotary_embedding/factory.py, ``get_rope``, and the class of each model in srt/models.
"""

from typing import Any

from posenc_core.engines import rules
from posenc_core.engines.facts import ClassFacts, version_of
from posenc_core.engines.question import Question
from posenc_core.engines.rules import READ, RUN, EngineResult, Parameters, Source, UnknownError
from posenc_core.rope_scaling import Linear, NtkAware, Proportional, RopeScaling

_FILES = {
    "yarn": ("yarn.py", "YaRNScalingRotaryEmbedding"),
    "deepseek": ("rope_variant.py", "DeepseekScalingRotaryEmbedding"),
    "longrope": ("rope_variant.py", "Phi3LongRoPEScaledRotaryEmbedding.forward"),
    "dynamic": ("rope_variant.py", "DynamicNTKScalingRotaryEmbedding"),
    "llama3": ("rope_variant.py", "Llama3RotaryEmbedding"),
    "linear": ("base.py", "LinearScalingRotaryEmbedding"),
    "proportional": ("rope_variant.py", "Gemma4RotaryEmbedding"),
}
_LENGTHS = {
    "dynamic": "the base of factor x max_position_embeddings in every text, however short",
    "longrope": "a batch with a position above original_max_position_embeddings has long_factor in all its texts",
}


def sglang(question: Question) -> EngineResult:
    """The encoding in SGLang; the length asked for is that of the longest text in the batch."""
    facts = rules.class_of("sglang", question)
    if question.label and not facts.labels:
        raise UnknownError(f"how SGLang's class gives {question.label} layers a rotation of their own was not read")
    given, kind = question.rope.parameters, question.rope.rope_type
    latent = facts.latent and kind == "yarn"
    file, function = _FILES.get("deepseek" if latent else kind, ("factory.py", "get_rope"))
    columns = question.rotation.n_columns if kind == "proportional" else _columns(question, facts, given)
    scaling = _scaling(question, given, latent)
    hole = _hole(question, given)
    return EngineResult(
        source=Source("SGLang", version_of("sglang"), f"srt/layers/rotary_embedding/{file}", function),
        mark=READ if question.label or kind == "proportional" else RUN,
        encoding=rules.rotated(question, question.rope.rope_theta, columns, scaling),
        columns=columns,
        window=question.layer.window,
        holes=hole,
        lengths=_LENGTHS.get(kind, ""),
        arithmetic="float32 frequencies times float32 positions",
        ignored=_ignored(given, kind, latent),
        notes=(*_hole_notes(hole), *rules.layout_notes(question, facts.layout)),
    )


def _columns(question: Question, facts: ClassFacts, given: Parameters) -> int:
    own = question.rotation
    if question.values.has("qk_rope_head_dim", "rotary_dim") or facts.share == "class":
        return own.n_columns
    share = {
        "top": question.values.find("partial_rotary_factor"),
        "parameters": given.get("partial_rotary_factor"),
    }.get(facts.share)
    columns = own.head_dim if share is None else int(own.head_dim * share)
    if columns == own.head_dim != own.n_columns:
        raise UnknownError("where SGLang's class reads the share of rotated columns was not read")
    return columns


def _scaling(question: Question, given: Parameters, latent: bool) -> RopeScaling | None:
    longest = question.longest
    match question.rope.rope_type:
        case "linear":
            return Linear(given.get("factor", 1.0))
        case "llama3":
            return rules.llama3(
                given, factor=1.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=longest
            )
        case "dynamic" if "alpha" in given:
            return NtkAware(given["alpha"])
        case "dynamic":
            factor = given.get("factor", 1.0)  # the length is factor x max_position_embeddings, also where no integer
            return NtkAware(factor * factor - (factor - 1))
        case "yarn":
            return _yarn(given, _original(question, given), latent)
        case "longrope":
            original = _original(question, given)
            is_long = rules.length_of(question, "context_length") > original + 1
            own = given.get("long_mscale" if is_long else "short_mscale")
            return rules.listed(given, is_long, original, own or rules.longrope_amplitude(longest, original))
        case "proportional":
            return Proportional(given.get("partial_rotary_factor", 1.0), 1.0)
    return None


def _yarn(given: Parameters, original: int, latent: bool) -> RopeScaling:
    if given.get("extrapolation_factor", 1) != 1:
        raise UnknownError("SGLang's extrapolation_factor, which weakens the ramp, is not shown")
    factor = rules.needed(given, "factor") if "factor" in given else 1.0
    mscale, all_dim = given.get("mscale"), given.get("mscale_all_dim")
    more = given.get("attn_factor", 1)
    if latent:
        amplitude = rules.ratio(factor, 1.0 if mscale is None else mscale, all_dim or 0.0)
        return rules.yarn(given, factor, original, amplitude * more, softmax=all_dim)
    both = mscale is not None and all_dim is not None
    amplitude = rules.ratio(factor, mscale or 0.0, all_dim or 0.0) if both else rules.magnitude(factor)
    return rules.yarn(given, factor, original, amplitude * more, truncate=given.get("truncate", True) is not False)


def _original(question: Question, given: Parameters) -> Any:
    """original_max_position_embeddings beside the parameters, which counts more, among them, or the longest length."""
    beside = question.given.get("original_max_position_embeddings")
    return beside or given.get("original_max_position_embeddings") or question.longest


def _hole(question: Question, given: Parameters) -> tuple[int, ...]:
    """The position that reads the first row of the wrong table, in a text that ends with it."""
    if question.rope.rope_type != "longrope":
        return ()
    original = _original(question, given)
    return (original,) if rules.length_of(question, "context_length") == original + 1 else ()


def _hole_notes(hole: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(f"position {each:,} reads row 0 of long_factor's table: all its angles are 0" for each in hole)


def _ignored(given: Parameters, kind: str, latent: bool) -> tuple[str, ...]:
    if kind == "longrope":
        return rules.ignored(given, "attention_factor", "factor")
    if kind == "yarn":
        return rules.ignored(given, "attention_factor", *(("truncate",) if latent else ()))
    return rules.ignored(given, "factor") if kind == "proportional" else ()
