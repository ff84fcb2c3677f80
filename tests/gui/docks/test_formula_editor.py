"""The formula in the Encoding dock: typed in a real window, with its parameters and its faults."""

import pytest
from families import formula
from pixels import settle
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QSlider, QWidget
from window_bench import control, type_number

from posenc_core import Document
from posenc_gui.look.controls import Note

pytestmark = pytest.mark.one_window


def named(window, name):
    return [w for w in window.findChildren(QWidget) if w.accessibleName() == name and w.isVisible()]


def sentences(window):
    return [note.sentence for note in window.findChildren(Note) if note.isVisible() and note.sentence]


@pytest.fixture
def shown(window):
    """The window with a typed formula."""
    window.store.replace(Document(encoding=formula("sin(p)", d_model=4)), "a formula")
    settle()
    return window


def typed_at_end(window, text):
    box = control(window, "formula")
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_End)
    QTest.keyClicks(box, text)
    settle()
    return box


def test_a_name_gets_an_editor_with_a_slider_while_one_types(shown):
    box = typed_at_end(shown, "*tau")
    assert shown.store.document.encoding.parameter == (("tau", 1.0),)
    assert control(shown, "formula") is box
    assert box.textCursor().position() == len("sin(p)*tau"), "the cursor stays where one types"
    assert isinstance(control(shown, "tau slider"), QSlider)
    type_number(shown, "tau", "2.5")
    assert shown.store.document.value("parameter tau") == 2.5
    typed_at_end(shown, "/tau")
    assert shown.store.document.value("parameter tau") == 2.5
    shown.store.edit("formula", "cos(p)")
    settle()
    assert not named(shown, "tau")
    assert box.toPlainText() == "cos(p)"


def test_a_fault_is_a_sentence_with_its_place_marked_and_the_picture_stays(shown):
    box = typed_at_end(shown, " + 2p")
    assert shown.store.document.encoding.formula == "sin(p) + 2"
    assert "formula: a sign is missing before p, such as *p" in sentences(shown)
    (mark,) = box.extraSelections()
    assert (mark.cursor.selectionStart(), mark.cursor.selectionEnd()) == (9, 11)
    QTest.keyClick(box, Qt.Key.Key_Backspace)
    assert not box.extraSelections()
    assert not [each for each in sentences(shown) if "sign is missing" in each]


def test_typing_is_one_step_of_undo(shown):
    before = shown.store.document
    typed_at_end(shown, "*exp(-p)")
    assert shown.store.document.encoding.formula == "sin(p)*exp(-p)"
    shown.store.undo()
    assert shown.store.document == before
    assert control(shown, "formula").toPlainText() == "sin(p)"


def test_the_second_formula_may_be_empty_and_goes_with_the_kind(shown):
    second = control(shown, "second")
    assert isinstance(second, QPlainTextEdit)
    QTest.keyClicks(second, "cos(p)")
    assert shown.store.document.encoding.formula_cos == "cos(p)"
    shown.store.edit("formula_kind", "angle")
    settle()
    assert not named(shown, "second")
    shown.store.edit("formula_kind", "bias")
    settle()
    assert control(shown, "formula").toPlainText() == "-n * 2^(-8*(h + 1)/H)"
    assert named(shown, "n_heads")
    assert not named(shown, "d_model")


def test_entries_that_are_shown_as_0_are_named(shown):
    shown.store.edit("formula", "1/p")
    settle()
    assert [each for each in sentences(shown) if "these entries are shown as 0" in each]


def test_a_name_that_may_become_a_functions_is_a_parameter_only_after_a_rest(qtbot, shown):
    box = typed_at_end(shown, "*si")
    assert shown.store.document.encoding.parameter == ()
    assert not named(shown, "si")
    QTest.keyClicks(box, "n(p)")
    settle()
    assert shown.store.document.encoding.formula == "sin(p)*sin(p)"
    typed_at_end(shown, "*a")
    qtbot.waitUntil(lambda: bool(named(shown, "a")))
    assert shown.store.document.encoding.parameter == (("a", 1.0),)
