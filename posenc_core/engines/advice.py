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
from posenc_core.engines.results import Advice, EngineResult
from posenc_core.model_config import written_back
from posenc_core.model_rules import ALL_LAYERS, facts_of, parameters_of
from posenc_core.rope_scaling import magnitude, rope_frequencies

Parameters = dict[str, Any]
Tried = Callable[[Question], bool]
"""Whether the engine agrees with the class for this question instead."""

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


def advice(engine: str, question: Question, found: EngineResult, tried: Tried) -> Advice:
    """The first of some settings with which the engine of the answer ``found`` agrees with the class, by ``tried``."""
    for written in _window_keys(engine, question, found):
        if tried(replace(question, values=replace(question.values, given={**question.given, **written}))):
            return _written(engine, question, written, "")
    if question.label != ALL_LAYERS:
        return Advice("", "", "settings for a single kind of layers were not searched")
    if engine == "llama.cpp":
        return _flags(question, tried)
    spelling = _SPELLINGS.get(engine, "old")
    for parameters, limit in _parameters(question):
        written = _spelled(parameters, spelling)
        if tried(_asked(question, written, engine)):
            return _written(engine, question, written, ", in place of its rotary keys", limit)
    return Advice("", "", "no keys, flags or overrides were found with which it agrees with the class")


def _written(engine: str, question: Question, written: Parameters, place: str, limit: str = "") -> Advice:
    """The keys as text: an override where the engine has one, else lines of config.json."""
    part, told = question.values.part, written
    if not part and engine in _WORDS and "text_config" in facts_of(question.whole_type).parts:
        part = "text_config"  # transformers' class moves the keys of the text from the whole to it
    for key in reversed(part.split(".") if part else ()):
        told = {key: told}
    if engine in _WORDS:
        return Advice(_WORDS[engine].replace("{}", json.dumps(told)), "on the command line", limit)
    return Advice(json.dumps(told, indent=2), f"in config.json{place}", limit)


def _window_keys(engine: str, question: Question, found: EngineResult) -> Iterator[Parameters]:
    """Keys of the window that make up for tokens that an engine counts more, or for keys that it alone reads."""
    own, theirs = question.window, found.window
    if "layer_types" in question.values.unread:
        yield {"layer_types": None}
    if theirs is not None and (own is not None or engine == "vllm"):
        yield {"sliding_window": None if own is None else own - (theirs - own)}


def _parameters(question: Question) -> Iterator[tuple[Parameters, str]]:
    """Equivalent rotary parameters in several forms, the plainest first, each with its limit."""
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
    note = f"valid only for texts of {question.length:,} tokens, since the class's base follows the length"
    if own.scaling is not None and own.scaling.has_base:
        base = own.scaling.base(own.n_columns, own.rope_theta)
        share = {"partial_rotary_factor": plain["partial_rotary_factor"]} if "partial_rotary_factor" in plain else {}
        yield {"rope_type": "default", THETA: base, **share}, note if grows else ""
    yield _lists(question.rotation, longest), note if grows else ""


def _lists(own: Rotation, longest: Any) -> Parameters:
    """LongRoPE with equal lists, which express any frequencies above 0, and with the given amplitudes."""
    plain, scaled = rope_frequencies(own.rope_theta, own.pairs.n_pairs, None), own.pairs.frequencies
    with np.errstate(divide="ignore", over="ignore"):
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


def _asked(question: Question, written: Parameters, engine: str) -> Question:
    """The question about the file with these keys in place of the file's own.

    SGLang merges an override with the parameters of a whole text model. vLLM applies one after the length beside them
    has been read.
    """
    given = {key: each for key, each in question.given.items() if key not in _KEYS} | written
    if engine == "vllm":
        given.pop("original_max_position_embeddings", None)
    if engine == "sglang" and question.whole_type in ("", question.values.model_type):
        before = {**question.rope.parameters, THETA: question.rope.rope_theta}
        before.pop("type", None)  # rope_type counts before it
        given["rope_parameters"] = before | written["rope_parameters"]
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
                limit = f"valid only for texts of {question.length:,} tokens"
            return Advice(" ".join(words), "on the command line", limit)
    return Advice("", "", "llama.cpp has no options with which it agrees with the class")


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
