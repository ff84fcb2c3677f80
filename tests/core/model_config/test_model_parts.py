"""The parts of a model beside its text: found in the configuration, kept by sessions, and shown by their index."""

import json

import pytest

from posenc_core import Document, open_model
from posenc_core.encodings import RopeAxes

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
