"""The numbers of one position as a table: a row for each column of the encoding, computed when it is shown."""

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from posenc_core import Document, Embedding, Encoding, Token
from posenc_core.encodings import ColumnInfo
from posenc_core.numerics import FloatArray
from posenc_core.tables import UnreadableError
from posenc_gui.look import NO_NUMBER, plain_tip, signed, wavelength_text
from posenc_gui.model import PositionAxis, column_noun, is_head

COLUMN, WAVELENGTH = "column", "wavelength"
EMBEDDED, ENCODED, SUM = "W_e", "PE", "sum"
QUERY, TURN, ROTATED = "q", "cos/sin", "rotated"
VALUE = "value"

_HEADS = {"sum": (EMBEDDED, ENCODED, SUM), "rotation": (QUERY, TURN, ROTATED), "none": ("", VALUE, "")}
"""By ``Encoding.combines``: the heads over the token's vector, the encoding's entries, and the two combined."""

TIPS = {
    COLUMN: "Column of the table and its meaning",
    EMBEDDED: "The token's own vector, scaled if the embedding is",
    ENCODED: "The position's vector",
    SUM: "The input of the model's first layer: W_e + PE",
    QUERY: "The token's own vector, used as its query or key",
    TURN: "Cosine and sine of the angle by which the column's pair is rotated",
    ROTATED: "The query or key after the rotation of its pairs",
    VALUE: "The entry for this distance",
    WAVELENGTH: "Positions until the column's wave repeats",
}

_BLOCK = 256
"""Rows that are computed together: more than are visible at once."""

Index = QModelIndex | QPersistentModelIndex


class VectorSource(Struct, frozen=True, dict=True):
    """An encoding at one position, and the vector to combine with; numbers are computed on demand and cached.

    ``word`` is the position's token, None if it has no token, and ``token_id`` its id in a model's vocabulary.
    ``refused`` is the reason why the token's own vector cannot be read, or empty.
    """

    encoding: Encoding
    embedding: Embedding
    position: int
    word: str | None
    token_id: int | None = None
    refused: str = ""

    @classmethod
    def of(cls, document: Document, axis: PositionAxis, position: int) -> "VectorSource":
        """The source for a position of a document."""
        token = axis.token_at(position)
        if token is None:
            return cls(document.encoding, document.embedding, position, None)
        there = document.token_list[token]
        return cls(document.encoding, document.embedding, position, there.text, there.id, _refusal(document, there))

    @property
    def embedded(self) -> bool:
        """Whether the encoding is combined with a vector here."""
        chosen = self.embedding.embedding != "none" and self.encoding.combination.kind != "none"
        return chosen and self.word is not None and not self.refused

    @property
    def entry_head(self) -> str:
        """The head over the encoding's entries."""
        return _HEADS[self.encoding.combination.kind][1]

    @property
    def vector_head(self) -> str:
        """The head over the token's own vector."""
        return _HEADS[self.encoding.combination.kind][0]

    @cached_property
    def heads(self) -> tuple[str, ...]:
        """The heads of the table; a wavelength only if the columns have one."""
        numbers = _HEADS[self.encoding.combination.kind] if self.embedded else (self.entry_head,)
        waves = self.encoding.column_info(0).wavelength is not None
        return (COLUMN, *numbers, *((WAVELENGTH,) if waves else ()))

    @cached_property
    def n_rows(self) -> int:
        """A row for each column, unchanged columns of the vector included; 0 without a value."""
        if not self.encoding.has_value(self.position):
            return 0
        return max(self.encoding.n_columns, self.encoding.combination.width if self.embedded else 0)

    @property
    def vector_label(self) -> str:
        """The origin of the token's own vector, and that simulated numbers are not from a model."""
        label = self.embedding.label_at(self.encoding.combination.width)
        return (
            f"{label.replace('simulated', 'Random')}, not from a model"
            if self.embedding.embedding == "simulated"
            else label
        )

    def largest(self, head: str) -> float:
        """A number that hardly any number below a head exceeds by absolute value."""
        entries = max(abs(end) for end in self.encoding.range_over(self.position, self.position + 1))
        vector = self.embedding.reach(self.encoding.combination.width)
        return {self.entry_head: entries, self.vector_head: vector}.get(head, vector * max(1.0, entries) + entries)

    def table_column(self, row: int) -> int:
        """The table's column of a row; beyond its last column for one that it does not act on."""
        return self.encoding.combination.table_column(row) if self.embedded else row

    def row_of(self, table_column: int) -> int:
        """The row of the table's column, the inverse of ``table_column``."""
        return self.encoding.combination.vector_column(table_column) if self.embedded else table_column

    def number(self, head: str, row: int) -> float | None:
        """The number below a head in full precision; None for the entry of a column that the encoding lacks."""
        if head == self.vector_head:
            return float(self._vector[row])
        if head == self.entry_head:
            column = self.table_column(row)
            return self._entry(column) if column < self.encoding.n_columns else None
        if self.encoding.combination.kind == "sum":  # needs no other row
            return float(self._vector[row]) + self._entry(row)
        return float(self._combined[row])

    def _entry(self, column: int) -> float:
        block = column // _BLOCK
        if block not in self._entries:
            columns = np.arange(block * _BLOCK, min((block + 1) * _BLOCK, self.encoding.n_columns))
            self._entries[block] = self.encoding.values(np.array([self.position]), columns)[0]
        return float(self._entries[block][column % _BLOCK])

    @cached_property
    def _entries(self) -> dict[int, FloatArray]:
        """The blocks of entries that are computed so far, by their number."""
        return {}

    @cached_property
    def _vector(self) -> FloatArray:
        """The token's own vector, float64 ``(width,)``."""
        assert self.word is not None
        vectors = self.embedding.vectors([self.word], self.encoding.combination.width, [self.token_id])
        assert vectors is not None
        return vectors[0]

    @cached_property
    def _combined(self) -> FloatArray:
        """The token's vector combined with the encoding, float64 ``(width,)``."""
        return self.encoding.combination.combined(self._vector[None, :], np.array([self.position]))[0]


class VectorModel(QAbstractTableModel):
    """The vector of one position: column, entry, wavelength, and the combined vector, if they exist.

    A position without a value has no rows.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        document = Document.initial()
        self.source = VectorSource.of(document, PositionAxis.of(document), 0)
        self._column_info = _remembered_info(self.source.encoding)

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads of the columns."""
        return self.source.heads

    def show_vector(self, source: VectorSource) -> None:
        """Show another position or document; rows keep their places if their number stays."""
        if source == self.source:
            return
        resets = (source.heads, source.n_rows) != (self.heads, self.source.n_rows)
        if resets:
            self.beginResetModel()
        if source.encoding != self.source.encoding:
            self._column_info = _remembered_info(source.encoding)
        self.source = source
        if resets:
            self.endResetModel()
        else:
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))

    def to_text(self) -> str:
        """The whole vector for the clipboard: a line per column, numbers in full precision, tabs between them."""
        heads = [head for head in self.heads if head != WAVELENGTH]
        lines = ["\t".join(heads)]
        for row in range(self.rowCount()):
            numbers = (self.source.number(head, row) for head in heads[1:])
            lines.append("\t".join([str(row), *("" if number is None else repr(number) for number in numbers)]))
        return "\n".join(lines) + "\n"

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self.source.n_rows

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
            return plain_tip(TIPS[head] + (f"\n{self.source.vector_label}" if head == self.source.vector_head else ""))
        return _alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(index.row(), index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            head = self.heads[index.column()]
            number = None if head in (COLUMN, WAVELENGTH) else self.source.number(head, index.row())
            return None if number is None else plain_tip(repr(number))
        return _alignment(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def text(self, row: int, section: int) -> str:
        """The text of a cell."""
        head = self.heads[section]
        if head == COLUMN:
            return self._column_text(row)
        if head == WAVELENGTH:
            column = self.source.table_column(row)
            return wavelength_text(self._column_info(column).wavelength) if column < self._n_entries else NO_NUMBER
        number = self.source.number(head, row)
        return NO_NUMBER if number is None else signed(number)

    def widest(self, head: str) -> str:
        """A text as wide as the widest below a head."""
        if head == WAVELENGTH:
            return "999,999.9"
        if head == COLUMN:
            rows = {0, self.source.row_of(self._n_entries - 1), max(0, self.source.n_rows - 1)}
            return max((self._column_text(row) for row in rows), key=len)
        return signed(-self.source.largest(head)) if self.source.n_rows else ""

    @property
    def _n_entries(self) -> int:
        return self.source.encoding.n_columns

    def _column_text(self, row: int) -> str:
        column = self.source.table_column(row)
        if column >= self._n_entries:
            return f"{row} {NO_NUMBER}"
        info = self._column_info(column)
        if self.source.embedded and info.wavelength is None:  # the part is the same in each row, and room is scarce
            return str(row)
        return info.part if is_head(info, row) else f"{row} {info.part}"


def _refusal(document: Document, token: Token) -> str:
    """Why the token's own vector cannot be read; only a file's numbers can be refused."""
    if document.embedding.embedding == "model":
        try:
            document.vectors_of([token])
        except UnreadableError as error:
            return str(error)
    return ""


def _remembered_info(encoding: Encoding) -> Callable[[int], ColumnInfo]:
    """The encoding's ``column_info``, kept for later paintings of the same rows at any position."""
    return lru_cache(maxsize=4096)(encoding.column_info)


def _alignment(section: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if section else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
