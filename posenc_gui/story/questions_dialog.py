"""The list of all questions, and what opens them and everything else that can be searched."""

import logging
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QDockWidget, QMainWindow, QVBoxLayout, QWidget

from posenc_core.session import FAMILY
from posenc_core.story import Question, Start, read_questions
from posenc_gui.figures import Panel
from posenc_gui.look import GAP, OUTER_MARGIN, explain_controls, plain_tip, remove_icons, resource
from posenc_gui.model import CursorControl, DocumentStore
from posenc_gui.panels import PANELS, WORKSPACES
from posenc_gui.story.doors import FILE, LEAST_HEIGHT, QuestionRow
from posenc_gui.story.palette import Entry, EntryList, Palette, all_entries, question_entries
from posenc_gui.story.stage import Shelf, Stage, Workspaces

_DOCKS = ("encoding", "embedding", "number", "vector", "model", "check")
_SIZE = (560, 560)

_log = logging.getLogger(__name__)


@cache
def questions() -> tuple[Question, ...]:
    """All questions; one that cannot be read is left out and named in the log."""
    found, refusals = read_questions(resource(FILE), WORKSPACES, PANELS, _DOCKS)
    for refusal in refusals:
        _log.warning("%s", refusal)
    return found


class QuestionsDialog(QDialog):
    """Shows questions to search by their words; Enter or a click closes it and opens one."""

    def __init__(self, entries: Sequence[Entry], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Questions")
        self.resize(*_SIZE)
        self._chosen: Entry | None = None
        self.entries = EntryList(entries, "Search the questions")
        self.entries.list.hideColumn(1)
        self.entries.list.hideColumn(2)
        self.entries.entryChosen.connect(self._choose)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        button = buttons.button(QDialogButtonBox.StandardButton.Close)
        button.setText("&Close")
        button.setAutoDefault(False)
        button.setToolTip(plain_tip("Close the questions (Escape)"))
        remove_icons(buttons.buttons())
        explain_controls(self)
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


class _Workspaces(Workspaces, Protocol):
    def maximise(self, panel: Panel) -> None: ...


class _Rooms(Protocol):
    """The parts of the window that questions are answered in."""

    @property
    def window(self) -> QMainWindow: ...
    @property
    def store(self) -> DocumentStore: ...
    @property
    def cursor(self) -> CursorControl: ...
    @property
    def workspaces(self) -> _Workspaces: ...
    @property
    def shelf(self) -> Shelf: ...
    @property
    def docks(self) -> Mapping[str, QDockWidget]: ...


class Finder:
    """Opens questions, panels and families, from a list of the questions or from a search over all there is."""

    def __init__(self, rooms: _Rooms, row: QuestionRow) -> None:
        self._rooms, self._row = rooms, row
        self._stage = Stage(rooms.store, rooms.cursor, rooms.workspaces, rooms.shelf)
        self._stage.homeReached.connect(row.close_answer)

    def open_question(self, number: int) -> None:
        """Set up the view that answers a question, as one step of undo, and say the answer."""
        question = next(each for each in questions() if each.number == number)
        if question.start is not None:
            self._set_up(question.start, f"question {question.text}")
        if question.dock:
            dock = self._rooms.docks[question.dock]
            dock.show()
            dock.raise_()
        self._row.show_answer(question.text, question.answered(), question.copies)

    def go_to_panel(self, name: str) -> None:
        """Bring a panel to the screen, in the workspace that it belongs to unless the present one has it."""
        if name not in self._rooms.workspaces.shown:
            self._rooms.workspaces.choose(PANELS[name].workspace)
        self._stage.reach(name).setFocus(Qt.FocusReason.OtherFocusReason)

    def choose_family(self, family: str) -> None:
        """Show the encoding of another family."""
        self._rooms.store.try_edit(FAMILY.name, family)

    def show_questions(self) -> None:
        """Show the list of all questions."""
        QuestionsDialog(question_entries(questions(), self), self._rooms.window).open()

    def show_palette(self) -> None:
        """Search everything, or stop searching."""
        window = self._rooms.window
        shown = [each for each in window.findChildren(Palette) if not each.isHidden()]
        for palette in shown:
            palette.end()
        if not shown:
            Palette(all_entries(questions(), window, self), window)

    def _set_up(self, start: Start, text: str) -> None:
        """Show a start; in a small window the start's panel alone."""
        self._stage.begin(start, text)
        self._stage.leave()
        if start.panel is not None:
            panel = self._stage.reach(start.panel)
            if self._rooms.window.height() < LEAST_HEIGHT:
                self._rooms.workspaces.show_alone((start.panel,))
            panel.setFocus(Qt.FocusReason.OtherFocusReason)
