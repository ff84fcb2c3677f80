"""The base of the figures, each of which shows a document and a cursor in a style, on a screen and in a file alike.

A figure is a function of (document, cursor, window, style). The exporter makes a second figure, gives it the same
four values and paints it elsewhere; no picture depends on the widget that shows it.
"""

from collections.abc import Callable, Mapping
from typing import ClassVar

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal

from posenc_core import Document, Encoding
from posenc_core.numerics import FloatArray
from posenc_core.tables import LONG_WORK, ProgressCallback
from posenc_gui.figures.controls import Need as Need
from posenc_gui.figures.controls import Switch
from posenc_gui.figures.progressive import BackgroundRenderer, Rendered, RenderRequest, computed
from posenc_gui.look import Explained, Style
from posenc_gui.model import Course, Cursor, PositionAxis, seen_by
from posenc_gui.plotting import Window as Window

_LEAST_EXPORT_HEIGHT = 260


class PictureRenderer:
    """Gives a figure its pictures when it paints.

    ``request(scale, vector)`` is the figure's picture for a file or a screen; None if there is no value. On a
    screen, ``background`` computes the pictures that take long; without it, as in files, pictures are complete.
    """

    def __init__(self, request: Callable[[float, bool], RenderRequest | None]) -> None:
        self.background: BackgroundRenderer | None = None
        self._request = request
        self._last: tuple[RenderRequest, Rendered] | None = None

    def render(self, request: RenderRequest) -> Rendered:
        """The picture, or its known parts; the same object until there is more to show."""
        before = None if self._last is None or self._last[0] != request else self._last[1]
        if before is not None and before.known is None:
            return before
        background = self.background if request.work else None
        rendered = Rendered(request.compute()) if background is None else background.render(request, before)
        self._last = (request, rendered)
        return rendered

    def prepare(self, scale: float, vector: bool, progress: ProgressCallback) -> None:
        """Compute the picture of a slow table before a file is painted; Cancelled once ``progress`` returns False."""
        request = self._request(scale, vector)
        if request is not None and request.work:
            self._last = (request, Rendered(computed(request, progress)))

    def clear(self) -> None:
        """Forget all pictures: the encoding has changed."""
        self._last = None
        if self.background is not None:
            self.background.clear()

    def standing(self, scale: float) -> str:
        """The progress of the picture on the screen; empty for a complete one."""
        return "" if self.background is None or not self._work(scale) else self.background.standing

    def takes_long(self, scale: float) -> bool:
        """Whether the picture on the screen is computed beside the window."""
        return self.background is not None and self._work(scale) > LONG_WORK

    def _work(self, scale: float) -> int:
        request = self._request(scale, False)
        return 0 if request is None else request.work


class Figure(Explained, pg.GraphicsLayout):
    """A picture of a document. Subclasses fill in ``_document_shown``, ``_cursor_shown`` and ``_style_shown``.

    ``cursorMoved`` carries a Cursor: the cell under the mouse, pinned after a click. ``fieldEdited`` carries a field's
    name, a value and a gesture, ``encodingsEdited`` the encodings as they should be, the index of the chosen one, and
    what was done. ``viewAsked`` carries a workspace and a panel to go to, ``marksChanged`` what ``spoken`` says now.
    ``noteChanged`` is emitted when ``note`` may have changed. ``controls`` are the fields that the panel has editors
    for. A figure with ``needs`` is only drawn for encodings that it suits; one that ``has_numbers`` draws others than
    the tokens' vectors. ``course`` is what a timeline moves, None for the tokens. ``steps`` are the (positions,
    columns) by which the arrow keys move the cursor. ``pictures`` computes what may take long. ``problem`` says why
    the last picture stays, an ``is_refusal`` note what is not drawn. ``cursor`` is marked, ``seen_from`` counts.
    """

    cursorMoved = Signal(object)
    fieldEdited = Signal(str, object, object)
    encodingsEdited = Signal(object, int, str)
    viewAsked = Signal(str, str)
    marksChanged = Signal(str)
    noteChanged = Signal()
    name: ClassVar[str]
    title: ClassVar[str]
    hint: ClassVar[str]
    least_size: ClassVar[tuple[int, int]] = (260, 180)
    export_size: ClassVar[tuple[int, int]] = (900, 420)
    controls: ClassVar[tuple[str, ...]] = ()
    needs: ClassVar[Need | None] = None
    course: ClassVar[Course | None] = None
    has_numbers: ClassVar[bool] = False
    steps: Mapping[Qt.Key, tuple[int, int]] = {}
    pictures: PictureRenderer | None = None
    problem, is_refusal = "", False

    def __init__(self, style: Style) -> None:
        super().__init__()
        self.layout.setContentsMargins(0, 0, 0, 0)
        self.layout.setSpacing(0)
        self.style = style
        self.document = self._given = Document()
        self.cursor: Cursor | None = None
        self.seen_from: Cursor | None = None
        self.axis = PositionAxis.of(self.document)
        self._before_click: Cursor | None = None

    @classmethod
    def suits(cls, encoding: Encoding) -> bool:
        """Whether the figure is shown for this encoding unless the user chooses otherwise."""
        return True

    @classmethod
    def lacks(cls, encoding: Encoding) -> Need | None:
        """What the figure needs and the encoding does not have; None if the figure can be drawn."""
        return None if cls.needs is None or cls.suits(encoding) else cls.needs

    @classmethod
    def missing(cls, document: Document) -> Need | None:
        """What the document lacks; by default what the chosen encoding does."""
        return cls.lacks(document.encoding)

    @classmethod
    def numbers(cls, document: Document) -> Mapping[str, FloatArray]:
        """The columns of the figure's own table by their heads, for a figure that ``has_numbers`` of its own."""
        raise NotImplementedError

    def show_document(self, document: Document) -> None:
        """Show this document; its numbers are computed when the figure is painted."""
        self._given = document
        before, self.document = self.document, seen_by(document, self.seen_from)
        if self.pictures is not None and self.document.encoding != before.encoding:
            self.pictures.clear()
        self.axis = PositionAxis.of(document, self.seen_from)
        self._document_shown(before)
        self.update_all()
        self.noteChanged.emit()

    @property
    def has_picture(self) -> bool:
        """Whether there is a picture, which stays while a document has a ``problem``."""
        return True

    def check_shown(self) -> None:
        """ValueError with the ``problem``, if there is one."""
        if self.problem:
            raise ValueError(self.problem)

    def show_cursor(self, cursor: Cursor | None, marked: bool = True) -> None:
        """Mark this cell, unless it is not to be ``marked``; in relative families, count distances from its query."""
        shown = cursor if marked else None
        if (shown, cursor) != (self.cursor, self.seen_from):
            before, self.cursor, self.seen_from = self.cursor, shown, cursor
            if seen_by(self._given, cursor).encodings != self.document.encodings:
                self.show_document(self._given)
            axis_before, self.axis = self.axis, PositionAxis.of(self.document, cursor)
            self._cursor_shown(before)
            if self.axis != axis_before:
                self.update_all()
                self.noteChanged.emit()

    def show_style(self, style: Style) -> None:
        """Draw in this style."""
        self.style = style
        self._style_shown()
        self.update_all()

    def used_controls(self, document: Document) -> tuple[str, ...]:
        """Those of ``controls`` that have an effect on the document's picture; the panel shows them alone."""
        return self.controls

    def note(self, scale: float = 1.0) -> str:
        """What a reader must know of this picture, such as averaging or scrolling; empty for nothing.

        ``scale`` is the number of device pixels per logical pixel, on the screen or in the file.
        """
        return ""

    def subtitle(self) -> str:
        """The hint in the words of this document."""
        return self.hint

    def window(self) -> Window | None:
        """The part in view; None if the figure always shows everything."""
        return None

    def show_window(self, window: Window | None) -> None:
        """Show that part."""

    def show_columns(self, first: int, stop: int) -> None:
        """Show the columns first..stop-1 of the table and no others."""

    def reset_window(self) -> None:
        """Show the part that is shown at the start."""

    def switches(self) -> tuple[Switch, ...]:
        """What can be chosen in the panel's header; ``noteChanged`` is emitted when it may have changed."""
        return ()

    def choose(self, switch: str, value: str | int) -> None:
        """Show the figure as the switch of this name says."""

    def show_cell(self, cursor: Cursor) -> None:
        """Scroll until the cell is in view."""

    def export_height(self, width: float) -> int:
        """The height of the figure in a file of this width, in logical pixels."""
        across, down = self.export_size
        return max(round(down * width / across), min(down, _LEAST_EXPORT_HEIGHT))

    def script(self) -> str:
        """A Matplotlib script that draws the part in view; ValueError for a figure without a script."""
        need = self.missing(self.document)
        raise ValueError(need.sentence if need else f"there is no Matplotlib script for the panel {self.title}")

    def whole_height(self, height: float) -> float:
        """The greatest height up to this one, in logical pixels, at which nothing is cut off at the bottom."""
        return height

    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        """The cursor after ``times`` presses of an arrow key; None for other keys, and without positions."""
        step, positions = self.steps.get(key), self.positions
        if step is None or not positions:
            return None
        cursor = self.cursor or Cursor(0, 0)
        position = min(max(cursor.position + times * step[0], positions[0]), positions[-1])
        column = min(max(cursor.column + times * step[1], 0), self.n_pointed - 1)
        return Cursor(position, column, True, cursor.query if self.document.encoding.relative else None)

    def pressed(self, key: Qt.Key, is_shifted: bool) -> bool:
        """Act on a key of the figure's own; returns whether it is one."""
        return False

    def spoken(self) -> str:
        """What a screen reader says of what is seen or marked here; empty where that is the cursor's cell."""
        return ""

    def copies(self) -> Mapping[str, Callable[[], str]]:
        """What makes the texts that can be copied, by what the panel's menu calls them."""
        return {}

    def number(self) -> float | None:
        """The number under the cursor, as the figure shows it; None if the cell has no number."""
        cursor, encoding = self.cursor, self.document.encoding
        if cursor is None or not 0 <= cursor.column < encoding.n_columns or not encoding.has_value(cursor.position):
            return None
        return float(encoding.values(np.array([cursor.position]), np.array([cursor.column]))[0, 0])

    def update_all(self) -> None:
        """Repaint everything in the next frame."""
        for item in self.childItems():
            item.update()
            for inner in item.childItems():
                inner.update()

    def point_at(self, position: int, column: int, pinned: bool) -> None:
        """Move the cursor to this cell, if the cell exists."""
        if position in self.positions and 0 <= column < self.n_pointed:
            query = self.cursor.query if self.cursor is not None and self.document.encoding.relative else None
            self.cursorMoved.emit(Cursor(position, column, pinned, query))

    def remember_click(self) -> None:
        """Remember the cursor before a click, which may be the first of a double click."""
        self._before_click = self.cursor

    def take_back_click(self) -> None:
        """Hold what was held before the first click of a double click, and release its cell if none was."""
        before, now = self._before_click, self.cursor
        if before != now and now is not None:
            self.cursorMoved.emit(before if before is not None and before.pinned else now)

    @property
    def n_pointed(self) -> int:
        """The number of columns that the cursor can be in."""
        return self.document.encoding.n_columns

    @property
    def positions(self) -> range:
        """The positions that the cursor can be at."""
        return self.axis.shown

    def _document_shown(self, before: Document) -> None:
        """Adapt extents and labels to the new document."""

    def _cursor_shown(self, before: Cursor | None) -> None:
        """Repaint the marks of the cursor and of the one before."""

    def _style_shown(self) -> None:
        """Give the style to axes and keys."""
