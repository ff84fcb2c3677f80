"""The panels, each of which is made when it is shown for the first time."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from posenc_core import Document
from posenc_gui.figures import Panel
from posenc_gui.look import Style, present_style
from posenc_gui.model import Cursor
from posenc_gui.panels import figure_class
from posenc_gui.plotting import OPENING


class PanelShelf(QObject):
    """Makes panels and keeps them up to date; ``made`` holds those that there are. ``panelMade`` carries a new one."""

    panelMade = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._window = parent  # which owns panels that no workspace shows
        self.made: dict[str, Panel] = {}
        self._document: Document | None = None
        self._cursor: Cursor | None = None

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
