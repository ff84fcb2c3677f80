"""The export dialog: choices, preview and writing; it stays open until the files are written or it is cancelled."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QProgressBar, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_gui import look
from posenc_gui.export.dialog.form import ExportForm
from posenc_gui.export.dialog.preview import ExportPreview
from posenc_gui.export.job import ExportJob, replace_question, write_files
from posenc_gui.export.names import prepared_folder
from posenc_gui.export.numbers import NO_TOKEN
from posenc_gui.export.sources import sources_text
from posenc_gui.files import FileError
from posenc_gui.look import BAR_PX, GAP, PATIENCE_MS, Note, SmallLabel, plain_tip
from posenc_gui.model import Cursor
from posenc_gui.plotting import Window

_STEPS = 1000
_MARGIN = 16
_FORM_WIDTH = 348
_NOTHING_TICKED = "nothing is selected: tick a panel and a picture format, or a number format"
_NO_MEMORY = "there is not enough memory for these files; choose a smaller scale"


class ExportDialog(QDialog):
    """Asks for the files and their folder, and writes them. ``written`` are the paths of the written files."""

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
        """``sizes`` are the panels' sizes on the screen, for pictures as seen."""
        super().__init__(parent)
        self._document, self._cursor, self._windows, self._base = document, cursor, dict(windows), folder
        self._sizes = dict(sizes or {})
        self.written: list[Path] = []
        self._is_writing = self._is_cancelled = False
        self._clock = QElapsedTimer()
        self.setWindowTitle("Export")
        self.form = ExportForm(folder, panels, self)
        self.form.setFixedWidth(look.enlarged(_FORM_WIDTH))
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
            self.message.show_problem(str(error))
            self.form.mark_folder(True)
            return
        existing, large = job.existing(folder), job.large()
        if existing and not look.agrees(self, "Export", replace_question(existing), "&Replace", f"In {folder}"):
            return
        if large and not look.agrees(self, "Export", f"{large}. Write them?", "&Write", f"To {folder}"):
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
            self.message.show_problem(str(error))
            self.export_button.setEnabled(False)
            return
        obstacle = _NOTHING_TICKED if not job.files() else ""
        obstacle = obstacle if self._document.token_list else NO_TOKEN
        self.message.show_problem(obstacle)
        self.export_button.setEnabled(not obstacle)
        self.preview.show_job(job)

    def _write(self, job: ExportJob, folder: Path) -> bool:
        """Write the files; returns whether all are written. Otherwise the dialog shows the reason."""
        self.written = []
        self._begin_writing()
        try:
            for path in write_files(job, folder, self._watch):
                self.written.append(path)
        except FileError as error:
            self.message.show_problem(str(error))
        except MemoryError:
            self.message.show_problem(_NO_MEMORY)
        else:
            if self._is_cancelled:
                self.message.show_problem(_cancelled_sentence(self.written))
        finally:
            self._end_writing()
        return len(self.written) == len(job.files())

    def _begin_writing(self) -> None:
        self._is_writing, self._is_cancelled = True, False
        self._clock.start()
        self.message.show_problem("")
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

    def _copy_sources(self) -> None:
        QGuiApplication.clipboard().setText(sources_text(self._document))
        self.sources_button.setText("Copied")

    def _build_bottom(self) -> None:
        """Create the buttons and the progress beside them."""
        self.buttons = QDialogButtonBox(self)
        self.export_button = self.buttons.addButton("E&xport", QDialogButtonBox.ButtonRole.AcceptRole)
        self.cancel_button = self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.sources_button = self.buttons.addButton("Copy &BibTeX", QDialogButtonBox.ButtonRole.ActionRole)
        look.remove_icons(self.buttons.buttons())
        look.explain_controls(self)
        self.cancel_button.setText("Cance&l")
        self.export_button.setDefault(True)
        self.export_button.setToolTip(plain_tip("Export the files (Enter)"))
        self.cancel_button.setAutoDefault(False)
        self.cancel_button.setToolTip(plain_tip("Cancel export (Escape)"))
        self.sources_button.setAutoDefault(False)
        self.sources_button.setToolTip(plain_tip("Copy BibTeX entries of the encodings' sources"))
        self.sources_button.clicked.connect(self._copy_sources)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._at_work = SmallLabel()
        self.progress = QProgressBar(self, minimum=0, maximum=_STEPS)
        self.progress.setAccessibleName("Progress of the export")
        self.progress.setFixedWidth(180)
        self.progress.hide()
        self._at_work.hide()

    def _lay_out(self) -> None:
        form = look.scrolling(self.form)
        form.setFixedWidth(self.form.width() + BAR_PX)
        column = look.column_of(self, spacing=_MARGIN - GAP // 2)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.addLayout(look.row_of(form, self.preview, wide=self.preview, spacing=_MARGIN), 1)
        column.addWidget(self.message)
        column.addLayout(look.row_of(self._at_work, self.progress, self.buttons, wide=self.buttons))
        self.setMinimumSize(720, 580)
        look.open_with(self, 960, 620)


def _cancelled_sentence(written: Sequence[Path]) -> str:
    names = ", ".join(path.name for path in written)
    return f"cancelled; {names} had been written before" if written else "cancelled; nothing was written"
