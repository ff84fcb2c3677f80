"""Windows of the layers of vision and audio parts, layer counts of stages, and sentences on broken lists of them."""

import re
from typing import Any

import pytest
from amounts import draws
from hostile import every_value
from hypothesis import given
from hypothesis import strategies as st

from posenc_core import Document, open_model
from posenc_core.model_config import evidence_of_part

TEXT = {"model_type": "qwen2_5_vl_text", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2}
VISION = {"model_type": "qwen2_5_vl", "depth": 6, "hidden_size": 64, "num_heads": 4, "window_size": 84}


def sentence(model_type: str, **keys: Any) -> str:
    return open_model({"model_type": model_type, **keys}).layers[0].sentence


def test_the_card_of_a_vision_part_says_which_layers_have_windows_and_rests_on_their_keys() -> None:
    vision = VISION | {"fullatt_block_indexes": [1, 2, 3, 5]}
    model = open_model({**TEXT, "model_type": "qwen2_5_vl", "vision_config": vision})
    (part,) = model.parts
    assert (
        "layers 1-3 and 5 attend to the whole picture (fullatt_block_indexes), the others within windows of 6 x 6 "
        "patches (window_size 84, in pixels)"
    ) in part.layer.sentence
    keys = {each.key for each in evidence_of_part(model, part)}
    assert {"vision_config.fullatt_block_indexes", "vision_config.window_size"} <= keys
    assert Document.from_json(Document().with_model(model).to_json()).model.parts == model.parts


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ([], "each layer attends within windows of 8 x 8 patches"),
        ([0, 1, 2, 3, 4, 5], "each layer attends to the whole picture"),
        ([4, 90], "layer 4 attends to the whole picture"),
    ],
)
def test_lists_of_no_layer_of_all_and_of_layers_behind_the_last_are_read(listed: list[int], said: str) -> None:
    keys = VISION | {"model_type": "qwen2_5_vl_vision", "window_size": 112, "fullatt_block_indexes": listed}
    assert said in open_model(keys).layers[0].sentence


@pytest.mark.parametrize(
    ("model_type", "keys", "said"),
    [
        ("sam_vision_model", {"window_size": 0}, ""),
        ("sam_vision_model", {"global_attn_indexes": [0]}, "layer 0 attends to the whole picture (global_attn_i"),
        ("swin", {"window_size": 12}, "windows of 12 x 12 patches (window_size), or of the whole map if it is smaller; "
         "every second layer of a stage shifts them by 6"),
        ("vitdet", {"window_size": 14, "window_block_indices": [0, 1, 3]},
         "layers 0-1 and 3 attend within windows of 14 x 14 patches (window_block_indices), the others"),
        ("vitdet", {"window_block_indices": [0, 1, 3]}, ""),
        ("lw_detr_vit", {"window_block_indices": [0, 2]}, "layers 0 and 2 attend within one of 4 x 4 windows"),
        ("rf_detr_dinov2", {"out_indices": [2, 5, 8, 11]}, "layers 2, 5, 8 and 11 attend to the whole picture"),
        ("rf_detr_dinov2", {"out_features": ["stage2", "stage7"]},
         "layers 2 and 7-11 attend to the whole picture (out_features), the others"),
        ("rf_detr_dinov2", {"out_features": ["stem"]}, "each layer attends to the whole picture"),
        ("rf_detr_dinov2", {"out_indices": [1, -1]}, "each layer attends to the whole picture"),
        ("rf_detr_dinov2", {"out_indices": [2, -1]}, "each layer attends to the whole picture (out_indices)"),
        ("rf_detr_dinov2", {"out_features": ["stage2", "stage11"]}, "layers 2 and 11 attend to the whole picture"),
        ("led", {"encoder_layers": 2, "attention_window": [32, 64]}, "layers attend to 16 to 32 tokens on each side"),
        ("longt5", {}, "the encoder's layers attend to 127 tokens on each side (local_radius)"),
        ("longt5", {"encoder_attention_type": "transient-global"}, "and to one entry per 16 tokens of the whole text"),
        ("qwen2_5_omni_dit", {}, "within blocks of 24 frames (block_size); layers 0 and 20 attend to the block before "
         "it too (look_backward_layers); layer 10 attends to the block after it too (look_ahead_layers)"),
        ("big_bird", {}, "in texts of more than 704 tokens the encoder's attention is block-sparse: a block of 64"),
        ("big_bird", {"attention_type": "original_full"}, ""),
        ("bigbird_pegasus", {"num_random_blocks": 2, "block_size": 16}, "more than 144 tokens"),
        ("dinat", {"kernel_size": 5}, "each layer attends to 5 x 5 patches around a patch (kernel_size)"),
        ("phi4_multimodal_audio", {}, ""),
        ("phi4_multimodal_audio", {"chunk_size": 20}, "adds 1 to the scores within chunks of 20 frames"),
        ("seamless_m4t_v2", {"speech_encoder_chunk_size": None}, ""),
        ("seamless_m4t_v2", {}, "attends within chunks of 20,000 frames (speech_encoder_chunk_size), and to the 128 "),
        ("granite_speech_encoder", {"num_layers": 3, "context_size": 50}, "within blocks of 50 frames"),
    ],
)  # fmt: skip
def test_each_class_has_its_windows(model_type: str, keys: dict[str, Any], said: str) -> None:
    found = sentence(model_type, **keys)
    assert said in found
    assert any(word in found for word in ("attends", "attend ", "scores")) == bool(said)


@pytest.mark.parametrize(
    ("model_type", "keys", "count"),
    [
        ("swin", {"depths": [2, 2, 18, 2], "num_layers": 4}, 24),
        ("swin", {}, 12),
        ("clap_audio_model", {"depths": [2, 2, 12, 2], "num_hidden_layers": 4}, 18),
        ("sam2_hiera_det_model", {"blocks_per_stage": [2, 3, 16, 3]}, 24),
        ("hiera", {}, 24),
    ],
)
def test_the_layers_of_stages_are_counted(model_type: str, keys: dict[str, Any], count: int) -> None:
    assert len(open_model({"model_type": model_type, **keys}).layers) == count


@pytest.mark.parametrize(
    ("model_type", "keys", "said"),
    [
        ("swin", {"depths": [2, 0]}, "depths must list the layers per stage, got [2, 0]"),
        ("swin", {"depths": 12}, "depths must list the layers per stage, got 12"),
        ("swin", {"window_size": 1.5}, "window_size must be"),
        ("sam_vision_model", {"global_attn_indexes": "2,5"}, "global_attn_indexes must list layers by their numbers"),
        ("rf_detr_dinov2", {"out_features": ["stage99"]}, "out_features must list stages of the 12 layers"),
        (
            "sam2_hiera_det_model",
            {"window_size_per_stage": [8, -4]},
            "window_size_per_stage must list a number of patches",
        ),
        ("hiera", {"masked_unit_size": [8, -8]}, "masked_unit_size must list two numbers of patches, got [8, -8]"),
        ("led", {"attention_window": [512, -4]}, "attention_window must be an even number of tokens"),
        ("hiera", {"masked_unit_attention": [True]}, "masked_unit_attention must have an entry for each stage"),
        ("moonshine_streaming_encoder", {"sliding_windows": [[4]] * 6}, "sliding_windows must list two numbers"),
        ("moonshine_streaming_encoder", {"sliding_windows": 16}, "sliding_windows must list two numbers"),
        ("moonshine_streaming_encoder", {"sliding_windows": [[4, -1]] * 6}, "sliding_windows must list two numbers"),
        ("hiera", {"masked_unit_size": ["8"]}, "masked_unit_size must list two numbers of patches"),
        ("sam2_hiera_det_model", {"window_size_per_stage": [8, 4]}, "a number of patches for each of the 4 stages"),
        ("rf_detr_dinov2", {"out_indices": [2, 13]}, "out_indices must list stages of the 12 layers in their order"),
        ("rf_detr_dinov2", {"out_features": ["stage²"]}, "out_features must list stages of the 12 layers"),
        ("big_bird", {"attention_type": 3}, "attention_type must be block_sparse or original_full, got 3"),
        ("phi4_multimodal_audio", {"chunk_size": 0}, "chunk_size must be -1, for no chunks, or a number of frames"),
        ("seamless_m4t_v2", {"speech_encoder_chunk_size": "20"}, "speech_encoder_chunk_size must be an integer"),
        ("led", {"attention_window": [32, 64]}, "attention_window must be an even number of tokens, or list one for"),
        ("longformer", {"attention_window": [32, 64]}, "attention_window must have an entry for each of the 12 layers"),
        ("longformer", {"attention_window": 7}, "attention_window must be an even number of tokens"),
        ("t5gemma2_text", {"sliding_window": [5000, 20]}, "sliding_window must be an integer"),
        ("llama4_text", {"attention_chunk_size": 0}, "attention_chunk_size must be an integer >= 1"),
    ],
)
def test_broken_lists_are_refused_with_their_key(model_type: str, keys: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said.replace("[", r"\[")):
        open_model({"model_type": model_type, **keys})


def test_the_pairs_of_moonshines_encoder_are_the_windows_of_its_layers() -> None:
    layers = open_model({"model_type": "moonshine_streaming_encoder"}).layers
    assert [(each.window, each.ahead) for each in layers] == [
        (15, 3),
        (15, 3),
        (16, None),
        (16, None),
        (15, 3),
        (15, 3),
    ]
    more = open_model({"model_type": "moonshine_streaming_encoder", "num_hidden_layers": 10}).layers
    assert {each.window for each in more} == {None}


def test_longformers_list_has_a_window_for_each_layer() -> None:
    layers = open_model({"model_type": "longformer", "num_hidden_layers": 3, "attention_window": [64, 64, 128]}).layers
    assert [(each.window, each.ahead) for each in layers] == [(32, 32), (32, 32), (64, 64)]


WINDOW_KEYS = (
    "attention_chunk_size", "attention_type", "chunk_size", "kernel_size", "left_chunk", "num_random_blocks",
    "speech_encoder_chunk_size", "speech_encoder_left_chunk_num", "attention_context_left",
    "attention_context_right", "attention_window", "block_size", "blocks_per_stage", "context_size",
    "conf_attention_context_left", "default_num_lookahead_tokens", "depths", "fullatt_block_indexes",
    "global_attention_blocks", "global_attn_indexes", "global_block_size", "local_radius", "look_ahead_layers",
    "look_backward_layers", "masked_unit_attention", "masked_unit_size", "n_window", "n_window_infer", "num_windows",
    "out_features", "out_indices", "patch_size", "sliding_window", "sliding_windows", "spatial_merge_size",
    "window_block_indices", "window_size", "window_size_per_stage",
)  # fmt: skip
WINDOWED = (
    "big_bird", "dinat", "phi4_multimodal_audio", "seamless_m4t_v2", "clap_audio_model", "exaone4_5_vision",
    "florence_vision", "gemma3n_audio", "gemma4_audio", "granite_speech_encoder", "hiera", "led", "llama4_text",
    "longformer", "longt5", "lw_detr_vit", "moonshine_streaming_encoder", "nemotron_asr_streaming_encoder", "neomme",
    "qwen2_5_omni_audio_encoder", "qwen2_5_omni_dit", "qwen2_5_vl_vision", "qwen3_asr_encoder", "rf_detr_dinov2",
    "sam2_hiera_det_model", "sam_vision_model", "swin", "swinv2", "t5gemma2_text", "vitdet",
)  # fmt: skip
LISTS = (
    [0],
    [-1, 5],
    [2**70],
    [1.5],
    ["stage9"],
    ["stage" + "9" * 5000],
    [[4, 3]] * 6,
    [True] * 4,
    [10**400],
    [1, [2]],
)
SHOWN = re.compile(r"\bnan\b|\binf\b|\bNone\b|\bTrue\b|\[|\{| -\d|\d{18}")
"""Words that a sentence on sizes has only if a value was not checked."""


@draws(50, 800)
@given(
    st.sampled_from(WINDOWED),
    st.dictionaries(st.sampled_from(WINDOW_KEYS), st.sampled_from([*every_value(), *LISTS]), min_size=1, max_size=3),
)
def test_any_value_of_a_key_of_windows_is_read_or_refused_in_one_sentence(
    model_type: str, keys: dict[str, Any]
) -> None:
    try:
        model = open_model({"model_type": model_type, **keys})
    except ValueError as error:
        refused = str(error)
    else:
        refused = ""
    assert len(refused) < 250
    if refused:
        assert "out of range" in refused or any(key in refused for key in (*keys, "window"))
        return
    for group in model.groups:
        told = group.layer.sentence
        assert told.isprintable()
        assert len(told) < 500
        assert not SHOWN.search(told.replace(",", ""))
    assert Document.from_json(Document().with_model(model).to_json()).model.layers == model.layers
