"""The export dialog: choices, preview and writing; it stays open until the files are written or it is cancelled."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QHBoxLayout, QProgressBar, QVBoxLayout, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_gui.export.dialog.form import ExportForm
from posenc_gui.export.dialog.preview import ExportPreview
from posenc_gui.export.job import ExportJob, replace_question, write_files
from posenc_gui.export.names import prepared_folder
from posenc_gui.export.numbers import NO_TOKEN
from posenc_gui.files import FileError
from posenc_gui.look import GAP, PATIENCE_MS, MessageBox, Note, SmallLabel, explain_controls, plain_tip, remove_icons
from posenc_gui.model import Cursor
from posenc_gui.plotting import Window

_STEPS = 1000
_MARGIN = 16
_FORM_WIDTH = 348
_NOTHING_TICKED = "nothing is selected: tick a panel and a picture format, or a number format"
_NO_MEMORY = "there is not enough memory for these files; choose a smaller scale"


class ExportDialog(QDialog):
    """Asks what to write and where, and writes it. ``written`` are the paths of the files that were written."""

    def __init__(
        self,
        document: Document,
        cursor: Cursor | None,
        windows: Mapping[str, Window | None],
        panels: Sequence[str],
        folder: Path,
        parent: QWidget | None = None,
        sizes: Mapping[str, tuple[int, int]] | None = None,
    ) -> None:
        """``sizes`` are those of the panels on the screen, for pictures as seen."""
        super().__init__(parent)
        self._document, self._cursor, self._windows, self._base = document, cursor, dict(windows), folder
        self._sizes = dict(sizes or {})
        self.written: list[Path] = []
        self._is_writing = self._is_cancelled = False
        self._clock = QElapsedTimer()
        self.setWindowTitle("Export")
        self.form = ExportForm(folder, panels, self)
        self.form.setFixedWidth(_FORM_WIDTH)
        self.preview = ExportPreview(self)
        self.message = Note("error", self)
        self._build_bottom()
        self._lay_out()
        self.form.changed.connect(self._changed)
        self.form.panelTicked.connect(self.preview.show_panel)
        self._changed()
        self.form.folder.setFocus()
        self.form.folder.selectAll()

    def job(self) -> ExportJob:
        """The job that the choices describe; ValueError with one sentence for a size or layout that does not suit."""
        form = self.form
        return ExportJob(
            self._document, self._cursor, self._windows, form.panels, form.formats, form.options, self._sizes,
            form.caption_files, form.grid,
        )  # fmt: skip

    @override
    def accept(self) -> None:
        if self._is_writing or not self.export_button.isEnabled():
            return
        job = self.job()
        try:
            folder = prepared_folder(self.form.folder.text().strip(), self._base)
        except FileError as error:
            self._refuse(str(error))
            self.form.mark_folder(True)
            return
        existing, large = job.existing(folder), job.large()
        if existing and not self._agrees(replace_question(existing), f"In {folder}", "&Replace"):
            return
        if large and not self._agrees(f"{large}. Write them?", f"To {folder}", "&Write"):
            return
        if self._write(job, folder):
            super().accept()

    @override
    def reject(self) -> None:
        if self._is_writing:
            self._is_cancelled = True
        else:
            super().reject()

    def _changed(self) -> None:
        """Update the preview, and show why nothing can be written."""
        try:
            job = self.job()
        except ValueError as error:
            self._refuse(str(error))
            self.export_button.setEnabled(False)
            return
        obstacle = _NOTHING_TICKED if not job.files() else ""
        obstacle = obstacle if self._document.token_list else NO_TOKEN
        self._refuse(obstacle)
        self.export_button.setEnabled(not obstacle)
        self.preview.show_job(job)

    def _refuse(self, sentence: str) -> None:
        self.message.show_sentence(f"{sentence[:1].upper()}{sentence[1:]}." if sentence else "")

    def _agrees(self, question: str, where: str, yes: str) -> bool:
        """Whether the user answers the question with the button that is called ``yes``."""
        button = MessageBox.StandardButton
        box = MessageBox(MessageBox.Icon.Question, "Export", question, self, button.Cancel)
        box.setInformativeText(where)
        agree = box.addButton(yes, MessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(button.Cancel)
        box.exec()
        agrees = box.clickedButton() is agree
        box.deleteLater()
        return agrees

    def _write(self, job: ExportJob, folder: Path) -> bool:
        """Write the files; returns whether all are written. Otherwise the dialog shows the reason."""
        self.written = []
        self._begin_writing()
        try:
            for path in write_files(job, folder, self._watch):
                self.written.append(path)
        except FileError as error:
            self._refuse(str(error))
        except MemoryError:
            self._refuse(_NO_MEMORY)
        else:
            if self._is_cancelled:
                self._refuse(_cancelled_sentence(self.written))
        finally:
            self._end_writing()
        return len(self.written) == len(job.files())

    def _begin_writing(self) -> None:
        self._is_writing, self._is_cancelled = True, False
        self._clock.start()
        self._refuse("")
        for widget in (self.form, self.preview, self.export_button):
            widget.setEnabled(False)
        self.cancel_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _end_writing(self) -> None:
        self._is_writing = False
        for widget in (self.form, self.preview, self.export_button):
            widget.setEnabled(True)
        self.progress.hide()
        self._at_work.hide()
        self.form.folder.setFocus(Qt.FocusReason.OtherFocusReason)

    def _watch(self, done: float, path: Path) -> bool:
        """Show the fraction done and the file; False once the user cancels."""
        if self._clock.elapsed() > PATIENCE_MS:
            self._at_work.setText(f"Writing {path.name}")
            self.progress.setValue(round(_STEPS * done))
            self.progress.show()
            self._at_work.show()
            QApplication.processEvents()
        return not self._is_cancelled

    def _build_bottom(self) -> None:
        """Create the buttons and the progress beside them."""
        self.buttons = QDialogButtonBox(self)
        self.export_button = self.buttons.addButton("E&xport", QDialogButtonBox.ButtonRole.AcceptRole)
        self.cancel_button = self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        remove_icons(self.buttons.buttons())
        explain_controls(self)
        self.cancel_button.setText("Cance&l")
        self.export_button.setDefault(True)
        self.export_button.setToolTip(plain_tip("Export the files (Enter)"))
        self.cancel_button.setAutoDefault(False)
        self.cancel_button.setToolTip(plain_tip("Cancel export (Escape)"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._at_work = SmallLabel()
        self.progress = QProgressBar(self)
        self.progress.setRange(0, _STEPS)
        self.progress.setAccessibleName("Progress of the export")
        self.progress.setFixedWidth(180)
        self.progress.hide()
        self._at_work.hide()

    def _lay_out(self) -> None:
        halves = QHBoxLayout()
        halves.setSpacing(_MARGIN)
        halves.addWidget(self.form)
        halves.addWidget(self.preview, 1)
        bottom = QHBoxLayout()
        bottom.setSpacing(GAP)
        bottom.addWidget(self._at_work)
        bottom.addWidget(self.progress)
        bottom.addWidget(self.buttons, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(_MARGIN - GAP // 2)
        column.addLayout(halves, 1)
        column.addWidget(self.message)
        column.addLayout(bottom)
        self.setMinimumSize(720, 580)
        self.resize(960, 620)


def _cancelled_sentence(written: Sequence[Path]) -> str:
    names = ", ".join(path.name for path in written)
    return f"cancelled; {names} had been written before" if written else "cancelled; nothing was written"
