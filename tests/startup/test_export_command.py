"""The export command as a script would call it; in a process of its own where only a process shows a fault."""

import csv
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from posenc_core import ENCODINGS, Document, Embedding, Sinusoidal
from posenc_core.session import FAMILY
from posenc_gui.cli.export_command import add_flags, export
from posenc_gui.cli.field_flags import add_field_flags, flag, with_fields
from posenc_gui.cli.parser import CommandParser
from posenc_gui.files.session import save_session

ROOT = Path(__file__).parents[2]
NO_TOKEN = "the sentence has no token: there is nothing to export; type a sentence"

Start = Callable[..., subprocess.CompletedProcess[str]]
Refused = Callable[..., str]


@pytest.fixture
def exported(command: Start, tmp_path: Path) -> Callable[..., list[Path]]:
    """A function that exports and returns the paths that were printed, all of which are there."""

    def run(*arguments: str, **variables: str) -> list[Path]:
        process = command("export", "--quiet", *arguments, **variables)
        assert process.stderr == ""
        assert process.returncode == 0
        paths = [tmp_path / line for line in process.stdout.splitlines()]
        assert all(path.is_file() for path in paths)
        return paths

    return run


@pytest.fixture
def shown(exported: Callable[..., list[Path]]) -> Callable[..., Document]:
    """A function that exports the numbers and returns the document that they were made from."""

    def run(*arguments: str) -> Document:
        (path,) = exported(*arguments, "--format", "npz")
        with np.load(path, allow_pickle=False) as numbers:
            return Document.from_json(numbers["parameters"].item())

    return run


def test_the_csv_of_four_columns_is_the_table_of_the_tutorials(
    exported: Callable[..., list[Path]], tmp_path: Path
) -> None:
    paths = exported("--sentence", "Dan loves icecream", "--d-model", "4", "--format", "csv", "--out", "numbers")
    assert paths == [tmp_path / "numbers" / "vectors.csv"]
    with paths[0].open(encoding="utf-8", newline="") as stream:
        header, *rows = csv.reader(stream)
    assert header == ["token", "position", "0", "1", "2", "3"]
    assert [row[:2] for row in rows] == [["Dan", "0"], ["loves", "1"], ["icecream", "2"]]
    for p, row in enumerate(rows):
        assert list(map(float, row[2:])) == [math.sin(p), math.cos(p), math.sin(p / 100), math.cos(p / 100)]


def test_every_format_of_numbers_is_written_once_in_the_order_asked_for(
    exported: Callable[..., list[Path]], tmp_path: Path
) -> None:
    formats = [word for name in ("npy", "csv", "npz", "csv") for word in ("--format", name)]
    assert exported(*formats) == [tmp_path / f"vectors.{name}" for name in ("npy", "csv", "npz")]
    assert np.load(tmp_path / "vectors.npy", allow_pickle=False).shape == (3, 8)


def test_an_older_file_is_replaced_and_nothing_else_is_left(
    exported: Callable[..., list[Path]], tmp_path: Path
) -> None:
    (tmp_path / "vectors.csv").write_bytes(b"old")
    (path,) = exported("--format", "csv")
    assert path.read_bytes().startswith(b"token,position,0,")
    assert [path.name for path in tmp_path.iterdir()] == ["vectors.csv"]


def test_numbers_need_no_qt(tmp_path: Path) -> None:
    program = (
        "import sys; from posenc_gui.cli.export_command import export; "
        "status = export(['--format', 'csv', '--format', 'npy', '--format', 'npz', '--out', sys.argv[1]]); "
        "print(status, [name for name in sys.modules if name.startswith(('PySide6', 'pyqtgraph'))])"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    *paths, last = answer.stdout.splitlines()
    assert len(paths) == 3
    assert last == "0 []"


def test_every_field_has_a_flag_that_the_help_explains(command: Start) -> None:
    process = command("export", "--help", COLUMNS="1000")
    assert process.returncode == 0
    assert process.stderr == ""
    lines = process.stdout.splitlines()
    fields = add_field_flags(CommandParser())
    assert {field.name for kind in ENCODINGS.values() for field in kind.FIELDS} <= fields.keys()
    for name, field in fields.items():
        start_line = next(i for i, line in enumerate(lines) if line.split()[:1] == [flag(name)])
        text = " ".join(lines[start_line : start_line + 2])
        assert field.help in text
        if hasattr(field, "maximum") and field.kind != "text":
            assert str(field.maximum) in text
        assert "default " in text
    for option in ("--session", "--preset", "--config", "--panel", "--format", "--scale", "--dpi", "--size"):
        assert f"  {option} " in process.stdout
    for option in ("--theme", "--background", "--columns", "--caption", "--no-caption", "--cursor", "--out"):
        assert f"  {option}" in process.stdout


def test_the_help_tells_the_defaults_that_count(start: Start) -> None:
    """Of each family and each kind of its part, as the command takes them where nothing more is given."""
    text = start("export", "--help", COLUMNS="1000").stdout
    told = dict(re.findall(r"\n  --([a-z0-9-]+) (?:(?!\n  --).)*?default ([^\];]+)\](?=\n)", text, re.DOTALL))
    for title, body in re.findall(r"^(--family .+):\n((?:  .+\n?)+)", text, re.MULTILINE):
        words = title.split()
        given = {name[2:].replace("-", "_"): value for name, value in zip(words[::2], words[1::2], strict=True)}
        try:
            document = with_fields(Document(), given)
        except ValueError:  # a part that needs a list
            continue
        own = dict(re.findall(r"--([a-z0-9-]+) \(default ([^)]+)\)", body))
        for field in document.encoding.fields:
            if f"--{(name := flag(field.name)[2:])}" in re.split(r"[ ,]+", body):
                shown = field.format(document.value(field.name)) or "nothing"
                assert (own.get(name) or told[name]) in (shown, repr(shown)), (title, name)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_help_is_printed_whatever_the_terminal_can_show(start: Start, encoding: str) -> None:
    process = start("export", "-h", PYTHONIOENCODING=encoding)
    assert process.returncode == 0
    assert process.stdout.startswith("usage: python main.py export")


def test_flags_set_every_field_whatever_their_order(shown: Callable[..., Document]) -> None:
    document = shown(
        *("--spacing", "tensor2tensor", "--offset", "-3", "--layout=concatenated", "--base", "1e3"),
        *("--scale-by-sqrt-d", "--embedding", "simulated", "--seed", "7", "--tokens", "characters"),
        *("--d-model", "6", "--family", "sinusoidal", "--sentence", "-x", "--seq-len", "9", "--transpose"),
        *("--color-map", "viridis"),
    )
    assert document.encoding == Sinusoidal(6, 1000, "concatenated", "tensor2tensor", -3)
    assert document.embedding == Embedding("simulated", 7, scale_by_sqrt_d=True)
    assert (document.sentence, document.tokens, document.seq_len) == ("-x", "characters", 9)
    assert (document.view.color_map, document.value("transpose")) == ("viridis", True)


def test_flags_that_are_right_only_together_are_applied_together(
    shown: Callable[..., Document], tmp_path: Path
) -> None:
    save_session(Document(encoding=Sinusoidal(8, spacing="tensor2tensor")), tmp_path / "session.json")
    document = shown("--session", "session.json", "--d-model", "3", "--spacing", "paper")
    assert document.encoding == Sinusoidal(3)


def test_session_preset_config_and_flags_come_in_this_order(shown: Callable[..., Document], tmp_path: Path) -> None:
    session = Document(sentence="from the session", seq_len=11, embedding=Embedding("simulated"))
    save_session(session, tmp_path / "session.json")
    config = {"model_type": "marian", "d_model": 64, "max_position_embeddings": 512}
    (tmp_path / "config.json").write_text(json.dumps(config))

    document = shown("--config", "config.json", "--preset", "d2l", "--session", "session.json", "--offset", "1")
    assert document.sentence == "from the session"
    assert document.embedding == session.embedding
    assert document.seq_len == 512
    assert document.encoding == Sinusoidal(64, layout="concatenated", offset=1)
    assert shown("--preset", "d2l", "--session", "session.json").encoding == Sinusoidal(32)
    assert shown("--session", "session.json", "--no-scale-by-sqrt-d") == session


@pytest.mark.parametrize("sentence", ["--", "--help", "--format=npy", "-h", "=", "a=b"])
def test_a_value_may_look_like_a_flag(shown: Callable[..., Document], sentence: str) -> None:
    assert shown(f"--sentence={sentence}").sentence == sentence


def test_every_flag_takes_two_dashes_for_its_value(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    count: Callable[[str, int], None],
) -> None:
    """Each is written or refused in one sentence; argparse of Python 3.11 and 3.12 loses that value."""
    monkeypatch.chdir(tmp_path)
    parser = CommandParser()
    add_flags(parser)
    valued = [action for action in parser.flags.values() if action.nargs != 0]
    for action in valued:
        status = export([f"{action.option_strings[0]}=--", "--format", "csv", "--quiet"])
        printed, said = capfd.readouterr()
        assert (status, printed, said.count("\n")) in ((0, f"{printed}", 0), (2, "", 1)), (action.dest, said)
    assert len(valued) > 40
    count("flags with two dashes for a value", len(valued))


def test_the_home_folder_is_found_however_it_is_given(
    command: Start, shown: Callable[..., Document], tmp_path: Path
) -> None:
    home = {"HOME": str(tmp_path / "home")}
    (tmp_path / "home").mkdir()
    save_session(Document("of the session"), tmp_path / "home" / "my.posenc")
    for out, folder in (("--out=~", "home"), ("--out=~/pictures", "home/pictures")):
        process = command("export", "--format", "csv", out, **home)
        assert (process.stdout, process.stderr) == (f"{tmp_path / folder / 'vectors.csv'}\n", "")
    process = command("export", "--format", "csv", "--session=~/my.posenc", **home)
    assert process.returncode == 0
    assert "of,0," in (tmp_path / "vectors.csv").read_text()


def test_a_current_folder_that_was_deleted_is_named(tmp_path: Path) -> None:
    process = in_a_deleted_folder(tmp_path, "export", "--format", "csv")
    check_deleted(process.returncode, process.stdout, process.stderr)


@pytest.mark.parametrize("out", [[], ["--out", "."], ["--out", "pictures"], ["--session", "a.posenc"]])
@pytest.mark.parametrize("format", ["csv", "png"])
def test_nothing_is_written_in_a_deleted_folder(
    qapp,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    format: str,
    out: list[str],
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    status = export(["--format", format, *out])
    check_deleted(status, *capfd.readouterr())


def in_a_deleted_folder(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = "import os, sys; os.rmdir(os.getcwd()); os.execv(sys.executable, sys.argv[1:])"
    (folder / "gone").mkdir()
    return subprocess.run(
        [sys.executable, "-c", program, sys.executable, str(ROOT / "main.py"), *arguments],
        cwd=folder / "gone",
        capture_output=True,
        text=True,
        check=False,
    )


def check_deleted(status: int, printed: str, said: str) -> None:
    assert (status, printed) == (2, "")
    assert said.startswith("cannot ")
    assert said.endswith(": the current folder was deleted\n")
    assert said.count("\n") == 1


def test_another_folder_is_written_though_the_current_one_was_deleted(tmp_path: Path) -> None:
    process = in_a_deleted_folder(tmp_path, "export", "--panel", "waves", "--out", str(tmp_path))
    assert process.returncode == 0
    assert (tmp_path / "waves.png").exists()


@pytest.mark.parametrize(("name", "command"), [("main.py", "python main.py"), ("posenc", "posenc")])
def test_help_and_sentences_say_how_the_program_was_started(tmp_path: Path, name: str, command: str) -> None:
    """The script that an installation makes calls the same function."""
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom posenc_gui.start.launch import main\n"
        "print([main(words) for words in (['export', '--help'], ['--help'], [])])"
    )
    (tmp_path / name).write_text(program)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("DISPLAY", "WAYLAND", "QT_"))}
    process = subprocess.run(
        [sys.executable, str(tmp_path / name)], env=kept, capture_output=True, text=True, check=True
    )
    assert process.stdout.startswith(f"usage: {command} export [option ...]\n")
    assert f"\n  {command} export --sentence" in process.stdout
    assert f"usage: {command} [FILE]" in process.stdout
    if sys.platform.startswith("linux"):
        assert process.stdout.endswith("[0, 0, 2]\n")
        assert f"without one: {command} export --sentence" in process.stderr


def test_chosen_columns_are_written_alone(exported: Callable[..., list[Path]]) -> None:
    for text, header in (("2:4", "2,3"), ("6:", "6,7"), (":2", "0,1"), ("5", "5")):
        (path,) = exported("--columns", text, "--format", "csv")
        assert path.read_text().splitlines()[0] == f"token,position,{header}"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--d-model", "0"], "d_model must be an integer >= 1, got 0"),
        (["--d-model", "-3"], "d_model must be an integer >= 1, got -3"),
        (["--d-model", "2.5"], "d_model must be a whole number from 1 to 65536, got '2.5'"),
        (["--d-model", "1000000000000"], "d_model must be an integer <= 65536, got 1000000000000"),
        (["--d-model", "abc"], "d_model must be a whole number from 1 to 65536, got 'abc'"),
        (["--d-model", "1e400"], "d_model must be an integer <= 65536, got 1e400"),
        (["--base", "0"], "base (rope_theta) must be a finite number > 0, got 0"),
        (["--base", "-1"], "base (rope_theta) must be a finite number > 0, got -1"),
        (["--base", "nan"], "base (rope_theta) must be a finite number > 0, got nan"),
        (["--base", "-inf"], "base (rope_theta) must be a finite number > 0, got -inf"),
        (["--base", "1e400"], "base (rope_theta) must be a finite number > 0, got 1e400"),
        (["--sentence", ""], NO_TOKEN),
        (["--sentence", " \t\n"], NO_TOKEN),
        (["--sentence", "", "--format", "png"], NO_TOKEN),
        (["--layout", "diagonal"], "layout must be interleaved or concatenated, got 'diagonal'"),
        (
            ["--family", "magic"],
            f"family must be {FAMILY.allowed}, got 'magic'",
        ),
        (
            ["--format", "bmp"],
            "--format must be png, svg, pdf, py, gif, apng, webp, mp4, html, csv, npy, npz or bib, got 'bmp'",
        ),
        (["--format", "gif"], "--format gif needs --film, such as --film sweep:base=1e3..1e6"),
        (
            ["--film", "play:tokens"],
            "--film and --seconds need a --format of films: gif, apng, webp, mp4",
        ),
        (
            ["--film", "lesson:5", "--format", "apng", "--panel", "waves"],
            "a lesson has panels and documents of its own: give --film lesson:NUMBER without others",
        ),
        (
            ["--film", "", "--format", "gif"],
            "a film is sweep:FIELD=FROM..TO, play:position, play:tokens, play:NAME for another timeline, such as "
            "play:k in Shift, or lesson:NUMBER for the steps of a lesson; got nothing",
        ),
        (["--film", "lesson:99", "--format", "apng"], "lessons have the numbers 1 to 11, got '99'"),
        (
            ["--panel", "moon"],
            "--panel must be waves, heatmap, tokens, similarity, shift, scores, pairs, seen, lens, ways, "
            "patches, spectrum, unseen, precision, engines, difference, drift, cache, gallery, scorecard or all, "
            "got 'moon'",
        ),
        (["--theme", "pink"], "--theme must be light or dark, got 'pink'"),
        (["--background", "#12"], "--background must be theme, white, transparent or #rrggbb, got '#12'"),
        (["--scale", "0"], "--scale must be a number from 0.1 to 16, got '0'"),
        (["--scale", "nan"], "--scale must be a number from 0.1 to 16, got 'nan'"),
        (["--dpi", "9999"], "--dpi must be a number from 10 to 1200, got '9999'"),
        (["--size", "12"], "--size must be like 1200x700, each from 64 to 16384, got '12'"),
        (
            ["--page", "a4"],
            "--page must be column, two-columns, slide, or like 120mm, 120x80mm, 4.5x3in or 1200x800px, got 'a4'",
        ),
        (["--page", "59mm"], "the width of the picture must be from 60 to 1200 mm, got 59 mm"),
        (["--page", "column", "--size", "640x480"], "--page and --size both set the size; give only one of them"),
        (["--size", "63x64"], "--size must be like 1200x700, each from 64 to 16384, got '63x64'"),
        (["--columns", "3:3"], "--columns 3:3: columns 3:3 contain no column"),
        (["--columns", "a"], "--columns must be like 4:8 (the columns 4 to 7) or 4, got 'a'"),
        (["--cursor", "1"], "--cursor must be a position and a column like 1,2, got '1'"),
        (["--out"], "--out needs a value; --help lists the options"),
        (["--out", "--format", "csv"], "--out needs a value; --help lists the options"),
        (["--d_model", "8"], "there is no option --d_model; did you mean --d-model?"),
        (["--qwertz"], "there is no option --qwertz; --help lists the options"),
        (["--d-mode", "8"], "there is no option --d-mode; did you mean --d-model?"),
        (["loves"], "'loves' belongs to no option; put a value that contains spaces in quotes"),
        (["--"], "there is no option --; --help lists the options"),
        (["--sentence", "--"], "--sentence needs a value; --help lists the options"),
        (["--transpose=yes"], "--transpose takes no value, got 'yes'"),
        (["--d-model=--"], "d_model must be a whole number from 1 to 65536, got '--'"),
        (["--out="], "there is no folder to write to; type one"),
        (["--out", "~nobody-of-this-name/a"], "cannot find ~nobody-of-this-name/a: there is no such user"),
        (["--out", "a/b"], "cannot create a/b: the folder a does not exist"),
        (["--session", "no.json"], "cannot open no.json: there is no such file"),
        (["--config", "no.json"], "cannot open no.json: there is no such file"),
    ],
)
def test_bad_input_is_refused_in_one_sentence_and_writes_nothing(
    refused: Refused, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    numbers = [] if "--format" in arguments else ["--format", "csv"]
    assert refused("export", *numbers, *arguments) == sentence
    assert not any(tmp_path.iterdir())


def test_values_outside_the_table_are_refused_with_its_bounds(refused: Refused) -> None:
    assert refused("export", "--columns", "4:9").endswith(
        "columns 4:9 reach outside the table, which has the columns 0 to 7"
    )
    assert refused("export", "--cursor", "60,0").endswith("the positions 0 to 59 and the columns 0 to 7")
    assert refused("export", "--cursor", "0,8").endswith("the positions 0 to 59 and the columns 0 to 7")


def test_a_picture_larger_than_memory_is_refused(refused: Refused) -> None:
    assert "the largest of this shape has 6708 x 6708; give a smaller --size" in refused(
        "export", "--size", "16384x16384"
    )
    assert "is too large: the largest of this shape" in refused("export", "--size", "4000x4000", "--dpi", "1200")
    assert "give only one of them" in refused("export", "--scale", "2", "--dpi", "300")


def test_an_unknown_preset_names_the_known_ones(refused: Refused) -> None:
    assert "the presets are annotated-transformer, chinese-" in refused("export", "--preset", "moon")


def test_a_foreign_session_and_a_foreign_config_are_named(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"model_type": "newest", "rope_theta": 500000.0}')
    assert refused("export", "--session", "a.json").startswith("cannot open a.json: this is no PosEnc session")
    sentence = refused("export", "--config", "a.json")
    assert sentence.startswith("cannot open a.json: the width of a head is unknown: this config has ")


def test_a_file_in_place_of_the_folder_is_refused(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"")
    assert refused("export", "--format", "csv", "--out", "out") == (
        "cannot create the folder out: a file of that name is there"
    )
    (tmp_path / "vectors.csv").mkdir()
    assert refused("export", "--format", "csv") == "cannot write vectors.csv: it is a folder"


@pytest.mark.parametrize("option", ["--sentence", "--out", "--session", "--d-model", "--format", "--\udcff"])
def test_bytes_that_are_not_text_are_refused_without_a_traceback(refused: Refused, option: str) -> None:
    bad = os.fsdecode(b"a\xff\n/b")
    sentence = refused("export", "--format", "csv", option, bad)
    assert "\\udcff" in sentence or "lone surrogate U+DCFF" in sentence


def test_a_folder_whose_name_is_not_text_is_printed_byte_by_byte(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "main.py"), "export", "--format", "csv", "--out", b"\xff"]
    process = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    assert process.stdout == b"\xff/vectors.csv\n"
    assert process.stderr == b""


def test_files_whose_names_cannot_be_printed_are_all_written(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "main.py"), "export", "--format", "csv", "--format", "npy"]
    with Path("/dev/full").open("wb") as full:
        process = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        silent = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=full, check=False)
    sentence = "all files are written, but their names cannot be printed: No space left on device\n"
    assert (process.returncode, process.stderr) == (0, sentence)
    assert silent.returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["vectors.csv", "vectors.npy"]


def test_a_reader_that_left_loses_no_file(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, str(ROOT / "main.py"), "export", "--format", "csv", "--format", "npy"]
    process = subprocess.run(command, cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert process.returncode == 0
    assert process.stderr == "all files are written, but their names cannot be printed: Broken pipe\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["vectors.csv", "vectors.npy"]


@pytest.mark.parametrize(
    ("arguments", "what"), [(("export", "--help"), "help"), (("--help",), "help"), (("--version",), "version")]
)
def test_a_text_that_cannot_be_printed_is_named(tmp_path: Path, arguments: tuple[str, ...], what: str) -> None:
    with Path("/dev/full").open("wb") as full:
        process = subprocess.run(
            [sys.executable, str(ROOT / "main.py"), *arguments],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (process.returncode, process.stderr) == (2, f"the {what} cannot be printed: No space left on device\n")


def test_a_refusal_that_cannot_be_printed_keeps_its_status(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        refused = subprocess.run(
            [sys.executable, str(ROOT / "main.py"), "export", "--d-model", "0"], cwd=tmp_path, stderr=full, check=False
        )
    assert refused.returncode == 2


def test_a_disk_that_fills_up_keeps_the_older_file_and_stops(tmp_path: Path) -> None:
    """The kernel stops every file of this process at 100 kB: the first fits, the second does not."""
    (tmp_path / "vectors.csv").write_bytes(b"old")
    program = (
        "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)); "
        "sys.argv = sys.argv[1:]; sys.path[0] = sys.argv[0].removesuffix('main.py'); "
        "runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    arguments = ["export", "--sentence", "w " * 2000, "--format", "npy", "--format", "csv", "--format", "npz"]
    process = subprocess.run(
        [sys.executable, "-B", "-c", program, str(ROOT / "main.py"), *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 2
    assert process.stdout == "vectors.npy\n"
    assert process.stderr == "cannot write vectors.csv: the file would be larger than the system allows\n"
    assert (tmp_path / "vectors.csv").read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["vectors.csv", "vectors.npy"]


@pytest.mark.parametrize("display", [{}, {"DISPLAY": ":987", "WAYLAND_DISPLAY": "nowhere", "QT_QPA_PLATFORM": "xcb"}])
def test_pictures_need_no_display_even_where_one_is_named(
    exported: Callable[..., list[Path]], tmp_path: Path, display: dict[str, str]
) -> None:
    arguments = ["--panel", "waves", "--panel", "tokens", "--scale", "1", "--cursor", "1,2", "--out", "pictures"]
    assert exported(*arguments, **display) == [tmp_path / "pictures" / f"{name}.png" for name in ("waves", "tokens")]


def test_the_files_of_all_panels_are_named_by_panel_and_format(
    exported: Callable[..., list[Path]], tmp_path: Path
) -> None:
    formats = ("png", "svg", "pdf", "csv")
    paths = exported(*(word for name in formats for word in ("--format", name)), "--scale", "0.5")
    pictures = [f"{panel}.{name}" for name in formats[:3] for panel in ("waves", "heatmap", "tokens")]
    assert [path.name for path in paths] == [*pictures, "vectors.csv"]
    starts = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF", ".csv": b"token"}
    assert all(path.read_bytes().startswith(starts[path.suffix]) for path in paths)


def test_a_picture_brings_its_session_back(shown: Callable[..., Document], exported: Callable[..., list[Path]]) -> None:
    exported("--panel", "waves", "--sentence", "two  spaces", "--d-model", "6", "--scale", "1")
    assert shown("--session", "waves.png") == Document(sentence="two  spaces", encoding=Sinusoidal(6))


def test_a_size_on_paper_has_300_dots_per_inch_unless_another_number_is_given(
    exported: Callable[..., list[Path]],
) -> None:
    widths = []
    for options in ((), ("--dpi", "600"), ("--scale", "2"), ("--no-caption",)):
        (path,) = exported("--panel", "heatmap", "--page", "column", *options)
        widths.append(int.from_bytes(path.read_bytes()[16:20]))
    assert widths == [1004, 2008, 643, 1004]
    (path,) = exported("--panel", "heatmap", "--page", "1200x900px", "--dpi", "300")
    assert path.read_bytes()[16:24] == (1200).to_bytes(4) + (900).to_bytes(4)


def test_captions_go_below_the_picture_or_into_files(exported: Callable[..., list[Path]]) -> None:
    arguments = ("--panel", "waves", "--panel", "tokens", "--format", "svg", "--d-model", "6")
    written = exported(*arguments, "--caption-file")
    assert [path.name for path in written] == ["waves.svg", "tokens.svg", "waves.txt", "tokens.txt"]
    rest = "base = 10,000, layout = interleaved, spacing = paper, offset = 0"
    said = f"Sinusoidal · d_model = 6, {rest} · “Dan loves icecream” · length 60"
    assert written[2].read_text(encoding="utf-8") == f"{said}\n"
    assert f"{said}</text>" not in written[0].read_text(encoding="utf-8")
    below, _ = exported(*arguments)
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", below.read_text(encoding="utf-8"))
    assert said in " ".join(texts), "in lines"
    assert [path.name for path in exported("--format", "npy", "--caption-file")] == ["vectors.npy"]


def test_a_cell_is_marked_only_where_a_cursor_is_given(exported: Callable[..., list[Path]]) -> None:
    pictures = []
    for options in ((), ("--cursor=-1,0",), ("--cursor=-1,0", "--no-mark"), ("--cursor=-1,3", "--no-mark")):
        (path,) = exported("--panel", "pairs", "--family", "alibi", "--scale", "1", *options)
        pictures.append(path.read_bytes())
    plain, marked, unmarked, other_head = pictures
    assert plain == unmarked
    assert len({plain, marked, other_head}) == 3
