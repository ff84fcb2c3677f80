"""Models' config.json on the command line, with layers that differ."""

import json
from pathlib import Path

import pytest
from json_parses import parses_of

from posenc_gui.cli.export_command import WRITTEN, export
from posenc_gui.cli.running import REFUSED

LAYERS = {
    "model_type": "gemma3_text",
    "head_dim": 8,
    "layer_types": ["sliding_attention", "full_attention"],
    "rope_parameters": {
        "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
        "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0},
    },
}


def run(tmp_path: Path, config: dict[str, object], *words: str) -> int:
    (tmp_path / "config.json").write_text(json.dumps(config))
    named = ["--config", str(tmp_path / "config.json"), *words]
    return export([*named, "--sentence", "a b", "--format", "csv", "--out", str(tmp_path)])


def test_each_kind_of_layer_has_its_own_numbers(tmp_path: Path) -> None:
    tables = []
    for layer in ("sliding_attention", "full_attention"):
        assert run(tmp_path, LAYERS, "--layer-type", layer) == WRITTEN
        tables.append((tmp_path / "vectors.csv").read_text(encoding="utf-8"))
    assert tables[0] != tables[1]


@pytest.mark.parametrize("panel", ["precision", "unseen", "drift"])
def test_a_file_has_the_lengths_of_its_folder(tmp_path: Path, panel: str) -> None:
    config = {"model_type": "llama", "head_dim": 8, "rope_theta": 500000.0, "max_position_embeddings": 262144}
    (tmp_path / "config.json").write_text(json.dumps(config))
    written = []
    for given in (tmp_path, tmp_path / "config.json"):
        words = ["--config", str(given), "--panel", panel, "--compare", "llama-2-7b", "--format", "csv"]
        assert export([*words, "--out", str(tmp_path)]) == WRITTEN
        written.append((tmp_path / f"{panel}.csv").read_text())
    assert written[0] == written[1]


def test_the_window_of_a_layer_limits_its_distances(tmp_path: Path) -> None:
    config = LAYERS | {"sliding_window": 64, "max_position_embeddings": 4096, "num_hidden_layers": 2}
    last = []
    for layer in ("sliding_attention", "full_attention"):
        words = ("--layer-type", layer, "--panel", "drift", "--compare", "llama-2-7b")
        assert run(tmp_path, config, *words) == WRITTEN
        last.append(int((tmp_path / "drift.csv").read_text().splitlines()[-1].split(",")[0]))
    assert last == [63, 4095]


def test_layers_that_differ_in_their_windows_alone_have_types(tmp_path: Path) -> None:
    config = {"model_type": "gpt_oss", "head_dim": 64, "num_attention_heads": 8, "hidden_size": 512,
              "num_hidden_layers": 2, "layer_types": ["full_attention", "sliding_attention"], "sliding_window": 64,
              "max_position_embeddings": 131072, "rope_theta": 150000.0}  # fmt: skip
    last = []
    for layer in ("sliding_attention", "full_attention"):
        flags = ("--layer-type", layer, "--panel", "drift", "--compare", "llama-2-7b")
        assert run(tmp_path, config, *flags) == WRITTEN
        last.append(int((tmp_path / "drift.csv").read_text().splitlines()[-1].split(",")[0]))
    assert last == [63, 131071]
    assert run(tmp_path, config, "--layer-type", "third") == REFUSED


@pytest.mark.parametrize(
    ("config", "words", "said"),
    [
        (LAYERS, ["--layer-type", "third"], "layer_type must be sliding_attention or full_attention, got 'third'"),
        ({"model_type": "t5"}, ["--layer-type", "third"], "all layers of this model have the same positions"),
    ],
)
def test_other_layers_are_refused_in_a_sentence(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], config: dict[str, object], words: list[str], said: str
) -> None:
    assert run(tmp_path, config, *words) == REFUSED
    assert said in capfd.readouterr().err


def test_a_layer_without_a_config_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    assert export(["--layer-type", "full_attention"]) == REFUSED
    assert "--layer-type needs --config" in capfd.readouterr().err


def test_a_config_is_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = parses_of('"read_once": ', monkeypatch)  # with the space of the file, which the document does not keep
    assert run(tmp_path, LAYERS | {"read_once": True}, "--layer-type", "full_attention") == WRITTEN
    assert len(parsed) == 1


@pytest.mark.parametrize("flag", ["--config", "--compare"])
@pytest.mark.parametrize("ending", ["", ".gguf", "/config.json"])
def test_a_name_too_long_for_the_system_is_one_sentence(
    capfd: pytest.CaptureFixture[str], flag: str, ending: str
) -> None:
    assert export([flag, f"{'a' * 5000}{ending}"]) == REFUSED
    said = capfd.readouterr().err
    assert said.startswith("cannot open aaa")
    assert said.endswith(": the name is too long\n")
