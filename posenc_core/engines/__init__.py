"""Engines and their computation for a model: transformers, vLLM, SGLang, mlx-lm, exllamav3, llama.cpp and TensorRT-LLM.

Each engine is a function of a question (the configuration as read, a kind of its layers, a length, the engine's own
settings) to the engine's computation, with the decisive lines of its source. Unknown results are marked as unknown.
"""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_core.engines.asking import ENGINES
    from posenc_core.engines.comparing import compare_engines
    from posenc_core.engines.facts import all_facts
    from posenc_core.engines.question import Question, questions_of
    from posenc_core.engines.results import DIFFERENT, SAME, SAME_ANGLES, EngineRow, EngineTable, Source
else:
    __getattr__ = on_demand(__name__)
