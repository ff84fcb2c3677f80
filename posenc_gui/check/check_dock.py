"""The content of the CHECK dock: numbers of the user's code, and the finding about them."""

from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_core.identify import Finding
from posenc_gui.check.finding_view import FindingView, ProgressRow
from posenc_gui.check.given_form import GivenForm
from posenc_gui.check.work import Checking, Several, Source
from posenc_gui.look import OUTER_MARGIN, column_of, lay_out_now, scrolling, small_button


class CheckDock(QWidget):
    """A form for numbers above the finding. Nothing here is part of the document.

    Esc stops a running check, else returns to the previous document.

    ``shown`` carries the finding to show in the panels, ``homeAsked`` is a request to return to the
    previous document, ``severalFound`` carries arrays to choose from, ``copied`` a sentence about
    the copied text; ``fileAsked`` and ``configAsked`` are the form's.
    """

    shown = Signal(object)
    homeAsked = Signal()
    severalFound = Signal(object)
    copied = Signal(str)
    fileAsked = Signal()
    configAsked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._finding: Finding | None = None
        self.form, self._view, self._progress = GivenForm(), FindingView(), ProgressRow()
        self._work = Checking(self)
        self._home = small_button("Back to my document", "Show the document from before the check (Ctrl+Z)")
        self._home.hide()
        content = QWidget()
        column = column_of(content, self.form, self._progress, self._home, self._view, margin=OUTER_MARGIN)
        column.setStretchFactor(self._view, 1)
        self._area = scrolling(content)
        column_of(self, self._area)
        self._connect()

    def show_document(self, document: Document) -> None:
        """Store the document that the window shows."""
        self.form.show_document(document)

    def show_home(self, is_away: bool) -> None:
        """Show the button back while the panels show a finding."""
        self._home.setVisible(is_away)

    def check_source(self, source: Source) -> None:
        """Check these numbers with the settings of the form."""
        try:
            positions = self.form.positions
        except ValueError as error:
            self.cancel()
            self._refuse(str(error))
        else:
            self._work.begin(source, self.form.against, positions)

    def cancel(self) -> bool:
        """Stop the present check; returns whether there was one."""
        return self._work.cancel()

    @override
    def event(self, event: QEvent) -> bool:
        is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if not is_escape or not (self._work.is_at_work or self._home.isVisible()):
            return super().event(event)
        event.accept()  # an override: the dock's key has precedence over the window's shortcut
        if event.type() == QEvent.Type.KeyPress and not self.cancel():
            self.homeAsked.emit()
        return True

    def give(self, given: str | Path) -> None:
        """Check a text or a file in place of the form's."""
        self.form.give(given)

    def _connect(self) -> None:
        self.form.checkAsked.connect(self._check)
        self.form.fileAsked.connect(self.fileAsked)
        self.form.configAsked.connect(self.configAsked)
        self.form.copied.connect(self.copied)
        self.form.emptied.connect(self._forget)
        self._progress.cancel.clicked.connect(self.cancel)
        self._work.progressed.connect(self._wait)
        self._work.ended.connect(self._end)
        self._work.refused.connect(self._refuse)
        self._work.stopped.connect(self._progress.hide)
        self._view.showAsked.connect(self._show)
        self._view.copyAsked.connect(self._copy)
        self._view.derivationShown.connect(self._reveal)
        self._home.clicked.connect(self.homeAsked)

    def _check(self) -> None:
        given = self.form.given
        if given is None:
            self._refuse("there are no numbers; paste some, or open a file")
        else:
            self.check_source(given)

    def _forget(self) -> None:
        """Show no finding: its numbers are gone."""
        self.cancel()
        self._finding = None
        self._view.clear()

    def _wait(self, share: float) -> None:
        """Show the share done, and that the finding is about other numbers."""
        self._progress.show_share(share)
        self._view.show_waiting()

    def _end(self, found: Finding | Several) -> None:
        self._progress.hide()
        if isinstance(found, Several):
            self.severalFound.emit(found)
        else:
            self._finding = found
            self._view.show_finding(found)

    def _refuse(self, sentence: str) -> None:
        self._progress.hide()
        self._view.show_refusal(sentence)

    def _show(self) -> None:
        if self._finding is not None:
            self.shown.emit(self._finding)

    def _reveal(self, part: QWidget) -> None:
        """Scroll to a part that was opened now."""
        lay_out_now(part)
        self._area.ensureWidgetVisible(part)

    def _copy(self) -> None:
        if self._finding is not None:
            QGuiApplication.clipboard().setText("\n".join(self._finding.sentences))
            self.copied.emit("Copied the finding")
