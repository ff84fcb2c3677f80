"""Editors of whole and real numbers, which take any text: a wrong one is explained, not swallowed."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QSizePolicy, QWidget
from typing_extensions import override

from posenc_core.fields import IntegerField, RealField
from posenc_gui.docks.editors.editor_base import FieldEditor, TextLine
from posenc_gui.docks.editors.log_slider import LogSlider
from posenc_gui.look.controls import GAP, control_palette
from posenc_gui.look.keys import ARROWS

_DIGITS, _FEWEST_DIGITS, _LINE_PADDING = 7, 5, 16
"""What the line beside a slider has room for, what it keeps in a narrow dock, and the pixels around that."""

_NARROWEST_SLIDER, _COMFORTABLE_SLIDER, _NARROWEST_SPIN_BOX = 32, 48, 64


class AnyTextSpinBox(QAbstractSpinBox):
    """A spin box in which anything can be typed; what a step does is up to whoever gets ``stepped``.

    QSpinBox refuses a letter and changes a number outside its bounds without a word, so that what one typed is
    gone and nothing says why.
    """

    stepped = Signal(int, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gesture = object()
        self._enabled_steps = QAbstractSpinBox.StepEnabledFlag.StepNone
        self.setLineEdit(TextLine(self))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def enable_steps(self, down: bool, up: bool) -> None:
        """Says which arrows lead anywhere."""
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

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._gesture = object()
        super().mousePressEvent(event)

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


class IntegerEditor(FieldEditor):
    """A spin box for a whole number: reports on Enter, on leaving and at each step."""

    KEYS = ARROWS
    field: IntegerField

    def __init__(self, field: IntegerField, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._spin = AnyTextSpinBox(self)
        self._box.addWidget(self._spin)
        self._take_control(self._spin)
        self._spin.setMinimumWidth(_NARROWEST_SPIN_BOX)
        self._spin.editingFinished.connect(self._finish)
        self._spin.stepped.connect(self._step)

    def _write(self, value: int) -> None:
        self._spin.lineEdit().setText(self.field.format(value))
        self._spin.enable_steps(value > self.field.minimum, value < self.field.maximum)

    def _is_unfinished(self) -> bool:
        return self._spin.text() != self.field.format(self._shown)

    def _finish(self) -> None:
        if self._is_unfinished() or self.is_wrong:
            self._report_text(self._spin.text())

    def _step(self, steps: int, gesture: object) -> None:
        """Goes to the next multiple of the step, from what is typed if that is a number, and not over the bounds."""
        try:
            start = self.field.parse(self._spin.text())
        except ValueError:
            start = self._shown
        size = self.field.step
        # From between two multiples the first step leads to the next one, and not past it.
        multiple = start // size + steps if steps > 0 else -(-start // size) + steps
        target = min(max(multiple * size, self.field.minimum), self.field.maximum)
        self._spin.lineEdit().setText(self.field.format(target))
        self._report(target, gesture)


class RealEditor(FieldEditor):
    """A line for the exact number and, where the field is logarithmic, a slider."""

    KEYS = ARROWS
    field: RealField

    def __init__(self, field: RealField, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._slider = LogSlider(field.slider, self) if field.logarithmic else None
        if self._slider is not None:
            self._box.addWidget(self._slider, 1)
            # The number comes first: the slider has what is left beside it, and goes where that is too little.
            self._slider.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            self._box.setSpacing(GAP // 2)
            self._slider.numberMoved.connect(self._slide)
        self._line = TextLine(self)
        self._box.addWidget(self._line, 0 if self._slider else 1)
        self._take_control(self._line)
        self._line.editingFinished.connect(self._finish)
        if self._slider is not None:
            self._slider.setToolTip(self._line.toolTip())
            self._slider.setAccessibleName(f"{self._line.accessibleName()} slider")
            self._slider.setAccessibleDescription(field.tool_tip)

    def _write(self, value: float) -> None:
        self._line.setText(self.field.format(value))
        self._line.setCursorPosition(0)
        if self._slider is not None:
            self._slider.show_number(value)

    def _is_unfinished(self) -> bool:
        return self._line.text() != self.field.format(self._shown)

    def _finish(self) -> None:
        if self._is_unfinished() or self.is_wrong:
            self._report_text(self._line.text())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _slide(self, number: float, gesture: object) -> None:
        self._line.setText(self.field.format(number))
        self._report(number, gesture)

    def _colour(self) -> None:
        super()._colour()
        if self._slider is not None:
            self._slider.setPalette(control_palette(self._style))
            self._share_room()

    def _share_room(self) -> None:
        """Gives the slider what the number leaves of the width, and hides it where that is too little."""
        if self._slider is None:
            return
        digit = self._line.fontMetrics().horizontalAdvance("0")
        least, most = (count * digit + _LINE_PADDING for count in (_FEWEST_DIGITS, _DIGITS))
        room = self.width() - self._box.spacing()
        has_slider = room - least >= _NARROWEST_SLIDER
        self._slider.setVisible(has_slider)
        self._line.setMinimumWidth(least)
        self._line.setMaximumWidth(
            min(max(room - _COMFORTABLE_SLIDER, least), most) if has_slider else max(room, least)
        )
