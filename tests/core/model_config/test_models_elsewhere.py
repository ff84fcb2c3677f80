"""Models whose code is not in transformers: small files with their keys, compared with what their code does."""

import math
from typing import Any

import pytest

from posenc_core import NoPosition, Rotary, frequencies, open_model

SIZES = {"hidden_size": 512, "num_attention_heads": 4, "num_hidden_layers": 8, "max_position_embeddings": 4096}
LATENT = {"qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128, "kv_lora_rank": 512}

ROTATING: dict[str, tuple[dict[str, Any], int, float, str]] = {
    "nanbeige": ({"rope_theta": 70000.0}, 64, 70000.0, "half_split"),
    "telechat3": ({"rope_theta": 10000.0}, 64, 10000.0, "half_split"),
    "exaone": ({"rope_theta": 500000.0, "head_dim": 64}, 32, 500000.0, "half_split"),
    "chatglm": ({"kv_channels": 128}, 32, 10000.0, "interleaved"),
    "bailing_moe": ({"rope_theta": 600000.0}, 64, 600000.0, "half_split"),
    "bailing_moe_v2": ({"rope_theta": 600000.0, "head_dim": 128}, 32, 600000.0, "half_split"),
    "gigachat3_5": (LATENT, 32, 100000.0, "interleaved"),
    "step3_text": ({"rope_theta": 500000.0, "head_dim": 256}, 128, 500000.0, "half_split"),
    "kimi_vl": ({"text_config": {"rope_theta": 800000.0, **LATENT, **SIZES}}, 32, 800000.0, "interleaved"),
    "k2_horizon": ({"rope_theta": 1e7, "head_dim": 128}, 64, 1e7, "half_split"),
}
"""By model_type: its keys, its number of pairs, its base, and which columns are pairs."""


@pytest.mark.parametrize("model_type", ROTATING)
def test_every_layer_rotates_as_in_the_models_code(model_type: str) -> None:
    keys, pairs, base, layout = ROTATING[model_type]
    layers = open_model({"model_type": model_type, **SIZES, **keys}).layers
    assert len(layers) == 8
    rotary = layers[0].encoding
    assert isinstance(rotary, Rotary)
    assert {layer.encoding for layer in layers} == {rotary}
    assert rotary.pairing == layout
    expected = [base ** (-pair / pairs) for pair in range(pairs)]
    assert frequencies(rotary) == pytest.approx(expected, rel=1e-12)


def test_telechats_yarn_has_a_smaller_attention_factor() -> None:
    scaling = {"type": "telechat3-yarn", "factor": 32.0, "original_max_position_embeddings": 8192}
    rotary = open_model({"model_type": "telechat3", **SIZES, "rope_scaling": scaling}).layers[0].encoding
    assert isinstance(rotary, Rotary)
    assert rotary.attention_factor == pytest.approx(1 + 0.07 * math.log(32))


def test_step5_slides_in_three_of_four_layers_unless_its_keys_say_otherwise() -> None:
    layers = open_model({"model_type": "step5", **SIZES, "sliding_window": 512}).layers
    assert [layer.window for layer in layers] == [512, 512, 512, None] * 2


def test_spark_has_a_base_and_a_share_for_each_type_of_layer() -> None:
    first, *_, last = open_model({"model_type": "spark2_5", **SIZES}).layers
    assert isinstance(first.encoding, Rotary)
    assert isinstance(last.encoding, Rotary)
    assert (first.window, first.encoding.rope_theta, len(frequencies(first.encoding))) == (512, 10000.0, 128)
    assert (last.window, last.encoding.rope_theta, len(frequencies(last.encoding))) == (None, 5000000.0, 32)


def test_iquest_lists_the_layers_that_do_not_rotate() -> None:
    layers = open_model({"model_type": "iquest_q1", **SIZES, "head_dim": 128, "no_rope_layers": [1, 3]}).layers
    assert [isinstance(layer.encoding, NoPosition) for layer in layers] == [False, True, False, True, *[False] * 4]
    assert layers[1].sentence.startswith("no_rope_layers lists this layer")


def test_recurrent_models_have_no_positions() -> None:
    layers = open_model({"model_type": "rwkv7", **SIZES}).layers
    assert {layer.kind for layer in layers} == {"none"}
    assert "recurrent" in layers[0].sentence
