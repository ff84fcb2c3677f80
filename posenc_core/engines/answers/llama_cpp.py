"""llama.cpp: its converter's translation of a configuration into a GGUF file, and the computation from that file.

Sources: conversion/base.py, ``TextModel.set_gguf_parameters``; src/llama-context.cpp, the constructor; ggml's
``rope_yarn``.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from posenc_core.encodings import Encoding, Rotary, at_length
from posenc_core.engines.answers import rules
from posenc_core.engines.answers.rules import Parameters
from posenc_core.engines.facts import ClassFacts, version_of
from posenc_core.engines.question import THETA, Question, RefusedError, Settings, UnknownError, class_of, mapping_of
from posenc_core.engines.results import READ, EngineResult, Source
from posenc_core.engines.windows import NO_WINDOW, Window, by_period, sized, unread, window_by
from posenc_core.model_config.gguf import (
    SLIDES,
    GgufHeader,
    Keys,
    gguf_model,
    read_gguf,
    refusal_of,
    rotation_of,
    sliding_of,
)
from posenc_core.rope_scaling import FrequencyDivisors, Proportional, RopeScaling, rope_frequencies
from posenc_core.session import Layer

Rotates = TypeVar("Rotates", bound=Encoding)

_SETTINGS = {
    "rope_scaling": "rope.scaling.type",
    "rope_scale": "rope.scaling.factor",
    "rope_freq_base": "rope.freq_base",
    "yarn_orig_ctx": "rope.scaling.original_context_length",
    "attn_factor": "rope.scaling.attn_factor",
}
"""The settings that replace keys of the file; ``attn_factor`` is given with --override-kv."""

_NOT_SLIDING = ("rope.scaling.factor", "rope.freq_base")
"""Keys that a command line does not replace in sliding layers, which have separate numbers."""

_BETAS = {"beta_fast": 32, "beta_slow": 1}
"""YaRN's keys that few architectures read, and the values of the others."""

_LOCAL = ("local_rope_theta", "rope_local_theta", "rope_theta_local", "swa_rope_theta", "rope_local_base_freq")
"""Keys of the base of sliding layers that the converter reads of a file without parameters by layer type."""

_FILLED = ("nemotron", "phi", "phi3", "stablelm")
"""Types whose missing keys have the defaults of transformers 4.57.6, with which the converter reads a file."""

_LABELS = ("full_attention", "sliding_attention")
_ARITHMETIC = "float32, each pair's angle is the product of the angle before and one factor"
_PERMUTED = "its converter permutes weights to fit its own pair layout: that of the model's class is shown"


def llama_cpp(question: Question) -> EngineResult:
    """The encoding in llama.cpp after its converter; its setting ``ctx_size`` is by default the length asked for."""
    facts = class_of("llama.cpp", question)
    rules.check_label("the converter", question, question.label in _LABELS)
    given = _read(question)
    kind = str(given.get("rope_type") or given.get("type") or "default")
    kind = "longrope" if kind == "su" else kind
    if facts.arch == "gemma4" and kind != "proportional":
        raise RefusedError(f"AssertionError: the converter asks for proportional full_attention layers, not for {kind}")
    if kind == "proportional" and facts.arch != "gemma4":
        raise UnknownError("the divisors that the converter writes for proportional rotations were not read")
    if facts.scaled == "own" and kind != "default":
        raise UnknownError(f"the code of the converter's class for a scaling of type {kind} was not read")
    columns = question.rotation.n_columns if kind == "proportional" else _columns(question, facts, given)
    rotary = _from_keys(question, facts, given, kind, columns)
    lists = _tensors(question, facts, given, kind, rotary)
    rotary = rotary if lists is None else rotary.scaled_by(lists)
    file, function = "conversion/base.py", "TextModel.set_gguf_parameters"
    if facts.base or not facts.scaled:
        file, function = "conversion", f"set_gguf_parameters of the class for {question.architecture}"
    elif facts.arch == "grok":
        file, function = "conversion/grok.py", "GrokModel.set_gguf_parameters"
    elif kind == "yarn":
        file, function = "src/llama-context.cpp", "llama_context::llama_context"
        if given.get("truncate") is False:  # ggml rounds the ramp's ends in each architecture
            file, function = "ggml/src/ggml.c", "ggml_rope_yarn_corr_dims"
    named = "openai-moe" if facts.arch == "gpt-oss" else facts.arch.replace("_", "-")
    return rules.answered(
        "llama.cpp",
        question,
        rules.rotated(question, rotary.rope_theta, columns, rotary.scaling),
        columns,
        _window(question, facts),
        (file, function),
        of_window=(f"src/models/{named}.cpp", "load_arch_hparams"),
        kind=kind,
        is_read=kind not in ("default", "yarn", "llama3") or facts.arch == "grok",
        tells_lengths=facts.lists,
        arithmetic=_ARITHMETIC,
        ignored=_ignored(question, facts, given, kind),
        notes=(_PERMUTED,) if facts.arch == "llama" else (),
    )


def layers_of_file(path: Path, settings: Settings) -> tuple[tuple[Layer, ...], str]:
    """The layers of a GGUF file with the keys that llama.cpp's command line replaces, and its error, empty for none."""
    header = read_gguf(path)
    arch = header.values.get("general.architecture")
    given = {f"{arch}.{key}": each for key, each in _replaced(settings).items()}
    replaced, of_sliding = (
        GgufHeader(header.path, header.values | each, header.tensors)
        for each in (given, {key: each for key, each in given.items() if not key.endswith(_NOT_SLIDING)})
    )
    layers, sliding = (gguf_model(each, path.stem).layers for each in (replaced, of_sliding))
    chosen = (b if a.layer_type == "sliding_attention" else a for a, b in zip(layers, sliding, strict=True))
    return tuple(chosen), refusal_of(Keys(replaced, str(arch)))


def in_file(layer: Layer, refused: str, length: int, settings: Settings, pairing: str | None = None) -> EngineResult:
    """The computation of llama.cpp for a layer of a GGUF file, in the pair layout of its weights or in a given one."""
    source = Source("llama.cpp", version_of("llama.cpp"), "src/llama-context.cpp", "llama_context::llama_context")
    if refused:
        return EngineResult(source=replace(source, file="src/llama-model.cpp", function=""), mark=READ, refuses=refused)
    encoding = layer.encoding
    rotation = None if encoding is None else encoding.rotation
    if encoding is None or rotation is None:
        return EngineResult(source=source, mark=READ, unknown=layer.sentence or "the layer does not rotate")
    context = settings.get("ctx_size", length)
    encoding = at_length(_with_betas(encoding, settings), int(context))
    return EngineResult(
        source=source,
        mark=READ,
        encoding=encoding if pairing is None else encoding.edited("pairing", pairing),
        columns=rotation.n_columns,
        window=layer.window,
        arithmetic=_ARITHMETIC,
        notes=(layer.sentence,),
    )


def _replaced(settings: Settings) -> dict[str, Any]:
    return {key: settings[name] for name, key in _SETTINGS.items() if name in settings}


def _read(question: Question) -> Parameters:
    """The scaling as the converter reads it: rope_parameters first, then keys beside it that it lacks."""
    has_new = "rope_parameters" in question.given  # also where it is null
    found = dict(mapping_of(question.given, "rope_parameters" if has_new else "rope_scaling"))
    inner = found.get("full_attention")
    if isinstance(inner, Mapping):
        return dict(inner)
    for key in (THETA, "original_max_position_embeddings"):
        if found.get(key) is None and question.given.get(key) is not None:
            found[key] = question.given[key]
    return found


def _columns(question: Question, facts: ClassFacts, given: Parameters) -> int:
    """The columns that the converter's class writes; RefusedError where it needs a key that the file does not have."""
    own, values = question.rotation, question.values
    new = mapping_of(question.given, "rope_parameters")
    for key in facts.needs:
        found = values.find(key) if values.model_type in _FILLED else values.given.get(key)
        if not (key in given or found is not None or key in new):
            raise RefusedError(f"KeyError: {key!r}")
    dim = question.given.get("rotary_dim")
    if facts.share == "class" and type(dim) is int:
        return dim
    key = "rotary_pct" if facts.arch == "gptneox" else "partial_rotary_factor"
    share = given.get(key, values.given.get(key, facts.default_share))
    if not facts.share:
        return own.head_dim
    return own.n_columns if share is None else int(own.head_dim * share)


def _from_keys(question: Question, facts: ClassFacts, given: Parameters, kind: str, columns: int) -> Rotary:
    """The rotation of a header with the keys that the converter writes, after the settings of a command line."""
    arch, factor = facts.arch, given.get("factor")
    if isinstance(given.get(THETA), list):
        raise UnknownError("the converter's translation of a base for each layer was not read")
    has_base = question.values.facts.source or THETA in question.rope.keys  # else none is written, and 10,000 counts
    written: dict[str, Any] = {
        "rope.freq_base": facts.base or given.get(THETA, question.rope.rope_theta if has_base else None),
        "attention.key_length": question.rotation.head_dim,
        "rope.dimension_count": columns - columns % 2,
        "context_length": question.longest,
    }
    new = mapping_of(question.given, "rope_parameters")
    beside = next((question.given[key] for key in _LOCAL if question.given.get(key) is not None), None)
    nested = {"full_attention", "sliding_attention"} & new.keys()
    local = mapping_of(new, "sliding_attention").get(THETA) if nested else beside
    if local is not None:
        written["rope.freq_base_swa"] = local
    kind = kind if facts.scaled else "default"
    if kind in ("linear", "yarn") and factor is not None:
        written |= {"rope.scaling.type": kind, "rope.scaling.factor": factor}
    if kind == "yarn" and factor is not None:
        if given.get("original_max_position_embeddings") is None:
            raise RefusedError("KeyError: 'original_max_position_embeddings'")
        written["rope.scaling.original_context_length"] = given["original_max_position_embeddings"]
        written |= {f"rope.scaling.yarn_{key}": given[key] for key in _BETAS if key in given}
        all_dim = given.get("mscale_all_dim")
        if all_dim is not None and arch in ("deepseek2", "deepseek32", "mistral3"):
            written["rope.scaling.yarn_log_multiplier"] = all_dim if arch == "mistral3" else 0.1 * all_dim
    written |= _of_grok(question.given) if arch == "grok" else {}
    slides = question.label == "sliding_attention"
    written |= {key: each for key, each in _replaced(question.settings).items() if not (slides and key in _NOT_SLIDING)}
    values = {"general.architecture": arch} | {f"{arch}.{key}": each for key, each in written.items()}
    found = {key: each for key, each in values.items() if each is not None}
    keys = Keys(GgufHeader(Path("config.json"), found, {}), arch)
    rotary, _, _ = rotation_of(keys, SLIDES if slides else "")
    return _with_betas(rotary, question.settings)


def _of_grok(given: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of Grok's converter, which takes the type "original" for YaRN: conversion/grok.py."""
    if given.get("rope_type") not in ("yarn", "original"):
        return {}
    found = {f"yarn_{key}": rules.needed(given, key) for key in ("attn_factor", *_BETAS)}
    found |= {"yarn_ext_factor": rules.needed(given, "extrapolation_factor"), "type": "yarn"}
    found |= {"factor": rules.needed(given, "scaling_factor")}
    found |= {"original_context_length": rules.needed(given, "original_max_position_embeddings")}
    return {f"rope.scaling.{key}": each for key, each in found.items()}


def _window(question: Question, facts: ClassFacts) -> Window:
    """The window, whose size the converter writes; its list of layers, or the graph, decides which layers have it."""
    rule = sliding_of(facts.arch, question.values.find("num_hidden_layers"))
    if rule is None:
        return NO_WINDOW
    if facts.window != "graph":
        return window_by(facts.window, question)
    if rule.symmetric or rule.period is None or (rule.window is not None and not rule.chunked):
        return unread(question)
    found = sized(by_period(question, rule.period, full_first=rule.full_first), question)
    return Window(rule.window, is_fixed=True) if rule.chunked and found.tokens is not None else found


def _with_betas(rotation: Rotates, settings: Settings) -> Rotates:
    """The rotation with YaRN's betas of a command line, which count in each architecture."""
    for name in _BETAS:
        if f"yarn_{name}" in settings and name in rotation.parameters():
            rotation = rotation.edited(name, settings[f"yarn_{name}"])
    return rotation


def _tensors(question: Question, facts: ClassFacts, given: Parameters, kind: str, rotary: Rotary) -> RopeScaling | None:
    """The scaling by the lists that the converter writes as tensors; None without them."""
    if kind == "llama3" and facts.factors:
        defaults = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
        rule = rules.llama3(given, **defaults, original_max_position_embeddings=8192)
        plain, scaled = (rope_frequencies(rotary.rope_theta, rotary.pairs.n_pairs, each) for each in (None, rule))
        return FrequencyDivisors(tuple((plain / scaled).tolist()), 1.0)
    if kind == "proportional" and question.label != "sliding_attention":
        return Proportional(rules.needed(given, "partial_rotary_factor"), 1.0)
    if kind == "longrope" and facts.lists:
        original, longest = given.get("original_max_position_embeddings"), question.longest
        if type(original) is not int or type(longest) is not int:
            raise RefusedError("KeyError: 'original_max_position_embeddings'")
        is_long = rules.length_of(question, "ctx_size") > original
        amplitude = rules.longrope_amplitude(longest, original) if facts.weighted else 1.0
        return rules.listed(given, is_long, original, amplitude)
    return None


def _ignored(question: Question, facts: ClassFacts, given: Parameters, kind: str) -> tuple[str, ...]:
    told = list(rules.ignored(given, *{"yarn": ("attention_factor", "attn_factor", "truncate"), "longrope": (
        "attention_factor", "factor")}.get(kind, ())))  # fmt: skip
    if kind == "yarn" and facts.arch not in ("grok", "mistral3"):
        told += rules.ignored({key: each for key, each in given.items() if each != _BETAS.get(key)}, *_BETAS)
    if kind == "yarn" and given.get("factor") is None:
        told.append("the converter drops YaRN without a factor")
    lost = {"dynamic": True, "linear": not facts.scaled, "yarn": not facts.scaled, "llama3": not facts.factors}
    if (lost | {"longrope": not facts.lists}).get(kind):
        told.append(f"the converter writes nothing of rope_type {kind} for this architecture")
    if question.given.get("rope_parameters") and mapping_of(question.given, "rope_scaling"):
        told.append("rope_scaling has no effect beside rope_parameters")
    return tuple(told)
