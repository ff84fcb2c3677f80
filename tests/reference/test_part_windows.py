"""Small towers of pictures and of sound, run: whom one vector reaches in each layer, as the part's sentence says."""

import re
from collections.abc import Callable
from importlib import import_module

import pytest
import torch
from perturbing import Keys, built, calls, reached

from posenc_core import open_model

SMALL: Keys = {"hidden_size": 32, "num_attention_heads": 2, "num_hidden_layers": 4}
PICTURE: Keys = {"image_size": 64, "patch_size": 4}
SAM: Keys = {
    **SMALL, **PICTURE, "window_size": 4, "global_attn_indexes": [1], "output_channels": 8, "mlp_dim": 32,
    "initializer_range": 0.02,
}  # fmt: skip
QWEN: Keys = {
    "hidden_size": 32, "num_heads": 2, "depth": 4, "window_size": 112, "fullatt_block_indexes": [1],
    "intermediate_size": 32, "out_hidden_size": 16,
}  # fmt: skip
SWIN: Keys = {
    "image_size": 64,
    "patch_size": 2,
    "window_size": 4,
    "depths": [2, 2],
    "num_heads": [2, 2],
    "embed_dim": 16,
}
STAGED = r".*layers\.\d+\.blocks\.\d+"

PICTURES: tuple[tuple[str, str, Keys, str], ...] = (
    ("sam_vision_model", "sam.SamVisionEncoder", SAM, r"layers\.\d+"),
    ("sam_hq_vision_model", "sam_hq.SamHQVisionEncoder", SAM, r"layers\.\d+"),
    ("got_ocr2_vision", "got_ocr2.GotOcr2VisionEncoder", SAM, r"layers\.\d+"),
    ("slanext_vision", "slanext.SLANeXtVisionEncoder", SAM, r"layers\.\d+"),
    ("pp_formulanet_vision", "pp_formulanet.PPFormulaNetVisionModel", {**SAM, "output_channels": 256},
     r".*layers\.\d+"),
    ("unlimited_ocr_sam_vision_model", "unlimited_ocr.UnlimitedOcrSamVisionEncoder", SAM, r"layers\.\d+"),
    ("deepseek_ocr2_sam_vision_model", "deepseek_ocr2.DeepseekOcr2SamVisionEncoder", SAM, r"layers\.\d+"),
    ("sam3_vit_model", "sam3.Sam3ViTModel",
     {**SMALL, **PICTURE, "pretrain_image_size": 64, "window_size": 8, "global_attn_indexes": [0, 3],
      "intermediate_size": 32}, r"layers\.\d+"),
    ("qwen2_5_vl_vision", "qwen2_5_vl.Qwen2_5_VisionTransformerPretrainedModel", QWEN, r"blocks\.\d+"),
    ("qwen2_5_omni_vision_encoder", "qwen2_5_omni.Qwen2_5OmniVisionEncoder", {**QWEN, "window_size": 60},
     r"blocks\.\d+"),
    ("exaone4_5_vision", "exaone4_5.Exaone4_5_VisionModel", {**QWEN, "num_key_value_heads": 2}, r"blocks\.\d+"),
    ("swin", "swin.SwinModel", SWIN, STAGED),
    ("swinv2", "swinv2.Swinv2Model", {**SWIN, "depths": [1, 3]}, STAGED),
    ("swin2sr", "swin2sr.Swin2SRModel", {**SWIN, "patch_size": 1}, r".*stages\.\d+\.layers\.\d+"),
    ("clap_audio_model", "clap.ClapAudioModel",
     {"spec_size": 64, "num_mel_bins": 16, "patch_size": 4, "patch_stride": [4, 4], "window_size": 4, "depths": [2, 2],
      "num_attention_heads": [2, 2], "patch_embeds_hidden_size": 16, "hidden_size": 32, "enable_fusion": False},
     STAGED),
    ("donut-swin", "donut_swin.DonutSwinModel", SWIN, STAGED),
    ("maskformer-swin", "maskformer_swin.MaskFormerSwinModel", SWIN, STAGED),
    ("florence_vision", "florence2.Florence2VisionBackbone",
     {"depths": [1, 1, 2, 1], "window_size": 4, "embed_dim": [16] * 4, "num_heads": [2] * 4, "num_groups": [2] * 4},
     r".*window_attn"),
)  # fmt: skip

FRAMES = {"d_model": 32, "encoder_layers": 2, "encoder_attention_heads": 2, "encoder_ffn_dim": 32, "num_mel_bins": 8,
          "output_dim": 16}  # fmt: skip
SOUNDS: tuple[tuple[str, str, Keys, Keys, str, int, str], ...] = (
    ("qwen2_5_omni_audio_encoder", "qwen2_5_omni.Qwen2_5OmniAudioEncoder", {**FRAMES, "n_window": 10},
     {"input_features": (8, 80), "feature_lens": [80], "aftercnn_lens": [40]}, r"layers\.\d+", 10,
     "within chunks of 20 frames of the spectrogram"),
    ("qwen3_omni_moe_audio_encoder", "qwen3_omni_moe.Qwen3OmniMoeAudioEncoder",
     {**FRAMES, "n_window": 50, "n_window_infer": 250, "downsample_hidden_size": 8},
     {"input_features": (8, 400), "feature_lens": [400]}, r"layers\.\d+", 26,
     "within windows of 200 frames of the spectrogram (n_window_infer 250), whose positions begin anew every 100"),
    ("gemma3n_audio", "gemma3n.Gemma3nAudioEncoder",
     {"hidden_size": 32, "conf_num_attention_heads": 2, "conf_num_hidden_layers": 2, "input_feat_size": 16,
      "conf_attention_chunk_size": 4, "conf_attention_context_left": 5, "conf_attention_context_right": 2},
     {"audio_mel": (1, 160, 16), "audio_mel_mask": None}, r".*\.attention\.attn", 7,
     "to 4 frames before a frame (conf_attention_context_left) and 2 after it"),
    ("gemma4_audio", "gemma4.Gemma4AudioModel",
     {"hidden_size": 32, "num_attention_heads": 2, "num_hidden_layers": 2, "attention_chunk_size": 4,
      "attention_context_left": 5, "attention_context_right": 2, "output_proj_dims": 16},
     {"input_features": (1, 160, 128)}, r".*\.self_attn", 5,
     "to 3 frames before a frame (attention_context_left) and 1 after it"),
    ("granite_speech_encoder", "granite_speech.GraniteSpeechCTCEncoder",
     {"hidden_dim": 32, "num_layers": 2, "num_heads": 2, "dim_head": 16, "context_size": 10, "input_dim": 16,
      "output_dim": 8, "max_pos_emb": 20}, {"hidden_states": (1, 40, 16)}, r"layers\.\d+\.attn", 10,
     "within blocks of 10 frames"),
    ("granite_speech_plus_encoder", "granite_speech_plus.GraniteSpeechPlusCTCEncoder",
     {"hidden_dim": 32, "num_layers": 2, "num_heads": 2, "dim_head": 16, "context_size": 10, "input_dim": 16,
      "output_dim": 8, "max_pos_emb": 20}, {"hidden_states": (1, 40, 16)}, r"layers\.\d+\.attn", 10,
     "within blocks of 10 frames"),
    ("granite_speech5_encoder", "granite_speech5.GraniteSpeech5Encoder",
     {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "context_size": 10, "num_mel_bins": 4,
      "intermediate_size": 32, "vocab_size": 8, "max_position_embeddings": 20}, {"input_features": (1, 40, 16)},
     r"layers\.\d+\.\w*attn", 10, "within blocks of 10 frames"),
    ("qwen3_asr_encoder", "qwen3_asr.Qwen3ASREncoder",
     {**FRAMES, "n_window": 50, "n_window_infer": 250, "downsample_hidden_size": 8},
     {"input_features": (1, 8, 400), "input_features_mask": None}, r"layers\.\d+", 26,
     "within windows of 200 frames of the spectrogram (n_window_infer 250), whose positions begin anew every 100"),
    ("nemotron_asr_streaming_encoder", "nemotron_asr_streaming.NemotronAsrStreamingEncoder",
     {"hidden_size": 32, "num_attention_heads": 2, "num_hidden_layers": 2, "sliding_window": 9,
      "default_num_lookahead_tokens": 3, "intermediate_size": 32}, {"input_features": (1, 320, 80)},
     r"layers\.\d+\.self_attn", 12, "within chunks of 4 frames (default_num_lookahead_tokens + 1), and to the 2 "),
)  # fmt: skip


def told(model_type: str, keys: Keys) -> tuple[set[int], int]:
    """The layers that attend to the whole picture, and the patches of a window, as our sentence names them."""
    sentence = open_model({**keys, "model_type": model_type}).layers[0].sentence
    size = re.search(r"windows of (\d+) x (\d+) patches", sentence)
    assert size is not None
    listed = re.search(r"layers? ([\d, and]+) attends? to the whole picture", sentence)
    return {int(each) for each in re.findall(r"\d+", listed[1])} if listed else set(), int(size[1]) * int(size[2])


@pytest.mark.parametrize(("model_type", "path", "keys", "pattern"), PICTURES, ids=[case[0] for case in PICTURES])
def test_layers_of_pictures_reach_as_far_as_their_sentence_says(
    model_type: str, path: str, keys: Keys, pattern: str, count: Callable[[str, int], None]
) -> None:
    given: Keys = {"pixel_values": torch.randn(1, 3, 64, 64)}
    if "fullatt_block_indexes" in keys:
        given = {"hidden_states": torch.randn(256, 3 * 2 * 14 * 14), "grid_thw": torch.tensor([[1, 16, 16]])}
    elif model_type == "florence_vision":
        given = {"hidden_states": torch.randn(1, 3, 128, 128)}
    elif model_type == "clap_audio_model":
        given = {"input_features": torch.randn(1, 1, 256, 16)}
    layers = [reached(*call) for call in calls(built(path, keys), pattern, given)]
    assert len(layers) == len(open_model({**keys, "model_type": model_type}).layers)
    whole, patches = told(model_type, keys)
    shifted = "shifts them by 2" in open_model({**keys, "model_type": model_type}).layers[0].sentence
    odd = [each % 2 == 1 for depth in keys.get("depths", [len(layers)]) for each in range(depth)]
    for place, (some, total) in enumerate(layers):
        if place in whole or total <= patches:
            assert some == total
        elif shifted and odd[place]:
            assert 0 < some < patches  # the border cuts a window that is shifted across it
        else:
            assert some == patches
    count("towers of pictures compared in their windows", 1)


@pytest.mark.parametrize(
    ("model_type", "path", "keys", "shapes", "pattern", "frames", "words"), SOUNDS, ids=[case[0] for case in SOUNDS]
)
def test_layers_of_sound_reach_as_far_as_their_sentence_says(
    model_type: str, path: str, keys: Keys, shapes: Keys, pattern: str, frames: int, words: str,
    count: Callable[[str, int], None],
) -> None:  # fmt: skip
    given = {name: torch.tensor(each) if isinstance(each, list) else torch.randn(each or (1,)) for name, each in
             shapes.items()}  # fmt: skip
    if "audio_mel_mask" in given:
        given["audio_mel_mask"] = torch.zeros(1, 160, dtype=torch.bool)
    if "input_features_mask" in given:
        given["input_features_mask"] = torch.ones(1, 400, dtype=torch.long)
    if model_type == "gemma4_audio":
        given["attention_mask"] = torch.ones(1, 160, dtype=torch.bool)
    for call in calls(built(path, keys), pattern, given):
        assert reached(*call)[0] == frames
    assert words in open_model({**keys, "model_type": model_type}).layers[0].sentence
    count("encoders of sound compared in their windows", 1)


BACKBONE: Keys = {**SMALL, **PICTURE, "pretrain_image_size": 64}
RF_DETR: Keys = {**BACKBONE, "num_windows": 2}
DETECTORS: tuple[tuple[str, str, Keys, set[int], str], ...] = (
    ("vitdet", "vitdet.VitDetModel", {**BACKBONE, "window_size": 4, "window_block_indices": [0, 2]}, {1, 3},
     "layers 0 and 2 attend within windows of 4 x 4 patches (window_block_indices), the others to the whole picture"),
    ("lw_detr_vit", "lw_detr.LwDetrViTBackbone", {**BACKBONE, "num_windows": 4, "window_block_indices": [0, 2]}, {1, 3},
     "layers 0 and 2 attend within one of 2 x 2 windows (num_windows) (window_block_indices), the others to the whole"),
    ("rf_detr_dinov2", "rf_detr.RfDetrDinov2Backbone", {**RF_DETR, "out_indices": [1, 2]}, {1, 2, 3},
     "layers 1-3 attend to the whole picture (out_indices), the others within one of 2 x 2 windows (num_windows)"),
    ("rf_detr_dinov2", "rf_detr.RfDetrDinov2Backbone", {**RF_DETR, "out_features": ["stage3"]}, {3},
     "layer 3 attends to the whole picture (out_features), the others within one of 2 x 2 windows (num_windows)"),
    ("rf_detr_dinov2", "rf_detr.RfDetrDinov2Backbone", {**RF_DETR, "out_indices": [2, -1]}, {0, 1, 2, 3},
     "each layer attends to the whole picture (out_indices)"),
    ("rf_detr_dinov2", "rf_detr.RfDetrDinov2Backbone", RF_DETR, set(),
     "each layer attends within one of 2 x 2 windows (num_windows); out_indices names none"),
)  # fmt: skip


@pytest.mark.parametrize(("model_type", "path", "keys", "whole", "words"), DETECTORS)
def test_the_layers_of_detectors_with_windows_are_those_of_their_sentence(
    model_type: str, path: str, keys: Keys, whole: set[int], words: str
) -> None:
    given: Keys = {"pixel_values": torch.randn(1, 3, 64, 64)}
    layers = [reached(*each) for each in calls(built(path, keys), r"encoder\.layer\.\d+", given)]
    assert {place for place, (some, total) in enumerate(layers) if some == total} == whole
    assert {total // some for place, (some, total) in enumerate(layers) if place not in whole} <= {4}
    assert words in open_model({**keys, "model_type": model_type}).layers[0].sentence


def test_the_units_of_hiera_and_of_sam_2_are_those_of_the_stage_before_in_a_layer_that_pools() -> None:
    hiera: Keys = {"image_size": [128, 128], "embed_dim": 16, "depths": [2, 2, 2, 1], "num_heads": [1, 1, 1, 1]}
    given = {"pixel_values": torch.randn(1, 3, 128, 128)}
    pooled = [
        reached(*each) for each in calls(built("hiera.HieraModel", hiera), r"encoder\.stages\.\d+\.layers\.\d+", given)
    ]
    assert [some == total for some, total in pooled] == [False] * 5 + [True] * 2
    assert "layers 5-6 attend to the whole picture" in open_model({**hiera, "model_type": "hiera"}).layers[0].sentence
    sam: Keys = {
        "hidden_size": 16, "num_attention_heads": 2, "image_size": [128, 128], "blocks_per_stage": [1, 2, 2, 1],
        "embed_dim_per_stage": [16, 32, 64, 128], "num_attention_heads_per_stage": [2, 2, 2, 2],
        "window_size_per_stage": [8, 4, 4, 2], "global_attention_blocks": [4],
    }  # fmt: skip
    layers = [reached(*each) for each in calls(built("sam2.Sam2HieraDetModel", sam), r"blocks\.\d+", given)]
    assert [some for some, _ in layers] == [8 * 8, (8 // 2) ** 2, 4 * 4, (4 // 2) ** 2, 8 * 8, (4 // 2) ** 2]
    sentence = open_model({**sam, "model_type": "sam2_hiera_det_model"}).layers[0].sentence
    assert (
        "layer 4 attends to the whole picture (global_attention_blocks), the others within square windows" in sentence
    )


def test_the_windows_of_moonshines_encoder_are_those_of_its_pairs() -> None:
    keys: Keys = {
        "hidden_size": 32, "num_attention_heads": 2, "num_key_value_heads": 2, "num_hidden_layers": 3,
        "intermediate_size": 32, "sliding_windows": [[4, 3], [5, 0], [1, 1]],
    }  # fmt: skip
    model = built("moonshine_streaming.MoonshineStreamingEncoder", keys)
    given = {"input_values": torch.randn(1, 80 * 40), "attention_mask": torch.ones(1, 80 * 40, dtype=torch.long)}
    reaches = [reached(*each)[0] for each in calls(model, r"layers\.\d+\.self_attn", given)]
    layers = open_model({**keys, "model_type": "moonshine_streaming_encoder"}).layers
    assert reaches == [each.window + (each.ahead + 1 if each.ahead else 0) for each in layers] == [6, 5, 1]


def test_the_encoder_of_t5gemma_attends_to_both_sides_and_its_decoder_to_one() -> None:
    module: Keys = {
        "hidden_size": 32, "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 16, "num_hidden_layers": 2,
        "intermediate_size": 32, "vocab_size": 64, "sliding_window": 3,
    }  # fmt: skip
    tokens = torch.arange(20)[None] + 3
    model = built("t5gemma.T5GemmaModel", {"encoder": module, "decoder": module, "vocab_size": 64})
    ours = open_model({"model_type": "t5gemma", "encoder": module, "decoder": module})
    given = {"input_ids": tokens, "decoder_input_ids": tokens, "use_cache": False}
    sliding = [reached(*calls(model, rf"{part}\.layers\.0\.self_attn", given)[0])[0] for part in ("encoder", "decoder")]
    (encoder,) = ours.parts
    assert encoder.layer.window == encoder.layer.ahead == 3
    assert (ours.layers[0].window, ours.layers[0].ahead) == (3, None)
    assert sliding == [7, 3]


def test_the_windows_of_longformer_led_and_longt5_are_those_of_their_keys() -> None:
    tokens = torch.arange(64)[None] % 50 + 3
    small: Keys = {
        "hidden_size": 32, "num_attention_heads": 2, "num_hidden_layers": 2, "intermediate_size": 32, "vocab_size": 64,
        "max_position_embeddings": 80, "attention_window": [4, 8],
    }  # fmt: skip
    model = built("longformer.LongformerModel", small)
    reaches = [reached(*each)[0] for each in calls(model, r"encoder\.layer\.\d+", {"input_ids": tokens})]
    layers = open_model({**small, "model_type": "longformer"}).layers
    assert reaches == [2 * (each.ahead or 0) + 1 for each in layers] == [5, 9]
    led: Keys = {
        "d_model": 32, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2, "vocab_size": 64,
        "decoder_attention_heads": 2, "encoder_ffn_dim": 32, "decoder_ffn_dim": 32, "attention_window": 6,
    }  # fmt: skip
    (call,) = calls(built("led.LEDModel", led), r"encoder\.layers\.\d+", {"input_ids": tokens})
    assert reached(*call)[0] == 7
    assert "attend to 3 tokens on each side" in open_model({**led, "model_type": "led"}).layers[0].sentence
    longt5: Keys = {
        "d_model": 32, "num_layers": 1, "num_heads": 2, "d_kv": 16, "d_ff": 32, "vocab_size": 64, "local_radius": 5,
    }  # fmt: skip
    (call,) = calls(built("longt5.LongT5EncoderModel", longt5), r"encoder\.block\.\d+", {"input_ids": tokens})
    assert reached(*call)[0] == 11
    assert "attend to 5 tokens on each side" in open_model({**longt5, "model_type": "longt5"}).layers[0].sentence


def test_the_vocoders_of_qwens_omni_models_attend_as_their_parts_say() -> None:
    codes: Keys = {
        "hidden_size": 32, "num_attention_heads": 2, "num_key_value_heads": 2, "num_hidden_layers": 2,
        "intermediate_size": 32, "sliding_window": 3,
    }  # fmt: skip
    model = built("qwen3_omni_moe.Qwen3OmniMoeCode2WavTransformerModel", codes)
    given = {"inputs_embeds": torch.randn(1, 20, 32), "use_cache": False}
    ours = open_model({"model_type": "qwen3_omni_moe", "thinker_config": {"text_config": {}}, "code2wav_config": codes})
    (part,) = ours.parts
    assert [reached(*each)[0] for each in calls(model, r"layers\.\d+\.self_attn", given)] == [3, 3]
    assert (part.name, part.n_layers, part.layer.window) == ("code2wav", 2, 3)
    module = import_module("transformers.models.qwen2_5_omni.modeling_qwen2_5_omni")
    keys: Keys = {"num_hidden_layers": 5, "look_ahead_layers": [1, 4], "look_backward_layers": [2]}
    with torch.device("meta"):
        dit = module.Qwen2_5OmniToken2WavDiTModel(module.Qwen2_5OmniToken2WavDiTModel.config_class(**keys))
    sides = [(each.look_backward_block, each.look_ahead_block) for each in dit.transformer_blocks]
    assert sides == [(0, 0), (0, 1), (1, 0), (0, 0), (0, 1)]
    sentence = open_model({**keys, "model_type": "qwen2_5_omni_dit"}).layers[0].sentence
    assert f"within blocks of {dit.block_size} frames" in sentence
    assert "layer 2 attends to the block before it too (look_backward_layers); layers 1 and 4 attend to the" in sentence
