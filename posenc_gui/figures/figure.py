"""The base of the pictures: each shows a document and a cursor in a style, on the screen and in a file alike.

A figure is a function of (document, cursor, window, style). The exporter makes a second one, gives it the same
four and paints it elsewhere; no picture depends on the widget it was seen in.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar

import pyqtgraph as pg
from msgspec import Struct
from PySide6.QtCore import Qt, Signal

from posenc_core import Document, Encoding
from posenc_core.encodings import ColumnInfo
from posenc_core.progressive import PartialPicture
from posenc_core.tables import LONG_WORK
from posenc_gui.figures.growing_job import RenderRequest, computed
from posenc_gui.figures.progressive import WIDEST_WORDS, BackgroundRenderer
from posenc_gui.look.style import Style
from posenc_gui.model.cursor import Cursor, PositionAxis, no_value_sentence
from posenc_gui.plotting.color_scale import ColorScale
from posenc_gui.plotting.plot_area import Range


@lru_cache(maxsize=2)
def column_info_of(encoding: Encoding) -> Callable[[int], ColumnInfo]:
    """What each column is, remembered: labels and colours ask for it at every paint."""
    return lru_cache(maxsize=8192)(encoding.column_info)


def column_info(encoding: Encoding, column: int) -> ColumnInfo:
    """What a column is, remembered; who asks for many has them from ``column_info_of``."""
    return column_info_of(encoding)(column)


class Window(Struct, frozen=True):
    """The part of a figure that is in view: a range across and one upright, in the figure's own coordinates."""

    x: Range
    y: Range


class Figure(pg.GraphicsLayout):
    """A picture of a document. Subclasses fill in ``_document_shown``, ``_cursor_shown`` and ``_style_shown``.

    ``cursorMoved`` carries a Cursor: where the mouse points, pinned where it clicks. ``noteChanged`` says that
    ``note`` may have changed.
    """

    cursorMoved = Signal(object)
    noteChanged = Signal()

    name: ClassVar[str]
    title: ClassVar[str]
    hint: ClassVar[str]
    explanation: ClassVar[str]
    least_size: ClassVar[tuple[int, int]] = (260, 180)
    export_size: ClassVar[tuple[int, int]] = (900, 420)

    def __init__(self, style: Style) -> None:
        super().__init__()
        self.layout.setContentsMargins(0, 0, 0, 0)
        self.layout.setSpacing(0)
        self.style = style
        self.document = Document()
        self.cursor: Cursor | None = None
        self.later: BackgroundRenderer | None = None  # without one, as in files, what is drawn is exact at once
        self._prepared: tuple[RenderRequest, Any] | None = None
        self.places = PositionAxis.of(self.document)

    @classmethod
    def suits(cls, encoding: Encoding) -> bool:
        """Whether the figure is shown for this encoding where nobody has chosen."""
        return True

    def show_document(self, document: Document) -> None:
        """Draw this document from now on; what it takes is computed when it is painted."""
        before, self.document = self.document, document
        if self.later is not None and document.encoding != before.encoding:
            self.later.clear()
        self.places = PositionAxis.of(document, self.cursor)
        self._document_shown(before)
        self.update_all()
        self.noteChanged.emit()

    def show_cursor(self, cursor: Cursor | None) -> None:
        """Mark this cell."""
        if cursor != self.cursor:
            before, self.cursor = self.cursor, cursor
            places, self.places = self.places, PositionAxis.of(self.document, cursor)
            self._cursor_shown(before)
            if self.places != places:
                self._places_shown()
                self.update_all()

    def show_style(self, style: Style) -> None:
        """Draw in this style from now on."""
        self.style = style
        self._style_shown()
        self.update_all()

    def note(self, scale: float = 1.0) -> str:
        """What a reader must know of this very picture (averaging, scrolling); empty where there is nothing.

        ``scale`` is the number of device pixels to a logical one, on the screen or in the file.
        """
        return ""

    def widest_note(self, scale: float = 1.0) -> str:
        """The most that the note comes to say while this picture is computed; empty where that takes no time."""
        return ""

    def wanted(self, scale: float, vector: bool = False) -> RenderRequest | None:
        """What may take long of the picture at so many pixels to a logical one; None where there is nothing."""
        return None

    def prepare(self, scale: float, vector: bool, watch: Callable[[float], bool]) -> None:
        """Compute before the picture is painted what takes long of it; Cancelled once ``watch`` gives False."""
        wanted = self.wanted(scale, vector)
        if wanted is not None and wanted.work:
            self._prepared = (wanted, computed(wanted, watch) if wanted.work > LONG_WORK else wanted.compute())

    def standing(self, scale: float, widest: bool = False) -> str:
        """How far a picture is that takes long, or the longest it comes to say; empty for all others."""
        if self.later is None or not self.document.encoding.row_cost(1):
            return ""
        wanted = self.wanted(scale)
        if wanted is None or not self.later.takes_long(wanted):
            return ""
        return WIDEST_WORDS if widest else self.later.standing

    def growing(self, wanted: RenderRequest) -> PartialPicture | None:
        """What is there of a picture that is computed beside the window; None for one that is drawn at once."""
        if self.later is None:
            return None
        if self.later.takes_long(wanted):
            return self.later.ask(wanted)
        self.later.forget()
        return None

    def computed(self, wanted: RenderRequest) -> Any:
        """A picture that is drawn at once."""
        if self._prepared is not None and self._prepared[0] == wanted:
            return self._prepared[1]
        return wanted.compute() if self.later is None else self.later.compute(wanted)

    def no_value_note(self, low: float, high: float) -> str:
        """The encoding's sentence where a position within a visible range has no value, else empty."""
        shown = self.places.shown
        seen = range(max(shown.start, math.ceil(low)), min(shown.stop, math.floor(high) + 1))
        return no_value_sentence(self.document.encoding, seen)

    def subtitle(self) -> str:
        """The hint in the words of this document."""
        return self.hint

    def window(self) -> Window | None:
        """The part in view; None where the figure always shows everything."""
        return None

    def show_window(self, window: Window | None) -> None:
        """Show that part."""

    def show_columns(self, first: int, stop: int) -> None:
        """Show these columns of the table, ``stop`` excluded, and no others."""

    def reset_window(self) -> None:
        """Show what is shown at the start."""

    def show_cell(self, cursor: Cursor) -> None:
        """Scroll until the cell is in view."""

    def export_height(self, width: float) -> int:
        """The height of the figure in a file, for this width, in logical pixels."""
        return self.export_size[1]

    def step(self, key: Qt.Key) -> tuple[int, int] | None:
        """By how many (positions, columns) an arrow key moves the cursor here; None for other keys."""
        return None

    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        """Where an arrow key leads the cursor, ``times`` steps on; None for other keys and where there is nothing."""
        step, positions = self.step(key), self.positions
        if step is None or not positions:
            return None
        cursor = self.cursor or Cursor(0, 0)
        return Cursor(
            min(max(cursor.position + times * step[0], positions[0]), positions[-1]),
            min(max(cursor.column + times * step[1], 0), self.n_pointed - 1),
            pinned=True,
            query=cursor.query,
        )

    def update_all(self) -> None:
        """Paint everything again at the next frame."""
        for item in self.childItems():
            item.update()
            for inner in item.childItems():
                inner.update()

    @property
    def color_scale(self) -> ColorScale:
        """Colours of the table's values."""
        shown = self.places.shown
        low, high = self.document.encoding.range_over(shown.start, shown.stop)
        return ColorScale(self.document.view.color_map, low, high)

    def point_at(self, position: int, column: int, pinned: bool) -> None:
        """Tell that the mouse is at this cell, if there is one."""
        if position in self.positions and 0 <= column < self.n_pointed:
            query = None if self.cursor is None else self.cursor.query
            self.cursorMoved.emit(Cursor(position, column, pinned, query))

    @property
    def n_pointed(self) -> int:
        """The number of columns that can be pointed at here."""
        return self.document.encoding.n_columns

    @property
    def positions(self) -> range:
        """The positions that can be pointed at here."""
        return self.places.shown

    @property
    def token_positions(self) -> range:
        """The positions shown here at which there are tokens."""
        tokens, shown = self.places.tokens, self.places.shown
        return range(max(tokens.start, shown.start), min(tokens.stop, shown.stop))

    def _document_shown(self, before: Document) -> None:
        """Adapt extents and labels to the new document."""

    def _cursor_shown(self, before: Cursor | None) -> None:
        """Repaint what marks the cursor, and what marked it before."""

    def _places_shown(self) -> None:
        """Adapt to tokens that stand at other positions: distances are counted from another one."""

    def _style_shown(self) -> None:
        """Give the style to axes and keys."""
