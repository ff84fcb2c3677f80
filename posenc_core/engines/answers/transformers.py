"""Transformers: the computation of the model's own class, the reference for other engines.

Also rules that vLLM and SGLang share, since they read parameters with transformers' configuration classes.
"""

from collections.abc import Callable, Mapping
from typing import Any

from posenc_core.engines.answers import rules
from posenc_core.engines.answers.rules import Parameters
from posenc_core.engines.facts import ClassFacts, version_of
from posenc_core.engines.question import Question, RefusedError, UnknownError, mapping_of
from posenc_core.engines.results import READ, RUN, EngineResult, Source
from posenc_core.model_rules import NULL_FAILS
from posenc_core.rope_scaling import Linear, NtkAware, Proportional, RopeScaling, Yarn

_LONGROPE_ALONE = {"phi3", "phi4_multimodal"}
"""Models whose configuration allows no scaling but longrope, and reads yarn as longrope: ``validate_rope`` of each."""


def transformers(question: Question) -> EngineResult:
    """The encoding of the model's class at the length of the text.

    RefusedError for a scaling that the model's configuration does not allow, and for a null that ends with an error.
    """
    kind = question.rope.rope_type
    if question.values.model_type in _LONGROPE_ALONE and kind not in ("default", "longrope"):
        raise RefusedError(f"ValueError: `rope_parameters`'s type field must be one of ['longrope'], got {kind}")
    for note in question.rope.notes:
        if NULL_FAILS in note:
            raise RefusedError(f"TypeError: {note}")
    source = question.values.facts.source or "modeling_rope_utils.py:ROPE_INIT_FUNCTIONS"
    file, _, function = source.partition(":")
    return EngineResult(
        source=Source("transformers", version_of("transformers"), file, function),
        mark=RUN if question.values.facts.source or not question.values.model_type else READ,
        encoding=question.encoding,
        columns=question.rotation.n_columns,
        window=question.window,
        lengths=rules.LINES["transformers"].lengths.get(kind, ""),
        arithmetic="float32 frequencies times float32 positions",
    )


_NOT_FLAT = ("gptj", "laguna", "gemma4_text", "beam", "mellum")
"""Types whose class in transformers does not read parameters that are not nested by layer type."""


def flat(question: Question) -> Parameters:
    """Parameters that the configuration of transformers keeps and its model does not read; empty without them."""
    if question.values.model_type not in _NOT_FLAT:
        return {}
    new, old = (mapping_of(question.given, key) for key in ("rope_parameters", "rope_scaling"))
    found = new or old if question.values.model_type == "gptj" else old or new
    return {} if any(isinstance(each, Mapping) for each in found.values()) else found


def kind_of(engine: str, facts: ClassFacts, kind: str) -> str:
    """The rope_type that reaches the rotation of an engine whose classes pass it on; UnknownError where none was read.

    The parameters are those of transformers' configuration class.
    """
    if facts.scaled == "own" and kind not in ("default", "proportional"):
        raise UnknownError(f"the code of {engine}'s class for a scaling of type {kind} was not read")
    return kind if facts.scaled else "default"


def unread(engine: str, parameters: Parameters, kind: str, latent: bool) -> tuple[str, ...]:
    """Sentences on the keys of a scaling that vLLM or SGLang does not read."""
    keys = rules.LINES[engine].ignored.get(kind, ())
    return rules.ignored(parameters, *keys, *(("truncate",) if latent and kind == "yarn" else ()))


def dropped(kind: str, question: Question) -> tuple[str, ...]:
    """The sentence on a scaling that does not reach the rotation."""
    asked = question.rope.rope_type
    return () if kind == asked else (f"its class passes no scaling to the rotation: {asked} has no effect",)


def linear(factor: Any) -> Linear:
    """Linear scaling in vLLM and SGLang, which loop over a factor that is not a float."""
    if type(factor) is int:
        raise RefusedError("TypeError: 'int' object is not iterable: factor must be written with a point")
    return Linear(factor)


def deepseek(
    parameters: Parameters, factor: Any, original: Any, *, more: float = 1.0, scales_softmax: bool = True
) -> Yarn:
    """DeepSeek's YaRN in vLLM and SGLang, with a factor on its amplitude."""
    mscale, all_dim = (parameters.get(key, usual) for key, usual in (("mscale", 1.0), ("mscale_all_dim", 0.0)))
    if mscale is None or all_dim is None:
        raise RefusedError("TypeError: float() argument must be a string or a real number, not 'NoneType'")
    softmax = all_dim if scales_softmax else None
    return rules.yarn(parameters, factor, original, rules.ratio(factor, mscale, all_dim) * more, softmax=softmax)


def scaling(
    question: Question,
    facts: ClassFacts,
    given: Parameters,
    kind: str,
    original: Callable[[], Any],
    length: int,
    **defaults: float,
) -> RopeScaling | None:
    """The scaling by rules that are the same in vLLM and SGLang; above ``original``, ``length`` has the long list.

    RefusedError for another type, and for LongRoPE in neighbouring columns.
    """
    match kind:
        case "llama3":
            return rules.llama3({**given, "original_max_position_embeddings": original()}, **defaults)
        case "dynamic":
            return NtkAware(given["alpha"])
        case "longrope" if facts.layout == "interleaved":
            raise RefusedError("ValueError: `Phi3LongRoPEScaledRotaryEmbedding` only supports neox_style.")
        case "longrope":
            is_long = length > original()
            own = given.get("long_mscale" if is_long else "short_mscale")
            amplitude = own or rules.longrope_amplitude(question.longest, original())
            return rules.listed(given, is_long, original(), amplitude)
        case "proportional":
            return Proportional(given.get("partial_rotary_factor", 1.0), 1.0)
        case "default" | "mrope":
            return None
    raise RefusedError(f"ValueError: Unknown RoPE scaling type {kind}")
