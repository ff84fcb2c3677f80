"""Fresh settings for every test, and a look at what each test leaves behind."""

import gc
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from dialogs import Answers
from pixels import settle
from plot_runs import PlotRunner
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid
from window_bench import begin_again, close

from posenc_gui.files.settings import Settings
from posenc_gui.look.style import LIGHT
from posenc_gui.look.theme import apply_style

if TYPE_CHECKING:
    from posenc_gui.window.main_window import MainWindow


_NEXT = pytest.StashKey[pytest.Item | None]()
_FAILED = pytest.StashKey[bool]()
_KEPT: "list[tuple[MainWindow, Settings]]" = []
"""The window of the last test or case, for the next one."""
_BEFORE: list[list[QWidget]] = []
"""The widgets from before that window."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Note which test follows."""
    item.stash[_NEXT] = nextitem


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note a failure, after which no test takes over the window."""
    report = yield
    if report.failed:
        item.stash[_FAILED] = True
    return report


def _goes_on(item: pytest.Item) -> bool:
    """Whether the next test takes over the window and its settings.

    That is another case of the same test, or, in a file that is marked ``one_window``, any other test of the file.
    """
    following = item.stash[_NEXT]
    if item.stash.get(_FAILED, False):
        return False
    if following is None or following.path != item.path or not (_can_share(item) and _can_share(following)):
        return False
    return item.get_closest_marker("one_window") is not None or _function(item) == _function(following)


def _can_share(item: pytest.Item) -> bool:
    uses = item.fixturenames
    return "window" in uses and "next_start" not in uses and item.get_closest_marker("own_window") is None


def _function(item: pytest.Item) -> str:
    return getattr(item, "originalname", item.name)


@pytest.fixture(autouse=True)
def no_widget_is_left(qapp: QApplication) -> Iterator[None]:
    """Fail a test whose widgets outlive it; the next one has the light style again."""
    before = _BEFORE.pop() if _BEFORE else QApplication.topLevelWidgets()
    yield
    apply_style(LIGHT)
    if _KEPT:
        _BEFORE.append(before)
        return
    left = [widget for widget in _top_level_widgets() if widget not in before]
    assert not left, f"still there after the test: {left}"


def _top_level_widgets() -> list[QWidget]:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if QApplication.topLevelWidgets():
        gc.collect()
    return QApplication.topLevelWidgets()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings in which nothing is remembered yet."""
    return _KEPT[0][1] if _KEPT else Settings(tmp_path / "settings" / "settings.json")


@pytest.fixture
def window(qtbot, settings: Settings, request: pytest.FixtureRequest) -> "Iterator[MainWindow]":
    """The program's window as at the first start, 1440 x 900, with the keyboard; it must be gone afterwards.

    The cases of one test, and the tests of a file that is marked ``one_window``, take over one window after another,
    with a new session and the first layout, unless a test is marked ``own_window``.
    """
    from posenc_gui.window.main_window import MainWindow

    window = _KEPT.pop()[0] if _KEPT else MainWindow(settings)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    yield window
    if _goes_on(request.node) and isValid(window) and window.isVisible():
        begin_again(window, settings)
        _KEPT.append((window, settings))
    else:
        close(window)


@pytest.fixture
def next_start(qtbot, tmp_path: Path) -> "Iterator[Callable[[MainWindow], MainWindow]]":
    """A function that closes the window and starts the program anew with the settings on the disk."""
    from posenc_gui.window.main_window import MainWindow

    begun: list[MainWindow] = []

    def start(window: MainWindow) -> MainWindow:
        window.store.mark_saved()
        window.close()
        begun.append(MainWindow(Settings(tmp_path / "settings" / "settings.json")))
        begun[-1].show()
        qtbot.waitExposed(begun[-1])
        settle()
        return begun[-1]

    yield start
    for window in begun:
        close(window)


@pytest.fixture(scope="session")
def run_plots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlotRunner]:
    """Runs Matplotlib scripts in a process that knows no PosEnc."""
    runner = PlotRunner(tmp_path_factory.mktemp("plots"))
    yield runner
    runner.end()


@pytest.fixture
def answers(window: "MainWindow") -> Iterator[Answers]:
    """Answers to the window's dialogs; every one that was expected must have come, and no other."""
    answers = Answers(window)
    yield answers
    answers.stop()
    assert answers.given, f"expected and not seen, or unexpected: {answers.unexpected}"
