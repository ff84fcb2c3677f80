"""``check``: what it prints about a file of numbers, its statuses, and that Qt stays out."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from llama_config import LLAMA

ROOT = Path(__file__).parents[2]
WIDTH = LLAMA["hidden_size"] // LLAMA["num_attention_heads"]


@pytest.fixture
def run(command):
    """A function that runs the command with paths among its words."""
    return lambda *words: command("check", *map(str, words))


@pytest.fixture
def frequencies(tmp_path):
    """A file with the frequencies of a model whose scaling was forgotten, and its configuration."""
    path, config = tmp_path / "inv_freq.npy", tmp_path / "config.json"
    np.save(path, (LLAMA["rope_theta"] ** (-np.arange(0, WIDTH, 2) / WIDTH)).astype(np.float32))
    config.write_text(json.dumps(LLAMA))
    return path, config


def test_right_numbers_are_0(run, frequencies):
    done = run(frequencies[0])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Right. Rotary (RoPE), head_dim {WIDTH}, rope_theta 500,000, in float32; ")


def test_a_forgotten_scaling_is_1_with_the_place_from_which_it_is_wrong(run, frequencies):
    done = run(frequencies[0], "--against", frequencies[1])
    assert (done.returncode, done.stderr) == (1, "")
    verdict, first, asked, parting, *_ = done.stdout.splitlines()
    assert verdict.startswith("Not what was asked for: these are the right numbers of Rotary (RoPE), ")
    assert first.startswith("The first wrong number is at pair ")
    assert "llama3, factor 8, original_max_position_embeddings 8,192" in asked
    assert parting.endswith(" is off by more than 45 degrees.")


def test_a_preset_can_be_asked_for(run, tmp_path):
    angles = np.outer(np.arange(48), 10000.0 ** (-np.arange(0, 20, 2) / 20))
    np.save(tmp_path / "table.npy", np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(48, 20))
    assert run(tmp_path / "table.npy", "--against", "annotated-transformer").returncode == 0


def test_a_wrong_number_is_named_in_text_and_json(run, tmp_path):
    angles = np.outer(np.arange(48), 10000.0 ** (-np.arange(0, 32, 2) / 32))
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(48, 32)
    table[7, 5] = 0.25
    np.savetxt(tmp_path / "table.csv", table, delimiter=",")
    done = run(tmp_path / "table.csv", "--positions", "0:48")
    assert done.returncode == 1
    assert done.stdout.startswith("One number is wrong: position 7, column 5 is 0.25 and should be −0.59944. ")
    plain = json.loads(run("--json", tmp_path / "table.csv").stdout)
    assert (plain["right"], plain["kind"], plain["first"]["position"]) == (False, "table", 7)
    assert [(fault["code"], fault["places"]) for fault in plain["faults"]] == [("cells", [[7, 5]])]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "one file must be given, got 0; --help says how"),
        (("--odd", "x"), "there is no option --odd; --help lists the options"),
        (("missing.npy",), "the file 'missing.npy' cannot be opened: there is no such file"),
        (("x.npy", "--positions", "a"), "--positions must be like 0:48, 0:192:4 or 0,1,5, got 'a'"),
        (("x.npy", "--against"), "--against needs a value; --help explains it"),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(run, words, sentence):
    done = run(*words)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{sentence}\n")


def test_no_qt_is_imported(frequencies):
    script = (
        "import sys; from posenc_gui.start.launch import main; status = main(sys.argv[1:]); "
        "sys.exit(status or any(name.startswith(('PySide6', 'pyqtgraph')) for name in sys.modules))"
    )
    words = [sys.executable, "-c", script, "check", str(frequencies[0])]
    assert subprocess.run(words, capture_output=True, cwd=ROOT).returncode == 0


def test_the_core_loads_the_room_only_when_it_is_asked():
    script = (
        "import sys, posenc_core; first = 'posenc_core.identify' in sys.modules; "
        "posenc_core.identify; import posenc_core.identify; from posenc_core.identify import Finding; "
        "found = posenc_core.identify([1.0, 0.1, 0.01, 0.001]); sys.exit(first or not isinstance(found, Finding))"
    )
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT).returncode == 0
