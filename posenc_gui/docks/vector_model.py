"""The numbers of one position as a table: a row per column of the encoding, computed when it is looked at."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from posenc_core import Document, Embedding, Encoding
from posenc_core.angles import FloatArray
from posenc_core.encodings import ColumnFacts

COLUMN, EMBEDDED, ENCODED, SUM, WAVELENGTH = "column", "W_e", "PE", "sum", "wavelength"

_TIPS = {
    COLUMN: "Column of the table, and whether it is a sine or a cosine",
    EMBEDDED: "The token's own vector, scaled if so chosen",
    ENCODED: "The position's vector",
    SUM: "What the model's first layer gets: W_e + PE",
    WAVELENGTH: "Positions until the column's wave repeats",
}

_BLOCK = 256
"""Rows that are computed together: more than are seen at once."""

NO_NUMBER = "–"

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class _Source:
    """What the numbers depend on; ``word`` is the position's token, None where there is none."""

    encoding: Encoding
    embedding: Embedding
    position: int
    word: str | None

    @property
    def heads(self) -> tuple[str, ...]:
        """The columns that there are."""
        embedded = self.word is not None and self.embedding.embedding != "none"
        return (COLUMN, *((EMBEDDED, ENCODED, SUM) if embedded else (ENCODED,)), WAVELENGTH)


class VectorModel(QAbstractTableModel):
    """The vector of one position: column, PE and wavelength, and between them W_e and the sum, where they exist."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source = _source(Document(), 0)
        self._facts = _remembered_facts(self._source.encoding)
        self._begin(self._source)

    def show_vector(self, document: Document, position: int) -> None:
        """Shows another position or document from now on; rows keep their places where there are as many."""
        source = _source(document, position)
        if source == self._source:
            return
        if (source.heads, source.encoding.n_columns) != (self.heads, self.rowCount()):
            self.beginResetModel()
            self._begin(source)
            self.endResetModel()
        else:
            self._begin(source)
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))

    def _begin(self, source: _Source) -> None:
        if source.encoding != self._source.encoding:
            self._facts = _remembered_facts(source.encoding)
        self._source = source
        self.heads = source.heads
        self._encoded: dict[int, FloatArray] = {}
        self._embedded: FloatArray | None = None

    def to_text(self) -> str:
        """The whole vector for the clipboard: a line per column, numbers in full precision, tabs between them."""
        heads = self.heads[:-1]
        encoded = self._values(0, self.rowCount())
        columns: dict[str, Any] = {COLUMN: range(len(encoded)), ENCODED: encoded.tolist()}
        if EMBEDDED in heads:
            columns[EMBEDDED] = self._vector().tolist()
            columns[SUM] = (self._vector() + encoded).tolist()
        rows = zip(*(columns[head] for head in heads), strict=True)
        return "\n".join(["\t".join(heads), *("\t".join(map(repr, row)) for row in rows)]) + "\n"

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """The number of columns of the encoding."""
        return 0 if parent.isValid() else self._source.encoding.n_columns

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Three, or five with an embedding."""
        return 0 if parent.isValid() else len(self.heads)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a column is called, and what it means."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        head = self.heads[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return head
        if role == Qt.ItemDataRole.ToolTipRole:
            simulated = f"\n{self._source.embedding.label}: drawn numbers, no model's" if head == EMBEDDED else ""
            return _TIPS[head] + simulated
        return _alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell's text; its tool tip is the number in full precision."""
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(index.row(), index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            head = self.heads[index.column()]
            return None if head in (COLUMN, WAVELENGTH) else repr(self._number(head, index.row()))
        return _alignment(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def text(self, row: int, section: int) -> str:
        """What a cell says."""
        head = self.heads[section]
        if head == COLUMN:
            return f"{row} {self._facts(row).part}"
        return wavelength_text(self._facts(row)) if head == WAVELENGTH else number_text(self._number(head, row))

    def _number(self, head: str, row: int) -> float:
        """The entry in full precision."""
        encoded = 0.0 if head == EMBEDDED else float(self._block(row // _BLOCK)[row % _BLOCK])
        return encoded if head == ENCODED else float(self._vector()[row]) + encoded

    def _block(self, block: int) -> FloatArray:
        if block not in self._encoded:
            first = block * _BLOCK
            self._encoded[block] = self._values(first, min(first + _BLOCK, self.rowCount()))
        return self._encoded[block]

    def _values(self, first: int, stop: int) -> FloatArray:
        table = self._source.encoding.values(np.array([self._source.position]), np.arange(first, stop))
        values: FloatArray = table[0]
        return values

    def _vector(self) -> FloatArray:
        """W_e of the position's token."""
        if self._embedded is None:
            assert self._source.word is not None
            vectors = self._source.embedding.vectors([self._source.word], self.rowCount())
            assert vectors is not None
            self._embedded = vectors[0]
        return self._embedded


def number_text(number: float) -> str:
    """The number with its sign and six decimals, so that all stand below each other."""
    return f"{number:+.6f}".replace("-", "−")


def wavelength_text(facts: ColumnFacts) -> str:
    """The wavelength in positions with one decimal, or with three digits where that says too little or too much."""
    length = facts.wavelength
    if length is None:
        return NO_NUMBER
    if math.isinf(length):
        return "∞"
    if 1 <= length < 1e6:
        return f"{length:,.1f}"
    return f"{length:.3g}".replace("e+0", "e").replace("e-0", "e−").replace("e+", "e").replace("e-", "e−")


def _remembered_facts(encoding: Encoding) -> Callable[[int], ColumnFacts]:
    """What each column is; asked for whenever its row is painted, whatever the position."""
    return lru_cache(maxsize=4096)(encoding.facts)


def _source(document: Document, position: int) -> _Source:
    tokens = document.token_list
    word = tokens[position].text if 0 <= position < len(tokens) else None
    return _Source(document.encoding, document.embedding, position, word)


def _alignment(section: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if section else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
