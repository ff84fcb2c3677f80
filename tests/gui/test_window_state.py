"""What is remembered between two starts, and what is made of damaged memories."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings

from posenc_gui.window_state import RECENT_FILES, VERSION, Settings


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
        "import sys; from PySide6.QtCore import QSettings; from posenc_gui.window_state import Settings\n"
        "read = Settings(QSettings(sys.argv[1], QSettings.Format.IniFormat))\n"
        "print([read.theme, read.recent_files, str(read.folder('exports')), list(read.bytes('layout_docks').data())])"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "posenc.ini")]
    root = Path(__file__).parents[2]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root).stdout
    wanted = ["dark", [str(tmp_path / "a, b; c=d.posenc")], str(tmp_path), list(range(256))]
    assert answer.strip() == str(wanted)


@pytest.mark.parametrize(
    "state",
    [
        "",
        "{",
        "[]",
        "null",
        "3",
        '"text"',
        json.dumps({"version": VERSION + 1, "theme": "dark"}),
        json.dumps({"theme": "dark"}),
        json.dumps({"version": VERSION, "theme": 7, "recent_files": "no list", "layout_docks": 3, "folder_exports": 1}),
        json.dumps({"version": VERSION, "theme": "pink", "recent_files": [1, None], "layout_docks": "ä"}),
        json.dumps({"version": VERSION, "folder_exports": "/no/such/folder"}),
    ],
)
def test_a_damaged_memory_is_none(tmp_path, state):
    damaged = store(tmp_path)
    damaged.setValue("state", state)
    test_the_first_start_remembers_nothing(Settings(damaged))


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
