"""The stage of lessons: the document, the panels and the cursor of the window."""

from collections.abc import Collection, Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from posenc_core import Document
from posenc_core.story import JsonValue, Start, edited
from posenc_gui.figures import Figure, Panel
from posenc_gui.model import Cursor, brief
from posenc_gui.story.drawing import DrawingSheet
from posenc_gui.story.ghost import Cover, Ghost, GhostMark
from posenc_gui.workspaces import SharedParts

_POSITIONS = "positions"
"""The switch of panels that chooses between the sentence's positions and all."""


class Stage(QObject):
    """Shows the documents of lessons through the store, and marks predictions in panels.

    The user's own document is one step of undo away. The whole lesson is one step. Edits of the user on a
    page can be undone one by one there; the next page, and the end, add them to that step, and ``store.end_visit``
    undoes them with the lesson at any time. ``homeReached`` follows the return of the user's document.
    """

    homeReached = Signal()

    def __init__(self, parts: SharedParts, covered: Mapping[str, QWidget] | None = None) -> None:
        """``covered`` are parts of the window beside panels that can be covered, by name."""
        super().__init__()
        self.store, self._cursor = parts.store, parts.cursor
        self._workspaces, self._shelf = parts.workspaces, parts.shelf
        self._parts = covered or {}
        self._marks: dict[str, GhostMark] = {}
        self._covers: dict[str, Cover] = {}
        self._sheets: dict[str, DrawingSheet] = {}
        self._fits: dict[str, list[str]] = {}
        self._gesture = object()
        self._own: Document | None = None  # from before the lesson, as the cell
        self._cell = self._cursor.cursor
        self._home, self._away = "", ""  # the workspaces before and in the lesson
        self.store.documentChanged.connect(self._follow)

    def enter(self) -> None:
        """Continue a lesson: edits after its end, or after a question during it, are the user's own."""
        guest = self.store.guest
        if guest is not None and guest.is_present(self.store.document):
            guest.left = None
        else:
            self.store.keep_guest()

    def leave(self) -> None:
        """Leave the lesson; its document stays."""
        self.clear()
        if self.store.guest is not None:
            self.store.guest.left = self.store.document

    def begin(self, start: Start, text: str) -> None:
        """Show the start of a step, as one step of undo that is called ``text``."""
        self._put(start.document, text)
        self._away = start.workspace
        if start.workspace != self._workspaces.current:
            self._workspaces.choose(start.workspace)
        self._workspaces.restore()
        if start.alone:
            self._workspaces.show_alone(start.alone)
        for name in dict.fromkeys((*start.alone, *([] if start.panel is None else [start.panel]))):
            self.show_all(name)
        if start.cursor is not None:
            self._cursor.hold(Cursor(*start.cursor))
        else:
            self._cursor.release()

    def show_fields(self, fields: Mapping[str, JsonValue], text: str) -> None:
        """Edit fields of the document, all as one step; ValueError with one sentence if it refuses them."""
        self._put(edited(self.store.document, dict(fields)), text)

    def reach(self, name: str) -> Panel:
        """The panel of that name, on the screen from now on."""
        if name not in self._workspaces.seen:
            self._workspaces.restore()
        if name not in self._workspaces.seen:
            self._workspaces.show_panel(name, True)
        return self._shelf.panel(name)

    def show_all(self, name: str) -> None:
        """Show all positions in the panel; undo to the user's document restores the range in view."""
        figure = self.reach(name).figure
        switches = (each for each in figure.viewport.switches() if each.name == _POSITIONS and each.chosen)
        self._fits.setdefault(name, [each.followed for each in switches])
        figure.viewport.reset()

    def show_ghost(self, panel: str, ghost: Ghost) -> None:
        """Mark this in the panel; an empty ghost removes the mark."""
        if panel not in self._marks:
            if ghost == Ghost():
                return
            self._marks[panel] = GhostMark(self._figure(panel))
        self._marks[panel].show_ghost(ghost)
        self._show_words(panel, ghost)

    def cover(self, names: Collection[str]) -> None:
        """Cover the panels and parts of the window of these names, and uncover all others."""
        for name in names:
            if name not in self._covers:
                self._covers[name] = Cover(self._parts.get(name) or self._shelf.panel(name))
        for name, each in self._covers.items():
            if not isValid(each):
                continue
            if name in names:
                each.show_over()
            else:
                each.hide()

    def clear(self) -> None:
        """Remove all marks, and stop accepting drawings."""
        for panel, mark in self._marks.items():
            if isValid(self._shelf.panel(panel)):  # a floating dock is hidden after the panels of its window are gone
                mark.show_ghost(Ghost())
                self._show_words(panel, Ghost())
        self.cover(())
        self.close_sheets()

    def close_sheets(self) -> None:
        """End the drawing mode."""
        for sheet in filter(isValid, self._sheets.values()):
            sheet.close_sheet()

    def point(self, position: int, column: int) -> None:
        """Hold this cell."""
        self._cursor.hold(Cursor(position, column))

    def drawing_sheet(self, panel: str) -> DrawingSheet | None:
        """Drawing sheet over the panel; None for a panel without rows to draw in."""
        pointing = self._figure(panel).pointing
        if panel not in self._sheets and pointing.rows is not None and pointing.area is not None:
            self._sheets[panel] = DrawingSheet(pointing.area, pointing.rows)
        return self._sheets.get(panel)

    def _figure(self, panel: str) -> Figure:
        return self._shelf.panel(panel).figure

    def _show_words(self, panel: str, ghost: Ghost) -> None:
        """Show the ghost's words in the header of a panel that has no plot area for them."""
        if self._figure(panel).pointing.area is None:
            self._shelf.panel(panel).show_mark(brief(ghost.words))

    def _put(self, document: Document, text: str) -> None:
        """Show a document of the lesson, unless it is shown already."""
        self.enter()
        guest = self.store.guest
        own = self.store.document if guest is None else guest.own
        if guest is None or own != self._own:
            self._own, self._home, self._gesture = own, self._workspaces.current, object()
            self._cell = self._cursor.cursor
        elif document == self.store.document:
            guest.shown, guest.left = document, None
            return
        self.store.visit(document, text, self._gesture)

    def _follow(self, document: Document) -> None:
        """Return to the user's workspace and cell when undo restores the user's document."""
        if document == self._own and self.store.guest is None:
            self.clear()
            self._workspaces.restore()
            if self._workspaces.current == self._away != self._home:
                self._workspaces.choose(self._home)
            for name, values in self._fits.items():
                for value in values:
                    self._figure(name).viewport.choose(_POSITIONS, value)
            self._fits.clear()
            self._cursor.release()
            (self._cursor.hold if self._cell.pinned else self._cursor.point)(self._cell)
            self.homeReached.emit()
