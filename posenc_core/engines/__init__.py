"""Engines and their computation for a model: transformers, vLLM, SGLang, mlx-lm, exllamav3, llama.cpp and TensorRT-LLM.

Each engine is a function of a question (the configuration as read, a kind of its layers, a length, the engine's own
settings) to what it computes there, with the lines of its source that decide. What is not known is said to be so.
"""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_core.engines.comparing import ENGINES, compare_engines
    from posenc_core.engines.facts import all_facts
    from posenc_core.engines.question import Question, questions_of
    from posenc_core.engines.rules import DIFFERENT, REFUSES, SAME, EngineResult, EngineRow, EngineTable, Source
else:
    __getattr__ = on_demand(__name__)
