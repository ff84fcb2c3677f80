"""The base of the figures, each of which shows a document and a cursor in a style, on a screen or in a file.

A figure is a function of (document, cursor, window, style). The exporter makes a second figure with the same
four values and paints it elsewhere; no picture depends on the widget that shows it.
"""

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from typing_extensions import override

from posenc_core import Document
from posenc_gui.figures.pointing import Pointing
from posenc_gui.figures.rendering.renderer import PictureRenderer
from posenc_gui.figures.rendering.requests import RenderRequest
from posenc_gui.figures.shown import Frame, Shown, State
from posenc_gui.figures.viewport import Viewport
from posenc_gui.look import Style
from posenc_gui.model import Cursor, PanelSpec, PositionAxis, seen_by
from posenc_gui.plotting import Extents, FigureGrid, Strip

Computed = TypeVar("Computed")


class Figure(pg.GraphicsLayout):
    """Host of a panel's parts. Subclasses lay out items and fill in ``_document_shown`` and ``_cursor_shown``.

    ``view`` is the frozen value that the items paint. ``pointing`` reads it: the cell under the mouse, keys, words and
    numbers. ``viewport`` is the part in view. ``pictures`` computes slow pictures. ``problem`` is the reason why the
    last picture stays, ``frame`` the values shared with figures beside it, ``least`` the ranges that its axes and
    colours have at least, as in all frames of a film.

    ``cursorMoved`` carries a Cursor: the cell under the mouse, pinned after a click. ``fieldEdited`` carries a field's
    name, a value and a gesture, ``encodingsEdited`` the new encodings, the index of the chosen one, and the text of
    the undo step, ``documentEdited`` another document and that text. ``viewAsked`` carries a workspace and a panel to
    show, ``marksChanged`` the new text of ``spoken``. ``noteChanged`` is emitted when the note, the subtitle
    or the switches may have changed.
    """

    cursorMoved = Signal(object)
    fieldEdited = Signal(str, object, object)
    encodingsEdited = Signal(object, int, str)
    documentEdited = Signal(object, str)
    viewAsked = Signal(str, str)
    marksChanged = Signal(str)
    noteChanged = Signal()
    spec: ClassVar[PanelSpec]
    pointing_class: ClassVar[type[Pointing[Any]]] = Pointing
    viewport_class: ClassVar[type[Viewport[Any]]] = Viewport
    problem = ""
    frame: Frame | None = None
    least: Extents = MappingProxyType({})

    def __init__(self, style: Style) -> None:
        super().__init__()
        self.layout: Any = FigureGrid()
        self.setLayout(self.layout)
        self.layout.setContentsMargins(0, 0, 0, 0)
        self.layout.setSpacing(0)
        self.style = style
        self.document = self._given = Document.initial()
        self.cursor: Cursor | None = None
        self.seen_from: Cursor | None = None
        self.axis = PositionAxis.of(self.document)
        self.viewport = self.viewport_class(self)
        self.pictures = PictureRenderer(self.request)
        self.pointing = self.pointing_class(self.view, self.spec.hint, self.pictures.standing)

    def view(self, scale: float = 1.0) -> Shown:
        """Present content of the figure, at ``scale`` device pixels per logical pixel."""
        return Shown(*self.shown())

    def shown(self) -> State:
        """The values of ``Shown``, with which the views of panels begin."""
        return self.document, self.style, self.axis, self.cursor, self.seen_from, self.problem, self.frame, self.least

    def request(self, scale: float, vector: bool) -> RenderRequest | None:
        """The slow picture, for a vector file if ``vector``; None without such a picture."""
        return None

    def show_document(self, document: Document) -> None:
        """Show this document; its numbers are computed when the figure is painted."""
        self._given = document
        before, self.document = self.document, seen_by(document, self.seen_from)
        if self.document.encoding != before.encoding:
            self.pictures.clear()
        self.axis = PositionAxis.of(document, self.seen_from)
        self._document_shown(before)
        self.update_all()
        self.noteChanged.emit()

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
        for item in self.childItems():
            show_style = getattr(item, "show_style", None)
            if show_style is not None:
                show_style(style)
        self._style_shown()
        self.update_all()

    @property
    def has_picture(self) -> bool:
        """Whether there is a picture, which stays while a document has a ``problem``."""
        return True

    def script(self) -> str:
        """A Matplotlib script that draws the part in view; ValueError with one sentence for a figure without one."""
        need, part = self.spec.missing(self.document), self.spec.part("script")
        if need is not None or part is None:
            none = f"there is no Matplotlib script for the panel {self.spec.title}"
            raise ValueError(need.sentence if need else none)
        if self.problem:
            raise ValueError(self.problem)
        return str(part.script(self.view()))

    def pressed(self, key: Qt.Key, is_shifted: bool) -> bool:
        """Act on a key of the figure's own; returns whether it is one."""
        return False

    def update_all(self) -> None:
        """Repaint everything in the next frame."""
        scene = self.scene()
        if scene is not None:
            scene.update()

    def _document_shown(self, before: Document) -> None:
        """Adapt extents and labels to the new document."""

    def _cursor_shown(self, before: Cursor | None) -> None:
        """Repaint the marks of the present and the previous cursor; by default everything."""
        self.update_all()

    def _style_shown(self) -> None:
        """Give the style to keys."""


class PointedFigure(Figure):
    """A figure with its own picture, whose places ``pointing`` turns into cursors."""

    _before_click: Cursor | None = None

    def point(self, x: float, y: float, pinned: bool = False) -> None:
        """Move the cursor to a place in the coordinates of the plot area or of the canvas, unless that is empty."""
        self._before_click = self.cursor if pinned else self._before_click
        cursor = self.pointing.pointed(x, y, pinned)
        if cursor is not None:
            self.cursorMoved.emit(cursor)

    def take_back(self) -> None:
        """Show everything after a double click, and undo the effect of its first click on the held cell."""
        before, now = self._before_click, self.cursor
        if before != now and now is not None:
            self.cursorMoved.emit(before if before is not None and before.pinned else now)
        self.viewport.reset()

    def _computed(self, compute: Callable[[Document], Computed], none: Computed, last: Computed) -> Computed:
        """The document's content; ``none`` if a part is missing, ``last`` with a ``problem`` after an error."""
        self.problem = ""
        if self.spec.missing(self.document) is not None:
            return none
        try:
            return compute(self.document)
        except ValueError as error:
            self.problem = str(error)
            return last


class UnitFigure(PointedFigure):
    """A figure that is drawn in units of the text's size: its layout does not depend on that size.

    Its views have the style for text of size 1.
    """

    @override
    def shown(self) -> State:
        state = super().shown()
        return state[0], state[1].scaled(1.0), *state[2:]

    @override
    def show_style(self, style: Style) -> None:
        for item in self.childItems():
            for part in (item, *item.childItems()):
                if isinstance(part, Strip):
                    part.unit = style.text_scale
        super().show_style(style)
