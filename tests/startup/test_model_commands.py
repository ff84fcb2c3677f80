"""``inspect`` and ``diff``: what they print, their statuses, and that Qt stays out."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from llama_config import LLAMA

from posenc_core import Document, Rotary
from posenc_gui.files import save_session

ROOT = Path(__file__).parents[2]


@pytest.fixture
def files(tmp_path):
    """Two configurations that differ in their base, as files."""
    for name, theta in (("a", 500000.0), ("b", 10000.0)):
        (tmp_path / f"{name}.json").write_text(json.dumps({**LLAMA, "rope_theta": theta}))
    return tmp_path / "a.json", tmp_path / "b.json"


@pytest.fixture
def run(command):
    """A function that runs the command with paths among its words."""
    return lambda *words: command(*map(str, words))


def test_inspect_prints_the_sheet_of_a_model(run, files):
    done = run("inspect", files[0])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("a (llama), from a.json\n")
    assert "riginal length 8,192, before the scaling; made for 131,072 tokens" in done.stdout
    assert "All 32 layers: rotary, base 500,000, Llama 3" in done.stdout
    assert "64 pairs; 29 kept, 6 blended, 29 slowed 8 times; half_split, 128 of 128 columns rotate" in done.stdout


def test_a_preset_is_read_by_its_name(run):
    sheet = json.loads(run("inspect", "--json", "llama-3.1-8b").stdout)
    assert (sheet["name"], sheet["target_length"]) == ("Llama 3.1 8B", 131072)
    assert sheet["layers"][0]["frequencies"][-1] == pytest.approx(500000 ** (-126 / 128) / 8, rel=1e-15)
    assert "The only layer: Sinusoidal, 512 columns" in run("inspect", "paper").stdout
    assert json.loads(run("inspect", "--json", "wan-2.1").stdout)["name"] == "wan-2.1"
    done = run("diff", "llama-2-7b", "llama-3.1-8b")
    assert done.returncode == 1
    assert "original length: not given in A, 8,192 in B" in done.stdout
    done = run("engines", "llama-3.1-8b", "--engine", "vllm", "--length", "131072")
    assert (done.returncode, "vllm 0.33.0 [run]: same" in done.stdout) == (0, True)
    assert run("engines", "paper").stderr.endswith("the preset 'paper' is of no model\n")


def test_a_file_with_the_name_of_a_preset_is_read_as_a_file(run, files, monkeypatch):
    monkeypatch.chdir(files[0].parent)
    files[1].rename("llama-3.1-8b")
    assert run("inspect", Path("llama-3.1-8b")).stdout.splitlines()[0].endswith("(llama), from llama-3.1-8b")


def test_a_part_is_of_a_models_own_files(run):
    wanted = "--part needs a config.json, a model's folder or a GGUF file\n"
    assert run("inspect", "qwen2-vl", "--part", "vision").stderr.endswith(wanted)


def test_inspect_for_programs_has_the_frequencies(run, files):
    sheet = json.loads(run("inspect", "--json", files[1]).stdout)
    (layers,) = sheet["layers"]
    assert layers["indices"] == [[0, 31]]
    assert layers["frequencies"][1] == pytest.approx(10000 ** (-2 / 128), rel=1e-15)
    assert layers["attention_factor"] == 1.0
    assert (sheet["trained_length"], sheet["target_length"]) == (8192, 131072)


def test_inspect_for_programs_has_each_claim_with_its_keys(run, files):
    claims = json.loads(run("inspect", "--json", files[0]).stdout)["claims"]
    assert [each["topic"] for each in claims] == ["surprising", "lengths", "layers"]
    assert claims[0]["keys"]["rope_scaling.factor"] == 8.0
    assert claims[1]["keys"] == {
        "max_position_embeddings": 131072,
        "rope_scaling.original_max_position_embeddings": 8192,
    }
    assert claims[2]["keys"]["rope_theta"] == 500000.0


def test_inspect_says_what_is_wrong_within_a_file(run, tmp_path):
    (tmp_path / "a.json").write_text(json.dumps({**LLAMA, "rope_scaling": "yarn"}))
    wanted = "rope_scaling must be an object with names and values, or null, got 'yarn'\n"
    assert run("inspect", tmp_path / "a.json").stderr.endswith(wanted)


def test_a_session_is_read_from_each_file_that_contains_one(run, tmp_path):
    """Saved sessions may end in .json, and pictures and pages contain theirs."""
    save_session(Document("a" + 199_999 * "語", encoding=Rotary(8, 5000.0)), tmp_path / "s.posenc")
    save_session(Document("a b", encoding=Rotary(8, 5000.0)), tmp_path / "s.json")
    formats = ("--format", "png", "--format", "html", "--panel", "spectrum", "--out", tmp_path)
    assert run("export", "--session", tmp_path / "s.json", *formats).returncode == 0
    (tmp_path / "film.apng").write_bytes(
        (tmp_path / "spectrum.png").read_bytes()
    )  # whose first frame is such a picture
    np.save(tmp_path / "rates.npy", 5000.0 ** (-np.arange(0, 8, 2) / 8))
    for name in ("s.posenc", "s.json", "spectrum.png", "film.apng", "page.html"):
        done = run("inspect", tmp_path / name)
        assert (done.returncode, done.stderr) == (0, ""), name
        assert "rotary, base 5,000" in done.stdout
        assert run("diff", tmp_path / name, tmp_path / "s.posenc").returncode == 0
        assert run("check", tmp_path / "rates.npy", "--against", tmp_path / name).returncode == 0
        written = run("export", "--compare", tmp_path / name, "--format", "bib", "--out", tmp_path)
        assert (written.returncode, written.stderr) == (0, "")


def test_diff_of_equal_models_is_0(run, files):
    done = run("diff", files[0], files[0])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("No difference in 32 layers.\n")


def test_diff_names_the_first_pair_that_is_off(run, files):
    done = run("diff", *files)
    assert (done.returncode, done.stderr) == (1, "")
    assert "all 32 layers:" in done.stdout
    assert "the first pair off by more than 45 degrees is pair 4 at position 7" in done.stdout
    plain = json.loads(run("diff", "--json", *files).stdout)
    assert plain["layers"][0]["indices"] == list(range(32))
    assert plain["lengths"] == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("inspect",), "one file must be given, got 0; --help says how"),
        (("inspect", "--odd", "x"), "there is no option --odd; --help lists the options"),
        (("inspect", "--part"), "--part needs a value; --help explains it"),
        (("inspect", "missing.json"), "cannot open missing.json: there is no such file"),
        (("diff", "missing.json"), "two files must be given, got 1; --help says how"),
        (("diff", "one.json", "missing.json"), "cannot open one.json: there is no such file"),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(run, words, sentence):
    done = run(*words)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{sentence}\n")


@pytest.mark.parametrize("word", ["inspect", "diff", "check", "engines"])
def test_help_names_the_statuses(run, word):
    done = run(word, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: python main.py {word}")
    assert "Exit status" in done.stdout


@pytest.mark.parametrize(
    "words", [("--help",), ("--version",), ("export", "--help"), ("export", "--odd"), ("inspect",)]
)
def test_printing_commands_import_no_qt(words):
    script = (
        "import sys; from posenc_gui.start.launch import main; main(sys.argv[1:]); "
        "sys.exit(any(name.startswith(('PySide6', 'pyqtgraph')) for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, cwd=ROOT)
    assert done.returncode == 0


def test_the_help_lists_every_command(run):
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    for word in ("export", "inspect", "diff", "check", "engines"):
        (line,) = (line for line in done.stdout.splitlines() if line.split()[:1] == [word])
        (summary,) = re.findall(rf"{word}  +(.+)", line)
        assert summary[0].islower()
        assert run(word, "--help").stdout.startswith(f"usage: python main.py {word} ")
    for flag in ("--help", "--version", "--reset-settings"):
        assert flag in done.stdout


def test_flags_and_files_come_in_any_order(run, files):
    assert run("diff", files[0], "--json", files[1]).stdout == run("diff", "--json", *files).stdout
    assert run("inspect", files[0], "--part=text").returncode in (0, 2)


def test_no_qt_is_imported(files):
    script = (
        "import sys; from posenc_gui.start.launch import main; status = main(sys.argv[1:]); "
        "sys.exit(status or any(name.startswith(('PySide6', 'pyqtgraph')) for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script, "inspect", str(files[0])], capture_output=True, cwd=ROOT)
    assert done.returncode == 0
