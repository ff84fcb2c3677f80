"""An editor of formulas, which reads while one types and marks the place of a fault."""

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget
from typing_extensions import override

from posenc_core import encodings, formula
from posenc_gui.docks.editors.editor_base import TypedEditor
from posenc_gui.docks.editors.text_editors import NumbersBox
from posenc_gui.look import present_style

_DIGITS_BESIDE_LABEL = 24
"""Width of a formula beside its label; in a narrower dock the formula is below."""


class FormulaEditor(TypedEditor):
    """A box with a formula. Each text that is a formula is reported; the typing until the box is left is a gesture."""

    field: "encodings.FormulaField"

    def __init__(self, field: "encodings.FormulaField", parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._gesture = object()
        self._text = NumbersBox(self)
        self._text.setPlaceholderText("none" if field.may_be_empty else "")
        self._box.addWidget(self._text)
        self._take_control(self._text)
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
        self._report_text(self._typed(), self._gesture)

    def _leave(self) -> None:
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
