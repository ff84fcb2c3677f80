"""``posenc integrate`` and ``--remove``: the files of a Linux desktop, and nothing else."""

import configparser
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QImage

from posenc_core import Document
from posenc_gui.files import save_session
from posenc_gui.start import launch

ROOT = Path(__file__).parents[2]
ID = "io.github.posenc.PosEnc"
FILES = {
    f"applications/{ID}.desktop", f"mime/packages/{ID}.xml", f"metainfo/{ID}.metainfo.xml",
    f"icons/hicolor/scalable/apps/{ID}.svg",
    *(f"icons/hicolor/{size}x{size}/apps/{ID}.png" for size in (48, 64, 128, 256)),
}  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data of mine"


@pytest.fixture
def integrated(command, data):
    done = command("integrate", XDG_DATA_HOME=str(data))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def own(data: Path) -> set[str]:
    """The program's files below a folder; caches of the desktop are its own."""
    return {str(path.relative_to(data)) for path in data.rglob(f"{ID}*") if path.is_file()}


def entry(data: Path) -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type names are in mixed case
    parser.read(data / "applications" / f"{ID}.desktop", "utf-8")
    return parser["Desktop Entry"]


def arguments_of(line: str) -> list[str]:
    """The arguments of a value of Exec, in quotation marks or without spaces."""
    text = line.replace("\\\\", "\\")
    quoted = re.findall(r'"((?:[^"\\`$]|\\["`$\\])*)"|(%f)', text)
    return [mark or re.sub(r"\\(.)", r"\1", word).replace("%%", "%") for word, mark in quoted]


def test_all_files_are_written_and_named_and_removed_again(command, integrated, data):
    assert own(data) == FILES
    *paths, last = integrated.splitlines()
    assert {str(Path(path).relative_to(data)) for path in paths} == FILES
    assert last.endswith("posenc integrate --remove")
    (data / "applications" / "other.desktop").write_text("kept")
    done = command("integrate", "--remove", XDG_DATA_HOME=str(data))
    assert {line.removeprefix(f"removed {data}/") for line in done.stdout.splitlines()} == FILES
    assert own(data) == set()
    assert (data / "applications" / "other.desktop").read_text() == "kept"
    done = command("integrate", "--remove", XDG_DATA_HOME=str(data))
    assert (done.returncode, done.stdout) == (0, f"No file of PosEnc is in {data}\n")


def test_the_entry_starts_this_program_from_anywhere(integrated, data, tmp_path):
    *words, file = arguments_of(entry(data)["Exec"])
    assert file == "%f"
    done = subprocess.run([*words, "--version"], cwd="/", capture_output=True, text=True, check=True)
    assert done.stdout.startswith("PosEnc")


@pytest.mark.parametrize("name", ["with spaces", 'a "quoted" $HOME', "back\\slash `ls`", "100 %f"])
def test_odd_characters_of_a_path_are_escaped(command, data, tmp_path, monkeypatch, name):
    program = tmp_path / name / "posenc"
    monkeypatch.setenv("XDG_DATA_HOME", str(data))
    monkeypatch.setattr(sys, "argv", [str(program), "integrate"])
    assert launch.main(["integrate"]) == 0
    assert arguments_of(entry(data)["Exec"]) == [str(program), "%f"]


def test_the_type_of_sessions_fits_the_files_that_are_saved(integrated, data, tmp_path):
    (kind,) = ElementTree.parse(data / "mime" / "packages" / f"{ID}.xml").getroot()
    space = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    assert kind.get("type") == entry(data)["MimeType"].strip(";") == "application/x-posenc-session"
    (match,) = kind.findall("m:magic/m:match", space)
    first, last = map(int, match.get("offset").split(":"))
    path = tmp_path / "mine.posenc"
    save_session(Document("words of mine"), path)
    assert first <= path.read_text("utf-8").index(match.get("value")) <= last
    (pattern,) = kind.findall("m:glob", space)
    assert path.match(pattern.get("pattern"))


TYPE = "import sys; from PySide6.QtCore import QMimeDatabase as D; print(D().mimeTypeForFile(sys.argv[1]).name())"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("mine.posenc", "application/x-posenc-session"),
        ("without ending", "application/x-posenc-session"),
        ("config.json", "application/json"),
    ],
)
def test_another_program_knows_a_session_by_its_content(integrated, data, tmp_path, name, kind):
    path = tmp_path / name
    save_session(Document("words of mine"), path)
    if name == "config.json":
        path.write_text('{"model_type": "llama"}', "utf-8")
    environment = {"XDG_DATA_HOME": str(data), "XDG_DATA_DIRS": "/usr/share", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", TYPE, path], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{kind}\n"


def test_the_description_and_the_entry_name_each_other(integrated, data):
    root = ElementTree.parse(data / "metainfo" / f"{ID}.metainfo.xml").getroot()
    assert root.findtext("id") == ID == entry(data)["Icon"]
    assert root.findtext("launchable") == f"{ID}.desktop"
    assert root.findtext("summary") == entry(data)["Comment"]


def test_icons_have_their_sizes_and_are_not_empty(integrated, data):
    for path in data.rglob("*.png"):
        image = QImage(str(path))
        size = int(path.parent.parent.name.split("x")[0])
        assert (image.width(), image.height()) == (size, size)
        assert image.pixelColor(size // 2, size // 10).alpha() == 255
        assert image.pixelColor(0, 0).alpha() == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["now"], "'now' belongs to no option; put a value that contains spaces in quotes"),
        (["--delete"], "there is no option --delete; --help lists the options"),
        (["--remove=yes"], "--remove takes no value, got 'yes'"),
    ],
)
def test_words_out_of_place_are_refused(refused, words, sentence):
    assert refused("integrate", *words) == sentence


def test_a_folder_that_cannot_be_written_is_named(refused, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("kept")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    assert "cannot" in refused("integrate")
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_other_systems_are_refused(refused, monkeypatch, system):
    monkeypatch.setattr("posenc_gui.cli.integrate_command.sys.platform", system)
    assert refused("integrate") == "integrate works on Linux desktops only"
