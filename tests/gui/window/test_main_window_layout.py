"""Docks and panels: moved, hidden, remembered, and brought back."""

import pytest
from pixels import settle
from PySide6.QtCore import QByteArray, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget, QMenu, QScrollArea, QTabBar, QToolButton
from window_bench import make_high, name_of

from posenc_gui.docks.vector_table import ROW_HEIGHT, VectorTable

DOCKS = ["Encoding", "Number", "Vector"]
SHOWN = ["waves", "heatmap", "tokens"]
"""The panels of the first start's workspace."""
LEFT, RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea


def dock(window, title):
    (found,) = [each for each in window.findChildren(QDockWidget) if each.windowTitle() == title]
    return found


def view_entry(window, text):
    """The entry of a panel or dock in the View menu."""
    menus = [menu for menu in window.findChildren(QMenu) if menu.title().replace("&", "") in ("Panels", "Docks")]
    (action,) = [action for menu in menus for action in menu.actions() if action.text().replace("&", "") == text]
    return action


def places(window):
    """Where every dock and panel is, as seen from the window."""
    settle()
    rooms = {each.windowTitle(): each for each in window.docks.values()} | dict(window.panels)
    return {
        name: (room.mapTo(window, QPoint(0, 0)), room.size())
        for name, room in rooms.items()
        if not room.visibleRegion().isEmpty() and not room.isWindow()
    }


def test_the_first_start_has_parameters_left_and_inspectors_right(window):
    assert set(places(window)) == {"Encoding", "Number", *SHOWN}
    assert dock(window, "Vector") in window.tabifiedDockWidgets(dock(window, "Number"))


@pytest.fixture
def tall(window):
    """The window as at the first start on a screen that is higher."""
    make_high(window)
    return window


def test_a_high_window_shows_a_derivation_above_eight_rows_of_the_vector(tall):
    where = places(tall)
    assert set(where) == {*DOCKS, *SHOWN}
    x = {name: place.x() for name, (place, _) in where.items()}
    y = {name: place.y() for name, (place, _) in where.items()}
    assert x["Encoding"] < x["waves"] == x["heatmap"] < x["tokens"] < x["Number"] == x["Vector"]
    assert y["Number"] < y["Vector"]
    assert y["waves"] < y["heatmap"] == y["tokens"]
    (table,) = tall.findChildren(VectorTable)
    assert table.viewport().height() >= 8 * ROW_HEIGHT
    area = next(each for each in dock(tall, "Number").findChildren(QScrollArea) if each.isVisible())
    assert area.verticalScrollBar().maximum() == 0


def test_the_next_start_looks_like_the_end_of_this_one(window, next_start):
    window.resize(1300, 820)
    window.addDockWidget(LEFT, dock(window, "Vector"))
    window.resizeDocks([dock(window, "Encoding")], [300], Qt.Orientation.Horizontal)
    splitters = window.workspaces.page("vectors").splitters
    splitters["down"].setSizes([300, 400])
    view_entry(window, "Token pairs").trigger()
    splitters["below"].setSizes([500, 260])
    splitters["above"].setSizes([300, 460])
    dock(window, "Number").close()
    before = places(window)
    again = next_start(window)
    assert (again.width(), again.height()) == (1300, 820)
    assert places(again) == before
    assert not dock(again, "Number").isVisible()
    assert again.dockWidgetArea(dock(again, "Vector")) == LEFT


def test_a_floating_dock_floats_at_the_next_start(window, next_start):
    dock(window, "Number").setFloating(True)
    dock(window, "Number").move(200, 300)
    again = next_start(window)
    assert dock(again, "Number").isFloating()
    assert dock(again, "Number").isVisible()


@pytest.mark.parametrize("value", [b"", b"nonsense", bytes(range(256))])
def test_a_damaged_layout_is_the_first_one(window, settings, next_start, value):
    first = places(window)
    window.close()
    parts = [f"vectors_{part}" for part in ("down", "above", "below", "panels")]
    for name in (f"layout_{part}" for part in ("geometry", "docks", "workspace", *parts)):
        settings.set_bytes(name, QByteArray(value))
    settings.write_layout()
    window.close = lambda: None
    assert places(next_start(window)) == first


def test_reset_layout_brings_everything_back(tall, settings):
    window = tall
    first = places(window)
    dock(window, "Vector").close()
    dock(window, "Number").setFloating(True)
    window.addDockWidget(RIGHT, dock(window, "Encoding"))
    view_entry(window, "Heatmap").trigger()
    window.workspaces.page("vectors").splitters["down"].setSizes([200, 500])
    assert places(window) != first
    window.menus.actions["reset_layout"].trigger()
    assert places(window) == first
    assert view_entry(window, "Heatmap").isChecked()
    assert settings.bytes("layout_docks").isEmpty()


@pytest.mark.parametrize("size", [(1440, 900), (1024, 700)])
def test_reset_layout_leaves_one_row_of_tabs(window, size):
    for _ in range(2):
        window.resize(*size)
        window.menus.actions["reset_layout"].trigger()
        settle()
        rows = [each for each in window.findChildren(QTabBar) if each.parent() is window and each.isVisible()]
        assert [row.tabText(0) for row in rows if row.geometry().intersects(window.rect())] == ["Number"]


@pytest.mark.parametrize("title", DOCKS)
def test_a_dock_is_hidden_and_brought_back_by_the_view_menu(tall, title):
    window = tall
    before = places(window)
    entry = view_entry(window, title)
    assert entry.isChecked()
    entry.trigger()
    assert not dock(window, title).isVisible()
    entry.trigger()
    assert places(window) == before


@pytest.mark.parametrize("title", DOCKS)
def test_the_buttons_of_a_dock_float_and_close_it(tall, title):
    window = tall
    before = places(window)
    take_out, close_it = [
        button for button in dock(window, title).titleBarWidget().findChildren(QToolButton) if name_of(button)
    ]
    QTest.mouseClick(take_out, Qt.MouseButton.LeftButton)
    assert dock(window, title).isFloating()
    QTest.mouseClick(take_out, Qt.MouseButton.LeftButton)
    assert places(window) == before
    QTest.mouseClick(close_it, Qt.MouseButton.LeftButton)
    assert not dock(window, title).isVisible()
    assert not view_entry(window, title).isChecked()


@pytest.mark.parametrize("name", ["Waves", "Heatmap", "Tokens"])
def test_a_panel_is_hidden_and_brought_back_by_the_view_menu(window, name):
    panel, before = window.panels[name.lower()], places(window)
    entry = view_entry(window, name)
    entry.trigger()
    assert not panel.isVisible()
    assert {each for each in window.panels if window.panels[each].isVisible()} == {*SHOWN} - {name.lower()}
    entry.trigger()
    assert panel.isVisible()
    assert places(window) == before


def test_a_hidden_panel_shows_the_newest_document_when_it_comes_back(window):
    view_entry(window, "Waves").trigger()
    window.store.edit("d_model", 4)
    view_entry(window, "Waves").trigger()
    settle()
    assert window.panels["waves"].figure.document.encoding.d_model == 4


def test_a_hidden_panel_is_hidden_at_the_next_start(window, next_start):
    before = places(window)
    view_entry(window, "Tokens").trigger()
    again = next_start(window)
    assert "tokens" not in shown(again)
    assert not view_entry(again, "Tokens").isChecked()
    view_entry(again, "Tokens").trigger()
    assert places(again) == before


def shown(window):
    return {name for name, panel in window.panels.items() if panel.isVisible()}


def test_a_panel_that_the_user_showed_or_hid_stays_so_for_every_family_and_at_the_next_start(window, next_start):
    view_entry(window, "Token pairs").trigger()
    view_entry(window, "Heatmap").trigger()
    for family in ("alibi", "t5", "sinusoidal"):
        window.store.edit("family", family)
        settle()
        assert shown(window) == {"waves", "tokens", "pairs"}
    window.store.mark_saved()
    again = next_start(window)
    assert shown(again) == {"waves", "tokens", "pairs"}
    again.menus.actions["reset_layout"].trigger()
    assert shown(again) == {*SHOWN}


def test_a_row_without_panels_gives_its_room_to_the_other(window):
    before = window.panels["heatmap"].height()
    view_entry(window, "Waves").trigger()
    settle()
    assert window.panels["heatmap"].height() > 1.5 * before
    for name in ("Heatmap", "Tokens", "Waves"):
        view_entry(window, name).trigger()
    settle()
    assert window.panels["waves"].height() > 1.5 * before


def test_hidden_panels_compute_nothing(window, monkeypatch):
    window.workspaces.choose("relations")
    settle()
    window.workspaces.choose("vectors")
    computed = []
    for module in ("posenc_gui.panels.pairs.cells.pair_numbers", "posenc_gui.panels.pairs.picture.pair_reach"):
        monkeypatch.setattr(module, lambda *given: computed.append(given) or 1.0)
    window.store.edit("d_model", 12)
    settle()
    assert not window.panels["pairs"].isVisible()
    assert computed == []


@pytest.mark.parametrize("size", [None, (1024, 700)])
@pytest.mark.parametrize("family", ["sinusoidal", "t5"])
def test_the_smallest_window_still_shows_every_panel(window, family, size):
    window.store.edit("family", family)
    window.resize(*(size or window.minimumSizeHint().expandedTo(window.minimumSize()).toTuple()))
    window.menus.actions["reset_layout"].trigger()
    settle()
    assert size is None or (window.width(), window.height()) == size
    for name in shown(window):
        panel = window.panels[name]
        assert panel.view.width() > 150
        assert panel.view.height() > 80
        assert window.rect().contains(panel.mapTo(window, QPoint(panel.width(), panel.height())) - QPoint(1, 1))


@pytest.mark.parametrize("text", ["three\nlines\nhere", "one line"])
def test_the_window_makes_room_for_the_sentence_before_it_is_painted(window, text):
    window.store.edit("sentence", "one\nand two" if "\n" not in text else "one")
    settle()
    before = window.sentence_bar.height()
    window.store.edit("sentence", text)
    at_once = window.sentence_bar.height(), [panel.geometry() for panel in window.panels.values()]
    assert at_once[0] != before
    settle()
    assert (window.sentence_bar.height(), [panel.geometry() for panel in window.panels.values()]) == at_once


def test_three_panels_in_a_row_are_whole_in_a_small_window(window):
    """A panel that cannot draw the family leaves its room to the two others."""
    window.store.edit("family", "distance_remap")
    window.resize(1024, 700)
    window.workspaces.choose("relations")
    window.workspaces.show_panel("seen", True)
    settle()
    for name in ("similarity", "pairs", "seen"):
        panel = window.panels[name]
        assert panel.visibleRegion().boundingRect() == panel.rect()
