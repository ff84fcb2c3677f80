"""The question that each engine answers: a configuration, one kind of its layers, a length, the engine's settings."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from posenc_core.encodings import Encoding, Rotation
from posenc_core.engines.facts import architecture_of
from posenc_core.fields import check_length, shortened
from posenc_core.model_config import layers_of, parameters_at, part_of, rotary_at
from posenc_core.model_rules import RopeParameters, Values, plan_of
from posenc_core.session import Layer

LONGEST = 10**8
"""Tokens; the largest length that can be asked for."""

Settings = Mapping[str, Any]
"""An engine's own settings by name, as its command line calls them, with underscores."""


THETA = "rope_theta"


def mapping_of(given: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The object under the key; an empty one where there is none."""
    found = given.get(key)
    return found if isinstance(found, Mapping) else {}


class Question(Struct, frozen=True):
    """A kind of rotating layers of a model, at a length in tokens.

    ``layer`` is what the model's class does there, ``encoding`` its rotation at that length, ``rope`` its rotary
    parameters as the class makes them of the file, ``values`` the file itself. ``label`` is empty where all layers
    share their parameters, ``whole_type`` the ``model_type`` of a whole of which this is the text part.
    """

    values: Values
    architecture: str
    indices: tuple[int, ...]
    layer: Layer
    encoding: Encoding
    rope: RopeParameters
    label: str
    length: int
    settings: Settings = {}
    whole_type: str = ""

    @property
    def rotation(self) -> Rotation:
        """The rotation of the model's class."""
        found = self.encoding.rotation
        assert found is not None, "a question is about layers that rotate"
        return found

    @property
    def given(self) -> Mapping[str, Any]:
        """The names and values of the file."""
        return self.values.given

    @property
    def longest(self) -> Any:
        """max_position_embeddings of the file, else of the class; None if neither has the key."""
        return self.values.find("max_position_embeddings")

    def with_settings(self, settings: Settings) -> "Question":
        """The same question to an engine with these settings."""
        return replace(self, settings=settings)


def questions_of(config: Mapping[str, Any], length: int, part: str | None = None) -> tuple[Question, ...]:
    """A question per kind of rotating layers of the configuration.

    ValueError with one sentence for a configuration that cannot be read, for one whose layers do not rotate, and for a
    length outside 1 to 10^8 tokens.
    """
    length = checked_length(length)
    try:
        values, _ = part_of(config, part)
        layers, _ = layers_of(values)
        plan = plan_of(values)
    except TypeError as error:
        raise ValueError(str(error)) from None
    architecture = architecture_of(values.model_type, config.get("architectures"))
    indices: dict[int, list[int]] = {}
    for index, layer in enumerate(layers):
        indices.setdefault(id(layer), []).append(index)
    found = []
    for listed in indices.values():
        layer, planned = layers[listed[0]], plan.layers[listed[0]]
        if layer.kind == "rotary":
            encoding, rope = rotary_at(values, planned, length), parameters_at(values, planned)
            of_layer = (tuple(listed), layer, encoding, rope, planned.label, length)
            found.append(Question(values, architecture, *of_layer, whole_type=str(config.get("model_type") or "")))
    if not found:
        raise ValueError(f"no layer of this model rotates: {layers[0].sentence or 'engines differ in rotations alone'}")
    return tuple(found)


def checked_length(length: Any) -> int:
    """The length in tokens; TypeError or ValueError with one sentence unless an integer from 1 to 10^8."""
    checked = check_length(length, "length")
    if checked > LONGEST:
        raise ValueError(f"length must be at most {LONGEST:,} tokens, got {shortened(checked)}")
    return checked
