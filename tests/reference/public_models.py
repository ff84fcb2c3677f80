"""Configurations of public models as in their config.json, and the resulting rotations in transformers."""

import json
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from transformers import CONFIG_MAPPING
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

_FILE = Path(__file__).parent.parent / "data" / "rope.json"
_ROWS = {row["name"]: row for row in json.loads(_FILE.read_text(encoding="utf-8"))["rope_configs"]}


@dataclass(frozen=True)
class PublicModel:
    """A configuration, the family of models it belongs to, and the length and kind of layer that are asked for."""

    name: str
    model_type: str
    config: dict[str, Any]
    seq_len: int | None = None
    layer_type: str | None = None

    def theirs(self) -> tuple[torch.Tensor, float]:
        """Frequencies and attention factor from transformers, by the model's own configuration class."""
        config = CONFIG_MAPPING[self.model_type](**json.loads(json.dumps(self.config)))
        config.standardize_rope_params()
        if config.is_heterogeneous:  # Gemma 4: its kinds of layers differ in the width of their heads
            config = config.per_layer_config[self.layer_type]
        layer = {} if self.layer_type is None else {"layer_type": self.layer_type}
        kind = (config.rope_parameters[self.layer_type] if layer else config.rope_parameters)["rope_type"]
        if kind == "default":
            frequencies, factor = _rotary_class(self.model_type).compute_default_rope_parameters(config, **layer)
        else:
            frequencies, factor = ROPE_INIT_FUNCTIONS[kind](config, seq_len=self.seq_len, **layer)
        return frequencies, float(factor)


def _rotary_class(model_type: str) -> Any:
    """The class of the model's rotary embedding."""
    folder = model_type.removesuffix("_text")
    module = import_module(f"transformers.models.{folder}.modeling_{folder}")
    (found,) = [
        value
        for name, value in vars(module).items()
        if name.endswith("RotaryEmbedding") and value.__module__ == module.__name__ and "Vision" not in name
    ]
    return found


def _row(name: str, model_type: str, layer_type: str | None = None) -> PublicModel:
    row = _ROWS[name]
    return PublicModel(name, model_type, row["config_old"], row.get("seq_len"), layer_type)


def _changed(name: str, like: str, model_type: str, seq_len: int | None = None, **keys: Any) -> PublicModel:
    return PublicModel(name, model_type, {**_ROWS[like]["config_old"], **keys}, seq_len)


def _scaled(like: str, **keys: Any) -> dict[str, Any]:
    return {**_ROWS[like]["config_old"]["rope_scaling"], **keys}


MODELS = (
    _row("llama2_7b", "llama"),
    _row("llama2_7b_linear4", "llama"),
    _row("llama2_7b_dynamic2_seqNone", "llama"),
    _row("llama2_7b_dynamic2_seq4096", "llama"),
    _row("llama2_7b_dynamic2_seq8192", "llama"),
    _row("internlm2_chat_20b_dynamic3_seq65536", "llama"),
    _row("yarn_llama2_7b_64k", "llama"),
    _changed(
        "yarn_llama2_13b_128k",
        "yarn_llama2_7b_64k",
        "llama",
        hidden_size=5120,
        num_attention_heads=40,
        num_key_value_heads=40,
        max_position_embeddings=131072,
        rope_scaling=_scaled("yarn_llama2_7b_64k", factor=32.0),
    ),
    _row("llama3.1_8b", "llama"),
    _changed(
        "llama3.2_1b",
        "llama3.1_8b",
        "llama",
        hidden_size=2048,
        head_dim=64,
        rope_scaling=_scaled("llama3.1_8b", factor=32.0),
    ),
    _row("codellama_7b", "llama"),
    _changed(
        "yi_34b_200k",
        "codellama_7b",
        "llama",
        hidden_size=7168,
        num_attention_heads=56,
        num_key_value_heads=8,
        rope_theta=5000000.0,
        max_position_embeddings=200000,
    ),
    _row("mistral_7b_v0.1", "mistral"),
    _row("mistral_7b_v0.3", "mistral"),
    _row("qwen2.5_7b_instruct", "qwen2"),
    _row("qwen2.5_7b_1m", "qwen2"),
    _changed(
        "qwen2.5_7b_yarn4",
        "qwen2.5_7b_instruct",
        "qwen2",
        rope_scaling={"factor": 4.0, "original_max_position_embeddings": 32768, "type": "yarn"},
    ),
    _row("phi3_mini_128k_short", "phi3"),
    _changed("phi3_mini_128k_long", "phi3_mini_128k_short", "phi3", 8192),
    _row("deepseek_v3_r1", "deepseek_v3"),
    _changed(
        "deepseek_coder_v2_lite",
        "deepseek_v3_r1",
        "deepseek_v3",
        hidden_size=2048,
        num_attention_heads=16,
        num_key_value_heads=16,
        rope_scaling=_scaled("deepseek_v3_r1", mscale=0.707, mscale_all_dim=0.707),
    ),
    PublicModel(
        "gpt_oss_20b",
        "gpt_oss",
        {
            "hidden_size": 2880,
            "num_attention_heads": 64,
            "num_key_value_heads": 8,
            "head_dim": 64,
            "max_position_embeddings": 131072,
            "rope_theta": 150000,
            "rope_scaling": {
                "rope_type": "yarn",
                "factor": 32.0,
                "beta_fast": 32.0,
                "beta_slow": 1.0,
                "truncate": False,
                "original_max_position_embeddings": 4096,
            },
        },
    ),
    _row("gemma2_9b", "gemma2"),
    _row("gemma3_12b_global", "gemma3_text", "full_attention"),
    _row("gemma3_12b_global", "gemma3_text", "sliding_attention"),
    _row("gemma4_default_full", "gemma4_text", "full_attention"),
    _row("gemma4_default_sliding", "gemma4_text", "sliding_attention"),
    _row("pythia_6.9b", "gpt_neox"),
    _changed(
        "gpt_neox_20b",
        "pythia_6.9b",
        "gpt_neox",
        hidden_size=6144,
        num_attention_heads=64,
    ),
)
"""Section by section of the kinds of scaling; each has the status "verified" in the list it was taken from."""
