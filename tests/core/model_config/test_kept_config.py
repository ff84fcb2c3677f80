"""A session keeps a model's keys about positions, from which its engines and lines of a file are derived."""

import json
from typing import Any

import pytest

from posenc_core import open_model

SIZES: dict[str, Any] = {"hidden_size": 512, "num_attention_heads": 4, "num_hidden_layers": 8, "head_dim": 64}
LATENT: dict[str, Any] = {"qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "index_topk": 16}

KEPT: dict[str, dict[str, Any]] = {
    "exaone4": {"sliding_window": 16, "sliding_window_pattern": "LG"},
    "gemma4_text": {"per_layer_config": {"3": {"head_dim": 32}}, "layer_types": ["sliding_attention"] * 8},
    "gemma4_unified_text": {"use_bidirectional_attention": "all", "sliding_window": 16},
    "iquest_q1": {"first_layers_types": ["full_attention"], "hybrid_layers_types_block": ["sliding_attention"],
                  "num_hybrid_layers_block": 6, "last_layers_types": ["full_attention"], "sliding_window": 32},
    "glm_moe_dsa": {**LATENT, "indexer_types": ["full", "shared"] * 4},
    "hy_v4": {**LATENT, "indexer_types": ["full", "shared"] * 4},
    "nemotron-nas": {"block_configs": [{"attention": {"no_op": index % 2 == 1}} for index in range(8)]},
    "minicpm_sala": {"mixer_types": ["minicpm4", "lightning-attn"], "attn_use_rope": False},
    "big_bird": {"attention_type": "original_full"},
    "patchtst": {"positional_encoding_type": "random", "num_hidden_layers": 2},
    "longt5": {"encoder_attention_type": "transient-global", "num_layers": 4, "d_model": 512},
    "rf_detr_dinov2": {"out_features": ["stage2", "stage5"]},
}  # fmt: skip
"""By model_type: keys with texts and lists that decide on layers."""


@pytest.mark.parametrize("model_type", KEPT)
def test_the_kept_keys_give_the_same_layers(model_type: str) -> None:
    model = open_model({"model_type": model_type, **SIZES, **KEPT[model_type]})
    assert open_model(json.loads(model.config)).layers == model.layers


def test_a_pattern_of_indexers_is_kept() -> None:
    model = open_model({"model_type": "glm_moe_dsa", **SIZES, **LATENT, "index_topk_pattern": "FSSSFSSS"})
    assert open_model(json.loads(model.config)).layers == model.layers


def test_minicpm_sala_rotates_in_the_layers_that_its_keys_name() -> None:
    """SGLang 0.5.23, srt/models/minicpm.py: the types are repeated, each kind of layer has a key of its own."""
    keys = {"mixer_types": ["minicpm4", "lightning-attn"], "attn_use_rope": False, "lightning_use_rope": True}
    layers = open_model({"model_type": "minicpm_sala", **SIZES, **keys}).layers
    assert [layer.kind for layer in layers] == ["none", "rotary"] * 4
    assert layers[0].sentence.startswith("mixer_types is 'minicpm4' at this layer: attn_use_rope is false")


def test_phi_4_mini_flash_has_no_positions_and_windows_in_its_first_half() -> None:
    """vLLM 0.10, models/phi4flash.py: ``SambaYAttention`` rotates nothing, ``mb_per_layer`` counts Mamba's layers."""
    layers = open_model({"model_type": "phi4flash", **SIZES, "mb_per_layer": 2, "sliding_window": 32}).layers
    assert [layer.kind for layer in layers] == ["none"] * 8
    assert [layer.layer_type for layer in layers[:2]] == ["mamba", "sliding_attention"]
    assert [layer.window for layer in layers] == [None, 32, None, 32, None, None, None, None]
