"""The list of lessons: a button for each, with what was done of it, and why a file gives none."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from posenc_core.story import Lesson
from posenc_gui.look import (
    GAP,
    HIT_PX,
    OUTER_MARGIN,
    Note,
    PlainLabel,
    SmallLabel,
    plain_tip,
    scrolling,
)
from posenc_gui.story.progress import Progress

_INTRODUCTION = (
    "Each lesson takes some five minutes: you predict, the program shows what it computes, and you try more. Take them "
    "in any order. Undo brings your own document back."
)
DONE = "✓"


class LessonList(QWidget):
    """Shows all lessons. ``chosen`` carries the one to take, ``homeAsked`` asks for the document from before."""

    chosen = Signal(object)
    homeAsked = Signal()

    def __init__(self, lessons: Sequence[Lesson], refusals: Sequence[str], progress: Progress) -> None:
        super().__init__()
        self._progress = progress
        self._introduction = Note("muted", self)
        self._introduction.show_sentence(_INTRODUCTION if lessons else "There are no lessons to take.")
        self._home = QPushButton("Bring my document back")
        self._home.setToolTip(plain_tip("Show the document from before the lesson; Undo returns to this one"))
        self._home.clicked.connect(self.homeAsked)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(OUTER_MARGIN, GAP, OUTER_MARGIN, OUTER_MARGIN)
        column.setSpacing(GAP)
        column.addWidget(self._introduction)
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
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        self.area = scrolling(content)
        box.addWidget(self.area)
        self.refresh(False)

    def refresh(self, has_home: bool) -> None:
        """Show what is done, and whether a document from before can be brought back."""
        self._home.setVisible(has_home)
        for row in self.rows.values():
            row.show_progress(self._progress.is_done(row.lesson), self._progress.step(row.lesson))


class LessonRow(QWidget):
    """A lesson's number, its title, and what was done of it; a click or a key takes it. ``chosen`` has no arguments."""

    chosen = Signal()

    def __init__(self, number: int, lesson: Lesson) -> None:
        super().__init__()
        self.lesson = lesson
        self.button = QPushButton(str(number))
        self.button.setAccessibleName(f"Lesson {number}: {lesson.title}")
        self.button.setToolTip(plain_tip(f"Take the lesson “{lesson.title}”"))
        self._fit_button()
        self.button.clicked.connect(self.chosen)
        self._title, self._state = PlainLabel(lesson.title), SmallLabel()
        self._title.setWordWrap(True)
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(self._title)
        texts.addWidget(self._state)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(texts, 1)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_progress(self, is_done: bool, step: int) -> None:
        """Show whether the lesson is done, and the step to go on with."""
        count = len(self.lesson.steps)
        words = f"{DONE} done" if is_done else f"{count} steps" if count > 1 else "1 step"
        if step:
            words = f"{words}, go on with step {step + 1}"
        self._state.setText(words)
        self.button.setAccessibleDescription(words)

    @property
    def state(self) -> str:
        """What is said of the progress."""
        return self._state.text()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_button()

    def _fit_button(self) -> None:
        self.button.setFixedSize(HIT_PX + GAP, max(HIT_PX, self.button.sizeHint().height()))

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.button.click()
