"""*What's this?* says a sentence of its own about every control of the window, its docks and its dialogs."""

import pytest
from pixels import settle
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QDialog, QTabBar, QWhatsThis
from whats_this import ask, controls, unexplained
from window_bench import act, name_of

from posenc_core import ENCODINGS
from posenc_gui.look.choice_dialog import ChoiceDialog
from posenc_gui.look.controls import explained
from posenc_gui.panels import PANELS


def test_every_control_of_a_panel_and_of_the_window_says_what_it_does(window):
    window.store.edit("family", "rotary")
    for name in PANELS:
        window.commands.story.finder.go_to_panel(name)
        settle()
        assert len(list(controls(window))) > 20, name
        assert not unexplained(window), name


def test_every_control_of_an_encoding_says_what_it_does(window, amount):
    window.store.edit("embedding", "simulated")
    for family in list(ENCODINGS)[:: amount(4, 1)]:
        window.store.edit("family", family)
        settle()
        assert not unexplained(window), family


def test_every_control_of_the_docks_says_what_it_does(window):
    for dock in window.docks.values():
        dock.show()
        dock.raise_()
        settle()
        assert not unexplained(dock), dock.windowTitle()


def test_a_click_on_any_control_shows_its_words(window):
    window.store.edit("family", "rotary")
    settle()
    asked = list(controls(window))
    assert len(asked) > 30
    assert [name_of(each) for each in asked if not ask(window, each)] == []


@pytest.mark.parametrize("action", ["export_all", "shortcuts", "questions"])
def test_every_control_of_a_dialog_says_what_it_does(window, answers, action):
    found: list[str] = []

    def look(dialog: QDialog) -> None:
        settle()
        dialog.activateWindow()
        QTest.keyClick(dialog, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
        assert QWhatsThis.inWhatsThisMode()
        QWhatsThis.leaveWhatsThisMode()
        assert len(list(controls(dialog))) >= 2
        found.extend(unexplained(dialog))
        found.extend(name_of(each) for each in controls(dialog) if not ask(dialog, each))
        dialog.reject()

    answers.expect(look)
    act(window, action)
    settle()
    assert answers.given
    assert found == []


def test_every_control_of_a_choice_says_what_it_does(qtbot):
    rows = [(str(number), "float32") for number in range(20)]
    dialog = ChoiceDialog("Open table", "Which table?", ("tensor", "type"), rows)
    qtbot.addWidget(dialog)
    dialog.show()
    settle()
    assert not unexplained(dialog)
    assert all(ask(dialog, each) for each in controls(dialog))


def test_what_a_tab_and_a_columns_head_say_is_their_own(window):
    (tabs,) = [each for each in window.findChildren(QTabBar) if each.accessibleName() == "workspaces"]
    words = {explained(tabs, tabs.tabRect(index).center()) for index in range(tabs.count())}
    assert len(words) == tabs.count() > 2
    (table,) = [each for each in window.findChildren(QAbstractItemView) if each.accessibleName() == "vector table"]
    heads = table.horizontalHeader().viewport()
    assert len({explained(heads, QPoint(x, 5)) for x in range(2, heads.width(), 20)}) > 2
