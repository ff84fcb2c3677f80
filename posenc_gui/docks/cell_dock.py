"""The content of the CELL dock: how the number under the cursor comes about."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from posenc_core import Derivation, Document, explain
from posenc_gui.cursor import Cursor
from posenc_gui.docks.derivation import RestingDerivation
from posenc_gui.docks.headline import Headline
from posenc_gui.docks.look import (
    GAP,
    LABEL_PX,
    OUTER_MARGIN,
    TEXT_PX,
    column_of,
    control_palette,
    scrolling,
    text_palette,
)
from posenc_gui.formula_view import MARGIN
from posenc_gui.style import LIGHT, Style


class CellDock(QWidget):
    """The derivation of the entry that the cursor points at, and buttons to copy it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = Document()
        self._cursor: Cursor | None = None
        self._derivation: Derivation | None = None
        self._headline = Headline()
        self._view = RestingDerivation()
        self._area = scrolling(self._view)
        self._copy = _CopyButtons()
        self._copy.text.clicked.connect(self._copy_text)
        self._copy.latex.clicked.connect(self._copy_latex)
        self._copy.python.clicked.connect(self._copy_python)
        self._empty = QLabel("Point at a cell")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._full = QWidget()
        column = column_of(self._full, self._headline, self._area, self._copy)
        column.setContentsMargins(0, GAP, 0, OUTER_MARGIN)
        self._headline.setContentsMargins(OUTER_MARGIN, 0, OUTER_MARGIN, 0)
        self._copy.setContentsMargins(OUTER_MARGIN, 0, OUTER_MARGIN, 0)
        # The view has a margin of its own.
        self._area.setViewportMargins(OUTER_MARGIN - MARGIN, 0, OUTER_MARGIN - MARGIN, 0)
        column_of(self, self._full, self._empty)
        self.show_style(LIGHT)
        self._refresh(at_once=False)

    def show_document(self, document: Document) -> None:
        """Shows the cell under the cursor in another document."""
        self._document = document
        self._refresh(at_once=False)

    def show_cursor(self, cursor: Cursor | None) -> None:
        """Shows another cell, or with None that there is none."""
        self._cursor = cursor
        self._refresh(at_once=cursor is not None and cursor.pinned)

    def show_style(self, style: Style) -> None:
        """Takes on the style's fonts and colours."""
        self.setPalette(style.palette())
        self._headline.show_style(style)
        self._view.show_style(style)
        self._copy.show_style(style)
        self._empty.setFont(style.font(TEXT_PX))
        self._empty.setPalette(text_palette(style, style.muted))

    def _refresh(self, at_once: bool) -> None:
        cursor, encoding = self._cursor, self._document.encoding
        # A cursor from before the table became narrower points at nothing.
        pointing = cursor is not None and 0 <= cursor.column < encoding.n_columns
        self._full.setVisible(pointing)
        self._empty.setVisible(not pointing)
        if cursor is None or not pointing:
            self._derivation = None
            return
        self._headline.show_place(self._document, cursor.position, f"column {cursor.column}")
        self._derivation = explain(encoding, cursor.position, cursor.column)
        self._view.show_derivation(self._derivation, at_once=at_once)

    def _copy_text(self) -> None:
        if self._derivation:
            QGuiApplication.clipboard().setText(self._derivation.to_text())

    def _copy_latex(self) -> None:
        if self._derivation:
            QGuiApplication.clipboard().setText(self._derivation.to_latex())

    def _copy_python(self) -> None:
        if self._derivation:
            QGuiApplication.clipboard().setText(self._derivation.to_python())


class _CopyButtons(QWidget):
    """``copy as`` and a button for each form."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = QLabel("copy as")
        self.text = QPushButton("Text")
        self.latex = QPushButton("LaTeX")
        self.python = QPushButton("Python")
        row = QHBoxLayout()
        row.setSpacing(GAP)
        for button in self._buttons():
            button.setToolTip(f"Copy the derivation as {button.text()}")
            button.setAccessibleName(f"copy as {button.text()}")
            button.setMinimumWidth(48)
            row.addWidget(button, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP // 2)
        column.addWidget(self._label)
        column.addLayout(row)

    def show_style(self, style: Style) -> None:
        """Takes on the style's fonts and colours."""
        self._label.setFont(style.font(LABEL_PX))
        self._label.setPalette(text_palette(style, style.muted))
        for button in self._buttons():
            button.setFont(style.font(TEXT_PX))
            button.setPalette(control_palette(style))

    def _buttons(self) -> tuple[QPushButton, ...]:
        return self.text, self.latex, self.python
