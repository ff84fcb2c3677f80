"""llama.cpp: what its converter writes of a configuration into a GGUF file, and what its code makes of that.

Sources: conversion/base.py, ``TextModel.set_gguf_parameters``; src/llama-context.cpp, the constructor; ggml's
``rope_yarn``.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from posenc_core.encodings import Encoding, Rotary
from posenc_core.engines import rules
from posenc_core.engines.facts import ClassFacts, version_of
from posenc_core.engines.question import THETA, Question, Settings, mapping_of
from posenc_core.engines.rules import READ, RUN, EngineResult, Parameters, RefusedError, Source, UnknownError
from posenc_core.long_context import at_length
from posenc_core.model_config.gguf import SLIDES, GgufHeader, Keys, gguf_model, read_gguf, rotation_of
from posenc_core.rope_scaling import RopeScaling, rope_frequencies
from posenc_core.session import Layer, Model

Rotates = TypeVar("Rotates", bound=Encoding)

_LENGTHS = "rope_factors_long.weight in every position if the context of a sequence is above the original length"
_SETTINGS = {
    "rope_scaling": "rope.scaling.type",
    "rope_scale": "rope.scaling.factor",
    "rope_freq_base": "rope.freq_base",
    "yarn_orig_ctx": "rope.scaling.original_context_length",
    "attn_factor": "rope.scaling.attn_factor",
}
"""The settings that replace keys of the file; ``attn_factor`` is given with --override-kv."""

_BETAS = {"beta_fast": 32, "beta_slow": 1}
"""YaRN's keys that few architectures read, and what the others have."""

_LABELS = ("", "full_attention", "sliding_attention")
_ARITHMETIC = "float32, each pair's angle is the product of the angle before and one factor"
_PERMUTED = "its converter permutes weights to fit its own pair layout: that of the model's class is shown"


def llama_cpp(question: Question) -> EngineResult:
    """The encoding in llama.cpp after its converter; its setting ``ctx_size`` is by default the length asked for."""
    facts = rules.class_of("llama.cpp", question)
    if question.label not in _LABELS:
        raise UnknownError(f"how the converter gives {question.label} layers a rotation of their own was not read")
    given = _read(question)
    kind = str(given.get("rope_type") or given.get("type") or "default")
    kind = "longrope" if kind == "su" else kind
    if kind == "proportional":
        raise UnknownError("the divisors that the converter writes for proportional rotations were not read")
    columns = question.rotation.head_dim if facts.arch == "llama" else question.rotation.n_columns
    rotary = _from_keys(question, facts, given, kind, columns)
    lists = _tensors(question, facts, given, kind, rotary)
    rotary = rotary if lists is None else rotary.scaled_by(lists)
    shown = rules.rotated(question, rotary.rope_theta, columns, rotary.scaling)
    file, function = "conversion/base.py", "TextModel.set_gguf_parameters"
    if kind == "yarn":
        file, function = "src/llama-context.cpp", "llama_context::llama_context"
        if given.get("truncate") is False:  # ggml rounds the ramp's ends in each architecture
            file, function = "ggml/src/ggml.c", "ggml_rope_yarn_corr_dims"
    return EngineResult(
        source=Source("llama.cpp", version_of("llama.cpp"), file, function),
        mark=RUN if kind in ("default", "yarn", "llama3") and not question.label else READ,
        encoding=shown,
        columns=columns,
        window=question.layer.window,
        lengths=_LENGTHS if kind == "longrope" and facts.lists else "",
        arithmetic=_ARITHMETIC,
        ignored=_ignored(question, facts, given, kind),
        notes=(_PERMUTED,) if facts.arch == "llama" else (),
    )


def layers_of_file(path: Path, settings: Settings) -> Model:
    """The model of a GGUF file in llama.cpp, with the keys that its command line replaces."""
    header = read_gguf(path)
    arch = header.values.get("general.architecture")
    given = {f"{arch}.{key}": each for key, each in _replaced(settings).items()}
    return gguf_model(GgufHeader(header.path, header.values | given, header.tensors), path.stem)


def in_file(layer: Layer, length: int, settings: Settings, pairing: str | None = None) -> EngineResult:
    """The computation of llama.cpp for a layer of a GGUF file, in the pair layout of its weights or in a given one."""
    source = Source("llama.cpp", version_of("llama.cpp"), "src/llama-context.cpp", "llama_context::llama_context")
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
    """The scaling as the converter reads it: rope_parameters first, and keys beside it where it lacks them."""
    has_new = question.given.get("rope_parameters") is not None
    found = dict(mapping_of(question.given, "rope_parameters" if has_new else "rope_scaling"))
    inner = found.get("full_attention")
    if isinstance(inner, Mapping):
        return dict(inner)
    for key in (THETA, "original_max_position_embeddings"):
        if found.get(key) is None and question.given.get(key) is not None:
            found[key] = question.given[key]
    return found


def _from_keys(question: Question, facts: ClassFacts, given: Parameters, kind: str, columns: int) -> Rotary:
    """The rotation of a header with the keys that the converter writes, after the settings of a command line."""
    arch, factor = facts.arch, given.get("factor")
    written: dict[str, Any] = {
        "rope.freq_base": given.get(THETA, question.rope.rope_theta),
        "attention.key_length": question.rotation.head_dim,
        "rope.dimension_count": columns - columns % 2,
        "context_length": question.longest,
    }
    local = question.given.get("rope_local_base_freq") or question.given.get("swa_rope_theta")
    if local is not None:
        written["rope.freq_base_swa"] = local
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
    written |= _replaced(question.settings)
    values = {"general.architecture": arch} | {f"{arch}.{key}": each for key, each in written.items()}
    found = {key: each for key, each in values.items() if each is not None}
    keys = Keys(GgufHeader(Path("config.json"), found, {}), arch)
    rotary, _, _ = rotation_of(keys, SLIDES if question.label == "sliding_attention" else "")
    return _with_betas(rotary, question.settings)


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
        return rules.stretched(tuple((plain / scaled).tolist()))
    if kind == "longrope" and facts.lists:
        original, longest = given.get("original_max_position_embeddings"), question.longest
        if type(original) is not int or type(longest) is not int:
            raise RefusedError("KeyError: 'original_max_position_embeddings'")
        is_long = rules.length_of(question, "ctx_size") > original
        return rules.listed(given, is_long, original, rules.longrope_amplitude(longest, original))
    return None


def _ignored(question: Question, facts: ClassFacts, given: Parameters, kind: str) -> tuple[str, ...]:
    told = list(rules.ignored(given, *{"yarn": ("attention_factor", "attn_factor", "truncate"), "longrope": (
        "attention_factor", "factor")}.get(kind, ())))  # fmt: skip
    if kind == "yarn" and facts.arch not in ("grok", "mistral3"):
        told += rules.ignored({key: each for key, each in given.items() if each != _BETAS.get(key)}, *_BETAS)
    if kind == "yarn" and given.get("factor") is None:
        told.append("the converter drops YaRN without a factor")
    if kind == "dynamic" or (kind == "llama3" and not facts.factors) or (kind == "longrope" and not facts.lists):
        told.append(f"the converter writes nothing of rope_type {kind} for this architecture")
    if question.given.get("rope_parameters") and mapping_of(question.given, "rope_scaling"):
        told.append("rope_scaling has no effect beside rope_parameters")
    return tuple(told)
