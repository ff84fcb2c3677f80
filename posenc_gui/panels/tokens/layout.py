"""The layout of the strips of the tokens panel."""

import math

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF

from posenc_core import Document
from posenc_gui.panels.tokens.rows import SINGLE, TURNED, row_names

_LEAST_BOX, BOX, _LARGEST_BOX = 28.0, 60.0, 120.0
INDEX_LINE = 16.0
WORD_LINE = 22.0
NORM_LINE = 16.0
_GAP = 14.0
_ROW_GAP = 4.0
_GUTTERS = {SINGLE: 0.0, TURNED: 56.0}
_GUTTER = 46.0
_SCROLL_BAR = 10.0


class Strip(Struct, frozen=True):
    """One token's index, and the rectangle of its boxes, indices and word."""

    token: int
    rect: QRectF


class StripLayout(Struct, frozen=True):
    """Where every strip is: several narrow ones per line, or one wide one.

    Coordinates are the panel's pixels before scrolling. ``box`` is the width of a column's box, None where there
    are too many columns for boxes; ``below`` is the height of the lines under the rows.
    """

    n_tokens: int
    columns: tuple[int, int]
    rows: int
    per_line: int
    strip_width: float
    row_height: float
    gutter: float
    below: float
    box: float | None

    @classmethod
    def of(cls, document: Document, columns: tuple[int, int], width: float, height: float) -> "StripLayout":
        """The layout for a document in a room of pixels; a height of 0 gives the natural height."""
        n_tokens, n = len(document.token_list), columns[1] - columns[0]
        names = row_names(document)
        rows, gutter = len(names), _GUTTERS.get(names, _GUTTER)
        below = WORD_LINE + (NORM_LINE if names == TURNED else 0.0)
        room = max(1.0, width - _SCROLL_BAR)
        per_line = int((room + _GAP) // (n * BOX + gutter + _GAP)) if n * _LEAST_BOX <= room else 1
        per_line = max(1, min(per_line, n_tokens))
        strip_width = (room - (per_line - 1) * _GAP) / per_line
        box = (strip_width - gutter) / n
        boxes = box >= _LEAST_BOX
        if boxes:
            box = min(box, _LARGEST_BOX)
            strip_width = box * n + gutter
        lines = max(1, -(-n_tokens // per_line))
        return cls(
            n_tokens, columns, rows, per_line, strip_width,
            _row_height(height / lines - below, rows, boxes), gutter, below, box if boxes else None,
        )  # fmt: skip

    @property
    def line_height(self) -> float:
        """Height of a line of strips, the gap below it included."""
        return INDEX_LINE + self.rows * (self.row_height + _ROW_GAP) + self.below + _GAP

    @property
    def height(self) -> float:
        """Height of all strips."""
        return -(-self.n_tokens // self.per_line) * self.line_height

    def strip(self, token: int) -> Strip:
        """The strip of the token with this index."""
        line, place = divmod(token, self.per_line)
        return Strip(
            token,
            QRectF(
                place * (self.strip_width + _GAP),
                line * self.line_height,
                self.strip_width,
                self.line_height - _GAP,
            ),
        )

    def visible(self, offset: float, height: float) -> tuple[int, int]:
        """The first strip in view and the one after the last, for a window scrolled by ``offset``."""
        first = int(offset // self.line_height) * self.per_line
        stop = math.ceil((offset + height) / self.line_height) * self.per_line
        return min(first, self.n_tokens), min(stop, self.n_tokens)

    def row_rect(self, strip: Strip, row: int) -> QRectF:
        """The rectangle of a row of boxes, or of a profile."""
        top = strip.rect.top() + INDEX_LINE + row * (self.row_height + _ROW_GAP)
        return QRectF(strip.rect.left() + self.gutter, top, self.strip_width - self.gutter, self.row_height)

    def column_rect(self, row: QRectF, column: int) -> QRectF:
        """The part of a row's rectangle that belongs to the column."""
        first, stop = self.columns
        width = row.width() / (stop - first)
        return QRectF(row.left() + (column - first) * width, row.top(), width, row.height())

    def cell_at(self, place: QPointF) -> tuple[int, int] | None:
        """The index of the token and the column at a place; None between the strips."""
        line = int(place.y() // self.line_height)
        for token in range(line * self.per_line, min((line + 1) * self.per_line, self.n_tokens)):
            row = self.row_rect(self.strip(token), 0)
            whole = QRectF(row.left(), self.strip(token).rect.top(), row.width(), self.strip(token).rect.height())
            if token >= 0 and whole.contains(place):
                first, stop = self.columns
                column = first + int((place.x() - row.left()) / row.width() * (stop - first))
                return token, min(column, stop - 1)
        return None


def _row_height(room: float, rows: int, boxes: bool) -> float:
    """The height of a row that fills ``room`` pixels, within bounds."""
    least, most = (26.0, 46.0) if boxes else (34.0, 96.0)
    return min(most, max(least, (room - INDEX_LINE - _GAP) / rows - _ROW_GAP))
