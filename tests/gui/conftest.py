"""One application without a display, fresh settings for every test, and a look at what each test leaves behind."""

import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from dialogs import Answers
from pixels import settle
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QWidget
from window_bench import close

from posenc_gui.files.settings import Settings
from posenc_gui.look.qt import make_application
from posenc_gui.look.style import LIGHT
from posenc_gui.look.theme import apply_style
from posenc_gui.look.typeset import load

if TYPE_CHECKING:
    from posenc_gui.window.main_window import MainWindow

# Before there is an application: a screen large enough for the window, whichever display the machine has. Drive
# letters have a colon, which Qt takes for the end of the name: relative there.
_SCREEN = Path(__file__).with_name("screen.json")
os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={_SCREEN if os.sep == '/' else os.path.relpath(_SCREEN)}"


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    """The program's own application: its fonts, its style, its options of pyqtgraph.

    The typesetter is loaded here: the window does that in a thread, to which pytest's turning of warnings into
    errors would come in the middle.
    """
    application = make_application([])
    load()
    return application


@pytest.fixture(autouse=True)
def no_widget_is_left(qapp: QApplication) -> Iterator[None]:
    """Fail a test whose widgets outlive it; the next one has the light style again."""
    before = QApplication.topLevelWidgets()
    yield
    apply_style(LIGHT)
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
    return Settings(tmp_path / "settings" / "settings.json")


@pytest.fixture
def window(qtbot, settings: Settings) -> "Iterator[MainWindow]":
    """The program's window as at the first start, 1440 x 900, with the keyboard; it must be gone afterwards."""
    from posenc_gui.window.main_window import MainWindow

    window = MainWindow(settings)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    yield window
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


@pytest.fixture
def answers(window: "MainWindow") -> Iterator[Answers]:
    """Answers to the window's dialogs; every one that was expected must have come, and no other."""
    answers = Answers(window)
    yield answers
    answers.stop()
    assert answers.given, f"expected and not seen, or unexpected: {answers.unexpected}"
