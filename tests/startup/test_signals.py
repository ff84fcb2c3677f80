"""Ctrl+C, SIGTERM and SIGHUP at drawn moments: one sentence, nothing by half, and no work is lost."""

import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from amounts import some
from processes import ROOT, surroundings, wait_for

from posenc_core import Document

MAIN = [sys.executable, str(ROOT / "main.py")]

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP] if sys.platform != "win32" else []
LONG = ["--quiet", "--sentence", "w " * 60_000]
NUMBERS = {
    "csv": (*LONG, "--d-model", "512", "--format", "csv"),
    "npy": (*LONG, "--d-model", "16384", "--format", "npy"),
    "npz": (*LONG, "--d-model", "8192", "--format", "npz", "--embedding", "simulated"),
}
"""Exports of a gigabyte and more, of which only a drawn number of bytes is waited for."""
PICTURES = [word for format in ("svg", "pdf", "png") for word in ("--format", format)] + ["--scale", "8"]
"""Nine pictures, the last of which take seconds."""

DOINGS = ("editing", "idle", "asking")

pytestmark = [
    pytest.mark.thorough,  # each test starts real processes
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the signals and folders of Linux"),
]

BY_NAME = {"ids": lambda value: value.name if isinstance(value, signal.Signals) else value}

Amount = Callable[[int, int], int]
Count = Callable[[str, int], None]


def heeding() -> None:
    """Heed the signals that a shell in the background, or nohup, has its children ignore."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def started(folder: Path, *command: str, **variables: str) -> subprocess.Popen[str]:
    kept = {name: value for name, value in surroundings().items() if not name.startswith("PYTHON")}
    return subprocess.Popen(
        command,
        cwd=folder,
        env={
            **kept,
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_DATA_HOME": str(folder / "data"),
            **variables,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heeding,
    )


def exporting(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return started(folder, *MAIN, "export", *arguments)


def size_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else -1


def ended(process: subprocess.Popen[str], number: int) -> str:
    """Send the signal; the one sentence with which the process ended, and its exit status, are as they should be."""
    process.send_signal(number)
    _, said = process.communicate()
    said = "".join(line for line in said.splitlines(True) if not line.startswith(("import time:", "This plugin")))
    assert said.startswith(f"Ended by {signal.Signals(number).name}: "), said
    assert said.count("\n") == 1, said
    assert process.returncode == 128 + number
    return said


@pytest.mark.parametrize("number", some(SIGNALS, *SIGNALS[:1]), **BY_NAME)
def test_an_export_that_is_ended_while_it_imports_says_so(
    tmp_path: Path, number: int, amount: Amount, count: Count
) -> None:
    """The moment is a drawn import after signals are answered: Python prints each import that ends."""
    chance, tries = Random(number), amount(2, 6)
    for _ in range(tries):
        process = started(tmp_path, sys.executable, "-X", "importtime", *MAIN[1:], "export", *NUMBERS["csv"])
        assert process.stderr is not None
        while not (line := process.stderr.readline()).endswith(" posenc_gui.cli\n"):
            assert line, "it ended before"
        for _ in range(chance.randint(1, 240)):
            process.stderr.readline()
        ended(process, number)
        assert not [path for path in tmp_path.iterdir() if path.name.endswith(".part")]
    count("signals to exports that import", tries)


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("format", "number"),
    some(product(NUMBERS, SIGNALS), *zip(NUMBERS, SIGNALS, strict=False)),
    **BY_NAME,
)
def test_an_export_that_is_ended_while_it_writes_leaves_the_older_file_alone(
    tmp_path: Path, format: str, number: int, amount: Amount, count: Count
) -> None:
    chance, tries = Random(f"{format} {number}"), amount(1, 3)
    (tmp_path / f"vectors.{format}").write_bytes(b"old")
    for _ in range(tries):
        process, size = exporting(tmp_path, *NUMBERS[format]), chance.choice([0, chance.randint(1, 1 << 23)])
        wait_for(lambda size=size: size_of(tmp_path / f".vectors.{format}.part") >= size, process)
        ended(process, number)
        assert [path.name for path in tmp_path.iterdir()] == [f"vectors.{format}"]
        assert (tmp_path / f"vectors.{format}").read_bytes() == b"old"
    count("signals to exports that write numbers", tries)


@pytest.mark.parametrize("number", some(SIGNALS, *SIGNALS[1:2]), **BY_NAME)
def test_an_export_of_pictures_that_is_ended_has_whole_files(
    tmp_path: Path, number: int, amount: Amount, count: Count
) -> None:
    chance, tries = Random(number), amount(1, 3)
    for attempt in range(tries):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        process, named = exporting(folder, *PICTURES), []
        assert process.stdout is not None
        for _ in range(chance.randint(1, 6)):
            named.append(process.stdout.readline().strip())
        ended(process, number)
        ends = {".png": b"\xaeB`\x82", ".svg": b"</svg>\n", ".pdf": b"%%EOF\n"}
        written = {path.name: path for path in folder.iterdir()}
        assert set(named) <= written.keys()
        assert all(path.read_bytes().endswith(ends[path.suffix]) for path in written.values())
    count("signals to exports that draw pictures", tries)


@pytest.mark.thorough
def test_an_export_goes_on_after_its_terminal_is_closed_if_it_was_told_to(tmp_path: Path) -> None:
    process = started(tmp_path, "nohup", *MAIN, "export", *LONG, "--d-model", "64", "--format", "csv")
    wait_for(lambda: size_of(tmp_path / ".vectors.csv.part") >= 0, process)
    process.send_signal(signal.SIGHUP)
    said, _ = process.communicate()
    assert (process.returncode, said) == (0, "vectors.csv\n")


@pytest.mark.thorough
def test_the_next_export_into_a_folder_removes_what_a_killed_one_left_and_nothing_of_a_living_one(
    tmp_path: Path, count: Count
) -> None:
    (tmp_path / ".film.mkv.part").write_bytes(b"another program's")
    living, killed = exporting(tmp_path, *NUMBERS["csv"]), exporting(tmp_path, *NUMBERS["npy"])
    for process, format in ((living, "csv"), (killed, "npy")):
        wait_for(lambda format=format: size_of(tmp_path / f".vectors.{format}.part") > 0, process)
    killed.kill()
    killed.communicate()
    assert (tmp_path / ".vectors.npy.part").exists()
    following = exporting(tmp_path, "--panel", "tokens", "--scale", "1")
    assert following.communicate() == ("tokens.png\n", "")
    assert {path.name for path in tmp_path.iterdir()} == {".film.mkv.part", ".vectors.csv.part", "tokens.png"}
    ended(living, signal.SIGTERM)
    assert {path.name for path in tmp_path.iterdir()} == {".film.mkv.part", "tokens.png"}
    count("exports killed", 1)


def window(folder: Path, doing: str) -> subprocess.Popen[str]:
    return started(folder, sys.executable, str(ROOT / "tests" / "startup" / "edited_window.py"), doing, str(folder))


def kept(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "data").rglob("recovery/*"))


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("doing", "number"),
    some(product(DOINGS, SIGNALS), *zip(DOINGS, SIGNALS, strict=False)),
    **BY_NAME,
)
def test_a_window_that_is_ended_writes_unsaved_work_aside(
    tmp_path: Path, doing: str, number: int, count: Count
) -> None:
    process, typed = window(tmp_path, doing), 0
    assert process.stdout is not None
    for _ in range(Random(number).randint(1, 60) if doing == "editing" else 1):
        typed = int(process.stdout.readline())
    if doing == "idle":  # from the autosave on nothing wakes the loop, and Python runs nothing
        wait_for(lambda: any(path.suffix == ".posenc" for path in kept(tmp_path)), process)
    assert ended(process, number).endswith("unsaved work is kept, and offered at the next start.\n")
    (session,) = kept(tmp_path)
    assert int(Document.from_json(session.read_bytes()).sentence.split()[0]) >= typed
    assert (tmp_path / "config" / "PosEnc" / "settings.json").exists()  # the layout
    count("signals to windows", 1)


@pytest.mark.thorough
def test_a_window_that_is_ended_while_it_exports_leaves_no_half_file(tmp_path: Path, count: Count) -> None:
    process = window(tmp_path, "exporting")
    wait_for(lambda: size_of(tmp_path / ".vectors.csv.part") > 1 << 20, process)
    ended(process, signal.SIGTERM)
    assert {path.name for path in tmp_path.iterdir()} == {"config", "data"}
    assert len(kept(tmp_path)) == 1
    count("signals to windows", 1)


def test_a_window_without_unsaved_work_leaves_nothing(tmp_path: Path, count: Count) -> None:
    process = window(tmp_path, "saved")
    assert process.stdout is not None
    process.stdout.readline()
    assert ended(process, signal.SIGTERM).endswith("there was no unsaved work.\n")
    assert kept(tmp_path) == []
    count("signals to windows", 1)


def test_a_window_that_tells_of_a_broken_file_of_an_encoding_at_its_start_is_ended(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("1 +")
    process = started(tmp_path, *MAIN, "--plugin", "mine.py", QT_QPA_PLATFORM="offscreen")
    wait_for(lambda: kept(tmp_path), process)  # from then on signals are answered, whatever is asked
    assert ended(process, signal.SIGTERM).endswith("there was no unsaved work.\n")


def test_work_that_cannot_be_written_aside_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(b"a file in the way of the folder")
    process = window(tmp_path, "idle")
    assert process.stdout is not None
    process.stdout.readline()
    assert "unsaved work is lost: cannot create" in ended(process, signal.SIGTERM)


@pytest.mark.thorough
def test_a_signal_after_the_numbers_are_written_changes_none_of_them(tmp_path: Path) -> None:
    """The process is ended while it writes its second file; the first, which it named, is whole."""
    process = exporting(tmp_path, *LONG, "--d-model", "64", "--format", "npy", "--format", "csv")
    wait_for(lambda: size_of(tmp_path / ".vectors.csv.part") >= 0, process)
    ended(process, signal.SIGTERM)
    assert np.load(tmp_path / "vectors.npy", allow_pickle=False).shape == (60_000, 64)
    assert [path.name for path in tmp_path.iterdir()] == ["vectors.npy"]
