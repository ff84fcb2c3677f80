"""Workspaces: chosen, remembered and reset one by one; panels that move, stand alone, and compute nothing unseen."""

import importlib
import math

import numpy as np
import pytest
from pixels import settle
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QToolButton
from window_bench import control, says

from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import PANELS, WORKSPACES, figure_class, first_panels, spec_of
from posenc_gui.workspaces.workspace_tabs import WorkspaceTabs

CTRL = Qt.KeyboardModifier.ControlModifier


def shown(window):
    return {name for name, panel in window.panels.items() if panel.isVisible()}


def drawn(window):
    """The panels with a picture, in the order of the alphabet."""
    return sorted(name for name, panel in window.panels.items() if panel.view.isVisible())


def tabs(window):
    (found,) = window.findChildren(WorkspaceTabs)
    return found


def press(window, key, modifiers=CTRL):
    QTest.keyClick(window, key, modifiers)
    settle()


def entry(window, *path):
    """The entry of the View menu with this text, or the one of a sub-menu."""
    (menu,) = [menu for menu in window.findChildren(QMenu) if menu.title() == "&View"]
    for text in path:
        (action,) = [each for each in menu.actions() if each.text().replace("&", "") == text]
        menu = action.menu()
    return action


def header(panel):
    """A place on the panel's title, seen from the panel."""
    return QPoint(30, panel.view.y() // 2)


@pytest.mark.parametrize("name", PANELS)
def test_a_panels_line_has_its_figures_title_and_workspaces_that_exist(name):
    assert spec_of(name).name == name
    assert spec_of(name).title == PANELS[name].title
    assert figure_class(name).spec is spec_of(name)
    assert PANELS[name].waits or [workspace for workspace in WORKSPACES if name in first_panels(workspace)]
    assert PANELS[name].workspace in WORKSPACES


def test_the_first_start_is_vectors_and_offers_the_workspaces_that_have_panels(window):
    assert shown(window) == set(first_panels("vectors")) == {"waves", "heatmap", "tokens"}
    bar = tabs(window)
    offered = [bar.tabText(index) for index in range(bar.count())]
    assert offered == [each.title for name, each in WORKSPACES.items() if first_panels(name)]
    assert bar.tabText(bar.currentIndex()) == "Vectors"
    assert set(window.panels) == {"waves", "heatmap", "tokens"}, "panels of hidden workspaces were made"


def test_panels_are_made_one_in_a_turn_before_they_are_asked_for_and_compute_nothing(window):
    painted = []
    window.shelf.panelMade.connect(lambda panel: panel.painted.connect(painted.append))
    window.shelf.get_ready()
    while window.shelf.is_getting_ready:
        before = len(window.panels)
        QApplication.processEvents()
        assert len(window.panels) - before <= 1
    assert set(window.panels) == {name for workspace in WORKSPACES for name in first_panels(workspace)}
    assert shown(window) == set(first_panels("vectors"))
    assert not painted
    made = dict(window.panels)
    for workspace in WORKSPACES:
        window.workspaces.choose(workspace)
        assert shown(window) == set(first_panels(workspace))
    assert window.panels == made


def test_a_tab_a_key_and_the_view_menu_choose_a_workspace(window):
    bar = tabs(window)
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(1).center())
    settle()
    assert shown(window) == set(first_panels("relations"))
    press(window, Qt.Key.Key_1)
    assert shown(window) == set(first_panels("vectors"))
    press(window, Qt.Key.Key_2)
    assert shown(window) == set(first_panels("relations"))
    assert entry(window, "Workspace", "Relations").isChecked()
    assert entry(window, "Panels", "Token pairs").isChecked()
    assert not entry(window, "Panels", "Waves").isChecked()
    entry(window, "Workspace", "Vectors").trigger()
    settle()
    assert shown(window) == set(first_panels("vectors"))
    assert entry(window, "Panels", "Waves").isChecked()


def test_a_panel_moves_into_any_workspace_and_comes_back_at_the_next_start(window, next_start):
    window.panels["tokens"].setFocus()
    entry(window, "Move panel to", "Compare").trigger()
    settle()
    assert shown(window) == {"tokens", "difference", "drift", "cache"}
    assert tabs(window).tabText(tabs(window).currentIndex()) == "Compare"
    press(window, Qt.Key.Key_1)
    assert shown(window) == {"waves", "heatmap"}
    press(window, Qt.Key.Key_5)
    again = next_start(window)
    assert shown(again) == {"tokens", "difference", "drift", "cache"}
    again.workspaces.choose("vectors")
    settle()
    assert shown(again) == {"waves", "heatmap"}


def test_reset_layout_restores_the_workspace_that_is_seen_and_no_other(window, next_start):
    entry(window, "Panels", "Heatmap").trigger()
    press(window, Qt.Key.Key_2)
    entry(window, "Panels", "Waves").trigger()
    relations = set(first_panels("relations"))
    assert shown(window) == {*relations, "waves"}
    window.menus.actions["reset_layout"].trigger()
    settle()
    assert shown(window) == relations
    again = next_start(window)
    assert shown(again) == relations
    again.workspaces.choose("vectors")
    settle()
    assert shown(again) == {"waves", "tokens"}


def test_each_workspace_has_splitters_of_its_own_that_the_next_start_has_too(window, next_start):
    window.workspaces.page("vectors").splitters["down"].setSizes([250, 500])
    press(window, Qt.Key.Key_2)
    entry(window, "Panels", "Waves").trigger()
    window.workspaces.page("relations").splitters["above"].setSizes([700, 240])
    settle()
    there = {name: panel.geometry() for name, panel in window.panels.items()}
    wide = window.panels["waves"].width()
    press(window, Qt.Key.Key_1)
    first = {name: window.panels[name].size() for name in first_panels("vectors")}
    again = next_start(window)
    assert {name: again.panels[name].size() for name in first_panels("vectors")} == first
    again.workspaces.choose("relations")
    settle()
    assert again.panels["waves"].width() == wide
    assert again.panels["pairs"].geometry() == there["pairs"]


def test_a_panel_of_a_hidden_workspace_computes_nothing(window, monkeypatch):
    cells = importlib.import_module("posenc_gui.panels.pairs.cells")
    calls = []

    def counted(*given):
        calls.append(given)
        return original(*given)

    original = cells.pair_numbers
    monkeypatch.setattr(cells, "pair_numbers", counted)
    press(window, Qt.Key.Key_2)
    assert calls
    for choose in (lambda: press(window, Qt.Key.Key_1), lambda: entry(window, "Panels", "Waves").trigger()):
        choose()
        settle()
        calls.clear()
        window.store.edit("base", 500.0 + len(shown(window)))
        window.cursor_control.hold(window.cursor_control.cursor)
        settle()
        assert calls == []
    press(window, Qt.Key.Key_2)
    assert calls


def test_a_maximised_panel_is_alone_and_the_others_compute_nothing(window):
    waves, painted = window.panels["waves"], []
    before = waves.size()
    QTest.mouseDClick(waves, Qt.MouseButton.LeftButton, pos=header(waves))
    settle()
    assert shown(window) == {"waves"}
    assert waves.height() > before.height()
    window.panels["heatmap"].painted.connect(painted.append)
    window.store.edit("d_model", 12)
    settle()
    assert painted == []
    assert window.panels["heatmap"]._document is not None, "the hidden figure has the document already"
    QTest.keyClick(waves, Qt.Key.Key_Escape)
    settle()
    assert shown(window) == set(first_panels("vectors"))
    assert waves.size() == before


@pytest.mark.parametrize("name", ["waves", "heatmap", "tokens"])
def test_the_button_and_the_key_maximise_and_bring_the_others_back(window, name):
    panel = window.panels[name]
    (button,) = [each for each in panel.findChildren(QToolButton) if each.accessibleName() == "Show this panel alone"]
    assert button.width() >= 24
    assert button.height() >= 24
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    assert shown(window) == {name}
    assert button.accessibleName() == "Restore the other panels"
    press(window, Qt.Key.Key_M)
    assert shown(window) == set(first_panels("vectors"))
    press(window, Qt.Key.Key_M)
    assert shown(window) == {name}, "the panel used last is maximised"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    assert shown(window) == set(first_panels("vectors"))


def test_escape_brings_the_others_back_before_it_lets_go_of_the_cell(window):
    window.cursor_control.hold(window.cursor_control.cursor)
    press(window, Qt.Key.Key_M)
    press(window, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
    assert len(shown(window)) == 3
    assert window.cursor_control.cursor.pinned
    press(window, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
    assert not window.cursor_control.cursor.pinned


def test_a_workspace_without_panels_says_what_to_do_and_its_button_does_it(window):
    for title in ("Waves", "Heatmap", "Tokens"):
        assert not says(window, "Vectors shows no panel")
        entry(window, "Panels", title).trigger()
    settle()
    assert shown(window) == set()
    assert says(window, "Vectors shows no panel. Choose panels in the View menu")
    (button,) = [each for each in window.findChildren(QPushButton) if each.text() == "Restore the panels of Vectors"]
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    assert shown(window) == set(first_panels("vectors"))
    assert not says(window, "Vectors shows no panel")


def menu_of(window, panel, qtbot):
    """The menu that a click with the right button on the panel opens."""
    with qtbot.waitSignal(panel.menuAsked):
        place = panel.view.geometry().center()
        QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.RightButton, pos=panel.view.rect().center())
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, panel.view.rect().center(), panel.mapToGlobal(place))
        QApplication.sendEvent(panel.view.viewport(), event)
    (menu,) = [menu for menu in panel.findChildren(QMenu) if menu.isVisible()]
    return menu


def chosen(menu, text):
    """Choose the entry with this text."""
    (action,) = [each for each in menu.actions() if each.text().replace("&", "").startswith(text)]
    menu.setActiveAction(action)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    settle()


def test_a_right_click_on_a_panel_offers_what_can_be_done_with_it(window, qtbot):
    tokens = window.panels["tokens"]
    window.panels["waves"].setFocus()
    menu = menu_of(window, tokens, qtbot)
    texts = [action.text().replace("&", "") for action in menu.actions() if not action.isSeparator()]
    assert texts == [
        "Copy number", "Copy picture", "Copy as Matplotlib", "Export panel…", "Maximise panel", "Show everything",
        "Move panel to", "What am I looking at?",
    ]  # fmt: skip
    chosen(menu, "Maximise")
    assert shown(window) == {"tokens"}
    chosen(menu_of(window, tokens, qtbot), "Restore all panels")
    assert shown(window) == set(first_panels("vectors"))


def test_copy_number_copies_the_number_at_the_cursor_in_full(window, qtbot):
    window.cursor_control.hold(window.cursor_control.cursor)
    settle()
    chosen(menu_of(window, window.panels["heatmap"], qtbot), "Copy number")
    assert QGuiApplication.clipboard().text() == "0.09983341664682815"
    assert window.statusBar().currentMessage() == "Copied 0.09983341664682815"


def test_copy_number_copies_the_angle_where_angles_are_shown(window, qtbot):
    window.store.edit("angles", True)
    window.cursor_control.hold(Cursor(50, 3))
    settle()
    chosen(menu_of(window, window.panels["heatmap"], qtbot), "Copy number")
    assert float(QGuiApplication.clipboard().text()) == pytest.approx(math.remainder(5.0, math.tau))


def test_copy_number_of_a_pair_copies_the_pairs(window, qtbot):
    press(window, Qt.Key.Key_2)
    chosen(menu_of(window, window.panels["pairs"], qtbot), "Copy number")
    # The cursor is at "loves"; the query that it is seen from is the last token.
    loves, icecream = window.store.document.encoding.values(np.array([1, 2]), np.arange(8))
    assert float(QGuiApplication.clipboard().text()) == pytest.approx(loves @ icecream)


def test_show_everything_in_a_panels_menu_shows_everything_there(window, qtbot):
    heatmap = window.panels["heatmap"]
    area = heatmap.figure.area
    area.show_window((1, 3), (5, 9))
    settle()
    chosen(menu_of(window, heatmap, qtbot), "Show everything")
    assert area.upright == (-0.5, 59.5)


def test_the_tabs_have_a_name_and_questions_as_tips(window):
    bar = control(window, "workspaces")
    assert bar.tabToolTip(0) == "What numbers does each token get? (Ctrl+1)"


def test_each_panel_is_painted_once_when_its_workspace_is_chosen_or_it_is_shown_alone(window):
    window.store.edit("family", "rotary")
    for name in (*WORKSPACES, *WORKSPACES):
        window.workspaces.choose(name)
        settle()
    painted = []
    for panel in window.panels.values():
        panel.painted.connect(lambda panel: painted.append(panel.spec.name))
    for name in WORKSPACES:
        painted.clear()
        window.workspaces.choose(name)
        settle()
        assert sorted(painted) == drawn(window), name
    window.workspaces.choose("relations")
    settle()
    for act in (lambda: window.workspaces.show_alone(("scores", "pairs")), window.workspaces.restore):
        painted.clear()
        act()
        settle()
        assert sorted(painted) == drawn(window)
