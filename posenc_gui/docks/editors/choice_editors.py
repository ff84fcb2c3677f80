"""Editors of named choices and of truth values."""

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QStyle, QStyleOptionComboBox, QStylePainter, QWidget
from typing_extensions import override

from posenc_core.fields import ChoiceField, FlagField
from posenc_gui.docks.editors.editor_base import ARROWS, FieldEditor, WheelWithFocus
from posenc_gui.look.controls import HIT_PX
from posenc_gui.look.plain_text import plain_tip

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
