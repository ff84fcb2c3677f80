"""Switches in a panel's header: choices between a few ways to show a figure."""

from functools import partial

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QSpinBox, QToolButton, QWidget

from posenc_gui.look.plain_text import plain_tip
from posenc_gui.look.style import Style

_HEIGHT = 24
_PADDING = 14
_GROUP_GAP = 10


class Choice(Struct, frozen=True):
    """A value of a switch, its word, and its tool tip."""

    value: str
    text: str
    tip: str


class Switch(Struct, frozen=True):
    """A choice that a figure offers. ``chosen`` is the value of the checked one, empty for none.

    ``number`` is the number, from 0 to ``largest``, that belongs to the last choice; None for no number.
    """

    name: str
    choices: tuple[Choice, ...]
    chosen: str
    number: int | None = None
    largest: int = 0


class SwitchBar(QWidget):
    """The switches of a figure as buttons side by side.

    ``chosen`` carries the name of a switch and the value that was chosen, a str, or an int for the number.
    """

    chosen = Signal(str, object)

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._shown: tuple[Switch, ...] = ()
        self._buttons: dict[tuple[str, str], QToolButton] = {}
        self._numbers: dict[str, QSpinBox] = {}
        self._style: Style | None = None
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self.hide()

    def show_style(self, style: Style) -> None:
        """Use the style's fonts and colours."""
        self._style = style
        for widget in (*self._buttons.values(), *self._numbers.values()):
            widget.setFont(style.font(11))
            widget.setPalette(style.palette())
        self._colour()
        for button in self._buttons.values():
            button.setFixedSize(button.fontMetrics().horizontalAdvance(button.text()) + _PADDING, _HEIGHT)
        for number in self._numbers.values():
            digits = number.fontMetrics().horizontalAdvance("0" * len(str(number.maximum())))
            number.setFixedSize(digits + 2 * _PADDING, _HEIGHT)
        gaps = _GROUP_GAP * max(0, len({name for name, _ in self._buttons}) - 1)
        self.setFixedWidth(gaps + sum(widget.width() for widget in (*self._buttons.values(), *self._numbers.values())))

    def show_switches(self, switches: tuple[Switch, ...]) -> None:
        """Show these switches; the same buttons stay as long as the choices are the same."""
        if switches == self._shown:
            return
        if [_made_for(switch) for switch in switches] != [_made_for(switch) for switch in self._shown]:
            self._build(switches)
        self._shown = switches
        for switch in switches:
            for choice in switch.choices:
                self._buttons[switch.name, choice.value].setChecked(choice.value == switch.chosen)
            number = self._numbers.get(switch.name)
            if number is not None and switch.number is not None:
                blocked = number.blockSignals(True)
                number.setValue(switch.number)
                number.blockSignals(blocked)
        self._colour()
        self.setVisible(bool(switches))

    def _colour(self) -> None:
        """Fill the checked buttons."""
        if self._style is None:
            return
        for button in self._buttons.values():
            palette, style = self._style.palette(), self._style
            palette.setColor(QPalette.ColorRole.Button, style.border if button.isChecked() else style.paper)
            palette.setColor(QPalette.ColorRole.ButtonText, style.ink if button.isChecked() else style.muted)
            button.setPalette(palette)

    def _build(self, switches: tuple[Switch, ...]) -> None:
        while (item := self._row.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._buttons, self._numbers = {}, {}
        for switch in switches:
            if self._buttons:
                self._row.addSpacing(_GROUP_GAP)
            for choice in switch.choices:
                self._row.addWidget(self._button(switch, choice))
            if switch.number is not None:
                self._row.addWidget(self._number(switch))
        if self._style is not None:
            self.show_style(self._style)

    def _button(self, switch: Switch, choice: Choice) -> QToolButton:
        button = self._buttons[switch.name, choice.value] = QToolButton()
        button.setText(choice.text)
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setToolTip(plain_tip(choice.tip))
        button.setAccessibleName(f"{self._title}: {choice.text}")
        button.clicked.connect(partial(self._choose, switch.name, choice.value))
        return button

    def _number(self, switch: Switch) -> QSpinBox:
        number = self._numbers[switch.name] = QSpinBox()
        number.setRange(0, switch.largest)
        number.setKeyboardTracking(False)
        number.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        number.setAccessibleName(f"{self._title}: number of {switch.choices[-1].text}")
        number.setToolTip(plain_tip(f"0 to {switch.largest}"))
        number.valueChanged.connect(partial(self.chosen.emit, switch.name))
        return number

    def _choose(self, name: str, value: str) -> None:
        """A click on the checked choice leaves it checked."""
        for switch in self._shown:
            if switch.name == name:
                self._buttons[name, value].setChecked(value == switch.chosen)
        self.chosen.emit(name, value)


def _made_for(switch: Switch) -> tuple[str, tuple[Choice, ...], bool, int]:
    """What the buttons of a switch are made from."""
    return switch.name, switch.choices, switch.number is not None, switch.largest
