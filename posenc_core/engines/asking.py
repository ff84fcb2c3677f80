"""The engines by name, their settings, and the answer of each to a question."""

import math
from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import replace

from posenc_core.engines.advice import FLAGS
from posenc_core.engines.answers.exllamav3 import exllamav3
from posenc_core.engines.answers.llama_cpp import llama_cpp
from posenc_core.engines.answers.mlx_lm import mlx_lm
from posenc_core.engines.answers.sglang import sglang
from posenc_core.engines.answers.tensorrt_llm import tensorrt_llm
from posenc_core.engines.answers.transformers import transformers
from posenc_core.engines.answers.vllm import vllm
from posenc_core.engines.facts import version_of
from posenc_core.engines.question import LONGEST, Question, RefusedError, Settings, UnknownError
from posenc_core.engines.results import READ, EngineResult, Source
from posenc_core.engines.windows import within
from posenc_core.fields import shortened

Engine = Callable[[Question], EngineResult]

ENGINES: dict[str, Engine] = {
    "transformers": transformers,
    "vllm": vllm,
    "sglang": sglang,
    "mlx-lm": mlx_lm,
    "exllamav3": exllamav3,
    "llama.cpp": llama_cpp,
    "tensorrt-llm": tensorrt_llm,
}
"""The function of each engine, by the engine's name; the others are compared with the first."""

SETTINGS = {
    "vllm": ("max_model_len",),
    "sglang": ("context_length",),
    "exllamav3": ("cache_size",),
    "llama.cpp": ("ctx_size", *FLAGS, "attn_factor"),
    "tensorrt-llm": ("max_seq_len",),
}
"""The names of each engine's own settings; by default lengths are the requested one."""

LENGTHS = {"max_model_len", "context_length", "cache_size", "ctx_size", "max_seq_len", "yarn_orig_ctx"}
"""The settings that are lengths in tokens."""


def checked_names(names: Iterable[str] | None) -> tuple[str, ...]:
    """The names of engines; ValueError with one sentence for an unknown one."""
    listed = tuple(ENGINES if names is None else names)
    for name in listed:
        if name not in ENGINES:
            raise ValueError(f"there is no engine {shortened(name)}; the engines are {', '.join(ENGINES)}")
    return listed


def check_settings(given: Mapping[str, Settings]) -> None:
    """ValueError with one sentence for a setting that the engine does not have, or that is no such number."""
    for engine in checked_names(given):
        known = SETTINGS.get(engine, ())
        for name, value in given[engine].items():
            if name not in known:
                raise ValueError(f"{engine} has no setting {shortened(name)}; it has {', '.join(known) or 'none'}")
            if name == "rope_scaling":
                if value not in ("none", "linear", "yarn"):
                    raise ValueError(f"{name} of {engine} must be none, linear or yarn, got {shortened(value)}")
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
                raise ValueError(f"{name} of {engine} must be a number above 0, got {shortened(value)}")
            if name in LENGTHS and not (isinstance(value, int) and value <= LONGEST):
                told = f"a whole number of tokens from 1 to {LONGEST:,}"
                raise ValueError(f"{name} of {engine} must be {told}, got {shortened(value)}")


def answer(name: str, question: Question) -> EngineResult:
    """The engine's computation; its refusal, or the gap in the facts, as a sentence."""
    try:
        return with_notes(name, question, ENGINES[name](question))
    except RefusedError as error:
        return EngineResult(source=package_of(name), mark=READ, refuses=str(error))
    except UnknownError as error:
        return EngineResult(source=package_of(name), mark="", unknown=str(error))
    except ValueError as error:  # a value that no encoding of this program has
        return EngineResult(source=package_of(name), mark="", unknown=f"its numbers cannot be shown: {error}")
    except (TypeError, ArithmeticError):
        told = "a key that it reads has a value of the wrong type, or the computation has no result"
        return EngineResult(source=package_of(name), mark="", unknown=f"its numbers cannot be shown: {told}")


def package_of(name: str) -> Source:
    """The engine's package as a whole, for an answer without decisive lines."""
    return Source(name, version_of(name), "", "")


_BY_ARCHITECTURE = ENGINES.keys() - {"transformers", "mlx-lm"}

_MAY_REMAP = ("vllm", "sglang", "tensorrt-llm")
"""The engines whose sources have the key of dual chunk attention, or were not searched for it."""


def with_notes(engine: str, question: Question, found: EngineResult) -> EngineResult:
    """The answer, with notes on a missing architecture, on a window that was not read, and on remapped distances."""
    told, architecture = list[str](), question.architecture
    if engine in _BY_ARCHITECTURE and architecture and not question.is_named:
        told.append(f"the file names no architecture: {architecture}, that of its model_type, is taken")
    if not found.window_read:
        own = within(question.window, question.length)
        has = "has none" if own is None else f"has {own:,} tokens"
        told.append(f"its window was not read; the model's class {has}")
    if question.given.get("dual_chunk_attention_config") is not None:
        what = "whether it remaps distances as the model does was not read"
        if engine not in _MAY_REMAP:
            what = f"{found.source.project} does not read it, and no distance is remapped as in the model"
        told.append(f"dual_chunk_attention_config: {what}")
    return replace(found, notes=(*found.notes, *told))
