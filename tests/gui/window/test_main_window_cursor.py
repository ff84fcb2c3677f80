"""The shared cursor of the window: every panel and dock shows the cell under the mouse."""

import numpy as np
import pytest
from pixels import NO_KEY, area_of, click, hover, painted_words, pixels_of, settle
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QTableView
from window_bench import act, changed, control, pictures, says, type_number, words

from posenc_gui.model.cursor import Cursor

pytestmark = pytest.mark.one_window


def place_in(window, name, position, column):
    """Where a cell of the first document is in a panel."""
    panel = window.panels[name]
    if name == "tokens":
        (word,) = [w for w in painted_words(panel.view) if w.text == f"position {position}"]
        index = min((w for w in painted_words(panel.view) if w.text == str(column)), key=lambda w: w.y)
        return QPointF(index.x + 3, word.y - 6)
    area = area_of(panel)
    shown = panel.figure.viewport.window()
    low, high = shown.x if name == "waves" else shown.y
    along, part = (position - low) / (high - low), (column + 0.5) / 8
    across, down = (along, 1 - part) if name == "waves" else (part, along)
    return QPointF(area.left() + across * area.width(), area.top() + down * area.height())


def rows_changed(before, after):
    rows, columns = np.nonzero((before != after).any(axis=2))
    return QPointF(columns.mean(), rows.mean()), rows, columns


@pytest.mark.parametrize("name", ["waves", "heatmap", "tokens"])
def test_the_other_rooms_follow_the_mouse(window, name):
    window.docks["vector"].raise_()
    before = pictures(window)
    hover(window.panels[name].view, place_in(window, name, 2, 5))
    assert window.cursor_control.cursor == Cursor(2, 5)
    assert changed(before, pictures(window)) == {"waves", "heatmap", "tokens"}
    line = next(word for word in words(window) if word.startswith("position 2 “icecream”"))
    assert "column 5 (pair 2, cos)" in line
    assert "0.9998" in line
    assert "wavelength 628.3 tokens" in line
    assert says(window, "PE(2, 5) = cos(2 / 10000^(2·2/8))")
    table = window.findChild(QTableView)
    assert table.currentIndex().row() == 5
    assert table.model().index(5, 1).data() == "+0.999800"


def test_the_vector_behind_the_number_is_read_once_it_is_in_front(window):
    table = window.findChild(QTableView)
    changes = QSignalSpy(table.model().dataChanged)
    window.store.edit("base", 100.0)
    window.cursor_control.point(Cursor(2, 5))
    assert changes.count() == 0
    window.docks["vector"].raise_()
    settle()
    assert changes.count() == 1
    assert table.currentIndex().row() == 5
    assert table.model().index(5, 1).data() == f"+{np.cos(2 / 100**0.5):.6f}"
    window.docks["number"].raise_()
    settle()
    window.store.edit("base", 1000.0)
    assert changes.count() == 1


def test_a_position_beyond_the_sentence_has_no_token(window):
    window.docks["vector"].raise_()
    act(window, "reset_view")
    hover(window.panels["heatmap"].view, place_in(window, "heatmap", 40, 0))
    assert next(word for word in words(window) if word.startswith("position 40  |  column 0"))
    assert says(window, "This position has no token")


def test_the_heatmap_frames_the_cell_and_the_tokens_its_box(window):
    window.cursor_control.point(Cursor(50, 7))
    before = pictures(window)
    hover(window.panels["waves"].view, place_in(window, "waves", 1, 2))
    after = pictures(window)
    for name in ("heatmap", "tokens"):
        place = place_in(window, name, 1, 2)
        _, rows, columns = rows_changed(before[name], after[name])
        assert np.hypot(rows - place.y(), columns - place.x()).min() < 40


def test_a_click_holds_the_cell_until_escape(window):
    act(window, "reset_view")
    view = window.panels["heatmap"].view
    click(view, place_in(window, "heatmap", 30, 3))
    assert window.cursor_control.cursor == Cursor(30, 3, pinned=True)
    assert says(window, "held (Esc releases)")
    hover(view, place_in(window, "heatmap", 10, 1))
    assert window.cursor_control.cursor == Cursor(30, 3, pinned=True)
    assert window.panels["heatmap"].hasFocus()
    QTest.keyClick(window.panels["heatmap"], Qt.Key.Key_Escape)
    assert not says(window, "held (Esc releases)")
    hover(view, place_in(window, "heatmap", 12, 1))
    assert window.cursor_control.cursor == Cursor(12, 1)


def test_a_second_click_releases_the_cell(window):
    view = window.panels["tokens"].view
    for pinned in (True, False):
        click(view, place_in(window, "tokens", 2, 3))
        assert window.cursor_control.cursor == Cursor(2, 3, pinned)


def test_arrows_walk_through_the_cells(window):
    panel = window.panels["tokens"]
    click(panel.view, place_in(window, "tokens", 1, 2))
    for key, cell in (
        (Qt.Key.Key_Right, (1, 3)),
        (Qt.Key.Key_Down, (2, 3)),
        (Qt.Key.Key_Left, (2, 2)),
        (Qt.Key.Key_Up, (1, 2)),
    ):
        QTest.keyClick(panel, key)
        assert window.cursor_control.cursor == Cursor(*cell, pinned=True)
    assert says(window, "PE(1, 2)")


def test_arrows_in_the_table_walk_through_the_columns(window):
    table = window.findChild(QTableView)
    table.setFocus(Qt.FocusReason.MouseFocusReason)
    row = table.visualRect(table.model().index(4, 0)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, NO_KEY, row)
    assert window.cursor_control.cursor == Cursor(1, 4, pinned=True)
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert window.cursor_control.cursor == Cursor(1, 5, pinned=True)
    assert says(window, "column 5")


def test_playing_walks_through_the_tokens_until_it_is_stopped(window, qtbot):
    window.cursor_control.hold(Cursor(0, 2))
    button = control(window, "Play")
    with qtbot.waitSignal(window.cursor_control.cursorChanged) as first:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert button.text() == "Stop"
    with qtbot.waitSignal(window.cursor_control.cursorChanged) as second:
        pass
    assert [step.args[0].position for step in (first, second)] == [1, 2]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert button.text() == "Play"


def test_a_smaller_table_takes_the_cursor_along(window):
    window.cursor_control.hold(Cursor(59, 7))
    type_number(window, "d_model", "4")
    assert window.cursor_control.cursor == Cursor(59, 3, pinned=True)
    type_number(window, "seq_len", "10")
    assert window.cursor_control.cursor == Cursor(9, 3, pinned=True)
    assert says(window, "PE(9, 3)")


def test_the_dock_derives_the_only_cell_of_a_table(window):
    type_number(window, "d_model", "1")
    type_number(window, "seq_len", "1")
    window.sentence_bar.fieldEdited.emit("sentence", "Dan", None)
    settle()
    assert window.cursor_control.cursor == Cursor(0, 0)
    assert says(window, "PE(0, 0)")
    for panel in window.panels.values():
        assert (pixels_of(panel.view) != 255).any()


def test_the_dock_derives_the_number_of_the_papers_cell(window, qtbot):
    type_number(window, "d_model", "4")
    window.cursor_control.hold(Cursor(1, 2))
    assert says(window, "0.00999983")
    assert says(window, "wavelength 628.3 tokens")


def test_a_held_cell_has_a_double_frame_in_every_panel(window):
    window.cursor_control.point(Cursor(1, 2))
    settle()
    pointed = pictures(window)
    window.cursor_control.pin(True)
    settle()
    assert changed(pointed, pictures(window)) == {"waves", "heatmap", "tokens"}
    window.cursor_control.pin(False)
    settle()
    assert changed(pointed, pictures(window)) == set()
