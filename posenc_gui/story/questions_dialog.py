"""The list of all questions."""

import logging
from collections.abc import Sequence
from functools import cache
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from posenc_core.story import Question, Start, read_questions
from posenc_gui.figures.panel import Panel
from posenc_gui.look.controls import GAP, OUTER_MARGIN, remove_icons
from posenc_gui.look.resources import resource
from posenc_gui.look.style import Style
from posenc_gui.model.cursor import Cursor
from posenc_gui.model.cursor_control import CursorControl
from posenc_gui.model.document_store import DocumentStore
from posenc_gui.panels import PANEL_NAMES, WORKSPACES
from posenc_gui.story.doors import FILE, LEAST_HEIGHT
from posenc_gui.story.palette import Entry, EntryList

_DOCKS = ("encoding", "embedding", "number", "vector", "model")
_SIZE = (560, 560)

_log = logging.getLogger(__name__)


@cache
def questions() -> tuple[Question, ...]:
    """All questions; one that cannot be read is left out and named in the log."""
    found, refusals = read_questions(resource(FILE), WORKSPACES, PANEL_NAMES, _DOCKS)
    for refusal in refusals:
        _log.warning("%s", refusal)
    return found


class _Workspaces(Protocol):
    def choose(self, name: str) -> None: ...
    def show_panel(self, name: str, shown: bool) -> None: ...
    def maximise(self, panel: Panel) -> None: ...


class _Shelf(Protocol):
    def panel(self, name: str) -> Panel: ...


class _Rooms(Protocol):
    """The parts of the window that show a question's start."""

    @property
    def window(self) -> QWidget: ...
    @property
    def store(self) -> DocumentStore: ...
    @property
    def cursor(self) -> CursorControl: ...
    @property
    def workspaces(self) -> _Workspaces: ...
    @property
    def shelf(self) -> _Shelf: ...


def set_up(start: Start, text: str, rooms: _Rooms) -> None:
    """Show a start, its document as one step of undo that is called ``text``.

    The document is another session's: it is not saved into the person's file, and needs no saving where theirs needs
    none. In a small window the panel is shown alone.
    """
    if start.document != rooms.store.document:
        rooms.store.begin(start.document, text, saved=rooms.store.history.isClean())
    rooms.workspaces.choose(start.workspace)
    if start.panel is not None:
        rooms.workspaces.show_panel(start.panel, True)
        panel = rooms.shelf.panel(start.panel)
        if rooms.window.height() < LEAST_HEIGHT:
            rooms.workspaces.maximise(panel)
        panel.figure.reset_window()
        panel.setFocus(Qt.FocusReason.OtherFocusReason)
    if start.cursor is not None:
        rooms.cursor.hold(Cursor(*start.cursor))


class QuestionsDialog(QDialog):
    """Shows questions to search by their words; Enter or a click closes it and opens one."""

    def __init__(self, entries: Sequence[Entry], style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Questions")
        self.resize(*_SIZE)
        self._chosen: Entry | None = None
        self.entries = EntryList(entries, style, "Search the questions")
        self.entries.list.hideColumn(1)
        self.entries.list.hideColumn(2)
        self.entries.entryChosen.connect(self._choose)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        button = buttons.button(QDialogButtonBox.StandardButton.Close)
        button.setText("&Close")
        button.setAutoDefault(False)
        remove_icons(buttons.buttons())
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(OUTER_MARGIN, OUTER_MARGIN, OUTER_MARGIN, OUTER_MARGIN)
        column.setSpacing(GAP)
        column.addWidget(self.entries)
        column.addWidget(buttons)
        self.entries.setFocus()
        self.finished.connect(self._run)

    def _choose(self, entry: Entry) -> None:
        self._chosen = entry
        self.accept()

    def _run(self) -> None:
        self.deleteLater()
        if self._chosen is not None:
            self._chosen.run()
