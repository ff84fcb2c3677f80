"""What the window makes when it is shown for the first time: its panels, and the content of some docks."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_gui.figures import Panel
from posenc_gui.look import Style, present_style
from posenc_gui.model import Cursor
from posenc_gui.panels import figure_class
from posenc_gui.plotting import SENTENCE

if TYPE_CHECKING:  # loaded when it is first shown
    from posenc_gui.story import LessonDock


class LateLessons(QWidget):
    """The place of the lessons, which ``make`` imports and makes when they are first shown or asked for."""

    make: Callable[[], "LessonDock"]

    def __init__(self) -> None:
        super().__init__()
        self._dock: LessonDock | None = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)

    @property
    def made(self) -> "LessonDock | None":
        """The lessons, if they are there."""
        return self._dock

    @property
    def dock(self) -> "LessonDock":
        """The lessons, made now if they are not there yet."""
        if self._dock is None:
            self._dock = self.make()
            self._box.addWidget(self._dock)
        return self._dock

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.dock.show()


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
            figure.choose("positions", SENTENCE)
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
