"""``export --compare`` and ``--config`` with a folder: the encodings B to D of what is written."""

import json
from pathlib import Path

import numpy as np
import pytest

from posenc_core import Document, Rotary
from posenc_gui.cli.export_command import WRITTEN, export
from posenc_gui.cli.running import REFUSED

CONFIG = {"model_type": "qwen2", "hidden_size": 64, "num_attention_heads": 2, "rope_theta": 7e5}


def run(folder: Path, *words: object) -> int:
    return export([*map(str, words), "--quiet", "--format", "npz", "--out", str(folder)])


def written(folder: Path, *words: object) -> Document:
    """The document of what was written."""
    assert run(folder, *words) == WRITTEN
    with np.load(folder / "vectors.npz", allow_pickle=False) as numbers:
        return Document.from_json(numbers["parameters"].item())


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A folder of a model."""
    folder = tmp_path / "Some model"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    return folder


def test_presets_sessions_and_models_are_compared_and_the_first_is_written(tmp_path: Path, model: Path) -> None:
    session = tmp_path / "mine.posenc"
    session.write_text(Document().edited("base", 77.0).to_json(), encoding="utf-8")
    document = written(
        tmp_path, "--d-model", "8", "--compare", "llama-3.1-8b", "--compare", session, "--compare", model
    )
    assert [each.title for each in document.encodings] == ["Sinusoidal", "Llama 3.1 8B", "mine", "Some model"]
    first, preset, stored, opened = (each.encoding for each in document.encodings)
    assert (document.encoding, document.current, first.family) == (first, 0, "sinusoidal")
    assert isinstance(preset, Rotary)
    assert preset.rope_theta == 500000
    assert stored == Document().edited("base", 77.0).encoding
    assert opened == Rotary(32, 7e5)


def test_a_config_may_be_compared_by_its_file_and_a_folder_may_be_the_first(tmp_path: Path, model: Path) -> None:
    document = written(tmp_path, "--config", model, "--compare", model / "config.json")
    assert [each.encoding for each in document.encodings] == [Rotary(32, 7e5)] * 2
    assert document.model is not None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--compare", "nothing"], "cannot open nothing: there is no such file"),
        (["--compare", "paper"] * 4, "--compare accepts at most 3 encodings here: 4 can be compared in all"),
        (["--config", "empty"], "has neither a config.json nor a .gguf file"),
        (
            ["--config", "Some model", "--layer-type", "wide"],
            "--layer-type: all layers of this model have the same positions",
        ),
    ],
)
def test_an_encoding_that_cannot_be_compared_is_refused_in_one_sentence(
    words: list[str],
    said: str,
    tmp_path: Path,
    model: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    assert run(tmp_path, *words) == REFUSED
    error = capfd.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not (tmp_path / "vectors.npz").exists()
