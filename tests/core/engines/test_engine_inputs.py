"""Bad input to ``compare_engines``: values of every kind, and settings that contradict the file."""

import json
import random

import pytest
from amounts import some
from engine_cases import latent, llama, public

from posenc_core import compare_engines

VALUES = (None, "4", "x", [], {}, 0, -1, 1e400, float("nan"), True, 0.5, 10**30, 3, [1, 2], "yarn", 4.0)
INNER = (
    "factor", "original_max_position_embeddings", "attention_factor", "mscale", "mscale_all_dim", "beta_fast",
    "beta_slow", "truncate", "rope_type", "type", "short_factor", "long_factor", "low_freq_factor", "high_freq_factor",
    "alpha", "attn_factor", "partial_rotary_factor", "max_trained_positions", "extrapolation_factor", "long_mscale",
)  # fmt: skip
BESIDE = (
    "max_position_embeddings", "rope_theta", "partial_rotary_factor", "rotary_dim", "original_max_position_embeddings",
    "rope_parameters", "rope_scaling", "architectures", "sliding_window", "head_dim", "rope_local_base_freq",
)  # fmt: skip
YARN = llama(
    {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768, "head_dim": 128, "rope_theta": 1e6}
)
FILES = (
    *(llama({"rope_type": kind, "factor": 2.0, "head_dim": 64}) for kind in ("linear", "dynamic", "llama3")),
    YARN,
    latent({"rope_type": "yarn", "factor": 40.0, "original_max_position_embeddings": 4096, "rotary_dim": 64}),
    *map(public, ("phi-3_5", "gemma-3-12b-it", "openai--gpt-oss-20b", "minicpm_2b")),
)


@pytest.mark.parametrize("seed", some(range(32), *range(4)))
def test_values_of_any_kind_are_compared_or_refused_in_a_sentence(seed: int) -> None:
    drawn = random.Random(seed)
    for _ in range(25):
        config = json.loads(json.dumps(drawn.choice(FILES)))
        for _ in range(drawn.randint(1, 3)):
            inner = config.get("rope_scaling")
            if isinstance(inner, dict) and drawn.random() < 0.75:
                inner[drawn.choice(INNER)] = drawn.choice(VALUES)
            else:
                config[drawn.choice(BESIDE)] = drawn.choice(VALUES)
        try:
            rows = compare_engines(config, drawn.choice((1, 4096, 4097, 10**8))).rows
        except (ValueError, TypeError) as error:
            told = str(error)
        else:
            told = "; ".join(row.computed.refuses + row.computed.unknown for row in rows)
            assert all((row.computed.encoding is None) == (row.verdict in ("refuses", "unknown")) for row in rows)
        assert "\n" not in told
        assert "operand" not in told, "an error of Python's"


def test_a_divisor_of_0_is_unknown_and_no_traceback() -> None:
    given = {"rope_type": "dynamic", "factor": 2.0, "head_dim": 64, "max_trained_positions": 0}
    row = compare_engines(llama(given), engines=["vllm"]).rows[0]
    assert row.computed.unknown.endswith(
        "a key that it reads has a value of the wrong type, or the computation has no result"
    )


@pytest.mark.parametrize(
    ("settings", "difference"),
    [
        ({"rope_scaling": "none"}, "attention factor 1.138629436, here 1"),
        ({"rope_scale": 8.0}, "attention factor 1.138629436, here 1.207944154"),
        ({"yarn_orig_ctx": 4096}, "26 of 64 frequencies differ"),
        ({"rope_freq_base": 5e5}, "base 1000000, here 500000"),
    ],
)
def test_a_setting_of_llama_cpp_that_contradicts_the_file_counts(settings: dict, difference: str) -> None:
    (row,) = compare_engines(YARN, engines=["llama.cpp"], settings={"llama.cpp": settings}).rows
    assert row.verdict == "different"
    assert any(difference in told for told in row.differences)


@pytest.mark.parametrize("value", [1.5, 10**8 + 1])
@pytest.mark.parametrize(
    ("engine", "name"),
    [
        ("vllm", "max_model_len"),
        ("sglang", "context_length"),
        ("exllamav3", "cache_size"),
        ("llama.cpp", "ctx_size"),
        ("tensorrt-llm", "max_seq_len"),
    ],
)
def test_a_length_that_an_engine_cannot_have_is_refused(engine: str, name: str, value: float) -> None:
    told = f"{name} of {engine} must be a whole number of tokens from 1 to 100,000,000, got {value}"
    with pytest.raises(ValueError, match=told):
        compare_engines(YARN, settings={engine: {name: value}})


def test_parameters_by_layer_type_in_a_model_that_sees() -> None:
    inner = {"full_attention": {"rope_type": "default", "rope_theta": 1e6}}
    config = {"model_type": "qwen3_5_text", "rope_parameters": inner, "num_hidden_layers": 4, "head_dim": 64}
    rows = compare_engines(config, 100).rows
    assert rows[0].computed.encoding.rotation.rope_theta == 1e6
