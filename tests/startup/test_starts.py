"""Real starts of `main.py`, offscreen: after a kill, with damaged settings, and with the settings forgotten."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from plugin_files import EXAMPLE
from processes import Home, killed, wait_for

from posenc_core import Document

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the folders are those of Linux")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_two_windows_hold_files_of_their_own_and_the_next_start_cleans_up(home: Home) -> None:
    first, second = home.start(), home.start()
    wait_for(lambda: len(home.locks) == 2, first, second)
    names = {path.name for path in home.locks}
    assert {name.partition("-")[0] for name in names} == {str(first.pid), str(second.pid)}
    assert killed(first) == ""
    third = home.start()
    wait_for(lambda: any(path.name.startswith(f"{third.pid}-") for path in home.locks), third)
    wait_for(lambda: {path.name.partition("-")[0] for path in home.locks} == {str(second.pid), str(third.pid)}, third)
    assert killed(second) == killed(third) == ""


def test_the_work_of_a_dead_window_is_offered_and_stays_until_it_is_answered(home: Home) -> None:
    folder = home.state / "recovery"
    folder.mkdir(parents=True)
    (folder / "1999999-abcd.posenc").write_text(Document("unsaved").to_json())
    process = home.start()
    wait_for(
        lambda: len(home.locks) == 2, process
    )  # its own, and the dead one's, so that no other window offers it as well
    assert killed(process) == ""
    assert Document.from_json((folder / "1999999-abcd.posenc").read_bytes()).sentence == "unsaved"


def test_damaged_settings_are_set_aside_and_the_window_opens(home: Home) -> None:
    home.settings.parent.mkdir(parents=True)
    home.settings.write_text("{{{")
    process = home.start()
    wait_for(lambda: home.locks, process)
    assert killed(process) == ""
    assert home.settings.with_name("settings.json.damaged").read_text() == "{{{"
    assert "The settings could not be read" in (home.state / "posenc.log").read_text()


def test_settings_can_be_forgotten_from_the_command_line(home: Home) -> None:
    home.settings.parent.mkdir(parents=True)
    home.settings.write_text('{"version": 3, "theme": "dark"}')
    home.settings.with_name("PosEnc.ini").write_text('[General]\nstate={\\"version\\": 2}\n')
    process = home.start("--reset-settings")
    wait_for(lambda: home.locks, process)
    assert killed(process) == ""
    assert "dark" not in home.settings.read_text()
    assert "dark" in home.settings.with_name("settings.json.old").read_text()


def test_a_file_that_is_given_is_opened(home: Home, tmp_path: Path) -> None:
    path = tmp_path / "mine.posenc"
    path.write_text(Document("mine").to_json())
    process = home.start(str(path))
    wait_for(lambda: home.settings.exists() and "mine.posenc" in home.settings.read_text(), process)  # a recent file
    assert killed(process) == ""


@pytest.mark.one_of(2)
@pytest.mark.parametrize("words", [("--plugin", "{}"), ("--plugin={}",)])
def test_a_file_with_an_encoding_that_is_given_is_run(home: Home, tmp_path: Path, words: tuple[str, ...]) -> None:
    path, mark = tmp_path / "mine.py", tmp_path / "mark"
    path.write_text(f"from pathlib import Path\nPath({str(mark)!r}).touch()\n{EXAMPLE}")
    process = home.start(*(word.format(path) for word in words))
    wait_for(mark.exists, process)
    assert killed(process) == ""


def test_a_session_is_opened_beside_the_file_with_its_encoding(home: Home, tmp_path: Path) -> None:
    """Without a question about unsaved changes, which the file's encoding would be."""
    (tmp_path / "mine.py").write_text(EXAMPLE)
    (tmp_path / "mine.posenc").write_text(Document("mine").to_json())
    process = home.start("--plugin", str(tmp_path / "mine.py"), str(tmp_path / "mine.posenc"))
    wait_for(lambda: home.settings.exists() and "mine.posenc" in home.settings.read_text(), process)  # a recent file
    assert killed(process) == ""


def test_a_file_whose_name_is_no_text_is_opened(home: Home, tmp_path: Path) -> None:
    """As old disks have in Latin-1; PySide aborts the process for such an argument."""
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/gr\xfc\xdfe.posenc"))
    path.write_text(Document("mine").to_json())
    process = home.start(str(path))
    wait_for(lambda: home.settings.exists() and r"gr\udcfc\udcdfe.posenc" in home.settings.read_text(), process)
    assert killed(process) == ""


@pytest.mark.parametrize(
    "variable", ["QT_SCALE_FACTOR=nan", "QT_SCALE_FACTOR=inf", "QT_SCREEN_SCALE_FACTORS=1;nan", "QT_FONT_DPI=1000000"]
)
def test_a_scale_at_which_qt_would_crash_is_refused(
    home: Home, variable: str, count: Callable[[str, int], None]
) -> None:
    name, _, value = variable.partition("=")
    process = home.start(**{name: value})
    said, problem = process.communicate()
    assert (process.returncode, said, problem.count("\n")) == (2, "", 1)
    assert problem.startswith(f"The environment variable {name} must be a number from ")
    assert home.start("--version", **{name: value}).communicate()[0].startswith("PosEnc ")
    count("environments that no window can be drawn in", 1)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("variable", ["QT_SCALE_FACTOR=0.1", "QT_SCALE_FACTOR=2.5", "QT_FONT_DPI=192"])
def test_the_window_opens_at_other_scales(home: Home, variable: str) -> None:
    name, _, value = variable.partition("=")
    process = home.start(**{name: value})
    wait_for(lambda: home.locks, process)
    assert killed(process) == ""


def test_an_unknown_option_is_refused(home: Home) -> None:
    process = home.start("--reset-everything")
    assert process.communicate()[1] == "posenc: there is no option --reset-everything; --help lists the options\n"
    assert process.returncode == 2
