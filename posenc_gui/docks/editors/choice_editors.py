"""Editors of named choices, one or several, and of truth values."""

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QAction, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QMenu,
    QPushButton,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)
from typing_extensions import override

from posenc_core.fields import ChoiceField, ChoicesField, FlagField
from posenc_gui.docks.editors.editor_base import ARROWS, FieldEditor, WheelWithFocus
from posenc_gui.look import HIT_PX, plain_tip

_NARROWEST = 64
"""Pixels; Qt's own minimum is wider than a dock beside a scroll bar."""

_ROOM = 4
"""Pixels of the closed box's text field beside its text."""


class ChoiceBox(WheelWithFocus, QComboBox):
    """A combo box whose list explains each value, and which shows only the value while it is closed.

    The explanations would make the box, and with it the dock, as wide as the longest of them.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setMinimumWidth(_NARROWEST)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def add_choice(self, value: str, shown: str, explanation: str) -> None:
        """Add a value with its words for the closed box and its explanation for the list."""
        self.addItem(f"{shown} — {explanation}" if explanation else shown, (value, shown))
        self.setItemData(self.count() - 1, plain_tip(explanation or shown), Qt.ItemDataRole.ToolTipRole)

    def needed_width(self) -> int:
        """The width in pixels at which no choice is cut off in the closed box."""
        shown = (self.itemData(index)[1] for index in range(self.count()))
        widest = max(map(self.fontMetrics().horizontalAdvance, shown), default=0)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        return widest + _ROOM + self.width() - room.width()

    def value(self) -> str:
        """The chosen value."""
        return str(self.currentData()[0])

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        shown = self.currentData()[1] if self.currentData() else ""
        option.currentText = option.fontMetrics.elidedText(shown, Qt.TextElideMode.ElideRight, room.width() - _ROOM)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    @override
    def showPopup(self) -> None:
        view = self.view()
        view.setMinimumWidth(view.sizeHintForColumn(0) + 2 * view.frameWidth() + 24)
        super().showPopup()


class ChoiceEditor(FieldEditor):
    """A combo box with the field's choices."""

    KEYS = ARROWS | {Qt.Key.Key_Space}
    field: ChoiceField

    def __init__(self, field: ChoiceField, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._combo = ChoiceBox(self)
        for (value, explanation), title in zip(field.choices, field.titles or field.values, strict=True):
            self._combo.add_choice(value, title, "" if explanation == title else explanation)
        self._box.addWidget(self._combo)
        self._take_control(self._combo)
        # Sent only for a choice of the user, with the wheel and the keys too.
        self._combo.activated.connect(self._choose)

    @override
    def needed_width(self) -> int:
        return self._combo.needed_width()

    def _write(self, value: str | int) -> None:
        with QSignalBlocker(self._combo):
            self._combo.setCurrentIndex(self.field.values.index(self.field.format(value)))
        self._combo.update()

    def _choose(self) -> None:
        self._report(self.field.parse(self._combo.value()))


class LastingMenu(QMenu):
    """A menu that stays open while its check boxes are clicked."""

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.actionAt(event.position().toPoint())
        if action is not None and action.isCheckable():
            action.trigger()
        else:
            super().mouseReleaseEvent(event)


class ChoicesEditor(FieldEditor):
    """A button that says how many of the field's choices are ticked, with a menu to tick them."""

    KEYS = frozenset({Qt.Key.Key_Space})
    field: ChoicesField

    def __init__(self, field: ChoicesField, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._button = QPushButton(self)
        self._button.setAutoDefault(False)
        self._menu = LastingMenu(self._button)
        self._button.setMenu(self._menu)
        self._actions: dict[str, QAction] = {}
        for value, explanation in field.choices:
            action = self._actions[value] = self._menu.addAction(explanation)
            action.setCheckable(True)
            action.triggered.connect(self._choose)
        self._box.addWidget(self._button)
        self._take_control(self._button)

    def _write(self, value: tuple[str, ...]) -> None:
        for each, action in self._actions.items():
            action.setChecked(each in value)
        self._button.setText(f"{len(value)} of {len(self._actions)}")

    def _choose(self) -> None:
        self._report(tuple(value for value, action in self._actions.items() if action.isChecked()))


class FlagEditor(FieldEditor):
    """A check box, which is its own label."""

    KEYS = frozenset({Qt.Key.Key_Space})
    field: FlagField

    def __init__(self, field: FlagField, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._check = QCheckBox(field.label, self)
        self._check.setMinimumHeight(HIT_PX)
        self._box.addWidget(self._check)
        self._take_control(self._check)
        self.label.clear()
        self._check.clicked.connect(self._report)

    def show_label(self, text: str) -> None:
        """Label the check box."""
        self._check.setText(text)

    def _write(self, value: bool) -> None:
        self._check.setChecked(value)
