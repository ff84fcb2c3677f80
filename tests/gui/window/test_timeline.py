"""The timeline: what it moves in each workspace, how a play begins and ends, and what it leaves to undo."""

import pytest
from pixels import settle
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QProxyStyle, QSlider, QStyle
from window_bench import act, control, says

from posenc_core import Document
from posenc_gui.model.course import POSITIONS, TARGET_LENGTHS, even_stops
from posenc_gui.model.cursor import Cursor

SLIDERS = {
    "vectors": "timeline of the tokens of the sentence",
    "relations": "timeline of the shift k",
    "rotation": "timeline of the positions of the table",
    "long_context": "timeline of the target length L′",
}


@pytest.fixture
def timeline(window):
    """The timeline, so slow that only the test's own steps move it."""
    timeline = window.timeline_bar.timeline
    timeline.choose_speed(0.001)
    return timeline


@pytest.fixture
def rotary(window):
    window.store.edit("family", "rotary")
    window.store.edit("head_dim", 16)
    return window


def go_to(window, workspace):
    window.workspaces.choose(workspace)
    settle()


def press(window, name, key, times=1):
    """Press a key in a panel."""
    panel = window.panels[name]
    panel.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(times):
        QTest.keyClick(panel, key)
    settle()


def slider(window, workspace):
    found = control(window, SLIDERS[workspace])
    assert isinstance(found, QSlider)
    return found


def steps(window):
    return window.store.history.texts[: window.store.history.index]


def test_the_timeline_is_hidden_until_it_is_asked_for(window):
    assert not window.timeline_bar.isVisible()
    (shown,) = [entry for entry in window.findChildren(QAction) if entry.text() == "Timeline"]
    assert not shown.isChecked()
    shown.trigger()
    settle()
    assert window.timeline_bar.isVisible()
    assert says(window, "position 1")
    assert window.cursor_control.cursor == Cursor(1, 2), "to show it moves nothing"
    shown.trigger()
    settle()
    assert not window.timeline_bar.isVisible()


@pytest.mark.parametrize("workspace", SLIDERS)
def test_each_workspace_moves_what_it_is_about(rotary, workspace):
    go_to(rotary, workspace)
    rotary.timeline_bar.ask(True)
    settle()
    assert slider(rotary, workspace).isVisible()


def test_space_plays_the_tokens_shows_the_bar_and_stops_after_the_last_token(window, timeline):
    window.cursor_control.hold(Cursor(0, 5))
    press(window, "heatmap", Qt.Key.Key_Space)
    assert window.timeline_bar.isVisible()
    assert timeline.playing
    assert window.menus.actions["play"].text() == "&Stop"
    assert window.cursor_control.cursor == Cursor(1, 5, pinned=True)
    timeline.step()
    assert window.cursor_control.cursor == Cursor(2, 5, pinned=True)
    assert timeline.playing
    timeline.step()
    assert not timeline.playing
    assert window.menus.actions["play"].text() == "&Play"
    assert window.cursor_control.cursor == Cursor(2, 5, pinned=True)
    press(window, "heatmap", Qt.Key.Key_Space)
    assert window.cursor_control.cursor == Cursor(0, 5, pinned=True), "from the end it begins again"
    assert steps(window) == []


def test_time_passes_by_itself(window, timeline, qtbot):
    window.cursor_control.hold(Cursor(0, 5))
    timeline.choose_speed(8)
    with qtbot.waitSignal(timeline.playingChanged, check_params_cb=lambda playing: not playing):
        timeline.play()
        qtbot.waitUntil(lambda: window.cursor_control.cursor.position == 2)
    assert window.cursor_control.cursor == Cursor(2, 5, pinned=True)


def test_a_play_of_k_is_one_step_of_undo_and_moves_nothing_else(rotary, timeline):
    go_to(rotary, "relations")
    cursor, before = rotary.cursor_control.cursor, rotary.store.document
    already = steps(rotary)
    press(rotary, "shift", Qt.Key.Key_Space)
    for _ in range(10):
        timeline.step()
    assert rotary.store.document == before.edited("shift_k", 12)
    assert rotary.cursor_control.cursor == cursor
    assert says(rotary, "k = 12 tokens")
    assert steps(rotary) == [*already, "shift_k 1 → 12"]
    for _ in range(60):
        timeline.step()
    assert rotary.store.document.value("shift_k") == 64
    assert not timeline.playing
    act(rotary, "play")
    assert rotary.store.document.value("shift_k") == -64
    timeline.step()
    assert steps(rotary) == [*already, "shift_k 1 → 64", "shift_k 64 → −63"]
    rotary.store.undo()
    rotary.store.undo()
    assert rotary.store.document == before


def test_a_scrub_of_the_target_length_is_one_step_of_undo(rotary):
    go_to(rotary, "long_context")
    rotary.timeline_bar.ask(True)
    settle()
    bar, already = slider(rotary, "long_context"), steps(rotary)
    assert says(rotary, "L′ = 16,384 tokens")
    handle, y = bar.style().sliderPositionFromValue(bar.minimum(), bar.maximum(), bar.value(), bar.width()), 12
    QTest.mousePress(bar, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(handle, y))
    for x in range(handle, bar.width(), bar.width() // 12):
        QTest.mouseMove(bar, QPoint(x, y))
    QTest.mouseRelease(bar, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(bar.width() - 1, y))
    settle()
    length = rotary.store.document.lengths.target
    assert length > 100_000
    assert says(rotary, f"L′ = {length:,} tokens")
    assert steps(rotary)[:-1] == already
    rotary.store.undo()
    settle()
    assert rotary.store.document.view.target_length is None
    assert says(rotary, "L′ = 16,384 tokens")


def test_keys_move_the_bar(rotary):
    go_to(rotary, "relations")
    rotary.timeline_bar.ask(True)
    settle()
    bar = slider(rotary, "relations")
    bar.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(bar, Qt.Key.Key_Right)
    assert rotary.store.document.value("shift_k") == 2
    QTest.keyClick(bar, Qt.Key.Key_Home)
    assert rotary.store.document.value("shift_k") == -64
    assert "k = −64 tokens" in bar.accessibleDescription()
    assert "k = −64 tokens to k = 64 tokens" in " ".join(bar.toolTip().split())
    QTest.keyClick(bar, Qt.Key.Key_Space)
    assert rotary.store.document.value("shift_k") == -63, "the space bar plays"


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    "end",
    [
        lambda window: window.store.edit("sentence", "Dan loves cake"),
        lambda window: window.store.edit("shift_k", 40),
        lambda window: window.store.undo(),
        lambda window: QTest.keyClick(window, Qt.Key.Key_Escape),
        lambda window: act(window, "play"),
        lambda window: go_to(window, "vectors"),
        lambda window: window.timeline_bar.ask(False),
    ],
    ids=["sentence", "its own field", "undo", "escape", "play", "workspace", "hidden"],
)
def test_any_other_edit_and_escape_stop_it(rotary, timeline, end):
    go_to(rotary, "relations")
    rotary.cursor_control.hold(Cursor(2, 1))
    act(rotary, "play")
    assert timeline.playing
    end(rotary)
    assert not timeline.playing
    assert rotary.cursor_control.cursor == Cursor(2, 1, pinned=True), "and that is all it does"


def test_a_click_elsewhere_stops_a_play_of_the_cursor_and_the_mouse_does_not(window, timeline):
    act(window, "play")
    window.cursor_control.point(Cursor(0, 0))
    assert timeline.playing
    assert window.cursor_control.cursor.position == 2
    window.cursor_control.point(Cursor(0, 0, pinned=True))
    assert not timeline.playing


def test_without_tokens_there_is_nothing_to_play(window, timeline):
    window.store.edit("sentence", "")
    act(window, "play")
    assert not timeline.playing
    assert not window.timeline_bar.isVisible()
    window.store.edit("sentence", "Dan loves")
    settle()
    assert window.timeline_bar.isVisible()


def test_a_play_that_ends_puts_its_bar_away_and_one_asked_for_stays(window, timeline):
    for asked in (False, True):
        window.timeline_bar.ask(asked)
        window.cursor_control.hold(Cursor(0, 5))
        act(window, "play")
        assert window.timeline_bar.isVisible()
        while timeline.playing:
            timeline.step()
        settle()
        assert window.timeline_bar.isVisible() == asked


def test_the_play_ends_with_the_sentence(window, timeline):
    act(window, "play")
    window.store.edit("sentence", "")
    assert not timeline.playing
    assert not window.timeline_bar.isVisible()


def test_a_panel_that_cannot_be_drawn_leaves_the_time_to_the_tokens(window):
    window.store.edit("family", "alibi")
    go_to(window, "long_context")
    window.timeline_bar.ask(True)
    settle()
    assert slider(window, "vectors").isVisible()
    assert says(window, "distance 1")


def test_a_workspace_without_panels_has_no_timeline(window):
    window.timeline_bar.ask(True)
    for name in window.workspaces.shown:
        window.workspaces.show_panel(name, False)
    settle()
    assert not window.timeline_bar.isVisible()


def test_a_maximised_panel_has_its_own(rotary):
    go_to(rotary, "relations")
    rotary.timeline_bar.ask(True)
    rotary.workspaces.maximise(rotary.panels["similarity"])
    settle()
    assert slider(rotary, "vectors").isVisible()
    rotary.workspaces.restore()
    settle()
    assert slider(rotary, "relations").isVisible()


def test_a_faster_play_waits_less(window):
    timeline = window.timeline_bar.timeline
    act(window, "play")
    speed = control(window, "speed")
    QTest.keyClick(speed, Qt.Key.Key_Down)
    assert timeline._timer.interval() == 350
    QTest.keyClick(speed, Qt.Key.Key_Up)
    QTest.keyClick(speed, Qt.Key.Key_Up)
    assert timeline._timer.interval() == 1400
    assert timeline.playing


class Still(QProxyStyle):
    """The style of a desktop that wants no animations."""

    def styleHint(self, hint, option=None, widget=None, data=None):
        if hint == QStyle.StyleHint.SH_Widget_Animation_Duration:
            return 0
        return super().styleHint(hint, option, widget, data)


def test_where_the_desktop_wants_no_animations_each_press_is_one_stop(window, timeline, monkeypatch):
    still = Still("fusion")
    monkeypatch.setattr("posenc_gui.model.timeline.QApplication.style", lambda: still)
    window.cursor_control.hold(Cursor(0, 5))
    for position in (1, 2, 0):
        act(window, "play")
        assert window.cursor_control.cursor.position == position
        assert not timeline.playing


def test_a_cursor_beyond_the_table_stays_while_something_else_plays(rotary, timeline):
    go_to(rotary, "long_context")
    rotary.cursor_control.hold(Cursor(5000, 3))
    act(rotary, "play")
    timeline.step()
    assert rotary.cursor_control.cursor == Cursor(5000, 3, pinned=True)


def test_stops_are_all_numbers_or_evenly_spread_ones():
    assert list(even_stops(-2, 2)) == [-2, -1, 0, 1, 2]
    spread = even_stops(0, 10**6)
    assert (len(spread), spread[0], spread[-1]) == (1000, 0, 10**6)
    document, cursor = Document(seq_len=10_000_000), Cursor(0, 0)
    assert POSITIONS.stops(document, cursor)[-1] == 9_999_999
    for trained, last in ((1, 64), (4096, 262_144), (10**9, 10**9)):
        stops = TARGET_LENGTHS.stops(document.edited("trained_length", trained), cursor)
        assert list(stops) == sorted(set(stops))
        assert (stops[0], stops[-1]) == (trained, last)
    assert TARGET_LENGTHS.index(document, cursor) == 24


def test_a_play_stops_behind_a_dialog(rotary, timeline, qtbot):
    go_to(rotary, "relations")
    dialog = QDialog(rotary)
    dialog.setModal(True)
    press(rotary, "shift", Qt.Key.Key_Space)
    k = rotary.store.document.value("shift_k")
    dialog.show()
    with qtbot.waitSignal(timeline.playingChanged, check_params_cb=lambda playing: not playing):
        timeline.choose_speed(8)
    assert rotary.store.document.value("shift_k") == k
    dialog.close()
    settle()
    assert not timeline.playing
