"""exllamav3: a module per architecture, which reads the keys of the file itself.

Source: exllamav3/util/rope.py, ``RoPE``, and model/config.py, ``read_rope_settings_default``.
"""

from typing import Any

from posenc_core.engines import rules
from posenc_core.engines.facts import ClassFacts, version_of
from posenc_core.engines.question import THETA, Question, mapping_of
from posenc_core.engines.rules import READ, RUN, EngineResult, Parameters, RefusedError, Source, UnknownError
from posenc_core.rope_scaling import Linear, Proportional, RopeScaling

_FUNCTIONS = {
    "yarn": "RoPE._rope_params_yarn",
    "longrope": "RoPE._rope_params_longrope",
    "llama3": "RoPE._rope_params_llama3",
    "linear": "RoPE._rope_params_linear",
    "proportional": "RoPE._rope_params_proportional",
}
_LENGTHS = {
    "yarn": "the factor is max_position_embeddings over original_max_position_embeddings where both are given",
    "longrope": "long_factor in every position if the cache is longer than original_max_position_embeddings",
}
_PLAIN_SLIDING = {"gemma3_text": 10000.0, "gemma3": 10000.0, "olmo3": None}
"""Models whose sliding layers have no scaling, with their base; None is that of the other layers."""


def exllamav3(question: Question) -> EngineResult:
    """The encoding in exllamav3; its setting is ``cache_size``, by default the length asked for."""
    facts = rules.class_of("exllamav3", question)
    base, given, sliding = _read(question, facts)
    kind = "default" if sliding else str(given.get("rope_type", given.get("type")) or "default")
    kind = "longrope" if kind == "su" else kind
    share = _share(question, facts)
    columns = question.rotation.n_columns if kind == "proportional" else _columns(question, share)
    scaling = _scaling(question, facts, given, kind, share)
    function = _FUNCTIONS.get(kind, "RoPE._rope_params_default")
    return EngineResult(
        source=Source("exllamav3", version_of("exllamav3"), "util/rope.py", function),
        mark=READ if question.label or kind == "proportional" else RUN,
        encoding=rules.rotated(question, base, columns, scaling),
        columns=columns,
        window=question.layer.window,
        lengths=_LENGTHS.get(kind, ""),
        arithmetic="float32 frequencies times float32 positions",
        ignored=_ignored(question, given, kind),
        notes=rules.layout_notes(question, facts.layout),
    )


def _read(question: Question, facts: ClassFacts) -> tuple[Any, Parameters, bool]:
    """The base, the scaling's keys, and whether these are layers without a scaling."""
    given, named = question.given, question.values.model_type
    new = mapping_of(given, "rope_parameters")
    base = given.get(THETA, new.get(THETA))
    base = facts.base if base is None else base
    if question.label and named not in _PLAIN_SLIDING:
        raise UnknownError(f"how exllamav3 gives {question.label} layers a rotation of their own was not read")
    sliding = question.label == "sliding_attention"
    if sliding and _PLAIN_SLIDING[named] is not None:
        base = _PLAIN_SLIDING[named]
    if base is None:
        raise UnknownError("the base of exllamav3 for a file without rope_theta was not read")
    return base, mapping_of(given, "rope_scaling") or new, sliding


def _share(question: Question, facts: ClassFacts) -> float:
    new = mapping_of(question.given, "rope_parameters")
    found = question.given.get("partial_rotary_factor", new.get("partial_rotary_factor"))
    found = facts.default_share if found is None else found
    if found is None:
        raise UnknownError("the share of a head that exllamav3 rotates without partial_rotary_factor was not read")
    return float(found)


def _columns(question: Question, share: float) -> int:
    if question.values.has("qk_rope_head_dim"):
        return question.rotation.n_columns
    own = question.given.get("rotary_dim")
    return own if type(own) is int and own > 0 else int(question.rotation.head_dim * share)


def _scaling(question: Question, facts: ClassFacts, given: Parameters, kind: str, share: float) -> RopeScaling | None:
    match kind:
        case "default" | "mrope":
            return None
        case "linear":
            return Linear(given.get("factor", 1.0))
        case "llama3":
            defaults = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
            return rules.llama3(given, **defaults, original_max_position_embeddings=8192)
        case "yarn":
            return _yarn(question, facts, given)
        case "longrope":
            return _longrope(question, given)
        case "proportional":
            return Proportional(share, given.get("factor", 1.0))
    raise RefusedError(f"ValueError: Unknown rope_type: {kind}")


def _yarn(question: Question, facts: ClassFacts, given: Parameters) -> RopeScaling:
    longest, original = question.given.get("max_position_embeddings"), given.get("original_max_position_embeddings")
    if type(longest) is not int:
        raise RefusedError("AssertionError: YaRN scaling requires explicit max_position_embeddings")
    factor = given.get("factor") if original is None else longest / original
    original = longest if original is None else original
    if not isinstance(factor, int | float):
        raise RefusedError("TypeError: factor is missing or null, and no original length replaces it")
    if factor < 1:
        raise UnknownError(f"max_position_embeddings below the original length give YaRN the factor {factor:g}")
    mscale, all_dim = given.get("mscale"), given.get("mscale_all_dim")
    amplitude = given.get("attention_factor")
    if amplitude is None:
        if facts.latent and mscale and all_dim:
            amplitude = rules.ratio(factor, mscale, all_dim)
        else:
            amplitude = 1.0 if given.get("llama_4_scaling_beta") else rules.magnitude(factor)
    softmax = all_dim if facts.latent else None
    truncate = given.get("truncate", True) is not False
    return rules.yarn(given, factor, original, float(amplitude), truncate=truncate, softmax=softmax)


def _longrope(question: Question, given: Parameters) -> RopeScaling:
    beside = question.given.get("original_max_position_embeddings")
    original = given.get("original_max_position_embeddings", beside)
    longest = question.given.get("max_position_embeddings")
    if type(original) is not int or type(longest) is not int:
        raise RefusedError("TypeError: longrope needs max_position_embeddings and its original length")
    follows = question.values.model_type in ("", "phi3")  # the one class that hands on the size of the cache
    reach = rules.length_of(question, "cache_size") if follows else longest
    return rules.listed(given, reach > original, original, rules.longrope_amplitude(longest, original))


def _ignored(question: Question, given: Parameters, kind: str) -> tuple[str, ...]:
    if kind == "longrope":
        return rules.ignored(given, "attention_factor", "factor", "short_mscale", "long_mscale")
    if kind != "yarn":
        return ()
    original, longest = given.get("original_max_position_embeddings"), question.given.get("max_position_embeddings")
    overruled = original and given.get("factor") not in (None, longest / original)
    return rules.ignored(given, "attn_factor", *(("factor",) if overruled else ()))
