"""Predicted rows of engines, compared with numbers recorded from the engines."""

import json
import math

import pytest
from cases import each_case
from engine_cases import ROWS, Case, cases, llama, public, qwen3_with_both
from gguf_bench import gguf

from posenc_core import compare_engines

CLOSE, LOOSE = 2e-6, 1e-5
"""Relative: engines compute in float32, and llama.cpp multiplies its angles up pair by pair."""

CASES = list(cases())


def rows_of(config, engine, length=None, **settings):
    return compare_engines(config, length, engines=[engine], settings={engine: settings} if settings else None).rows


@each_case("case", CASES, lambda case: case.name)
def test_recorded_numbers(case: Case) -> None:
    row = rows_of(case.config, case.engine, case.length, **case.settings)[case.layer]
    if "error" in case.recorded:
        assert row.verdict == "refuses"
        assert case.recorded["error"] in row.computed.refuses
        return
    assert row.computed.encoding is not None, row.computed.unknown or row.computed.refuses
    rotation = row.computed.encoding.rotation
    for name, value in case.recorded.items():
        if isinstance(value, str):  # the reason, in words
            continue
        if name == "tokens":
            assert row.computed.window == value
            continue
        close = pytest.approx(value, rel=LOOSE if case.loose else CLOSE)
        if name == "pairs":
            assert rotation.pairs.n_pairs == value
        elif name == "amplitude":
            assert rotation.attention_factor == close
        elif name == "base":
            assert rotation.rope_theta == close
        elif name == "softmax":
            assert rotation.softmax_scale_factor == close
        elif name.startswith("w["):
            assert rotation.pairs.frequencies[int(name[2:-1])] == close


def test_every_row_is_tried() -> None:
    own = {"sglang-longrope-at-L", "mimo-window", "trt-gpt-neox-dim"}
    own |= {"gguf-yarn-keys", "gguf-gemma3-without-freq_base_swa", "gguf-grok-beta-fast", "gguf-unknown-scaling"}
    own |= {"mistral-window"}
    assert {case.name.partition(":")[0] for case in CASES} | own == {row["id"] for row in ROWS}


def test_sglang_reads_row_0_of_the_wrong_table_in_a_text_of_L_plus_1_tokens() -> None:
    """The row sglang-longrope-at-L."""
    (row,) = rows_of(public("phi-3_5"), "sglang", 4097)
    assert row.computed.holes == (4096,)
    assert row.verdict == "different"
    frequencies = row.computed.encoding.rotation.pairs.frequencies
    assert 4095 * frequencies[40] == pytest.approx(0.913813, abs=1e-6)
    (longer,) = rows_of(public("phi-3_5"), "sglang", 4098)
    assert longer.computed.holes == ()
    assert 4097 * longer.computed.encoding.rotation.pairs.frequencies[40] == pytest.approx(0.029681, abs=1e-6)
    (of_class,) = rows_of(public("phi-3_5"), "transformers", 4097)
    assert 4096 * of_class.computed.encoding.rotation.pairs.frequencies[40] == pytest.approx(0.029674, abs=1e-6)


def test_the_window_of_mimo_v2_flash_is_one_token_longer_in_transformers() -> None:
    """The row mimo-window."""
    config = {"model_type": "mimo_v2_flash", "sliding_window": 128, "sliding_window_size": 128}
    config["architectures"] = ["MiMoV2FlashForCausalLM"]
    windows = {
        engine: [row.computed.window for row in rows_of(config, engine) if row.computed.window]
        for engine in ("transformers", "vllm")
    }
    assert windows == {"transformers": [129], "vllm": [128]}


def test_the_window_of_mistral_in_engines_whose_class_has_none() -> None:
    """The row mistral-window."""
    config = {**llama({"head_dim": 128, "rope_theta": 1e4}), "model_type": "mistral", "sliding_window": 4096}
    recorded = next(each for each in ROWS if each["id"] == "mistral-window")["engines"]
    assert len(recorded) == 5
    for label, values in recorded.items():
        (row,) = rows_of({**config, "max_position_embeddings": 32768}, label.partition(" ")[0])
        assert (row.computed.window, row.computed.window_read) == (values["tokens"], True)


def test_tensorrt_takes_gpt_neoxs_base_for_a_number_of_columns() -> None:
    """The row trt-gpt-neox-dim."""
    heads = {"hidden_size": 6144, "num_attention_heads": 64, "num_hidden_layers": 2, "max_position_embeddings": 2048}
    config = {"model_type": "gpt_neox", **heads, "rotary_pct": 0.25, "rotary_emb_base": 10000}
    (theirs,) = rows_of(config, "tensorrt-llm")
    assert theirs.computed.columns == 10000
    assert theirs.verdict == "unknown"
    (ours,) = rows_of(config, "transformers")
    assert ours.computed.columns == 24


def test_llama_cpp_ignores_yarn_keys_of_a_qwen2_file(tmp_path) -> None:
    """The row gguf-yarn-keys: the config beside the file asks for the same YaRN with other keys."""
    scaling = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
    config = {**llama({"head_dim": 128, "rope_theta": 1e6, **scaling}), "model_type": "qwen2"}
    (tmp_path / "config.json").write_text(json.dumps(config))
    keys = {
        "block_count": 2, "context_length": 131072, "embedding_length": 4096, "attention.head_count": 32,
        "rope.freq_base": 1e6, "rope.scaling.type": "yarn", "rope.scaling.factor": 4.0,
        "rope.scaling.original_context_length": 32768, "rope.scaling.yarn_attn_factor": 0.5,
        "rope.scaling.yarn_beta_fast": 16.0, "rope.scaling.yarn_beta_slow": 2.0,
    }  # fmt: skip
    values = {"general.architecture": "qwen2"} | {f"qwen2.{key}": each for key, each in keys.items()}
    path = tmp_path / "model.gguf"
    path.write_bytes(gguf(values))
    (row,) = rows_of(path, "llama.cpp")
    rotation = row.computed.encoding.rotation
    assert rotation.attention_factor == pytest.approx(1.138629436, rel=1e-9)
    slowed = rotation.pairs.unscaled / rotation.pairs.frequencies
    kept, whole = (slowed < 1 + 1e-9).sum(), (slowed > 4 - 1e-9).sum()
    assert (kept, 64 - kept - whole) == (24, 16)
    assert row.verdict == "same"


def test_sliding_layers_of_a_gemma_3_file_have_the_base_10000(tmp_path) -> None:
    """The row gguf-gemma3-without-freq_base_swa."""
    heads = {"hidden_size": 2048, "num_attention_heads": 8, "num_hidden_layers": 6, "head_dim": 256}
    config = {"model_type": "gemma3_text", **heads, "rope_theta": 1e6, "rope_local_base_freq": 5000.0}
    config |= {"rope_scaling": {"rope_type": "linear", "factor": 8.0}, "max_position_embeddings": 131072}
    (tmp_path / "config.json").write_text(json.dumps(config))
    keys = {
        "block_count": 6, "context_length": 131072, "embedding_length": 2048, "attention.head_count": 8,
        "attention.key_length": 256, "attention.sliding_window": 1024, "rope.freq_base": 1e6,
        "rope.scaling.type": "linear", "rope.scaling.factor": 8.0,
    }  # fmt: skip
    values = {"general.architecture": "gemma3"} | {f"gemma3.{key}": each for key, each in keys.items()}
    path = tmp_path / "model.gguf"
    path.write_bytes(gguf(values))
    sliding, full = rows_of(path, "llama.cpp")
    assert sliding.computed.encoding.rotation.rope_theta == 10000
    assert sliding.computed.encoding.rotation.scaling is None
    assert "base 5000, here 10000" in sliding.differences
    assert full.computed.encoding.rotation.rope_theta == 1e6


def test_the_betas_of_a_grok_file_are_its_codes_own(tmp_path) -> None:
    """The rows gguf-grok-beta-fast and gguf-unknown-scaling."""
    keys = {
        "block_count": 2, "context_length": 8192, "embedding_length": 1024, "attention.head_count": 8,
        "rope.scaling.type": "yarn", "rope.scaling.factor": 4.0, "rope.scaling.original_context_length": 4096,
    }  # fmt: skip
    path = tmp_path / "model.gguf"
    path.write_bytes(gguf({"general.architecture": "grok"} | {f"grok.{key}": each for key, each in keys.items()}))
    (row,) = rows_of(path, "llama.cpp")
    assert row.computed.encoding.rotation.scaling.beta_fast == 8
    keys["rope.scaling.type"] = "dynamic"
    path.write_bytes(gguf({"general.architecture": "qwen2"} | {f"qwen2.{key}": each for key, each in keys.items()}))
    (row,) = rows_of(path, "llama.cpp")
    recorded = next(each for each in ROWS if each["id"] == "gguf-unknown-scaling")["engines"]
    assert next(iter(recorded.values()))["error"] in row.computed.refuses


def test_both_spellings_say_why() -> None:
    (row,) = rows_of(qwen3_with_both(), "llama.cpp")
    assert row.computed.encoding.rotation.rope_theta == 1e6
    assert row.computed.encoding.rotation.scaling is None
    assert "rope_scaling has no effect beside rope_parameters" in row.computed.ignored
    lengths_count = 0.1 * math.log(40960 / 32768) + 1
    for engine, factor in (("mlx-lm", 1.138629436), ("exllamav3", lengths_count)):
        (row,) = rows_of(qwen3_with_both(), engine)
        assert row.computed.encoding.rotation.rope_theta == 1e6
        assert row.computed.encoding.rotation.attention_factor == pytest.approx(factor)
