"""Numbers of an engine, checked against the configuration that the engine was given."""

import json

import numpy as np
from engine_cases import llama, public

from posenc_core import compare_engines, encode, identify

DYNAMIC = llama({"rope_type": "dynamic", "factor": 2.0, "head_dim": 128, "max_position_embeddings": 4096})
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768, "head_dim": 128}


def table_of(engine, config, length=None):
    (row,) = compare_engines(config, length, engines=[engine]).rows
    return encode(row.computed.encoding, range(64)), row


def test_the_one_base_of_vllm_for_dynamic_ntk_is_recognised() -> None:
    plain = (10000.0 ** (-np.arange(0, 128, 2) / 128)).astype(np.float32)
    found = identify(plain, against=DYNAMIC)
    said = next(each for each in found.sentences if each.startswith("This is what vLLM 0.33.0"))
    assert "one base for the whole length" in said


def test_sglangs_base_of_short_texts_is_recognised() -> None:
    (row,) = compare_engines(DYNAMIC, 4096, engines=["sglang"]).rows
    found = identify(row.computed.encoding.rotation.pairs.frequencies, against=DYNAMIC)
    assert any("SGLang 0.5.23" in each for each in found.sentences)


def test_an_attention_factor_that_an_engine_does_not_honour_is_named() -> None:
    config = llama({**YARN, "attention_factor": 1.25, "rope_theta": 1e6})
    table, _ = table_of("sglang", config)
    found = identify(table, against=config)
    assert not found.is_right
    verdict, said, *_ = found.sentences
    assert verdict.startswith("Not what was asked for")
    engines = "SGLang 0.5.23, mlx-lm 0.32.2, llama.cpp of llama-cpp-python 0.3.36 and TensorRT-LLM"
    assert said.startswith(f"This is what {engines}")
    assert "In SGLang, mlx-lm, llama.cpp and TensorRT-LLM attention_factor 1.25 has no effect." in found.sentences


def test_numbers_of_the_class_are_right_and_name_no_engine() -> None:
    config = llama({**YARN, "attention_factor": 1.25, "rope_theta": 1e6})
    table, _ = table_of("transformers", config)
    found = identify(table, against=config)
    assert found.is_right
    assert not any("This is what" in each for each in found.sentences)


def test_numbers_that_no_engine_computes_name_none() -> None:
    config = llama({**YARN, "rope_theta": 1e6, "attention_factor": 1.25})
    found = identify((500000.0 ** (-np.arange(0, 128, 2) / 128)), against=config)
    assert not any("This is what" in each for each in found.sentences)


def test_a_path_is_read_like_a_mapping(tmp_path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(public("openai--gpt-oss-20b")))
    rows = compare_engines(path, engines=["mlx-lm"]).rows
    found = identify(encode(rows[0].computed.encoding, range(64)), against=str(path))
    assert any(each.startswith("This is what mlx-lm 0.32.2") for each in found.sentences)
