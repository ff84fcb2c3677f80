"""What a panel has beside its figure: switches, or what the figure needs."""

from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QHBoxLayout, QSpinBox, QToolButton, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_core.session import FAMILY, LETTERS, with_variant
from posenc_gui.figures.viewport import Choice, Switch
from posenc_gui.look import Invitation, Style, dress, plain_tip
from posenc_gui.model import Need

_SWITCH_PX = 24
_PADDING = 14
_GROUP_GAP = 10
SMALL_PX = 11
"""The letters of switches, in logical pixels before the text's scale."""


class NeedInvitation(Invitation):
    """Says what a document lacks; the button brings it.

    ``fieldEdited`` carries the family's field, the family, and no gesture; ``encodingsEdited`` the encodings as they
    should be, the index of the chosen one, and what was done.
    """

    fieldEdited = Signal(str, object, object)
    encodingsEdited = Signal(object, int, str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("", "", "", parent)
        self._need, self._document = Need("", ""), Document()
        self.button.clicked.connect(self._meet)
        self.hide()

    def show_need(self, need: Need, document: Document) -> None:
        """Say that the document lacks this."""
        self._need, self._document = need, document
        tip = f"Choose the family {need.family}" if need.family else "Add a second encoding to compare"
        tip = f"Set {need.edit[0]} to {need.edit[1]}" if need.edit else tip
        self.show_words(need.sentence, need.words, tip)

    def _meet(self) -> None:
        need, listed, current = self._need, self._document.encodings, self._document.current
        if need.edit is not None:
            self.fieldEdited.emit(*need.edit, None)
        elif need.encoding is not None:
            index = current if need.index is None else need.index
            shown = self._document.with_encodings(listed, index).with_encoding(need.encoding)
            self.encodingsEdited.emit(shown.encodings, current, need.words)
        elif not need.family:
            letter = LETTERS[len(listed)]
            self.encodingsEdited.emit(with_variant(listed, current), len(listed), f"add encoding {letter}")
        elif need.index is None:
            self.fieldEdited.emit(FAMILY.name, need.family, None)
        else:
            changed = self._document.with_encodings(listed, need.index).edited(FAMILY.name, need.family)
            text = f"encoding {LETTERS[need.index]}: {FAMILY.name} → {need.family}"
            self.encodingsEdited.emit(changed.encodings, need.index, text)


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
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self.hide()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        """Make everything as wide as its words."""
        for button in self._buttons.values():
            button.setFixedSize(button.fontMetrics().horizontalAdvance(button.text()) + _PADDING, _SWITCH_PX)
        for number in self._numbers.values():
            digits = number.fontMetrics().horizontalAdvance("0" * len(str(number.maximum())))
            number.setFixedSize(digits + 2 * _PADDING, _SWITCH_PX)
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
        for button in self._buttons.values():
            dress(button, SMALL_PX, palette=_checked_palette if button.isChecked() else _unchecked_palette)

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
        self._colour()
        self._fit()

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
        dress(number, SMALL_PX, palette=Style.palette)
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


def _checked_palette(style: Style) -> QPalette:
    return _filled_palette(style, style.border, style.ink)


def _unchecked_palette(style: Style) -> QPalette:
    return _filled_palette(style, style.paper, style.muted)


def _filled_palette(style: Style, ground: str, ink: str) -> QPalette:
    palette = style.palette()
    palette.setColor(QPalette.ColorRole.Button, QColor(ground))
    palette.setColor(QPalette.ColorRole.ButtonText, QColor(ink))
    return palette


def _made_for(switch: Switch) -> tuple[str, tuple[Choice, ...], bool, int]:
    """What the buttons of a switch are made from."""
    return switch.name, switch.choices, switch.number is not None, switch.largest
