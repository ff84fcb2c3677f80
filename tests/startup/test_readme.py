"""The README is correct: its commands, flags, shortcuts, paths and pictures."""

import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtGui import QImage

from posenc_gui.panels import WORKSPACES
from posenc_gui.start import environment
from posenc_gui.window.actions import ACTIONS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
SHELL_LINES = [line for kind, block in BLOCKS if kind in ("sh", "powershell") for line in block.splitlines()]
EXPORTS = re.findall(r"```sh\n\S+ main\.py (export .*)\n```\n\n((?:.+\n)+)", README)
"""The export commands, and the paragraph after each."""

PICTURE_SCRIPT = ROOT / "tools" / "make_pictures.py"
PICTURES = runpy.run_path(str(PICTURE_SCRIPT))

OTHER_COMMANDS = {"check": 1, "engines": 0, "inspect": 0, "diff": 1}
"""The exit status per command: ``check`` is given a mistake, and ``diff`` two models that differ."""

NOT_IN_THE_TABLE = {"Ctrl+Z", "Ctrl+Shift+Z", "Home", "Left", "Right", "Up", "Down"}
"""Keys that the history and the panels have by themselves."""

MOUSE = {"Wheel", "Ctrl+Wheel", "Shift+Wheel", "Drag", "Double click"}

Start = Callable[..., CompletedProcess[str]]


def test_the_readme_has_one_line_to_start_and_one_to_test() -> None:
    start, test = [line for line in SHELL_LINES if line.startswith("python3 -m venv .venv &&")]
    assert start.endswith("&& .venv/bin/python main.py")
    assert test.endswith("&& .venv/bin/python -m pytest")
    marked = re.search(r"<!-- test command -->\n```sh\n(.*?)```", README, re.DOTALL)
    assert marked is not None
    assert marked[1] == test + "\n"


def test_windows_has_a_form_of_both() -> None:
    start, test = [line for line in SHELL_LINES if line.startswith("py -m venv .venv;")]
    assert start.endswith(r"; .venv\Scripts\python main.py")
    assert test.endswith(r"; .venv\Scripts\python -m pytest")


def test_every_extra_in_the_readme_exists() -> None:
    extras = set(re.findall(r"\.\[(\w+)\]", README))
    assert "test" in extras
    assert extras <= PROJECT["project"]["optional-dependencies"].keys()


def test_the_debian_packages_are_those_whose_lack_the_program_names() -> None:
    (line,) = [line for line in SHELL_LINES if "apt-get install" in line]
    packages = set(line.split()[3:])
    assert packages - {"python3-venv"} <= {package.debian for package in environment.PACKAGES.values()}


@pytest.mark.one_of(3)
@pytest.mark.parametrize(("line", "said"), EXPORTS)
def test_an_export_command_writes_what_is_said_of_it(command: Start, tmp_path: Path, line: str, said: str) -> None:
    words = [word or quoted for quoted, word in re.findall(r'"([^"]*)"|(\S+)', line)]
    process = command(*words)
    assert (process.returncode, process.stderr) == (0, "")
    written = {path.name for path in (tmp_path / "pictures").iterdir()}
    first_sentence = said.split(". ")[0]
    assert written == set(re.findall(r"`(\w+\.\w+)`", first_sentence))


def test_the_readme_has_four_export_commands() -> None:
    assert len(EXPORTS) == 4


def test_the_other_commands_run_one_after_another_with_files_that_the_reader_has(
    command: Start, tmp_path: Path
) -> None:
    shutil.copytree(ROOT / "resources" / "presets", tmp_path / "resources" / "presets")
    lines = [shlex.split(line) for line in SHELL_LINES if re.match(r"\.venv/bin/python (-c|main\.py (?!export))", line)]
    for _, *words in lines:
        if words[0] == "-c":
            subprocess.run([sys.executable, *words], cwd=tmp_path, check=True)
        else:
            process = command(*words[1:])
            assert process.stderr == "", words
            assert process.returncode == OTHER_COMMANDS[words[1]], words
    assert {words[2] for words in lines if words[1] == "main.py"} == set(OTHER_COMMANDS)


def test_no_command_needs_the_readers_own_python() -> None:
    bare = re.findall(r"`((?:python3?|pytest|posenc|pip) [^`]*)`", README)
    assert bare == ["pip install dist/*.whl", "posenc export --panel waves"]


def test_every_flag_exists(command: Start) -> None:
    scripts = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "benchmarks").glob("*.py"))
    helps = "".join(
        command(word, "--help").stdout for word in ("export", "inspect", "diff", "check", "engines", "integrate")
    )
    installers = {"--find-links", "--pip-args"}  # of uv, pip and pipx
    known = installers | set(re.findall(r"--[a-z][a-z-]+", helps + scripts))
    assert set(re.findall(r"(?<!\S)[`\"]?(--[a-z][a-z-]+)", README)) <= known


def test_every_shortcut_is_told_and_works() -> None:
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \|$", README.partition("| Keys and mouse |")[2], re.MULTILINE)
    told = {keys for row in rows for keys in row.split(", ")}
    known = {action.shortcut for action in ACTIONS if action.shortcut}
    known |= {f"Ctrl+{number}" for number, _ in enumerate(WORKSPACES, 1)}
    assert told - MOUSE - NOT_IN_THE_TABLE == known


def _map_lines() -> Iterator[tuple[Path, list[str], str]]:
    """For each line of the map the folder it is in, the names it begins with, and the rest."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawn = "".join(re.findall(r"^```text\n(.*?)^```$", README + text, re.MULTILINE | re.DOTALL))
    folders: dict[int, Path] = {0: ROOT}
    for line in drawn.splitlines():
        indent = len(line) - len(line.lstrip())
        names, rest = re.split(r" {2,}", line.strip(), maxsplit=1)
        folder = folders[indent]
        if names.endswith("/"):
            folders[indent + 2] = folder / names
        yield folder, names.split(), rest


def test_every_path_of_the_map_exists() -> None:
    for folder, names, rest in _map_lines():
        for name in names:
            assert (folder / name).exists(), f"{name} is not in {folder}"
        for name in re.findall(r"\w+\.py\b|\w+/", rest):
            assert any((place / name).exists() for place in (folder, folder / names[0])), f"{name}, beside {names}"


def test_the_map_shows_every_room() -> None:
    shown = {folder / name for folder, names, _ in _map_lines() for name in names}
    rooms = {path.parent for package in ("posenc_core", "posenc_gui") for path in (ROOT / package).rglob("__init__.py")}
    assert rooms <= shown


def test_every_other_path_exists() -> None:
    named = set(re.findall(r"`([\w.]+(?:/[\w.-]+)+|[\w-]+\.toml|LICENSE)`", README))
    paths = {name for name in named if not name.startswith(".venv")}
    assert len(paths) > 5
    assert [path for path in paths if not (ROOT / path).exists()] == []
    scripts = re.findall(r"python ((?:tests|tools)/\S+\.py)", README)
    assert [script for script in scripts if not (ROOT / script).exists()] == []


def test_the_pictures_shown_are_those_that_are_made() -> None:
    shown = re.findall(r"!\[[^\]]+\]\((\S+)\)", README)
    assert sorted(shown) == sorted(f"docs/pictures/{name}" for name in PICTURES["PICTURES"])
    assert {path.name for path in (ROOT / "docs" / "pictures").iterdir()} == set(PICTURES["PICTURES"])


@pytest.mark.one_of(4)
@pytest.mark.parametrize("name", PICTURES["PICTURES"])
def test_a_picture_is_what_the_program_makes_today(
    name: str, qapp, handlers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")  # which the export command changes
    now = _pixels(PICTURES["make"](name, tmp_path))
    kept = _pixels(ROOT / "docs" / "pictures" / name)
    assert _differences(now, kept) == "", f"{name}: look at it, and run python tools/make_pictures.py"


def _differences(now: npt.NDArray[np.int16], kept: npt.NDArray[np.int16]) -> str:
    """Where the program draws the picture in another way, in words; empty if nobody would notice."""
    if now.shape != kept.shape:
        return f"it is {now.shape[1]} x {now.shape[0]} pixels now, and was {kept.shape[1]} x {kept.shape[0]}"
    apart = np.abs(now - kept).max(axis=2)
    rows, columns = np.nonzero(apart > 40)
    if apart.mean() < 0.5 and len(rows) < 0.002 * apart.size:
        return ""
    return (
        f"{len(rows):,} pixels differ, between {columns.min(initial=0)}, {rows.min(initial=0)} and "
        f"{columns.max(initial=0)}, {rows.max(initial=0)}, and the mean difference is {apart.mean():.2f} of 255"
    )


def _pixels(path: Path) -> npt.NDArray[np.int16]:
    """Red, green and blue of a picture, ``(height, width, 3)``."""
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGBX8888)
    assert not image.isNull(), path
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4)[:, :, :3].astype(np.int16)
