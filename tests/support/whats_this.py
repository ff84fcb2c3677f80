"""The controls of a room, and what *What's this?* says of each."""

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QTabBar,
    QTextEdit,
    QWhatsThis,
    QWidget,
)
from window_bench import name_of

from posenc_gui.figures.figure_view import FigureView
from posenc_gui.look.controls import explained

_KINDS = (
    QAbstractButton,
    QComboBox,
    QLineEdit,
    QAbstractSpinBox,
    QAbstractSlider,
    QAbstractItemView,
    QTabBar,
    QTextEdit,
    QPlainTextEdit,
)
_PARTS_OF = (QAbstractSpinBox, QComboBox, QLineEdit, FigureView, QHeaderView, QTabBar)
"""Widgets whose parts need no explanation of their own."""


def controls(room: QWidget) -> Iterator[QWidget]:
    """Usable controls in the room: buttons, editors, lists, tabs, and all widgets that the keyboard reaches."""
    for widget in room.findChildren(QWidget):
        is_there = widget.isVisible() and widget.window() is room.window() and not widget.visibleRegion().isEmpty()
        is_used = isinstance(widget, _KINDS) or bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        is_part = isinstance(widget.parentWidget(), _PARTS_OF) or isinstance(widget, QScrollBar | QHeaderView)
        if is_there and is_used and not is_part:
            yield widget


def unexplained(room: QWidget) -> list[str]:
    """The controls of which *What's this?* says nothing, or only what is around them says it."""
    return [f"{type(each).__name__} {name_of(each)!r}" for each in controls(room) if not own_words(each)]


def own_words(control: QWidget) -> str:
    place = control.visibleRegion().boundingRect().center()
    if isinstance(control, QTabBar):
        words = [explained(control, control.tabRect(index).center()) for index in range(control.count())]
        return words[0] if all(words) else ""
    return explained(control, place)


def ask(window: QWidget, control: QWidget) -> bool:
    """Whether *What's this?* shows a text where the control is clicked."""
    place = control.mapTo(window, control.visibleRegion().boundingRect().center())
    event = QHelpEvent(QHelpEvent.Type.WhatsThis, place, window.mapToGlobal(place))
    QApplication.sendEvent(window, event)
    shown = [each for each in QApplication.topLevelWidgets() if each.inherits("QWhatsThat") and each.isVisible()]
    QWhatsThis.hideText()
    QTest.qWait(0)
    return bool(shown)
