"""Keys that statements about a model rest on: those of its files, with their values."""

import json
import re
from pathlib import Path

import pytest
from gguf_bench import written

from posenc_core import open_model
from posenc_core.model_config import evidence_named, evidence_of_layer, evidence_of_part
from posenc_core.session import Layer, Model

CONFIGS = Path(__file__).parents[2] / "data" / "model_configs"


def layer_keys(name, index):
    return {each.key: each.value for each in evidence_of_layer(open_model(CONFIGS / name), index)}


def test_a_layer_rests_on_its_own_parameters():
    name = "nvidia--Gemma-4-31B-IT-NVFP4.json"
    assert layer_keys(name, 0) == {
        "head_dim": 256,
        "layer_types[0]": "sliding_attention",
        "rope_parameters.sliding_attention.rope_theta": 10000.0,
        "sliding_window": 1024,
    }
    assert layer_keys(name, 5) == {
        "layer_types[5]": "full_attention",
        "rope_parameters.full_attention.partial_rotary_factor": 0.25,
        "rope_parameters.full_attention.rope_theta": 1000000.0,
        "rope_parameters.full_attention.rope_type": "proportional",
    }


def test_a_scaling_rests_on_its_parameters():
    assert layer_keys("llama3_1_8b.json", 0) == {
        "rope_scaling.factor": 8.0,
        "rope_scaling.low_freq_factor": 1.0,
        "rope_scaling.high_freq_factor": 4.0,
        "rope_scaling.original_max_position_embeddings": 8192,
        "rope_scaling.rope_type": "llama3",
        "rope_theta": 500000.0,
    }


def test_a_text_with_a_letter_for_each_layer_gives_that_letter():
    name = "nvidia--NVIDIA-Nemotron-3-Nano-30B-A3B-NVFP4.json"
    assert layer_keys(name, 1) == {"hybrid_override_pattern[1]": "E"}


def test_a_list_with_entries_for_layers_behind_the_last_gives_the_entry_of_the_layer():
    name = "nvidia--DeepSeek-V4-Pro-NVFP4.json"
    assert [layer_keys(name, index)[f"compress_ratios[{index}]"] for index in (1, 2)] == [128, 4]


def test_factors_of_pairs_are_no_list_over_layers():
    config = {"model_type": "phi3", "hidden_size": 128, "num_attention_heads": 2, "num_hidden_layers": 32,
              "original_max_position_embeddings": 64, "max_position_embeddings": 128,
              "rope_scaling": {"type": "longrope", "short_factor": [1.0] * 32, "long_factor": [2.0] * 32}}  # fmt: skip
    keys = {each.key for each in evidence_of_layer(open_model(config), 0)}
    assert {"rope_scaling.short_factor", "rope_scaling.long_factor"} <= keys


def test_a_note_rests_on_the_keys_that_it_names():
    model = open_model(CONFIGS / "llama3_1_8b.json")
    (note,) = model.notes
    assert [str(each) for each in evidence_named(model, note)] == [
        "max_position_embeddings = 131072",
        "rope_scaling.factor = 8.0",
        "rope_scaling.original_max_position_embeddings = 8192",
    ]


def test_the_keys_of_a_gguf_file_are_those_of_its_header(tmp_path):
    keys = {
        "general.architecture": "llama",
        "llama.block_count": 2,
        "llama.context_length": 4096,
        "llama.embedding_length": 512,
        "llama.attention.head_count": 4,
        "llama.rope.freq_base": 500000.0,
    }
    model = open_model(written(tmp_path / "m.gguf", keys))
    assert {"llama.rope.freq_base": 500000.0}.items() <= {e.key: e.value for e in evidence_of_layer(model, 0)}.items()
    assert [str(each) for each in evidence_named(model, model.lengths_from)] == ["llama.context_length = 4096"]


@pytest.mark.parametrize("config", ["", "no JSON", "[]", json.dumps({"rope_theta": {}})])
def test_without_keys_there_is_no_evidence(config):
    model = Model("m", "t", "config.json", (Layer("none", sentence="sliding_window"),), config=config)
    assert evidence_of_layer(model, 0) == ()
    assert evidence_named(model, "factor x max_position_embeddings") == ()


def test_a_part_rests_on_the_keys_of_its_own():
    model = open_model(CONFIGS / "Qwen--Qwen3-VL-4B-Instruct.json")
    (part,) = model.parts
    assert {each.key: each.value for each in evidence_of_part(model, part)} == {
        "vision_config.hidden_size": 1024,
        "vision_config.model_type": "qwen3_vl",
        "vision_config.num_heads": 16,
        "vision_config.num_position_embeddings": 2304,
        "vision_config.patch_size": 16,
    }
    assert not any(each.key.startswith("vision_config") for each in evidence_of_layer(model, 0))


def test_a_count_of_layers_without_attention_rests_on_the_list_that_decides():
    model = open_model(CONFIGS / "nvidia--Nemotron-H-56B-Base-8K.json")
    counted = [note for note in model.notes if re.search("have (no attention|a state-space model)", note)]
    assert len(counted) == 2
    for note in counted:
        assert [each.key for each in evidence_named(model, note)] == ["hybrid_override_pattern"]
