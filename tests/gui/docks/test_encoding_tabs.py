"""The tabs A to D of the encoding dock: actions on tabs change the document, and undo reverts the change."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QTabBar, QToolButton

from posenc_gui.docks.encoding_tabs import EncodingTabs

pytestmark = pytest.mark.one_window


@pytest.fixture
def tabs(window):
    window.show()
    return window.encoding_dock.findChild(EncodingTabs)


def bar(tabs) -> QTabBar:
    return tabs.findChild(QTabBar)


def press(tabs, name: str) -> None:
    (button,) = (each for each in tabs.findChildren(QToolButton) if each.accessibleName() == name)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def add(tabs) -> None:
    press(tabs, "compare with another encoding")


def choose(tabs, index: int) -> None:
    QTest.mouseClick(bar(tabs), Qt.MouseButton.LeftButton, pos=bar(tabs).tabRect(index).center())


def letters(tabs) -> str:
    return "".join(bar(tabs).tabText(index) for index in range(bar(tabs).count()))


def test_the_place_beside_the_tabs_is_explained_as_encodings_and_not_as_docks(tabs):
    assert bar(tabs).toolTip().startswith("The form below edits the chosen encoding")


def name_line(tabs) -> QLineEdit:
    return tabs.findChild(QLineEdit)


def test_one_encoding_is_a_and_has_no_name_to_edit(window, tabs):
    assert letters(tabs) == "A"
    assert not name_line(tabs).isVisible()


def test_a_copy_is_added_and_chosen_and_edited_alone(window, tabs):
    first = window.store.document.encoding
    add(tabs)
    assert letters(tabs) == "AB"
    assert [each.encoding for each in window.store.document.encodings] == [first, first]
    window.store.edit("base", 500.0)
    choose(tabs, 0)
    assert window.store.document.encoding == first
    choose(tabs, 1)
    assert window.store.document.value("base") == 500.0
    window.store.undo()
    window.store.undo()
    window.store.undo()
    window.store.undo()
    assert letters(tabs) == "A"
    assert window.store.document.encoding == first


def test_there_are_at_most_four(window, tabs):
    for _ in range(5):
        add(tabs)
    assert letters(tabs) == "ABCD"
    assert window.store.document.current == 3


def test_the_chosen_one_is_closed_and_the_next_takes_its_place(window, tabs):
    add(tabs)
    window.store.edit("base", 500.0)
    add(tabs)
    window.store.edit("base", 50.0)
    choose(tabs, 1)
    press(tabs, "close this encoding")
    assert letters(tabs) == "AB"
    assert window.store.document.value("base") == 50.0
    press(tabs, "close this encoding")
    assert (letters(tabs), window.store.document.value("base")) == ("A", 10000.0)
    assert window.store.history.undo_text == "close encoding B"


@pytest.mark.parametrize(("chosen", "bases", "chosen_then"), [
    (0, [500.0, 10000.0, 50.0], 1), (1, [500.0, 10000.0, 50.0], 0), (2, [50.0, 500.0, 10000.0], 0)
])  # fmt: skip
def test_the_chosen_one_takes_the_place_of_a_and_stays_chosen(window, tabs, chosen, bases, chosen_then):
    for base in (500.0, 50.0):
        add(tabs)
        window.store.edit("base", base)
    choose(tabs, chosen)
    before = window.store.document
    press(tabs, "exchange with A")
    after = window.store.document
    assert [each.encoding.base for each in after.encodings] == bases
    assert (after.current, after.encoding) == (chosen_then, before.encoding)
    assert bar(tabs).currentIndex() == chosen_then
    window.store.undo()
    assert window.store.document == before


def test_a_single_encoding_has_nothing_to_exchange(window, tabs):
    (button,) = (each for each in tabs.findChildren(QToolButton) if each.accessibleName() == "exchange with A")
    assert not button.isVisible()
    add(tabs)
    assert button.isVisible()


def test_a_name_is_typed_and_its_place_shows_where_an_encoding_comes_from(window, tabs):
    add(tabs)
    window.commands.open_preset("llama-3.1-8b")
    assert name_line(tabs).placeholderText() == "Llama 3.1 8B, Rotary (RoPE)"
    assert bar(tabs).tabToolTip(1).startswith("B: Llama 3.1 8B, Rotary (RoPE)\nThe form below edits the chosen")
    name_line(tabs).setFocus()
    QTest.keyClicks(name_line(tabs), "  mine")
    QTest.keyClick(name_line(tabs), Qt.Key.Key_Return)
    assert window.store.document.encodings[1].title == "mine"
    assert bar(tabs).tabToolTip(1).startswith("B: mine\n")
    window.store.edit("rope_theta", 77.0)
    assert window.store.document.encodings[1].source == ""
    assert name_line(tabs).text() == "mine"


def test_all_of_them_fit_into_the_dock(window, tabs):
    window.resize(1024, 700)
    for _ in range(3):
        add(tabs)
    window.grab()
    dock = window.encoding_dock
    for widget in (bar(tabs), *tabs.findChildren(QToolButton), name_line(tabs)):
        right = widget.mapTo(dock, widget.rect().topRight()).x()
        assert 0 < right < dock.width()
    assert bar(tabs).tabRect(3).right() < bar(tabs).width()


def test_the_name_of_the_only_encoding_that_is_left_can_be_taken_away(window, tabs):
    add(tabs)
    choose(tabs, 0)
    name_line(tabs).setText("kept")
    name_line(tabs).editingFinished.emit()
    choose(tabs, 1)
    press(tabs, "close this encoding")
    assert letters(tabs) == "A"
    assert name_line(tabs).isVisible()
    assert name_line(tabs).text() == "kept"
    name_line(tabs).clear()
    name_line(tabs).editingFinished.emit()
    assert window.store.document.encodings[0].name == ""
    assert not name_line(tabs).isVisible()


def test_an_unfinished_name_is_not_given_to_an_encoding_of_another_session(window, tabs):
    add(tabs)
    choose(tabs, 0)
    name_line(tabs).setText("unfinished")
    window.store.edit("d_model", 32)
    assert name_line(tabs).text() == ""
    choose(tabs, 1)
    assert [each.name for each in window.store.document.encodings] == ["", ""]
