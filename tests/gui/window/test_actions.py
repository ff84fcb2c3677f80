"""Menus and shortcuts: each entry works, differs from the others, and is reached from the keyboard."""

import inspect
from collections import Counter
from typing import get_type_hints

import pytest
from cases import each_case
from dialogs import dismiss
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWhatsThis

from posenc_core import Document
from posenc_gui.check import Checks
from posenc_gui.window.actions import ACTIONS, MENUS
from posenc_gui.window.commands import Commands
from posenc_gui.window.output_commands import OutputCommands
from posenc_gui.window.parts import WindowParts
from posenc_gui.window.story_commands import StoryCommands

PARTS = {
    **get_type_hints(WindowParts),
    "commands": Commands,
    "output": OutputCommands,
    "checks": Checks,
    "story": StoryCommands,
}
IDS = [spec.id for spec in ACTIONS]
MODAL = {
    "open",
    "open_table",
    "open_model",
    "open_model_b",
    "open_encoding",
    "save",
    "save_as",
    "export_panel",
    "export_all",
    "export_film",
    "export_page",
    "explain",
    "about",
    "questions",
    "shortcuts",
}


def menus(window):
    return [menu for menu in window.findChildren(QMenu) if menu.actions()]


def entries(window):
    """Every action in a menu or a sub-menu."""
    titles = {menu.menuAction() for menu in menus(window)}
    return [
        action
        for menu in menus(window)
        for action in menu.actions()
        if not action.isSeparator() and action not in titles
    ]


def triggers(action):
    """A list that grows each time the action is triggered."""
    seen = []
    action.triggered.connect(lambda: seen.append(action))
    return seen


def letter(text):
    """The letter after the single ampersand."""
    place = text.replace("&&", "  ").find("&")
    return text[place + 1].lower() if place >= 0 else ""


def test_the_table_names_each_action_once():
    assert len(set(IDS)) == len(IDS)
    assert {spec.menu for spec in ACTIONS} == set(MENUS)


@each_case("spec", ACTIONS)
def test_every_path_leads_to_a_method_without_arguments(spec):
    part, method = spec.path.split(".")
    slot = getattr(PARTS[part], method)
    assert spec.path == "window.close" or list(inspect.signature(slot).parameters) == ["self"]


@pytest.mark.parametrize(("path", "lacking"), [("files.sav", "sav"), ("file.save", "file"), ("save", "save")])
def test_a_bad_path_is_an_error_at_the_start(window, path, lacking):
    with pytest.raises(AttributeError, match=lacking):
        window.commands.slot(path)


@each_case("spec", ACTIONS)
def test_every_action_has_a_tip_and_a_shortcut_that_qt_knows(spec):
    assert spec.tip
    assert spec.tip[0].isupper()
    assert not spec.tip.endswith(".")
    assert QKeySequence(spec.shortcut).toString(QKeySequence.SequenceFormat.PortableText) == spec.shortcut


def test_no_two_actions_share_a_shortcut(window):
    keys = Counter(key.toString() for action in entries(window) for key in action.shortcuts())
    assert [key for key, count in keys.items() if count > 1] == []
    assert {
        "Ctrl+Z",
        "Ctrl+Shift+Z",
        "Ctrl+S",
        "Ctrl+O",
        "Ctrl+E",
        "Ctrl+Shift+E",
        "Ctrl+C",
        "F1",
        "Space",
        "F11",
    } <= set(keys)


def test_no_two_entries_of_a_menu_share_a_letter(window):
    for menu in (window.menuBar(), *menus(window)):
        letters = Counter(letter(action.text()) for action in menu.actions() if letter(action.text()))
        assert [key for key, count in letters.items() if count > 1] == [], [action.text() for action in menu.actions()]


def test_every_entry_works(window, answers, qtbot):
    for spec in sorted(ACTIONS, key=lambda spec: spec.id == "quit"):
        window.store.begin(Document(), "a new document")
        action = window.menus.actions[spec.id]
        assert action in entries(window), spec.id
        assert spec.tip in " ".join(action.toolTip().split()), spec.id
        if spec.id in MODAL:
            answers.expect(dismiss)
        action.trigger()
        qtbot.waitUntil(lambda: answers.given)
        if spec.id == "full_screen":
            assert window.isFullScreen()
            action.trigger()
            assert not window.isFullScreen()
        if spec.id == "present":
            assert window.isFullScreen()
            QTest.keyClick(window, Qt.Key.Key_Escape)
            assert not window.isFullScreen()
        if spec.id == "whats_this":
            assert QWhatsThis.inWhatsThisMode()
            QWhatsThis.leaveWhatsThisMode()
        if spec.id == "play":
            assert action.text() == "&Stop"
            action.trigger()
            assert action.text() == "&Play"
    assert not window.isVisible(), "the last entry is Quit"


def test_a_choice_is_ticked_where_one_of_several_holds(window):
    for action in entries(window):
        if action.actionGroup():
            assert action.isCheckable()
            assert sum(each.isChecked() for each in action.actionGroup().actions()) == 1


def test_shortcuts_work_while_the_user_types(window, answers, qtbot):
    specs = [spec for spec in ACTIONS if spec.shortcut and not spec.scoped]
    for spec in sorted(specs, key=lambda spec: spec.id == "quit"):
        window.store.begin(Document(), "a new document")
        window.activateWindow()  # which it is not at once after a dialog
        qtbot.waitUntil(window.isActiveWindow)
        window.sentence_bar.setFocus()
        assert window.sentence_bar.focusProxy().hasFocus(), spec.id
        if spec.id in MODAL:
            answers.expect(dismiss)
        if spec.id == "undo_lesson":
            window.store.visit(window.store.document, "lesson", "lesson")
        triggered = triggers(window.menus.actions[spec.id])
        combination = QKeySequence(spec.shortcut)[0]
        QTest.keyClick(window.sentence_bar.focusProxy(), combination.key(), combination.keyboardModifiers())
        assert len(triggered) == 1, spec.id
        window.commands.stop_presenting()
        qtbot.waitUntil(lambda: answers.given)
        QWhatsThis.leaveWhatsThisMode()
        assert window.store.document.sentence == "Dan loves icecream", spec.id
    assert not window.isVisible(), "the last one is that of Quit"


def test_scoped_shortcuts_work_in_a_panel_and_leave_the_sentence_alone(window):
    for spec in [spec for spec in ACTIONS if spec.scoped]:
        triggered = triggers(window.menus.actions[spec.id])
        combination = QKeySequence(spec.shortcut)[0]
        window.sentence_bar.setFocus()
        QTest.keyClick(window.sentence_bar.focusProxy(), combination.key(), combination.keyboardModifiers())
        assert triggered == [], spec.id
        panel = window.panels["heatmap"]
        panel.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(panel, combination.key(), combination.keyboardModifiers())
        assert len(triggered) == 1, spec.id
        window.timeline_bar.timeline.stop()


def test_menus_show_shortcuts_beside_their_entries(window):
    for spec in ACTIONS:
        action = window.menus.actions[spec.id]
        assert isinstance(action, QAction)
        assert action.shortcut() == QKeySequence(spec.shortcut)
        if spec.shortcut:
            assert action.shortcut().toString(QKeySequence.SequenceFormat.NativeText) in action.toolTip()
