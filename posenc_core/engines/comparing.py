"""``compare_engines``: where the engines part from what a model's own class computes, at a length."""

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from posenc_core.encodings import Encoding
from posenc_core.engines.advice import FLAGS, advice
from posenc_core.engines.exllamav3 import exllamav3
from posenc_core.engines.facts import all_facts, version_of
from posenc_core.engines.llama_cpp import in_file, layers_of_file, llama_cpp
from posenc_core.engines.mlx_lm import mlx_lm
from posenc_core.engines.question import LONGEST, Question, Settings, checked_length, questions_of
from posenc_core.engines.rules import (
    DIFFERENT,
    READ,
    REFUSES,
    SAME,
    UNKNOWN,
    Advice,
    EngineResult,
    EngineRow,
    EngineTable,
    RefusedError,
    Source,
    UnknownError,
)
from posenc_core.engines.sglang import sglang
from posenc_core.engines.tensorrt_llm import tensorrt_llm
from posenc_core.engines.transformers import transformers
from posenc_core.engines.vllm import vllm
from posenc_core.fields import shortened
from posenc_core.long_context import NEVER, drift, unseen_angles
from posenc_core.model_config import CONFIG, model_files
from posenc_core.numerics import FloatArray
from posenc_core.session import Layer, LayerGroup, Model

_CLOSE = 2e-6
"""Largest relative difference of numbers that are the same: engines compute in float32."""

Engine = Callable[[Question], EngineResult]

ENGINES: dict[str, Engine] = {
    "transformers": transformers,
    "vllm": vllm,
    "sglang": sglang,
    "mlx-lm": mlx_lm,
    "exllamav3": exllamav3,
    "llama.cpp": llama_cpp,
    "tensorrt-llm": tensorrt_llm,
}
"""The function of each engine, by the engine's name; the others are compared with the first."""


SETTINGS = {
    "vllm": ("max_model_len",),
    "sglang": ("context_length",),
    "exllamav3": ("cache_size",),
    "llama.cpp": ("ctx_size", *FLAGS, "attn_factor"),
    "tensorrt-llm": ("max_seq_len",),
}
"""The names of each engine's own settings; a length that is not given is the one asked for."""

LENGTHS = {"max_model_len", "context_length", "cache_size", "ctx_size", "max_seq_len", "yarn_orig_ctx"}
"""The settings that are lengths in tokens."""

_CONVERT = Advice("", "", "the keys and tensors of the GGUF file decide: convert it again from the config.json")


def compare_engines(
    model: str | os.PathLike[str] | Mapping[str, Any],
    target_length: int | None = None,
    *,
    engines: Iterable[str] | None = None,
    settings: Mapping[str, Settings] | None = None,
) -> EngineTable:
    """A row per engine and kind of rotating layers: what it computes, and where that parts from the model's class.

    ``model`` is a parsed config.json, or the path of one, of a model's folder, or of a GGUF file, which llama.cpp's
    rows are then about; without a config.json beside the file the other rows say that they need it. ``target_length``
    is in tokens, 1 to 10^8: that of the text, and of what engines allocate; by default the model's own. ``engines`` are
    names of ``ENGINES``, by default all. ``settings`` are an engine's own by its name, like
    ``{"vllm": {"max_model_len": 4096}}``. ValueError or TypeError with one sentence for what cannot be compared.
    """
    names = checked_names(engines)
    given = {} if settings is None else settings
    _check_settings(given)
    source = model if isinstance(model, Mapping) else Path(model)
    config, described, file = model_files(source)
    length = described.target_length or described.trained_length if target_length is None else target_length
    if length is None:
        raise ValueError("the files give no length: say how many tokens the engines are to be compared at")
    layers = () if file is None else layers_of_file(file, given.get("llama.cpp", {})).layers
    if config is None:
        length, own = checked_length(length), given.get("llama.cpp", {})
        groups = [replace(group, layer=layers[group.indices[0]]) for group in _rotating(described)]
        alone = (_alone(name, group, described, length, own) for group in groups for name in names)
        return EngineTable(tuple(alone), length, all_facts().read)
    rows = []
    for question in questions_of(config, length):
        for name in names:
            of_file = name == "llama.cpp" and file is not None
            asked = question.with_settings(given.get(name, {}))
            row = compared(
                name, asked, _from_file(layers, asked) if of_file else answer(name, asked), described.trained_length
            )
            rows.append(replace(row, write=_CONVERT) if of_file and row.write else row)
    return EngineTable(tuple(rows), checked_length(length), all_facts().read)


def checked_names(names: Iterable[str] | None) -> tuple[str, ...]:
    """The names of engines; ValueError with one sentence for an unknown one."""
    listed = tuple(ENGINES if names is None else names)
    for name in listed:
        if name not in ENGINES:
            raise ValueError(f"there is no engine {shortened(name)}; known are {', '.join(ENGINES)}")
    return listed


def _check_settings(given: Mapping[str, Settings]) -> None:
    """ValueError with one sentence for a setting that the engine does not have, or that is no such number."""
    for engine in checked_names(given):
        known = SETTINGS.get(engine, ())
        for name, value in given[engine].items():
            if name not in known:
                raise ValueError(f"{engine} has no setting {shortened(name)}; known are {', '.join(known) or 'none'}")
            if name == "rope_scaling" and value in ("none", "linear", "yarn"):
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
                raise ValueError(f"{name} of {engine} must be a number above 0, got {shortened(value)}")
            if name in LENGTHS and not (isinstance(value, int) and value <= LONGEST):
                told = f"a whole number of tokens from 1 to {LONGEST:,}"
                raise ValueError(f"{name} of {engine} must be {told}, got {shortened(value)}")


def answer(name: str, question: Question) -> EngineResult:
    """The engine's computation; its refusal, or the gap in the facts, as a sentence."""
    try:
        return ENGINES[name](question)
    except RefusedError as error:
        return EngineResult(source=_package(name), mark=READ, refuses=str(error))
    except UnknownError as error:
        return EngineResult(source=_package(name), mark="", unknown=str(error))
    except ValueError as error:  # a value that no encoding of this program has
        return EngineResult(source=_package(name), mark="", unknown=f"its numbers cannot be shown: {error}")
    except (TypeError, ArithmeticError):
        told = "a value among the keys that it reads has the wrong type, or no number results"
        return EngineResult(source=_package(name), mark="", unknown=f"its numbers cannot be shown: {told}")


def _package(name: str) -> Source:
    """The engine's package as a whole, where no lines of it decide."""
    return Source(name, version_of(name), "", "")


def _from_file(layers: Sequence[Layer], question: Question) -> EngineResult:
    """The computation of llama.cpp for a GGUF file in the layers of the question."""
    layer = layers[min(question.indices[0], len(layers) - 1)]
    return in_file(layer, question.length, question.settings, question.rotation.pairing)


def _alone(name: str, group: LayerGroup, file: Model, length: int, settings: Settings) -> EngineRow:
    """The row of an engine for layers of a GGUF file without a config.json, which only llama.cpp computes from."""
    told = f"{CONFIG} is needed beside {shortened(file.source)}: the file does not say what the model's class computes"
    found = EngineResult(source=_package(name), mark="", unknown=told)
    if name == "llama.cpp":
        found = in_file(group.layer, length, settings)
        alone = f"there is no {CONFIG} whose model's class this could be compared with"
        found = replace(found, notes=(alone, *found.notes, *file.notes))
    return EngineRow(
        engine=name,
        layer_type=group.layer.layer_type or "",
        indices=group.indices,
        computed=found,
        verdict=UNKNOWN,
        unseen=None if found.encoding is None else _unseen(found.encoding, file.trained_length, length),
    )


def _rotating(model: Model) -> Sequence[LayerGroup]:
    """The groups of rotating layers; ValueError with one sentence without any."""
    found = [group for group in model.groups if group.layer.kind == "rotary"]
    if not found:
        raise ValueError(f"no layer of this model rotates: {model.layers[0].sentence or 'engines differ in rotations'}")
    return found


def compared(name: str, question: Question, found: EngineResult, trained: int | None) -> EngineRow:
    """The row of an engine's answer."""
    wanted = question.encoding
    row = EngineRow(
        engine=name,
        layer_type=question.layer.layer_type or "",
        indices=question.indices,
        computed=found,
        wanted=wanted,
        verdict=REFUSES if found.refuses else UNKNOWN,
    )
    if found.encoding is None or found.encoding.rotation is None:
        return replace(row, write=_advice(name, question)) if found.refuses else row
    differences = differences_of(question, found)
    parted = drift(wanted, found.encoding)
    own = question.rotation
    theirs = found.encoding.rotation
    factor = (theirs.attention_factor / own.attention_factor) ** 2 * theirs.softmax_scale_factor
    return replace(
        row,
        verdict=DIFFERENT if differences else SAME,
        differences=differences,
        position=None if parted.pair == NEVER else parted.position,
        pair=None if parted.pair == NEVER else parted.pair,
        score_factor=factor / own.softmax_scale_factor,
        unseen=_unseen(found.encoding, trained, question.length),
        write=_advice(name, question) if differences else None,
    )


def _advice(name: str, question: Question) -> Advice:
    def tried(other: Question) -> bool:
        found = answer(name, other)
        return found.encoding is not None and not differences_of(question, found)

    return advice(name, question, tried)


def _unseen(encoding: Encoding, trained: int | None, length: int) -> int | None:
    return None if trained is None else unseen_angles(encoding, min(trained, length), length).count


def differences_of(question: Question, found: EngineResult) -> tuple[str, ...]:
    """Sentences on what differs, as the class's number and then the engine's; empty where nothing does."""
    return tuple(_differences(question, found))


def _differences(question: Question, found: EngineResult) -> Iterable[str]:
    own, theirs = question.rotation, None if found.encoding is None else found.encoding.rotation
    if theirs is None:
        return
    exact: tuple[tuple[str, object, object], ...] = (
        ("pair layout", own.pairing, theirs.pairing),
        ("rotated columns", own.n_columns, found.columns),
        ("window", question.layer.window, found.window),
    )
    for what, one, other in exact:
        if one != other:
            yield f"{what} {_told(one)}, here {_told(other)}"
    off = tuple(_of_frequencies(own.pairs.frequencies, theirs.pairs.frequencies))
    for what, a, b in (
        *((("base", own.rope_theta, theirs.rope_theta),) if off else ()),
        ("attention factor", own.attention_factor, theirs.attention_factor),
        ("factor of the softmax scale", own.softmax_scale_factor, theirs.softmax_scale_factor),
    ):
        if abs(a - b) > _CLOSE * abs(a):
            yield f"{what} {a:.10g}, here {b:.10g}"
    yield from off
    for position in found.holes:
        yield f"position {position:,} has the angle 0 in every pair"


def _of_frequencies(ours: FloatArray, theirs: FloatArray) -> Iterable[str]:
    n_pairs = min(len(ours), len(theirs))
    a, b = ours[:n_pairs], theirs[:n_pairs]
    share = np.abs(a - b) / np.maximum(np.maximum(a, b), np.finfo(float).tiny)
    off = np.flatnonzero(share > _CLOSE)
    if len(off):
        worst = int(off[np.argmax(share[off])])
        yield (
            f"{len(off)} of {n_pairs} frequencies differ, pair {worst} the most: {a[worst]:.6g}, here {b[worst]:.6g}"
        )


def _told(value: object) -> str:
    return "none" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
