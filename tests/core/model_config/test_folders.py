"""Models' folders: what is found in them, what two of their files disagree on, and what is not followed."""

import json
import os
import sys

import numpy as np
import pytest
from gguf_bench import llama, written
from safetensors_bench import safetensors

from posenc_core import LearnedTable, Llama3, Rotary, open_model

CONFIG = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_hidden_layers": 4,
    "max_position_embeddings": 131072,
    "rope_theta": 500000.0,
    "rope_scaling": {
        "rope_type": "llama3",
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192,
    },
}
RULE = Rotary(128, 500000.0, scaling=Llama3(8.0, 8192))
DIVISORS = RULE.pairs.unscaled / RULE.frequencies()
GPT2 = {"model_type": "gpt2", "n_positions": 6, "n_embd": 4, "n_head": 2, "n_layer": 2}
NUMBERS = np.arange(24, dtype=np.float32).reshape(6, 4) / 24


@pytest.fixture
def folder(tmp_path):
    """A function that writes a folder of these files: objects as JSON, bytes as they are."""

    def write(name="Some-Model", **files):
        made = tmp_path / name
        made.mkdir()
        for file, content in files.items():
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            (made / file.replace("__", ".")).write_bytes(data)
        return made

    return write


def test_a_folder_is_called_by_its_name(folder):
    model = open_model(folder(config__json=CONFIG, tokenizer__json=b"{}"))
    assert (model.name, model.source, model.trained_length) == ("Some-Model", "config.json", 8192)
    assert model.tokenizer is not None
    assert model.tokenizer.name == "tokenizer.json"


def test_a_snapshot_in_a_cache_is_called_by_the_repository(tmp_path):
    snapshot = tmp_path / "models--meta-llama--Llama-3.1-8B" / "snapshots" / "0e9e39f249a16976918f6564b8830bc894c89659"
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text(json.dumps(CONFIG))
    assert open_model(snapshot).name == "Llama-3.1-8B"


def test_a_table_is_shown_from_its_first_token_on(folder):
    model = open_model(folder(config__json=GPT2, model__safetensors=safetensors({"wpe.weight": NUMBERS})))
    (found,) = model.tables
    assert (found.tensor, found.shape, found.first_row) == ("wpe.weight", (6, 4), 0)
    encoding = model.layers[0].encoding
    assert isinstance(encoding, LearnedTable)
    np.testing.assert_array_equal(encoding.encode(np.arange(6), np.arange(4)), NUMBERS)


@pytest.mark.parametrize(("more", "row"), [({}, 2), ({"pad_token_id": 0}, 1)])
def test_the_first_token_of_roberta_comes_after_the_padding(folder, more, row):
    config = {"model_type": "roberta", "max_position_embeddings": 6, "hidden_size": 4, "num_hidden_layers": 2, **more}
    tensors = {"roberta.embeddings.position_embeddings.weight": NUMBERS}
    model = open_model(folder(config__json=config, model__safetensors=safetensors(tensors)))
    assert model.tables[0].first_row == row
    np.testing.assert_array_equal(model.layers[0].encoding.encode(np.array([0]), np.arange(4))[0], NUMBERS[row])


@pytest.mark.parametrize("shape", [(1, 6, 4), (6, 1, 4)])
def test_tables_with_an_axis_of_length_1_are_tables(folder, shape):
    tensors = {"embeddings.position_embeddings": NUMBERS.reshape(shape)}
    model = open_model(folder(config__json={"model_type": "vit"}, model__safetensors=safetensors(tensors)))
    assert model.tables[0].shape == (6, 4)
    assert "class token" in model.tables[0].remark


def test_names_of_other_things_are_no_positions(folder):
    names = ("query_position_embeddings.weight", "token_type_embeddings.weight", "x_position_embeddings.weight")
    tensors = dict.fromkeys(names, NUMBERS)
    assert open_model(folder(config__json=GPT2, model__safetensors=safetensors(tensors))).tables == ()


def test_of_shards_only_the_one_with_the_table_must_be_there(folder):
    one, two = (f"model-0000{number}-of-00002.safetensors" for number in (1, 2))
    index = {"weight_map": {"h.0.w": one, "wpe.weight": two}}
    where = folder(
        config__json=GPT2,
        model__safetensors__index__json=index,
        **{two.replace(".", "__"): safetensors({"wpe.weight": NUMBERS})},
    )
    assert open_model(where).tables[0].file.name == two
    (where / two).unlink()
    model = open_model(where)
    assert model.tables == ()
    assert any(f"'{two}'" in note and "is not in the folder" in note for note in model.notes)


@pytest.mark.parametrize("name", ["../secret.safetensors", "/etc/passwd", "a\\b", "C:x", "..", "a\0b", 3])
def test_an_index_names_plain_files_only(folder, name):
    where = folder(config__json=GPT2, model__safetensors__index__json={"weight_map": {"wpe.weight": name}})
    notes = open_model(where).notes
    assert any("which is not a plain name of a file beside it" in note for note in notes)


def test_a_disagreement_of_two_files_is_the_first_note(folder):
    where = folder(config__json=CONFIG)
    written(where / "model.gguf", llama(context_length=8192), {"rope_freqs.weight": DIVISORS})
    model = open_model(where)
    assert model.notes[0] == ("config.json and model.gguf disagree on the target length: 131,072 and 8,192")
    assert model.source == "config.json, model.gguf"


def test_divisors_that_follow_the_rule_are_no_disagreement(folder):
    where = folder(config__json=CONFIG)
    written(where / "model.gguf", llama(), {"rope_freqs.weight": DIVISORS})
    assert not [note for note in open_model(where).notes if "disagree" in note]
    written(where / "model.gguf", llama())
    (note,) = [note for note in open_model(where).notes if "disagree" in note]
    assert "disagree on the scaled frequencies of 35 pairs, the first of which is pair 29" in note


def test_a_folder_with_a_gguf_alone(folder):
    where = folder()
    written(where / "model.gguf", llama())
    assert open_model(where).name == "Llama 3.1 8B"


def test_an_empty_folder_is_refused_by_its_name(folder, monkeypatch):
    where = folder()
    monkeypatch.chdir(where)
    for given in (where, "."):
        with pytest.raises(ValueError, match=r"the folder 'Some-Model' has neither a config.json nor a .gguf file"):
            open_model(given)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_links_out_of_the_folder_are_not_followed(folder, tmp_path):
    where = folder(config__json=GPT2)
    (tmp_path / "far.safetensors").write_bytes(safetensors({"wpe.weight": NUMBERS}))
    (where / "model.safetensors").symlink_to(tmp_path / "far.safetensors")
    model = open_model(where)
    assert model.tables == ()
    assert any("is a link that leads out of the folder and is not followed" in note for note in model.notes)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_pipes_in_a_folder_are_passed_over(folder):
    where = folder(config__json=GPT2)
    for name in ("model.safetensors", "model.gguf", "tokenizer.json"):
        os.mkfifo(where / name)
    assert open_model(where).tables == ()


def test_many_files_are_not_looked_at(folder):
    where = folder(config__json=GPT2)
    for number in range(1100):
        (where / f"{number}.txt").touch()
    try:
        notes = open_model(where).notes
    except ValueError as error:
        notes = (str(error),)
    assert any("more than 1,000 files" in note or "neither" in note for note in notes)


DAMAGED = (b"", b"{", b"[]", b'{"weight_map": []}', b'{"weight_map": {"wpe.weight": {}}}', b"[" * 5000, b"\xff\xfe")


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_index_is_a_note(folder, content):
    model = open_model(folder(config__json=GPT2, model__safetensors__index__json=content))
    assert model.tables == ()
    assert not any("\n" in note for note in model.notes)


@pytest.mark.parametrize("content", [b"", b"x" * 64, b"\x02\0\0\0\0\0\0\0{}"])
def test_a_damaged_file_of_weights_is_a_note(folder, content):
    model = open_model(folder(config__json=GPT2, model__safetensors=content))
    assert (model.tables, model.layers[0].encoding) == ((), None)
