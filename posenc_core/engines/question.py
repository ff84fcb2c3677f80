"""The question that each engine answers: a configuration, one kind of its layers, a length, the engine's settings."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from posenc_core.encodings import Encoding, Rotation
from posenc_core.engines.facts import GENERIC, ClassFacts, architecture_of, class_facts, facts_of, version_of
from posenc_core.fields import check_length, shortened
from posenc_core.model_config import layers_of, parameters_at, part_of, rotary_at
from posenc_core.model_rules import RopeParameters, Values, is_params, plan_of
from posenc_core.session import Layer, groups_of

LONGEST = 10**8
"""The largest length of a question, in tokens."""

Settings = Mapping[str, Any]
"""An engine's own settings by name, as its command line calls them, with underscores."""

THETA = "rope_theta"


def mapping_of(given: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The object under the key; an empty one if it is missing."""
    found = given.get(key)
    return found if isinstance(found, Mapping) else {}


class Question(Struct, frozen=True):
    """A kind of rotating layers of a model, at a length in tokens.

    ``layer`` is what the model's class does there, ``encoding`` its rotation at that length, ``rope`` its rotary
    parameters as the class makes them of the file, ``values`` the file itself. ``label`` is empty where all layers
    share their parameters, ``whole_type`` the ``model_type`` of the model of which this is the text part. ``is_named``:
    the file gives the architecture. ``all_windowed``: every layer of the model has a window.
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
    is_named: bool = False
    all_windowed: bool = False

    @property
    def rotation(self) -> Rotation:
        """The rotation of the model's class."""
        found = self.encoding.rotation
        assert found is not None, "a question is about layers that rotate"
        return found

    @property
    def window(self) -> int | None:
        """Tokens that a query sees in the model's class, itself included; in chunks, the size of one."""
        reach = self.layer.longest_distance
        return self.layer.window if self.layer.window is not None or reach is None else reach + 1

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


def questions_of(config: Mapping[str, Any], length: int) -> tuple[Question, ...]:
    """A question per kind of rotating layers of the configuration.

    ValueError with one sentence for a configuration that cannot be read, for a ``params.json``, for layers that do not
    rotate, and for a length outside 1 to 10^8 tokens.
    """
    length = checked_length(length)
    if is_params(config):
        raise ValueError("engines are compared by a config.json, and these are the keys of a params.json")
    try:
        values, _ = part_of(config)
        layers, _ = layers_of(values)
        plan = plan_of(values)
    except TypeError as error:
        raise ValueError(str(error)) from None
    whole_type = str(config.get("model_type") or "")
    architecture = architecture_of(values.model_type, config.get("architectures"), whole_type)
    is_named, all_windowed = bool(config.get("architectures")), all(layer.window is not None for layer in layers)
    found = []
    for group in groups_of(layers):
        layer, planned = group.layer, plan.layers[group.indices[0]]
        if layer.kind == "rotary":
            encoding, rope = rotary_at(values, planned, length), parameters_at(values, planned)
            of_layer = (group.indices, layer, encoding, rope, planned.label, length)
            found.append(Question(values, architecture, *of_layer, {}, whole_type, is_named, all_windowed))
    if not found:
        attends = next((layer for layer in layers if layer.kind != "none" or layer.encoding is not None), layers[0])
        raise ValueError(f"no layer of this model rotates: {attends.sentence or 'engines differ in rotations alone'}")
    return tuple(found)


def checked_length(length: Any) -> int:
    """The length in tokens; TypeError or ValueError with one sentence unless an integer from 1 to 10^8."""
    checked = check_length(length, "length")
    if checked > LONGEST:
        raise ValueError(f"length must be at most {LONGEST:,} tokens, got {shortened(checked)}")
    return checked


class RefusedError(ValueError):
    """The engine stops with an error, which the sentence quotes."""


class UnknownError(ValueError):
    """Nobody has read what the engine computes; the sentence says what was not read."""


_ABSENT = {
    "exllamav3": "AssertionError: Unknown architecture {} in config.json",
    "mlx-lm": "ValueError: Model type {} not supported.",
    "llama.cpp": "Model {} is not supported",
}
"""The errors of engines for models that are not on their lists (model/config.py, utils.py, convert_hf_to_gguf.py)."""


def class_of(engine: str, question: Question) -> ClassFacts:
    """The facts of the engine's class for the model, Llama's for a file that names no model.

    RefusedError where the engine has no class for it, UnknownError where its class was not read.
    """
    architecture, own = question.architecture, question.values.model_type
    if not architecture and not own:
        architecture, own = GENERIC, "llama"
    facts, whole = facts_of(engine), question.whole_type or own
    if engine == "mlx-lm":  # the model_type of the whole decides
        if not whole:
            raise RefusedError("KeyError: 'model_type'")
        named = facts.names.get(whole, whole)
        found = facts.classes.get(named)
        if found is not None and not found.own:
            found = facts.classes.get(facts.names.get(own, own), found)
        is_listed = found is not None or named in facts.others
    else:
        named = architecture
        inner = architecture_of(own, question.given.get("architectures"))
        is_listed = architecture in facts.architectures or not question.is_named
        named = inner if engine == "llama.cpp" and question.given.get("architectures") else architecture
        found = class_facts(engine, named, own) or (class_facts(engine, inner, own) if is_listed else None)
    if found is not None:
        return found
    if named in facts.names and engine == "vllm":
        told = f"was supported in vLLM until v{facts.names[named]}, and is not supported anymore"
        raise RefusedError(f"ValueError: Model architecture {named} {told}")
    if engine in _ABSENT and named and named not in facts.architectures and not (engine == "mlx-lm" and is_listed):
        raise RefusedError(_ABSENT[engine].format(shortened(named).strip("'")))
    raise UnknownError(f"no class for {shortened(named or own)} was read in {engine} {version_of(engine)}")
