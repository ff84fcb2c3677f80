"""Parts of wholes that are not known, which name the whole that the part was taken from."""

from typing import Any

import pytest

from posenc_core import open_model

WHOLE: dict[str, Any] = {
    "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 4, "max_position_embeddings": 8192,
    "rope_theta": 1e6,
}  # fmt: skip
TOWER = {"hidden_size": 1152, "num_attention_heads": 16, "num_hidden_layers": 27, "patch_size": 14, "image_size": 448}


@pytest.mark.parametrize("whole", ["minicpmv", "a_new_model", ""])
@pytest.mark.parametrize("key", ["vision_config", "visual", "vit_config"])
@pytest.mark.parametrize("model_type", ["siglip", "siglip2", "clip"])
def test_a_tower_that_names_a_whole_has_its_patches(whole: str, key: str, model_type: str) -> None:
    (part,) = open_model({"model_type": whole, **WHOLE, key: {"model_type": model_type, **TOWER}}).parts
    assert (part.name, part.n_layers, part.layer.kind) == ("vision", 27, "learned")
    assert f"model_type '{model_type}_vision_model'" in part.layer.sentence
    assert "added to the patches' vectors" in part.layer.sentence


@pytest.mark.parametrize("model_type", ["qwen2_vl", "qwen2_5_vl", "qwen3_vl"])
def test_a_tower_that_names_a_whole_has_its_axes(model_type: str) -> None:
    sizes = {"depth": 32, "embed_dim": 1280, "hidden_size": 1280, "num_heads": 16, "patch_size": 14}
    tower = {"model_type": model_type, **sizes}
    (part,) = open_model({"model_type": "a_new_model", **WHOLE, "vision_config": tower}).parts
    (known,) = open_model({"model_type": model_type, "text_config": WHOLE, "vision_config": tower}).parts
    assert part == known
    assert part.layer.encoding is not None
    assert (part.layer.encoding.family, part.layer.encoding.parameters()["rope_theta"]) == ("rope_axes", 1e4)


def test_sound_of_another_whole_is_made_of_frames() -> None:
    sound = {"model_type": "qwen2_audio", "d_model": 1280, "encoder_layers": 32, "encoder_attention_heads": 20}
    (part,) = open_model({"model_type": "a_new_model", **WHOLE, "audio_config": sound}).parts
    assert (part.name, part.n_layers) == ("audio", 32)
    assert "added to the frames' vectors" in part.layer.sentence


def test_a_whole_within_a_whole_keeps_the_types_of_its_own_parts() -> None:
    inner = {"model_type": "gemma3", "text_config": {"num_hidden_layers": 6}}
    for config in ({"model_type": "a_new_model", "text_config": inner}, inner):
        bases = [layer.encoding.parameters()["rope_theta"] for layer in open_model(config).layers if layer.encoding]
        assert bases == [1e4, 1e4, 1e4, 1e4, 1e4, 1e6]
