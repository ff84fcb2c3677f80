"""The settings from one start to the next, and damaged settings files."""

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from threading import Semaphore, Thread
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QByteArray

from posenc_gui.files.atomic import writing
from posenc_gui.files.settings import RECENT_FILES, VERSION, LessonProgress, Remembered, Settings
from posenc_gui.files.settings_migrations import MIGRATIONS
from posenc_gui.story.progress import Progress

STORED = Path(__file__).parents[2] / "data" / "settings"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "PosEnc" / "settings.json"


@pytest.fixture
def settings(path: Path) -> Settings:
    return Settings(path)


def test_the_first_start_remembers_nothing_and_writes_nothing(settings: Settings, path: Path) -> None:
    assert settings.now == Remembered()
    assert settings.problem == ""
    assert settings.bytes("layout_docks").isEmpty()
    assert settings.folder("exports") == Path.home()
    assert not path.parent.exists()


def test_the_next_start_reads_what_this_one_wrote(settings: Settings, path: Path, tmp_path: Path) -> None:
    settings.change(theme="dark", frame_time=True, doors=False, text_scale=1.25)
    settings.change(lessons={"counting": LessonProgress(2)})
    settings.add_recent_file(tmp_path / "a, b; c=d.posenc")
    settings.add_recent_file(Path(os.fsdecode(b"/no/text/\xff.posenc")))
    settings.set_folder("exports", tmp_path)
    settings.set_bytes("layout_docks", QByteArray(bytes(range(256))))
    settings.write_layout()
    again = Settings(path)
    assert again.now == settings.now
    assert again.now.recent_files == ("/no/text/\udcff.posenc", str(tmp_path / "a, b; c=d.posenc"))
    assert again.folder("exports") == tmp_path
    assert again.bytes("layout_docks") == bytes(range(256))
    assert [each.name for each in path.parent.iterdir()] == [path.name], "no other file is left"


def test_windows_that_change_the_settings_at_once_take_turns(
    settings: Settings, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each reads what the one before has written: one of two files that are opened at once was not remembered."""
    settings.change(theme="dark")
    changes = [lambda own, n=n: own.add_recent_file(tmp_path / str(n)) for n in range(2)]
    changes += [lambda own, n=n: Progress(own).record(SimpleNamespace(name=f"lesson {n}"), 2) for n in range(2)]
    waits_or_is_done, sleep = Semaphore(0), time.sleep

    def seen_sleep(seconds: float) -> None:
        waits_or_is_done.release()
        sleep(seconds)

    def changed(change: Callable[[Settings], object]) -> None:
        try:
            change(Settings(path))
        finally:
            waits_or_is_done.release()

    monkeypatch.setattr("posenc_gui.files.atomic.sleep", seen_sleep)
    with writing(path) as stream:
        others = [Thread(target=changed, args=[change]) for change in changes]
        for other in others:
            other.start()
            waits_or_is_done.acquire()
        stream.write(path.read_bytes().replace(b"dark", b"light"))
    for other in others:
        other.join()
    now = Settings(path).now
    assert now.theme == "light"
    assert set(now.recent_files) == {str(tmp_path / str(n)) for n in range(2)}
    assert len(now.lessons) == 2


def test_a_layout_whose_bytes_changed_on_the_disk_is_no_layout(settings: Settings, path: Path) -> None:
    settings.set_bytes("layout_docks", QByteArray(b"docks"))
    settings.set_bytes("layout_down", QByteArray(b"down"))
    settings.write_layout()
    values = json.loads(path.read_bytes())
    values["layout"]["layout_docks"][1] = values["layout"]["layout_down"][1]
    path.write_text(json.dumps(values))
    assert Settings(path).bytes("layout_docks").isEmpty()
    assert Settings(path).bytes("layout_down") == b"down"


def test_unknown_values_are_ignored(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(json.dumps({"version": VERSION, "theme": "dark", "unheard of": {"a": 1}}))
    settings = Settings(path)
    assert (settings.problem, settings.now) == ("", Remembered(theme="dark"))


DAMAGED = {
    "cut off": ('{"version": 3, "the', "it ends too early, or is empty"),
    "empty": ("", "it ends too early, or is empty"),
    "a list": ("[]", "it contains no object with names and values"),
    "deep": ("[" * 100_000, "it is nested too deeply"),
    "no version": ('{"theme": "dark"}', "it has no version"),
    "a text for a version": ('{"version": "1"}', "it has no version"),
    "newer": (f'{{"version": {VERSION + 1}}}', "a newer PosEnc wrote it"),
    "no theme": ('{"version": 3, "theme": "pink"}', "Invalid enum value 'pink' - at `$.theme`"),
    "a huge text": ('{"version": 3, "text_scale": 30}', "Expected `float` <= 3.0 - at `$.text_scale`"),
    "a number for a path": (
        '{"version": 3, "recent_files": [1]}',
        "Expected `str`, got `int` - at `$.recent_files[0]`",
    ),
    "large": (" ", "it is larger than 4 MB"),
    "another file": ("\x00\x01 MZ nothing of the kind", "it is not valid JSON (expecting value"),
}


@pytest.mark.parametrize(("text", "reason"), DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_file_is_set_aside_and_reported_once(path: Path, text: str, reason: str) -> None:
    aside = path.with_name("settings.json.damaged")
    path.parent.mkdir()
    path.write_text(text * (4 * 2**20 + 1 if text == " " else 1), encoding="utf-8")
    before = path.read_bytes()
    settings = Settings(path)
    assert settings.problem.startswith(f"The settings could not be read ({reason}")
    assert settings.problem.endswith(f") and were reset; the file is kept as {aside}.")
    assert settings.problem.isprintable()
    assert settings.now == Remembered()
    assert aside.read_bytes() == before
    settings.change(theme="dark")
    again = Settings(path)
    assert (again.problem, again.now.theme) == ("", "dark")
    assert aside.read_bytes() == before


def test_settings_that_become_unreadable_while_the_window_is_open_are_written_anew(
    settings: Settings, path: Path
) -> None:
    settings.change(theme="dark")
    path.write_bytes(b"\xff")
    settings.change(doors=False)
    assert Settings(path).now == Remembered(theme="dark", doors=False)


def test_a_folder_in_the_place_of_the_file_is_set_aside(path: Path) -> None:
    path.mkdir(parents=True)
    settings = Settings(path)
    assert "The settings could not be read (it is a folder) and were reset" in settings.problem
    settings.change(theme="dark")
    assert Settings(path).now.theme == "dark"


def test_settings_that_cannot_be_written_are_remembered_until_the_end(tmp_path: Path, caplog) -> None:
    (tmp_path / "PosEnc").write_text("a file in the place of the folder")
    settings = Settings(tmp_path / "PosEnc" / "settings.json")
    settings.change(theme="dark")
    assert settings.now.theme == "dark"
    assert "cannot create the folder" in caplog.text


def test_the_settings_of_version_1_are_taken_over(path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(STORED / "v1.ini", path.with_name("PosEnc.ini"))
    settings = Settings(path)
    assert settings.problem == ""
    assert settings.now == Remembered(
        theme="dark", recent_files=("/home/ann/a, b; c=d.posenc",), folders={"exports": "/"}
    ), "without the layout, which is of other panels"


def test_the_settings_of_version_2_are_taken_over(path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(STORED / "v2.ini", path.with_name("PosEnc.ini"))
    settings = Settings(path)
    recent = ("/home/ann/\udcff.posenc", "/home/ann/größe %41.posenc", "/home/ann/a, b; c=d.posenc")
    lessons = {"counting": LessonProgress(2), "shift": LessonProgress(0, True)}
    assert settings.problem == ""
    now = settings.now
    assert (now.theme, now.frame_time, now.doors, now.text_scale) == ("dark", False, False, 1.25)
    assert (now.recent_files, now.folders, now.lessons) == (recent, {"exports": "/"}, lessons)
    assert settings.bytes("layout_docks") == b"docks\x00\xff"
    assert settings.bytes("layout_vectors_panels") == b"- waves tokens"


def test_earlier_settings_are_read_once(path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(STORED / "v2.ini", path.with_name("PosEnc.ini"))
    Settings(path)
    path.with_name("PosEnc.ini").write_text('[General]\nstate={\\"version\\": 2}\n')
    assert Settings(path).now.theme == "dark"
    settings = Settings(path)
    settings.forget_everything()
    assert Settings(path).now == Remembered(), "the earlier ones do not come back"


@pytest.mark.parametrize(
    "text", ["", "[General]\ncolour=blue\n", "[General]\nstate={{{\n", "state=[]\n", "state=a, b\n"]
)
def test_damaged_earlier_settings_are_set_aside(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.with_name("PosEnc.ini").write_text(text)
    settings = Settings(path)
    assert settings.problem.endswith(f"the file is kept as {path.with_name('PosEnc.ini.damaged')}.")
    assert settings.now == Remembered()
    assert Settings(path).problem == ""


def test_every_earlier_version_has_settings_and_a_migration() -> None:
    assert sorted(MIGRATIONS) == list(range(1, VERSION))
    assert {each.name for each in STORED.iterdir()} >= {"v1.ini", "v2.ini"}


def test_a_reset_of_the_settings_keeps_the_old_file(settings: Settings, path: Path) -> None:
    settings.change(theme="dark")
    before = path.read_bytes()
    settings.forget_everything()
    assert settings.now == Settings(path).now == Remembered()
    assert path.with_name("settings.json.old").read_bytes() == before
    settings.change(theme="light")
    assert Settings(path).now.theme == "light"


def test_two_windows_do_not_take_each_others_memories(settings: Settings, path: Path) -> None:
    settings.change(theme="dark")
    Settings(path).add_recent_file(Path("/a/other.posenc"))
    settings.add_recent_file(Path("/a/mine.posenc"))
    assert settings.now.recent_files == ("/a/mine.posenc", "/a/other.posenc")
    assert settings.now.theme == "dark"


def test_the_newest_file_stands_first_and_each_once(settings: Settings, tmp_path: Path) -> None:
    for name in ("a", "b", "a", "c"):
        settings.add_recent_file(tmp_path / name)
    assert settings.now.recent_files == tuple(str(tmp_path / name) for name in ("c", "a", "b"))
    settings.remove_recent_file(str(tmp_path / "a"))
    assert settings.now.recent_files == tuple(str(tmp_path / name) for name in ("c", "b"))


def test_only_so_many_files_are_remembered(settings: Settings, tmp_path: Path) -> None:
    for index in range(30):
        settings.add_recent_file(tmp_path / str(index))
    newest = range(29, 29 - RECENT_FILES, -1)
    assert settings.now.recent_files == tuple(str(tmp_path / str(index)) for index in newest)


def test_a_relative_file_is_found_from_another_folder(settings: Settings, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings.add_recent_file(Path("here.posenc"))
    assert settings.now.recent_files == (str(tmp_path / "here.posenc"),)


def test_a_folder_that_is_gone_is_not_offered(settings: Settings, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    settings.set_folder("exports", gone)
    assert settings.folder("exports") == gone
    gone.rmdir()
    assert settings.folder("exports") == Path.home()


def test_forgetting_the_layout_forgets_nothing_else(settings: Settings) -> None:
    settings.change(theme="light")
    for name in ("layout_docks", "layout_down", "layout_story_down"):
        settings.set_bytes(name, QByteArray(b"x"))
    settings.write_layout()
    settings.forget_layout(kept=("layout_story_",))
    assert settings.bytes("layout_docks").isEmpty()
    assert settings.bytes("layout_down").isEmpty()
    assert settings.bytes("layout_story_down") == b"x"
    settings.forget_layout()
    assert settings.bytes("layout_story_down").isEmpty()
    assert settings.now.theme == "light"
