"""Help > Keyboard shortcuts lists every key of the menus and the panels."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QTreeWidget
from window_bench import act

from posenc_gui.panels import PANEL_NAMES, figure_class


def listed(window, answers):
    """The groups of the dialog: keys and what they do."""
    seen = {}

    def read(dialog):
        tree = dialog.findChild(QTreeWidget)
        for index in range(tree.topLevelItemCount()):
            group = tree.topLevelItem(index)
            rows = [group.child(row) for row in range(group.childCount())]
            seen[group.text(0)] = [(row.text(0), row.text(1)) for row in rows]
        dialog.reject()

    answers.expect(read)
    act(window, "shortcuts")
    return seen


def test_every_shortcut_of_an_action_is_listed(window, answers):
    told = {key for rows in listed(window, answers).values() for keys, _ in rows for key in keys.split(", ")}
    keys = {key.toString() for action in window.findChildren(QAction) for key in action.shortcuts()}
    assert len(keys) > 20
    assert {"Ctrl+Z", "Ctrl++", "Ctrl+L", "F1"} <= keys
    assert keys <= told


def test_every_panel_lists_its_arrow_keys_and_its_mouse(window, answers):
    groups = listed(window, answers)
    for name in PANEL_NAMES:
        figure = figure_class(name)
        rows = groups[figure.title]
        told = {key for keys, _ in rows for key in keys.split(", ")}
        assert {QKeySequence(key).toString() for key in figure.steps} <= told
        assert ("wheel" in figure.explanation) == any("wheel" in what.lower() for _, what in rows)
        assert any(Qt.Key.Key_Up in figure_class(each).steps for each in PANEL_NAMES)
