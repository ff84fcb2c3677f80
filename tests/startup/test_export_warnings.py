"""Warnings about an encoding are lines on standard error, for any source of the parameters."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from posenc_core import Document, Sinusoidal, T5Bias
from posenc_gui.files.session import save_session

Start = Callable[..., subprocess.CompletedProcess[str]]

CONFIG = {
    "model_type": "llama",
    "head_dim": 8,
    "rope_theta": 1.0,
    "max_position_embeddings": 64,
    "rope_scaling": {"rope_type": "yarn", "factor": 2.0, "mscale": 1.0, "original_max_position_embeddings": 32},
}
BASE = ["--rope-theta", "0.5", "--family", "rotary", "--head-dim", "8"]


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A folder with a session and a model's config."""
    save_session(Document(encoding=T5Bias(max_distance=64)), tmp_path / "t5.posenc")
    (tmp_path / "config.json").write_text(json.dumps({**CONFIG, "rope_theta": 500000.0}))
    return tmp_path


WARNED = {
    "flags": (
        ["--d-model", "3"],
        ["d_model = 3 is odd: column 2 is a sine without its cosine, so no shift matrix exists"],
    ),
    "several": (BASE, ["base = 0.5 is below 1: the frequency grows with the pair"]),
    "session": (["--session", "t5.posenc"], [*T5Bias().warnings]),
    "preset": (["--preset", "paper", "--d-model", "5"], [*Sinusoidal(5).warnings]),
    "config": (
        ["--config", "config.json"],
        ["mscale is given without mscale_all_dim: the attention factor ignores it and is 0.1 ln(factor) + 1"],
    ),
    "none": (["--preset", "paper"], []),
}


@pytest.mark.parametrize("format", ["csv", "png"])
@pytest.mark.parametrize("source", WARNED)
def test_every_warning_has_a_line_and_every_file_is_written(
    command: Start, sources: Path, source: str, format: str
) -> None:
    arguments, warnings = WARNED[source]
    panel = ["--panel", "tokens", "--scale", "1"] if format == "png" else []
    process = command("export", *arguments, "--format", format, *panel, "--out", "new")
    assert process.returncode == 0
    assert process.stderr.splitlines() == warnings
    assert [path.suffix for path in (sources / "new").iterdir()] == [f".{format}"]


@pytest.mark.parametrize("source", WARNED)
def test_quiet_says_nothing_and_strict_writes_nothing(command: Start, sources: Path, source: str) -> None:
    arguments, warnings = WARNED[source]
    quiet = command("export", *arguments, "--format", "csv", "--out", "quiet", "--quiet")
    assert (quiet.returncode, quiet.stderr) == (0, "")
    assert (sources / "quiet" / "vectors.csv").exists()
    strict = command("export", *arguments, "--format", "csv", "--out", "strict", "--strict")
    if warnings:
        assert (strict.returncode, strict.stdout) == (3, "")
        assert strict.stderr.splitlines() == warnings
        assert not (sources / "strict").exists()
        both = command("export", *arguments, "--format", "csv", "--out", "strict", "--strict", "--quiet")
        assert (both.returncode, both.stdout, both.stderr) == (3, "", "")
        assert not (sources / "strict").exists()
    else:
        assert (strict.returncode, strict.stderr) == (0, "")
        assert (sources / "strict" / "vectors.csv").exists()


def test_a_wrong_value_is_refused_before_anything_is_said_of_the_others(command: Start) -> None:
    process = command("export", "--d-model", "3", "--theme", "pink", "--strict")
    assert (process.returncode, process.stderr) == (2, "--theme must be light or dark, got 'pink'\n")


def test_the_help_says_that_a_warning_ends_with_status_0_and_with_strict_with_3(command: Start) -> None:
    told = " ".join(command("export", "--help").stdout.split())
    assert "0 if all files are written, even after warnings" in told
    assert "3 if --strict refuses a warning, with nothing written" in told
    assert "--strict after a warning write nothing, exit 3" in told
