"""Help > Keyboard shortcuts lists every key of the menus and the panels."""

import pytest
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QGridLayout
from window_bench import act

from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import PANELS, spec_of


def listed(window, answers):
    """The groups of the dialog: keys and what they do."""
    seen = {}

    def read(dialog):
        (grid,) = [layout for layout in dialog.findChildren(QGridLayout) if layout.count() > 20]
        rows = None
        for row in range(grid.rowCount()):
            items = [grid.itemAtPosition(row, column) for column in (0, 1)]
            texts = [item.widget().text() for item in items if item is not None]
            if len({*texts}) == 1:  # a heading spans both columns
                rows = seen[texts[0]] = []
            elif texts:
                rows.append(tuple(texts))
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
    for name in PANELS:
        spec = spec_of(name)
        rows = groups.get(spec.title, [])  # a picture may have neither keys nor a wheel
        told = {key for keys, _ in rows for key in keys.split(", ")}
        assert {key for keys in filter(None, spec.arrows) for key in keys.split(", ")} <= told
        assert ("wheel" in spec.handling) == any("wheel" in what.lower() for _, what in rows)


@pytest.mark.parametrize(
    "name", [name for name, entry in PANELS.items() if any(spec_of(name).arrows) and not entry.waits]
)
def test_the_listed_arrow_keys_move_the_cursor_as_they_say(window, name):
    panel, control = window.panels[name], window.cursor_control
    for index, keys in enumerate(spec_of(name).arrows):
        for key in keys.split(", "):
            control.hold(Cursor(1, 3, pinned=True))
            QTest.keyClick(panel, QKeySequence(key)[0].key())
            moved = (abs(control.cursor.position - 1), abs(control.cursor.column - 3))
            assert moved[index] > 0, (key, moved)
            assert moved[1 - index] == 0, (key, moved)
