"""The content of the LESSON dock: the list of lessons, or a page of one with its buttons."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QStackedWidget, QToolButton, QVBoxLayout, QWidget
from typing_extensions import override

from posenc_core.story import Lesson
from posenc_gui.look import GAP, HIT_PX, OUTER_MARGIN, SmallLabel, dress, plain_tip
from posenc_gui.story.lesson_list import LessonList
from posenc_gui.story.lesson_page import LessonPage
from posenc_gui.story.progress import Progress
from posenc_gui.story.stage import Stage

_ESCAPE = (QEvent.Type.ShortcutOverride, Qt.Key.Key_Escape)


class LessonDock(QWidget):
    """The lessons. ``left`` follows the Escape key in a lesson, ``derivationAsked`` a page's button.

    Space and Backspace turn pages while the dock has the keyboard and no line of text has it; nothing is locked.
    """

    left = Signal()
    derivationAsked = Signal()

    def __init__(self, lessons: Sequence[Lesson], refusals: Sequence[str], stage: Stage, progress: Progress) -> None:
        super().__init__()
        self.lessons = tuple(lessons)
        self._stage, self._progress = stage, progress
        self._lesson: Lesson | None = None
        self._index = 0
        self.list = LessonList(lessons, refusals, progress)
        self.page = LessonPage(stage)
        self._header, self._buttons = _Header(), _Buttons()
        taking = QWidget()
        column = QVBoxLayout(taking)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part, stretch in ((self._header, 0), (self.page, 1), (self._buttons, 0)):
            column.addWidget(part, stretch)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.list)
        self._stack.addWidget(taking)
        stage.setParent(self)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self._stack)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.list.chosen.connect(self.take)
        self.list.homeAsked.connect(self._go_home)
        self._header.listAsked.connect(self.leave)
        self._header.homeAsked.connect(self._go_home)
        self._header.turned.connect(self.turn)
        self._buttons.restartAsked.connect(self.restart)
        self._buttons.onwards.connect(self._onwards)
        self.page.revealed.connect(self._show_place)
        self.page.derivationAsked.connect(self.derivationAsked)
        stage.homeReached.connect(self._show_place)

    def take(self, lesson: Lesson) -> None:
        """Take the lesson, from the step at which it was left."""
        self._lesson = lesson
        self._show_step(self._progress.step(lesson))
        self._stage.fold()

    def turn(self, by: int) -> None:
        """Go ``by`` pages on, or back where it is negative; after the last one the lesson is done."""
        if self._lesson is None:
            return
        index = self._index + by
        if index == len(self._lesson.steps):
            self._progress.finish(self._lesson)
            self.leave()
        elif index >= 0:
            self._show_step(index)
            self._stage.fold()

    def restart(self) -> None:
        """Restore the start of the step."""
        if self._lesson is not None:
            self._show_step(self._index)

    def leave(self) -> None:
        """Go back to the list; the document stays."""
        self._lesson = None
        self._stage.fold()
        self._stage.leave()
        self.list.refresh(self._stage.is_away)
        self._stack.setCurrentIndex(0)
        self.list.area.setFocus()

    @property
    def listed(self) -> list[tuple[str, str, bool]]:
        """The name and the title of each lesson, and whether it is done."""
        return [(each.name, each.title, self._progress.is_done(each)) for each in self.lessons]

    def take_named(self, name: str) -> None:
        """Take the lesson of that name; KeyError for an unknown one."""
        self.take({each.name: each for each in self.lessons}[name])

    @property
    def is_taking(self) -> bool:
        """Whether a lesson is taken, rather than the list shown."""
        return self._lesson is not None

    def go(self, by: int) -> None:
        """Go one page back, or show what the step shows and then go on, up to the last step."""
        if by < 0:
            self.turn(-1)
        elif self._lesson is not None and not (self.page.is_revealed and self._index == len(self._lesson.steps) - 1):
            self._onwards()

    def _onwards(self) -> None:
        """Show what the step shows, or go on."""
        if self.page.is_revealed:
            self.turn(1)
        else:
            self.page.reveal()

    def _show_step(self, index: int) -> None:
        assert self._lesson is not None
        self._index, step = index, self._lesson.steps[index]
        self._progress.record(self._lesson, index)
        self._stage.clear()
        self._stage.begin(step.start, f"lesson: {self._lesson.title}")
        self.page.show_step(step)
        self._stack.setCurrentIndex(1)
        self._show_place()
        self.page.area.setFocus()

    def _show_place(self) -> None:
        """Name the place in the lesson, and what the button does next."""
        if self._lesson is None:
            self.list.refresh(self._stage.is_away)
            return
        count = len(self._lesson.steps)
        self._header.show_place(self._lesson.title, self._index, count)
        self._buttons.show_next(self.page.is_revealed, self._index == count - 1)

    def _go_home(self) -> None:
        self._stage.go_home()
        self.list.refresh(self._stage.is_away)

    @override
    def event(self, event: QEvent) -> bool:
        is_taking, kind = self._lesson is not None, event.type()
        if is_taking and isinstance(event, QKeyEvent) and (kind, event.key()) == _ESCAPE:
            event.accept()  # in place of the window's shortcut
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if self._lesson is None or not is_plain or (isinstance(self.focusWidget(), QLineEdit) and _writes(event)):
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Space:
            self.turn(1)
        elif event.key() == Qt.Key.Key_Backspace:
            self.turn(-1)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.page.reveal()
        elif event.key() == Qt.Key.Key_Escape:
            self.leave()
            self.left.emit()
        else:
            super().keyPressEvent(event)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous() and self._lesson is not None:
            self._stage.leave()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._lesson is not None:
            self._stage.enter()
            self.page.mark()


def _writes(event: QKeyEvent) -> bool:
    return event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Backspace)


class _Header(QWidget):
    """The way back to the list, the lesson's title, and the step. ``turned`` carries the pages to go on.

    ``homeAsked`` asks for the document from before the lesson.
    """

    listAsked = Signal()
    homeAsked = Signal()
    turned = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._all = _tool("All", "All lessons")
        self._home = _tool("↩", "Undo the lesson: bring back the document from before it (Ctrl+Alt+Z)")
        self._back, self._on = _tool("‹", "The page before (Backspace)"), _tool("›", "The next page (Space)")
        self._title, self._step = SmallLabel(), SmallLabel()
        self._title.setWordWrap(True)
        self._all.clicked.connect(self.listAsked)
        self._home.clicked.connect(self.homeAsked)
        self._back.clicked.connect(self._turn_back)
        self._on.clicked.connect(self._turn_on)
        row = QHBoxLayout(self)
        row.setContentsMargins(OUTER_MARGIN, 0, OUTER_MARGIN, GAP // 2)
        row.setSpacing(GAP // 2)
        for part in (self._all, self._title, self._home, self._back, self._step, self._on):
            row.addWidget(part, 1 if part is self._title else 0)

    def show_place(self, title: str, index: int, count: int) -> None:
        """Show the lesson and the step."""
        self._title.setText(title)
        self._step.setText(f"{index + 1}/{count}")
        self._step.setAccessibleName(f"step {index + 1} of {count}")
        self._back.setEnabled(index > 0)

    def _turn_back(self) -> None:
        self.turned.emit(-1)

    def _turn_on(self) -> None:
        self.turned.emit(1)


class _Buttons(QWidget):
    """The row below a page, which does not scroll. ``onwards`` shows, and then goes on."""

    restartAsked = Signal()
    onwards = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._restart, self._next = QPushButton("Take me back"), QPushButton()
        self._restart.setToolTip(plain_tip("Restore the start of this step; Undo restores the present document"))
        self._restart.clicked.connect(self.restartAsked)
        self._next.clicked.connect(self.onwards)
        dress(self._next, semibold=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(OUTER_MARGIN, GAP // 2, OUTER_MARGIN, GAP)
        row.setSpacing(GAP)
        row.addWidget(self._restart)
        row.addStretch(1)
        row.addWidget(self._next)
        for button in (self._restart, self._next):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # Space turns the page after a click
        self.show_next(False, False)

    def show_next(self, is_revealed: bool, is_last: bool) -> None:
        """Name what the second button does."""
        words, tip = ("Show", "Show what the program computes (Enter)")
        if is_revealed:
            words, tip = ("Finish", "Finish the lesson") if is_last else ("Go on", "Go on to the next page (Space)")
        self._next.setText(words)
        self._next.setToolTip(plain_tip(tip))


def _tool(text: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(plain_tip(tip))
    button.setAccessibleName(tip)
    button.setAutoRaise(True)
    button.setMinimumSize(HIT_PX, HIT_PX)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
