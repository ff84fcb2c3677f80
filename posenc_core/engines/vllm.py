"""vLLM: one table of cosines and sines per scaling, made when the model is loaded.

Source: vllm/model_executor/layers/rotary_embedding, ``get_rope``, and the class of each model in model_executor/models.
Parameters come from transformers' configuration class (``patch_rope_parameters``).
"""

from msgspec.structs import replace

from posenc_core.engines import rules
from posenc_core.engines.facts import ClassFacts, facts_of, version_of
from posenc_core.engines.question import Question
from posenc_core.engines.rules import READ, RUN, EngineResult, Parameters, RefusedError, Source, UnknownError
from posenc_core.engines.transformers import transformers
from posenc_core.rope_scaling import Linear, NtkAware, Proportional, RopeScaling

_FILES = {
    "yarn": ("yarn_scaling_rope.py", "YaRNScalingRotaryEmbedding"),
    "deepseek": ("deepseek_scaling_rope.py", "DeepseekScalingRotaryEmbedding"),
    "longrope": ("phi3_long_rope_scaled_rope.py", "Phi3LongRoPEScaledRotaryEmbedding.__init__"),
    "dynamic": ("dynamic_ntk_scaling_rope.py", "DynamicNTKScalingRotaryEmbedding"),
    "llama3": ("llama3_rope.py", "Llama3RotaryEmbedding"),
    "linear": ("linear_scaling_rope.py", "LinearScalingRotaryEmbedding"),
    "proportional": ("gemma4_rope.py", "Gemma4RotaryEmbedding"),
}
_LENGTHS = {
    "dynamic": "one base for the whole length: max_position_embeddings stands for both lengths, so that nothing is "
    "scaled unless rope_parameters has max_trained_positions",
    "longrope": "long_factor in every position if max_model_len is above original_max_position_embeddings, whatever "
    "the length of the text",
}
_SCALED_ALREADY = ("longrope", "llama3", "yarn")
_WINDOW_KEYS = {"mimo_v2_flash": "sliding_window_size"}
"""The key of a window where the class reads another one than transformers' class (models/mimo_v2.py)."""


def vllm(question: Question) -> EngineResult:
    """The encoding in vLLM; its setting is ``max_model_len``, by default the length asked for."""
    if facts_of("vllm").architectures.get(question.architecture) == "transformers":
        registry = Source("vLLM", version_of("vllm"), "models/registry.py", "_TEXT_GENERATION_MODELS")
        return replace(transformers(question), source=registry, mark=READ, notes=_notes(question))
    facts = rules.class_of("vllm", question)
    if question.label and not facts.labels:
        raise UnknownError(f"how vLLM's class gives {question.label} layers a rotation of their own was not read")
    given = question.rope.parameters
    kind = question.rope.rope_type
    latent = facts.latent and kind == "yarn" and given.get("attention_factor") != 1
    file, function = _FILES.get("deepseek" if latent else kind, ("__init__.py", "get_rope"))
    columns = _columns(question, facts, given)
    rotated_columns = question.rotation.n_columns if kind == "proportional" else columns
    return EngineResult(
        source=Source("vLLM", version_of("vllm"), f"layers/rotary_embedding/{file}", function),
        mark=READ if question.label or kind == "proportional" else RUN,
        encoding=rules.rotated(question, question.rope.rope_theta, rotated_columns, _scaling(question, given, latent)),
        columns=rotated_columns,
        window=_window(question),
        lengths=_LENGTHS.get(kind, ""),
        arithmetic="float32 frequencies times float32 positions, stored in the model's precision",
        ignored=_ignored(given, kind, latent),
        notes=(*_notes(question), *rules.layout_notes(question, facts.layout)),
    )


def _columns(question: Question, facts: ClassFacts, given: Parameters) -> int:
    share, head = given.get("partial_rotary_factor"), question.rotation.head_dim
    if share is None or question.values.has("qk_rope_head_dim", "rotary_dim"):
        return question.rotation.n_columns
    if not 0 < share <= 1:
        raise RefusedError(f"ValueError: partial_rotary_factor={share} must be between 0.0 and 1.0")
    return int(head * share)


def _scaling(question: Question, given: Parameters, latent: bool) -> RopeScaling | None:
    match question.rope.rope_type:
        case "linear":
            if type(rules.needed(given, "factor")) is int:  # linear_scaling_rope.py loops over what is no float
                raise RefusedError("TypeError: 'int' object is not iterable: factor must be written with a point")
            return Linear(given["factor"])
        case "llama3":
            return rules.llama3(given)
        case "dynamic" if "alpha" in given:
            return NtkAware(given["alpha"])
        case "dynamic":
            factor, longest = rules.needed(given, "factor"), question.longest
            return NtkAware(factor * longest / given.get("max_trained_positions", longest) - (factor - 1))
        case "yarn":
            return _yarn(question, given, latent)
        case "longrope":
            original = _original(question, given)
            is_long = rules.length_of(question, "max_model_len") > original
            own = given.get("long_mscale" if is_long else "short_mscale")
            return rules.listed(given, is_long, original, own or rules.longrope_amplitude(question.longest, original))
        case "proportional":
            return Proportional(given.get("partial_rotary_factor", 1.0), 1.0)
    return None


def _yarn(question: Question, given: Parameters, latent: bool) -> RopeScaling:
    factor, original = rules.needed(given, "factor"), _original(question, given)
    mscale, all_dim = given.get("mscale"), given.get("mscale_all_dim")
    if latent:
        amplitude = rules.ratio(factor, 1.0 if mscale is None else mscale, all_dim or 0.0)
        return rules.yarn(given, factor, original, amplitude, softmax=all_dim)
    if given.get("attention_factor") is not None:
        amplitude = float(given["attention_factor"])
    else:
        amplitude = rules.ratio(factor, mscale, all_dim) if mscale and all_dim else rules.magnitude(factor)
    return rules.yarn(given, factor, original, amplitude, truncate=given.get("truncate", True) is not False)


def _original(question: Question, given: Parameters) -> int:
    """original_max_position_embeddings, which transformers' configuration class fills in."""
    found = given.get("original_max_position_embeddings")
    found = question.values.find("original_max_position_embeddings") if found is None else found
    found = question.longest if found is None else found
    if type(found) is not int:
        raise RefusedError("KeyError: 'original_max_position_embeddings'")
    return found


def _window(question: Question) -> int | None:
    key = _WINDOW_KEYS.get(question.values.model_type)
    own = question.values.find(key) if key and question.layer.window is not None else None
    return own if type(own) is int else question.layer.window


def _ignored(given: Parameters, kind: str, latent: bool) -> tuple[str, ...]:
    if kind == "longrope":
        return rules.ignored(given, "attention_factor", "factor")
    if kind == "yarn":
        return rules.ignored(given, "attn_factor", *(("attention_factor", "truncate") if latent else ()))
    return rules.ignored(given, "factor") if kind == "proportional" else ()


def _notes(question: Question) -> tuple[str, ...]:
    """The note on a max_model_len above what vLLM derives of the file."""
    longest, factor = question.longest, question.rope.parameters.get("factor")
    if type(longest) is not int or "gemma3" in question.values.model_type:
        return ()
    scaled = question.rope.rope_type not in _SCALED_ALREADY and isinstance(factor, int | float)
    derived, asked = int(longest * factor) if scaled and factor else longest, rules.length_of(question, "max_model_len")
    if asked <= derived:
        return ()
    told = f"vLLM refuses max_model_len {asked:,} above the {derived:,} that it derives of the file"
    return (f"{told}, unless VLLM_ALLOW_LONG_MAX_MODEL_LEN is set",)
