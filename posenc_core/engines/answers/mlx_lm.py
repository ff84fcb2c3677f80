"""mlx-lm: a module per model_type, which reads the keys of the file itself.

Source: mlx_lm/models/rope_utils.py, ``initialize_rope``, and the file of each model in mlx_lm/models.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from posenc_core.engines.answers import rules
from posenc_core.engines.answers.rules import Parameters
from posenc_core.engines.facts import ClassFacts, facts_of
from posenc_core.engines.question import THETA, Question, RefusedError, UnknownError, class_of, mapping_of
from posenc_core.engines.results import EngineResult
from posenc_core.engines.windows import layer_types, window_by
from posenc_core.fields import shortened
from posenc_core.rope_scaling import DynamicNtk, Linear, Proportional, RopeScaling

_YARN = ("yarn", "deepseek_yarn", "telechat3-yarn")
_SLIDING_BASES = {"gemma3_text": "rope_local_base_freq", "olmo3": THETA}
"""The key of the base of sliding layers, which have no scaling, by model_type."""


def mlx_lm(question: Question) -> EngineResult:
    """The encoding in mlx-lm; the length is that of the text."""
    facts = class_of("mlx-lm", question)
    missing = [key for key in facts.needs if key not in question.given]
    if missing:
        named = " and ".join(map(repr, missing))
        raise RefusedError(f"TypeError: ModelArgs needs {named}, which the file does not give")
    base, scaling_keys, keys = _read(question, facts)
    _check(facts, scaling_keys)
    kind = str(scaling_keys.get("type") or scaling_keys.get("rope_type") or "default")
    kind = "yarn" if kind in _YARN else kind
    scaling, told = _scaling(question, facts, scaling_keys, kind)
    _check_layers(question, facts)
    columns = question.rotation.n_columns if kind == "proportional" else _columns(question, facts, keys)
    style = question.given.get("rope_traditional")
    layout = facts.layout if style is None else ("interleaved" if style else "half_split")
    named = question.values.model_type or "llama"
    module = facts_of("mlx-lm").names.get(named, named)
    place, own_base = _place(module, kind, scaling), tuple[str, ...]()
    if question.given.get(THETA) is None and base == facts.base != question.rope.rope_theta:
        place, own_base = (place[0], "ModelArgs"), (f"its class has the base {base:,.10g}, which the file omits",)
    unread, window = _unread(question, facts), window_by(facts.window, question)
    if "full_attention" in facts.layers and question.all_windowed and window.tokens is None:
        window = replace(window, is_fixed=True)  # one layer without a window is needed
    return rules.answered(
        "mlx-lm",
        question,
        rules.rotated(question, base, columns, scaling),
        columns,
        window,
        place,
        of_window=(f"models/{module}.py", "create_attention_mask"),
        kind=kind,
        is_read=bool(own_base or unread) or facts.spelling != "old" or (kind != "default" and scaling is None),
        tells_lengths=scaling is not None,
        arithmetic="float32 wavelengths, float32 angles",
        ignored=(*told, *unread),
        notes=(*own_base, *rules.layout_notes(question, layout)),
    )


def _check_layers(question: Question, facts: ClassFacts) -> None:
    """RefusedError for a list of layers without a kind that the module looks for."""
    kinds = layer_types(question)
    for kind in facts.layers:
        if kinds is not None and kind not in kinds:
            raise RefusedError(f"ValueError: {kind!r} is not in list: its module looks for it among layer_types")


def _place(module: str, kind: str, scaling: RopeScaling | None) -> tuple[str, str]:
    usual = f"models/{module}.py", "initialize_rope"
    return usual if scaling is None else rules.LINES["mlx-lm"].places.get(kind, usual)


def _read(question: Question, facts: ClassFacts) -> tuple[Any, Parameters, Parameters]:
    """The base, the scaling, and the keys that give the share, as the model's module reads them of the file."""
    given, named = question.given, question.values.model_type
    new, old = mapping_of(given, "rope_parameters"), mapping_of(given, "rope_scaling")
    if facts.spelling is None:
        raise UnknownError(f"mlx-lm's module for {shortened(named)} reads its rotary keys in a form that was not read")
    if facts.spelling == "nested":
        return _nested(question, facts, new)
    if question.label:
        rules.check_label("mlx-lm", question, named in _SLIDING_BASES)
        if question.label == "sliding_attention":
            return given.get(_SLIDING_BASES[named], facts.base if named == "olmo3" else 10000.0), {}, given
    if facts.spelling == "fixed":
        return facts.base, {}, given
    if facts.spelling == "neox":
        return given["rotary_emb_base"], {}, {"partial_rotary_factor": given["rotary_pct"]}
    base = given.get(THETA)
    match facts.spelling:
        case "new":
            if not new:
                raise RefusedError("TypeError: 'NoneType' object is not subscriptable: the file has no rope_parameters")
            base, old = rules.needed(new, THETA), new
        case "both" if new:
            base, old = new.get(THETA) if base is None else base, old or new
        case "base" if new:
            base = new.get(THETA, base if named != "olmo_hybrid" else None)
        case "only":
            base, old, given = new.get(THETA), new, new
        case "first":
            base, old, given = new.get(THETA, base), new, {**given, **new}
    base = facts.base if base is None else base
    if base is None:
        raise RefusedError(f"ValueError: {THETA} is missing from the model config")
    return base, old, given


def _nested(question: Question, facts: ClassFacts, new: Parameters) -> tuple[Any, Parameters, Parameters]:
    """The same of a module with parameters by layer type."""
    label = question.label or "full_attention"
    inner = mapping_of(new, label)
    if not new and question.values.model_type == "gemma4_text":  # its own are those of transformers' class
        inner = question.rope.parameters
    if not inner and facts.base is None:
        raise RefusedError(f"KeyError: {label!r}")
    base = inner.get(THETA, facts.base)
    if base is None:
        raise RefusedError(f"KeyError: {THETA!r}")
    return base, inner, {"partial_rotary_factor": facts.default_share or 1.0, **question.given, **inner}


def _check(facts: ClassFacts, given: Parameters) -> None:
    """RefusedError for a scaling without the keys, or of another type, than the module asks for."""
    if not given and facts.spelling not in ("new", "both", "only"):
        return
    if not given and facts.asks:
        raise RefusedError("TypeError: 'NoneType' object is not subscriptable: the file has no rope_parameters")
    missing = [key for key in facts.asks if key not in given]
    if missing:
        told = f"ValueError: rope_scaling must contain {missing[0]!r}"
        raise RefusedError(told if facts.kinds else f"KeyError: {missing[0]!r}")
    kind = given.get("rope_type" if "rope_type" in facts.asks else "type")
    if facts.kinds and kind not in facts.kinds:
        raise RefusedError(f"ValueError: rope_scaling only supports {' or '.join(map(repr, facts.kinds))}")


def _columns(question: Question, facts: ClassFacts, given: Parameters) -> int:
    own = question.rotation
    if facts.share == "latent":
        return int(question.values.find("qk_rope_head_dim"))
    if type(question.given.get("rotary_dim")) is int and (facts.share == "class" or facts.spelling == "first"):
        return int(question.given["rotary_dim"])
    if facts.share == "class" and facts.spelling != "neox":
        raise UnknownError("the columns that mlx-lm rotates without rotary_dim were not read")
    if facts.width not in (None, own.head_dim) and not question.values.has("head_dim"):
        raise UnknownError(f"its module has heads of {facts.width} columns for a file without head_dim")
    if not facts.share:
        return own.head_dim
    share = given.get("partial_rotary_factor", facts.default_share)
    if share is None:
        raise UnknownError("the share of a head that mlx-lm rotates without partial_rotary_factor was not read")
    return int(own.head_dim * share)


def _longest(question: Question, facts: ClassFacts, error: str) -> Any:
    """max_position_embeddings of the file or of the module; RefusedError where none reaches the rotation."""
    found = None if facts.longest is None else question.given.get("max_position_embeddings", facts.longest or None)
    if found is None:
        raise RefusedError(f"TypeError: {error}: no max_position_embeddings reaches the rotation")
    return found


def _scaling(
    question: Question, facts: ClassFacts, given: Parameters, kind: str
) -> tuple[RopeScaling | None, tuple[str, ...]]:
    """The scaling, and sentences on keys without effect."""
    if facts.scaled == "longrope" and given:
        return _of_phi(question, facts, given, kind)
    if facts.scaled == "own" and kind != "default":
        raise UnknownError(f"the code of mlx-lm's module for a scaling of type {shortened(kind)} was not read")
    if not facts.scaled and kind != "default":
        return None, (f"its module has no scaling: {kind} has no effect",)
    match kind:
        case "default" | "mrope":
            return None, ()
        case "linear":
            return Linear(rules.needed(given, "factor")), ()
        case "dynamic":
            factor = rules.needed(given, "factor")
            longest = _longest(question, facts, "'>' not supported between instances of 'NoneType' and 'int'")
            return DynamicNtk(factor, int(longest), question.length), ()
        case "llama3":
            defaults = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}
            return rules.llama3(given, **defaults), ()
        case "yarn":
            return _yarn(facts, given), rules.ignored(given, "attention_factor", "attn_factor", "truncate")
        case "longrope":
            return _long(question, facts, given, rules.needed(given, "original_max_position_embeddings"))
        case "proportional":
            return Proportional(given.get("partial_rotary_factor", 1.0), given.get("factor", 1.0)), ()
    raise RefusedError(f"ValueError: Unsupported RoPE type {kind}")


def _yarn(facts: ClassFacts, given: Parameters) -> RopeScaling:
    factor, all_dim = rules.needed(given, "factor"), given.get("mscale_all_dim", 0)
    amplitude = rules.ratio(factor, given.get("mscale", 1), all_dim)
    original = given.get("original_max_position_embeddings", 4096)
    return rules.yarn(given, factor, original, amplitude, softmax=all_dim if facts.latent else None)


def _of_phi(
    question: Question, facts: ClassFacts, given: Parameters, kind: str
) -> tuple[RopeScaling | None, tuple[str, ...]]:
    """The rule of Phi-3 and Phi-3.5-MoE, whose modules read the type under its older name."""
    if question.values.model_type == "phimoe":
        return _long(question, facts, given, given.get("original_max_position_embeddings", 4096))
    if not {"long_factor", "type"} <= given.keys():
        raise RefusedError("ValueError: rope_scaling must contain keys {'long_factor', 'type'}")
    if kind == "linear":
        return Linear(rules.needed(given, "factor")), ()
    if given["type"] not in ("longrope", "su"):
        return None, (f"rope_scaling of type {given['type']} has no effect",)
    return _long(question, facts, given, question.given.get("original_max_position_embeddings", 4096))


def _long(
    question: Question, facts: ClassFacts, given: Parameters, original: int
) -> tuple[RopeScaling, tuple[str, ...]]:
    keys = ("short_mscale", "long_mscale") if question.values.model_type == "phimoe" else ()
    own = [rules.needed(given, key) for key in keys][-1:]
    longest = _longest(question, facts, "unsupported operand type(s) for /: 'NoneType' and 'int'")
    amplitude = own[0] if own else rules.longrope_amplitude(longest, original)
    return rules.listed(given, True, original, amplitude), rules.ignored(given, "attention_factor", "factor")


def _unread(question: Question, facts: ClassFacts) -> tuple[str, ...]:
    """Sentences on the keys beside a scaling that the module does not read."""
    told = []
    if facts.spelling == "old" and isinstance(question.given.get("rope_parameters"), Mapping):
        told.append("its module does not read rope_parameters")
    if not facts.share and question.rope.parameters.get("partial_rotary_factor") not in (None, 1, 1.0):
        told.append("its module does not read partial_rotary_factor")
    return tuple(told)
