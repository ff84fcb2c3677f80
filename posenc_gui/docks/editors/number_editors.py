"""Editors of integers and real numbers; they accept any text, and explain mistakes in it."""

import math

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QValidator
from PySide6.QtWidgets import QAbstractSpinBox, QSizePolicy, QSlider, QWidget
from typing_extensions import override

from posenc_core.fields import IntegerField, RealField
from posenc_gui.docks.editors.editor_base import Gestures, TypedEditor, WheelWithFocus, name_for_readers
from posenc_gui.docks.editors.number_line import NumberLine
from posenc_gui.look import GAP, HIT_PX, FitsRoom, plain_tip

PER_DECADE = 100
"""Slider positions per decade; an integer, so that the powers of ten lie on positions."""

KEY_STEP = 5
SIGNIFICANT_DIGITS = 3

_NARROWEST_SLIDER, _NARROWEST_SPIN_BOX, _ARROWS, _ANY = 32, 64, 24, 16777215


class AnyTextSpinBox(Gestures, WheelWithFocus, QAbstractSpinBox):
    """A spin box that accepts any text; ``stepped`` carries the number of steps and the gesture.

    QSpinBox would discard letters and change numbers outside its bounds without an explanation.
    """

    stepped = Signal(int, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gesture = object()
        self._enabled_steps = QAbstractSpinBox.StepEnabledFlag.StepNone
        self.line = NumberLine(self)
        self.setLineEdit(self.line)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def enable_steps(self, down: bool, up: bool) -> None:
        """Enable the arrows down and up."""
        flag = QAbstractSpinBox.StepEnabledFlag
        self._enabled_steps = (flag.StepDownEnabled if down else flag.StepNone) | (
            flag.StepUpEnabled if up else flag.StepNone
        )
        self.update()

    @override
    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        return self._enabled_steps

    @override
    def stepBy(self, steps: int) -> None:
        self.stepped.emit(steps, self._gesture)

    @override
    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        return QValidator.State.Acceptable, text, position


class IntegerSlider(Gestures, WheelWithFocus, QSlider):
    """A horizontal slider over integers; ``numberMoved`` carries the one that the user moves to, and the gesture."""

    numberMoved = Signal(int, object)

    def __init__(self, ends: tuple[int, int], parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._gesture = object()
        self.setRange(*ends)
        # Not by the wheel, which would take the focus and change the value while the form is scrolled.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.actionTriggered.connect(self._report)

    def _report(self) -> None:
        """Send the number; Qt triggers slider actions only for the user's input."""
        self.numberMoved.emit(self.sliderPosition(), self._gesture)


class LogSlider(IntegerSlider):
    """A horizontal slider whose position is the logarithm of a number.

    ``numberMoved`` carries the number, rounded to three significant digits, and the gesture it belongs to: a drag, a
    held key or the turns of the wheel. It is sent only when the user moves the slider.
    """

    numberMoved = Signal(float, object)

    def __init__(self, ends: tuple[float, float], parent: QWidget | None = None) -> None:
        super().__init__((0, round(math.log10(ends[1] / ends[0]) * PER_DECADE)), parent)
        self._ends = ends
        self._reported: float | None = None
        self.setSingleStep(KEY_STEP)
        self.setPageStep(PER_DECADE)
        self.setMinimumHeight(HIT_PX)

    def show_number(self, number: float) -> None:
        """Move the slider to the number or to the nearer end, unless its position already represents the number."""
        if self._number() != number:
            nearest = min(max(number, self._ends[0]), self._ends[1])
            self.setValue(round(math.log10(nearest / self._ends[0]) * PER_DECADE))
        self._reported = number

    def _number(self) -> float:
        """The number at the slider's position."""
        if self.sliderPosition() == self.maximum():
            return self._ends[1]
        return float(f"{self._ends[0] * 10 ** (self.sliderPosition() / PER_DECADE):.{SIGNIFICANT_DIGITS}g}")

    @override
    def _report(self) -> None:
        number = self._number()
        if number != self._reported:
            self._reported = number
            self.numberMoved.emit(number, self._gesture)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._gesture = object()


class IntegerEditor(FitsRoom, TypedEditor):
    """A spin box for an integer, which also reports each step, and a slider if the field has one."""

    field: IntegerField

    def __init__(self, field: IntegerField, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._ends = field.minimum, field.maximum
        self._slider = None if field.slider is None else IntegerSlider(field.slider, self)
        self._spin = AnyTextSpinBox(self)
        self._take_control(self._spin)
        self._spin.line.show_tip(field.tool_tip)
        if self._slider is not None:
            self._box.insertWidget(0, self._slider, 1)
            self._box.setSpacing(GAP // 2)
            self._slider.setToolTip(plain_tip(field.tool_tip))
            self._slider.setAccessibleName(f"{self._spin.accessibleName()} slider")
            self._slider.setAccessibleDescription(field.tool_tip)
            self._slider.numberMoved.connect(self._slide)
        self._spin.editingFinished.connect(self._finish)
        self._spin.stepped.connect(self._step)

    @override
    def needed_width(self) -> int:
        return max(_NARROWEST_SPIN_BOX, self._spin.line.needed_width() + _ARROWS)

    @override
    def minimumSizeHint(self) -> QSize:
        """Less than the number needs: a form that becomes narrower puts the editor below its label."""
        return QSize(_NARROWEST_SPIN_BOX, super().minimumSizeHint().height())

    def _write(self, value: int) -> None:
        self._show_number(value)
        # The screen reader's interface of a spin box; in float64, as Qt's integers end at 2^31.
        first, last = self._ends
        for name, number in (("value", value), ("minimum", first), ("maximum", last)):
            self._spin.setProperty(name, float(number))
        self._spin.enable_steps(value > first, value < last)
        if self._slider is not None:
            self._slider.setValue(value)

    @override
    def show_ends(self, first: int, last: int) -> None:
        if self._ends != (first, last):
            self._ends = first, last
            if self._slider is not None:
                self._slider.setRange(first, last)
            self._write(self._shown)

    def _show_number(self, number: int) -> None:
        self._spin.line.show_number(self.field.format(number))
        self.fit_text()

    @override
    def fit_text(self) -> None:
        """Give the number its width, and the slider the rest if that is enough."""
        self._spin.setMinimumWidth(self.needed_width())
        if self._slider is not None:
            self._slider.setVisible(self.width() - self._box.spacing() - self.needed_width() >= _NARROWEST_SLIDER)

    def _typed(self) -> str:
        return self._spin.line.typed()

    def _slide(self, number: int, gesture: object) -> None:
        self._show_number(number)
        self._report(number, gesture)

    def _step(self, steps: int, gesture: object) -> None:
        """Go to the next multiple of the step, from the typed number if it is valid, and stay within the bounds."""
        try:
            start = self.field.parse(self._typed())
        except ValueError:
            start = self._shown
        size = self.field.step
        # Between two multiples the first step ends at the next multiple, not past it.
        multiple = start // size + steps if steps > 0 else -(-start // size) + steps
        target = min(max(multiple * size, self._ends[0]), self._ends[1])
        self._show_number(target)
        self._report(target, gesture)


class RealEditor(FitsRoom, TypedEditor):
    """A line for the exact number and, for a logarithmic field, a slider."""

    field: RealField

    def __init__(self, field: RealField, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._slider = LogSlider(field.slider, self) if field.logarithmic else None
        if self._slider is not None:
            self._box.addWidget(self._slider, 1)
            # The number has precedence: the slider has the rest of the width, and is hidden if that is too little.
            self._slider.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            self._box.setSpacing(GAP // 2)
            self._slider.numberMoved.connect(self._slide)
        self._line = NumberLine(self)
        self._take_control(self._line, 0 if self._slider else 1)
        self._line.show_tip(field.tool_tip)
        self._line.editingFinished.connect(self._finish)
        if self._slider is not None:
            self._slider.setToolTip(plain_tip(field.tool_tip))
            name_for_readers(self._slider, f"{self._line.accessibleName()} slider")
            self._slider.setAccessibleDescription(field.tool_tip)

    @override
    def needed_width(self) -> int:
        return self._line.needed_width()

    @override
    def wanted_width(self) -> int:
        if self._slider is None:
            return self.needed_width()
        return self._number_width() + self._slider_room

    @property
    def _slider_room(self) -> int:
        return self._box.spacing() + _NARROWEST_SLIDER

    def _number_width(self) -> int:
        """Room for all numbers of the slider: it would move under the mouse otherwise."""
        return max(map(self._line.width_of, (self._line.plain, *map(self.field.format, self.field.slider))))

    def _write(self, value: float) -> None:
        self._line.show_number(self.field.format(value))
        self.fit_text()
        if self._slider is not None:
            self._slider.show_number(value)

    def _typed(self) -> str:
        return self._line.typed()

    def _slide(self, number: float, gesture: object) -> None:
        self._line.show_number(self.field.format(number))
        self.fit_text()
        self._report(number, gesture)

    @override
    def fit_text(self) -> None:
        """Give the slider the width that the number leaves, or hide it if that is too little."""
        if self._slider is None:
            return
        width = self._number_width()
        has_slider = self.width() >= width + self._slider_room
        self._slider.setVisible(has_slider)
        self._line.setMinimumWidth(width if has_slider else 0)
        self._line.setMaximumWidth(width if has_slider else _ANY)
