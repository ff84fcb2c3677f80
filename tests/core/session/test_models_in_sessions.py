"""Documents with a model: the session contains every layer and no folder of the machine."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from gguf_bench import written
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from posenc_core import Alibi, Document, LearnedTable, Llama3, NoPosition, Rotary, open_model
from posenc_core.rope_scaling import QueryTemperature
from posenc_core.session import FoundTable, Layer, Model, NamedEncoding

SCALED = Rotary(128, 500000.0, scaling=Llama3(8.0, 8192))
ROTATES = Layer(
    "rotary", SCALED, window=4096, chunk=8192, layer_type="sliding_attention", sentence="rotates", chosen=2048
)
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


def test_a_session_keeps_the_notes_on_a_models_encodings_until_an_edit():
    noted = Rotary(8, notes=("the model also multiplies its softmax scale by 1.5",))
    document = Document(encoding=noted).with_encodings([NamedEncoding(noted), NamedEncoding(noted)], 1)
    again = Document.from_json(document.with_model(MODEL).with_encoding(noted).to_json())
    assert [each.encoding.notes for each in again.encodings] == [noted.notes] * 2
    assert again.encoding.warnings == noted.warnings
    assert "notes" not in stored(again.edited("rope_theta", 7.0))["encoding"]


def test_a_session_of_more_and_longer_sentences_than_it_may_have_opens_again():
    noted = Rotary(8, notes=("x" * 5000, *map(str, range(2000))))
    again = Document.from_json(Document(encoding=noted).to_json()).encoding
    assert again.notes == ("x" * 4096, *map(str, range(999)))


@dataclass(frozen=True)
class Noted(NoPosition):
    """A plug-in whose notes are its own."""

    notes: str | None = field(default=None, kw_only=True)


def test_notes_of_a_plug_in_are_not_those_of_a_model():
    assert "notes" not in stored(Document(encoding=Noted(4)))["encoding"]


@pytest.mark.parametrize("notes", [5, "a sentence", [5], [""], ["a" * 4097], ["a"] * 1001, {}])
def test_damaged_notes_are_refused_in_one_sentence(notes):
    session = stored(Document(encoding=Rotary(8)))
    session["encoding"]["notes"] = notes
    with pytest.raises(
        ValueError, match=r"^this session is damaged: notes must be a list of at most 1000 sentences, got"
    ):
        Document.from_json(json.dumps(session))


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
        ("layers", [], "model.layers has no layer 0"),
        ("layers", [{"indices": [], "kind": "none"}], "model.layers has no layer 0"),
        ("layers", [{"indices": [[0, 10**9]], "kind": "none"}], "must be int <"),
        ("layers", [{"indices": [[0, 0]], "kind": "odd"}], "Invalid enum value 'odd'"),
        ("layers", [{"indices": [[0, 0]], "kind": "rotary", "encoding": {"family": 5}}], "family must be"),
        ("config", "no JSON", "model.config"),
        ("config", "[" * 60000, "model.config is nested too deeply"),
        ("header", "[1]", "model.header contains no object with names and values"),
    ],
)
def test_a_damaged_model_is_refused_in_one_sentence(key, value, sentence):
    session = stored(Document().with_model(MODEL))
    session["model"][key] = value
    with pytest.raises(ValueError, match="this session is damaged: ") as refused:
        Document.from_json(json.dumps(session))
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_model_b_brings_its_encoding_as_b_and_leaves_a():
    other = replace(MODEL, name="Other", layers=(Layer("rotary", Rotary(64)),))
    document = Document().with_model(MODEL).with_model_b(other)
    assert (document.model.name, document.model_b.name) == ("Some model", "Other")
    assert [each.encoding for each in document.encodings] == [SCALED, Rotary(64)]
    told = "base 10,000, no scaling, head_dim 64"
    assert [each.source for each in document.encodings] == ["Some model", f"Other, {told}"]
    assert document.encoding == SCALED
    third = document.with_model_b(replace(other, name="Third"))
    assert [each.source for each in third.encodings] == ["Some model", f"Third, {told}"]
    assert third.with_model(MODEL).encodings[0].source == "Some model, base 500,000, Llama 3 ×8, head_dim 128"
    assert third.with_model_b(None).model_b is None
    assert Document.from_json(document.to_json()) == document
    assert "someone" not in document.to_json()


def test_a_model_b_without_numbers_leaves_the_encodings():
    document = Document().with_model(MODEL)
    again = document.with_model_b(replace(MODEL, layers=(Layer("learned", sentence="in the weights"),)))
    assert again.encodings == document.encodings
    assert again.model_b is not None


LARGEST = 2**53
LONG = "ä" * 5000
LENGTHS = st.one_of(st.none(), st.integers(1, LARGEST), st.sampled_from([1, LARGEST]))
TEXTS = st.one_of(st.text(max_size=20), st.sampled_from(["", LONG, "half \ud800", "a\nb\u202e"]))
TEMPERATURES = st.one_of(
    st.none(),
    st.builds(
        lambda scale, length: QueryTemperature(
            "ministral3", {"llama_4_scaling_beta": scale, "original_max_position_embeddings": length}
        ),
        st.sampled_from([0, 1, 0.1, 4.0]),
        st.integers(1, 2**31 - 1),
    ),
)
LAYERS = st.builds(
    Layer, st.sampled_from(["rotary", "none"]), st.sampled_from([None, SCALED, Alibi(8)]), LENGTHS, LENGTHS,
    TEMPERATURES, st.one_of(st.none(), TEXTS), TEXTS, LENGTHS, LENGTHS,
)  # fmt: skip
TABLES = st.builds(
    FoundTable, st.just(Path("m.safetensors")), TEXTS, st.tuples(st.integers(0, LARGEST), st.integers(0, LARGEST)),
    st.one_of(st.none(), st.integers(0, 9)), TEXTS,
)  # fmt: skip
MODELS = st.builds(
    Model, TEXTS, TEXTS, TEXTS, st.lists(LAYERS, min_size=1, max_size=3).map(tuple), LENGTHS, LENGTHS, TEXTS,
    st.lists(TEXTS, max_size=3).map(tuple), st.lists(TABLES, max_size=2).map(tuple),
)  # fmt: skip


@given(MODELS)
def test_each_model_that_is_shown_is_saved_and_opens_again(model):
    document = Document().with_model(model)
    assert Document.from_json(document.to_json()) == document


def test_more_than_a_session_has_is_cut_or_refused():
    tables = [FoundTable(Path("a"), "wpe", (1, 1), 0, "")] * 1001
    model = Model(LONG, LONG, LONG, (Layer("none", layer_type=LONG, sentence=LONG),), notes=(LONG, *["short"] * 1000))
    document = Document().with_model(replace(model, tables=tuple(tables)))
    assert Document.from_json(document.to_json()) == document
    assert (len(document.model.name), document.model.name[-1]) == (4096, "…")
    with pytest.raises(
        ValueError, match=r"^the table 'wpe' has 9,007,199,254,740,993 rows and 2 columns; both must be"
    ):
        FoundTable(Path("a"), "wpe", (LARGEST + 1, 2), 0, "")
    with pytest.raises(ValueError, match=r"^target_length must be from 1 to 2\^53 tokens, got 9007199254740993$"):
        Model("m", "t", "s", (Layer("none"),), None, LARGEST + 1)


@pytest.mark.parametrize("length", [4, 8192, 2**31 - 1])
def test_a_gguf_files_lengths_of_the_temperature_stay_integers(tmp_path, length):
    keys = {
        "general.architecture": "deepseek2",
        "general.name": LONG,
        "deepseek2.block_count": 2,
        "deepseek2.context_length": 4096,
        "deepseek2.attention.key_length": 192,
        "deepseek2.attention.head_count": 8,
        "deepseek2.rope.dimension_count": 64,
        "deepseek2.attention.temperature_scale": 1.0,
        "deepseek2.attention.temperature_length": length,
    }
    document = Document().with_model(open_model(written(tmp_path / "m.gguf", keys)))
    assert document.model.layers[0].temperature.parameters["original_max_position_embeddings"] == length
    assert Document.from_json(document.to_json()) == document
    saved = stored(document)["model"]["layers"][0]["temperature"]["parameters"]
    assert type(saved["original_max_position_embeddings"]) is int


def test_a_learned_table_in_the_weights_is_shown_untrained_in_its_shape() -> None:
    model = open_model(Path(__file__).parents[2] / "data" / "model_configs" / "gpt2_medium.json")
    assert (model.layers[0].encoding, model.layers[0].table_shape) == (None, (1024, 1024))
    document = Document(encoding=Alibi(8)).with_model(model)
    assert document.encoding == LearnedTable.untrained(1024, 1024)
    assert "untrained" in document.encoding.label
    assert Document.from_json(document.to_json()) == document
