"""Facts about the model classes of engines, read from their released packages by ``tools/read_engine_facts.py``."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct


class ClassFacts(Struct, frozen=True):
    """Facts of an engine's class for a model, as ``tools/read_engine_facts.py`` lists them; None is not known."""

    layout: str | None = None
    latent: bool = False
    labels: bool = False
    share: str = ""
    spelling: str | None = None
    scaled: str = "all"
    beside: bool = False
    window: str | None = None
    needs: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    base: float | None = None
    longest: int | None = 0
    width: int | None = None
    default_share: float | None = 1.0
    arch: str = ""
    factors: bool = False
    lists: bool = False
    weighted: bool = False
    own: bool = True


class EngineFacts(Struct, frozen=True):
    """The version that was read, the classes by name, and the names by architecture or ``model_type``.

    Of transformers, ``names`` are the architectures of text models, ``architectures`` those of models with pictures.
    """

    version: str
    others: tuple[str, ...] = ()
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
    """The version of an answer, in words; for llama.cpp that of the package in which it was read."""
    if engine not in all_facts().engines:
        return "of an unknown version"
    return f"{'of llama-cpp-python ' if engine == 'llama.cpp' else ''}{facts_of(engine).version}"


def architecture_of(model_type: str, given: object, whole_type: str = "") -> str:
    """The architecture that a file names, else that of its types; empty if none is known.

    For a type unknown to transformers, the shortest architecture name of the vLLM or SGLang module of that name.
    """
    if isinstance(given, list) and given and isinstance(given[0], str):
        return given[0]
    own = facts_of("transformers")
    if whole_type in own.architectures and whole_type != model_type:
        return own.architectures[whole_type]
    if model_type in own.names:
        return own.names[model_type]
    begin = model_type.replace("_", "")
    pairs = (each for engine in ("vllm", "sglang") for each in facts_of(engine).architectures.items())
    named = {name for name, module in pairs if module == model_type and name.lower().startswith(begin)}
    named = {name for name in named if name.endswith(("ForCausalLM", "LMHeadModel"))}
    return min(named, key=len, default="")


def class_facts(engine: str, architecture: str, model_type: str) -> ClassFacts | None:
    """The facts of the engine's class for the model; None without such a class, or if it was not read."""
    found = facts_of(engine)
    name = found.architectures.get(architecture) or found.names.get(model_type, model_type)
    return found.classes.get(architecture) or found.classes.get(name)


def module_of(engine: str, architecture: str, model_type: str) -> str:
    """The name of the module with the engine's class for the model."""
    return facts_of(engine).architectures.get(architecture, model_type)


GENERIC = "LlamaForCausalLM"
"""The class for a file that names neither an architecture nor a ``model_type``."""
