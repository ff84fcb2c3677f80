"""mlx-lm: a module per model_type, which reads the keys of the file itself.

Source: mlx_lm/models/rope_utils.py, ``initialize_rope``, and the file of each model in mlx_lm/models.
"""

from collections.abc import Mapping
from typing import Any

from posenc_core.engines import rules
from posenc_core.engines.facts import ClassFacts, version_of
from posenc_core.engines.question import THETA, Question, mapping_of
from posenc_core.engines.rules import READ, RUN, EngineResult, Parameters, RefusedError, Source, UnknownError
from posenc_core.fields import shortened
from posenc_core.rope_scaling import DynamicNtk, Linear, Proportional, RopeScaling

_FUNCTIONS = {
    "yarn": "YarnRoPE",
    "longrope": "SuScaledRoPE",
    "dynamic": "DynamicNTKScalingRoPE.__call__",
    "llama3": "Llama3RoPE",
    "proportional": "ProportionalRoPE",
}
_LENGTHS = {
    "dynamic": "the base follows the length at each call; keys in the cache keep the base of theirs",
    "longrope": "long_factor in every position, whatever the length",
}
_YARN = ("yarn", "deepseek_yarn", "telechat3-yarn")
_SLIDING_BASES = {"gemma3_text": "rope_local_base_freq", "olmo3": THETA}
"""The key of the base of sliding layers, which have no scaling, by model_type."""


def mlx_lm(question: Question) -> EngineResult:
    """The encoding in mlx-lm; the length is that of the text."""
    facts = rules.class_of("mlx-lm", question)
    base, scaling_keys = _read(question, facts)
    kind = str(scaling_keys.get("type") or scaling_keys.get("rope_type") or "default")
    kind = "yarn" if kind in _YARN else kind
    scaling, told = _scaling(question, facts, scaling_keys, kind)
    columns = question.rotation.n_columns if kind == "proportional" else _columns(question, facts)
    style = question.given.get("rope_traditional")
    layout = facts.layout if style is None else ("interleaved" if style else "half_split")
    module = question.values.model_type or "llama"
    place, own_base = _place(module, kind, scaling), tuple[str, ...]()
    if question.given.get(THETA) is None and base == facts.base != question.rope.rope_theta:
        place, own_base = (place[0], "ModelArgs"), (f"its class has the base {base:,.10g}, which the file leaves out",)
    unread = _unread(question, facts)
    is_read = question.label or own_base or unread or (kind != "default" and scaling is None)  # the module decides
    return EngineResult(
        source=Source("mlx-lm", version_of("mlx-lm"), *place),
        mark=READ if is_read or facts.spelling != "old" or kind == "proportional" else RUN,
        encoding=rules.rotated(question, base, columns, scaling),
        columns=columns,
        window=question.layer.window,
        lengths=_LENGTHS.get(kind, "") if scaling is not None else "",
        arithmetic="float32 wavelengths, float32 angles",
        ignored=(*told, *unread),
        notes=(*own_base, *rules.layout_notes(question, layout)),
    )


def _place(module: str, kind: str, scaling: RopeScaling | None) -> tuple[str, str]:
    if scaling is None or kind not in _FUNCTIONS:
        return f"models/{module}.py", "initialize_rope"
    return "models/rope_utils.py", _FUNCTIONS[kind]


def _read(question: Question, facts: ClassFacts) -> tuple[Any, Parameters]:
    """The base and the scaling, from the keys that the model's module reads."""
    given, named = question.given, question.values.model_type
    new, old = mapping_of(given, "rope_parameters"), mapping_of(given, "rope_scaling")
    if facts.spelling is None:
        raise UnknownError(f"mlx-lm's module for {shortened(named)} reads its rotary keys in a form that was not read")
    if question.label:
        if named not in _SLIDING_BASES:
            raise UnknownError(f"how mlx-lm gives {question.label} layers a rotation of their own was not read")
        if question.label == "sliding_attention":
            return given.get(_SLIDING_BASES[named], facts.base if named == "olmo3" else 10000.0), {}
    base = given.get(THETA)
    if facts.spelling == "new":
        base, old = new.get(THETA), new
    elif facts.spelling == "both" and new:
        base, old = new.get(THETA) if base is None else base, old or new
    base = facts.base if base is None else base
    if base is None:
        raise RefusedError("TypeError: ModelArgs needs 'rope_theta', which its file does not give")
    return base, old


def _columns(question: Question, facts: ClassFacts) -> int:
    own = question.rotation
    if question.values.has("qk_rope_head_dim") or facts.share == "class":
        return own.n_columns
    if not facts.share:
        return own.head_dim
    share = question.given.get("partial_rotary_factor", facts.default_share)
    if share is None:
        raise UnknownError("the share of a head that mlx-lm rotates without partial_rotary_factor was not read")
    return int(own.head_dim * share)


def _scaling(
    question: Question, facts: ClassFacts, given: Parameters, kind: str
) -> tuple[RopeScaling | None, tuple[str, ...]]:
    """The scaling, and sentences on what of its keys has no effect."""
    if facts.scaled == "longrope" and given:
        return _of_phi(question, given, kind)
    if not facts.scaled and kind != "default":
        return None, (f"its module knows no scaling: {kind} has no effect",)
    match kind:
        case "default" | "mrope":
            return None, ()
        case "linear":
            return Linear(rules.needed(given, "factor")), ()
        case "dynamic":
            longest = question.given.get("max_position_embeddings")
            if type(longest) is not int:
                raise UnknownError("the file has no max_position_embeddings, which the class of mlx-lm may have itself")
            return DynamicNtk(rules.needed(given, "factor"), longest, question.length), ()
        case "llama3":
            defaults = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}
            return rules.llama3(given, **defaults), ()
        case "yarn":
            return _yarn(facts, given), rules.ignored(given, "attention_factor", "attn_factor", "truncate")
        case "longrope":
            return _long(question, given, rules.needed(given, "original_max_position_embeddings"))
        case "proportional":
            return Proportional(given.get("partial_rotary_factor", 1.0), given.get("factor", 1.0)), ()
    raise RefusedError(f"ValueError: Unsupported RoPE type {kind}")


def _yarn(facts: ClassFacts, given: Parameters) -> RopeScaling:
    factor, all_dim = rules.needed(given, "factor"), given.get("mscale_all_dim", 0)
    amplitude = rules.ratio(factor, given.get("mscale", 1), all_dim)
    original = given.get("original_max_position_embeddings", 4096)
    return rules.yarn(given, factor, original, amplitude, softmax=all_dim if facts.latent else None)


def _of_phi(question: Question, given: Parameters, kind: str) -> tuple[RopeScaling | None, tuple[str, ...]]:
    """The rule of Phi-3 and Phi-3.5-MoE, whose modules read the type under its older name."""
    if question.values.model_type == "phimoe":
        return _long(question, given, given.get("original_max_position_embeddings", 4096))
    if not {"long_factor", "type"} <= given.keys():
        raise RefusedError("ValueError: rope_scaling must contain keys {'long_factor', 'type'}")
    if kind == "linear":
        return Linear(rules.needed(given, "factor")), ()
    if given["type"] not in ("longrope", "su"):
        return None, (f"rope_scaling of type {given['type']} has no effect",)
    return _long(question, given, question.given.get("original_max_position_embeddings", 4096))


def _long(question: Question, given: Parameters, original: int) -> tuple[RopeScaling, tuple[str, ...]]:
    own = given.get("long_mscale") if question.values.model_type == "phimoe" else None
    amplitude = own or rules.longrope_amplitude(question.longest or 131072, original)
    return rules.listed(given, True, original, amplitude), rules.ignored(given, "attention_factor", "factor")


def _unread(question: Question, facts: ClassFacts) -> tuple[str, ...]:
    """Sentences on the keys beside a scaling that the module does not read."""
    told = []
    if facts.spelling == "old" and isinstance(question.given.get("rope_parameters"), Mapping):
        told.append("its module does not read rope_parameters")
    if not facts.share and question.rope.parameters.get("partial_rotary_factor") not in (None, 1, 1.0):
        told.append("its module does not read partial_rotary_factor")
    return tuple(told)
