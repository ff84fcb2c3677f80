"""Vision parts of models open as RoPE on several axes, with a picture of their size as the grid."""

from typing import Any

import pytest

from posenc_core import Document, open_model
from posenc_core.encodings import RopeAxes

QWEN = {"model_type": "qwen2_5_vl", "hidden_size": 1280, "num_heads": 16, "depth": 32, "patch_size": 14}
PARTS: list[tuple[dict[str, Any], RopeAxes]] = [
    ({"model_type": "qwen2_5_vl", "vision_config": QWEN}, RopeAxes(80, rule="shared", grid="16x16")),
    ({"model_type": "qwen2_vl", "vision_config": {"model_type": "qwen2_vl", "embed_dim": 1280, "hidden_size": 3584,
                                                  "num_heads": 16, "depth": 32}},
     RopeAxes(80, rule="shared", grid="16x16")),
    ({"model_type": "llava", "vision_config": {"model_type": "pixtral", "head_dim": 64, "hidden_size": 1024,
                                               "image_size": 1540, "patch_size": 14, "rope_theta": 1e4}},
     RopeAxes(64, rule="even_odd", grid="110x110")),
    ({"model_type": "dinov3_vit", "hidden_size": 1024, "num_attention_heads": 16, "image_size": 224, "patch_size": 16},
     RopeAxes(64, 100.0, "normalised", grid="14x14")),
    ({"model_type": "step3p5_vision", "hidden_size": 1536, "num_attention_heads": 16},
     RopeAxes(96, rule="shared", axes="w,h", grid="16x16")),
]  # fmt: skip


@pytest.mark.parametrize(("config", "encoding"), PARTS, ids=lambda part: str(part)[:40])
def test_a_vision_part_opens_as_rope_on_two_axes(config: dict[str, Any], encoding: RopeAxes) -> None:
    model = open_model(config, part="vision" if "vision_config" in config else None)
    assert {(layer.kind, layer.encoding) for layer in model.layers} == {("rotary", encoding)}
    shown = Document().with_model(model)
    assert (shown.encoding, shown.grid) == (encoding, encoding.grid)
    assert shown.seq_len == encoding.cells.grid.n_cells


def test_a_learned_table_beside_the_rotation_is_told() -> None:
    config = {"model_type": "qwen3_vl_vision", "hidden_size": 1152, "num_heads": 16, "num_position_embeddings": 2304}
    assert "a learned table of 48 x 48 positions" in open_model(config).layers[0].sentence


@pytest.mark.parametrize(("changed", "sentence"), [
    ({"rope_parameters": {"rope_type": "axial", "rope_theta": 0}}, "rope_theta must be a finite number > 0, got 0"),
    ({"rope_parameters": {"rope_type": "axial", "rope_theta": "x"}}, "rope_theta must be a finite number > 0, got 'x'"),
    ({"hidden_size": 6, "num_attention_heads": 1}, "head_dim must be divisible by 4 for 2 axes"),
])  # fmt: skip
def test_a_damaged_vision_part_is_refused_in_a_sentence(changed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        open_model({"model_type": "pixtral", **changed})
