"""The presets of picture and video transformers against the embedders and pipelines of diffusers, in every cell."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from axes_presets import cosines_and_sines, fastest_angle, preset
from comparing import Compare
from diffusers.models.embeddings import get_3d_rotary_pos_embed
from diffusers.models.transformers.transformer_flux import FluxPosEmbed, FluxTransformer2DModel
from diffusers.models.transformers.transformer_flux2 import Flux2PosEmbed, Flux2Transformer2DModel
from diffusers.models.transformers.transformer_hunyuan_video import (
    HunyuanVideoRotaryPosEmbed,
    HunyuanVideoTransformer3DModel,
)
from diffusers.models.transformers.transformer_qwenimage import QwenEmbedRope, QwenImageTransformer2DModel
from diffusers.models.transformers.transformer_wan import WanRotaryPosEmbed, WanTransformer3DModel
from diffusers.pipelines.cogvideo.pipeline_cogvideox import get_resize_crop_region_for_grid
from diffusers.pipelines.flux.pipeline_flux import FluxPipeline
from diffusers.pipelines.flux2.pipeline_flux2 import Flux2Pipeline

from posenc_core import open_model
from posenc_core.encodings import RopeAxes

ROUNDED = 1.5e-7
"""Of cosines in float32, and for each radian of an angle that was made in float32."""

Tables = tuple[torch.Tensor, torch.Tensor]


def defaults(kind: Any) -> dict[str, Any]:
    """The default configuration of a transformer, by which the published models are built."""
    with torch.device("meta"):
        return dict(kind(num_layers=1).config)


def flux_1() -> Tables:
    ids = FluxPipeline._prepare_latent_image_ids(1, 64, 64, "cpu", torch.float32)
    return FluxPosEmbed(10000, list(defaults(FluxTransformer2DModel)["axes_dims_rope"]))(ids)


def flux_2() -> Tables:
    made = defaults(Flux2Transformer2DModel)
    ids = Flux2Pipeline._prepare_latent_ids(torch.zeros(1, 1, 64, 64))[0]
    return Flux2PosEmbed(made["rope_theta"], list(made["axes_dims_rope"]))(ids)


def hunyuan_video() -> Tables:
    made = defaults(HunyuanVideoTransformer3DModel)
    size, frames = made["patch_size"], made["patch_size_t"]
    embedder = HunyuanVideoRotaryPosEmbed(size, frames, made["rope_axes_dim"], made["rope_theta"])
    return embedder(torch.zeros(1, 1, 33 * frames, 34 * size, 60 * size))


def wan() -> Tables:
    made = defaults(WanTransformer3DModel)
    frames, high, wide = made["patch_size"]
    embedder = WanRotaryPosEmbed(made["attention_head_dim"], made["patch_size"], made["rope_max_seq_len"])
    cosine, sine = embedder(torch.zeros(1, 1, 21 * frames, 30 * high, 52 * wide))
    return cosine[0, :, 0], sine[0, :, 0]


def cogvideox() -> Tables:
    crop = get_resize_crop_region_for_grid((30, 45), 45, 30)
    return get_3d_rotary_pos_embed(64, crop, (30, 45), 13)


@pytest.mark.parametrize(
    ("name", "theirs", "is_single"),
    [
        ("flux-1", flux_1, False),
        ("flux-2", flux_2, False),
        ("hunyuan-video", hunyuan_video, True),
        ("wan-2.1", wan, False),
        ("cogvideox-5b", cogvideox, True),
    ],
)
def test_a_preset_has_the_tables_of_diffusers(
    name: str, theirs: Callable[[], Tables], is_single: bool, compare: Compare
) -> None:
    """``is_single``: the library multiplies positions and frequencies in float32."""
    encoding = preset(name)
    tolerance = ROUNDED * (1 + fastest_angle(encoding) * is_single)
    for ours, other in zip(cosines_and_sines(encoding), theirs(), strict=True):
        compare(f"preset {name}, diffusers", ours, other.double().numpy(), tolerance)


def test_qwen_image_opens_with_the_table_of_its_class(compare: Compare) -> None:
    with torch.device("meta"):
        made = dict(QwenImageTransformer2DModel(num_layers=1).config)
    (layer,) = open_model({"_class_name": "QwenImageTransformer2DModel", **made}).layers
    assert isinstance(layer.encoding, RopeAxes)
    embedder = QwenEmbedRope(10000, list(made["axes_dims_rope"]), scale_rope=True)
    turns, _ = embedder([(1, 64, 64)], device=torch.device("cpu"), max_txt_seq_len=4)
    for ours, theirs in zip(cosines_and_sines(layer.encoding), (turns.real, turns.imag), strict=True):
        compare("Qwen-Image, diffusers", ours[:, ::2], theirs.double().numpy(), ROUNDED * 33)


def test_cogvideox_scales_the_coordinates_of_other_sizes(compare: Compare) -> None:
    """60 x 60 patches have the coordinates of 30 x 45."""
    encoding = replace(preset("cogvideox-5b"), grid="5x60x60")
    theirs = get_3d_rotary_pos_embed(64, ((0, 0), (30, 45)), (60, 60), 5)
    for ours, other in zip(cosines_and_sines(encoding), theirs, strict=True):
        compare("CogVideoX of another size, diffusers", ours, other.double().numpy(), ROUNDED * 45)
