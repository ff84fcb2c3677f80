"""A model's configuration as layers, lengths and notes."""

from collections.abc import Mapping
from typing import Any

from posenc_core.model_config.rope import rope_from_config
from posenc_core.model_config.rope_form import layer_names
from posenc_core.session import Layer, Model


def describe(config: Mapping[str, Any], name: str, source: str, part: str | None = None) -> Model:
    """The model that a configuration describes; ValueError with one sentence where it says nothing about positions.

    ``name`` is that of the file or its folder, ``source`` names the files that were read.
    """
    try:
        return _described(config, name, source)
    except TypeError as error:
        raise ValueError(str(error)) from None


def _described(config: Mapping[str, Any], name: str, source: str) -> Model:
    text = config.get("text_config") if isinstance(config.get("text_config"), Mapping) else config
    types = layer_names(config)
    layers = {each: _layer(config, each) for each in (*types, None)}
    listed = text.get("layer_types")
    count = text.get("num_hidden_layers")
    number = min(count, 10_000) if isinstance(count, int) and count > 0 else 1
    names = listed if isinstance(listed, list) and len(listed) == number else [None] * number
    original, longest = _lengths(text)
    layer = layers[None].encoding
    return Model(
        name=str(config.get("_name_or_path") or name or config.get("model_type", "")),
        model_type=str(config.get("model_type", "")),
        source=source,
        layers=tuple(layers.get(each, layers[None]) for each in names),
        trained_length=original,
        target_length=longest,
        lengths_from="original_max_position_embeddings, max_position_embeddings",
        notes=() if layer is None else layer.warnings,
    )


def _layer(config: Mapping[str, Any], layer_type: str | None) -> Layer:
    return Layer("rotary", rope_from_config(config, layer_type=layer_type), layer_type=layer_type)


def _lengths(config: Mapping[str, Any]) -> tuple[int | None, int | None]:
    longest = config.get("max_position_embeddings")
    for key in ("rope_parameters", "rope_scaling"):
        scaling = config.get(key)
        if isinstance(scaling, Mapping) and isinstance(scaling.get("original_max_position_embeddings"), int):
            return scaling["original_max_position_embeddings"], longest
    return longest, longest
