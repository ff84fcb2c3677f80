"""Real starts of `main.py` with damaged or foreign files in its folders: the window opens and reports them."""

import logging
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hostile_state import ACCEPTED, REFUSED, fill, fill_with_many
from processes import Home, killed, wait_for

from posenc_core import Document
from posenc_gui.start.crash_safety import LOG_NAME, MAXIMUM_BYTES, end_log, start_log

pytestmark = [
    pytest.mark.thorough,  # each test starts real processes
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the folders are those of Linux"),
]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def open_window(home: Home, *arguments: str) -> subprocess.Popen[str]:
    """The process after it has taken its lock, which it does when the window is open."""
    process = home.start(*arguments)
    wait_for(lambda: any(path.name.startswith(f"{process.pid}-") for path in home.locks), process)
    return process


def open_with_file(home: Home, path: Path) -> subprocess.Popen[str]:
    """The process after its window has opened this session, which it remembers."""
    path.write_text(Document("mine").to_json())
    process = home.start(str(path))
    wait_for(lambda: home.settings.is_file() and path.name in home.settings.read_text(), process)
    return process


def test_the_window_opens_whatever_lies_beside_unsaved_work(
    home: Home, tmp_path: Path, count: Callable[[str, int], None]
) -> None:
    folder = home.state / "recovery"
    fill(folder)
    for _ in range(2):  # each start takes some of it
        process = open_with_file(home, tmp_path / "mine.posenc")
        home.settings.unlink()
        assert killed(process) == ""
    told = (home.state / "posenc.log").read_text(encoding="utf-8")
    assert "Traceback" not in told
    assert "cannot be restored" in told
    assert len(list(folder.glob("*.posenc"))) >= len(ACCEPTED)
    count("files in the folder of unsaved work at a start", len(list(folder.iterdir())))


def test_numbers_that_prevented_every_start_are_set_aside(home: Home) -> None:
    folder = home.state / "recovery"
    folder.mkdir(parents=True)
    names = [f"199999{index}-abcd.posenc" for index in range(3)]
    for name, content in zip(names, ("401 digits", "a factor beyond all", "half a character"), strict=True):
        (folder / name).write_bytes(REFUSED[content])
    process = open_window(home)
    for name in names:
        wait_for((folder / f"unreadable-{name}").exists, process)
    assert killed(process) == ""


def test_the_window_opens_beside_thousands_of_documents(
    home: Home, tmp_path: Path, count: Callable[[str, int], None]
) -> None:
    fill_with_many(home.state / "recovery", 3000)
    assert killed(open_with_file(home, tmp_path / "mine.posenc")) == ""
    assert len(list((home.state / "recovery").glob("*.posenc"))) == 3000, "all of them still wait"
    count("files in the folder of unsaved work at a start", 6000)


def test_the_work_of_a_container_that_was_started_anew_is_looked_at(home: Home) -> None:
    """The container has another host name and no machine-id; this test has the number and name of the dead process."""
    folder = home.state / "recovery"
    folder.mkdir(parents=True)
    number, name = os.getpid(), Path(sys.executable).name
    (folder / f"{number}-abcd.posenc").write_bytes(b"{}")
    (folder / f"{number}-abcd.lock").write_text(f"{number}\n{name}\nanother-host\n\n\n")
    process = open_window(home)
    wait_for((folder / f"unreadable-{number}-abcd.posenc").exists, process)
    assert killed(process) == ""


PLACES = {
    "settings": "config/PosEnc/settings.json",
    "settings of an earlier version": "config/PosEnc/PosEnc.ini",
    "log": "data/PosEnc/PosEnc/posenc.log",
    "folder of unsaved work": "data/PosEnc/PosEnc/recovery",
    "folder of the program": "data/PosEnc/PosEnc",
}
KINDS: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "device": lambda path: path.symlink_to("/dev/zero"),
}


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("kind", "places"),
    [
        ("pipe", ["settings", "log", "folder of unsaved work"]),
        ("pipe", ["settings of an earlier version", "folder of the program"]),
        ("device", ["settings", "log"]),
    ],
)
def test_pipes_and_devices_in_the_place_of_files_do_not_stop_the_start(
    home: Home, tmp_path: Path, kind: str, places: list[str]
) -> None:
    paths = [tmp_path / PLACES[place] for place in places]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        KINDS[kind](path)
    assert "Traceback" not in killed(open_with_file(home, tmp_path / "mine.posenc"))
    settings = paths[0]  # or its lock
    assert settings.with_name(f"{settings.name}.damaged").lstat()


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("kind", "place"), [("pipe", "settings"), ("pipe", "settings of an earlier version"), ("device", "settings")]
)
def test_a_pipe_or_device_in_the_place_of_the_settings_is_named_in_the_log(
    home: Home, tmp_path: Path, kind: str, place: str
) -> None:
    path = tmp_path / PLACES[place]
    path.parent.mkdir(parents=True)
    KINDS[kind](path)
    assert killed(open_with_file(home, tmp_path / "mine.posenc")) == ""
    log = (home.state / "posenc.log").read_text(encoding="utf-8")
    reason = "The settings could not be read (it is a device or a pipe, not a file) and were reset"
    assert f"{reason}; the file is kept as {path}.damaged." in log
    assert path.with_name(f"{path.name}.damaged").lstat()
    assert "Traceback" not in log


_LOGS = """
import logging, resource, sys
from pathlib import Path
from posenc_gui.start.crash_safety import end_log, start_log
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
handler = start_log(Path(sys.argv[1]))
for words in ("one", "two"):
    logging.getLogger("posenc_gui").warning(words)
end_log(handler)
"""


def test_a_log_that_takes_no_line_is_told_of_once(tmp_path: Path) -> None:
    """The system allows files of 0 bytes."""
    command = [sys.executable, "-c", _LOGS, str(tmp_path)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    reason = "the file would be larger than the system allows"
    assert answer.stderr == f"The log is incomplete: cannot write {tmp_path / 'posenc.log'}: {reason}.\n"


def test_windows_with_one_log_follow_the_window_that_rotates_it(tmp_path: Path) -> None:
    """A second rotation took the first one's new log for an old one, until the lines of all windows were lost."""
    first, second = start_log(tmp_path), start_log(tmp_path)
    for number in range(MAXIMUM_BYTES // 500 + 2):
        first.handle(logging.makeLogRecord({"levelno": logging.WARNING, "msg": f"{number} {'x' * 500}"}))
    second.handle(logging.makeLogRecord({"levelno": logging.WARNING, "msg": "of the second window"}))
    for handler in (first, second):
        end_log(handler)
    assert sorted(path.name for path in tmp_path.iterdir()) == [LOG_NAME, f"{LOG_NAME}.1"]
    assert "of the second window" in (tmp_path / LOG_NAME).read_text(encoding="utf-8")
    assert "0 x" in (tmp_path / f"{LOG_NAME}.1").read_text(encoding="utf-8")


def test_a_log_that_became_a_pipe_is_told_of_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    handler = start_log(tmp_path)
    (tmp_path / LOG_NAME).unlink()
    os.mkfifo(tmp_path / LOG_NAME)
    for _ in range(2):
        handler.handle(logging.makeLogRecord({"levelno": logging.WARNING, "msg": "a line"}))
    end_log(handler)
    reason = "it is a device or a pipe, not a file"
    assert capsys.readouterr().err == f"The log is incomplete: cannot write {tmp_path / LOG_NAME}: {reason}.\n"
