"""View > Present: panels alone with larger text, keys of a remote control, and everything back after Escape."""

from pixels import settle
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolBar


def press(window, *keys):
    for key in keys:
        QTest.keyClick(QApplication.focusWidget() or window, key)
        settle()


def begin(window):
    window.menus.actions["present"].trigger()
    settle()


def around(window):
    return [window.statusBar(), *window.findChildren(QToolBar), *window.docks.values()]


def standing(window):
    """What Escape brings back."""
    shown = [each.isVisible() for each in around(window)]
    zooms = {name: window.panels[name].figure.viewport.window() for name in window.workspaces.seen}
    scale = QApplication.font().pixelSize()
    place = window.workspaces.current, window.workspaces.alone
    return shown, zooms, scale, place, window.windowState(), window.timeline_bar.isVisible()


def test_the_panels_are_alone_and_escape_brings_everything_back(window):
    window.docks["vector"].hide()
    window.panels["heatmap"].figure.area.show_window((2.0, 20.0), (1.5, 5.5))
    settle()
    before, scale = standing(window), QApplication.font().pixelSize()
    begin(window)
    assert not any(each.isVisible() for each in around(window))
    assert all(window.panels[name].isVisible() for name in ("waves", "heatmap", "tokens"))
    assert window.menuBar().height() == 0
    assert window.windowState() & Qt.WindowState.WindowFullScreen
    assert QApplication.font().pixelSize() > 1.2 * scale
    assert QApplication.overrideCursor() is not None
    press(window, Qt.Key.Key_Escape)
    assert QApplication.overrideCursor() is None
    assert standing(window) == before
    assert window.menuBar().height() > 0


def test_arrows_go_through_the_workspaces_and_escape_returns(window):
    begin(window)
    seen = []
    for _ in window.workspaces.offered:
        seen.append(window.workspaces.current)
        press(window, Qt.Key.Key_Right)
    assert seen == list(window.workspaces.offered)
    assert window.workspaces.current == "vectors"
    press(window, Qt.Key.Key_Left)
    assert window.workspaces.current == seen[-1]
    press(window, Qt.Key.Key_Escape)
    assert window.workspaces.current == "vectors"


def test_space_plays_and_what_played_before_plays_again(window):
    begin(window)
    assert not window.timeline_bar.timeline.playing
    press(window, Qt.Key.Key_Space)
    assert window.timeline_bar.timeline.playing
    assert not window.timeline_bar.isVisible()
    press(window, Qt.Key.Key_Escape)
    assert not window.timeline_bar.timeline.playing


def test_arrows_go_through_the_steps_of_a_lesson(window):
    window.commands.story.take_first_lesson()
    lessons = window.commands.story.lessons
    settle()
    begin(window)
    assert not window.docks["lesson"].isVisible()
    assert not lessons.page.is_revealed
    press(window, Qt.Key.Key_Right)
    assert lessons.page.is_revealed
    first = lessons.page
    press(window, Qt.Key.Key_Right)
    assert not lessons.page.is_revealed
    press(window, Qt.Key.Key_Left, Qt.Key.Key_Escape)
    assert lessons.is_taking
    assert first.isVisible()


def test_a_window_that_is_closed_while_presenting_has_its_docks_at_the_next_start(window, next_start):
    shown = {name for name, dock in window.docks.items() if dock.isVisible()}
    begin(window)
    window = next_start(window)
    assert QApplication.overrideCursor() is None
    assert {name for name, dock in window.docks.items() if dock.isVisible()} == shown
    assert not window.windowState() & Qt.WindowState.WindowFullScreen
