"""The list of all questions, and the search over questions and all else."""

import logging
from collections.abc import Callable, Sequence
from functools import cache, partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QWidget

from posenc_core.session import FAMILY
from posenc_core.story import Question, Start, compute, read_questions
from posenc_gui import look
from posenc_gui.look import plain_tip
from posenc_gui.panels import PANELS, WORKSPACES
from posenc_gui.story.doors import FILE, LEAST_HEIGHT, QuestionRow
from posenc_gui.story.palette import Entry, EntryList, Palette, all_entries, question_entries
from posenc_gui.story.stage import Stage
from posenc_gui.workspaces import SharedParts

_FORMULA = "formula"
"""Name of the box with a formula."""

_DOCKS = ("encoding", "embedding", "number", "vector", "model", "check")
_SIZE = (560, 560)

_log = logging.getLogger(__name__)


@cache
def questions() -> tuple[Question, ...]:
    """All questions; an unreadable one is omitted and named in the log."""
    found, refusals = read_questions(look.resource(FILE), WORKSPACES, PANELS, _DOCKS)
    for refusal in refusals:
        _log.warning("%s", refusal)
    return found


class QuestionsDialog(QDialog):
    """Shows questions to search by their words; Enter or a click closes it and opens one."""

    def __init__(self, entries: Sequence[Entry], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Questions")
        look.open_with(self, *_SIZE)
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
        look.remove_icons(buttons.buttons())
        look.explain_controls(self)
        buttons.rejected.connect(self.reject)
        look.dialog_column(self, self.entries, buttons)
        self.entries.setFocus()
        self.finished.connect(self._run)

    def _choose(self, entry: Entry) -> None:
        self._chosen = entry
        self.accept()

    def _run(self) -> None:
        self.deleteLater()
        if self._chosen is not None:
            self._chosen.run()


class Finder:
    """Opens questions, panels and families, from a list of the questions or from a search over everything."""

    def __init__(self, parts: SharedParts, row: QuestionRow, check: Callable[[str], object]) -> None:
        """``check`` shows whether printed numbers are right."""
        self._parts, self._row, self._check = parts, row, check
        self._dock = ""  # raised by a question, in place of Number
        self._stage = Stage(parts)
        self._stage.homeReached.connect(row.close_answer)

    def open_question(self, number: int) -> None:
        """Set up the view that answers a question, as one step of undo, and show the answer."""
        question = next(each for each in questions() if each.number == number)
        if question.start is not None:
            self._set_up(question.start, f"question {question.text}")
        self._bring(question.dock)
        if question.given:
            self._check(question.given)
        action = self._parts.window.findChild(QAction, question.action) if question.action else None
        copies = None if question.copies is None else partial(compute, question.copies)
        self._row.show_answer(question.text, question.answered(), copies, action)

    def _bring(self, name: str) -> None:
        """Bring a dock to the front; for no name the Number dock, if the question before brought another one."""
        if not name and self._dock:
            name = "number"
        if name:
            self._parts.docks[name].show()
            self._parts.docks[name].raise_()
        self._dock = name if name != "number" else ""

    def go_to_panel(self, name: str) -> None:
        """Bring a panel to the screen, in the workspace that it belongs to unless the present one has it."""
        if name not in self._parts.workspaces.shown:
            self._parts.workspaces.choose(PANELS[name].workspace)
        self._stage.reach(name).setFocus(Qt.FocusReason.OtherFocusReason)

    def choose_family(self, family: str) -> None:
        """Show the encoding of another family, with the keyboard in its formula if that is typed."""
        self._parts.store.try_edit(FAMILY.name, family)
        boxes = self._parts.window.findChildren(QPlainTextEdit)
        formula = next((each for each in boxes if each.accessibleName() == _FORMULA and not each.isHidden()), None)
        if formula is not None:
            self._bring("encoding")
            formula.setFocus(Qt.FocusReason.OtherFocusReason)
            formula.selectAll()

    def show_questions(self) -> None:
        """Show the list of all questions."""
        QuestionsDialog(question_entries(questions(), self), self._parts.window).open()

    def show_palette(self) -> None:
        """Search everything, or stop searching."""
        window = self._parts.window
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
            if self._parts.window.height() < LEAST_HEIGHT:
                self._parts.workspaces.show_alone((start.panel,))
            panel.setFocus(Qt.FocusReason.OtherFocusReason)
