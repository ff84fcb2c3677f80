"""The sentence bar cannot get lost, and the status line says what happened."""

from pixels import settle
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QToolBar, QWidget
from window_bench import close, control, says, sentence_edit, type_number, words

from posenc_gui.window.layout import LAYOUT_VERSION
from posenc_gui.window.main_window import MainWindow


def entry(window, text):
    (found,) = [
        action
        for menu in window.menuBar().findChildren(QMenu)
        for action in menu.actions()
        if action.text().replace("&", "") == text
    ]
    return found


def messages(window):
    return window.statusBar().currentMessage()


def test_the_menu_of_a_docks_title_leaves_the_sentence_bar_alone(window):
    menu = window.createPopupMenu()
    offered = [action.text() for action in menu.actions() if action.isVisible() and not action.isSeparator()]
    menu.deleteLater()
    assert sorted(offered) == sorted(dock.windowTitle() for dock in window.docks.values())


def test_ctrl_l_shows_the_bar_and_leads_to_the_sentence(window):
    bar = window.findChild(QToolBar, "sentenceToolBar")
    bar.hide()
    control(window, "d_model").setFocus()
    QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert sentence_edit(window).isVisible()
    assert sentence_edit(window).hasFocus()


def test_a_stored_layout_without_the_bar_does_not_hide_it(window, settings, qtbot):
    bar = window.findChild(QToolBar, "sentenceToolBar")
    bar.hide()
    settings.set_bytes("layout_docks", QByteArray(window.saveState(LAYOUT_VERSION)))
    settings.write_layout()
    bar.show()
    second = MainWindow(settings)
    second.show()
    qtbot.waitExposed(second)
    assert sentence_edit(second).isVisible()
    close(second)


def test_copying_a_derivation_or_a_vector_is_told(window):
    for form in ("text", "LaTeX", "Python"):
        control(window, f"copy as {form}").click()
        assert messages(window) == f"Copied the derivation of PE(1, 2) as {form}"
    window.docks["vector"].raise_()
    settle()
    table = control(window, "vector table")
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert messages(window) == "Copied the vector of position 1"
    assert QGuiApplication.clipboard().text().startswith("column\tPE\n0\t0.84147")


def frame_times(window):
    return [word for word in words(window) if word.startswith("frame ") and word.endswith(" ms")]


def test_the_time_of_a_frame_is_shown_on_request_from_then_on(window, settings, qtbot):
    assert not entry(window, "Frame time").isChecked()
    type_number(window, "base", "5000")
    assert frame_times(window) == []
    entry(window, "Frame time").trigger()
    type_number(window, "base", "400")
    qtbot.waitUntil(lambda: len(frame_times(window)) == 1)
    second = MainWindow(settings)
    second.show()
    qtbot.waitExposed(second)
    assert entry(second, "Frame time").isChecked()
    type_number(second, "base", "600")
    qtbot.waitUntil(lambda: len(frame_times(second)) == 1)
    close(second)


def test_another_family_keeps_the_columns(window):
    family = control(window, "family")
    before: list[QWidget] = [family]
    for wanted, size in (("Rotary (RoPE), 2021", "60 × 8"), ("Sinusoidal, 2017", "60 × 8")):
        family.setCurrentIndex(family.findText(wanted))
        family.activated.emit(family.currentIndex())
        settle()
        assert says(window, size)
        assert before == [control(window, "family")]
