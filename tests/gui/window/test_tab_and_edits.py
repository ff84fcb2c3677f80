"""The Tab key after something was typed into a panel's editor: nothing of the window outlives it."""

import gc

from pixels import settle
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from window_bench import control

from posenc_gui.figures.figure import Figure
from posenc_gui.window.main_window import MainWindow


def figures():
    """The figures that Python still has."""
    for _ in range(2):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
    return {id(each) for each in gc.get_objects() if isinstance(each, Figure)}


def used_window(qtbot, settings):
    """Type into an editor of a panel, leave it with the Tab key, and close the window."""
    window = MainWindow(settings)
    window.show()
    qtbot.waitExposed(window)
    window.store.edit("family", "rotary")
    window.workspaces.choose("relations")
    settle()
    line = control(window, "up to")
    line.setFocus(Qt.FocusReason.MouseFocusReason)
    line.selectAll()
    QTest.keyClicks(line, "77")
    QTest.keyClick(line, Qt.Key.Key_Tab)
    settle()
    assert window.store.document.value("score_distances") == 77
    assert window.focusWidget() is not line
    window.store.mark_saved()
    window.close()
    window.deleteLater()


def test_no_figure_outlives_a_window_whose_editor_was_left_with_tab(qtbot, settings):
    before = figures()
    used_window(qtbot, settings)
    assert figures() <= before
