"""Numbers of panels that draw others than the tokens' vectors, from the command line."""

import csv
import math
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Start = Callable[..., CompletedProcess[str]]
ROPE = ("--family", "rotary", "--head-dim", "128")


def test_the_spectrum_has_a_table_of_its_own_and_the_vectors_stay_out(command: Start, tmp_path: Path) -> None:
    process = command("export", *ROPE, "--panel", "spectrum", "--format", "csv", "--compared-scalings", "linear, yarn",
                      "--trained-length", "2048", "--target-length", "1e4", "--out", str(tmp_path))  # fmt: skip
    assert (process.returncode, process.stderr) == (0, "")
    assert [path.name for path in tmp_path.iterdir()] == ["spectrum.csv"]
    with (tmp_path / "spectrum.csv").open(encoding="utf-8", newline="") as stream:
        head, *rows = csv.reader(stream)
    assert head[:3] == ["pair", "wavelength: as trained", "wavelength: Position interpolation ×4.883"]
    assert len(rows) == 64
    for pair, row in enumerate(rows):
        wavelength = 2 * math.pi * 10000 ** (pair / 64)
        assert int(row[0]) == pair
        assert float(row[1]) == pytest.approx(wavelength)
        assert float(row[2]) == pytest.approx(wavelength * 10000 / 2048)


def test_the_lens_and_the_three_ways_have_tables_of_their_own(command: Start, tmp_path: Path) -> None:
    process = command("export", "--family", "rotary", "--head-dim", "8", "--pairing", "interleaved", "--n-clocks", "2",
                      "--panel", "lens", "--panel", "ways", "--format", "csv", "--out", str(tmp_path))  # fmt: skip
    assert (process.returncode, process.stderr) == (0, "")
    assert {path.name for path in tmp_path.iterdir()} == {"lens.csv", "ways.csv"}
    lens, ways = (
        list(csv.reader((tmp_path / f"{name}.csv").read_text(encoding="utf-8").splitlines()))
        for name in ("lens", "ways")
    )
    assert lens[0] == ["position", "turns of pair 0 (columns 0 and 1)", "turns of pair 3 (columns 6 and 7)"]
    assert [float(number) for number in lens[3]] == pytest.approx([2, 1 / math.pi, 0.001 / math.pi])
    assert [float(number) for number in ways[101]] == pytest.approx(
        [100, 70.2790325502857, 45.9295672520157, 41.8338408671838]
    )


def test_another_panel_beside_it_brings_the_vectors_too(command: Start, tmp_path: Path) -> None:
    words = ("--panel", "spectrum", "--panel", "tokens", "--format", "csv", "--format", "png", "--out", str(tmp_path))
    process = command("export", *ROPE, *words)
    assert process.returncode == 0, process.stderr
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"spectrum.csv", "vectors.csv", "spectrum.png", "tokens.png"}


def test_all_panels_bring_the_table_of_each_that_draws_its_own(command: Start, tmp_path: Path) -> None:
    process = command("export", *ROPE, "--panel", "all", "--format", "csv", "--out", str(tmp_path))
    assert (process.returncode, process.stderr) == (0, "")
    names = {path.name for path in tmp_path.iterdir()}
    assert {"vectors.csv", "spectrum.csv", "scores.csv", "unseen.csv", "lens.csv", "precision.csv"} <= names
    assert not names & {"drift.csv", "patches.csv"}, "Panels that do not suit the encoding are left out."


@pytest.mark.parametrize("format", ["csv", "png", "svg", "pdf"])
def test_a_family_without_pairs_is_one_sentence_and_no_file(command: Start, tmp_path: Path, format: str) -> None:
    process = command("export", "--family", "alibi", "--panel", "spectrum", "--format", format, "--out", str(tmp_path))
    assert process.returncode == 2
    assert process.stderr == "Spectrum needs pairs that turn with the position.\n"
    assert list(tmp_path.iterdir()) == []


def test_a_target_below_the_trained_length_is_told_in_the_caption_not_refused(command: Start, tmp_path: Path) -> None:
    words = ("--panel", "spectrum", "--target-length", "10", "--format", "svg", "--out", str(tmp_path))
    assert command("export", *ROPE, *words).returncode == 0
    text = (tmp_path / "spectrum.svg").read_text(encoding="utf-8")
    assert "below the trained" in text


def test_numbers_of_a_target_below_the_trained_length_are_refused_in_one_sentence(
    command: Start, tmp_path: Path
) -> None:
    words = ("--panel", "unseen", "--target-length", "10", "--format", "csv", "--out", str(tmp_path))
    process = command("export", *ROPE, *words)
    assert process.returncode == 2
    assert process.stderr == "target_length must be at least trained_length = 4096, got 10\n"
    assert list(tmp_path.iterdir()) == []


def test_unknown_scalings_are_refused(command: Start, tmp_path: Path) -> None:
    process = command("export", *ROPE, "--panel", "spectrum", "--compared-scalings", "cubic", "--out", str(tmp_path))
    assert process.returncode == 2
    assert process.stderr.startswith("compared_scalings must be none, or any of linear, ntk, dynamic")


def test_all_panels_bring_the_script_of_each_that_has_one(command: Start, tmp_path: Path) -> None:
    words = ("--family", "rope_axes", "--grid", "3x4", "--panel", "all", "--format", "py", "--format", "csv")
    process = command("export", *words, "--out", str(tmp_path))
    assert (process.returncode, process.stderr) == (0, "")
    scripts = {path.stem for path in tmp_path.glob("*.py")}
    assert {"waves", "lens", "scorecard"} <= scripts, "The panels after the patch map have theirs too."
    assert "patches" not in scripts
    assert (tmp_path / "patches.csv").exists()
    process = command("export", *words[:5], "patches", *words[6:8], "--out", str(tmp_path))
    assert (process.returncode, process.stderr) == (2, "there is no Matplotlib script for the panel Patch map\n")
