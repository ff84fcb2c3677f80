"""The page of a step: text, prediction, answer, exercise, and a question."""

from collections.abc import Collection
from string import ascii_lowercase

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QPushButton, QScrollArea, QWidget

from posenc_core import Document
from posenc_core.story import (
    Call,
    Step,
    Value,
    choice_of,
    compute,
    edited,
    filled,
    is_near,
    shown_value,
    without_prediction,
)
from posenc_gui.docks.editors import FieldForm, make_editor
from posenc_gui.look import GAP, OUTER_MARGIN, Note, column_of, plain_tip, scrolling
from posenc_gui.story.drawing import values_of
from posenc_gui.story.ghost import Frame, Ghost, Line
from posenc_gui.story.predictions import AnswerEditor, CellEditor, DrawingEditor, answer_editor, number_words
from posenc_gui.story.prose import Prose, Section
from posenc_gui.story.stage import Stage

_TITLE_PX = 16


class LessonPage(QWidget):
    """Shows a step and receives its answers. ``revealed`` follows *Show*; ``derivationAsked`` has no arguments."""

    revealed = Signal()
    derivationAsked = Signal()

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self._stage = stage
        self._step: Step | None = None
        self._numbers: dict[str, Value] = {}
        self.is_revealed = False
        self._title, self._text = Prose(_TITLE_PX, semibold=True), Prose()
        self._prediction_editor, self._check_editor = AnswerEditor(""), AnswerEditor("")
        self._prediction = Section("Predict", self._prediction_editor)
        self._gap, self._refusal = Prose(), Note("error")
        self._derivation = QPushButton("Derivation")
        self._derivation.setToolTip(plain_tip("Hold the cell of this step and show its derivation"))
        self._derivation.clicked.connect(self._show_derivation)
        self._form, self._controls = FieldForm([]), frozenset[str]()
        self._attempt, self._check = Section("Try", self._form), Section("Check", self._check_editor)
        self._answer = Prose()
        self._new: QWidget = self._answer
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._scroll_to_new)
        self._shown_later = (self._gap, self._refusal, self._attempt, self._check, self._derivation)
        stage.store.documentChanged.connect(self._show_document)
        stage.store.editRefused.connect(self._show_refusal)
        content = QWidget()
        parts = (self._title, self._text, self._prediction, self._refusal, self._gap)
        column = column_of(content, *parts, self._attempt, self._check, self._answer, margin=OUTER_MARGIN)
        column.addWidget(self._derivation, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        self.area: QScrollArea = scrolling(content)
        column_of(self, self.area)

    def show_step(self, step: Step) -> None:
        """Show the step before its prediction; its start is on the stage already."""
        self._step, self.is_revealed = step, False
        document = step.start.document
        self._numbers = {name: compute(call, document) for name, call in (step.numbers or {}).items()}
        self._title.show_texts([self._filled(step.title)])
        self._text.show_texts([self._filled(text) for text in step.text])
        self._prediction_editor, self._check_editor = self._editor_of(step), answer_editor(step.check)
        self._check_editor.entered.connect(self.check)
        self._prediction.show_text(self._filled(step.predict.question))
        self._prediction.replace_editor(self._prediction_editor)
        self._attempt.show_text(self._filled(step.attempt))
        self._check.show_text(self._filled(step.check.question))
        self._check.replace_editor(self._check_editor)
        self._answer.show_texts([])
        self._show_controls(())
        for part in self._shown_later:
            part.hide()
        self.mark()
        self.area.verticalScrollBar().setValue(0)

    def mark(self) -> None:
        """Show the prediction in the panel, and after *Show* its ghost."""
        step, editor = self._step, self._prediction_editor
        if step is None:
            return
        self._stage.cover(() if self.is_revealed else step.predict.covers)
        self._stage.show_ghost(step.predict.panel, self._ghost(step, editor))

    def _ghost(self, step: Step, editor: AnswerEditor) -> Ghost:
        predict = step.predict
        if isinstance(editor, DrawingEditor):
            drawn = Ghost(line=editor.drawn, column=self._column(step))
            if self.is_revealed:
                return replace(drawn, words="you drew" if editor.drawn else "")
            return replace(drawn, frame=self._frame(step), pen=editor.pen)
        if not self.is_revealed:
            return Ghost(hides_labels=predict.hides_labels)
        line, column = _shown_line(predict.line, step.start.document)
        words = "" if editor.given is None else f"expected: {editor.words}"
        return Ghost(words, editor.cell if isinstance(editor, CellEditor) else None, line, column)

    def reveal(self) -> None:
        """Apply the step's edit, and show the difference of the prediction from the computed answer."""
        step = self._step
        if step is None or self.is_revealed:
            return
        editor, predict = self._prediction_editor, step.predict
        try:
            answer = compute(predict.answer, self._stage.store.document)
            self._stage.show_fields(predict.reveal, f"show: {step.title}")
        except ValueError as error:
            self._refusal.show_sentence(f"This document has no answer: {error}. Take me back restores the step.")
            return
        self.is_revealed = True
        editor.end()
        self._stage.close_sheets()
        editor.hide()
        self._stage.show_all(predict.panel)
        if step.derivation is not None:
            self._stage.point(*step.derivation)
        self._refusal.show_sentence("")
        self._gap.show_texts([self._gap_words(step, editor, answer)])
        self._show_controls(step.controls)
        for part in (self._attempt, self._check):
            part.show()
        self._derivation.setVisible(step.derivation is not None)
        self.mark()
        self.revealed.emit()
        self._bring(self._gap)

    def check(self) -> None:
        """Show the computed answer for the present document, beside the given one."""
        step, editor = self._step, self._check_editor
        if step is None:
            return
        try:
            answer = compute(step.check.answer, self._stage.store.document)
        except ValueError as error:
            self._answer.show_texts([f"This document has no answer: {error}."])
            self._bring(self._answer)
            return
        told = f"{shown_value(answer)} {step.check.unit}".strip()
        if editor.given is None:
            self._answer.show_texts([f"It is {told}."])
        elif _is_right(editor.given, answer, step.check.tolerance, step.check.choices):
            self._answer.show_texts([f"It is {told}, as you said."])
        else:
            self._answer.show_texts([f"It is {told}; you said {editor.words}."])
        self._bring(self._answer)

    def _show_controls(self, names: Collection[str]) -> None:
        """Show editors of the document's fields of these names, at the text of the exercise."""
        fields = {field.name: field for field in self._stage.store.document.fields}
        self._form = FieldForm([make_editor(fields[name]) for name in names if name in fields], ascii_lowercase)
        self._form.setVisible(bool(names))
        self._form.fieldEdited.connect(self._stage.store.try_edit)
        self._attempt.replace_editor(self._form)
        self._controls = frozenset(names)
        self._show_document(self._stage.store.document)

    def _show_document(self, document: Document) -> None:
        has_fields = self._controls <= {field.name for field in document.fields}
        self._form.setEnabled(has_fields)
        if has_fields:
            self._form.show_document(document)

    def _show_refusal(self, name: str, value: object, sentence: str) -> None:
        self._form.show_refusal(name, value, sentence)

    def _bring(self, part: QWidget) -> None:
        """Scroll to a part that is new, once it has its place."""
        self._new = part
        self._soon.start()

    def _scroll_to_new(self) -> None:
        content = self.area.widget()
        assert content is not None
        top = self._new.mapTo(content, QPoint(0, 0)).y()
        self.area.ensureVisible(0, top + self._new.height(), 0, GAP)
        self.area.ensureVisible(0, top, 0, GAP)

    def _editor_of(self, step: Step) -> AnswerEditor:
        predict = step.predict
        if predict.kind != "drawing":
            editor = answer_editor(predict)
            if isinstance(editor, CellEditor):
                self._stage.reach(predict.panel).cursorMoved.connect(editor.point)
        else:
            frame = self._frame(step)
            editor = answer_editor(predict, self._column(step), frame)
            sheet = self._stage.drawing_sheet(predict.panel)
            if sheet is not None and isinstance(editor, DrawingEditor):
                self._stage.show_all(predict.panel)
                sheet.open_sheet(frame)
                sheet.drawn.connect(editor.draw)
        editor.changed.connect(self.mark)
        editor.entered.connect(self.reveal)
        return editor

    def _frame(self, step: Step) -> Frame:
        """Ranges of a drawing: the positions of the answer, and the values of the table over them."""
        curve = _curve(step.predict.answer, step.start.document)
        arguments = step.predict.answer.arguments
        document = edited(edited(step.start.document, arguments.get("edits", {})), dict(step.predict.reveal))
        low, high = document.encoding.range_over(0, len(curve))
        return Frame((0, len(curve) - 1), (low, high) if low < high else (low - 1, high + 1))

    def _column(self, step: Step) -> int:
        """The column of a drawing."""
        column = step.predict.answer.arguments.get("column", 0)
        return column if isinstance(column, int) else 0

    def _gap_words(self, step: Step, editor: AnswerEditor, answer: Value) -> str:
        """The sentence on the prediction; only the computed answer without a prediction."""
        values = {"answer": answer} if editor.given is None else {"answer": answer, "prediction": editor.given}
        if isinstance(editor, DrawingEditor):
            return f"{_drawn_words(editor.drawn, answer)} {self._filled(step.gap, values)}".strip()
        gap = without_prediction(step.gap) if editor.given is None else step.gap
        return self._filled(gap, values)

    def _filled(self, text: str, more: dict[str, Value] | None = None) -> str:
        return filled(text, self._numbers | (more or {}))

    def _show_derivation(self) -> None:
        if self._step is not None and self._step.derivation is not None:
            self._stage.point(*self._step.derivation)
            self.derivationAsked.emit()


def _curve(answer: Call, document: Document) -> tuple[float, ...]:
    values = compute(answer, document)
    return values if isinstance(values, tuple) else ()


def _shown_line(call: Call | None, document: Document) -> tuple[Line, int]:
    """The line that *Show* draws, and its column; no line for no call."""
    if call is None:
        return (), 0
    column = call.arguments.get("column", 0)
    return tuple(enumerate(_curve(call, document))), column if isinstance(column, int) else 0


def _drawn_words(line: Line, answer: Value) -> str:
    """The position at which the line is farthest from the curve, and both numbers; empty without a line."""
    if not line or not isinstance(answer, tuple):
        return ""
    drawn, curve = values_of(line, range(len(answer))), np.array(answer)
    if np.isnan(drawn).all():
        return ""
    place = int(np.nanargmax(np.abs(drawn - curve)))
    there, computed = number_words(float(drawn[place])), number_words(answer[place])
    return f"Your line is farthest from the curve at position {place}: you drew {there}; it is {computed}."


def _is_right(given: Value, answer: Value, tolerance: float, choices: tuple[str, ...]) -> bool:
    if choices:
        return shown_value(given) == choices[choice_of(answer, choices)]
    is_number = isinstance(given, int | float) and isinstance(answer, int | float)
    return is_number and is_near(float(given), float(answer), tolerance)  # type: ignore[arg-type]
