"""The models of transformers, built without memory for weights, and what their modules say about positions."""

import importlib
import inspect
import re
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
import transformers
from torch import nn
from transformers import CONFIG_MAPPING, PreTrainedModel

LIBRARY = Path(transformers.__file__).parent

_TRIES: tuple[dict[str, Any], ...] = ({"num_hidden_layers": 4}, {}, {"vocab_size": 32})
_SWITCHES: tuple[dict[str, Any], ...] = (
    {"position_embedding_type": "rope"},
    {"position_embedding_type": "rotary", "vocab_size": 32, "pad_token_id": 0},
    {"position_embeddings_type": "rotary"},
    {"use_mem_rope": True},
)
_READS = {"pixel_values": "patches", "input_features": "frames", "input_values": "frames", "past_values": "time steps"}
"""Meaning of an input's vectors, by the prefix of its name."""

_PREFERRED = ("Model", "Encoder", "Decoder", "Transformer")
_LEARNED = re.compile(
    r"(^|\.)(wpe|\w*embed_positions|positions?_embed|position_embeds_layer|(char_)?position_embeddings?|pos_embed)"
    r"(\.weight)?$"
)


@dataclass
class Found:
    """Findings on one model_type: classes of rotary angles, all classes of modules, or the other positions.

    ``switch``: the key and value that make it rotate, where it does not by default. ``first_input``: the name
    of the first input of its model.
    """

    source: str
    rotary: list[type[nn.Module]] = field(default_factory=list)
    modules: set[type[nn.Module]] = field(default_factory=set)
    others: str | None = None
    switch: dict[str, Any] | None = None
    first_input: str = ""


def config_classes() -> dict[str, Any]:
    """Every configuration class by its model_type, those of parts of a model too."""
    found = {name: CONFIG_MAPPING[name] for name in CONFIG_MAPPING}
    for path in sorted((LIBRARY / "models").glob("*/configuration_*.py")):
        for value in vars(importlib.import_module(_module_name(path))).values():
            name = getattr(value, "model_type", None)
            if inspect.isclass(value) and value.__module__ == _module_name(path) and name:
                found.setdefault(name, value)
    return found


def found_models(classes: dict[str, Any]) -> dict[str, Found]:
    """Findings on each model_type in its own model, else in a model that it is a part of."""
    models, inside, found = model_classes(), {}, {}
    for name, cls in classes.items():
        candidates = models.get(cls, [])
        model, switch = built(candidates, cls, _TRIES), None
        rotary = _rotary_modules(model, cls.model_type)
        if not rotary and _is_switched(cls):
            with_switch, switch = _switched(candidates, cls)
            rotary = _rotary_modules(with_switch, cls.model_type)
            model = with_switch if rotary else model
        kind, others = switch if rotary else None, _others(model)
        found[name] = Found(_source(candidates, cls), rotary, _types(model), others, kind, _first_input(candidates))
        for part in {module.config.model_type for module in _angles(model)}:
            inside.setdefault(part, Found(found[name].source, _rotary_modules(model, part), _types(model)))
    for name, cls in classes.items():
        if not found[name].rotary:
            part = inside.get(cls.model_type)
            annotated = _annotated(cls)
            if part is not None:
                found[name] = replace(part, first_input=found[name].first_input)
            elif annotated and not found[name].modules:
                found[name] = Found(_file(annotated[0]), annotated, neighbours(annotated))
    return found


def _first_input(models: list[type[PreTrainedModel]]) -> str:
    """The name of the first input of the plainest model class."""
    named = models[0].main_input_name if models else ""
    return named if isinstance(named, str) else named[0]


def reads(name: str, model: Found) -> str:
    """Meaning of the model_type's vectors, empty for tokens.

    The name of the type decides first: some classes name the input of a whole model.
    """
    if "_text" in name:
        return ""
    if "_vision" in name:
        return "patches"
    return next((words for key, words in _READS.items() if model.first_input.startswith(key)), "")


def model_classes() -> dict[Any, list[type[PreTrainedModel]]]:
    """The model classes that take each configuration class, the plainest model first."""
    found: dict[Any, list[type[PreTrainedModel]]] = {}
    for path in sorted((LIBRARY / "models").glob("*/modeling_*.py")):
        try:
            module = importlib.import_module(_module_name(path))
        except ImportError as error:
            print(f"{path.name}: {error}", file=sys.stderr)  # noqa: T201
            continue
        for value in vars(module).values():
            ours = inspect.isclass(value) and value.__module__ == module.__name__ and issubclass(value, PreTrainedModel)
            if ours and not value.__name__.endswith("PreTrainedModel") and value.config_class is not None:
                found.setdefault(value.config_class, []).append(value)
    for models in found.values():
        models.sort(key=lambda model: (not model.__name__.endswith(_PREFERRED), len(model.__name__)))
    return found


def _module_name(path: Path) -> str:
    return f"transformers.models.{path.parent.name}.{path.stem}"


def built(models: list[type[PreTrainedModel]], cls: Any, tries: tuple[dict[str, Any], ...]) -> nn.Module | None:
    """A model without weights of this configuration class, None if no class can be built here."""
    for model in models[:3]:
        for keys in tries:
            try:
                with torch.device("meta"):
                    return model(cls(**keys))
            except Exception:  # noqa: BLE001, S112 - many models need keys or libraries of their own
                continue
    return None


def _is_switched(cls: Any) -> bool:
    return any(getattr(cls, key, "") != "" for switch in _SWITCHES for key in switch if key.startswith(("pos", "use")))


def _switched(models: list[type[PreTrainedModel]], cls: Any) -> tuple[nn.Module | None, dict[str, Any] | None]:
    """A model with the switch that makes it rotate."""
    for switch in _SWITCHES:
        key, value = next(iter(switch.items()))
        if getattr(cls, key, "") != "":
            model = built(models, cls, (switch,))
            if _rotary_modules(model, cls.model_type):
                return model, {key: value}
    return None, None


def _angles(model: nn.Module | None) -> list[nn.Module]:
    """The model's modules that compute rotary angles from a configuration."""
    modules = model.modules() if model is not None else ()
    return [module for module in modules if is_rotary(type(module)) and hasattr(module, "config")]


def _rotary_modules(model: nn.Module | None, model_type: str) -> list[type[nn.Module]]:
    """The classes of the modules that hold the rotary angles of this model_type."""
    found = []
    for module in model.modules() if model is not None else ():
        config = getattr(module, "config", None) or model.config
        if is_rotary(type(module)) and config.model_type == model_type and type(module) not in found:
            found.append(type(module))
    return found


def is_rotary(value: Any) -> bool:
    """Whether this is a class of modules that compute rotary angles."""
    return inspect.isclass(value) and bool(re.search(r"Rot\w+Embedding|RopePositionEmbedding", value.__name__))


def _annotated(cls: Any) -> list[type[nn.Module]]:
    """The classes of rotary angles in the model's file whose configuration is annotated as this class."""
    try:
        module = importlib.import_module(cls.__module__.replace("configuration_", "modeling_"))
    except ImportError:
        return []
    values = [value for value in vars(module).values() if is_rotary(value)]
    return [v for v in values if cls in inspect.get_annotations(v.__init__, eval_str=True).values()]


def neighbours(rotary: list[type[nn.Module]]) -> set[type[nn.Module]]:
    """The classes of modules in the files of these."""
    files = {inspect.getmodule(cls) for cls in rotary}
    return {v for file in files for v in vars(file).values() if inspect.isclass(v) and issubclass(v, nn.Module)}


def _types(model: nn.Module | None) -> set[type[nn.Module]]:
    return {type(module) for module in model.modules()} if model is not None else set()


def _source(models: list[type[PreTrainedModel]], cls: Any) -> str:
    return _file((models or [cls])[0])


def _file(value: Any) -> str:
    """The file of a class, as from the library's folder."""
    return str(Path(inspect.getfile(value)).relative_to(LIBRARY))


def _others(model: nn.Module | None) -> str | None:
    """The kind of positions of a model without rotation, None if nothing in it says so."""
    if model is None:
        return None
    names = [name for name, _ in model.named_parameters()]
    if any(re.search(r"relative_attention_bias|relative_position_bias", name) for name in names):
        return "bias"
    if any("Sinusoidal" in kind.__name__ for kind in _types(model)):
        return "sinusoidal"
    return "learned" if any(_LEARNED.search(name) for name in names if "query" not in name) else None
