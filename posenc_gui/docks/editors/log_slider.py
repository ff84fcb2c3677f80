"""A slider for numbers that span powers of ten."""

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QSlider, QWidget
from typing_extensions import override

PER_DECADE = 100
"""Positions from a number to its tenfold: a whole number, so that the powers of ten lie on positions."""

KEY_STEP = 5
SIGNIFICANT_DIGITS = 3


class LogSlider(QSlider):
    """A horizontal slider whose position is the logarithm of a number.

    ``numberMoved`` carries the number, rounded to three significant digits, and the gesture it belongs to: a drag, a
    held key or the turns of the wheel are one each. It is sent only when the person moves the slider.
    """

    numberMoved = Signal(float, object)

    def __init__(self, ends: tuple[float, float], parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._ends = ends
        self._gesture = object()
        self._reported: float | None = None
        self.setRange(0, round(math.log10(ends[1] / ends[0]) * PER_DECADE))
        self.setSingleStep(KEY_STEP)
        self.setPageStep(PER_DECADE)
        # Not by the wheel: it would take the focus, and then the value, while the form is scrolled.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.actionTriggered.connect(self._report)

    def show_number(self, number: float) -> None:
        """Moves the slider to the number, or to the end that is nearer; stays where it stands for it already."""
        if self._number() != number:
            nearest = min(max(number, self._ends[0]), self._ends[1])
            self.setValue(round(math.log10(nearest / self._ends[0]) * PER_DECADE))
        self._reported = number

    def _number(self) -> float:
        """The number at the slider's position."""
        if self.sliderPosition() == self.maximum():
            return self._ends[1]
        return float(f"{self._ends[0] * 10 ** (self.sliderPosition() / PER_DECADE):.{SIGNIFICANT_DIGITS}g}")

    def _report(self) -> None:
        """Sends the number; Qt triggers an action for what a person does, and for nothing else."""
        number = self._number()
        if number != self._reported:
            self._reported = number
            self.numberMoved.emit(number, self._gesture)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._gesture = object()
        super().mousePressEvent(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._gesture = object()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not event.isAutoRepeat():
            self._gesture = object()
        super().keyPressEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._gesture = object()
        super().focusOutEvent(event)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
