"""Keys, flags or overrides with which an engine computes the same as the model's class, each tried."""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from msgspec.structs import replace

from posenc_core.encodings import Rotation
from posenc_core.engines.facts import class_facts
from posenc_core.engines.question import THETA, Question
from posenc_core.engines.rules import Advice, magnitude
from posenc_core.model_config import written_back
from posenc_core.model_rules import ALL_LAYERS, parameters_of
from posenc_core.rope_scaling import rope_frequencies

Parameters = dict[str, Any]
Tried = Callable[[Question], bool]
"""Whether the engine computes what the class does if it is asked this instead."""

_KEYS = ("rope_parameters", "rope_scaling", THETA, "partial_rotary_factor", "rotary_pct", "rotary_emb_base")
_SPELLINGS = {"vllm": "new", "sglang": "new"}
_WORDS = {
    "vllm": "--hf-overrides '{}'",
    "sglang": "--json-model-override-args '{}'",
}
FLAGS = {
    "rope_scaling": "--rope-scaling",
    "rope_scale": "--rope-scale",
    "rope_freq_base": "--rope-freq-base",
    "yarn_orig_ctx": "--yarn-orig-ctx",
    "yarn_beta_fast": "--yarn-beta-fast",
    "yarn_beta_slow": "--yarn-beta-slow",
}


def advice(engine: str, question: Question, tried: Tried) -> Advice:
    """The first of some settings with which the engine computes what the class does, by ``tried``."""
    if question.label != ALL_LAYERS:
        return Advice("", "", "settings for one kind of layers alone were not looked for")
    if engine == "llama.cpp":
        return _flags(question, tried)
    spelling, name = _SPELLINGS.get(engine, "old"), engine
    for parameters, limit in _parameters(question):
        written = _spelled(parameters, spelling)
        if tried(_asked(question, written)):
            text = json.dumps(written, indent=None if name in _WORDS else 2)
            where = "on the command line" if name in _WORDS else "in config.json"
            return Advice(_WORDS.get(name, "{}").replace("{}", text), where, limit)
    return Advice("", "", "no keys, flags or overrides were found that make it compute what the class does")


def _parameters(question: Question) -> Iterator[tuple[Parameters, str]]:
    """Rotary parameters that say the same in several ways, the plainest first, each with a limit to name."""
    own, longest = question.rotation, question.longest
    plain = json.loads(written_back(own, "rope_parameters").text)["rope_parameters"]
    yield plain, ""
    amplitude, factor = own.attention_factor, plain.get("factor")
    if plain["rope_type"] == "yarn" and isinstance(factor, int | float) and factor > 1:
        bare = {key: each for key, each in plain.items() if key not in ("attention_factor", "mscale", "mscale_all_dim")}
        yield {**bare, "attention_factor": amplitude}, ""
        yield {**bare, "attn_factor": amplitude / magnitude(factor)}, ""
        yield {**bare, "mscale": (amplitude - 1) / (0.1 * math.log(factor))}, ""
        original = plain["original_max_position_embeddings"]
        reached = {"attention_factor": amplitude, "max_position_embeddings": round(factor * original)}
        yield {**bare, **reached}, "max_position_embeddings becomes the factor times the original length"
    grows = own.scaling is not None and own.scaling.grows_with_length
    note = f"right for texts of {question.length:,} tokens alone, since the class's base follows the length"
    if own.scaling is not None and own.scaling.has_base:
        base = own.scaling.base(own.n_columns, own.rope_theta)
        share = {"partial_rotary_factor": plain["partial_rotary_factor"]} if "partial_rotary_factor" in plain else {}
        yield {"rope_type": "default", THETA: base, **share}, note if grows else ""
    yield _lists(question.rotation, longest), note if grows else ""


def _lists(own: Rotation, longest: Any) -> Parameters:
    """LongRoPE with equal lists, which can hold any frequencies above 0, and with amplitudes of its own."""
    plain, scaled = rope_frequencies(own.rope_theta, own.pairs.n_pairs, None), own.pairs.frequencies
    with np.errstate(divide="ignore"):
        divisors = [round(each, 12) for each in (plain / scaled).tolist()]
    mscales = dict.fromkeys(("short_mscale", "long_mscale"), own.attention_factor)
    original = longest if type(longest) is int else 4096
    return {
        "rope_type": "longrope",
        THETA: own.rope_theta,
        "short_factor": divisors,
        "long_factor": divisors,
        "original_max_position_embeddings": original,
        **mscales,
    }


def _spelled(parameters: Parameters, spelling: str) -> Parameters:
    """The keys of a configuration: one object, or the base beside rope_scaling."""
    beside = {key: parameters[key] for key in ("max_position_embeddings",) if key in parameters}
    inner = {key: each for key, each in parameters.items() if key not in beside}
    if spelling == "new":
        return {"rope_parameters": inner, **beside}
    for key in (THETA, "partial_rotary_factor"):
        if key in inner:
            beside[key] = inner.pop(key)
    if inner["rope_type"] == "default":
        return {**beside, "rope_scaling": None}
    return {**beside, "rope_scaling": {"type": inner["rope_type"], **inner}}


def _asked(question: Question, written: Parameters) -> Question:
    """The question about the file with these keys in the place of its own."""
    given = {key: each for key, each in question.given.items() if key not in _KEYS} | written
    values = replace(question.values, given=given)
    return replace(question, values=values, rope=parameters_of(values, ALL_LAYERS))


def _flags(question: Question, tried: Tried) -> Advice:
    """The options of llama.cpp; its attention factor is a key of the file, which --override-kv replaces."""
    for settings in _settings(question):
        if tried(question.with_settings(settings)):
            words = [f"{flag} {settings[name]}" for name, flag in FLAGS.items() if name in settings]
            if "attn_factor" in settings:
                facts = class_facts("llama.cpp", question.architecture, question.values.model_type)
                key = f"{facts.arch if facts else 'llama'}.rope.scaling.attn_factor"
                words.append(f"--override-kv {key}=float:{settings['attn_factor']:.9g}")
            limit = "" if "attn_factor" not in settings else "--yarn-attn-factor has no effect where YaRN is on"
            if question.rotation.scaling is not None and question.rotation.scaling.grows_with_length:
                limit = f"right for texts of {question.length:,} tokens alone"
            return Advice(" ".join(words), "on the command line", limit)
    return Advice("", "", "llama.cpp has no options that make it compute what the class does: the GGUF file must")


def _settings(question: Question) -> Iterator[Mapping[str, Any]]:
    own = question.rotation
    scaling = own.scaling
    given = {} if scaling is None else scaling.parameters()
    factor, original = given.get("factor"), given.get("original_max_position_embeddings")
    base = {"rope_freq_base": own.rope_theta}
    if scaling is not None and scaling.has_base:
        base = {"rope_freq_base": scaling.base(own.n_columns, own.rope_theta)}
    yield {"rope_scaling": "none", **base}
    if factor is None:
        return
    yield {"rope_scaling": "linear", "rope_scale": factor, **base}
    if original is None:
        return
    yarn = {"rope_scaling": "yarn", "rope_scale": factor, "yarn_orig_ctx": original, **base}
    amplitude = {"attn_factor": own.attention_factor / magnitude(factor)}
    betas = {f"yarn_{name}": given[name] for name in ("beta_fast", "beta_slow") if name in given}
    for more in ({}, betas, amplitude, {**betas, **amplitude}):
        yield {**yarn, **more}
