"""Pointing at a figure: the cell under the mouse, the arrow keys, and the words for the cell."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtWidgets import QGraphicsItem

from posenc_gui.figures.shown import Shown
from posenc_gui.model import Cursor
from posenc_gui.plotting import PlotArea

View = TypeVar("View", bound=Shown)

_ARROWS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
"""Steps to the right and down."""


class Rows:
    """Columns of a table as rows of a plot area, over which a lesson lets people draw."""

    def row_of(self, column: int) -> int | None:
        """The row that shows the column; None if it is not in view."""
        raise NotImplementedError

    def column_at(self, y: float) -> int | None:
        """The column in view whose row is nearest to a height in the area's coordinates; None without columns."""
        raise NotImplementedError

    def height_of(self, value: float) -> float:
        """The height of a value over the middle of its row, in rows."""
        raise NotImplementedError


class Pointing(Generic[View]):
    """Reads a figure's frozen view: cursors for places and keys, and words and numbers for cursors.

    ``area`` is the plot area of cells that can be marked, None for other figures. ``labels`` are items that
    name its cells.
    """

    area: PlotArea | None = None
    labels: Sequence[QGraphicsItem] = ()
    speaks_note: ClassVar[bool] = False
    """Whether the note is read aloud as the text on the marked part."""

    def __init__(self, view: Callable[[float], View], hint: str, standing: Callable[[float], str]) -> None:
        self._view, self._hint, self._standing = view, hint, standing

    @property
    def view(self) -> View:
        """The figure's view, at one device pixel per logical pixel."""
        return self._view(1.0)

    def note(self, scale: float = 1.0) -> str:
        """Sentences on the picture, such as averaging or scrolling; empty for none.

        ``scale`` is the number of device pixels per logical pixel, on the screen or in the file.
        """
        view = self._view(scale)
        return view.problem or " · ".join(filter(None, self.notes(view, self._standing(scale))))

    def notes(self, view: View, standing: str) -> Iterable[str]:
        """The parts of the note; empty ones are omitted. ``standing`` is the progress of a slow picture."""
        return ()

    @property
    def is_refusal(self) -> bool:
        """Whether the note reports that something is not drawn."""
        return False

    def subtitle(self) -> str:
        """The panel's hint in the words of the document."""
        return self._hint

    def spoken(self) -> str:
        """Text for screen readers on the marked part; empty if that is the cursor's cell."""
        return self.note() if self.speaks_note else ""

    def number(self) -> float | None:
        """The number under the cursor, as the figure shows it; None if the cell has no number."""
        view = self.view
        cursor, encoding = view.cursor, view.encoding
        if cursor is None or not 0 <= cursor.column < encoding.n_columns or not encoding.has_value(cursor.position):
            return None
        return float(encoding.values(np.array([cursor.position]), np.array([cursor.column]))[0, 0])

    def copies(self) -> Mapping[str, Callable[[], str]]:
        """Texts to copy by their names in the panel's menu; each is called when chosen."""
        return {}

    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        """The cursor after ``times`` presses of an arrow key; None for other keys, and without a movement."""
        across, down = _ARROWS.get(key, (0, 0))
        return self.stepped(self.view, across * times, down * times) if across or down else None

    def stepped(self, view: View, across: int, down: int) -> Cursor | None:
        """The cursor after steps to the right or down; None without a movement."""
        return None

    def pointed(self, x: float, y: float, pinned: bool) -> Cursor | None:
        """The cursor at a place in the coordinates of the plot area or of the canvas; None at an empty place."""
        return None

    def rect_of(self, position: int | None, column: int | None) -> QRectF | None:
        """The rectangle of a cell in the area's pixels, of a whole row or column for None; None if it is not shown."""
        return None

    def frame(self) -> QRectF | None:
        """The rectangle to frame for the cursor, in the area's pixels; None for no cell."""
        cursor = self.view.cursor
        return None if cursor is None else self.rect_of(cursor.position, cursor.column)

    def is_held(self) -> bool:
        """Whether the cursor is held."""
        return self.view.is_held

    @property
    def rows(self) -> Rows | None:
        """The rows that drawings can be made over; None for a figure without."""
        return None

    @property
    def positions(self) -> range:
        """The positions that the cursor can be at."""
        return self.view.axis.shown

    @property
    def n_pointed(self) -> int:
        """The number of columns that the cursor can be in."""
        return self.view.encoding.n_columns

    def cell(self, position: int, column: int, pinned: bool) -> Cursor | None:
        """The cursor at a cell; None for a cell that does not exist."""
        if position not in self.positions or not 0 <= column < self.n_pointed:
            return None
        view = self.view
        return Cursor(position, column, pinned, view.at.query if view.encoding.relative else None)

    def cell_from(self, positions: int, columns: int) -> Cursor | None:
        """The cursor that many positions and columns further, held; None without positions."""
        shown, at = self.positions, self.view.at
        if not shown:
            return None
        position = min(max(at.position + positions, shown[0]), shown[-1])
        return self.cell(position, min(max(at.column + columns, 0), self.n_pointed - 1), True)
