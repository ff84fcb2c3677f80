"""The settings from one start to the next, and damaged settings files."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings

from posenc_gui.files.settings import MIGRATIONS, RECENT_FILES, VERSION, Settings, migrated

STORED = Path(__file__).parents[2] / "data" / "settings"


def store(tmp_path):
    return QSettings(str(tmp_path / "posenc.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def settings(tmp_path):
    return Settings(store(tmp_path))


def test_the_first_start_remembers_nothing(settings):
    assert settings.theme == "system"
    assert settings.recent_files == []
    assert settings.bytes("layout_docks").isEmpty()
    assert settings.folder("exports") == Path.home()


def test_the_next_process_reads_what_this_one_wrote(settings, tmp_path):
    """Another process, because QSettings answers the one that wrote from memory, types and all."""
    settings.theme = "dark"
    settings.add_recent_file(tmp_path / "a, b; c=d.posenc")
    settings.set_folder("exports", tmp_path)
    settings.set_bytes("layout_docks", QByteArray(bytes(range(256))))
    script = (
        "import sys; from PySide6.QtCore import QSettings; from posenc_gui.files.settings import Settings\n"
        "read = Settings(QSettings(sys.argv[1], QSettings.Format.IniFormat))\n"
        "print([read.theme, read.recent_files, str(read.folder('exports')), list(read.bytes('layout_docks').data())])"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "posenc.ini")]
    root = Path(__file__).parents[3]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root).stdout
    wanted = ["dark", [str(tmp_path / "a, b; c=d.posenc")], str(tmp_path), list(range(256))]
    assert answer.strip() == str(wanted)


@pytest.mark.parametrize(
    "state",
    [
        {"theme": 7, "recent_files": "no list", "layout_docks": 3, "folder_exports": 1},
        {"theme": "pink", "recent_files": [1, None], "layout_docks": "ä"},
        {"folder_exports": "/no/such/folder", "unheard of": {"a": 1}},
    ],
)
def test_a_value_that_makes_no_sense_is_none(tmp_path, state):
    odd = store(tmp_path)
    odd.setValue("state", json.dumps({"version": VERSION, **state}))
    assert Settings(odd).problem == ""
    test_the_first_start_remembers_nothing(Settings(odd))


DAMAGED = {
    "cut off": 'state="{\\"version\\": 1, \\"the',
    "a list": "state=[]",
    "no object": "state=null",
    "a number": "state=3",
    "several": "state=a, b",
    "deep": f"state={'[' * 10_000}",
    "no version": 'state="{\\"theme\\": \\"dark\\"}"',
    "a text for a version": 'state="{\\"version\\": \\"1\\"}"',
    "newer": f'state="{{\\"version\\": {VERSION + 1}, \\"theme\\": \\"dark\\"}}"',
    "no state": "colour=blue",
    "another file": "\x00\x01 MZ nothing of the kind",
}


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_file_is_set_aside_and_reported_once(tmp_path, text):
    path, aside = tmp_path / "posenc.ini", tmp_path / "posenc.ini.damaged"
    path.write_text(f"[General]\n{text}\n", encoding="utf-8")
    before = path.read_bytes()
    settings = Settings(store(tmp_path))
    assert settings.problem.startswith("The settings could not be read (")
    assert settings.problem.endswith(f") and were reset; the file is kept as {aside}.")
    assert settings.problem.isprintable()
    test_the_first_start_remembers_nothing(settings)
    assert aside.read_bytes() == before
    settings.theme = "dark"
    again = Settings(store(tmp_path))
    assert (again.problem, again.theme) == ("", "dark")
    assert aside.read_bytes() == before


def test_bytes_of_any_kind_are_no_settings(tmp_path):
    (tmp_path / "posenc.ini").write_bytes(bytes(range(256)) * 20)
    test_the_first_start_remembers_nothing(Settings(store(tmp_path)))


def test_the_settings_of_version_1_are_taken_over(tmp_path):
    shutil.copy(STORED / "v1.ini", tmp_path / "posenc.ini")
    settings = Settings(store(tmp_path))
    assert settings.problem == ""
    assert settings.theme == "dark"
    assert settings.recent_files == ["/home/ann/a, b; c=d.posenc"]
    assert settings.folder("exports") == Path("/")
    for name in ("docks", "across", "down"):
        assert settings.bytes(f"layout_{name}").isEmpty(), "of other panels than those there are now"


def test_every_earlier_version_has_settings_and_a_migration():
    assert sorted(MIGRATIONS) == list(range(1, VERSION))
    assert {path.name for path in STORED.iterdir()} >= {f"v{version}.ini" for version in range(1, VERSION)}
    steps = {version: lambda values, v=version: {**values, v: len(values)} for version in (1, 2, 3)}
    assert migrated({"a": 0}, 2, steps, 4) == {"a": 0, 2: 1, 3: 2}


def test_a_reset_of_the_settings_keeps_the_old_file(tmp_path):
    settings = Settings(store(tmp_path))
    settings.theme = "dark"
    before = (tmp_path / "posenc.ini").read_bytes()
    settings.forget_everything()
    test_the_first_start_remembers_nothing(settings)
    test_the_first_start_remembers_nothing(Settings(store(tmp_path)))
    assert (tmp_path / "posenc.ini.old").read_bytes() == before
    settings.theme = "light"
    assert Settings(store(tmp_path)).theme == "light"


def test_two_windows_do_not_take_each_others_memories(tmp_path):
    """In another process, because QSettings of one process share what they know."""
    settings = Settings(store(tmp_path))
    settings.theme = "dark"
    script = (
        "import sys; from pathlib import Path; from PySide6.QtCore import QSettings\n"
        "from posenc_gui.files.settings import Settings\n"
        "Settings(QSettings(sys.argv[1], QSettings.Format.IniFormat)).add_recent_file(Path('/a/other.posenc'))"
    )
    root = Path(__file__).parents[3]
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "posenc.ini")], check=True, cwd=root)
    settings.add_recent_file(Path("/a/mine.posenc"))
    assert settings.recent_files == ["/a/mine.posenc", "/a/other.posenc"]
    assert settings.theme == "dark"


def test_the_newest_file_stands_first_and_each_once(settings, tmp_path):
    for name in ("a", "b", "a", "c"):
        settings.add_recent_file(tmp_path / name)
    assert settings.recent_files == [str(tmp_path / name) for name in ("c", "a", "b")]
    settings.remove_recent_file(str(tmp_path / "a"))
    assert settings.recent_files == [str(tmp_path / name) for name in ("c", "b")]


def test_only_so_many_files_are_remembered(settings, tmp_path):
    for index in range(30):
        settings.add_recent_file(tmp_path / str(index))
    assert settings.recent_files == [str(tmp_path / str(index)) for index in range(29, 29 - RECENT_FILES, -1)]


def test_a_relative_file_is_found_from_another_folder(settings, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings.add_recent_file(Path("here.posenc"))
    assert settings.recent_files == [str(tmp_path / "here.posenc")]


def test_a_folder_that_is_gone_is_not_offered(settings, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    settings.set_folder("exports", gone)
    assert settings.folder("exports") == gone
    gone.rmdir()
    assert settings.folder("exports") == Path.home()


def test_forgetting_the_layout_forgets_nothing_else(settings):
    settings.theme = "light"
    settings.set_bytes("layout_docks", QByteArray(b"x"))
    settings.set_bytes("layout_down", QByteArray(b"y"))
    settings.forget_layout()
    assert settings.bytes("layout_docks").isEmpty()
    assert settings.bytes("layout_down").isEmpty()
    assert settings.theme == "light"
