"""The panels, each of which is made while the window waits, or when it is shown for the first time."""

import gc
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from posenc_core import ENCODINGS, Document
from posenc_gui.figures import Panel
from posenc_gui.look import Style, present_style
from posenc_gui.model import Cursor
from posenc_gui.panels import WORKSPACES, figure_class, first_panels
from posenc_gui.plotting import OPENING
from posenc_gui.workspaces.painting import LaidOutFirst

_EVERY_MS = 40


class PanelShelf(QObject):
    """Makes panels and keeps them up to date; ``made`` has those made so far. ``panelMade`` carries a new one."""

    panelMade = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._window = parent  # owner of panels that no workspace shows
        self.made: dict[str, Panel] = {}
        if parent is not None:
            LaidOutFirst(parent, self.made)
        self._document: Document | None = None
        self._cursor: Cursor | None = None
        self._waiting: Iterator[str] = iter(())
        self._timer = QTimer(self, interval=_EVERY_MS)
        self._timer.timeout.connect(self._make_next)

    @property
    def is_getting_ready(self) -> bool:
        """Whether panels are still being made in advance."""
        return self._timer.isActive()

    def get_ready(self) -> None:
        """Make the first panels of all workspaces and load Story's modules, each in a turn of the event loop."""
        self._waiting = self._make_all()
        self._timer.start()

    def _make_all(self) -> Iterator[str]:
        """Make or load the next, and yield its name."""
        for name in (each for workspace in WORKSPACES for each in first_panels(workspace)):
            if name not in self.made:
                self.panel(name)
                yield name
        for name in tuple(ENCODINGS):
            if name in ENCODINGS:
                ENCODINGS[name]
                yield name

    def _make_next(self) -> None:
        if next(self._waiting, None) is None:
            self._timer.stop()
            gc.freeze()  # the panels live until the end, like the objects of the start

    def panel(self, name: str) -> Panel:
        """The panel of that name, made now if it is not there yet; KeyError for an unknown name."""
        if name not in self.made:
            figure = figure_class(name)(present_style())
            figure.viewport.choose("positions", OPENING)
            panel = self.made[name] = Panel(figure, self._window)
            panel.hide()
            if self._document is not None:
                panel.show_document(self._document)
            panel.show_cursor(self._cursor)
            self.panelMade.emit(panel)
        return self.made[name]

    def show_document(self, document: Document) -> None:
        """Hand the document on to the panels, of which hidden ones compute nothing."""
        self._document = document
        for panel in self.made.values():
            panel.show_document(document)

    def show_cursor(self, cursor: Cursor) -> None:
        """Hand the cursor on to the panels."""
        self._cursor = cursor
        for panel in self.made.values():
            panel.show_cursor(cursor)

    def show_style(self, style: Style) -> None:
        """Draw all panels in this style."""
        for panel in self.made.values():
            panel.show_style(style)
