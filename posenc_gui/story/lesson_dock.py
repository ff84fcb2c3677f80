"""The content of the LESSON dock: the list of lessons, or a page of one with its buttons."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QStackedWidget, QWidget
from typing_extensions import override

from posenc_core.story import Lesson
from posenc_gui.look import GAP, OUTER_MARGIN, SlimButton, SmallLabel, column_of, dress, flat_button, plain_tip, row_of
from posenc_gui.story.lesson_list import LessonList
from posenc_gui.story.lesson_page import LessonPage
from posenc_gui.story.progress import Progress
from posenc_gui.story.stage import Stage

_ESCAPE = (QEvent.Type.ShortcutOverride, Qt.Key.Key_Escape)
_WRITTEN = (Qt.Key.Key_Space, Qt.Key.Key_Backspace)


class LessonDock(QWidget):
    """The lessons. ``taken`` follows the start of one, ``left`` the Escape key, ``derivationAsked`` a page's button.

    Space and Backspace turn pages while the dock has the keyboard and no line of text has it; nothing is locked.
    """

    taken = Signal()
    left = Signal()
    derivationAsked = Signal()
    is_presented = False
    """Whether the lesson continues while the dock is hidden."""

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
        column = column_of(taking, self._header, self.page, self._buttons, spacing=0)
        column.setStretchFactor(self.page, 1)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.list)
        self._stack.addWidget(taking)
        stage.setParent(self)
        column_of(self, self._stack)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.list.chosen.connect(self.take)
        self.list.homeAsked.connect(self._go_home)
        self._header.all.clicked.connect(self.leave)
        self._header.home.clicked.connect(self._go_home)
        self._header.back.clicked.connect(partial(self.turn, -1))
        self._header.on.clicked.connect(partial(self.turn, 1))
        self._buttons.restart.clicked.connect(self.restart)
        self._buttons.next.clicked.connect(self._onwards)
        self._buttons.check.clicked.connect(self.page.check)
        self.page.revealed.connect(self._show_place)
        self.page.derivationAsked.connect(self.derivationAsked)
        stage.homeReached.connect(self._show_place)

    def take(self, lesson: Lesson) -> None:
        """Open the lesson at its last step."""
        self._lesson = lesson
        self._show_step(self._progress.step(lesson))
        self._stage.store.fold_visit()
        self.taken.emit()

    def turn(self, by: int) -> None:
        """Turn ``by`` pages forwards, or backwards if negative; after the last page the lesson is completed."""
        if self._lesson is None:
            return
        index = self._index + by
        if index == len(self._lesson.steps):
            self._progress.finish(self._lesson)
            self.leave()
        elif index >= 0:
            self._show_step(index)
            self._stage.store.fold_visit()

    def restart(self) -> None:
        """Restore the start of the step."""
        if self._lesson is not None:
            self._show_step(self._index)

    def leave(self) -> None:
        """Go back to the list; the document stays."""
        self._lesson = None
        self._stage.store.fold_visit()
        self._stage.leave()
        self._refresh()
        self._stack.setCurrentIndex(0)
        self.list.area.setFocus()

    @property
    def listed(self) -> list[tuple[str, str, bool]]:
        """The name and the title of each lesson, and whether it is done."""
        return [(each.name, each.title, self._progress.is_done(each)) for each in self.lessons]

    def take_named(self, name: str) -> None:
        """Open the lesson of that name; KeyError for an unknown name."""
        self.take({each.name: each for each in self.lessons}[name])

    @property
    def is_taking(self) -> bool:
        """Whether a lesson is open."""
        return self._lesson is not None

    def go(self, by: int) -> None:
        """Turn one page back; or show the answer of the step, then the next page, up to the last step."""
        if by < 0:
            self.turn(-1)
        elif self._lesson is not None and not (self.page.is_revealed and self._index == len(self._lesson.steps) - 1):
            self._onwards()

    def _onwards(self) -> None:
        """Show the answer of the step, or turn the page."""
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
        """Show the place in the lesson, and the next effect of the button."""
        if self._lesson is None:
            self._refresh()
            return
        count = len(self._lesson.steps)
        self._header.show_place(self._lesson.title, self._index, count)
        self._buttons.show_next(self.page.is_revealed, self._index == count - 1)

    def _refresh(self) -> None:
        self.list.refresh(has_home=self._stage.store.guest is not None)

    def _go_home(self) -> None:
        self._stage.store.end_visit()
        self._refresh()

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
        if (
            self._lesson is None
            or not is_plain
            or (isinstance(self.focusWidget(), QLineEdit) and event.key() in _WRITTEN)
        ):
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
        if not event.spontaneous() and self._lesson is not None and not self.is_presented:
            self._stage.leave()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._lesson is not None and not self.is_presented:
            self._stage.enter()
            self.page.mark()


class _Header(QWidget):
    """A button back to the list, the lesson's title, the step, and buttons that turn pages or undo the lesson."""

    def __init__(self) -> None:
        super().__init__()
        self.all = flat_button("All", "All lessons")
        self.home = flat_button("↩", "Undo the lesson: restore the document from before it (Ctrl+Alt+Z)")
        self.back = flat_button("‹", "Previous page (Backspace)")
        self.on = flat_button("›", "Next page (Space)")
        self._title, self._step = SmallLabel(), SmallLabel()
        self._title.setWordWrap(True)
        parts = (self.all, self._title, self.home, self.back, self._step, self.on)
        margins = (OUTER_MARGIN, 0, OUTER_MARGIN, GAP // 2)
        row_of(*parts, wide=self._title, holder=self, margins=margins, spacing=GAP // 2)

    def show_place(self, title: str, index: int, count: int) -> None:
        """Show the lesson and the step."""
        self._title.setText(title)
        self._step.setText(f"{index + 1}/{count}")
        self._step.setAccessibleName(f"step {index + 1} of {count}")
        self.back.setEnabled(index > 0)


class _Buttons(QWidget):
    """The row below a page, which does not scroll; ``next`` shows the answer, then turns the page."""

    def __init__(self) -> None:
        super().__init__()
        self.restart, self.check, self.next = SlimButton("Take me back"), SlimButton("Check"), SlimButton()
        self.restart.setToolTip(plain_tip("Restore the start of this step; Undo restores the present document"))
        self.check.setToolTip(plain_tip("Check the answer against the current document (Enter)"))
        dress(self.next, semibold=True)
        margins = (OUTER_MARGIN, GAP // 2, OUTER_MARGIN, GAP)
        row_of(self.restart, None, self.check, self.next, holder=self, margins=margins)
        for button in (self.restart, self.check, self.next):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # Space turns the page after a click
        self.show_next(False, False)

    def show_next(self, is_revealed: bool, is_last: bool) -> None:
        """Label the last button, and offer the check of a shown answer."""
        self.check.setVisible(is_revealed)
        words, tip = ("Show", "Show the computed result (Enter)")
        if is_revealed:
            words, tip = ("Finish", "Finish the lesson") if is_last else ("Go on", "Next page (Space)")
        self.next.setText(words)
        self.next.setToolTip(plain_tip(tip))
