"""Rotation of DeepSeek models in vLLM and SGLang: arguments passed by the model classes, and resulting frequencies.

The lines before ``get_rope`` come from ``DeepseekV2MLAAttention`` (vllm/model_executor/models/deepseek_v2.py) and of
``DeepseekV2DecoderLayer`` and ``DeepseekV2AttentionMLA`` (sglang/srt/models/deepseek_v2.py).
"""

from functools import cache
from pathlib import Path
from typing import Any

import torch
from engines_lifted import sglang_space, vllm_space
from lifted import Theirs, lift, package, torch_result
from transformers import DeepseekV3Config

from posenc_core.engines import Question


def vllm(question: Question) -> tuple[Theirs, float]:
    """Frequencies, amplitude, and the factor of the softmax scale."""
    space, given, width = _vllm(), _standardised(question, again=True), question.given["qk_rope_head_dim"]
    softmax = 1.0
    if given["rope_type"] != "default":
        is_llama = given.get("attention_factor") == 1.0
        given["rope_type"] = "deepseek_llama_scaling" if is_llama else "deepseek_yarn"
        if not is_llama:
            softmax = space["magnitude"](given["factor"], float(given.get("mscale_all_dim", False))) ** 2
    return _made(space, width, question.longest, False, given), softmax


def sglang(question: Question) -> tuple[Theirs, float]:
    """Frequencies, amplitude, and the factor of the softmax scale."""
    space, given, width = _sglang(), _standardised(question, again=False), question.given["qk_rope_head_dim"]
    base, scaling, softmax = given["rope_theta"], given if given["rope_type"] != "default" else None, 1.0
    if scaling:
        scaling["rope_type"] = "deepseek_yarn"
        softmax = space["compute_mla_mscale_scaling"](scaling, 1.0)
    return _made(space, width, width, question.longest, base, False, scaling), softmax


def _made(space: dict[str, Any], *arguments: Any) -> Theirs:
    space["_ROPE_DICT"].clear()
    space["torch"].angles.clear()
    return torch_result(space, space["get_rope"](*arguments, torch.float64))


def _standardised(question: Question, *, again: bool) -> dict[str, Any]:
    """The parameters of transformers' configuration class, which vLLM standardises again with all keys in place."""
    config = DeepseekV3Config.from_dict({key: each for key, each in question.given.items() if key != "model_type"})
    if again:
        config.standardize_rope_params()
    return {key: each for key, each in config.rope_parameters.items() if key != "partial_rotary_factor"}


@cache
def _vllm() -> dict[str, Any]:
    file = package("vllm") / "model_executor" / "layers" / "rotary_embedding" / "deepseek_scaling_rope.py"
    return _with_deepseeks(vllm_space(), file, file, "yarn_get_mscale")


@cache
def _sglang() -> dict[str, Any]:
    folder = package("sglang") / "srt"
    file, lines = folder / "layers" / "rotary_embedding" / "rope_variant.py", folder / "configs" / "model_config.py"
    return _with_deepseeks(sglang_space(), file, lines, "yarn_get_mscale", "compute_mla_mscale_scaling")


def _with_deepseeks(space: dict[str, Any], file: Path, lines: Path, *functions: str) -> dict[str, Any]:
    """The space with DeepSeek's class, and with functions of another file that has a magnitude of its own."""
    base = type("Quiet", (space["RotaryEmbedding"],), {"enabled": lambda self: False})
    own = space | {"RotaryEmbedding": base, "Quiet": base}
    lift(lines, dict.fromkeys(functions), own)
    lift(file, {"DeepseekScalingRotaryEmbedding": "Quiet"}, own)
    made = own["DeepseekScalingRotaryEmbedding"]
    space.update({name: own[name] for name in functions[1:]}, magnitude=own[functions[0]])
    space["DeepseekScalingRotaryEmbedding"] = made
    return space


BOTH = {"vllm": vllm, "sglang": sglang}
INSTALLED = {name: run for name, run in BOTH.items() if package(name) is not None}
