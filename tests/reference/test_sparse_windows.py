"""Small encoders with attention in blocks and chunks, run: whom one vector reaches, as the sentence says."""

from importlib import import_module

import torch
from perturbing import Keys, built, calls, reached

from posenc_core import open_model


def sentence(model_type: str, keys: Keys) -> str:
    return open_model({**keys, "model_type": model_type}).layers[0].sentence


def test_bigbirds_blocks_are_seen_by_their_neighbours_and_by_the_first_and_the_last_block() -> None:
    keys: Keys = {
        "hidden_size": 32, "num_attention_heads": 2, "num_hidden_layers": 2, "intermediate_size": 32, "vocab_size": 70,
        "max_position_embeddings": 80, "block_size": 4, "num_random_blocks": 1,
    }  # fmt: skip
    given = {"input_ids": torch.arange(64)[None] % 50 + 3}
    layers = calls(built("big_bird.BigBirdModel", keys), r"encoder\.layer\.\d+", given)
    assert [reached(*each)[0] for each in layers] == [5 * 4] * 2
    told = sentence("big_bird", keys)
    assert "in texts of more than 28 tokens" in told
    assert "a block of 4 tokens (block_size) attends to itself and its neighbours, to the first and the last" in told


def test_the_chunks_of_seamless_speech_reach_as_far_as_their_sentence_says() -> None:
    module = import_module("transformers.models.seamless_m4t_v2.modeling_seamless_m4t_v2")
    chunks: Keys = {"speech_encoder_chunk_size": 5, "speech_encoder_left_chunk_num": 2}
    small: Keys = {
        "hidden_size": 32, "speech_encoder_layers": 2, "speech_encoder_attention_heads": 2,
        "speech_encoder_intermediate_size": 32, "feature_projection_input_dim": 16,
    }  # fmt: skip
    cls = module.SeamlessM4Tv2SpeechEncoder
    model = cls(cls.config_class(**small, **chunks)).eval()
    layers = calls(model, r"encoder\.layers\.\d+\.self_attn", {"input_features": torch.randn(1, 40, 16)})
    assert [reached(*each)[0] for each in layers] == [3 * 5] * 2  # of its own chunk, and of the two behind it
    assert "within chunks of 5 frames (speech_encoder_chunk_size), and to the 2 chunks before" in sentence(
        "seamless_m4t_v2", chunks
    )


def test_the_chunks_of_phi_4s_sound_mask_no_frame() -> None:
    keys: Keys = {
        "hidden_size": 32, "num_attention_heads": 2, "num_blocks": 2, "intermediate_size": 32, "chunk_size": 5,
        "left_chunk": 2, "input_size": 16, "nemo_conv_channels": 8, "ext_pw_out_channel": 32,
        "depthwise_separable_out_channel": 32,
    }  # fmt: skip
    model = built("phi4_multimodal.Phi4MultimodalAudioModel", keys)
    given = {"hidden_states": torch.randn(1, 320, 16), "mask": None}
    masks = []
    for call in calls(model, r"encoders\.\d+\.self_attn", given):
        some, total = reached(*call)
        assert some == total == 40
        masks.append(call[2].get("attention_mask", call[1][-1] if call[1] else None))
    bias = model.relative_attention_bias_layer(torch.zeros(1, 40, 32))
    added = (masks[0] - bias)[0, 0]
    frame = torch.arange(40)
    chunk = frame // 5
    inside = (chunk[None] <= chunk[:, None]) & (chunk[None] >= chunk[:, None] - 2)
    assert torch.allclose(added, inside.float(), atol=1e-6)
    assert "adds 1 to the scores within chunks of 5 frames (chunk_size) and of the 2 chunks before" in sentence(
        "phi4_multimodal_audio", keys
    )
