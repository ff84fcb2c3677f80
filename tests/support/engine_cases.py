"""The check rows of engines as questions: a configuration, an engine, a length and settings for each recorded value."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

DATA = Path(__file__).parents[1] / "data"
ROWS = json.loads((DATA / "engines.json").read_text(encoding="utf-8"))["rows"]

Config = dict[str, Any]


class Case(NamedTuple):
    """A recorded value of an engine, and the question that it answers."""

    name: str
    engine: str
    config: Config
    length: int | None
    settings: Mapping[str, Any]
    recorded: Mapping[str, Any]
    layer: int = 0
    loose: bool = False


def public(name: str) -> Config:
    config: Config = json.loads((DATA / "model_configs" / f"{name}.json").read_text(encoding="utf-8"))
    return config


def llama(given: Mapping[str, Any], **more: Any) -> Config:
    """A Llama with the rotary keys of a row, in the older spelling."""
    inner, width = dict(given), given.get("head_dim") or given["rotary_dim"]
    beside = {key: inner.pop(key) for key in ("rope_theta", "partial_rotary_factor") if key in inner}
    longest = inner.pop("max_position_embeddings", None)
    for key in ("head_dim", "rotary_dim"):
        inner.pop(key, None)
    factor, original = inner.get("factor") or 1, inner.get("original_max_position_embeddings", 4096)
    return {
        "model_type": "llama",
        "hidden_size": 32 * width,
        "num_attention_heads": 32,
        "num_hidden_layers": 2,
        "head_dim": width,
        "max_position_embeddings": longest or int(factor * original),
        "rope_scaling": inner,
        **beside,
        **more,
    }


def latent(given: Mapping[str, Any]) -> Config:
    """DeepSeek V3 with the rotary keys of a row."""
    head = {"qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "head_dim": None, "kv_lora_rank": 512}
    return {**llama(given), "model_type": "deepseek_v3", **head}


def llama_with_rope_parameters(rope: Mapping[str, Any]) -> Config:
    config = llama({"head_dim": 128, **rope})
    config["rope_parameters"] = {**config.pop("rope_scaling"), "rope_theta": config.pop("rope_theta")}
    return config


def qwen3_with_both() -> Config:
    scaling = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
    config = llama({"head_dim": 128, "max_position_embeddings": 40960, **scaling})
    return {**config, "model_type": "qwen3", "rope_parameters": {"rope_type": "default", "rope_theta": 1e6}}


def cases() -> Iterator[Case]:
    """A case per engine of each row whose recorded values are frequencies, amplitudes, numbers of pairs or errors."""
    for row in ROWS:
        for label, recorded in row["engines"].items():
            engine = re.match(r"[\w.-]+", label)[0]  # type: ignore[index]
            made = _made(row, label)
            if made is not None:
                config, length, settings = made
                loose = engine == "llama.cpp"
                layer = -1 if "last layer" in row["value"] else 0
                yield Case(f"{row['id']}: {label}", engine, config, length, settings, recorded, layer, loose)


def _made(row: Mapping[str, Any], label: str) -> tuple[Config, int | None, dict[str, Any]] | None:
    """The configuration, the length and the settings of a row's label; None for a row with a test of its own."""
    given, name = row["config"], row["id"]
    length, settings = None, dict[str, Any]()
    if isinstance(given, dict) and "model_type" in given:  # a whole configuration
        return dict(given), None, {}
    if name in ("deepseek-v3-control",) or "deepseek_yarn" in label:
        return latent(given), None, {}
    if name == "dynamic-ntk":
        return _dynamic(given, label)
    if name.startswith("longrope"):
        config = public("phi-3_5")
        if name == "longrope-attention-factor":
            config["rope_scaling"]["attention_factor"] = 1.3
        return config, _phi_length(label, name), settings
    if name == "odd-share":
        return {**llama(given), "model_type": "glm4"}, length, settings
    if name == "v5-file-in-mlx":
        rule = next(each["config"] for each in ROWS if each["id"] == "llama3-control")
        return llama_with_rope_parameters(rule), length, settings
    if name == "both-spellings":
        return qwen3_with_both(), length, settings
    if name == "yarn-attn_factor" and "rope.scaling.attn_factor" in label:
        return llama(given), length, {"attn_factor": 0.5}
    return (llama(given), length, settings) if isinstance(given, dict) else None


def _dynamic(given: Mapping[str, Any], label: str) -> tuple[Config, int, dict[str, Any]]:
    config = llama(given)
    if "max_trained_positions" in label:
        config["rope_scaling"]["max_trained_positions"] = 4096
        config["max_position_embeddings"] = 8192
    return config, 4096 if "4096" in label and "8192" not in label else 8192, {}


def _phi_length(label: str, name: str) -> int:
    if name == "longrope-attention-factor":
        return 131072 if label.startswith(("vllm", "mlx", "exllamav3")) else 4096
    found = re.search(r"(\d+) tokens|max_model_len (\d+)|cache (\d+)", label)
    if found:
        return int(next(each for each in found.groups() if each))
    return {"sglang [run], last position 4097": 4098}.get(label, 131072)
