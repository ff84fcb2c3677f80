"""The list of lessons: a button for each, with its progress, and reasons for unreadable files."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from posenc_core.story import Lesson
from posenc_gui import look
from posenc_gui.look import GAP, HIT_PX, OUTER_MARGIN, FitsText, Note, PlainLabel, SmallLabel, plain_tip
from posenc_gui.story.progress import Progress

_INTRODUCTION = (
    "Each lesson is about five minutes: you predict, the program shows the computed answer, and you try further "
    "values. Take them in any order. Undo restores your own document."
)
DONE = "✓"


class LessonList(QWidget):
    """Shows all lessons. ``chosen`` carries the one to open, ``homeAsked`` requests the previous document."""

    chosen = Signal(object)
    homeAsked = Signal()

    def __init__(self, lessons: Sequence[Lesson], refusals: Sequence[str], progress: Progress) -> None:
        super().__init__()
        self._progress = progress
        self._introduction = Note("muted", self)
        self._introduction.show_sentence(_INTRODUCTION if lessons else "There are no lessons.")
        self._home = QPushButton("Restore my document")
        self._home.setToolTip(plain_tip("Restore the document from before the lesson; Undo returns to the lesson"))
        self._home.clicked.connect(self.homeAsked)
        content = QWidget()
        column = look.column_of(content, self._introduction, margin=OUTER_MARGIN)
        column.addWidget(self._home, 0, Qt.AlignmentFlag.AlignLeft)
        self.rows: dict[str, LessonRow] = {}
        for number, lesson in enumerate(lessons, 1):
            row = self.rows[lesson.name] = LessonRow(number, lesson)
            row.chosen.connect(partial(self.chosen.emit, lesson))
            column.addWidget(row)
        self.refusals = [Note("warning") for _ in refusals]
        for note, sentence in zip(self.refusals, refusals, strict=True):
            column.addWidget(note)
            note.show_sentence(sentence)
        column.addStretch(1)
        self.area = look.scrolling(content)
        look.column_of(self, self.area)
        self.refresh(False)

    def refresh(self, has_home: bool) -> None:
        """Show the progress, and whether a previous document can be restored."""
        self._home.setVisible(has_home)
        for row in self.rows.values():
            row.show_progress(self._progress.is_done(row.lesson), self._progress.step(row.lesson))


class LessonRow(FitsText, QWidget):
    """A lesson's number, title and progress; a click or a key opens the lesson. ``chosen`` has no arguments."""

    chosen = Signal()

    def __init__(self, number: int, lesson: Lesson) -> None:
        super().__init__()
        self.lesson = lesson
        self.button = QPushButton(str(number))
        look.describe(self.button, f"Lesson {number}: {lesson.title}", f"Open the lesson “{lesson.title}”")
        self.fit_text()
        self.button.clicked.connect(self.chosen)
        self._title, self._state = PlainLabel(lesson.title), SmallLabel()
        self._title.setWordWrap(True)
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(self._title)
        texts.addWidget(self._state)
        row = look.row_of(self.button, holder=self)
        row.setAlignment(self.button, Qt.AlignmentFlag.AlignTop)
        row.addLayout(texts, 1)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_progress(self, is_done: bool, step: int) -> None:
        """Show whether the lesson is done, and the next step."""
        count = len(self.lesson.steps)
        words = f"{DONE} done" if is_done else f"{count} steps" if count > 1 else "1 step"
        if step:
            words = f"{words}, continue with step {step + 1}"
        self._state.setText(words)
        self.button.setAccessibleDescription(words)

    @property
    def state(self) -> str:
        """Progress text."""
        return self._state.text()

    @override
    def fit_text(self) -> None:
        self.button.setFixedSize(HIT_PX + GAP, max(HIT_PX, self.button.sizeHint().height()))

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.button.click()
