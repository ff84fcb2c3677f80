"""The content of the NUMBER dock: the derivation of the number under the cursor."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget
from typing_extensions import override

from posenc_core import Derivation, Document, explain, tables
from posenc_gui import look, model
from posenc_gui.docks.derivation import MARGIN, RestingDerivation, result_text
from posenc_gui.docks.headline import Headline, PinButton
from posenc_gui.look import GAP, OUTER_MARGIN, FitsText, Note, PlainLabel, Shelf, SmallLabel, dress
from posenc_gui.model import (
    Cursor,
    PositionAxis,
    angle_words,
    column_words,
    n_components,
    seen_by,
    token_pair,
)

_RESULT_PX = 16


class NumberDock(QWidget):
    """The derivation of the entry under the cursor, or the reason why it has no value, and buttons to copy it.

    A cursor with a subject shows the derivation of the subject's number. A combination with the token's vector other
    than a sum is derived below. ``copied`` carries a sentence about the copied text, ``pinned`` whether the user holds
    the cell or releases it by the pin.
    """

    copied = Signal(str)
    pinned = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = self._given = Document.initial()
        self._cursor: Cursor | None = None
        self._derivations: tuple[Derivation, ...] = ()
        self._headline, self._pin = Headline(), PinButton()
        self._pin.pinned.connect(self.pinned)
        result = PlainLabel()
        dress(result, _RESULT_PX, semibold=True)
        result.setWordWrap(True)
        result.setContentsMargins(OUTER_MARGIN, 0, OUTER_MARGIN, 0)
        self._result = Shelf(result)
        self._no_value = Note("ink")
        self._view, self._combined = RestingDerivation(), RestingDerivation()
        self._combined.setAccessibleName("Derivation of the combined vector")
        self._area = look.scrolling(_below_each_other(self._view, self._combined))
        self._area.verticalScrollBar().valueChanged.connect(self._paint_whole_lines)
        self._area.verticalScrollBar().rangeChanged.connect(self._paint_whole_lines)
        self._copy = _CopyButtons()
        self._copy.text.clicked.connect(partial(self._copy_joined, "text", Derivation.to_text, "\n\n"))
        self._copy.latex.clicked.connect(partial(self._copy_joined, "LaTeX", Derivation.to_latex, "\n\n"))
        self._copy.python.clicked.connect(partial(self._copy_joined, "Python", Derivation.to_python, ""))
        self._empty = PlainLabel("Point at a cell")
        dress(self._empty, role="muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._full = QWidget()
        head = QWidget()
        row = look.row_of(holder=head, margins=(OUTER_MARGIN, 0, GAP, 0), spacing=-1)
        row.addWidget(self._headline, 1)
        row.addWidget(self._pin, 0, Qt.AlignmentFlag.AlignTop)
        column = look.column_of(self._full, head, self._result, self._no_value, self._area, self._copy)
        column.setContentsMargins(0, GAP, 0, OUTER_MARGIN)
        column.addStretch()
        column.setStretchFactor(self._area, 1)
        for widget in (self._no_value, self._copy):
            widget.setContentsMargins(OUTER_MARGIN, 0, OUTER_MARGIN, 0)
        # The view has its own margin.
        self._area.setViewportMargins(OUTER_MARGIN - MARGIN, 0, OUTER_MARGIN - MARGIN, 0)
        look.column_of(self, self._full, self._empty)
        self._refresh(at_once=False)

    def show_document(self, document: Document) -> None:
        """Show the cell under the cursor in another document."""
        self._given = document
        self._refresh(at_once=False)

    def show_cursor(self, cursor: Cursor | None) -> None:
        """Show another cell; None for a cursor outside the table."""
        self._cursor = cursor
        self._refresh(at_once=cursor is not None and cursor.pinned)

    def _refresh(self, at_once: bool) -> None:
        cursor, self._document = self._cursor, seen_by(self._given, self._cursor)
        # The table may have become narrower since the cursor was set.
        pointing = cursor is not None and 0 <= cursor.column < n_components(self._document)
        self._full.setVisible(pointing)
        self._empty.setVisible(not pointing)
        if cursor is None or not pointing:
            self._derivations = ()
            return
        self._pin.show_held(cursor.pinned)
        if cursor.subject is None:
            no_value = self._find_entry(cursor)
        else:
            self._headline.show_words(*cursor.subject.words(self._document))
            derivation, no_value = model.subject_derivation(cursor.subject, self._document)
            self._derivations = () if derivation is None else (derivation,)
        self._show_derivations(no_value, at_once)

    def _find_entry(self, cursor: Cursor) -> str:
        """Name the entry or the pair of tokens, and derive it; returns why it has no value, "" for none."""
        encoding = self._document.encoding
        axis = PositionAxis.of(self._document, cursor)
        pair = token_pair(self._document, cursor)
        if pair is not None:
            places = [model.query_words(self._document, pair)]
        else:
            places = [column_words(encoding, cursor.column), angle_words(self._document, cursor)]
        self._headline.show_place(self._document, axis, cursor.position, *filter(None, places))
        try:
            self._derivations = _derivations(self._document, axis, cursor)
        except tables.UnreadableError as error:  # the table's file was changed since it was opened
            self._derivations = ()
            return str(error)
        if pair is not None:
            return model.pair_refusal(self._document, pair)
        no_token = "This position has no token" if encoding.has_value(cursor.position) else ""
        return no_token or encoding.no_value(cursor.position)

    def _show_derivations(self, no_value: str, at_once: bool) -> None:
        self._result.label.setText("\n".join(map(result_text, self._derivations)))
        self._result.setVisible(bool(self._derivations))
        self._no_value.show_sentence("" if self._derivations else no_value)
        self._area.setVisible(bool(self._derivations))
        self._copy.setVisible(bool(self._derivations))
        self._combined.setVisible(len(self._derivations) > 1)
        for view, derivation in zip((self._view, self._combined), self._derivations, strict=False):
            view.show_derivation(derivation, at_once=at_once)

    def _paint_whole_lines(self) -> None:
        """Repaint the derivations, whose last visible line has changed."""
        self._view.update()
        self._combined.update()

    def _copy_joined(self, name: str, form: Callable[[Derivation], str], between: str) -> None:
        """Copy all derivations in one form."""
        if self._derivations:
            QGuiApplication.clipboard().setText(between.join(map(form, self._derivations)))
            symbols = " and ".join(derivation.symbol for derivation in self._derivations)
            self.copied.emit(f"Copied the derivation of {symbols} as {name}")


def _derivations(document: Document, axis: PositionAxis, cursor: Cursor) -> tuple[Derivation, ...]:
    """The derivation of the entry, and of the combined vector's component unless that is a sum; () without a value.

    A component beyond the table's columns has only the second. A pair of tokens has the derivation of its number.
    """
    pair = token_pair(document, cursor)
    if pair is not None:
        derivation = model.pair_derivation(document, pair)
        return () if derivation is None else (derivation,)
    encoding, token = document.encoding, axis.token_at(cursor.position)
    if not encoding.has_value(cursor.position):
        return ()
    inside = cursor.column < encoding.n_columns
    entry = (explain(encoding, cursor.position, cursor.column),) if inside else ()
    try:
        vectors = None if token is None else document.vectors_of([document.token_list[token]])
    except tables.UnreadableError:  # the vector's dock says why
        return entry
    if vectors is None:
        return entry
    combination = encoding.combination
    if combination.explain is None:
        return entry
    return (*entry, combination.explain(vectors[0], cursor.position, combination.vector_column(cursor.column)))


def _below_each_other(*views: QWidget) -> QWidget:
    together = QWidget()
    look.column_of(together, *views).setSpacing(0)
    return together


class _CopyButtons(FitsText, QWidget):
    """The label ``copy as`` and a button for each form."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = SmallLabel("copy as")
        self.text, self.latex, self.python = (QPushButton(name) for name in ("Text", "LaTeX", "Python"))
        row = look.row_of()
        for button in self._buttons():
            form = "text" if button is self.text else button.text()
            look.describe(button, f"copy as {form}", f"Copy the derivation as {form}")
            row.addWidget(button, 1)
        look.column_of(self, self._label, spacing=GAP // 2).addLayout(row)
        self.fit_text()

    @override
    def fit_text(self) -> None:
        """Let the buttons be as narrow as their words."""
        for button in self._buttons():
            button.setMinimumWidth(self.fontMetrics().horizontalAdvance(button.text()) + 2 * GAP)

    def _buttons(self) -> tuple[QPushButton, ...]:
        return self.text, self.latex, self.python
