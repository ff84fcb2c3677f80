"""The presets of several axes against transformers' classes: places of a text and a picture, cosines and sines."""

from typing import Any

import numpy as np
import pytest
import torch
from axes_presets import cosines_and_sines, fastest_angle, preset
from comparing import Compare
from transformers import Ernie4_5_VLMoeConfig, PixtralVisionConfig, Qwen2VLConfig, Qwen3VLConfig
from transformers.models.dinov3_vit import DINOv3ViTConfig, modeling_dinov3_vit
from transformers.models.ernie4_5_vl_moe import modeling_ernie4_5_vl_moe as ernie
from transformers.models.pixtral import modeling_pixtral
from transformers.models.qwen2_vl import modeling_qwen2_vl as qwen2
from transformers.models.qwen3_vl import modeling_qwen3_vl as qwen3

ROUNDED = 1.5e-7
"""Of cosines in float32, and for each radian of their angles: transformers computes both in float32."""

TEXT, SIDE = 8, 16


def text_and_picture(config: Any, model: Any, rotary: Any, **rope: Any) -> list[Any]:
    """The tables of a language model at the places that the model itself gives to a text and a picture after it."""
    text, vision = config.text_config, config.vision_config
    text.num_hidden_layers = vision.depth = 1
    text.rope_parameters = {**text.rope_parameters, **rope}
    with torch.device("meta"):
        built = model(config)
    kinds = torch.tensor([[0] * TEXT + [1] * SIDE * SIDE])
    side = SIDE * vision.spatial_merge_size
    places, _ = built.get_rope_index(kinds.clone(), kinds, torch.tensor([[1, side, side]]))
    return [each[0].double().numpy() for each in rotary(text)(torch.zeros(1), places)]


def qwen2_vl() -> list[Any]:
    config = Qwen2VLConfig(text_config={"hidden_size": 3584, "num_attention_heads": 28})
    rope = {"rope_theta": 1e6, "mrope_section": [16, 24, 24]}
    return text_and_picture(config, qwen2.Qwen2VLModel, qwen2.Qwen2VLRotaryEmbedding, **rope)


def qwen3_vl() -> list[Any]:
    rope = {"rope_theta": 5e6, "mrope_section": [24, 20, 20]}
    return text_and_picture(Qwen3VLConfig(), qwen3.Qwen3VLModel, qwen3.Qwen3VLTextRotaryEmbedding, **rope)


def ernie_vl() -> list[Any]:
    rotary = ernie.Ernie4_5_VLMoeTextRotaryEmbedding
    tables = text_and_picture(Ernie4_5_VLMoeConfig(), ernie.Ernie4_5_VLMoeModel, rotary)
    return [np.repeat(each, 2, axis=-1) if each.shape[-1] == 64 else each for each in tables]


def pixtral() -> list[Any]:
    places = torch.cartesian_prod(torch.arange(64), torch.arange(64))
    tables = modeling_pixtral.PixtralVisionRotaryEmbedding(PixtralVisionConfig())(torch.zeros(1), places)
    return [each.double().numpy() for each in tables]


def dinov3() -> list[Any]:
    """The class token and 4 registers before the patches are not turned."""
    tables = modeling_dinov3_vit.DINOv3ViTRopePositionEmbedding(DINOv3ViTConfig()).eval()(torch.zeros(1, 3, 224, 224))
    still = (np.ones((5, 64)), np.zeros((5, 64)))
    return [np.vstack([prefix, each.double().numpy()]) for prefix, each in zip(still, tables, strict=True)]


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("qwen2-vl", qwen2_vl),
        ("qwen3-vl", qwen3_vl),
        ("ernie-4.5-vl", ernie_vl),
        ("pixtral", pixtral),
        ("dinov3", dinov3),
    ],
)
def test_a_preset_has_the_tables_of_transformers(name: str, theirs: Any, compare: Compare) -> None:
    encoding = preset(name)
    for ours, other in zip(cosines_and_sines(encoding), theirs(), strict=True):
        compare(f"preset {name}, transformers", ours, other, ROUNDED * (1 + fastest_angle(encoding)))
