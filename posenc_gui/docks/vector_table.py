"""The table widget of the VECTOR dock."""

from PySide6.QtCore import QEvent, QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QKeyEvent, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget
from typing_extensions import override

from posenc_gui.docks.editors import ARROWS, asked_key, is_copy, is_plain
from posenc_gui.docks.vector_model import WAVELENGTH, VectorModel
from posenc_gui.look import LABEL_PX, OUTER_MARGIN, FitsText, Style, blend, dress, flatten_scroll_bars, present_style

ROW_HEIGHT = 24
CELL_MARGIN = 5

_ALIGNMENTS = (
    Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
    Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
)
"""The alignments of the first column and of the numbers."""


class VectorTable(FitsText, QTableView):
    """A table of numbers with one marked row; Ctrl+C copies the whole vector.

    ``rowChosen`` carries a row chosen by a click or with the keys; ``copied`` follows a copy.
    """

    rowChosen = Signal(int)
    copied = Signal()

    def __init__(self, model: VectorModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.marked_row = self.last_shown = -1
        self.setAccessibleName("vector table")
        self.setAccessibleDescription(
            "A row for each number of the token's vector: a click holds its cell, Ctrl+C copies the vector."
        )
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._fit_rows()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSectionsClickable(False)
        self.clicked.connect(self._choose)
        dress(self, LABEL_PX, palette=_table_palette)
        dress(self.horizontalHeader(), LABEL_PX, sheet=_header_sheet)
        flatten_scroll_bars(self)

    def mark_row(self, row: int) -> None:
        """Mark the row and scroll to it; -1 marks no row."""
        self.marked_row = row
        if row < 0:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
        elif row != self.currentIndex().row() or not self.selectionModel().hasSelection():
            index = self.model().index(row, max(self.currentIndex().column(), 0))
            self.setCurrentIndex(index)
            self.scrollTo(index)

    @override
    def fit_text(self) -> None:
        self._fit_rows()
        self.fit_columns()

    def _fit_rows(self) -> None:
        self._row_height = round(ROW_HEIGHT * max(1.0, present_style().text_scale))
        self.verticalHeader().setDefaultSectionSize(self._row_height)

    def fit_columns(self) -> None:
        """Set each column to the width of its widest content plus a share of the rest.

        The wavelength, which the derivation shows too, is hidden if not all columns fit.
        """
        heads = self._model().heads
        widths = [self._needed_width(head, section) for section, head in enumerate(heads)]
        hidden = heads[-1] == WAVELENGTH and sum(widths) > self.viewport().width()
        self.setColumnHidden(len(heads) - 1, hidden)
        self.last_shown = len(heads) - 1 - hidden
        if hidden:
            widths.pop()
            widths[-1] += OUTER_MARGIN - CELL_MARGIN
        share, rest = divmod(max(0, self.viewport().width() - sum(widths)), len(widths))
        for section, width in enumerate(widths):
            self.setColumnWidth(section, width + share + (rest if section == 0 else 0))

    def _needed_width(self, head: str, section: int) -> int:
        """The width in pixels of the head and of the widest content below it."""
        metrics = QFontMetricsF(self.font())
        text = max(metrics.horizontalAdvance(words) for words in (head, self._model().widest(head)))
        at_an_end = section == 0 or section == self._model().columnCount() - 1
        return round(text) + CELL_MARGIN + (OUTER_MARGIN if at_an_end else CELL_MARGIN)

    def _model(self) -> VectorModel:
        model = self.model()
        assert isinstance(model, VectorModel)
        return model

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setFont(self.font())
        painter.setPen(self.palette().text().color())
        try:
            self._paint_rows(painter, event.rect())
        finally:  # reading a row of a file may fail
            painter.end()

    def _paint_rows(self, painter: QPainter, exposed: QRect) -> None:
        model = self._model()
        first, last = self.rowAt(exposed.top()), self.rowAt(exposed.bottom())
        for row in range(first, model.rowCount() if last < 0 else last + 1) if first >= 0 else ():
            top = self.rowViewportPosition(row)
            if row == self.marked_row:
                width = sum(self.columnWidth(section) for section in range(self.last_shown + 1))
                left = self.columnViewportPosition(0)
                painter.fillRect(left, top, width, self._row_height, self.palette().highlight())
            for section in range(self.last_shown + 1):
                self._paint_cell(painter, model.text(row, section), section, top)

    def _paint_cell(self, painter: QPainter, text: str, section: int, top: int) -> None:
        """Paint the text of a cell, with the docks' margin in the outer cells."""
        left = OUTER_MARGIN if section == 0 else CELL_MARGIN
        right = OUTER_MARGIN if section == self.last_shown else CELL_MARGIN
        width = self.columnWidth(section) - left - right
        x = self.columnViewportPosition(section) + left
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)  # keeps the sign visible
        painter.drawText(QRect(x, top, width, self._row_height), _ALIGNMENTS[section > 0], shown)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()

    @override
    def event(self, event: QEvent) -> bool:
        key = asked_key(event)
        if key and (is_copy(key) or (is_plain(key) and key.key() in ARROWS)):
            event.accept()
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_copy(event):
            QGuiApplication.clipboard().setText(self._model().to_text())
            self.copied.emit()
            return
        before = self.currentIndex().row()
        super().keyPressEvent(event)
        if self.currentIndex().row() != before:
            self.rowChosen.emit(self.currentIndex().row())

    def _choose(self, index: QModelIndex) -> None:
        self.rowChosen.emit(index.row())


def _table_palette(style: Style) -> QPalette:
    """The ground of the docks, and a pale mark."""
    palette, role = style.palette(), QPalette.ColorRole
    palette.setColor(role.Base, palette.color(role.Window))
    palette.setColor(role.Highlight, blend(style.accent, style.ground, 0.24))
    return palette


def _header_sheet(style: Style) -> str:
    return (
        f"QHeaderView {{ background: {style.ground}; border: none; }}"
        f"QHeaderView::section {{ background: {style.ground}; color: {style.muted}; border: none;"
        f" border-bottom: 1px solid {style.border}; padding: 3px {CELL_MARGIN}px; }}"
        f"QHeaderView::section:first {{ padding-left: {OUTER_MARGIN}px; }}"
        f"QHeaderView::section:last {{ padding-right: {OUTER_MARGIN}px; }}"
    )
