"""The parts of a model beside its text: found in the configuration, kept by sessions, and shown by their index."""

import json
from pathlib import Path

import pytest

from posenc_core import Document, open_model
from posenc_core.encodings import RopeAxes
from posenc_core.model_config import evidence_of_layer, evidence_of_part

FILES = Path(__file__).parents[2] / "data" / "model_configs"
VISION = {"model_type": "qwen2_vl", "depth": 32, "embed_dim": 1280, "num_heads": 16}
TEXT = {"model_type": "qwen2_vl", "hidden_size": 1536, "num_attention_heads": 12, "num_hidden_layers": 2}
QWEN = {**TEXT, "vision_config": VISION}


def test_the_vision_part_is_that_of_the_part_opened_by_itself():
    model = open_model(QWEN)
    (part,) = model.parts
    alone = open_model(QWEN, part="vision")
    assert (part.name, part.n_layers, part.layer) == ("vision", len(alone.layers), alone.layers[0])
    assert isinstance(part.layer.encoding, RopeAxes)
    assert alone.parts == ()


@pytest.mark.parametrize(
    ("config", "names"),
    [
        (TEXT, []),
        ({**TEXT, "vision_config": {}}, []),
        ({"model_type": "llava", "text_config": {**TEXT, "model_type": "llama"}, "vision_config": VISION}, ["vision"]),
        (
            {"model_type": "qwen2_5_omni", "thinker_config": {"text_config": TEXT, "vision_config": VISION,
             "audio_config": {"model_type": "qwen2_5_omni_audio_encoder", "d_model": 64}}},
            ["vision", "audio"],
        ),
        ({"model_type": "pixtral", "hidden_size": 64, "num_attention_heads": 1}, []),
    ],
    ids=["text", "empty", "beside", "within", "alone"],
)  # fmt: skip
def test_parts_are_found_beside_the_text_wherever_it_lies(config, names):
    assert [part.name for part in open_model(config).parts] == names


def test_a_part_whose_positions_are_unknown_says_so():
    (part,) = open_model({**TEXT, "vision_config": {"model_type": "unheard_of", "hidden_size": 64}}).parts
    assert part.layer.kind == "unsupported"
    assert "unheard_of" in part.layer.sentence


def test_a_session_keeps_parts_and_shows_them_by_the_index_after_the_layers():
    model = open_model(QWEN)
    document = Document("Dan loves icecream").with_model(model, 2)
    assert document.encoding == model.parts[0].layer.encoding
    opened = Document.from_json(document.to_json())
    assert opened == document
    assert opened.model.parts == model.parts
    with pytest.raises(IndexError):
        document.with_model(model, 3)


def test_a_session_without_parts_opens_and_one_with_damaged_parts_is_refused():
    plain = json.loads(Document().with_model(open_model(QWEN)).to_json())
    damaged = {
        **plain,
        "model": {**plain["model"], "parts": [{"name": "vision", "layers": {"indices": [], "kind": "none"}}]},
    }
    with pytest.raises(ValueError, match=r"model\.parts has no layers of 'vision'"):
        Document.from_json(json.dumps(damaged))
    del plain["model"]["parts"]
    assert Document.from_json(json.dumps(plain)).model.parts == ()


GRANITE = {"model_type": "granite", "hidden_size": 512, "num_attention_heads": 4, "num_hidden_layers": 2}
SPEECH = {"model_type": "granite_speech_encoder", "num_layers": 10}
MOONSHINE = {"model_type": "moonshine_streaming", "hidden_size": 320, "num_attention_heads": 8, "num_hidden_layers": 6}
STREAMED = {"model_type": "moonshine_streaming_encoder", "num_hidden_layers": 10}


@pytest.mark.parametrize(
    ("config", "n_layers", "said"),
    [
        ({"model_type": "granite_speech", "text_config": GRANITE, "encoder_config": SPEECH}, 10, "as Shaw's"),
        (
            {"model_type": "granite_speech_plus", "text_config": GRANITE,
             "encoder_config": {**SPEECH, "model_type": "granite_speech_plus_encoder"}},
            10, "as Shaw's",
        ),
        ({**MOONSHINE, "encoder_config": STREAMED}, 10, "its attention has no positions"),
        (
            {"model_type": "encoder-decoder", "decoder": {"model_type": "bert", "hidden_size": 8},
             "encoder": {"model_type": "bert", "hidden_size": 8, "num_hidden_layers": 3}},
            3, "a learned table of positions",
        ),
    ],
)  # fmt: skip
def test_an_encoder_beside_the_text_is_a_part(config, n_layers, said):
    model = open_model(config)
    (part,) = model.parts
    assert (part.name, part.n_layers) == ("encoder", n_layers)
    assert said in part.layer.sentence
    assert open_model(config, part="encoder").layers[0] == part.layer
    opened = Document.from_json(Document().with_model(model).to_json())
    assert opened.model.parts == model.parts


def test_the_keys_of_an_encoder_are_evidence_for_it_alone():
    model = open_model({**MOONSHINE, "rope_theta": 1e4, "encoder_config": STREAMED})
    assert [each.key for each in evidence_of_part(model, model.parts[0])] == ["encoder_config.model_type"]
    assert all("encoder_config" not in each.key for each in evidence_of_layer(model, 0))


def test_the_keys_of_a_speech_part_are_evidence_for_it():
    speech = {"model_type": "clvp_encoder", "hidden_size": 768, "num_attention_heads": 12}
    model = open_model({"model_type": "clvp", "text_config": {**speech, "hidden_size": 1536}, "speech_config": speech})
    (part,) = model.parts
    assert "speech_config.hidden_size = 768" in [str(each) for each in evidence_of_part(model, part)]


TALKER = {
    "text_config": {"model_type": "qwen3_omni_moe_talker_text", "hidden_size": 1024, "num_attention_heads": 16,
                    "head_dim": 128, "num_hidden_layers": 20, "rope_theta": 1e6},
    "code_predictor_config": {"model_type": "qwen3_omni_moe_talker_code_predictor", "head_dim": 128,
                              "num_hidden_layers": 5, "rope_theta": 1e6},
}  # fmt: skip
CODES = {"hidden_size": 1024, "num_attention_heads": 16, "num_hidden_layers": 8, "sliding_window": 72}
TEXT_OF_OMNI = {"hidden_size": 2048, "num_attention_heads": 32, "head_dim": 128, "num_hidden_layers": 48}
OMNI = {
    "model_type": "qwen3_omni_moe", "thinker_config": {"text_config": TEXT_OF_OMNI}, "talker_config": TALKER,
    "code2wav_config": CODES,
}  # fmt: skip


@pytest.mark.parametrize(
    ("config", "listed"),
    [
        (OMNI, [("talker", 20, "rotary"), ("code predictor", 5, "rotary"), ("code2wav", 8, "rotary")]),
        (
            {"model_type": "blip-2", "text_config": {"model_type": "opt"}, "vision_config": {"hidden_size": 64},
             "qformer_config": {"model_type": "blip_2_qformer", "num_hidden_layers": 6}},
            [("vision", 39, "learned"), ("qformer", 6, "learned")],
        ),
        (
            {"model_type": "emu3", "text_config": {"num_hidden_layers": 2}, "vq_config": {"embed_dim": 4}},
            [("vq", 1, "unsupported")],
        ),
        (
            {"model_type": "csm", "num_hidden_layers": 2, "codec_config": {"model_type": "mimi"},
             "depth_decoder_config": {"num_hidden_layers": 3}},
            [("depth decoder", 3, "rotary"), ("codec", 8, "rotary")],
        ),
        (
            {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2,
             "codec_config": {"model_type": "unheard"}},
            [],
        ),
    ],
    ids=["omni", "qformer", "vq", "codec", "unknown"],
)  # fmt: skip
def test_talkers_codecs_and_all_other_known_parts_are_listed(config, listed):
    model = open_model(config)
    assert [(part.name, part.n_layers, part.layer.kind) for part in model.parts] == listed
    for part in model.parts:
        assert open_model(config, part="talker_config.code_predictor_config" if part.name == "code predictor" else
                          part.name).layers[0].kind == part.layer.kind  # fmt: skip
        assert {each.key.partition(".")[0] for each in evidence_of_part(model, part)} <= {
            f"{part.name.replace(' ', '_')}_config"
        }
    assert Document.from_json(Document().with_model(model).to_json()).model.parts == model.parts


def test_the_tokens_of_code2wav_have_a_window_and_a_picture_codec_says_that_it_has_no_positions():
    assert open_model(OMNI).parts[2].layer.window == 72
    (vq,) = open_model({"model_type": "emu3", "text_config": {"num_hidden_layers": 2}, "vq_config": {}}).parts
    assert "without positions: there is nothing to show" in vq.layer.sentence


def test_a_part_whose_layers_differ_shows_one_that_adds_positions_and_says_what_the_others_do():
    text = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2}
    (part,) = open_model({"model_type": "lfm3_vl", "text_config": text, "vision_config": {}}).parts or [None]
    assert part is None
    vision = {"model_type": "lfm3_vl_vision"}
    (part,) = open_model({"model_type": "lfm3_vl", "text_config": text, "vision_config": vision}).parts
    assert isinstance(part.layer.encoding, RopeAxes)
    assert part.layer.sentence.startswith("8 of 14 layers: ")
    assert "; 6 of 14 layers: pairs turn by the row and the column of a patch" in part.layer.sentence


def test_the_encoder_of_t5gemma_sees_both_sides():
    module = {"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2, "sliding_window": 9}
    model = open_model({"model_type": "t5gemma", "encoder": module, "decoder": module})
    assert [(each.layer.window, each.layer.ahead) for each in model.parts] == [(9, 9)]
    assert (model.layers[0].window, model.layers[0].ahead) == (9, None)


@pytest.mark.parametrize(("n_parts", "said"), [(16, []), (17, ["the model has more than 16 parts beside its text"])])
def test_parts_beyond_the_listed_ones_are_named_in_a_note(n_parts, said):
    keys = (
        *("talker_config", "code_predictor_config", "code2wav_config", "token2wav_config", "dit_config"),
        *("bigvgan_config", "vocoder_config", "depth_decoder_config", "codec_config", "audio_encoder"),
        *("diffusion_head_config", "qformer_config", "projector_config", "perceiver_config", "vq_config"),
        *("image_config", "video_config"),
    )
    model = open_model({**TEXT, **{key: {"model_type": "bert", "hidden_size": 8} for key in keys[:n_parts]}})
    assert len(model.parts) == 16
    assert [note.partition(":")[0] for note in model.notes if "parts" in note] == said


TABLE = "; a learned table of 48 x 48 positions, interpolated to the picture's size, is added as well"
TOWERS = {
    **dict.fromkeys(
        ["Qwen--Qwen3-VL-30B-A3B-Instruct", "Qwen--Qwen3-VL-32B-Instruct", "Qwen--Qwen3-VL-32B-Thinking",
         "Qwen--Qwen3.5-122B-A10B", "Qwen--Qwen3.5-35B-A3B", "nvidia--Qwen3.6-27B-NVFP4",
         "nvidia--Qwen3.6-35B-A3B-NVFP4"],
        (27, "shared", 72, f"the row and the column of a patch{TABLE}"),
    ),
    "Qwen--Qwen3-VL-4B-Instruct": (24, "shared", 64, f"the row and the column of a patch{TABLE}"),
    "devstral-small-2": (24, "even_odd", 64, "the row and the column of a patch"),
    "ministral3_3b_2512": (24, "even_odd", 64, "the row and the column of a patch"),
    "nvidia--MiniMax-M3-NVFP4": (32, "shared", 80, "the frame, the row and the column of a patch"),
}  # fmt: skip
"""Layers of the vision part of a published file, its rule of axes, the columns of a head, and by what pairs turn.

The first eight repeat the whole's ``model_type`` in their ``vision_config``; MiniMax M3's has CLIP's.
"""


@pytest.mark.parametrize("name", TOWERS)
def test_the_vision_part_of_a_published_file_is_no_text(name):
    (part,) = open_model(FILES / f"{name}.json").parts
    n_layers, rule, n_columns, turn = TOWERS[name]
    encoding = part.layer.encoding
    assert (part.name, part.n_layers, part.layer.kind) == ("vision", n_layers, "rotary")
    assert (encoding.rule, encoding.head_dim) == (rule, n_columns)
    assert part.layer.sentence == f"pairs turn by {turn}"
