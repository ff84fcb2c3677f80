"""The parts of a model beside its text, each with one layer that represents the whole part."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from msgspec.structs import replace

from posenc_core.model_config.config import BESIDE, parts_beside
from posenc_core.model_config.layers import layers_of
from posenc_core.model_rules import Notes, Values
from posenc_core.session import MOST_PARTS, Layer, ModelPart, first_shown, groups_of

_MORE = f"the model has more than {MOST_PARTS} parts beside its text: the first {MOST_PARTS} are listed"


def parts_of(config: Mapping[str, Any], values: Values) -> tuple[tuple[ModelPart, ...], Notes]:
    """The parts beside the described one, at most ``MOST_PARTS``, and a note if the file has more.

    The sentence of a part's layer gives the reason if the part is not shown.
    """
    found = list(islice(parts_beside(config, values), MOST_PARTS + 1))
    notes = (_MORE,) if len(found) > MOST_PARTS else ()
    return tuple(_part(name, beside) for name, beside in found[:MOST_PARTS]), notes


def key_beside(name: str, part: Values) -> str:
    """The key of the part of that name in a configuration, the last one if there are several."""
    keys = part.part.split(".")
    return next((key for key in reversed(keys) if BESIDE.get(key) == name), keys[-1])


def _part(name: str, beside: Values) -> ModelPart:
    try:
        layers, _ = layers_of(beside)
    except (TypeError, ValueError) as error:
        layers = (Layer("unsupported", sentence=str(error)),)
    return ModelPart(name, len(layers), _standing_for(layers))


def _standing_for(layers: tuple[Layer, ...]) -> Layer:
    """The first layer that adds positions; if others differ, its sentence says what each group of layers does."""
    shown = layers[first_shown(layers)]
    groups = groups_of(layers)
    if len(groups) == 1:
        return shown
    told = (f"{len(each.indices)} of {len(layers)} layers: {each.layer.sentence}" for each in groups)
    return replace(shown, sentence="; ".join(told))
