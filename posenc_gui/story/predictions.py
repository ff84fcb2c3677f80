"""Editors of predictions and answers: a choice, a number, a cell that is clicked, or a line that is drawn."""

import math
import re
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QLineEdit, QRadioButton, QVBoxLayout, QWidget
from typing_extensions import override

from posenc_core.fields import FiniteField
from posenc_core.story import Check, Prediction, Value, shown_value
from posenc_gui.look import GAP, HIT_PX, Note, PlainLabel, column_of, describe, row_of, significant
from posenc_gui.model import Cursor
from posenc_gui.panels import PANELS
from posenc_gui.story.drawing import Pen, values_of
from posenc_gui.story.ghost import Frame, Line
from posenc_gui.story.prose import Prose

_NUMBER = FiniteField(name="number", label="", help="", default=0.0, slider=(1.0, 1e6))
_LONGEST_NUMBER = 40
_PEN_STEPS = 20
"""Of the pen, from the smallest to the largest value, and at most from the first to the last position."""

_GROUPED = re.compile(r"[-−+]?\d{1,3}(,\d{3})+(\.\d*)?")
"""A number whose thousands are separated; a comma elsewhere may be a decimal one."""


class AnswerEditor(QWidget):
    """Editor of an answer. ``changed`` follows an answer or its refusal, ``entered`` the Enter key.

    ``given`` is the answer, None for none; ``words`` is its text.
    """

    changed = Signal()
    entered = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.given: Value | None = None
        self.refusal = Note("error", self)  # with a parent, as a note is shown at once
        self._column: QVBoxLayout = column_of(self, spacing=GAP // 2)

    @property
    def words(self) -> str:
        """The answer in words; empty for none."""
        return "" if self.given is None else shown_value(self.given)

    def end(self) -> None:
        """Accept no further answer."""
        self.setEnabled(False)

    def take(self, given: Value | None, refusal: str = "") -> None:
        """Accept an answer, or show in a sentence why it is refused."""
        self.given = given
        self.refusal.show_sentence(refusal)
        self.changed.emit()


class ChoiceEditor(AnswerEditor):
    """A radio button for each choice, whose text wraps beside it."""

    def __init__(self, name: str, choices: tuple[str, ...]) -> None:
        super().__init__(name)
        self._group = QButtonGroup(self)
        self._texts: list[Prose] = []
        for index, choice in enumerate(choices):
            button, text = QRadioButton(), Prose(parent=self)
            text.show_texts([choice])
            describe(button, text.plain_text, text.plain_text)
            button.setMinimumSize(HIT_PX, HIT_PX)
            text.setCursor(Qt.CursorShape.PointingHandCursor)
            text.installEventFilter(self)
            self._group.addButton(button, index)
            self._texts.append(text)
            row = row_of(spacing=0)
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(text, 1, Qt.AlignmentFlag.AlignVCenter)
            self._column.addLayout(row)
            button.clicked.connect(partial(self.take, choice))
        self._column.addWidget(self.refusal)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonRelease and watched in self._texts:
            self._group.button(self._texts.index(watched)).click()
        return super().eventFilter(watched, event)


class NumberEditor(AnswerEditor):
    """A line for a number, and its unit beside it."""

    def __init__(self, name: str, unit: str) -> None:
        super().__init__(name)
        self.line = QLineEdit(maxLength=_LONGEST_NUMBER)
        describe(self.line, name, f"A number{f' of {unit}' if unit else ''}, such as 62.8 or 1e-3")
        self.line.setMinimumHeight(HIT_PX)
        self.line.textChanged.connect(self._read)
        self.line.returnPressed.connect(self.entered)
        self._unit = PlainLabel(unit)
        self._unit.setWordWrap(True)
        row = row_of()
        row.addWidget(self.line, 2)
        row.addWidget(self._unit, 1 if unit else 0)
        self._column.addLayout(row)
        self._column.addWidget(self.refusal)

    @property
    @override
    def words(self) -> str:
        return "" if self.given is None else f"{super().words} {self._unit.text()}".strip()

    def _read(self, text: str) -> None:
        if not text.strip():
            self.take(None)
            return
        try:
            grouped = text.replace(",", "") if _GROUPED.fullmatch(text.strip()) else text
            self.take(_NUMBER.parse(grouped.replace("−", "-")))
        except ValueError as error:
            self.take(None, f"{str(error)[:1].upper()}{str(error)[1:]}.")


class CellEditor(AnswerEditor):
    """A prediction by a cell that is clicked in a panel, or held with the arrow keys."""

    def __init__(self, name: str, panel: str) -> None:
        super().__init__(name)
        self._invitation = Note("muted", self)
        self._ask = f"Click in the panel {PANELS[panel].title}."
        self._invitation.show_sentence(self._ask)
        self._column.addWidget(self._invitation)
        self._column.addWidget(self.refusal)

    @property
    def cell(self) -> tuple[int, int] | None:
        """The position and the column."""
        return None if self.given is None else (int(self.given[0]), int(self.given[1]))  # type: ignore[index]

    @property
    @override
    def words(self) -> str:
        return "" if self.cell is None else "position {}, column {}".format(*self.cell)

    def point(self, cursor: Cursor) -> None:
        """Answer with the cell that a click held."""
        if cursor.pinned and self.isEnabled():
            self.take((cursor.position, cursor.column))
            self._invitation.show_sentence("A click elsewhere changes your answer.")


class DrawingEditor(AnswerEditor):
    """A prediction by a line over the wave of a column, drawn with the mouse in the panel or with the pen's keys.

    ``drawn`` are its points (position, value).
    """

    def __init__(self, name: str, panel: str, column: int, frame: Frame) -> None:
        super().__init__(name)
        self.drawn: Line = ()
        self._column_asked, self._frame = column, frame
        self._place, self._value = frame.positions[0], sum(frame.values) / 2
        self._invitation = Note("muted", self)
        self._invitation.show_sentence(
            f"Draw in the frame in the panel {PANELS[panel].title}. Without a mouse: Tab moves to the pen, and the "
            "arrow keys draw."
        )
        self._pen = Pen()
        self._pen.show_place(self._place, self._value)
        self._pen.moved.connect(self._draw_on)
        self._pen.focused.connect(self.changed)
        self._column.addWidget(self._invitation)
        self._column.addWidget(self._pen, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addWidget(self.refusal)

    @override
    def end(self) -> None:
        super().end()
        self._invitation.hide()
        self._pen.hide()

    @property
    def pen(self) -> tuple[float, float] | None:
        """The point (position, value) where the keys draw; None while another widget has the focus."""
        return (self._place, self._value) if self._pen.hasFocus() else None

    @property
    @override
    def words(self) -> str:
        return "your line" if self.drawn else ""

    def draw(self, column: int, line: Line) -> None:
        """Answer with a line over the wave of a column."""
        if column != self._column_asked:
            self.drawn = ()
            self.take(None, f"This is the row of column {column}; draw in the row of column {self._column_asked}.")
            return
        self.drawn = line
        self._place, self._value = min(max(round(line[-1][0]), 0), self._frame.positions[1]), line[-1][1]
        self._pen.show_place(self._place, self._value)
        self.take(tuple(value for _, value in line))

    def _draw_on(self, right: int, up: int) -> None:
        """Move the pen within its frame, and draw; the pen follows an existing line."""
        (first, last), (low, high) = self._frame.positions, self._frame.values
        self._put_point()
        self._place = min(max(self._place + right * max((last - first) // _PEN_STEPS, 1), first), last)
        there = float(values_of(self.drawn, [self._place])[0])
        value = self._value if math.isnan(there) else there
        self._value = min(max(value + up * (high - low) / _PEN_STEPS, low), high)
        self._put_point()
        self._pen.show_place(self._place, self._value)
        self.take(tuple(value for _, value in self.drawn))

    def _put_point(self) -> None:
        others = [(x, y) for x, y in self.drawn if abs(x - self._place) >= 0.5]
        self.drawn = tuple(sorted([*others, (float(self._place), self._value)]))


def answer_editor(asked: Prediction | Check, column: int = 0, frame: Frame | None = None) -> AnswerEditor:
    """The editor for a prediction or a check; a drawing has a ``column`` and a ``frame``."""
    name = "answer" if isinstance(asked, Check) else "prediction"
    if asked.kind == "choice":
        return ChoiceEditor(name, asked.choices)
    if isinstance(asked, Prediction) and asked.kind == "click":
        return CellEditor(name, asked.panel)
    if isinstance(asked, Prediction) and frame is not None:
        return DrawingEditor(name, asked.panel, column, frame)
    return NumberEditor(name, asked.unit)


def number_words(value: float) -> str:
    """A number of a drawing in a sentence."""
    return significant(value, 3)
