"""Tables of files on the command line: alone, by tensor, and as the one that a session names."""

import csv
from pathlib import Path

import numpy as np
import pytest
from safetensors_bench import write

from posenc_core import Document, LearnedTable
from posenc_gui.cli.export_command import WRITTEN, export
from posenc_gui.cli.running import REFUSED
from posenc_gui.files.session import save_session

NUMBERS = np.sin(np.arange(90.0).reshape(30, 3)).astype("<f4")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    tensors = {"wte": ("F32", NUMBERS + 1), "wpe": ("F32", NUMBERS)}
    write(tmp_path / "model.safetensors", tensors)
    return tmp_path / "model.safetensors"


def first_row(folder: Path) -> list[float]:
    with (folder / "vectors.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    return [float(number) for number in rows[1][-3:]]


def run(tmp_path: Path, *words: object) -> int:
    return export([*map(str, words), "--format", "csv", "--out", str(tmp_path)])


def test_a_tensor_is_written(tmp_path: Path, model: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "--table", model, "--tensor", "wpe", "--offset", "4") == WRITTEN
    assert first_row(tmp_path) == pytest.approx(NUMBERS[4].tolist(), abs=1e-6)
    assert run(tmp_path, "--table", model) == REFUSED
    assert "it contains 2 tables ('wpe', 'wte'); say which" in capfd.readouterr().err
    assert run(tmp_path, "--tensor", "wpe") == REFUSED
    assert "--tensor needs --table" in capfd.readouterr().err
    assert run(tmp_path, "--table", tmp_path / "missing.npy") == REFUSED
    assert capfd.readouterr().err.endswith("cannot be opened: there is no such file\n")


def test_a_session_needs_the_table_that_it_names(
    tmp_path: Path, model: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    save_session(Document(encoding=LearnedTable.from_file(model, "wpe", offset=7)), tmp_path / "mine.posenc")
    assert run(tmp_path, "--session", tmp_path / "mine.posenc") == REFUSED
    assert "which a session does not contain; open that table first" in capfd.readouterr().err
    assert run(tmp_path, "--session", tmp_path / "mine.posenc", "--table", model, "--tensor", "wpe") == WRITTEN
    assert first_row(tmp_path) == pytest.approx(NUMBERS[7].tolist(), abs=1e-6), "with the session's offset"
    assert run(tmp_path, "--session", tmp_path / "mine.posenc", "--table", model, "--tensor", "wte") == REFUSED
