"""A model as a part of a session file: its layers in groups, with their encodings as in the rest of the session."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict

from posenc_core import rope_scaling
from posenc_core.fields import decode_json, is_deeper, shortened
from posenc_core.session.model import (
    LARGEST,
    LONGEST_CONFIG,
    LONGEST_TEXT,
    MOST_LISTED,
    MOST_PARTS,
    FoundTable,
    Layer,
    Model,
    ModelPart,
)
from posenc_core.session.stored_parts import Tables, encoding_of_plain, plain_encoding

MODEL, MODEL_B = "model", "model_b"
"""The names of the parts of a session."""

MAXIMUM_LAYERS = 10_000


_DEEPEST = 101
"""Parts within parts of the keys of a configuration, one more than a config.json has."""

_Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]
_Length = Annotated[int, Meta(ge=1, le=LARGEST)]
_Index = Annotated[int, Meta(ge=0, lt=MAXIMUM_LAYERS)]
_Count = Annotated[int, Meta(ge=0, le=LARGEST)]


class _Temperature(Struct, omit_defaults=True):
    rule: _Text
    parameters: dict[str, int | float] = {}


class _Layers(Struct, omit_defaults=True):
    """Equal layers: the first and the last index of each run of them."""

    indices: list[tuple[_Index, _Index]]
    kind: Literal["rotary", "none", "learned", "sinusoidal", "bias", "unsupported"]
    encoding: dict[str, Any] | None = None
    window: _Length | None = None
    chunk: _Length | None = None
    temperature: _Temperature | None = None
    layer_type: _Text | None = None
    sentence: _Text = ""
    ahead: _Length | None = None
    compressed: _Length | None = None
    table_shape: tuple[_Length, _Length] | None = None
    chosen: _Length | None = None


class _Part(Struct, omit_defaults=True):
    name: _Text
    layers: _Layers


class _Table(Struct, omit_defaults=True):
    file: _Text
    tensor: _Text
    shape: tuple[_Count, _Count]
    first_row: _Count | None = None
    remark: _Text = ""


class _Model(Struct, omit_defaults=True):
    name: _Text
    model_type: _Text
    source: _Text
    layers: Annotated[list[_Layers], Meta(max_length=MAXIMUM_LAYERS)]
    trained_length: _Length | None = None
    target_length: _Length | None = None
    lengths_from: _Text = ""
    notes: Annotated[list[_Text], Meta(max_length=MOST_LISTED)] = []
    tables: Annotated[list[_Table], Meta(max_length=MOST_LISTED)] = []
    tokenizer: _Text | None = None
    config: Annotated[str, Meta(max_length=LONGEST_CONFIG)] = ""
    header: Annotated[str, Meta(max_length=LONGEST_CONFIG)] = ""
    parts: Annotated[list[_Part], Meta(max_length=MOST_PARTS)] = []


def plain_model(model: Model) -> dict[str, Any]:
    """The model as plain values; files are named without their folders."""
    parts = {
        "layers": [_written(group.indices, group.layer) for group in model.groups],
        "notes": list(model.notes),
        "tables": [_Table(**{**asdict(each), "file": each.file.name}) for each in model.tables],
        "tokenizer": model.tokenizer.name if model.tokenizer else None,
        "parts": [_Part(each.name, _written(tuple(range(each.n_layers)), each.layer)) for each in model.parts],
    }
    plain: dict[str, Any] = msgspec.to_builtins(_Model(**{**asdict(model), **parts}))
    return plain


def plain_models(*models: Model | None) -> dict[str, Any]:
    """The parts of a session for the opened model and the one to compare, of those that there are."""
    return {name: plain_model(model) for name, model in zip((MODEL, MODEL_B), models, strict=True) if model is not None}


def models_of_plain(session: Mapping[str, Any], tables: Tables) -> dict[str, Any]:
    """The models of a session by the names of its parts; errors as ``model_of_plain``."""
    return {name: model_of_plain(session[name], tables) for name in (MODEL, MODEL_B) if name in session}


def model_of_plain(values: Mapping[str, Any], tables: Tables) -> Model:
    """The model of a session; ``tables`` and errors as for ``encoding_of_plain``."""
    try:
        record = msgspec.convert(values, _Model)
    except msgspec.ValidationError as error:  # Expected `str`, got `int` - at `$.name`
        problem, _, place = str(error).replace("`", "").partition(" - at $")
        where = f"model{place}" if place else "model"
        raise ValueError(f"{where} {problem.replace('Expected', 'must be')}") from None
    for key, text in (("config", record.config), ("header", record.header)):
        if text and is_deeper(decode_json(text, f"model.{key}", non_finite=True), _DEEPEST):
            raise ValueError(f"model.{key} is nested too deeply")
    layers = tuple(_in_order(record.layers, tables))
    if not layers:
        raise ValueError("model.layers has no layer 0")
    parts = {
        "layers": layers,
        "notes": tuple(record.notes),
        "tables": tuple(FoundTable(**{**asdict(each), "file": Path(each.file)}) for each in record.tables),
        "tokenizer": Path(record.tokenizer) if record.tokenizer else None,
        "parts": tuple(_part(each, tables) for each in record.parts),
    }
    return Model(**{**asdict(record), **parts})


def _written(indices: tuple[int, ...], layer: Layer) -> _Layers:
    encoding, temperature = layer.encoding, layer.temperature
    parts = {
        "indices": list(runs_of(indices)),
        "encoding": None if encoding is None else plain_encoding(encoding),
        "temperature": None if temperature is None else _Temperature(temperature.rule, dict(temperature.parameters)),
    }
    return _Layers(**{**asdict(layer), **parts})


def runs_of(indices: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """The first and the last of each run of consecutive indices, which increase."""
    breaks = [place for place, (one, other) in enumerate(pairwise(indices), start=1) if other != one + 1]
    for start, stop in pairwise((0, *breaks, len(indices))):
        yield indices[start], indices[stop - 1]


def _part(part: _Part, tables: Tables) -> ModelPart:
    """The part; ValueError unless its layers are those from 0 on, without a gap."""
    layers = tuple(_in_order([part.layers], tables))
    if not layers:
        raise ValueError(f"model.parts has no layers of {shortened(part.name)}")
    return ModelPart(part.name, len(layers), layers[0])


def _in_order(groups: list[_Layers], tables: Tables) -> Iterator[Layer]:
    """One layer per index; ValueError unless each index from 0 is in one group."""
    layers: dict[int, Layer] = {}
    for group in groups:
        layer = _read(group, tables)
        for first, last in group.indices:
            for index in range(first, last + 1):
                if index in layers:
                    raise ValueError(f"model.layers has layer {index} twice")
                layers[index] = layer
    for index in range(len(layers)):
        if index not in layers:
            raise ValueError(f"model.layers has no layer {index}")
        yield layers[index]


def _read(group: _Layers, tables: Tables) -> Layer:
    values, told = asdict(group), group.temperature
    del values["indices"]
    values["encoding"] = None if group.encoding is None else encoding_of_plain(group.encoding, tables)
    values["temperature"] = None if told is None else rope_scaling.QueryTemperature(told.rule, told.parameters)
    return Layer(**values)
