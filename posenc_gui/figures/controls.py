"""Parts of a panel beside its figure: the card below all, switches, and the need of the figure."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QSpinBox, QToolButton, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_core.session import FAMILY, LETTERS, with_variant
from posenc_gui.figures.viewport import Choice, Switch
from posenc_gui.look import (
    GAP,
    HIT_PX,
    FitsText,
    Invitation,
    Style,
    checked_palette,
    counted,
    dress,
    paint_card,
    plain_tip,
    present_style,
    row_of,
    unchecked_palette,
)
from posenc_gui.model import Need

_SWITCH_PX = 24
_PADDING = 10
_GROUP_GAP = 8
_CORNER = 6.0
_LEAST_PX = (130, 150)
_AROUND_BUTTON = 32
_SUGGESTED = ("B is a suggestion.", "Suggested.")
SMALL_PX = 11
"""The letters of switches, in logical pixels before the text's scale."""


class Card(QWidget):
    """A widget with round corners that accepts the keyboard focus; its border has another colour with the focus."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        style = present_style()
        paint_card(self, style.accent if self.hasFocus() else style.border, style.paper, _CORNER)

    @override
    def mousePressEvent(self, event: object) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()


class NeedInvitation(Invitation):
    """States what a document lacks, with a button that adds the missing part.

    ``fieldEdited`` carries the family's field, the family, and no gesture; ``encodingsEdited`` the new
    encodings, the index of the chosen one, and the text of the undo step.
    """

    fieldEdited = Signal(str, object, object)
    encodingsEdited = Signal(object, int, str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("", "", "", parent)
        self._need, self._document, self._is_beside = Need("", ""), Document.initial(), False
        self.button.clicked.connect(self._meet)
        self.hide()

    def show_need(self, need: Need, document: Document, is_beside: bool = False) -> None:
        """Say that the document lacks this, alone or in a line below a picture with a suggestion."""
        self._need, self._document = need, document
        tip = f"Choose the family {need.family}" if need.family else "Add a second encoding to compare"
        tip = f"Set {need.edit[0]} to {need.edit[1]}" if need.edit else tip
        self.show_words(need.sentence, need.words, tip)
        self.lie_down(is_beside)
        self._is_beside = is_beside
        self._fit_words()

    def _fit_words(self) -> None:
        """Say beside a picture that it is a suggestion, in one line."""
        if self._is_beside:
            room, metrics = self.width() - self.button.sizeHint().width() - 2 * GAP, self.note.fontMetrics()
            longer = f"{self._need.sentence} {_SUGGESTED[0]}", *_SUGGESTED[:-1]
            fitting = (text for text in longer if metrics.horizontalAdvance(text) <= room)
            self.note.show_sentence(next(fitting, _SUGGESTED[-1]))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_words()

    def least_size(self, style: Style) -> tuple[int, int]:
        """Least width and height in pixels of a panel that can draw nothing now, which has room for the button."""
        across, down = _LEAST_PX
        return max(round(across * max(1.0, style.text_scale)), self.button.sizeHint().width() + _AROUND_BUTTON), down

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


class SwitchBar(FitsText, QWidget):
    """The switches of a figure as buttons side by side, the switches below each other where they are ``stacked``.

    ``chosen`` carries the name of a switch and the chosen value, a str, or an int for the number.
    """

    chosen = Signal(str, object)

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._shown: tuple[Switch, ...] = ()
        self._buttons: dict[tuple[str, str], QToolButton] = {}
        self._numbers: dict[str, QSpinBox] = {}
        self._groups = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._groups.setContentsMargins(0, 0, 0, 0)
        self._groups.setSpacing(_GROUP_GAP)
        self._rows: list[QWidget] = []
        self.hide()

    @override
    def fit_text(self) -> None:
        """Make everything as wide as its words."""
        for button in self._buttons.values():
            wide = button.fontMetrics().horizontalAdvance(button.text()) + _PADDING
            button.setFixedSize(max(HIT_PX, wide), _SWITCH_PX)
        for number in self._numbers.values():
            number.setFixedSize(number.sizeHint().width(), _SWITCH_PX)
        across = self._groups.direction() == QBoxLayout.Direction.LeftToRight
        self.setFixedWidth(self.width_across if across else max(map(self._width_of, self._rows), default=0))

    @property
    def width_across(self) -> int:
        """The width of all switches side by side."""
        return sum(map(self._width_of, self._rows)) + _GROUP_GAP * max(0, len(self._rows) - 1)

    def stack(self, is_stacked: bool) -> None:
        """Put the switches below each other, or side by side."""
        direction = QBoxLayout.Direction.TopToBottom if is_stacked else QBoxLayout.Direction.LeftToRight
        if direction != self._groups.direction():
            self._groups.setDirection(direction)
            self.fit_text()

    def _width_of(self, row: QWidget) -> int:
        widgets = (*self._buttons.values(), *self._numbers.values())
        return sum(widget.width() for widget in widgets if widget.parent() is row)

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
            dress(button, SMALL_PX, palette=checked_palette if button.isChecked() else unchecked_palette)

    def _build(self, switches: tuple[Switch, ...]) -> None:
        for row in self._rows:
            self._groups.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._buttons, self._numbers, self._rows = {}, {}, []
        for switch in switches:
            row = QWidget()
            side_by_side = row_of(holder=row, spacing=0)
            for choice in switch.choices:
                side_by_side.addWidget(self._button(switch, choice))
            if switch.number is not None:
                side_by_side.addWidget(self._number(switch))
            self._groups.addWidget(row, 0, Qt.AlignmentFlag.AlignLeft)
            self._rows.append(row)
        self._colour()
        self.fit_text()

    def _button(self, switch: Switch, choice: Choice) -> QToolButton:
        button = self._buttons[switch.name, choice.value] = QToolButton()
        button.setText(choice.text)
        button.setCheckable(True)
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
        number.setToolTip(plain_tip(f"0 to {counted(switch.largest)}"))
        number.valueChanged.connect(partial(self.chosen.emit, switch.name))
        return number

    def _choose(self, name: str, value: str) -> None:
        """A click on the checked choice leaves it checked."""
        for switch in self._shown:
            if switch.name == name:
                self._buttons[name, value].setChecked(value == switch.chosen)
        self.chosen.emit(name, value)


def _made_for(switch: Switch) -> tuple[str, tuple[Choice, ...], bool, int]:
    """Values of the buttons of a switch."""
    return switch.name, switch.choices, switch.number is not None, switch.largest
