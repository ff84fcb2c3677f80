"""exllamav3: a module per architecture, which reads the keys of the file itself.

Source: exllamav3/util/rope.py, ``RoPE``, and model/config.py, ``read_rope_settings_default``.
"""

import math
from typing import Any

from posenc_core.engines.answers import rules
from posenc_core.engines.answers.rules import Parameters
from posenc_core.engines.facts import ClassFacts, module_of
from posenc_core.engines.question import THETA, Question, RefusedError, UnknownError, class_of, mapping_of
from posenc_core.engines.results import EngineResult
from posenc_core.engines.windows import window_by
from posenc_core.rope_scaling import Linear, Proportional, RopeScaling, magnitude

_PLAIN_SLIDING = {"gemma3_text": 10000.0, "gemma3": 10000.0, "olmo3": None}
"""Models whose sliding layers have no scaling, with their base; None means the other layers' base."""

_GEMMA_4 = {"full_attention": 1e6, "sliding_attention": 10000.0}
"""The base of Gemma 4's layers without rope_theta."""


def exllamav3(question: Question) -> EngineResult:
    """The encoding in exllamav3; its setting is ``cache_size``, by default the length asked for."""
    facts = class_of("exllamav3", question)
    base, given, sliding = _read(question, facts)
    kind = "default" if sliding else str(given.get("rope_type", given.get("type")) or "default")
    kind = "longrope" if kind == "su" else kind
    share = _share(question, facts)
    columns = question.rotation.n_columns if kind == "proportional" else _columns(question, share, sliding)
    module = module_of("exllamav3", question.architecture, question.values.model_type)
    return rules.answered(
        "exllamav3",
        question,
        rules.rotated(question, base, columns, _scaling(question, facts, given, kind, share)),
        columns,
        window_by(facts.window, question),
        rules.place("exllamav3", kind),
        of_window=(f"architecture/{module}.py", "Attention"),
        kind=kind,
        ignored=_ignored(question, given, kind),
        notes=rules.layout_notes(question, facts.layout),
    )


def _keys(question: Question) -> Parameters:
    """The keys that the class reads: of Gemma 4's those of the layer type alone (architecture/gemma4.py)."""
    new = mapping_of(question.given, "rope_parameters")
    return mapping_of(new, question.label) if question.values.model_type == "gemma4_text" else question.given


def _read(question: Question, facts: ClassFacts) -> tuple[Any, Parameters, bool]:
    """The base, the scaling's keys, and whether these are layers without a scaling."""
    given, named = _keys(question), question.values.model_type
    new = mapping_of(given, "rope_parameters")
    base = given.get(THETA, new.get(THETA))
    base = facts.base if base is None else base
    if named == "gemma4_text" and question.label:  # the type of each is its own, and rope_scaling is in neither
        return given.get(THETA, _GEMMA_4[question.label]), {"rope_type": given.get("rope_type")}, False
    rules.check_label("exllamav3", question, named in _PLAIN_SLIDING)
    sliding = question.label == "sliding_attention"
    if sliding and _PLAIN_SLIDING[named] is not None:
        base = _PLAIN_SLIDING[named]
    if base is None:
        raise UnknownError("the base of exllamav3 for a file without rope_theta was not read")
    return base, mapping_of(given, "rope_scaling") or new, sliding


def _share(question: Question, facts: ClassFacts) -> float:
    given = _keys(question)
    new = mapping_of(given, "rope_parameters")
    found = given.get("partial_rotary_factor", new.get("partial_rotary_factor"))
    found = facts.default_share if found is None else found
    if found is None:
        raise UnknownError("the share of a head that exllamav3 rotates without partial_rotary_factor was not read")
    return float(found)


def _columns(question: Question, share: float, sliding: bool) -> int:
    head, latent = question.rotation.head_dim, question.values.find("qk_rope_head_dim")
    if sliding and _PLAIN_SLIDING[question.values.model_type] is not None:  # no key of the file is read for them
        return head
    own = question.given.get("rotary_dim")
    return own if type(own) is int and own > 0 else int((latent if type(latent) is int else head) * share)


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
    longest, original = _longest(question), given.get("original_max_position_embeddings")
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
            amplitude = 1.0 if given.get("llama_4_scaling_beta") else magnitude(factor)
    softmax = all_dim if facts.latent else None
    if softmax and rules.needed(given, "factor") != factor:  # the softmax has the factor of the file
        if factor == 1 < given["factor"]:
            raise UnknownError("a softmax factor beside a YaRN factor of 1 cannot be shown")
        softmax = softmax * math.log(max(given["factor"], 1.0)) / math.log(factor)
    truncate = given.get("truncate", True) is not False
    return rules.yarn(given, factor, original, float(amplitude), truncate=truncate, softmax=softmax)


def _longrope(question: Question, given: Parameters) -> RopeScaling:
    beside = question.given.get("original_max_position_embeddings")
    original = given.get("original_max_position_embeddings", beside)
    longest = question.given.get("max_position_embeddings")
    if type(original) is not int or type(longest) is not int:
        raise RefusedError("TypeError: longrope needs max_position_embeddings and its original length")
    reach = _longest(question) if question.values.model_type else rules.length_of(question, "cache_size")
    return rules.listed(given, reach > original, original, rules.longrope_amplitude(longest, original))


def _longest(question: Question) -> Any:
    """max_position_embeddings; the size of the cache in Phi-3's class, the one that passes it on."""
    longest = question.given.get("max_position_embeddings")
    follows = question.values.model_type == "phi3" and longest is not None
    return rules.length_of(question, "cache_size") if follows else longest


def _ignored(question: Question, given: Parameters, kind: str) -> tuple[str, ...]:
    if kind == "longrope":
        return rules.ignored(given, "attention_factor", "factor", "short_mscale", "long_mscale")
    if kind != "yarn":
        return ()
    original, longest = given.get("original_max_position_embeddings"), _longest(question)
    overruled = original and given.get("factor") not in (None, longest / original)
    return rules.ignored(given, "attn_factor", *(("factor",) if overruled else ()))
