"""What a person does in the window and sees of it: controls by the names they are read aloud by."""

import numpy as np
from pixels import pixels_of, settle
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget


def control(window: QWidget, name: str) -> QWidget:
    """The one visible control with this accessible name."""
    (found,) = [
        widget
        for widget in window.findChildren(QWidget)
        if widget.accessibleName() == name and widget.isVisibleTo(window)
    ]
    return found


def sentence_edit(window) -> QWidget:
    return control(window, "sentence")


def type_number(window, name: str, text: str) -> None:
    """Replace what stands in a field and press Enter."""
    line = control(window, name)
    line.setFocus(Qt.FocusReason.MouseFocusReason)
    line.selectAll()
    QTest.keyClick(line, Qt.Key.Key_Delete)
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)
    settle()


def words(window) -> list[str]:
    """The text of every visible label."""
    return [label.text().replace("\u200b", "") for label in window.findChildren(QLabel) if label.isVisible()]


def says(window, part: str) -> bool:
    """Whether any visible label says this."""
    return any(part in text for text in words(window))


def pictures(window) -> dict[str, np.ndarray]:
    """What each panel's figure looks like."""
    return {name: pixels_of(panel.view) for name, panel in window.panels.items()}


def changed(before: dict[str, np.ndarray], after: dict[str, np.ndarray]) -> set[str]:
    """The panels whose picture is another."""
    return {
        name for name, picture in before.items() if picture.shape != after[name].shape or (picture != after[name]).any()
    }


def settled(qtbot, window) -> None:
    """Wait until the derivation of the cell is typeset, so that nothing changes by itself any more."""
    qtbot.waitUntil(lambda: all(view.is_typeset for view in _derivations(window)), timeout=5000)
    settle()


def _derivations(window):
    from posenc_gui.docks.derivation import RestingDerivation

    return [view for view in window.findChildren(RestingDerivation) if view.isVisible()]
