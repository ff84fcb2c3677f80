"""The lower part of the CHECK dock: the verdict, its sentences, the first wrong number, and progress."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from posenc_core.identify import FIRST_WRONG, Finding, Wrong
from posenc_gui.docks import RestingDerivation
from posenc_gui.look import GAP, TEXT_PX, Note, PlainLabel, SmallLabel, column_of, dress, grid_of, row_of, small_button

_HELP = (
    "Paste the numbers that your code prints, or drop a file of numbers on the window: a table, frequencies, "
    "a cache of cosines and sines, vectors before and after a rotation, ALiBi's biases."
)
_AGES = "The finding below belongs to the previous numbers."


class FindingView(QWidget):
    """The finding, or the reason for its absence. ``showAsked`` and ``copyAsked`` follow the buttons.

    ``derivationShown`` carries the view of a derivation that was opened.
    """

    showAsked = Signal()
    copyAsked = Signal()
    derivationShown = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._refusal, self._is_older, self._help = Note("error"), Note("muted"), Note("muted")
        self._verdict, self._rest = Note("ink"), Note("ink")
        dress(self._verdict, TEXT_PX, semibold=True, role="ink")
        for note in (self._verdict, self._rest, self._refusal):
            note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._first = _FirstWrong()
        self._show = small_button("Show", "Compare the right encoding (A) with these numbers (B), as one step of undo")
        self._derive = small_button("Derive", "Derive the right number at the first wrong place")
        self._copy = small_button("Copy", "Copy the finding as text")
        self._show.clicked.connect(self.showAsked)
        self._copy.clicked.connect(self.copyAsked)
        self._derive.setCheckable(True)
        self._view = RestingDerivation()
        self._derive.toggled.connect(self._show_derivation)
        self._view.hide()
        self._buttons = QWidget()
        row_of(self._show, self._derive, self._copy, holder=self._buttons)
        parts = (self._help, self._refusal, self._is_older, self._verdict, self._first, self._rest, self._buttons)
        column_of(self, *parts, self._view).addStretch(1)
        self._first.hide()
        self._buttons.hide()
        self._help.show_sentence(_HELP)

    def show_finding(self, finding: Finding) -> None:
        """Show the verdict, and its details."""
        verdict, *rest = finding.sentences
        self._help.show_sentence("")
        self.show_refusal("")
        dress(self._verdict, TEXT_PX, semibold=True, role="accent" if finding.is_right else "error")
        self._verdict.show_sentence(verdict)
        self._rest.show_sentence("\n".join(each for each in rest if not each.startswith(FIRST_WRONG)))
        self._first.show_wrong(finding.first)
        derivation = finding.derivation()
        self._derive.setChecked(False)
        self._derive.setVisible(derivation is not None)
        if derivation is not None:
            self._view.show_derivation(derivation, at_once=False)
        self._show.setEnabled(finding.encoding is not None or finding.table is not None)
        self._buttons.show()

    def _show_derivation(self, is_shown: bool) -> None:
        self._view.setVisible(is_shown)
        if is_shown:
            self._view.typeset_soon()
            self.derivationShown.emit(self._view)

    def clear(self) -> None:
        """Show what the dock is for, as at first."""
        self.show_refusal("")
        for note in (self._is_older, self._verdict, self._rest):
            note.show_sentence("")
        self._first.show_wrong(None)
        self._derive.setChecked(False)
        self._buttons.hide()
        self._help.show_sentence(_HELP)

    def show_waiting(self) -> None:
        """Say that an earlier finding is not about the numbers that are checked now, nor is a refusal."""
        self._refusal.show_problem("")
        self._is_older.show_sentence(_AGES if self._verdict.sentence else "")

    def show_refusal(self, sentence: str) -> None:
        """Show why the numbers cannot be checked; an earlier finding stays."""
        self._refusal.show_problem(sentence)
        self._is_older.show_sentence(_AGES if sentence and self._verdict.sentence else "")


class _FirstWrong(QWidget):
    """The first wrong number beside the right one."""

    def __init__(self) -> None:
        super().__init__()
        self._where, self._given, self._right = SmallLabel(), PlainLabel(), PlainLabel()
        grid = grid_of(self, 2 * GAP, 0)
        grid.addWidget(self._where, 0, 0, 1, 2)
        for column, (words, number) in enumerate((("given", self._given), ("should be", self._right))):
            grid.addWidget(SmallLabel(words), 1, column)
            grid.addWidget(number, 2, column)
            number.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        grid.setColumnStretch(1, 1)
        dress(self._given, TEXT_PX, semibold=True, role="error")
        dress(self._right, TEXT_PX, semibold=True, role="ink")

    def show_wrong(self, wrong: Wrong | None) -> None:
        """Show a wrong number; hidden for None."""
        self.setVisible(wrong is not None)
        if wrong is None:
            return
        digits = next((each for each in range(5, 17) if f"{wrong.given:.{each}g}" != f"{wrong.right:.{each}g}"), 17)
        self._where.setText(f"First wrong number: {wrong.where}")
        for label, number in ((self._given, wrong.given), (self._right, wrong.right)):
            label.setText(f"{number:.{digits}g}".replace("-", "\N{MINUS SIGN}"))


class ProgressRow(QWidget):
    """The share done of a check, and a button that cancels it."""

    def __init__(self) -> None:
        super().__init__()
        self._bar = QProgressBar(minimum=0, maximum=100, textVisible=False)
        self._bar.setAccessibleName("progress of the check")
        self._bar.setFixedHeight(GAP)
        self._bar.setMinimumWidth(8 * GAP)
        self.cancel = small_button("Cancel", "Cancel the check")
        row_of(SmallLabel("checking"), self._bar, self.cancel, holder=self)
        self.hide()

    def show_share(self, share: float) -> None:
        """Show the share done."""
        self._bar.setValue(round(100 * share))
        self.show()
