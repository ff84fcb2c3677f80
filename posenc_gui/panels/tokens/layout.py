"""The layout of the strips of the tokens panel."""

import math

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF

from posenc_core import Document
from posenc_gui.look import LIGHT
from posenc_gui.model import PositionAxis, position_words
from posenc_gui.panels.tokens.rows import BEFORE, BESIDE, SINGLE, TURNED, further_names, row_names
from posenc_gui.plotting import width_of

_LEAST_BOX, BOX, _LARGEST_BOX = 28.0, 60.0, 120.0
"""Pixels; the others are units, as are all lengths below."""
NORM_LINE = 14.0
WORD_PX, PLACE_PX = 13, 11
_NAME_LINE = 18.0
_GAP = 8.0
_ROW_GAP = 2.0
_NAME_GAP = 8.0
ROW_NAMES = {SINGLE: 0.0, TURNED: 46.0}
ROW_NAME = 38.0
WIDER = {BESIDE: 52.0, BEFORE: 84.0}
"""Room for the names of further rows."""
_SHORT, _LEAST_NAME = {BESIDE: 52.0, BEFORE: 42.0}, 40.0
"""The same for short names, above which words are that have less than the least room beside long ones."""
_SCROLL_BAR = 8.0
_LONGEST_NAME = 110.0
_NAMES_SHARE = 0.36
_MEASURED_TOKENS = 200  # in longer sentences, only the first ones are measured

_HEIGHTS = {True: (20.0, 40.0), False: (20.0, 72.0)}
"""The least and the greatest height of a row of boxes, and of lines."""
_NUMBER_BOX, _LEAST_STACKED = 34.0, 22.0
"""The least width of a box with two decimals, which narrower ones have above them, and of a box in several rows."""

_ALONE = 28.0
"""The least height of a token's only row, with its word and its position beside it."""


class Strip(Struct, frozen=True):
    """One token's index, and the rectangle of its name and its rows."""

    token: int
    rect: QRectF


class StripLayout(Struct, frozen=True):
    """Places of the strips: one below the other, names at the left, or above the boxes without room beside them.

    Coordinates are the canvas' units before scrolling. ``gutter`` is the width of the names, ``width`` that of the
    columns; ``box`` is the width of a column's box, None if there are too many columns for boxes; ``above`` and
    ``below`` are the heights of the line of the name above the rows, and of the line under them.
    """

    n_tokens: int
    columns: tuple[int, int]
    rows: int
    gutter: float
    row_name: float
    width: float
    row_height: float
    below: float
    box: float | None
    above: float = 0.0

    @classmethod
    def of(
        cls, document: Document, columns: tuple[int, int], width: float, height: float, unit: float = 1.0
    ) -> "StripLayout":
        """The layout for a document in a room of units of ``unit`` pixels; a height of 0 means the natural height."""
        n_tokens, n = len(document.token_list), columns[1] - columns[0]
        names, further = row_names(document), further_names(document)
        rows = len(names) + len(further)
        own = ROW_NAMES.get(names, ROW_NAME)
        row_name, short = (max(own, *(widths[each] for each in further), 0.0) for widths in (WIDER, _SHORT))
        below = NORM_LINE if names == TURNED else 0.0
        name, least_box = _name_width(document), (_LEAST_BOX if rows == 1 else _LEAST_STACKED) / max(1.0, unit)
        gutter, above = min(name + row_name, max(row_name, _NAMES_SHARE * width)) + _NAME_GAP, 0.0
        has_room = width - gutter - _SCROLL_BAR >= (_NUMBER_BOX if rows == 1 else least_box) * n
        narrow = 0.0 if rows == 1 else short + _NAME_GAP
        gains_boxes = not has_room and least_box * n <= width - narrow - _SCROLL_BAR
        if gains_boxes or (rows > 1 and gutter < row_name + min(name, _LEAST_NAME)):
            row_name, gutter, above = short, narrow, _NAME_LINE
        room = max(1.0, width - gutter - _SCROLL_BAR)
        box = min(room / n, _LARGEST_BOX)
        boxes = box >= least_box
        least, most = _HEIGHTS[boxes]
        least = max(least, _ALONE) if rows == 1 and not above else least
        seen = max(1, n_tokens)
        if rows == 1:  # of more the first ones are whole, before anybody scrolls
            seen = min(seen, max(1, int(height // (above + least + _ROW_GAP + below + _GAP))))
        each = (height / seen - _GAP - above - below) / rows - _ROW_GAP if height else most
        return cls(
            n_tokens, columns, rows, gutter, row_name, box * n if boxes else room,
            min(most, max(least, each)), below, box if boxes else None, above,
        )  # fmt: skip

    @property
    def line_height(self) -> float:
        """Height of a strip and of the gap between two."""
        return self.above + self.rows * (self.row_height + _ROW_GAP) + self.below + _GAP

    @property
    def height(self) -> float:
        """Height of all strips."""
        return self.n_tokens * self.line_height

    def strip(self, token: int) -> Strip:
        """The strip of the token with this index, half of the gap above it, where the cursor's frame is."""
        rect = QRectF(0.0, token * self.line_height + _GAP / 2, self.gutter + self.width, self.line_height - _GAP)
        return Strip(token, rect)

    def visible(self, offset: float, height: float) -> tuple[int, int]:
        """The first strip in view and the one after the last, for a window scrolled by ``offset``."""
        first = int(offset // self.line_height)
        stop = math.ceil((offset + height) / self.line_height)
        return first, min(stop, self.n_tokens)

    def row_rect(self, strip: Strip, row: int) -> QRectF:
        """The rectangle of all columns of a row of the strip."""
        top = strip.rect.top() + self.above + row * (self.row_height + _ROW_GAP)
        return QRectF(self.gutter, top, self.width, self.row_height)

    def column_rect(self, row: QRectF, column: int) -> QRectF:
        """The part of a row's rectangle that belongs to the column."""
        first, stop = self.columns
        width = row.width() / (stop - first)
        return QRectF(row.left() + (column - first) * width, row.top(), width, row.height())

    def cell_at(self, place: QPointF) -> tuple[int, int] | None:
        """The index of the token and the column at a place; None beside the columns and below the strips."""
        token, across = int(place.y() // self.line_height), place.x() - self.gutter
        if not 0 <= token < self.n_tokens or not 0 <= across < self.width:
            return None
        first, stop = self.columns
        return token, min(first + int(across / self.width * (stop - first)), stop - 1)


def _name_width(document: Document) -> float:
    """The room that the longest word and its position need, or its distance from any other token."""
    axis, tokens = PositionAxis.of(document), document.token_list
    last = len(tokens) - 1
    places = () if not tokens else (0, last) if axis.query is None else (last, -last)
    words = (tokens[index].shown[:60] for index in range(min(len(tokens), _MEASURED_TOKENS)))
    widths = [width_of(word, LIGHT, WORD_PX, semibold=True) for word in words]
    widths += [width_of(position_words(axis, place), LIGHT, PLACE_PX) for place in places]
    return min(_LONGEST_NAME, math.ceil(max(widths, default=0.0)))
