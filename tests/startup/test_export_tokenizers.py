"""The export command with a model's own tokens."""

import json

import numpy as np
import pytest
from safetensors_bench import write
from tokenizer_bench import byte_level, saved

from posenc_core import Document
from posenc_core.text import open_tokenizer
from posenc_gui.cli.export_command import WRITTEN, export
from posenc_gui.cli.running import REFUSED
from posenc_gui.files import save_session

N_ROWS = byte_level().get_vocab_size()
NUMBERS = np.sin(np.arange(N_ROWS * 8.0)).reshape(N_ROWS, 8).astype("<f4")


@pytest.fixture
def exported(tmp_path):
    """A function that writes the numbers, as ``vectors.npz``."""

    def run(*words):
        assert export([*words, "--format", "npz", "--out", str(tmp_path)]) == WRITTEN

    return run


@pytest.fixture
def refused(tmp_path, capfd):
    """A function that returns the line with which the command refused."""

    def run(*words):
        capfd.readouterr()
        assert export([*words, "--format", "npz", "--out", str(tmp_path)]) == REFUSED
        (line,) = capfd.readouterr().err.splitlines()
        return line

    return run


@pytest.fixture
def model(tmp_path):
    write(tmp_path / "model.safetensors", {"wte.weight": ("F32", NUMBERS)})
    return saved(byte_level(), tmp_path)


def written(tmp_path):
    return np.load(tmp_path / "vectors.npz")


def test_the_numbers_are_those_of_the_models_tokens(exported, model, tmp_path):
    exported("--tokenizer", str(model), "--tokens", "model", "--sentence", "Dan loves")
    assert written(tmp_path)["tokens"].tolist() == ["<s>", "Dan", " loves"]
    exported("--tokenizer", str(model), "--no-special-tokens", "--sentence", "Dan loves")
    assert written(tmp_path)["tokens"].tolist() == ["Dan", " loves"]
    parameters = json.loads(written(tmp_path)["parameters"].item())
    assert parameters["tokenizer"] == {"name": "tokenizer.json", "digest": open_tokenizer(model).digest}
    exported("--tokenizer", str(model), "--tokens", "words", "--sentence", "Dan loves")
    assert written(tmp_path)["tokens"].tolist() == ["Dan", "loves"]


def test_a_preset_and_a_compared_session_keep_the_models_tokens(exported, model, tmp_path):
    exported("--tokenizer", str(model), "--sentence", "Dan loves", "--preset", "llama-2-7b")
    assert written(tmp_path)["tokens"].tolist() == ["<s>", "Dan", " loves"]
    assert written(tmp_path)["encoding"].shape == (3, 128)
    session = tmp_path / "other.posenc"
    save_session(Document("abc").with_tokenizer(open_tokenizer(model)).edited("base", 7.0), session)
    exported("--tokenizer", str(model), "--sentence", "Dan loves", "--compare", str(session))
    assert json.loads(written(tmp_path)["parameters"].item())["tokens"] == "model"


def test_the_sum_is_the_models(exported, model, tmp_path):
    exported("--tokenizer", str(model), "--embedding", "model", "--sentence", "Dan")
    rows = NUMBERS[byte_level().encode("Dan").ids]
    assert np.array_equal(written(tmp_path)["embedding"], rows)
    assert np.allclose(written(tmp_path)["sum"], rows + written(tmp_path)["encoding"], rtol=0, atol=1e-6)


def test_a_session_takes_its_tokenizer_from_the_flag(exported, refused, model, tmp_path):
    path = tmp_path / "mine.posenc"
    path.write_text(Document("Dan").with_tokenizer(open_tokenizer(model)).to_json())
    exported("--session", str(path), "--tokenizer", str(model))
    assert written(tmp_path)["tokens"].tolist() == ["<s>", "Dan"]
    assert "which a session does not contain; open that file first" in refused("--session", str(path))


def test_a_wrong_tokenizer_is_refused_in_one_sentence(refused, model, tmp_path):
    assert "no model's tokenizer is open; open a tokenizer.json" in refused("--tokens", "model")
    assert "no model with an embedding is open" in refused("--embedding", "model")
    model.write_text("{}")
    assert "it contains no model with a vocabulary" in refused("--tokenizer", str(model))
    assert "there is no such file" in refused("--tokenizer", "none.json")
