"""Differences of two opened models, with a column for each."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from posenc_core.session import Model
from posenc_gui.look import GAP, LABEL_PX, Note, column_of, dress, grid_of, row_of, small_button
from posenc_gui.model.card import differences_of

_MOST_ROWS = 200
"""Rows of the table; the command ``posenc diff`` prints all."""


class ModelDifferences(QWidget):
    """A table of differences between the model of the card and model B, and a button for another model B.

    ``openAsked`` requests a model B, ``closeAsked`` ends the comparison.
    """

    openAsked = Signal()
    closeAsked = Signal()

    def __init__(self) -> None:
        super().__init__()
        tip = "Compare with another model: its encoding becomes B, and the card lists the differences"
        self._open, self._close = small_button("Open model as B…", tip), small_button("Close B", "Close model B")
        self._open.clicked.connect(self.openAsked)
        self._close.clicked.connect(self.closeAsked)
        self._title = Note("ink")
        dress(self._title, LABEL_PX, semibold=True, role="ink")
        self._table = QWidget()
        self._column = column_of(self, self._title, self._table)
        self._column.addLayout(row_of(self._open, self._close, None))

    def show_models(self, a: Model, b: Model | None) -> None:
        """Show the differences of the models; only the button without a second model."""
        self._close.setVisible(b is not None)
        self._title.show_sentence("" if b is None else f"A {a.name} beside B {b.name}")
        table = QWidget()
        if b is not None:
            _fill(table, a, b)
        self._column.replaceWidget(self._table, table)
        self._table.hide()
        self._table.deleteLater()
        self._table = table
        table.setVisible(b is not None)


def _fill(table: QWidget, a: Model, b: Model) -> None:
    """Fill the table with a row per difference, below the titles of the layers that have it."""
    grid = grid_of(table, 2 * GAP, GAP // 2)
    for column in range(3):
        grid.setColumnStretch(column, 1)
    rows: list[tuple[str, ...]] = [("", "A", "B")]
    for each in differences_of(a, b):
        rows += [(each.title,)] if each.title else []
        for difference in each.differences:
            rows.append((difference.what, difference.first, difference.second))
            rows += [(difference.remark,)] if difference.remark else []
    if len(rows) == 1:
        rows = [(f"No difference in {min(len(a.layers), len(b.layers))} layers.",)]
    if len(rows) > _MOST_ROWS:
        rows = [*rows[:_MOST_ROWS], ("posenc diff lists all differences.",)]
    for place, texts in enumerate(rows):
        for column, text in enumerate(texts):
            note = Note("ink" if column and place else "muted")
            note.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            grid.addWidget(note, place, column, 1, 3 if len(texts) == 1 else 1)
            note.show_sentence(text)
