"""Keys of one model's class among the rotary parameters of another, and values that a class reads in its own way."""

from typing import Any

import numpy as np
import pytest

from posenc_core import DynamicNtk, NtkAware, Yarn, open_model, rope_from_config

SIZES = {
    "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 4, "max_position_embeddings": 8192,
    "head_dim": 128,
}  # fmt: skip
DYNAMIC = {**SIZES, "rope_theta": 1e4, "rope_scaling": {"rope_type": "dynamic", "alpha": 50.0, "factor": 2.0}}
BETA = {"rope_theta": 1e6, "factor": 16.0, "llama_4_scaling_beta": 0.1}


def test_alpha_is_a_fixed_factor_in_hunyuan_and_in_unknown_code_alone() -> None:
    for name in ({"model_type": "hunyuan_v1_dense"}, {}):
        assert rope_from_config({**DYNAMIC, **name}).scaling == NtkAware(50.0)
    rope = rope_from_config({**DYNAMIC, "model_type": "llama"}, seq_len=16384)
    assert rope.scaling == DynamicNtk(2.0, 8192, 16384)
    assert "key 'alpha' ignored: it is HunYuan's, and model_type 'llama' does not read it" in rope.warnings


@pytest.mark.parametrize(("kind", "original"), [("yarn", 4096), ("linear", 4096), ("yarn", None)])
def test_a_temperature_of_queries_belongs_to_its_own_classes(kind: str, original: int | None) -> None:
    parameters: dict[str, Any] = {**BETA, "rope_type": kind}
    if original is not None:
        parameters["original_max_position_embeddings"] = original
    own = {**SIZES, "model_type": "ministral3", "rope_parameters": parameters}
    (first, *_) = open_model(own).layers
    assert first.temperature is not None
    assert first.temperature.parameters["original_max_position_embeddings"] == (original or 8192)
    assert not any("ignored" in sentence for sentence in rope_from_config(own).warnings)
    other = {**own, "model_type": "mistral"}
    assert open_model(other).layers[0].temperature is None
    assert any("'llama_4_scaling_beta' ignored" in sentence for sentence in rope_from_config(other).warnings)


def test_a_truncate_of_null_is_false() -> None:
    """transformers asks whether the value is true, and takes true only where there is no key."""
    parameters = {
        "rope_type": "yarn", "rope_theta": 150000, "factor": 32.0, "original_max_position_embeddings": 4096,
        "truncate": None,
    }  # fmt: skip
    rope = rope_from_config({**SIZES, "model_type": "llama", "rope_parameters": parameters})
    assert isinstance(rope.scaling, Yarn)
    assert not rope.scaling.truncate
    np.testing.assert_allclose(rope.pairs.frequencies[33], 2.67355e-4, rtol=1e-5)


def test_an_empty_object_of_parameters_lets_the_base_beside_it_count() -> None:
    given = {**SIZES, "model_type": "apertus", "rope_theta": 5e5, "rope_parameters": {}}
    rope = rope_from_config(given)
    assert (rope.rope_theta, rope.scaling, rope.warnings) == (5e5, None, ())


def test_an_omitted_label_of_the_decoder_has_the_parameters_of_its_class() -> None:
    scaled = {"full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6}}
    config = {"model_type": "t5gemma2_decoder", "rope_parameters": scaled}
    slow, fast = (rope_from_config(config, layer_type=kind) for kind in ("full_attention", "sliding_attention"))
    np.testing.assert_allclose([slow.pairs.frequencies[1], fast.pairs.frequencies[1]], [0.112211, 0.930572], rtol=1e-5)


def test_the_rotary_dim_of_minimax_text_counts() -> None:
    config = {
        "model_type": "minimax_text_01", "hidden_size": 6144, "num_attention_heads": 64, "head_dim": 128,
        "num_hidden_layers": 2, "rotary_dim": 64, "rope_theta": 1e7, "attn_type_list": [0, 1],
    }  # fmt: skip
    rope = rope_from_config(config)
    assert rope.pairs.n_pairs == 32
    assert not any("ignores rotary_dim" in sentence for sentence in rope.warnings)
