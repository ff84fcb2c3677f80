"""A line for a number: digits are grouped while it rests, and plain while it is edited."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from posenc_gui.docks.editors.editor_base import TextLine
from posenc_gui.look import as_written, plain_tip

_PADDING = 16
"""Pixels around the text of a line."""


class NumberLine(TextLine):
    """A line that shows ``10,000,000`` or ``1e−16`` without the focus, and ``10000000`` or ``1e-16`` with it.

    Without the focus, a number that does not fit ends in ``…``; the tool tip then begins with the whole number.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plain, self._tip = "", ""

    def show_number(self, plain: str) -> None:
        """Show a number, given in its typed form; an empty text for none."""
        self.plain = plain
        self._write(plain if self.hasFocus() else self._resting())

    def show_tip(self, tip: str) -> None:
        """Explain the number in the tool tip, below the number itself if it does not fit."""
        self._tip = tip
        self._fit()

    def typed(self) -> str:
        """The text as it was typed; a number at rest as it would be."""
        return self.plain if self._is_at_rest() else self.text()

    def width_of(self, plain: str) -> int:
        """The width in pixels of a line that shows the whole number."""
        return self.fontMetrics().horizontalAdvance(as_written(plain)) + _PADDING

    def needed_width(self) -> int:
        """The width in pixels that the present number needs."""
        return self.width_of(self.plain)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        if self._is_at_rest():
            self._write(self.plain)
        super().focusInEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.text() == self.plain and event.reason() != Qt.FocusReason.PopupFocusReason:
            self._write(self._resting())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        was_at_rest = self._is_at_rest()
        super().resizeEvent(event)
        if was_at_rest and not self.hasFocus():
            self._write(self._resting())

    def _is_at_rest(self) -> bool:
        """Whether the text is the number's own, whole or cut."""
        text, whole = self.text(), as_written(self.plain)
        return text == whole or (text.endswith("…") and whole.startswith(text[:-1]))

    def _resting(self) -> str:
        """The number with grouped digits, cut if it does not fit."""
        room = self.width() - _PADDING + 4
        return self.fontMetrics().elidedText(as_written(self.plain), Qt.TextElideMode.ElideRight, room)

    def _write(self, text: str) -> None:
        self.setText(text)  # also for an equal text: this ends the undo history of the line
        self.setCursorPosition(0)
        self._fit()

    def _fit(self) -> None:
        """Begin the tool tip with the number if its end is cut."""
        is_cut = self.text().endswith("…")
        self.setToolTip(plain_tip(f"{as_written(self.plain)}\n{self._tip}" if is_cut else self._tip))
