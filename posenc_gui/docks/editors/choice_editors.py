"""Editors of named choices, one or several, and of truth values."""

from collections.abc import Sequence
from typing import ClassVar

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QMouseEvent, QPaintEvent, QStandardItemModel
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
    """A combo box whose list explains each value; closed, it shows only the value.

    The explanations would make the box, and with it the dock, as wide as the longest of them. ``opening`` is emitted
    before the list is shown.
    """

    opening = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setMinimumWidth(_NARROWEST)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def offer(self, choices: Sequence[tuple[str, str, str, str]]) -> None:
        """Offer these values, each with its words for the closed box, its explanation for the list, and its heading.

        Values of one heading are below it, in the order of the first value of each.
        """
        self.clear()
        headings = list(dict.fromkeys(heading for _, _, _, heading in choices))
        begun = ""
        for value, shown, explanation, heading in sorted(choices, key=lambda each: headings.index(each[3])):
            if heading != begun:
                self._add_heading(heading)
                begun = heading
            self.addItem(_row_words(shown, explanation), (value, shown))
            self.setItemData(self.count() - 1, plain_tip(explanation or shown), Qt.ItemDataRole.ToolTipRole)

    def _add_heading(self, heading: str) -> None:
        """Add a row that cannot be chosen."""
        self.addItem(heading)
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        model.item(self.count() - 1).setEnabled(False)

    def show_value(self, value: str) -> None:
        """Show this value as the chosen one."""
        rows = (self.itemData(index) for index in range(self.count()))
        self.setCurrentIndex(next(index for index, row in enumerate(rows) if row is not None and row[0] == value))

    def needed_width(self) -> int:
        """The width in pixels at which no choice is cut off in the closed box."""
        rows = (self.itemData(index) for index in range(self.count()))
        widest = max((self.fontMetrics().horizontalAdvance(row[1]) for row in rows if row is not None), default=0)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        return widest + 1 + _ROOM + self.width() - room.width()  # advances are rounded

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
        self.opening.emit()
        view = self.view()
        view.setMinimumWidth(view.sizeHintForColumn(0) + 2 * view.frameWidth() + 24)
        super().showPopup()


class ChoiceEditor(FieldEditor):
    """A combo box with the choices that the field has when the box is opened or shows another value."""

    KEYS = ARROWS | {Qt.Key.Key_Space}
    BOX: ClassVar[type[ChoiceBox]] = ChoiceBox
    field: ChoiceField

    def __init__(self, field: ChoiceField, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._combo = self.BOX(self)
        self._offered: tuple[tuple[str, str, str, str], ...] = ()
        self._combo.opening.connect(self._show_choice)
        self._take_control(self._combo)
        # Sent only for a choice of the user, also with the wheel and the keys.
        self._combo.activated.connect(self._choose)

    @override
    def needed_width(self) -> int:
        return self._combo.needed_width()

    def _write(self, value: str | int) -> None:
        self._value = self.field.format(value)
        self._show_choice()

    def _show_choice(self) -> None:
        """Offer the field's choices, of which there may be more than before, and show the value."""
        field = self.field
        named = zip(field.choices, field.titles or field.values, strict=True)
        headings = field.headings or ("",) * len(field.choices)
        offered = tuple(
            (value, title, "" if told == title else told, heading)
            for ((value, told), title), heading in zip(named, headings, strict=True)
        )
        before, self._offered = (self._offered, self._combo.currentIndex()), offered
        with QSignalBlocker(self._combo):
            if offered != before[0]:
                self._combo.offer(offered)
            self._combo.show_value(self._value)
        if (offered, self._combo.currentIndex()) != before:
            self._combo.update()

    def _choose(self) -> None:
        self._report(self.field.parse(self._combo.value()))


def _row_words(shown: str, explanation: str) -> str:
    """The words of a row, whose explanation may begin with them."""
    return explanation if explanation.startswith(shown) else f"{shown} — {explanation}" if explanation else shown


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
    """A button with the number of ticked choices of the field, and a menu to tick them."""

    KEYS = frozenset({Qt.Key.Key_Space})
    field: ChoicesField

    def __init__(self, field: ChoicesField, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._button = QPushButton(self, autoDefault=False)
        self._menu = LastingMenu(self._button)
        self._button.setMenu(self._menu)
        self._menu.aboutToShow.connect(self._show_choices)
        self._actions: dict[str, QAction] = {}
        self._take_control(self._button)

    @override
    def needed_width(self) -> int:
        return self._button.sizeHint().width()

    def _write(self, value: tuple[str, ...]) -> None:
        self._values = value
        self._show_choices()

    def _show_choices(self) -> None:
        """Offer the field's choices, of which there may be more than before, and tick the values."""
        if self.field.values != tuple(self._actions):
            self._menu.clear()
            self._actions = {value: self._menu.addAction(told) for value, told in self.field.choices}
            for action in self._actions.values():
                action.setCheckable(True)
                action.triggered.connect(self._choose)
        for each, action in self._actions.items():
            action.setChecked(each in self._values)
        self._button.setText(f"{len(self._values)} of {len(self._actions)}")

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
        self._take_control(self._check)
        self.label.clear()
        self._check.clicked.connect(self._report)

    def show_label(self, text: str) -> None:
        """Label the check box."""
        self._check.setText(text)

    def _write(self, value: bool) -> None:
        self._check.setChecked(value)
