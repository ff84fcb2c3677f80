"""Places of the rows, columns and heads of the scorecard."""

import math

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF

from posenc_gui.layers import readout_below

_TALLEST_ROW, _GOOD_ROW, _LEAST_ROW = 26.0, 11.0, 8.0
HEAD_LINE_PX = 12.0
_TITLE_LINES = 3
_NARROW, _TURNED_PX = 48.0, 80.0
"""The head of a narrower column is turned by a quarter, and has this height."""

_TITLE_SHARE, _WIDEST_TITLE, _LEAST_TITLE, _TURNED_TITLE = 0.17, 128.0, 64.0, 100.0


class ScorecardLayout(Struct, frozen=True):
    """A table of ``n_rows`` by ``n_columns`` cells below a row of heads, to the right of the rows' titles.

    ``readout`` is the room for a sentence below it. The heads of a high table describe good numbers (``has_good``).
    Heads of narrow columns read upwards (``is_turned``).
    """

    n_rows: int
    n_columns: int
    table: QRectF
    readout: QRectF
    has_good: bool
    is_turned: bool

    @classmethod
    def of(cls, n_rows: int, n_columns: int, rect: QRectF) -> "ScorecardLayout":
        """The places in a rectangle of this size."""
        rect, readout = readout_below(rect)
        title = min(max(math.floor(_TITLE_SHARE * rect.width()), _LEAST_TITLE), _WIDEST_TITLE)
        room = rect.height() - 1 - _GOOD_ROW * n_rows
        is_low = rect.height() - 1 - _LEAST_ROW * n_rows < _TURNED_PX
        is_turned = rect.width() - title - 1 < _NARROW * n_columns and not is_low
        title = max(title, min(_TURNED_TITLE, rect.width() / 3)) if is_turned else title  # words, not numbers, need it
        wide = n_columns * math.floor((rect.width() - title - 1) / n_columns)
        head = _TURNED_PX if is_turned else (_TITLE_LINES + 1) * HEAD_LINE_PX + 4
        has_good = not is_turned and head <= room
        head -= 0 if has_good or is_turned else HEAD_LINE_PX
        row = math.floor((rect.height() - head - 1) / n_rows)
        height = n_rows * min(max(row, _LEAST_ROW), _TALLEST_ROW)
        table = QRectF(rect.left() + title, rect.top() + head, max(wide, n_columns), height)
        return cls(n_rows, n_columns, table, readout, has_good, is_turned)

    @property
    def cell_width(self) -> float:
        """The width of a column in pixels."""
        return self.table.width() / self.n_columns

    @property
    def row_height(self) -> float:
        """The height of a row in pixels."""
        return self.table.height() / self.n_rows

    def cell(self, row: int, column: int) -> QRectF:
        """The rectangle of a cell."""
        left, top = self.table.left() + column * self.cell_width, self.table.top() + row * self.row_height
        return QRectF(left, top, self.cell_width, self.row_height)

    def title(self, row: int) -> QRectF:
        """The rectangle of a row's title."""
        return QRectF(0.0, self.table.top() + row * self.row_height, self.table.left() - 6, self.row_height)

    def head(self, column: int) -> QRectF:
        """The rectangle of a column's head."""
        left = self.table.left() + column * self.cell_width
        return QRectF(left, 0.0, self.cell_width, self.table.top() - 4)

    def cell_at(self, place: QPointF) -> tuple[int, int] | None:
        """The row and the column of the cell at a place; None for none."""
        if not self.table.contains(place):
            return None
        row = int((place.y() - self.table.top()) / self.row_height)
        column = int((place.x() - self.table.left()) / self.cell_width)
        return min(row, self.n_rows - 1), min(column, self.n_columns - 1)
