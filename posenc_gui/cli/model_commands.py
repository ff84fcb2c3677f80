"""``posenc inspect`` and ``posenc diff``: positions of models, in a terminal, without Qt."""

import json
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import to_builtins

from posenc_core.analysis import Difference, layer_differences, length_differences
from posenc_core.fields import one_line
from posenc_core.session import Layer, LayerGroup, Model, plain_model
from posenc_gui.cli.parser import given_paths, names_preset
from posenc_gui.files import is_session, open_session, preset, read_model
from posenc_gui.model.card import (
    KEYS,
    SURPRISING,
    claims_of,
    differences_of,
    indices_words,
    layer_words,
    lengths_claim,
    part_claim,
    share_of_layers,
    shares_words,
)

EQUAL, DIFFERENT = 0, 1


def inspected(arguments: Namespace) -> tuple[str, int]:
    """The sheet of a model, and the exit status of ``posenc inspect``."""
    (path,) = given_paths(arguments)
    model = _model_in(path, arguments.part)
    return json.dumps(plain_sheet(model), indent=2) if arguments.json else sheet(model), 0


def compared(arguments: Namespace) -> tuple[str, int]:
    """The differences of two models, and the exit status of ``posenc diff``."""
    a, b = map(_model_in, given_paths(arguments, 2))
    lengths, layers = length_differences(a, b), layer_differences(a, b)
    plain = {"lengths": to_builtins(lengths), "layers": to_builtins(layers)}
    text = json.dumps(plain, indent=2) if arguments.json else "\n".join(_differences(a, b))
    return text, DIFFERENT if lengths or layers else EQUAL


def sheet(model: Model) -> str:
    """The card of a model in lines of plain text: surprises, lengths, layers, places of keys."""
    kind = f" ({one_line(model.model_type)})" if model.model_type else ""
    head = f"{one_line(model.name)}{kind}, from {one_line(model.source)}"
    claims = list(claims_of(model))
    surprises = (f"note: {one_line(each.text)}" for each in claims if each.topic == SURPRISING)
    groups = (line for group in model.groups for line in ("", *_group(group, len(model.layers))))
    parts = (line for part in model.parts for line in ("", part_claim(model, part).text))
    keys = [f"note: {one_line(each.text)}" for each in claims if each.topic == KEYS]
    return "\n".join((head, *surprises, lengths_claim(model).text, *groups, *parts, *(("", *keys) if keys else ())))


def plain_sheet(model: Model) -> dict[str, Any]:
    """The same for programs: the model as in a session, and derived numbers of each group of layers.

    ``claims`` are the statements of the card in its order, each with its keys and their values.
    """
    plain = plain_model(model)
    plain["claims"] = [
        {"topic": each.topic, "text": each.text, "keys": {found.key: found.value for found in each.evidence}}
        for each in claims_of(model)
    ]
    for written, group in zip(plain["layers"], model.groups, strict=True):
        rotation = None if group.layer.encoding is None else group.layer.encoding.rotation
        if rotation is not None:
            written["frequencies"] = rotation.pairs.frequencies.tolist()
            written["attention_factor"] = rotation.attention_factor
            written["softmax_scale_factor"] = rotation.softmax_scale_factor
    return plain


def _group(group: LayerGroup, n_layers: int) -> Iterator[str]:
    layer, listed = group.layer, indices_words(group.indices, n_layers)
    which = share_of_layers(group.indices, n_layers)
    yield f"{which[:1].upper()}{which[1:]}{f' ({listed})' if listed else ''}: {one_line(layer_words(layer))}"
    rotation = None if layer.encoding is None else layer.encoding.rotation
    if layer.encoding is not None and rotation is not None:
        turning = 2 * np.count_nonzero(rotation.pairs.frequencies)
        layout = f"{rotation.pairing}, {turning} of {rotation.head_dim} columns rotate"
        yield f"  {shares_words(layer.encoding)}; {layout}"
        if rotation.attention_factor != 1 or rotation.softmax_scale_factor != 1:
            softmax = f"factor of the softmax scale {rotation.softmax_scale_factor:.10g}"
            yield f"  attention factor {rotation.attention_factor:.10g}, {softmax}"
    if layer.temperature is not None:
        yield f"  {layer.temperature.sentence}"
    if layer.sentence:
        yield f"  {one_line(layer.sentence)}"


def _differences(a: Model, b: Model) -> Iterator[str]:
    yield f"A: {one_line(a.name)}, from {one_line(a.source)}"
    yield f"B: {one_line(b.name)}, from {one_line(b.source)}"
    found = list(differences_of(a, b))
    for each in found:
        yield from [f"{each.title}:"] if each.title else []
        indent = "  " if each.title else ""
        yield from (f"{indent}{_difference(difference)}" for difference in each.differences)
    if not found:
        yield f"No difference in {min(len(a.layers), len(b.layers))} layers."


def _difference(difference: Difference) -> str:
    remark = f" ({difference.remark})" if difference.remark else ""
    return one_line(f"{difference.what}: {difference.first} in A, {difference.second} in B{remark}")


def _model_in(path: Path, part: str | None = None) -> Model:
    """The model in the file; for a preset or a session its model, or one layer with its encoding."""
    is_preset = names_preset(path)
    if not is_preset and not is_session(path):
        return read_model(path, part=part)
    if part is not None:
        raise ValueError("--part needs a config.json, a model's folder or a GGUF file")
    document = preset(path.name) if is_preset else open_session(path)
    if document.model is not None:
        return document.model
    encoding, view = document.encoding, document.view
    layer = Layer(encoding.family if encoding.rotation is None else "rotary", encoding)
    lengths = view.trained_length or None, view.target_length or None
    name, kind = (path.name, "preset") if is_preset else (path.stem, "session")
    return Model(name, kind, path.name, (layer,), *lengths, f"the {kind}")
