"""A dialog with a list, a filter, and one choice."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)
from typing_extensions import override

from posenc_gui.look.controls import (
    describe,
    dialog_column,
    explain_controls,
    open_with,
    remove_icons,
)
from posenc_gui.look.plain_text import PlainLabel, plain_tip
from posenc_gui.look.theme import flatten_scroll_bars

_SIZE = (620, 420)
_FILTERED = 8
"""A longer list has a filter."""

_MOVES = {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}


class FilterLine(QLineEdit):
    """A line for words that filter a list; the keys that move in the list do so while the line has the focus."""

    def __init__(self, prompt: str, name: str, tip: str, filtered: QAbstractItemView) -> None:
        super().__init__(placeholderText=prompt, clearButtonEnabled=True)
        describe(self, name, tip)
        self._filtered = filtered

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _MOVES:
            self._filtered.keyPressEvent(event)
        else:
            super().keyPressEvent(event)


def row_list(columns: Sequence[str], name: str, description: str) -> QTreeWidget:
    """A list of rows whose first column fills the remaining width."""
    shown = QTreeWidget()
    shown.setAccessibleName(name)
    shown.setAccessibleDescription(description)
    shown.setHeaderLabels(list(columns))
    shown.setRootIsDecorated(False)
    shown.setUniformRowHeights(True)  # for models with ten thousand tensors
    shown.setAllColumnsShowFocus(True)
    header = shown.header()
    header.setStretchLastSection(False)
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    return shown


class ChoiceDialog(QDialog):
    """Asks the user to choose one of the rows; the first one is chosen at the start."""

    def __init__(
        self,
        title: str,
        question: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[str]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        open_with(self, *_SIZE)
        label = PlainLabel(question)
        label.setWordWrap(True)
        self._list = self._build_list(columns, rows)
        self._filter = FilterLine("Filter", "filter", "Filter rows", self._list)
        self._filter.textChanged.connect(self._show_matching)
        button = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(button.Open | button.Cancel)
        self._buttons.button(button.Open).setText("&Open")
        self._buttons.button(button.Cancel).setText("&Cancel")
        self._buttons.button(button.Open).setToolTip(plain_tip("Open the chosen row (Enter)"))
        self._buttons.button(button.Cancel).setToolTip(plain_tip("Cancel (Escape)"))
        remove_icons(self._buttons.buttons())
        explain_controls(self)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        flatten_scroll_bars(self._list)
        dialog_column(self, label, self._filter, self._list, self._buttons)
        self._filter.setVisible(len(rows) > _FILTERED)
        (self._filter if len(rows) > _FILTERED else self._list).setFocus()

    @property
    def chosen(self) -> int | None:
        """The number of the chosen row, None if the filter hides it."""
        item = self._list.currentItem()
        return None if item is None or item.isHidden() else int(item.data(0, Qt.ItemDataRole.UserRole))

    def _build_list(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> QTreeWidget:
        shown = row_list(columns, "choices", "Choices: Enter or a double click opens a row.")
        shown.setHeaderHidden(len(columns) == 1)
        items = []
        for number, row in enumerate(rows):
            item = QTreeWidgetItem(list(row))
            item.setData(0, Qt.ItemDataRole.UserRole, number)
            item.setToolTip(0, plain_tip(row[0]))
            items.append(item)
        shown.addTopLevelItems(items)
        shown.setCurrentItem(items[0])
        shown.itemActivated.connect(self.accept)
        shown.currentItemChanged.connect(self._enable)
        return shown

    def _show_matching(self, text: str) -> None:
        """Show the rows that contain every word of the text, and choose the first if the chosen row is hidden."""
        words = text.lower().split()
        first = None
        for number in range(self._list.topLevelItemCount()):
            item = self._list.topLevelItem(number)
            assert item is not None
            held = " ".join(item.text(column) for column in range(self._list.columnCount())).lower()
            item.setHidden(not all(word in held for word in words))
            first = item if first is None and not item.isHidden() else first
        if first is not None and self.chosen is None:
            self._list.setCurrentItem(first)
        self._enable()

    def _enable(self) -> None:
        self._buttons.button(QDialogButtonBox.StandardButton.Open).setEnabled(self.chosen is not None)

    @override
    def accept(self) -> None:
        if self.chosen is not None:
            super().accept()


def ask_row(
    parent: QWidget, title: str, question: str, columns: Sequence[str], rows: Sequence[Sequence[str]]
) -> int | None:
    """The number of the row that the user chooses; None if they cancel."""
    dialog = ChoiceDialog(title, question, columns, rows, parent)
    number = dialog.chosen if dialog.exec() else None
    dialog.deleteLater()
    return number
