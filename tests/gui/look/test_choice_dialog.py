"""Choosing one of many rows: with the keyboard alone, with a filter, and with an empty list."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QTreeWidget

from posenc_gui.look.choice_dialog import ChoiceDialog

ROWS = [(f"h.{k}.attn.weight", f"{k + 1} × 64", "F32" if k % 2 else "BF16") for k in range(40)]


@pytest.fixture
def dialog(qtbot):
    dialog = ChoiceDialog("Open table", "Which?", ("tensor", "shape", "type"), ROWS)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitExposed(dialog)
    return dialog


def shown(dialog):
    view = dialog.findChild(QTreeWidget)
    items = [view.topLevelItem(number) for number in range(view.topLevelItemCount())]
    return [item.text(0) for item in items if not item.isHidden()]


def test_the_first_is_chosen_and_enter_takes_it(dialog):
    line = dialog.findChild(QLineEdit)
    assert dialog.focusWidget() is line
    assert dialog.chosen == 0
    QTest.keyClick(line, Qt.Key.Key_Down)
    QTest.keyClick(line, Qt.Key.Key_Down)
    assert dialog.chosen == 2
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert dialog.result() == QDialog.DialogCode.Accepted


def test_the_filter_keeps_rows_with_every_word(dialog):
    line = dialog.findChild(QLineEdit)
    QTest.keyClicks(line, "bf16 h.3")
    assert shown(dialog) == [f"h.{k}.attn.weight" for k in (30, 32, 34, 36, 38)]
    assert dialog.chosen == 30
    line.clear()
    assert len(shown(dialog)) == 40
    assert dialog.chosen == 30


def test_an_empty_list_cannot_be_accepted(dialog):
    line = dialog.findChild(QLineEdit)
    QTest.keyClicks(line, "no such tensor")
    assert dialog.chosen is None
    assert not dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Open).isEnabled()
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert dialog.isVisible()
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert dialog.result() == QDialog.DialogCode.Rejected


def test_a_short_list_needs_no_filter(qtbot):
    dialog = ChoiceDialog("Open model config", "Which?", ("layers",), [("full",), ("sliding",)])
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.findChild(QLineEdit).isVisible()
    assert isinstance(dialog.focusWidget(), QTreeWidget)
    QTest.keyClick(dialog.findChild(QTreeWidget), Qt.Key.Key_Down)
    assert dialog.chosen == 1
