"""The parts of a model beside its text: found in the configuration, kept by sessions, and shown by their index."""

import json

import pytest

from posenc_core import Document, open_model
from posenc_core.encodings import RopeAxes
from posenc_core.model_config import evidence_of_layer, evidence_of_part

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
