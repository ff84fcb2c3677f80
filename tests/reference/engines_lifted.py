"""Rotations computed by the source of each installed engine for a configuration of Llama."""

import ast
import dataclasses
import math
import typing
from collections.abc import Callable, Mapping
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from lifted import TYPES, Table, Theirs, lift, package, torch_result, torch_space
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from posenc_core.engines import Question

_YARN = ("yarn_find_correction_dim", "yarn_find_correction_range", "yarn_linear_ramp_mask", "yarn_get_mscale",
         "yarn_get_mscale_simple")  # fmt: skip


def vllm(question: Question) -> Theirs:
    space = vllm_space()
    space["_ROPE_DICT"].clear()
    space["torch"].angles.clear()
    length = SimpleNamespace(model_config=SimpleNamespace(max_model_len=question.length))
    space["get_current_vllm_config"] = lambda: length
    given = {**question.rope.parameters, "rope_theta": question.rope.rope_theta, "rope_type": question.rope.rope_type}
    if given["rope_type"] == "yarn":
        given.setdefault("original_max_position_embeddings", question.longest)
    made = space["get_rope"](question.rotation.head_dim, question.longest, True, given, torch.float64)
    long = getattr(made, "use_long_rope", True)
    return torch_result(space, made, -1 if long else 0)


@cache
def vllm_space() -> dict[str, Any]:
    folder = package("vllm") / "model_executor" / "layers" / "rotary_embedding"
    space = torch_space()
    lift(folder / "common.py", dict.fromkeys(_YARN), space)
    lift(folder / "base.py", {"RotaryEmbeddingBase": "Table"}, space)
    space["RotaryEmbedding"] = type("RotaryEmbedding", (space["RotaryEmbeddingBase"],), {"__init__": _table_init})
    for file, name in (
        ("yarn_scaling_rope", "YaRNScalingRotaryEmbedding"),
        ("linear_scaling_rope", "LinearScalingRotaryEmbedding"),
        ("llama3_rope", "Llama3RotaryEmbedding"),
        ("dynamic_ntk_scaling_rope", "DynamicNTKScalingRotaryEmbedding"),
        ("dynamic_ntk_alpha_rope", "DynamicNTKAlphaRotaryEmbedding"),
    ):
        lift(folder / f"{file}.py", {name: "RotaryEmbedding"}, space)
    lift(folder / "phi3_long_rope_scaled_rope.py", {"Phi3LongRoPEScaledRotaryEmbedding": "Plain"}, space)
    lift(folder / "__init__.py", {"get_rope": None}, space)
    return space


def sglang(question: Question) -> Theirs:
    space = sglang_space()
    space["_ROPE_DICT"].clear()
    space["torch"].angles.clear()
    given = {**question.rope.parameters, "rope_type": question.rope.rope_type}
    head, share = question.rotation.head_dim, question.given.get("partial_rotary_factor", 1)
    beside = question.given.get("original_max_position_embeddings")
    if beside:
        given["original_max_position_embeddings"] = beside
    made = space["get_rope"](
        head, int(share * head), question.longest, question.rope.rope_theta, True, given, torch.float64
    )
    k = getattr(made, "original_max_position_embeddings", 0)
    is_long = not hasattr(made, "long_mscale") or question.length - 1 > k
    return torch_result(space, made, -1 if is_long else 0)


@cache
def sglang_space() -> dict[str, Any]:
    folder = package("sglang") / "srt" / "layers" / "rotary_embedding"
    space = torch_space(_get_live_rope_cache_entry=lambda key: None)
    lift(folder / "yarn.py", dict.fromkeys(_YARN), space)
    lift(folder / "base.py", {"RotaryEmbedding": "Table"}, space)
    made = space["RotaryEmbedding"]
    space["RotaryEmbedding"] = type("RotaryEmbedding", (made,), {"__init__": _table_init})
    lift(folder / "yarn.py", {"YaRNScalingRotaryEmbedding": "RotaryEmbedding"}, space)
    lift(folder / "base.py", {"LinearScalingRotaryEmbedding": "RotaryEmbedding"}, space)
    names = ("Llama3RotaryEmbedding", "DynamicNTKScalingRotaryEmbedding", "DynamicNTKAlphaRotaryEmbedding")
    lift(folder / "rope_variant.py", dict.fromkeys(names, "RotaryEmbedding"), space)
    lift(folder / "rope_variant.py", {"Phi3LongRoPEScaledRotaryEmbedding": "Plain"}, space)
    lift(folder / "factory.py", {"_get_rope_param": None, "get_rope": None}, space)
    return space


def _table_init(self: Any, *arguments: Any, **more: Any) -> None:
    Table.__init__(self, *arguments, **more)


def mlx_lm(question: Question) -> Theirs:
    space = _mlx()
    given = question.given
    made = space["initialize_rope"](
        question.rotation.head_dim,
        given.get("rope_theta", 10000),
        False,
        given.get("rope_scaling"),
        given.get("max_position_embeddings"),
    )
    if hasattr(made, "scale"):  # nn.RoPE
        plain = made.base ** (-np.arange(0, made.dims, 2) / made.dims)
        return Theirs(plain * made.scale)
    if not hasattr(made, "_freqs"):
        called = dict[str, Any]()
        space["mx"].fast.rope = lambda *_, **more: called.update(more)
        made(np.zeros((1, 1, question.length, 1)))
        return Theirs(called["base"] ** (-np.arange(0, made.dims, 2) / made.dims))
    return Theirs(1 / made._freqs, getattr(made, "mscale", getattr(made, "_scale", 1.0)))


@cache
def _mlx() -> dict[str, Any]:
    numpy = SimpleNamespace(**{name: getattr(np, name) for name in (
        "arange", "where", "clip", "concatenate", "full", "inf", "pi", "array", "float64")})  # fmt: skip
    numpy.fast = SimpleNamespace()

    class RoPE:
        def __init__(self, dims: int, traditional: bool, base: float, scale: float = 1.0) -> None:
            self.dims, self.base, self.scale = dims, base, scale

    module = type("Module", (), {})
    space = {"mx": numpy, "math": math, "nn": SimpleNamespace(Module=module, RoPE=RoPE)}
    space |= {name: getattr(typing, name) for name in TYPES}
    names = ("SuScaledRoPE", "Llama3RoPE", "YarnRoPE", "ProportionalRoPE", "DynamicNTKScalingRoPE", "initialize_rope")
    lift(package("mlx_lm") / "models" / "rope_utils.py", dict.fromkeys(names), space)
    return space


def exllamav3(question: Question) -> Theirs:
    space = _exllama()
    own = SimpleNamespace(config_dict=question.given, head_dim=question.rotation.head_dim)
    settings = space["read_rope_settings_default"](own, space["RopeStyle"].NEOX)
    settings.override_max_position_embeddings = question.length if question.values.model_type == "phi3" else None
    made = space["RoPE"]("cpu", settings)
    return Theirs(made.inv_freq.numpy(), float(made.attn_factor))


@cache
def _exllama() -> dict[str, Any]:
    folder = package("exllamav3")
    space = torch_space(dataclass=dataclasses.dataclass, cast=lambda kind, value: value, T=Any, no_default=object())
    space["RopeStyle"] = SimpleNamespace(NEOX=2, GPTJ=1, NONE=0)
    lift(folder / "util" / "file.py", {"read_dict": None}, space)
    names = ("RopeSettings", "yarn_get_mscale", "yarn_inv_freq", "RoPE")
    space["RopeStyle"] = type("RopeStyle", (), {"NEOX": 2, "GPTJ": 1, "NONE": 0})
    lift(folder / "util" / "rope.py", dict.fromkeys(names), space)
    _lift_method(folder / "model" / "config.py", "read_rope_settings_default", space)
    return space


def _lift_method(path: Any, name: str, space: dict[str, Any]) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    node = next(each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each.name == name)
    exec(compile(ast.Module([node], []), str(path), "exec"), space)  # the engine's own lines


def transformers(question: Question) -> Theirs:
    config = LlamaConfig(**{key: each for key, each in question.given.items() if key != "model_type"})
    kind = config.rope_parameters["rope_type"]
    if kind == "default":
        plain = config.rope_parameters["rope_theta"] ** (-np.arange(0, config.head_dim, 2) / config.head_dim)
        return Theirs(plain)
    frequencies, factor = _transformers()[ROPE_INIT_FUNCTIONS[kind].__name__](config, "cpu", seq_len=question.length)
    return Theirs(frequencies.numpy(), factor)


@cache
def _transformers() -> dict[str, Any]:
    space = torch_space()
    file = package("transformers") / "modeling_rope_utils.py"
    lift(file, dict.fromkeys(each.__name__ for each in ROPE_INIT_FUNCTIONS.values()), space)
    return space


ENGINES: Mapping[str, tuple[str, Callable[[Question], Theirs]]] = {
    "transformers": ("transformers", transformers),
    "vllm": ("vllm", vllm),
    "sglang": ("sglang", sglang),
    "mlx-lm": ("mlx_lm", mlx_lm),
    "exllamav3": ("exllamav3", exllamav3),
}
INSTALLED = {name: run for name, (module, run) in ENGINES.items() if package(module) is not None}
