"""SGLang: one table of cosines and sines per scaling, made when the model is loaded.

Source: sglang/srt/layers/rotary_embedding/factory.py, ``get_rope``, and the class of each model in srt/models.
"""

from functools import partial
from typing import Any

from posenc_core.engines.answers import rules
from posenc_core.engines.answers import transformers as shared
from posenc_core.engines.answers.rules import Parameters
from posenc_core.engines.facts import ClassFacts, facts_of, module_of
from posenc_core.engines.question import THETA, Question, RefusedError, UnknownError, class_of, mapping_of
from posenc_core.engines.results import EngineResult
from posenc_core.engines.windows import window_by
from posenc_core.model_rules import Values
from posenc_core.rope_scaling import NtkAware, RopeScaling, magnitude

_SHARES = dict.fromkeys(("qwen3_next", "qwen3_5_text", "qwen3_5_moe_text"), 0.25)
"""The share of SGLang's own configurations for files without partial_rotary_factor (srt/configs/qwen3_next.py)."""


def sglang(question: Question) -> EngineResult:
    """The encoding in SGLang; the length asked for is that of the longest text in the batch."""
    facts = class_of("sglang", question)
    rules.check_label("SGLang's class", question, facts.labels)
    base, given, kind = _given(question, facts)
    latent = facts.latent and kind != "default"
    is_su = kind == "longrope" and not latent and given.get("rope_type", given.get("type")) == "su"
    if is_su and not question.values.model_type.startswith("phi"):  # Phi's configuration classes rename it
        raise RefusedError("ValueError: Unknown RoPE scaling type su")
    columns = question.rotation.n_columns if kind == "proportional" else _columns(question, facts, given)
    hole = () if latent or kind != "longrope" else _hole(question, facts, given)
    return rules.answered(
        "SGLang",
        question,
        rules.rotated(question, base, columns, _scaling(question, facts, given, kind)),
        columns,
        window_by(facts.window, question),
        rules.place("SGLang", "deepseek" if latent else kind),
        of_window=(
            f"srt/models/{module_of('sglang', question.architecture, question.values.model_type)}.py",
            "RadixAttention",
        ),
        kind=kind,
        is_read=question.values.model_type in facts_of("sglang").others,  # a configuration, which was read
        holes=hole,
        ignored=(*shared.unread("SGLang", given, kind, latent), *shared.dropped(kind, question)),
        notes=(
            *(f"position {each:,} reads row 0 of long_factor's table: all its angles are 0" for each in hole),
            *rules.layout_notes(question, facts.layout),
        ),
    )


def _given(question: Question, facts: ClassFacts) -> tuple[Any, Parameters, str]:
    """The base, the parameters and the rope_type that reach the class, for some by a configuration of SGLang's own."""
    values, flat, named = question.values, shared.flat(question), question.values.model_type
    given, kind, base = question.rope.parameters, question.rope.rope_type, question.rope.rope_theta
    if named == "gptj":  # models/gpt_j.py reads rope_theta beside parameters, which takes it away
        return (10000.0 if flat else values.find(THETA) or 10000.0), {}, "default"
    if named == "mellum" and flat:
        raise RefusedError(f"ValueError: Missing rope_parameters[{question.layer.layer_type}] for Mellum layer 0")
    if named == "qwen3_next":  # srt/configs/qwen3_next.py drops rope_parameters
        given = mapping_of(values.given, "rope_scaling")
        kind, base = str(given.get("rope_type", given.get("type", "default"))), values.given.get(THETA) or 10000.0
    elif flat or named == "step3p5" or (named in facts_of("sglang").others and _has_both(values)):
        raise UnknownError("how SGLang's class chooses among the rotary keys of this file was not read")
    if named == "laguna" and given.get("attention_factor") is not None:  # srt/configs/laguna.py
        amplitude = given["attention_factor"] / magnitude(given.get("factor") or 1.0)
        given = {key: each for key, each in given.items() if "mscale" not in key} | {"attn_factor": amplitude}
    return base, given, shared.kind_of("SGLang", facts, kind)


def _has_both(values: Values) -> bool:
    """Whether the file has keys of both spellings, or those that the configuration does not read."""
    if values.model_type == "hy_v4":
        return values.has("rope_scaling", THETA)
    return values.has("rope_parameters") and (values.has("rope_scaling") or values.model_type == "longcat_flash")


def _columns(question: Question, facts: ClassFacts, given: Parameters) -> int:
    own, latent = question.rotation, question.values.find("qk_rope_head_dim")
    if type(latent) is int:
        return latent
    if question.values.has("rotary_dim") or facts.share == "class":
        return own.n_columns
    share = {
        "top": question.values.find("partial_rotary_factor") or _SHARES.get(question.values.model_type),
        "parameters": given.get("partial_rotary_factor"),
    }.get(facts.share)
    columns = own.head_dim if share is None else int(own.head_dim * share)
    if columns == own.head_dim != own.n_columns:
        raise UnknownError("where SGLang's class reads the share of rotated columns was not read")
    return columns


def _scaling(question: Question, facts: ClassFacts, given: Parameters, kind: str) -> RopeScaling | None:
    if facts.latent and kind != "default":
        return _yarn(given, _original(question, facts, given), True)
    if kind == "linear":
        return shared.linear(given.get("factor", 1.0))
    if kind == "dynamic" and "alpha" not in given:
        factor = given.get("factor", 1.0)  # the length is factor x max_position_embeddings, also where no integer
        return NtkAware(factor * factor - (factor - 1))
    if kind == "yarn":
        return _yarn(given, _original(question, facts, given), False)
    length, original = rules.length_of(question, "context_length") - 1, partial(_original, question, facts, given)
    defaults = {"factor": 1.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
    return shared.scaling(question, facts, given, kind, original, length, **defaults)


def _yarn(given: Parameters, original: int, latent: bool) -> RopeScaling:
    if given.get("extrapolation_factor", 1) != 1:
        raise UnknownError("SGLang's extrapolation_factor, which weakens the ramp, is not shown")
    factor = rules.needed(given, "factor") if "factor" in given else 1.0
    mscale, all_dim = given.get("mscale"), given.get("mscale_all_dim")
    more = given.get("attn_factor", 1)
    if latent:
        return shared.deepseek(given, factor, original, more=more)
    both = mscale is not None and all_dim is not None
    amplitude = rules.ratio(factor, mscale or 0.0, all_dim or 0.0) if both else magnitude(factor)
    return rules.yarn(given, factor, original, amplitude * more, truncate=given.get("truncate", True) is not False)


def _original(question: Question, facts: ClassFacts, given: Parameters) -> Any:
    """original_max_position_embeddings beside the parameters if a class reads it, else among them, else the longest."""
    beside = question.values.find("original_max_position_embeddings") if facts.beside else None
    return beside or given.get("original_max_position_embeddings") or question.longest


def _hole(question: Question, facts: ClassFacts, given: Parameters) -> tuple[int, ...]:
    """The position that reads the first row of the wrong table, in a text that ends with it."""
    original = _original(question, facts, given)
    return (original,) if rules.length_of(question, "context_length") == original + 1 else ()
