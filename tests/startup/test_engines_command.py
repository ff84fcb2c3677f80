"""``engines``: what it prints about a model, and its statuses."""

import json

import pytest
from engine_cases import ROWS, llama
from gguf_bench import gguf
from gguf_bench import llama as llama_file

CONTROL = next(row["config"] for row in ROWS if row["id"] == "llama3-control")
TRUNCATED = next(row["config"] for row in ROWS if row["id"] == "yarn-truncate-false")


@pytest.fixture
def run(command, tmp_path):
    """A function that runs the command with a configuration and further words."""

    def started(config, *words):
        path = tmp_path / "config.json"
        path.write_text(json.dumps(config))
        return command("engines", str(path), *words)

    return started


def test_a_model_that_all_engines_agree_on_is_0(run):
    done = run(llama(CONTROL))
    assert (done.returncode, done.stderr) == (0, "")
    first, *lines = done.stdout.splitlines()
    assert first.startswith("At ")
    assert [line for line in lines if not line.startswith(" ")][1] == "vllm 0.33.0 [run]: same"


def test_a_model_that_an_engine_computes_otherwise_is_1_with_the_place_and_the_source(run):
    done = run(llama(TRUNCATED), "--engine", "mlx-lm", "--length", "131072")
    assert (done.returncode, done.stderr) == (1, "")
    _, verdict, *told = done.stdout.splitlines()
    assert verdict.startswith("mlx-lm 0.32.2 [run]: different; 9 of 32 frequencies differ, pair 17 the most")
    assert "  truncate False has no effect" in told
    assert "  first off by 45 degrees at position 3,558, pair 12" in told
    assert "  source: models/rope_utils.py, YarnRoPE" in told


def test_one_engine_alone_can_agree_where_others_do_not(run):
    assert run(llama(TRUNCATED), "--engine", "vllm").returncode == 0


def test_a_window_that_was_not_read_is_said_and_is_0(run):
    config = {**llama({"head_dim": 128}), "model_type": "phimoe", "sliding_window": 4096}
    done = run(config, "--engine", "tensorrt-llm", "--length", "32768")
    assert done.returncode == 0
    _, verdict, *told = done.stdout.splitlines()
    assert verdict == "tensorrt-llm of an unknown version [read]: same angles"
    assert "  its window was not read; the model's class has 4,096 tokens" in told
    (row,) = json.loads(run(config, "--engine", "tensorrt-llm", "--length", "32768", "--json").stdout)["rows"]
    assert (row["verdict"], row["window"], row["window_read"]) == ("same angles", None, False)
    (row,) = json.loads(run(config, "--engine", "vllm", "--length", "32768", "--json").stdout)["rows"]
    assert (row["verdict"], row["window"], row["window_read"]) == ("same", 4096, True)


def test_a_short_text_has_no_position_that_is_off(run):
    done = run(llama(TRUNCATED), "--engine", "mlx-lm", "--length", "3558")
    assert done.returncode == 1
    told = done.stdout.splitlines()
    assert "  no pair is off by 45 degrees at a distance that the layers see" in told
    assert not any("first off" in line for line in told)
    found = json.loads(run(llama(TRUNCATED), "--engine", "mlx-lm", "--length", "3558", "--json").stdout)["rows"][0]
    assert (found["first_position"], found["first_pair"]) == (None, None)


def test_an_engine_that_was_not_read_has_no_mark(run):
    done = run({**llama(CONTROL), "model_type": "no_such_model"}, "--engine", "llama.cpp")
    assert done.returncode == 1
    assert done.stdout.splitlines()[1:] == [
        "llama.cpp of llama-cpp-python 0.3.36: unknown",
        "  no class for 'no_such_model' was read in llama.cpp of llama-cpp-python 0.3.36",
    ]


def test_a_gguf_file_alone_has_what_llama_cpp_computes(command, tmp_path):
    (tmp_path / "model.gguf").write_bytes(gguf(llama_file()))
    done = command("engines", "model.gguf", "--engine", "llama.cpp", "--engine", "vllm", "--length", "8192")
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert "  computes: rotary, base 500,000, interleaved" in lines
    assert lines[-1].startswith("  config.json is needed beside 'model.gguf'")


def test_json_has_all_numbers(run):
    done = run(llama(TRUNCATED), "--json", "--engine", "mlx-lm", "--engine", "vllm")
    found = json.loads(done.stdout)
    assert [row["engine"] for row in found["rows"]] == ["mlx-lm", "vllm"]
    assert found["agree"] is False
    assert found["rows"][0]["encoding"]["frequencies"][17] == pytest.approx(0.000227947796, rel=1e-8)
    assert found["rows"][0]["write"]["text"] == ""


def test_a_setting_is_given_by_engine_and_name(run):
    config = llama({**TRUNCATED, "truncate": True, "attention_factor": 1.5})
    amplitude = 1.5 / 1.34657359028
    done = run(config, "--engine", "llama.cpp", "--set", f"llama.cpp.attn_factor={amplitude}")
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--length", "0"], "length must be an integer >= 1, got 0"),
        (["--length", "many"], "--length must be a whole number of tokens from 1, got 'many'"),
        (["--length", "100000001"], "length must be at most 100,000,000 tokens, got 100000001"),
        (["--engine", "vlm"], "there is no engine 'vlm'; the engines are transformers, "),
        (["--set", "max_model_len=4"], "--set must be like vllm.max_model_len=4096, got 'max_model_len=4'"),
        (["--set", "vllm.x=4"], "vllm has no setting 'x'; it has max_model_len"),
        (["--sat"], "there is no option --sat; did you mean --set?"),
        (["another.json"], "one file must be given, got 2; --help says how"),
    ],
)
def test_bad_input_is_2_and_one_sentence(run, words, sentence):
    done = run(llama(CONTROL), *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1


def test_a_missing_file_is_2(command):
    done = command("engines", "no_such_file.json")
    assert (done.returncode, done.stderr) == (2, "'no_such_file.json' cannot be read: no such file or directory\n")
