"""The program installed from its wheels alone, and frozen into one folder: it works and draws as the checkout does."""

import json
import os
import shutil
from pathlib import Path

import pytest
from installed import ROOT, build_wheels, checkout, environment, run
from plugin_files import EXAMPLE
from processes import Home, killed, wait_for

pytestmark = pytest.mark.thorough

CONFIG = ROOT / "resources" / "lessons" / "configs" / "config-a.json"
SENTENCE = ("--sentence", "the quick brown fox")
SMALL = ("--scale", 1, "--quiet")
KINDS = {
    "entries": ("--family", "sinusoidal", "--d-model", 8, "--panel", "all"),
    "rotation": ("--preset", "llama-3.1-8b", "--panel", "all"),
    "bias": ("--family", "alibi"),
    "content": ("--family", "cope"),
    "learned": ("--family", "learned"),
    "formula": ("--preset", "formula-paper"),
    "patches": ("--preset", "dinov3", "--panel", "patches"),
}
"""Arguments for an encoding of each kind, and for its panels: all that suit, or the usual ones."""


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the wheels."""
    folder = tmp_path_factory.mktemp("wheels")
    build_wheels(folder)
    return folder


@pytest.fixture(scope="module")
def programs(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that has the wheels and PyInstaller, and neither the checkout nor a link to it."""
    return environment(tmp_path_factory.mktemp("fresh") / "venv", wheels, "posenc[freeze]")


@pytest.fixture(scope="module")
def frozen(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the frozen program, built from the installed one."""
    out = tmp_path_factory.mktemp("frozen")
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    run(programs / "python", ROOT / "tools" / "freeze.py", "--no-archive", "--out", out, PATH=path)
    return out / "posenc"


@pytest.fixture(scope="module", params=["installed", "frozen"])
def posenc(request: pytest.FixtureRequest) -> Path:
    """The program as a user has it."""
    if request.param == "installed":
        return Path(request.getfixturevalue("programs"), "posenc")
    return Path(request.getfixturevalue("frozen"), "posenc")


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, bytes]]:
    """The pictures of the checkout for each kind, by their names."""
    folder = tmp_path_factory.mktemp("pictures")
    for kind, arguments in KINDS.items():
        checkout("export", *SENTENCE, *arguments, *SMALL, "--out", folder / kind)
    return {kind: written(folder / kind) for kind in KINDS}


def written(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("kind", KINDS)
def test_every_panel_is_the_checkouts_byte_by_byte(
    posenc: Path, tmp_path: Path, kind: str, pictures: dict[str, dict[str, bytes]]
) -> None:
    run(posenc, "export", *SENTENCE, *KINDS[kind], *SMALL, "--out", tmp_path)
    assert written(tmp_path) == pictures[kind]
    assert len(pictures[kind]) >= (7 if "all" in KINDS[kind] else 1)


def test_numbers_documents_and_films_are_the_checkouts(posenc: Path, tmp_path: Path) -> None:
    pictures = ("--format", "svg", "--format", "csv", "--format", "npz")
    film = ("--film", "lesson:5", "--format", "apng", "--scale", 1)
    for arguments in ((*SENTENCE, "--preset", "paper", "--columns", "0:8", *pictures), film):
        run(posenc, "export", *arguments, "--out", tmp_path / "there")
        checkout("export", *arguments, "--out", tmp_path / "here")
    assert written(tmp_path / "there") == written(tmp_path / "here")
    assert {"waves.svg", "vectors.csv", "vectors.npz", "lesson-5.apng"} <= written(tmp_path / "there").keys()


def test_models_and_numbers_are_read_as_in_the_checkout(posenc: Path, tmp_path: Path) -> None:
    assert run(posenc, "inspect", CONFIG, "--json") == checkout("inspect", CONFIG, "--json")
    assert run(posenc, "engines", CONFIG) == checkout("engines", CONFIG)
    numbers = tmp_path / "inv_freq.json"
    numbers.write_text(json.dumps([10000 ** (-2 * pair / 64) for pair in range(32)]))
    assert run(posenc, "check", numbers) == checkout("check", numbers)
    own = tmp_path / "mine.py"
    own.write_text(EXAMPLE, encoding="utf-8")
    flags = (*SENTENCE, "--plugin", own, "--family", "fading_waves", "--panel", "waves", "--format", "csv")
    assert run(posenc, "export", *flags, "--out", tmp_path).splitlines()
    assert run(posenc, "--version") == checkout("--version")


@pytest.mark.parametrize("way", ["uvx", "uv tool install", "pipx run", "pipx install"])
def test_the_commands_of_uv_and_pipx_give_the_program_that_draws_the_checkouts_pictures(
    wheels: Path, tmp_path: Path, way: str, pictures: dict[str, dict[str, bytes]]
) -> None:
    tools, found = environment(tmp_path / "tools", wheels, way.split()[0].replace("uvx", "uv")), tmp_path / "found"
    program, *words = way.split()
    link = ("--find-links", wheels) if program.startswith("uv") else ("--pip-args", f"--find-links {wheels}")
    installer = {
        "HOME": str(tmp_path), "UV_TOOL_DIR": str(tmp_path / "uv"), "UV_TOOL_BIN_DIR": str(found),
        "PIPX_HOME": str(tmp_path / "pipx"), "PIPX_BIN_DIR": str(found),
    }  # fmt: skip
    export = ("export", *SENTENCE, *KINDS["bias"], *SMALL, "--out", tmp_path / "pictures")
    if words[-1:] == ["install"]:
        run(tools / program, *words, *link, "posenc", **installer)
        run(found / "posenc", *export)
        assert run(found / "posenc-window", "--version") == checkout("--version")
    else:
        run(tools / program, *words, *link, "posenc", *export, **installer)
    assert written(tmp_path / "pictures") == pictures["bias"]


def test_the_window_opens_and_complains_of_nothing(posenc: Path, tmp_path: Path) -> None:
    home = Home(tmp_path, posenc)
    window = home.start()
    wait_for(lambda: home.locks, window)
    assert killed(window) == ""


def test_the_frozen_program_is_small_and_has_the_licences_of_what_it_holds(frozen: Path) -> None:
    files = [path for path in frozen.rglob("*") if path.is_file() and not path.is_symlink()]
    assert sum(path.stat().st_size for path in files) < 190e6
    names = " ".join(path.name.lower() for path in files)
    assert not [each for each in ("gtk", "gdk", "eglfs", "tcl", "qtwebengine", "_ssl") if each in names]
    licences = frozen / "THIRD-PARTY"
    listed = (licences / "LIST.txt").read_text("utf-8")
    for name in ("numpy", "PySide6_Essentials", "pyqtgraph", "ziamath", "msgspec", "regex", "Python", "pyinstaller"):
        assert name in listed
        assert [path for path in (licences / name).rglob("*") if path.is_file() and path.stat().st_size], name
    assert "OpenBLAS" in "".join(path.read_text("utf-8") for path in (licences / "numpy").rglob("LICENSE.txt"))
    assert "SIL Open Font License" in (licences / "Inter" / "LICENSE-Inter.txt").read_text("utf-8")
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in (licences / "LGPL-3.0.txt").read_text("utf-8")


def test_the_frozen_program_runs_from_another_folder(frozen: Path, tmp_path: Path) -> None:
    moved = shutil.copytree(frozen, tmp_path / "a folder", symlinks=True)
    assert run(moved / "posenc", "--version") == checkout("--version")
