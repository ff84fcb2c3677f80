"""A document with a model: its session holds every layer, and no folder of the machine."""

import json
from pathlib import Path

import pytest

from posenc_core import Alibi, Document, Llama3, Rotary
from posenc_core.rope_scaling import QueryTemperature
from posenc_core.session import FoundTable, Layer, Model

SCALED = Rotary(128, 500000.0, scaling=Llama3(8.0, 8192))
ROTATES = Layer("rotary", SCALED, window=4096, chunk=8192, layer_type="sliding_attention", sentence="rotates")
STANDS = Layer("none", temperature=QueryTemperature("llama4", {"floor_scale": 8192.0}), layer_type="full_attention")
MODEL = Model(
    name="Some model",
    model_type="llama4",
    source="config.json",
    layers=(ROTATES, ROTATES, ROTATES, STANDS, ROTATES, ROTATES),
    trained_length=8192,
    target_length=131072,
    lengths_from="original_max_position_embeddings, max_position_embeddings",
    notes=("one", "another"),
    tables=(FoundTable(Path("/home/someone/models/model.safetensors"), "wpe.weight", (1024, 768), 0, "as in GPT-2"),),
    tokenizer=Path("/home/someone/models/tokenizer.json"),
)


def stored(document):
    return json.loads(document.to_json())


def test_a_model_brings_the_encoding_of_its_first_layer_with_one():
    assert Document().with_model(MODEL).encoding == SCALED
    other = Model("m", "t", "config.json", (STANDS, Layer("bias", Alibi(8))))
    assert Document().with_model(other).encoding == Alibi(8)
    assert Document().with_model(other, layer=0).encoding == Document().encoding


def test_a_session_holds_the_whole_model():
    document = Document().with_model(MODEL)
    again = Document.from_json(document.to_json())
    assert again == document
    assert [layer.kind for layer in again.model.layers] == ["rotary"] * 3 + ["none"] + ["rotary"] * 2
    assert again.model.layers[0] is again.model.layers[5]
    assert [group.indices for group in again.model.groups] == [(0, 1, 2, 4, 5), (3,)]
    assert stored(document)["model"]["layers"][0]["indices"] == [[0, 2], [4, 5]]


def test_a_session_names_no_folder():
    assert "someone" not in Document().with_model(MODEL).to_json()


def test_an_edit_keeps_the_model():
    assert Document().with_model(MODEL).edited("rope_theta", 1e6).model.name == "Some model"


def test_a_document_without_a_model_stores_none():
    assert "model" not in stored(Document())


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("name", 3, "model.name must be str, got int"),
        ("layers", {}, "model.layers must be array, got object"),
        ("trained_length", 0, "model.trained_length must be int >= 1"),
        ("layers", [{"indices": [[0, 1], [1, 2]], "kind": "none"}], "model.layers has layer 1 twice"),
        ("layers", [{"indices": [[1, 2]], "kind": "none"}], "model.layers has no layer 0"),
        ("layers", [{"indices": [[0, 10**9]], "kind": "none"}], "must be int <"),
        ("layers", [{"indices": [[0, 0]], "kind": "odd"}], "Invalid enum value 'odd'"),
        ("layers", [{"indices": [[0, 0]], "kind": "rotary", "encoding": {"family": "x"}}], "family must be"),
    ],
)
def test_a_damaged_model_is_refused_in_one_sentence(key, value, sentence):
    session = stored(Document().with_model(MODEL))
    session["model"][key] = value
    with pytest.raises(ValueError, match="this session is damaged: ") as refused:
        Document.from_json(json.dumps(session))
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)
