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
from posenc_core.engines.computed import (
    DIFFERENT,
    READ,
    REFUSES,
    SAME,
    UNKNOWN,
    Advice,
    Computed,
    EngineRow,
    EngineTable,
    RefusedError,
    Source,
    UnknownError,
)
from posenc_core.engines.exllamav3 import exllamav3
from posenc_core.engines.facts import all_facts, facts_of
from posenc_core.engines.llama_cpp import llama_cpp
from posenc_core.engines.mlx_lm import mlx_lm
from posenc_core.engines.question import Question, Settings, questions_of
from posenc_core.engines.sglang import sglang
from posenc_core.engines.tensorrt_llm import tensorrt_llm
from posenc_core.engines.transformers import transformers
from posenc_core.engines.vllm import vllm
from posenc_core.fields import shortened
from posenc_core.long_context import NEVER, at_length, drift, unseen_angles
from posenc_core.model_config import model_files
from posenc_core.numerics import FloatArray
from posenc_core.session import Layer

_CLOSE = 2e-6
"""Largest relative difference of numbers that are the same: engines compute in float32."""

Engine = Callable[[Question], Computed]

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


_CONVERT = Advice("", "", "the keys and tensors of the GGUF file decide: convert it again from the config.json")


def compare_engines(
    model: str | os.PathLike[str] | Mapping[str, Any],
    target_length: int | None = None,
    *,
    engines: Iterable[str] | None = None,
    settings: Mapping[str, Settings] | None = None,
) -> EngineTable:
    """A row per engine and kind of rotating layers: what it computes, and where that parts from the model's class.

    ``model`` is a parsed config.json, or the path of one, of a model's folder, or of a GGUF file beside a config.json,
    which llama.cpp's rows are then about. ``target_length`` is in tokens, 1 to 10^8: that of the text, and of what
    engines allocate; by default the model's own. ``engines`` are names of ``ENGINES``, by default all. ``settings``
    are an engine's own by its name, like ``{"vllm": {"max_model_len": 4096}}``. ValueError or TypeError with one
    sentence for what cannot be compared.
    """
    names = checked_names(engines)
    given = {} if settings is None else settings
    _check_settings(given)
    source = model if isinstance(model, Mapping) else Path(model)
    config, described, file = model_files(source)
    length = described.target_length or described.trained_length if target_length is None else target_length
    if length is None:
        raise ValueError("the files give no length: say how many tokens the engines are to be compared at")
    questions = questions_of(config, length)
    trained = described.trained_length
    answers = [(name, question, answer(name, question.with_settings(given.get(name, {}))))
               for question in questions for name in names]  # fmt: skip
    if file is not None:
        answers = [
            (name, question, _from_file(found, file.layers, question) if name == "llama.cpp" else found)
            for name, question, found in answers
        ]
    rows = [compared(name, question, found, trained) for name, question, found in answers]
    if file is not None:
        rows = [replace(row, write=_CONVERT) if row.engine == "llama.cpp" and row.write else row for row in rows]
    return EngineTable(tuple(rows), questions[0].length, all_facts().read)


def checked_names(names: Iterable[str] | None) -> tuple[str, ...]:
    """The names of engines; ValueError with one sentence for an unknown one."""
    listed = tuple(ENGINES if names is None else names)
    for name in listed:
        if name not in ENGINES:
            raise ValueError(f"there is no engine {shortened(name)}; known are {', '.join(ENGINES)}")
    return listed


def _check_settings(given: Mapping[str, Settings]) -> None:
    """ValueError with one sentence for a setting that the engine does not have, or that is no number above 0."""
    for engine in checked_names(given):
        known = SETTINGS.get(engine, ())
        for name, value in given[engine].items():
            if name not in known:
                raise ValueError(f"{engine} has no setting {shortened(name)}; known are {', '.join(known) or 'none'}")
            if name == "rope_scaling" and value in ("none", "linear", "yarn"):
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
                raise ValueError(f"{name} of {engine} must be a number above 0, got {shortened(value)}")


def answer(name: str, question: Question) -> Computed:
    """The engine's computation; its refusal, or the gap in the facts, as a sentence."""
    source = Source(name, facts_of(name).version if name in all_facts().engines else "of an unknown version", "", "")
    try:
        return ENGINES[name](question)
    except RefusedError as error:
        return Computed(source=source, mark=READ, refuses=str(error))
    except UnknownError as error:
        return Computed(source=source, mark=READ, unknown=str(error))
    except (ValueError, TypeError) as error:  # a value that no encoding of this program has
        return Computed(source=source, mark=READ, unknown=f"its numbers cannot be shown: {error}")


def _from_file(found: Computed, layers: Sequence[Layer], question: Question) -> Computed:
    """The computation of llama.cpp for a GGUF file in the layers of the question, in the pair layout of its weights."""
    layer = layers[min(question.indices[0], len(layers) - 1)]
    told = Source("llama.cpp", found.source.version, "src/llama-context.cpp", "llama_context::llama_context")
    if layer.encoding is None or layer.encoding.rotation is None:
        return Computed(source=told, mark=READ, unknown=layer.sentence or "the layers of the GGUF file do not rotate")
    return Computed(
        source=told,
        mark=READ,
        encoding=at_length(layer.encoding.edited("pairing", question.rotation.pairing), question.length),
        columns=layer.encoding.rotation.n_columns,
        window=layer.window,
        arithmetic=found.arithmetic,
        notes=(layer.sentence,),
    )


def compared(name: str, question: Question, found: Computed, trained: int | None) -> EngineRow:
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


def differences_of(question: Question, found: Computed) -> tuple[str, ...]:
    """Sentences on what differs, as the class's number and then the engine's; empty where nothing does."""
    return tuple(_differences(question, found))


def _differences(question: Question, found: Computed) -> Iterable[str]:
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
