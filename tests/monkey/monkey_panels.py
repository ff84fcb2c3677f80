"""Random actions on the editors and switches in the headers of panels."""

from random import Random
from typing import Any

from monkey_values import any_value
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from posenc_core import View
from posenc_gui.docks.editors.editor_base import FieldEditor
from posenc_gui.figures.controls import SwitchBar
from posenc_gui.figures.panel_controls import PanelControls

FIELDS = {field.name: field for field in View.FIELDS}
BAD = ("", "none", "x", "-1", "0", "1e400", "nan", "1, 2, x", "9" * 30, "１２", "1,5", "0x10", " 7 ", "−3")
"""Texts that most fields refuse, and some take."""

_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


def use_panel_editor(owner: Any, rng: Random) -> None:
    """Something in an editor or a switch of a panel on the screen, as a hand would; a wrong value is a sentence."""
    controls = _controls(owner)
    if not controls:
        owner.window.workspaces.choose(rng.choice(owner.window.workspaces.offered))
        return
    control = rng.choice(controls)
    before = owner.window.store.document.view
    if isinstance(control, QComboBox | QAbstractSlider):
        QTest.keyClick(control, rng.choice(_KEYS))
    elif isinstance(control, QCheckBox | QToolButton):
        control.click()
    elif isinstance(control, QPushButton):
        rng.choice(control.menu().actions()).trigger()
    else:
        _type(control, _text(control, rng), rng)
    after = owner.window.store.document.view
    for name, field in FIELDS.items():
        value = getattr(after, name)
        if value != getattr(before, name) and field.check(value) != value:
            raise AssertionError(f"{name} became {value!r}, which it does not allow")


def _controls(owner: Any) -> list[QWidget]:
    """Usable controls in the headers of the shown panels."""
    bars = (PanelControls, SwitchBar)
    kinds = QLineEdit | QComboBox | QCheckBox | QAbstractSlider | QPlainTextEdit | QPushButton | QToolButton
    rooms = [
        bar
        for name in owner.window.workspaces.seen
        for kind in bars
        for bar in owner.window.panels[name].findChildren(kind)
        if bar.isVisible()
    ]
    found = [each for room in rooms for each in room.findChildren(QWidget) if isinstance(each, kinds)]
    return [each for each in found if each.isVisible() and each.isEnabled()]


def _text(control: QWidget, rng: Random) -> str:
    """A value of the editor's field as it is written, or something that is none."""
    editor = control.parentWidget()
    while editor is not None and not isinstance(editor, FieldEditor):
        editor = editor.parentWidget()
    if editor is None or rng.random() < 0.4:
        return rng.choice(BAD)
    value = any_value(editor.field, rng)
    try:
        return str(editor.field.format(editor.field.check(value)))
    except (TypeError, ValueError):
        return str(value)


def _type(control: QWidget, text: str, rng: Random) -> None:
    """Replace the text of a line or a box."""
    control.setFocus(Qt.FocusReason.MouseFocusReason)
    if isinstance(control, QAbstractSpinBox | QLineEdit | QPlainTextEdit):
        control.selectAll()
    QTest.keyClick(control, Qt.Key.Key_Delete)
    if isinstance(control, QPlainTextEdit):
        control.insertPlainText(text)
    else:
        control.insert(text)
    QTest.keyClick(control, rng.choice((Qt.Key.Key_Return, Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab)))
