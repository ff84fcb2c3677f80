"""Findings on GGUF files, compared with llama.cpp's arithmetic for random headers and for the keys of each case."""

import random
from pathlib import Path

import numpy as np
import pytest
from amounts import some as listed
from gguf_bench import gguf
from llama_cpp_lines import BASE_ALONE, BOTH, FULL, NEITHER, StopsError, rope

from posenc_core import compare_engines

LATENT = ("deepseek2", "deepseek32", "glm-dsa")
LISTED = ("maple", "spark2_5", "gemma4", "mimo2", "step35")
"""Architectures whose files list the layers that slide."""

MAYBE = {
    "rope.freq_base": (0.8, (1e4, 5e5, 1e6)),
    "rope.scaling.type": (0.7, ("yarn", "yarn", "yarn", "linear", "none", "longrope", "dynamic")),
    "rope.scaling.factor": (0.8, (2.0, 4.0, 8.0, 40.0, 1.0)),
    "rope.scale_linear": (0.1, (4.0,)),
    "rope.scaling.original_context_length": (0.6, (2048, 4096, 8192)),
    "rope.scaling.attn_factor": (0.3, (0.5, 1.25)),
    "rope.scaling.yarn_ext_factor": (0.3, (0.0, 0.5, 1.0)),
    "rope.scaling.yarn_attn_factor": (0.3, (0.5, 1.5)),
    "rope.scaling.yarn_beta_fast": (0.3, (16.0, 48.0)),
    "rope.scaling.yarn_beta_slow": (0.3, (1.0, 2.0)),
    "rope.freq_base_swa": (0.3, (1e4, 5e3)),
}


def header(arch: str, **given):
    n_layers = 64 if arch == "exaone4" else 8
    keys = {"block_count": n_layers, "context_length": 8192, "embedding_length": 1024, "attention.head_count": 8}
    if arch not in FULL:
        keys["attention.sliding_window"] = 512
    if arch in LISTED:
        keys["attention.sliding_window_pattern"] = [True, False] * (n_layers // 2)
    if arch in LATENT:
        keys |= {"attention.key_length": 192, "rope.dimension_count": 64}
    return keys | given


def drawn(some: random.Random) -> tuple[str, dict]:
    arch = some.choice((*FULL, *BOTH, *BASE_ALONE, *NEITHER))
    keys = header(arch, context_length=some.choice((4096, 8192, 131072)))
    keys |= {key: some.choice(values) for key, (share, values) in MAYBE.items() if some.random() < share}
    if arch not in LATENT and some.random() < 0.7:
        keys["rope.dimension_count"] = some.choice((128, 128, 64))
    if some.random() < 0.3:
        keys["rope.scaling.yarn_log_multiplier"] = some.choice((1.0, 0.5) if arch == "mistral3" else (0.0707, 0.1))
    return arch, keys


def rows_of(folder: Path, arch: str, keys: dict):
    path = folder / "m.gguf"
    path.write_bytes(gguf({"general.architecture": arch} | {f"{arch}.{key}": each for key, each in keys.items()}))
    return compare_engines(path, engines=["llama.cpp"]).rows


def check(folder: Path, arch: str, keys: dict) -> int:
    """Compare each kind of layer with llama.cpp's arithmetic; how many were not refused."""
    rows = rows_of(folder, arch, keys)
    try:
        found = [rope(arch, keys, row.layer_type == "sliding_attention") for row in rows]
    except StopsError:
        assert [row.verdict for row in rows] == ["refuses"] * len(rows)
        return 0
    for row, (frequencies, amplitude) in zip(rows, found, strict=True):
        rotation = row.computed.encoding.rotation
        np.testing.assert_allclose(rotation.pairs.frequencies, frequencies, rtol=2e-6, err_msg=f"{arch} {keys}")
        assert rotation.attention_factor == pytest.approx(amplitude, rel=2e-6), (arch, keys)
    return len(rows)


@pytest.mark.parametrize("seed", listed(range(12), 0))
def test_drawn_headers(seed: int, tmp_path) -> None:
    some = random.Random(seed)
    assert sum(check(tmp_path, *drawn(some)) for _ in range(60)) > 50


YARN = {"rope.scaling.type": "yarn", "rope.scaling.factor": 4.0, "rope.scaling.original_context_length": 4096}


@pytest.mark.parametrize(
    ("arch", "keys"),
    [
        ("grok", YARN),
        ("grok", {**YARN, "rope.scaling.yarn_ext_factor": 0.0, "rope.scaling.yarn_attn_factor": 1.5}),
        ("grok", {**YARN, "rope.scaling.type": "linear", "rope.scaling.yarn_ext_factor": 1.0}),
        ("gemma3", {"rope.scaling.attn_factor": 0.5}),
        ("gpt-oss", {"rope.scaling.type": "none", "rope.scaling.factor": 2.0}),
        ("olmo2", {**YARN, "rope.freq_base": 5e5, "rope.freq_base_swa": 5e3}),
        ("qwen2", {"rope.scaling.type": "longrope", "rope.scaling.factor": 4.0}),
    ],
)
def test_keys_that_only_some_architectures_read(arch: str, keys: dict, tmp_path) -> None:
    assert check(tmp_path, arch, header(arch, **keys))


@pytest.mark.parametrize(
    ("arch", "keys", "told"),
    [
        ("llama", {"rope.dimension_count": 64}, "invalid n_rot: 64, expected 128"),
        ("qwen2", {"rope.scaling.type": "dynamic"}, "rope.scaling.type is 'dynamic'"),
        ("llama9", {}, "unknown model architecture: 'llama9'"),
    ],
)
def test_files_that_llama_cpp_ends_at(arch: str, keys: dict, told: str, tmp_path) -> None:
    (row,) = rows_of(tmp_path, arch, header(arch, **keys))
    assert row.verdict == "refuses"
    assert told in row.computed.refuses


def test_a_command_line_does_not_replace_the_base_of_sliding_layers(tmp_path) -> None:
    path = tmp_path / "m.gguf"
    keys = header("gpt-oss", **{"rope.freq_base": 150000.0})
    path.write_bytes(gguf({"general.architecture": "gpt-oss"} | {f"gpt-oss.{key}": each for key, each in keys.items()}))
    settings = {"llama.cpp": {"rope_freq_base": 1e6}}
    rows = compare_engines(path, engines=["llama.cpp"], settings=settings).rows
    found = {row.layer_type: row.computed.encoding.rotation.rope_theta for row in rows}
    assert found == {"sliding_attention": 150000.0, "full_attention": 1e6}
