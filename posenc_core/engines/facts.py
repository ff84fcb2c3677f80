"""Facts about the model classes of engines, read from their released packages by ``tools/read_engine_facts.py``."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct


class ClassFacts(Struct, frozen=True):
    """What an engine's class for a model decides, as ``tools/read_engine_facts.py`` lists it; None is not known."""

    layout: str | None = None
    latent: bool = False
    labels: bool = False
    share: str = ""
    spelling: str | None = None
    scaled: str = "all"
    base: float | None = None
    default_share: float | None = 1.0
    arch: str = ""
    factors: bool = False
    lists: bool = False
    own: bool = True


class EngineFacts(Struct, frozen=True):
    """The version that was read, the classes by name, and the names by architecture or ``model_type``."""

    version: str
    architectures: Mapping[str, str] = msgspec.field(default_factory=dict)
    names: Mapping[str, str] = msgspec.field(default_factory=dict)
    classes: Mapping[str, ClassFacts] = msgspec.field(default_factory=dict)


class Facts(Struct, frozen=True):
    """The day on which the packages were read, and the engines by name."""

    read: str
    engines: Mapping[str, EngineFacts]


@lru_cache(maxsize=1)
def all_facts() -> Facts:
    """All facts, read from the file once."""
    return msgspec.json.decode(Path(__file__).with_name("facts.json").read_bytes(), type=Facts)


def facts_of(engine: str) -> EngineFacts:
    """The facts of an engine; KeyError for one without a package."""
    return all_facts().engines[engine]


def version_of(engine: str) -> str:
    """The version that an answer is about, in words; llama.cpp's is that of the package that it was read in."""
    if engine not in all_facts().engines:
        return "of an unknown version"
    return f"{'of llama-cpp-python ' if engine == 'llama.cpp' else ''}{facts_of(engine).version}"


def architecture_of(model_type: str, given: object) -> str:
    """The architecture that a file names, else that of its ``model_type`` in transformers; empty if neither does."""
    if isinstance(given, list) and given and isinstance(given[0], str):
        return given[0]
    return facts_of("transformers").names.get(model_type, "")


def class_facts(engine: str, architecture: str, model_type: str) -> ClassFacts | None:
    """The facts of the class that the engine has for the model; None where it has none, or none that was read."""
    found = facts_of(engine)
    name = found.architectures.get(architecture) or found.names.get(model_type, model_type)
    return found.classes.get(architecture) or found.classes.get(name)


GENERIC = "LlamaForCausalLM"
"""The class that stands for a file that names neither an architecture nor a ``model_type``."""
