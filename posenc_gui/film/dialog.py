"""The film dialog: the moving value, its ends, the length, and the file."""

import os
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)
from typing_extensions import override

from posenc_core import Document
from posenc_core.fields import IntegerField
from posenc_core.tables import Cancelled
from posenc_gui import look
from posenc_gui.docks.editors import NumberLine
from posenc_gui.export import PictureOptions, named_path
from posenc_gui.files import FileError
from posenc_gui.film.containers import format_problem
from posenc_gui.film.job import write_film
from posenc_gui.film.plan import FILM_FORMATS, SECONDS, film_of, playable, sweepable
from posenc_gui.look import GAP, Note, PlainLabel, ProgressDialog, SmallLabel, plain_tip, present_style
from posenc_gui.model import Cursor
from posenc_gui.panels import PANELS

_WIDTH = 460
_FORMAT_WORDS = {
    "apng": "APNG, exact colours; contains the session",
    "gif": "GIF, 256 colours; for slides and mail",
    "webp": "WebP, small; for the web",
    "mp4": "MP4, for players and slides",
}

_TOLD = (
    ("Moving value", "The parameter, or the value of the panel, that changes during the film."),
    ("First value", "Value in the first frame."),
    ("Last value", "Value in the last frame."),
    ("Length in seconds", SECONDS.help),
    ("Format", "APNG needs nothing else; GIF and WebP need Pillow, MP4 needs the program ffmpeg."),
    ("File", "File to write."),
)
"""The name and the tool tip of each control."""


class _Motion(Struct, frozen=True):
    """A motion: its words in the list, the text of the film up to its values, and the first values."""

    words: str
    text: str
    first: str = ""
    last: str = ""


class FilmDialog(QDialog):
    """Asks for the motion and the file, and writes the film; ``written`` is the file, None for none."""

    def __init__(
        self, document: Document, cursor: Cursor | None, panel: str, size: tuple[int, int], folder: Path,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        """``size`` is the panel's on the screen in pixels, which the film has too."""
        super().__init__(parent)
        self._document, self._cursor, self._panel, self._base = document, cursor, panel, folder
        self._options = PictureOptions(theme=present_style().name, scale=1.0, size=size)
        plays = (_Motion(f"play {course.title}", f"play:{course.symbol}") for course in playable(panel))
        self._motions = (*_sweeps(document), *plays)
        self.written: Path | None = None
        self.setWindowTitle(f"Export film of {PANELS[panel].title}")
        self.motion, self.format = QComboBox(self), QComboBox(self)
        self.first, self.last, self.file = NumberLine(self), NumberLine(self), QLineEdit(self)
        self.seconds = QDoubleSpinBox(self, decimals=1, minimum=0.5, maximum=30.0, suffix=" s")
        self.message = Note("error", self)
        self._fill()
        self._lay_out()
        self._choose_motion()
        self._check()
        for line in (self.first, self.last, self.file):
            line.textChanged.connect(self._check)
        self.seconds.valueChanged.connect(self._check)
        self.motion.currentIndexChanged.connect(self._choose_motion)
        self.format.currentIndexChanged.connect(self._choose_format)

    @property
    def text(self) -> str:
        """The text of the film, as after ``--film``."""
        motion = self._motions[self.motion.currentIndex()]
        return f"{motion.text}{self.first.typed()}..{self.last.typed()}" if motion.first else motion.text

    @override
    def accept(self) -> None:
        try:
            path = self._base / named_path(self.file.text().strip())
        except FileError as error:
            self.message.show_problem(str(error))
            return
        is_there = os.path.lexists(path)  # Path.exists raises for a name that is too long
        if is_there and not look.agrees(self, "Export film", f"{path.name} exists. Replace it?", "&Replace"):
            return
        film = film_of(self.text, self._panel, self._document, self._cursor, self.seconds.value())
        try:
            with ProgressDialog(f"Writing {path.name}", self) as progress:
                write_film(film, path, self.format.currentData(), self._options, progress)
        except Cancelled:
            self.message.show_problem("cancelled; nothing was written")
        except FileError as error:
            self.message.show_problem(str(error))
        except MemoryError:
            self.message.show_problem("there is not enough memory for this film; choose fewer seconds")
        else:
            self.written = path
            super().accept()

    def _check(self) -> None:
        """Show why no film can be written."""
        try:
            film_of(self.text, self._panel, self._document, self._cursor, self.seconds.value())
            problem = format_problem(self.format.currentData())
        except (TypeError, ValueError) as error:
            problem = str(error)
        if not self.file.text().strip():
            problem = problem or "there is no file to write to; type one"
        self.message.show_problem(problem)
        self._ok.setEnabled(not problem)

    def _choose_motion(self) -> None:
        motion = self._motions[self.motion.currentIndex()]
        for line, value in ((self.first, motion.first), (self.last, motion.last)):
            line.show_number(value)
            line.setEnabled(bool(value))
        self._check()

    def _choose_format(self) -> None:
        """Give the file the ending of the format."""
        text = self.file.text().strip()
        stem, dot, ending = text.rpartition(".")
        if dot and ending.lower() in FILM_FORMATS:
            self.file.setText(f"{stem}.{self.format.currentData()}")
        self._check()

    def _browse(self) -> None:
        path, _ = QFileDialog.getSaveFileName(
            self, "Film", self.file.text(), options=QFileDialog.Option.DontConfirmOverwrite
        )
        if path:
            self.file.setText(path)

    def _fill(self) -> None:
        for motion in self._motions:
            self.motion.addItem(motion.words)
        for format in sorted(FILM_FORMATS):
            self.format.addItem(_FORMAT_WORDS[format], format)
        for control, (name, tip) in zip(
            (self.motion, self.first, self.last, self.seconds, self.format, self.file), _TOLD, strict=True
        ):
            look.describe(control, name, tip)
            if isinstance(control, NumberLine):
                control.show_tip(tip)
        self.seconds.setLocale(QLocale.c())
        self.seconds.setValue(SECONDS.default)
        self.file.setText(str(self._base / f"{self._panel}.{self.format.currentData()}"))

    def _lay_out(self) -> None:
        self.buttons = QDialogButtonBox(self)
        self._ok = self.buttons.addButton("E&xport", QDialogButtonBox.ButtonRole.AcceptRole)
        cancel = self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        cancel.setText("&Cancel")
        self._ok.setToolTip(plain_tip("Write the film (Enter)"))
        cancel.setToolTip(plain_tip("Close without a film (Escape)"))
        look.remove_icons(self.buttons.buttons())
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        browse = QPushButton("&Browse…", self, autoDefault=False)
        browse.setToolTip(plain_tip("Choose the file in a dialog"))
        browse.clicked.connect(self._browse)
        grows = QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow
        form = QFormLayout(fieldGrowthPolicy=grows, horizontalSpacing=GAP, verticalSpacing=GAP)
        form.addRow(*_row("&Animate", (self.motion,)))
        form.addRow(*_row("&From", (self.first, PlainLabel("to"), self.last)))
        form.addRow(*_row("&Length", (self.seconds,)))
        form.addRow(*_row("F&ormat", (self.format,)))
        form.addRow(*_row("F&ile", (self.file, browse)))
        column = look.dialog_column(self)
        column.addLayout(form)
        column.addWidget(self.message)
        column.addStretch(1)
        column.addWidget(self.buttons)
        look.explain_controls(self)
        self.resize(look.enlarged(_WIDTH), self.sizeHint().height())


def _row(label: str, controls: tuple[QWidget, ...]) -> tuple[PlainLabel, QHBoxLayout]:
    """A label whose mnemonic moves the focus to the first of the controls beside it."""
    line = look.row_of()
    for control in controls:
        line.addWidget(control, 1 if isinstance(control, QLineEdit | QComboBox) else 0)
    name = SmallLabel(label)
    name.setBuddy(controls[0])
    return name, line


def _sweeps(document: Document) -> tuple[_Motion, ...]:
    """A sweep of each number of the encoding, those with a slider first.

    A sweep covers the slider's range, or half to twice the present value.
    """
    found = []
    for field in sorted(sweepable(document), key=lambda field: field.slider is None):
        value = document.value(field.name)
        ends = field.slider
        if ends is None and isinstance(field, IntegerField):
            ends = (max(field.minimum, value // 2), min(field.maximum, 2 * value))
        first, last = (field.format(each) for each in ends or (value, value))
        name = field.name.replace(" ", "_")
        found.append(_Motion(f"sweep {field.display_name}", f"sweep:{name}=", first, last))
    return tuple(found)
