"""The numbers of one position as a table: a row per column of the encoding, computed when it is looked at."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from posenc_core import Document, Encoding
from posenc_core.encodings import ColumnInfo
from posenc_core.numerics import FloatArray
from posenc_gui.docks.vector_source import COLUMN, TIPS, WAVELENGTH, VectorSource
from posenc_gui.look.number_format import NO_NUMBER, signed, wavelength_text
from posenc_gui.model.cursor import PositionAxis
from posenc_gui.model.wording import column_noun, is_head

_BLOCK = 256
"""Rows that are computed together: more than are seen at once."""

Index = QModelIndex | QPersistentModelIndex


class VectorModel(QAbstractTableModel):
    """The vector of one position: column, entry and wavelength, and the vector it is combined with, where they exist.

    At a position without a value there are no rows.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        document = Document()
        self.source = VectorSource.of(document, PositionAxis.of(document), 0)
        self._facts = _remembered_facts(self.source.encoding)
        self._begin(self.source)

    def show_vector(self, source: VectorSource) -> None:
        """Shows another position or document from now on; rows keep their places where there are as many."""
        if source == self.source:
            return
        if (source.heads, source.n_rows) != (self.heads, self.rowCount()):
            self.beginResetModel()
            self._begin(source)
            self.endResetModel()
        else:
            self._begin(source)
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))

    def _begin(self, source: VectorSource) -> None:
        if source.encoding != self.source.encoding:
            self._facts = _remembered_facts(source.encoding)
        self.source = source
        self.heads, self._n_rows = source.heads, source.n_rows
        self._entries: dict[int, FloatArray] = {}
        self._embedded: FloatArray | None = None
        self._combined: FloatArray | None = None

    def to_text(self) -> str:
        """The whole vector for the clipboard: a line per column, numbers in full precision, tabs between them."""
        heads = [head for head in self.heads if head != WAVELENGTH]
        lines = ["\t".join(heads)]
        for row in range(self.rowCount()):
            numbers = (self._number(head, row) for head in heads[1:])
            lines.append("\t".join([str(row), *("" if number is None else repr(number) for number in numbers)]))
        return "\n".join(lines) + "\n"

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self._n_rows

    @override
    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.heads)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        head = self.heads[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column_noun(self.source.encoding) if head == COLUMN else head
        if role == Qt.ItemDataRole.ToolTipRole:
            return TIPS[head] + (f"\n{self.source.vector_label}" if head == self.source.vector_head else "")
        return _alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(index.row(), index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            head = self.heads[index.column()]
            number = None if head in (COLUMN, WAVELENGTH) else self._number(head, index.row())
            return None if number is None else repr(number)
        return _alignment(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def text(self, row: int, section: int) -> str:
        """What a cell says."""
        head = self.heads[section]
        if head == COLUMN:
            return self._column_text(row)
        if head == WAVELENGTH:
            return wavelength_text(self._facts(row).wavelength) if row < self._n_entries else NO_NUMBER
        number = self._number(head, row)
        return NO_NUMBER if number is None else signed(number)

    def widest(self, head: str) -> str:
        """A text as wide as any below a head."""
        if head == WAVELENGTH:
            return "999,999.9"
        if head == COLUMN:
            rows = {0, self._n_entries - 1, max(0, self._n_rows - 1)}
            return max((self._column_text(row) for row in rows), key=len)
        return signed(-self.source.largest(head)) if self._n_rows else ""

    @property
    def _n_entries(self) -> int:
        return self.source.encoding.n_columns

    def _column_text(self, row: int) -> str:
        if row >= self._n_entries:
            return f"{row} {NO_NUMBER}"
        facts = self._facts(row)
        if self.source.embedded and facts.wavelength is None:  # the same word in each row, and three numbers beside it
            return str(row)
        return facts.part if is_head(facts, row) else f"{row} {facts.part}"

    def _number(self, head: str, row: int) -> float | None:
        """The number in full precision; None for the entry of a column that the encoding does not have."""
        if head == self.source.vector_head:
            return float(self._vector()[row])
        if head != self.source.entry_head:
            return self._combination(row)
        return self._entry(row) if row < self._n_entries else None

    def _entry(self, row: int) -> float:
        block = row // _BLOCK
        if block not in self._entries:
            columns = np.arange(block * _BLOCK, min((block + 1) * _BLOCK, self._n_entries))
            self._entries[block] = self.source.encoding.values(np.array([self.source.position]), columns)[0]
        return float(self._entries[block][row % _BLOCK])

    def _combination(self, row: int) -> float:
        """What becomes of the vector's component; a sum, which needs no other column, is not computed as a whole."""
        if self.source.encoding.combines == "sum":
            return float(self._vector()[row]) + self._entry(row)
        if self._combined is None:
            at = np.array([self.source.position])
            self._combined = self.source.encoding.combined(self._vector()[None, :], at)[0]
        return float(self._combined[row])

    def _vector(self) -> FloatArray:
        """The vector of the position's token."""
        if self._embedded is None:
            self._embedded = self.source.vector()
        return self._embedded


def _remembered_facts(encoding: Encoding) -> Callable[[int], ColumnInfo]:
    """What each column is; asked for whenever its row is painted, whatever the position."""
    return lru_cache(maxsize=4096)(encoding.column_info)


def _alignment(section: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if section else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
