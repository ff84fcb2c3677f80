"""A session names a model's tokenizer and embedding, and opens where they are open."""

import json
import re

import numpy as np
import pytest
from safetensors_bench import write
from tokenizer_bench import byte_fallback, byte_level, saved

from posenc_core import Document, Embedding
from posenc_core.fields import MissingFileError
from posenc_core.tables import open_table
from posenc_core.text import open_tokenizer

N_ROWS = byte_level().get_vocab_size()
NUMBERS = np.sin(np.arange(N_ROWS * 6.0)).reshape(N_ROWS, 6).astype("<f4")


@pytest.fixture
def tokenizer(tmp_path):
    return open_tokenizer(saved(byte_level(), tmp_path))


@pytest.fixture
def rows(tmp_path):
    write(tmp_path / "model.safetensors", {"wte.weight": ("F32", NUMBERS)})
    return open_table(tmp_path / "model.safetensors", "wte.weight")


def test_a_session_names_the_tokenizer_and_does_not_hold_it(tokenizer, tmp_path):
    document = Document("Dan loves 🍦").with_tokenizer(tokenizer)
    text = document.to_json()
    assert json.loads(text)["tokenizer"] == {"name": "tokenizer.json", "digest": tokenizer.digest}
    assert str(tmp_path) not in text
    assert Document.from_json(text, tokenizers=[tokenizer]) == document
    sentence = "this session shows the tokens of the tokenizer 'tokenizer.json', which a session does not contain; open"
    for others in ((), [open_tokenizer(saved(byte_fallback(), tmp_path))]):
        with pytest.raises(MissingFileError, match=re.escape(sentence)):
            Document.from_json(text, tokenizers=others)


def test_a_tokenizer_that_is_not_used_is_not_needed(tokenizer):
    document = Document().with_tokenizer(tokenizer).edited("tokens", "words")
    text = document.to_json()
    assert Document.from_json(text, tokenizers=[tokenizer]) == document
    assert Document.from_json(text).tokenizer is None
    assert document.edited("tokens", "model").token_list[0].text == "<s>"


@pytest.mark.parametrize("damage", [{"name": 1}, {"digest": []}, {}, {"digest": "0" * 32}])
def test_a_damaged_name_is_a_tokenizer_that_is_not_open(tokenizer, damage):
    session = json.loads(Document().with_tokenizer(tokenizer).to_json()) | {"tokenizer": damage}
    with pytest.raises(MissingFileError):
        Document.from_json(json.dumps(session), tokenizers=[tokenizer])
    session["tokenizer"] = [1]
    with pytest.raises(ValueError, match=r"^this session is damaged: tokenizer must be an `?object"):
        Document.from_json(json.dumps(session), tokenizers=[tokenizer])


def test_special_tokens_can_be_left_out(tokenizer):
    document = Document("Dan loves").with_tokenizer(tokenizer)
    assert [token.text for token in document.token_list][:2] == ["<s>", "Dan"]
    without = document.edited("special_tokens", False)
    assert without.token_list[0].text == "Dan"
    assert Document.from_json(without.to_json(), tokenizers=[tokenizer]) == without


def test_a_models_tokens_need_their_tokenizer():
    for make in (lambda: Document(tokens="model"), lambda: Document().edited("tokens", "model")):
        with pytest.raises(MissingFileError, match="no model's tokenizer is open; open a tokenizer"):
            make()
    with pytest.raises(MissingFileError, match="no model with an embedding is open"):
        Embedding("model")


def test_the_embedding_of_a_token_is_its_row(tokenizer, rows):
    document = (
        Document("Dan loves 日").with_tokenizer(tokenizer, rows).edited("d_model", 6).edited("embedding", "model")
    )
    tokens = document.token_list
    found = document.embedding.vectors([each.text for each in tokens], 6, [each.id for each in tokens])
    assert np.array_equal(found, NUMBERS[list(tokens.ids)].astype(np.float64))
    assert document.embedding.label_at(6) == "model.safetensors: wte.weight"
    assert document.embedding.label_at(4) == "model.safetensors: wte.weight, first 4 of 6 columns"
    wider = document.embedding.vectors(["a"], 8, [tokens[0].id])
    assert np.array_equal(wider, [[*NUMBERS[tokens[0].id], 0.0, 0.0]])
    assert document.embedding.label_at(8) == "model.safetensors: wte.weight, 6 columns and zeros"
    scaled = document.edited("scale_by_sqrt_d", True).embedding
    assert np.array_equal(scaled.vectors(["a"], 4, [5]), NUMBERS[[5], :4] * 2.0)
    assert scaled.label_at(4).endswith("columns, × √d_model")
    assert np.array_equal(scaled.vectors(["a", "b"], 4, [None, 2**32]), np.zeros((2, 4)))


def test_a_patch_has_the_row_of_the_token_in_its_place(tokenizer, rows):
    words = Document("Dan loves").with_tokenizer(tokenizer, rows).edited("embedding", "model")
    patches = words.edited("family", "rope_axes").edited("grid", "4x5")
    assert patches.token_list[0].cell
    width = patches.encoding.combination.width
    wanted = words.embedding.vectors(["?"] * len(words.token_list), width, list(words.token_list.ids))
    assert np.array_equal(patches.vectors_of(patches.token_list), wanted)
    assert np.abs(wanted).max() > 0.5


def test_a_session_names_the_rows_of_the_embedding(tokenizer, rows, tmp_path):
    document = Document().with_tokenizer(tokenizer, rows).edited("embedding", "model")
    text = document.to_json()
    assert document.tables == (rows,)
    assert json.loads(text)["embedding"]["rows_name"] == "model.safetensors: wte.weight"
    assert str(tmp_path) not in text
    assert Document.from_json(text, document.tables, [tokenizer]) == document
    sentence = "this session shows the embedding 'model.safetensors: wte.weight', which a session does not contain"
    with pytest.raises(MissingFileError, match=re.escape(sentence)):
        Document.from_json(text, (), [tokenizer])


def test_rows_belong_to_the_models_own_tokens(tokenizer, rows, tmp_path):
    document = Document().with_tokenizer(tokenizer, rows).edited("embedding", "model")
    with pytest.raises(ValueError, match=r"has rows for the model's own tokens only; change it first$"):
        document.edited("tokens", "words")
    assert document.edited("embedding", "none").edited("tokens", "words").embedding.rows is rows
    assert document.with_tokenizer(tokenizer).embedding == Embedding()
    write(tmp_path / "small.safetensors", {"wte.weight": ("F32", NUMBERS[:100])})
    with pytest.raises(ValueError, match=r"has ids up to \d+, 'small.safetensors: wte.weight' has 100 rows"):
        document.with_tokenizer(tokenizer, open_table(tmp_path / "small.safetensors"))
