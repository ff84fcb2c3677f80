"""Editors of texts, of optional values and of lists of numbers."""

from math import ceil
from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget
from typing_extensions import override

from posenc_core.fields import FactorsField, Field
from posenc_gui.docks.editors.editor_base import TextLine, TypedEditor, WheelWithFocus, leaves_to_window
from posenc_gui.docks.editors.number_line import NumberLine
from posenc_gui.look import FitsRoom, flatten_scroll_bars

MOST_LINES = 4

_NUMBERS_A_PARAGRAPH = 100
"""Qt lays out only the paragraphs in view, but each as a whole, which needs a second for 65,536 numbers."""

_MARGIN = 3
"""Pixels around the text of a box, as in a line edit."""

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class TextEditor(TypedEditor):
    """A line of text."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._line = TextLine(self)
        self._take_control(self._line)
        self._line.editingFinished.connect(self._finish)

    def _write(self, value: Any) -> None:
        self._line.setText(self._text_of(value))
        self._line.setCursorPosition(0)

    def _typed(self) -> str:
        return self._line.text()


class OptionalEditor(TypedEditor):
    """A line for a number, empty for None with the placeholder ``none``."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._line = NumberLine(self)
        self._take_control(self._line)
        self._line.show_tip(field.tool_tip)
        self._line.editingFinished.connect(self._finish)
        self.show_missing(field.format(None))

    @override
    def needed_width(self) -> int:
        return max(self._line.needed_width(), self._line.width_of(self._line.placeholderText()))

    def _write(self, value: Any) -> None:
        self._line.show_number(self._text_of(value))

    def _typed(self) -> str:
        return self._line.typed()

    @override
    def show_missing(self, text: str) -> None:
        self._line.setPlaceholderText(text)

    @override
    def _text_of(self, value: Any) -> str:
        return "" if value is None else self.field.format(value)


class NumbersBox(FitsRoom, WheelWithFocus, QPlainTextEdit):
    """A box of one to four lines for a wrapped list, which scrolls if it is longer.

    ``finished`` is sent on Enter and on leaving.
    """

    finished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(64)
        flatten_scroll_bars(self)
        self.document().setDocumentMargin(_MARGIN)
        self.document().documentLayout().documentSizeChanged.connect(self.fit_text)
        self.fit_text()

    @override
    def fit_text(self) -> None:
        """Fit the height to the number of lines, at most ``MOST_LINES``."""
        lines = min(max(1, round(self.document().size().height())), MOST_LINES)
        frame = 2 * (self.frameWidth() + _MARGIN)
        self.setFixedHeight(lines * ceil(QFontMetricsF(self.font()).lineSpacing()) + frame + 1)  # as Qt lays lines out

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER:
            self.finished.emit()
        else:
            super().keyPressEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.finished.emit()

    @override
    def event(self, event: QEvent) -> bool:
        return not leaves_to_window(event, self.document()) and super().event(event)


class NumbersEditor(TypedEditor):
    """A box with a list of numbers, with commas or blanks between them."""

    field: FactorsField

    def __init__(self, field: FactorsField, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._numbers = NumbersBox(self)
        self._numbers.setPlaceholderText("none")
        self._take_control(self._numbers)
        self._numbers.finished.connect(self._finish)

    def _write(self, value: tuple[float, ...]) -> None:
        with QSignalBlocker(self._numbers):
            self._numbers.setPlainText(self._text_of(value))

    @override
    def _text_of(self, value: tuple[float, ...]) -> str:
        firsts = range(0, len(value), _NUMBERS_A_PARAGRAPH)
        return ",\n".join(self.field.format(value[first : first + _NUMBERS_A_PARAGRAPH]) for first in firsts)

    def _typed(self) -> str:
        return self._numbers.toPlainText()
