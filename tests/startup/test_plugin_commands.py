"""Encodings of one's own on the command line: ``new-encoding``, ``export --plugin``, and broken files and packages."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from plugin_files import BROKEN, EXAMPLE, MINIMAL, changed, installed

from posenc_core import ENCODINGS, Document
from posenc_core.encodings.plugins import open_plugin

ROOT = Path(__file__).parents[2]
LONG = "x" * 5000


@pytest.fixture(autouse=True)
def families() -> Iterator[None]:
    """Removes the encodings that a command registered."""
    before = set(ENCODINGS)
    yield
    for family in set(ENCODINGS) - before:
        ENCODINGS.unregister(family)


def test_a_new_encoding_is_written_and_exported(command, tmp_path):
    done = command("new-encoding", "mine.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "mine.py\nShow it: python main.py --plugin mine.py\n"
    assert (tmp_path / "mine.py").read_text() == EXAMPLE
    done = command(
        "export", "--plugin", "mine.py", "--family", "fading_waves", "--rate", "0.1", "--d-model", "2",
        "--sentence", "a b c", "--format", "npy", "--format", "png", "--panel", "heatmap", "--out", "out",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"vectors.npy", "heatmap.png"}
    fading = np.exp(-0.1 * np.arange(3))[:, None]
    assert np.load(tmp_path / "out" / "vectors.npy") == pytest.approx(fading * [[1, 1], [0, 0.5], [-1, 0]], abs=1e-6)
    assert "--rate" in command("export", "--plugin", "mine.py", "--help").stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "one file must be given, got 0; --help says how"),
        (["a.py", "b.py"], "one file must be given, got 2; --help says how"),
        (["mine.txt"], "the file's name must end in .py, got mine.txt"),
        (["there.py"], "cannot write there.py: it exists; give the name of a new file"),
        (["no folder/mine.py"], "cannot write no folder/mine.py: the folder no folder does not exist"),
        ([f"{LONG}.py"], f"cannot write {LONG[:120]}...{LONG[:77]}.py: the name is too long"),
        ([LONG], f"the file's name must end in .py, got {LONG[:120]}...{LONG[:80]}"),
        (["--big", "mine.py"], "there is no option --big; --help lists the options"),
    ],
)
def test_a_new_encoding_that_cannot_be_written_says_why(refused, tmp_path, words, sentence):
    (tmp_path / "there.py").write_text("kept")
    assert refused("new-encoding", *words) == sentence
    assert (tmp_path / "there.py").read_text() == "kept"


def test_a_full_disk_leaves_no_empty_file_of_a_new_encoding(tmp_path):
    """The kernel stops every file of this process at 0 bytes."""
    program = (
        "import resource, sys; from posenc_gui.start.launch import main; "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); sys.exit(main(['new-encoding', 'mine.py']))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "cannot write mine.py: the file would be larger than the system allows\n"
    assert list(tmp_path.iterdir()) == []


def test_the_help_explains_new_encoding(command):
    done = command("new-encoding", "--help")
    assert done.returncode == 0
    assert "File > Open\nencoding (Python)" in done.stdout


@pytest.mark.parametrize("way", ["import error", "raises in values", "wrong shape", "nan", "name taken"])
def test_a_broken_file_is_refused_in_a_sentence_and_nothing_is_written(refused, tmp_path, way):
    text, sentence = BROKEN[way]
    (tmp_path / "mine.py").write_text(text)
    assert refused("export", "--plugin", "mine.py", "--out", "out").startswith(f"cannot use mine.py: {sentence}")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("words", [["export"], ["inspect", "config.json"], ["check", "mine.npy"]])
def test_a_name_that_no_file_can_have_is_refused_by_every_command(refused, words):
    sentence = refused(*words, "--plugin", LONG)
    assert sentence == f"cannot use {LONG[:200]}...: File name too long"


def test_numbers_are_checked_against_the_encoding_of_a_file(command, tmp_path):
    (tmp_path / "mine.py").write_text(EXAMPLE)
    fading = np.exp(-0.05 * np.arange(12))[:, None]
    waves = 4 * np.abs(np.arange(12)[:, None] / 2.0 ** (np.arange(8) + 2) % 1 - 0.5) - 1
    np.save(tmp_path / "mine.npy", fading * waves)
    done = command("check", "--plugin", "mine.py", "--against", "fading_waves", "mine.npy")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Right. Fading waves, d_model 8, rate 0.05, in float64")
    faster = Document().with_encoding(ENCODINGS["fading_waves"].from_parameters({"rate": 0.06}))
    (tmp_path / "faster.posenc").write_text(faster.to_json())
    done = command("check", "--plugin=mine.py", "--against", "faster.posenc", "mine.npy")
    assert done.returncode == 1
    assert "The first wrong number is at position 1, column 1: 0.47561 in place of 0.47088." in done.stdout


def test_sessions_with_the_encoding_of_a_file_are_inspected_and_compared(command, refused, tmp_path):
    (tmp_path / "mine.py").write_text(EXAMPLE)
    (kind,) = open_plugin(ENCODINGS, tmp_path / "mine.py")
    for rate in (0.05, 0.06):
        session = Document().with_encoding(kind.from_parameters({"rate": rate})).to_json()
        (tmp_path / f"{rate}.posenc").write_text(session)
    ENCODINGS.unregister("fading_waves")
    assert "'fading_waves', which is not installed" in refused("inspect", "0.05.posenc")
    done = command("inspect", "0.05.posenc", "--plugin", "mine.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        done.stdout
        == "0.05 (session), from 0.05.posenc\nThe files give no length.\n\nThe only layer: Fading waves, 8 columns\n"
    )
    done = command("diff", "--plugin", "mine.py", "0.05.posenc", "0.06.posenc")
    assert done.returncode == 1
    assert "  rate: 0.05 in A, 0.06 in B\n" in done.stdout


@pytest.mark.parametrize("words", [("check", "numbers.npy"), ("inspect", "config.json"), ("diff", "a.json", "b.json")])
def test_a_broken_file_stops_each_command_in_a_sentence(refused, tmp_path, words):
    text, sentence = BROKEN["nan"]
    (tmp_path / "mine.py").write_text(text)
    assert refused(*words, "--plugin", "mine.py").startswith(f"cannot use mine.py: {sentence}")


def test_a_parameter_named_like_an_option_has_no_flag_and_breaks_none(command, tmp_path):
    text = changed(
        "    d_model: int = 8\n", "    d_model: int = 8\n    scale: float = 2.0\n    FIELDS = (D_MODEL, SCALE)\n"
    )
    fields = (
        "from posenc_core.fields import D_MODEL, RealField\n"
        'SCALE = RealField(name="scale", label="scale", help="Scale.", default=2.0, above=0.0, slider=(1.0, 9.0))\n'
    )
    (tmp_path / "mine.py").write_text(fields + text)
    done = command(
        "export", "--plugin", "mine.py", "--family", "ramp_of_mine", "--scale", "1", "--format", "png", "--panel",
        "heatmap", "--out", ".",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "heatmap.png").exists()


@pytest.fixture
def packages(tmp_path):
    """A folder with two installed packages, of which one is broken."""
    folder = tmp_path / "packages"
    installed(folder, "good", MINIMAL)
    installed(folder, "bad", BROKEN["nan"][0].replace("ramp_of_mine", "bad"))
    return str(folder)


def test_installed_packages_have_their_families_and_a_broken_one_is_named(start, packages, tmp_path):
    done = start("export", "--family", "ramp_of_mine", "--format", "npy", "--out", str(tmp_path), PYTHONPATH=packages)
    assert done.returncode == 0
    assert done.stderr == (
        "the encoding bad_encoding of the package bad is left out: Ramp.values returns nan at position 3, column 0\n"
    )
    assert (tmp_path / "vectors.npy").exists()
    done = start(
        "export", "--quiet", "--family", "ramp_of_mine", "--format", "npy", "--out", str(tmp_path), PYTHONPATH=packages
    )
    assert (done.returncode, done.stderr) == (0, "")
