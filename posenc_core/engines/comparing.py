"""``compare_engines``: differences between engines and a model's own class, at a length."""

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from posenc_core.encodings import Encoding
from posenc_core.engines.advice import advice
from posenc_core.engines.answers.llama_cpp import in_file, layers_of_file
from posenc_core.engines.asking import answer, check_settings, checked_names, package_of
from posenc_core.engines.facts import all_facts
from posenc_core.engines.question import Question, Settings, checked_length, questions_of
from posenc_core.engines.results import (
    DIFFERENT,
    REFUSES,
    SAME,
    SAME_ANGLES,
    UNKNOWN,
    Advice,
    EngineResult,
    EngineRow,
    EngineTable,
)
from posenc_core.engines.windows import within
from posenc_core.fields import shortened
from posenc_core.long_context import NEVER, drift, unseen_angles
from posenc_core.model_config import CONFIG, model_files
from posenc_core.numerics import FloatArray
from posenc_core.session import Layer, LayerGroup, Model

_CLOSE = 2e-6
"""Largest relative difference of numbers that are the same: engines compute in float32."""

_WINDOW = "window"
"""The beginning of the sentence on different windows."""

_CONVERT = Advice("", "", "the keys and tensors of the GGUF file decide: convert it again from the config.json")


def compare_engines(
    model: str | os.PathLike[str] | Mapping[str, Any],
    target_length: int | None = None,
    *,
    engines: Iterable[str] | None = None,
    settings: Mapping[str, Settings] | None = None,
) -> EngineTable:
    """A row per engine and kind of rotating layers: its computation, and its differences from the model's class.

    ``model`` is a parsed config.json, or the path of one, of a model's folder, or of a GGUF file, which llama.cpp's
    rows then describe; without a config.json beside the file the other rows report its absence. ``target_length``
    is in tokens, 1 to 10^8: the length of the text, and of the engines' caches; by default the model's. ``engines`` are
    names of ``ENGINES``, by default all. ``settings`` are the options of engines by name, like
    ``{"vllm": {"max_model_len": 4096}}``. ValueError or TypeError with one sentence for models that cannot be compared.
    """
    names = checked_names(engines)
    given = {} if settings is None else settings
    check_settings(given)
    source = model if isinstance(model, Mapping) else Path(model)
    config, described, file = model_files(source)
    length = described.target_length or described.trained_length if target_length is None else target_length
    if length is None:
        _rotating(described)  # without a rotation a length would not help
        raise ValueError("the files have no length: set the number of tokens at which engines are compared")
    layers, refused = ((), "") if file is None else layers_of_file(file, given.get("llama.cpp", {}))
    if config is None:
        length, own = checked_length(length), given.get("llama.cpp", {})
        groups = [replace(group, layer=layers[group.indices[0]]) for group in _rotating(described)]
        alone = (_alone(name, group, refused, described, length, own) for group in groups for name in names)
        return EngineTable(tuple(alone), length, all_facts().read)
    rows, questions = [], questions_of(config, length)
    for question in questions:
        for name in names:
            of_file = name == "llama.cpp" and file is not None
            asked = question.with_settings(given.get(name, {}))
            found = _from_file(layers, refused, asked) if of_file else _of_whole(name, asked, questions)
            row = compared(name, asked, found, described.trained_length)
            by_file = of_file and row.write and not (found.window_fixed and all(map(_of_window, row.differences)))
            rows.append(replace(row, write=_CONVERT) if by_file else row)
    return EngineTable(tuple(rows), checked_length(length), all_facts().read)


def _of_whole(name: str, asked: Question, questions: Iterable[Question]) -> EngineResult:
    """The answer, a refusal if the engine refuses the file because of other layers of the model."""
    of_others = (answer(name, each.with_settings(asked.settings)) for each in questions if each.label != asked.label)
    refused = (each for each in of_others if each.refuses)
    own = answer(name, asked)
    return own if own.refuses else next(refused, own)


def _from_file(layers: Sequence[Layer], refused: str, question: Question) -> EngineResult:
    """The computation of llama.cpp for a GGUF file in the layers of the question."""
    layer, converted = layers[min(question.indices[0], len(layers) - 1)], answer("llama.cpp", question)
    found = in_file(layer, refused, question.length, question.settings, question.rotation.pairing)
    return replace(found, window_fixed=converted.window_fixed and found.window is None)


def _alone(name: str, group: LayerGroup, refused: str, file: Model, length: int, settings: Settings) -> EngineRow:
    """The row of an engine for layers of a GGUF file without a config.json, which only llama.cpp computes from."""
    told = f"{CONFIG} is needed beside {shortened(file.source)}: the file does not say what the model's class computes"
    found = EngineResult(source=package_of(name), mark="", unknown=told)
    if name == "llama.cpp":
        found = in_file(group.layer, refused, length, settings)
        alone = f"without a {CONFIG} this cannot be compared with the model's class"
        found = replace(found, notes=(alone, *found.notes, *file.notes))
    return EngineRow(
        engine=name,
        layer_type=group.layer.layer_type or "",
        indices=group.indices,
        computed=found,
        verdict=REFUSES if found.refuses else UNKNOWN,
        unseen=None
        if found.encoding is None
        else _unseen(found.encoding, file.trained_length, length, group.layer.longest_distance),
    )


def _rotating(model: Model) -> Sequence[LayerGroup]:
    """The groups of rotating layers; ValueError with one sentence without any."""
    found = [group for group in model.groups if group.layer.kind == "rotary"]
    if not found:
        attends = next((each for each in model.layers if each.kind != "none" or each.encoding), model.layers[0])
        raise ValueError(f"no layer of this model rotates: {attends.sentence or 'engines differ in rotations'}")
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
        return replace(row, write=_advice(name, question, found, ())) if found.refuses else row
    differences = tuple(differences_of(question, found))
    parted, reach = drift(wanted, found.encoding), question.layer.longest_distance
    farthest = question.length - 1 if reach is None else min(reach, question.length - 1)
    is_off = parted.pair != NEVER and parted.position <= farthest
    own = question.rotation
    theirs = found.encoding.rotation
    factor = (theirs.attention_factor / own.attention_factor) ** 2 * theirs.softmax_scale_factor
    return replace(
        row,
        verdict=DIFFERENT if differences else SAME if found.window_read else SAME_ANGLES,
        differences=differences,
        position=parted.position if is_off else None,
        pair=parted.pair if is_off else None,
        score_factor=factor / own.softmax_scale_factor,
        unseen=_unseen(found.encoding, trained, question.length, reach),
        write=_advice(name, question, found, differences) if differences else None,
    )


def _advice(name: str, question: Question, found: EngineResult, differences: Sequence[str]) -> Advice:
    """Settings with which the engine agrees with the class, or those for its angles alone if the window stays."""
    turned = [told for told in differences if not _of_window(told)]

    def tried(other: Question, *, of_window: bool = True) -> bool:
        result = answer(name, other)
        others = differences_of(question, result)
        return result.encoding is not None and not any(of_window or not _of_window(told) for told in others)

    whole = advice(name, question, found, tried)
    if whole.text or len(turned) == len(differences):
        return whole
    stays = "no keys, flags or overrides were found that change the window"
    if found.window_fixed:
        stays = "no key, flag or override gives these layers the window of the model's class"
    angles = advice(name, question, found, partial(tried, of_window=False)) if turned else Advice("", "")
    return replace(angles, limit="; ".join(filter(None, (angles.limit if angles.text else "", stays))))


def _of_window(difference: str) -> bool:
    return difference.startswith(_WINDOW)


def _unseen(encoding: Encoding, trained: int | None, length: int, reach: int | None) -> int | None:
    return None if trained is None else unseen_angles(encoding, min(trained, length), length, reach).count


def differences_of(question: Question, found: EngineResult) -> Iterable[str]:
    """Sentences on differences, the class's number before the engine's."""
    own, theirs = question.rotation, None if found.encoding is None else found.encoding.rotation
    if theirs is None:
        return
    windows = (within(each, question.length) for each in (question.window, found.window))
    exact: tuple[tuple[str, object, object], ...] = (
        ("pair layout", own.pairing, theirs.pairing),
        ("rotated columns", own.n_columns, found.columns),
        *(((_WINDOW, *windows),) if found.window_read else ()),
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
