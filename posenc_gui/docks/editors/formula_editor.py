"""An editor of formulas, which reads while one types and marks the place of a fault."""

import re

from PySide6.QtCore import QSignalBlocker, QTimer
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget
from typing_extensions import override

from posenc_core import encodings, formula
from posenc_gui.docks.editors.editor_base import TypedEditor
from posenc_gui.docks.editors.text_editors import NumbersBox
from posenc_gui.look import present_style

_REST_MS = 500
"""A name that may become a function's is read as a parameter after this time without typing."""

_NAME = re.compile(r"[A-Za-z_]\w*$")

_DIGITS_BESIDE_LABEL = 24
"""Width of a formula beside its label; in a narrower dock the formula is below."""


class FormulaEditor(TypedEditor):
    """A box with a formula. Each valid formula is reported; typing until the box loses the focus is one gesture."""

    field: "encodings.FormulaField"

    def __init__(self, field: "encodings.FormulaField", parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._gesture = object()
        self._text = NumbersBox(self)
        self._text.setPlaceholderText("none" if field.may_be_empty else "")
        self._take_control(self._text)
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._report_now)
        self._text.textChanged.connect(self._read)
        self._text.finished.connect(self._leave)

    @override
    def needed_width(self) -> int:
        return _DIGITS_BESIDE_LABEL * self.fontMetrics().horizontalAdvance("0")

    @override
    def show_error(self, sentence: str | None) -> None:
        super().show_error(sentence)
        self._mark(self._fault() if sentence else None)

    def _write(self, value: str) -> None:
        if value != self._typed():  # the cursor stays where one types
            with QSignalBlocker(self._text):
                self._text.setPlainText(value)

    def _typed(self) -> str:
        return self._text.toPlainText()

    def _read(self) -> None:
        """Report the text; after a pause if the name before the cursor may become a function's."""
        self._rest.start() if self._is_naming() else self._report_now()

    def _report_now(self) -> None:
        self._rest.stop()
        self._report_text(self._typed(), self._gesture)

    def _is_naming(self) -> bool:
        name = _NAME.search(self._typed()[: self._text.textCursor().position()])
        known = {*self.field.variables, *formula.CONSTANTS}
        return name is not None and name[0] not in known and any(each.startswith(name[0]) for each in formula.FUNCTIONS)

    def _leave(self) -> None:
        self._rest.stop()
        self._finish()
        self._gesture = object()

    def _fault(self) -> tuple[int, int] | None:
        """The first and last character at fault, None for a text that is a formula."""
        try:
            self.field.parse(self._typed())
        except formula.FormulaError as error:
            return error.place
        return None

    def _mark(self, place: tuple[int, int] | None) -> None:
        """Underline a place of the text."""
        marks = []
        if place is not None:
            mark, form = QTextEdit.ExtraSelection(), QTextCharFormat()
            form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            form.setUnderlineColor(QColor(present_style().error))
            cursor = QTextCursor(self._text.document())
            cursor.setPosition(min(place[0], len(self._typed())))
            cursor.setPosition(min(place[1], len(self._typed())), QTextCursor.MoveMode.KeepAnchor)
            mark.cursor, mark.format = cursor, form
            marks.append(mark)
        self._text.setExtraSelections(marks)
