"""Models' config.json on the command line, with layers that differ."""

import json
from pathlib import Path

import pytest
from json_parses import parses_of

from posenc_gui.cli.export_command import REFUSED, WRITTEN, export

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
    parsed = parses_of("gemma3_text", monkeypatch)
    assert run(tmp_path, LAYERS, "--layer-type", "full_attention") == WRITTEN
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
