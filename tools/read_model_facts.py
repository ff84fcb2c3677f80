"""Reads what the model classes of transformers know about positions, and writes it to ``config_rules/facts.json``.

    python tools/read_model_facts.py [FILE]

A ``config.json`` leaves out what its class knows: the order of the rotated columns, the base, the widths and the types
of the layers where no key names them. This script creates every configuration class with its defaults, builds its model
without memory for weights, finds the rotary modules in it, and sends unit vectors through the functions that apply
them. It needs ``pip install -e ".[reference]"`` and two or three minutes. ``tests/reference/test_model_facts.py``
compares every entry with the installed library.
"""

import importlib
import inspect
import json
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
import transformers
from model_fact_fields import defaults, head_dim_from, layer_types, parts
from model_fact_layouts import layout_facts
from torch import nn
from transformers import CONFIG_MAPPING, PreTrainedModel

LIBRARY = Path(transformers.__file__).parent
TARGET = Path(__file__).parents[1] / "posenc_core" / "config_rules" / "facts.json"

Facts = dict[str, Any]

_TRIES: tuple[dict[str, Any], ...] = ({"num_hidden_layers": 4}, {}, {"vocab_size": 32})
_PREFERRED = ("Model", "Encoder", "Decoder", "Transformer")
_LEARNED = re.compile(r"(^|\.)(wpe|\w*embed_positions|positions?_embed\w*|\w*position_embeddings?|pos_embed\w*|pe)$")


def main() -> None:
    """Write the facts of every model_type that has a configuration class with positions known here."""
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.write_text(as_text(all_facts()), encoding="utf-8")


def as_text(facts: dict[str, Facts]) -> str:
    """The JSON of the facts: a line for each model_type, so that a difference between two versions can be read."""
    source = f"transformers {transformers.__version__}, its classes created and called by tools/read_model_facts.py"
    lines = (f"{json.dumps(name)}:{json.dumps(facts[name], separators=(',', ':'))}" for name in sorted(facts))
    return f'{{"source":{json.dumps(source)},"model_types":{{\n' + ",\n".join(lines) + "\n}}\n"


def all_facts() -> dict[str, Facts]:
    """The facts by model_type."""
    models = dict(model_classes())
    facts = {}
    for name, cls in config_classes().items():
        try:
            found = facts_of(cls, models.get(cls, []))
        except Exception as error:  # noqa: BLE001 - a class that cannot be created has no facts
            print(f"{name}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)  # noqa: T201
            continue
        if found:
            facts[name] = found
    return facts


def config_classes() -> dict[str, Any]:
    """Every configuration class by its model_type, those of parts of a model too."""
    found = {}
    for name in CONFIG_MAPPING:
        found[name] = CONFIG_MAPPING[name]
    for path in sorted((LIBRARY / "models").glob("*/configuration_*.py")):
        for value in vars(importlib.import_module(_module_name(path))).values():
            name = getattr(value, "model_type", None)
            if inspect.isclass(value) and value.__module__ == _module_name(path) and name:
                found.setdefault(name, value)
    return found


def model_classes() -> Iterator[tuple[Any, list[type[PreTrainedModel]]]]:
    """Each configuration class with the model classes that take it, the plainest model first."""
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
    for cls, models in found.items():
        yield cls, sorted(models, key=lambda m: (not m.__name__.endswith(_PREFERRED), len(m.__name__)))


def _module_name(path: Path) -> str:
    return f"transformers.models.{path.parent.name}.{path.stem}"


def facts_of(cls: Any, models: list[type[PreTrainedModel]]) -> Facts:
    """What is known of one configuration class, empty where nothing is known of its positions."""
    model = built(cls, models)
    rotary = rotary_classes(cls, model)
    facts: Facts = {"source": source_of(cls, models, rotary)}
    kind = "rotary" if rotary else other_positions(model) if model is not None else None
    if kind:
        facts["positions"] = kind
    if rotary:
        facts |= layout_facts(cls, model, rotary)
    facts |= {"defaults": defaults(cls)}
    for name, value in (
        ("layer_types", layer_types(cls)),
        ("head_dim_from", head_dim_from(cls)),
        ("parts", parts(cls)),
    ):
        if value:
            facts[name] = value
    return facts if kind or "parts" in facts else {}


def built(cls: Any, models: list[type[PreTrainedModel]]) -> nn.Module | None:
    """A model without weights of this configuration, None where no class can be built here."""
    for model in models[:3]:
        for keys in _TRIES:
            try:
                with torch.device("meta"):
                    return model(cls(**keys))
            except Exception:  # noqa: BLE001, S112 - many models need keys or libraries of their own
                continue
    return None


def rotary_classes(cls: Any, model: nn.Module | None) -> list[type[nn.Module]]:
    """The classes of the model's modules that hold the frequencies of this configuration."""
    if model is None:
        module = importlib.import_module(cls.__module__.replace("configuration_", "modeling_"))
        return [value for value in vars(module).values() if is_rotary(value) and config_of(value) is cls]
    found = []
    for value in model.modules():
        config = getattr(value, "config", None) or model.config
        if is_rotary(type(value)) and config.model_type == cls.model_type and type(value) not in found:
            found.append(type(value))
    return found


def is_rotary(value: Any) -> bool:
    """Whether this is a class of modules that compute rotary angles."""
    return inspect.isclass(value) and bool(re.search(r"Rotary\w*Embedding|RopePositionEmbedding", value.__name__))


def config_of(rotary: type[nn.Module]) -> Any:
    """The configuration class that the module is annotated with."""
    return next(iter(inspect.get_annotations(rotary.__init__, eval_str=True).values()), None)


def source_of(cls: Any, models: list[type[PreTrainedModel]], rotary: list[type[nn.Module]]) -> str:
    """The file that the facts are read from, as from the library's folder."""
    owner = (rotary or models or [cls])[0]
    return str(Path(inspect.getfile(owner)).relative_to(LIBRARY))


def other_positions(model: nn.Module) -> str | None:
    """The kind of positions of a model without rotation, None where nothing in it says so."""
    names = [name for name, _ in model.named_modules()] + [name for name, _ in model.named_parameters()]
    kinds = {type(module).__name__ for module in model.modules()}
    if any(re.search(r"relative_attention_bias|relative_position_bias|alibi", name) for name in names):
        return "bias"
    if any("Sinusoidal" in kind for kind in kinds):
        return "sinusoidal"
    if any(_LEARNED.search(name.removesuffix(".weight")) for name in names):
        return "learned"
    return None


if __name__ == "__main__":
    main()
