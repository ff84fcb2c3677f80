"""The arithmetic of llama.cpp for the keys of a GGUF file, ported line by line.

From llama-cpp-python 0.3.36: src/llama-model.cpp (``load_hparams``), src/llama-context.cpp (the constructor), each
architecture's ``load_arch_hparams`` and graph in src/models, and ggml's ``rope_yarn`` and ``ggml_rope_yarn_corr_dims``.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

FULL = (
    "llama", "qwen2", "qwen3", "phi3", "deepseek2", "deepseek32", "mistral3", "grok", "gptneox", "falcon", "stablelm",
    "glm4", "command-r", "glm-dsa", "hunyuan-dense",
)  # fmt: skip
BOTH = (
    "exaone-moe", "exaone4", "llama4", "gpt-oss", "afmoe", "cohere2", "gemma2", "smallthinker", "maple", "spark2_5",
    "cohere2moe",
)  # fmt: skip
"""Sliding layers start from the base and the factor of the others: ``rope_freq_base_train_swa = ...train``."""

BASE_ALONE = ("olmo2", "muse-glimmer", "laguna", "mellum")
NEITHER = ("gemma3", "gemma3n", "gemma-embedding", "gemma4", "mimo2", "modern-bert", "plamo3", "step35")
GRAPH_HAS_ONE_BASE = ("cohere2moe", "exaone-moe", "exaone4", "olmo2", "mellum")
GRAPH_HAS_PLAIN_SLIDING = ("olmo2", "laguna", "mellum")


class StopsError(Exception):
    """llama.cpp ends with an error."""


def rope(arch: str, keys: Mapping[str, Any], slides: bool) -> tuple[Any, float]:
    """Frequencies in rad per token, and the amplitude of cosines and sines."""
    base, kind = keys.get("rope.freq_base", 10000.0), keys.get("rope.scaling.type", "linear")
    ropescale = keys.get("rope.scaling.factor", keys.get("rope.scale_linear", 0.0))
    train = scale = 1.0 if ropescale == 0 else 1 / ropescale
    original = keys.get("rope.scaling.original_context_length", keys["context_length"])
    width = keys.get("attention.key_length", keys["embedding_length"] // keys["attention.head_count"])
    n_rot = keys.get("rope.dimension_count", width)
    if kind not in ("none", "linear", "yarn", "longrope"):
        raise StopsError(kind)
    if arch in ("llama", "deci", "falcon", "llama-embed") and n_rot != width:
        raise StopsError(n_rot)
    ext, attn, fast, slow, log_mul = -1.0, 1.0, 32.0, 1.0, 0.0
    names = ("ext_factor", "attn_factor", "beta_fast", "beta_slow")
    yarn = {key: keys.get(f"rope.scaling.yarn_{key}") for key in names}
    if arch == "grok":
        usual = {"ext_factor": -1.0, "attn_factor": 1.0, "beta_fast": 8.0, "beta_slow": 1.0}
        ext, attn, fast, slow = (usual[key] if yarn[key] is None else yarn[key] for key in usual)
    if arch == "mistral3":
        fast, slow = yarn["beta_fast"] or fast, yarn["beta_slow"] or slow
    if arch in ("deepseek2", "deepseek32", "mistral3"):
        log_mul = keys.get("rope.scaling.yarn_log_multiplier", 0.0) / (1 if arch == "mistral3" else 0.1)
    scale = 1.0 if kind == "none" else scale
    ext = float(kind == "yarn") if ext < 0 else ext
    if ext != 0:
        mscale = log_mul if arch == "deepseek2" and log_mul not in (0, 1) else 1.0
        attn = magnitude(1 / scale, mscale) / (magnitude(1 / scale, log_mul) if log_mul else 1)
        attn /= 1 + 0.1 * math.log(1 / scale)
    attn *= keys.get("rope.scaling.attn_factor", 1.0)
    if slides:
        own = keys.get("rope.freq_base_swa", 10000.0 if arch in NEITHER else base)
        base = base if arch in GRAPH_HAS_ONE_BASE else own
        if arch not in BOTH:
            scale = 1.0
        elif arch not in GRAPH_HAS_ONE_BASE:
            scale = train
        if arch in GRAPH_HAS_PLAIN_SLIDING:
            ext, attn = 0.0, 1.0
    elif arch == "step35":
        n_rot //= 2
    return rope_yarn(n_rot, base, scale, original, (fast, slow), ext, attn)


def magnitude(scale: float, mscale: float) -> float:
    return 1.0 if scale <= 1 else 0.1 * mscale * math.log(scale) + 1


def rope_yarn(
    n_rot: int, base: float, scale: float, original: int, betas: tuple[float, float], ext: float, attn: float
) -> tuple[Any, float]:
    pairs = np.arange(n_rot // 2)
    extrap = base ** (-2 * pairs / n_rot)
    theta = scale * extrap
    if ext != 0:
        start, end = (n_rot * math.log(original / (beta * 2 * math.pi)) / (2 * math.log(base)) for beta in betas)
        low, high = max(0, math.floor(start)), min(n_rot - 1, math.ceil(end))
        mix = (1 - np.clip((pairs - low) / max(0.001, high - low), 0, 1)) * ext
        theta, attn = theta * (1 - mix) + extrap * mix, attn * (1 + 0.1 * math.log(1 / scale))
    return theta, attn
