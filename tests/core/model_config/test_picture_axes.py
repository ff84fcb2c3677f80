"""Vision parts of models open as RoPE on several axes, with a picture of their size as the grid."""

import json
from pathlib import Path
from typing import Any

import numpy as np
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


WIDTHS = {"hidden_size": 1152, "num_attention_heads": 16, "patch_size": 14}
FITTED = "interpolated to the picture's size, is added as well"


@pytest.mark.parametrize(("config", "said"), [
    ({"model_type": "qwen3_vl_vision", "num_heads": 16, "num_position_embeddings": 2304},
     f"a learned table of 48 x 48 positions, {FITTED}"),
    ({"model_type": "glm4v_vision", "num_heads": 16, "image_size": 336}, f"table of 24 x 24 positions, {FITTED}"),
    ({"model_type": "paddleocr_vl_vision", "image_size": 384}, f"a learned table of 27 x 27 positions, {FITTED}"),
    ({"model_type": "step3p5_vision", "image_size": 728}, f"a learned table of 52 x 52 positions, {FITTED}"),
    ({"model_type": "inkling2_vision", "posemb_grid_size": 32}, f"a learned table of 32 x 32 positions, {FITTED}"),
    ({"model_type": "muse_spark_vision", "pos_emb_height": 32}, f"a learned table of 32 x 32 positions, {FITTED}"),
    ({"model_type": "kimi_k25_vision", "init_pos_emb_height": 64},
     f"a learned table of 64 x 64 positions, {FITTED}, and sinusoids of the frame"),
    ({"model_type": "kimi_k25_vision", "pos_emb_height": 32}, f"a learned table of 32 x 32 positions, {FITTED}, and"),
    ({"model_type": "kimi_k25_vision", "init_pos_emb_height": "x"}, f"a learned table of positions, {FITTED}"),
    ({"model_type": "sam3_vit_model", "pretrain_image_size": 336},
     "a learned table of 24 x 24 positions, repeated to the picture's size, is added as well"),
    ({"model_type": "gemma4_vision"}, "learned tables of rows and of columns are added as well"),
    ({"model_type": "llama4_vision_model"}, "a learned table of positions is added as well"),
])  # fmt: skip
def test_a_learned_table_beside_the_rotation_is_told(config: dict[str, Any], said: str) -> None:
    assert said in open_model({**WIDTHS, **config}).layers[0].sentence


@pytest.mark.parametrize(("changed", "sentence"), [
    ({"rope_parameters": {"rope_type": "axial", "rope_theta": 0}}, "rope_theta must be a finite number > 0, got 0"),
    ({"rope_parameters": {"rope_type": "axial", "rope_theta": "x"}}, "rope_theta must be a finite number > 0, got 'x'"),
    ({"hidden_size": 6, "num_attention_heads": 1}, "head_dim must be divisible by 4 for 2 axes"),
])  # fmt: skip
def test_a_damaged_vision_part_is_refused_in_a_sentence(changed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        open_model({"model_type": "pixtral", **changed})


def warnings_of(config: dict[str, Any]) -> tuple[str, ...]:
    """The warnings of the first layer's encoding."""
    encoding = open_model(config).layers[0].encoding
    assert encoding is not None
    return encoding.warnings


def test_a_scaling_that_the_class_refuses_is_told() -> None:
    ernie = {"model_type": "ernie4_5_vl_moe_text", "hidden_size": 2560, "num_attention_heads": 20, "rope_theta": 5e5}
    scaled = {**ernie, "rope_scaling": {"rope_type": "linear", "factor": 4.0}}
    told = "transformers 5.23.0 refuses rope_type 'linear' in model_type 'ernie4_5_vl_moe_text', whose class has only"
    assert any(told in note for note in warnings_of(scaled))
    assert not any("refuses" in note for note in warnings_of(ernie))


@pytest.mark.parametrize(("model_type", "rope_type", "only"), [
    ("pixtral", "linear", "axial"), ("pixtral", "axial", ""), ("pixtral", "default", ""),
    ("dinov3_vit", "linear", ""), ("eomt_dinov3", "axial", "default"), ("eomt_dinov3", "default", ""),
])  # fmt: skip
def test_a_rope_type_that_a_vision_class_refuses_is_told(model_type: str, rope_type: str, only: str) -> None:
    rope = {"rope_type": rope_type, "rope_theta": 100.0, **({"factor": 2.0} if rope_type == "linear" else {})}
    config = {"model_type": model_type, "hidden_size": 1024, "num_attention_heads": 16, "rope_parameters": rope}
    refused = [note for note in warnings_of(config) if "refuses" in note]
    told = f"transformers 5.23.0 refuses rope_type {rope_type!r} in model_type {model_type!r}, whose class has only"
    assert refused == ([f"{told} {only!r}"] if only else [])


PRESETS = Path(__file__).parents[3] / "resources" / "presets"
VIDEO = {"num_layers": 2, "attention_head_dim": 128, "_diffusers_version": "0.42.1"}


@pytest.mark.parametrize(("name", "config"), [
    ("flux-1", {"_class_name": "FluxTransformer2DModel", "axes_dims_rope": [16, 56, 56], "num_single_layers": 3}),
    ("flux-1", {"_class_name": "FluxTransformer2DModel"}),
    ("flux-2", {"_class_name": "Flux2Transformer2DModel", "axes_dims_rope": [32] * 4, "rope_theta": 2000}),
    ("hunyuan-video", {"_class_name": "HunyuanVideoTransformer3DModel", "rope_axes_dim": [16, 56, 56],
                       "rope_theta": 256.0}),
    ("wan-2.1", {"_class_name": "WanTransformer3DModel"}),
    ("cogvideox-5b", {"_class_name": "CogVideoXTransformer3DModel", "attention_head_dim": 64, "patch_size": 2,
                      "sample_height": 60, "sample_width": 90, "use_rotary_positional_embeddings": True}),
])  # fmt: skip
def test_a_transformer_of_diffusers_opens_as_its_preset(name: str, config: dict[str, Any]) -> None:
    stored = RopeAxes.from_parameters(json.loads((PRESETS / f"{name}.json").read_text(encoding="utf-8"))["encoding"])
    model = open_model({**VIDEO, **config})
    assert len(model.layers) == 2 + config.get("num_single_layers", 0)
    document = Document().with_model(model)
    assert document.grid == stored.grid
    opened, cells = document.encoding, np.arange(0, 4000, 37)
    assert opened.cells is not None
    assert [opened.cells.place(each) for each in (0, 70, 1000)] == [stored.cells.place(each) for each in (0, 70, 1000)]
    columns = np.arange(stored.n_columns)
    np.testing.assert_array_equal(opened.values(cells, columns), stored.values(cells, columns))


def test_other_classes_of_diffusers_are_refused_in_a_sentence() -> None:
    """Not shown as RoPE of one axis, though they have a base; CogVideoX 2B has a table of sinusoids."""
    with pytest.raises(ValueError, match="LTXVideoTransformer3DModel' encodes positions is unknown"):
        open_model({"_class_name": "LTXVideoTransformer3DModel", "rope_theta": 1e4, **VIDEO})
    model = open_model({"_class_name": "CogVideoXTransformer3DModel", **VIDEO})
    assert {layer.kind for layer in model.layers} == {"unsupported"}
    with pytest.raises(ValueError, match=r"must sum to head_dim = 128"):
        open_model({"_class_name": "FluxTransformer2DModel", "axes_dims_rope": [16, 16, 16], **VIDEO})
    with pytest.raises(ValueError, match="axis_widths must be"):
        open_model({"_class_name": "FluxTransformer2DModel", "axes_dims_rope": "16", **VIDEO})


def test_qwen_images_coordinates_are_centred() -> None:
    (layer, *_) = open_model({"_class_name": "QwenImageTransformer2DModel", **VIDEO}).layers
    assert layer.encoding is not None
    assert layer.encoding.cells.place(0) == (0.0, -32.0, -32.0)


def test_qwen2_vl_reads_the_other_name_of_its_number_of_heads() -> None:
    """``attribute_map`` of its class names ``num_heads`` so; 96 columns of a head have 24 pairs per axis."""
    config = {"model_type": "qwen2_vl_vision", "embed_dim": 192, "num_attention_heads": 2}
    assert open_model(config).layers[0].encoding == RopeAxes(96, rule="shared", grid="16x16")
    with_head = open_model({**config, "head_dim": 32}).layers[0].encoding
    assert with_head is not None
    assert with_head.n_columns == 32


@pytest.mark.parametrize("model_type", ["dinov3_vit", "eomt_dinov3", "sapiens2"])
def test_dinov3_does_not_read_head_dim(model_type: str) -> None:
    model = open_model({"model_type": model_type, "hidden_size": 144, "num_attention_heads": 2, "head_dim": 16})
    assert model.layers[0].encoding is not None
    assert model.layers[0].encoding.n_columns == 72


@pytest.mark.parametrize(
    ("image_size", "patch_size", "grid"),
    [([336, 672], 14, "24x48"), ([336, 672], [14, 28], "24x24"), (336, [14, 14], "24x24"), ([336], 14, "16x16")],
)
def test_the_grid_is_that_of_a_pictures_height_and_width(image_size: Any, patch_size: Any, grid: str) -> None:
    keys = {**WIDTHS, "model_type": "dinov3_vit", "image_size": image_size, "patch_size": patch_size}
    encoding = open_model(keys).layers[0].encoding
    assert isinstance(encoding, RopeAxes)
    assert encoding.grid == grid
